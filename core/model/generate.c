#include "model/generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/reduce.h"
#include "num/softmax.h"

/* After a disagreement the draft is first tried in blocks of this many tokens; each
 * block that is wholly right doubles it, each one that is wholly wrong halves it.
 * Chosen, with the families' first blocks, on 669 edits of four sentences: at the
 * 99th percentile a drafted run must not cost more than a plain one, and a first
 * block of everything did where the change is early. */
enum { BLOCK_AFTER_MISS = 2 };
/* How far around the expected place a token is looked for in the draft. */
enum { RESYNC_REACH = 8 };

enum hl_status
hl_output_init(struct hl_translation *tr, int cap, struct hl_output *out, struct hl_error *err)
{
    struct hl_arena *a = tr->run->scratch;
    struct hl_output o = { .cap = cap };

    o.input = hl_arena_new(a, cap, int32_t);
    o.target = hl_arena_new(a, cap, int32_t);
    o.logprob = hl_arena_floats(a, cap);
    o.top_id = hl_arena_new(a, (size_t)cap * HL_OUTPUT_TOP, int32_t);
    o.top_logprob = hl_arena_floats(a, (size_t)cap * HL_OUTPUT_TOP);
    if (tr->run->req->keep_logits)
        o.logits = hl_arena_floats(a, tr->run->model->vocab);
    bool ok = o.input && o.target && o.logprob && o.top_id && o.top_logprob &&
              (o.logits || !tr->run->req->keep_logits);
    if (!ok)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d target tokens", cap);
    *out = o;
    return HL_OK;
}

/* Reads rows. Weights that are all finite can still make numbers that a float cannot
 * hold; of those nothing can be chosen. From 2^100 on, where sums of log-probabilities
 * would be the next to overflow, it counts as that. */
static enum hl_status
advance(struct hl_translation *tr, int n, const struct hl_run_row *rows, float *logits,
        struct hl_error *err)
{
    const uint32_t most = UINT32_C(0x71800000); /* the bits of 2^100; NaN lies above */
    size_t count = (size_t)n * (size_t)tr->run->model->vocab;
    int bad = 0;
    enum hl_status st = tr->how->advance(tr, n, rows, logits, err);
    if (st != HL_OK)
        return st;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, logits + i, sizeof bits);
        bad |= (bits & UINT32_C(0x7FFFFFFF)) >= most;
    }
    return bad ? hl_run_overflow(tr->run, err) : HL_OK;
}

/* Banned tokens become impossible. */
static void
ban(const struct hl_model *m, float *logits)
{
    for (int i = 0; i < m->n_banned; i++)
        logits[m->banned[i]] = -INFINITY;
}

/* Appends a row to the output: what was read, what followed (-1: the likeliest), and
 * the figures of its logits, which are changed. Returns what followed. */
static int32_t
settle(const struct hl_translation *tr, struct hl_output *out, float *logits, int32_t input,
       int32_t target)
{
    const struct hl_model *m = tr->run->model;
    int i = out->n++;
    int32_t *top = out->top_id + i * HL_OUTPUT_TOP;
    float *top_logprob = out->top_logprob + i * HL_OUTPUT_TOP;

    if (out->logits)
        memcpy(out->logits, logits, (size_t)m->vocab * sizeof *logits);
    /* a forced target may be a banned token: its probability is then among all */
    bool any = false;
    for (int k = 0; k < m->n_banned; k++)
        any = any || m->banned[k] == target;
    if (!any)
        ban(m, logits);
    double log_sum = hl_softmax_log_sum(logits, m->vocab);
    int n = hl_reduce_top(logits, m->vocab, HL_OUTPUT_TOP, top);
    for (int k = 0; k < HL_OUTPUT_TOP; k++) {
        bool is = k < n && isfinite(logits[top[k]]);
        top[k] = is ? top[k] : -1;
        top_logprob[k] = is ? (float)((double)logits[top[k]] - log_sum) : 0;
    }
    if (target < 0)
        target = top[0];
    out->input[i] = input;
    out->target[i] = target;
    out->logprob[i] = (float)((double)logits[target] - log_sum);
    out->total += (double)out->logprob[i];
    return target;
}

/* Where the draft goes on after the model said `token` instead of draft[at]: after
 * the nearest place that has this token (words left out or put in), otherwise after
 * `at` (one word for another). */
static int
resync(const int32_t *draft, int n, int at, int32_t token)
{
    for (int d = 0; d <= RESYNC_REACH; d++) {
        if (at + d < n && draft[at + d] == token)
            return at + d + 1;
        if (at - d >= 0 && at - d < n && draft[at - d] == token)
            return at - d + 1;
    }
    return at < n ? at + 1 : n;
}

static int
least(int a, int b)
{
    return a < b ? a : b;
}

/* A draft being followed. */
struct follow {
    const int32_t *draft;
    int n, at; /* next token of the draft */
    int block; /* most tokens of the next proposal */
};

/* Takes over the rows of a pass up to the first that disagrees with the proposal.
 * `ids` are the n tokens read. Returns the token that follows. */
static int32_t
accept(const struct hl_translation *tr, struct hl_output *out, struct follow *f, const int32_t *ids,
       int n, float *logits)
{
    size_t vocab = (size_t)tr->run->model->vocab;
    int32_t next = -1;
    int right = 0;

    for (int i = 0; i < n; i++) {
        next = settle(tr, out, logits + (size_t)i * vocab, ids[i], -1);
        if (next == tr->run->model->info.eos_id || out->n == out->cap)
            return next;
        bool agrees = f->at < f->n && f->draft[f->at] == next;
        f->at = agrees ? f->at + 1 : resync(f->draft, f->n, f->at, next);
        if (i + 1 < n && !agrees) {
            f->block = right == 0 ? least(f->block, BLOCK_AFTER_MISS) / 2 : BLOCK_AFTER_MISS;
            f->block = f->block < 1 ? 1 : f->block;
            return next;
        }
        right++;
    }
    if (n > 1)
        f->block = least(2 * f->block, tr->max_rows);
    return next;
}

enum hl_status
hl_generate_greedy(struct hl_translation *tr, struct hl_output *out, struct hl_error *err)
{
    struct follow f = { tr->run->req->draft, tr->run->req->n_draft, 0, tr->how->draft_block };
    struct hl_run_row *rows = hl_arena_new(tr->run->scratch, tr->max_rows, struct hl_run_row);
    int32_t *ids = hl_arena_new(tr->run->scratch, tr->max_rows, int32_t);
    float *logits =
        hl_arena_floats(tr->run->scratch, (size_t)tr->max_rows * (size_t)tr->run->model->vocab);
    int32_t next = tr->run->model->info.bos_id;

    if (!rows || !ids || !logits)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d rows of logits", tr->max_rows);
    do {
        int n = 1 + least(least(f.block, tr->max_rows - 1), f.n - f.at);
        n = least(n, out->cap - out->n);
        for (int i = 0; i < n; i++) {
            ids[i] = i == 0 ? next : f.draft[f.at + i - 1];
            rows[i] = (struct hl_run_row) { 0, out->n + i, ids[i] };
        }
        enum hl_status st = advance(tr, n, rows, logits, err);
        if (st != HL_OK)
            return st;
        out->n_passes++;
        next = accept(tr, out, &f, ids, n, logits);
    } while (next != tr->run->model->info.eos_id && out->n < out->cap);
    return HL_OK;
}

enum hl_status
hl_generate_forced(struct hl_translation *tr, const int32_t *input, int n, int32_t last,
                   struct hl_output *out, struct hl_error *err)
{
    size_t vocab = (size_t)tr->run->model->vocab;
    int max = least(tr->max_rows, n);
    struct hl_run_row *rows = hl_arena_new(tr->run->scratch, max, struct hl_run_row);
    float *logits = hl_arena_floats(tr->run->scratch, (size_t)max * vocab);

    if (!rows || !logits)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d rows of logits", max);
    for (int at = 0; at < n; at += max) {
        int m = least(max, n - at);
        for (int i = 0; i < m; i++)
            rows[i] = (struct hl_run_row) { 0, at + i, input[at + i] };
        enum hl_status st = advance(tr, m, rows, logits, err);
        if (st != HL_OK)
            return st;
        out->n_passes++;
        for (int i = 0; i < m; i++) {
            int32_t target = at + i + 1 < n ? input[at + i + 1] : last;
            settle(tr, out, logits + (size_t)i * vocab, input[at + i], target);
        }
    }
    return HL_OK;
}

/* An open or finished hypothesis: `ids` are its n target tokens. */
struct beam_hyp {
    int32_t *ids;
    int n;
    double total;
};

struct beam_step {
    int lane;
    int32_t id;
    double total;
};

struct beam {
    struct hl_translation *tr;
    int width, cap;
    int n_open, n_done;
    struct beam_hyp *open, *next; /* width each */
    struct beam_hyp *done;        /* 2 * width */
    struct beam_step *steps;      /* width * 2 * width */
    struct hl_run_row *rows;
    int32_t *top;
    int *parent;
    float *logits;
};

static struct beam_hyp *
hyps_new(struct hl_arena *a, int n, int cap)
{
    struct beam_hyp *h = hl_arena_new(a, n, struct beam_hyp);
    int32_t *ids = hl_arena_new(a, (size_t)n * (size_t)cap, int32_t);
    for (int i = 0; h && ids && i < n; i++)
        h[i].ids = ids + (size_t)i * (size_t)cap;
    return ids ? h : NULL;
}

static bool
beam_init(struct beam *b, struct hl_translation *tr, int cap)
{
    struct hl_arena *a = tr->run->scratch;
    int w = tr->n_lanes;

    *b = (struct beam) { .tr = tr, .width = w, .cap = cap, .n_open = 1 };
    b->open = hyps_new(a, w, cap);
    b->next = hyps_new(a, w, cap);
    b->done = hyps_new(a, 2 * w, cap);
    b->steps = hl_arena_new(a, 2 * (size_t)w * (size_t)w, struct beam_step);
    b->rows = hl_arena_new(a, w, struct hl_run_row);
    b->top = hl_arena_new(a, 2 * (size_t)w, int32_t);
    b->parent = hl_arena_new(a, w, int);
    b->logits = hl_arena_floats(a, (size_t)w * (size_t)tr->run->model->vocab);
    return b->open && b->next && b->done && b->steps && b->rows && b->top && b->parent && b->logits;
}

static void
hyp_copy(struct beam_hyp *to, const struct beam_hyp *from, int32_t id, double total)
{
    memcpy(to->ids, from->ids, (size_t)from->n * sizeof *to->ids);
    to->ids[from->n] = id;
    to->n = from->n + 1;
    to->total = total;
}

static double
score(const struct beam_hyp *h)
{
    return h->total / h->n;
}

/* Sorts by score, best first; equals by their tokens, so that the order is total. */
static int
by_score(const void *x, const void *y)
{
    const struct beam_hyp *a = x, *b = y;
    if (score(a) != score(b))
        return score(a) > score(b) ? -1 : 1;
    if (a->n != b->n)
        return a->n - b->n;
    return memcmp(a->ids, b->ids, (size_t)a->n * sizeof *a->ids);
}

static int
by_total(const void *x, const void *y)
{
    const struct beam_step *a = x, *b = y;
    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return a->lane != b->lane ? a->lane - b->lane : (a->id > b->id) - (a->id < b->id);
}

/* Files a finished hypothesis and keeps the best `width`. */
static void
beam_finish(struct beam *b, const struct beam_hyp *from, int32_t id, double total)
{
    hyp_copy(&b->done[b->n_done++], from, id, total);
    qsort(b->done, (size_t)b->n_done, sizeof *b->done, by_score);
    b->n_done = least(b->n_done, b->width);
}

/* The 2 * width likeliest continuations of each open hypothesis, all sorted. */
static int
beam_candidates(struct beam *b)
{
    const struct hl_model *m = b->tr->run->model;
    int n = 0;
    for (int i = 0; i < b->n_open; i++) {
        float *row = b->logits + (size_t)i * (size_t)m->vocab;
        ban(m, row);
        double log_sum = hl_softmax_log_sum(row, m->vocab);
        int k = hl_reduce_top(row, m->vocab, 2 * b->width, b->top);
        for (int j = 0; j < k && isfinite(row[b->top[j]]); j++) {
            double total = b->open[i].total + ((double)row[b->top[j]] - log_sum);
            b->steps[n++] = (struct beam_step) { i, b->top[j], total };
        }
    }
    qsort(b->steps, (size_t)n, sizeof *b->steps, by_total);
    return n;
}

/* One token further. An end token counts only among the best `width`, as others
 * would crowd out open hypotheses that are better. */
static enum hl_status
beam_advance(struct beam *b, int t, struct hl_error *err)
{
    const struct hl_model *m = b->tr->run->model;
    int n_next = 0;

    for (int i = 0; i < b->n_open; i++) {
        const struct beam_hyp *h = &b->open[i];
        b->rows[i] = (struct hl_run_row) { i, t, h->n > 0 ? h->ids[h->n - 1] : m->info.bos_id };
    }
    enum hl_status st = advance(b->tr, b->n_open, b->rows, b->logits, err);
    if (st != HL_OK)
        return st;
    int n = beam_candidates(b);
    for (int i = 0; i < n && n_next < b->width; i++) {
        const struct beam_step *s = &b->steps[i];
        if (s->id == m->info.eos_id) {
            if (i < b->width)
                beam_finish(b, &b->open[s->lane], s->id, s->total);
            continue;
        }
        b->parent[n_next] = s->lane;
        hyp_copy(&b->next[n_next++], &b->open[s->lane], s->id, s->total);
    }
    b->tr->how->fork(b->tr, n_next, b->parent, t + 1);
    struct beam_hyp *old = b->open;
    b->open = b->next;
    b->next = old;
    b->n_open = n_next;
    return HL_OK;
}

/* No open hypothesis, as it stands, beats the worst of enough finished ones. */
static bool
beam_is_done(const struct beam *b)
{
    double best = -INFINITY;
    if (b->n_open == 0)
        return true;
    if (b->n_done < b->width)
        return false;
    for (int i = 0; i < b->n_open; i++)
        best = fmax(best, score(&b->open[i]));
    return score(&b->done[b->n_done - 1]) >= best;
}

static enum hl_status
beam_result(struct beam *b, struct hl_output *out, struct hl_error *err)
{
    struct hl_arena *a = b->tr->run->scratch;
    const struct beam_hyp *best = &b->done[0];
    int32_t *input = hl_arena_new(a, best->n, int32_t);

    out->hypotheses = hl_arena_new(a, b->n_done, struct hl_hypothesis);
    if (!input || !out->hypotheses)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the hypotheses");
    for (int i = 0; i < b->n_done; i++) {
        const struct beam_hyp *h = &b->done[i];
        out->hypotheses[i] = (struct hl_hypothesis) { h->ids, h->n, NULL, h->total, score(h) };
    }
    out->n_hypotheses = b->n_done;
    input[0] = b->tr->run->model->info.bos_id;
    memcpy(input + 1, best->ids, (size_t)(best->n - 1) * sizeof *input);
    return hl_generate_forced(b->tr, input, best->n, best->ids[best->n - 1], out, err);
}

enum hl_status
hl_generate_beam(struct hl_translation *tr, struct hl_output *out, struct hl_error *err)
{
    struct beam b;
    if (!beam_init(&b, tr, out->cap))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d beams", tr->n_lanes);
    for (int t = 0; t < out->cap && !beam_is_done(&b); t++) {
        enum hl_status st = beam_advance(&b, t, err);
        if (st != HL_OK)
            return st;
        out->n_passes++;
    }
    /* those that the limit cut off count as they stand */
    int n_cut = b.n_done == 0 ? b.n_open : 0;
    for (int i = 0; i < n_cut; i++) {
        struct beam_hyp *h = &b.open[i];
        h->n--;
        beam_finish(&b, h, h->ids[h->n], h->total);
    }
    return beam_result(&b, out, err);
}

#include "model/encoder.h"

#include <math.h>
#include <string.h>

#include "attn/score.h"
#include "base/size.h"
#include "model/axes.h"
#include "model/read.h"
#include "nn/embed.h"
#include "num/reduce.h"
#include "num/softmax.h"

const struct hl_option hl_encoder_options[HL_ENCODER_OPTIONS] = {
    { .key = "mask",
      .label = "hidden token",
      .kind = HL_OPTION_WHOLE,
      .min = 0,
      .max = HL_MAX_POSITIONS,
      .initial = 0,
      .tip = "The token that is hidden from the model, which then guesses it; 0: none." },
};

/* ---- opening ---- */

enum hl_status
hl_encoder_finish(struct hl_model *m, struct hl_encoder *e, float eps, struct hl_error *err)
{
    const struct hl_norm norm = { NULL, NULL, e->d, eps, false };
    struct hl_norm *norms[] = { &e->norm, &e->head.norm };
    struct hl_encoder_head *h = &e->head;

    for (int i = 0; i < 2; i++) {
        norms[i]->d = norm.d;
        norms[i]->eps = norm.eps;
    }
    for (int l = 0; l < e->n_layers; l++) {
        struct hl_block *b = &e->blocks[l];
        b->d = e->d;
        b->n_heads = e->n_heads;
        b->act = e->act;
        b->self.norm.d = b->ffn.norm.d = norm.d;
        b->self.norm.eps = b->ffn.norm.eps = norm.eps;
    }
    e->has_head = h->dense.w.p && h->dense.b && h->norm.gain && h->norm.bias;
    if (!h->words.p)
        h->words = e->words;
    m->vocab = e->vocab;
    m->info.max_source = e->n_positions - e->first_position;
    m->info.n_enc_layers = e->n_layers;
    m->info.n_heads = e->n_heads;
    m->info.d_model = e->d;
    m->net = e;
    enum hl_status st = hl_read_facts(m, e->n_layers, e->n_heads, e->d, err);
    if (st == HL_OK && !e->has_head)
        st = hl_model_fact(m, err, "hidden words", "not guessed: the file has no such head");
    return st;
}

/* ---- layers ---- */

static bool
all_finite(const float *p, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= !isfinite(p[i]);
    return !bad;
}

/* Floats [L, rows, width] in the record's arena; NULL without memory. */
static float *
room(struct hl_run *run, int n_layers, size_t rows, size_t width)
{
    size_t n;
    bool fits = hl_size_mul(rows, width, &n) && hl_size_mul(n, (size_t)n_layers, &n);
    return fits ? hl_arena_floats(&run->record->arena, n) : NULL;
}

struct layers {
    float *weights, *scores; /* [L,H,n,n] */
    float *q, *k, *v;        /* [L,n,D] */
    float *scratch;
};

static bool
make_room(struct hl_run *run, const struct hl_block *b, int n_layers, int n, struct layers *w)
{
    size_t cells = (size_t)n * (size_t)n, heads = (size_t)b->n_heads;
    size_t rows = (size_t)n, d = (size_t)b->d;

    w->weights = room(run, n_layers, cells, heads);
    bool ok = w->weights;
    if (run->req->keep_scores)
        ok = (w->scores = room(run, n_layers, cells, heads)) && ok;
    if (run->req->keep_vectors) {
        w->q = room(run, n_layers, rows, d);
        w->k = room(run, n_layers, rows, d);
        w->v = room(run, n_layers, rows, d);
        ok = ok && w->q && w->k && w->v;
    }
    w->scratch = hl_arena_floats(run->scratch, hl_block_scratch(b, n, n));
    return ok && w->scratch;
}

static bool
describe(struct hl_map *m, int axis, const struct hl_block *b)
{
    if (!m)
        return false;
    m->q_axis = m->k_axis = axis;
    m->out_axis = -1;
    m->row_sum_one = hl_map_is(m, HL_STAGE_WEIGHTS);
    m->scale = (float)(1 / sqrt((double)b->d / b->n_heads));
    m->parts.score = hl_score_table[HL_SCORE_SCALED].name;
    return true;
}

static bool
record_layers(struct hl_record *r, const struct hl_block *b, int n_layers, int n, int axis,
              const float *x, const struct layers *w)
{
    const int shape[4] = { n_layers, b->n_heads, n, n };
    const int rows[3] = { n_layers, n, b->d }, states[3] = { n_layers + 1, n, b->d };
    const char *name = "encoder.self";

    if (!describe(hl_run_add_map(r, name, HL_STAGE_WEIGHTS, shape, w->weights), axis, b))
        return false;
    if (w->scores && !describe(hl_run_add_map(r, name, HL_STAGE_SCORES, shape, w->scores), axis, b))
        return false;
    if (!w->q)
        return true;
    return hl_run_add_vectors(r, "encoder.self.query", axis, rows, w->q) &&
           hl_run_add_vectors(r, "encoder.self.key", axis, rows, w->k) &&
           hl_run_add_vectors(r, "encoder.self.value", axis, rows, w->v) &&
           hl_run_add_vectors(r, "encoder.state", axis, states, x);
}

enum hl_status
hl_encoder_layers(struct hl_run *run, const struct hl_block *blocks, int n_layers, int n, int axis,
                  float *x, struct hl_error *err)
{
    struct layers w = { 0 };
    size_t d = (size_t)blocks->d, rows = (size_t)n, layer = rows * d;
    ptrdiff_t head = (ptrdiff_t)n * n;

    if (!make_room(run, blocks, n_layers, n, &w))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d tokens", n);
    for (int l = 0; l < n_layers; l++, x += layer) {
        enum hl_status st = hl_run_poll(run, err);
        if (st != HL_OK)
            return st;
        size_t at = (size_t)l * layer, maps = (size_t)l * (size_t)blocks->n_heads * rows * rows;
        const struct hl_block_capture capture = {
            .q = w.q ? w.q + at : NULL,
            .k = w.k ? w.k + at : NULL,
            .v = w.v ? w.v + at : NULL,
            .weights = { w.weights + maps, head, n },
            .scores = { w.scores ? w.scores + maps : NULL, head, n },
        };
        if (layer > 0)
            memcpy(x + layer, x, layer * sizeof *x);
        hl_block_encode(&blocks[l], n, x + layer, NULL, &capture, w.scratch);
        if (!all_finite(x + layer, layer))
            return hl_run_overflow(run, err);
    }
    x -= (size_t)n_layers * layer;
    return record_layers(run->record, blocks, n_layers, n, axis, x, &w)
               ? HL_OK
               : hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
}

/* ---- the hidden tokens ---- */

enum { TOP = 5 };

/* Logits [V] of one row of the last state. */
static void
guess(const struct hl_encoder *e, const float *state, float *scratch, float *logits)
{
    const struct hl_linear out = { e->head.words, e->head.bias };
    hl_linear_apply(&e->head.dense, 1, state, e->d, scratch, e->d);
    hl_act_apply(e->act, e->d, scratch, scratch);
    hl_norm_apply(&e->head.norm, 1, scratch, e->d, scratch, e->d);
    hl_linear_apply(&out, 1, scratch, e->d, logits, e->vocab);
}

struct guesses {
    int n;
    int *at;        /* places of the hidden tokens */
    int32_t *top;   /* [n, TOP] */
    float *logprob; /* [n, TOP] */
};

static enum hl_status
guess_all(struct hl_run *run, const struct hl_encoder *e, int n_tokens, const float *last,
          struct guesses *g, struct hl_error *err)
{
    size_t d = (size_t)e->d;
    float *scratch = hl_arena_floats(run->scratch, e->d);
    float *logits = hl_arena_floats(&run->record->arena, e->vocab);
    if (!scratch || !logits)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the guesses");
    for (int i = 0; i < g->n; i++) {
        guess(e, last + (size_t)g->at[i] * d, scratch, logits);
        if (!all_finite(logits, (size_t)e->vocab))
            return hl_run_overflow(run, err);
        double sum = hl_softmax_log_sum(logits, e->vocab);
        int k = hl_reduce_top(logits, e->vocab, TOP, g->top + (ptrdiff_t)i * TOP);
        for (int j = 0; j < k; j++)
            g->logprob[i * TOP + j] = (float)((double)logits[g->top[i * TOP + j]] - sum);
    }
    if (!run->req->keep_logits || n_tokens == 0)
        return HL_OK;
    guess(e, last + (size_t)(n_tokens - 1) * d, scratch, logits);
    if (!all_finite(logits, (size_t)e->vocab))
        return hl_run_overflow(run, err);
    run->record->logits = logits;
    run->record->n_logits = e->vocab;
    return HL_OK;
}

static bool
record_guesses(struct hl_run *run, const struct hl_encoder *e, const struct guesses *g)
{
    struct hl_record *r = run->record;
    int axis, k = e->vocab < TOP ? e->vocab : TOP;
    int32_t *best = hl_arena_new(run->scratch, g->n, int32_t);
    float *places = hl_arena_floats(&r->arena, g->n), *logprob = hl_arena_floats(&r->arena, g->n);
    if (!best || !places || !logprob)
        return false;
    for (int i = 0; i < g->n; i++) {
        best[i] = g->top[i * TOP];
        places[i] = (float)g->at[i];
        logprob[i] = g->logprob[i * TOP];
    }
    struct hl_token *tokens = hl_axes_tokens(run, best, g->n, NULL);
    struct hl_axis *a = tokens ? hl_record_axis(r, "target", HL_AXIS_TOKENS, g->n, &axis) : NULL;
    if (!a)
        return false;
    a->title = "word guessed";
    a->tokens = tokens;
    const float *data[] = { places, logprob };
    const char *const names[] = { "masked.position", "logprob" };
    for (int i = 0; i < 2; i++) {
        struct hl_series *s = hl_record_series(r, names[i]);
        if (!s)
            return false;
        s->axis = axis;
        s->n = g->n;
        s->n_comp = 1;
        s->data = data[i];
    }
    return hl_axes_candidates(run, g->n, k, TOP, g->top, g->logprob);
}

static enum hl_status
find_hidden(struct hl_run *run, int32_t mask, const struct hl_read *read, struct guesses *g,
            struct hl_error *err)
{
    g->at = hl_arena_new(run->scratch, read->n, int);
    if (!g->at)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d tokens", read->n);
    for (int i = 0; i < read->n; i++) {
        if (read->ids[i] == mask)
            g->at[g->n++] = i;
    }
    g->top = hl_arena_new(run->scratch, (size_t)g->n * TOP, int32_t);
    g->logprob = hl_arena_floats(run->scratch, (size_t)g->n * TOP);
    return g->top && g->logprob ? HL_OK : hl_error_set(err, HL_E_NOMEM, NULL, "for the guesses");
}

/* Hides the token that the option names. */
static enum hl_status
hide(struct hl_run *run, int32_t mask, struct hl_read *read, struct hl_error *err)
{
    int at = hl_run_choice(run, "mask");
    if (at == 0)
        return HL_OK;
    if (mask < 0)
        return hl_error_set(err, HL_E_ARGUMENT, "mask", "%s has no token that stands for a word",
                            run->model->info.name);
    if (at > read->n)
        return hl_error_set(err, HL_E_ARGUMENT, "mask", "there are %d tokens, %d is not one",
                            read->n, at);
    read->ids[at - 1] = mask;
    return hl_record_set(run->record, "mask", "%d", at)
               ? HL_OK
               : hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
}

/* ---- running ---- */

/* x_i = LN(word + type 0 + position). */
static void
embed(const struct hl_encoder *e, const struct hl_read *read, float *pos, float *x)
{
    size_t d = (size_t)e->d;
    int at = e->first_position;

    for (int i = 0; i < read->n; i++) {
        float *row = x + (size_t)i * d;
        bool padding = read->ids[i] == e->pad;
        hl_weight_row(&e->words, read->ids[i], row);
        if (e->types.p) {
            hl_weight_row(&e->types, 0, pos);
            for (size_t c = 0; c < d; c++)
                row[c] += pos[c];
        }
        hl_weight_row(&e->positions, padding ? e->pad : at, pos);
        at += !padding;
        for (size_t c = 0; c < d; c++)
            row[c] += pos[c];
    }
    hl_norm_apply(&e->norm, read->n, x, e->d, x, e->d);
}

static enum hl_status
run_stack(struct hl_run *run, const struct hl_encoder *e, const struct hl_read *read, float **last,
          struct hl_error *err)
{
    struct hl_record *r = run->record;
    size_t n, d = (size_t)e->d, rows = (size_t)read->n;
    const int one[3] = { 1, read->n, e->d };
    bool fits = hl_size_mul(rows * ((size_t)e->n_layers + 1), d, &n);
    struct hl_arena *a = run->req->keep_vectors ? &r->arena : run->scratch;
    float *x = fits ? hl_arena_floats(a, n) : NULL;
    float *pos = hl_arena_floats(run->scratch, e->d);

    if (!x || !pos)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d tokens", read->n);
    embed(e, read, pos, x);
    if (run->req->keep_vectors) {
        float *words = hl_arena_floats(&r->arena, rows * d);
        if (!words || !hl_run_add_vectors(r, "embedding", 0, one, words))
            return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
        hl_embed_rows(&e->words, read->ids, read->n, 1.0f, words, e->d);
    }
    *last = x + (size_t)e->n_layers * rows * d;
    return hl_encoder_layers(run, e->blocks, e->n_layers, read->n, 0, x, err);
}

enum hl_status
hl_encoder_run(struct hl_run *run, struct hl_error *err)
{
    const struct hl_encoder *e = run->model->net;
    const struct hl_tok *tok = run->model->tok;
    int32_t mask = tok ? hl_tok_find(tok, e->mask_piece) : -1;
    struct guesses g = { 0 };
    struct hl_read read;
    float *last = NULL;

    enum hl_status st = hl_read_tokens(run, run->model->info.max_source, true, &read, err);
    if (st == HL_OK)
        st = hide(run, mask, &read, err);
    if (st == HL_OK)
        st = hl_read_axis(run, &read, err);
    if (st == HL_OK)
        st = run_stack(run, e, &read, &last, err);
    if (st != HL_OK || !e->has_head)
        return st;
    st = find_hidden(run, mask, &read, &g, err);
    if (st == HL_OK && (g.n > 0 || run->req->keep_logits))
        st = guess_all(run, e, read.n, last, &g, err);
    if (st == HL_OK && g.n > 0 && !record_guesses(run, e, &g))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st;
}

void
hl_encoder_embedding(const struct hl_model *m, int32_t id, float *out)
{
    const struct hl_encoder *e = m->net;
    hl_weight_row(&e->words, id, out);
}

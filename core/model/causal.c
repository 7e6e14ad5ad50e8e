#include "model/causal.h"

#include <math.h>
#include <string.h>

#include "attn/score.h"
#include "base/size.h"
#include "model/axes.h"
#include "model/read.h"
#include "nn/embed.h"
#include "num/reduce.h"
#include "num/softmax.h"

enum { MAX_NEW = 4096, MAX_PASS_ROWS = 32, TOP = HL_OUTPUT_TOP };

const struct hl_option hl_causal_options[HL_CAUSAL_OPTIONS] = {
    { .key = "new",
      .label = "new tokens",
      .kind = HL_OPTION_WHOLE,
      .min = 1,
      .max = MAX_NEW,
      .initial = 1,
      .tip = "How many tokens are written after the text; each time the likeliest." },
};

/* ---- opening ---- */

static enum hl_status
add_end(struct hl_causal *c, const struct hl_json *node, struct hl_error *err)
{
    int64_t id;
    if (!hl_json_int(node, 0, c->vocab - 1, &id) || c->n_ends == HL_CAUSAL_ENDS)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "eos_token_id should be an id below %d, or up to %d of them", c->vocab,
                            HL_CAUSAL_ENDS);
    c->ends[c->n_ends++] = (int32_t)id;
    return HL_OK;
}

enum hl_status
hl_causal_ends(struct hl_causal *c, const struct hl_json *config, const struct hl_json *generation,
               struct hl_error *err)
{
    const struct hl_json *node = hl_json_get(generation, "eos_token_id");
    enum hl_status st = HL_OK;
    if (hl_json_kind(node) == HL_JSON_NULL)
        node = hl_json_get(config, "eos_token_id");
    if (hl_json_kind(node) == HL_JSON_NULL)
        return HL_OK;
    if (hl_json_kind(node) != HL_JSON_ARRAY)
        return add_end(c, node, err);
    for (node = hl_json_first(node); node && st == HL_OK; node = hl_json_next(node))
        st = add_end(c, node, err);
    return st;
}

enum hl_status
hl_causal_finish(struct hl_model *m, struct hl_causal *c, struct hl_error *err)
{
    m->vocab = c->vocab;
    m->info.max_source = m->info.max_target = c->n_positions;
    m->info.n_dec_layers = c->n_layers;
    m->info.n_heads = c->n_heads;
    m->info.d_model = c->d;
    m->info.eos_id = c->n_ends > 0 ? c->ends[0] : -1;
    m->net = c;
    return hl_read_facts(m, c->n_layers, c->n_heads, c->d, err);
}

/* ---- one run ---- */

/* Rows are tokens: those of the text, then those that were written. */
struct pass {
    struct hl_run *run;
    const struct hl_causal *c;
    struct hl_read read;
    int cap, n;              /* rows there is room for; rows that were read */
    int32_t *input, *target; /* [cap] */
    float *logprob;          /* [cap] of target */
    int32_t *top;            /* [cap, TOP] */
    float *top_logprob;
    float *cache;            /* [L, 2, cap, Dkv] keys, values */
    float *x, *logits;       /* [MAX_PASS_ROWS, D], [MAX_PASS_ROWS, V] */
    float *weights, *scores; /* [L, H, cap, cap] */
    float *q, *state;        /* [L, cap, Dq], [L+1, cap, D], if kept */
    float *scratch;
    struct hl_block_row rows[MAX_PASS_ROWS];
};

static float *
room(struct hl_arena *a, bool *ok, int n1, int n2, size_t n3, size_t n4)
{
    size_t n = n4;
    bool fits =
        hl_size_mul(n, (size_t)n1, &n) && hl_size_mul(n, (size_t)n2, &n) && hl_size_mul(n, n3, &n);
    float *p = fits ? hl_arena_floats(a, n) : NULL;
    *ok = *ok && p;
    return p;
}

static int
q_width(const struct hl_causal *c)
{
    return c->n_heads * c->d_head;
}

static int
kv_width(const struct hl_causal *c)
{
    return c->n_kv_heads * c->d_head;
}

static bool
make_room(struct pass *p)
{
    const struct hl_causal *c = p->c;
    const struct hl_request *q = p->run->req;
    struct hl_arena *a = p->run->scratch, *kept = &p->run->record->arena;
    size_t cap = (size_t)p->cap;
    bool ok = true;

    p->input = hl_arena_new(a, cap, int32_t);
    p->target = hl_arena_new(a, cap, int32_t);
    p->top = hl_arena_new(a, cap * TOP, int32_t);
    p->logprob = room(a, &ok, 1, 1, 1, cap);
    p->top_logprob = room(a, &ok, TOP, 1, 1, cap);
    p->cache = room(a, &ok, c->n_layers, 2, cap, (size_t)kv_width(c));
    p->x = room(a, &ok, MAX_PASS_ROWS, 1, 1, (size_t)c->d);
    p->logits = room(a, &ok, MAX_PASS_ROWS, 1, 1, (size_t)c->vocab);
    p->weights = room(kept, &ok, c->n_layers, c->n_heads, cap, cap);
    if (q->keep_scores)
        p->scores = room(kept, &ok, c->n_layers, c->n_heads, cap, cap);
    if (q->keep_vectors) {
        p->q = room(a, &ok, c->n_layers, 1, cap, (size_t)q_width(c));
        p->state = room(a, &ok, c->n_layers + 1, 1, cap, (size_t)c->d);
    }
    p->scratch = room(a, &ok, 1, 1, 1, hl_block_scratch(&c->blocks[0], MAX_PASS_ROWS, p->cap));
    return ok && p->input && p->target && p->top;
}

/* Floats from the start of a map of p->weights to the rows of layer l from row t on. */
static struct hl_mha_out
rows_at(const struct pass *p, float *base, int l, int t)
{
    ptrdiff_t head = (ptrdiff_t)p->cap * p->cap;
    float *at = base ? base + (ptrdiff_t)l * p->c->n_heads * head + (ptrdiff_t)t * p->cap : NULL;
    return (struct hl_mha_out) { at, head, p->cap };
}

static void
keep_state(const struct pass *p, int level, int t, int n)
{
    size_t d = (size_t)p->c->d;
    if (p->state)
        memcpy(p->state + ((size_t)level * (size_t)p->cap + (size_t)t) * d, p->x,
               (size_t)n * d * sizeof *p->x);
}

static void
embed(const struct pass *p, int t, int n)
{
    const struct hl_causal *c = p->c;
    hl_embed_rows(&c->words, p->input + t, n, 1.0f, p->x, c->d);
    for (int i = 0; c->positions.p && i < n; i++) {
        float *row = p->x + (ptrdiff_t)i * c->d;
        hl_weight_row(&c->positions, t + i, p->scratch);
        for (int k = 0; k < c->d; k++)
            row[k] += p->scratch[k];
    }
}

/* Reads rows t .. t + n - 1 and leaves their logits. */
static enum hl_status
advance(struct pass *p, int t, int n, struct hl_error *err)
{
    const struct hl_causal *c = p->c;
    size_t part = (size_t)p->cap * (size_t)kv_width(c);
    const struct hl_linear head = { c->head, NULL };

    embed(p, t, n);
    keep_state(p, 0, t, n);
    for (int l = 0; l < c->n_layers; l++) {
        enum hl_status st = hl_run_poll(p->run, err);
        if (st != HL_OK)
            return st;
        float *k = p->cache + 2 * (size_t)l * part;
        for (int i = 0; i < n; i++)
            p->rows[i] = (struct hl_block_row) { { k, k + part }, t + i };
        size_t at = ((size_t)l * (size_t)p->cap + (size_t)t) * (size_t)q_width(c);
        const struct hl_block_capture self = {
            .q = p->q ? p->q + at : NULL,
            .weights = rows_at(p, p->weights, l, t),
            .scores = rows_at(p, p->scores, l, t),
            .n_cols = p->cap,
        };
        hl_block_decode(&c->blocks[l], n, p->rows, p->x, (struct hl_block_kv) { 0 }, 0, &self, NULL,
                        p->scratch);
        if (l + 1 < c->n_layers)
            keep_state(p, l + 1, t, n);
    }
    hl_norm_apply(&c->last, n, p->x, c->d, p->x, c->d);
    keep_state(p, c->n_layers, t, n);
    hl_linear_apply(&head, n, p->x, c->d, p->logits, c->vocab);
    return HL_OK;
}

/* Of a row's logits: the best, and the log-probability of what follows (-1: the best). */
static bool
settle(struct pass *p, int t, const float *logits, int32_t next)
{
    int v = p->c->vocab, bad = 0;
    int32_t *top = p->top + (ptrdiff_t)t * TOP;
    for (int i = 0; i < v; i++)
        bad |= !(fabsf(logits[i]) < 0x1p100f);
    if (bad)
        return false;
    double sum = hl_softmax_log_sum(logits, v);
    int k = hl_reduce_top(logits, v, TOP, top);
    for (int i = 0; i < k; i++)
        p->top_logprob[t * TOP + i] = (float)((double)logits[top[i]] - sum);
    p->target[t] = next >= 0 ? next : top[0];
    p->logprob[t] = (float)((double)logits[p->target[t]] - sum);
    return true;
}

static bool
is_end(const struct hl_causal *c, int32_t id)
{
    for (int i = 0; i < c->n_ends; i++) {
        if (c->ends[i] == id)
            return true;
    }
    return false;
}

/* Reads the text in passes, then writes a token at a time. */
static enum hl_status
read_and_write(struct pass *p, struct hl_error *err)
{
    int n_text = p->read.n;

    if (n_text > 0)
        memcpy(p->input, p->read.ids, (size_t)n_text * sizeof *p->input);
    while (p->n < p->cap) {
        int t = p->n, n = t < n_text ? n_text - t : 1;
        n = n < MAX_PASS_ROWS ? n : MAX_PASS_ROWS;
        if (t >= n_text) {
            if (is_end(p->c, p->target[t - 1]))
                break;
            p->input[t] = p->target[t - 1];
        }
        enum hl_status st = advance(p, t, n, err);
        if (st != HL_OK)
            return st;
        for (int i = 0; i < n; i++) {
            int32_t next = t + i + 1 < n_text ? p->input[t + i + 1] : -1;
            if (!settle(p, t + i, p->logits + (ptrdiff_t)i * p->c->vocab, next))
                return hl_run_overflow(p->run, err);
        }
        p->n += n;
        p->run->record->n_decode_passes++;
        if (p->n == p->cap || p->n >= n_text)
            memmove(p->logits, p->logits + (ptrdiff_t)(n - 1) * p->c->vocab,
                    (size_t)p->c->vocab * sizeof *p->logits);
    }
    return HL_OK;
}

/* ---- recording ---- */

static bool
describe(const struct pass *p, struct hl_map *m)
{
    if (!m)
        return false;
    float usual = (float)(1 / sqrt((double)p->c->d_head)), own = p->c->blocks[0].scale;
    m->q_axis = m->k_axis = HL_RUN_DECODER_INPUT;
    m->out_axis = HL_RUN_TARGET;
    m->causal = true;
    m->row_sum_one = hl_map_is(m, HL_STAGE_WEIGHTS);
    m->scale = own != 0 ? own : usual;
    m->parts.score = p->c->same_scale ? hl_score_table[HL_SCORE_SCALED].name : NULL;
    m->parts.n_key_heads = p->c->n_kv_heads;
    return true;
}

/* The map of a stage: as it lies where all rows were used, else without the rest. */
static bool
record_map(const struct pass *p, const char *stage, const float *data)
{
    struct hl_record *r = p->run->record;
    const int shape[4] = { p->c->n_layers, p->c->n_heads, p->n, p->n };
    size_t cap = (size_t)p->cap;
    if (!data)
        return true;
    return describe(
        p, p->n == p->cap ? hl_run_add_map(r, "decoder.self", stage, shape, data)
                          : hl_run_keep_map(r, "decoder.self", stage, shape, data, cap * cap, cap));
}

static bool
record_vectors(const struct pass *p)
{
    const struct hl_causal *c = p->c;
    struct hl_record *r = p->run->record;
    const int q[3] = { c->n_layers, p->n, q_width(c) }, kv[3] = { c->n_layers, p->n, kv_width(c) };
    const int states[3] = { c->n_layers + 1, p->n, c->d }, one[3] = { 1, p->n, c->d };
    const int axis = HL_RUN_DECODER_INPUT;
    size_t cap = (size_t)p->cap, part = cap * (size_t)kv_width(c);
    float *words = hl_arena_floats(&r->arena, (size_t)p->n * (size_t)c->d);

    if (!words)
        return false;
    hl_embed_rows(&c->words, p->input, p->n, 1.0f, words, c->d);
    return hl_run_keep_vectors(r, "decoder.self.query", axis, q, p->q, cap * (size_t)q_width(c)) &&
           hl_run_keep_vectors(r, "decoder.self.key", axis, kv, p->cache, 2 * part) &&
           hl_run_keep_vectors(r, "decoder.self.value", axis, kv, p->cache + part, 2 * part) &&
           hl_run_keep_vectors(r, "decoder.state", axis, states, p->state, cap * (size_t)c->d) &&
           hl_run_add_vectors(r, "embedding", axis, one, words);
}

static bool
record_figures(const struct pass *p)
{
    struct hl_record *r = p->run->record;
    float *logprob = hl_arena_floats(&r->arena, p->n);
    struct hl_series *s = logprob ? hl_record_series(r, "logprob") : NULL;
    if (!s)
        return false;
    for (int i = 0; i < p->n; i++) {
        logprob[i] = p->logprob[i];
        r->output_logprob += (double)p->logprob[i];
    }
    s->axis = HL_RUN_TARGET;
    s->n = p->n;
    s->n_comp = 1;
    s->data = logprob;
    if (p->run->req->keep_logits && p->n > 0) {
        float *logits = hl_arena_floats(&r->arena, p->c->vocab);
        if (!logits)
            return false;
        memcpy(logits, p->logits, (size_t)p->c->vocab * sizeof *logits);
        r->logits = logits;
        r->n_logits = p->c->vocab;
    }
    int k = p->c->vocab < TOP ? p->c->vocab : TOP;
    return hl_axes_candidates(p->run, p->n, k, TOP, p->top, p->top_logprob);
}

/* The typed text and what was written after it; spans of the written tokens, `at` of
 * which are the text's, into t. Without a typed text all of it is made from the ids. */
static char *
whole_text(const struct pass *p, const int32_t *ids, int n, struct hl_token *t)
{
    struct hl_arena *a = p->run->scratch;
    int32_t *start = hl_arena_new(a, n, int32_t), *end = hl_arena_new(a, n, int32_t);
    if (!start || !end)
        return NULL;
    char *all = hl_tok_decode(p->run->model->tok, ids, n, a, start, end);
    if (!all)
        return NULL;
    const char *typed = p->read.text ? p->read.text : "";
    int from = p->read.text ? p->read.n : 0, cut = -1, shift = (int)strlen(typed);
    for (int i = from; i < n; i++) {
        if (start[i] < 0)
            continue;
        cut = cut < 0 ? start[i] : cut;
        t[i].start = start[i] - cut + shift;
        t[i].end = end[i] - cut + shift;
    }
    return hl_arena_printf(&p->run->record->arena, "%s%s", typed, cut < 0 ? "" : all + cut);
}

static enum hl_status
record_axes(struct pass *p, struct hl_error *err)
{
    struct hl_record *r = p->run->record;
    int n = p->n;
    int32_t *ids = hl_arena_new(p->run->scratch, n + 1, int32_t);
    char *text = NULL;
    if (!ids)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    if (n > 0)
        memcpy(ids, p->input, (size_t)n * sizeof *ids);
    if (n > 0)
        ids[n] = p->target[n - 1];
    int n_all = n > 0 ? n + 1 : 0;
    struct hl_token *t = hl_axes_tokens(p->run, ids, n_all, p->read.text ? &p->read.enc : NULL);
    bool ok = t != NULL;
    if (ok && p->run->model->tok)
        ok = (text = whole_text(p, ids, n_all, t)) != NULL;
    static const char *const names[] = { "decoder_input", "target" };
    for (int i = 0; ok && i < 2; i++) {
        struct hl_axis *axis = hl_record_axis(r, names[i], HL_AXIS_TOKENS, n, NULL);
        ok = axis != NULL;
        if (!ok)
            break;
        axis->title = i == 0 ? "word read" : "next word";
        axis->tokens = n > 0 ? t + i : t;
        axis->text = text;
    }
    r->output_text = text;
    return ok ? HL_OK : hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
}

enum hl_status
hl_causal_run(struct hl_run *run, struct hl_error *err)
{
    struct pass pass = { .run = run, .c = run->model->net }, *p = &pass;
    int limit = p->c->n_positions, more = hl_run_choice(run, "new");

    enum hl_status st = hl_read_tokens(run, limit, false, &p->read, err);
    if (st == HL_OK)
        st = hl_read_axis(run, &p->read, err);
    if (st != HL_OK)
        return st;
    int most = limit - p->read.n + 1;
    p->cap = p->read.n > 0 ? p->read.n + (more < most ? more : most) - 1 : 0;
    if (!make_room(p))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d tokens", p->cap);
    st = read_and_write(p, err);
    if (st == HL_OK)
        st = record_axes(p, err);
    if (st == HL_OK && !(record_map(p, HL_STAGE_WEIGHTS, p->weights) &&
                         record_map(p, HL_STAGE_SCORES, p->scores) && record_figures(p) &&
                         (!run->req->keep_vectors || record_vectors(p))))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    if (st == HL_OK && more > 1 && !hl_record_set(run->record, "new", "%d", more))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st;
}

void
hl_causal_embedding(const struct hl_model *m, int32_t id, float *out)
{
    const struct hl_causal *c = m->net;
    hl_weight_row(&c->words, id, out);
}

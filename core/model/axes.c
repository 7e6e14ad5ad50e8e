#include "model/axes.h"

#include <string.h>

#include "base/size.h"

static enum hl_status
no_memory(struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, NULL, "for the tokens of the record");
}

/* A token of the record for `id`; spans and word are the caller's. False without
 * memory. */
static bool
fill_token(const struct hl_run *run, int32_t id, struct hl_token *t)
{
    const struct hl_model *m = run->model;
    struct hl_arena *a = &run->record->arena;

    *t = (struct hl_token) { .id = id, .start = -1, .end = -1, .word = -1 };
    if (m->tok) {
        t->text = hl_arena_strdup(a, hl_tok_piece(m->tok, id));
        t->label = hl_arena_strdup(a, hl_tok_label(m->tok, id));
        t->special = hl_tok_is_special(m->tok, id);
    } else {
        t->text = hl_arena_printf(a, "#%d", (int)id);
        t->label = t->text;
        t->special = id == m->info.eos_id || id == m->info.pad_id || id == m->info.bos_id;
    }
    return t->text && t->label;
}

/* Numbers words by the pieces' own word starts. */
static void
number_words(const struct hl_model *m, struct hl_token *t, int n)
{
    int word = -1;
    for (int i = 0; i < n; i++) {
        if (t[i].special)
            continue;
        if (word < 0 || !m->tok || hl_tok_starts_word(m->tok, t[i].id))
            word++;
        t[i].word = word;
    }
}

static void
place_tokens(const struct hl_encoding *enc, struct hl_token *t, int n)
{
    for (int i = 0; i < n && i < enc->n; i++) {
        t[i].special = enc->special[i];
        if (t[i].special)
            continue;
        t[i].start = enc->start[i];
        t[i].end = enc->end[i];
        t[i].word = enc->word[i];
    }
}

struct hl_token *
hl_axes_tokens(const struct hl_run *run, const int32_t *ids, int n, const struct hl_encoding *enc)
{
    struct hl_token *t = hl_arena_new(&run->record->arena, n, struct hl_token);
    for (int i = 0; t && i < n; i++) {
        if (!fill_token(run, ids[i], &t[i]))
            return NULL;
    }
    if (t)
        number_words(run->model, t, n);
    if (t && enc)
        place_tokens(enc, t, n);
    return t;
}

enum hl_status
hl_axes_source(const struct hl_run *run, const int32_t *ids, int n, const struct hl_encoding *enc,
               const char *text, struct hl_error *err)
{
    struct hl_record *r = run->record;
    struct hl_token *t = hl_axes_tokens(run, ids, n, enc);
    struct hl_axis *axis = hl_record_axis(r, "source", HL_AXIS_TOKENS, n, NULL);

    if (!t || !axis)
        return no_memory(err);
    if (enc) {
        axis->text = hl_arena_strdup(&r->arena, text);
        if (!axis->text)
            return no_memory(err);
    }
    axis->title = "source word";
    axis->tokens = t;
    return HL_OK;
}

/* Text of generated ids; spans of the tokens into it. */
static char *
decode_target(struct hl_translation *tr, const struct hl_output *out, struct hl_token *t)
{
    int32_t *start = hl_arena_new(tr->run->scratch, out->n, int32_t);
    int32_t *end = hl_arena_new(tr->run->scratch, out->n, int32_t);
    if (!start || !end)
        return NULL;
    char *text = hl_tok_decode(tr->run->model->tok, out->target, out->n, &tr->run->record->arena,
                               start, end);
    for (int i = 0; text && i < out->n; i++) {
        if (t[i].special)
            continue;
        t[i].start = start[i];
        t[i].end = end[i];
    }
    return text;
}

/* A piece that continues a word and one that begins a word may have one label ("il"):
 * in a list of both the first is "…il". */
static bool
tell_apart(const struct hl_run *run, struct hl_candidate *c, int n)
{
    const struct hl_tok *tok = run->model->tok;
    for (int i = 0; tok && i < n; i++) {
        bool twice = false;
        for (int j = 0; j < n; j++)
            twice = twice || (j != i && strcmp(c[i].label, c[j].label) == 0);
        if (!twice || hl_tok_starts_word(tok, c[i].id))
            continue;
        c[i].label = hl_arena_printf(&run->record->arena, "…%s", c[i].label);
        if (!c[i].label)
            return false;
    }
    return true;
}

bool
hl_axes_candidates(const struct hl_run *run, int n, int k, int stride, const int32_t *ids,
                   const float *logprobs)
{
    struct hl_record *r = run->record;
    size_t count;
    if (!hl_size_mul((size_t)n, (size_t)k, &count))
        return false;
    struct hl_candidate *c = hl_arena_new(&r->arena, count, struct hl_candidate);
    if (!c)
        return false;
    r->candidates = c;
    r->n_candidates = n;
    r->candidates_k = k;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++, c++) {
            struct hl_token t;
            if (!fill_token(run, ids[i * stride + j], &t))
                return false;
            *c = (struct hl_candidate) { t.id, t.label, logprobs[i * stride + j] };
        }
        if (!tell_apart(run, c - k, k))
            return false;
    }
    return true;
}

static bool
keep_candidates(struct hl_translation *tr, const struct hl_output *out)
{
    int k = HL_OUTPUT_TOP;

    /* as many as every row has (a tiny vocabulary may have fewer) */
    for (int i = 0; i < out->n; i++) {
        while (k > 0 && out->top_id[i * HL_OUTPUT_TOP + k - 1] < 0)
            k--;
    }
    return hl_axes_candidates(tr->run, out->n, k, HL_OUTPUT_TOP, out->top_id, out->top_logprob);
}

static bool
keep_hypotheses(struct hl_translation *tr, const struct hl_output *out)
{
    struct hl_arena *a = &tr->run->record->arena;
    struct hl_hypothesis *h = hl_arena_new(a, out->n_hypotheses, struct hl_hypothesis);
    if (!h)
        return false;
    for (int i = 0; i < out->n_hypotheses; i++) {
        const struct hl_hypothesis *from = &out->hypotheses[i];
        int32_t *ids = hl_arena_new(a, from->n, int32_t);
        if (!ids)
            return false;
        memcpy(ids, from->ids, (size_t)from->n * sizeof *ids);
        h[i] = *from;
        h[i].ids = ids;
        h[i].text = tr->run->model->tok
                        ? hl_tok_decode(tr->run->model->tok, ids, from->n, a, NULL, NULL)
                        : "";
        if (!h[i].text)
            return false;
    }
    tr->run->record->hypotheses = h;
    tr->run->record->n_hypotheses = out->n_hypotheses;
    return true;
}

static bool
keep_logprobs(struct hl_translation *tr, const struct hl_output *out)
{
    struct hl_record *r = tr->run->record;
    float *data = hl_arena_floats(&r->arena, out->n);
    struct hl_series *s = data ? hl_record_series(r, "logprob") : NULL;
    if (!s)
        return false;
    memcpy(data, out->logprob, (size_t)out->n * sizeof *data);
    s->axis = HL_RUN_TARGET;
    s->n = out->n;
    s->n_comp = 1;
    s->data = data;
    r->output_logprob = out->total;
    if (!out->logits)
        return true;
    float *logits = hl_arena_floats(&r->arena, tr->run->model->vocab);
    if (!logits)
        return false;
    memcpy(logits, out->logits, (size_t)tr->run->model->vocab * sizeof *logits);
    r->logits = logits;
    r->n_logits = tr->run->model->vocab;
    return true;
}

enum hl_status
hl_axes_target(struct hl_translation *tr, const struct hl_output *out,
               const struct hl_encoding *enc, const char *text, struct hl_error *err)
{
    struct hl_record *r = tr->run->record;
    struct hl_token *target = hl_axes_tokens(tr->run, out->target, out->n, NULL);
    struct hl_token *input = hl_arena_new(&r->arena, out->n, struct hl_token);
    int in, next;

    if (!target || !input || !fill_token(tr->run, out->input[0], &input[0]) ||
        !hl_record_axis(r, "decoder_input", HL_AXIS_TOKENS, out->n, &in) ||
        !hl_record_axis(r, "target", HL_AXIS_TOKENS, out->n, &next))
        return no_memory(err);
    input[0].special = true;
    input[0].label = "start"; /* whatever token the model begins with */
    char *shown = NULL;
    if (enc) {
        place_tokens(enc, target, out->n);
        shown = hl_arena_strdup(&r->arena, text);
    } else if (tr->run->model->tok) {
        shown = decode_target(tr, out, target);
    }
    if (!shown && tr->run->model->tok)
        return no_memory(err);
    /* what is read at i is what was predicted at i - 1 */
    for (int i = 1; i < out->n; i++)
        input[i] = target[i - 1];
    r->axes[in].title = "word read";
    r->axes[in].tokens = input;
    r->axes[next].title = "word written";
    r->axes[next].tokens = target;
    r->axes[in].text = r->axes[next].text = shown;
    r->output_text = shown;
    r->n_decode_passes = out->n_passes;
    if (!keep_logprobs(tr, out) || !keep_candidates(tr, out) || !keep_hypotheses(tr, out))
        return no_memory(err);
    return HL_OK;
}

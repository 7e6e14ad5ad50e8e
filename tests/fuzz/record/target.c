/* A record made of any bytes: verifying never fails in any other way than by saying so,
 * and its JSON form reads back with the same numbers. */
#include "../fuzz.h"

#include <math.h>
#include <string.h>

#include "io/json.h"
#include "io/record_json.h"

struct bytes {
    const uint8_t *p;
    size_t n;
};

static int
take(struct bytes *b, int below)
{
    if (b->n == 0)
        return 0;
    b->n--;
    return *b->p++ % below;
}

static const float *
take_numbers(struct bytes *b, struct hl_record *r, int n)
{
    float *out = hl_arena_floats(&r->arena, n);
    HOLDS(out != NULL);
    for (int i = 0; i < n && b->n >= sizeof(float); i++) {
        memcpy(&out[i], b->p, sizeof(float));
        b->p += sizeof(float);
        b->n -= sizeof(float);
    }
    return out;
}

static char *
take_text(struct bytes *b, struct hl_record *r)
{
    size_t n = (size_t)take(b, 32);
    n = n < b->n ? n : b->n;
    char *s = hl_arena_strndup(&r->arena, (const char *)b->p, n);
    HOLDS(s != NULL);
    b->p += n;
    b->n -= n;
    return s;
}

static void
fill(struct hl_record *r, struct bytes *b)
{
    int n_k = take(b, 6), n_q = take(b, 6);
    struct hl_axis *source = hl_record_axis(r, "source", HL_AXIS_TOKENS, n_k, NULL);
    struct hl_token *tokens = hl_arena_new(&r->arena, n_k, struct hl_token);
    HOLDS(source && tokens);
    source->text = take_text(b, r);
    source->tokens = tokens;
    for (int i = 0; i < n_k; i++) {
        tokens[i].text = tokens[i].label = take_text(b, r);
        tokens[i].start = take(b, 40) - 2;
        tokens[i].end = take(b, 40) - 2;
        tokens[i].word = take(b, 8) - 2;
    }
    hl_record_axis(r, "steps", HL_AXIS_STEPS, n_q, NULL);
    for (int i = take(b, 3); i >= 0; i--) {
        static const char *const stages[] = {
            HL_STAGE_SCORES,  HL_STAGE_WEIGHTS, HL_STAGE_COSINE,
            HL_STAGE_CONTENT, HL_STAGE_GATED,   HL_STAGE_SHIFTED
        };
        struct hl_map *m = hl_record_map(r, "alignment", stages[take(b, 6)]);
        m->n_layers = take(b, 3);
        m->n_heads = take(b, 3);
        m->n_q = n_q;
        m->n_k = n_k;
        m->q_axis = 1;
        m->causal = take(b, 2);
        m->row_sum_one = take(b, 2);
        m->data = take_numbers(b, r, m->n_layers * m->n_heads * n_q * n_k);
    }
    struct hl_series *s = hl_record_series(r, "logprob");
    *s = (struct hl_series) { s->name, 1, n_q, 1, take_numbers(b, r, n_q) };
    r->model = take_text(b, r);
    r->output_text = take_text(b, r);
    r->n_logits = take(b, 9);
    r->logits = take_numbers(b, r, r->n_logits);
}

static void
check_numbers(const struct hl_json *list, const float *data)
{
    int i = 0;
    for (const struct hl_json *v = hl_json_first(list); v; v = hl_json_next(v), i++) {
        double back;
        if (isfinite(data[i]))
            HOLDS(hl_json_double(v, &back) && (float)back == data[i]);
        else
            HOLDS(hl_json_kind(v) == HL_JSON_NULL);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = { data, size };
    struct hl_record *r = hl_record_create();
    struct hl_json_doc *doc = NULL;
    struct hl_error err = { 0 };
    struct hl_sb sb = { 0 };
    HOLDS(r != NULL);
    fill(r, &b);
    enum hl_status status = hl_record_seal(r, &err);
    HOLDS(status == HL_OK ? r->sealed : status == HL_E_RECORD && err.detail[0]);
    hl_record_json(r, true, &sb);
    HOLDS(hl_json_parse(sb.p, sb.n, "record", 20, &doc, &err) == HL_OK);
    const struct hl_json *map = hl_json_first(hl_json_get(hl_json_root(doc), "attentions"));
    for (int i = 0; i < r->n_maps; i++, map = hl_json_next(map))
        check_numbers(hl_json_get(map, "data"), r->maps[i].data);
    check_numbers(hl_json_get(hl_json_root(doc), "logits"), r->logits);
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    hl_record_destroy(r);
    return 0;
}

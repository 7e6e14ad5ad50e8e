#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { MAX_TOKENS = 256, LAYERS = 4, HEADS = 8, PIECE = 8 };

/* ---- tokens ---- */

struct cut {
    int n;
    struct hl_token t[MAX_TOKENS];
};

static void
add(struct hl_record *r, struct cut *c, const char *text, size_t from, size_t to, int word)
{
    if (c->n >= MAX_TOKENS - 2)
        return;
    char *label = hl_arena_strndup(&r->arena, text + from, to - from);
    c->t[c->n] = (struct hl_token) { .id = 10 + c->n,
                                     .text = label,
                                     .label = label,
                                     .start = (int32_t)from,
                                     .end = (int32_t)to,
                                     .word = word };
    c->n++;
}

static void
add_special(struct cut *c, const char *label, int id)
{
    c->t[c->n++] = (struct hl_token) {
        .id = id, .text = label, .label = label, .start = -1, .end = -1, .word = -1, .special = true
    };
}

/* Letters together in pieces of at most PIECE bytes; every other sign alone. */
static void
cut_text(struct hl_record *r, struct cut *c, const char *text)
{
    size_t n = strlen(text), at = 0;
    int word = 0;
    while (at < n) {
        uint32_t cp;
        size_t k = hl_utf8_next(text + at, n - at, &cp), end = at + k;
        if (hl_utf8_is_space(cp)) {
            word += end < n;
            at = end;
            continue;
        }
        while (hl_utf8_is_word(cp) && end < n && end - at < PIECE) {
            k = hl_utf8_next(text + end, n - end, &cp);
            if (!hl_utf8_is_word(cp))
                break;
            end += k;
        }
        add(r, c, text, at, end, word);
        at = end;
    }
}

static int
put_axis(struct hl_record *r, const char *name, const struct cut *c, const char *text)
{
    int index = -1;
    struct hl_axis *a = hl_record_axis(r, name, HL_AXIS_TOKENS, c->n, &index);
    struct hl_token *t = hl_arena_new(&r->arena, c->n, struct hl_token);
    if (a == NULL || t == NULL)
        return -1;
    memcpy(t, c->t, (size_t)c->n * sizeof *t);
    a->tokens = t;
    a->text = hl_arena_strdup(&r->arena, text);
    return index;
}

/* ---- weights ---- */

static double
noise(int a, int b, int c, int d)
{
    uint32_t x = (uint32_t)a * 73856093u ^ (uint32_t)b * 19349663u ^ (uint32_t)c * 83492791u ^
                 (uint32_t)d * 2971215073u;
    x ^= x >> 13;
    x *= 0x5bd1e995u;
    x ^= x >> 15;
    return (double)(x % 1000) / 1000;
}

static int
token_at(const struct cut *c, const char *label)
{
    for (int i = 0; i < c->n; i++) {
        if (strcmp(c->t[i].label, label) == 0)
            return i;
    }
    return -1;
}

/* Score of a head's habit: to its own place, the one before, the first, the end,
 * everywhere, or along the diagonal. */
static double
habit(int layer, int head, int q, int k, int nq, int nk)
{
    double place = nq > 1 ? (double)q * (nk - 1) / (nq - 1) : 0;
    double x = noise(layer, head, q, k);
    switch ((layer * 3 + head) % 6) {
    case 0:
        return x + (k == q ? 4 : 0);
    case 1:
        return x + (k == q - 1 ? 5 : 0);
    case 2:
        return x + (k == 0 ? 3 : 0);
    case 3:
        return x + (k == nk - 1 ? 3 : 0);
    case 4:
        return x;
    default:
        return x + 5 - 2 * fabs(place - k);
    }
}

struct weights_of {
    const char *name;
    int q_axis, k_axis, out_axis, n_layers, n_heads;
    bool causal;
    int it, noun; /* where the pronoun's heads point */
};

static bool
put_map(struct hl_record *r, const struct weights_of *w)
{
    struct hl_map *m = hl_record_map(r, w->name, HL_STAGE_WEIGHTS);
    int nq = r->axes[w->q_axis].n, nk = r->axes[w->k_axis].n;
    float *data = hl_arena_floats(&r->arena, (size_t)w->n_layers * (size_t)w->n_heads * (size_t)nq *
                                                 (size_t)nk);
    if (m == NULL || data == NULL)
        return false;
    m->n_layers = w->n_layers;
    m->n_heads = w->n_heads;
    m->n_q = nq;
    m->n_k = nk;
    m->q_axis = w->q_axis;
    m->k_axis = w->k_axis;
    m->out_axis = w->out_axis;
    m->causal = w->causal;
    m->row_sum_one = true;
    m->scale = w->n_heads > 1 ? 0.17677669f : 0;
    m->data = data;
    for (int l = 0; l < w->n_layers; l++) {
        for (int h = 0; h < w->n_heads; h++) {
            for (int q = 0; q < nq; q++) {
                double sum = 0, e[MAX_TOKENS];
                int last = w->causal ? q : nk - 1;
                for (int k = 0; k <= last; k++) {
                    double s = w->n_heads == 1 ? 5 - 2.5 * fabs((double)q * nk / nq - k)
                                               : habit(l, h, q, k, nq, nk);
                    if (w->it >= 0 && q == w->it) /* layer 1, head 2 most of all */
                        s = k == w->noun && (l * 8 + h) % 4 == 1 ? 9 - l - h : s;
                    e[k] = exp(s);
                    sum += e[k];
                }
                for (int k = 0; k <= last; k++)
                    data[(((size_t)l * (size_t)w->n_heads + (size_t)h) * (size_t)nq + (size_t)q) *
                             (size_t)nk +
                         (size_t)k] = (float)(e[k] / sum);
            }
        }
    }
    return true;
}

static bool
put_candidates(struct hl_record *r, const struct cut *out)
{
    enum { K = 5 };
    static const char *const others[K - 1] = { "elle", "ce", "on", "nous" };
    struct hl_candidate *c = hl_arena_new(&r->arena, out->n * K, struct hl_candidate);
    if (c == NULL)
        return false;
    for (int i = 0; i < out->n; i++) {
        for (int k = 0; k < K; k++)
            c[i * K + k] =
                (struct hl_candidate) { .id = k == 0 ? out->t[i].id : 900 + k,
                                        .label = k == 0 ? out->t[i].label : others[k - 1],
                                        .logprob = (float)log(0.8 / (1 + 3 * k)) };
    }
    r->candidates = c;
    r->n_candidates = out->n;
    r->candidates_k = K;
    return true;
}

static const char *
translation(const char *source)
{
    if (strstr(source, "animal") != NULL && strstr(source, "wide") != NULL)
        return "L'animal n'a pas traversé la rue parce qu'elle était trop large";
    if (strstr(source, "animal") != NULL)
        return "L'animal n'a pas traversé la rue parce qu'il était trop fatigué";
    return source;
}

struct hl_record *
sample_record(enum sample_kind kind, const char *source, const char *target)
{
    struct hl_record *r = hl_record_create();
    struct cut src = { 0 }, out = { 0 }, in = { 0 };
    target = target != NULL ? target : translation(source);
    cut_text(r, &src, source);
    cut_text(r, &out, target);
    add_special(&src, "</s>", 2);
    add_special(&in, "<s>", 1);
    memcpy(in.t + 1, out.t, (size_t)out.n * sizeof *out.t);
    in.n = out.n + 1;
    add_special(&out, "</s>", 2);
    int s = put_axis(r, "source", &src, source);
    int i = put_axis(r, "decoder_input", &in, target);
    int t = put_axis(r, "target", &out, target);
    const char *noun = strstr(source, "wide") != NULL ? "street" : "animal";
    int it = token_at(&src, "it"), at = token_at(&src, noun);
    bool ok;
    if (kind == SAMPLE_GRU) {
        ok = put_map(r, &(struct weights_of) { "alignment", i, s, t, 1, 1, false, -1, -1 });
    } else {
        ok = put_map(r, &(struct weights_of) { "encoder.self", s, s, -1, LAYERS, HEADS, false,
                                               at >= 0 ? it : -1, at }) &&
             put_map(r, &(struct weights_of) { "decoder.self", i, i, -1, LAYERS, HEADS, true, -1,
                                               -1 }) &&
             put_map(r, &(struct weights_of) { "decoder.cross", i, s, t, LAYERS, HEADS, false, -1,
                                               -1 });
    }
    r->output_text = hl_arena_strdup(&r->arena, target);
    r->output_logprob = log(0.278);
    r->model = kind == SAMPLE_GRU ? "en-fr-gru" : "en-fr-transformer";
    r->family = kind == SAMPLE_GRU ? "headlight-gru" : "marian";
    struct hl_error err;
    if (!ok || !put_candidates(r, &out) || hl_record_seal(r, &err) != HL_OK) {
        hl_record_destroy(r);
        return NULL;
    }
    return r;
}

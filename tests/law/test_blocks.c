/* Laws of Transformer blocks: they agree with a reference in double, and caches,
 * drafts and beams change nothing, to the last bit. */
#include "harness/law.h"

#include <math.h>
#include <string.h>

#include "nn/block.h"
#include "num/ref/ref.h"

struct problem {
    struct hl_block b;
    enum hl_dtype type;
    int d, f, n, n_src;
    float *x, *src, *scratch;
    struct hl_block_kv cross;
};

static struct hl_linear
linear(struct law_case *c, const struct problem *t, int out, int in)
{
    float *w = law_floats(c, out * in, 1.0 / sqrt(in)), *b = law_floats(c, out, 0.1);
    if (t->type == HL_DTYPE_F32)
        return (struct hl_linear) { { w, t->type, out, in }, b };
    uint16_t *half = hl_arena_new(&c->arena, out * in, uint16_t);
    for (int i = 0; half && i < out * in; i++)
        half[i] = hl_dtype_f32_to_f16(w[i]);
    return (struct hl_linear) { { half, t->type, out, in }, b };
}

static struct hl_norm
norm(struct law_case *c, const struct problem *t)
{
    return (struct hl_norm) { law_floats(c, t->d, 1.0), law_floats(c, t->d, 0.2), t->d, 1e-5f };
}

static struct hl_block_attn
attention(struct law_case *c, const struct problem *t)
{
    return (struct hl_block_attn) { linear(c, t, t->d, t->d), linear(c, t, t->d, t->d),
                                    linear(c, t, t->d, t->d), linear(c, t, t->d, t->d),
                                    norm(c, t) };
}

static struct problem
draw(struct law_case *c)
{
    static const enum hl_act acts[] = { HL_ACT_RELU, HL_ACT_GELU, HL_ACT_SILU };
    struct problem t = { 0 };
    int h = law_dim(c, "H", 1, 3), dh = law_dim(c, "Dh", 1, 18);
    t.d = h * dh;
    t.f = law_dim(c, "F", 1, 40);
    t.n = law_dim(c, "T", 1, 14);
    t.n_src = law_dim(c, "S", 1, 12);
    t.type = law_dim(c, "F16", 0, 1) ? HL_DTYPE_F16 : HL_DTYPE_F32;
    t.b = (struct hl_block) { .d = t.d,
                              .n_heads = h,
                              .act = acts[law_dim(c, "act", 0, 2)],
                              .pre_norm = law_dim(c, "pre-norm", 0, 1) == 1,
                              .self = attention(c, &t),
                              .cross = attention(c, &t) };
    t.b.ffn.fc1 = linear(c, &t, t.f, t.d);
    t.b.ffn.fc2 = linear(c, &t, t.d, t.f);
    t.b.ffn.norm = norm(c, &t);
    t.x = law_floats(c, t.n * t.d, 1.0);
    t.src = law_floats(c, t.n_src * t.d, 1.0);
    t.scratch = law_zeros(c, (int)hl_block_scratch(&t.b, 2 * t.n, t.n > t.n_src ? t.n : t.n_src));
    t.cross.k = law_zeros(c, t.n_src * t.d);
    t.cross.v = law_zeros(c, t.n_src * t.d);
    hl_block_cross_kv(&t.b, t.n_src, t.src, t.cross);
    return t;
}

static float *
copy(struct law_case *c, const float *from, int n)
{
    float *p = law_zeros(c, n);
    memcpy(p, from, (size_t)n * sizeof(*p));
    return p;
}

static double *
ref_linear(struct law_case *c, const struct hl_linear *l, int n, const double *x)
{
    int out = l->w.rows, in = l->w.cols;
    float *w = law_zeros(c, out * in);
    double *y = law_doubles(c, NULL, n * out);
    for (int o = 0; o < out; o++)
        hl_weight_row(&l->w, o, w + o * in);
    hl_ref_linear(n, in, out, x, law_doubles(c, w, out * in), law_doubles(c, l->b, out), y);
    return y;
}

static void
ref_norm(struct law_case *c, const struct hl_norm *l, int n, const double *x, double *y)
{
    double *row = law_doubles(c, NULL, l->d);
    for (int i = 0; i < n; i++) {
        hl_ref_norm(x + i * l->d, l->d, law_doubles(c, l->gain, l->d),
                    law_doubles(c, l->bias, l->d), (double)l->eps, row);
        memcpy(y + i * l->d, row, (size_t)l->d * sizeof(*y));
    }
}

/* x += f, with the norm before or after. */
static void
ref_leave(struct law_case *c, const struct hl_block *b, const struct hl_norm *l, int n, double *x,
          const double *f)
{
    for (int i = 0; i < n * b->d; i++)
        x[i] += f[i];
    if (!b->pre_norm)
        ref_norm(c, l, n, x, x);
}

static const double *
ref_enter(struct law_case *c, const struct hl_block *b, const struct hl_norm *l, int n,
          const double *x)
{
    double *y = law_doubles(c, NULL, n * b->d);
    if (!b->pre_norm)
        return x;
    ref_norm(c, l, n, x, y);
    return y;
}

/* Attention sublayer; src NULL reads x itself. */
static void
ref_attend(struct law_case *c, const struct hl_block *b, const struct hl_block_attn *a, int n,
           double *x, int n_k, const double *src, bool causal)
{
    int d = b->d, dh = d / b->n_heads;
    const double *in = ref_enter(c, b, &a->norm, n, x);
    const double *from = src ? src : in;
    const double *q = ref_linear(c, &a->q, n, in), *k = ref_linear(c, &a->k, n_k, from);
    const double *v = ref_linear(c, &a->v, n_k, from);
    double *mixed = law_doubles(c, NULL, n * d), *w = law_doubles(c, NULL, n * n_k);
    double *hq = law_doubles(c, NULL, n * dh), *hk = law_doubles(c, NULL, n_k * dh);
    double *hv = law_doubles(c, NULL, n_k * dh), *out = law_doubles(c, NULL, n * dh);
    for (int h = 0; h < b->n_heads; h++) {
        for (int i = 0; i < n; i++)
            memcpy(hq + i * dh, q + i * d + h * dh, (size_t)dh * sizeof(*hq));
        for (int j = 0; j < n_k; j++) {
            memcpy(hk + j * dh, k + j * d + h * dh, (size_t)dh * sizeof(*hk));
            memcpy(hv + j * dh, v + j * d + h * dh, (size_t)dh * sizeof(*hv));
        }
        hl_ref_attention(n, n_k, dh, dh, hq, hk, hv, 1.0 / sqrt(dh), causal, 0, w, out);
        for (int i = 0; i < n; i++)
            memcpy(mixed + i * d + h * dh, out + i * dh, (size_t)dh * sizeof(*out));
    }
    ref_leave(c, b, &a->norm, n, x, ref_linear(c, &a->o, n, mixed));
}

static void
ref_feed_forward(struct law_case *c, const struct hl_block *b, int n, double *x)
{
    double *h = ref_linear(c, &b->ffn.fc1, n, ref_enter(c, b, &b->ffn.norm, n, x));
    for (int i = 0; i < n * b->ffn.fc1.w.rows; i++)
        h[i] = hl_ref_act(b->act, h[i]);
    ref_leave(c, b, &b->ffn.norm, n, x, ref_linear(c, &b->ffn.fc2, n, h));
}

/* Rows 0 .. T - 1 of one text, into x, with an empty cache. */
static void
decode(struct law_case *c, const struct problem *t, const int *parts, int n_parts, float *x)
{
    struct hl_block_kv kv = { law_zeros(c, t->n * t->d), law_zeros(c, t->n * t->d) };
    struct hl_block_row rows[16];
    int at = 0;
    for (int p = 0; p < n_parts; p++) {
        for (int i = 0; i < parts[p]; i++)
            rows[i] = (struct hl_block_row) { kv, at + i };
        hl_block_decode(&t->b, parts[p], rows, x + at * t->d, t->cross, t->n_src, NULL, NULL,
                        t->scratch);
        at += parts[p];
    }
}

static bool
encoder_agrees(struct law_case *c)
{
    struct problem t = draw(c);
    double *want = law_doubles(c, t.x, t.n * t.d);
    hl_block_encode(&t.b, t.n, t.x, NULL, NULL, t.scratch);
    ref_attend(c, &t.b, &t.b.self, t.n, want, t.n, NULL, false);
    ref_feed_forward(c, &t.b, t.n, want);
    return law_close_d(c, "state", t.x, want, t.n * t.d, 2e-4);
}

static bool
decoder_agrees(struct law_case *c)
{
    struct problem t = draw(c);
    double *want = law_doubles(c, t.x, t.n * t.d);
    decode(c, &t, &t.n, 1, t.x);
    ref_attend(c, &t.b, &t.b.self, t.n, want, t.n, NULL, true);
    ref_attend(c, &t.b, &t.b.cross, t.n, want, t.n_src, law_doubles(c, t.src, t.n_src * t.d),
               false);
    ref_feed_forward(c, &t.b, t.n, want);
    return law_close_d(c, "state", t.x, want, t.n * t.d, 2e-4);
}

static bool
cached_equals_full(struct law_case *c)
{
    struct problem t = draw(c);
    float *steps = copy(c, t.x, t.n * t.d), *draft = copy(c, t.x, t.n * t.d);
    int ones[16], parts[2] = { t.n / 2, t.n - t.n / 2 };
    for (int i = 0; i < t.n; i++)
        ones[i] = 1;
    decode(c, &t, &t.n, 1, t.x);
    decode(c, &t, ones, t.n, steps);
    decode(c, &t, parts, 2, draft);
    return law_same(c, "steps", steps, t.x, t.n * t.d) &&
           law_same(c, "draft", draft, t.x, t.n * t.d);
}

static bool
beams_do_not_mix(struct law_case *c)
{
    struct problem t = draw(c);
    int n = t.n * t.d;
    float *other = law_floats(c, n, 1.0), *both = law_zeros(c, 2 * n);
    struct hl_block_kv a = { law_zeros(c, n), law_zeros(c, n) };
    struct hl_block_kv b = { law_zeros(c, n), law_zeros(c, n) };
    struct hl_block_row rows[32];
    for (int i = 0; i < t.n; i++) {
        rows[2 * i] = (struct hl_block_row) { a, i };
        rows[2 * i + 1] = (struct hl_block_row) { b, i };
        memcpy(both + 2 * i * t.d, t.x + i * t.d, (size_t)t.d * sizeof(*both));
        memcpy(both + (2 * i + 1) * t.d, other + i * t.d, (size_t)t.d * sizeof(*both));
    }
    hl_block_decode(&t.b, 2 * t.n, rows, both, t.cross, t.n_src, NULL, NULL, t.scratch);
    decode(c, &t, &t.n, 1, t.x);
    decode(c, &t, &t.n, 1, other);
    for (int i = 0; i < t.n; i++) {
        if (!law_same(c, "first", both + 2 * i * t.d, t.x + i * t.d, t.d) ||
            !law_same(c, "second", both + (2 * i + 1) * t.d, other + i * t.d, t.d))
            return false;
    }
    return true;
}

static bool
later_rows_change_nothing(struct law_case *c)
{
    struct problem t = draw(c);
    int j = hl_rng_below(&c->values, t.n);
    float *changed = copy(c, t.x, t.n * t.d);
    for (int i = j * t.d; i < t.n * t.d; i++)
        changed[i] += 1.0f;
    decode(c, &t, &t.n, 1, t.x);
    decode(c, &t, &t.n, 1, changed);
    return law_same(c, "state", changed, t.x, j * t.d);
}

static bool
encoder_ignores_order(struct law_case *c)
{
    struct problem t = draw(c);
    const int *order = law_permutation(c, t.n);
    float *mixed = law_zeros(c, t.n * t.d), *back = law_zeros(c, t.n * t.d);
    for (int i = 0; i < t.n; i++)
        memcpy(mixed + i * t.d, t.x + order[i] * t.d, (size_t)t.d * sizeof(*mixed));
    hl_block_encode(&t.b, t.n, t.x, NULL, NULL, t.scratch);
    hl_block_encode(&t.b, t.n, mixed, NULL, NULL, t.scratch);
    for (int i = 0; i < t.n; i++)
        memcpy(back + order[i] * t.d, mixed + i * t.d, (size_t)t.d * sizeof(*mixed));
    return law_close(c, "state", back, t.x, t.n * t.d, 2e-4);
}

/* Captured queries and keys, recomputed in double, give the captured weights. */
static bool
captures_are_those_used(struct law_case *c)
{
    struct problem t = draw(c);
    int h = t.b.n_heads, dh = t.d / h, n = t.n, cols = n + 2;
    float *plain = copy(c, t.x, n * t.d);
    struct hl_block_capture cap = {
        .q = law_zeros(c, n * t.d),
        .k = law_zeros(c, n * t.d),
        .v = law_zeros(c, n * t.d),
        .weights = { law_floats(c, h * n * cols, 1.0), n * cols, cols },
        .scores = { law_floats(c, h * n * cols, 1.0), n * cols, cols },
        .n_cols = cols,
    };
    hl_block_encode(&t.b, n, plain, NULL, NULL, t.scratch);
    hl_block_encode(&t.b, n, t.x, NULL, &cap, t.scratch);
    if (!law_same(c, "state", t.x, plain, n * t.d))
        return false;
    double *row = law_doubles(c, NULL, n);
    for (int i = 0; i < h * n; i++) {
        const float *q = cap.q + (i % n) * t.d + i / n * dh, *k = cap.k + i / n * dh;
        const float *w = cap.weights.p + i * cols, *s = cap.scores.p + i * cols;
        for (int j = 0; j < n; j++) {
            row[j] = 0.0;
            for (int e = 0; e < dh; e++)
                row[j] += (double)q[e] * (double)k[j * t.d + e] / sqrt(dh);
        }
        if (!law_close_d(c, "scores", s, row, n, 1e-5))
            return false;
        hl_ref_softmax(row, NULL, n, 1.0, row);
        if (!law_close_d(c, "weights", w, row, n, 1e-5))
            return false;
        if (w[n] != 0.0f || w[n + 1] != 0.0f || s[n] != -INFINITY || s[n + 1] != -INFINITY)
            return law_no(c, "columns beyond the keys");
    }
    return true;
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "an encoder block agrees with the reference", encoder_agrees },
        { "a decoder block agrees with the reference", decoder_agrees },
        { "cached steps and drafts equal one full pass", cached_equals_full },
        { "texts decoded together equal each alone", beams_do_not_mix },
        { "later rows change nothing before them", later_rows_change_nothing },
        { "without positions an encoder block ignores order", encoder_ignores_order },
        { "captures are what was used", captures_are_those_used },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

/* Laws of multi-head attention. */
#include "harness/law.h"

#include <math.h>
#include <string.h>

#include "attn/mha.h"
#include "num/ref/ref.h"
#include "num/softmax.h"

struct problem {
    struct hl_mha a;
    int d;
    float *q, *k, *v, *out, *weights, *scores;
};

static struct problem
draw(struct law_case *c, int h, int dh, int n_q, int n_k)
{
    int d = h * dh, cells = h * n_q * n_k;
    struct problem t = {
        .d = d,
        .q = law_floats(c, n_q * d, 1.0),
        .k = law_floats(c, n_k * d, 1.0),
        .v = law_floats(c, n_k * d, 1.0),
        .out = law_floats(c, n_q * d, 1.0),
        .weights = law_floats(c, cells, 1.0),
        .scores = law_floats(c, cells, 1.0),
    };
    struct hl_mha_out w = { t.weights, n_q * n_k, n_k }, s = { t.scores, n_q * n_k, n_k };
    t.a = (struct hl_mha) { .n_heads = h,
                            .d_head = dh,
                            .n_q = n_q,
                            .n_k = n_k,
                            .q = t.q,
                            .k = t.k,
                            .v = t.v,
                            .q_stride = d,
                            .k_stride = d,
                            .v_stride = d,
                            .out = t.out,
                            .out_stride = d,
                            .weights = w,
                            .scores = s };
    return t;
}

static struct problem
draw_any(struct law_case *c)
{
    int h = law_dim(c, "H", 1, 4), dh = law_dim(c, "Dh", 1, 20);
    int n_q = law_dim(c, "Tq", 1, 12), n_k = law_dim(c, "Tk", 1, 20);
    struct problem t = draw(c, h, dh, n_q, n_k);
    t.a.causal = law_dim(c, "causal", 0, 1) == 1;
    t.a.offset = n_k > n_q ? n_k - n_q : 0;
    return t;
}

static double *
columns(struct law_case *c, const float *from, int rows, int d, int at, int n)
{
    double *p = law_doubles(c, NULL, rows * n);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            p[i * n + j] = (double)from[i * d + at + j];
    }
    return p;
}

static bool
heads_agree_with_reference(struct law_case *c)
{
    struct problem t = draw_any(c);
    int dh = t.a.d_head, n_q = t.a.n_q, n_k = t.a.n_k;
    hl_mha_run(&t.a);
    for (int h = 0; h < t.a.n_heads; h++) {
        double *w = law_doubles(c, NULL, n_q * n_k), *o = law_doubles(c, NULL, n_q * dh);
        hl_ref_attention(n_q, n_k, dh, dh, columns(c, t.q, n_q, t.d, h * dh, dh),
                         columns(c, t.k, n_k, t.d, h * dh, dh),
                         columns(c, t.v, n_k, t.d, h * dh, dh), 1.0 / sqrt(dh), t.a.causal,
                         t.a.offset, w, o);
        if (!law_close_d(c, "weights", t.weights + h * n_q * n_k, w, n_q * n_k, 2e-6))
            return false;
        for (int i = 0; i < n_q; i++) {
            if (!law_close_d(c, "output", t.out + i * t.d + h * dh, o + i * dh, dh, 5e-6))
                return false;
        }
    }
    return true;
}

static bool
scores_give_the_weights(struct law_case *c)
{
    struct problem t = draw_any(c);
    float *row = law_zeros(c, t.a.n_k);
    hl_mha_run(&t.a);
    for (int i = 0; i < t.a.n_heads * t.a.n_q; i++) {
        const float *s = t.scores + i * t.a.n_k, *w = t.weights + i * t.a.n_k;
        hl_softmax(s, NULL, t.a.n_k, 1.0f, row);
        if (!law_close(c, "row", row, w, t.a.n_k, 1e-7))
            return false;
        for (int j = 0; j < t.a.n_k; j++) {
            bool masked = t.a.causal && j > t.a.offset + i % t.a.n_q;
            if (masked != (s[j] == -INFINITY) || (masked && w[j] != 0.0f))
                return law_no(c, "row %d, key %d", i, j);
        }
    }
    return true;
}

static bool
heads_are_independent(struct law_case *c)
{
    int h = law_dim(c, "H", 2, 4), dh = law_dim(c, "Dh", 1, 20);
    int n_q = law_dim(c, "Tq", 1, 6), n_k = law_dim(c, "Tk", 1, 20);
    struct problem t = draw(c, h, dh, n_q, n_k);
    float *before = law_zeros(c, h * n_q * n_k), *out = law_zeros(c, n_q * t.d);
    hl_mha_run(&t.a);
    memcpy(before, t.weights, (size_t)(h * n_q * n_k) * sizeof(float));
    memcpy(out, t.out, (size_t)(n_q * t.d) * sizeof(float));
    for (int j = 0; j < n_k; j++)
        t.k[j * t.d] += 1.0f; /* head 0 */
    hl_mha_run(&t.a);
    for (int i = 0; i < n_q; i++) {
        if (!law_same(c, "output", t.out + i * t.d + dh, out + i * t.d + dh, t.d - dh))
            return false;
    }
    return law_same(c, "weights", t.weights + n_q * n_k, before + n_q * n_k, (h - 1) * n_q * n_k);
}

static bool
causal_ignores_the_future(struct law_case *c)
{
    int h = law_dim(c, "H", 1, 3), dh = law_dim(c, "Dh", 1, 9), n = law_dim(c, "T", 1, 20);
    struct problem t = draw(c, h, dh, n, n);
    int j = hl_rng_below(&c->values, n);
    float *out = law_zeros(c, n * t.d);
    t.a.causal = true;
    hl_mha_run(&t.a);
    memcpy(out, t.out, (size_t)(n * t.d) * sizeof(float));
    for (int i = 0; i < t.d; i++) {
        t.k[j * t.d + i] = 5.0f;
        t.v[j * t.d + i] = NAN;
    }
    hl_mha_run(&t.a);
    return law_same(c, "output", t.out, out, j * t.d);
}

static bool
rows_are_independent(struct law_case *c)
{
    struct problem t = draw_any(c);
    float *out = law_zeros(c, t.d), *w = law_zeros(c, t.a.n_heads * t.a.n_k);
    hl_mha_run(&t.a);
    for (int i = 0; i < t.a.n_q; i++) {
        /* As a step from a cache: only the keys seen so far exist. */
        struct hl_mha one = t.a;
        one.q += i * one.q_stride;
        one.n_q = 1;
        one.out = out;
        one.weights = (struct hl_mha_out) { w, t.a.n_k, t.a.n_k };
        one.scores.p = NULL;
        one.n_cols = t.a.n_k;
        if (one.causal && one.offset + i + 1 < one.n_k)
            one.n_k = one.offset + i + 1;
        one.causal = false;
        hl_mha_run(&one);
        if (!law_same(c, "output", out, t.out + i * t.d, t.d))
            return false;
        for (int h = 0; h < t.a.n_heads; h++) {
            if (!law_same(c, "weights", w + h * t.a.n_k, t.weights + (h * t.a.n_q + i) * t.a.n_k,
                          t.a.n_k))
                return false;
        }
    }
    return true;
}

static bool
one_key_copies_its_value(struct law_case *c)
{
    int h = law_dim(c, "H", 1, 4), dh = law_dim(c, "Dh", 1, 20), n_q = law_dim(c, "Tq", 1, 6);
    struct problem t = draw(c, h, dh, n_q, 1);
    hl_mha_run(&t.a);
    for (int i = 0; i < n_q; i++) {
        if (!law_same(c, "output", t.out + i * t.d, t.v, t.d))
            return false;
    }
    return true;
}

static bool
masked_keys_do_not_exist(struct law_case *c)
{
    int h = law_dim(c, "H", 1, 3), dh = law_dim(c, "Dh", 1, 9);
    int n_q = law_dim(c, "Tq", 1, 6), valid = law_dim(c, "valid", 1, 12);
    int pad = law_dim(c, "pad", 0, 5), n_k = valid + pad;
    struct problem t = draw(c, h, dh, n_q, n_k);
    uint8_t *mask = hl_arena_alloc(&c->arena, (size_t)n_k, 1, 1);
    float *out = law_zeros(c, n_q * t.d), *scratch = law_zeros(c, n_k);
    for (int j = 0; mask && j < n_k; j++)
        mask[j] = j < valid;
    t.a.mask = mask;
    hl_mha_run(&t.a);
    t.a.mask = NULL;
    t.a.n_k = valid;
    t.a.out = out;
    t.a.weights.p = t.a.scores.p = NULL;
    t.a.scratch = scratch;
    hl_mha_run(&t.a);
    return law_same(c, "output", t.out, out, n_q * t.d);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "each head agrees with the reference in double", heads_agree_with_reference },
        { "captured scores give the captured weights", scores_give_the_weights },
        { "heads are independent", heads_are_independent },
        { "causal: a token alters nothing before it", causal_ignores_the_future },
        { "a row alone and from a cache equals the batch", rows_are_independent },
        { "attention to one key copies its value", one_key_copies_its_value },
        { "masked keys are as good as absent", masked_keys_do_not_exist },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

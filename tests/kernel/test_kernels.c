/* Every version of the kernels against the reference in double, on awkward shapes,
 * and against itself: a row, an output or an element must be bitwise the same alone
 * and in company. */
#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/rng.h"
#include "num/kernels/kernels.h"
#include "num/ref/ref.h"

static const int sizes[] = { 0, 1, 3, 5, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257 };
static const int batches[] = { 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 25 };

struct world {
    struct hl_arena arena;
    struct hl_rng rng;
};

static int
setup(void **state)
{
    struct world *w = hl_alloc(1, sizeof(*w));
    assert_non_null(w);
    hl_arena_init(&w->arena, 1 << 20, 0);
    hl_rng_init(&w->rng, 7);
    *state = w;
    return 0;
}

static int
teardown(void **state)
{
    struct world *w = *state;
    hl_arena_deinit(&w->arena);
    hl_free(w);
    return 0;
}

/* n floats; what lies behind them is poisoned under ASan. */
static float *
floats(struct world *w, size_t n, double spread)
{
    float *p = hl_arena_floats(&w->arena, n);
    assert_non_null(p);
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(spread * hl_rng_normal(&w->rng));
    return p;
}

static double *
doubles(struct world *w, const float *from, size_t n)
{
    double *p = hl_arena_new(&w->arena, n + 1, double);
    assert_non_null(p);
    for (size_t i = 0; i < n; i++)
        p[i] = (double)from[i];
    return p;
}

/* Rounds v[n] to `type`, in place, and gives it in that type. */
static void *
stored(struct world *w, enum hl_dtype type, float *v, size_t n)
{
    if (type == HL_DTYPE_F32)
        return v;
    uint16_t *p = hl_arena_new(&w->arena, n + 1, uint16_t);
    assert_non_null(p);
    for (size_t i = 0; i < n; i++)
        p[i] = type == HL_DTYPE_F16 ? hl_dtype_f32_to_f16(v[i]) : hl_dtype_f32_to_bf16(v[i]);
    hl_dtype_to_f32(type, p, n, v);
    return p;
}

static void
check_close(const char *name, const float *got, const double *want, size_t n, double bound)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs((double)got[i] - want[i]) <= bound * (1.0 + fabs(want[i]))))
            fail_msg("%s: place %zu is %.9g, not %.9g", name, i, (double)got[i], want[i]);
    }
}

static void
check_apply(struct world *w, const struct hl_kernels *k, enum hl_dtype type, int n, int in, int out)
{
    struct hl_arena_mark mark = hl_arena_mark(&w->arena);
    size_t n_w = (size_t)in * (size_t)out, n_y = (size_t)n * (size_t)out;
    ptrdiff_t x_stride = in + 3, y_stride = out + 2;
    float *weights = floats(w, n_w, 1.0), *bias = floats(w, (size_t)out, 1.0);
    float *x = floats(w, (size_t)n * (size_t)x_stride, 1.0 / sqrt(in + 1.0));
    float *y = floats(w, (size_t)n * (size_t)y_stride, 1.0), *alone = floats(w, (size_t)out, 1.0);
    struct hl_weight m = { stored(w, type, weights, n_w), type, out, in };
    double *xd = hl_arena_new(&w->arena, (size_t)n * (size_t)in + 1, double);
    double *yd = hl_arena_new(&w->arena, n_y + 1, double);
    assert_true(xd && yd);
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < in; i++)
            xd[t * in + i] = (double)x[t * x_stride + i];
    }
    hl_ref_linear(n, in, out, xd, doubles(w, weights, n_w), doubles(w, bias, (size_t)out), yd);
    float gap = y[out];
    k->apply(&m, bias, n, x, x_stride, y, y_stride);
    for (int t = 0; t < n; t++) {
        check_close(k->name, y + t * y_stride, yd + (ptrdiff_t)t * out, (size_t)out, 3e-6);
        k->apply(&m, bias, 1, x + t * x_stride, x_stride, alone, out);
        assert_memory_equal(alone, y + t * y_stride, (size_t)out * sizeof(float));
    }
    assert_memory_equal(&gap, &y[out], sizeof(gap));
    /* A range of outputs alone, as the gates of a recurrent cell are. */
    struct hl_weight part = { (const char *)m.p + (size_t)(out / 2 * in) * hl_dtype_size(type),
                              type, out - out / 2, in };
    k->apply(&part, bias + out / 2, 1, x, x_stride, alone, out);
    assert_memory_equal(alone, y + out / 2, (size_t)(out - out / 2) * sizeof(float));
    k->apply(&m, NULL, n, x, x_stride, y, y_stride);
    hl_ref_linear(n, in, out, xd, doubles(w, weights, n_w), NULL, yd);
    for (int t = 0; t < n; t++)
        check_close(k->name, y + t * y_stride, yd + (ptrdiff_t)t * out, (size_t)out, 3e-6);
    hl_arena_rewind(&w->arena, mark);
}

static void
apply_agrees_and_rows_are_independent(void **state)
{
    static const enum hl_dtype types[] = { HL_DTYPE_F32, HL_DTYPE_F16, HL_DTYPE_BF16 };
    struct world *w = *state;
    for (int v = 0; hl_kernels_at(v); v++) {
        for (int t = 0; t < N_OF(types); t++) {
            for (int i = 0; i < N_OF(sizes); i++) {
                for (int b = 0; b < N_OF(batches); b++)
                    check_apply(w, hl_kernels_at(v), types[t], batches[b], sizes[i],
                                1 + sizes[(i + b) % N_OF(sizes)]);
            }
        }
        /* Large enough for several chunks of outputs. */
        check_apply(w, hl_kernels_at(v), HL_DTYPE_F16, 13, 1024, 300);
        check_apply(w, hl_kernels_at(v), HL_DTYPE_F32, 7, 700, 131);
    }
}

static void
apply_without_rows_writes_nothing(void **state)
{
    (void)state;
    for (int v = 0; hl_kernels_at(v); v++) {
        float w[4] = { 1, 2, 3, 4 }, y = 5;
        struct hl_weight m = { w, HL_DTYPE_F32, 2, 2 }, none = { w, HL_DTYPE_F32, 0, 2 };
        hl_kernels_at(v)->apply(&m, NULL, 0, w, 2, &y, 2);
        hl_kernels_at(v)->apply(&none, NULL, 1, w, 2, &y, 2);
        assert_true(y == 5.0f);
    }
}

static void
check_dots(struct world *w, const struct hl_kernels *k, int n, int d)
{
    struct hl_arena_mark mark = hl_arena_mark(&w->arena);
    ptrdiff_t stride = d + 5;
    float *q = floats(w, (size_t)d, 1.0 / sqrt(d + 1.0)),
          *keys = floats(w, (size_t)n * (size_t)stride, 1.0);
    float *out = floats(w, (size_t)n, 1.0), one;
    k->dots(q, keys, stride, n, d, 0.25f, out);
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int c = 0; c < d; c++)
            sum += (double)q[c] * (double)keys[j * stride + c];
        sum *= 0.25;
        check_close(k->name, &out[j], &sum, 1, 3e-6);
        k->dots(q, keys + j * stride, stride, 1, d, 0.25f, &one);
        assert_memory_equal(&one, &out[j], sizeof(one));
    }
    hl_arena_rewind(&w->arena, mark);
}

static void
check_mix(struct world *w, const struct hl_kernels *k, int n, int d)
{
    struct hl_arena_mark mark = hl_arena_mark(&w->arena);
    ptrdiff_t stride = d + 1;
    float *weights = floats(w, (size_t)n, 1.0 / sqrt(n + 1.0)),
          *v = floats(w, (size_t)n * (size_t)stride, 1.0);
    float *out = floats(w, (size_t)d + 1, 1.0), *alone = floats(w, (size_t)d + 1, 1.0);
    float after = out[d];
    k->mix(weights, v, stride, n, d, out);
    for (int c = 0; c < d; c++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += (double)weights[j] * (double)v[j * stride + c];
        check_close(k->name, &out[c], &sum, 1, 3e-6);
        k->mix(weights, v + c, stride, n, 1, alone);
        assert_memory_equal(&alone[0], &out[c], sizeof(float));
    }
    assert_memory_equal(&after, &out[d], sizeof(after));
    /* Rows of weight 0 at the end change nothing: a causal row in a longer text. */
    if (n > 2) {
        weights[n - 1] = weights[n - 2] = 0.0f;
        k->mix(weights, v, stride, n, d, out);
        k->mix(weights, v, stride, n - 2, d, alone);
        assert_memory_equal(out, alone, (size_t)d * sizeof(float));
    }
    hl_arena_rewind(&w->arena, mark);
}

static void
dots_and_mixtures_agree(void **state)
{
    for (int v = 0; hl_kernels_at(v); v++) {
        for (int i = 0; i < N_OF(sizes); i++) {
            for (int j = 0; j < N_OF(sizes); j++) {
                check_dots(*state, hl_kernels_at(v), sizes[i], sizes[j]);
                check_mix(*state, hl_kernels_at(v), sizes[i], sizes[j]);
            }
        }
    }
}

static void
check_exp(struct world *w, const struct hl_kernels *k, int n, double spread, float factor)
{
    struct hl_arena_mark mark = hl_arena_mark(&w->arena);
    float *x = floats(w, (size_t)n, spread), *out = floats(w, (size_t)n, 1.0), one;
    float top = -INFINITY;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        top = fmaxf(top, x[i]);
    double got = k->exp_sum(x, n, top, factor, out);
    for (int i = 0; i < n; i++) {
        double want = exp(((double)x[i] - (double)top) * (double)factor);
        sum += want;
        check_close(k->name, &out[i], &want, 1, 4e-6); /* rounding of x - top included */
        k->exp_sum(x + i, 1, top, factor, &one);
        assert_memory_equal(&one, &out[i], sizeof(one));
    }
    assert_true(fabs(got - sum) <= 4e-6 * (1.0 + sum));
    hl_arena_rewind(&w->arena, mark);
}

static void
exponentials_agree(void **state)
{
    for (int v = 0; hl_kernels_at(v); v++) {
        for (int i = 0; i < N_OF(sizes); i++) {
            check_exp(*state, hl_kernels_at(v), sizes[i], 1.0, 1.0f);
            check_exp(*state, hl_kernels_at(v), sizes[i], 20.0, 1.0f);
            check_exp(*state, hl_kernels_at(v), sizes[i], 3.0, 10.0f);
        }
    }
}

/* Relative error of the exponential itself, where x - 0 is exact. */
static void
exponential_is_precise(void **state)
{
    (void)state;
    for (int v = 0; hl_kernels_at(v); v++) {
        double worst = 0.0;
        for (int i = 0; i <= 80000; i++) {
            float x = (float)i * -0.001f, y;
            hl_kernels_at(v)->exp_sum(&x, 1, 0.0f, 1.0f, &y);
            worst = fmax(worst, fabs((double)y / exp((double)x) - 1.0));
        }
        assert_true(worst < 2e-7);
        float edge[4] = { 0.0f, -INFINITY, -1e30f, -200.0f }, y[4];
        double sum = hl_kernels_at(v)->exp_sum(edge, 4, 0.0f, 1.0f, y);
        assert_true(sum == 1.0 && y[0] == 1.0f && y[1] == 0.0f && y[2] == 0.0f && y[3] == 0.0f);
    }
}

static void
curves_are_precise(void **state)
{
    (void)state;
    for (int v = 0; hl_kernels_at(v); v++) {
        const struct hl_kernels *k = hl_kernels_at(v);
        double worst_tanh = 0.0, worst_sigmoid = 0.0;
        for (int i = -60000; i <= 60000; i++) {
            float x = (float)i * 0.0005f, t, s;
            k->tanh(&x, 1, &t);
            k->sigmoid(&x, 1, &s);
            double want = tanh((double)x), logistic = 1.0 / (1.0 + exp(-(double)x));
            if (i != 0)
                worst_tanh = fmax(worst_tanh, fabs((double)t / want - 1.0));
            worst_sigmoid = fmax(worst_sigmoid, fabs((double)s / logistic - 1.0));
        }
        assert_true(worst_tanh < 4e-7 && worst_sigmoid < 4e-7);
        float edge[6] = { 0.0f, -0.0f, INFINITY, -INFINITY, 1e-30f, 100.0f }, t[6], s[6];
        k->tanh(edge, 6, t);
        k->sigmoid(edge, 6, s);
        assert_true(t[0] == 0.0f && t[2] == 1.0f && t[3] == -1.0f && t[4] == 1e-30f);
        assert_true(s[0] == 0.5f && s[1] == 0.5f && s[2] == 1.0f && s[3] == 0.0f && s[5] == 1.0f);
    }
}

static void
curves_do_not_depend_on_place(void **state)
{
    struct world *w = *state;
    for (int v = 0; hl_kernels_at(v); v++) {
        const struct hl_kernels *k = hl_kernels_at(v);
        struct hl_arena_mark mark = hl_arena_mark(&w->arena);
        float *x = floats(w, 257, 2.0), *t = floats(w, 257, 1.0), *s = floats(w, 257, 1.0), one;
        k->tanh(x, 257, t);
        k->sigmoid(x, 257, s);
        for (int i = 0; i < 257; i++) {
            k->tanh(x + i, 1, &one);
            assert_memory_equal(&one, &t[i], sizeof(one));
            k->sigmoid(x + i, 1, &one);
            assert_memory_equal(&one, &s[i], sizeof(one));
        }
        k->tanh(x, 257, x); /* in place */
        assert_memory_equal(x, t, 257 * sizeof(float));
        hl_arena_rewind(&w->arena, mark);
    }
}

static void
versions_are_listed_once(void **state)
{
    (void)state;
    bool found = false;
    assert_string_equal(hl_kernels_at(0)->name, "plain");
    for (int v = 0; hl_kernels_at(v); v++)
        found = found || hl_kernels_at(v) == hl_kernels_get();
    assert_true(found);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apply_agrees_and_rows_are_independent),
        cmocka_unit_test(apply_without_rows_writes_nothing),
        cmocka_unit_test(dots_and_mixtures_agree),
        cmocka_unit_test(exponentials_agree),
        cmocka_unit_test(exponential_is_precise),
        cmocka_unit_test(curves_are_precise),
        cmocka_unit_test(curves_do_not_depend_on_place),
        cmocka_unit_test(versions_are_listed_once),
    };
    return cmocka_run_group_tests_name("kernels", tests, setup, teardown);
}

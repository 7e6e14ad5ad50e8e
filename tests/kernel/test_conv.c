/* Convolution, its transposition and norms by class against the reference in double, on
 * random shapes. */
#include "harness/test.h"

#include <math.h>

#include "base/arena.h"
#include "base/rng.h"
#include "num/act.h"
#include "num/conv.h"
#include "num/norm.h"
#include "num/ref/ref.h"

struct world {
    struct hl_arena arena;
    struct hl_rng rng;
};

static int
between(struct world *w, int lo, int hi)
{
    return lo + hl_rng_below(&w->rng, hi - lo + 1);
}

static float *
floats(struct world *w, int n, double spread)
{
    float *p = hl_arena_floats(&w->arena, n + 1);
    assert_non_null(p);
    for (int i = 0; i < n; i++)
        p[i] = (float)(spread * hl_rng_normal(&w->rng));
    return p;
}

/* n doubles of the floats, or zeros. */
static double *
doubles(struct world *w, const float *from, int n)
{
    double *p = hl_arena_new(&w->arena, n + 1, double);
    assert_non_null(p);
    for (int i = 0; i < n && from; i++)
        p[i] = (double)from[i];
    return p;
}

static void
check_close(const float *got, const double *want, int n)
{
    for (int i = 0; i < n; i++) {
        if (!(fabs((double)got[i] - want[i]) <= 5e-6 * (1.0 + fabs(want[i]))))
            fail_msg("place %d is %.9g, not %.9g", i, (double)got[i], want[i]);
    }
}

/* One convolution of a random shape; kernels may hang over both edges. */
static void
check_conv(struct world *w, bool transposed)
{
    int k = between(w, 1, 5), h = between(w, 1, 9), width = between(w, 1, 9);
    struct hl_conv c = {
        between(w, 1, 9), between(w, 1, 9), k, between(w, 1, 3), between(w, 0, k), NULL, NULL
    };
    int h_out = transposed ? hl_conv_transposed_side(&c, h) : hl_conv_side(&c, h);
    int w_out = transposed ? hl_conv_transposed_side(&c, width) : hl_conv_side(&c, width);
    int n_w = k * k * c.in * c.out, n_x = h * width * c.in, n_y = h_out * w_out * c.out;
    size_t n =
        transposed ? hl_conv_transposed_scratch(&c, h, width) : hl_conv_scratch(&c, h, width);
    float *y = floats(w, n_y, 1.0), *x = floats(w, n_x, 1.0), *bias = floats(w, c.out, 1.0);
    float *scratch = floats(w, (int)n, 1.0);
    double *want = doubles(w, NULL, n_y), *b = doubles(w, bias, c.out);
    bool with_bias = between(w, 0, 1) == 1;

    c.w = floats(w, n_w, 1.0 / sqrt(k * k * c.in));
    c.bias = with_bias ? bias : NULL;
    if (transposed) {
        hl_conv_transposed_apply(&c, h, width, x, y, scratch);
        hl_ref_conv_transposed(&c, h, width, doubles(w, c.w, n_w), with_bias ? b : NULL,
                               doubles(w, x, n_x), want);
    } else {
        hl_conv_apply(&c, h, width, x, y, scratch);
        hl_ref_conv(&c, h, width, doubles(w, c.w, n_w), with_bias ? b : NULL, doubles(w, x, n_x),
                    want);
    }
    check_close(y, want, n_y);
    hl_arena_reset(&w->arena);
}

static void
convolutions_agree(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < 600; i++)
        check_conv(w, i % 2 == 1);
}

/* Sides and numbers as one computes them by hand. */
static void
known_values(void **state)
{
    const float w[4] = { 1, 10, 100, 1000 }, x[4] = { 1, 2, 3, 4 }, b[1] = { 0.5f };
    const struct hl_conv flat = { 1, 1, 2, 1, 0, w, b }, step = { 1, 1, 2, 2, 0, w, NULL };
    float y[16], scratch[16];
    (void)state;
    assert_int_equal(hl_conv_side(&flat, 2), 1);
    assert_int_equal(hl_conv_side(&flat, 1), 0);
    assert_int_equal(hl_conv_transposed_side(&step, 2), 4);
    assert_int_equal(hl_conv_transposed_side(&step, 0), 0);
    hl_conv_apply(&flat, 2, 2, x, y, scratch);
    assert_true(y[0] == 4321.5f);
    hl_conv_transposed_apply(&step, 2, 2, x, y, scratch);
    assert_true(y[0] == 1 && y[1] == 10 && y[4] == 100 && y[5] == 1000);
    assert_true(y[10] == 4 && y[15] == 4000 && y[13] == 3000);
}

static void
sizes_are_checked(void **state)
{
    const struct hl_conv c = { 1 << 20, 1 << 20, 1 << 12, 1, 1 << 12, NULL, NULL };
    (void)state;
    assert_true(hl_conv_scratch(&c, 1 << 20, 1 << 20) == SIZE_MAX);
    assert_true(hl_conv_transposed_scratch(&c, 1 << 20, 1 << 20) == SIZE_MAX);
}

static void
norms_by_class_agree(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < 200; i++) {
        int d = between(w, 1, 150), n = between(w, 0, 5), classes = between(w, 1, 4);
        int label = between(w, 0, classes - 1), stride = d + between(w, 0, 3);
        float *x = floats(w, n * stride, 3.0), *y = floats(w, n * stride, 1.0);
        float *mean = floats(w, d, 1.0), *variance = floats(w, d, 1.0);
        float *gain = floats(w, classes * d, 1.0), *bias = floats(w, classes * d, 1.0);
        double *want = doubles(w, NULL, d);
        for (int k = 0; k < d; k++)
            variance[k] = fabsf(variance[k]);
        const struct hl_norm_batch l = { mean, variance, gain, bias, d, 1e-5f };
        hl_norm_batch_apply(&l, label, n, x, stride, y, stride);
        for (int t = 0; t < n; t++) {
            hl_ref_norm_batch(doubles(w, x + t * stride, d), d, doubles(w, mean, d),
                              doubles(w, variance, d), doubles(w, gain + label * d, d),
                              doubles(w, bias + label * d, d), (double)l.eps, want);
            check_close(y + t * stride, want, d);
        }
        hl_arena_reset(&w->arena);
    }
}

static void
slopes_leak(void **state)
{
    float x[4] = { -2, 0, 3, -0.5f };
    (void)state;
    hl_act_leaky_relu(0.5f, 4, x, x);
    assert_true(x[0] == -1 && x[1] == 0 && x[2] == 3 && x[3] == -0.25f);
}

int
main(void)
{
    static struct world w;
    void *state = &w;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(convolutions_agree, state),
        cmocka_unit_test(known_values),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test_prestate(norms_by_class_agree, state),
        cmocka_unit_test(slopes_leak),
    };
    hl_arena_init(&w.arena, 1 << 20, 0);
    hl_rng_init(&w.rng, 11);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hl_arena_deinit(&w.arena);
    return failed;
}

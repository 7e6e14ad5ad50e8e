/* The numeric policy of the program, one test for each sentence. */
#include "harness/test.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "attn/align.h"
#include "base/rng.h"
#include "num/norm.h"
#include "num/reduce.h"
#include "num/softmax.h"

/* Arithmetic is IEEE: infinities, NaN and subnormals behave as the standard says. */
static void
arithmetic_is_ieee(void **state)
{
    (void)state;
    volatile float zero = 0.0f, inf = INFINITY, tiny = 1e-40f;
    assert_true(isnan(inf - inf));
    assert_true(-inf < -3.4e38f);
    assert_false(zero / zero == zero / zero);
    assert_true(tiny / 2.0f > 0.0f);
    assert_int_equal(fegetround(), FE_TONEAREST);
}

/* The compiler does not fuse what the source does not fuse. */
static void
nothing_is_contracted(void **state)
{
    (void)state;
    volatile float a = 1.0f + 0x1p-13f, b = 1.0f - 0x1p-13f;
    float x = a, y = b, sum = x * y - 1.0f;
    assert_true(sum == 0.0f); /* fused, it would be -2^-26 */
}

/* The maximum is seeded from the first allowed element, not from a constant. */
static void
maximum_is_seeded_from_the_row(void **state)
{
    (void)state;
    float x[3] = { -3e38f, -3.2e38f, 5.0f }, w[3];
    const uint8_t mask[3] = { 1, 1, 0 };
    hl_softmax(x, mask, 3, 1.0f, w);
    assert_true(w[0] == 1.0f && w[1] == 0.0f && w[2] == 0.0f);
    float huge[2] = { 3e38f, -3e38f };
    hl_softmax(huge, NULL, 2, 1.0f, w);
    assert_true(w[0] == 1.0f && w[1] == 0.0f);
}

/* A row without an allowed entry gives zeros, never NaN. */
static void
fully_masked_row_is_zero(void **state)
{
    (void)state;
    float x[3] = { 1, 2, 3 }, w[3] = { 9, 9, 9 };
    const uint8_t none[3] = { 0, 0, 0 };
    hl_softmax(x, none, 3, 1.0f, w);
    assert_true(w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f);
    hl_softmax_prefix(x, 0, 3, 1.0f, w);
    assert_true(w[0] == 0.0f && w[2] == 0.0f);
    hl_softmax(x, NULL, 0, 1.0f, w);
    assert_true(isinf(hl_softmax_log_sum(x, 0)));
}

/* Sums of exponentials are taken in double: a million equal entries sum to 1. */
static void
sums_are_taken_in_double(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static float x[N];
    double sum = 0.0;
    hl_softmax(x, NULL, N, 1.0f, x);
    for (int i = 0; i < N; i++)
        sum += (double)x[i];
    assert_true(fabs(sum - 1.0) < 1e-7);
    memset(x, 0, sizeof(x));
    assert_true(fabs(hl_softmax_log_sum(x, N) - log(N)) < 1e-9);
}

/* Moments of a normalisation are taken in double: a large mean does not hide a small
 * spread. */
static void
moments_are_taken_in_double(void **state)
{
    (void)state;
    float x[64], y[64], gain[64], bias[64];
    for (int i = 0; i < 64; i++) {
        x[i] = 4096.0f + (float)(i % 2) / 512.0f;
        gain[i] = 1.0f;
        bias[i] = 0.0f;
    }
    struct hl_norm l = { gain, bias, 64, 0.0f };
    hl_norm_apply(&l, 1, x, 64, y, 64);
    for (int i = 0; i < 64; i++)
        assert_true(fabsf(fabsf(y[i]) - 1.0f) < 0.26f); /* one bit of x is a quarter here */
}

/* Equal values are decided by the lower index. */
static void
ties_go_to_the_first(void **state)
{
    (void)state;
    const float x[5] = { 1, 3, 2, 3, 3 };
    int32_t top[3];
    assert_int_equal(hl_reduce_argmax(x, 5), 1);
    assert_int_equal(hl_reduce_top(x, 5, 3, top), 3);
    assert_true(top[0] == 1 && top[1] == 3 && top[2] == 4);
}

/* Randomness comes from a seeded generator alone. */
static void
draws_repeat_with_their_seed(void **state)
{
    (void)state;
    const float w[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
    float hard[4];
    struct hl_rng a, b;
    hl_rng_init(&a, 3);
    hl_rng_init(&b, 3);
    for (int i = 0; i < 50; i++)
        assert_int_equal(hl_align_sample(w, 4, &a, hard), hl_align_sample(w, 4, &b, hard));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_ieee),
        cmocka_unit_test(nothing_is_contracted),
        cmocka_unit_test(maximum_is_seeded_from_the_row),
        cmocka_unit_test(fully_masked_row_is_zero),
        cmocka_unit_test(sums_are_taken_in_double),
        cmocka_unit_test(moments_are_taken_in_double),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(draws_repeat_with_their_seed),
    };
    return cmocka_run_group_tests_name("numeric policy", tests, NULL, NULL);
}

#include "base/rng.h"

#include "harness/test.h"

#include <math.h>

/* The generator's stream for a state of 1, 2, 3, 4, worked by hand from the paper
 * of Blackman and Vigna: (2 * 5 rotated by 7) * 9, and so on. */
static void
stream_is_xoshiro256(void **state)
{
    (void)state;
    struct hl_rng r = { { 1, 2, 3, 4 } };
    assert_true(hl_rng_next(&r) == 11520);
    assert_true(hl_rng_next(&r) == 0);
    assert_true(hl_rng_next(&r) == 1509978240);
}

static void
same_seed_same_stream(void **state)
{
    (void)state;
    struct hl_rng a, b, c;
    hl_rng_init(&a, 5);
    hl_rng_init(&b, 5);
    hl_rng_init(&c, 6);
    int differ = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t v = hl_rng_next(&a);
        assert_true(v == hl_rng_next(&b));
        differ += v != hl_rng_next(&c);
    }
    assert_true(differ > 95);
}

static void
moments_are_right(void **state)
{
    (void)state;
    enum { N = 200000 };
    struct hl_rng r;
    double u = 0, m = 0, v = 0;
    hl_rng_init(&r, 1);
    for (int i = 0; i < N; i++) {
        double x = hl_rng_uniform(&r), z = hl_rng_normal(&r);
        assert_true(x >= 0.0 && x < 1.0 && isfinite(z));
        u += x / N;
        m += z / N;
        v += z * z / N;
    }
    assert_true(fabs(u - 0.5) < 0.005 && fabs(m) < 0.01 && fabs(v - 1.0) < 0.02);
}

static void
below_is_even(void **state)
{
    (void)state;
    struct hl_rng r;
    int count[7] = { 0 };
    hl_rng_init(&r, 1);
    for (int i = 0; i < 70000; i++) {
        int k = hl_rng_below(&r, 7);
        assert_in_range(k, 0, 6);
        count[k]++;
    }
    for (int k = 0; k < 7; k++)
        assert_in_range(count[k], 9500, 10500);
    assert_int_equal(hl_rng_below(&r, 1), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_is_xoshiro256),
        cmocka_unit_test(same_seed_same_stream),
        cmocka_unit_test(moments_are_right),
        cmocka_unit_test(below_is_even),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}

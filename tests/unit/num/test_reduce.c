#include "num/reduce.h"

#include "harness/test.h"

#include <math.h>

#include "base/rng.h"

static void
argmax_and_top_agree_with_sorting(void **state)
{
    (void)state;
    struct hl_rng rng;
    hl_rng_init(&rng, 2);
    for (int n = 0; n < 200; n++) {
        float x[200];
        int32_t top[200], again[200];
        for (int i = 0; i < n; i++)
            x[i] = (float)hl_rng_below(&rng, 20); /* many ties */
        assert_int_equal(hl_reduce_top(x, n, n, top), n);
        assert_int_equal(hl_reduce_argmax(x, n), n ? top[0] : -1);
        for (int i = 1; i < n; i++) {
            assert_true(x[top[i - 1]] > x[top[i]] ||
                        (x[top[i - 1]] == x[top[i]] && top[i - 1] < top[i]));
        }
        int k = n / 3;
        assert_int_equal(hl_reduce_top(x, n, k, again), k);
        assert_memory_equal(again, top, (size_t)k * sizeof(top[0]));
        assert_int_equal(hl_reduce_top(x, n / 2, n, again), n / 2);
    }
}

static void
argmax_of_infinities(void **state)
{
    (void)state;
    float x[70];
    for (int i = 0; i < 70; i++)
        x[i] = -INFINITY;
    assert_int_equal(hl_reduce_argmax(x, 70), 0);
    x[69] = -1e38f;
    assert_int_equal(hl_reduce_argmax(x, 70), 69);
}

static void
log_softmax_is_a_distribution(void **state)
{
    (void)state;
    float x[1000];
    double sum = 0.0;
    struct hl_rng rng;
    hl_rng_init(&rng, 2);
    for (int i = 0; i < 1000; i++)
        x[i] = (float)(5.0 * hl_rng_normal(&rng));
    float first = x[0], second = x[1];
    hl_reduce_log_softmax(x, 1000, x);
    for (int i = 0; i < 1000; i++)
        sum += exp((double)x[i]);
    assert_true(fabs(sum - 1.0) < 1e-5);
    assert_true(fabsf((x[0] - x[1]) - (first - second)) < 1e-5f);
}

static void
entropy_of_known_rows(void **state)
{
    (void)state;
    const float even[4] = { 0.25f, 0.25f, 0.25f, 0.25f }, one[3] = { 0, 1, 0 };
    assert_true(fabs(hl_reduce_entropy(even, 4) - log(4.0)) < 1e-12);
    assert_true(hl_reduce_entropy(one, 3) == 0.0);
    assert_true(hl_reduce_entropy(one, 0) == 0.0);
}

static void
dot_of_known_rows(void **state)
{
    (void)state;
    const float a[5] = { 1, 2, 3, 4, 5 }, b[5] = { 2, 0, 1, -1, 1 };
    assert_true(hl_reduce_dot(a, b, 5) == 6.0f);
    assert_true(hl_reduce_dot(a, b, 0) == 0.0f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(argmax_and_top_agree_with_sorting),
        cmocka_unit_test(argmax_of_infinities),
        cmocka_unit_test(log_softmax_is_a_distribution),
        cmocka_unit_test(entropy_of_known_rows),
        cmocka_unit_test(dot_of_known_rows),
    };
    return cmocka_run_group_tests_name("reduce", tests, NULL, NULL);
}

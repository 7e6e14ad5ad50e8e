#include "attn/rope.h"

#include <math.h>

#include "harness/test.h"

enum { D = 6, N = 40 };

static double
score(const struct hl_rope *r, int q_at, int k_at)
{
    float q[D] = { 0.5f, -1.0f, 2.0f, 0.25f, 1.5f, -0.75f };
    float k[D] = { 1.0f, 0.5f, -0.5f, 2.0f, -1.25f, 0.125f };
    double sum = 0;
    hl_rope_turn(r, q_at, 1, q);
    hl_rope_turn(r, k_at, 1, k);
    for (int i = 0; i < D; i++)
        sum += (double)q[i] * (double)k[i];
    return sum;
}

static void
scores_know_the_distance_alone(void **state)
{
    double frequencies[D / 2];
    float cosines[N * D / 2], sines[N * D / 2];
    const struct hl_rope r = { D, N, cosines, sines };
    (void)state;
    hl_rope_frequencies(10000, D, frequencies);
    hl_rope_table(frequencies, N, D, cosines, sines);
    assert_true(fabs(frequencies[1] - 0.046415888336127795) < 1e-15);
    for (int at = 0; at + 7 < N; at++)
        assert_true(fabs(score(&r, at + 7, at) - score(&r, 7, 0)) < 1e-5);
    assert_true(fabs(score(&r, 7, 0) - score(&r, 6, 0)) > 1e-2);
}

/* Column k goes with k + Dh/2: a quarter turn carries one into the other. */
static void
halves_are_turned_into_each_other(void **state)
{
    static const float cosines[] = { 0, 1 }, sines[] = { 1, 0 };
    const struct hl_rope r = { 4, 1, cosines, sines };
    float row[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const float want[] = { -3, 2, 1, 4, -7, 6, 5, 8 };
    (void)state;
    hl_rope_turn(&r, 0, 2, row);
    for (int i = 0; i < 8; i++)
        assert_true(row[i] == want[i]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_know_the_distance_alone),
        cmocka_unit_test(halves_are_turned_into_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

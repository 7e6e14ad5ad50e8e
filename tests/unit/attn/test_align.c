#include "attn/align.h"

#include "harness/test.h"

static void
soft_is_the_weighted_sum(void **state)
{
    (void)state;
    const float w[2] = { 0.25f, 0.75f }, v[4] = { 4, 8, 0, -4 };
    float c[2];
    hl_align_soft(w, v, 2, 2, 2, c);
    assert_true(c[0] == 1.0f && c[1] == -1.0f);
}

static void
samples_fall_on_possible_places(void **state)
{
    (void)state;
    const float w[5] = { 0, 0.5f, 0, 1e-30f, 0 }, none[3] = { 0, 0, 0 };
    float hard[5];
    struct hl_rng rng;
    hl_rng_init(&rng, 1);
    for (int i = 0; i < 200; i++) {
        int at = hl_align_sample(w, 5, &rng, hard);
        assert_true(at == 1 || at == 3);
    }
    assert_int_equal(hl_align_sample(none, 3, &rng, hard), -1);
    assert_true(hard[0] == 0.0f && hard[2] == 0.0f);
    assert_int_equal(hl_align_sample(none, 0, &rng, hard), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_is_the_weighted_sum),
        cmocka_unit_test(samples_fall_on_possible_places),
    };
    return cmocka_run_group_tests_name("align", tests, NULL, NULL);
}

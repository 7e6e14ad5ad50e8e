#include "attn/mha.h"

#include "harness/test.h"

#include <math.h>

/* The textbook's three words: queries, keys and values with known weights. */
static void
three_words(void **state)
{
    (void)state;
    const float q[9] = { 1, 0, 2, 2, 2, 2, 2, 1, 3 }, k[9] = { 0, 1, 1, 4, 4, 0, 2, 3, 1 };
    const float v[9] = { 1, 2, 3, 2, 8, 0, 2, 6, 3 };
    float out[9], w[9], s[9];
    struct hl_mha a = { .n_heads = 1,
                        .d_head = 3,
                        .n_q = 3,
                        .n_k = 3,
                        .q = q,
                        .k = k,
                        .v = v,
                        .q_stride = 3,
                        .k_stride = 3,
                        .v_stride = 3,
                        .scale = 1.0f,
                        .out = out,
                        .out_stride = 3,
                        .weights = { w, 9, 3 },
                        .scores = { s, 9, 3 } };
    hl_mha_run(&a);
    const double weights[3] = { 0.0634, 0.4683, 0.4683 }, mixed[3] = { 1.9366, 6.6831, 1.5951 };
    for (int i = 0; i < 3; i++) {
        assert_true(s[i] == (i == 0 ? 2.0f : 4.0f));
        assert_true(fabs((double)w[i] - weights[i]) < 5.1e-5);
        assert_true(fabs((double)out[i] - mixed[i]) < 5.1e-5);
    }
}

/* Scores of 112 and 96 at a head width of 64 become 14 and 12, then 0.88 and 0.12. */
static void
scale_is_the_root_of_the_head_width(void **state)
{
    (void)state;
    float q[64] = { 16 }, k[128] = { 7 }, v[128] = { 0 }, out[64], w[2], s[2];
    k[64] = 6;
    struct hl_mha a = { .n_heads = 1,
                        .d_head = 64,
                        .n_q = 1,
                        .n_k = 2,
                        .q = q,
                        .k = k,
                        .v = v,
                        .q_stride = 64,
                        .k_stride = 64,
                        .v_stride = 64,
                        .out = out,
                        .out_stride = 64,
                        .weights = { w, 2, 2 },
                        .scores = { s, 2, 2 } };
    hl_mha_run(&a);
    assert_true(s[0] == 14.0f && s[1] == 12.0f);
    assert_true(fabsf(w[0] - 0.88f) < 0.005f && fabsf(w[1] - 0.12f) < 0.005f);
}

static void
nothing_visible_gives_zeros(void **state)
{
    (void)state;
    const float x[2] = { 1, 2 };
    const uint8_t mask[1] = { 0 };
    float out[2] = { 9, 9 }, scratch[1];
    struct hl_mha a = { .n_heads = 1,
                        .d_head = 2,
                        .n_q = 1,
                        .n_k = 1,
                        .q = x,
                        .k = x,
                        .v = x,
                        .q_stride = 2,
                        .k_stride = 2,
                        .v_stride = 2,
                        .mask = mask,
                        .out = out,
                        .out_stride = 2,
                        .scratch = scratch };
    hl_mha_run(&a);
    assert_true(out[0] == 0.0f && out[1] == 0.0f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_words),
        cmocka_unit_test(scale_is_the_root_of_the_head_width),
        cmocka_unit_test(nothing_visible_gives_zeros),
    };
    return cmocka_run_group_tests_name("mha", tests, NULL, NULL);
}

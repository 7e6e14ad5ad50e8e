/* Small known cases; the laws of tests/law cover shapes and values at large. */
#include "harness/test.h"

#include <math.h>

#include "nn/block.h"
#include "nn/embed.h"
#include "nn/linear.h"
#include "nn/rnn.h"

static void
linear_is_affine(void **state)
{
    (void)state;
    const float w[6] = { 1, 2, 3, 4, 5, 6 }, b[2] = { 1, -1 }, x[3] = { 1, 0, -1 };
    const struct hl_linear l = { { w, HL_DTYPE_F32, 2, 3 }, b };
    float y[2];
    hl_linear_apply(&l, 1, x, 3, y, 2);
    assert_true(y[0] == -1.0f && y[1] == -3.0f);
}

static void
embedding_picks_and_scales(void **state)
{
    (void)state;
    const uint16_t table[4] = { 0x3C00, 0x4000, 0x4200, 0x4400 }; /* 1 2; 3 4 */
    const struct hl_weight w = { table, HL_DTYPE_F16, 2, 2 };
    const int32_t ids[3] = { 1, 0, 1 };
    float out[9] = { 0 };
    hl_embed_rows(&w, ids, 3, 0.5f, out, 3);
    assert_true(out[0] == 1.5f && out[1] == 2.0f && out[2] == 0.0f && out[3] == 0.5f &&
                out[7] == 2.0f);
}

/* With all weights 0, h' = (1 - z) tanh(b_in + r b_hn) + z h, worked by hand. */
static void
gru_by_hand(void **state)
{
    (void)state;
    const float w_ih[3] = { 0 }, w_hh[3] = { 0 }, b_ih[3] = { 1, -1, 0.5f };
    const float b_hh[3] = { 0, 0.5f, 2 }, x = 3, h = 0.25f;
    const struct hl_gru g = {
        { w_ih, HL_DTYPE_F32, 3, 1 }, { w_hh, HL_DTYPE_F32, 3, 1 }, b_ih, b_hh
    };
    float out, gates[3], scratch[6];
    assert_int_equal(hl_rnn_gru_scratch(&g, 1), 6);
    hl_rnn_gru_step(&g, 1, &x, 1, &h, 1, &out, 1, gates, scratch);
    double r = 1 / (1 + exp(-1)), z = 1 / (1 + exp(0.5)), n = tanh(0.5 + r * 2);
    assert_true(fabs((double)gates[0] - r) < 1e-6 && fabs((double)gates[1] - z) < 1e-6 &&
                fabs((double)gates[2] - n) < 1e-6);
    assert_true(fabs((double)out - ((1 - z) * n + z * 0.25)) < 1e-6);
    hl_rnn_gru_run(&g, 0, &x, 1, false, &out, 1, scratch); /* an empty text is allowed */
}

/* Scratch grows with rows and keys. */
static void
block_scratch_counts_floats(void **state)
{
    (void)state;
    struct hl_block b = { .d = 4, .n_heads = 2 };
    b.ffn.fc1.w.rows = 10;
    assert_int_equal(hl_block_scratch(&b, 3, 7), 3 * (5 * 4 + 10) + 7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_is_affine),
        cmocka_unit_test(embedding_picks_and_scales),
        cmocka_unit_test(gru_by_hand),
        cmocka_unit_test(block_scratch_counts_floats),
    };
    return cmocka_run_group_tests_name("nn", tests, NULL, NULL);
}

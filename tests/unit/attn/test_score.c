#include "attn/score.h"

#include "harness/test.h"

#include <math.h>
#include <string.h>

static void
table_is_whole(void **state)
{
    (void)state;
    static const char *const names[] = { "additive", "dot",    "general",
                                         "scaled",   "cosine", "location" };
    for (int i = 0; i < HL_SCORE_COUNT; i++) {
        const struct hl_score_row *r = &hl_score_table[i];
        assert_string_equal(r->name, names[i]);
        assert_int_equal(hl_score_find(names[i]), i);
        assert_true(strncmp(r->formula, "e_j = ", 6) == 0);
        assert_true(r->title && r->source && r->run && r->ref);
    }
    assert_int_equal(hl_score_find("Dot"), -1);
    assert_int_equal(hl_score_find(""), -1);
}

static void
known_scores(void **state)
{
    (void)state;
    const float q[2] = { 3, 4 }, k[4] = { 6, 8, -4, 3 }, w[4] = { 0, 1, 2, 0 };
    const float v[2] = { 1, 2 }, s[1] = { 2 }, lw[2] = { 5, 7 }, lb[2] = { 1, 0 };
    const struct hl_score_params p = { 2, v, w, 3.0f, 1, 2, lw, lb };
    const struct hl_score_input in = { q, s, k, 2, 2 };
    const double want[HL_SCORE_COUNT][2] = {
        [HL_SCORE_ADDITIVE] = { tanh(9) + 2 * tanh(12), tanh(-1) + 2 * tanh(7) },
        [HL_SCORE_DOT] = { 50, 0 },
        [HL_SCORE_GENERAL] = { 3 * 8 + 8 * 6, 3 * 3 + 8 * -4 },
        [HL_SCORE_SCALED] = { 50 / sqrt(2), 0 },
        [HL_SCORE_COSINE] = { 3, 0 },
        [HL_SCORE_LOCATION] = { 11, 14 },
    };
    for (int i = 0; i < HL_SCORE_COUNT; i++) {
        float out[2], scratch[2];
        double ref[2];
        hl_score_table[i].run(&p, &in, scratch, out);
        hl_score_table[i].ref(&p, &in, ref);
        for (int j = 0; j < 2; j++) {
            assert_true(fabs((double)out[j] - want[i][j]) < 1e-5);
            assert_true(fabs(ref[j] - want[i][j]) < 1e-12);
        }
    }
}

/* A zero vector has no direction: its cosine is 0 and not NaN. */
static void
cosine_of_nothing_is_zero(void **state)
{
    (void)state;
    const float zero[2] = { 0, 0 }, k[2] = { 1, 1 };
    const struct hl_score_params p = { .d = 2, .strength = 1.0f };
    const struct hl_score_input in = { zero, NULL, k, 2, 1 };
    float out, scratch[2];
    hl_score_table[HL_SCORE_COSINE].run(&p, &in, scratch, &out);
    assert_true(out == 0.0f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_whole),
        cmocka_unit_test(known_scores),
        cmocka_unit_test(cosine_of_nothing_is_zero),
    };
    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}

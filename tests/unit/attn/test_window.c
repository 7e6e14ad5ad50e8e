#include "attn/window.h"

#include "harness/test.h"

#include <math.h>

static void
names_go_round(void **state)
{
    (void)state;
    for (int i = 0; i < HL_WINDOW_COUNT; i++)
        assert_int_equal(hl_window_find(hl_window_name((enum hl_window)i)), i);
    assert_int_equal(hl_window_find("local"), -1);
}

static void
ranges(void **state)
{
    (void)state;
    static const struct {
        double centre;
        int half, n, lo, hi;
    } cases[] = {
        { 5, 3, 20, 2, 9 },    { 0, 3, 20, 0, 4 },     { 19, 3, 20, 16, 20 }, { 5.5, 3, 20, 3, 9 },
        { 2.3, 0, 9, 2, 3 },   { 2.5, 0, 9, 3, 4 },    { 30, 2, 9, 8, 9 },    { -30, 2, 9, 0, 1 },
        { 1e300, 2, 9, 8, 9 }, { -1e300, 2, 9, 0, 1 }, { 0, 5, 0, 0, 0 },     { 0.4, 9, 1, 0, 1 },
    };
    for (int i = 0; i < N_OF(cases); i++) {
        struct hl_window_range r = hl_window_around(cases[i].centre, cases[i].half, cases[i].n);
        assert_int_equal(r.lo, cases[i].lo);
        assert_int_equal(r.hi, cases[i].hi);
    }
    struct hl_window_range r = hl_window_around((double)NAN, 2, 5);
    assert_true(r.lo >= 0 && r.lo < r.hi && r.hi <= 5);
}

/* With equal scores local-p shows the Gaussian itself: at one deviation, D / 2 from
 * the centre, exp(-1/2) of the peak. */
static void
gaussian_has_deviation_half_the_width(void **state)
{
    (void)state;
    float w[9] = { 0 };
    hl_window_weights(w, 9, hl_window_around(4.0, 4, 9), true, 4.0, 4, w);
    assert_true(fabsf(w[4] - 1.0f / 9.0f) < 1e-7f);
    assert_true(fabs((double)(w[2] / w[4]) - exp(-0.5)) < 1e-6);
    assert_true(fabs((double)(w[8] / w[4]) - exp(-2.0)) < 1e-6);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_go_round),
        cmocka_unit_test(ranges),
        cmocka_unit_test(gaussian_has_deviation_half_the_width),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}

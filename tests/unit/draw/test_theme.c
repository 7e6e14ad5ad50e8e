#include "harness/test.h"

#include <math.h>
#include <stdio.h>

#include "draw/theme.h"

static void
at_least(double want, hl_color a, hl_color b, const char *what, bool dark)
{
    double got = theme_contrast(a, b);
    if (got < want)
        fail_msg("%s (%s): #%06x on #%06x is %.2f:1, wanted %.1f", what, dark ? "dark" : "light",
                 a >> 8, b >> 8, got, want);
}

/* Every pair of text and ground that screens use reaches 4.5:1. */
static void
test_text(void **state)
{
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        const struct hl_theme *t = theme_get(dark == 1);
        hl_color grounds[] = { t->background, t->panel };
        for (int g = 0; g < N_OF(grounds); g++) {
            at_least(4.5, t->ink, grounds[g], "ink", dark);
            at_least(4.5, t->quiet, grounds[g], "quiet", dark);
            at_least(4.5, t->accent, grounds[g], "accent", dark);
            at_least(4.5, t->pinned_ink, grounds[g], "pinned ink", dark);
            at_least(4.5, t->error, grounds[g], "error", dark);
        }
        at_least(4.5, t->chip_ink, t->chip, "chip ink", dark);
        at_least(4.5, t->chip_quiet, t->chip, "chip quiet", dark);
        at_least(4.5, t->accent, t->chip, "accent on chip", dark);
        at_least(4.5, t->pinned_ink, t->pinned_soft, "pinned ink on its tint", dark);
        at_least(4.5, t->ink, t->pinned_soft, "ink on the pinned tint", dark);
        at_least(4.5, t->ink, t->accent_soft, "ink on the selection", dark);
        at_least(4.5, t->accent, t->accent_soft, "accent on its tint", dark);
        at_least(4.5, t->white_on_accent, t->accent, "text on accent", dark);
    }
}

/* Marks reach 3:1 against the panel. */
static void
test_marks(void **state)
{
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        const struct hl_theme *t = theme_get(dark == 1);
        at_least(3, t->pinned, t->panel, "pinned", dark);
        at_least(3, t->pinned, t->background, "pinned", dark);
        at_least(3, t->focus, t->panel, "focus", dark);
        for (int i = 0; i < THEME_HEADS; i++) {
            at_least(3, t->head[i], t->panel, "head hue", dark);
            at_least(4.5, theme_text_on(t->head[i]), t->head[i], "text on a head hue", dark);
            for (int k = 0; k < i; k++)
                assert_true(t->head[i] != t->head[k]);
        }
    }
}

static void
test_cells(void **state)
{
    (void)state;
    for (int m = 0; m < DL_MAP_COUNT; m++)
        for (int dark = 0; dark < 2; dark++)
            for (int i = 0; i < 256; i++) {
                hl_color c = theme_map_color((enum dl_map)m, dark == 1, i);
                at_least(4.5, theme_text_on(c), c, "text on a cell", dark);
                assert_true(c == theme_map((enum dl_map)m, dark == 1)[i]);
            }
}

/* OKLab lightness, written out once more. */
static double
lightness(hl_color c)
{
    double v[3];
    for (int i = 0; i < 3; i++) {
        double s = (double)(c >> (24 - 8 * i) & 255) / 255;
        v[i] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    }
    double l = cbrt(0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
    double m = cbrt(0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
    double s = cbrt(0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

static void
test_weights_even(void **state)
{
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        double first = lightness(theme_map_color(DL_MAP_WEIGHT, dark == 1, 0));
        double last = lightness(theme_map_color(DL_MAP_WEIGHT, dark == 1, 254));
        for (int i = 0; i <= 254; i++) {
            double want = first + (last - first) * i / 254;
            double got = lightness(theme_map_color(DL_MAP_WEIGHT, dark == 1, i));
            assert_true(fabs(got - want) < 0.008);
        }
    }
    assert_int_equal(theme_map_color(DL_MAP_WEIGHT, false, 0), 0xfbfbf8ff);
    assert_int_equal(theme_map_color(DL_MAP_WEIGHT, false, 254), 0x0f1550ff);
    assert_int_equal(theme_map_color(DL_MAP_WEIGHT, true, 0), 0x1f2329ff);
    assert_int_equal(theme_map_color(DL_MAP_WEIGHT, true, 254), 0xffffffff);
}

static void
test_signed(void **state)
{
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        const struct hl_theme *t = theme_get(dark == 1);
        assert_int_equal(theme_map_color(DL_MAP_SIGNED, dark == 1, 127), t->panel);
        for (int i = 0; i < 127; i++) {
            hl_color below = theme_map_color(DL_MAP_SIGNED, dark == 1, i);
            hl_color above = theme_map_color(DL_MAP_SIGNED, dark == 1, 254 - i);
            assert_true(fabs(lightness(below) - lightness(above)) < 0.01);
            if (i < 100) { /* orange: red over blue; blue the other way */
                assert_true((below >> 24) > (below >> 8 & 255));
                assert_true((above >> 24) < (above >> 8 & 255));
            }
        }
    }
}

static void
test_masked(void **state)
{
    (void)state;
    for (int m = 0; m < DL_MAP_COUNT; m++)
        for (int dark = 0; dark < 2; dark++) {
            hl_color masked = theme_map_color((enum dl_map)m, dark == 1, DL_MASKED);
            int zero = m == DL_MAP_SIGNED ? 127 : 0;
            assert_true(fabs(lightness(masked) -
                             lightness(theme_map_color((enum dl_map)m, dark == 1, zero))) > 0.04);
        }
}

static void
test_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(theme_mix(0x00000000, 0xffffffff, 0.5f), 0x80808080);
    assert_int_equal(theme_mix(0x102030ff, 0xffffff00, 0), 0x102030ff);
    assert_int_equal(theme_mix(0x102030ff, 0xffffff00, 2), 0xffffff00);
    assert_true(fabs(theme_contrast(0x000000ff, 0xffffffff) - 21) < 1e-9);
    assert_true(fabs(theme_contrast(0x777777ff, 0xffffffff) - 4.48) < 0.01);
    assert_int_equal(theme_step(-1), 0);
    assert_int_equal(theme_step(0.5), 127);
    assert_int_equal(theme_step(7), 254);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),         cmocka_unit_test(test_marks),
        cmocka_unit_test(test_cells),        cmocka_unit_test(test_weights_even),
        cmocka_unit_test(test_signed),       cmocka_unit_test(test_masked),
        cmocka_unit_test(test_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

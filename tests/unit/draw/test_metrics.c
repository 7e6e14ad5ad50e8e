#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/metrics.h"

static const struct hl_metrics *const m = &hl_metrics_fixed;

static float
width(enum dl_font font, const char *s)
{
    return metrics_width(m, font, 10, s, strlen(s));
}

static void
test_widths(void **state)
{
    (void)state;
    assert_true(fabsf(width(DL_FONT_UI, "abc") - 16.5f) < 1e-4f);
    assert_true(fabsf(width(DL_FONT_MONO, "abc") - 18) < 1e-4f);
    assert_true(fabsf(width(DL_FONT_UI, "e\xCC\x81") - 5.5f) < 1e-4f);       /* e and accent */
    assert_true(fabsf(width(DL_FONT_UI, "\xE6\x97\xA5") - 10) < 1e-4f);      /* a wide one */
    assert_true(width(DL_FONT_UI, "") == 0);
    assert_true(width(DL_FONT_UI, "\xFF") > 0); /* invalid bytes are seen */
}

static void
test_carets(void **state)
{
    (void)state;
    static const char *const texts[] = { "", "a", "abc", "e\xCC\x81t\xC3\xA9", "\xE6\x97\xA5x" };
    for (int i = 0; i < N_OF(texts); i++) {
        size_t n = strlen(texts[i]);
        for (size_t at = 0;; at = hl_utf8_grapheme_next(texts[i], n, at)) {
            float x = m->caret_x(NULL, DL_FONT_UI, 14, texts[i], n, at);
            assert_int_equal(m->caret_at(NULL, DL_FONT_UI, 14, texts[i], n, x), at);
            if (at >= n)
                break;
        }
        assert_int_equal(m->caret_at(NULL, DL_FONT_UI, 14, texts[i], n, 1e6f), n);
        assert_int_equal(m->caret_at(NULL, DL_FONT_UI, 14, texts[i], n, -5), 0);
    }
}

/* The cut text with its ellipsis fits, and one more grapheme would not. */
static void
test_fit(void **state)
{
    (void)state;
    const char *s = "The animal didn't cross the \xC3\xA9tang e\xCC\x81";
    size_t n = strlen(s);
    float all = metrics_width(m, DL_FONT_UI, 10, s, n);
    float dots = metrics_width(m, DL_FONT_UI, 10, METRICS_ELLIPSIS, 3);
    assert_int_equal(metrics_fit(m, DL_FONT_UI, 10, s, n, all), n);
    assert_int_equal(metrics_fit(m, DL_FONT_UI, 10, s, n, 1), 0);
    for (float room = dots + 1; room < all - 0.1f; room += 0.7f) {
        size_t keep = metrics_fit(m, DL_FONT_UI, 10, s, n, room);
        size_t more = hl_utf8_grapheme_next(s, n, keep);
        assert_true(keep < n);
        assert_true(metrics_width(m, DL_FONT_UI, 10, s, keep) + dots <= room + 0.01f);
        assert_true(keep == 0 || s[keep - 1] != ' ');
        assert_true(s[keep] == ' ' || more == n ||
                    metrics_width(m, DL_FONT_UI, 10, s, more) + dots > room - 0.01f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_carets),
        cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

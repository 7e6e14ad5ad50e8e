/* Measuring and carets with real fonts; skipped where DejaVu Sans is missing. */
#include "harness/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "sdl/font.h"

static struct hl_fonts *fonts;
static const struct hl_metrics *m;

static float
width(const char *s, float size)
{
    return metrics_width(m, DL_FONT_UI, size, s, strlen(s));
}

static float
caret_x(const char *s, size_t at)
{
    return m->caret_x(m->user, DL_FONT_UI, 20, s, strlen(s), at);
}

static size_t
caret_at(const char *s, float x)
{
    return m->caret_at(m->user, DL_FONT_UI, 20, s, strlen(s), x);
}

/* "marhaban", Arabic letters of two bytes each. */
#define ARABIC "\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7"

static void
test_widths(void **state)
{
    (void)state;
    assert_true(width("", 12) == 0);
    assert_true(width("i", 12) > 1);
    assert_true(width("wide", 12) > width("will", 12));
    /* Sizes scale exactly: a layout is the same at every zoom. */
    assert_true(fabsf(width("The animal", 25) - 2 * width("The animal", 12.5f)) < 1e-3f);
    /* Digits of the fixed face are equally wide. */
    float one = metrics_width(m, DL_FONT_MONO, 12, "1", 1);
    assert_true(fabsf(metrics_width(m, DL_FONT_MONO, 12, "0.9936", 6) - 6 * one) < 1e-3f);
    assert_true(fabsf(width("e\xCC\x81", 20) - width("\xC3\xA9", 20)) < 0.01f);
    assert_true(m->ascent(m->user, DL_FONT_UI, 10) > 5);
    assert_true(m->descent(m->user, DL_FONT_UI, 10) > 1);
}

static void
test_carets(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a", "office", "d\xC3\xA9j\xC3\xA0 vu", "e\xCC\x81t\xCC\x80x", ("a\xE2\x80\x8D" "b"),
        ARABIC,
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
    };
    for (int i = 0; i < N_OF(texts); i++) {
        const char *s = texts[i];
        size_t n = strlen(s);
        for (size_t at = 0;; at = hl_utf8_grapheme_next(s, n, at)) {
            assert_int_equal(caret_at(s, caret_x(s, at)), at);
            if (at >= n)
                break;
        }
    }
    assert_true(caret_x("abc", 0) == 0);
    assert_true(fabsf(caret_x("abc", 3) - width("abc", 20)) < 1e-3f);
    assert_true(caret_x("ab", 1) > 0 && caret_x("ab", 1) < caret_x("ab", 2));
    assert_int_equal(caret_at("abc", 1e6f), 3);
    assert_int_equal(caret_at("abc", -1e6f), 0);
    /* Inside a character: the caret before it. */
    assert_true(caret_x("\xC3\xA9z", 1) == 0);
}

static void
test_right_to_left(void **state)
{
    (void)state;
    /* The line starts at the right and ends at the left. */
    assert_true(fabsf(caret_x(ARABIC, 0) - width(ARABIC, 20)) < 1e-3f);
    assert_true(fabsf(caret_x(ARABIC, 10)) < 1e-3f);
    assert_true(caret_x(ARABIC, 2) > caret_x(ARABIC, 4));
    /* Latin first: the Arabic stands right of it, its own carets running left. */
    const char *mixed = "ab " ARABIC " cd";
    assert_true(caret_x(mixed, 3) > caret_x(mixed, 5));
    assert_true(caret_x(mixed, 5) > caret_x(mixed, 7));
    assert_true(caret_x(mixed, 7) > caret_x(mixed, 2));
    assert_true(caret_x(mixed, strlen(mixed)) > caret_x(mixed, 3));
    assert_true(fabsf(caret_x(mixed, strlen(mixed)) - width(mixed, 20)) < 1e-3f);
    /* Joined letters are narrower than the same ones alone. */
    assert_true(width(ARABIC, 20) < width("\xD9\x85 \xD8\xB1 \xD8\xAD \xD8\xA8 \xD8\xA7", 20));
}

static void
test_hostile(void **state)
{
    (void)state;
    char marks[2 * 500 + 2] = "a", invalid[64];
    for (int i = 0; i < 500; i++)
        memcpy(marks + 1 + 2 * i, "\xCC\x81", 3);
    assert_true(fabsf(width(marks, 20) - width("\xC3\xA1", 20)) < width("a", 20));
    assert_int_equal(caret_at(marks, 1e6f), strlen(marks));
    for (int i = 0; i < 63; i++)
        invalid[i] = (char)(0x80 + i * 2);
    invalid[63] = '\0';
    assert_true(width(invalid, 20) > 0);
    assert_true(width("\x01\x02\x7f\t", 20) >= 0);
    assert_true(width("\xF0\x9F\x98\x80\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC", 20) > 0);
}

static void
test_long(void **state)
{
    (void)state;
    enum { N = 10000 };
    char *s = malloc(N + 1);
    assert_non_null(s);
    for (int i = 0; i < N; i++)
        s[i] = "abc de\xD9\x85 "[i % 9];
    s[N] = '\0';
    assert_true(width(s, 20) > N);
    assert_int_equal(caret_at(s, caret_x(s, 5000)), 5000 - (s[5000] == '\x85'));
    free(s);
}

int
main(void)
{
    struct hl_error err = { 0 };
    if (fonts_create_family("DejaVu Sans", &fonts, &err) != HL_OK ||
        strcmp(fonts_family(fonts, DL_FONT_UI), "DejaVu Sans") != 0) {
        fonts_destroy(fonts);
        return 77;
    }
    m = fonts_metrics(fonts);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),  cmocka_unit_test(test_carets),
        cmocka_unit_test(test_right_to_left), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_long),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fonts_destroy(fonts);
    return failed;
}

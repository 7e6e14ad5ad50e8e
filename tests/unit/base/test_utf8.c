#include "base/utf8.h"

#include "harness/test.h"

#include <stdlib.h>
#include <string.h>

static void
every_character_goes_round(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x110000; cp++) {
        char buf[4];
        uint32_t back;
        bool real = cp < 0x110000 && !(cp >= 0xD800 && cp <= 0xDFFF);
        size_t n = hl_utf8_put(buf, cp);
        assert_int_equal(hl_utf8_next(buf, n, &back), n);
        assert_int_equal(back, real ? cp : 0xFFFD);
        assert_int_equal(hl_utf8_prev(buf, n), n);
        if (n > 1) { /* one byte short is invalid */
            assert_int_equal(hl_utf8_next(buf, n - 1, &back), 1);
            assert_int_equal(back, 0xFFFD);
            assert_false(hl_utf8_valid(buf, n - 1));
        }
    }
}

static void
invalid_bytes_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "\xe2\x82"
    };
    for (int i = 0; i < N_OF(bad); i++)
        assert_false(hl_utf8_valid(bad[i], strlen(bad[i])));
    assert_true(hl_utf8_valid("", 0));
    assert_true(hl_utf8_valid("a\0é", 4));
    assert_int_equal(hl_utf8_prev("a\x80\x80\x80\x80", 5), 1);
}

static const char *
repair(struct hl_arena *a, const char *s, size_t n)
{
    size_t out_n;
    const char *p = hl_utf8_repair(a, s, n, &out_n);
    assert_non_null(p);
    assert_int_equal(strlen(p), out_n);
    assert_true(hl_utf8_valid(p, out_n));
    return p;
}

/* Each maximal invalid part is one U+FFFD (Unicode standard, table 3-8). */
static void
repair_marks_maximal_parts(void **state)
{
    (void)state;
#define R "\xEF\xBF\xBD"
    struct hl_arena a;
    hl_arena_init(&a, 1024, 0);
    assert_string_equal(repair(&a,
                               "a\xF1\x80\x80\xE1\x80\xC2"
                               "b\x80"
                               "c",
                               10),
                        "a" R R R "b" R "c");
    assert_string_equal(repair(&a, "\xC0\xAF\xE0\x80\xBF", 5), R R R R R);
    assert_string_equal(repair(&a, "\xED\xA0\x80", 3), R R R);
    assert_string_equal(repair(&a, "\xF4\x91\xF0\x9F\x98", 5), R R R);
    assert_string_equal(repair(&a, "a\0b", 3), "a" R "b");
    assert_string_equal(repair(&a, "plain é", 8), "plain é");
    assert_string_equal(repair(&a, "", 0), "");
    hl_arena_deinit(&a);
#undef R
}

static void
controls_become_spaces(void **state)
{
    char s[] = "a\n\x1b[1m\x7f\xc2\x9b"
               "b\xc2\xa0\xc2"; /* C1; NBSP stays; cut */
    (void)state;
    hl_utf8_blank_controls(s, sizeof s - 1);
    assert_string_equal(s, "a  [1m   b\xc2\xa0\xc2");
    hl_utf8_blank_controls(s, 0);
    char turned[] = "a\xe2\x80\xae"
                    "b\xe2\x81\xa6"
                    "c\x9b"
                    "d\xe2\x80\xa6\xd7\x90"; /* RLO, LRI, raw C1 */
    hl_utf8_blank_controls(turned, sizeof turned - 1);
    assert_string_equal(turned, "a   b   c d\xe2\x80\xa6\xd7\x90");
}

static void
nfc_composes(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "e\xcc\x81t\xc3\xa9", "\xc3\xa9t\xc3\xa9" },
        { "plain", "plain" },
        { "", "" },
        { "\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80" },  /* Hangul */
        { "\xe2\x84\xab", "\xc3\x85" },                  /* Angstrom sign */
        { "a\xcc\x81\xcc\xa3", "\xe1\xba\xa1\xcc\x81" }, /* marks are ordered */
        { "\xef\xac\x81", "\xef\xac\x81" },              /* ligature stays */
    };
    struct hl_arena a;
    hl_arena_init(&a, 1024, 0);
    for (int i = 0; i < N_OF(cases); i++) {
        size_t n = 99;
        const char *p = hl_utf8_nfc(&a, cases[i].in, strlen(cases[i].in), &n);
        assert_string_equal(p, cases[i].out);
        assert_int_equal(n, strlen(cases[i].out));
    }
    hl_arena_deinit(&a);
}

static void
graphemes_stay_whole(void **state)
{
    (void)state;
    /* e + acute, family of three, flag, flag, Hangul syllable, CR LF, a */
    static const char *const parts[] = {
        "e\xcc\x81",
        "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
        "\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
        "\xf0\x9f\x87\xac\xf0\x9f\x87\xa7",
        "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8",
        "\r\n",
        "a",
    };
    char text[128] = "";
    size_t ends[N_OF(parts) + 1] = { 0 };
    for (int i = 0; i < N_OF(parts); i++) {
        strcat(text, parts[i]);
        ends[i + 1] = strlen(text);
    }
    size_t n = strlen(text);
    for (int i = 0; i < N_OF(parts); i++) {
        assert_int_equal(hl_utf8_grapheme_next(text, n, ends[i]), ends[i + 1]);
        assert_int_equal(hl_utf8_grapheme_prev(text, n, ends[i + 1]), ends[i]);
    }
    assert_int_equal(hl_utf8_grapheme_next(text, n, n), n);
    assert_int_equal(hl_utf8_grapheme_prev(text, n, 0), 0);
    /* Five hundred marks on one letter are one step. */
    char heap[1 + 500 * 2 + 2] = "z";
    for (int i = 0; i < 500; i++)
        memcpy(heap + 1 + 2 * i, "\xcc\x81", 2);
    memcpy(heap + 1001, "y", 2);
    assert_int_equal(hl_utf8_grapheme_next(heap, 1002, 0), 1001);
    assert_int_equal(hl_utf8_grapheme_prev(heap, 1002, 1001), 0);
}

static void
words_are_jumped(void **state)
{
    (void)state;
    const char *s = "  l'eau, cafe\xcc\x81 \xe6\x97\xa5\xe6\x9c\xac -- x2";
    size_t n = strlen(s);
    static const size_t next[] = { 3, 4, 7, 8, 15, 22, 25, 28 };
    static const size_t prev[] = { 26, 23, 16, 9, 7, 4, 3, 2, 0 };
    size_t at = 0;
    for (int i = 0; i < N_OF(next); i++) {
        at = hl_utf8_word_next(s, n, at);
        assert_int_equal(at, next[i]);
    }
    assert_int_equal(hl_utf8_word_next(s, n, n), n);
    at = n;
    for (int i = 0; i < N_OF(prev); i++) {
        at = hl_utf8_word_prev(s, n, at);
        assert_int_equal(at, prev[i]);
    }
    assert_int_equal(hl_utf8_word_prev(s, n, 0), 0);
}

static void
kinds(void **state)
{
    (void)state;
    assert_true(hl_utf8_is_space(' ') && hl_utf8_is_space('\t') && hl_utf8_is_space(0xA0) &&
                hl_utf8_is_space(0x3000) && hl_utf8_is_space(0x2028));
    assert_false(hl_utf8_is_space('a') || hl_utf8_is_space(0x200B));
    assert_true(hl_utf8_is_punct('.') && hl_utf8_is_punct(0xBF) && hl_utf8_is_punct(0x3002));
    assert_false(hl_utf8_is_punct('+') || hl_utf8_is_punct('a'));
    assert_true(hl_utf8_is_word('a') && hl_utf8_is_word('7') && hl_utf8_is_word(0x301) &&
                hl_utf8_is_word(0x65E5));
    assert_false(hl_utf8_is_word('-') || hl_utf8_is_word(' ') || hl_utf8_is_word(0x1F600));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_goes_round),
        cmocka_unit_test(invalid_bytes_are_refused),
        cmocka_unit_test(repair_marks_maximal_parts),
        cmocka_unit_test(controls_become_spaces),
        cmocka_unit_test(nfc_composes),
        cmocka_unit_test(graphemes_stay_whole),
        cmocka_unit_test(words_are_jumped),
        cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}

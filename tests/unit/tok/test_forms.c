/* Normalisation forms against utf8proc's own, and what becomes of the spans. */
#include "harness/test.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "tok/forms.h"

static struct hl_ntext
form(struct hl_arena *a, const char *text, size_t n, bool compose, bool compat)
{
    struct hl_ntext t;
    struct hl_nbuf out;
    assert_true(hl_ntext_init(&t, a, text, n));
    hl_nbuf_init(&out, a, n + 1);
    hl_form_apply(&t, compose, compat, &out);
    assert_false(out.failed);
    return out.t;
}

static void
check_spans(const struct hl_ntext *t, size_t n)
{
    for (size_t i = 0; i < t->n; i++) {
        assert_true(t->start[i] >= 0 && t->start[i] < t->end[i] && (size_t)t->end[i] <= n);
        assert_true(i == 0 || (t->start[i] >= t->start[i - 1] && t->end[i] >= t->end[i - 1]));
    }
}

static size_t
random_text(struct hl_rng *rng, char *buf, int n_chars)
{
    static const uint32_t ranges[][2] = {
        { 0x20, 0x7E },       { 0xA0, 0x17F },     { 0x300, 0x36F },   { 0x370, 0x5FF },
        { 0x600, 0x6FF },     { 0x900, 0xDFF },    { 0x1100, 0x11FF }, { 0x1E00, 0x24FF },
        { 0x3040, 0x30FF },   { 0xAC00, 0xAC60 },  { 0xF900, 0xFAFF }, { 0xFB00, 0xFFDC },
        { 0x1D100, 0x1D1FF }, { 0x1F300, 0x1F64F }
    };
    size_t at = 0;
    int r = hl_rng_below(rng, N_OF(ranges));
    for (int i = 0; i < n_chars; i++) {
        if (hl_rng_below(rng, 3) == 0)
            r = hl_rng_below(rng, 2) ? 2 : hl_rng_below(rng, N_OF(ranges));
        uint32_t span = ranges[r][1] - ranges[r][0] + 1;
        at += hl_utf8_put(buf + at, ranges[r][0] + (uint32_t)hl_rng_below(rng, (int)span));
    }
    return at;
}

static void
test_equal_to_utf8proc(void **state)
{
    struct hl_rng rng;
    struct hl_arena a;
    (void)state;
    hl_rng_init(&rng, 3);
    hl_arena_init(&a, 0, 0);
    for (int i = 0; i < 4000; i++) {
        char text[200];
        bool compose = i & 1, compat = i & 2;
        size_t n = random_text(&rng, text, 1 + hl_rng_below(&rng, 30));
        utf8proc_uint8_t *want = NULL;
        utf8proc_option_t options = UTF8PROC_STABLE |
                                    (compose ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                                    (compat ? UTF8PROC_COMPAT : 0);
        utf8proc_ssize_t want_n =
            utf8proc_map((utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &want, options);
        struct hl_ntext got = form(&a, text, n, compose, compat);
        if (want_n < 0 || got.n != (size_t)want_n || memcmp(got.p, want, got.n) != 0)
            fail_msg("round %d differs", i);
        check_spans(&got, n);
        free(want);
        hl_arena_reset(&a);
    }
    hl_arena_deinit(&a);
}

static void
test_spans(void **state)
{
    struct hl_arena a;
    (void)state;
    hl_arena_init(&a, 0, 0);
    /* Composed: one character for two. Neighbours keep their own spans. */
    struct hl_ntext t = form(&a, "ae\xCC\x81z", 5, true, false);
    assert_true(t.n == 4 && memcmp(t.p, "a\xC3\xA9z", 4) == 0);
    assert_true(t.start[1] == 1 && t.end[2] == 4 && t.start[3] == 4 && t.end[3] == 5);
    /* One becomes several: each stands for it. */
    t = form(&a, "x\xEF\xAC\x81", 4, true, true);
    assert_true(t.n == 3 && memcmp(t.p, "xfi", 3) == 0);
    assert_true(t.start[1] == 1 && t.end[1] == 4 && t.start[2] == 1 && t.end[2] == 4);
    /* A cluster that the form leaves alone keeps its characters apart. */
    t = form(&a, "q\xCC\x81", 3, true, false);
    assert_true(t.n == 3 && t.end[0] == 1 && t.start[1] == 1 && t.end[1] == 3);
    hl_arena_deinit(&a);
}

/* Ten thousand marks of alternating classes on one letter: sorted, and soon. */
static void
test_many_marks(void **state)
{
    enum { N = 10000 };
    static char text[1 + 4 * N];
    struct hl_arena a;
    size_t at = 1;
    (void)state;
    text[0] = 'q';
    for (int i = 0; i < N; i++)
        at += hl_utf8_put(text + at, i % 2 ? 0x323 : 0x301);
    hl_arena_init(&a, 0, 0);
    struct hl_ntext t = form(&a, text, at, false, false);
    assert_true(t.n == at);
    assert_memory_equal(t.p + 1, "\xCC\xA3\xCC\xA3", 4);
    assert_memory_equal(t.p + at - 4, "\xCC\x81\xCC\x81", 4);
    check_spans(&t, at);
    hl_arena_deinit(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_utf8proc),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_many_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

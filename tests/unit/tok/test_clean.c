/* The shipped translators read typographic text as its plain form: same ids, and spans
 * that show what was typed. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "tok/tok.h"

static const char *const models[] = { "en-fr-transformer", "en-fr-gru" };

/* Between them: every sign that has variants, and all the ligatures. */
static const char *const sentences[] = {
    "He didn't say \"no\" - he said \"maybe\"...",
    "Is that well-known office on the first floor open?",
    "I can't find the waffle iron; it's in the staff flat!",
    "The animal didn't cross the street because it was too tired.",
    "Wait... what's a \"twenty-five euro\" ticket?",
    "Yes: 12.50 euros, at 7:30.",
};

struct swap {
    const char *plain, *typed;
};

static const struct swap swaps[] = {
    { "'", "\u2019" },   { "'", "\u2018" },    { "'", "\u02BC" },   { "'", "\u2032" },
    { "'", "\u0060" },   { "'", "\u00B4" },    { "'", "\u201B" },   { "'", "\uFF07" },
    { "-", "\u2010" },   { "-", "\u2011" },    { "-", "\u2012" },   { "-", "\u2013" },
    { "-", "\u2014" },   { "-", "\u2015" },    { "-", "\u2212" },   { "-", "\uFF0D" },
    { "...", "\u2026" }, { " ", "\u00A0" },    { " ", "\u202F" },   { " ", "\u2009" },
    { " ", "\u200A" },   { " ", "\u2003" },    { " ", "\u3000" },   { " ", "\u1680" },
    { " ", "\t" },       { " ", "\n" },        { " ", "\r\n" },     { " ", "\v" },
    { " ", "\f" },       { " ", "\xC2\x85" },  { " ", "\u2028" },   { " ", "\u2029" },
    { " ", "   " },      { " ", "\u00A0 \n" }, { "?", "\u202F?" },  { "!", " !" },
    { ":", " :" },       { ";", "\u00A0;" },   { "ffi", "\uFB03" }, { "fl", "\uFB02" },
    { "ff", "\uFB00" },  { "fi", "\uFB01" },   { "st", "\uFB06" },  { "st", "\uFB05" },
};

static const struct swap quotes[] = {
    { "\u201C", "\u201D" },   { "\u201E", "\u201C" }, { "\u00AB", "\u00BB" },
    { "\u00AB ", " \u00BB" }, { "\u2033", "\u2033" }, { "\u00AB\u00A0", "\u00A0\u00BB" },
    { "\uFF02", "\uFF02" },
};

static const char *const marks[] = { "\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF",
                                     "\u00AD", "\u200E", "\u200F", "\u2066" };

/* ---- help ---- */

static struct hl_tok *
open_model(const char *name)
{
    char path[1024];
    struct hl_tok *t = NULL;
    struct hl_error err = { 0 };
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(path, sizeof(path), "%s/models/%s", root ? root : ".", name);
    if (hl_tok_open(path, &t, &err) != HL_OK)
        fail_msg("%s: %s", path, err.detail);
    return t;
}

static struct hl_encoding
encode(const struct hl_tok *t, const char *text, struct hl_arena *a)
{
    struct hl_encoding e = { 0 };
    struct hl_error err = { 0 };
    if (hl_tok_encode(t, text, strlen(text), true, a, &e, &err) != HL_OK)
        fail_msg("\"%s\": %s", text, err.detail);
    return e;
}

/* All of `from` in a text as `to`; "" for `to` takes them out. */
static char *
swapped(struct hl_arena *a, const char *text, const char *from, const char *to)
{
    char *out = hl_arena_new(a, strlen(text) * (strlen(to) + 1) + 1, char), *at = out;
    while (*text) {
        bool hit = strncmp(text, from, strlen(from)) == 0;
        at += sprintf(at, "%.*s", hit ? (int)strlen(to) : 1, hit ? to : text);
        text += hit ? strlen(from) : 1;
    }
    return out;
}

static char *
slice(struct hl_arena *a, const char *text, const struct hl_encoding *e, int i)
{
    char *out = hl_arena_new(a, e->end[i] - e->start[i] + 1, char);
    memcpy(out, text + e->start[i], (size_t)(e->end[i] - e->start[i]));
    return out;
}

static struct hl_encoding
same_ids(const struct hl_tok *t, const char *plain, const char *typed, struct hl_arena *a)
{
    struct hl_encoding x = encode(t, plain, a), y = encode(t, typed, a);
    if (x.n != y.n || memcmp(x.ids, y.ids, (size_t)x.n * sizeof(*x.ids)) != 0)
        fail_msg("\"%s\" is not read as \"%s\"", typed, plain);
    return y;
}

/* A token's typed bytes, with the swap undone, are the plain token's. */
static void
same_spans(const struct hl_tok *t, const char *plain, const char *typed, const char *from,
           const char *to, struct hl_arena *a)
{
    struct hl_encoding x = encode(t, plain, a), y = same_ids(t, plain, typed, a);
    for (int i = 0; i < x.n; i++) {
        if (x.start[i] < 0) {
            assert_int_equal(y.start[i], -1);
            continue;
        }
        assert_true(y.start[i] < y.end[i] && (size_t)y.end[i] <= strlen(typed));
        const char *want = slice(a, plain, &x, i);
        const char *got = swapped(a, slice(a, typed, &y, i), to, from);
        if (strcmp(want, got) != 0)
            fail_msg("\"%s\": token %d spans \"%s\" and not \"%s\"", typed, i, got, want);
    }
}

static void
each(void (*check)(const struct hl_tok *t, const char *plain, struct hl_arena *a))
{
    struct hl_arena a;
    hl_arena_init(&a, 0, 0);
    for (int m = 0; m < N_OF(models); m++) {
        struct hl_tok *t = open_model(models[m]);
        for (int i = 0; i < N_OF(sentences); i++) {
            check(t, sentences[i], &a);
            hl_arena_reset(&a);
        }
        hl_tok_close(t);
    }
    hl_arena_deinit(&a);
}

/* ---- the variants ---- */

static void
check_swaps(const struct hl_tok *t, const char *plain, struct hl_arena *a)
{
    for (int i = 0; i < N_OF(swaps); i++) {
        const char *from = swaps[i].plain, *to = swaps[i].typed;
        const char *typed = swapped(a, plain, from, to);
        /* What one sign stands for may be several tokens, and a space before a sign none. */
        if (strlen(from) > 1 || strchr("?!:;", from[0]))
            same_ids(t, plain, typed, a);
        else
            same_spans(t, plain, typed, from, to, a);
    }
}

static void
test_signs(void **state)
{
    (void)state;
    each(check_swaps);
}

static void
check_quotes(const struct hl_tok *t, const char *plain, struct hl_arena *a)
{
    for (int i = 0; i < N_OF(quotes); i++) {
        char *typed = hl_arena_new(a, 4 * strlen(plain) + 8, char), *at = typed;
        bool open = true;
        for (const char *p = plain; *p; p++) {
            const char *one = *p == '"' ? (open ? quotes[i].plain : quotes[i].typed) : NULL;
            at += one ? sprintf(at, "%s", one) : sprintf(at, "%c", *p);
            open ^= *p == '"';
        }
        same_ids(t, plain, typed, a);
    }
}

static void
test_quotes(void **state)
{
    (void)state;
    each(check_quotes);
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Between any two letters, before the text and after it. */
static void
check_marks(const struct hl_tok *t, const char *plain, struct hl_arena *a)
{
    for (int i = 0; i < N_OF(marks); i++) {
        char *typed = hl_arena_new(a, 4 * strlen(plain) + 16, char), *at = typed;
        at += sprintf(at, "%s", marks[i]);
        for (const char *p = plain; *p; p++)
            at += sprintf(at, "%c%s", *p, is_letter(p[0]) && is_letter(p[1]) ? marks[i] : "");
        strcpy(at, marks[i]);
        same_spans(t, plain, typed, "", marks[i], a);
    }
}

static void
test_invisible(void **state)
{
    (void)state;
    each(check_marks);
}

static void
check_wide(const struct hl_tok *t, const char *plain, struct hl_arena *a)
{
    char *typed = hl_arena_new(a, 4 * strlen(plain) + 16, char);
    size_t at = 0;
    for (const char *p = plain; *p; p++)
        at += hl_utf8_put(typed + at, *p == ' ' ? 0x3000 : (uint32_t)*p + 0xFEE0);
    struct hl_encoding x = encode(t, plain, a), y = same_ids(t, plain, typed, a);
    for (int i = 0; i < x.n - 1; i++) /* three bytes for each */
        assert_true(y.start[i] == 3 * x.start[i] && y.end[i] == 3 * x.end[i]);
}

static void
test_full_width(void **state)
{
    (void)state;
    each(check_wide);
}

/* Figures keep their sense, and what cleaning leaves empty is nothing but the end. */
static void
test_single_cases(void **state)
{
    static const struct swap rows[] = {
        { "It is 10^2 metres.", "It is 10\u00B2 metres." },
        { "3 1/2 litres", "3\u00BD litres" },
        { "a na\u00EFve caf\u00E9", "a nai\u0308ve cafe\u0301" },
        { "20 \u00B0C", "20\u00A0\u00BAC" },
        { "", "\uFEFF\u00A0\u200B\n" },
    };
    struct hl_arena a;
    (void)state;
    hl_arena_init(&a, 0, 0);
    struct hl_tok *t = open_model(models[0]);
    for (int i = 0; i < N_OF(rows); i++)
        same_ids(t, rows[i].plain, rows[i].typed, &a);
    hl_tok_close(t);
    hl_arena_deinit(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_invisible),    cmocka_unit_test(test_full_width),
        cmocka_unit_test(test_single_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

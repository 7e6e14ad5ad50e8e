/* Encoding and decoding: equal to the reference library, and lawful on any text. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "io/json.h"
#include "tok/tok.h"

static struct hl_map_file
read_data(const char *name)
{
    char path[1024];
    struct hl_map_file file;
    struct hl_error err = { 0 };
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(path, sizeof(path), "%s/tests/data/tok/%s", root ? root : ".", name);
    if (hl_map_open(path, &file, &err) != HL_OK)
        fail_msg("%s: %s", path, err.detail);
    return file;
}

static struct hl_tok *
open_tok(const char *name)
{
    struct hl_map_file file = read_data(name);
    struct hl_tok *t = NULL;
    struct hl_error err = { 0 };
    if (hl_tok_parse((const char *)file.p, file.n, name, &t, &err) != HL_OK)
        fail_msg("%s: %s", name, err.detail);
    hl_map_close(&file);
    return t;
}

/* Ordered spans inside the text on borders of characters, -1 for the template's. */
static void
check_encoding(const struct hl_encoding *e, const char *text, size_t n)
{
    int32_t start = 0, end = 0, word = 0;
    for (int i = 0; i < e->n; i++) {
        if (e->start[i] == -1) {
            assert_true(e->end[i] == -1 && e->word[i] == -1 && e->special[i]);
            continue;
        }
        assert_true(e->start[i] >= start && e->end[i] >= end && e->start[i] <= e->end[i]);
        /* empty only where a token is spaces alone and these are left out */
        assert_true(e->start[i] < e->end[i] || text[e->end[i] - 1] == ' ');
        assert_true((size_t)e->end[i] <= n);
        assert_true(((unsigned char)text[e->start[i]] & 0xC0) != 0x80);
        assert_true((size_t)e->end[i] == n || ((unsigned char)text[e->end[i]] & 0xC0) != 0x80);
        assert_true(e->special[i] ? e->word[i] == -1 : e->word[i] >= word);
        start = e->start[i];
        end = e->end[i];
        word = e->special[i] ? word : e->word[i];
    }
}

static struct hl_encoding
encode(const struct hl_tok *t, const char *text, size_t n, struct hl_arena *a)
{
    struct hl_encoding e = { 0 };
    struct hl_error err = { 0 };
    if (hl_tok_encode(t, text, n, true, a, &e, &err) != HL_OK)
        fail_msg("\"%s\": %s", text, err.detail);
    check_encoding(&e, text, n);
    return e;
}

/* ---- against the reference library's results ---- */

static void
check_case(const struct hl_tok *t, const struct hl_json *row, bool spans)
{
    struct hl_arena a;
    hl_arena_init(&a, 0, 0);
    const char *text = hl_json_string(hl_json_get(row, "text"));
    const struct hl_json *id = hl_json_get(row, "ids");
    const struct hl_json *span = hl_json_first(hl_json_get(row, "spans"));
    struct hl_encoding e = encode(t, text, strlen(text), &a);
    if (hl_json_n(id) != e.n)
        fail_msg("\"%s\": %d tokens and not %d", text, e.n, hl_json_n(id));
    id = hl_json_first(id);
    for (int i = 0; i < e.n; i++, id = hl_json_next(id), span = hl_json_next(span)) {
        int64_t want = -1, start = -2, end = -2;
        hl_json_int(id, 0, INT32_MAX, &want);
        if (want != e.ids[i])
            fail_msg("\"%s\": token %d is %d and not %d", text, i, (int)e.ids[i], (int)want);
        hl_json_int(hl_json_first(span), -1, INT32_MAX, &start);
        hl_json_int(hl_json_next(hl_json_first(span)), -1, INT32_MAX, &end);
        if (spans && (start != e.start[i] || end != e.end[i]))
            fail_msg("\"%s\": token %d spans %d to %d and not %d to %d", text, i, (int)e.start[i],
                     (int)e.end[i], (int)start, (int)end);
    }
    char *back = hl_tok_decode(t, e.ids, e.n, &a, NULL, NULL);
    assert_string_equal(back, hl_json_string(hl_json_get(row, "decoded")));
    hl_arena_deinit(&a);
}

/* Whether this tokeniser's spans are the reference's. Composing changes lengths: there a
 * character of ours stands for all that it was composed of, the reference's for the first. */
static bool
has_same_spans(const char *file)
{
    return strcmp(file, "bpe.json") == 0 || (strstr(file, "hf-") && !strstr(file, "qwen2"));
}

static void
check_file(const char *cases)
{
    struct hl_map_file file = read_data(cases);
    struct hl_json_doc *doc = NULL;
    struct hl_tok *t = NULL;
    const char *open = "";
    int n = 0;
    assert_int_equal(hl_json_parse((const char *)file.p, file.n, "expected", 9, &doc, NULL), HL_OK);
    const struct hl_json *row = hl_json_first(hl_json_get(hl_json_root(doc), "cases"));
    for (; row; row = hl_json_next(row), n++) {
        const char *name = hl_json_string(hl_json_get(row, "file"));
        assert_non_null(name);
        if (strcmp(open, name) != 0) {
            hl_tok_close(t);
            t = open_tok(name);
            open = name;
        }
        check_case(t, row, has_same_spans(name));
    }
    assert_true(n > 180);
    hl_tok_close(t);
    hl_json_close(doc);
    hl_map_close(&file);
}

static void
test_reference(void **state)
{
    (void)state;
    check_file("expected.json");
}

/* Tokenisers of checkpoints: WordPiece, byte-level BPE, BPE with bytes to fall back to. */
static void
test_families(void **state)
{
    (void)state;
    check_file("families.json");
}

/* ---- laws ---- */

static size_t
random_text(struct hl_rng *rng, char *buf, int n_chars)
{
    static const char *const bits[] = { " ",  "  ",    "\t", "the",  " cat", "é", "e\xCC\x81",
                                        "日", "😀",     "'",  "Zug",  "ﬁ",    "▁", "<0x41>",
                                        "¾",  "العرب", "\n", "</s>", "was ", "ö" };
    size_t at = 0;
    for (int i = 0; i < n_chars; i++) {
        if (hl_rng_below(rng, 2)) {
            const char *bit = bits[hl_rng_below(rng, N_OF(bits))];
            memcpy(buf + at, bit, strlen(bit));
            at += strlen(bit);
        } else {
            int kind = hl_rng_below(rng, 3);
            uint32_t cp = (uint32_t)hl_rng_below(rng, kind == 0 ? 0x7E : 0x3000) + 1;
            at += hl_utf8_put(buf + at, kind == 2 ? 0x61 + cp % 26 : cp);
        }
    }
    buf[at] = '\0';
    return at;
}

static bool
same_ids(const struct hl_encoding *x, const struct hl_encoding *y)
{
    return x->n == y->n && memcmp(x->ids, y->ids, (size_t)x->n * sizeof(*x->ids)) == 0;
}

/* With the shipped pipeline a space typed at the end changes nothing at all. */
static void
test_trailing_space(void **state)
{
    struct hl_tok *t = open_tok("unigram.json");
    struct hl_rng rng;
    struct hl_arena a;
    (void)state;
    hl_rng_init(&rng, 5);
    hl_arena_init(&a, 0, 0);
    for (int i = 0; i < 600; i++) {
        char text[600];
        size_t n = random_text(&rng, text, hl_rng_below(&rng, 20));
        struct hl_encoding e = encode(t, text, n, &a);
        memcpy(text + n, "  ", 3);
        for (size_t more = 1; more <= 2; more++) {
            struct hl_encoding f = encode(t, text, n + more, &a);
            if (n > 0 && !same_ids(&e, &f) && !strstr(text, "</s> "))
                fail_msg("\"%s\" changes with a space", text);
        }
        hl_arena_reset(&a);
    }
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

/* What the shipped pipeline makes of a text before the model: NFC, single spaces, none
 * at the end, and none at the start once the mark is taken away. */
static char *
normal(const char *text, size_t n, struct hl_arena *a)
{
    size_t len, at = 0;
    char *s = hl_utf8_nfc(a, text, n, &len);
    assert_non_null(s);
    for (size_t i = 0; i < len; i++) {
        if (s[i] != ' ' || (i > 0 && s[i - 1] != ' '))
            s[at++] = s[i];
        else if (i > 0)
            continue;
    }
    for (uint32_t cp; at > 0; at -= hl_utf8_prev(s, at)) {
        hl_utf8_next(s + at - hl_utf8_prev(s, at), hl_utf8_prev(s, at), &cp);
        if (!hl_utf8_is_space(cp))
            break;
    }
    s[at] = '\0';
    return s;
}

static void
test_decode_gives_the_text_back(void **state)
{
    struct hl_tok *t = open_tok("unigram.json");
    struct hl_rng rng;
    struct hl_arena a;
    (void)state;
    hl_rng_init(&rng, 9);
    hl_arena_init(&a, 0, 0);
    for (int i = 0; i < 1500; i++) {
        char text[600];
        size_t n = random_text(&rng, text, hl_rng_below(&rng, 20));
        if (strstr(text, "</s>") || strstr(text, "▁"))
            continue;
        struct hl_encoding e = encode(t, text, n, &a);
        int32_t *start = hl_arena_new(&a, e.n, int32_t), *end = hl_arena_new(&a, e.n, int32_t);
        char *back = hl_tok_decode(t, e.ids, e.n, &a, start, end);
        assert_string_equal(back, normal(text, n, &a));
        for (int k = 0, done = 0; k < e.n; k++) {
            if (e.special[k]) {
                assert_true(start[k] == -1 && end[k] == -1);
                continue;
            }
            assert_true(start[k] <= done && end[k] >= done);
            done = end[k];
            assert_true(k + 2 < e.n || (size_t)done == strlen(back));
        }
        hl_arena_reset(&a);
    }
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

static void
test_all_tokenisers_on_any_text(void **state)
{
    static const char *const names[] = { "unigram.json", "unigram-plain.json", "bpe.json",
                                         "bpe-plain.json" };
    struct hl_rng rng;
    struct hl_arena a;
    (void)state;
    hl_rng_init(&rng, 21);
    hl_arena_init(&a, 0, 0);
    for (int k = 0; k < N_OF(names); k++) {
        struct hl_tok *t = open_tok(names[k]);
        for (int i = 0; i < 200; i++) {
            char text[600];
            size_t n = random_text(&rng, text, hl_rng_below(&rng, 20));
            struct hl_encoding e = encode(t, text, n, &a), plain;
            assert_int_equal(hl_tok_encode(t, text, n, false, &a, &plain, NULL), HL_OK);
            assert_true(plain.n < e.n);
            assert_non_null(hl_tok_decode(t, e.ids, e.n, &a, NULL, NULL));
            hl_arena_reset(&a);
        }
        hl_tok_close(t);
    }
    hl_arena_deinit(&a);
}

/* ---- single cases ---- */

static void
test_spans_and_words(void **state)
{
    struct hl_tok *t = open_tok("unigram.json");
    struct hl_arena a;
    const char *text = "  the  日 </s> cat.";
    (void)state;
    hl_arena_init(&a, 0, 0);
    struct hl_encoding e = encode(t, text, strlen(text), &a);
    assert_string_equal(hl_tok_piece(t, e.ids[0]), "▁the");
    /* The collapsed spaces belong to the piece that begins with them. */
    assert_true(e.start[0] == 0 && e.end[0] == 5 && e.word[0] == 0);
    assert_string_equal(hl_tok_piece(t, e.ids[1]), "▁");
    assert_true(e.start[1] == 5 && e.end[1] == 7 && e.word[1] == 1);
    for (int i = 2; i < 5; i++) /* the three bytes of one character */
        assert_true(e.start[i] == 7 && e.end[i] == 10 && e.word[i] == 1);
    assert_true(e.special[5] && e.start[5] == 11 && e.end[5] == 15 && e.word[5] == -1);
    assert_int_equal(e.word[e.n - 2], 3);
    assert_true(e.special[e.n - 1] && e.start[e.n - 1] == -1);
    assert_string_equal(hl_tok_label(t, e.ids[0]), "the");
    assert_string_equal(hl_tok_label(t, e.ids[1]), "▁");
    assert_string_equal(hl_tok_label(t, e.ids[2]), "<0xE6>");
    assert_string_equal(hl_tok_label(t, e.ids[5]), "</s>");
    assert_true(hl_tok_starts_word(t, e.ids[0]));
    assert_false(hl_tok_starts_word(t, e.ids[2]));
    assert_true(hl_tok_is_special(t, e.ids[5]));
    assert_false(hl_tok_is_special(t, -1));
    assert_string_equal(hl_tok_piece(t, 1 << 30), "");
    assert_int_equal(hl_tok_find(t, "▁the"), e.ids[0]);
    assert_int_equal(hl_tok_find(t, "no such piece"), -1);
    assert_true(hl_tok_n(t) > 500);
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

static void
test_broken_bytes_decode(void **state)
{
    struct hl_tok *t = open_tok("unigram.json");
    struct hl_arena a;
    const char *const pieces[] = { "▁", "<0xE6>", "<0x97>", "<0x41>", "<0x00>", "</s>", "s" };
    int32_t ids[8], start[8], end[8];
    (void)state;
    for (int i = 0; i < N_OF(pieces); i++)
        ids[i] = hl_tok_find(t, pieces[i]);
    ids[7] = 123456;
    hl_arena_init(&a, 0, 0);
    char *text = hl_tok_decode(t, ids, 8, &a, start, end);
    assert_string_equal(text, "\xEF\xBF\xBD\xEF\xBF\xBD"
                              "A\xEF\xBF\xBDs");
    static const int32_t want[] = { 0, 0, 3, 6, 7, -1, 10, -1 };
    for (int i = 0; i < 8; i++)
        assert_int_equal(start[i], want[i]);
    assert_true(end[0] == 0 && end[3] == 7 && end[6] == 11);
    text = hl_tok_decode(t, ids, 0, &a, NULL, NULL);
    assert_string_equal(text, "");
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

static void
test_bad_text_is_refused(void **state)
{
    struct hl_tok *t = open_tok("bpe.json");
    struct hl_arena a;
    struct hl_encoding e;
    struct hl_error err = { 0 };
    (void)state;
    hl_arena_init(&a, 0, 0);
    assert_int_equal(hl_tok_encode(t, "a\xFF", 2, true, &a, &e, &err), HL_E_ARGUMENT);
    assert_int_equal(hl_tok_encode(t, "a\0b", 3, true, &a, &e, &err), HL_E_ARGUMENT);
    assert_int_equal(hl_tok_encode(t, "", 0, true, &a, &e, &err), HL_OK);
    assert_int_equal(e.n, 1);
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

/* Texts that make a careless tokeniser quadratic: 15,000 bytes of each. */
static void
test_long_texts(void **state)
{
    static const char *const bits[] = { "a",     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ",
                                        " ",     "\xCC\x81",
                                        "▁",     "日本",
                                        "</s> ", "the cat ",
                                        "ab",    "e\xCC\x81\xCC\xA3",
                                        "\n",    "😀" };
    static const char *const names[] = { "unigram.json", "unigram-plain.json", "bpe.json",
                                         "bpe-plain.json" };
    static char text[16000];
    (void)state;
    for (int k = 0; k < N_OF(names); k++) {
        struct hl_tok *t = open_tok(names[k]);
        for (int i = 0; i < N_OF(bits); i++) {
            struct hl_arena a;
            size_t n = 0, len = strlen(bits[i]);
            for (; n + len < 15000; n += len)
                memcpy(text + n, bits[i], len);
            text[n] = '\0';
            hl_arena_init(&a, 0, 0);
            encode(t, text, n, &a);
            hl_arena_deinit(&a);
        }
        hl_tok_close(t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_trailing_space),
        cmocka_unit_test(test_decode_gives_the_text_back),
        cmocka_unit_test(test_all_tokenisers_on_any_text),
        cmocka_unit_test(test_spans_and_words),
        cmocka_unit_test(test_broken_bytes_decode),
        cmocka_unit_test(test_bad_text_is_refused),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

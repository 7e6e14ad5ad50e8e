/* Files that ask for more than any tokeniser needs end in a sentence, soon. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/span.h"
#include "tok/tok.h"

static const char model[] = "\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":"
                            "[[\"<unk>\",0],[\"a\",-1],[\"b\",-2]]}";

static void
put(struct hl_sb *sb, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        hl_sb_printf(sb, "%s%s", i > 0 ? "," : "", text);
}

static double
seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Opens and forgets the text; in so few seconds, generous for a sanitizer. */
static enum hl_status
open_it(struct hl_sb *sb, struct hl_tok **out, struct hl_error *err)
{
    double t = seconds();
    *out = NULL;
    assert_false(sb->failed);
    enum hl_status st = hl_tok_parse(sb->p, sb->n, "tokenizer.json", out, err);
    assert_true(seconds() - t < 5);
    hl_sb_deinit(sb);
    return st;
}

static void
a_text_that_doubles_forty_times(void **state)
{
    struct hl_sb sb = { 0 };
    struct hl_tok *t;
    struct hl_error err = { 0 };
    struct hl_encoding e;
    struct hl_arena a;
    (void)state;
    hl_sb_puts(&sb, "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[");
    put(&sb, "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"aa\"}", 40);
    hl_sb_printf(&sb, "]},%s}", model);
    assert_int_equal(open_it(&sb, &t, &err), HL_OK);
    hl_arena_init(&a, 0, 0);
    assert_int_equal(hl_tok_encode(t, "b", 1, true, &a, &e, &err), HL_OK);
    assert_int_equal(e.n, 1);
    assert_int_equal(hl_tok_encode(t, "ba", 2, true, &a, &e, &err), HL_E_TOKENIZER);
    assert_non_null(strstr(err.detail, "its normalizers write more than"));
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

static void
an_added_token_that_does(void **state)
{
    struct hl_sb sb = { 0 };
    struct hl_tok *t;
    struct hl_error err = { 0 };
    (void)state;
    hl_sb_puts(&sb, "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[");
    put(&sb, "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"aa\"}", 40);
    hl_sb_printf(
        &sb, "]},\"added_tokens\":[{\"id\":3,\"content\":\"[a]\",\"normalized\":true}],%s}", model);
    assert_int_equal(open_it(&sb, &t, &err), HL_E_TOKENIZER);
    assert_null(t);
    assert_non_null(strstr(err.detail, "its normalizers write more than"));
}

static void
a_decoder_that_grows(void **state)
{
    struct hl_sb sb = { 0 };
    struct hl_tok *t;
    struct hl_error err = { 0 };
    (void)state;
    for (int n = 6; n <= 7; n++) {
        hl_sb_puts(&sb, "{\"decoder\":{\"type\":\"Sequence\",\"decoders\":[");
        put(&sb, "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"aa\"}", n);
        hl_sb_printf(&sb, "]},%s}", model);
        assert_int_equal(open_it(&sb, &t, &err), n == 6 ? HL_OK : HL_E_TOKENIZER);
        hl_tok_close(t);
    }
    assert_non_null(strstr(err.detail, "more than 64 times longer"));
}

static void
a_template_of_thousands(void **state)
{
    enum { N = 30000 };
    struct hl_sb sb = { 0 };
    struct hl_tok *t;
    struct hl_error err = { 0 };
    (void)state;
    hl_sb_puts(&sb, "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[");
    put(&sb, "{\"SpecialToken\":{\"id\":\"last\"}}", N);
    hl_sb_puts(&sb, ",{\"Sequence\":{\"id\":\"A\"}}],\"special_tokens\":{");
    for (int i = 0; i < N; i++)
        hl_sb_printf(&sb, "\"s%d\":{\"ids\":[]},", i);
    hl_sb_printf(&sb, "\"last\":{\"ids\":[]}}},%s}", model);
    assert_int_equal(open_it(&sb, &t, &err), HL_E_TOKENIZER);
    assert_non_null(strstr(err.detail, "over 64 parts"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_doubles_forty_times),
        cmocka_unit_test(an_added_token_that_does),
        cmocka_unit_test(a_decoder_that_grows),
        cmocka_unit_test(a_template_of_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

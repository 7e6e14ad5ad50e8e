/* Tokeniser files: what is not supported or makes no sense is refused by name. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/fail_alloc.h"
#include "tok/tok.h"

#define UNI "\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"<unk>\",0],[\"a\",-1]]}"

static const char sound[] =
    "{\"version\":\"1.0\",\"added_tokens\":[{\"id\":2,\"content\":\"<s>\",\"special\":true},"
    "{\"id\":3,\"content\":\"A B\",\"normalized\":true}],"
    "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Lowercase\"},"
    "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" +\"},\"content\":\" \"}]},"
    "\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"_\"},"
    "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"A\"}},"
    "{\"SpecialToken\":{\"id\":\"<s>\"}}],\"special_tokens\":{\"<s>\":{\"ids\":[2]}}},"
    "\"decoder\":{\"type\":\"Metaspace\",\"replacement\":\"_\"}," UNI "}";

static enum hl_status
parse(const char *text, struct hl_tok **t, struct hl_error *err)
{
    *t = NULL;
    return hl_tok_parse(text, strlen(text), "tokenizer.json", t, err);
}

static void
test_sound_file(void **state)
{
    struct hl_tok *t;
    struct hl_error err = { 0 };
    struct hl_arena a;
    struct hl_encoding e;
    (void)state;
    if (parse(sound, &t, &err) != HL_OK)
        fail_msg("%s", err.detail);
    hl_arena_init(&a, 0, 0);
    /* The token that is sought in normalised text is found in lower case, too. */
    assert_int_equal(hl_tok_encode(t, "A a   B<s>", 10, true, &a, &e, &err), HL_OK);
    static const int32_t want[] = { 0, 1, 0, 3, 2, 2 };
    assert_int_equal(e.n, N_OF(want));
    assert_memory_equal(e.ids, want, sizeof(want));
    assert_int_equal(hl_tok_n(t), 4);
    assert_string_equal(hl_tok_label(t, 1), "a");
    hl_arena_deinit(&a);
    hl_tok_close(t);
    hl_tok_close(NULL);
}

static void
test_refused_files(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        { "{}", "'model' is missing" },
        { "{\"version\":\"2.0\"," UNI "}", "version" },
        { "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{}}}", "no vocabulary" },
        { "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a\":0}}}", "'[UNK]' is not" },
        { "{\"model\":{\"type\":\"WordLevel\",\"vocab\":{}}}", "'WordLevel' is not supported" },
        { "{\"model\":{}}", "'none' is not supported" },
        { "{\"normalizer\":{\"type\":\"Precompiled\"}," UNI "}", "'Precompiled' is not supported" },
        { "{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"(\"},\"content\":\"\"}"
          "," UNI "}",
          "expression '('" },
        { "{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" "
          "*\"},\"content\":\"\"}," UNI "}",
          "matches even nothing" },
        { "{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"String\":\"\"},\"content\":\"\"}"
          "," UNI "}",
          "empty string" },
        { "{\"normalizer\":{\"type\":\"Replace\",\"content\":\"\"}," UNI "}", "'String'" },
        { "{\"normalizer\":{\"type\":\"Strip\",\"strip_left\":3}," UNI "}", "'strip_left'" },
        { "{\"normalizer\":{}," UNI "}", "no type" },
        { "{\"pre_tokenizer\":{\"type\":\"UnicodeScripts\"}," UNI "}", "'UnicodeScripts' is not" },
        { "{\"pre_tokenizer\":{\"type\":\"Split\"}," UNI "}", "no pattern" },
        { "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a*\"}}," UNI "}",
          "matches even nothing" },
        { "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"String\":\"a\"},"
          "\"behavior\":\"Eaten\"}," UNI "}",
          "'Eaten'" },
        { "{\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"use_regex\":1}," UNI "}", "'use_regex'" },
        { "{\"normalizer\":{\"type\":\"BertNormalizer\",\"lowercase\":1}," UNI "}", "'lowercase'" },
        { "{\"pre_tokenizer\":{\"type\":\"Metaspace\"}," UNI "}", "'replacement'" },
        { "{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"ab\"}," UNI "}",
          "one character" },
        { "{\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"_\","
          "\"prepend_scheme\":\"often\"}," UNI "}",
          "always, first or never" },
        { "{\"decoder\":{\"type\":\"CTC\"}," UNI "}", "'CTC' is not supported" },
        { "{\"decoder\":{\"type\":\"Strip\",\"content\":\"\"}," UNI "}", "one character" },
        { "{\"post_processor\":{\"type\":\"BertProcessing\"}," UNI "}", "'cls'" },
        { "{\"post_processor\":{\"type\":\"RobertaProcessing\",\"cls\":[\"a\",1],"
          "\"sep\":[\"a\",99]}," UNI "}",
          "'sep'" },
        { "{\"post_processor\":{\"type\":\"Sequence\",\"processors\":[{\"type\":"
          "\"BertProcessing\",\"cls\":[\"a\",1],\"sep\":[\"a\",1]},{\"type\":\"BertProcessing\","
          "\"cls\":[\"a\",1],\"sep\":[\"a\",1]}]}," UNI "}",
          "two of its post_processors" },
        { "{\"post_processor\":{\"type\":\"Other\"}," UNI "}", "'Other' is not supported" },
        { "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[]}," UNI "}",
          "TemplateProcessing" },
        { "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":"
          "{\"id\":\"x\"}},{\"Sequence\":{\"id\":\"A\"}}],\"special_tokens\":{\"x\":{\"ids\":[9]}"
          "}}," UNI "}",
          "TemplateProcessing" },
        { "{\"added_tokens\":[{\"id\":2}]," UNI "}", "'content' is missing" },
        { "{\"added_tokens\":[{\"id\":2,\"content\":\"\"}]," UNI "}", "is empty" },
        { "{\"added_tokens\":[{\"id\":1,\"content\":\"b\"}]," UNI "}", "taken" },
        { "{\"added_tokens\":[{\"id\":999999,\"content\":\"b\"}]," UNI "}", "holes" },
        { "{\"model\":{\"type\":\"Unigram\",\"vocab\":[]}}", "no vocabulary" },
        { "{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1]]}}", "neither" },
        { "{\"model\":{\"type\":\"Unigram\",\"unk_id\":1,\"vocab\":[[\"a\",-1]]}}", "'unk_id'" },
        { "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"a\"]]}}", "entry 0" },
        { "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"a\",1e300]]}}", "score" },
        { "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"a\",0],[\"a\",0]]}}",
          "'a' occurs twice" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[]}}", "no vocabulary" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":3}}", "list of merges" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[\"a b\"]}}", "lacks" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[\"ab\"]}}", "no pair" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[[\"a\"]]}}", "no pair" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":0},\"merges\":[]}}", "taken" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":77777},\"merges\":[]}}", "holes" },
        { "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0.5},\"merges\":[]}}", "whole number" },
        { "{\"model\":{\"type\":\"BPE\",\"unk_token\":\"u\",\"vocab\":{\"a\":0},\"merges\":[]}}",
          "'u' is not in the vocabulary" },
        { "{\"model\":{\"type\":\"BPE\",\"end_of_word_suffix\":\"</w>\",\"vocab\":{\"a\":0},"
          "\"merges\":[]}}",
          "prefixes or suffixes" },
    };
    (void)state;
    for (int i = 0; i < N_OF(rows); i++) {
        struct hl_tok *t;
        struct hl_error err = { 0 };
        enum hl_status status = parse(rows[i].text, &t, &err);
        if (status != HL_E_TOKENIZER || t || !strstr(err.detail, rows[i].says))
            fail_msg("%s: status %d, \"%s\"", rows[i].text, (int)status, err.detail);
    }
    struct hl_tok *t;
    assert_int_equal(parse("{\"model\":", &t, NULL), HL_E_JSON);
}

/* A search of exponential time is given up. */
static void
test_hostile_expression(void **state)
{
    struct hl_tok *t;
    struct hl_error err = { 0 };
    struct hl_arena a;
    struct hl_encoding e;
    const char *text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
    (void)state;
    assert_int_equal(parse("{\"normalizer\":{\"type\":\"Replace\",\"pattern\":{\"Regex\":"
                           "\"(a+)+c\"},\"content\":\"\"}," UNI "}",
                           &t, &err),
                     HL_OK);
    hl_arena_init(&a, 0, 0);
    enum hl_status status = hl_tok_encode(t, text, strlen(text), true, &a, &e, &err);
    assert_true(status == HL_E_TOKENIZER || status == HL_OK);
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

/* Replacements that double and double are stopped while the text is still small; the
 * longest that a form makes of one character (18 letters and spaces of U+FDFA) is not. */
static void
test_growing_replacements(void **state)
{
    char json[4096];
    struct hl_tok *t;
    struct hl_error err = { 0 };
    struct hl_arena a;
    struct hl_encoding e;
    int at =
        snprintf(json, sizeof json, "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[");
    (void)state;
    for (int i = 0; i < 40; i++)
        at += snprintf(json + at, sizeof json - (size_t)at,
                       "%s{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},"
                       "\"content\":\"aa\"}",
                       i ? "," : "");
    snprintf(json + at, sizeof json - (size_t)at, "]}," UNI "}");
    assert_int_equal(parse(json, &t, &err), HL_OK);
    hl_arena_init(&a, 0, 0);
    assert_int_equal(hl_tok_encode(t, "aaaa", 4, true, &a, &e, &err), HL_E_TOKENIZER);
    assert_non_null(strstr(err.detail, "its normalizers write more than 32 bytes"));
    hl_tok_close(t);

    static char text[3 * 40000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "\uFDFA"[i % 3];
    assert_int_equal(parse("{\"normalizer\":{\"type\":\"NFKC\"}," UNI "}", &t, &err), HL_OK);
    assert_int_equal(hl_tok_encode(t, text, sizeof text, true, &a, &e, &err), HL_OK);
    hl_arena_deinit(&a);
    hl_tok_close(t);
}

static void
test_folders(void **state)
{
    char dir[] = "/tmp/headlight-test-XXXXXX", path[64];
    struct hl_tok *t = NULL;
    struct hl_error err = { 0 };
    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(hl_tok_open(dir, &t, &err), HL_E_NOT_FOUND);
    assert_non_null(strstr(err.where, "/tokenizer.json"));
    snprintf(path, sizeof(path), "%s/tokenizer.json", dir);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(sound, f);
    fclose(f);
    assert_int_equal(hl_tok_open(dir, &t, &err), HL_OK);
    hl_tok_close(t);
    unlink(path);
    rmdir(dir);
}

static bool
whole_way(void *user)
{
    struct hl_tok *t = NULL;
    struct hl_arena a;
    struct hl_encoding e;
    const char *text = "x a<s>  A B e\xCC\x81";
    (void)user;
    if (hl_tok_parse(sound, strlen(sound), "x", &t, NULL) != HL_OK)
        return false;
    hl_arena_init(&a, 64, 0);
    bool ok = hl_tok_encode(t, text, strlen(text), true, &a, &e, NULL) == HL_OK &&
              hl_tok_decode(t, e.ids, e.n, &a, NULL, NULL);
    hl_arena_deinit(&a);
    hl_tok_close(t);
    return ok;
}

static void
test_without_memory(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(whole_way, NULL, 400) > 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_file),         cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_hostile_expression), cmocka_unit_test(test_folders),
        cmocka_unit_test(test_without_memory),     cmocka_unit_test(test_growing_replacements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

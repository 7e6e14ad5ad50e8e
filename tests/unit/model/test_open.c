/* What is wrong with a folder is said in one sentence that names the file. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/map.h"
#include "model/network.h"

static char dir[512];

static int
make_dir(void **state)
{
    const char *build = getenv("HL_BUILD_ROOT");
    (void)state;
    snprintf(dir, sizeof dir, "%s/open-XXXXXX", build ? build : "/tmp");
    return mkdtemp(dir) ? 0 : -1;
}

static void
path_of(char *path, size_t path_sz, const char *name)
{
    snprintf(path, path_sz, "%s/%s", dir, name);
}

static int
remove_dir(void **state)
{
    static const char *const names[] = { "config.json", "model.safetensors", "pytorch_model.bin",
                                         "tokenizer.json" };
    char path[600];
    (void)state;
    for (int i = 0; i < N_OF(names); i++) {
        path_of(path, sizeof path, names[i]);
        remove(path);
    }
    return remove(dir);
}

static void
put(const char *name, const void *p, size_t n)
{
    char path[600];
    path_of(path, sizeof path, name);
    assert_int_equal(hl_map_write(path, p, n, NULL), HL_OK);
}

/* Copies a file of the Marian fixture, only its first n bytes when n > 0; `from` is
 * replaced by `to` once where given. */
static void
copy(const char *name, size_t n, const char *from, const char *to)
{
    char path[600], text[4096];
    struct hl_map_file f;
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/tests/data/hf-marian/%s", root ? root : ".", name);
    assert_int_equal(hl_map_open(path, &f, NULL), HL_OK);
    if (from) {
        const char *at = strstr((const char *)f.p, from);
        assert_non_null(at);
        size_t before = (size_t)(at - (const char *)f.p);
        int len = snprintf(text, sizeof text, "%.*s%s%.*s", (int)before, (const char *)f.p, to,
                           (int)(f.n - before - strlen(from)), at + strlen(from));
        put(name, text, (size_t)len);
    } else {
        put(name, f.p, n > 0 ? n : f.n);
    }
    hl_map_close(&f);
}

static void
expect(enum hl_status want, const char *part)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    char sentence[1024];
    assert_int_equal(hl_model_open_ids(dir, &m, &err), want);
    assert_null(m);
    hl_error_text(&err, sentence, sizeof sentence);
    if (!strstr(sentence, part))
        fail_msg("\"%s\" does not say \"%s\"", sentence, part);
    assert_null(strchr(sentence, '\n'));
}

static void
broken_folders_are_explained(void **state)
{
    (void)state;
    expect(HL_E_NOT_FOUND, "config.json");
    put("config.json", "{\"model_type\":", 14);
    expect(HL_E_JSON, "config.json");
    put("config.json", "{\"a\":1}", 7);
    expect(HL_E_CONFIG, "model_type");
    static char large[(1 << 20) + 8];
    memset(large, ' ', sizeof large);
    memcpy(large, "{\"model_type\":\"marian\"}", 23);
    put("config.json", large, sizeof large);
    expect(HL_E_CONFIG, "1024 are the most");
    copy("config.json", 0, "\"marian\"", "\"mbart\"");
    expect(HL_E_CONFIG, "marian, headlight-gru");
    copy("config.json", 0, "\"swish\"", "\"swash\"");
    copy("model.safetensors", 0, NULL, NULL);
    expect(HL_E_CONFIG, "swash");
    copy("config.json", 0, "\"encoder_attention_heads\": 4", "\"encoder_attention_heads\": 5");
    expect(HL_E_CONFIG, "heads");
    copy("config.json", 0, "\"d_model\": 48", "\"d_model\": -1");
    expect(HL_E_CONFIG, "d_model");
    copy("config.json", 0, "\"pad_token_id\": 529", "\"pad_token_id\": 530");
    expect(HL_E_CONFIG, "pad_token_id");
    /* more layers than the file has, and another width */
    copy("config.json", 0, "\"decoder_layers\": 2", "\"decoder_layers\": 3");
    expect(HL_E_WEIGHTS, "missing");
    copy("config.json", 0, "\"encoder_ffn_dim\": 96", "\"encoder_ffn_dim\": 64");
    expect(HL_E_WEIGHTS, "should be");
    copy("config.json", 0, NULL, NULL);
    copy("model.safetensors", 100000, NULL, NULL);
    expect(HL_E_SAFETENSORS, "model.safetensors");
    char path[600];
    path_of(path, sizeof path, "model.safetensors");
    remove(path);
    expect(HL_E_NOT_FOUND, "model.safetensors");
    put("pytorch_model.bin", "PK", 2);
    expect(HL_E_UNSUPPORTED, "pickle");
}

static void
a_good_folder_opens(void **state)
{
    struct hl_model *m = NULL;
    struct hl_error err;
    (void)state;
    copy("config.json", 0, NULL, NULL);
    copy("model.safetensors", 0, NULL, NULL);
    assert_int_equal(hl_model_open_ids(dir, &m, NULL), HL_OK);
    const struct hl_model_info *info = hl_model_info(m);
    assert_string_equal(info->network->key, "marian");
    assert_int_equal(info->d_model, 48);
    assert_int_equal(info->max_source, 64);
    assert_int_equal(info->bos_id, 529);
    assert_null(hl_model_tok(m));
    hl_model_close(m);
    hl_model_close(NULL);
    /* the same folder has no tokeniser of ours */
    m = NULL;
    assert_int_equal(hl_model_open(dir, &m, &err), HL_E_NOT_FOUND);
    assert_null(m);
}

/* Without a post-processor an empty text has no token at all, not even an end. */
static void
nothing_to_read_is_said(void **state)
{
    static const char tok[] = "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":"
                              "[[\"<unk>\",0],[\"a\",-1],[\"b\",-2]]}}";
    struct hl_model *m = NULL;
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    (void)state;
    copy("config.json", 0, NULL, NULL);
    copy("model.safetensors", 0, NULL, NULL);
    put("tokenizer.json", tok, sizeof tok - 1);
    assert_int_equal(hl_model_open(dir, &m, &err), HL_OK);
    struct hl_request q = { .text = "ab", .target = "" };
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_E_ARGUMENT);
    assert_string_equal(err.where, "target");
    q.target = "b";
    q.text = "";
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_E_ARGUMENT);
    assert_string_equal(err.where, "text");
    q.text = "ab";
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_OK);
    hl_record_destroy(r);
    hl_model_close(m);
}

static void
titles_are_for_people(void **state)
{
    struct hl_arena a;
    (void)state;
    hl_arena_init(&a, 1024, 0);
    assert_string_equal(hl_model_make_title(&a, "en-fr-gru", "Recurrent"),
                        "English → French · Recurrent");
    assert_string_equal(hl_model_make_title(&a, "opus-mt-de-en", "Transformer"),
                        "German → English · Transformer");
    assert_string_equal(hl_model_make_title(&a, "my-model", "Transformer"),
                        "my-model · Transformer");
    assert_string_equal(hl_model_make_title(&a, "en--fr", "X"), "en--fr · X");
    assert_string_equal(hl_model_make_title(&a, "", "X"), " · X");
    hl_arena_deinit(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_folders_are_explained),
        cmocka_unit_test(a_good_folder_opens),
        cmocka_unit_test(nothing_to_read_is_said),
        cmocka_unit_test(titles_are_for_people),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

/* What is wrong with a checkpoint is said in one sentence, all of it at once.
 *
 *   test_families_open TESTS/DATA */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "model/llama.h"
#include "unit/model/tiny_file.h"

static const char *data;
static char folder[512], dir[512];

static void
choose(const char *family)
{
    snprintf(folder, sizeof folder, "%s/hf-%s", data, family);
}

static int
make_dir(void **state)
{
    (void)state;
    tiny_dir(dir, sizeof dir, "bert");
    return 0;
}

static int
remove_dir(void **state)
{
    (void)state;
    tiny_dir_remove(dir);
    return 0;
}

/* Copies a file of the folder with `from` replaced by `to` wherever it stands (of equal
 * length in a file of weights); NULL: unchanged. */
static void
copy(const char *name, const char *from, const char *to)
{
    char path[600];
    struct hl_map_file f = { 0 };
    struct hl_sb out = { 0 };
    int n_found = 0;
    size_t n = from ? strlen(from) : 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(hl_map_open(path, &f, NULL), HL_OK);
    for (size_t i = 0; i < f.n;) {
        bool here = from && i + n <= f.n && memcmp(f.p + i, from, n) == 0;
        hl_sb_put(&out, here ? to : (const char *)f.p + i, here ? strlen(to) : 1);
        i += here ? n : 1;
        n_found += here;
    }
    assert_true(!from || n_found > 0);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(hl_map_write(path, out.p, out.n, NULL), HL_OK);
    hl_map_close(&f);
    hl_sb_deinit(&out);
}

static void
expect(enum hl_status want, const char *const *parts, int n)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    char sentence[2000];
    assert_int_equal(hl_model_open_ids(dir, &m, &err), want);
    assert_null(m);
    hl_error_text(&err, sentence, sizeof sentence);
    for (int i = 0; i < n; i++) {
        if (!strstr(sentence, parts[i]))
            fail_msg("\"%s\" does not say \"%s\"", sentence, parts[i]);
    }
    assert_null(strchr(sentence, '\n'));
}

struct change {
    const char *from, *to, *says;
};

static void
refused(const char *family, const struct change *changes, int n)
{
    choose(family);
    copy("model.safetensors", NULL, NULL);
    for (int i = 0; i < n; i++) {
        copy("config.json", changes[i].from, changes[i].to);
        expect(HL_E_CONFIG, &changes[i].says, 1);
    }
}

static void
bert_is_not_believed(void **state)
{
    static const struct change changes[] = {
        { "\"num_attention_heads\": 4", "\"num_attention_heads\": 5", "5 heads" },
        { "\"num_attention_heads\": 4", "\"num_attention_heads\": 0", "num_attention_heads" },
        { "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2000000000", "num_hidden_layers" },
        { "\"hidden_size\": 48", "\"hidden_size\": -48", "hidden_size" },
        { "\"hidden_size\": 48", "\"hidden_size\": \"wide\"", "hidden_size" },
        { "\"vocab_size\": 797", "\"vocab_size\": 1e300", "vocab_size" },
        { "\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": -1", "layer_norm_eps" },
        { "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gela\"", "gela" },
        { "\"absolute\"", "\"relative_key\"", "relative_key" },
        { "\"use_cache\": true", "\"is_decoder\": true", "is_decoder" },
        { "\"use_cache\": true", "\"pruned_heads\": {\"0\": [1]}", "pruned_heads" },
        { "\"model_type\": \"bert\"", "\"model_type\": \"berta\"", "berta" },
    };
    (void)state;
    refused("bert", changes, N_OF(changes));
}

static void
others_are_not_believed(void **state)
{
    static const struct change gpt2[] = {
        { "\"n_head\": 4", "\"n_head\": 5", "5 heads" },
        { "\"n_embd\": 48", "\"n_embd\": 0", "n_embd" },
        { "\"n_positions\": 64", "\"n_positions\": 1e15", "n_positions" },
        { "\"n_inner\": null", "\"n_inner\": -1", "n_inner" },
        { "\"gelu_new\"", "\"gelu_old\"", "gelu_old" },
        { "\"use_cache\": true", "\"add_cross_attention\": true", "add_cross_attention" },
    };
    static const struct change llama[] = {
        { "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "share" },
        { "\"use_cache\": true", "\"head_dim\": 13", "halves" },
        { "\"num_attention_heads\": 4", "\"head_dim\": 16384, \"num_attention_heads\": 1000",
          "too wide" },
        { "\"rope_scaling\": null", "\"rope_scaling\": {\"type\": \"yarn\"}", "yarn" },
        { "\"rope_scaling\": null", "\"rope_parameters\": {\"rope_type\": \"longrope\"}",
          "longrope" },
        { "\"rope_theta\": 10000.0", "\"rope_theta\": 0", "rope_theta" },
        { "\"eos_token_id\": 2", "\"eos_token_id\": [2, -2]", "eos_token_id" },
        { "\"use_cache\": true", "\"partial_rotary_factor\": 0.5", "partial_rotary_factor" },
    };
    static const struct change roberta[] = {
        { "\"pad_token_id\": 1", "\"pad_token_id\": 65", "pad_token_id" },
    };
    static const struct change distilbert[] = {
        { "\"dim\": 48", "\"dim\": 49", "4 heads" },
        { "\"n_layers\": 3", "\"n_layers\": 0", "n_layers" },
    };
    (void)state;
    refused("gpt2", gpt2, N_OF(gpt2));
    refused("llama", llama, N_OF(llama));
    refused("roberta", roberta, N_OF(roberta));
    refused("distilbert", distilbert, N_OF(distilbert));
}

static void
all_that_is_wrong_is_said_at_once(void **state)
{
    static const char *const parts[] = {
        "missing encoder.layer.1.output.dense.bias",
        "bert.embeddings.position_embeddings.weight is [64,48] and should be [65,48]",
        "bert.encoder.layer.1.output.dense.biaz",
    };
    (void)state;
    choose("bert");
    copy("config.json", "\"max_position_embeddings\": 64", "\"max_position_embeddings\": 65");
    copy("model.safetensors", "layer.1.output.dense.bias", "layer.1.output.dense.biaz");
    expect(HL_E_WEIGHTS, parts, N_OF(parts));
}

/* Names of old files, and a file without the prefix of the encoder. */
static void
other_names_are_known(void **state)
{
    static const struct {
        const char *from, *to;
    } cases[] = {
        { "LayerNorm.weight\"", "LayerNorm.gamma\" " },
        { "LayerNorm.bias\"", "LayerNorm.beta\"" },
        { "\"bert.", "     \"" },
    };
    (void)state;
    choose("bert");
    copy("config.json", NULL, NULL);
    for (int i = 0; i < N_OF(cases); i++) {
        struct hl_model *m = NULL;
        struct hl_error err = { 0 };
        copy("model.safetensors", cases[i].from, cases[i].to);
        if (hl_model_open_ids(dir, &m, &err) != HL_OK)
            fail_msg("%s: %s: %s", cases[i].to, err.where, err.detail);
        hl_model_close(m);
    }
}

/* The frequencies of Llama 3.2 (1B), computed apart from the program: fast turns stay,
 * slow ones are slowed by 32, those between are blended. */
static void
slow_turns_are_slowed_down(void **state)
{
    static const char text[] = "{\"rope_theta\":500000.0,\"rope_scaling\":{\"factor\":32.0,"
                               "\"high_freq_factor\":4.0,\"low_freq_factor\":1.0,"
                               "\"original_max_position_embeddings\":8192,"
                               "\"rope_type\":\"llama3\"}}";
    static const struct {
        int at;
        double want;
    } known[] = { { 0, 1.0 },
                  { 14, 0.003211445994752591 },
                  { 15, 0.0012905479282092638 },
                  { 16, 0.0004295567965593682 },
                  { 17, 9.70828780262767e-05 },
                  { 18, 1.9461638184831125e-05 },
                  { 31, 9.41830672543491e-08 } };
    struct hl_json_doc *doc = NULL;
    double out[32];
    (void)state;
    assert_int_equal(hl_json_parse(text, strlen(text), "text", 8, &doc, NULL), HL_OK);
    assert_int_equal(hl_llama_frequencies(hl_json_root(doc), 64, out, NULL), HL_OK);
    for (int i = 0; i < N_OF(known); i++)
        assert_true(fabs(out[known[i].at] / known[i].want - 1) < 1e-12);
    hl_json_close(doc);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bert_is_not_believed),
        cmocka_unit_test(others_are_not_believed),
        cmocka_unit_test(all_that_is_wrong_is_said_at_once),
        cmocka_unit_test(other_names_are_known),
        cmocka_unit_test(slow_turns_are_slowed_down),
    };
    if (argc < 2)
        return 2;
    data = argv[1];
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

/* What is wrong with a checkpoint of BERT's is said in one sentence, all of it at once.
 *
 *   test_families_open FOLDER-OF-BERT */
#include "harness/test.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "model/network.h"
#include "unit/model/tiny_file.h"

static const char *folder;
static char dir[512];

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

static void
configurations_are_not_believed(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
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
    copy("model.safetensors", NULL, NULL);
    for (int i = 0; i < N_OF(cases); i++) {
        copy("config.json", cases[i].from, cases[i].to);
        expect(HL_E_CONFIG, &cases[i].says, 1);
    }
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

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_are_not_believed),
        cmocka_unit_test(all_that_is_wrong_is_said_at_once),
        cmocka_unit_test(other_names_are_known),
    };
    if (argc < 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

/* Model folders of every network, their weights and settings changed: refused with a
 * sentence, or opened and run. A run of finite numbers, however extreme, ends in a sound
 * record or in the sentence that they grow too large; never in one that asks for a report.
 *
 * The first byte chooses the folder, the second what to run; then four bytes a change:
 * kind, tensor (or number of the settings), element, value. */
#include "../fuzz.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "model/network.h"

enum { CHANGES_MAX = 6 };

static const char *const folders[] = { "hf-marian",  "ntm-tiny", "hf-bert",  "hf-distilbert",
                                       "hf-roberta", "hf-gpt2",  "hf-llama", "hf-qwen2" };
enum { N_FOLDERS = sizeof folders / sizeof folders[0] };

/* A file of a folder, read once. */
static const struct hl_map_file *
file_of(int folder, const char *name, int which)
{
    static struct hl_map_file files[N_FOLDERS][2];
    struct hl_map_file *f = &files[folder][which];
    if (!f->p) {
        char path[1100];
        const char *root = getenv("HL_SOURCE_ROOT");
        snprintf(path, sizeof path, "%s/tests/data/%s/%s", root ? root : ".", folders[folder],
                 name);
        hl_map_open(path, f, NULL);
    }
    return f->p ? f : NULL;
}

static float
value_of(uint8_t b)
{
    static const float extreme[] = { FLT_MAX, -FLT_MAX, 1e30F, -1e30F, 1e20F, 1e10F, 0, 1e-38F };
    return b < 128 ? extreme[b % 8] : ldexpf(b % 2 ? -1 : 1, (b - 128) * 2 - 126);
}

/* One number, one row of numbers, or all of a tensor. */
static void
change_weights(const struct hl_st *st, const uint8_t c[4])
{
    const struct hl_st_tensor *t = hl_st_at(st, c[1] * hl_st_n(st) / 256);
    float v = value_of(c[3]);
    if (!t || t->dtype != HL_ST_F32 || t->n == 0)
        return;
    size_t n = (size_t)t->n, at = c[2] * n / 256,
           count = c[0] % 3 == 0   ? 1
                   : c[0] % 3 == 1 ? 16
                                   : n;
    uint8_t *p = (uint8_t *)(uintptr_t)t->data; /* a copy of ours */
    at = count == n ? 0 : at;
    for (size_t i = at; i < n && i < at + count; i++) {
        float old, now = v;
        memcpy(&old, p + i * sizeof old, sizeof old);
        if (count > 1)
            now = fminf(fmaxf(old * v, -FLT_MAX), FLT_MAX);
        memcpy(p + i * sizeof now, &now, sizeof now);
    }
}

/* Another whole number in place of the nth. */
static void
change_config(char *text, size_t *n, const uint8_t c[4])
{
    static const char *const numbers[] = { "0", "1", "-1", "2", "7", "2147483647", "1e300", "64" };
    size_t seen = 0, want = c[1] % 48;
    for (size_t i = 1; i < *n; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9',
             before = text[i - 1] == ' ' || text[i - 1] == ':';
        if (!digit || !before || seen++ < want)
            continue;
        size_t len = strspn(text + i, "0123456789.eE+-"), put = strlen(numbers[c[3] % 8]);
        memmove(text + i + put, text + i + len, *n - i - len + 1);
        memcpy(text + i, numbers[c[3] % 8], put);
        *n = *n + put - len;
        return;
    }
}

static void
run(const struct hl_model *m, uint8_t how)
{
    int32_t source[12], target[5];
    struct hl_request q = { .keep_scores = how & 1,
                            .keep_vectors = how & 2,
                            .keep_logits = how & 4 };
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    bool ids = m->network->inputs & HL_INPUT_IDS;
    for (int i = 0; i < 12; i++)
        source[i] = (i * 37 + how) % m->vocab;
    for (int i = 0; i < 5; i++)
        target[i] = (i * 11 + how) % m->vocab;
    if (ids) {
        q.source_ids = source;
        q.n_source_ids = 1 + how % 12;
        q.decoder_ids = how & 8 && m->network->inputs & HL_INPUT_TARGET ? target : NULL;
        q.n_decoder_ids = q.decoder_ids ? 5 : 0;
    } else {
        q.text = "cat dog ? cat";
    }
    enum hl_status st = hl_model_run(m, &q, &r, &err);
    if (st != HL_OK && !(st == HL_E_WEIGHTS || st == HL_E_ARGUMENT || st == HL_E_TOO_LONG))
        fprintf(stderr, "%s: %s: %s\n", m->info.name, err.where, err.detail);
    HOLDS(st == HL_OK || st == HL_E_WEIGHTS || st == HL_E_ARGUMENT || st == HL_E_TOO_LONG);
    HOLDS(st == HL_OK ? r->sealed : err.detail[0] != '\0');
    hl_record_destroy(r);
}

static void
open_and_run(const struct hl_json *config, struct hl_st *st, int folder, uint8_t how)
{
    struct hl_model m = { .weights = st };
    struct hl_error err = { 0 };
    const char *type = hl_json_string(hl_json_get(config, "model_type"));
    m.network = type ? hl_network_find(type) : NULL;
    if (!m.network)
        return;
    hl_arena_init(&m.arena, 4096, 0);
    m.info.dir = m.info.name = folders[folder];
    m.info.network = m.network;
    m.info.n_options = m.network->n_options;
    m.info.options = m.network->options;
    enum hl_status status = m.network->open(&m, config, NULL, &err);
    HOLDS(status == HL_OK || (err.detail[0] && status == err.code));
    if (status == HL_OK)
        run(&m, how);
    hl_arena_deinit(&m.arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_st *st = NULL;
    struct hl_json_doc *doc = NULL;
    int folder = size > 0 ? data[0] % N_FOLDERS : 0;
    const struct hl_map_file *w = file_of(folder, "model.safetensors", 0);
    const struct hl_map_file *c = file_of(folder, "config.json", 1);
    if (!w || !c)
        return 0;
    uint8_t *weights = malloc(w->n);
    size_t n = c->n;
    char *config = malloc(n + 16 * CHANGES_MAX + 1);
    HOLDS(weights && config);
    memcpy(weights, w->p, w->n);
    memcpy(config, c->p, n);
    config[n] = '\0';
    HOLDS(hl_st_parse(weights, w->n, folders[folder], &st, NULL) == HL_OK);
    for (size_t at = 2, k = 0; at + 4 <= size && k < CHANGES_MAX; at += 4, k++) {
        if (data[at] % 4 == 3)
            change_config(config, &n, data + at);
        else
            change_weights(st, data + at);
    }
    if (hl_json_parse(config, n, "config.json", 32, &doc, NULL) == HL_OK)
        open_and_run(hl_json_root(doc), st, folder, size > 1 ? data[1] : 0);
    hl_json_close(doc);
    hl_st_close(st);
    free(weights);
    free(config);
    return 0;
}

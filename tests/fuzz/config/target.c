/* config.json from anywhere, beside the weights of a small machine: a family refuses it
 * with a sentence, or opens it and runs. */
#include "../fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/network.h"

/* The fixture's folder; its weights, opened once. */
static const char *
weights(struct hl_st **out)
{
    static char dir[1024], path[1100];
    static struct hl_st *st;
    if (!st) {
        const char *root = getenv("HL_SOURCE_ROOT");
        snprintf(dir, sizeof(dir), "%s/tests/data/ntm-tiny", root ? root : ".");
        snprintf(path, sizeof(path), "%s/model.safetensors", dir);
        HOLDS(hl_st_open(path, &st, NULL) == HL_OK);
    }
    *out = st;
    return dir;
}

static void
run(const struct hl_model *m)
{
    const struct hl_request q = { .text = "cat dog ? cat" };
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    enum hl_status st = hl_model_run(m, &q, &r, &err);
    HOLDS(st == HL_OK ? r->sealed : st == HL_E_WEIGHTS && err.detail[0]);
    hl_record_destroy(r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_json_doc *doc = NULL;
    struct hl_error err = { 0 };
    struct hl_model m = { 0 };
    if (hl_json_parse((const char *)data, size, "config.json", 32, &doc, &err) != HL_OK)
        return 0;
    const struct hl_json *config = hl_json_root(doc);
    const char *type = hl_json_string(hl_json_get(config, "model_type"));
    m.network = type ? hl_network_find(type) : NULL;
    if (m.network) {
        hl_arena_init(&m.arena, 4096, 0);
        m.info.dir = m.info.name = weights(&m.weights);
        m.info.network = m.network;
        m.info.n_options = m.network->n_options;
        m.info.options = m.network->options;
        enum hl_status st = m.network->open(&m, config, NULL, &err);
        HOLDS(st == HL_OK || (err.detail[0] && st == err.code));
        if (st == HL_OK && !m.network->tokeniser)
            run(&m);
        hl_arena_deinit(&m.arena);
    }
    hl_json_close(doc);
    return 0;
}

/* What networks that read one text have in common: the text or the ids of a request,
 * checked and cut to what the model reads, and what configuration files have in common.
 *
 * Every function here: Thread-safety: one thread per run or opening. */
#pragma once

#include "model/network.h"
#include "num/act.h"

/* The tokens of a run. Everything lives in the run's scratch. */
struct hl_read {
    int n;
    int32_t *ids;
    const char *text;       /* NULL when ids were given */
    struct hl_encoding enc; /* places those tokens that the text has; for text only */
};

/* Reads the request's text, or its source_ids or decoder_ids (one of them). What is over
 * the limit is left out and noted in the record; `keep_end`: the last token, which the
 * tokeniser put after the text, stays. Fails: ARGUMENT, TOKENIZER, NOMEM. */
enum hl_status hl_read_tokens(struct hl_run *run, int limit, bool keep_end, struct hl_read *out,
                              struct hl_error *err);

/* Axis "source" of what was read. Fails: NOMEM. */
enum hl_status hl_read_axis(const struct hl_run *run, const struct hl_read *read,
                            struct hl_error *err);

/* The sentence for memory that was not given while a model opens. */
enum hl_status hl_read_no_memory(const struct hl_model *m, struct hl_error *err);

/* Whole numbers of config.json: a missing key leaves the default; of two spellings of one
 * size the later row of the list wins. Fails: CONFIG. */
struct hl_config_row {
    const char *key;
    int min, max;
    int *out;
};
enum hl_status hl_config_ints(const struct hl_json *config, const struct hl_config_row *rows, int n,
                              struct hl_error *err);

/* The epsilon of a norm: from 0 to 1. Fails: CONFIG. */
enum hl_status hl_config_eps(const struct hl_json *config, const char *key, float *out,
                             struct hl_error *err);

/* An activation by its name. Fails: CONFIG. */
enum hl_status hl_config_act(const struct hl_json *config, const char *key, enum hl_act *out,
                             struct hl_error *err);

/* "layers", "heads" and "width" of the facts. Fails: NOMEM. */
enum hl_status hl_read_facts(struct hl_model *m, int layers, int heads, int width,
                             struct hl_error *err);

/* Sizes beyond which a configuration is not believed. */
enum {
    HL_MAX_LAYERS = 256,
    HL_MAX_WIDTH = 16384,
    HL_MAX_VOCAB = 2000000,
    HL_MAX_POSITIONS = 1 << 20
};

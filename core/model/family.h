/* What a family of checkpoints has to provide, and what a run consists of.
 *
 * A family is one file with a `const struct hl_family hl_family_<name>` and one line
 * in core/model/meson.build. model.c opens the folder and the tokeniser, generate.c
 * decodes; a family reads its configuration and weights, encodes a source, and
 * advances its decoder by rows.
 *
 * Every function here: Thread-safety: reentrant on a shared model, one thread per
 * run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "model/model.h"
#include "record/record.h"

struct hl_family;

struct hl_model {
    struct hl_arena arena; /* of everything below */
    struct hl_model_info info;
    const struct hl_family *family;
    struct hl_st *weights; /* mapped file */
    struct hl_tok *tok;    /* NULL when opened for ids only */
    uint64_t weights_hash;
    int vocab;    /* rows of logits */
    int n_banned; /* ids that are never generated (the padding) */
    int32_t banned[4];
    const void *net; /* the family's weights */
};

/* One decoder row: the token `id` is read at position `t` of text `lane`. */
struct hl_run_row {
    int lane, t;
    int32_t id;
};

/* One run. The caller fills what is above `net`, the family the rest. */
struct hl_run {
    const struct hl_model *model;
    const struct hl_request *req;
    struct hl_arena *scratch; /* freed after the run */
    struct hl_record *record; /* being filled */
    const int32_t *source;    /* ids, end token included */
    int n_source;
    int cap;      /* most decoder rows of a text */
    int n_lanes;  /* texts decoded side by side (beams); lane 0 is the one recorded */
    int max_rows; /* most rows of one call */
    void *net;    /* the family's buffers */
};

struct hl_family {
    const char *key;  /* model_type */
    const char *kind; /* for people: "Transformer" */
    enum hl_model_kind model_kind;

    /* A family that does not decode text runs by this alone: it fills the record (axes,
     * maps, vectors, series, settings, output_text) and everything below but `open` is
     * NULL; such a model has no tokeniser. run->source is not set. NULL for translators.
     * Fails: ARGUMENT, CANCELLED, NOMEM. */
    enum hl_status (*run)(struct hl_run *run, struct hl_error *err);

    int draft_block; /* tokens of a draft in the first pass: many where a batch costs
                        little more than one row, few where rows follow one another */

    /* Reads the configuration (and generation_config.json, NULL if there is none),
     * fills model->info, vocab and banned, loads weights into model->arena.
     * Fails: CONFIG, WEIGHTS, NOMEM. */
    enum hl_status (*open)(struct hl_model *m, const struct hl_json *config,
                           const struct hl_json *generation, struct hl_error *err);

    /* Most source tokens for this request. */
    int (*source_limit)(const struct hl_model *m, const struct hl_request *req);

    /* The token's row as the first layer receives it, d_model floats. */
    void (*embedding)(const struct hl_model *m, int32_t id, float *out);

    /* Checks the request's options, sets up all buffers for run->cap, n_lanes and
     * max_rows, and encodes the source. Fails: ARGUMENT, CANCELLED, NOMEM. */
    enum hl_status (*begin)(struct hl_run *run, struct hl_error *err);

    /* Reads n rows and writes their logits [n, vocab]. A row sees the rows of its
     * lane before it, from this call or earlier ones; rows of a lane are listed in
     * order. Reading a position again forgets what came after it. A row's result
     * does not depend on the others of the call, bit by bit. Fails: CANCELLED. */
    enum hl_status (*advance)(struct hl_run *run, int n, const struct hl_run_row *rows,
                              float *logits, struct hl_error *err);

    /* Lane i continues what lane parent[i] has read so far (n_rows positions). */
    void (*fork)(struct hl_run *run, int n, const int *parent, int n_rows);

    /* Writes maps, vectors and series of the source and of the first n_rows
     * positions of lane 0 into the record, whose axes are there already: source 0,
     * decoder_input 1, target 2 (n_rows 0: the source alone). Fails: NOMEM. */
    enum hl_status (*record)(struct hl_run *run, int n_rows, struct hl_error *err);
};

enum { HL_RUN_SOURCE, HL_RUN_DECODER_INPUT, HL_RUN_TARGET };

/* The family of a model_type; NULL if there is none. */
const struct hl_family *hl_family_find(const char *key);

/* "marian, headlight-gru": what model_type may be, into buf. */
void hl_family_list(char *buf, size_t buf_sz);

/* "English → French · Transformer" from "en-fr-small" or "opus-mt-en-fr"; a name without
 * two language codes in a row stands for itself. Fails: NULL (no memory). */
char *hl_model_make_title(struct hl_arena *a, const char *name, const char *kind);

/* CANCELLED once the request's flag is set, else OK. */
enum hl_status hl_run_poll(const struct hl_run *run, struct hl_error *err);

/* WEIGHTS, with the sentence for numbers that left the range of a float. */
enum hl_status hl_run_overflow(const struct hl_run *run, struct hl_error *err);

/* A record's map [L, H, n_q, n_k] over `data`, which lies in the record's arena.
 * Axes, mask, scale and the claim on sums are the caller's. Fails: NULL (no room). */
struct hl_map *hl_run_add_map(struct hl_record *r, const char *name, const char *stage,
                              const int shape[4], const float *data);

/* Vectors [L, n, width] over `data`, which lies in the record's arena. Fails: NULL. */
struct hl_vectors *hl_run_add_vectors(struct hl_record *r, const char *name, int axis,
                                      const int shape[3], const float *data);

/* Gives a record's map a compact [L, H, n_q, n_k] copy of rows that lie apart: row
 * (l, h, q) is at p + (l * n_heads + h) * head_stride + q * row_stride. Fails: NULL
 * (no memory, no room). */
struct hl_map *hl_run_keep_map(struct hl_record *r, const char *name, const char *stage,
                               const int shape[4], const float *p, size_t head_stride,
                               size_t row_stride);

/* The same for vectors [L, n, width] whose layers lie layer_stride apart. */
struct hl_vectors *hl_run_keep_vectors(struct hl_record *r, const char *name, int axis,
                                       const int shape[3], const float *p, size_t layer_stride);

/* Reading of configuration keys: a missing key leaves the default.
 * Fails: CONFIG. */
enum hl_status hl_config_int(const struct hl_json *config, const char *key, int min, int max,
                             int *out, struct hl_error *err);
enum hl_status hl_config_bool(const struct hl_json *config, const char *key, bool *out,
                              struct hl_error *err);

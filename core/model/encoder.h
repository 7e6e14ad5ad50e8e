/* What encoders alone have in common: a stack of blocks in which every place looks at
 * every other (map "encoder.self"), and the head of masked-language models, which guesses
 * the tokens that were hidden. BERT and its kin differ in configuration, names and
 * positions only.
 *
 * Every function here: Thread-safety: reentrant on a shared model, one thread per run. */
#pragma once

#include "model/network.h"
#include "nn/block.h"

/* dense, activation, norm, then the product with the words. */
struct hl_encoder_head {
    struct hl_linear dense; /* [D,D] */
    struct hl_norm norm;
    struct hl_weight words; /* [V,D], empty: those of the embedding */
    const float *bias;      /* [V] or NULL */
};

struct hl_encoder {
    int d, n_layers, n_heads, vocab, n_positions;
    int first_position;     /* row of the table for the first token */
    int pad;                /* id that does not count as a position and reads row `pad` of
                               the table, -1: none */
    const char *mask_piece; /* "[MASK]" */
    enum hl_act act;
    struct hl_weight words, positions, types; /* [V,D], [P,D], [types,D] or empty */
    struct hl_norm norm;                      /* of the embedding */
    struct hl_block *blocks;
    bool has_head;
    struct hl_encoder_head head;
};

/* "mask": the token that is hidden. */
enum { HL_ENCODER_OPTIONS = 1 };
extern const struct hl_option hl_encoder_options[HL_ENCODER_OPTIONS];

/* Completes what the table of weights left open (blocks, norms, head), fills the model's
 * description. Fails: CONFIG, NOMEM. */
enum hl_status hl_encoder_finish(struct hl_model *m, struct hl_encoder *e, float eps,
                                 struct hl_error *err);

/* A network's run: e is the model's net. Axis 0 "source"; where tokens are hidden, an axis
 * "target" with the likeliest of each, a series "masked.position" of their places, and
 * candidates. Fails: ARGUMENT, CANCELLED, NOMEM, WEIGHTS. */
enum hl_status hl_encoder_run(struct hl_run *run, struct hl_error *err);

/* See hl_network.embedding. Fails: never. */
void hl_encoder_embedding(const struct hl_model *m, int32_t id, float *out);

/* Runs n rows through L blocks: x [L+1,n,D] whose first n rows are given, the others
 * written; records the map "encoder.self" over the axis, and vectors if they are kept
 * (then x must lie in the record's arena). Fails: CANCELLED, NOMEM, WEIGHTS. */
enum hl_status hl_encoder_layers(struct hl_run *run, const struct hl_block *blocks, int n_layers,
                                 int n, int axis, float *x, struct hl_error *err);

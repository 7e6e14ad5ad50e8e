/* What decoders alone have in common: a stack of blocks in which every token looks at
 * itself and at what stands before it (map "decoder.self"), and a head that says what
 * comes next. GPT-2, Llama and Qwen2 differ in configuration, names and blocks only.
 *
 * Every function here: Thread-safety: reentrant on a shared model, one thread per run. */
#pragma once

#include "model/network.h"
#include "nn/block.h"

enum { HL_CAUSAL_ENDS = 8 };

struct hl_causal {
    int d, n_layers, n_heads, n_kv_heads, d_head, vocab, n_positions;
    bool same_scale;            /* every layer's scores are scaled alike */
    struct hl_weight words;     /* [V,D] */
    struct hl_weight positions; /* [P,D], or empty */
    struct hl_weight head;      /* [V,D] */
    struct hl_norm last;        /* after the last block */
    struct hl_rope rope;        /* of the blocks, if they turn */
    struct hl_block *blocks;
    int n_ends; /* ids after which no more is written */
    int32_t ends[HL_CAUSAL_ENDS];
};

/* "new": tokens written after the text. */
enum { HL_CAUSAL_OPTIONS = 1 };
extern const struct hl_option hl_causal_options[HL_CAUSAL_OPTIONS];

/* Reads eos_token_id (a number or a list) from generation_config.json, else from
 * config.json. Fails: CONFIG. */
enum hl_status hl_causal_ends(struct hl_causal *c, const struct hl_json *config,
                              const struct hl_json *generation, struct hl_error *err);

/* Fills the model's description once the weights are there. Fails: NOMEM. */
enum hl_status hl_causal_finish(struct hl_model *m, struct hl_causal *c, struct hl_error *err);

/* A network's run: c is the model's net. Axes "source" (what was typed), "decoder_input"
 * (that and what was written) and "target" (what followed each of those: the next typed
 * token, then the likeliest), map "decoder.self", candidates and log-probabilities of
 * every target. Fails: ARGUMENT, CANCELLED, NOMEM, WEIGHTS. */
enum hl_status hl_causal_run(struct hl_run *run, struct hl_error *err);

/* See hl_network.embedding. Fails: never. */
void hl_causal_embedding(const struct hl_model *m, int32_t id, float *out);

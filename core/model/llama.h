/* Checkpoints with Llama's names of weights: Llama itself and Qwen2. */
#pragma once

#include "model/causal.h"

/* What tells one from the other: where the configuration says nothing, and which biases
 * there always are. */
struct hl_llama_kind {
    int vocab, positions, d, ffn;
    bool qkv_bias; /* hard-wired; else as attention_bias says */
    bool window;   /* use_sliding_window and its kin are looked at */
};

/* A network's open. Thread-safety: reentrant. Fails: CONFIG, WEIGHTS, NOMEM. */
enum hl_status hl_llama_open(struct hl_model *m, const struct hl_json *config,
                             const struct hl_json *generation, const struct hl_llama_kind *kind,
                             struct hl_error *err);

/* The frequencies [d_head/2] by which heads turn, as rope_theta and rope_scaling or
 * rope_parameters say. Thread-safety: reentrant. Fails: CONFIG. */
enum hl_status hl_llama_frequencies(const struct hl_json *config, int d_head, double *out,
                                    struct hl_error *err);

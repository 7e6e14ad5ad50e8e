/* Transformer blocks (Vaswani et al. 2017), post-norm or pre-norm.
 *
 *   post: x = LN(x + f(x))     pre: x = x + f(LN(x))
 *
 * with f self-attention, then (decoder) cross-attention, then fc2(act(fc1(x))), or
 * fc2(act(fc1(x)) gate(x)) where there is a gate (Shazeer 2020). Q = H Dh is the width of
 * the queries, K = Hkv Dh that of keys and values; both are D unless said otherwise.
 * Every row is bitwise the same computed alone, in a batch or from a cache. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/mha.h"
#include "attn/rope.h"
#include "nn/linear.h"
#include "num/act.h"
#include "num/norm.h"

struct hl_block_attn {
    struct hl_linear q, k, v, o; /* [Q,D], [K,D], [K,D], [D,Q] */
    struct hl_norm norm;
};

struct hl_block_ffn {
    struct hl_linear fc1, fc2; /* [F,D], [D,F] */
    struct hl_linear gate;     /* [F,D], or empty */
    struct hl_norm norm;
};

/* One encoder block, one decoder block when `cross` is used, or one of a decoder alone
 * when `cross` is empty. */
struct hl_block {
    int d, n_heads;
    int n_kv_heads;             /* 0: as many as heads */
    int d_head;                 /* 0: D / H */
    float scale;                /* of the scores; 0: 1 / sqrt(Dh) */
    const struct hl_rope *rope; /* turns queries and keys of self-attention, or NULL */
    enum hl_act act;
    bool pre_norm;
    struct hl_block_attn self;
    struct hl_block_attn cross; /* decoder only */
    struct hl_block_ffn ffn;
};

/* What to keep of one attention. NULL pointers: not wanted. q, k, v are packed
 * [T,Q] and [T,K] as the scores are made of them (turned, unscaled). Rows of weights and scores are
 * filled to n_cols columns. */
struct hl_block_capture {
    float *q, *k, *v;
    struct hl_mha_out weights, scores;
    int n_cols;
};

/* Keys and values of one attention, [T,K] packed; memory is the caller's. */
struct hl_block_kv {
    float *k, *v;
};

/* A decoder row: the token at position t of the text whose cache (of this layer) is
 * kv. Its key and value are written to row t, and it sees rows 0 .. t. Several rows
 * of one text must be listed with the rows that they see already cached or in the
 * same call. Rows of different texts (beams) may be mixed. */
struct hl_block_row {
    struct hl_block_kv kv;
    int t;
};

/* Floats of scratch for a call with n rows and up to n_k keys. Thread-safety:
 * reentrant. Fails: never. */
size_t hl_block_scratch(const struct hl_block *b, int n, int n_k);

/* Encoder block: x[n,D] in place. mask [n] (1 = real token) or NULL. capture may be
 * NULL. Thread-safety: reentrant. Fails: never. */
void hl_block_encode(const struct hl_block *b, int n, float *x, const uint8_t *mask,
                     const struct hl_block_capture *capture, float *scratch);

/* Keys and values of the cross-attention for encoder states src[n,D], packed into
 * out.k and out.v. Thread-safety: reentrant. Fails: never. */
void hl_block_cross_kv(const struct hl_block *b, int n, const float *src, struct hl_block_kv out);

/* Decoder block for n rows x[n,D] in place. cross holds n_src keys and values
 * shared by all rows (empty where the block has no cross-attention). In the captures row i is
 * rows[i]; of `self` only q is captured as a vector (keys and values are in the caches), of `cross`
 * likewise. Thread-safety: reentrant (caches belong to the caller). Fails: never. */
void hl_block_decode(const struct hl_block *b, int n, const struct hl_block_row *rows, float *x,
                     struct hl_block_kv cross, int n_src, const struct hl_block_capture *self,
                     const struct hl_block_capture *cross_capture, float *scratch);

/* Multi-head attention over projected rows (Vaswani et al. 2017, section 3.2).
 *
 *   s_hij = scale q_hi . k_hj,  w_hi = softmax_j(s_hi),  o_hi = sum_j w_hij v_hj
 *
 * Head h is columns h*Dh .. (h+1)*Dh - 1 of q, k, v and out; where keys and values are
 * shared (Ainslie et al. 2023), of k and v those of head h n_kv_heads / n_heads. The matrix of
 * weights is the product: it is always computed, there is no fused path. Each query row is bitwise
 * independent of the other rows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where to write a captured [H,Tq,Tk] block. Element (h,i,j) is at
 * p + h * head_stride + i * row_stride + j. p may be NULL: not wanted. */
struct hl_mha_out {
    float *p;
    ptrdiff_t head_stride, row_stride;
};

struct hl_mha {
    int n_heads, d_head;
    int n_kv_heads; /* 0: as many as heads, which it divides */
    int n_q, n_k;
    const float *q, *k, *v; /* [Tq,D], [Tk,Dkv], [Tk,Dkv], borrowed */
    ptrdiff_t q_stride, k_stride, v_stride;
    float scale; /* 0: 1 / sqrt(Dh) */
    bool causal; /* query i sees keys 0 .. offset + i only */
    int offset;
    const uint8_t *mask; /* [Tk], 1 = allowed, for all queries; NULL: all */
    float *out;          /* [Tq,D] */
    ptrdiff_t out_stride;
    /* Masked places: weights exactly 0, scores -infinity. Rows are filled up to
     * n_cols columns as masked ones when n_cols > n_k. */
    struct hl_mha_out weights, scores;
    int n_cols;
    float *scratch; /* n_k floats; needed where weights.p is NULL */
};

/* Fills out, weights and scores. `out` must not overlap k or v; it may be q.
 * Thread-safety: reentrant. Fails: never. */
void hl_mha_run(const struct hl_mha *a);

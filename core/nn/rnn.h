/* Recurrent cells in PyTorch's convention.
 *
 * Gated recurrent unit (Cho et al. 2014); rows of the weights in the order r, z, n:
 *
 *   r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *   z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *   n = tanh(W_in x + b_in + r * (W_hn h + b_hn))
 *   h' = (1 - z) * n + z * h
 *
 * Long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of
 * Gers et al. 2000); rows in the order i, f, g, o, one bias b:
 *
 *   i, f, o = sigmoid(W x + U h + b), g = tanh(W x + U h + b), each with its rows
 *   c' = f * c + i * g
 *   h' = o * tanh(c') */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "num/weight.h"

struct hl_gru {
    struct hl_weight w_ih;    /* [3d,in], borrowed */
    struct hl_weight w_hh;    /* [3d,d], borrowed */
    const float *b_ih, *b_hh; /* [3d], borrowed */
};

/* Floats of scratch for a step of n rows / a run over n positions. Thread-safety:
 * reentrant. Fails: never. */
size_t hl_rnn_gru_scratch(const struct hl_gru *g, int n);

/* One step of n independent rows: h_out[n,d] from x[n,in] and h[n,d] (h_out may be
 * h). gates, NULL or [n,3d], receives r, z, n. Thread-safety: reentrant. Fails: never. */
void hl_rnn_gru_step(const struct hl_gru *g, int n, const float *x, ptrdiff_t x_stride,
                     const float *h, ptrdiff_t h_stride, float *h_out, ptrdiff_t out_stride,
                     float *gates, float *scratch);

/* A run over T positions from a zero state, last to first where `reverse` is set:
 * out[t] (stride out_stride, so that two directions can lie side by side) is the
 * state after reading x[t]. Bitwise equal to T single steps. Thread-safety:
 * reentrant. Fails: never. */
void hl_rnn_gru_run(const struct hl_gru *g, int n, const float *x, ptrdiff_t x_stride, bool reverse,
                    float *out, ptrdiff_t out_stride, float *scratch);

struct hl_lstm {
    struct hl_weight w_ih; /* [4d,in], borrowed */
    struct hl_weight w_hh; /* [4d,d], borrowed */
    const float *b;        /* [4d], borrowed */
};

/* One step of one row: h_out[d] and c_out[d] from x[in], h[d] and c[d] (h_out may be h,
 * c_out may be c). gates[4d] receives i, f, g, o; scratch holds 4d floats.
 * Thread-safety: reentrant. Fails: never. */
void hl_rnn_lstm_step(const struct hl_lstm *l, const float *x, const float *h, const float *c,
                      float *h_out, float *c_out, float *gates, float *scratch);

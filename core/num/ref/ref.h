/* The reference: the same functions in double and plain loops, for tests and for
 * whoever wants to step through them. Matrices are packed row-major. Every
 * function here: Thread-safety: reentrant. Fails: never. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "num/act.h"
#include "num/conv.h"

/* c[m,n] = alpha a[m,k] b[k,n] + beta c. */
void hl_ref_gemm(int m, int n, int k, double alpha, const double *a, const double *b, double beta,
                 double *c);
/* y[T,out] = x[T,in] w[out,in]^T + b; b may be NULL. */
void hl_ref_linear(int n, int in, int out, const double *x, const double *w, const double *b,
                   double *y);
/* As hl_softmax. */
void hl_ref_softmax(const double *x, const uint8_t *mask, int n, double temperature, double *out);
/* As hl_norm_apply, one row. */
void hl_ref_norm(const double *x, int d, const double *gain, const double *bias, double eps,
                 double *y);
double hl_ref_act(enum hl_act act, double x);
/* As hl_norm_batch_apply, one row of one class. */
void hl_ref_norm_batch(const double *x, int d, const double *mean, const double *variance,
                       const double *gain, const double *bias, double eps, double *y);
/* As hl_conv_apply and hl_conv_transposed_apply, with the shape of `c` (its weights are not
 * looked at): every product at its place. */
void hl_ref_conv(const struct hl_conv *c, int h, int w, const double *weights, const double *bias,
                 const double *x, double *y);
void hl_ref_conv_transposed(const struct hl_conv *c, int h, int w, const double *weights,
                            const double *bias, const double *x, double *y);
/* One head: weights[Tq,Tk] = softmax(scale q k^T), out[Tq,Dv] = weights v. Query i
 * sees keys 0 .. offset + i where causal is set. */
void hl_ref_attention(int n_q, int n_k, int d, int d_v, const double *q, const double *k,
                      const double *v, double scale, bool causal, int offset, double *weights,
                      double *out);
/* One step of a GRU in the convention of nn/rnn.h: h[d] from x[in] and h_prev[d]. */
void hl_ref_gru(int in, int d, const double *w_ih, const double *w_hh, const double *b_ih,
                const double *b_hh, const double *x, const double *h_prev, double *h);

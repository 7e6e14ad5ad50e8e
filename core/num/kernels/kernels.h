/* The inner loops, once in plain C and once per instruction set.
 *
 * All versions obey one law: what is computed for a row, an output or an element
 * does not depend on how many others are computed in the same call, nor on its
 * place among them. Two versions may differ from each other in the last bits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "num/weight.h"

struct hl_kernels {
    const char *name; /* "plain", "avx2", "avx512" */

    /* See hl_weight_apply. */
    void (*apply)(const struct hl_weight *w, const float *bias, int n, const float *x,
                  ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);
    /* out[j] = scale * sum_c q[c] k[j,c], j < n, c < d. */
    void (*dots)(const float *q, const float *k, ptrdiff_t k_stride, int n, int d, float scale,
                 float *out);
    /* out[c] = sum_j w[j] v[j,c], j = 0, 1, ... n - 1 in this order. */
    void (*mix)(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *out);
    /* out[i] = exp((x[i] - top) * factor), factor > 0, x[i] <= top; gives their sum
     * in double. out may be x. */
    double (*exp_sum)(const float *x, int n, float top, float factor, float *out);
    /* y may be x. */
    void (*tanh)(const float *x, int n, float *y);
    void (*sigmoid)(const float *x, int n, float *y);
};

/* The best version that this processor runs. The choice is the same for the whole
 * life of a process. Ownership: constant. Thread-safety: reentrant. Fails: never. */
const struct hl_kernels *hl_kernels_get(void);

/* Version i that this processor runs, plain C first; NULL beyond the last. For
 * tests and measurements. Thread-safety: reentrant. Fails: NULL. */
const struct hl_kernels *hl_kernels_at(int i);

/* Linear maps whose weights stay in their stored type and are widened in registers.
 *
 *   y[T,out] = x[T,in] W[out,in]^T + b
 *
 * Law: a row of y is bitwise the same whether it is computed alone or with others,
 * because the order of additions depends on `in` alone. Cached, drafted and
 * batched decoding are therefore exactly equal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "num/dtype.h"

/* A matrix of a model file: rows = out, cols = in, packed row-major, borrowed.
 * `type` is F32, F16 or BF16 and `p` is aligned to its size. */
struct hl_weight {
    const void *p;
    enum hl_dtype type;
    int rows, cols;
};

/* y[t,o] = sum_i x[t,i] w[o,i] + bias[o], for n rows of x. `bias` may be NULL.
 * Strides in floats. y must not overlap x. Thread-safety: reentrant. Fails: never. */
void hl_weight_apply(const struct hl_weight *w, const float *bias, int n, const float *x,
                     ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);

/* Row `row` (0 <= row < rows) widened into out[cols]. Thread-safety: reentrant.
 * Fails: never. */
void hl_weight_row(const struct hl_weight *w, int row, float *out);

/* Rows row .. row + n - 1 as a weight of its own (borrowed), e.g. one gate of a
 * recurrent cell. Thread-safety: reentrant. Fails: never. */
struct hl_weight hl_weight_rows(const struct hl_weight *w, int row, int n);

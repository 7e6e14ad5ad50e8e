/* 2-D convolution, and the transposed convolution that is its adjoint, as products of
 * matrices (im2col; col2im).
 *
 *   convolution:  y[(a,b),o] = bias[o] + sum_{i,j,c} w[o,(i,j,c)] x[(sa+i-p, sb+j-p), c]
 *   transposed:   y[(sa+i-p, sb+j-p), o] gets sum_c w[(i,j,o),c] x[(a,b),c] added, for
 *                 every cell (a,b) and every (i,j); then the bias
 *
 * K is the kernel's side, s the stride, p the padding; places outside a map are zeros
 * that are read, and sums that are dropped. A map [rows * columns, C] lists its cells
 * row by row, the channels of a cell side by side. A cell's output is bitwise the same
 * wherever its inputs lie, but for the edges. */
#pragma once

#include <stddef.h>

struct hl_conv {
    int in, out; /* channels */
    int kernel, stride, pad;
    const float *w;    /* convolution: [out, K, K, in]; transposed: [K, K, out, in]; borrowed */
    const float *bias; /* [out], borrowed, or NULL */
};

/* The side of the output for an input's side, 0 where the kernel does not fit.
 * Thread-safety: reentrant. Fails: never. */
int hl_conv_side(const struct hl_conv *c, int side);
int hl_conv_transposed_side(const struct hl_conv *c, int side);

/* Floats of scratch for an input of h x w cells, for either direction's function; checked:
 * SIZE_MAX where they cannot be counted. Thread-safety: reentrant. Fails: never. */
size_t hl_conv_scratch(const struct hl_conv *c, int h, int w);
size_t hl_conv_transposed_scratch(const struct hl_conv *c, int h, int w);

/* x[h*w, in] into y[h'*w', out], with h' = hl_conv_side(c, h). Nothing may overlap.
 * Thread-safety: reentrant. Fails: never. */
void hl_conv_apply(const struct hl_conv *c, int h, int w, const float *x, float *y, float *scratch);
/* The same transposed, with h' = hl_conv_transposed_side(c, h). */
void hl_conv_transposed_apply(const struct hl_conv *c, int h, int w, const float *x, float *y,
                              float *scratch);

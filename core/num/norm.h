/* Layer normalisation (Ba et al. 2016).
 *
 *   y = (x - mean) / sqrt(var + eps) * gain + bias,  var = mean of (x - mean)^2 */
#pragma once

#include <stddef.h>

struct hl_norm {
    const float *gain, *bias; /* [d], borrowed */
    int d;
    float eps;
};

/* n rows of x[n,d] into y (may be x). Moments in double; each row is independent of
 * the others. Thread-safety: reentrant. Fails: never. */
void hl_norm_apply(const struct hl_norm *l, int n, const float *x, ptrdiff_t x_stride, float *y,
                   ptrdiff_t y_stride);

/* An affine map y = x W^T + b with stored-type weights and a float bias. */
#pragma once

#include <stddef.h>

#include "num/weight.h"

struct hl_linear {
    struct hl_weight w; /* [out,in], borrowed */
    const float *b;     /* [out], borrowed, or NULL */
};

/* n rows of x[n,in] into y[n,out]; y must not overlap x; a row is bitwise
 * independent of the others. Thread-safety: reentrant. Fails: never. */
void hl_linear_apply(const struct hl_linear *l, int n, const float *x, ptrdiff_t x_stride, float *y,
                     ptrdiff_t y_stride);

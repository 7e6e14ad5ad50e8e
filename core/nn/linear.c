#include "nn/linear.h"

void
hl_linear_apply(const struct hl_linear *l, int n, const float *x, ptrdiff_t x_stride, float *y,
                ptrdiff_t y_stride)
{
    hl_weight_apply(&l->w, l->b, n, x, x_stride, y, y_stride);
}

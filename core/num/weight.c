#include "num/weight.h"

#include "num/kernels/kernels.h"

static const char *
row_at(const struct hl_weight *w, int row)
{
    return (const char *)w->p + (size_t)row * (size_t)w->cols * hl_dtype_size(w->type);
}

void
hl_weight_apply(const struct hl_weight *w, const float *bias, int n, const float *x,
                ptrdiff_t x_stride, float *y, ptrdiff_t y_stride)
{
    hl_kernels_get()->apply(w, bias, n, x, x_stride, y, y_stride);
}

void
hl_weight_row(const struct hl_weight *w, int row, float *out)
{
    hl_dtype_to_f32(w->type, row_at(w, row), (size_t)w->cols, out);
}

struct hl_weight
hl_weight_rows(const struct hl_weight *w, int row, int n)
{
    return (struct hl_weight) { row_at(w, row), w->type, n, w->cols };
}

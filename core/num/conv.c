#include "num/conv.h"

#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "num/weight.h"

int
hl_conv_side(const struct hl_conv *c, int side)
{
    int room = side + 2 * c->pad - c->kernel;
    return room < 0 ? 0 : room / c->stride + 1;
}

int
hl_conv_transposed_side(const struct hl_conv *c, int side)
{
    int n = (side - 1) * c->stride - 2 * c->pad + c->kernel;
    return side < 1 || n < 0 ? 0 : n;
}

/* cells * K * K * channels, or SIZE_MAX. */
static size_t
columns_size(int h, int w, int kernel, int channels)
{
    size_t n;
    bool ok = hl_size_mul((size_t)h, (size_t)w, &n) && hl_size_mul(n, (size_t)kernel, &n) &&
              hl_size_mul(n, (size_t)kernel, &n) && hl_size_mul(n, (size_t)channels, &n);
    return ok ? n : SIZE_MAX;
}

size_t
hl_conv_scratch(const struct hl_conv *c, int h, int w)
{
    return columns_size(hl_conv_side(c, h), hl_conv_side(c, w), c->kernel, c->in);
}

size_t
hl_conv_transposed_scratch(const struct hl_conv *c, int h, int w)
{
    return columns_size(h, w, c->kernel, c->out);
}

/* Where kernel places first .. last - 1 fall inside a side that is met from `at` on. */
static void
inside(int at, int kernel, int side, int *first, int *last)
{
    *first = at < 0 ? (-at < kernel ? -at : kernel) : 0;
    *last = side - at < kernel ? side - at : kernel;
    if (*last < *first)
        *last = *first;
}

/* The patch of x whose first corner is (top, left), zeros outside, into out. */
static void
gather(const struct hl_conv *c, int h, int w, const float *x, int top, int left, float *out)
{
    int first, last, first_row, last_row;
    ptrdiff_t row = (ptrdiff_t)c->kernel * c->in;
    inside(top, c->kernel, h, &first_row, &last_row);
    inside(left, c->kernel, w, &first, &last);
    size_t n = (size_t)(last - first) * (size_t)c->in;
    if (last_row - first_row < c->kernel || last - first < c->kernel)
        memset(out, 0, (size_t)row * (size_t)c->kernel * sizeof *out);
    for (int i = first_row; i < last_row && n > 0; i++) {
        ptrdiff_t cell = (ptrdiff_t)(top + i) * w + left + first;
        memcpy(out + i * row + (ptrdiff_t)first * c->in, x + cell * c->in, n * sizeof *out);
    }
}

void
hl_conv_apply(const struct hl_conv *c, int h, int w, const float *x, float *y, float *scratch)
{
    int h_out = hl_conv_side(c, h), w_out = hl_conv_side(c, w);
    int width = c->kernel * c->kernel * c->in;
    const struct hl_weight weight = { c->w, HL_DTYPE_F32, c->out, width };
    float *to = scratch;

    for (int a = 0; a < h_out; a++) {
        for (int b = 0; b < w_out; b++, to += width)
            gather(c, h, w, x, a * c->stride - c->pad, b * c->stride - c->pad, to);
    }
    hl_weight_apply(&weight, c->bias, h_out * w_out, scratch, width, y, c->out);
}

/* Adds the patch at `from` to y around the corner (top, left). */
static void
scatter(const struct hl_conv *c, int h, int w, const float *from, int top, int left, float *y)
{
    int first, last, first_row, last_row;
    ptrdiff_t row = (ptrdiff_t)c->kernel * c->out;
    inside(top, c->kernel, h, &first_row, &last_row);
    inside(left, c->kernel, w, &first, &last);
    ptrdiff_t n = (ptrdiff_t)(last - first) * c->out;
    for (int i = first_row; i < last_row && n > 0; i++) {
        float *to = y + ((ptrdiff_t)(top + i) * w + left + first) * c->out;
        const float *add = from + i * row + (ptrdiff_t)first * c->out;
        for (ptrdiff_t k = 0; k < n; k++)
            to[k] += add[k];
    }
}

void
hl_conv_transposed_apply(const struct hl_conv *c, int h, int w, const float *x, float *y,
                         float *scratch)
{
    int h_out = hl_conv_transposed_side(c, h), w_out = hl_conv_transposed_side(c, w);
    int width = c->kernel * c->kernel * c->out;
    const struct hl_weight weight = { c->w, HL_DTYPE_F32, width, c->in };
    const float *from = scratch;

    for (int cell = 0; cell < h_out * w_out; cell++) {
        for (int o = 0; o < c->out; o++)
            y[(ptrdiff_t)cell * c->out + o] = c->bias ? c->bias[o] : 0.0f;
    }
    hl_weight_apply(&weight, NULL, h * w, x, c->in, scratch, width);
    for (int a = 0; a < h; a++) {
        for (int b = 0; b < w; b++, from += width)
            scatter(c, h_out, w_out, from, a * c->stride - c->pad, b * c->stride - c->pad, y);
    }
}

/* Plain C: what every other version is tested against, and what runs on processors
 * without one of their own. Sums go over eight lanes, which compilers turn into
 * whatever vectors the processor has. */
#include <math.h>

#include "num/kernels/kernels_priv.h"

enum { LANES = 8, CHUNK = 512 };

/* sum_i a[i] b[i] in an order that depends on n alone. */
static float
dot(const float *a, const float *b, int n)
{
    float acc[LANES] = { 0 };
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int l = 0; l < LANES; l++)
            acc[l] += a[i + l] * b[i + l];
    }
    for (int l = 0; i + l < n; l++)
        acc[l] += a[i + l] * b[i + l];
    return ((acc[0] + acc[4]) + (acc[2] + acc[6])) + ((acc[1] + acc[5]) + (acc[3] + acc[7]));
}

static void
apply(const struct hl_weight *w, const float *bias, int n, const float *x, ptrdiff_t x_stride,
      float *y, ptrdiff_t y_stride)
{
    float wide[CHUNK];
    size_t one = hl_dtype_size(w->type);
    for (int o = 0; o < w->rows; o++) {
        const char *row = (const char *)w->p + (size_t)o * (size_t)w->cols * one;
        for (int t = 0; t < n; t++)
            y[t * y_stride + o] = 0.0f;
        for (int c = 0; c < w->cols; c += CHUNK) {
            int m = w->cols - c < CHUNK ? w->cols - c : CHUNK;
            hl_dtype_to_f32(w->type, row + (size_t)c * one, (size_t)m, wide);
            for (int t = 0; t < n; t++)
                y[t * y_stride + o] += dot(x + t * x_stride + c, wide, m);
        }
        for (int t = 0; bias && t < n; t++)
            y[t * y_stride + o] += bias[o];
    }
}

static void
dots(const float *q, const float *k, ptrdiff_t k_stride, int n, int d, float scale, float *out)
{
    for (int j = 0; j < n; j++)
        out[j] = scale * dot(q, k + j * k_stride, d);
}

static void
mix(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *out)
{
    for (int c = 0; c < d; c++)
        out[c] = 0.0f;
    for (int j = 0; j < n; j++) {
        for (int c = 0; c < d; c++)
            out[c] += w[j] * v[j * v_stride + c];
    }
}

static double
exp_sum(const float *x, int n, float top, float factor, float *out)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        out[i] = expf((x[i] - top) * factor);
        sum += (double)out[i];
    }
    return sum;
}

static void
tanh_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = tanhf(x[i]);
}

static void
sigmoid_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i++) {
        float e = expf(-fabsf(x[i]));
        y[i] = (x[i] < 0.0f ? e : 1.0f) / (1.0f + e);
    }
}

const struct hl_kernels hl_kernels_plain = {
    .name = "plain",
    .apply = apply,
    .dots = dots,
    .mix = mix,
    .exp_sum = exp_sum,
    .tanh = tanh_all,
    .sigmoid = sigmoid_all,
};

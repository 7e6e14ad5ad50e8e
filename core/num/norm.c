#include "num/norm.h"

#include <math.h>

enum { LANES = 8, CHUNK = 64 };

/* Sum of x_i - centre, or of its square; eight lanes, order depends on d alone. */
static double
moment(const float *x, int d, double centre, int squared)
{
    double acc[LANES] = { 0 };
    int i = 0;
    for (; i + LANES <= d; i += LANES) {
        for (int l = 0; l < LANES; l++) {
            double v = (double)x[i + l] - centre;
            acc[l] += squared ? v * v : v;
        }
    }
    for (int l = 0; i + l < d; l++) {
        double v = (double)x[i + l] - centre;
        acc[l] += squared ? v * v : v;
    }
    return ((acc[0] + acc[4]) + (acc[2] + acc[6])) + ((acc[1] + acc[5]) + (acc[3] + acc[7]));
}

static void
rms_row(const struct hl_norm *l, const float *from, float *to)
{
    double square = moment(from, l->d, 0.0, 1) / l->d;
    float inv = (float)(1.0 / sqrt(square + (double)l->eps));
    for (int i = 0; i < l->d; i++)
        to[i] = from[i] * inv * l->gain[i];
}

void
hl_norm_apply(const struct hl_norm *l, int n, const float *x, ptrdiff_t x_stride, float *y,
              ptrdiff_t y_stride)
{
    for (int t = 0; t < n; t++) {
        const float *from = x + t * x_stride;
        float *to = y + t * y_stride;
        if (l->rms) {
            rms_row(l, from, to);
            continue;
        }
        double mean = moment(from, l->d, 0.0, 0) / l->d;
        double var = moment(from, l->d, mean, 1) / l->d;
        float m = (float)mean, inv = (float)(1.0 / sqrt(var + (double)l->eps));
        for (int i = 0; i < l->d; i++)
            to[i] = (from[i] - m) * inv * l->gain[i] + l->bias[i];
    }
}

void
hl_norm_batch_apply(const struct hl_norm_batch *l, int label, int n, const float *x,
                    ptrdiff_t x_stride, float *y, ptrdiff_t y_stride)
{
    const float *gain = l->gain + (ptrdiff_t)label * l->d;
    const float *bias = l->bias + (ptrdiff_t)label * l->d;
    float factor[CHUNK];

    for (int c = 0; c < l->d; c += CHUNK) {
        int m = l->d - c < CHUNK ? l->d - c : CHUNK;
        for (int i = 0; i < m; i++)
            factor[i] =
                (float)((double)gain[c + i] / sqrt((double)l->variance[c + i] + (double)l->eps));
        for (int t = 0; t < n; t++) {
            const float *from = x + t * x_stride + c;
            float *to = y + t * y_stride + c;
            for (int i = 0; i < m; i++)
                to[i] = (from[i] - l->mean[c + i]) * factor[i] + bias[c + i];
        }
    }
}

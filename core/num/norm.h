/* Layer normalisation (Ba et al. 2016), and batch normalisation (Ioffe and Szegedy 2015)
 * with the statistics of training.
 *
 *   y = (x - mean) / sqrt(var + eps) * gain + bias
 *   y = x / sqrt(mean of x^2 + eps) * gain              (rms; Zhang and Sennrich 2019)
 *
 * Layer: mean and var = mean of (x - mean)^2 are the row's own. Batch: they are given for
 * each channel; gain and bias may belong to a class (Dumoulin et al. 2017). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct hl_norm {
    const float *gain, *bias; /* [d], borrowed; no bias for rms */
    int d;
    float eps;
    bool rms;
};

/* n rows of x[n,d] into y (may be x). Moments in double; each row is independent of
 * the others. Thread-safety: reentrant. Fails: never. */
void hl_norm_apply(const struct hl_norm *l, int n, const float *x, ptrdiff_t x_stride, float *y,
                   ptrdiff_t y_stride);

struct hl_norm_batch {
    const float *mean, *variance; /* [d], borrowed; no variance below 0 */
    const float *gain, *bias;     /* [classes, d], borrowed */
    int d;
    float eps;
};

/* n rows of x[n,d] into y (may be x), with the gain and bias of class `label` (0 where
 * there are no classes). Thread-safety: reentrant. Fails: never. */
void hl_norm_batch_apply(const struct hl_norm_batch *l, int label, int n, const float *x,
                         ptrdiff_t x_stride, float *y, ptrdiff_t y_stride);

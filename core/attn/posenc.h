/* Sinusoidal positions (Vaswani et al. 2017, section 3.5) in all their layouts.
 *
 * Pair i has the angle p * f_i; one column is its sine, one its cosine.
 * Order: interleaved sin, cos, sin, cos ... (paper), or all sines then all cosines
 * (Marian; for odd D the sines are one more). Frequencies: f_i = 10000^(-2i/D)
 * (paper, Marian), or f_i = 10000^(-i / (D/2 - 1)) (tensor2tensor; for odd D the
 * last column is 0). Computed in double, then rounded. */
#pragma once

#include <stddef.h>

enum hl_posenc_order { HL_POSENC_INTERLEAVED, HL_POSENC_HALVES, HL_POSENC_ORDER_COUNT };

enum hl_posenc_freq { HL_POSENC_PAPER, HL_POSENC_TENSOR2TENSOR, HL_POSENC_FREQ_COUNT };

/* What column `dim` of D shows. */
struct hl_posenc_column {
    int pair;         /* i; -1 for the padding column of tensor2tensor */
    int cosine;       /* 0 sine, 1 cosine */
    double frequency; /* radians per position; 0 for padding */
};

/* Thread-safety: reentrant. Fails: never (0 <= dim < d). */
struct hl_posenc_column hl_posenc_column(enum hl_posenc_order order, enum hl_posenc_freq freq,
                                         int d, int dim);

/* One value in double. Thread-safety: reentrant. Fails: never. */
double hl_posenc_value(struct hl_posenc_column c, double position);

/* Rows first .. first + n - 1 into out[n,d]. Thread-safety: reentrant. Fails: never. */
void hl_posenc_rows(enum hl_posenc_order order, enum hl_posenc_freq freq, int first, int n, int d,
                    float *out, ptrdiff_t out_stride);

/* From weights to what is read: softly, or one position hard.
 *
 * soft: c = sum_j w_j v_j. Hard by the largest weight, or by a seeded draw (Xu et
 * al. 2015), gives one row of v. */
#pragma once

#include <stddef.h>

#include "base/rng.h"

/* c[d] = sum_j w_j v[j]; c must not overlap. Thread-safety: reentrant. Fails: never. */
void hl_align_soft(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *c);

/* One-hot at the largest weight (the first of equals) into out[n] (may be w); gives
 * its index, -1 and zeros for n = 0. Thread-safety: reentrant. Fails: never. */
int hl_align_argmax(const float *w, int n, float *out);

/* One-hot at a position drawn with probability w_j / sum w; -1 and zeros when the
 * sum is 0. Thread-safety: one thread per generator. Fails: never. */
int hl_align_sample(const float *w, int n, struct hl_rng *rng, float *out);

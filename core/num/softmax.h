/* Softmax over the allowed entries of a row.
 *
 *   out_j = exp((x_j - m) / temperature) / sum_i exp((x_i - m) / temperature)
 *
 * m is the largest allowed x, seeded from the first allowed one. Masked entries
 * give exactly 0. A row without any allowed entry, or whose allowed entries are
 * all -infinity, gives zeros and never NaN. The sum is taken in double. Inputs
 * must not be NaN or +infinity. */
#pragma once

#include <stdint.h>

/* Softmax of x[n] into out[n] (may be x). mask[n], 1 = allowed, may be NULL.
 * temperature > 0. Thread-safety: reentrant. Fails: never. */
void hl_softmax(const float *x, const uint8_t *mask, int n, float temperature, float *out);

/* The same where exactly the entries 0 .. n_allowed - 1 are allowed (causal rows);
 * entries n_allowed .. n - 1 become 0. Bitwise independent of n. Thread-safety:
 * reentrant. Fails: never. */
void hl_softmax_prefix(const float *x, int n_allowed, int n, float temperature, float *out);

/* log sum_i exp(x_i), -infinity for n = 0. Thread-safety: reentrant. Fails: never. */
double hl_softmax_log_sum(const float *x, int n);

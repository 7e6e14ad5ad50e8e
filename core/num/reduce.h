/* Largest entries, log-probabilities, entropy. NaN entries are not allowed. */
#pragma once

#include <stdint.h>

/* Index of the largest of x[n], the first of equals; -1 for n = 0. Thread-safety:
 * reentrant. Fails: never. */
int hl_reduce_argmax(const float *x, int n);
/* Indices of the k largest of x[n], largest first, equals by index, into out[k].
 * Gives how many there are, min(k, n). Thread-safety: reentrant. Fails: never. */
int hl_reduce_top(const float *x, int n, int k, int32_t *out);
/* out_i = x_i - log sum exp x; out may be x. Thread-safety: reentrant. Fails: never. */
void hl_reduce_log_softmax(const float *x, int n, float *out);
/* - sum p log p in nats, 0 log 0 = 0. Thread-safety: reentrant. Fails: never. */
double hl_reduce_entropy(const float *p, int n);
/* sum a_i b_i, in an order that depends on n alone. Thread-safety: reentrant.
 * Fails: never. */
float hl_reduce_dot(const float *a, const float *b, int n);

/* Figures of rows and heads: entropy, means, strongest keys, ranking of heads. Pure
 * functions over a sealed record. */
#pragma once

#include "base/arena.h"
#include "record/record.h"

/* Entropy in bits of n weights, -Σ p log2 p with p = w / Σ w (Shannon 1948); 0 for a
 * row of zeros. Thread-safety: reentrant. Fails: never. */
double
hl_summary_entropy(const float *row, int n);

/* Mean over heads of one layer, or of all layers for layer -1: [Q, K] in `a`.
 * Thread-safety: reentrant, one thread per arena. Fails: NULL (no memory). */
float *
hl_summary_mean(const struct hl_map *m, int layer, struct hl_arena *a);

/* Indices of the k largest of n weights, largest first, the earlier of equals
 * first; returns how many were written (at most n). out has room for k.
 * Thread-safety: reentrant. Fails: never. */
int
hl_summary_top(const float *row, int n, int k, int *out);

/* Weight that one head puts from a set of queries on a set of keys: summed over
 * keys, averaged over queries; 0 for an empty set. Indices in range.
 * Thread-safety: reentrant. Fails: never. */
double
hl_summary_weight(const struct hl_map *m, int layer, int head, const int *queries, int n_queries,
                  const int *keys, int n_keys);

struct hl_head_rank {
    int layer, head;
    double weight;
};

/* All heads of a map, the largest weight from the queries on the keys first, equals
 * by layer and head. Returns n_layers * n_heads entries in `a`.
 * Thread-safety: reentrant, one thread per arena. Fails: NULL (no memory). */
struct hl_head_rank *
hl_summary_rank_heads(const struct hl_map *m, const int *queries, int n_queries, const int *keys,
                      int n_keys, struct hl_arena *a);

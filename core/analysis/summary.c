#include "analysis/summary.h"

#include <math.h>
#include <stdlib.h>

double
hl_summary_entropy(const float *row, int n)
{
    double sum = 0, h = 0;
    for (int i = 0; i < n; i++)
        sum += (double)row[i];
    if (!(sum > 0))
        return 0;
    for (int i = 0; i < n; i++) {
        double p = (double)row[i] / sum;
        if (p > 0)
            h -= p * log2(p);
    }
    /* a single 1 gives minus zero */
    return h > 0 ? h : 0;
}

float *
hl_summary_mean(const struct hl_map *m, int layer, struct hl_arena *a)
{
    size_t n = (size_t)m->n_q * (size_t)m->n_k;
    int first = layer < 0 ? 0 : layer, last = layer < 0 ? m->n_layers - 1 : layer;
    double heads = (double)(last - first + 1) * m->n_heads;
    float *out = hl_arena_floats(a, n);
    if (!out)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int l = first; l <= last; l++) {
            for (int h = 0; h < m->n_heads; h++)
                sum += (double)hl_map_row(m, l, h, 0)[i];
        }
        out[i] = (float)(sum / heads);
    }
    return out;
}

int
hl_summary_top(const float *row, int n, int k, int *out)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        int at = found;
        while (at > 0 && row[i] > row[out[at - 1]])
            at--;
        if (at >= k)
            continue;
        if (found < k)
            found++;
        for (int j = found - 1; j > at; j--)
            out[j] = out[j - 1];
        out[at] = i;
    }
    return found;
}

double
hl_summary_weight(const struct hl_map *m, int layer, int head, const int *queries, int n_queries,
                  const int *keys, int n_keys)
{
    double sum = 0;
    for (int i = 0; i < n_queries; i++) {
        const float *row = hl_map_row(m, layer, head, queries[i]);
        for (int j = 0; j < n_keys; j++)
            sum += (double)row[keys[j]];
    }
    return n_queries > 0 ? sum / n_queries : 0;
}

static int
by_weight(const void *x, const void *y)
{
    const struct hl_head_rank *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->layer != b->layer)
        return a->layer - b->layer;
    return a->head - b->head;
}

struct hl_head_rank *
hl_summary_rank_heads(const struct hl_map *m, const int *queries, int n_queries, const int *keys,
                      int n_keys, struct hl_arena *a)
{
    int n = 0;
    struct hl_head_rank *out =
        hl_arena_new(a, (size_t)m->n_layers * (size_t)m->n_heads, struct hl_head_rank);
    if (!out)
        return NULL;
    for (int l = 0; l < m->n_layers; l++) {
        for (int h = 0; h < m->n_heads; h++) {
            double w = hl_summary_weight(m, l, h, queries, n_queries, keys, n_keys);
            out[n++] = (struct hl_head_rank) { l, h, w };
        }
    }
    qsort(out, (size_t)n, sizeof *out, by_weight);
    return out;
}

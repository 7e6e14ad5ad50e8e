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

/* Sums and counts over rows, per kind. */
struct tally {
    double sum[HL_HEAD_COUNT];
    int rows[HL_HEAD_COUNT];
};

static void
count(struct tally *t, enum hl_head_kind kind, double weight)
{
    t->sum[kind] += weight;
    t->rows[kind]++;
}

/* Offsets to the row's own token, on a map from tokens to themselves. */
static void
count_offsets(struct tally *t, const struct hl_map *m, const float *row, int q)
{
    int last = m->causal ? q : m->n_k - 1;
    count(t, HL_HEAD_SELF, (double)row[q]);
    if (q > 0)
        count(t, HL_HEAD_PREVIOUS, (double)row[q - 1]);
    if (q < last)
        count(t, HL_HEAD_NEXT, (double)row[q + 1]);
}

/* The key at the same relative place, with its neighbours. */
static void
count_diagonal(struct tally *t, const struct hl_map *m, const float *row, int q)
{
    double sum = 0;
    int centre = m->n_q > 1 ? (int)lround((double)q * (m->n_k - 1) / (m->n_q - 1)) : 0;
    for (int k = centre - 1; k <= centre + 1; k++)
        sum += k >= 0 && k < m->n_k ? (double)row[k] : 0;
    count(t, HL_HEAD_DIAGONAL, sum);
}

static void
count_row(struct tally *t, const struct hl_record *r, const struct hl_map *m, const float *row,
          int q)
{
    const struct hl_token *keys = r->axes[m->k_axis].tokens;
    int allowed = m->causal ? q + 1 : m->n_k;
    double special = 0;

    if (m->k_axis == m->q_axis)
        count_offsets(t, m, row, q);
    else if (m->n_k > 3)
        count_diagonal(t, m, row, q);
    if (q > 0 || m->k_axis != m->q_axis)
        count(t, HL_HEAD_FIRST, (double)row[0]);
    for (int k = 0; keys && k < allowed; k++)
        special += keys[k].special ? (double)row[k] : 0;
    count(t, HL_HEAD_SPECIAL, special);
    if (allowed > 1)
        count(t, HL_HEAD_BROAD, hl_summary_entropy(row, m->n_k) / log2((double)allowed));
}

struct hl_head_profile
hl_summary_profile(const struct hl_record *r, const struct hl_map *m, int layer, int head)
{
    struct hl_head_profile p = { .kind = HL_HEAD_MIXED };
    struct tally t = { { 0 }, { 0 } };

    for (int q = 0; q < m->n_q; q++) {
        const float *row = hl_map_row(m, layer, head, q);
        count_row(&t, r, m, row, q);
        p.entropy += hl_summary_entropy(row, m->n_k) / m->n_q;
    }
    double best = 0;
    for (int k = HL_HEAD_PREVIOUS; k < HL_HEAD_COUNT; k++) {
        p.mean[k] = t.rows[k] > 0 ? t.sum[k] / t.rows[k] : 0;
        double least = k == HL_HEAD_BROAD ? 0.85 : 0.5;
        if (p.mean[k] >= least && p.mean[k] > best) {
            best = p.mean[k];
            p.kind = (enum hl_head_kind)k;
        }
    }
    return p;
}

const char *
hl_head_kind_name(enum hl_head_kind kind)
{
    switch (kind) {
    case HL_HEAD_PREVIOUS:
        return "previous token";
    case HL_HEAD_SELF:
        return "same token";
    case HL_HEAD_NEXT:
        return "next token";
    case HL_HEAD_FIRST:
        return "first token";
    case HL_HEAD_SPECIAL:
        return "special tokens";
    case HL_HEAD_DIAGONAL:
        return "along the diagonal";
    case HL_HEAD_BROAD:
        return "spread evenly";
    case HL_HEAD_MIXED:
    case HL_HEAD_COUNT:
        break;
    }
    return "mixed";
}

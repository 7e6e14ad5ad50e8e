#include "attn/mha.h"

#include <math.h>

#include "attn/mask.h"
#include "num/kernels/kernels.h"
#include "num/softmax.h"

static void
fill(float *p, int from, int to, float v)
{
    for (int j = from; j < to; j++)
        p[j] = v;
}

static float *
row_at(const struct hl_mha_out *o, int h, int i)
{
    return o->p + h * o->head_stride + i * o->row_stride;
}

/* Head h of query i. */
static void
attend(const struct hl_mha *a, const struct hl_kernels *kernels, float scale, int h, int i)
{
    int n = a->causal ? hl_mask_causal_count(i, a->n_k, a->offset) : a->n_k;
    int n_kv = a->n_kv_heads > 0 ? a->n_kv_heads : a->n_heads;
    int col = h * a->d_head, kv_col = h * n_kv / a->n_heads * a->d_head;
    int n_cols = a->n_cols > a->n_k ? a->n_cols : a->n_k;
    float *w = a->weights.p ? row_at(&a->weights, h, i) : a->scratch;
    kernels->dots(a->q + i * a->q_stride + col, a->k + kv_col, a->k_stride, n, a->d_head, scale, w);
    for (int j = 0; a->mask && j < n; j++)
        w[j] = a->mask[j] ? w[j] : -INFINITY;
    if (a->scores.p) {
        float *s = row_at(&a->scores, h, i);
        for (int j = 0; j < n; j++)
            s[j] = w[j];
        fill(s, n, n_cols, -INFINITY);
    }
    hl_softmax_prefix(w, n, n, 1.0f, w);
    kernels->mix(w, a->v + kv_col, a->v_stride, n, a->d_head, a->out + i * a->out_stride + col);
    if (a->weights.p)
        fill(w, n, n_cols, 0.0f);
}

void
hl_mha_run(const struct hl_mha *a)
{
    const struct hl_kernels *kernels = hl_kernels_get();
    float scale = a->scale;
    if (scale == 0.0f)
        scale = (float)(1.0 / sqrt((double)a->d_head));
    for (int h = 0; h < a->n_heads; h++) {
        for (int i = 0; i < a->n_q; i++)
            attend(a, kernels, scale, h, i);
    }
}

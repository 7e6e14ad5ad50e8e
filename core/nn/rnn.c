#include "nn/rnn.h"

#include "num/act.h"

size_t
hl_rnn_gru_scratch(const struct hl_gru *g, int n)
{
    size_t rows = n > 0 ? (size_t)n : 1;
    return rows * 2 * (size_t)g->w_hh.rows;
}

/* One row: in[3d] and rec[3d] are the two affine parts; in receives r, z, n. */
static void
cell(int d, float *in, const float *rec, const float *h, float *h_out)
{
    for (int i = 0; i < 2 * d; i++)
        in[i] += rec[i];
    hl_act_apply(HL_ACT_SIGMOID, 2 * d, in, in);
    const float *r = in, *z = in + d;
    float *n = in + 2 * d;
    for (int i = 0; i < d; i++)
        n[i] += r[i] * rec[2 * d + i];
    hl_act_apply(HL_ACT_TANH, d, n, n);
    for (int i = 0; i < d; i++)
        h_out[i] = (1.0f - z[i]) * n[i] + z[i] * h[i];
}

void
hl_rnn_gru_step(const struct hl_gru *g, int n, const float *x, ptrdiff_t x_stride, const float *h,
                ptrdiff_t h_stride, float *h_out, ptrdiff_t out_stride, float *gates,
                float *scratch)
{
    int d = g->w_hh.cols, d3 = 3 * d;
    float *in = gates ? gates : scratch, *rec = scratch + (ptrdiff_t)n * d3;
    hl_weight_apply(&g->w_ih, g->b_ih, n, x, x_stride, in, d3);
    hl_weight_apply(&g->w_hh, g->b_hh, n, h, h_stride, rec, d3);
    for (int i = 0; i < n; i++)
        cell(d, in + (ptrdiff_t)i * d3, rec + (ptrdiff_t)i * d3, h + i * h_stride,
             h_out + i * out_stride);
}

void
hl_rnn_gru_run(const struct hl_gru *g, int n, const float *x, ptrdiff_t x_stride, bool reverse,
               float *out, ptrdiff_t out_stride, float *scratch)
{
    int d = g->w_hh.cols, d3 = 3 * d;
    float *in = scratch, *rec = scratch + (ptrdiff_t)n * d3;
    hl_weight_apply(&g->w_ih, g->b_ih, n, x, x_stride, in, d3);
    for (int s = 0; s < n; s++) {
        int t = reverse ? n - 1 - s : s;
        float *now = out + t * out_stride;
        const float *before = reverse ? now + out_stride : now - out_stride;
        if (s == 0) {
            /* The zero state lives where the first result goes. */
            for (int i = 0; i < d; i++)
                now[i] = 0.0f;
            before = now;
        }
        hl_weight_apply(&g->w_hh, g->b_hh, 1, before, d, rec, d3);
        cell(d, in + (ptrdiff_t)t * d3, rec, before, now);
    }
}

void
hl_rnn_lstm_step(const struct hl_lstm *l, const float *x, const float *h, const float *c,
                 float *h_out, float *c_out, float *gates, float *scratch)
{
    int d = l->w_hh.cols, d4 = 4 * d;
    float *i = gates, *f = i + d, *g = f + d, *o = g + d;

    hl_weight_apply(&l->w_ih, l->b, 1, x, l->w_ih.cols, gates, d4);
    hl_weight_apply(&l->w_hh, NULL, 1, h, d, scratch, d4);
    for (int k = 0; k < d4; k++)
        gates[k] += scratch[k];
    hl_act_apply(HL_ACT_SIGMOID, 2 * d, i, i);
    hl_act_apply(HL_ACT_TANH, d, g, g);
    hl_act_apply(HL_ACT_SIGMOID, d, o, o);
    for (int k = 0; k < d; k++)
        c_out[k] = f[k] * c[k] + i[k] * g[k];
    hl_act_apply(HL_ACT_TANH, d, c_out, scratch);
    for (int k = 0; k < d; k++)
        h_out[k] = o[k] * scratch[k];
}

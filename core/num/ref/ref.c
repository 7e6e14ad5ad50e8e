#include "num/ref/ref.h"

#include <math.h>
#include <stddef.h>

void
hl_ref_gemm(int m, int n, int k, double alpha, const double *a, const double *b, double beta,
            double *c)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = alpha * sum + (beta != 0.0 ? beta * c[i * n + j] : 0.0);
        }
    }
}

void
hl_ref_linear(int n, int in, int out, const double *x, const double *w, const double *b, double *y)
{
    for (int t = 0; t < n; t++) {
        for (int o = 0; o < out; o++) {
            double sum = b ? b[o] : 0.0;
            for (int i = 0; i < in; i++)
                sum += x[t * in + i] * w[o * in + i];
            y[t * out + o] = sum;
        }
    }
}

void
hl_ref_softmax(const double *x, const uint8_t *mask, int n, double temperature, double *out)
{
    double top = -INFINITY, sum = 0.0;
    for (int i = 0; i < n; i++) {
        if ((!mask || mask[i]) && x[i] > top)
            top = x[i];
    }
    for (int i = 0; i < n; i++) {
        bool allowed = (!mask || mask[i]) && x[i] > -INFINITY;
        out[i] = allowed ? exp((x[i] - top) / temperature) : 0.0;
        sum += out[i];
    }
    for (int i = 0; i < n && sum > 0.0; i++)
        out[i] /= sum;
}

void
hl_ref_norm(const double *x, int d, const double *gain, const double *bias, double eps, double *y)
{
    double mean = 0.0, var = 0.0;
    for (int i = 0; i < d; i++)
        mean += x[i] / d;
    for (int i = 0; i < d; i++)
        var += (x[i] - mean) * (x[i] - mean) / d;
    for (int i = 0; i < d; i++)
        y[i] = (x[i] - mean) / sqrt(var + eps) * gain[i] + bias[i];
}

static double
sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

void
hl_ref_norm_batch(const double *x, int d, const double *mean, const double *variance,
                  const double *gain, const double *bias, double eps, double *y)
{
    for (int i = 0; i < d; i++)
        y[i] = (x[i] - mean[i]) / sqrt(variance[i] + eps) * gain[i] + bias[i];
}

void
hl_ref_conv(const struct hl_conv *c, int h, int w, const double *weights, const double *bias,
            const double *x, double *y)
{
    int h_out = hl_conv_side(c, h), w_out = hl_conv_side(c, w), k = c->kernel;
    for (int i = 0; i < h_out * w_out * c->out; i++) {
        int o = i % c->out, col = i / c->out % w_out, row = i / c->out / w_out;
        double sum = bias ? bias[o] : 0.0;
        for (int p = 0; p < k * k * c->in; p++) {
            int from_row = row * c->stride - c->pad + p / c->in / k;
            int from_col = col * c->stride - c->pad + p / c->in % k;
            if (from_row >= 0 && from_row < h && from_col >= 0 && from_col < w)
                sum += weights[o * k * k * c->in + p] *
                       x[(from_row * w + from_col) * c->in + p % c->in];
        }
        y[i] = sum;
    }
}

void
hl_ref_conv_transposed(const struct hl_conv *c, int h, int w, const double *weights,
                       const double *bias, const double *x, double *y)
{
    int h_out = hl_conv_transposed_side(c, h), w_out = hl_conv_transposed_side(c, w);
    int k = c->kernel;
    for (int i = 0; i < h_out * w_out * c->out; i++)
        y[i] = bias ? bias[i % c->out] : 0.0;
    for (int cell = 0; cell < h * w; cell++) {
        for (int p = 0; p < k * k * c->out; p++) {
            int row = cell / w * c->stride - c->pad + p / c->out / k;
            int col = cell % w * c->stride - c->pad + p / c->out % k;
            for (int i = 0; i < c->in && row >= 0 && row < h_out && col >= 0 && col < w_out; i++)
                y[(row * w_out + col) * c->out + p % c->out] +=
                    weights[p * c->in + i] * x[cell * c->in + i];
        }
    }
}

double
hl_ref_act(enum hl_act act, double x)
{
    switch (act) {
    case HL_ACT_RELU:
        return x > 0.0 ? x : 0.0;
    case HL_ACT_GELU:
        return 0.5 * x * (1.0 + erf(x / sqrt(2.0)));
    case HL_ACT_GELU_TANH:
        return 0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    case HL_ACT_SILU:
        return x * sigmoid(x);
    case HL_ACT_TANH:
        return tanh(x);
    case HL_ACT_SIGMOID:
        return sigmoid(x);
    case HL_ACT_LINEAR:
    case HL_ACT_COUNT:
        break;
    }
    return x;
}

void
hl_ref_attention(int n_q, int n_k, int d, int d_v, const double *q, const double *k,
                 const double *v, double scale, bool causal, int offset, double *weights,
                 double *out)
{
    for (int i = 0; i < n_q; i++) {
        double *row = weights + i * n_k;
        for (int j = 0; j < n_k; j++) {
            double sum = 0.0;
            for (int c = 0; c < d; c++)
                sum += q[i * d + c] * k[j * d + c];
            row[j] = causal && j > offset + i ? -INFINITY : scale * sum;
        }
        hl_ref_softmax(row, NULL, n_k, 1.0, row);
        for (int c = 0; c < d_v; c++) {
            double sum = 0.0;
            for (int j = 0; j < n_k; j++)
                sum += row[j] * v[j * d_v + c];
            out[i * d_v + c] = sum;
        }
    }
}

/* Row o of w times x, plus b[o]. */
static double
affine(const double *w, const double *b, int o, int in, const double *x)
{
    double sum = b[o];
    for (int i = 0; i < in; i++)
        sum += w[o * in + i] * x[i];
    return sum;
}

void
hl_ref_gru(int in, int d, const double *w_ih, const double *w_hh, const double *b_ih,
           const double *b_hh, const double *x, const double *h_prev, double *h)
{
    for (int c = 0; c < d; c++) {
        double r = sigmoid(affine(w_ih, b_ih, c, in, x) + affine(w_hh, b_hh, c, d, h_prev));
        double z = sigmoid(affine(w_ih, b_ih, d + c, in, x) + affine(w_hh, b_hh, d + c, d, h_prev));
        double n = tanh(affine(w_ih, b_ih, 2 * d + c, in, x) +
                        r * affine(w_hh, b_hh, 2 * d + c, d, h_prev));
        h[c] = (1.0 - z) * n + z * h_prev[c];
    }
}

#include "num/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "num/kernels/kernels.h"

/* Largest of x[n], n > 0; eight running maxima, so that it becomes vectors. */
static float
largest(const float *x, int n)
{
    enum { LANES = 8 };
    float top = x[0];
    int i = 0;
    if (n >= LANES) {
        float m[LANES];
        memcpy(m, x, sizeof(m));
        for (i = LANES; i + LANES <= n; i += LANES) {
            for (int l = 0; l < LANES; l++)
                m[l] = x[i + l] > m[l] ? x[i + l] : m[l];
        }
        for (int l = 0; l < LANES; l++)
            top = m[l] > top ? m[l] : top;
    }
    for (; i < n; i++)
        top = x[i] > top ? x[i] : top;
    return top;
}

static void
zero(float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.0f;
}

/* Divides the exponentials of x[n] around `top` by their sum, which is at least 1:
 * that of the largest. */
static void
normalise(const float *x, int n, float top, float temperature, float *out)
{
    double sum = hl_kernels_get()->exp_sum(x, n, top, 1.0f / temperature, out);
    float share = (float)(1.0 / sum);
    for (int i = 0; i < n; i++)
        out[i] *= share;
}

void
hl_softmax_prefix(const float *x, int n_allowed, int n, float temperature, float *out)
{
    assert(temperature > 0.0f && n_allowed <= n);
    int m = n_allowed > 0 ? n_allowed : 0;
    float top = m ? largest(x, m) : -INFINITY;
    if (top == -INFINITY)
        m = 0;
    else
        normalise(x, m, top, temperature, out);
    zero(out + m, n - m);
}

void
hl_softmax(const float *x, const uint8_t *mask, int n, float temperature, float *out)
{
    if (!mask) {
        hl_softmax_prefix(x, n, n, temperature, out);
        return;
    }
    /* A masked entry is one of -infinity: its exponential is exactly 0. */
    for (int i = 0; i < n; i++)
        out[i] = mask[i] ? x[i] : -INFINITY;
    hl_softmax_prefix(out, n, n, temperature, out);
}

double
hl_softmax_log_sum(const float *x, int n)
{
    if (n <= 0)
        return -INFINITY;
    float top = largest(x, n);
    if (top == -INFINITY)
        return -INFINITY;
    double sum = 0.0;
    float part[256];
    for (int i = 0; i < n; i += 256)
        sum += hl_kernels_get()->exp_sum(x + i, n - i < 256 ? n - i : 256, top, 1.0f, part);
    return (double)top + log(sum);
}

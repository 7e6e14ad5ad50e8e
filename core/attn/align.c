#include "attn/align.h"

#include "num/kernels/kernels.h"
#include "num/reduce.h"

void
hl_align_soft(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *c)
{
    hl_kernels_get()->mix(w, v, v_stride, n, d, c);
}

static int
one_hot(int at, int n, float *out)
{
    for (int j = 0; j < n; j++)
        out[j] = j == at ? 1.0f : 0.0f;
    return at;
}

int
hl_align_argmax(const float *w, int n, float *out)
{
    return one_hot(hl_reduce_argmax(w, n), n, out);
}

int
hl_align_sample(const float *w, int n, struct hl_rng *rng, float *out)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += (double)w[j];
    double left = hl_rng_uniform(rng) * sum;
    int at = -1;
    for (int j = 0; j < n && sum > 0.0; j++) {
        if (w[j] > 0.0f) {
            at = j; /* rounding may leave a rest at the end: the last possible one */
            left -= (double)w[j];
            if (left < 0.0)
                break;
        }
    }
    return one_hot(at, n, out);
}

#include "num/reduce.h"

#include <math.h>

#include "num/kernels/kernels.h"
#include "num/softmax.h"

int
hl_reduce_argmax(const float *x, int n)
{
    enum { BLOCK = 64 };
    int best = n > 0 ? 0 : -1;
    /* A block is searched only when its maximum, found without branches, is larger
     * than the best so far. */
    for (int i = 0; i < n; i += BLOCK) {
        int end = n - i < BLOCK ? n : i + BLOCK;
        float top = x[i];
        for (int j = i + 1; j < end; j++)
            top = x[j] > top ? x[j] : top;
        if (top > x[best]) {
            best = i;
            while (x[best] < top)
                best++;
        }
    }
    return best;
}

int
hl_reduce_top(const float *x, int n, int k, int32_t *out)
{
    int have = 0;
    if (k <= 0)
        return 0;
    for (int i = 0; i < n; i++) {
        if (have == k && !(x[i] > x[out[k - 1]]))
            continue;
        int at = have < k ? have++ : k - 1;
        for (; at > 0 && x[i] > x[out[at - 1]]; at--)
            out[at] = out[at - 1];
        out[at] = i;
    }
    return have;
}

void
hl_reduce_log_softmax(const float *x, int n, float *out)
{
    double z = hl_softmax_log_sum(x, n);
    for (int i = 0; i < n; i++)
        out[i] = (float)((double)x[i] - z);
}

double
hl_reduce_entropy(const float *p, int n)
{
    double h = 0.0;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0.0f)
            h -= (double)p[i] * log((double)p[i]);
    }
    return h;
}

float
hl_reduce_dot(const float *a, const float *b, int n)
{
    float s;
    hl_kernels_get()->dots(a, b, n, 1, n, 1.0f, &s);
    return s;
}

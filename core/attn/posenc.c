#include "attn/posenc.h"

#include <math.h>

static double
frequency(enum hl_posenc_freq freq, int d, int pair)
{
    if (freq == HL_POSENC_PAPER)
        return pow(10000.0, -2.0 * pair / d);
    int steps = d / 2 - 1;
    return pow(10000.0, -(double)pair / (steps > 1 ? steps : 1));
}

struct hl_posenc_column
hl_posenc_column(enum hl_posenc_order order, enum hl_posenc_freq freq, int d, int dim)
{
    /* tensor2tensor fills an odd last column with zeros; the others put a sine there. */
    if (freq == HL_POSENC_TENSOR2TENSOR && d % 2 != 0 && dim == d - 1)
        return (struct hl_posenc_column) { -1, 0, 0.0 };
    struct hl_posenc_column c;
    if (order == HL_POSENC_INTERLEAVED) {
        c.pair = dim / 2;
        c.cosine = dim % 2;
    } else {
        int n_sin = freq == HL_POSENC_PAPER ? (d + 1) / 2 : d / 2;
        c.cosine = dim >= n_sin;
        c.pair = c.cosine ? dim - n_sin : dim;
    }
    c.frequency = frequency(freq, d, c.pair);
    return c;
}

double
hl_posenc_value(struct hl_posenc_column c, double position)
{
    if (c.pair < 0)
        return 0.0;
    double angle = position * c.frequency;
    return c.cosine ? cos(angle) : sin(angle);
}

void
hl_posenc_rows(enum hl_posenc_order order, enum hl_posenc_freq freq, int first, int n, int d,
               float *out, ptrdiff_t out_stride)
{
    for (int dim = 0; dim < d; dim++) {
        struct hl_posenc_column c = hl_posenc_column(order, freq, d, dim);
        for (int t = 0; t < n; t++)
            out[t * out_stride + dim] = (float)hl_posenc_value(c, (double)first + t);
    }
}

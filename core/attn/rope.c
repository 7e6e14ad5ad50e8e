#include "attn/rope.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

void
hl_rope_frequencies(double theta, int d_head, double *out)
{
    for (int k = 0; k < d_head / 2; k++)
        out[k] = pow(theta, -2.0 * k / d_head);
}

void
hl_rope_table(const double *frequencies, int n, int d_head, float *cosines, float *sines)
{
    int half = d_head / 2;
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < half; k++) {
            double angle = t * frequencies[k];
            *cosines++ = (float)cos(angle);
            *sines++ = (float)sin(angle);
        }
    }
}

void
hl_rope_turn(const struct hl_rope *r, int position, int n_heads, float *row)
{
    int half = r->d_head / 2;
    assert(position >= 0 && position < r->n);
    const float *c = r->cos + (ptrdiff_t)position * half;
    const float *s = r->sin + (ptrdiff_t)position * half;
    for (int h = 0; h < n_heads; h++, row += r->d_head) {
        for (int k = 0; k < half; k++) {
            float a = row[k], b = row[k + half];
            row[k] = a * c[k] - b * s[k];
            row[k + half] = b * c[k] + a * s[k];
        }
    }
}

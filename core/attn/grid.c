#include "attn/grid.h"

#include <stdint.h>

#include "base/size.h"
#include "num/softmax.h"

size_t
hl_grid_scratch(const struct hl_grid_attn *a, int p)
{
    size_t n;
    bool ok = hl_size_add((size_t)a->f.rows, (size_t)a->g.rows, &n) &&
              hl_size_add(n, 3 * (size_t)a->h.rows, &n) && hl_size_mul(n, (size_t)p, &n);
    return ok ? n : SIZE_MAX;
}

void
hl_grid_attend(const struct hl_grid_attn *a, int p, const float *x, struct hl_grid_out out,
               float *scratch)
{
    int d = a->f.cols, key = a->f.rows, value = a->h.rows;
    ptrdiff_t n = p;
    float *f = scratch, *g = f + n * key, *h = g + n * key;
    float *columns = h + n * value, *mixed = columns + n * value;
    float *scores = out.scores ? out.scores : out.weights;

    hl_weight_apply(&a->f, NULL, p, x, d, f, key);
    hl_weight_apply(&a->g, NULL, p, x, d, g, key);
    hl_weight_apply(&a->h, NULL, p, x, d, h, value);
    const struct hl_weight keys = { f, HL_DTYPE_F32, p, key };
    hl_weight_apply(&keys, NULL, p, g, key, scores, p);
    for (ptrdiff_t j = 0; j < n; j++)
        hl_softmax_prefix(scores + j * n, p, p, 1.0f, out.weights + j * n);

    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t c = 0; c < value; c++)
            columns[c * n + i] = h[i * value + c];
    }
    const struct hl_weight values = { columns, HL_DTYPE_F32, value, p };
    hl_weight_apply(&values, NULL, p, out.weights, p, mixed, value);
    hl_weight_apply(&a->v, NULL, p, mixed, value, out.attended, d);
    for (ptrdiff_t k = 0; k < n * d; k++)
        out.y[k] = a->gamma * out.attended[k] + x[k];
}

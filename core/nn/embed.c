#include "nn/embed.h"

#include <assert.h>

void
hl_embed_rows(const struct hl_weight *table, const int32_t *ids, int n, float scale, float *out,
              ptrdiff_t out_stride)
{
    for (int i = 0; i < n; i++) {
        float *row = out + i * out_stride;
        assert(ids[i] >= 0 && ids[i] < table->rows);
        hl_weight_row(table, ids[i], row);
        for (int c = 0; c < table->cols; c++)
            row[c] *= scale;
    }
}

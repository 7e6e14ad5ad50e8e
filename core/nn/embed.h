/* Rows of an embedding table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "num/weight.h"

/* out[i] = scale * table[ids[i]] for n ids (0 <= id < table rows, asserted).
 * Thread-safety: reentrant. Fails: never. */
void hl_embed_rows(const struct hl_weight *table, const int32_t *ids, int n, float scale,
                   float *out, ptrdiff_t out_stride);

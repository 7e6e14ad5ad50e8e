#include "attn/mask.h"

#include <stddef.h>

static uint8_t *
row(uint8_t *m, int i, int n_k)
{
    return m + (ptrdiff_t)i * n_k;
}

void
hl_mask_all(uint8_t *m, int n_q, int n_k)
{
    for (int i = 0; i < n_q; i++) {
        for (int j = 0; j < n_k; j++)
            row(m, i, n_k)[j] = 1;
    }
}

int
hl_mask_causal_count(int i, int n_k, int offset)
{
    int seen = offset + i + 1;
    return seen < 0 ? 0 : seen < n_k ? seen : n_k;
}

void
hl_mask_causal(uint8_t *m, int n_q, int n_k, int offset)
{
    for (int i = 0; i < n_q; i++) {
        for (int j = hl_mask_causal_count(i, n_k, offset); j < n_k; j++)
            row(m, i, n_k)[j] = 0;
    }
}

void
hl_mask_padding(uint8_t *m, int n_q, int n_k, int n_valid)
{
    for (int i = 0; i < n_q; i++) {
        for (int j = n_valid > 0 ? n_valid : 0; j < n_k; j++)
            row(m, i, n_k)[j] = 0;
    }
}

void
hl_mask_window(uint8_t *m, int n_q, int n_k, int offset, int half)
{
    for (int i = 0; i < n_q; i++) {
        for (int j = 0; j < n_k; j++) {
            int off = j - (offset + i);
            if (off > half || off < -half)
                row(m, i, n_k)[j] = 0;
        }
    }
}

void
hl_mask_and(uint8_t *m, int n_q, int n_k, const uint8_t *other)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n_q * n_k; i++)
        m[i] = (uint8_t)(m[i] && other[i]);
}

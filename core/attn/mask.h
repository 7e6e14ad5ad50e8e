/* Byte masks [Tq,Tk], 1 = allowed. Every function here: Thread-safety: reentrant.
 * Fails: never. */
#pragma once

#include <stdint.h>

/* Everything allowed. */
void hl_mask_all(uint8_t *m, int n_q, int n_k);
/* Takes away key j > offset + i for query i. */
void hl_mask_causal(uint8_t *m, int n_q, int n_k, int offset);
/* Takes away the keys from n_valid on. */
void hl_mask_padding(uint8_t *m, int n_q, int n_k, int n_valid);
/* Takes away keys with |j - (offset + i)| > half. */
void hl_mask_window(uint8_t *m, int n_q, int n_k, int offset, int half);
/* Takes away what `other` does not allow. */
void hl_mask_and(uint8_t *m, int n_q, int n_k, const uint8_t *other);
/* How many leading keys of a causal row are allowed: min(n_k, offset + i + 1). */
int hl_mask_causal_count(int i, int n_k, int offset);

/* Rotary positions (Su et al. 2021): queries and keys are turned by angles that grow
 * with the position, so that their product depends on the distance alone.
 *
 *   x'_k = x_k cos a - x_(k+h) sin a,  x'_(k+h) = x_(k+h) cos a + x_k sin a
 *
 * with h = Dh/2, k < h, a = position * frequency_k. The halves lie side by side, as in
 * the files of Hugging Face; pairs of neighbours would be another layout. */
#pragma once

struct hl_rope {
    int d_head;             /* even */
    int n;                  /* positions in the table */
    const float *cos, *sin; /* [n, d_head/2], borrowed */
};

/* frequency_k = theta^(-2k/Dh) for k < Dh/2, into out. Thread-safety: reentrant.
 * Fails: never. */
void hl_rope_frequencies(double theta, int d_head, double *out);

/* cos and sin of position * frequency for n positions, into tables [n, Dh/2].
 * Thread-safety: reentrant. Fails: never. */
void hl_rope_table(const double *frequencies, int n, int d_head, float *cosines, float *sines);

/* Turns n_heads heads of one row, side by side, in place; 0 <= position < n, asserted.
 * Thread-safety: reentrant. Fails: never. */
void hl_rope_turn(const struct hl_rope *r, int position, int n_heads, float *row);

/* Heads of a Neural Turing Machine (Graves et al. 2014, section 3): how a head
 * finds its place in the memory, reads there, and writes there.
 *
 * The stages of addressing, each a distribution over the N slots but the first:
 *
 *   cosine   K_i = k . m_i / (|k| |m_i| + 1e-8)
 *   content  w^c = softmax(β K)                          eq. 5
 *   gated    w^g = g w^c + (1 - g) w_{t-1}               eq. 7
 *   shifted  w~_i = sum_j w^g_j s_(i - j mod N)          eq. 8
 *   weights  w_i = w~_i^γ / sum_j w~_j^γ                 eq. 9
 *
 * The gate g multiplies the content weights: 1 forgets where the head was, 0 stays
 * there. The shift is circular over all N slots: what leaves at one end enters at the
 * other, and no weight is lost.
 *
 * Letters: N slots, M their width, S = 2 R + 1 shifts (-R .. R). A memory is [N,M],
 * packed. Sums that decide a row (softmax) are in double. No function here fails, and
 * Thread-safety: all are reentrant. */
#pragma once

#include <stdbool.h>

/* What a head asks for at a step, after its squashing. Ownership: all borrowed. */
struct hl_memhead {
    float strength; /* β >= 0 */
    float gate;     /* g in 0..1 */
    float gamma;    /* γ >= 1 */
    float *key;     /* k [M] */
    float *shift;   /* s [S], a distribution; the entry at R is a shift of 0 */
    float *erase;   /* e [M] in 0..1, of a write head; else NULL */
    float *add;     /* a [M], of a write head; else NULL */
};

/* Rows of a head's map: M + 3 + S, and 2 M more of a write head. Reentrant. Fails:
 * never. */
int hl_memhead_rows(int width, int n_shifts, bool write);

/* From the rows of a head's map, in the order key, β, g, s, γ (then e, a where
 * h->erase is set), to its parameters: key and add by tanh, β by softplus, g and e by
 * sigmoid, s by softmax, γ by 1 + softplus. The arrays of *h are filled.
 * Reentrant. Fails: never. */
void hl_memhead_squash(const float *rows, int width, int n_shifts, struct hl_memhead *h);

/* |m_i| of all N slots into out[N]. Reentrant. Fails: never. */
void hl_memhead_norms(const float *memory, int n, int width, float *out);

/* K[N] from the key and the memory, whose norms are given. out must not overlap.
 * Reentrant. Fails: never. */
void hl_memhead_cosine(const float *key, const float *memory, const float *norms, int n, int width,
                       float *out);

/* w^c[N]; out may be `cosine`. Reentrant. Fails: never. */
void hl_memhead_content(const float *cosine, float strength, int n, float *out);

/* w^g[N]; out may be either input. Reentrant. Fails: never. */
void hl_memhead_gate(const float *content, const float *previous, float gate, int n, float *out);

/* w~[N]: shift[k] moves by k - R slots, round the ends. n_shifts is odd and may exceed
 * N. out must not overlap. Reentrant. Fails: never. */
void hl_memhead_shift(const float *gated, int n, const float *shift, int n_shifts, float *out);

/* w[N], as softmax of γ ln(w~ / largest), which no γ can take out of range; zeros where
 * w~ is all zeros. out may be `shifted`. Reentrant. Fails: never. */
void hl_memhead_sharpen(const float *shifted, float gamma, int n, float *out);

/* r[M] = sum_i w_i m_i (eq. 2). out must not overlap. Reentrant. Fails: never. */
void hl_memhead_read(const float *w, const float *memory, int n, int width, float *out);

/* m'_i = m_i (1 - w_i e) + w_i a (eq. 3 and 4) for all slots; out may be `memory`.
 * Reentrant. Fails: never. */
void hl_memhead_write(const float *w, const float *erase, const float *add, const float *memory,
                      int n, int width, float *out);

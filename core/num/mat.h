/* A borrowed matrix of floats: rows may lie apart, so that a head or a window of
 * columns is a view without a copy. */
#pragma once

#include <stddef.h>

typedef struct hl_mat {
    float *p;
    int rows, cols;
    ptrdiff_t stride; /* floats from one row to the next, >= cols */
} hl_mat;

/* A view of packed rows. Ownership: none, `p` is borrowed. Thread-safety: reentrant.
 * Fails: never. */
static inline hl_mat
hl_mat_view(float *p, int rows, int cols)
{
    return (hl_mat) { p, rows, cols, cols };
}

/* Row r of m. Thread-safety: reentrant. Fails: never (r must be in range). */
static inline float *
hl_mat_row(hl_mat m, int r)
{
    return m.p + r * m.stride;
}

/* Columns c .. c + n - 1 of m. Ownership: none. Thread-safety: reentrant. Fails: never. */
static inline hl_mat
hl_mat_cols(hl_mat m, int c, int n)
{
    return (hl_mat) { m.p + c, m.rows, n, m.stride };
}

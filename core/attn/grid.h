/* Self-attention over the cells of a feature map (Zhang et al. 2018, section 3).
 *
 *   f_i = W_f x_i    g_j = W_g x_j    h_i = W_h x_i
 *   s_ji = g_j . f_i    w_j = softmax_i(s_ji)
 *   a_j = W_v sum_i w_ji h_i    y_j = gamma a_j + x_j
 *
 * Every cell may look at every other, however far: row j is where cell j looks. The
 * softmax has no scale; gamma starts at 0, where the layer is the identity. W_f, W_g, W_h
 * and W_v are 1x1 convolutions, which are linear maps of a cell's channels. Rows are
 * bitwise independent of each other. */
#pragma once

#include <stddef.h>

#include "num/weight.h"

struct hl_grid_attn {
    struct hl_weight f, g; /* [Dk,D], borrowed */
    struct hl_weight h;    /* [Dv,D] */
    struct hl_weight v;    /* [D,Dv] */
    float gamma;
};

/* Where the results go; scores may be NULL. */
struct hl_grid_out {
    float *scores;   /* [P,P], s */
    float *weights;  /* [P,P] */
    float *attended; /* [P,D], a */
    float *y;        /* [P,D]; may be x */
};

/* Floats of scratch for P cells, SIZE_MAX where they cannot be counted.
 * Thread-safety: reentrant. Fails: never. */
size_t hl_grid_scratch(const struct hl_grid_attn *a, int p);

/* Attends over x[P,D]. Nothing may overlap but y and x. Thread-safety: reentrant.
 * Fails: never. */
void hl_grid_attend(const struct hl_grid_attn *a, int p, const float *x, struct hl_grid_out out,
                    float *scratch);

/* Which source positions may be looked at (Luong et al. 2015, section 3.2).
 *
 * global: all. local-m: those within D of the target position p = min(t, S - 1).
 * local-p: those within D of a predicted p = S sigmoid(v . tanh(W s)), and the
 * weights are then multiplied by a Gaussian of deviation D/2 around p. They are not
 * renormalised (as in the paper), so that a row sums to less than 1. */
#pragma once

#include <stdbool.h>

#include "num/weight.h"

enum hl_window { HL_WINDOW_GLOBAL, HL_WINDOW_LOCAL_M, HL_WINDOW_LOCAL_P, HL_WINDOW_COUNT };

/* "global", "local-m", "local-p". Thread-safety: reentrant. Fails: -1 (unknown). */
int hl_window_find(const char *name);
const char *hl_window_name(enum hl_window w);

/* Positions lo .. hi - 1 are allowed. */
struct hl_window_range {
    int lo, hi;
};

/* The allowed positions of n for a centre: |j - centre| <= half, and the nearest
 * position always. Empty only for n = 0. Thread-safety: reentrant. Fails: never. */
struct hl_window_range hl_window_around(double centre, int half, int n);

/* Predicted centre p = n sigmoid(v . tanh(W s)), with W [A,Ds], v [A], s [Ds].
 * scratch holds A floats. Thread-safety: reentrant. Fails: never. */
float hl_window_predict(const struct hl_weight *w, const float *v, const float *state, int n,
                        float *scratch);

/* Softmax of scores[n] over r, zeros elsewhere, into weights[n] (may be scores);
 * with `gaussian` each weight is then multiplied by exp(-(j - centre)^2 / (2 sigma^2)),
 * sigma = half / 2 (no factor when half is 0). Thread-safety: reentrant. Fails: never. */
void hl_window_weights(const float *scores, int n, struct hl_window_range r, bool gaussian,
                       double centre, int half, float *weights);

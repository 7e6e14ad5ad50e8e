/* Activation functions by the names that configuration files use. */
#pragma once

#include <stdbool.h>

enum hl_act {
    HL_ACT_LINEAR,    /* x */
    HL_ACT_RELU,      /* max(0, x) */
    HL_ACT_GELU,      /* x/2 (1 + erf(x / sqrt 2)) */
    HL_ACT_GELU_TANH, /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
    HL_ACT_SILU,      /* x sigmoid(x) */
    HL_ACT_TANH,
    HL_ACT_SIGMOID, /* 1 / (1 + exp(-x)) */
    HL_ACT_COUNT
};

/* "relu", "gelu", "gelu_new", "swish" ... Exact names only. Thread-safety:
 * reentrant. Fails: false for a name that is not known. */
bool hl_act_by_name(const char *name, enum hl_act *out);
/* Its first name. Thread-safety: reentrant. Fails: never. */
const char *hl_act_name(enum hl_act act);

/* y_i = act(x_i), i < n; y may be x. Each element is independent of its place.
 * Thread-safety: reentrant. Fails: never. */
void hl_act_apply(enum hl_act act, int n, const float *x, float *y);

/* y_i = x_i where x_i > 0, else slope x_i; y may be x. Thread-safety: reentrant.
 * Fails: never. */
void hl_act_leaky_relu(float slope, int n, const float *x, float *y);

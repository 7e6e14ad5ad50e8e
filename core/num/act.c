#include "num/act.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "num/kernels/kernels.h"

static const struct {
    const char *name;
    enum hl_act act;
} names[] = {
    { "linear", HL_ACT_LINEAR },
    { "relu", HL_ACT_RELU },
    { "gelu", HL_ACT_GELU },
    { "gelu_python", HL_ACT_GELU },
    { "gelu_new", HL_ACT_GELU_TANH },
    { "gelu_pytorch_tanh", HL_ACT_GELU_TANH },
    { "gelu_accurate", HL_ACT_GELU_TANH },
    { "gelu_python_tanh", HL_ACT_GELU_TANH },
    { "gelu_fast", HL_ACT_GELU_TANH },
    { "silu", HL_ACT_SILU },
    { "swish", HL_ACT_SILU },
    { "tanh", HL_ACT_TANH },
    { "sigmoid", HL_ACT_SIGMOID },
};

enum { N_NAMES = sizeof(names) / sizeof(names[0]), CHUNK = 256 };

bool
hl_act_by_name(const char *name, enum hl_act *out)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        if (strcmp(names[i].name, name) == 0) {
            *out = names[i].act;
            return true;
        }
    }
    return false;
}

const char *
hl_act_name(enum hl_act act)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        if (names[i].act == act)
            return names[i].name;
    }
    return "";
}

static void
gelu(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}

/* x/2 (1 + tanh u) is x sigmoid(2u), which keeps its precision for large -x. */
static void
gelu_tanh(int n, const float *x, float *y)
{
    float s[CHUNK];
    for (int c = 0; c < n; c += CHUNK) {
        int m = n - c < CHUNK ? n - c : CHUNK;
        for (int i = 0; i < m; i++)
            s[i] = 1.59576912f * x[c + i] * (1.0f + 0.044715f * x[c + i] * x[c + i]);
        hl_kernels_get()->sigmoid(s, m, s);
        for (int i = 0; i < m; i++)
            y[c + i] = x[c + i] * s[i];
    }
}

static void
silu(int n, const float *x, float *y)
{
    float s[CHUNK];
    for (int c = 0; c < n; c += CHUNK) {
        int m = n - c < CHUNK ? n - c : CHUNK;
        hl_kernels_get()->sigmoid(x + c, m, s);
        for (int i = 0; i < m; i++)
            y[c + i] = x[c + i] * s[i];
    }
}

void
hl_act_apply(enum hl_act act, int n, const float *x, float *y)
{
    switch (act) {
    case HL_ACT_RELU:
        for (int i = 0; i < n; i++)
            y[i] = x[i] > 0.0f ? x[i] : 0.0f;
        break;
    case HL_ACT_GELU:
        gelu(n, x, y);
        break;
    case HL_ACT_GELU_TANH:
        gelu_tanh(n, x, y);
        break;
    case HL_ACT_SILU:
        silu(n, x, y);
        break;
    case HL_ACT_TANH:
        hl_kernels_get()->tanh(x, n, y);
        break;
    case HL_ACT_SIGMOID:
        hl_kernels_get()->sigmoid(x, n, y);
        break;
    case HL_ACT_LINEAR:
    case HL_ACT_COUNT:
        if (y != x && n > 0)
            memcpy(y, x, (size_t)n * sizeof(*y));
        break;
    }
}

void
hl_act_leaky_relu(float slope, int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] > 0.0f ? x[i] : slope * x[i];
}

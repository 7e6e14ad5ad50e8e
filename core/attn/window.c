#include "attn/window.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "num/act.h"
#include "num/reduce.h"
#include "num/softmax.h"

static const char *const names[] = {
    [HL_WINDOW_GLOBAL] = "global",
    [HL_WINDOW_LOCAL_M] = "local-m",
    [HL_WINDOW_LOCAL_P] = "local-p",
};
static_assert(sizeof(names) / sizeof(names[0]) == HL_WINDOW_COUNT, "one name for each window");

int
hl_window_find(const char *name)
{
    for (int i = 0; i < HL_WINDOW_COUNT; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

const char *
hl_window_name(enum hl_window w)
{
    return names[w];
}

static int
clamp(double v, int lo, int hi)
{
    return !(v > lo) ? lo : v > hi ? hi : (int)v; /* NaN gives lo */
}

struct hl_window_range
hl_window_around(double centre, int half, int n)
{
    if (n <= 0)
        return (struct hl_window_range) { 0, 0 };
    int nearest = clamp(floor(centre + 0.5), 0, n - 1);
    int lo = clamp(ceil(centre - half), 0, n), hi = clamp(floor(centre + half) + 1.0, 0, n);
    return (struct hl_window_range) { lo < nearest ? lo : nearest,
                                      hi > nearest + 1 ? hi : nearest + 1 };
}

float
hl_window_predict(const struct hl_weight *w, const float *v, const float *state, int n,
                  float *scratch)
{
    hl_weight_apply(w, NULL, 1, state, w->cols, scratch, w->rows);
    hl_act_apply(HL_ACT_TANH, w->rows, scratch, scratch);
    float p = hl_reduce_dot(v, scratch, w->rows);
    hl_act_apply(HL_ACT_SIGMOID, 1, &p, &p);
    return (float)n * p;
}

void
hl_window_weights(const float *scores, int n, struct hl_window_range r, bool gaussian,
                  double centre, int half, float *weights)
{
    hl_softmax_prefix(scores + r.lo, r.hi - r.lo, r.hi - r.lo, 1.0f, weights + r.lo);
    for (int j = 0; j < r.lo; j++)
        weights[j] = 0.0f;
    for (int j = r.hi; j < n; j++)
        weights[j] = 0.0f;
    if (!gaussian || half <= 0)
        return;
    double sigma = half / 2.0;
    for (int j = r.lo; j < r.hi; j++) {
        double off = ((double)j - centre) / sigma;
        weights[j] = (float)((double)weights[j] * exp(-0.5 * off * off));
    }
}

/* Laws of local windows. */
#include "harness/law.h"

#include <math.h>

#include "attn/window.h"
#include "num/softmax.h"

static bool
wide_equals_global(struct law_case *c)
{
    int n = law_dim(c, "S", 1, 40), t = law_dim(c, "t", 0, 39);
    float *x = law_floats(c, n, 3.0), *a = law_zeros(c, n), *b = law_zeros(c, n);
    int centre = t < n ? t : n - 1;
    hl_window_weights(x, n, hl_window_around(centre, n, n), false, centre, n, a);
    hl_softmax(x, NULL, n, 1.0f, b);
    return law_same(c, "weights", a, b, n);
}

static bool
zero_outside(struct law_case *c)
{
    int n = law_dim(c, "S", 1, 40), half = law_dim(c, "D", 0, 6);
    double centre = (n + 8) * hl_rng_uniform(&c->values) - 4.0, sum = 0.0;
    float *x = law_floats(c, n, 3.0), *w = law_floats(c, n, 1.0);
    struct hl_window_range r = hl_window_around(centre, half, n);
    int nearest = (int)fmin(fmax(floor(centre + 0.5), 0.0), n - 1.0);
    hl_window_weights(x, n, r, false, centre, half, w);
    for (int j = 0; j < n; j++) {
        bool allowed = fabs(j - centre) <= half || j == nearest;
        if (allowed != (j >= r.lo && j < r.hi))
            return law_no(c, "place %d, centre %g: %d .. %d", j, centre, r.lo, r.hi);
        if (!allowed && w[j] != 0.0f)
            return law_no(c, "place %d outside has %g", j, (double)w[j]);
        sum += (double)w[j];
    }
    return fabs(sum - 1.0) <= 1e-6 || law_no(c, "the sum is %g", sum);
}

static bool
gaussian_peaks_at_centre(struct law_case *c)
{
    int n = law_dim(c, "S", 1, 40), half = law_dim(c, "D", 1, 6);
    double centre = n * hl_rng_uniform(&c->values), sigma = half / 2.0, sum = 0.0;
    float *x = law_floats(c, n, 2.0), *plain = law_zeros(c, n), *w = law_zeros(c, n);
    struct hl_window_range r = hl_window_around(centre, half, n);
    hl_window_weights(x, n, r, false, centre, half, plain);
    hl_window_weights(x, n, r, true, centre, half, w);
    for (int j = r.lo; j < r.hi; j++) {
        double factor = exp(-(j - centre) * (j - centre) / (2.0 * sigma * sigma));
        if (fabs((double)w[j] - (double)plain[j] * factor) > 1e-6)
            return law_no(c, "place %d: %g of %g", j, (double)w[j], (double)plain[j]);
        sum += (double)w[j];
    }
    return sum <= 1.0 + 1e-6 || law_no(c, "the sum is %g", sum);
}

static bool
in_place_is_the_same(struct law_case *c)
{
    int n = law_dim(c, "S", 1, 40), half = law_dim(c, "D", 0, 6);
    double centre = n * hl_rng_uniform(&c->values);
    float *x = law_floats(c, n, 2.0), *w = law_zeros(c, n);
    struct hl_window_range r = hl_window_around(centre, half, n);
    hl_window_weights(x, n, r, true, centre, half, w);
    hl_window_weights(x, n, r, true, centre, half, x);
    return law_same(c, "weights", x, w, n);
}

static bool
prediction_lies_in_the_text(struct law_case *c)
{
    int a = law_dim(c, "A", 1, 20), ds = law_dim(c, "Ds", 1, 20), n = law_dim(c, "S", 0, 40);
    float *w = law_floats(c, a * ds, 1.0), *v = law_floats(c, a, 1.0);
    float *s = law_floats(c, ds, 1.0), *scratch = law_zeros(c, a);
    struct hl_weight m = { w, HL_DTYPE_F32, a, ds };
    double sum = 0.0;
    for (int i = 0; i < a; i++) {
        double dot = 0.0;
        for (int j = 0; j < ds; j++)
            dot += (double)w[i * ds + j] * (double)s[j];
        sum += (double)v[i] * tanh(dot);
    }
    double want = n / (1.0 + exp(-sum));
    float p = hl_window_predict(&m, v, s, n, scratch);
    if (!(p >= 0.0f && p <= (float)n))
        return law_no(c, "centre %g", (double)p);
    return law_close_d(c, "centre", &p, &want, 1, 1e-5);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "local-m with D >= S equals global", wide_equals_global },
        { "weights are zero outside the window and sum to 1", zero_outside },
        { "local-p multiplies by a Gaussian around the centre", gaussian_peaks_at_centre },
        { "windows work in place", in_place_is_the_same },
        { "a predicted centre lies in the text", prediction_lies_in_the_text },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

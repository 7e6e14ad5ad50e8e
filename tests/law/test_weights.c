/* Laws of weights: softmax, masks, hard and sampled alignment. */
#include "harness/law.h"

#include <math.h>

#include "attn/align.h"
#include "num/ref/ref.h"
#include "num/reduce.h"
#include "num/softmax.h"

static const double BOUND = 1e-6;

static uint8_t *
random_mask(struct law_case *c, int n)
{
    uint8_t *m = hl_arena_alloc(&c->arena, (size_t)n + 1, 1, 1);
    for (int i = 0; m && i < n; i++)
        m[i] = hl_rng_below(&c->values, 3) > 0;
    return m;
}

static bool
sums_to_one(struct law_case *c)
{
    int n = law_dim(c, "n", 1, 70);
    float *x = law_floats(c, n, 4.0), *w = law_zeros(c, n);
    double sum = 0.0;
    hl_softmax(x, NULL, n, 1.0f, w);
    for (int i = 0; i < n; i++) {
        sum += (double)w[i];
        if (!(w[i] >= 0.0f))
            return law_no(c, "weight %d is %g", i, (double)w[i]);
    }
    return fabs(sum - 1.0) <= BOUND || law_no(c, "the sum is %.9g", sum);
}

static bool
agrees_with_reference(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 70), hot = law_dim(c, "tenths", 1, 30);
    float *x = law_floats(c, n, 3.0), *w = law_zeros(c, n);
    uint8_t *mask = random_mask(c, n);
    double *want = law_doubles(c, NULL, n);
    hl_softmax(x, mask, n, (float)hot / 10.0f, w);
    hl_ref_softmax(law_doubles(c, x, n), mask, n, hot / 10.0, want);
    return law_close_d(c, "weights", w, want, n, BOUND);
}

static bool
shift_changes_nothing(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 40);
    float *x = law_floats(c, n, 3.0), *a = law_zeros(c, n), *b = law_zeros(c, n);
    hl_softmax(x, NULL, n, 1.0f, a);
    for (int i = 0; i < n; i++)
        x[i] += 2.5f;
    hl_softmax(x, NULL, n, 1.0f, b);
    return law_close(c, "weights", b, a, n, BOUND);
}

static bool
masked_is_zero(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 40);
    float *x = law_floats(c, n, 3.0), *w = law_zeros(c, n);
    uint8_t *mask = random_mask(c, n);
    for (int i = 0; i < n; i++)
        x[i] = mask[i] ? x[i] : 1e30f; /* what is masked may be anything finite */
    hl_softmax(x, mask, n, 1.0f, w);
    for (int i = 0; i < n; i++) {
        if (!mask[i] && w[i] != 0.0f)
            return law_no(c, "masked place %d has %g", i, (double)w[i]);
    }
    return true;
}

static bool
nothing_allowed_is_zero(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 40);
    float *x = law_floats(c, n, 3.0), *w = law_floats(c, n, 1.0), *zeros = law_zeros(c, n);
    uint8_t *mask = random_mask(c, n);
    for (int i = 0; i < n; i++)
        mask[i] = 0;
    hl_softmax(x, mask, n, 1.0f, w);
    if (!law_same(c, "masked row", w, zeros, n))
        return false;
    for (int i = 0; i < n; i++)
        x[i] = -INFINITY;
    hl_softmax(x, NULL, n, 1.0f, w);
    return law_same(c, "row of -infinity", w, zeros, n);
}

static bool
prefix_equals_mask(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 50), allowed = law_dim(c, "allowed", 0, 50);
    float *x = law_floats(c, n, 3.0), *a = law_zeros(c, n), *b = law_zeros(c, n);
    uint8_t *mask = random_mask(c, n);
    allowed = allowed < n ? allowed : n;
    for (int i = 0; i < n; i++)
        mask[i] = i < allowed;
    hl_softmax(x, mask, n, 1.0f, a);
    hl_softmax_prefix(x, allowed, n, 1.0f, b);
    return law_same(c, "weights", b, a, n);
}

static bool
keys_permute(struct law_case *c)
{
    int n = law_dim(c, "Tk", 1, 40), d = law_dim(c, "D", 1, 20);
    float *x = law_floats(c, n, 3.0), *v = law_floats(c, n * d, 1.0);
    float *px = law_zeros(c, n), *pv = law_zeros(c, n * d);
    float *w = law_zeros(c, n), *pw = law_zeros(c, n), *back = law_zeros(c, n);
    float *out = law_zeros(c, d), *pout = law_zeros(c, d);
    const int *order = law_permutation(c, n);
    for (int i = 0; i < n; i++) {
        px[i] = x[order[i]];
        for (int j = 0; j < d; j++)
            pv[i * d + j] = v[order[i] * d + j];
    }
    hl_softmax(x, NULL, n, 1.0f, w);
    hl_softmax(px, NULL, n, 1.0f, pw);
    for (int i = 0; i < n; i++)
        back[order[i]] = pw[i];
    hl_align_soft(w, v, d, n, d, out);
    hl_align_soft(pw, pv, d, n, d, pout);
    return law_close(c, "weights", back, w, n, BOUND) &&
           law_close(c, "output", pout, out, d, BOUND);
}

static bool
cold_tends_to_hard(struct law_case *c)
{
    int n = law_dim(c, "n", 1, 40);
    float *x = law_floats(c, n, 3.0), *w = law_zeros(c, n), *hard = law_zeros(c, n);
    int best = hl_align_argmax(x, n, hard);
    for (int i = 0; i < n; i++)
        x[i] = i != best && x[i] > x[best] - 0.01f ? x[best] - 0.01f : x[i];
    hl_softmax(x, NULL, n, 1e-4f, w);
    return law_close(c, "weights", w, hard, n, BOUND);
}

static bool
hard_is_one_hot(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 40);
    float *w = law_floats(c, n, 1.0), *hard = law_zeros(c, n);
    int best = hl_align_argmax(w, n, hard);
    for (int i = 0; i < n; i++) {
        if (hard[i] != (i == best ? 1.0f : 0.0f) || w[i] > w[best] || (i < best && w[i] == w[best]))
            return law_no(c, "place %d beside %d", i, best);
    }
    return (best >= 0) == (n > 0);
}

static bool
samples_approach_soft(struct law_case *c)
{
    enum { DRAWS = 4000 };
    int n = law_dim(c, "n", 1, 8);
    float *w = law_floats(c, n, 1.0), *hard = law_zeros(c, n), *share = law_zeros(c, n);
    hl_softmax(w, NULL, n, 1.0f, w);
    for (int i = 0; i < DRAWS; i++) {
        int at = hl_align_sample(w, n, &c->values, hard);
        if (at < 0 || hard[at] != 1.0f)
            return law_no(c, "draw %d gave %d", i, at);
        share[at] += 1.0f / DRAWS;
    }
    return law_close(c, "frequencies", share, w, n, 0.045); /* more than five deviations */
}

static bool
entropy_is_bounded(struct law_case *c)
{
    int n = law_dim(c, "n", 1, 40);
    float *w = law_floats(c, n, 2.0);
    hl_softmax(w, NULL, n, 1.0f, w);
    double h = hl_reduce_entropy(w, n);
    return (h >= -BOUND && h <= log(n) + BOUND) || law_no(c, "entropy %g", h);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "each row of weights sums to 1 and is not negative", sums_to_one },
        { "softmax agrees with the reference in double", agrees_with_reference },
        { "adding a constant to the scores changes nothing", shift_changes_nothing },
        { "masked entries are exactly 0", masked_is_zero },
        { "a fully masked row is all zeros", nothing_allowed_is_zero },
        { "allowing a prefix equals masking the rest", prefix_equals_mask },
        { "permuting keys permutes weights and leaves the output", keys_permute },
        { "temperature to 0 tends to hard", cold_tends_to_hard },
        { "hard is one-hot at the first largest", hard_is_one_hot },
        { "averaged samples approach the soft weights", samples_approach_soft },
        { "entropy lies between 0 and log n", entropy_is_bounded },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

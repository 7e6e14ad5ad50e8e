/* Laws of a memory head (Graves et al. 2014), and each stage against plain loops in
 * double. */
#include "harness/law.h"

#include <math.h>
#include <string.h>

#include "nn/memhead.h"

struct problem {
    int n, width, n_shifts;
    float *memory, *key, *previous, *erase, *add, *shift;
    float strength, gate, gamma;
};

/* A distribution over n. */
static float *
draw_weights(struct law_case *c, int n)
{
    float *w = law_floats(c, n, 1.5);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = expf(w[i]);
        sum += (double)w[i];
    }
    for (int i = 0; i < n; i++)
        w[i] = (float)((double)w[i] / sum);
    return w;
}

/* A number in 0..1. */
static float
draw_share(struct law_case *c)
{
    return 1.0f / (1.0f + expf(*law_floats(c, 1, 1.5)));
}

static struct problem
draw(struct law_case *c)
{
    struct problem p = { 0 };
    p.n = law_dim(c, "N", 1, 70);
    p.width = law_dim(c, "M", 1, 24);
    p.n_shifts = 2 * law_dim(c, "R", 0, 3) + 1;
    p.memory = law_floats(c, p.n * p.width, law_dim(c, "empty", 0, 3) == 0 ? 1e-6 : 1.0);
    p.key = law_floats(c, p.width, 0.7);
    p.previous = draw_weights(c, p.n);
    p.shift = draw_weights(c, p.n_shifts);
    p.erase = law_floats(c, p.width, 1.0);
    p.add = law_floats(c, p.width, 1.0);
    for (int i = 0; i < p.width; i++)
        p.erase[i] = 1.0f / (1.0f + expf(p.erase[i]));
    p.strength = 20.0f * draw_share(c);
    p.gate = draw_share(c);
    p.gamma = 1.0f + 9.0f * draw_share(c);
    return p;
}

static bool
is_distribution(struct law_case *c, const char *what, const float *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (!(w[i] >= 0.0f))
            return law_no(c, "%s: slot %d is negative or no number", what, i);
        sum += (double)w[i];
    }
    return fabs(sum - 1) <= 1e-5 || law_no(c, "%s: the sum is not 1", what);
}

/* All stages of a problem. */
struct chain {
    float *cosine, *content, *gated, *shifted, *weights;
};

static struct chain
run(struct law_case *c, const struct problem *p)
{
    struct chain s = { law_zeros(c, p->n), law_zeros(c, p->n), law_zeros(c, p->n),
                       law_zeros(c, p->n), law_zeros(c, p->n) };
    float *norms = law_zeros(c, p->n);
    hl_memhead_norms(p->memory, p->n, p->width, norms);
    hl_memhead_cosine(p->key, p->memory, norms, p->n, p->width, s.cosine);
    hl_memhead_content(s.cosine, p->strength, p->n, s.content);
    hl_memhead_gate(s.content, p->previous, p->gate, p->n, s.gated);
    hl_memhead_shift(s.gated, p->n, p->shift, p->n_shifts, s.shifted);
    hl_memhead_sharpen(s.shifted, p->gamma, p->n, s.weights);
    return s;
}

static bool
stages_are_distributions(struct law_case *c)
{
    struct problem p = draw(c);
    struct chain s = run(c, &p);
    for (int i = 0; i < p.n; i++) {
        if (!(fabsf(s.cosine[i]) <= 1.00001f))
            return law_no(c, "cosine of slot %d is out of range", i);
    }
    return is_distribution(c, "content", s.content, p.n) &&
           is_distribution(c, "gated", s.gated, p.n) &&
           is_distribution(c, "shifted", s.shifted, p.n) &&
           is_distribution(c, "weights", s.weights, p.n);
}

/* ---- the same in double, by the formulas of the paper ---- */

static void
plain_content(const struct problem *p, double *cosine, double *out)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        double dot = 0, kk = 0, mm = 0;
        for (int m = 0; m < p->width; m++) {
            double k = (double)p->key[m], v = (double)p->memory[i * p->width + m];
            dot += k * v;
            kk += k * k;
            mm += v * v;
        }
        cosine[i] = dot / (sqrt(kk) * sqrt(mm) + 1e-8);
        out[i] = exp((double)p->strength * cosine[i]);
        sum += out[i];
    }
    for (int i = 0; i < p->n; i++)
        out[i] /= sum;
}

static void
plain_shift(const struct problem *p, const double *gated, double *out)
{
    int reach = p->n_shifts / 2;
    memset(out, 0, (size_t)p->n * sizeof *out);
    for (int i = 0; i < p->n; i++) {
        for (int by = -reach; by <= reach; by++)
            out[i] += gated[((i - by) % p->n + p->n) % p->n] * (double)p->shift[by + reach];
    }
}

static void
plain_sharpen(const struct problem *p, const double *shifted, double *out)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += out[i] = pow(shifted[i], (double)p->gamma);
    for (int i = 0; i < p->n; i++)
        out[i] /= sum;
}

static bool
stages_agree_with_plain_loops(struct law_case *c)
{
    struct problem p = draw(c);
    struct chain s = run(c, &p);
    double *a = law_doubles(c, NULL, p.n), *b = law_doubles(c, NULL, p.n);
    plain_content(&p, a, b);
    if (!law_close_d(c, "cosine", s.cosine, a, p.n, 2e-6) ||
        !law_close_d(c, "content", s.content, b, p.n, 2e-5))
        return false;
    for (int i = 0; i < p.n; i++)
        a[i] = (double)p.gate * b[i] + (1 - (double)p.gate) * (double)p.previous[i];
    if (!law_close_d(c, "gated", s.gated, a, p.n, 2e-5))
        return false;
    plain_shift(&p, a, b);
    if (!law_close_d(c, "shifted", s.shifted, b, p.n, 2e-5))
        return false;
    plain_sharpen(&p, b, a);
    return law_close_d(c, "weights", s.weights, a, p.n, 1e-4);
}

static bool
reading_and_writing_agree(struct law_case *c)
{
    struct problem p = draw(c);
    int n = p.n * p.width;
    float *r = law_zeros(c, p.width), *next = law_zeros(c, n);
    double *sum = law_doubles(c, NULL, p.width), *want = law_doubles(c, NULL, n);
    for (int i = 0; i < p.n; i++) {
        double w = (double)p.previous[i];
        for (int m = 0; m < p.width; m++) {
            double v = (double)p.memory[i * p.width + m];
            sum[m] += w * v;
            want[i * p.width + m] = v * (1 - w * (double)p.erase[m]) + w * (double)p.add[m];
        }
    }
    hl_memhead_read(p.previous, p.memory, p.n, p.width, r);
    hl_memhead_write(p.previous, p.erase, p.add, p.memory, p.n, p.width, next);
    if (!law_close_d(c, "read", r, sum, p.width, 1e-5) ||
        !law_close_d(c, "written", next, want, n, 1e-6))
        return false;
    hl_memhead_write(p.previous, p.erase, p.add, p.memory, p.n, p.width, p.memory);
    return law_same(c, "written in place", p.memory, next, n);
}

static double
plain_softplus(double x)
{
    return log(1 + exp(x));
}

static bool
squashing_agrees(struct law_case *c)
{
    struct problem p = draw(c);
    int rows = hl_memhead_rows(p.width, p.n_shifts, true), at = p.width;
    float *raw = law_floats(c, rows, 3.0);
    struct hl_memhead h = { .key = p.key, .shift = p.shift, .erase = p.erase, .add = p.add };
    hl_memhead_squash(raw, p.width, p.n_shifts, &h);
    for (int m = 0; m < p.width; m++) {
        if (fabs((double)h.key[m] - tanh((double)raw[m])) > 1e-6)
            return law_no(c, "key");
        if (fabs((double)h.erase[m] - 1 / (1 + exp(-(double)raw[rows - 2 * p.width + m]))) > 1e-6)
            return law_no(c, "erase");
        if (fabs((double)h.add[m] - tanh((double)raw[rows - p.width + m])) > 1e-6)
            return law_no(c, "add");
    }
    if (fabs((double)h.strength - plain_softplus((double)raw[at])) > 1e-5 ||
        fabs((double)h.gate - 1 / (1 + exp(-(double)raw[at + 1]))) > 1e-6 ||
        fabs((double)h.gamma - 1 - plain_softplus((double)raw[at + 2 + p.n_shifts])) > 1e-5)
        return law_no(c, "strength, gate or gamma");
    for (int k = 1; k < p.n_shifts; k++) {
        double want = exp((double)raw[at + 2 + k] - (double)raw[at + 1 + k]);
        if (fabs((double)h.shift[k] - want * (double)h.shift[k - 1]) > 1e-5)
            return law_no(c, "shift");
    }
    return is_distribution(c, "shift", h.shift, p.n_shifts);
}

/* ---- the extremes ---- */

static bool
gate_chooses(struct law_case *c)
{
    struct problem p = draw(c);
    p.gate = 1;
    struct chain s = run(c, &p);
    if (!law_same(c, "g = 1: content", s.gated, s.content, p.n))
        return false;
    p.gate = 0;
    s = run(c, &p);
    return law_same(c, "g = 0: previous weights", s.gated, p.previous, p.n);
}

/* Shifting by a and then by b is shifting by a + b modulo N, exactly. */
static bool
shifts_compose(struct law_case *c)
{
    struct problem p = draw(c);
    int reach = p.n_shifts / 2;
    int a = law_dim(c, "a", 0, 2 * reach) - reach, b = law_dim(c, "b", 0, 2 * reach) - reach;
    float *one = law_zeros(c, p.n), *two = law_zeros(c, p.n), *s = law_zeros(c, p.n_shifts);
    s[a + reach] = 1;
    hl_memhead_shift(p.previous, p.n, s, p.n_shifts, one);
    s[a + reach] = 0;
    s[b + reach] = 1;
    hl_memhead_shift(one, p.n, s, p.n_shifts, two);
    for (int i = 0; i < p.n; i++) {
        int to = ((i + a + b) % p.n + p.n) % p.n;
        if (two[to] != p.previous[i])
            return law_no(c, "what was at %d is not at %d", i, to);
    }
    return true;
}

static bool
sharpening_extremes(struct law_case *c)
{
    struct problem p = draw(c);
    float *w = law_zeros(c, p.n), *one_hot = law_zeros(c, p.n);
    int top = law_dim(c, "top", 0, p.n - 1);
    hl_memhead_sharpen(p.previous, 1, p.n, w);
    if (!law_close(c, "gamma = 1: the same", w, p.previous, p.n, 1e-6))
        return false;
    for (int i = 0; i < p.n; i++)
        p.previous[top] = fmaxf(p.previous[top], p.previous[i]);
    p.previous[top] *= 1.1f;
    one_hot[top] = 1;
    hl_memhead_sharpen(p.previous, 1000, p.n, w);
    if (!law_close(c, "large gamma: one-hot", w, one_hot, p.n, 1e-6))
        return false;
    hl_memhead_sharpen(p.previous, 3e38f, p.n, w);
    return law_close(c, "largest gamma: one-hot", w, one_hot, p.n, 1e-6);
}

static bool
one_hot_write_stores(struct law_case *c)
{
    struct problem p = draw(c);
    int at = law_dim(c, "at", 0, p.n - 1), n = p.n * p.width;
    float *w = law_zeros(c, p.n), *before = law_zeros(c, n), *r = law_zeros(c, p.width);
    w[at] = 1;
    memcpy(before, p.memory, (size_t)n * sizeof *before);
    for (int m = 0; m < p.width; m++)
        p.erase[m] = 1;
    hl_memhead_write(w, p.erase, p.add, p.memory, p.n, p.width, p.memory);
    hl_memhead_read(w, p.memory, p.n, p.width, r);
    memcpy(before + at * p.width, p.add, (size_t)p.width * sizeof *before);
    return law_same(c, "the other slots", p.memory, before, n) &&
           law_close(c, "what is read there", r, p.add, p.width, 0);
}

static bool
no_mass_is_nothing(struct law_case *c)
{
    int n = law_dim(c, "N", 1, 40);
    float *zero = law_zeros(c, n), *w = law_floats(c, n, 1.0);
    hl_memhead_sharpen(zero, 2, n, w);
    return law_same(c, "weights", w, zero, n);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "each stage of addressing is a distribution", stages_are_distributions },
        { "stages agree with plain loops in double", stages_agree_with_plain_loops },
        { "reading and writing agree with plain loops", reading_and_writing_agree },
        { "parameters agree with their formulas", squashing_agrees },
        { "gate 1 is content only, gate 0 the previous weights", gate_chooses },
        { "one-hot shifts compose modulo N, exactly", shifts_compose },
        { "gamma 1 is the identity, a large gamma one-hot", sharpening_extremes },
        { "erase 1 and add v at a one-hot address store v", one_hot_write_stores },
        { "nothing to sharpen gives zeros", no_mass_is_nothing },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

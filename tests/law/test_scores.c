/* Laws of the six alignment scores. */
#include "harness/law.h"

#include <math.h>

#include "attn/score.h"
#include "num/softmax.h"

struct problem {
    struct hl_score_params p;
    struct hl_score_input in;
    float *q, *k, *state, *scratch, *out, *again;
};

static struct problem
draw(struct law_case *c)
{
    struct problem t = { 0 };
    int d = law_dim(c, "A", 1, 40), n = law_dim(c, "S", 0, 30), ds = law_dim(c, "Ds", 1, 20);
    t.q = law_floats(c, d, 1.0);
    t.k = law_floats(c, n * (d + 2), 1.0);
    t.state = law_floats(c, ds, 1.0);
    t.scratch = law_zeros(c, d);
    t.out = law_zeros(c, n);
    t.again = law_zeros(c, n);
    t.p = (struct hl_score_params) {
        .d = d,
        .v = law_floats(c, d, 0.5),
        .w = law_floats(c, d * d, 0.3),
        .strength = 2.5f,
        .d_state = ds,
        .max_keys = 25,
        .location_w = law_floats(c, 25 * ds, 0.5),
        .location_b = law_floats(c, 25, 0.5),
    };
    t.in = (struct hl_score_input) { t.q, t.state, t.k, d + 2, n };
    return t;
}

static void
run(const struct problem *t, enum hl_score s, float *out)
{
    hl_score_table[s].run(&t->p, &t->in, t->scratch, out);
}

static bool
agree_with_reference(struct law_case *c)
{
    struct problem t = draw(c);
    for (int s = 0; s < HL_SCORE_COUNT; s++) {
        double *want = law_doubles(c, NULL, t.in.n);
        run(&t, (enum hl_score)s, t.out);
        hl_score_table[s].ref(&t.p, &t.in, want);
        if (!law_close_d(c, hl_score_table[s].name, t.out, want, t.in.n, 5e-6))
            return false;
    }
    return true;
}

static bool
keys_are_independent(struct law_case *c)
{
    struct problem t = draw(c);
    for (int s = 0; s < HL_SCORE_LOCATION; s++) {
        run(&t, (enum hl_score)s, t.out);
        for (int j = 0; j < t.in.n; j++) {
            struct hl_score_input one = t.in;
            one.k += j * one.k_stride;
            one.n = 1;
            hl_score_table[s].run(&t.p, &one, t.scratch, &t.again[j]);
        }
        if (!law_same(c, hl_score_table[s].name, t.again, t.out, t.in.n))
            return false;
    }
    return true;
}

static bool
general_with_identity_is_dot(struct law_case *c)
{
    struct problem t = draw(c);
    float *w = law_zeros(c, t.p.d * t.p.d);
    for (int i = 0; i < t.p.d; i++)
        w[i * t.p.d + i] = 1.0f;
    t.p.w = w;
    run(&t, HL_SCORE_GENERAL, t.out);
    run(&t, HL_SCORE_DOT, t.again);
    return law_same(c, "scores", t.out, t.again, t.in.n);
}

static bool
scaled_is_dot_over_root(struct law_case *c)
{
    struct problem t = draw(c);
    run(&t, HL_SCORE_SCALED, t.out);
    run(&t, HL_SCORE_DOT, t.again);
    for (int j = 0; j < t.in.n; j++)
        t.again[j] = (float)((double)t.again[j] / sqrt(t.p.d));
    return law_close(c, "scores", t.out, t.again, t.in.n, 1e-6);
}

static bool
cosine_ignores_scale(struct law_case *c)
{
    struct problem t = draw(c);
    run(&t, HL_SCORE_COSINE, t.out);
    for (int i = 0; i < t.p.d; i++)
        t.q[i] *= 3.0f;
    for (int i = 0; i < t.in.n * (t.p.d + 2); i++)
        t.k[i] *= 0.2f;
    run(&t, HL_SCORE_COSINE, t.again);
    for (int j = 0; j < t.in.n; j++) {
        if (fabsf(t.out[j]) > t.p.strength * 1.000001f)
            return law_no(c, "score %d is %g", j, (double)t.out[j]);
    }
    return law_close(c, "scores", t.again, t.out, t.in.n, 3e-6);
}

static bool
additive_without_v_is_uniform(struct law_case *c)
{
    struct problem t = draw(c);
    t.p.v = law_zeros(c, t.p.d);
    run(&t, HL_SCORE_ADDITIVE, t.out);
    hl_softmax(t.out, NULL, t.in.n, 1.0f, t.out);
    for (int j = 0; j < t.in.n; j++)
        t.again[j] = 1.0f / (float)t.in.n;
    return law_close(c, "weights", t.out, t.again, t.in.n, 1e-7);
}

static bool
location_ignores_keys(struct law_case *c)
{
    struct problem t = draw(c);
    run(&t, HL_SCORE_LOCATION, t.out);
    t.in.k = law_floats(c, t.in.n * (t.p.d + 2), 9.0);
    t.in.q = law_floats(c, t.p.d, 9.0);
    run(&t, HL_SCORE_LOCATION, t.again);
    for (int j = t.p.max_keys; j < t.in.n; j++) {
        if (t.out[j] != -INFINITY)
            return law_no(c, "key %d beyond the table has %g", j, (double)t.out[j]);
    }
    return law_same(c, "scores", t.again, t.out, t.in.n);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "each score agrees with its reference in double", agree_with_reference },
        { "a key's score does not depend on the other keys", keys_are_independent },
        { "general with W = I equals dot", general_with_identity_is_dot },
        { "scaled is dot over the root of the width", scaled_is_dot_over_root },
        { "cosine ignores positive scaling and is bounded", cosine_ignores_scale },
        { "additive with v = 0 is uniform", additive_without_v_is_uniform },
        { "location ignores keys and queries", location_ignores_keys },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

/* Laws of the gated recurrent unit. */
#include "harness/law.h"

#include <math.h>
#include <string.h>

#include "nn/rnn.h"
#include "num/ref/ref.h"

struct problem {
    struct hl_gru g;
    int in, d, n;
    float *w_ih, *w_hh, *b_ih, *b_hh, *x, *h, *scratch;
};

static struct problem
draw(struct law_case *c)
{
    struct problem t = { 0 };
    t.in = law_dim(c, "in", 1, 20);
    t.d = law_dim(c, "d", 1, 20);
    t.n = law_dim(c, "T", 1, 10);
    t.w_ih = law_floats(c, 3 * t.d * t.in, 0.5);
    t.w_hh = law_floats(c, 3 * t.d * t.d, 0.5);
    t.b_ih = law_floats(c, 3 * t.d, 0.5);
    t.b_hh = law_floats(c, 3 * t.d, 0.5);
    t.x = law_floats(c, t.n * t.in, 1.0);
    t.h = law_floats(c, t.n * t.d, 0.5);
    t.g = (struct hl_gru) { { t.w_ih, HL_DTYPE_F32, 3 * t.d, t.in },
                            { t.w_hh, HL_DTYPE_F32, 3 * t.d, t.d },
                            t.b_ih,
                            t.b_hh };
    t.scratch = law_zeros(c, (int)hl_rnn_gru_scratch(&t.g, t.n));
    return t;
}

static bool
step_agrees_with_reference(struct law_case *c)
{
    struct problem t = draw(c);
    float *out = law_zeros(c, t.n * t.d);
    double *want = law_doubles(c, NULL, t.d);
    hl_rnn_gru_step(&t.g, t.n, t.x, t.in, t.h, t.d, out, t.d, NULL, t.scratch);
    for (int i = 0; i < t.n; i++) {
        hl_ref_gru(t.in, t.d, law_doubles(c, t.w_ih, 3 * t.d * t.in),
                   law_doubles(c, t.w_hh, 3 * t.d * t.d), law_doubles(c, t.b_ih, 3 * t.d),
                   law_doubles(c, t.b_hh, 3 * t.d), law_doubles(c, t.x + i * t.in, t.in),
                   law_doubles(c, t.h + i * t.d, t.d), want);
        if (!law_close_d(c, "state", out + i * t.d, want, t.d, 2e-6))
            return false;
    }
    return true;
}

static bool
run_equals_steps(struct law_case *c)
{
    struct problem t = draw(c);
    bool reverse = law_dim(c, "reverse", 0, 1) == 1;
    int stride = 2 * t.d;
    float *out = law_zeros(c, t.n * stride), *h = law_zeros(c, t.d);
    hl_rnn_gru_run(&t.g, t.n, t.x, t.in, reverse, out, stride, t.scratch);
    for (int s = 0; s < t.n; s++) {
        int i = reverse ? t.n - 1 - s : s;
        hl_rnn_gru_step(&t.g, 1, t.x + i * t.in, t.in, h, t.d, h, t.d, NULL, t.scratch);
        if (!law_same(c, "state", out + i * stride, h, t.d))
            return false;
        for (int j = t.d; j < stride; j++) {
            if (out[i * stride + j] != 0.0f)
                return law_no(c, "wrote beside its columns");
        }
    }
    return true;
}

static bool
rows_are_independent(struct law_case *c)
{
    struct problem t = draw(c);
    float *out = law_zeros(c, t.n * t.d), *one = law_zeros(c, t.d);
    hl_rnn_gru_step(&t.g, t.n, t.x, t.in, t.h, t.d, out, t.d, NULL, t.scratch);
    for (int i = 0; i < t.n; i++) {
        hl_rnn_gru_step(&t.g, 1, t.x + i * t.in, t.in, t.h + i * t.d, t.d, one, t.d, NULL,
                        t.scratch);
        if (!law_same(c, "state", one, out + i * t.d, t.d))
            return false;
    }
    return true;
}

static bool
gates_keep_or_replace(struct law_case *c)
{
    struct problem t = draw(c);
    float *out = law_zeros(c, t.n * t.d), *gates = law_zeros(c, t.n * 3 * t.d);
    for (int i = t.d; i < 2 * t.d; i++)
        t.b_ih[i] = 200.0f; /* z = 1: keep */
    hl_rnn_gru_step(&t.g, t.n, t.x, t.in, t.h, t.d, out, t.d, NULL, t.scratch);
    if (!law_same(c, "kept state", out, t.h, t.n * t.d))
        return false;
    for (int i = t.d; i < 2 * t.d; i++)
        t.b_ih[i] = -200.0f; /* z = 0: replace by the candidate */
    hl_rnn_gru_step(&t.g, t.n, t.x, t.in, t.h, t.d, out, t.d, gates, t.scratch);
    for (int i = 0; i < t.n; i++) {
        if (!law_close(c, "candidate", out + i * t.d, gates + (i * 3 + 2) * t.d, t.d, 1e-7))
            return false;
    }
    return true;
}

static bool
gates_are_those_used(struct law_case *c)
{
    struct problem t = draw(c);
    float *out = law_zeros(c, t.n * t.d), *gates = law_zeros(c, t.n * 3 * t.d);
    float *again = law_zeros(c, t.d);
    hl_rnn_gru_step(&t.g, t.n, t.x, t.in, t.h, t.d, out, t.d, gates, t.scratch);
    for (int i = 0; i < t.n; i++) {
        const float *r = gates + i * 3 * t.d, *z = r + t.d, *n = z + t.d, *h = t.h + i * t.d;
        for (int j = 0; j < t.d; j++) {
            if (!(r[j] >= 0.0f && r[j] <= 1.0f && z[j] >= 0.0f && z[j] <= 1.0f))
                return law_no(c, "gate out of range");
            again[j] = (1.0f - z[j]) * n[j] + z[j] * h[j];
        }
        if (!law_same(c, "state", again, out + i * t.d, t.d))
            return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "a step agrees with the reference in double", step_agrees_with_reference },
        { "a run equals its steps, forward and backward", run_equals_steps },
        { "rows of a step are independent", rows_are_independent },
        { "gate extremes keep or replace the state", gates_keep_or_replace },
        { "captured gates are those used", gates_are_those_used },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

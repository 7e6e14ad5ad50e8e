/* Laws of the recurrent cells. */
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

/* ---- LSTM ---- */

struct lstm_problem {
    struct hl_lstm l;
    int in, d, n;
    float *w_ih, *w_hh, *b, *x, *h, *c, *gates, *scratch;
};

static struct lstm_problem
draw_lstm(struct law_case *c)
{
    struct lstm_problem t = { 0 };
    t.in = law_dim(c, "in", 1, 20);
    t.d = law_dim(c, "d", 1, 20);
    t.n = law_dim(c, "T", 1, 10);
    t.w_ih = law_floats(c, 4 * t.d * t.in, 0.5);
    t.w_hh = law_floats(c, 4 * t.d * t.d, 0.5);
    t.b = law_floats(c, 4 * t.d, 0.5);
    t.x = law_floats(c, t.n * t.in, 1.0);
    t.h = law_floats(c, t.d, 0.5);
    t.c = law_floats(c, t.d, 1.0);
    t.gates = law_zeros(c, 4 * t.d);
    t.scratch = law_zeros(c, 4 * t.d);
    t.l = (struct hl_lstm) { { t.w_ih, HL_DTYPE_F32, 4 * t.d, t.in },
                             { t.w_hh, HL_DTYPE_F32, 4 * t.d, t.d },
                             t.b };
    return t;
}

/* The four affine parts of a step, rows i, f, g, o, then the cell, in plain loops. */
static void
plain_lstm(const struct lstm_problem *t, const float *x, double *h, double *c, double *z)
{
    for (int r = 0; r < 4 * t->d; r++) {
        z[r] = (double)t->b[r];
        for (int k = 0; k < t->in; k++)
            z[r] += (double)t->w_ih[r * t->in + k] * (double)x[k];
        for (int k = 0; k < t->d; k++)
            z[r] += (double)t->w_hh[r * t->d + k] * h[k];
    }
    for (int k = 0; k < t->d; k++) {
        double i = 1 / (1 + exp(-z[k])), f = 1 / (1 + exp(-z[t->d + k]));
        double o = 1 / (1 + exp(-z[3 * t->d + k]));
        c[k] = f * c[k] + i * tanh(z[2 * t->d + k]);
        h[k] = o * tanh(c[k]);
    }
}

static bool
lstm_steps_equal_a_run(struct law_case *c)
{
    struct lstm_problem t = draw_lstm(c);
    double *h = law_doubles(c, t.h, t.d), *cell = law_doubles(c, t.c, t.d);
    double *z = law_doubles(c, NULL, 4 * t.d);
    for (int s = 0; s < t.n; s++) {
        const float *x = t.x + s * t.in;
        hl_rnn_lstm_step(&t.l, x, t.h, t.c, t.h, t.c, t.gates, t.scratch);
        plain_lstm(&t, x, h, cell, z);
        if (!law_close_d(c, "state", t.h, h, t.d, 1e-5) ||
            !law_close_d(c, "cell", t.c, cell, t.d, 1e-5))
            return false;
    }
    return true;
}

static bool
lstm_works_in_place(struct law_case *c)
{
    struct lstm_problem t = draw_lstm(c);
    float *h = law_zeros(c, t.d), *cell = law_zeros(c, t.d);
    hl_rnn_lstm_step(&t.l, t.x, t.h, t.c, h, cell, t.gates, t.scratch);
    hl_rnn_lstm_step(&t.l, t.x, t.h, t.c, t.h, t.c, t.gates, t.scratch);
    return law_same(c, "state", h, t.h, t.d) && law_same(c, "cell", cell, t.c, t.d);
}

static void
set_gate(struct lstm_problem *t, int gate, float value)
{
    for (int k = gate * t->d; k < (gate + 1) * t->d; k++)
        t->b[k] = value;
}

static bool
lstm_gates_keep_or_replace(struct law_case *c)
{
    enum { INPUT, FORGET, CANDIDATE, OUTPUT };
    struct lstm_problem t = draw_lstm(c);
    float *h = law_zeros(c, t.d), *cell = law_zeros(c, t.d), *zero = law_zeros(c, t.d);
    set_gate(&t, INPUT, -300.0f);
    set_gate(&t, FORGET, 300.0f);
    hl_rnn_lstm_step(&t.l, t.x, t.h, t.c, h, cell, t.gates, t.scratch);
    if (!law_same(c, "kept cell", cell, t.c, t.d))
        return false;
    set_gate(&t, INPUT, 300.0f);
    set_gate(&t, FORGET, -300.0f);
    hl_rnn_lstm_step(&t.l, t.x, t.h, t.c, h, cell, t.gates, t.scratch);
    if (!law_close(c, "replaced cell", cell, t.gates + CANDIDATE * t.d, t.d, 1e-7))
        return false;
    set_gate(&t, OUTPUT, -300.0f);
    hl_rnn_lstm_step(&t.l, t.x, t.h, t.c, h, cell, t.gates, t.scratch);
    return law_close(c, "closed output", h, zero, t.d, 1e-7);
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
        { "LSTM: step by step equals a plain run in double", lstm_steps_equal_a_run },
        { "LSTM: a step may be taken in place", lstm_works_in_place },
        { "LSTM: gate extremes keep or replace the cell", lstm_gates_keep_or_replace },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}

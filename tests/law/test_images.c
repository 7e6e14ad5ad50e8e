/* Laws of attention over a grid and of convolution. */
#include "harness/law.h"

#include <math.h>
#include <string.h>

#include "attn/grid.h"
#include "num/conv.h"
#include "num/ref/ref.h"

/* ---- attention ---- */

struct layer {
    struct hl_grid_attn a;
    int p, d, key, value;
    const float *f, *g, *h, *v;
    float *x, *scratch;
    struct hl_grid_out out;
};

static struct hl_weight
matrix(const float *p, int rows, int cols)
{
    return (struct hl_weight) { p, HL_DTYPE_F32, rows, cols };
}

static struct layer
draw_layer(struct law_case *c)
{
    struct layer t = { .p = law_dim(c, "P", 1, 30), .d = law_dim(c, "D", 1, 20) };
    t.key = law_dim(c, "Dk", 1, 9);
    t.value = law_dim(c, "Dv", 1, 12);
    double spread = 1.0 / sqrt(t.d);
    t.f = law_floats(c, t.key * t.d, spread);
    t.g = law_floats(c, t.key * t.d, spread);
    t.h = law_floats(c, t.value * t.d, spread);
    t.v = law_floats(c, t.d * t.value, 1.0 / sqrt(t.value));
    t.a = (struct hl_grid_attn) { matrix(t.f, t.key, t.d), matrix(t.g, t.key, t.d),
                                  matrix(t.h, t.value, t.d), matrix(t.v, t.d, t.value), 0.7f };
    t.x = law_floats(c, t.p * t.d, 1.0);
    t.scratch = law_floats(c, (int)hl_grid_scratch(&t.a, t.p), 1.0);
    t.out = (struct hl_grid_out) { law_floats(c, t.p * t.p, 1.0), law_floats(c, t.p * t.p, 1.0),
                                   law_floats(c, t.p * t.d, 1.0), law_floats(c, t.p * t.d, 1.0) };
    return t;
}

static bool
without_gamma_nothing_changes(struct law_case *c)
{
    struct layer t = draw_layer(c);
    t.a.gamma = 0.0f;
    hl_grid_attend(&t.a, t.p, t.x, t.out, t.scratch);
    return law_same(c, "y", t.out.y, t.x, t.p * t.d);
}

static bool
rows_sum_to_one(struct law_case *c)
{
    struct layer t = draw_layer(c);
    hl_grid_attend(&t.a, t.p, t.x, t.out, t.scratch);
    for (int j = 0; j < t.p; j++) {
        double sum = 0.0;
        for (int i = 0; i < t.p; i++) {
            if (t.out.weights[j * t.p + i] < 0.0f)
                return law_no(c, "cell %d has a negative weight", j);
            sum += (double)t.out.weights[j * t.p + i];
        }
        if (fabs(sum - 1.0) > 1e-5)
            return law_no(c, "the weights of cell %d sum to %g", j, sum);
    }
    return true;
}

static bool
cells_have_no_order(struct law_case *c)
{
    struct layer t = draw_layer(c);
    int p = t.p, d = t.d, *at = law_permutation(c, p);
    struct hl_grid_out other = { law_zeros(c, p * p), law_zeros(c, p * p), law_zeros(c, p * d),
                                 law_zeros(c, p * d) };
    float *x = law_zeros(c, p * d), *weights = law_zeros(c, p * p), *y = law_zeros(c, p * d);
    for (int j = 0; j < p; j++)
        memcpy(x + j * d, t.x + at[j] * d, (size_t)d * sizeof *x);
    hl_grid_attend(&t.a, p, t.x, t.out, t.scratch);
    hl_grid_attend(&t.a, p, x, other, t.scratch);
    for (int j = 0; j < p; j++) {
        memcpy(y + j * d, t.out.y + at[j] * d, (size_t)d * sizeof *y);
        for (int i = 0; i < p; i++)
            weights[j * p + i] = t.out.weights[at[j] * p + at[i]];
    }
    return law_close(c, "weights", other.weights, weights, p * p, 1e-5) &&
           law_close(c, "y", other.y, y, p * d, 1e-5);
}

static double *
linear(struct law_case *c, const struct layer *t, const float *w, int out)
{
    double *y = law_doubles(c, NULL, t->p * out);
    hl_ref_linear(t->p, t->d, out, law_doubles(c, t->x, t->p * t->d), law_doubles(c, w, out * t->d),
                  NULL, y);
    return y;
}

static bool
attention_agrees_with_reference(struct law_case *c)
{
    struct layer t = draw_layer(c);
    int p = t.p, d = t.d;
    double *weights = law_doubles(c, NULL, p * p), *mixed = law_doubles(c, NULL, p * t.value);
    double *y = law_doubles(c, NULL, p * d);
    hl_ref_attention(p, p, t.key, t.value, linear(c, &t, t.g, t.key), linear(c, &t, t.f, t.key),
                     linear(c, &t, t.h, t.value), 1.0, false, 0, weights, mixed);
    hl_ref_linear(p, t.value, d, mixed, law_doubles(c, t.v, d * t.value), NULL, y);
    for (int i = 0; i < p * d; i++)
        y[i] = (double)t.a.gamma * y[i] + (double)t.x[i];
    hl_grid_attend(&t.a, p, t.x, t.out, t.scratch);
    return law_close_d(c, "weights", t.out.weights, weights, p * p, 1e-5) &&
           law_close_d(c, "y", t.out.y, y, p * d, 1e-5);
}

static bool
results_are_the_same_without_scores(struct law_case *c)
{
    struct layer t = draw_layer(c);
    struct hl_grid_out other = { NULL, law_zeros(c, t.p * t.p), law_zeros(c, t.p * t.d),
                                 law_zeros(c, t.p * t.d) };
    hl_grid_attend(&t.a, t.p, t.x, t.out, t.scratch);
    hl_grid_attend(&t.a, t.p, t.x, other, t.scratch);
    bool same = law_same(c, "weights", other.weights, t.out.weights, t.p * t.p);
    other.y = t.x; /* in place */
    hl_grid_attend(&t.a, t.p, t.x, other, t.scratch);
    return same && law_same(c, "y", t.x, t.out.y, t.p * t.d);
}

/* ---- convolution ---- */

struct conv {
    struct hl_conv c;
    int h, w, h_out, w_out, n_x, n_y;
};

/* A shape whose transposition gives back the input's side. */
static struct conv
draw_conv(struct law_case *c)
{
    struct conv t = { 0 };
    t.c.in = law_dim(c, "in", 1, 6);
    t.c.out = law_dim(c, "out", 1, 6);
    t.c.kernel = law_dim(c, "K", 1, 4);
    t.c.stride = law_dim(c, "stride", 1, 3);
    t.c.pad = law_dim(c, "padding", 0, (t.c.kernel - 1) / 2);
    t.h_out = law_dim(c, "rows", 1, 6);
    t.w_out = law_dim(c, "columns", 1, 6);
    t.h = (t.h_out - 1) * t.c.stride - 2 * t.c.pad + t.c.kernel;
    t.w = (t.w_out - 1) * t.c.stride - 2 * t.c.pad + t.c.kernel;
    t.n_x = t.h * t.w * t.c.in;
    t.n_y = t.h_out * t.w_out * t.c.out;
    int n = t.c.kernel * t.c.kernel * t.c.in;
    t.c.w = law_floats(c, n * t.c.out, 1.0 / sqrt(n));
    return t;
}

static float *
convolve(struct law_case *c, const struct conv *t, const float *x)
{
    float *y = law_zeros(c, t->n_y);
    hl_conv_apply(&t->c, t->h, t->w, x, y, law_zeros(c, (int)hl_conv_scratch(&t->c, t->h, t->w)));
    return y;
}

static bool
convolution_is_linear(struct law_case *c)
{
    struct conv t = draw_conv(c);
    const float *a = law_floats(c, t.n_x, 1.0), *b = law_floats(c, t.n_x, 1.0);
    float *mix = law_zeros(c, t.n_x), *want = law_zeros(c, t.n_y);
    const float *ya = convolve(c, &t, a), *yb = convolve(c, &t, b);
    for (int i = 0; i < t.n_x; i++)
        mix[i] = 2.0f * a[i] - 0.5f * b[i];
    for (int i = 0; i < t.n_y; i++)
        want[i] = 2.0f * ya[i] - 0.5f * yb[i];
    return law_close(c, "y", convolve(c, &t, mix), want, t.n_y, 1e-5);
}

/* Whether the patch of output row or column `at` lies inside a side. */
static bool
lies_inside(const struct conv *t, int at, int side)
{
    int first = at * t->c.stride - t->c.pad;
    return first >= 0 && first + t->c.kernel <= side;
}

static bool
convolution_moves_with_its_input(struct law_case *c)
{
    struct conv t = draw_conv(c);
    int down = law_dim(c, "down", 0, t.h_out - 1), right = law_dim(c, "right", 0, t.w_out - 1);
    int in = t.c.in, out = t.c.out;
    const float *x = law_floats(c, t.n_x, 1.0);
    float *moved = law_floats(c, t.n_x, 1.0);
    for (int row = down * t.c.stride; row < t.h; row++) {
        for (int col = right * t.c.stride; col < t.w; col++) {
            int from = (row - down * t.c.stride) * t.w + col - right * t.c.stride;
            memcpy(moved + (row * t.w + col) * in, x + from * in, (size_t)in * sizeof *x);
        }
    }
    const float *y = convolve(c, &t, x), *other = convolve(c, &t, moved);
    for (int row = 0; row + down < t.h_out; row++) {
        for (int col = 0; col + right < t.w_out; col++) {
            if (!lies_inside(&t, row, t.h) || !lies_inside(&t, row + down, t.h) ||
                !lies_inside(&t, col, t.w) || !lies_inside(&t, col + right, t.w))
                continue;
            if (!law_same(c, "y", other + ((row + down) * t.w_out + col + right) * out,
                          y + (row * t.w_out + col) * out, out))
                return false;
        }
    }
    return true;
}

static double
product(const float *a, const float *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static bool
transposed_is_the_adjoint(struct law_case *c)
{
    struct conv t = draw_conv(c);
    int patch = t.c.kernel * t.c.kernel * t.c.in;
    const float *x = law_floats(c, t.n_x, 1.0), *y = law_floats(c, t.n_y, 1.0);
    float *w = law_zeros(c, patch * t.c.out), *back = law_zeros(c, t.n_x);
    struct hl_conv adjoint = { t.c.out, t.c.in, t.c.kernel, t.c.stride, t.c.pad, w, NULL };
    for (int o = 0; o < t.c.out; o++) {
        for (int i = 0; i < patch; i++)
            w[i * t.c.out + o] = t.c.w[o * patch + i];
    }
    if (hl_conv_transposed_side(&adjoint, t.h_out) != t.h)
        return law_no(c, "the side is %d, not %d", hl_conv_transposed_side(&adjoint, t.h_out), t.h);
    hl_conv_transposed_apply(
        &adjoint, t.h_out, t.w_out, y, back,
        law_zeros(c, (int)hl_conv_transposed_scratch(&adjoint, t.h_out, t.w_out)));
    double one = product(convolve(c, &t, x), y, t.n_y), other = product(x, back, t.n_x);
    return fabs(one - other) <= 1e-4 * (1.0 + fabs(one)) || law_no(c, "%g and %g", one, other);
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "with gamma 0 the layer is the identity", without_gamma_nothing_changes },
        { "the weights of every cell sum to 1", rows_sum_to_one },
        { "permuting cells permutes rows, columns and outputs", cells_have_no_order },
        { "attention over a grid agrees with the reference", attention_agrees_with_reference },
        { "results are the same without scores and in place", results_are_the_same_without_scores },
        { "convolution is linear", convolution_is_linear },
        { "convolution moves with its input", convolution_moves_with_its_input },
        { "transposed convolution is the adjoint of convolution", transposed_is_the_adjoint },
    };
    return law_main(laws, (int)(sizeof laws / sizeof laws[0]), argc, argv);
}

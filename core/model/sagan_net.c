#include "model/sagan_net.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "io/weights.h"
#include "num/act.h"
#include "num/conv.h"
#include "num/norm.h"
#include "num/reduce.h"

enum { STEP_KERNEL = 4, FLAT_KERNEL = 3 };
static const float NORM_EPS = 1e-5f, LEAK = 0.1f;

/* ---- weights ---- */

enum dim {
    ONE,
    FLAT,
    STEP,
    LATENT,
    CLASSES,
    START,
    G0,
    G_LAST,
    GA,
    GA8,
    GA2,
    D0,
    D_LAST,
    DA,
    DA8,
    DA2,
    IN,
    OUT,
    N_DIMS
};
enum group { GENERATOR, NORM, UP, DISCRIMINATOR, DOWN, N_GROUPS };

#define VECTOR(name, group, type, field, n)                                                        \
    {                                                                                              \
        name, group, HL_WEIGHT_VECTOR, offsetof(struct type, field), n, 0, false                   \
    }
#define MATRIX(name, group, type, field, rows, cols)                                               \
    {                                                                                              \
        name, group, HL_WEIGHT_TENSOR, offsetof(struct type, field), rows, cols, false, 0, { 0 },  \
        {                                                                                          \
            0, 1                                                                                   \
        }                                                                                          \
    }
/* [out, in, K, K] in the file, [out, K, K, in] here. */
#define KERNEL(name, group, type, field, out, in, k)                                               \
    {                                                                                              \
        name, group, HL_WEIGHT_TENSOR, offsetof(struct type, field), out, in, false, 2, { k, k },  \
        {                                                                                          \
            0, 2, 3, 1                                                                             \
        }                                                                                          \
    }
/* Transposed: [in, out, K, K] in the file, [K, K, out, in] here. */
#define TRANSPOSED(name, group, type, field, in, out, k)                                           \
    {                                                                                              \
        name, group, HL_WEIGHT_TENSOR, offsetof(struct type, field), in, out, false, 2, { k, k },  \
        {                                                                                          \
            2, 3, 1, 0                                                                             \
        }                                                                                          \
    }
#define ATTENTION(name, group, type, d, d8, d2)                                                    \
    MATRIX(name ".f.weight", group, type, attention.f, d8, d),                                     \
        MATRIX(name ".g.weight", group, type, attention.g, d8, d),                                 \
        MATRIX(name ".h.weight", group, type, attention.h, d2, d),                                 \
        MATRIX(name ".v.weight", group, type, attention.v, d, d2),                                 \
        VECTOR(name ".gamma", group, type, attention.gamma, ONE)
#define G(kind, name, ...) kind("generator." name, GENERATOR, hl_sagan_generator, __VA_ARGS__)
#define D(kind, name, ...)                                                                         \
    kind("discriminator." name, DISCRIMINATOR, hl_sagan_discriminator, __VA_ARGS__)

/* The generator's rows, then the discriminator's. */
static const struct hl_weight_spec specs[] = {
    G(MATRIX, "start.weight", start.w, START, LATENT),
    G(VECTOR, "start.bias", start.b, START),
    VECTOR("generator.norm.*.mean", NORM, hl_sagan_norm, mean, OUT),
    VECTOR("generator.norm.*.variance", NORM, hl_sagan_norm, variance, OUT),
    MATRIX("generator.norm.*.gain", NORM, hl_sagan_norm, gain, CLASSES, OUT),
    MATRIX("generator.norm.*.bias", NORM, hl_sagan_norm, bias, CLASSES, OUT),
    TRANSPOSED("generator.up.*.weight", UP, hl_sagan_layer, w, IN, OUT, STEP),
    G(ATTENTION, "attention", GA, GA8, GA2),
    G(KERNEL, "paint.weight", paint.w, ONE, G_LAST, FLAT),
    G(VECTOR, "paint.bias", paint.b, ONE),
    D(KERNEL, "look.weight", look.w, D0, ONE, FLAT),
    D(VECTOR, "look.bias", look.b, D0),
    KERNEL("discriminator.down.*.weight", DOWN, hl_sagan_layer, w, OUT, IN, STEP),
    VECTOR("discriminator.down.*.bias", DOWN, hl_sagan_layer, b, OUT),
    D(ATTENTION, "attention", DA, DA8, DA2),
    D(MATRIX, "judge.weight", judge.w, ONE, D_LAST),
    D(VECTOR, "judge.bias", judge.b, ONE),
    D(MATRIX, "embed.weight", embed, CLASSES, D_LAST),
};

enum { N_SPECS = sizeof specs / sizeof specs[0], N_GENERATOR_SPECS = 14 };

/* Steps from the start to the generator's attention, from the picture to the
 * discriminator's. */
static int
steps_before(const struct hl_sagan_shape *s, bool discriminator)
{
    int n = 0;
    for (int side = discriminator ? s->side : HL_SAGAN_START_SIDE; side != s->attention_side; n++)
        side = discriminator ? side / 2 : side * 2;
    return n;
}

int
hl_sagan_width(const struct hl_sagan_shape *s, bool discriminator)
{
    return (discriminator ? s->d_width : s->g_width)[steps_before(s, discriminator)];
}

/* The sizes that all items share, and a copy of them for each norm and step. */
struct sizes {
    int all[N_DIMS];
    int norm[HL_SAGAN_MAX_STEPS + 1][N_DIMS];
    int up[HL_SAGAN_MAX_STEPS][N_DIMS], down[HL_SAGAN_MAX_STEPS][N_DIMS];
};

static void
set_sizes(const struct hl_sagan_shape *s, struct sizes *z)
{
    int ga = hl_sagan_width(s, false), da = hl_sagan_width(s, true);
    const int all[N_DIMS] = {
        [ONE] = 1,
        [FLAT] = FLAT_KERNEL,
        [STEP] = STEP_KERNEL,
        [LATENT] = s->latent,
        [CLASSES] = s->n_classes,
        [START] = s->g_width[0] * HL_SAGAN_START_SIDE * HL_SAGAN_START_SIDE,
        [G0] = s->g_width[0],
        [G_LAST] = s->g_width[s->n_steps],
        [GA] = ga,
        [GA8] = ga / 8,
        [GA2] = ga / 2,
        [D0] = s->d_width[0],
        [D_LAST] = s->d_width[s->n_steps],
        [DA] = da,
        [DA8] = da / 8,
        [DA2] = da / 2,
    };
    memcpy(z->all, all, sizeof all);
    for (int k = 0; k <= s->n_steps; k++) {
        memcpy(z->norm[k], all, sizeof all);
        z->norm[k][OUT] = s->g_width[k];
    }
    for (int k = 0; k < s->n_steps; k++) {
        memcpy(z->up[k], all, sizeof all);
        z->up[k][IN] = s->g_width[k];
        z->up[k][OUT] = s->g_width[k + 1];
        memcpy(z->down[k], all, sizeof all);
        z->down[k][IN] = s->d_width[k];
        z->down[k][OUT] = s->d_width[k + 1];
    }
}

static enum hl_status
check_variances(const struct hl_st *st, const struct hl_sagan_shape *s,
                const struct hl_sagan_generator *g, struct hl_error *err)
{
    for (int k = 0; k <= s->n_steps; k++) {
        for (int i = 0; i < s->g_width[k]; i++) {
            if (g->norm[k].variance[i] < 0.0f) {
                return hl_error_set(err, HL_E_WEIGHTS, hl_st_where(st),
                                    "a number of generator.norm.%d.variance is negative", k);
            }
        }
    }
    return HL_OK;
}

enum hl_status
hl_sagan_load(const struct hl_st *st, const char *before, const struct hl_sagan_shape *s,
              struct hl_sagan_generator *g, struct hl_sagan_discriminator *d,
              struct hl_arena *arena, struct hl_error *err)
{
    struct sizes z = { 0 };
    set_sizes(s, &z);
    const struct hl_weight_group groups[N_GROUPS] = {
        [GENERATOR] = { g, sizeof *g, 1, NULL, NULL, 0 },
        [NORM] = { g->norm, sizeof g->norm[0], s->n_steps + 1, NULL, z.norm[0], N_DIMS },
        [UP] = { g->up, sizeof g->up[0], s->n_steps, NULL, z.up[0], N_DIMS },
        [DISCRIMINATOR] = { d, sizeof *d, 1, NULL, NULL, 0 },
        [DOWN] = { d ? d->down : NULL, sizeof(struct hl_sagan_layer), s->n_steps, NULL, z.down[0],
                   N_DIMS },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = d ? N_SPECS : N_GENERATOR_SPECS,
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = z.all,
        .before = before,
    };
    enum hl_status status = hl_weights_load(st, &plan, arena, err);
    return status == HL_OK ? check_variances(st, s, g, err) : status;
}

struct hl_grid_attn
hl_sagan_layer(const struct hl_sagan_attention *a, int width, float gamma)
{
    return (struct hl_grid_attn) {
        .f = { a->f, HL_DTYPE_F32, width / 8, width },
        .g = { a->g, HL_DTYPE_F32, width / 8, width },
        .h = { a->h, HL_DTYPE_F32, width / 2, width },
        .v = { a->v, HL_DTYPE_F32, width, width / 2 },
        .gamma = gamma,
    };
}

/* ---- layers ---- */

static struct hl_conv
up(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int k)
{
    return (struct hl_conv) {
        s->g_width[k], s->g_width[k + 1], STEP_KERNEL, 2, 1, g ? g->up[k].w : NULL, NULL
    };
}

static struct hl_conv
down(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d, int k)
{
    const struct hl_sagan_layer none = { 0 }, *l = d ? &d->down[k] : &none;
    return (struct hl_conv) { s->d_width[k], s->d_width[k + 1], STEP_KERNEL, 2, 1, l->w, l->b };
}

static struct hl_conv
flat(int in, int out, const struct hl_sagan_layer *l)
{
    return (struct hl_conv) { in, out, FLAT_KERNEL, 1, 1, l ? l->w : NULL, l ? l->b : NULL };
}

static void
grow(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

bool
hl_sagan_make_room(const struct hl_sagan_shape *s, struct hl_arena *arena, struct hl_sagan_work *w)
{
    const struct hl_conv look = flat(1, s->d_width[0], NULL);
    const struct hl_conv paint = flat(s->g_width[s->n_steps], 1, NULL);
    size_t map = (size_t)s->side * (size_t)s->side * (size_t)s->d_width[0], scratch = 0;

    grow(&map, (size_t)(HL_SAGAN_START_SIDE * HL_SAGAN_START_SIDE) * (size_t)s->g_width[0]);
    grow(&scratch, hl_conv_scratch(&look, s->side, s->side));
    grow(&scratch, hl_conv_scratch(&paint, s->side, s->side));
    for (int k = 0; k < s->n_steps; k++) {
        int side = HL_SAGAN_START_SIDE << k, from = s->side >> k;
        const struct hl_conv u = up(s, NULL, k), d = down(s, NULL, k);
        grow(&map, (size_t)side * (size_t)side * 4 * (size_t)u.out);
        grow(&map, (size_t)from * (size_t)from / 4 * (size_t)d.out);
        grow(&scratch, hl_conv_transposed_scratch(&u, side, side));
        grow(&scratch, hl_conv_scratch(&d, from, from));
    }
    for (int i = 0; i < 2; i++) {
        const struct hl_sagan_attention none = { 0 };
        const struct hl_grid_attn a = hl_sagan_layer(&none, hl_sagan_width(s, i == 1), 0.0f);
        grow(&scratch, hl_grid_scratch(&a, s->attention_side * s->attention_side));
    }
    w->a = hl_arena_floats(arena, map);
    w->b = hl_arena_floats(arena, map);
    w->scratch = hl_arena_floats(arena, scratch);
    return w->a && w->b && w->scratch;
}

/* Norm by class and ReLU, n cells of w->a into w->b. */
static void
norm(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int k, int label, int n,
     const float *x, const struct hl_sagan_work *w)
{
    const struct hl_sagan_norm *from = &g->norm[k];
    const struct hl_norm_batch l = { from->mean, from->variance, from->gain,
                                     from->bias, s->g_width[k],  NORM_EPS };
    hl_norm_batch_apply(&l, label, n, x, l.d, w->b, l.d);
    hl_act_apply(HL_ACT_RELU, n * l.d, w->b, w->b);
}

/* Step k of the generator: x (may be w->a) to `to` (may be w->a). */
static void
step_up(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int k, int label,
        const float *x, float *to, const struct hl_sagan_work *w)
{
    const struct hl_conv c = up(s, g, k);
    int side = HL_SAGAN_START_SIDE << k;
    norm(s, g, k, label, side * side, x, w);
    hl_conv_transposed_apply(&c, side, side, w->b, to, w->scratch);
}

void
hl_sagan_begin(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int label,
               const float *z, float *x, const struct hl_sagan_work *w)
{
    int cells = HL_SAGAN_START_SIDE * HL_SAGAN_START_SIDE, width = s->g_width[0];
    int n = steps_before(s, false);
    const struct hl_weight start = { g->start.w, HL_DTYPE_F32, cells * width, s->latent };

    /* The file's map lists channels of cells; here it is cells of channels. */
    hl_weight_apply(&start, g->start.b, 1, z, s->latent, w->b, start.rows);
    for (int c = 0; c < width; c++) {
        for (int p = 0; p < cells; p++)
            w->a[p * width + c] = w->b[c * cells + p];
    }
    for (int k = 0; k < n; k++)
        step_up(s, g, k, label, w->a, k == n - 1 ? x : w->a, w);
}

void
hl_sagan_finish(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int label,
                const float *y, float *picture, const struct hl_sagan_work *w)
{
    const struct hl_conv c = flat(s->g_width[s->n_steps], 1, &g->paint);
    const float *x = y;
    for (int k = steps_before(s, false); k < s->n_steps; k++, x = w->a)
        step_up(s, g, k, label, x, w->a, w);
    norm(s, g, s->n_steps, label, s->side * s->side, x, w);
    hl_conv_apply(&c, s->side, s->side, w->b, picture, w->scratch);
    hl_act_apply(HL_ACT_TANH, s->side * s->side, picture, picture);
}

/* Step k of the discriminator: x to `to`, apart from it. */
static void
step_down(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d, int k,
          const float *x, float *to, const struct hl_sagan_work *w)
{
    const struct hl_conv c = down(s, d, k);
    int side = s->side >> k, n = side / 2 * (side / 2) * c.out;
    hl_conv_apply(&c, side, side, x, to, w->scratch);
    hl_act_leaky_relu(LEAK, n, to, to);
}

void
hl_sagan_look(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d,
              const float *picture, float *x, const struct hl_sagan_work *w)
{
    const struct hl_conv c = flat(1, s->d_width[0], &d->look);
    int n = steps_before(s, true), pixels = s->side * s->side;
    float *from = w->a, *to = w->b;

    hl_conv_apply(&c, s->side, s->side, picture, from, w->scratch);
    hl_act_leaky_relu(LEAK, pixels * c.out, from, from);
    for (int k = 0; k < n; k++) {
        step_down(s, d, k, from, k == n - 1 ? x : to, w);
        float *other = from;
        from = to;
        to = other;
    }
}

void
hl_sagan_judge(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d,
               const float *y, float *scores, const struct hl_sagan_work *w)
{
    const float *x = y;
    int width = s->d_width[s->n_steps], cells = (s->side >> s->n_steps) * (s->side >> s->n_steps);
    for (int k = steps_before(s, true); k < s->n_steps; k++) {
        float *to = x == w->a ? w->b : w->a;
        step_down(s, d, k, x, to, w);
        x = to;
    }
    float *sum = w->scratch;
    for (int c = 0; c < width; c++) {
        sum[c] = 0.0f;
        for (int p = 0; p < cells; p++)
            sum[c] += x[p * width + c];
    }
    float common = hl_reduce_dot(d->judge.w, sum, width) + d->judge.b[0];
    for (int i = 0; i < s->n_classes; i++)
        scores[i] = common + hl_reduce_dot(d->embed + (ptrdiff_t)i * width, sum, width);
}

/* Along one side: what lies between a cell and the picture's pixels lo .. hi. */
static void
widen(const struct hl_sagan_shape *s, int cell, int *lo, int *hi)
{
    *lo = *hi = cell;
    for (int side = s->attention_side; side < s->side; side *= 2) {
        *lo = *lo * 2 - 1;
        *hi = *hi * 2 + 2;
    }
    *lo = *lo - 1 > 0 ? *lo - 1 : 0;
    *hi = *hi + 1 < s->side - 1 ? *hi + 1 : s->side - 1;
}

void
hl_sagan_reach(const struct hl_sagan_shape *s, float *out)
{
    for (int row = 0; row < s->attention_side; row++) {
        for (int col = 0; col < s->attention_side; col++, out += 4) {
            int top, bottom, left, right;
            widen(s, row, &top, &bottom);
            widen(s, col, &left, &right);
            out[0] = (float)top;
            out[1] = (float)left;
            out[2] = (float)(bottom + 1);
            out[3] = (float)(right + 1);
        }
    }
}

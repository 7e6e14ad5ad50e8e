/* The two networks of a self-attention GAN: their weights and their passes.
 *
 * Generator: latent z -> start (linear, a map of 4 x 4) -> [norm by class, ReLU,
 * transposed convolution 4x4, stride 2, padding 1] once per doubling, attention in
 * between -> norm by class, ReLU, convolution 3x3, tanh -> picture.
 * Discriminator: convolution 3x3, leaky ReLU -> [convolution 4x4, stride 2, padding 1,
 * leaky ReLU] once per halving, attention in between -> sum over the cells;
 * score = judge . x + b + embed[class] . x.
 *
 * A pass is cut at the attention: x [P,C] is what it reads, y [P,C] what it gives. Every
 * function here: Thread-safety: reentrant on shared weights. */
#pragma once

#include <stdbool.h>

#include "attn/grid.h"
#include "base/arena.h"
#include "base/error.h"
#include "io/safetensors.h"

enum { HL_SAGAN_MAX_STEPS = 4, HL_SAGAN_START_SIDE = 4 };

struct hl_sagan_shape {
    int side, latent, attention_side, n_classes;
    int n_steps; /* doublings of the generator, halvings of the discriminator */
    int g_width[HL_SAGAN_MAX_STEPS + 1], d_width[HL_SAGAN_MAX_STEPS + 1];
};

struct hl_sagan_attention {
    const float *f, *g, *h, *v; /* [D/8,D], [D/8,D], [D/2,D], [D,D/2] */
    const float *gamma;         /* [1] */
};

struct hl_sagan_norm {
    const float *mean, *variance, *gain, *bias;
};

struct hl_sagan_layer {
    const float *w, *b;
};

struct hl_sagan_generator {
    struct hl_sagan_layer start, paint;
    struct hl_sagan_norm norm[HL_SAGAN_MAX_STEPS + 1];
    struct hl_sagan_layer up[HL_SAGAN_MAX_STEPS]; /* no bias */
    struct hl_sagan_attention attention;
};

struct hl_sagan_discriminator {
    struct hl_sagan_layer look, judge;
    struct hl_sagan_layer down[HL_SAGAN_MAX_STEPS];
    const float *embed;
    struct hl_sagan_attention attention;
};

/* Memory of a pass. */
struct hl_sagan_work {
    float *a, *b, *scratch;
};

/* Reads the weights of a generator (the names behind `before`, NULL: of the file itself,
 * where the discriminator is read too) into the arena. Ownership: the arena's; `st` may
 * be closed. Fails: WEIGHTS, NOMEM. */
enum hl_status hl_sagan_load(const struct hl_st *st, const char *before,
                             const struct hl_sagan_shape *s, struct hl_sagan_generator *g,
                             struct hl_sagan_discriminator *d, struct hl_arena *arena,
                             struct hl_error *err);

/* Channels of the attention's map. Fails: never. */
int hl_sagan_width(const struct hl_sagan_shape *s, bool discriminator);
/* The attention as a layer, with another gamma. Fails: never. */
struct hl_grid_attn hl_sagan_layer(const struct hl_sagan_attention *a, int width, float gamma);

/* Ownership: the arena's. Fails: false (no memory). */
bool hl_sagan_make_room(const struct hl_sagan_shape *s, struct hl_arena *arena,
                        struct hl_sagan_work *w);

/* Generator: z [latent] of class `label` to x; y to the picture [side * side]. `x` and `y`
 * lie outside the work's memory. Fails: never. */
void hl_sagan_begin(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int label,
                    const float *z, float *x, const struct hl_sagan_work *w);
void hl_sagan_finish(const struct hl_sagan_shape *s, const struct hl_sagan_generator *g, int label,
                     const float *y, float *picture, const struct hl_sagan_work *w);

/* Discriminator: a picture to x; y to a score for each class. Fails: never. */
void hl_sagan_look(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d,
                   const float *picture, float *x, const struct hl_sagan_work *w);
void hl_sagan_judge(const struct hl_sagan_shape *s, const struct hl_sagan_discriminator *d,
                    const float *y, float *scores, const struct hl_sagan_work *w);

/* The pixels that convolution connects with each cell of the attention's map, [P,4]: top,
 * left, bottom, right, the last two exclusive. The same for both networks, whose layers
 * between picture and map mirror each other. Fails: never. */
void hl_sagan_reach(const struct hl_sagan_shape *s, float *out);

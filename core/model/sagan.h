/* What the self-attention GAN (Zhang et al. 2018) takes and tells beyond a text.
 *
 * Generator: the text names classes ("dress and boots"); each named class is a picture,
 * at most HL_SAGAN_MAX_PICTURES. Discriminator: a picture of the user's is judged.
 *
 * The record (axes "source" tokens: the words that named a class, with spans, id and
 * `text` the class, `label` as typed (none are needed for the discriminator); "cell" grid
 * 16 x 16; "pixel" grid 32 x 32; L numbers the pictures, 1 for the discriminator; names
 * beyond the limit count as dropped tokens):
 *   map "self" [L, 1, P, P] in the stages HL_STAGE_SCORES and HL_STAGE_WEIGHTS: row j is
 *     where cell j looks, scale 1;
 *   vectors "image" [L, 1024, 1] (-1 .. 1, the background -1), "image.convolution" the
 *     same with gamma = 0 (what the picture would be without attention; generator only),
 *     "self.input" x, "self.attended" W_v sum beta h, "self.output" y = gamma o + x, each
 *     [L, P, C] with keep_vectors; "reach" [1, P, 4] the rectangle of picture pixels (top,
 *     left, bottom, right; the last two exclusive) that convolution alone connects with a
 *     cell: for the generator the pixels that the cell can reach through the layers after
 *     it, for the discriminator the pixels that it sees;
 *   vectors "score" [L, 10, 1] on the axis "class" (tokens): the discriminator's score of
 *     the picture as each class (both networks);
 *   settings: "network", "step", "gamma". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

enum { HL_SAGAN_MAX_PICTURES = 4, HL_SAGAN_MAX_LATENT = 64, HL_SAGAN_MAX_SIDE = 64 };

/* What a run is asked for, as plain data that is copied by assignment; hl_sagan_request
 * makes a request of it: options "seed", "gamma" and "snapshot", the input
 * `picture` of side x side numbers or more (row-major, -1..1), which the discriminator
 * judges (without one the generator draws), and `numbers`, HL_SAGAN_MAX_LATENT a picture of which
 * the first latent_size are read, for latents of one's own. */
struct hl_sagan_options {
    bool discriminator; /* judge `picture`, else draw what the text names */
    int n_latents;      /* 0: drawn from `seed`; else latents of the first pictures */
    float latents[HL_SAGAN_MAX_PICTURES][HL_SAGAN_MAX_LATENT];
    uint64_t seed;
    bool has_gamma; /* use `gamma` in place of the trained one of the network that is shown */
    float gamma;
    int snapshot; /* 0: the trained generator; n: number n of the snapshots, from 1 */
    float picture[HL_SAGAN_MAX_SIDE * HL_SAGAN_MAX_SIDE]; /* side x side, row-major, -1..1 */
};

struct hl_sagan_snapshot {
    int step;
    float gamma; /* the generator's */
};

/* What the model is; lives with it. */
struct hl_sagan_info {
    int side, latent_size, attention_side;
    int n_classes;
    const char *const *class_names;
    int step; /* at the end of training */
    float gamma, discriminator_gamma;
    int n_snapshots; /* before the end; oldest first */
    const struct hl_sagan_snapshot *snapshots;
};

/* The latent of picture `index` under `seed`: n independent normal deviates (Box-Muller,
 * from a generator of its own for each pair of seed and index).
 * Thread-safety: reentrant. Fails: never. */
void hl_sagan_latent(uint64_t seed, int index, int n, float *out);

extern const struct hl_network hl_network_sagan;

/* What is known of the model; NULL when it is none of these. Thread-safety: reentrant. */
const struct hl_sagan_info *hl_sagan_info(const struct hl_model_info *info);

/* Gives the request what is asked for. Ownership: *o is borrowed for as long as the
 * request is. Thread-safety: reentrant. */
void hl_sagan_request(const struct hl_sagan_options *o, struct hl_request *q);

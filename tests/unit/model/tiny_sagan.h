/* Small self-attention GANs of random weights: pictures of 16 x 16, attention over 8 x 8
 * cells, latents of 6, the classes "T-shirt", "dress" and "boot", two snapshots. */
#pragma once

#include <stdint.h>

#include "model/model.h"

enum { TINY_SAGAN_SIDE = 16, TINY_SAGAN_CELLS = 64, TINY_SAGAN_LATENT = 6, TINY_SAGAN_WIDTH = 16 };

struct tiny_sagan {
    double times;         /* every weight is multiplied by; 0 means 1 */
    const char *find;     /* this text of config.json */
    const char *put;      /* is replaced by this; NULL: nothing is */
    const char *left_out; /* a tensor that is missing, or NULL */
    const char *negative; /* a tensor whose first number is -1, or NULL */
    bool no_snapshots;    /* snapshots.safetensors is missing */
};

/* Writes the folder's files. */
void tiny_sagan_write(const struct tiny_sagan *how, uint64_t seed, const char *dir);
/* Removes them, and the folder. */
void tiny_sagan_remove(const char *dir);

/* Opens such a model, whose folder is gone afterwards. */
enum hl_status tiny_sagan_open(const struct tiny_sagan *how, uint64_t seed, struct hl_model **out,
                               struct hl_error *err);
/* The same, which must succeed. */
struct hl_model *tiny_sagan(uint64_t seed);

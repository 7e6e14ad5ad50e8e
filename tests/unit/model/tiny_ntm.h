/* Small Neural Turing Machines of random weights. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct tiny_ntm {
    bool recall, feedforward;
    int n_read, n_write, reach;
    double times; /* every weight is multiplied by; 0 means 1 */
};

enum { TINY_NTM_SLOTS = 12, TINY_NTM_WIDTH = 5, TINY_NTM_SIZE = 9, TINY_NTM_ITEM = 3 };

/* Writes config.json and model.safetensors of such a machine into a folder. */
void tiny_ntm_write(const struct tiny_ntm *how, uint64_t seed, const char *dir);

/* The same in a fresh folder, opened; the folder is removed. */
struct hl_model *tiny_ntm(const struct tiny_ntm *how, uint64_t seed);

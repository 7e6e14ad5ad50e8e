/* State of the Images screen: self-attention over pictures (images.c, images_*.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/sagan.h"

struct hl_screen;

struct images_state {
    uint64_t seed;
    struct hl_sagan_options options; /* latents, gamma, snapshot of the generator */
    bool own;                        /* the user's picture through the discriminator is shown */
    int picture;                     /* which of several drawn pictures is looked into */
    int cell;                        /* pinned place, -1 none */
    bool looked_at;                  /* who looks at the place, else where it looks */
};

extern const struct hl_screen screen_images;

/* The state of a first start. Ownership: images_deinit. Fails: false (no memory). */
bool images_init(struct images_state *m);
void images_deinit(struct images_state *m);

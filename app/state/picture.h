/* A picture of the user's as plain pixels: what FX_OPEN_PICTURE brings. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/dl.h"

struct hl_picture {
    uint32_t width, height; /* as the file has it, upright */
    int w, h;               /* of the pixels here, where a large picture was shrunk */
    uint8_t *rgba;          /* [h, w, 4], straight alpha (255 from picture_open) */
};

/* The square in its middle, grey, shrunk to side x side numbers from -1 to 1 with the
 * border that the training pictures have (28 x 28 in 32 x 32), as it is or with light and
 * dark exchanged. Thread-safety: reentrant. Fails: ARGUMENT. */
enum hl_status picture_prepare(const struct hl_picture *p, int side, bool exchange, float *out,
                               struct hl_error *err);
/* Whether the edges of what picture_prepare gave (not exchanged) are light: the thing then
 * stands dark on light, and a network that draws light on black wants it exchanged.
 * Thread-safety: reentrant. */
bool picture_light_edges(const float *px, int side);
/* A small copy to show, no longer than `most` a side: means of whole blocks of pixels;
 * *w x *h of them, and in *crop the square that picture_prepare uses. Thread-safety:
 * reentrant. Ownership: hl_free. Fails: NULL (no memory); *w, *h, *crop untouched. */
hl_color *picture_preview(const struct hl_picture *p, int most, int *w, int *h, hl_rect *crop);

/* A picture of the user's as plain pixels: what FX_OPEN_PICTURE brings. */
#pragma once

#include <stdint.h>

struct hl_picture {
    uint32_t width, height; /* as the file has it, upright */
    int w, h;               /* of the pixels here, where a large picture was shrunk */
    uint8_t *rgba;          /* [h, w, 4], straight alpha */
};

/* The header of a picture: what is accepted has a size that the formats allow and costs
 * what it says; what is refused has a sentence; what follows the header changes nothing. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "sdl/picture_head.h"

static void
check(const struct picture_head *h)
{
    bool png = h->format == PICTURE_PNG;
    HOLDS(h->width >= 1 && h->height >= 1);
    HOLDS(h->width <= (png ? INT32_MAX : UINT16_MAX));
    HOLDS(h->height <= (png ? INT32_MAX : UINT16_MAX));
    HOLDS(h->channels >= 1 && h->channels <= 4 && h->depth >= 1 && h->depth <= 16);
    HOLDS(h->turn >= 1 && h->turn <= 8);
    HOLDS(!png || (!h->whole && !h->inverted && h->turn == 1));
    HOLDS(picture_head_cost(h) >= (uint64_t)h->width * h->height * 4);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture_head h, again;
    struct hl_error err = { 0 };
    if (picture_head_read(data, size, "input", &h, &err) != HL_OK) {
        HOLDS(err.code == HL_E_IMAGE && err.detail[0]);
        return 0;
    }
    check(&h);
    uint8_t *longer = malloc(size + 16);
    HOLDS(longer != NULL);
    memcpy(longer, data, size);
    memset(longer + size, 0xFF, 16);
    HOLDS(picture_head_read(longer, size + 16, "input", &again, &err) == HL_OK);
    HOLDS(h.format == again.format && h.width == again.width && h.height == again.height &&
          h.depth == again.depth && h.channels == again.channels && h.whole == again.whole &&
          h.inverted == again.inverted && h.turn == again.turn);
    free(longer);
    return 0;
}

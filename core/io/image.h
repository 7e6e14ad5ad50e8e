/* Any picture's pixels as the small square grey picture that a network takes.
 *
 * The square in the middle is cut out; a pixel's grey is 0.2126 R + 0.7152 G + 0.0722 B of
 * the values as they are given (Rec. 709; no linearising, as the training pictures had
 * none); each result is the exact mean over the area that it covers, whether the picture
 * is larger or smaller. Networks draw things light on black: a photograph of a dark thing
 * on white is inverted on request. What is transparent counts as the background: black,
 * or white where it is inverted afterwards. Decoding is no matter of this file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct hl_image {
    const uint8_t *pixels; /* borrowed */
    int w, h;
    int channels;     /* 1: grey; 4: R, G, B, A, not premultiplied */
    ptrdiff_t stride; /* bytes from one row to the next */
};

struct hl_image_square {
    int x, y, side;
};

enum { HL_IMAGE_MAX_SIDE = 64 };

/* How the result is laid out. */
struct hl_image_fit {
    int side;    /* of the result, at most HL_IMAGE_MAX_SIDE */
    int border;  /* pixels of background around the picture (28 x 28 in 32 x 32: 2) */
    bool invert; /* light and dark change places */
};

/* The square in the middle of w x h. Thread-safety: reentrant. Fails: never. */
struct hl_image_square hl_image_middle(int w, int h);

/* The picture as side x side numbers from -1 (black) to 1 (white), row by row, into out;
 * the border is -1. Takes time for the pixels of the square and no memory.
 * Thread-safety: reentrant. Fails: ARGUMENT (no pixels, or a fit that leaves none). */
enum hl_status hl_image_prepare(const struct hl_image *image, const struct hl_image_fit *fit,
                                float *out, struct hl_error *err);

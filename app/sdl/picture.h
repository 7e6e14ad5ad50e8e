/* Opening of the user's pictures: PNG and JPEG files, checked before they are decoded. */
#pragma once

#include "base/error.h"
#include "state/picture.h"

/* What is opened at most. */
enum {
    PICTURE_MAX_SIDE = 32767,
    PICTURE_MAX_MEGAPIXELS = 64,
    PICTURE_MAX_FILE = 256 << 20, /* bytes */
    PICTURE_MAX_COST = 320 << 20  /* bytes that decoding takes beside the file */
};

/* Reads a picture, turns it upright as its EXIF says, and shrinks it by means of whole
 * blocks of pixels until its short side has fewer than 512. CMYK becomes RGB, 16 bits 8;
 * of an animation the first frame is taken. What is seen through is laid on white, or on
 * black where the drawing is light. The name's ending does not matter.
 * Thread-safety: any thread. Ownership: picture_free. Fails: NOT_FOUND, READ (a folder,
 * a pipe or a device too), IMAGE (not PNG or JPEG, damaged, too large), NOMEM. */
enum hl_status picture_open(const char *path, struct hl_picture **out, struct hl_error *err);
void picture_free(struct hl_picture *p); /* NULL-safe */

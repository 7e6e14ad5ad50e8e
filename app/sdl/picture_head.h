/* What a picture file says of itself before anything of it is decoded: enough to
 * refuse one that would not fit. Plain C, no SDL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum picture_format { PICTURE_PNG, PICTURE_JPEG };

struct picture_head {
    enum picture_format format;
    uint32_t width, height; /* as stored, before the turn */
    int depth;              /* bits of a channel: 1..16 */
    int channels;           /* 1 grey or palette, 2 grey and alpha, 3, 4 */
    bool whole;             /* JPEG: decoding keeps all coefficients (progressive) */
    bool inverted;          /* CMYK written upside down, as Adobe's programs do */
    bool cut;               /* JPEG: the marker of its end is missing */
    size_t start;           /* where the picture begins in the file */
    int turn;               /* EXIF orientation, 1 (upright) to 8 */
};

/* Reads the header of a PNG or JPEG that lies whole in memory: signature, size, depth,
 * channels, turn, and whether a JPEG goes on to its end. Bytes that do not belong before a JPEG's
 * markers are passed over, as decoders do. `name` is what messages call
 * the file. Thread-safety: reentrant. Fails: IMAGE (neither PNG nor JPEG; cut short;
 * a size of zero; what the formats do not allow). */
enum hl_status picture_head_read(const uint8_t *p, size_t n, const char *name,
                                 struct picture_head *out, struct hl_error *err);

/* Bytes that decoding takes at most beside the file: the pixels and, where the format
 * needs them, the coefficients. Thread-safety: reentrant. */
uint64_t picture_head_cost(const struct picture_head *h);

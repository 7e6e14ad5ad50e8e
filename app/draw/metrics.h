/* Text measuring, injected so that screens stay pure and tests need no fonts. */
#pragma once

#include <stddef.h>

#include "draw/dl.h"

struct hl_metrics {
    void *user;
    /* Advance width in logical pixels of s[0..n) set in `font` at `size`. */
    float (*width)(void *user, enum dl_font font, float size, const char *s, size_t n);
    /* Height above / below the baseline. */
    float (*ascent)(void *user, enum dl_font font, float size);
    float (*descent)(void *user, enum dl_font font, float size);
    /* Caret positions in mixed-direction text: x of the caret before byte `at`
     * (0..n) of a line, and the byte offset (a grapheme border) nearest to x. */
    float (*caret_x)(void *user, enum dl_font font, float size, const char *s, size_t n, size_t at);
    size_t (*caret_at)(void *user, enum dl_font font, float size, const char *s, size_t n, float x);
};

static inline float
metrics_width(const struct hl_metrics *m, enum dl_font font, float size, const char *s, size_t n)
{
    return m->width(m->user, font, size, s, n);
}

/* How many bytes of s[0..n) to keep so that they and an ellipsis fit into
 * max_width: n when all of it fits as it is, else a grapheme border. Reentrant as m is. */
size_t
metrics_fit(const struct hl_metrics *m, enum dl_font font, float size, const char *s, size_t n,
            float max_width);
#define METRICS_ELLIPSIS "\xE2\x80\xA6"

/* Advances of 0.55 em a character (0.6 mono), 1 em for wide ones: for tests and
 * before fonts are there. Reentrant. */
extern const struct hl_metrics hl_metrics_fixed;

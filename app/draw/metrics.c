#include "draw/metrics.h"

#include <stdbool.h>

#include "base/utf8.h"

/* Combining marks of the common blocks, joiners and variation selectors. */
static bool
is_zero_wide(uint32_t cp)
{
    return (cp >= 0x300 && cp <= 0x36F) || (cp >= 0x483 && cp <= 0x489) ||
           (cp >= 0x591 && cp <= 0x5BD) || (cp >= 0x64B && cp <= 0x65F) ||
           (cp >= 0x1AB0 && cp <= 0x1AFF) || (cp >= 0x1DC0 && cp <= 0x1DFF) ||
           (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x20D0 && cp <= 0x20FF) ||
           (cp >= 0xFE00 && cp <= 0xFE0F);
}

static bool
is_wide(uint32_t cp)
{
    return (cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0xA4CF) ||
           (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
           (cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
           (cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1FAFF) ||
           (cp >= 0x20000 && cp <= 0x3FFFD);
}

static float
fixed_width(void *user, enum dl_font font, float size, const char *s, size_t n)
{
    (void)user;
    float em = 0, narrow = font == DL_FONT_MONO ? 0.6f : 0.55f;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        i += hl_utf8_next(s + i, n - i, &cp);
        em += is_zero_wide(cp) ? 0 : is_wide(cp) ? 1 : narrow;
    }
    return em * size;
}

static float
fixed_ascent(void *user, enum dl_font font, float size)
{
    (void)user;
    (void)font;
    return 0.95f * size;
}

static float
fixed_descent(void *user, enum dl_font font, float size)
{
    (void)user;
    (void)font;
    return 0.25f * size;
}

static float
fixed_caret_x(void *user, enum dl_font font, float size, const char *s, size_t n, size_t at)
{
    return fixed_width(user, font, size, s, at < n ? at : n);
}

static size_t
fixed_caret_at(void *user, enum dl_font font, float size, const char *s, size_t n, float x)
{
    float before = 0;
    for (size_t i = 0; i < n;) {
        size_t next = hl_utf8_grapheme_next(s, n, i);
        float after = before + fixed_width(user, font, size, s + i, next - i);
        if (x < (before + after) / 2)
            return i;
        before = after;
        i = next;
    }
    return n;
}

size_t
metrics_fit(const struct hl_metrics *m, enum dl_font font, float size, const char *s, size_t n,
            float max_width)
{
    /* Half a hundredth of slack: a text exactly as wide as its box is not cut. */
    if (metrics_width(m, font, size, s, n) <= max_width + 0.005f)
        return n;
    float room = max_width - metrics_width(m, font, size, METRICS_ELLIPSIS, 3);
    size_t lo = 0, hi = n, at = m->caret_at(m->user, font, size, s, n, room);
    /* lo fits, hi does not; the first probe is a good guess for left-to-right text. */
    for (;;) {
        if (at <= lo)
            at = hl_utf8_grapheme_next(s, n, lo);
        if (at >= hi)
            break;
        if (metrics_width(m, font, size, s, at) <= room) {
            lo = at;
            at = hl_utf8_grapheme_next(s, n, lo);
            if (at >= hi || metrics_width(m, font, size, s, at) > room)
                break;
        } else {
            hi = at;
        }
        at = hl_utf8_grapheme_prev(s, n, lo + (hi - lo) / 2 + 1);
    }
    while (lo > 0 && s[lo - 1] == ' ') /* the dots stand at a word */
        lo--;
    return lo;
}

const struct hl_metrics hl_metrics_fixed = {
    NULL, fixed_width, fixed_ascent, fixed_descent, fixed_caret_x, fixed_caret_at,
};

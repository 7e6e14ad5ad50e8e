#include "view/plot_formula.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* May this character stand in a subscript without braces? Superscript letters and
 * digits (ᵀ, ²) end it. */
static bool
in_subscript(uint32_t cp)
{
    if (cp == 0xb2 || cp == 0xb3 || cp == 0xb9 || (cp >= 0x2070 && cp <= 0x209f) ||
        (cp >= 0x1d2c && cp <= 0x1d6a))
        return false;
    return hl_utf8_is_word(cp);
}

/* Bytes of the subscript at s[0..n), after the '_'. *open is 1 when it has braces. */
static size_t
subscript_len(const char *s, size_t n, size_t *open)
{
    size_t at = 0;
    *open = n > 0 && s[0] == '{';
    if (*open) {
        const char *end = memchr(s, '}', n);
        return end == NULL ? n : (size_t)(end - s) + 1;
    }
    while (at < n) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + at, n - at, &cp);
        if (!in_subscript(cp))
            break;
        at += len;
    }
    return at;
}

static float
piece(struct ui *u, float x, float y, enum dl_font font, float size, hl_color color, const char *s,
      size_t n, bool draw)
{
    if (n == 0)
        return 0;
    if (draw)
        dl_text_ex(u->dl, x, y, font, size, DL_LEFT, color, 0, 0, s, n);
    return metrics_width(u->metrics, font, size, s, n);
}

float
plot_formula(struct ui *u, float x, float baseline, enum dl_font font, float size, hl_color color,
             const char *s, bool draw)
{
    float small = roundf(size * 0.72f * 2) / 2, from = x;
    size_t n = strlen(s);
    while (n > 0) {
        const char *mark = memchr(s, '_', n);
        size_t len = mark == NULL ? n : (size_t)(mark - s), open = 0;
        x += piece(u, x, baseline, font, size, color, s, len, draw);
        if (mark == NULL)
            break;
        s = mark + 1;
        n -= len + 1;
        len = subscript_len(s, n, &open);
        x += piece(u, x, baseline + size * 0.22f, font, small, color, s + open,
                   len >= 2 * open ? len - 2 * open : 0, draw);
        s += len;
        n -= len;
    }
    return x - from;
}

/* Colours, sizes and colour maps of the light and dark themes (design.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/dl.h"

enum { THEME_HEADS = 8 };

struct hl_theme {
    bool dark;
    hl_color background, panel, ink, quiet, line, accent, accent_soft, chip, chip_ink;
    hl_color chip_quiet; /* quiet text on a chip (4.5:1 there) */
    hl_color pinned, pinned_soft, pinned_ink; /* mark, tint, text on tint or panel */
    hl_color masked, error, focus;
    hl_color white_on_accent; /* text on accent: white or near-black */
    hl_color head[THEME_HEADS];  /* Okabe-Ito tuned to 3:1 against the panel */
    float small, body, label, large; /* 11 / 12.5 / 14 / 21 */
};

/* The two themes; static, immutable. */
const struct hl_theme *
theme_get(bool dark);

/* Colour of step 0..254 of a map (255 = masked). Weight maps run evenly in OKLab
 * lightness through the stops of design.md; signed maps run from orange (-1) through
 * the panel's colour (step 127) to blue (+1), both sides equally dark. Reentrant. */
hl_color
theme_map_color(enum dl_map map, bool dark, int index);

/* The whole map as 256 colours, computed at first use. Thread-safety: yes. */
const hl_color *
theme_map(enum dl_map map, bool dark);

/* WCAG contrast ratio 1..21 of two opaque colours. Reentrant. */
double
theme_contrast(hl_color a, hl_color b);

/* Black or white, whichever contrasts more with `on` (4.58:1 or better). Reentrant. */
hl_color
theme_text_on(hl_color on);

/* From a (t = 0) to b (t = 1), straight in sRGB, alpha too. Reentrant. */
hl_color
theme_mix(hl_color a, hl_color b, float t);

/* t in 0..1 to a step 0..254. */
static inline uint8_t
theme_step(double t)
{
    return t <= 0 ? 0 : t >= 1 ? 254 : (uint8_t)(t * 254 + 0.5);
}

/* Colours, sizes and colour maps of the light and dark themes (design.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/dl.h"

enum { THEME_HEADS = 8 };

struct hl_theme {
    bool dark;
    hl_color background, panel, ink, quiet, line, accent, accent_soft, chip, chip_ink;
    hl_color pinned, pinned_soft, pinned_ink; /* mark, tint, text on the tint */
    hl_color masked, error, focus, white_on_accent;
    hl_color head[THEME_HEADS];  /* Okabe-Ito tuned to 3:1 against the panel */
    float small, body, label, large; /* 11 / 12.5 / 14 / 21 */
};

/* The two themes; static, immutable. */
const struct hl_theme *
theme_get(bool dark);

/* Colour of step 0..254 of a map (255 = masked). Weight maps run evenly in OKLab
 * lightness through the stops of design.md. Reentrant. */
hl_color
theme_map_color(enum dl_map map, bool dark, int index);

/* The whole map as 256 colours, computed at build of the program's tables. */
const hl_color *
theme_map(enum dl_map map, bool dark);

/* WCAG contrast ratio 1..21 of two opaque colours. Reentrant. */
double
theme_contrast(hl_color a, hl_color b);

/* Black or white, whichever contrasts more with `on`. */
hl_color
theme_text_on(hl_color on);

/* a over b by alpha 0..1. */
hl_color
theme_mix(hl_color a, hl_color b, float t);

/* t in 0..1 to a step 0..254. */
static inline uint8_t
theme_step(double t)
{
    return t <= 0 ? 0 : t >= 1 ? 254 : (uint8_t)(t * 254 + 0.5);
}

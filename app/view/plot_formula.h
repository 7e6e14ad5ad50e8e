/* Formulas on one line, with subscripts: "S_ij / √d_k", "Σ_{k≤j} α_k". */
#pragma once

#include <stdbool.h>

#include "ui/ui.h"

/* Sets s from x on the baseline; what follows '_' (letters and digits, or braces)
 * is lowered and smaller. Returns the width; draws nothing when `draw` is false.
 * Thread-safety: as the list. */
float plot_formula(struct ui *u, float x, float baseline, enum dl_font font, float size,
                   hl_color color, const char *s, bool draw);

/* A display list as SVG 1.1: the same picture, scalable, with its text as text. */
#pragma once

#include "base/span.h"
#include "draw/dl.h"
#include "draw/metrics.h"

enum { SVG_MAX_RECTS = 4096 };

/* Appends a whole, well-formed document. Numbers have at most two decimals and '.'
 * in every locale; text is escaped, and characters that XML forbids become U+FFFD.
 * Heat grids with space between their cells are a rectangle per cell, up to
 * SVG_MAX_RECTS of them; others are one path per colour. Images are PNGs inside the
 * text. Over-long text is cut by `m`'s measures. Hit regions leave no trace.
 * Thread-safety: reentrant (as m is). Fails: sets sb->failed. */
void
svg_write(const struct dl *d, const struct hl_metrics *m, struct hl_sb *sb);

/* A picture as a PNG in base64: what a document embeds. */
#pragma once

#include "base/span.h"
#include "draw/dl.h"

/* Appends the base64 of a PNG (8-bit RGBA, stored without compression) of rows x cols
 * pixels, row by row; both at least 1. Thread-safety: reentrant. Fails: sets
 * sb->failed. */
void png_text_put(struct hl_sb *sb, int rows, int cols, const hl_color *px);

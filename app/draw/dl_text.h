/* The canonical text form of a display list: one command a line, for goldens,
 * reviews and bug reports.
 *
 *   list 1280.00 800.00 1.00 #f7f7f4ff
 *   fill 20.00 204.00 560.00 552.00 10.00 #ffffffff
 *   text 36.00 234.00 ui-medium 12.50 left #1c2024ff 0.00 0.00 "Matrix"
 *   hit 36.00 216.00 62.00 26.00 hand "view:matrix"
 *   image 36.00 234.00 64.00 64.00 1 2 ffffffff000000ff
 *
 * Numbers have two decimals and '.' in every locale; commands inside a clip are
 * indented; heat cells are two hexadecimal digits each, an image's pixels eight, a word
 * per row. */
#pragma once

#include "base/error.h"
#include "base/span.h"
#include "draw/dl.h"

/* Appends the text of `d`. Thread-safety: reentrant. Fails: sets sb->failed. */
void
dl_write_text(const struct dl *d, struct hl_sb *sb);

/* Builds `d` (an initialised or zeroed list, replaced) from NUL-terminated text;
 * writing it again gives the same text. Thread-safety: reentrant. Fails: ARGUMENT
 * with the line at fault, NOMEM; then the list holds what came before. */
enum hl_status
dl_read_text(struct dl *d, const char *text, struct hl_error *err);

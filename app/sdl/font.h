/* Fonts and text: which face sets which character, shaping, order, measuring.
 *
 * fontconfig names the faces (Inter, JetBrains Mono, then by script Noto and
 * DejaVu), FriBidi gives the order of a line, HarfBuzz its glyphs. Shaping is done
 * once per string in units of the em and kept, so that measuring is a look-up and
 * scales exactly; drawing (text.h) follows the same places word by word. */
#pragma once

#include "base/error.h"
#include "draw/metrics.h"

struct hl_fonts;

/* Finds the four faces of enum dl_font. Ownership: fonts_destroy. Thread-safety:
 * one thread per object. Fails: FONT (not one scalable font on the system), NOMEM. */
enum hl_status
fonts_create(struct hl_fonts **out, struct hl_error *err);
/* The same with the face named `family` in place of Inter and DejaVu Sans Mono in
 * place of JetBrains Mono: for pictures that must not depend on what is installed. */
enum hl_status
fonts_create_family(const char *family, struct hl_fonts **out, struct hl_error *err);
void
fonts_destroy(struct hl_fonts *f); /* NULL-safe */

/* Real measures; live as long as `f`. Thread-safety: the thread of `f`. Fails:
 * never (without memory a string measures as with hl_metrics_fixed). */
const struct hl_metrics *
fonts_metrics(struct hl_fonts *f);

/* Family of the face found for `font`: "Inter". */
const char *
fonts_family(const struct hl_fonts *f, enum dl_font font);

/* Display list to pixels, on the processor: SDL's own renderer smooths no edges and
 * knows no coverage, so shapes and text are drawn here into a plain surface that
 * SDL presents. A second draw repaints only what changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/dl.h"
#include "sdl/font.h"

struct hl_render;

/* 32-bit pixels 0xXXRRGGBB (SDL_PIXELFORMAT_RGB888 or ARGB8888), borrowed. */
struct hl_pixels {
    uint32_t *p;
    int w, h, stride; /* stride in pixels */
};

struct hl_area {
    int x, y, w, h;
};

/* `fonts` is borrowed. Ownership: render_destroy. Thread-safety: one thread per
 * object. Fails: NOMEM. */
enum hl_status
render_create(struct hl_fonts *fonts, struct hl_render **out, struct hl_error *err);
void
render_destroy(struct hl_render *r); /* NULL-safe */

/* Draws the whole list; what lies outside the pixels is left out. Fails: false
 * (out of memory: the picture is incomplete). */
bool
render_draw(struct hl_render *r, const struct dl *d, struct hl_pixels px);

/* Draws what differs from the list given to the last call with these pixels (they
 * must still hold that picture; `fresh` says that they do not). Gives the number
 * of areas repainted, at most max_areas, 0 when nothing changed. The result equals
 * that of render_draw. Fails: -1 (out of memory: repaint all). */
int
render_update(struct hl_render *r, const struct dl *d, struct hl_pixels px, bool fresh,
              struct hl_area *areas, int max_areas);

/* Draws the list at its own size times its scale and writes a PNG through a
 * temporary name. Needs no display. Fails: NOMEM, ARGUMENT (no or too many
 * pixels), WRITE. */
enum hl_status
render_png(struct hl_render *r, const struct dl *d, const char *path, struct hl_error *err);

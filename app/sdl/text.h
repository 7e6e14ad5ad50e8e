/* Words as coverage: SDL2_ttf draws a word once, it is kept by face, size, part of
 * a pixel and angle, and blended in any colour (private to app/sdl). */
#pragma once

#include <stddef.h>

#include "sdl/canvas.h"
#include "sdl/face.h"

struct text_cache;

/* `fonts` is borrowed. Ownership: text_destroy. Fails: NULL (no memory, or SDL_ttf
 * cannot start). */
struct text_cache *
text_create(struct hl_fonts *fonts);
void
text_destroy(struct text_cache *t); /* NULL-safe */

/* A new frame: words that were not used lately may go when there are many. */
void
text_frame(struct text_cache *t);

/* Draws a shape with its pen at (x, y), `size` device pixels to the em, turned by
 * `angle` degrees counter-clockwise about the pen. */
void
text_draw(struct text_cache *t, struct canvas *c, const struct shape *sh, float x, float y,
          float size, float angle, hl_color color);

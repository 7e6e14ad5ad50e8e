/* The window's pixels. Those of screens with 15, 16 or 30 bits are converted from a
 * picture of our own. One thread: the window's. */
#pragma once

#include <SDL.h>
#include <stdbool.h>

#include "base/error.h"
#include "sdl/render.h"

struct surface {        /* `= { 0 }`; surface_deinit */
    SDL_Surface *shown; /* SDL's, borrowed; another one after a resize */
    uint32_t *own;      /* drawn instead where its pixels are of another form */
    size_t own_n;
    uint32_t table[3][256]; /* a channel's value in those pixels */
    uint32_t masks[3];      /* that the tables are of */
};

/* The pixels to draw on. `fresh` is set where they do not hold what was drawn last (it is
 * never cleared). Fails: false (SDL has no surface, or out of memory: try again at the
 * next picture). */
bool surface_take(struct surface *s, SDL_Window *w, struct hl_pixels *px, bool *fresh);

/* Presents areas of the pixels taken last; all of them for n < 0. */
void surface_show(struct surface *s, SDL_Window *w, const struct hl_area *areas, int n);

/* Whether the window's pixels can be drawn at all. Fails: DISPLAY (no surface, or a
 * screen whose pixels are numbers of a palette). */
enum hl_status surface_check(SDL_Window *w, struct hl_error *err);

void surface_deinit(struct surface *s);

/* Writes rows of 0xRRGGBB pixels in the form that `to` has: 2, 3 or 4 bytes a pixel, its
 * colours in the bits of its masks. `table` as surface_table fills it. Reentrant. */
void surface_convert(const uint32_t table[3][256], struct hl_pixels from, struct hl_area area,
                     SDL_Surface *to);
/* Fills in what each value of red, green and blue is under the masks. Reentrant. */
void surface_table(uint32_t table[3][256], const uint32_t masks[3]);

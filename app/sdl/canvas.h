/* Pixels and coverage: what every shape is drawn with (private to app/sdl).
 *
 * Device pixels throughout. A pixel's coverage is computed exactly for polygons
 * (signed areas, as in FreeType's smooth rasteriser) and from the distance for
 * round corners. Drawing with a smaller clip gives the same pixels inside it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/dl.h"
#include "sdl/render.h"

struct irect {
    int x0, y0, x1, y1; /* x1, y1 outside */
};

static inline struct irect
irect_and(struct irect a, struct irect b)
{
    struct irect r = { a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                       a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1 };
    return r;
}

static inline bool
irect_empty(struct irect r)
{
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* An 8-bit coverage, or a straight-alpha picture where `argb` is there. */
struct mask {
    int left, top, w, h; /* place relative to the pen */
    const uint8_t *a;
    const uint32_t *argb;
};

struct canvas {
    struct hl_pixels px;
    struct irect clip;
    /* path in the making */
    struct irect box; /* its pixels */
    float *acc;       /* (box width + 2) a row, zero between paths */
    int *span;        /* lowest and highest touched column of each row */
    size_t acc_cap, span_cap;
    bool failed; /* a path was left out for want of memory */
};

void
canvas_deinit(struct canvas *c);

void
canvas_fill(struct canvas *c, struct irect r, hl_color color);
void
canvas_fill_round(struct canvas *c, struct irect r, float radius, hl_color color);
/* A border of `width` pixels inside r. */
void
canvas_stroke_round(struct canvas *c, struct irect r, float radius, int width, hl_color color);
void
canvas_mask(struct canvas *c, const struct mask *m, int x, int y, hl_color color);

/* A filled path: begin with its bounds, add closed outlines point by point, end.
 * Fails: begin says false when nothing of it shows (or memory ran out). */
bool
canvas_path_begin(struct canvas *c, float x0, float y0, float x1, float y1);
void
canvas_path_edge(struct canvas *c, float x0, float y0, float x1, float y1);
void
canvas_path_end(struct canvas *c, hl_color color);

/* A line as wide as `width`, with flat ends. */
void
canvas_line(struct canvas *c, float x0, float y0, float x1, float y1, float width, hl_color color);
/* An S-curve that leaves both ends vertically, or horizontally. */
void
canvas_ribbon(struct canvas *c, float x0, float y0, float x1, float y1, float width,
              bool horizontal, hl_color color);

/* Cells of a heat grid: edges of columns and rows in pixels lie at `x`, `y`
 * (cols + 1 and rows + 1 numbers), `gap` pixels are left free between two, half of
 * them on either side. */
void
canvas_cells(struct canvas *c, const int *x, const int *y, int rows, int cols, int gap,
             float radius, const hl_color *map, const uint8_t *cells);

/* A picture over r: each pixel a rectangle where r is larger, else the mean of those
 * that a pixel of r covers. */
void
canvas_image(struct canvas *c, struct irect r, int rows, int cols, const hl_color *px);

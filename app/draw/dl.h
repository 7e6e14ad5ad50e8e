/* The display list: the only output of the user interface.
 *
 * A screen is a pure function that appends commands; SDL, SVG and the tests read
 * the same list. It holds no pointers (strings and cells lie inline, commands are
 * linked by size), so it can be hashed, compared and printed; building the same
 * screen twice gives equal bytes.
 *
 * Units: logical pixels (floats); readers multiply by `scale` and snap filled
 * rectangles to whole device pixels. y grows downwards; text is placed by its
 * baseline. Colours are straight (not premultiplied) 0xRRGGBBAA. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/geom.h"

typedef uint32_t hl_color;

enum dl_kind {
    DL_CLIP_PUSH,
    DL_CLIP_POP,
    DL_FILL,   /* rounded rectangle */
    DL_STROKE, /* rounded rectangle's border, inside the rectangle */
    DL_LINE,
    DL_RIBBON, /* S-curve from (x0,y0) to (x1,y1), `width` wide */
    DL_POLY,   /* filled convex or simple polygon */
    DL_TEXT,
    DL_HEAT,   /* grid of cells coloured through a 256-step map */
    DL_IMAGE,  /* picture: squares when enlarged, means when shrunk */
    DL_HIT,    /* names a region; later ones lie above */
    DL_KIND_COUNT
};

enum dl_font { DL_FONT_UI, DL_FONT_UI_MEDIUM, DL_FONT_UI_BOLD, DL_FONT_MONO, DL_FONT_COUNT };
enum dl_align { DL_LEFT, DL_CENTER, DL_RIGHT };
enum dl_cursor { DL_CURSOR_ARROW, DL_CURSOR_HAND, DL_CURSOR_TEXT, DL_CURSOR_RESIZE };

/* Colour maps of heat cells: index 0..254 runs along the map, 255 is "masked". */
enum dl_map { DL_MAP_WEIGHT, DL_MAP_SIGNED, DL_MAP_COUNT };
#define DL_MASKED 255

struct dl_cmd {
    uint32_t size; /* bytes of this command with its tail, a multiple of 8 */
    uint16_t kind; /* enum dl_kind */
    uint16_t pad;
    union {
        struct {
            hl_rect r;
        } clip;
        struct {
            hl_rect r;
            float radius, width;
            hl_color color;
        } box; /* FILL (width unused), STROKE */
        struct {
            float x0, y0, x1, y1, width;
            hl_color color;
            uint32_t horizontal; /* RIBBON: ends leave horizontally, not vertically */
        } line;
        struct {
            uint32_t n; /* tail: n pairs of floats */
            hl_color color;
        } poly;
        struct {
            float x, y; /* anchor on the baseline, by align */
            float size; /* font size */
            float angle; /* degrees, counter-clockwise about the anchor */
            float max_width; /* 0 none; longer text ends in an ellipsis */
            hl_color color;
            uint8_t font, align;
            uint16_t pad;
            uint32_t n; /* tail: n bytes of UTF-8 and NUL */
        } text;
        struct {
            hl_rect r;
            uint32_t rows, cols;
            float gap;    /* space between cells */
            float radius; /* of each cell */
            uint32_t map; /* enum dl_map */
            uint32_t dark; /* theme */
            /* tail: rows * cols bytes */
        } heat;
        struct {
            hl_rect r;
            uint32_t rows, cols; /* tail: rows * cols colours */
        } image;
        struct {
            hl_rect r;
            uint32_t cursor;
            uint32_t n; /* tail: id and NUL: "tab:translate", "cell:3:5" */
        } hit;
    } u;
};

struct dl {
    unsigned char *p;
    size_t n, cap;
    bool failed;      /* memory ran out: the list is incomplete */
    float width, height; /* logical size */
    float scale;      /* device pixels per logical pixel */
    hl_color background;
};

/* Starts an empty list (keeps its memory). Ownership: dl_deinit. */
void
dl_begin(struct dl *d, float width, float height, float scale, hl_color background);
void
dl_deinit(struct dl *d);

/* First command / the one after c / its tail; NULL at the end. */
const struct dl_cmd *
dl_first(const struct dl *d);
const struct dl_cmd *
dl_next(const struct dl *d, const struct dl_cmd *c);
const void *
dl_tail(const struct dl_cmd *c);

/* Appending. Fails: sets d->failed. */
void
dl_clip(struct dl *d, hl_rect r);
void
dl_unclip(struct dl *d);
void
dl_fill(struct dl *d, hl_rect r, float radius, hl_color color);
void
dl_stroke(struct dl *d, hl_rect r, float radius, float width, hl_color color);
void
dl_line(struct dl *d, float x0, float y0, float x1, float y1, float width, hl_color color);
void
dl_ribbon(struct dl *d, float x0, float y0, float x1, float y1, float width, bool horizontal,
          hl_color color);
void
dl_poly(struct dl *d, const float *xy, int n, hl_color color);
void
dl_text(struct dl *d, float x, float y, enum dl_font font, float size, enum dl_align align,
        hl_color color, const char *s);
/* The same with a turn (degrees, counter-clockwise) and a width limit (0 none). */
void
dl_text_ex(struct dl *d, float x, float y, enum dl_font font, float size, enum dl_align align,
           hl_color color, float angle, float max_width, const char *s, size_t n);
/* Cells are copied; returns the tail to fill when `cells` is NULL. */
uint8_t *
dl_heat(struct dl *d, hl_rect r, int rows, int cols, float gap, float radius, enum dl_map map,
        bool dark, const uint8_t *cells);
/* Pixels are copied; returns the tail to fill when `pixels` is NULL. */
hl_color *
dl_image(struct dl *d, hl_rect r, int rows, int cols, const hl_color *pixels);
void
dl_hit(struct dl *d, hl_rect r, enum dl_cursor cursor, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Topmost hit region at (x, y), or NULL; honours clips. The id lives in the list. */
const char *
dl_hit_at(const struct dl *d, float x, float y, enum dl_cursor *cursor);
/* Rectangle of the last region with this id; false if there is none. */
bool
dl_hit_find(const struct dl *d, const char *id, hl_rect *out);

/* 64-bit hash of everything in the list. */
uint64_t
dl_digest(const struct dl *d);

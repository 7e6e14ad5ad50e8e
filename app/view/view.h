/* Pictures of attention: pure functions from grouped weights to the display list.
 *
 * A view draws what it is given and names what can be pointed at: "row:i" and
 * "col:j" are labels (numbers of shown rows and columns), "~heat:R:C" is a matrix of
 * R x C equal cells, "head:map:layer:head" a tile of the contact sheet, "in:i" and
 * "out:i" chips. Thread-safety: reentrant. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/group.h"
#include "record/record.h"
#include "ui/ui.h"

enum view_mark {
    VIEW_PIN = 1, /* pinned */
    VIEW_HOT = 2, /* under the pointer */
    VIEW_LINK = 4 /* the word that a pinned one is linked to */
};

/* One attention as shown. Rows are queries, columns are keys. Arrays live in the
 * frame arena. */
struct view_attention {
    struct hl_group rows, cols;
    float *w;                     /* [rows.n, cols.n] */
    uint8_t *row_mark, *col_mark; /* enum view_mark bits */
    int hot_row, hot_col;         /* -1 none */
    int focus;                    /* row (column when looked_at) of interest, -1 none */
    bool looked_at;
    bool same; /* rows and columns are the same words */
    bool causal;
    bool log_scale;
    double top; /* weight at the dark end of the colours */
    const char *row_title, *col_title;
    const char *note; /* beside the legend: "each row sums to 1" */
};

/* Decades that the log scale spans below `top`. */
enum { VIEW_DECADES = 4 };

/* Step 0..254 of the colour map for a weight; masked cells are DL_MASKED. */
uint8_t view_step(const struct view_attention *v, float w);
bool view_masked(const struct view_attention *v, int row, int col);
/* "0.9936" into buf (at least 8 bytes); returns buf. */
const char *view_weight_text(char *buf, size_t buf_sz, double w, int digits);

/* Matrix with both labels, marks, crosshair; rows downwards. Labels are thinned so
 * that they never touch; marked ones stay. */
void view_matrix(struct ui *u, hl_rect r, const struct view_attention *v);
/* Two rows of words with ribbons between (`across`: two columns instead). */
void view_lines(struct ui *u, hl_rect r, const struct view_attention *v, bool across);
/* The sentence tinted by the weights of the word of interest. */
void view_shading(struct ui *u, hl_rect r, const struct view_attention *v, const char *hint);
/* Colour bar with numbers, a mark at the hovered weight, and the note. Height 36. */
void view_legend(struct ui *u, hl_rect r, const struct view_attention *v);

/* Weights of the word of interest, largest first, at most `max` bars of 22 pixels;
 * ids "row:i" / "col:j". Returns the height used. */
float view_bars(struct ui *u, hl_rect r, const struct view_attention *v, int max);

/* Axes longer than this are pooled in small pictures: each cell is the largest of
 * those that it stands for. */
enum { VIEW_POOL = 48 };

/* One small picture of grouped weights without labels. */
void view_tile(struct ui *u, hl_rect r, const struct view_attention *v);

/* A block of the contact sheet. */
struct view_sheet {
    const struct hl_map *map;
    struct hl_group rows, cols;
    const char *key; /* in ids */
    const char *title;
    int layer, head; /* chosen, -1/-2 when it is not in this block; head -1 is the mean */
    bool log_scale, lock;
};

struct view_size {
    float w, h;
};
/* Largest tile, at most `most` wide, so that n blocks fit into w x h; a little
 * higher than wide where there is room. */
struct view_size view_sheet_tile(const struct view_sheet *blocks, int n, float w, float h,
                                 float most);
/* Layers downwards, heads across, then the mean over heads. Returns the height. */
float view_sheet(struct ui *u, hl_rect r, const struct view_sheet *b, struct view_size tile);

/* Chips of a sentence, at most `max_rows` rows of 34 pixels; "+n" stands for the
 * rest. `weight` (may be NULL) tints each, by the steps of `scale`. Returns the
 * height used. */
struct view_chips {
    const char *prefix;  /* of ids: "in" */
    const char *caption; /* "in" */
    struct hl_group items;
    const uint8_t *mark; /* enum view_mark bits, may be NULL */
    const float *weight;
    const struct view_attention *scale;
};
float view_chips(struct ui *u, hl_rect r, const struct view_chips *c, int max_rows);

/* ---- over time, and one distribution ---- */

/* Rows of numbers, a column each step: title and second line in the `label_w` pixels
 * on the left, cells on the right. */
struct view_tape {
    const char *id; /* of the cells' region */
    const char *title, *sub;
    hl_color sub_ink; /* 0: quiet */
    float label_w;
    int rows, cols;
    const uint8_t *cells; /* [rows, cols] steps of the map */
    enum dl_map map;
};
/* Draws it; cells below a pixel are pooled: the largest shows (of signed ones the one
 * furthest from 0). Returns where the cells are. */
hl_rect view_tape(struct ui *u, hl_rect r, const struct view_tape *v);

/* A distribution (or scores from -1 to 1) as columns over n places. */
struct view_columns {
    const char *id;
    int n;
    const float *w;
    const float *ghost; /* faintly behind, NULL none */
    const float *tick;  /* as marks across, NULL none */
    const uint8_t *mark; /* enum view_mark bits [n] */
    bool is_signed, log_scale;
    double top;         /* value of the full height */
    const char *best;   /* beside the largest column: "0.938 at 6" */
};
/* Columns of r's whole width; the region of `id` covers r. */
void view_columns(struct ui *u, hl_rect r, const struct view_columns *v);

/* A small picture of grey pixels (-1 the paper, 1 the ink; in the dark theme black and
 * white), with a map of weights over it, if there is one, like coloured glass. */
struct view_image {
    int side;            /* pixels a side */
    const float *pixels; /* [side, side] */
    int grid;            /* places a side */
    const float *w;      /* [grid, grid] or NULL */
    double top;          /* weight at the dark end */
    bool log_scale;
    const char *note; /* beside the legend */
};
/* The largest square at the corner of r that gives each pixel whole device pixels. */
hl_rect view_image_fit(const struct ui *u, hl_rect r, int side);
/* Where place number `place` of grid x grid lies in a picture drawn over r. */
hl_rect view_image_place(hl_rect r, int grid, int place);
void view_image(struct ui *u, hl_rect r, const struct view_image *v);
/* The glass from 0 to `top` with numbers, and the note. Height 32. */
void view_image_legend(struct ui *u, hl_rect r, const struct view_image *v);

/* The maps of all places as tiles, laid out as the places are. */
struct view_places {
    int grid;
    const float *w; /* [grid * grid, grid * grid], rows look */
    bool looked_at; /* a tile shows who looks at its place, else where that looks */
    bool log_scale;
    bool lock;                      /* all from 0 to 1, else each to its own largest */
    const int *marked; /* places that are framed */
    int n_marked, hot; /* hot: the one of them under the pointer, -1 none */
};
/* Side of the sheet that fits into a width of w: cells take whole device pixels. */
float view_places_size(const struct ui *u, float w, int grid);
/* Draws from the corner of r, as wide as fits into it; returns what was covered. */
hl_rect view_places(struct ui *u, hl_rect r, const struct view_places *v);

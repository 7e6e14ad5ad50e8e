/* Pieces of the Positions screen. The state's verbs change the state; the rest only
 * draws. One thread. */
#pragma once

#include "attn/posenc.h"
#include "screen/control.h"
#include "screen/positions.h"
#include "screen/screen.h"
#include "state/state.h"
#include "ui/ui.h"

/* ---- positions_state.c ---- */

/* A picture known from papers and tutorials. */
struct positions_preset {
    const char *key, *label, *tip;
    int d, length;
    bool halves, tensor2tensor;
};
enum { POSITIONS_PRESETS = 4 };
extern const struct positions_preset positions_presets[POSITIONS_PRESETS];

enum hl_posenc_order positions_order(const struct positions_state *p);
enum hl_posenc_freq positions_freq(const struct positions_state *p);
struct hl_posenc_column positions_column(const struct positions_state *p, int dim);
/* Who uses this layout: "as the paper does", ... */
const char *positions_layout_note(const struct positions_state *p);

/* Changes options: computes the table anew and keeps the curves that still exist. */
void positions_set_layout(struct positions_state *p, bool halves, bool tensor2tensor);
void positions_set_size(struct positions_state *p, int d, int length);
void positions_load(struct positions_state *p, const struct positions_preset *preset);
/* Number of the preset that this is; -1 none. */
int positions_preset_now(const struct positions_state *p);
/* Pins the cell; pinning it again takes its curve away, or adds it. */
void positions_pin(struct positions_state *p, int row, int col);
void positions_toggle_curve(struct positions_state *p, int col);
/* d and length on their sliders, 0..1 and back. */
double positions_d_place(double d);
double positions_d_at(double t);
double positions_length_place(double length);
double positions_length_at(double t);
/* Keeps the words of `text` in another order, by the seed (reversed when chance finds
 * no other). Fails: false (no memory). */
bool positions_shuffle(struct positions_state *p, const char *text);

/* ---- drawing ---- */

/* The cell of a grid of rows x cols drawn in r that the pointer is on. */
bool positions_cell_at(const struct app_state *s, const char *id, hl_rect r, int rows, int cols,
                       int *row, int *col);
/* "−0.8415" into buf; "1" and "0" for those. Returns buf. */
char *positions_number(char *buf, size_t buf_sz, double v, int decimals);
/* Colour bar from −top to top with numbers; 40 high. */
void positions_legend(struct ui *u, hl_rect r, double top);
/* Row numbers left of a grid, thinned; column numbers below it. */
void positions_row_labels(struct ui *u, hl_rect grid, int rows, int marked);
void positions_col_labels(struct ui *u, hl_rect grid, int cols, int marked);
/* A name on the left, a number on the right, 20 high; cut from the top of *r. */
void positions_fact(struct ui *u, hl_rect *r, const char *name, const char *value);

/* positions_encoding.c: heat map, curves, and what one cell is. */
void positions_encoding(const struct screen_ctx *c, hl_rect r, hl_rect side);
/* positions_products.c: dot products of all rows, and the profile of one. */
void positions_products(const struct screen_ctx *c, hl_rect r, hl_rect side);
/* positions_sentence.c: embedding + position of each typed token. */
void positions_sentence(const struct screen_ctx *c, hl_rect r);
/* positions_words.c: typed and shuffled words, with and without positions. */
void positions_words(const struct screen_ctx *c, hl_rect r);

/* positions_event.c */
bool positions_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                     struct hl_effects *fx);
bool positions_set(struct app_state *s, const char *key, const char *value, struct hl_error *err);
void positions_save(const struct app_state *s,
                    void (*put)(void *user, const char *key, const char *value), void *user);
void positions_request(struct app_state *s, struct hl_effects *fx);

/* The controls. */
enum positions_row {
    POSITIONS_ROW_VIEW,
    POSITIONS_ROW_ORDER,
    POSITIONS_ROW_FREQ,
    POSITIONS_ROW_WIDTH,
    POSITIONS_ROW_LENGTH,
    POSITIONS_ROW_WHERE,
    POSITIONS_ROW_ENCODER,
    POSITIONS_ROW_DECODER,
    POSITIONS_ROWS
};
extern const struct hl_control positions_rows[POSITIONS_ROWS];
extern const struct control_table *const positions_controls[];

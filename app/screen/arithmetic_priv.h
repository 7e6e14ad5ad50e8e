/* Pieces of the Arithmetic screen. The state's verbs change the state; the rest
 * only draws. One thread. */
#pragma once

#include "mech/mech.h"
#include "screen/arithmetic.h"
#include "screen/screen.h"
#include "ui/ui.h"

/* ---- arithmetic_state.c: what can be done to the state ---- */

const struct hl_mech *arithmetic_mech(const struct arithmetic_state *a);
/* The problem of the tab shown; NULL without memory. */
struct hl_mech_problem *arithmetic_problem(const struct arithmetic_state *a);
/* Runs the tab's mechanism. Fails: as hl_mech_run. */
enum hl_status arithmetic_run(const struct arithmetic_state *a, struct hl_arena *arena,
                              struct hl_mech_result *out, struct hl_error *err);
void arithmetic_show_mech(struct arithmetic_state *a, int mech);
/* Forgets edits and what was received. Fails: false (no such preset). */
bool arithmetic_load_preset(struct arithmetic_state *a, int preset);
/* Are the inputs still those of the preset that was loaded? */
bool arithmetic_is_preset(const struct arithmetic_state *a);
/* The mechanism's formula as its switches make it: "softmax(Q Kᵀ + mask) V". */
void arithmetic_formula(const struct arithmetic_state *a, char *buf, size_t buf_sz);
/* Where the selected cell is in this run; step -1 when it has none such. */
struct hl_mech_ref arithmetic_selected(const struct arithmetic_state *a,
                                       const struct hl_mech_result *r);
void arithmetic_select(struct arithmetic_state *a, const char *step, int row, int col);
/* Selects the cell that a beginner should see first: the last weights'. */
void arithmetic_select_first(struct arithmetic_state *a);
/* "cell:KEY:ROW:COL" or "KEY:ROW:COL". Fails: false (not of this form). */
bool arithmetic_cell_parse(const char *s, struct arithmetic_cell *out);

/* Begins typing into the selected cell when it is an input: with `text` in place of
 * the number, or with the number itself (NULL). Fails: false (no input cell). */
bool arithmetic_edit_begin(struct arithmetic_state *a, const char *text);
/* The text changed: a number is taken at once, else the old one stands and the hint
 * says why. */
void arithmetic_edit_live(struct arithmetic_state *a);
/* Ends typing and keeps the number. False when there is none: typing goes on. */
bool arithmetic_edit_commit(struct arithmetic_state *a);
/* Ends typing and puts the former number back. */
void arithmetic_edit_cancel(struct arithmetic_state *a);
/* Reads "2", "-0.5", "0,5", "1/3"; within ±1000000. Fails: false and a hint. */
bool arithmetic_number_parse(const char *s, double *out, char *hint, size_t hint_sz);
/* Writes an input cell and remembers it for undo. */
void arithmetic_write(struct arithmetic_state *a, int input, int row, int col, double v);
bool arithmetic_undo(struct arithmetic_state *a);
bool arithmetic_redo(struct arithmetic_state *a);
/* Fails: false (size not allowed). */
bool arithmetic_resize(struct arithmetic_state *a, const char *letter, int n);
/* Rounded and kept in the option's range. */
void arithmetic_set_option(struct arithmetic_state *a, int option, double v);
/* The size letters of a mechanism in order of appearance; returns their number. */
enum { ARITHMETIC_LETTERS = 8, ARITHMETIC_SIZE_MAX = 8 };
int arithmetic_letters(const struct hl_mech *m, const char *out[ARITHMETIC_LETTERS]);
/* Largest size that may be chosen by hand: 8, or what is there when it is more. */
int arithmetic_size_max(const struct arithmetic_state *a, const char *letter);
/* An option's place 0..1 on its slider, and back. */
double arithmetic_option_place(const struct hl_option *o, double v);
double arithmetic_option_at(const struct hl_option *o, double t);

/* ---- drawing ---- */

struct arithmetic_paint {
    struct ui *u;
    const struct arithmetic_state *a;
    const struct hl_mech *mech;
    const struct hl_mech_result *r;
    struct hl_mech_ref at;          /* the selected cell; step -1 none */
    struct hl_mech_explanation why; /* of the selected cell */
};

/* How numbers are set. */
struct arithmetic_style {
    float size; /* font size */
    float cell_h;
    int decimals; /* at most */
};

/* arithmetic_matrix.c */

/* v with '−' as the minus and '.' as the point, no trailing decimals beyond
 * `decimals`; "−∞" where masked. Returns buf. */
char *arithmetic_number(char *buf, size_t buf_sz, double v, int decimals);
/* Decimals that a step's numbers need, at most `most`. */
int arithmetic_decimals(const struct hl_mech_step *s, int most);
/* Decimals that one number needs, at most `most`. */
int arithmetic_needs(double v, int most);
/* Width of one cell of the step in this style. */
float arithmetic_cell_width(const struct ui *u, const struct hl_mech_step *s,
                            const struct arithmetic_style *style);
/* Draws the cells of a step at (x, y) and names them; marks the selected cell, the
 * cells that it was made of, and the cell that is being typed into. */
void arithmetic_matrix(const struct arithmetic_paint *p, int step, float x, float y, float cell_w,
                       const struct arithmetic_style *style);
/* One row of a step likewise. */
void arithmetic_matrix_row(const struct arithmetic_paint *p, int step, int row, float x, float y,
                           float cell_w, const struct arithmetic_style *style);
/* "S_12": a step's symbol with row and column counted from 1. */
char *arithmetic_cell_name(char *buf, size_t buf_sz, const struct hl_mech_result *r,
                           struct hl_mech_ref at);
/* The box in which the number is typed, over its cell; draw it last. */
void arithmetic_editor(const struct arithmetic_paint *p);

/* arithmetic_flow.c: all steps as a picture that reads from left to right. */
void arithmetic_flow(const struct arithmetic_paint *p, hl_rect r);

/* Bars below and beside a view that shows part of w x h, scrolled to (sx, sy). */
void arithmetic_scroll_bars(const struct arithmetic_paint *p, hl_rect view, float w, float h,
                            float sx, float sy);

/* arithmetic_scores.c: the six score functions as the rows of one table. */
void arithmetic_scores(const struct arithmetic_paint *p, hl_rect r);

/* arithmetic_head.c: one wide query against its keys, key by key. */
void arithmetic_head_view(const struct arithmetic_paint *p, hl_rect r);
/* True when vectors are too wide or too many for the flow. */
bool arithmetic_is_wide(const struct arithmetic_state *a);

/* arithmetic_sum.c: the selected cell as the sum that it is. */
void arithmetic_sum(const struct arithmetic_paint *p, hl_rect r);

/* arithmetic_bar.c: tabs, presets, switches and sizes; returns the height used. */
float arithmetic_bar(const struct arithmetic_paint *p, hl_rect r);

/* arithmetic_event.c */
bool arithmetic_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                      struct hl_effects *fx);
bool arithmetic_set(struct app_state *s, const char *key, const char *value, struct hl_error *err);
void arithmetic_save(const struct app_state *s,
                     void (*put)(void *user, const char *key, const char *value), void *user);

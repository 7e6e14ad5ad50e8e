/* What Translate and Transformer share: one attention of a record as a picture,
 * its marks from pins and pointer, its controls, keys and settings. */
#pragma once

#include "analysis/summary.h"
#include "screen/control.h"
#include "screen/screen.h"
#include "state/state.h"
#include "view/view.h"

struct attention_pic {
    const struct hl_record *record;
    const struct hl_map *map;
    int layer, head; /* head -1: mean over the layer's heads */
    const struct hl_axis *row_axis, *col_axis;
    enum app_side row_side, col_side;
    struct view_attention v;
    int link;         /* column (row when v.looked_at) that the focus is linked to, -1 */
    bool link_chosen; /* by a person; else found */
};

/* What a frame knows of its picture. */
struct picture_memo {
    bool asked, there;
    struct attention_pic pic;
};

/* Groups, weights, marks and focus of one head. `hover` is the id under the pointer
 * (s->hover, or "" for a picture that does not follow it). Everything lives in `a`.
 * Fails: false (no such map, layer or head, no memory). */
bool attention_make(const struct app_state *s, const char *hover, struct hl_arena *a,
                    const struct hl_record *r, const char *map, int layer, int head,
                    struct attention_pic *out);

/* Without a link of the user's, the focus is linked to the word that has at least half of
 * the shown head's weight; where there is none, to this: the word that most heads of the
 * picture's map link the focus to, the column (row) with the largest sum of squared
 * weights over all heads; special tokens, punctuation, the word itself and its neighbours
 * do not count. -1 if none. */
int attention_partner(const struct attention_pic *p);
/* Heads of the map by the weight that they put between focus and link; NULL when
 * there is nothing to rank. n_layers * n_heads entries in `a`. */
struct hl_head_rank *attention_rank(const struct attention_pic *p, struct hl_arena *a);

/* Chips of the source (APP_SOURCE) or target with the picture's marks; p may be
 * NULL. false when the record has no such text. */
bool attention_chips(const struct app_state *s, struct hl_arena *a, const struct hl_record *r,
                     const struct attention_pic *p, enum app_side side, struct view_chips *out);

/* Tabs of the views; returns the width. */
float attention_tabs(struct ui *u, hl_rect r, const struct app_state *s);
/* Switches of scale, lock, words, special tokens and n more, then `title` to the
 * right where there is room (NULL: none; else on a line of its own), wrapping;
 * returns the height. */
float attention_controls(struct ui *u, hl_rect r, const struct app_state *s,
                         const struct hl_control *const *more, int n, const char *title);
/* The chosen view of the picture with its legend. */
void attention_view(struct ui *u, hl_rect r, const struct app_state *s,
                    const struct attention_pic *p);
/* "it  looks at" with the direction switch, and bars. Returns the height used. */
float attention_inspector(struct ui *u, hl_rect r, const struct attention_pic *p, int max_bars);

/* Clicks on words and cells (pins), on tabs and switches, and their keys. True when
 * used. */
bool attention_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                     const struct attention_pic *p);
/* Whether each word of "pin" or "link" is in the text, and in the translation of `r` (NULL: not
 * looked at). Pins sleep while a text is edited, but a word that is asked for by name has
 * to be there. Fails: ARGUMENT. */
enum hl_status attention_pins_stand(const struct app_state *s, const char *key,
                                    const struct hl_record *r, struct hl_error *err);
/* view, scale, lock, words, special, direction: for hl_screen.controls. */
extern const struct control_table attention_table;
/* pin, link. Fails: UNSUPPORTED (not one of these), ARGUMENT. */
enum hl_status attention_set(struct app_state *s, const char *key, const char *value,
                             struct hl_error *err);

/* Which head of a map with several is shown. */
struct attention_head {
    int layer, head; /* from 0; head -1: mean over heads */
    bool automatic;  /* the screen's own choice */
};
/* "layer" and "head" of --set. Fails: false with ARGUMENT. */
bool attention_set_head(const struct app_state *s, const char *key, const char *value,
                        struct attention_head *h, struct hl_error *err);
void attention_save_head(const struct attention_head *h,
                         void (*put)(void *user, const char *key, const char *value), void *user);
/* From the picture's head so many layers and heads on; over the last comes the first. */
void attention_step_head(struct attention_head *h, const struct attention_pic *p, int d_layer,
                         int d_head);

void attention_save(const struct app_state *s,
                    void (*put)(void *user, const char *key, const char *value), void *user);
/* " · linear · words · special tokens hidden" appended to buf. */
void attention_provenance(const struct app_state *s, const struct attention_pic *p, char *buf,
                          int buf_sz);

/* Index of `value` among n names; -1 and a sentence listing them if it is none. */
int attention_choice(const char *key, const char *value, const char *const *names, int n,
                     struct hl_error *err);
/* "on"/"off"; -1 and a sentence if neither. */
int attention_on_off(const char *key, const char *value, struct hl_error *err);
/* A layer's or head's number from 1, as many as the chosen Transformer has (64 while it
 * is not open), into *out from 0. Fails: false with ARGUMENT. */
bool attention_number(const struct app_state *s, const char *key, const char *value, int *out,
                      struct hl_error *err);

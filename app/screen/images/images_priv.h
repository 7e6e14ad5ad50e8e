/* Pieces of the Images screen, private to this folder. The state's verbs change the state; the rest
 * only draws. One thread. */
#pragma once

#include "record/record.h"
#include "screen/control.h"
#include "screen/images/images.h"
#include "screen/screen.h"
#include "state/state.h"
#include "ui/ui.h"
#include "view/view.h"

/* ---- state.c ---- */

/* What the chosen model is; NULL until it is open. */
const struct hl_sagan_info *images_info(const struct app_state *s);
/* Places a side of the chosen model, 16 before it is open. */
int images_grid(const struct app_state *s);
/* Options of the network that is shown. */
struct hl_sagan_options *images_options(struct images_state *m);
/* gamma as training left it, of the network and snapshot that are shown. */
float images_trained_gamma(const struct app_state *s);
/* gamma at the right end of its slider: twice that of the finished model. */
float images_gamma_range(const struct app_state *s);
/* gamma in use. */
float images_gamma(const struct app_state *s);

void images_set_seed(struct images_state *m, uint64_t seed);
/* One number of the shown picture's latent; the rest stays as it is. */
void images_set_latent(struct app_state *s, int index, float value);
/* The shown picture's latent, HL_SAGAN_MAX_LATENT numbers into out. */
void images_latent(const struct app_state *s, float *out);
void images_reset_latent(struct app_state *s);

/* Pins the place, or lets it go when it is the one shown last. */
void images_pin(struct images_state *m, int cell);

/* A record as the screen reads it. Everything lies in the record. */
struct images_pic {
    const struct hl_record *r;
    const struct hl_map *map;
    const struct hl_vectors *image, *plain; /* `plain`: without attention, NULL for own pictures */
    const struct hl_vectors *reach, *score;
    const struct hl_axis *classes;    /* NULL when there are no scores */
    int pictures, picture;            /* how many; which is shown */
    int grid, places, side;           /* places a side, in all; pixels a side */
    int asked[HL_SAGAN_MAX_PICTURES]; /* the class that the text names, -1 none */
};

/* The newest record of the network that is shown; false while there is none. */
bool images_pic(const struct app_state *s, struct images_pic *out);
/* The place under the pointer, else the one pinned last, else -1. `hot`: the pointer's. */
int images_place(const struct app_state *s, const struct images_pic *p, bool *hot);
/* Weights of a place in the chosen direction, [places] into out. */
void images_weights(const struct images_state *m, const struct images_pic *p, int place,
                    float *out);

/* How far a row of weights goes. */
struct images_far {
    double sum, entropy;      /* bits, of the weights as parts of their sum */
    double outside, distance; /* part beyond the 3 x 3 around; mean distance in places */
};
void images_measure(const float *w, int grid, int place, struct images_far *out);

/* Words of the text that name no class (small words aside), quoted and joined into buf
 * as they stand; false if there are none, or if the record is of another text. */
bool images_unknown(const char *text, const struct hl_record *r, char *buf, size_t buf_sz);

/* ---- own.c ---- */

/* Asks for the picture at `path` with the next request. */
void images_want(struct app_state *s, const char *path);
/* Pushes the asking, if any is wanted. */
void images_ask(struct app_state *s, struct hl_effects *fx);
/* Light and dark of the user's picture as they are, or exchanged. */
void images_invert(struct images_state *m, bool invert);
/* Switches between drawn pictures and the user's. */
void images_show_own(struct app_state *s, bool own);
/* Left column in that mode. */
void images_own_controls(const struct screen_ctx *c, hl_rect in);

/* ---- controls.c, picture.c, inspect.c ---- */

/* The number with a minus sign of its own width, into buf; returns buf. */
const char *images_number(char *buf, size_t buf_sz, double v, int decimals);
/* The row of classes; returns its height. */
float images_classes(const struct screen_ctx *c, hl_rect r);
void images_controls(const struct screen_ctx *c, hl_rect r);
void images_centre(const struct screen_ctx *c, hl_rect r, const struct images_pic *p);
void images_inspect(const struct screen_ctx *c, hl_rect r, const struct images_pic *p);

/* ---- event.c ---- */

bool images_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                  struct hl_effects *fx);
void images_request(struct app_state *s, struct hl_effects *fx);

/* ---- set.c ---- */

/* The controls. */
enum images_row {
    IMAGES_ROW_NETWORK,
    IMAGES_ROW_PICTURE,
    IMAGES_ROW_GAMMA,
    IMAGES_ROW_SNAPSHOT,
    IMAGES_ROW_VIEW,
    IMAGES_ROW_DIRECTION,
    IMAGES_ROW_SCALE,
    IMAGES_ROW_LOCK,
    IMAGES_ROW_REACH,
    IMAGES_ROW_INVERT,
    IMAGES_ROWS
};
extern const struct hl_control images_rows[IMAGES_ROWS];
extern const struct control_table *const images_table[];

bool images_set(struct app_state *s, const char *k, const char *value, struct hl_error *err);
void images_save(const struct app_state *s,
                 void (*put)(void *user, const char *key, const char *value), void *user);

/* The seed and the path of a picture of one's own. */
extern const struct screen_field images_fields[];

/* State of the Arithmetic screen: attention by hand on small matrices
 * (arithmetic.c, arithmetic_*.c). Runs the mechanisms of core/mech. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mech/mech.h"
#include "ui/field.h"
#include "state/state.h"

struct hl_screen;

/* Slots: queries and keys of a head that another screen sends. */
enum { ARITHMETIC_VECTORS, ARITHMETIC_SLOTS };

enum {
    ARITHMETIC_MECHS = 8, /* at most this many of hl_mechs are offered */
    ARITHMETIC_UNDO = 64,
    ARITHMETIC_LABEL_SZ = 48
};

/* A cell of a step; steps are named by key, since options add and remove them. */
struct arithmetic_cell {
    char step[16];
    int row, col;
};

/* One changed input cell. */
struct arithmetic_change {
    int mech, input, row, col;
    double before, after;
};

/* What came from a head of a trained model. */
struct arithmetic_source {
    bool there;
    bool has_values;
    char origin[160]; /* model, map, layer, head */
    char query[ARITHMETIC_LABEL_SZ];
    char key[HL_MECH_MAX_DIM][ARITHMETIC_LABEL_SZ];
    float weight[HL_MECH_MAX_DIM]; /* the row of the model */
    int n_weights;                 /* 0: not given */
};

/* A row of a head that was asked for and has not come yet. */
struct arithmetic_await {
    bool on;
    char map[64];
    int layer, head, q;
};

struct arithmetic_state {
    struct arithmetic_await await;
    int mech;                        /* index into hl_mechs: the tab */
    struct hl_mech_problem *problem; /* one for each tab; owned */
    int preset[ARITHMETIC_MECHS];    /* last loaded, -1 after a hand-over */
    struct arithmetic_cell cell;     /* the selected cell */
    bool editing;
    double before;         /* the number that was there before typing */
    struct ui_field field; /* the number being typed */
    char hint[96];         /* why the number was not taken, "" if it was */
    struct arithmetic_change undo[ARITHMETIC_UNDO], redo[ARITHMETIC_UNDO];
    int n_undo, n_redo;
    float scroll_x, scroll_y; /* of the flow, where it is larger than its panel */
    struct arithmetic_source source;
};

/* Queries, keys and values of one head for one query: borrowed for the call. */
struct arithmetic_head {
    const float *query;     /* [width] */
    const float *keys;      /* [n_k, width], rows `stride` floats apart */
    const float *values;    /* [n_k, width] likewise, or NULL */
    int n_k, width, stride; /* only the keys that the query may look at */
    float scale;            /* factor on q·k before the softmax: 1/√width or 1 */
    const char *query_label;
    const char *const *key_labels; /* n_k of them */
    const float *weights;          /* [n_k], the row of the matrix, or NULL */
    const char *origin;            /* "en-fr-transformer · encoder self · layer 2 · head 2" */
};

extern const struct hl_screen screen_arithmetic;

/* The state of a first start: the textbook example. Ownership: arithmetic_deinit.
 * Fails: false (no memory). */
bool arithmetic_init(struct arithmetic_state *s);
void arithmetic_deinit(struct arithmetic_state *s);

/* Shows a head of a trained model in the tab "Queries against keys", its strongest
 * key selected. Labels are copied. Fails: ARGUMENT (more than HL_MECH_MAX_DIM keys
 * or components, another scale); the state is unchanged. */
enum hl_status arithmetic_receive(struct arithmetic_state *s, const struct arithmetic_head *h,
                                  struct hl_error *err);

static inline struct arithmetic_state *
arithmetic_of(const struct app_state *s)
{
    return state_part(s, "arithmetic");
}

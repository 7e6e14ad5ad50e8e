/* State of the Positions screen: sinusoidal encodings, what they are added to, and
 * what a translation is without them (positions.c, positions_*.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "state/state.h"

struct hl_screen;

/* Slots: the text and its words in another order, each as it is and without positions. */
enum {
    POSITIONS_RUN,
    POSITIONS_BARE,
    POSITIONS_SHUFFLED,
    POSITIONS_SHUFFLED_BARE,
    POSITIONS_SLOTS
};

enum positions_view {
    POSITIONS_ENCODING, /* heat map position × dimension and curves */
    POSITIONS_PRODUCTS, /* dot product between positions */
    POSITIONS_SENTENCE, /* embedding + position of each typed token */
    POSITIONS_ORDER,    /* translation with and without positions */
    POSITIONS_VIEW_COUNT
};

enum {
    POSITIONS_MIN_D = 4, /* even */
    POSITIONS_MAX_D = 1024,
    POSITIONS_MAX_LENGTH = 512,
    POSITIONS_CURVES = 6 /* at most this many dimensions as curves */
};

struct positions_state {
    enum positions_view view;
    bool halves;        /* all sines, then all cosines; else interleaved */
    bool tensor2tensor; /* exponent k/(d/2 - 1); else 2k/d */
    int d, length;
    int row, col;                          /* pinned cell, -1 none */
    int curve[POSITIONS_CURVES], n_curves; /* dimensions drawn as curves */
    int token;                             /* pinned token of the sentence, -1 none */
    bool encoder_off, decoder_off;         /* what the second translation leaves out */
    uint64_t seed;                         /* of the shuffled word order */
    char *shuffled;  /* the typed words in another order; owned, NULL before a run */
    float *table;    /* [length, d] of the options above; owned, NULL if no memory */
    float *products; /* [length]: row 0 times row k, which is the product at distance k; owned */
};

extern const struct hl_screen screen_positions;

/* The state of a first start. Ownership: positions_deinit. Fails: false (no memory;
 * the state is valid, its pictures say so). */
bool positions_init(struct positions_state *p);
void positions_deinit(struct positions_state *p);

static inline struct positions_state *
positions_of(const struct app_state *s)
{
    return state_part(s, "positions");
}

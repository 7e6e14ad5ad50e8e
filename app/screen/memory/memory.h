/* State of the Memory screen: a Neural Turing Machine on the typed text
 * (this folder). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/ntm.h"
#include "state/state.h"

struct hl_screen;

/* Slots. */
enum {
    MEMORY_RUN,
    MEMORY_TRAINED /* the machine as trained, beside the one in hand */,
    MEMORY_SLOTS
};

enum { MEMORY_PINS = 4 };

struct memory_state {
    int step; /* shown, from 0; -1: follows the typing (the last letter written) */
    bool playing;
    double next_ms;                /* while playing: when the next step is due, 0 not yet known */
    bool head_chosen;              /* by the user; else the one at work: writing, then reading */
    bool write_head;               /* whose chain is shown (head_chosen) */
    int head;                      /* among those of its kind */
    int pin[MEMORY_PINS], n_pins;  /* addresses; the last is what the sums show */
    bool all;                      /* every address, not only those in use */
    bool after;                    /* the memory after the step, not before */
    bool sums;                     /* the pinned address by hand instead of the bars */
    struct hl_ntm_options options; /* what is in hand */
    struct hl_ntm_overrides overrides; /* the same, as the last request has it */
    /* Of the model, of it and the text as last asked for, as asked for untouched; 0 none. */
    uint64_t model_digest, text_digest, trained_digest;
    int cell[3];              /* chosen cell of key, erase, add */
    float point_x, point_y;   /* of the pointer in its region, 0 to 1 */
    float drag_y, drag_value; /* where and from what a cell is being dragged */
};

extern const struct hl_screen screen_memory;

/* The state of a first start. Ownership: memory_deinit. Fails: false (no memory). */
bool memory_init(struct memory_state *m);
void memory_deinit(struct memory_state *m);

static inline struct memory_state *
memory_of(const struct app_state *s)
{
    return state_part(s, "memory");
}

/* State of the Memory screen: a Neural Turing Machine on the typed text
 * (memory.c, memory_*.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/ntm.h"

struct hl_screen;

struct memory_state {
    int step; /* shown, from 0; -1: follows the typing (the last step written) */
    bool playing;
    double next_ms;  /* while playing: when the next step is due */
    bool write_head; /* whose chain is shown */
    int head;
    int slot;                      /* pinned address, -1 none */
    bool in_hand;                  /* parameters are in the user's hand */
    struct hl_ntm_options options; /* what is in hand */
};

extern const struct hl_screen screen_memory;

/* The state of a first start. Ownership: memory_deinit. Fails: false (no memory). */
bool memory_init(struct memory_state *m);
void memory_deinit(struct memory_state *m);

/* Opens the user's pictures on a thread of its own: a large one takes a second, in which
 * the window must not stand still. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sdl/picture.h"

struct opener;

struct opener_result {
    uint64_t ticket;
    struct hl_picture *picture; /* the caller's: picture_free; NULL on failure */
    struct hl_error error;
};

/* Asks for the picture at `path`; one asked for before and not yet begun is forgotten.
 * *o is made at the first call (NULL before it). window_wake is called once it is done.
 * Thread-safety: one thread for all functions here. Fails: NOMEM. */
enum hl_status opener_ask(struct opener **o, const char *path, uint64_t ticket,
                          struct hl_error *err);
/* Takes what is done; false when there is nothing. NULL-safe. */
bool opener_take(struct opener *o, struct opener_result *out);
/* Asks the thread to end; true once it has. Never waits. NULL-safe (then true). */
bool opener_stop(struct opener *o);
/* Waits for a picture that is being opened. NULL-safe. */
void opener_destroy(struct opener *o);

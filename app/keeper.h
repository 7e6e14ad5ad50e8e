/* Writes the settings and typed texts to disk on a thread of its own, so that a
 * slow disk never stops the event loop. Newest content wins. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct keeper;

/* NULL when the path is empty or memory is out: then nothing is kept. */
struct keeper *
keeper_create(const char *path);
/* Takes a copy. Thread-safety: any thread. */
void
keeper_put(struct keeper *k, const char *p, size_t n);
/* Why nothing was kept: true once for each row of failures; the window is woken when
 * there is something to ask for. NULL-safe. Thread-safety: any thread. */
bool
keeper_failed(struct keeper *k, struct hl_error *out);
/* Writes what is left and ends the thread. NULL-safe. */
void
keeper_destroy(struct keeper *k);

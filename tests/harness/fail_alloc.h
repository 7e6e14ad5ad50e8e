/* Fails every allocation in order: the first, then the second, and so on, until a
 * run gets through. */
#pragma once

#include <stdbool.h>

/* Calls `run` with the Nth allocation of this thread failing, N = 1, 2, ...; `run`
 * says whether it succeeded, and must leave nothing behind either way. Gives how
 * many allocations could fail, or -1 when a run still failed at `most`. */
int fail_alloc_each(bool (*run)(void *user), void *user, int most);

/* The only malloc of the program, with a hook that lets tests fail the Nth call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Test hook: called before each allocation; false makes it fail. Held in a
 * thread-local pointer (the one writable datum of core, NULL outside tests). */
typedef bool (*hl_alloc_hook)(void *user);

/* Installs `hook` for the calling thread (NULL removes it). */
void
hl_alloc_set_hook(hl_alloc_hook hook, void *user);

/* n * size zeroed bytes, NULL on overflow, exhaustion or a hook's refusal;
 * n * size of 0 gives a unique pointer. Caller frees with hl_free.
 * Thread-safety: yes. */
void *
hl_alloc(size_t n, size_t size);

/* Grows or shrinks; new bytes are not zeroed. NULL leaves `p` valid.
 * Thread-safety: yes. */
void *
hl_realloc(void *p, size_t n, size_t size);

/* NULL is allowed. Thread-safety: yes. */
void
hl_free(void *p);

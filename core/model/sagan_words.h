/* Which classes a text names.
 *
 * A class is named by its name or by one of its words, in any case of the ASCII letters;
 * a space or hyphen of a word is met by any run of spaces and hyphens. A name stands
 * between characters that are no letters or digits ("shirts" is found only where it is a
 * word of its own); of several that begin at one place the longest counts, and what lies
 * between names is passed over. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct hl_sagan_word {
    const char *text; /* in small letters, single spaces */
    int class_id;
};

struct hl_sagan_words {
    int n, cap;
    struct hl_sagan_word *words;
};

/* A word in the text: bytes start .. end - 1. */
struct hl_sagan_found {
    int class_id;
    int32_t start, end;
};

/* Room for `cap` words on the arena. Ownership: the arena's. Thread-safety: one thread per
 * arena. Fails: false (no memory). */
bool hl_sagan_words_init(struct hl_sagan_words *w, int cap, struct hl_arena *a);

/* Adds a word of a class; *empty (never NULL) tells that nothing is left of it without its
 * spaces and hyphens, and then it is not added. Thread-safety: as init. Fails: false (no
 * memory; no more than `cap` words are asked for). */
bool hl_sagan_words_add(struct hl_sagan_words *w, const char *word, int class_id,
                        struct hl_arena *a, bool *empty);

/* The first `max` names in the text, in order, into out; gives how many there are, which
 * may be more; *more_at (never NULL) is where the first beyond `max` starts, or -1.
 * Thread-safety: reentrant. Fails: never. */
int hl_sagan_words_find(const struct hl_sagan_words *w, const char *text, int max,
                        struct hl_sagan_found *out, int32_t *more_at);

/* A text on its way through the tokeniser: its bytes, and for each of them the span
 * of the typed text that it stands for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Valid UTF-8 without NUL, not terminated. Spans are byte offsets into the typed text,
 * both ends never going back. All bytes of a character have one span. */
struct hl_ntext {
    char *p;
    int32_t *start, *end;
    size_t n;
};

/* A text being written; grows in the arena. `failed` stays set once memory is out or
 * the text would be longer than `most` bytes, and then `over` is set, too. */
struct hl_nbuf {
    struct hl_ntext t;
    size_t cap, most;
    struct hl_arena *arena;
    bool failed, over;
};

/* An empty text with room for `cap` bytes and no limit (set b->most for one). Thread-safety: one
 * thread per buffer and arena. Fails: sets b->failed, as all writers do. */
void hl_nbuf_init(struct hl_nbuf *b, struct hl_arena *arena, size_t cap);

/* Appends n bytes that all stand for [start, end). */
void hl_nbuf_put(struct hl_nbuf *b, const char *s, size_t n, int32_t start, int32_t end);

/* Appends bytes [from, to) of a text with their spans. */
void hl_nbuf_copy(struct hl_nbuf *b, const struct hl_ntext *t, size_t from, size_t to);

/* Bytes [from, to) of t, borrowed. Reentrant. */
struct hl_ntext hl_ntext_view(const struct hl_ntext *t, size_t from, size_t to);

/* The typed text itself, its characters standing for themselves. Fails: false. */
bool hl_ntext_init(struct hl_ntext *t, struct hl_arena *arena, const char *s, size_t n);

/* Bump arenas: one per lifetime (program, model, analysis, frame).
 *
 * Memory comes in blocks that never move, so pointers stay valid until the
 * arena is reset past them. Freed and unused bytes are poisoned under ASan. */
#pragma once

#include <stddef.h>

struct hl_arena_block;

struct hl_arena {
    struct hl_arena_block *head; /* newest block */
    size_t block_sz;             /* usual size of a new block */
    size_t used_sz;              /* bytes handed out */
    size_t limit_sz;             /* 0 = none; beyond it allocation fails */
};

struct hl_arena_mark {
    struct hl_arena_block *block;
    size_t at;
    size_t used_sz;
};

/* Prepares an empty arena; allocates nothing. Ownership: caller deinits. */
void
hl_arena_init(struct hl_arena *a, size_t block_sz, size_t limit_sz);

/* Frees everything and leaves a valid empty arena. NULL-safe. */
void
hl_arena_deinit(struct hl_arena *a);

/* n * size zeroed bytes aligned to `align` (a power of two <= 64).
 * Thread-safety: one thread per arena. Fails: NULL on overflow, limit, no memory. */
void *
hl_arena_alloc(struct hl_arena *a, size_t n, size_t size, size_t align);

/* A NUL-terminated copy of n bytes. Fails: NULL. */
char *
hl_arena_strndup(struct hl_arena *a, const char *s, size_t n);
char *
hl_arena_strdup(struct hl_arena *a, const char *s);

/* Formats into the arena. Fails: NULL. */
char *
hl_arena_printf(struct hl_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Forget all that was allocated since the mark; reset keeps one block for reuse. */
struct hl_arena_mark
hl_arena_mark(const struct hl_arena *a);
void
hl_arena_rewind(struct hl_arena *a, struct hl_arena_mark m);
void
hl_arena_reset(struct hl_arena *a);

/* hl_arena_new(a, n, type): n zeroed objects, or NULL. Float arrays come aligned
 * to 64 bytes through hl_arena_floats. */
#define hl_arena_new(a, n, type) \
    ((type *)hl_arena_alloc((a), (size_t)(n), sizeof(type), _Alignof(type)))
#define hl_arena_floats(a, n) ((float *)hl_arena_alloc((a), (size_t)(n), sizeof(float), 64))

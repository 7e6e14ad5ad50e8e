/* Hash table from byte strings to 32-bit values, and a 64-bit FNV-1a hash. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct hl_hash {
    struct hl_hash_slot *slots;
    uint32_t n, cap; /* cap is a power of two */
    struct hl_arena *arena;
};

/* Lives in `arena` (which must outlive it). Fails: false (no memory). */
bool
hl_hash_init(struct hl_hash *h, struct hl_arena *arena, uint32_t expected);
/* Keys are borrowed: they must outlive the table. Fails: false when the key is
 * there already (value unchanged) or memory is out (then h->cap is 0). */
bool
hl_hash_put(struct hl_hash *h, const char *key, size_t n, int32_t value);
/* -1 when absent. Thread-safety: readers may share a table. */
int32_t
hl_hash_get(const struct hl_hash *h, const char *key, size_t n);
uint64_t
hl_fnv1a(uint64_t seed, const void *p, size_t n); /* seed 0 = the usual basis */

/* A byte trie: all keys that begin at a place of a text, in one walk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* The edges are one hash table from (node, byte) to node. Node 0 is the root. */
struct hl_trie {
    struct hl_trie_edge *edges;
    uint32_t cap; /* a power of two */
    int32_t *values;
    int32_t n_nodes, nodes_max;
};

/* Room for keys of `total_sz` bytes together, in `arena` (which must outlive it).
 * Fails: false (no memory, too large). */
bool hl_trie_init(struct hl_trie *t, struct hl_arena *arena, size_t total_sz);

/* Adds a key; a later value replaces an earlier one. Fails: false (no room). */
bool hl_trie_put(struct hl_trie *t, const char *key, size_t n, int32_t value);

/* The node after `byte`, or -1. The key's value at a node, or -1.
 * Thread-safety: readers may share a trie. */
int32_t hl_trie_step(const struct hl_trie *t, int32_t node, unsigned char byte);
static inline int32_t
hl_trie_value(const struct hl_trie *t, int32_t node)
{
    return t->values[node];
}

/* The longest key that begins at s[0..n): its length (0 for none), *value its value.
 * Reentrant. */
size_t hl_trie_longest(const struct hl_trie *t, const char *s, size_t n, int32_t *value);

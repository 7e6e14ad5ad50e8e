#include "tok/trie.h"

enum { NODES_MAX = 1 << 23 }; /* so that (node, byte) fits 32 bits with room for "free" */

struct hl_trie_edge {
    uint32_t key; /* node * 256 + byte + 1; 0: free */
    int32_t to;
};

bool
hl_trie_init(struct hl_trie *t, struct hl_arena *arena, size_t total_sz)
{
    *t = (struct hl_trie) { 0 };
    if (total_sz >= NODES_MAX)
        return false;
    uint32_t cap = 16;
    while ((uint64_t)cap * 3 < (uint64_t)total_sz * 4)
        cap *= 2;
    t->edges = hl_arena_new(arena, cap, struct hl_trie_edge);
    t->values = hl_arena_new(arena, total_sz + 1, int32_t);
    if (!t->edges || !t->values)
        return false;
    t->cap = cap;
    t->n_nodes = 1;
    t->nodes_max = (int32_t)total_sz + 1;
    t->values[0] = -1;
    return true;
}

static struct hl_trie_edge *
probe(const struct hl_trie *t, int32_t node, unsigned char byte)
{
    uint32_t key = (uint32_t)node * 256 + byte + 1;
    /* The upper half of a product is the well mixed one. */
    uint64_t h = key * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = (uint32_t)(h >> 32) & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
        if (t->edges[i].key == key || t->edges[i].key == 0)
            return &t->edges[i];
    }
}

bool
hl_trie_put(struct hl_trie *t, const char *key, size_t n, int32_t value)
{
    int32_t node = 0;
    for (size_t i = 0; i < n; i++) {
        struct hl_trie_edge *e = probe(t, node, (unsigned char)key[i]);
        if (e->key == 0) {
            if (t->n_nodes >= t->nodes_max)
                return false;
            e->key = (uint32_t)node * 256 + (unsigned char)key[i] + 1;
            e->to = t->n_nodes;
            t->values[t->n_nodes++] = -1;
        }
        node = e->to;
    }
    t->values[node] = value;
    return true;
}

int32_t
hl_trie_step(const struct hl_trie *t, int32_t node, unsigned char byte)
{
    const struct hl_trie_edge *e = probe(t, node, byte);
    return e->key ? e->to : -1;
}

size_t
hl_trie_longest(const struct hl_trie *t, const char *s, size_t n, int32_t *value)
{
    size_t best = 0;
    int32_t node = 0;
    for (size_t i = 0; i < n; i++) {
        node = hl_trie_step(t, node, (unsigned char)s[i]);
        if (node < 0)
            break;
        if (hl_trie_value(t, node) >= 0) {
            best = i + 1;
            *value = hl_trie_value(t, node);
        }
    }
    return best;
}

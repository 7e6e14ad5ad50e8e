#include "base/hash.h"

#include <string.h>

struct hl_hash_slot {
    const char *key; /* NULL: free */
    size_t n;
    uint64_t hash;
    int32_t value;
};

uint64_t
hl_fnv1a(uint64_t seed, const void *p, size_t n)
{
    const unsigned char *s = p;
    uint64_t h = seed ? seed : UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) {
        h ^= s[i];
        h *= UINT64_C(0x100000001b3);
    }
    return h;
}

/* At most three quarters full, so that probes stay short. */
static uint32_t
room_for(uint32_t n)
{
    uint32_t cap = 16;
    while (cap < UINT32_C(0x80000000) && (uint64_t)cap * 3 < (uint64_t)n * 4)
        cap *= 2;
    return cap;
}

bool
hl_hash_init(struct hl_hash *h, struct hl_arena *arena, uint32_t expected)
{
    uint32_t cap = room_for(expected);
    *h = (struct hl_hash) { .arena = arena };
    h->slots = hl_arena_new(arena, cap, struct hl_hash_slot);
    h->cap = h->slots ? cap : 0;
    return h->slots != NULL;
}

/* The slot that holds the key, or the free one where it belongs. FNV's low bits
 * are its weakest, so the high half is folded in. */
static struct hl_hash_slot *
probe(struct hl_hash_slot *slots, uint32_t cap, const char *key, size_t n, uint64_t hash)
{
    uint32_t i = (uint32_t)(hash ^ (hash >> 32)) & (cap - 1);
    for (;; i = (i + 1) & (cap - 1)) {
        struct hl_hash_slot *s = &slots[i];
        if (!s->key || (s->hash == hash && s->n == n && memcmp(s->key, key, n) == 0))
            return s;
    }
}

static bool
grow(struct hl_hash *h)
{
    uint32_t cap = h->cap * 2;
    struct hl_hash_slot *slots = NULL;
    if (cap > h->cap)
        slots = hl_arena_new(h->arena, cap, struct hl_hash_slot);
    if (!slots) {
        h->slots = NULL;
        h->cap = 0;
        h->n = 0;
        return false;
    }
    for (uint32_t i = 0; i < h->cap; i++) {
        const struct hl_hash_slot *s = &h->slots[i];
        if (s->key)
            *probe(slots, cap, s->key, s->n, s->hash) = *s;
    }
    h->slots = slots;
    h->cap = cap;
    return true;
}

bool
hl_hash_put(struct hl_hash *h, const char *key, size_t n, int32_t value)
{
    if (h->cap == 0)
        return false;
    if ((uint64_t)(h->n + 1) * 4 > (uint64_t)h->cap * 3 && !grow(h))
        return false;
    if (n == 0)
        key = "";
    uint64_t hash = hl_fnv1a(0, key, n);
    struct hl_hash_slot *s = probe(h->slots, h->cap, key, n, hash);
    if (s->key)
        return false;
    *s = (struct hl_hash_slot) { key, n, hash, value };
    h->n++;
    return true;
}

int32_t
hl_hash_get(const struct hl_hash *h, const char *key, size_t n)
{
    if (h->cap == 0)
        return -1;
    if (n == 0)
        key = "";
    const struct hl_hash_slot *s = probe(h->slots, h->cap, key, n, hl_fnv1a(0, key, n));
    return s->key ? s->value : -1;
}

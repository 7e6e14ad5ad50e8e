#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

enum { ALIGN_MAX = 64 };

struct hl_arena_block {
    struct hl_arena_block *prev;
    size_t cap;
    size_t at;    /* next free byte of data */
    size_t dirty; /* bytes of data that were ever handed out; the rest is still zero */
    unsigned char data[];
};

void
hl_arena_init(struct hl_arena *a, size_t block_sz, size_t limit_sz)
{
    *a = (struct hl_arena) { .block_sz = block_sz ? block_sz : 4096, .limit_sz = limit_sz };
}

static void
block_free(struct hl_arena_block *b)
{
    UNPOISON(b->data, b->cap);
    hl_free(b);
}

void
hl_arena_deinit(struct hl_arena *a)
{
    if (!a)
        return;
    while (a->head) {
        struct hl_arena_block *b = a->head;
        a->head = b->prev;
        block_free(b);
    }
    a->used_sz = 0;
}

/* Bytes to skip at `at` so that the address is a multiple of `align`. */
static size_t
padding(const struct hl_arena_block *b, size_t at, size_t align)
{
    size_t off = (size_t)((uintptr_t)(b->data + at) & (align - 1));
    return off ? align - off : 0;
}

static bool
block_fits(const struct hl_arena_block *b, size_t total, size_t align)
{
    size_t pad = padding(b, b->at, align);
    return pad <= b->cap - b->at && total <= b->cap - b->at - pad;
}

static bool
block_push(struct hl_arena *a, size_t total)
{
    size_t cap, sz;
    if (!hl_size_add(total, ALIGN_MAX, &cap))
        return false;
    if (cap < a->block_sz)
        cap = a->block_sz;
    if (!hl_size_add(cap, sizeof(struct hl_arena_block), &sz))
        return false;
    struct hl_arena_block *b = hl_alloc(sz, 1);
    if (!b)
        return false;
    b->prev = a->head;
    b->cap = cap;
    POISON(b->data, cap);
    a->head = b;
    return true;
}

void *
hl_arena_alloc(struct hl_arena *a, size_t n, size_t size, size_t align)
{
    size_t total, used;
    if (!hl_size_mul(n, size, &total) || !hl_size_add(a->used_sz, total, &used))
        return NULL;
    if (a->limit_sz && used > a->limit_sz)
        return NULL;
    if (!a->head || !block_fits(a->head, total, align)) {
        if (!block_push(a, total))
            return NULL;
    }
    struct hl_arena_block *b = a->head;
    size_t at = b->at + padding(b, b->at, align);
    unsigned char *p = b->data + at;
    UNPOISON(p, total);
    if (at < b->dirty)
        memset(p, 0, total < b->dirty - at ? total : b->dirty - at);
    b->at = at + total;
    if (b->dirty < b->at)
        b->dirty = b->at;
    a->used_sz = used;
    return p;
}

char *
hl_arena_strndup(struct hl_arena *a, const char *s, size_t n)
{
    size_t sz;
    if (!hl_size_add(n, 1, &sz))
        return NULL;
    char *p = hl_arena_alloc(a, sz, 1, 1);
    if (p && n)
        memcpy(p, s, n);
    return p;
}

char *
hl_arena_strdup(struct hl_arena *a, const char *s)
{
    return hl_arena_strndup(a, s, strlen(s));
}

char *
hl_arena_printf(struct hl_arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = n < 0 ? NULL : hl_arena_alloc(a, (size_t)n + 1, 1, 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

struct hl_arena_mark
hl_arena_mark(const struct hl_arena *a)
{
    return (struct hl_arena_mark) { a->head, a->head ? a->head->at : 0, a->used_sz };
}

void
hl_arena_rewind(struct hl_arena *a, struct hl_arena_mark m)
{
    if (!m.block) {
        hl_arena_reset(a);
        return;
    }
    while (a->head != m.block) {
        struct hl_arena_block *b = a->head;
        a->head = b->prev;
        block_free(b);
    }
    /* What lies beyond the old end is poisoned already. */
    POISON(a->head->data + m.at, a->head->at - m.at);
    a->head->at = m.at;
    a->used_sz = m.used_sz;
}

void
hl_arena_reset(struct hl_arena *a)
{
    if (a->head) {
        while (a->head->prev) {
            struct hl_arena_block *b = a->head->prev;
            a->head->prev = b->prev;
            block_free(b);
        }
        a->head->at = 0;
        POISON(a->head->data, a->head->cap);
    }
    a->used_sz = 0;
}

#include "tok/ntext.h"

#include <string.h>

#include "base/size.h"
#include "base/utf8.h"

static bool
reserve(struct hl_nbuf *b, size_t more)
{
    size_t need;
    if (b->failed || !hl_size_add(b->t.n, more, &need)) {
        b->failed = true;
        return false;
    }
    if (need > b->most) {
        b->failed = b->over = true;
        return false;
    }
    if (need <= b->cap)
        return true;
    size_t cap = b->cap > need / 2 ? b->cap * 2 : need;
    struct hl_ntext old = b->t;
    b->t.p = hl_arena_new(b->arena, cap, char);
    b->t.start = hl_arena_new(b->arena, cap, int32_t);
    b->t.end = hl_arena_new(b->arena, cap, int32_t);
    b->cap = cap;
    b->failed = !b->t.p || !b->t.start || !b->t.end;
    if (b->failed) {
        b->t.n = 0;
        return false;
    }
    if (old.n > 0) {
        memcpy(b->t.p, old.p, old.n);
        memcpy(b->t.start, old.start, old.n * sizeof(*old.start));
        memcpy(b->t.end, old.end, old.n * sizeof(*old.end));
    }
    return true;
}

void
hl_nbuf_init(struct hl_nbuf *b, struct hl_arena *arena, size_t cap)
{
    *b = (struct hl_nbuf) { .arena = arena, .most = SIZE_MAX };
    reserve(b, cap);
}

void
hl_nbuf_put(struct hl_nbuf *b, const char *s, size_t n, int32_t start, int32_t end)
{
    if (!reserve(b, n))
        return;
    for (size_t i = 0; i < n; i++, b->t.n++) {
        b->t.p[b->t.n] = s[i];
        b->t.start[b->t.n] = start;
        b->t.end[b->t.n] = end;
    }
}

void
hl_nbuf_copy(struct hl_nbuf *b, const struct hl_ntext *t, size_t from, size_t to)
{
    size_t n = to - from;
    if (n == 0 || !reserve(b, n))
        return;
    memcpy(b->t.p + b->t.n, t->p + from, n);
    memcpy(b->t.start + b->t.n, t->start + from, n * sizeof(*t->start));
    memcpy(b->t.end + b->t.n, t->end + from, n * sizeof(*t->end));
    b->t.n += n;
}

struct hl_ntext
hl_ntext_view(const struct hl_ntext *t, size_t from, size_t to)
{
    return (struct hl_ntext) { t->p + from, t->start + from, t->end + from, to - from };
}

bool
hl_ntext_init(struct hl_ntext *t, struct hl_arena *arena, const char *s, size_t n)
{
    struct hl_nbuf b;
    hl_nbuf_init(&b, arena, n > 0 ? n : 1);
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + i, n - i, &cp);
        hl_nbuf_put(&b, s + i, len, (int32_t)i, (int32_t)(i + len));
        i += len;
    }
    *t = b.t;
    return !b.failed;
}

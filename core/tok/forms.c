#include "tok/forms.h"

#include <string.h>

#include <utf8proc.h>

#include "base/size.h"
#include "base/utf8.h"

enum {
    EXPANSION_MAX = 18, /* characters that one becomes at most (U+FDFA) */
    FEW_MARKS = 16,
};

/* First character that a form may change, for the common case of Latin text. */
static uint32_t
first_changed(bool compose, bool compat)
{
    if (compat)
        return 0xA0;
    return compose ? 0x300 : 0xC0;
}

static bool
all_below(const struct hl_ntext *t, size_t from, size_t to, uint32_t border)
{
    for (size_t i = from; i < to;) {
        uint32_t cp;
        i += hl_utf8_next(t->p + i, to - i, &cp);
        if (cp >= border)
            return false;
    }
    return true;
}

static unsigned
mark_class(utf8proc_int32_t cp)
{
    return (unsigned)utf8proc_get_property(cp)->combining_class;
}

static void
sort_few(utf8proc_int32_t *marks, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        utf8proc_int32_t cp = marks[i];
        size_t k = i;
        for (; k > 0 && mark_class(marks[k - 1]) > mark_class(cp); k--)
            marks[k] = marks[k - 1];
        marks[k] = cp;
    }
}

/* Stable, by counting: a text of nothing but marks must not cost a square. */
static void
sort_many(utf8proc_int32_t *marks, size_t n, utf8proc_int32_t *copy)
{
    size_t place[257] = { 0 };
    memcpy(copy, marks, n * sizeof(*marks));
    for (size_t i = 0; i < n; i++)
        place[(mark_class(marks[i]) & 0xFF) + 1]++;
    for (int c = 0; c < 256; c++)
        place[c + 1] += place[c];
    for (size_t i = 0; i < n; i++)
        marks[place[mark_class(copy[i]) & 0xFF]++] = copy[i];
}

/* Canonical order: marks between two starters sorted by their class. */
static void
order_marks(utf8proc_int32_t *cps, size_t n, utf8proc_int32_t *copy)
{
    for (size_t i = 0; i < n;) {
        size_t from = i;
        while (i < n && mark_class(cps[i]) != 0)
            i++;
        if (i - from > FEW_MARKS)
            sort_many(cps + from, i - from, copy);
        else
            sort_few(cps + from, i - from);
        i += i == from;
    }
}

/* One grapheme cluster's form as code points in the scratch arena; NULL without memory. */
static utf8proc_int32_t *
form_of(const struct hl_ntext *t, size_t from, size_t to, bool compose, bool compat,
        struct hl_arena *scratch, size_t *n)
{
    utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    if (compat)
        options |= UTF8PROC_COMPAT;
    size_t cap, at = 0;
    if (!hl_size_mul(to - from, EXPANSION_MAX, &cap))
        return NULL;
    utf8proc_int32_t *cps = hl_arena_new(scratch, cap, utf8proc_int32_t);
    utf8proc_int32_t *copy = hl_arena_new(scratch, cap, utf8proc_int32_t);
    if (!cps || !copy)
        return NULL;
    for (size_t i = from; i < to;) {
        uint32_t cp;
        int last_class = 0; /* of grapheme breaking, which is done already */
        i += hl_utf8_next(t->p + i, to - i, &cp);
        utf8proc_ssize_t more = utf8proc_decompose_char(
            (utf8proc_int32_t)cp, cps + at, (utf8proc_ssize_t)(cap - at), options, &last_class);
        at += more > 0 ? (size_t)more : 0;
    }
    order_marks(cps, at, copy);
    if (compose) {
        utf8proc_ssize_t left =
            utf8proc_normalize_utf32(cps, (utf8proc_ssize_t)at, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        at = left > 0 ? (size_t)left : 0;
    }
    *n = at;
    return cps;
}

static bool
same_text(const struct hl_ntext *t, size_t from, size_t to, const utf8proc_int32_t *cps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char buf[4];
        size_t len = hl_utf8_put(buf, (uint32_t)cps[i]);
        if (len > to - from || memcmp(t->p + from, buf, len) != 0)
            return false;
        from += len;
    }
    return from == to;
}

static void
put_cluster(const struct hl_ntext *t, size_t from, size_t to, bool compose, bool compat,
            struct hl_nbuf *out, struct hl_arena *scratch)
{
    if (all_below(t, from, to, first_changed(compose, compat))) {
        hl_nbuf_copy(out, t, from, to);
        return;
    }
    struct hl_arena_mark mark = hl_arena_mark(scratch);
    size_t n = 0;
    const utf8proc_int32_t *cps = form_of(t, from, to, compose, compat, scratch, &n);
    if (!cps)
        out->failed = true;
    else if (same_text(t, from, to, cps, n))
        hl_nbuf_copy(out, t, from, to);
    else {
        for (size_t i = 0; i < n; i++) {
            char buf[4];
            size_t len = hl_utf8_put(buf, (uint32_t)cps[i]);
            hl_nbuf_put(out, buf, len, t->start[from], t->end[to - 1]);
        }
    }
    hl_arena_rewind(scratch, mark);
}

void
hl_form_apply(const struct hl_ntext *t, bool compose, bool compat, struct hl_nbuf *out)
{
    if (all_below(t, 0, t->n, first_changed(compose, compat))) {
        hl_nbuf_copy(out, t, 0, t->n);
        return;
    }
    /* Not the arena of `out`, which may grow while a cluster is being written. */
    struct hl_arena scratch;
    hl_arena_init(&scratch, 16 * 1024, 0);
    /* Forms never reach across the border of a grapheme cluster. */
    for (size_t at = 0; at < t->n && !out->failed;) {
        size_t next = hl_utf8_grapheme_next(t->p, t->n, at);
        put_cluster(t, at, next, compose, compat, out, &scratch);
        at = next;
    }
    hl_arena_deinit(&scratch);
}

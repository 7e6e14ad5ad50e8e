#include "draw/dl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/size.h"

enum { FIRST_CAP = 1 << 16 };

/* The list is compared byte by byte: no hole may hide in a command. */
_Static_assert(sizeof(struct dl_cmd) % 8 == 0, "commands are linked by multiples of 8");

void
dl_begin(struct dl *d, float width, float height, float scale, hl_color background)
{
    d->n = 0;
    d->failed = false;
    d->width = width;
    d->height = height;
    d->scale = scale;
    d->background = background;
}

void
dl_deinit(struct dl *d)
{
    hl_free(d->p);
    memset(d, 0, sizeof *d);
}

static bool
reserve(struct dl *d, size_t more)
{
    size_t need, cap = d->cap ? d->cap : FIRST_CAP;
    if (d->failed || !hl_size_add(d->n, more, &need))
        return false;
    if (need <= d->cap)
        return true;
    while (cap < need)
        if (!hl_size_mul(cap, 2, &cap))
            return false;
    unsigned char *p = hl_realloc(d->p, cap, 1);
    if (!p)
        return false;
    d->p = p;
    d->cap = cap;
    return true;
}

/* A zeroed command with `tail` bytes behind it. */
static struct dl_cmd *
append(struct dl *d, enum dl_kind kind, size_t tail)
{
    size_t size;
    if (!hl_size_add(sizeof(struct dl_cmd) + 7, tail, &size) || (size & ~(size_t)7) > UINT32_MAX ||
        !reserve(d, size & ~(size_t)7)) {
        d->failed = true;
        return NULL;
    }
    size &= ~(size_t)7;
    struct dl_cmd *c = (struct dl_cmd *)(void *)(d->p + d->n);
    memset(c, 0, size);
    c->size = (uint32_t)size;
    c->kind = (uint16_t)kind;
    d->n += size;
    return c;
}

const struct dl_cmd *
dl_first(const struct dl *d)
{
    return d->n ? (const struct dl_cmd *)(const void *)d->p : NULL;
}

const struct dl_cmd *
dl_next(const struct dl *d, const struct dl_cmd *c)
{
    const unsigned char *p = (const unsigned char *)c + c->size;
    return p < d->p + d->n ? (const struct dl_cmd *)(const void *)p : NULL;
}

const void *
dl_tail(const struct dl_cmd *c)
{
    return c + 1;
}

void
dl_clip(struct dl *d, hl_rect r)
{
    struct dl_cmd *c = append(d, DL_CLIP_PUSH, 0);
    if (c)
        c->u.clip.r = r;
}

void
dl_unclip(struct dl *d)
{
    append(d, DL_CLIP_POP, 0);
}

static void
append_box(struct dl *d, enum dl_kind kind, hl_rect r, float radius, float width, hl_color color)
{
    struct dl_cmd *c = append(d, kind, 0);
    if (!c)
        return;
    c->u.box.r = r;
    c->u.box.radius = radius;
    c->u.box.width = width;
    c->u.box.color = color;
}

void
dl_fill(struct dl *d, hl_rect r, float radius, hl_color color)
{
    append_box(d, DL_FILL, r, radius, 0, color);
}

void
dl_stroke(struct dl *d, hl_rect r, float radius, float width, hl_color color)
{
    append_box(d, DL_STROKE, r, radius, width, color);
}

static struct dl_cmd *
append_line(struct dl *d, enum dl_kind kind, hl_rect ends, float width, hl_color color)
{
    struct dl_cmd *c = append(d, kind, 0);
    if (!c)
        return NULL;
    c->u.line.x0 = ends.x;
    c->u.line.y0 = ends.y;
    c->u.line.x1 = ends.w;
    c->u.line.y1 = ends.h;
    c->u.line.width = width;
    c->u.line.color = color;
    return c;
}

void
dl_line(struct dl *d, float x0, float y0, float x1, float y1, float width, hl_color color)
{
    append_line(d, DL_LINE, rect_make(x0, y0, x1, y1), width, color);
}

void
dl_ribbon(struct dl *d, float x0, float y0, float x1, float y1, float width, bool horizontal,
          hl_color color)
{
    struct dl_cmd *c = append_line(d, DL_RIBBON, rect_make(x0, y0, x1, y1), width, color);
    if (c)
        c->u.line.horizontal = horizontal;
}

void
dl_poly(struct dl *d, const float *xy, int n, hl_color color)
{
    if (n < 3)
        return;
    size_t tail = (size_t)n * 2 * sizeof(float);
    struct dl_cmd *c = append(d, DL_POLY, tail);
    if (!c)
        return;
    c->u.poly.n = (uint32_t)n;
    c->u.poly.color = color;
    memcpy(c + 1, xy, tail);
}

void
dl_text(struct dl *d, float x, float y, enum dl_font font, float size, enum dl_align align,
        hl_color color, const char *s)
{
    dl_text_ex(d, x, y, font, size, align, color, 0, 0, s, strlen(s));
}

void
dl_text_ex(struct dl *d, float x, float y, enum dl_font font, float size, enum dl_align align,
           hl_color color, float angle, float max_width, const char *s, size_t n)
{
    if (n == 0)
        return;
    struct dl_cmd *c = append(d, DL_TEXT, n + 1);
    if (!c)
        return;
    c->u.text.x = x;
    c->u.text.y = y;
    c->u.text.size = size;
    c->u.text.angle = angle;
    c->u.text.max_width = max_width;
    c->u.text.color = color;
    c->u.text.font = (uint8_t)font;
    c->u.text.align = (uint8_t)align;
    c->u.text.n = (uint32_t)n;
    memcpy(c + 1, s, n);
}

uint8_t *
dl_heat(struct dl *d, hl_rect r, int rows, int cols, float gap, float radius, enum dl_map map,
        bool dark, const uint8_t *cells)
{
    size_t n;
    if (rows <= 0 || cols <= 0)
        return NULL;
    if (!hl_size_mul((size_t)rows, (size_t)cols, &n)) {
        d->failed = true;
        return NULL;
    }
    struct dl_cmd *c = append(d, DL_HEAT, n);
    if (!c)
        return NULL;
    c->u.heat.r = r;
    c->u.heat.rows = (uint32_t)rows;
    c->u.heat.cols = (uint32_t)cols;
    c->u.heat.gap = gap;
    c->u.heat.radius = radius;
    c->u.heat.map = map;
    c->u.heat.dark = dark;
    if (cells)
        memcpy(c + 1, cells, n);
    return (uint8_t *)(c + 1);
}

hl_color *
dl_image(struct dl *d, hl_rect r, int rows, int cols, const hl_color *pixels)
{
    size_t n;
    if (rows <= 0 || cols <= 0)
        return NULL;
    if (!hl_size_mul((size_t)rows, (size_t)cols, &n) || !hl_size_mul(n, sizeof *pixels, &n)) {
        d->failed = true;
        return NULL;
    }
    struct dl_cmd *c = append(d, DL_IMAGE, n);
    if (!c)
        return NULL;
    c->u.image.r = r;
    c->u.image.rows = (uint32_t)rows;
    c->u.image.cols = (uint32_t)cols;
    if (pixels)
        memcpy(c + 1, pixels, n);
    return (hl_color *)(c + 1);
}

void
dl_hit(struct dl *d, hl_rect r, enum dl_cursor cursor, const char *fmt, ...)
{
    char id[256];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(id, sizeof id, fmt, args);
    va_end(args);
    if (n < 0)
        return;
    size_t len = (size_t)n < sizeof id ? (size_t)n : sizeof id - 1;
    struct dl_cmd *c = append(d, DL_HIT, len + 1);
    if (!c)
        return;
    c->u.hit.r = r;
    c->u.hit.cursor = cursor;
    c->u.hit.n = (uint32_t)len;
    memcpy(c + 1, id, len);
}

const char *
dl_hit_at(const struct dl *d, float x, float y, enum dl_cursor *cursor)
{
    /* A point is inside a nest of clips as long as none of them shut it out. */
    int depth = 0, shut = 0;
    const struct dl_cmd *found = NULL;
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c)) {
        if (c->kind == DL_CLIP_PUSH) {
            depth++;
            if (!shut && !rect_has(c->u.clip.r, x, y))
                shut = depth;
        } else if (c->kind == DL_CLIP_POP) {
            if (shut == depth)
                shut = 0;
            depth -= depth > 0;
        } else if (c->kind == DL_HIT && !shut && rect_has(c->u.hit.r, x, y)) {
            found = c;
        }
    }
    if (cursor)
        *cursor = found ? (enum dl_cursor)found->u.hit.cursor : DL_CURSOR_ARROW;
    return found ? (const char *)dl_tail(found) : NULL;
}

bool
dl_hit_find(const struct dl *d, const char *id, hl_rect *out)
{
    bool found = false;
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c)) {
        if (c->kind == DL_HIT && strcmp(dl_tail(c), id) == 0) {
            *out = c->u.hit.r;
            found = true;
        }
    }
    return found;
}

uint64_t
dl_digest(const struct dl *d)
{
    struct {
        float width, height, scale;
        hl_color background;
    } head = { d->width, d->height, d->scale, d->background };
    uint64_t h = hl_fnv1a(0, &head, sizeof head);
    return d->n ? hl_fnv1a(h, d->p, d->n) : h;
}

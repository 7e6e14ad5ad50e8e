/* Rectangles and their cutting. All pure and reentrant. */
#pragma once

#include <stdbool.h>

typedef struct hl_rect {
    float x, y, w, h;
} hl_rect;

static inline hl_rect
rect_make(float x, float y, float w, float h)
{
    hl_rect r = { x, y, w, h };
    return r;
}

static inline bool
rect_has(hl_rect r, float x, float y)
{
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static inline hl_rect
rect_inset(hl_rect r, float dx, float dy)
{
    return rect_make(r.x + dx, r.y + dy, r.w - 2 * dx, r.h - 2 * dy);
}

static inline hl_rect
rect_intersect(hl_rect a, hl_rect b)
{
    float x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    float x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    float y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return rect_make(x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0);
}

/* Cuts a slice off one side of *r and returns it; *r keeps the rest. */
static inline hl_rect
rect_cut_top(hl_rect *r, float h)
{
    h = h > r->h ? r->h : h;
    hl_rect s = rect_make(r->x, r->y, r->w, h);
    r->y += h;
    r->h -= h;
    return s;
}

static inline hl_rect
rect_cut_bottom(hl_rect *r, float h)
{
    h = h > r->h ? r->h : h;
    r->h -= h;
    return rect_make(r->x, r->y + r->h, r->w, h);
}

static inline hl_rect
rect_cut_left(hl_rect *r, float w)
{
    w = w > r->w ? r->w : w;
    hl_rect s = rect_make(r->x, r->y, w, r->h);
    r->x += w;
    r->w -= w;
    return s;
}

static inline hl_rect
rect_cut_right(hl_rect *r, float w)
{
    w = w > r->w ? r->w : w;
    r->w -= w;
    return rect_make(r->x + r->w, r->y, w, r->h);
}

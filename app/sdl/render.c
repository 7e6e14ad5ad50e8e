#include "sdl/render.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "draw/theme.h"
#include "sdl/canvas.h"
#include "sdl/face.h"
#include "sdl/text.h"

enum {
    BAND_PIXELS = 1 << 18, /* repainted at a time: what overlaps stays in the cache */
    TILE = 64,             /* side of the squares whose content is compared */
    MAX_CLIPS = 64
};

/* A command with the pixels it may touch. */
struct item {
    const struct dl_cmd *c;
    struct irect box, clip;
    uint64_t hash;
};

struct hl_render {
    struct hl_fonts *fonts;
    struct text_cache *text;
    struct canvas canvas;
    struct item *item;
    size_t n_items, cap_items;
    int *edge; /* of heat cells */
    size_t cap_edges;
    char *cut; /* shortened text */
    size_t cap_cut;
    /* what the last render_update left on the pixels */
    uint64_t *tile, *tile_before;
    size_t cap_tiles;
    struct hl_pixels on; /* these, p NULL where nothing is known */
    float scale;
    bool failed;
};

enum hl_status
render_create(struct hl_fonts *fonts, struct hl_render **out, struct hl_error *err)
{
    *out = NULL;
    struct hl_render *r = hl_alloc(1, sizeof *r);
    if (!r)
        return hl_error_set(err, HL_E_NOMEM, "renderer", "its state");
    r->fonts = fonts;
    r->text = text_create(fonts);
    if (!r->text) {
        hl_free(r);
        return hl_error_set(err, HL_E_FONT, "SDL_ttf", "it cannot start");
    }
    *out = r;
    return HL_OK;
}

void
render_destroy(struct hl_render *r)
{
    if (!r)
        return;
    text_destroy(r->text);
    canvas_deinit(&r->canvas);
    hl_free(r->item);
    hl_free(r->edge);
    hl_free(r->cut);
    hl_free(r->tile);
    hl_free(r->tile_before);
    hl_free(r);
}

/* Makes room for n elements; the old content is kept. */
static bool
reserve(struct hl_render *r, void *slot, size_t *cap, size_t n, size_t size)
{
    void **p = slot;
    if (n <= *cap)
        return true;
    void *grown = hl_realloc(*p, n + n / 2, size);
    if (!grown) {
        r->failed = true;
        return false;
    }
    *p = grown;
    *cap = n + n / 2;
    return true;
}

/* ---- from logical to device pixels ---- */

static int
snap(float v, float scale)
{
    v = floorf(v * scale + 0.5f);
    return v < -1e6f ? -1000000 : v > 1e6f ? 1000000 : (int)v;
}

static struct irect
snap_rect(hl_rect r, float scale)
{
    struct irect out = { snap(r.x, scale), snap(r.y, scale), snap(r.x + r.w, scale),
                         snap(r.y + r.h, scale) };
    /* What is there at all is seen. */
    if (r.w > 0 && out.x1 <= out.x0)
        out.x1 = out.x0 + 1;
    if (r.h > 0 && out.y1 <= out.y0)
        out.y1 = out.y0 + 1;
    return out;
}

static int
snap_width(float width, float scale)
{
    int w = snap(width, scale);
    return w > 0 ? w : 1;
}

static struct irect
around(float x0, float y0, float x1, float y1)
{
    hl_rect r = { fminf(x0, x1), fminf(y0, y1), fabsf(x1 - x0), fabsf(y1 - y0) };
    struct irect out = { snap(floorf(r.x), 1), snap(floorf(r.y), 1), snap(ceilf(r.x + r.w), 1),
                         snap(ceilf(r.y + r.h), 1) };
    return out;
}

/* ---- text ---- */

/* The shape that a text command shows (cut where it is too wide) and its pen. */
static const struct shape *
text_place(struct hl_render *r, const struct dl_cmd *c, float scale, float *x, float *y)
{
    const char *s = dl_tail(c);
    size_t n = c->u.text.n;
    enum dl_font font = (enum dl_font)c->u.text.font;
    float size = c->u.text.size, max = c->u.text.max_width;
    const struct shape *sh = shape_get(r->fonts, font, s, n);
    if (sh && max > 0 && sh->width * size > max + 0.005f) {
        size_t keep = metrics_fit(fonts_metrics(r->fonts), font, size, s, n, max);
        if (!reserve(r, &r->cut, &r->cap_cut, keep + 3, 1))
            return NULL;
        memcpy(r->cut, s, keep);
        memcpy(r->cut + keep, METRICS_ELLIPSIS, 3);
        sh = shape_get(r->fonts, font, r->cut, keep + 3);
    }
    if (!sh) {
        r->failed = true;
        return NULL;
    }
    float turn = c->u.text.angle * 3.14159265f / 180, back = 0;
    if (c->u.text.align == DL_CENTER)
        back = sh->width * size / 2;
    else if (c->u.text.align == DL_RIGHT)
        back = sh->width * size;
    *x = (c->u.text.x - (turn != 0 ? cosf(turn) : 1) * back) * scale;
    *y = (c->u.text.y + (turn != 0 ? sinf(turn) : 0) * back) * scale;
    return sh;
}

static struct irect
text_box(struct hl_render *r, const struct dl_cmd *c, float scale)
{
    float x, y, size = c->u.text.size * scale;
    const struct shape *sh = text_place(r, c, scale, &x, &y);
    if (!sh)
        return (struct irect) { 0, 0, 0, 0 };
    /* Pictures of emoji and hinted ink go a little beyond the outlines. */
    float slack = 2 + size * 0.25f;
    float left = sh->ink_left * size - slack;
    float right = fmaxf(sh->ink_right, sh->width) * size + slack;
    float top = -fmaxf(sh->ink_top, 0.9f) * size - slack;
    float bottom = -fminf(sh->ink_bottom, -0.2f) * size + slack;
    float turn = c->u.text.angle * 3.14159265f / 180;
    float co = turn != 0 ? cosf(turn) : 1, si = turn != 0 ? sinf(turn) : 0;
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; i < 4; i++) {
        float u = i & 1 ? right : left, v = i & 2 ? bottom : top;
        float px = x + u * co + v * si, py = y - u * si + v * co;
        x0 = fminf(x0, px);
        x1 = fmaxf(x1, px);
        y0 = fminf(y0, py);
        y1 = fmaxf(y1, py);
    }
    return around(x0, y0, x1, y1);
}

/* ---- commands to items ---- */

static struct irect
item_box(struct hl_render *r, const struct dl_cmd *c, float s)
{
    switch ((enum dl_kind)c->kind) {
    case DL_FILL:
    case DL_STROKE:
        return snap_rect(c->u.box.r, s);
    case DL_HEAT:
        return snap_rect(c->u.heat.r, s);
    case DL_IMAGE:
        return snap_rect(c->u.image.r, s);
    case DL_LINE:
    case DL_RIBBON: {
        float w = c->u.line.width / 2 + 2 / s;
        return around((fminf(c->u.line.x0, c->u.line.x1) - w) * s,
                      (fminf(c->u.line.y0, c->u.line.y1) - w) * s,
                      (fmaxf(c->u.line.x0, c->u.line.x1) + w) * s,
                      (fmaxf(c->u.line.y0, c->u.line.y1) + w) * s);
    }
    case DL_POLY: {
        const float *xy = dl_tail(c);
        float x0 = xy[0], y0 = xy[1], x1 = x0, y1 = y0;
        for (uint32_t i = 1; i < c->u.poly.n; i++) {
            x0 = fminf(x0, xy[2 * i]);
            x1 = fmaxf(x1, xy[2 * i]);
            y0 = fminf(y0, xy[2 * i + 1]);
            y1 = fmaxf(y1, xy[2 * i + 1]);
        }
        return around(x0 * s - 1, y0 * s - 1, x1 * s + 1, y1 * s + 1);
    }
    case DL_TEXT:
        return text_box(r, c, s);
    case DL_CLIP_PUSH:
    case DL_CLIP_POP:
    case DL_HIT:
    case DL_KIND_COUNT:
        break;
    }
    return (struct irect) { 0, 0, 0, 0 };
}

/* Lists what is to be drawn with its pixels, clips resolved. */
static bool
collect(struct hl_render *r, const struct dl *d, int w, int h)
{
    struct irect clips[MAX_CLIPS] = { { 0, 0, w, h } };
    int depth = 0;
    r->n_items = 0;
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c)) {
        struct irect clip = clips[depth < MAX_CLIPS ? depth : MAX_CLIPS - 1];
        if (c->kind == DL_CLIP_PUSH) {
            struct irect own = irect_and(snap_rect(c->u.clip.r, d->scale), clip);
            if (++depth < MAX_CLIPS)
                clips[depth] = own;
            continue;
        }
        if (c->kind == DL_CLIP_POP) {
            depth -= depth > 0;
            continue;
        }
        if (c->kind == DL_HIT || irect_empty(clip))
            continue;
        struct irect box = irect_and(item_box(r, c, d->scale), clip);
        if (irect_empty(box))
            continue;
        if (!reserve(r, &r->item, &r->cap_items, r->n_items + 1, sizeof *r->item))
            return false;
        r->item[r->n_items++] = (struct item) { c, box, clip, 0 };
    }
    return true;
}

/* ---- items to pixels ---- */

static void
draw_line(struct canvas *v, const struct dl_cmd *c, float s)
{
    float x0 = c->u.line.x0 * s, y0 = c->u.line.y0 * s, x1 = c->u.line.x1 * s,
          y1 = c->u.line.y1 * s, width = c->u.line.width * s;
    if (x0 != x1 && y0 != y1) {
        canvas_line(v, x0, y0, x1, y1, width, c->u.line.color);
        return;
    }
    /* Level and upright lines stand on whole pixels. */
    int w = snap_width(c->u.line.width, s);
    struct irect r = around(x0, y0, x1, y1);
    if (x0 == x1) {
        r.x0 = snap(x0 - (float)w / 2, 1);
        r.x1 = r.x0 + w;
    } else {
        r.y0 = snap(y0 - (float)w / 2, 1);
        r.y1 = r.y0 + w;
    }
    canvas_fill(v, r, c->u.line.color);
}

static void
draw_poly(struct canvas *v, const struct dl_cmd *c, struct irect box, float s)
{
    const float *xy = dl_tail(c);
    uint32_t n = c->u.poly.n;
    if (!canvas_path_begin(v, (float)box.x0, (float)box.y0, (float)box.x1, (float)box.y1))
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i + 1 < n ? i + 1 : 0;
        canvas_path_edge(v, xy[2 * i] * s, xy[2 * i + 1] * s, xy[2 * k] * s, xy[2 * k + 1] * s);
    }
    canvas_path_end(v, c->u.poly.color);
}

static void
draw_heat(struct hl_render *r, struct canvas *v, const struct dl_cmd *c, float s)
{
    int rows = (int)c->u.heat.rows, cols = (int)c->u.heat.cols;
    hl_rect box = c->u.heat.r;
    if (!reserve(r, &r->edge, &r->cap_edges, (size_t)rows + (size_t)cols + 2, sizeof *r->edge))
        return;
    int *x = r->edge, *y = r->edge + cols + 1;
    for (int i = 0; i <= cols; i++)
        x[i] = snap(box.x + box.w * (float)i / (float)cols, s);
    for (int i = 0; i <= rows; i++)
        y[i] = snap(box.y + box.h * (float)i / (float)rows, s);
    /* Cells that are little wider than the space between them touch. */
    int gap = c->u.heat.gap > 0 ? snap_width(c->u.heat.gap, s) : 0;
    float cell = fminf(box.w / (float)cols, box.h / (float)rows) * s;
    if ((float)gap * 3 > cell)
        gap = 0;
    float radius = gap > 0 ? c->u.heat.radius * s : 0;
    canvas_cells(v, x, y, rows, cols, gap, radius,
                 theme_map((enum dl_map)c->u.heat.map, c->u.heat.dark != 0), dl_tail(c));
}

static void
draw_item(struct hl_render *r, const struct item *it, float s)
{
    struct canvas *v = &r->canvas;
    const struct dl_cmd *c = it->c;
    switch ((enum dl_kind)c->kind) {
    case DL_FILL:
        canvas_fill_round(v, snap_rect(c->u.box.r, s), c->u.box.radius * s, c->u.box.color);
        break;
    case DL_STROKE:
        canvas_stroke_round(v, snap_rect(c->u.box.r, s), c->u.box.radius * s,
                            snap_width(c->u.box.width, s), c->u.box.color);
        break;
    case DL_LINE:
        draw_line(v, c, s);
        break;
    case DL_RIBBON:
        canvas_ribbon(v, c->u.line.x0 * s, c->u.line.y0 * s, c->u.line.x1 * s, c->u.line.y1 * s,
                      c->u.line.width * s, c->u.line.horizontal != 0, c->u.line.color);
        break;
    case DL_POLY:
        draw_poly(v, c, it->box, s);
        break;
    case DL_TEXT: {
        float x, y;
        const struct shape *sh = text_place(r, c, s, &x, &y);
        if (sh)
            text_draw(r->text, v, sh, x, y, c->u.text.size * s, c->u.text.angle, c->u.text.color);
        break;
    }
    case DL_HEAT:
        draw_heat(r, v, c, s);
        break;
    case DL_IMAGE:
        canvas_image(v, snap_rect(c->u.image.r, s), (int)c->u.image.rows, (int)c->u.image.cols,
                     dl_tail(c));
        break;
    case DL_CLIP_PUSH:
    case DL_CLIP_POP:
    case DL_HIT:
    case DL_KIND_COUNT:
        break;
    }
}

/* Repaints one area in bands that fit into the processor's cache. */
static void
paint(struct hl_render *r, const struct dl *d, struct hl_pixels px, struct irect area)
{
    int width = area.x1 - area.x0, rows = width > 0 ? BAND_PIXELS / width : 0;
    rows = rows > 16 ? rows : 16;
    r->canvas.px = px;
    for (int y = area.y0; y < area.y1; y += rows) {
        struct irect band = { area.x0, y, area.x1, y + rows < area.y1 ? y + rows : area.y1 };
        r->canvas.clip = band;
        canvas_fill(&r->canvas, band, d->background | 255);
        for (size_t i = 0; i < r->n_items; i++) {
            r->canvas.clip = irect_and(r->item[i].box, band);
            if (!irect_empty(r->canvas.clip))
                draw_item(r, &r->item[i], d->scale);
        }
    }
}

static bool
begin(struct hl_render *r, const struct dl *d, struct hl_pixels px)
{
    r->failed = r->canvas.failed = false;
    fonts_frame(r->fonts);
    text_frame(r->text);
    return collect(r, d, px.w, px.h);
}

bool
render_draw(struct hl_render *r, const struct dl *d, struct hl_pixels px)
{
    if (!begin(r, d, px))
        return false;
    r->on.p = NULL; /* the next update knows nothing */
    paint(r, d, px, (struct irect) { 0, 0, px.w, px.h });
    return !r->failed && !r->canvas.failed;
}

/* ---- what changed ---- */

static void
hash_tiles(struct hl_render *r, const struct dl *d, int cols, int rows)
{
    uint64_t empty = hl_fnv1a(0, &d->background, sizeof d->background);
    for (int i = 0; i < cols * rows; i++)
        r->tile[i] = empty;
    for (size_t i = 0; i < r->n_items; i++) {
        const struct item *it = &r->item[i];
        uint64_t h = hl_fnv1a(hl_fnv1a(0, &it->clip, sizeof it->clip), it->c, it->c->size);
        for (int y = it->box.y0 / TILE; y <= (it->box.y1 - 1) / TILE; y++)
            for (int x = it->box.x0 / TILE; x <= (it->box.x1 - 1) / TILE; x++) {
                uint64_t *t = &r->tile[y * cols + x];
                *t = (*t ^ h) * 0x9E3779B97F4A7C15u;
                *t ^= *t >> 32;
            }
    }
}

/* Tiles that differ, joined along rows and then downwards, as areas. -1: too many. */
static int
changed_areas(const struct hl_render *r, int cols, int rows, struct irect *out, int max)
{
    int n = 0;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++) {
            if (r->tile[y * cols + x] == r->tile_before[y * cols + x])
                continue;
            int end = x + 1;
            while (end < cols && r->tile[y * cols + end] != r->tile_before[y * cols + end])
                end++;
            int k = 0;
            while (k < n && !(out[k].y1 == y && out[k].x0 == x && out[k].x1 == end))
                k++;
            if (k < n) {
                out[k].y1 = y + 1;
            } else if (n == max) {
                return -1;
            } else {
                out[n++] = (struct irect) { x, y, end, y + 1 };
            }
            x = end - 1;
        }
    }
    return n;
}

/* Tiles compare what is drawn in logical pixels: the scale must be the same too. */
static bool
holds_last(const struct hl_render *r, const struct dl *d, struct hl_pixels px)
{
    return r->on.p == px.p && r->on.w == px.w && r->on.h == px.h && r->on.stride == px.stride &&
           r->scale == d->scale;
}

int
render_update(struct hl_render *r, const struct dl *d, struct hl_pixels px, bool fresh,
              struct hl_area *areas, int max_areas)
{
    enum { MAX_AREAS = 32 };
    struct irect area[MAX_AREAS];
    int cols = (px.w + TILE - 1) / TILE, rows = (px.h + TILE - 1) / TILE;
    size_t n_tiles = (size_t)(cols > 0 ? cols : 0) * (size_t)(rows > 0 ? rows : 0);
    size_t cap = r->cap_tiles;
    bool known = !fresh && holds_last(r, d, px);
    if (n_tiles == 0 || max_areas < 1)
        return 0;
    if (!begin(r, d, px) || !reserve(r, &r->tile_before, &cap, n_tiles, sizeof *r->tile_before) ||
        !reserve(r, &r->tile, &r->cap_tiles, n_tiles, sizeof *r->tile)) {
        r->on.p = NULL;
        return -1;
    }
    uint64_t *swap = r->tile_before;
    r->tile_before = r->tile;
    r->tile = swap;
    hash_tiles(r, d, cols, rows);
    int most = max_areas < MAX_AREAS ? max_areas : MAX_AREAS;
    int n = known ? changed_areas(r, cols, rows, area, most) : -1;
    if (n < 0) {
        area[0] = (struct irect) { 0, 0, cols, rows };
        n = 1;
    }
    for (int i = 0; i < n; i++) {
        struct irect a = { area[i].x0 * TILE, area[i].y0 * TILE, area[i].x1 * TILE,
                           area[i].y1 * TILE };
        a = irect_and(a, (struct irect) { 0, 0, px.w, px.h });
        paint(r, d, px, a);
        areas[i] = (struct hl_area) { a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0 };
    }
    bool whole = !r->failed && !r->canvas.failed;
    r->on = whole ? px : (struct hl_pixels) { 0 };
    r->scale = d->scale;
    return whole ? n : -1;
}

#include "sdl/canvas.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

void
canvas_deinit(struct canvas *c)
{
    hl_free(c->acc);
    hl_free(c->span);
    memset(c, 0, sizeof *c);
}

/* ---- blending ---- */

static inline uint32_t
opaque(hl_color c)
{
    return 0xFF000000u | c >> 8;
}

/* d moved towards s by a/256, both halves of the channels at a time. */
static inline uint32_t
blend(uint32_t d, uint32_t s, uint32_t a)
{
    uint32_t d0 = d & 0xFF00FF, d1 = d >> 8 & 0xFF00FF;
    uint32_t s0 = s & 0xFF00FF, s1 = s >> 8 & 0xFF00FF;
    d0 = (d0 + ((s0 - d0) * a >> 8)) & 0xFF00FF;
    d1 = (d1 + ((s1 - d1) * a >> 8)) & 0xFF00FF;
    return d0 | d1 << 8;
}

/* Coverage 0..255 times alpha 0..255 as 0..256. */
static inline uint32_t
weight(uint32_t coverage, uint32_t alpha)
{
    uint32_t v = coverage * alpha + 128;
    v = (v + (v >> 8)) >> 8;
    return v + (v >> 7);
}

static inline void
put(uint32_t *p, uint32_t s, uint32_t coverage, uint32_t alpha)
{
    *p = blend(*p, s, weight(coverage, alpha));
}

static inline uint32_t *
row_at(const struct canvas *c, int y)
{
    return c->px.p + (ptrdiff_t)y * c->px.stride;
}

static void
fill_row(uint32_t *p, int n, uint32_t s, uint32_t alpha)
{
    if (alpha == 255) {
        for (int i = 0; i < n; i++)
            p[i] = s;
    } else {
        uint32_t a = alpha + (alpha >> 7);
        for (int i = 0; i < n; i++)
            p[i] = blend(p[i], s, a);
    }
}

void
canvas_fill(struct canvas *c, struct irect r, hl_color color)
{
    r = irect_and(r, c->clip);
    if ((color & 255) == 0 || irect_empty(r))
        return;
    for (int y = r.y0; y < r.y1; y++)
        fill_row(row_at(c, y) + r.x0, r.x1 - r.x0, opaque(color), color & 255);
}

/* ---- round corners ---- */

/* Coverage 0..255 of pixel (i, j), counted from the corner, of a disc of `radius`
 * that touches both sides. */
static inline uint32_t
corner(float radius, int i, int j)
{
    float dx = radius - ((float)i + 0.5f), dy = radius - ((float)j + 0.5f);
    if (dx <= 0 || dy <= 0)
        return 255;
    float v = radius + 0.5f - sqrtf(dx * dx + dy * dy);
    return v <= 0 ? 0 : v >= 1 ? 255 : (uint32_t)(v * 255 + 0.5f);
}

static float
fit_radius(struct irect r, float radius)
{
    float w = (float)(r.x1 - r.x0) / 2, h = (float)(r.y1 - r.y0) / 2;
    radius = radius < w ? radius : w;
    radius = radius < h ? radius : h;
    return radius > 0 ? radius : 0;
}

/* Draws one row of a rounded box: `n` corner pixels at both ends by the coverage
 * at distance j from the nearer edge, less that of a hole inside. */
static void
round_row(struct canvas *c, struct irect r, int y, float radius, int n, int width, hl_color color)
{
    int j = y - r.y0 < r.y1 - 1 - y ? y - r.y0 : r.y1 - 1 - y;
    uint32_t *row = row_at(c, y), s = opaque(color), alpha = color & 255;
    float inner = radius - (float)width;
    for (int i = 0; i < n; i++) {
        uint32_t v = corner(radius, i, j);
        if (width > 0 && i >= width && j >= width)
            v -= inner > 0 ? (v < corner(inner, i - width, j - width)
                                  ? v
                                  : corner(inner, i - width, j - width))
                           : v;
        int left = r.x0 + i, right = r.x1 - 1 - i;
        if (v && left >= c->clip.x0 && left < c->clip.x1)
            put(row + left, s, v, alpha);
        if (v && right != left && right >= c->clip.x0 && right < c->clip.x1)
            put(row + right, s, v, alpha);
    }
}

void
canvas_fill_round(struct canvas *c, struct irect r, float radius, hl_color color)
{
    radius = fit_radius(r, radius);
    struct irect show = irect_and(r, c->clip);
    if (radius < 0.5f || irect_empty(show)) {
        canvas_fill(c, r, color);
        return;
    }
    int n = (int)ceilf(radius), w = r.x1 - r.x0;
    n = n < (w + 1) / 2 ? n : (w + 1) / 2;
    for (int y = show.y0; y < show.y1; y++) {
        bool edge = y - r.y0 < n || r.y1 - 1 - y < n;
        struct irect mid = { edge ? r.x0 + n : r.x0, y, edge ? r.x1 - n : r.x1, y + 1 };
        if (edge && (color & 255))
            round_row(c, r, y, radius, n, 0, color);
        canvas_fill(c, mid, color);
    }
}

void
canvas_stroke_round(struct canvas *c, struct irect r, float radius, int width, hl_color color)
{
    struct irect show = irect_and(r, c->clip);
    int w = r.x1 - r.x0, h = r.y1 - r.y0;
    if ((color & 255) == 0 || irect_empty(show))
        return;
    if (2 * width >= w || 2 * width >= h) {
        canvas_fill_round(c, r, radius, color);
        return;
    }
    radius = fit_radius(r, radius);
    int n = (int)ceilf(radius);
    n = n > width ? n : width;
    n = n < (w + 1) / 2 ? n : (w + 1) / 2;
    for (int y = show.y0; y < show.y1; y++) {
        int j = y - r.y0 < r.y1 - 1 - y ? y - r.y0 : r.y1 - 1 - y;
        if (j < n) {
            round_row(c, r, y, radius, n, width, color);
            if (j < width)
                canvas_fill(c, (struct irect){ r.x0 + n, y, r.x1 - n, y + 1 }, color);
        } else {
            canvas_fill(c, (struct irect){ r.x0, y, r.x0 + width, y + 1 }, color);
            canvas_fill(c, (struct irect){ r.x1 - width, y, r.x1, y + 1 }, color);
        }
    }
}

/* ---- masks ---- */

static void
mask_row(uint32_t *p, const uint8_t *a, int n, uint32_t s, uint32_t alpha)
{
    for (int i = 0; i < n; i++)
        if (a[i])
            put(p + i, s, a[i], alpha);
}

static void
picture_row(uint32_t *p, const uint32_t *argb, int n, uint32_t alpha)
{
    for (int i = 0; i < n; i++)
        put(p + i, argb[i] | 0xFF000000u, argb[i] >> 24, alpha);
}

void
canvas_mask(struct canvas *c, const struct mask *m, int x, int y, hl_color color)
{
    int left = x + m->left, top = y + m->top;
    struct irect r = irect_and((struct irect){ left, top, left + m->w, top + m->h }, c->clip);
    if (irect_empty(r))
        return;
    for (int row = r.y0; row < r.y1; row++) {
        size_t at = (size_t)(row - top) * (size_t)m->w + (size_t)(r.x0 - left);
        if (m->argb)
            picture_row(row_at(c, row) + r.x0, m->argb + at, r.x1 - r.x0, color & 255);
        else
            mask_row(row_at(c, row) + r.x0, m->a + at, r.x1 - r.x0, opaque(color), color & 255);
    }
}

/* ---- paths ---- */

static int
clamp_pixel(float v)
{
    return v < -30000 ? -30000 : v > 30000 ? 30000 : (int)v;
}

bool
canvas_path_begin(struct canvas *c, float x0, float y0, float x1, float y1)
{
    /* Columns are those of the whole picture and rows those of the clip: then a
     * smaller clip changes no sum. */
    struct irect own = { clamp_pixel(floorf(x0)), clamp_pixel(floorf(y0)),
                         clamp_pixel(ceilf(x1)) + 1, clamp_pixel(ceilf(y1)) + 1 };
    struct irect all = { 0, c->clip.y0, c->px.w, c->clip.y1 };
    c->box = irect_and(own, all);
    if (irect_empty(c->box) || irect_empty(irect_and(c->box, c->clip)))
        return false;
    size_t rows = (size_t)(c->box.y1 - c->box.y0);
    size_t need = rows * ((size_t)(c->box.x1 - c->box.x0) + 2);
    if (need > c->acc_cap) {
        float *grown = hl_realloc(c->acc, need, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return false;
        }
        memset(grown + c->acc_cap, 0, (need - c->acc_cap) * sizeof *grown);
        c->acc = grown;
        c->acc_cap = need;
    }
    size_t ends = rows * 2;
    if (ends > c->span_cap) {
        int *grown = hl_realloc(c->span, ends, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return false;
        }
        c->span = grown;
        c->span_cap = ends;
    }
    for (size_t i = 0; i < rows; i++) {
        c->span[2 * i] = 1 << 30;
        c->span[2 * i + 1] = -1;
    }
    return true;
}

/* Adds the signed area right of the piece of an edge within one row: from xa to xb
 * (columns of the box) while y falls by dy. */
static void
add_area(float *row, int *span, float xa, float xb, float dy, float width)
{
    float lo = xa < xb ? xa : xb, hi = xa < xb ? xb : xa;
    lo = lo < 0 ? 0 : lo > width ? width : lo;
    hi = hi < 0 ? 0 : hi > width ? width : hi;
    int i0 = (int)lo, i1 = (int)hi;
    span[0] = i0 < span[0] ? i0 : span[0];
    span[1] = i1 + 1 > span[1] ? i1 + 1 : span[1];
    if (i0 == i1) {
        float part = dy * (1 - ((lo + hi) / 2 - (float)i0));
        row[i0] += part;
        row[i0 + 1] += dy - part;
        return;
    }
    /* The edge crosses columns: what is covered right of it grows as a parabola in
     * the first and last column and evenly between. */
    float slope = dy / (hi - lo), before = 0;
    for (int i = i0; i <= i1; i++) {
        float end = (float)(i + 1) < hi ? (float)(i + 1) : hi;
        float start = (float)i > lo ? (float)i : lo;
        float passed = slope * (end - start);
        float area = passed * ((float)(i + 1) - (start + end) / 2);
        row[i] += area + before;
        before = passed - area;
    }
    row[i1 + 1] += before;
}

void
canvas_path_edge(struct canvas *c, float x0, float y0, float x1, float y1)
{
    if (y0 == y1)
        return;
    float sign = 1;
    if (y0 > y1) {
        float t = x0;
        x0 = x1;
        x1 = t;
        t = y0;
        y0 = y1;
        y1 = t;
        sign = -1;
    }
    float dxdy = (x1 - x0) / (y1 - y0), width = (float)(c->box.x1 - c->box.x0);
    float top = y0 > (float)c->box.y0 ? y0 : (float)c->box.y0;
    float bottom = y1 < (float)c->box.y1 ? y1 : (float)c->box.y1;
    size_t stride = (size_t)(c->box.x1 - c->box.x0) + 2;
    for (int y = (int)floorf(top); (float)y < bottom; y++) {
        float ya = y0 > (float)y ? y0 : (float)y, yb = y1 < (float)(y + 1) ? y1 : (float)(y + 1);
        float xa = x0 + (ya - y0) * dxdy - (float)c->box.x0;
        float xb = x0 + (yb - y0) * dxdy - (float)c->box.x0;
        size_t row = (size_t)(y - c->box.y0);
        add_area(c->acc + row * stride, c->span + 2 * row, xa, xb, sign * (yb - ya), width);
    }
}

void
canvas_path_end(struct canvas *c, hl_color color)
{
    size_t stride = (size_t)(c->box.x1 - c->box.x0) + 2;
    uint32_t s = opaque(color), alpha = color & 255;
    for (int y = c->box.y0; y < c->box.y1; y++) {
        size_t row = (size_t)(y - c->box.y0);
        int from = c->span[2 * row], to = c->span[2 * row + 1];
        if (to < from)
            continue;
        float *acc = c->acc + row * stride, sum = 0;
        uint32_t *p = row_at(c, y);
        for (int i = from; i <= to; i++) {
            sum += acc[i];
            acc[i] = 0;
            float v = fabsf(sum);
            int x = c->box.x0 + i;
            uint32_t coverage = v >= 1 ? 255 : (uint32_t)(v * 255 + 0.5f);
            if (coverage && x >= c->clip.x0 && x < c->clip.x1)
                put(p + x, s, coverage, alpha);
        }
    }
}

/* ---- lines and curves ---- */

/* Fills the outline that runs along left[] and back along right[]. */
static void
fill_band(struct canvas *c, float (*left)[2], float (*right)[2], int n, hl_color color)
{
    float x0 = left[0][0], y0 = left[0][1], x1 = x0, y1 = y0;
    for (int i = 0; i < n; i++) {
        x0 = fminf(x0, fminf(left[i][0], right[i][0]));
        x1 = fmaxf(x1, fmaxf(left[i][0], right[i][0]));
        y0 = fminf(y0, fminf(left[i][1], right[i][1]));
        y1 = fmaxf(y1, fmaxf(left[i][1], right[i][1]));
    }
    if (!canvas_path_begin(c, x0, y0, x1, y1))
        return;
    for (int i = 0; i + 1 < n; i++) {
        canvas_path_edge(c, left[i][0], left[i][1], left[i + 1][0], left[i + 1][1]);
        canvas_path_edge(c, right[i + 1][0], right[i + 1][1], right[i][0], right[i][1]);
    }
    canvas_path_edge(c, left[n - 1][0], left[n - 1][1], right[n - 1][0], right[n - 1][1]);
    canvas_path_edge(c, right[0][0], right[0][1], left[0][0], left[0][1]);
    canvas_path_end(c, color);
}

void
canvas_line(struct canvas *c, float x0, float y0, float x1, float y1, float width, hl_color color)
{
    float dx = x1 - x0, dy = y1 - y0, len = sqrtf(dx * dx + dy * dy);
    if (len <= 0 || width <= 0)
        return;
    float nx = -dy / len * width / 2, ny = dx / len * width / 2;
    float left[2][2] = { { x0 + nx, y0 + ny }, { x1 + nx, y1 + ny } };
    float right[2][2] = { { x0 - nx, y0 - ny }, { x1 - nx, y1 - ny } };
    fill_band(c, left, right, 2, color);
}

void
canvas_ribbon(struct canvas *c, float x0, float y0, float x1, float y1, float width,
              bool horizontal, hl_color color)
{
    enum { MAX_STEPS = 64 };
    float left[MAX_STEPS + 1][2], right[MAX_STEPS + 1][2];
    float dx = x1 - x0, dy = y1 - y0, len = sqrtf(dx * dx + dy * dy);
    if (len <= 0 || width <= 0)
        return;
    int n = (int)(len / 5) + 6;
    n = n < MAX_STEPS ? n : MAX_STEPS;
    for (int i = 0; i <= n; i++) {
        /* Bezier whose inner points lie half way: one coordinate is a smoothstep,
         * the other 1.5 t (1 - t) + t^3 and so on; derivatives give the normal. */
        float t = (float)i / (float)n, u = 1 - t;
        float cross = t * t * (3 - 2 * t), d_cross = 6 * t * u;
        float along = 1.5f * t * u * u + 1.5f * t * t * u + t * t * t;
        float d_along = 1.5f * u * u + 1.5f * t * t;
        float x = x0 + dx * (horizontal ? along : cross);
        float y = y0 + dy * (horizontal ? cross : along);
        float tx = dx * (horizontal ? d_along : d_cross);
        float ty = dy * (horizontal ? d_cross : d_along);
        float norm = sqrtf(tx * tx + ty * ty);
        float k = norm > 0 ? width / 2 / norm : 0;
        left[i][0] = x - ty * k;
        left[i][1] = y + tx * k;
        right[i][0] = x + ty * k;
        right[i][1] = y - tx * k;
    }
    fill_band(c, left, right, n + 1, color);
}

/* ---- heat grids ---- */

static void
cells_row(struct canvas *c, const int *x, struct irect band, int cols, int gap, float radius,
          const hl_color *map, const uint8_t *cells)
{
    struct irect show = irect_and(band, c->clip);
    for (int k = 0; k < cols; k++) {
        int left = x[k] + gap / 2, right = x[k + 1] - (gap - gap / 2);
        if (right <= c->clip.x0 || left >= c->clip.x1 || right <= left)
            continue;
        hl_color color = map[cells[k]];
        if (radius >= 0.5f) {
            canvas_fill_round(c, (struct irect){ left, band.y0, right, band.y1 }, radius, color);
            continue;
        }
        left = left > c->clip.x0 ? left : c->clip.x0;
        right = right < c->clip.x1 ? right : c->clip.x1;
        for (int y = show.y0; y < show.y1; y++)
            fill_row(row_at(c, y) + left, right - left, opaque(color), color & 255);
    }
}

void
canvas_cells(struct canvas *c, const int *x, const int *y, int rows, int cols, int gap,
             float radius, const hl_color *map, const uint8_t *cells)
{
    for (int r = 0; r < rows; r++) {
        struct irect band = { x[0], y[r] + gap / 2, x[cols], y[r + 1] - (gap - gap / 2) };
        if (band.y1 <= band.y0 || irect_empty(irect_and(band, c->clip)))
            continue;
        cells_row(c, x, band, cols, gap, radius, map, cells + (size_t)r * (size_t)cols);
    }
}

/* ---- pictures ---- */

/* First and last + 1 of n parts that pixel i of `size` covers: one where parts are
 * the larger. */
static void
covered(int i, int size, int n, int *from, int *to)
{
    if (n <= size) {
        *from = (int)(((int64_t)2 * i + 1) * n / ((int64_t)2 * size));
        *to = *from + 1;
        return;
    }
    *from = (int)((int64_t)i * n / size);
    *to = (int)((((int64_t)i + 1) * n + size - 1) / size);
}

static hl_color
mean_color(const hl_color *px, int cols, const int row[2], const int col[2])
{
    uint32_t sum[4] = { 0 }, n = (uint32_t)((row[1] - row[0]) * (col[1] - col[0]));
    if (n == 1)
        return px[(ptrdiff_t)row[0] * cols + col[0]];
    for (int y = row[0]; y < row[1]; y++) {
        for (int x = col[0]; x < col[1]; x++) {
            hl_color v = px[(ptrdiff_t)y * cols + x];
            for (int k = 0; k < 4; k++)
                sum[k] += v >> (24 - 8 * k) & 255;
        }
    }
    hl_color out = 0;
    for (int k = 0; k < 4; k++)
        out = out << 8 | (sum[k] + n / 2) / n;
    return out;
}

void
canvas_image(struct canvas *c, struct irect r, int rows, int cols, const hl_color *px)
{
    struct irect show = irect_and(r, c->clip);
    int w = r.x1 - r.x0, h = r.y1 - r.y0;
    if (irect_empty(show))
        return;
    for (int y = show.y0; y < show.y1; y++) {
        int row[2], col[2], x = show.x0;
        covered(y - r.y0, h, rows, &row[0], &row[1]);
        while (x < show.x1) {
            covered(x - r.x0, w, cols, &col[0], &col[1]);
            /* All pixels of an enlarged square at once. */
            int end = x + 1, next[2] = { col[0], 0 };
            for (; end < show.x1 && cols <= w; end++) {
                covered(end - r.x0, w, cols, &next[0], &next[1]);
                if (next[0] != col[0])
                    break;
            }
            hl_color v = mean_color(px, cols, row, col);
            fill_row(row_at(c, y) + x, end - x, opaque(v), v & 255);
            x = end;
        }
    }
}

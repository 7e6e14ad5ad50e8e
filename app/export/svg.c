#include "export/svg.h"

#include <math.h>
#include <stdint.h>

#include "base/utf8.h"
#include "draw/theme.h"
#include "export/png_text.h"

struct writer {
    struct hl_sb *sb;
    const struct hl_metrics *m;
    int n_clips; /* given out so far: ids */
    int depth;
};

/* ---- pieces ---- */

static void
num(struct writer *w, float v)
{
    hl_sb_num(w->sb, round((double)v * 100) / 100, 9);
}

static void
attr(struct writer *w, const char *name, float v)
{
    hl_sb_printf(w->sb, " %s=\"", name);
    num(w, v);
    hl_sb_putc(w->sb, '"');
}

/* "fill" or "stroke" and its opacity. */
static void
paint(struct writer *w, const char *what, hl_color c)
{
    hl_sb_printf(w->sb, " %s=\"#%06x\"", what, c >> 8);
    if ((c & 255) != 255) {
        hl_sb_printf(w->sb, " %s-opacity=\"", what);
        hl_sb_num(w->sb, round((double)(c & 255) / 255 * 1000) / 1000, 4);
        hl_sb_putc(w->sb, '"');
    }
}

static void
pair(struct writer *w, float x, float y)
{
    num(w, x);
    hl_sb_putc(w->sb, ' ');
    num(w, y);
}

static void
rect_attrs(struct writer *w, hl_rect r, float radius)
{
    attr(w, "x", r.x);
    attr(w, "y", r.y);
    attr(w, "width", r.w > 0 ? r.w : 0);
    attr(w, "height", r.h > 0 ? r.h : 0);
    if (radius > 0)
        attr(w, "rx", radius);
}

/* Character data: markup escaped, what XML cannot hold replaced. */
static void
put_chars(struct hl_sb *sb, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        char utf8[4];
        i += hl_utf8_next(s + i, n - i, &cp);
        if (cp == '<')
            hl_sb_puts(sb, "&lt;");
        else if (cp == '>')
            hl_sb_puts(sb, "&gt;");
        else if (cp == '&')
            hl_sb_puts(sb, "&amp;");
        else if ((cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') || cp == 0xFFFE ||
                 cp == 0xFFFF)
            hl_sb_puts(sb, "\xEF\xBF\xBD");
        else
            hl_sb_put(sb, utf8, hl_utf8_put(utf8, cp));
    }
}

/* XML readers fold blanks at the ends and in a row unless told not to. */
static bool
needs_spaces(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == ' ' && (i == 0 || i + 1 == n || s[i + 1] == ' '))
            return true;
    return false;
}

/* ---- commands ---- */

static void
put_stroke(struct writer *w, const struct dl_cmd *c)
{
    float half = c->u.box.width / 2, radius = c->u.box.radius - half;
    hl_sb_puts(w->sb, "<rect");
    rect_attrs(w, rect_inset(c->u.box.r, half, half), radius);
    hl_sb_puts(w->sb, " fill=\"none\"");
    paint(w, "stroke", c->u.box.color);
    attr(w, "stroke-width", c->u.box.width);
    hl_sb_puts(w->sb, "/>\n");
}

static void
put_line(struct writer *w, const struct dl_cmd *c)
{
    hl_sb_puts(w->sb, "<path d=\"M");
    pair(w, c->u.line.x0, c->u.line.y0);
    hl_sb_putc(w->sb, 'L');
    pair(w, c->u.line.x1, c->u.line.y1);
    hl_sb_puts(w->sb, "\" fill=\"none\"");
    paint(w, "stroke", c->u.line.color);
    attr(w, "stroke-width", c->u.line.width);
    hl_sb_puts(w->sb, "/>\n");
}

static void
put_ribbon(struct writer *w, const struct dl_cmd *c)
{
    float x0 = c->u.line.x0, y0 = c->u.line.y0, x1 = c->u.line.x1, y1 = c->u.line.y1;
    float mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
    bool across = c->u.line.horizontal != 0;
    hl_sb_puts(w->sb, "<path d=\"M");
    pair(w, x0, y0);
    hl_sb_putc(w->sb, 'C');
    pair(w, across ? mx : x0, across ? y0 : my);
    hl_sb_putc(w->sb, ' ');
    pair(w, across ? mx : x1, across ? y1 : my);
    hl_sb_putc(w->sb, ' ');
    pair(w, x1, y1);
    hl_sb_puts(w->sb, "\" fill=\"none\"");
    paint(w, "stroke", c->u.line.color);
    attr(w, "stroke-width", c->u.line.width);
    hl_sb_puts(w->sb, "/>\n");
}

static void
put_poly(struct writer *w, const struct dl_cmd *c)
{
    const float *xy = dl_tail(c);
    hl_sb_puts(w->sb, "<polygon points=\"");
    for (uint32_t i = 0; i < c->u.poly.n; i++) {
        if (i)
            hl_sb_putc(w->sb, ' ');
        pair(w, xy[2 * i], xy[2 * i + 1]);
    }
    hl_sb_putc(w->sb, '"');
    paint(w, "fill", c->u.poly.color);
    hl_sb_puts(w->sb, "/>\n");
}

static void
put_text(struct writer *w, const struct dl_cmd *c)
{
    static const char *const weight[] = {
        [DL_FONT_UI] = "",
        [DL_FONT_UI_MEDIUM] = " font-weight=\"500\"",
        [DL_FONT_UI_BOLD] = " font-weight=\"600\"",
        [DL_FONT_MONO] = " font-family=\"'JetBrains Mono', 'DejaVu Sans Mono', monospace\"",
    };
    static const char *const anchor[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
    const char *s = dl_tail(c);
    size_t n = c->u.text.n, keep = n;
    enum dl_font font = (enum dl_font)c->u.text.font;
    if (c->u.text.max_width > 0)
        keep = metrics_fit(w->m, font, c->u.text.size, s, n, c->u.text.max_width);
    hl_sb_puts(w->sb, "<text");
    attr(w, "x", c->u.text.x);
    attr(w, "y", c->u.text.y);
    attr(w, "font-size", c->u.text.size);
    hl_sb_puts(w->sb, weight[font]);
    hl_sb_puts(w->sb, anchor[c->u.text.align]);
    paint(w, "fill", c->u.text.color);
    if (c->u.text.angle != 0) {
        hl_sb_puts(w->sb, " transform=\"rotate(");
        num(w, -c->u.text.angle);
        hl_sb_putc(w->sb, ' ');
        pair(w, c->u.text.x, c->u.text.y);
        hl_sb_puts(w->sb, ")\"");
    }
    hl_sb_puts(w->sb, needs_spaces(s, n) ? " xml:space=\"preserve\">" : ">");
    put_chars(w->sb, s, keep);
    if (keep < n)
        hl_sb_puts(w->sb, METRICS_ELLIPSIS);
    hl_sb_puts(w->sb, "</text>\n");
}

/* ---- heat grids ---- */

static void
put_cells(struct writer *w, const struct dl_cmd *c, const hl_color *map)
{
    uint32_t rows = c->u.heat.rows, cols = c->u.heat.cols;
    const uint8_t *cell = dl_tail(c);
    float cw = c->u.heat.r.w / (float)cols, ch = c->u.heat.r.h / (float)rows,
          gap = c->u.heat.gap;
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < cols; x++) {
            hl_rect r = rect_make(c->u.heat.r.x + cw * (float)x + gap / 2,
                                  c->u.heat.r.y + ch * (float)y + gap / 2, cw - gap, ch - gap);
            hl_sb_puts(w->sb, "<rect");
            rect_attrs(w, r, c->u.heat.radius);
            paint(w, "fill", map[*cell++]);
            hl_sb_puts(w->sb, "/>\n");
        }
    }
}

/* One path per colour, made of the runs of that colour. */
static void
put_runs(struct writer *w, const struct dl_cmd *c, const hl_color *map)
{
    uint32_t rows = c->u.heat.rows, cols = c->u.heat.cols;
    const uint8_t *cells = dl_tail(c);
    float cw = c->u.heat.r.w / (float)cols, ch = c->u.heat.r.h / (float)rows;
    bool used[256] = { false };
    for (size_t i = 0; i < (size_t)rows * cols; i++)
        used[cells[i]] = true;
    for (int v = 0; v < 256; v++) {
        if (!used[v])
            continue;
        hl_sb_puts(w->sb, "<path d=\"");
        for (uint32_t y = 0; y < rows; y++) {
            const uint8_t *row = cells + (size_t)y * cols;
            for (uint32_t x = 0; x < cols; x++) {
                uint32_t end = x;
                while (end < cols && row[end] == v)
                    end++;
                if (end == x)
                    continue;
                hl_sb_putc(w->sb, 'M');
                pair(w, c->u.heat.r.x + cw * (float)x, c->u.heat.r.y + ch * (float)y);
                hl_sb_putc(w->sb, 'h');
                num(w, cw * (float)(end - x));
                hl_sb_putc(w->sb, 'v');
                num(w, ch);
                hl_sb_putc(w->sb, 'h');
                num(w, -cw * (float)(end - x));
                hl_sb_putc(w->sb, 'z');
                x = end - 1;
            }
        }
        hl_sb_putc(w->sb, '"');
        paint(w, "fill", map[v]);
        hl_sb_puts(w->sb, "/>\n");
    }
}

static void
put_heat(struct writer *w, const struct dl_cmd *c)
{
    const hl_color *map = theme_map((enum dl_map)c->u.heat.map, c->u.heat.dark != 0);
    float cell = fminf(c->u.heat.r.w / (float)c->u.heat.cols,
                       c->u.heat.r.h / (float)c->u.heat.rows);
    bool apart = c->u.heat.gap > 0 && c->u.heat.gap * 3 <= cell;
    size_t n = (size_t)c->u.heat.rows * c->u.heat.cols;
    /* Cells that touch would show seams if their edges were smoothed. */
    hl_sb_puts(w->sb, apart ? "<g>\n" : "<g shape-rendering=\"crispEdges\">\n");
    if (apart && n <= SVG_MAX_RECTS)
        put_cells(w, c, map);
    else
        put_runs(w, c, map);
    hl_sb_puts(w->sb, "</g>\n");
}

/* Enlarged pictures keep their squares. */
static void
put_image(struct writer *w, const struct dl_cmd *c)
{
    uint32_t rows = c->u.image.rows, cols = c->u.image.cols;
    hl_sb_puts(w->sb, "<image xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
    rect_attrs(w, c->u.image.r, 0);
    hl_sb_puts(w->sb, " preserveAspectRatio=\"none\"");
    if (c->u.image.r.w > (float)cols)
        hl_sb_puts(w->sb, " image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"");
    hl_sb_puts(w->sb, " xlink:href=\"data:image/png;base64,");
    png_text_put(w->sb, (int)rows, (int)cols, dl_tail(c));
    hl_sb_puts(w->sb, "\"/>\n");
}

static void
put_clip(struct writer *w, hl_rect r)
{
    int id = ++w->n_clips;
    hl_sb_printf(w->sb, "<clipPath id=\"c%d\"><rect", id);
    rect_attrs(w, r, 0);
    hl_sb_printf(w->sb, "/></clipPath>\n<g clip-path=\"url(#c%d)\">\n", id);
    w->depth++;
}

static void
put_command(struct writer *w, const struct dl_cmd *c)
{
    switch ((enum dl_kind)c->kind) {
    case DL_CLIP_PUSH:
        put_clip(w, c->u.clip.r);
        break;
    case DL_CLIP_POP:
        if (w->depth > 0) {
            hl_sb_puts(w->sb, "</g>\n");
            w->depth--;
        }
        break;
    case DL_FILL:
        hl_sb_puts(w->sb, "<rect");
        rect_attrs(w, c->u.box.r, c->u.box.radius);
        paint(w, "fill", c->u.box.color);
        hl_sb_puts(w->sb, "/>\n");
        break;
    case DL_STROKE:
        put_stroke(w, c);
        break;
    case DL_LINE:
        put_line(w, c);
        break;
    case DL_RIBBON:
        put_ribbon(w, c);
        break;
    case DL_POLY:
        put_poly(w, c);
        break;
    case DL_TEXT:
        put_text(w, c);
        break;
    case DL_HEAT:
        put_heat(w, c);
        break;
    case DL_IMAGE:
        put_image(w, c);
        break;
    case DL_HIT:
    case DL_KIND_COUNT:
        break;
    }
}

void
svg_write(const struct dl *d, const struct hl_metrics *m, struct hl_sb *sb)
{
    struct writer w = { sb, m, 0, 0 };
    hl_sb_puts(sb, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    attr(&w, "width", d->width);
    attr(&w, "height", d->height);
    hl_sb_puts(sb, " viewBox=\"0 0 ");
    pair(&w, d->width, d->height);
    hl_sb_puts(sb, "\" font-family=\"Inter, 'Noto Sans', 'DejaVu Sans', sans-serif\">\n<rect");
    rect_attrs(&w, rect_make(0, 0, d->width, d->height), 0);
    paint(&w, "fill", d->background);
    hl_sb_puts(sb, "/>\n");
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c))
        put_command(&w, c);
    while (w.depth-- > 0)
        hl_sb_puts(sb, "</g>\n");
    hl_sb_puts(sb, "</svg>\n");
}

#include "draw/dl_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "base/utf8.h"

static const char *const kind_names[] = {
    [DL_CLIP_PUSH] = "clip", [DL_CLIP_POP] = "unclip", [DL_FILL] = "fill",
    [DL_STROKE] = "stroke",  [DL_LINE] = "line",       [DL_RIBBON] = "ribbon",
    [DL_POLY] = "poly",      [DL_TEXT] = "text",       [DL_HEAT] = "heat",
    [DL_IMAGE] = "image",    [DL_HIT] = "hit",
};
static const char *const font_names[] = { "ui", "ui-medium", "ui-bold", "mono" };
static const char *const align_names[] = { "left", "center", "right" };
static const char *const cursor_names[] = { "arrow", "hand", "text", "resize" };
static const char *const map_names[] = { "weight", "signed" };
static const char *const dark_names[] = { "light", "dark" };
static const char *const ribbon_names[] = { "vertical", "horizontal" };

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
_Static_assert(COUNT(kind_names) == DL_KIND_COUNT, "a name for each kind");
_Static_assert(COUNT(font_names) == DL_FONT_COUNT, "a name for each font");
_Static_assert(COUNT(map_names) == DL_MAP_COUNT, "a name for each map");

/* ---- writing ---- */

static void
put_num(struct hl_sb *sb, float v)
{
    hl_sb_putc(sb, ' ');
    hl_sb_fixed(sb, fabsf(v) < 0.005f ? 0 : (double)v, 2);
}

static void
put_rect(struct hl_sb *sb, hl_rect r)
{
    put_num(sb, r.x);
    put_num(sb, r.y);
    put_num(sb, r.w);
    put_num(sb, r.h);
}

static void
put_color(struct hl_sb *sb, hl_color c)
{
    hl_sb_printf(sb, " #%08x", c);
}

static void
put_name(struct hl_sb *sb, const char *const *names, int n, uint32_t v)
{
    hl_sb_putc(sb, ' ');
    hl_sb_puts(sb, names[v < (uint32_t)n ? v : 0]);
}

static void
put_quoted(struct hl_sb *sb, const void *s, size_t n)
{
    hl_sb_putc(sb, ' ');
    hl_sb_json(sb, s, n);
}

static void
put_text(struct hl_sb *sb, const struct dl_cmd *c)
{
    put_num(sb, c->u.text.x);
    put_num(sb, c->u.text.y);
    put_name(sb, font_names, COUNT(font_names), c->u.text.font);
    put_num(sb, c->u.text.size);
    put_name(sb, align_names, COUNT(align_names), c->u.text.align);
    put_color(sb, c->u.text.color);
    put_num(sb, c->u.text.angle);
    put_num(sb, c->u.text.max_width);
    put_quoted(sb, dl_tail(c), c->u.text.n);
}

static void
put_heat(struct hl_sb *sb, const struct dl_cmd *c)
{
    const uint8_t *cells = dl_tail(c);
    put_rect(sb, c->u.heat.r);
    hl_sb_printf(sb, " %u %u", c->u.heat.rows, c->u.heat.cols);
    put_num(sb, c->u.heat.gap);
    put_num(sb, c->u.heat.radius);
    put_name(sb, map_names, COUNT(map_names), c->u.heat.map);
    put_name(sb, dark_names, COUNT(dark_names), c->u.heat.dark);
    for (uint32_t y = 0; y < c->u.heat.rows; y++) {
        hl_sb_putc(sb, ' ');
        for (uint32_t x = 0; x < c->u.heat.cols; x++, cells++) {
            hl_sb_putc(sb, "0123456789abcdef"[*cells >> 4]);
            hl_sb_putc(sb, "0123456789abcdef"[*cells & 15]);
        }
    }
}

static void
put_image(struct hl_sb *sb, const struct dl_cmd *c)
{
    const hl_color *px = dl_tail(c);
    put_rect(sb, c->u.image.r);
    hl_sb_printf(sb, " %u %u", c->u.image.rows, c->u.image.cols);
    for (uint32_t y = 0; y < c->u.image.rows; y++) {
        hl_sb_putc(sb, ' ');
        for (uint32_t x = 0; x < c->u.image.cols; x++, px++) {
            for (int shift = 28; shift >= 0; shift -= 4)
                hl_sb_putc(sb, "0123456789abcdef"[*px >> shift & 15]);
        }
    }
}

static void
put_shape(struct hl_sb *sb, const struct dl_cmd *c)
{
    switch ((enum dl_kind)c->kind) {
    case DL_FILL:
    case DL_STROKE:
        put_rect(sb, c->u.box.r);
        put_num(sb, c->u.box.radius);
        if (c->kind == DL_STROKE)
            put_num(sb, c->u.box.width);
        put_color(sb, c->u.box.color);
        break;
    case DL_LINE:
    case DL_RIBBON:
        put_num(sb, c->u.line.x0);
        put_num(sb, c->u.line.y0);
        put_num(sb, c->u.line.x1);
        put_num(sb, c->u.line.y1);
        put_num(sb, c->u.line.width);
        if (c->kind == DL_RIBBON)
            put_name(sb, ribbon_names, COUNT(ribbon_names), c->u.line.horizontal);
        put_color(sb, c->u.line.color);
        break;
    case DL_POLY: {
        const float *xy = dl_tail(c);
        put_color(sb, c->u.poly.color);
        for (uint32_t i = 0; i < c->u.poly.n * 2; i++)
            put_num(sb, xy[i]);
        break;
    }
    case DL_TEXT:
        put_text(sb, c);
        break;
    case DL_HEAT:
        put_heat(sb, c);
        break;
    case DL_IMAGE:
        put_image(sb, c);
        break;
    case DL_HIT:
        put_rect(sb, c->u.hit.r);
        put_name(sb, cursor_names, COUNT(cursor_names), c->u.hit.cursor);
        put_quoted(sb, dl_tail(c), c->u.hit.n);
        break;
    case DL_CLIP_PUSH:
        put_rect(sb, c->u.clip.r);
        break;
    case DL_CLIP_POP:
    case DL_KIND_COUNT:
        break;
    }
}

void
dl_write_text(const struct dl *d, struct hl_sb *sb)
{
    int depth = 0;
    hl_sb_puts(sb, "list");
    put_num(sb, d->width);
    put_num(sb, d->height);
    put_num(sb, d->scale);
    put_color(sb, d->background);
    hl_sb_putc(sb, '\n');
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c)) {
        if (c->kind == DL_CLIP_POP && depth > 0)
            depth--;
        for (int i = 0; i < depth; i++)
            hl_sb_puts(sb, "  ");
        hl_sb_puts(sb, kind_names[c->kind]);
        put_shape(sb, c);
        hl_sb_putc(sb, '\n');
        if (c->kind == DL_CLIP_PUSH)
            depth++;
    }
}

/* ---- reading ---- */

/* A cursor on one line; `bad` sticks at the first thing that does not fit. */
struct reader {
    const char *p;
    bool bad;
};

static void
skip(struct reader *r)
{
    while (*r->p == ' ')
        r->p++;
}

/* The next word into buf; empty at the end of the line. */
static void
get_word(struct reader *r, char *buf, size_t buf_sz)
{
    size_t n = 0;
    skip(r);
    while (*r->p && *r->p != ' ' && *r->p != '\n') {
        if (n + 1 < buf_sz)
            buf[n++] = *r->p;
        else
            r->bad = true;
        r->p++;
    }
    buf[n] = '\0';
}

static float
get_num(struct reader *r)
{
    char word[48];
    double v = 0;
    get_word(r, word, sizeof word);
    if (!hl_parse_double(word, &v) || !(fabs(v) <= 1e9))
        r->bad = true;
    return r->bad ? 0 : (float)v;
}

static hl_rect
get_rect(struct reader *r)
{
    hl_rect out;
    out.x = get_num(r);
    out.y = get_num(r);
    out.w = get_num(r);
    out.h = get_num(r);
    return out;
}

static int
hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static hl_color
get_color(struct reader *r)
{
    char word[16];
    hl_color c = 0;
    get_word(r, word, sizeof word);
    if (strlen(word) != 9 || word[0] != '#') {
        r->bad = true;
        return 0;
    }
    for (int i = 1; i < 9; i++) {
        int v = hex_digit(word[i]);
        r->bad |= v < 0;
        c = c << 4 | (hl_color)(v & 15);
    }
    return c;
}

static int
get_name(struct reader *r, const char *const *names, int n)
{
    char word[32];
    get_word(r, word, sizeof word);
    for (int i = 0; i < n; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    r->bad = true;
    return 0;
}

static uint32_t
get_escape(struct reader *r)
{
    uint32_t cp = 0;
    for (int i = 0; i < 4; i++) {
        int v = hex_digit(*r->p);
        if (v < 0) {
            r->bad = true;
            return 0xFFFD;
        }
        cp = cp << 4 | (uint32_t)v;
        r->p++;
    }
    return cp;
}

/* A string as hl_sb_json writes it (no surrogate pairs: those stand as UTF-8). */
static void
get_quoted(struct reader *r, struct hl_sb *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    skip(r);
    if (*r->p != '"') {
        r->bad = true;
        return;
    }
    for (r->p++; *r->p != '"'; ) {
        if (*r->p == '\0' || *r->p == '\n') {
            r->bad = true;
            return;
        }
        if (*r->p != '\\') {
            hl_sb_putc(out, *r->p++);
            continue;
        }
        char kind = *++r->p;
        const char *at = kind ? strchr(from, kind) : NULL;
        if (kind == 'u') {
            char utf8[4];
            r->p++;
            hl_sb_put(out, utf8, hl_utf8_put(utf8, get_escape(r)));
        } else if (at) {
            hl_sb_putc(out, to[at - from]);
            r->p++;
        } else {
            r->bad = true;
            return;
        }
    }
    r->p++;
}

static void
read_heat(struct dl *d, struct reader *r)
{
    hl_rect box = get_rect(r);
    float rows = get_num(r), cols = get_num(r), gap = get_num(r), radius = get_num(r);
    int map = get_name(r, map_names, COUNT(map_names));
    bool dark = get_name(r, dark_names, COUNT(dark_names)) == 1;
    if (r->bad || rows < 1 || cols < 1 || rows > 65536 || cols > 65536 ||
        strnlen(r->p, (size_t)rows * (size_t)cols * 2) < (size_t)rows * (size_t)cols * 2) {
        r->bad = true;
        return;
    }
    uint8_t *cells =
        dl_heat(d, box, (int)rows, (int)cols, gap, radius, (enum dl_map)map, dark, NULL);
    for (int y = 0; cells && y < (int)rows; y++) {
        skip(r);
        for (int x = 0; x < (int)cols; x++, r->p += 2) {
            int hi = hex_digit(r->p[0]), lo = hi < 0 ? -1 : hex_digit(r->p[1]);
            if (lo < 0) {
                r->bad = true;
                return;
            }
            *cells++ = (uint8_t)(hi << 4 | lo);
        }
    }
}

static void
read_image(struct dl *d, struct reader *r)
{
    hl_rect box = get_rect(r);
    float rows = get_num(r), cols = get_num(r);
    if (r->bad || rows < 1 || cols < 1 || rows > 65536 || cols > 65536 ||
        strnlen(r->p, (size_t)rows * (size_t)cols * 8) < (size_t)rows * (size_t)cols * 8) {
        r->bad = true;
        return;
    }
    hl_color *px = dl_image(d, box, (int)rows, (int)cols, NULL);
    for (int y = 0; px && y < (int)rows; y++) {
        skip(r);
        for (int x = 0; x < (int)cols; x++, px++) {
            for (int k = 0; k < 8; k++, r->p++) {
                int v = hex_digit(*r->p);
                if (v < 0) {
                    r->bad = true;
                    return;
                }
                *px = *px << 4 | (hl_color)v;
            }
        }
    }
}

static void
read_text(struct dl *d, struct reader *r)
{
    struct hl_sb s = { 0 };
    float x = get_num(r), y = get_num(r);
    int font = get_name(r, font_names, COUNT(font_names));
    float size = get_num(r);
    int align = get_name(r, align_names, COUNT(align_names));
    hl_color color = get_color(r);
    float angle = get_num(r), max_width = get_num(r);
    get_quoted(r, &s);
    if (s.failed)
        d->failed = true;
    else if (!r->bad && s.n)
        dl_text_ex(d, x, y, (enum dl_font)font, size, (enum dl_align)align, color, angle, max_width,
                   s.p, s.n);
    hl_sb_deinit(&s);
}

static void
read_poly(struct dl *d, struct reader *r)
{
    enum { MAX_POINTS = 1 << 16 };
    hl_color color = get_color(r);
    int n = 0, cap = 0;
    float *xy = NULL;
    for (skip(r); !r->bad && !d->failed && *r->p && *r->p != '\n'; skip(r)) {
        if (n == cap) {
            cap = cap ? cap * 2 : 32;
            float *grown = cap <= MAX_POINTS ? hl_realloc(xy, (size_t)cap, sizeof *xy) : NULL;
            if (!grown) {
                d->failed = true;
                break;
            }
            xy = grown;
        }
        xy[n++] = get_num(r);
    }
    r->bad |= n % 2 || n < 6;
    if (!r->bad && !d->failed)
        dl_poly(d, xy, n / 2, color);
    hl_free(xy);
}

static void
read_hit(struct dl *d, struct reader *r)
{
    struct hl_sb id = { 0 };
    hl_rect box = get_rect(r);
    int cursor = get_name(r, cursor_names, COUNT(cursor_names));
    get_quoted(r, &id);
    if (id.failed)
        d->failed = true;
    else if (!r->bad)
        dl_hit(d, box, (enum dl_cursor)cursor, "%s", id.n ? id.p : "");
    hl_sb_deinit(&id);
}

static void
read_line(struct dl *d, struct reader *r, bool ribbon)
{
    hl_rect ends = get_rect(r);
    float width = get_num(r);
    bool horizontal = ribbon && get_name(r, ribbon_names, COUNT(ribbon_names)) == 1;
    hl_color color = get_color(r);
    if (r->bad)
        return;
    if (ribbon)
        dl_ribbon(d, ends.x, ends.y, ends.w, ends.h, width, horizontal, color);
    else
        dl_line(d, ends.x, ends.y, ends.w, ends.h, width, color);
}

static void
read_box(struct dl *d, struct reader *r, bool stroke)
{
    hl_rect box = get_rect(r);
    float radius = get_num(r), width = stroke ? get_num(r) : 0;
    hl_color color = get_color(r);
    if (r->bad)
        return;
    if (stroke)
        dl_stroke(d, box, radius, width, color);
    else
        dl_fill(d, box, radius, color);
}

static void
read_command(struct dl *d, struct reader *r)
{
    switch ((enum dl_kind)get_name(r, kind_names, COUNT(kind_names))) {
    case DL_CLIP_PUSH: {
        hl_rect box = get_rect(r);
        if (!r->bad)
            dl_clip(d, box);
        break;
    }
    case DL_CLIP_POP:
        dl_unclip(d);
        break;
    case DL_FILL:
        read_box(d, r, false);
        break;
    case DL_STROKE:
        read_box(d, r, true);
        break;
    case DL_LINE:
        read_line(d, r, false);
        break;
    case DL_RIBBON:
        read_line(d, r, true);
        break;
    case DL_POLY:
        read_poly(d, r);
        break;
    case DL_TEXT:
        read_text(d, r);
        break;
    case DL_HEAT:
        read_heat(d, r);
        break;
    case DL_IMAGE:
        read_image(d, r);
        break;
    case DL_HIT:
        read_hit(d, r);
        break;
    case DL_KIND_COUNT:
        break;
    }
}

enum hl_status
dl_read_text(struct dl *d, const char *text, struct hl_error *err)
{
    static const char *const head[] = { "list" };
    struct reader r = { text, false };
    int line = 1;
    get_name(&r, head, 1);
    float width = get_num(&r), height = get_num(&r), scale = get_num(&r);
    hl_color background = get_color(&r);
    dl_begin(d, width, height, scale, background);
    for (;;) {
        skip(&r);
        if (d->failed)
            return hl_error_set(err, HL_E_NOMEM, "display list", "at line %d", line);
        if (r.bad || (*r.p && *r.p != '\n'))
            return hl_error_set(err, HL_E_ARGUMENT, "display list", "line %d cannot be read", line);
        r.p += *r.p == '\n';
        line++;
        if (*r.p == '\0')
            return HL_OK;
        read_command(d, &r);
    }
}

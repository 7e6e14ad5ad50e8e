/* The user's own picture: asked for, cropped, greyed, shrunk, and judged. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "screen/shell.h"
#include "state/picture.h"

enum { USUAL_SIDE = 32 };

/* ---- asking ---- */

static int
hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Where the first `n` bytes of `path` come to, "~/" being the home folder. */
static void
put_path(const char *path, size_t n, char *buf, size_t buf_sz)
{
    const char *home = getenv("HOME");
    bool at_home = n >= 2 && path[0] == '~' && path[1] == '/' && home && home[0] == '/';
    snprintf(buf, buf_sz, "%s%.*s", at_home ? home : "", (int)(at_home ? n - 1 : n),
             at_home ? path + 1 : path);
}

/* As people and programs write paths: "file:///home/me/my%20shoe.png" by file managers,
 * in quotes by shells and terminals, with a line's end, below "~/". The plain path into
 * buf; one that is too long stays so long that images_want says it. */
static void
plain_path(const char *path, char *buf, size_t buf_sz)
{
    path += strspn(path, " \t\r\n");
    size_t n = strlen(path), k = 0;
    while (n > 0 && strchr(" \t\r\n", path[n - 1]))
        n--;
    if (n >= 2 && (path[0] == '\'' || path[0] == '"') && path[n - 1] == path[0]) {
        path++;
        n -= 2;
    }
    if (n < 8 || strncmp(path, "file:///", 8) != 0) {
        put_path(path, n, buf, buf_sz);
        return;
    }
    for (size_t i = 7; i < n && path[i] != '\r' && path[i] != '\n' && k + 1 < buf_sz; k++) {
        bool coded = n - i > 2 && path[i] == '%' && hex(path[i + 1]) >= 0 && hex(path[i + 2]) >= 0;
        buf[k] = coded ? (char)(hex(path[i + 1]) * 16 + hex(path[i + 2])) : path[i];
        i += coded ? 3 : 1;
    }
    buf[k] = 0;
}

void
images_want(struct app_state *s, const char *path)
{
    struct images_open *o = &images_of(s)->open;
    char buf[IMAGES_PATH_SZ + 1];
    if (path != o->path) {
        plain_path(path, buf, sizeof buf);
        path = buf;
    }
    size_t n = strlen(path);
    if (n >= sizeof o->path) {
        hl_error_set(&o->error, HL_E_ARGUMENT, "the path", "it is longer than %d bytes",
                     IMAGES_PATH_SZ - 1);
        return;
    }
    if (o->path != path) {
        memcpy(o->path, path, n + 1);
        field_set(&images_of(s)->path_text, path, n);
        o->exchange = -1;
    }
    o->error.code = HL_OK;
    o->wanted = n > 0;
    o->dropped = false;
}

void
images_ask(struct app_state *s, struct hl_effects *fx)
{
    struct images_open *o = &images_of(s)->open;
    if (!o->wanted)
        return;
    struct hl_effect *e = fx_push(fx, FX_OPEN_PICTURE);
    e->text = o->path;
    e->ticket = ++o->ticket;
    o->wanted = false;
    o->waiting = true;
}

void
images_drop(struct app_state *s, const char *path, struct hl_effects *fx)
{
    images_want(s, path);
    images_of(s)->open.dropped = true;
    images_ask(s, fx);
}

/* ---- what came ---- */

void
images_invert(struct images_state *m, bool invert)
{
    m->open.exchange = invert;
    m->open.invert = invert;
    memcpy(m->judged.picture, m->open.ways[invert], sizeof m->judged.picture);
}

static enum hl_status
take(struct app_state *s, const struct hl_picture *p)
{
    struct images_open *o = &images_of(s)->open;
    const struct hl_sagan_info *info = images_info(s);
    int side = info != NULL ? info->side : USUAL_SIDE;
    enum hl_status st = HL_OK;
    for (int i = 0; i < 2 && st == HL_OK; i++)
        st = picture_prepare(p, side, i == 1, o->ways[i], &o->error);
    hl_color *shown =
        st == HL_OK ? picture_preview(p, IMAGES_PREVIEW, &o->w, &o->h, &o->crop) : NULL;
    if (st == HL_OK && shown == NULL)
        st = hl_error_set(&o->error, HL_E_NOMEM, o->path, "for the picture");
    if (st != HL_OK)
        return st;
    hl_free(o->preview);
    o->preview = shown;
    o->side = side;
    o->width = p->width;
    o->height = p->height;
    o->there = true;
    int exchange = o->exchange;
    images_invert(images_of(s),
                  exchange < 0 ? picture_light_edges(o->ways[0], side) : exchange == 1);
    o->exchange = exchange;
    return HL_OK;
}

bool
images_opened(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    struct images_open *o = &m->open;
    char text[APP_TEXT_SZ];
    if (ev->ticket != o->ticket)
        return false;
    bool dropped = o->dropped;
    o->waiting = o->dropped = false;
    enum hl_status st = HL_OK;
    if (ev->picture == NULL && ev->error != NULL) {
        o->error = *ev->error;
        st = o->error.code;
    } else if (ev->picture != NULL) {
        st = take(s, ev->picture);
    }
    if (st == HL_OK && ev->picture != NULL) {
        images_show_own(s, true);
        s->dirty = true;
        images_request(s, fx);
        return dropped;
    }
    if (dropped) {
        hl_error_text(&o->error, text, sizeof text);
        state_notice(s, true, "%s What can be dropped here is a PNG or JPEG picture.", text);
        if (m->open.there) /* what was shown stays */
            o->error.code = HL_OK;
    }
    return false;
}

/* ---- drawing ---- */

static void
path_row(const struct screen_ctx *c, hl_rect r)
{
    float w = ui_button_width(c->ui, "open");
    ui_button(c->ui, rect_cut_right(&r, w), UI_BUTTON_PLAIN, true, "act:open", "open",
              "Open this PNG or JPEG file (Enter)");
    rect_cut_right(&r, 6);
    field_build(c->ui, &images_of(c->state)->path_text, r, c->theme->body, "field:image",
                "path of a picture");
}

/* The picture with the square that is used; the rest under a veil. Returns its height. */
static float
preview(const struct screen_ctx *c, hl_rect r)
{
    const struct images_open *o = &images_of(c->state)->open;
    const struct hl_theme *t = c->theme;
    float k = fminf(r.w / (float)o->w, r.h / (float)o->h);
    hl_rect at = rect_make(r.x, r.y, roundf((float)o->w * k), roundf((float)o->h * k));
    hl_rect crop =
        rect_make(at.x + o->crop.x * k, at.y + o->crop.y * k, o->crop.w * k, o->crop.h * k);
    hl_color veil = (t->panel & 0xFFFFFF00u) | 0xA6;
    dl_image(c->dl, at, o->h, o->w, o->preview);
    dl_fill(c->dl, rect_make(at.x, at.y, crop.x - at.x, at.h), 0, veil);
    dl_fill(c->dl, rect_make(crop.x + crop.w, at.y, at.x + at.w - crop.x - crop.w, at.h), 0, veil);
    dl_fill(c->dl, rect_make(crop.x, at.y, crop.w, crop.y - at.y), 0, veil);
    dl_fill(c->dl, rect_make(crop.x, crop.y + crop.h, crop.w, at.y + at.h - crop.y - crop.h), 0,
            veil);
    dl_stroke(c->dl, rect_inset(at, -1, -1), 0, 1, t->line);
    dl_stroke(c->dl, rect_inset(crop, -1, -1), 0, 2, t->pinned);
    return at.h;
}

/* "4,032" */
static const char *
thousands(char *buf, size_t buf_sz, uint32_t n)
{
    if (n >= 1000)
        snprintf(buf, buf_sz, "%u,%03u", n / 1000, n % 1000);
    else
        snprintf(buf, buf_sz, "%u", n);
    return buf;
}

static void
own_picture(const struct screen_ctx *c, hl_rect *in)
{
    const struct images_open *o = &images_of(c->state)->open;
    char text[160], w[24], h[24];
    float used =
        preview(c, rect_make(in->x + 1, in->y + 1, in->w - 2, fminf(in->h * 0.42f, in->w)));
    rect_cut_top(in, used + 8);
    snprintf(text, sizeof text,
             "%s × %s pixels. The square in the middle, grey, shrunk to %d × %d.",
             thousands(w, sizeof w, o->width), thousands(h, sizeof h, o->height),
             o->side - 2 * (o->side / 16), o->side - 2 * (o->side / 16));
    float lines =
        ui_paragraph(c->ui, *in, DL_FONT_UI, c->theme->small, c->theme->quiet, text, true);
    rect_cut_top(in, lines + 6);
    control_draw(c->ui, rect_cut_top(in, 22), c->state, &images_rows[IMAGES_ROW_INVERT]);
    rect_cut_top(in, 8);
}

/* What the network gets of it. */
static void
prepared(const struct screen_ctx *c, hl_rect r)
{
    const struct images_open *o = &images_of(c->state)->open;
    struct view_image v = { .side = o->side, .pixels = o->ways[o->invert], .grid = o->side };
    hl_rect at = view_image_fit(c->ui, rect_make(r.x + 1, r.y + 1, 96, 96), o->side);
    view_image(c->ui, at, &v);
    ui_paragraph(c->ui, rect_make(at.x + at.w + 12, r.y, r.w - at.w - 12, at.h), DL_FONT_UI,
                 c->theme->small, c->theme->quiet,
                 "This is all that the discriminator gets of it, with a border as in training.",
                 true);
}

void
images_own_controls(const struct screen_ctx *c, hl_rect in)
{
    const struct images_open *o = &images_of(c->state)->open;
    const struct hl_theme *t = c->theme;
    char text[APP_TEXT_SZ];
    path_row(c, rect_cut_top(&in, UI_BUTTON_H));
    rect_cut_top(&in, 8);
    if (o->waiting) {
        ui_label(c->ui, rect_cut_top(&in, 20), DL_FONT_UI, t->body, DL_LEFT, t->quiet, "Opening …");
    } else if (o->error.code != HL_OK) {
        hl_error_text(&o->error, text, sizeof text);
        float h = ui_paragraph(c->ui, in, DL_FONT_UI, t->small, t->error, text, true);
        rect_cut_top(&in, h + 8);
    }
    if (!o->there) {
        ui_paragraph(c->ui, in, DL_FONT_UI, t->body, t->quiet,
                     "Drop a PNG or JPEG picture on the window, or type its path above. It stays "
                     "on this machine.",
                     true);
        return;
    }
    own_picture(c, &in);
    control_draw(c->ui, rect_cut_top(&in, 36), c->state, &images_rows[IMAGES_ROW_GAMMA]);
    rect_cut_top(&in, 14);
    if (in.h >= 100)
        prepared(c, in);
}

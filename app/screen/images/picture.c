/* The picture with a map over it, all places at once, and the small pictures. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>

/* ---- what is laid over ---- */

/* Colour of convolution's reach wherever it is drawn. */
static hl_color
reach_color(const struct hl_theme *t)
{
    return t->head[2];
}

static void
draw_reach(const struct screen_ctx *c, hl_rect r, const struct images_pic *p, int place)
{
    const float *e = p->reach->data + (size_t)place * 4;
    float px = r.w / (float)p->side;
    hl_rect box =
        rect_make(r.x + e[1] * px, r.y + e[0] * px, (e[3] - e[1]) * px, (e[2] - e[0]) * px);
    dl_stroke(c->dl, rect_inset(box, -1, -1), 1, 2, reach_color(c->theme));
}

static void
frame(const struct screen_ctx *c, hl_rect r, int grid, int place, float width, hl_color color)
{
    dl_stroke(c->dl, rect_inset(view_image_place(r, grid, place), -width, -width), 1, width, color);
}

/* A key looked at from the bars of the inspector. */
static int
key_pointed(const struct app_state *s)
{
    int place;
    return sscanf(s->hover, "top:%d", &place) == 1 ? place : -1;
}

static void
marks(const struct screen_ctx *c, hl_rect r, const struct images_pic *p, int place, bool hot)
{
    const struct images_state *m = images_of(c->state);
    int key = key_pointed(c->state);
    if (m->reach && p->reach != NULL && place >= 0)
        draw_reach(c, r, p, place);
    for (int i = 0; i < m->n_pins; i++) {
        if (m->pins[i] < p->places)
            frame(c, r, p->grid, m->pins[i], i == m->n_pins - 1 && !hot ? 2 : 1, c->theme->pinned);
    }
    if (hot)
        frame(c, r, p->grid, place, 2, c->theme->accent);
    if (key >= 0 && key < p->places)
        frame(c, r, p->grid, key, 2, c->theme->accent);
}

/* ---- the picture ---- */

static struct view_image
glass(const struct screen_ctx *c, const struct images_pic *p, int place, float *w)
{
    const struct images_state *m = images_of(c->state);
    struct view_image v = { .side = p->side,
                            .pixels = p->image->data + (size_t)p->picture * (size_t)p->image->n,
                            .grid = p->grid,
                            .log_scale = m->log_scale,
                            .top = m->lock ? 1 : 0 };
    v.note = m->looked_at ? "what each place gives to this one: weights after softmax"
                          : "where it looks: weights after softmax, the row sums to 1";
    if (place < 0 || w == NULL) {
        v.note = "point at a place, or click to pin it: its map is laid over the picture";
        v.top = 1;
        return v;
    }
    images_weights(m, p, place, w);
    for (int i = 0; !m->lock && i < p->places; i++)
        v.top = fmax(v.top, (double)w[i]);
    v.w = w;
    return v;
}

static void
big_picture(const struct screen_ctx *c, hl_rect r, const struct images_pic *p,
            const struct view_image *v, int place, bool hot)
{
    view_image(c->ui, r, v);
    marks(c, r, p, place, hot);
    ui_hit(c->ui, r, 0, DL_CURSOR_HAND, "place:map", NULL);
}

/* ---- all places ---- */

static void
sheet(const struct screen_ctx *c, hl_rect r, const struct images_pic *p, int place, bool hot)
{
    const struct images_state *m = images_of(c->state);
    int marked[IMAGES_PINS + 1], n = 0;
    for (int i = 0; i < m->n_pins; i++) {
        if (m->pins[i] < p->places)
            marked[n++] = m->pins[i];
    }
    if (hot)
        marked[n++] = place;
    struct view_places v = { .grid = p->grid,
                             .w = hl_map_row(p->map, p->picture, 0, 0),
                             .looked_at = m->looked_at,
                             .log_scale = m->log_scale,
                             .lock = m->lock,
                             .marked = marked,
                             .n_marked = n,
                             .hot = hot ? place : -1 };
    hl_rect box = view_places(c->ui, r, &v);
    ui_hit(c->ui, box, 0, DL_CURSOR_HAND, "place:sheet", NULL);
}

static const char *
sheet_title(const struct images_state *m)
{
    return m->looked_at ? "every place: who looks at it" : "every place: where it looks";
}

/* ---- the small pictures ---- */

static void
thumb(const struct screen_ctx *c, hl_rect r, float label_w, const struct images_pic *p,
      const float *pixels, const char *name, const char *id, bool chosen)
{
    const struct hl_theme *t = c->theme;
    struct view_image v = { .side = p->side, .pixels = pixels, .grid = p->grid };
    hl_rect at = view_image_fit(c->ui, rect_make(r.x, r.y, r.w, r.h - 18), p->side);
    view_image(c->ui, at, &v);
    if (chosen)
        dl_stroke(c->dl, rect_inset(at, -3, -3), 2, 2, t->accent);
    ui_label(c->ui, rect_make(r.x, at.y + at.h + 3, label_w, 16),
             chosen ? DL_FONT_UI_BOLD : DL_FONT_UI, t->small, DL_LEFT, chosen ? t->ink : t->quiet,
             name);
    if (id != NULL)
        ui_hit(c->ui, rect_make(at.x, at.y, at.w, at.h + 18), 2, DL_CURSOR_HAND, id,
               "Look into this picture (Alt+P: the next one)");
}

/* How n small pictures of `side` lie in r: so many a row, so far apart. False when they
 * need more height than there is. */
static bool
thumb_rows(hl_rect r, int n, float side, int *cols, float *pitch)
{
    int fit = (int)((r.w + 5) / (side + 5));
    *cols = fit > n ? n : fit;
    *cols = *cols < 1 ? 1 : *cols;
    *pitch = *cols > 1 ? fminf((r.w - side) / (float)(*cols - 1), side + 28) : side + 28;
    int rows = (n + *cols - 1) / *cols;
    return (side + 26) * (float)rows - 8 <= r.h + 1;
}

/* The picture without attention and, where there are several, those drawn; in rows of as
 * many as fit, half as large where they do not. */
static void
thumbs(const struct screen_ctx *c, hl_rect r, const struct images_pic *p, float side)
{
    size_t n = (size_t)p->image->n;
    int all = p->plain != NULL, count = (p->pictures > 1 ? p->pictures : 0) + all, cols;
    float pitch;
    if (!thumb_rows(r, count, side, &cols, &pitch)) {
        side = roundf(side / 2);
        thumb_rows(r, count, side, &cols, &pitch);
    }
    for (int i = 0; i < count; i++) {
        hl_rect at = rect_make(roundf(r.x + pitch * (float)(i % cols)),
                               r.y + (side + 26) * (float)(i / cols), side, side + 18);
        char id[UI_ID_SZ];
        int k = i - all;
        float room = fmaxf(side, fminf(pitch - 4, r.x + r.w - at.x));
        if (k < 0) {
            thumb(c, at, room, p, p->plain->data + (size_t)p->picture * n, "γ = 0", NULL, false);
            continue;
        }
        snprintf(id, sizeof id, "pic:%d", k);
        thumb(c, at, room, p, p->image->data + (size_t)k * n,
              p->asked[k] >= 0 ? p->classes->tokens[p->asked[k]].label : "", id, k == p->picture);
    }
}

/* ---- the head of the panel ---- */

static void
head(const struct screen_ctx *c, hl_rect r, bool narrow)
{
    const enum images_row wide_rows[] = { IMAGES_ROW_DIRECTION, IMAGES_ROW_SCALE, IMAGES_ROW_LOCK,
                                          IMAGES_ROW_REACH };
    const enum images_row narrow_rows[] = { IMAGES_ROW_VIEW, IMAGES_ROW_DIRECTION };
    for (int i = 0; i < (narrow ? 2 : 4); i++)
        r.x +=
            (narrow   ? 8
             : i == 0 ? 12
                      : 16) +
            control_draw(c->ui, r, c->state, &images_rows[narrow ? narrow_rows[i] : wide_rows[i]]);
}

/* ---- the whole ---- */

/* What the large picture is. */
static void
picture_title(const struct screen_ctx *c, hl_rect r, const struct images_pic *p)
{
    const struct hl_theme *t = c->theme;
    int asked = p->asked[p->picture];
    char text[160];
    snprintf(text, sizeof text, "%s · %d × %d, −1 %s to 1 %s",
             images_of(c->state)->own ? "your picture"
             : asked >= 0             ? p->classes->tokens[asked].label
                                      : "drawn",
             p->side, p->side, t->dark ? "black" : "white", t->dark ? "white" : "black");
    ui_label(c->ui, r, DL_FONT_UI, t->small, DL_LEFT, t->quiet, text);
}

/* One below the other: picture, legend; small pictures beside. */
static void
narrow_centre(const struct screen_ctx *c, hl_rect in, const struct images_pic *p, float *w)
{
    bool hot, sheet_shown = images_of(c->state)->sheet;
    int place = images_place(c->state, p, &hot);
    struct view_image v = glass(c, p, place, w);
    head(c, rect_cut_top(&in, UI_BUTTON_H), true);
    rect_cut_top(&in, 10);
    hl_rect legend = rect_cut_bottom(&in, 34);
    rect_cut_bottom(&in, 8);
    hl_rect side = rect_cut_right(&in, 72);
    rect_cut_right(&in, 12);
    if (sheet_shown) {
        sheet(c, in, p, place, hot);
        hl_rect small = view_image_fit(c->ui, rect_make(side.x, side.y, side.w, side.w), p->side);
        view_image(c->ui, small, &v);
        marks(c, small, p, place, hot);
        ui_paragraph(c->ui, rect_make(side.x, side.y + small.h + 6, side.w, 60), DL_FONT_UI,
                     c->theme->small, c->theme->quiet, sheet_title(images_of(c->state)), true);
    } else {
        big_picture(c, view_image_fit(c->ui, in, p->side), p, &v, place, hot);
        thumbs(c, side, p, 64);
    }
    view_image_legend(c->ui, legend, &v);
}

/* The large picture with its legend on the left; all places and the small pictures on the
 * right. */
static void
wide_centre(const struct screen_ctx *c, hl_rect in, const struct images_pic *p, float *w)
{
    bool hot;
    const struct hl_theme *t = c->theme;
    const struct images_state *m = images_of(c->state);
    int place = images_place(c->state, p, &hot);
    struct view_image v = glass(c, p, place, w);
    head(c, rect_cut_top(&in, UI_BUTTON_H), false);
    rect_cut_top(&in, 12);
    hl_rect titles = rect_cut_top(&in, 20);
    float gap = 24, most = in.h - 34 - 14, thumb_side = in.h > 640 ? 96 : 64;
    float sheet_room = fminf(in.h - 24 - thumb_side - 18, in.w * 0.42f);
    float sheet_w = view_places_size(c->ui, sheet_room, p->grid);
    hl_rect pic = view_image_fit(
        c->ui, rect_make(in.x, in.y, fminf(most, in.w - sheet_w - gap + 4), most), p->side);
    float x = in.x + in.w - sheet_w;
    x = fminf(x, pic.x + pic.w + 3 * gap);
    picture_title(c, rect_make(pic.x, titles.y, pic.w, 16), p);
    ui_label(c->ui, rect_make(x, titles.y, sheet_w, 16), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
             sheet_title(m));
    big_picture(c, pic, p, &v, place, hot);
    view_image_legend(c->ui, rect_make(pic.x, pic.y + pic.h + 14, pic.w, 34), &v);
    sheet(c, rect_make(x, pic.y, sheet_w, sheet_w), p, place, hot);
    ui_label(c->ui, rect_make(x, pic.y + sheet_w + 6, sheet_w, 16), DL_FONT_UI, t->small, DL_LEFT,
             t->quiet,
             m->lock ? "colours from 0 to 1" : "colours up to each place's largest weight");
    float low = pic.y + sheet_w + 36;
    thumbs(c, rect_make(x, low, sheet_w, in.y + in.h - low), p, thumb_side);
}

void
images_centre(const struct screen_ctx *c, hl_rect r, const struct images_pic *p)
{
    float *w = hl_arena_new(c->frame, p->places, float);
    hl_rect in = ui_panel(c->ui, r);
    if (in.w < 560)
        narrow_centre(c, in, p, w);
    else
        wide_centre(c, in, p, w);
}

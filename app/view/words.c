#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/summary.h"

enum { CHIP_H = 28, CHIP_STEP = 34, CHIP_GAP = 6, CAPTION_W = 32, BAR_STEP = 22 };

/* Weight that the word of interest and item i of the other side share. */
static float
focus_weight(const struct view_attention *v, int i)
{
    return v->looked_at ? v->w[(size_t)i * (size_t)v->cols.n + (size_t)v->focus]
                        : v->w[(size_t)v->focus * (size_t)v->cols.n + (size_t)i];
}

static bool
focus_masked(const struct view_attention *v, int i)
{
    return v->looked_at ? view_masked(v, i, v->focus) : view_masked(v, v->focus, i);
}

/* ---- chips ---- */

static void
chip(struct ui *u, hl_rect r, const struct view_chips *c, int i)
{
    const struct hl_theme *t = u->theme;
    const struct hl_group_item *it = &c->items.items[i];
    uint8_t mark = c->mark != NULL ? c->mark[i] : 0;
    hl_color fill = t->chip, ink = it->special ? t->quiet : t->chip_ink;
    char id[UI_ID_SZ];
    snprintf(id, sizeof id, "%s:%d", c->prefix, i);
    if (c->weight != NULL && !(mark & VIEW_PIN)) {
        uint8_t step = view_step(c->scale, c->weight[i]);
        if (step > 24) {
            fill = theme_map_color(DL_MAP_WEIGHT, t->dark, step);
            ink = theme_text_on(fill);
        }
    }
    if (mark & VIEW_PIN) {
        fill = t->pinned_soft;
        ink = t->pinned_ink;
    }
    dl_fill(u->dl, r, UI_RADIUS, fill);
    if (mark & VIEW_PIN)
        dl_stroke(u->dl, r, UI_RADIUS, 1.5f, t->pinned);
    else if ((mark & VIEW_HOT) || ui_hovered(u, id))
        dl_stroke(u->dl, r, UI_RADIUS, 1.5f, t->accent);
    else if (mark & VIEW_LINK)
        dl_stroke(u->dl, r, UI_RADIUS, 1.5f, t->pinned);
    ui_label(u, r, mark & VIEW_PIN ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, t->label, DL_CENTER, ink,
             it->label);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
}

float
view_chips(struct ui *u, hl_rect r, const struct view_chips *c, int max_rows)
{
    const struct hl_theme *t = u->theme;
    float x = r.x + CAPTION_W, y = r.y;
    int row = 0;
    ui_label(u, rect_make(r.x, r.y, CAPTION_W - 4, CHIP_H), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
             c->caption);
    for (int i = 0; i < c->items.n; i++) {
        float w = ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, t->label, c->items.items[i].label));
        w = fminf(fmaxf(w + 16, 20), 240);
        /* Room for "+n" is kept on the last row. */
        bool last_row = row == max_rows - 1, last = i == c->items.n - 1;
        float limit = r.x + r.w - (last_row && !last ? 48 : 0);
        if (x + w > limit && x > r.x + CAPTION_W) {
            if (last_row) {
                char more[32];
                snprintf(more, sizeof more, "+%d", c->items.n - i);
                ui_label(u, rect_make(x, y, 48, CHIP_H), DL_FONT_MONO, t->body, DL_LEFT, t->quiet,
                         more);
                break;
            }
            row++;
            x = r.x + CAPTION_W;
            y += CHIP_STEP;
        }
        chip(u, rect_make(x, y, w, CHIP_H), c, i);
        x += w + CHIP_GAP;
    }
    return y - r.y + CHIP_STEP;
}

/* ---- shading ---- */

struct word_at {
    float x, y;
    float left, right, step;
    float size, h; /* of the letters, of the boxes */
};

/* The largest of four sizes at which all words fit into r; `below` is what a line
 * needs beneath its boxes at the largest. */
static struct word_at
words_begin(const struct ui *u, hl_rect r, const struct hl_group *g, float below)
{
    static const float sizes[][2] = { { 21, 44 }, { 16, 32 }, { 12.5f, 24 }, { 11, 20 } };
    struct word_at p = { 0 };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        float h = sizes[k][1], x = 0;
        int lines = 1;
        p = (struct word_at) { r.x,
                               r.y,
                               r.x,
                               r.x + r.w,
                               h + (below > 16 ? fmaxf(below * h / 44, 16) : below * h / 44),
                               sizes[k][0],
                               h };
        for (int i = 0; i < g->n; i++) {
            float w = ui_text_width(u, DL_FONT_UI_MEDIUM, p.size, g->items[i].label) + 18;
            if (x + w > r.w && x > 0) {
                lines++;
                x = 0;
            }
            x += w;
        }
        if ((float)lines * p.step <= r.h)
            break;
    }
    return p;
}

static hl_rect
next_word(struct ui *u, struct word_at *p, const char *s)
{
    float w = ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, p->size, s)) + 14;
    if (p->x + w > p->right && p->x > p->left) {
        p->x = p->left;
        p->y += p->step;
    }
    hl_rect r = rect_make(p->x, p->y, fminf(w, p->right - p->left), p->h);
    p->x += w + 4;
    return r;
}

static void
shaded_word(struct ui *u, hl_rect r, const struct view_attention *v, int i, bool row, float size)
{
    const struct hl_theme *t = u->theme;
    const struct hl_group_item *it = row ? &v->rows.items[i] : &v->cols.items[i];
    uint8_t mark = row ? v->row_mark[i] : v->col_mark[i];
    float w = focus_weight(v, i);
    bool masked = focus_masked(v, i), pinned = v->same && i == v->focus;
    hl_color fill = theme_map_color(DL_MAP_WEIGHT, t->dark, masked ? DL_MASKED : view_step(v, w));
    dl_fill(u->dl, r, UI_RADIUS, fill);
    if (pinned || (mark & VIEW_HOT))
        dl_stroke(u->dl, rect_inset(r, -1, -1), UI_RADIUS + 1, 2, pinned ? t->pinned : t->accent);
    ui_label(u, r, pinned ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, size, DL_CENTER,
             masked ? t->quiet : theme_text_on(fill), it->label);
    char buf[16], id[UI_ID_SZ];
    view_weight_text(buf, sizeof buf, (double)w, 2);
    ui_label(u, rect_make(r.x - 8, r.y + r.h + 1, r.w + 16, 14), DL_FONT_MONO, 10, DL_CENTER,
             t->quiet, masked ? "–" : buf);
    snprintf(id, sizeof id, "%s:%d", row ? "row" : "col", i);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
}

/* The sentence that holds the word of interest, when it is not the tinted one. */
static float
plain_sentence(struct ui *u, hl_rect r, const struct view_attention *v)
{
    const struct hl_theme *t = u->theme;
    const struct hl_group *g = v->looked_at ? &v->cols : &v->rows;
    struct word_at p = words_begin(u, r, g, 8);
    for (int i = 0; i < g->n; i++) {
        hl_rect box = next_word(u, &p, g->items[i].label);
        uint8_t mark = v->looked_at ? v->col_mark[i] : v->row_mark[i];
        char id[UI_ID_SZ];
        if (box.y + box.h > r.y + r.h)
            break;
        if (i == v->focus) {
            dl_fill(u->dl, box, UI_RADIUS, t->pinned_soft);
            dl_stroke(u->dl, box, UI_RADIUS, 1.5f, t->pinned);
        } else if (mark & VIEW_HOT) {
            dl_stroke(u->dl, box, UI_RADIUS, 1.5f, t->accent);
        }
        ui_label(u, box, i == v->focus ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, p.size, DL_CENTER,
                 i == v->focus         ? t->pinned_ink
                 : g->items[i].special ? t->quiet
                                       : t->ink,
                 g->items[i].label);
        snprintf(id, sizeof id, "%s:%d", v->looked_at ? "col" : "row", i);
        ui_hit(u, box, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
    }
    return p.y + p.step - r.y;
}

void
view_shading(struct ui *u, hl_rect r, const struct view_attention *v, const char *hint)
{
    const struct hl_theme *t = u->theme;
    if (v->rows.n == 0 || v->cols.n == 0)
        return;
    r = rect_inset(r, 8, 8);
    dl_clip(u->dl, rect_inset(r, -8, -8));
    if (!v->same || v->focus < 0) {
        float h = plain_sentence(u, v->focus < 0 ? r : rect_make(r.x, r.y, r.w, r.h * 0.4f), v);
        rect_cut_top(&r, h + 4);
        ui_label(u, rect_cut_top(&r, 20), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
                 v->focus < 0   ? hint
                 : v->looked_at ? "is looked at by"
                                : "looks at");
        rect_cut_top(&r, 8);
    }
    const struct hl_group *g = v->looked_at ? &v->rows : &v->cols;
    struct word_at p = words_begin(u, r, g, 28);
    for (int i = 0; v->focus >= 0 && i < g->n; i++) {
        hl_rect box = next_word(u, &p, g->items[i].label);
        if (box.y > r.y + r.h)
            break;
        shaded_word(u, box, v, i, v->looked_at, p.size);
    }
    dl_unclip(u->dl);
}

/* ---- the bars of the inspector ---- */

float
view_bars(struct ui *u, hl_rect r, const struct view_attention *v, int max)
{
    const struct hl_theme *t = u->theme;
    const struct hl_group *g = v->looked_at ? &v->rows : &v->cols;
    float *w = hl_arena_floats(u->frame, (size_t)g->n + 1);
    int top[32], n;
    if (v->focus < 0 || w == NULL)
        return 0;
    for (int i = 0; i < g->n; i++)
        w[i] = focus_masked(v, i) ? -1 : focus_weight(v, i);
    n = hl_summary_top(w, g->n, max > 32 ? 32 : max, top);
    float name = fminf(96, r.w * 0.3f), y = r.y;
    for (int k = 0; k < n && w[top[k]] >= 0; k++) {
        const struct hl_group_item *it = &g->items[top[k]];
        uint8_t mark = v->looked_at ? v->row_mark[top[k]] : v->col_mark[top[k]];
        char buf[16], id[UI_ID_SZ];
        hl_rect row = rect_make(r.x, y, r.w, BAR_STEP);
        snprintf(id, sizeof id, "%s:%d", v->looked_at ? "row" : "col", top[k]);
        bool hot = (mark & VIEW_HOT) || ui_hovered(u, id);
        ui_label(u, rect_make(r.x, y, name - 12, BAR_STEP), DL_FONT_UI, t->body, DL_RIGHT,
                 hot           ? t->accent
                 : it->special ? t->quiet
                               : t->ink,
                 it->label);
        ui_bar(u, rect_make(r.x + name, y + 5, r.w - name - 60, 12), w[top[k]],
               mark & VIEW_LINK ? t->pinned : t->accent);
        view_weight_text(buf, sizeof buf, (double)w[top[k]], 4);
        ui_label(u, rect_make(r.x + r.w - 56, y, 56, BAR_STEP), DL_FONT_MONO, t->body, DL_RIGHT,
                 t->ink, buf);
        dl_hit(u->dl, row, DL_CURSOR_HAND, "~%s", id);
        y += BAR_STEP;
    }
    return y - r.y;
}

#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ribbons below this share of the widest are not drawn: hundreds of hairs would hide
 * the rest. The legend's note says so. Those of a word singled out go further down;
 * its bars hold the numbers. */
static const double least_share = 0.05, least_lit = 0.01;

/* Centres of the words along one side, spread over `room` in proportion to what
 * each needs. */
static float *
places(struct ui *u, const struct hl_group *g, float from, float room, bool across)
{
    float *at = hl_arena_new(u->frame, g->n + 1, float);
    float total = 0;
    if (at == NULL)
        return NULL;
    for (int i = 0; i < g->n; i++) {
        float w = across
                      ? 20
                      : ui_text_width(u, DL_FONT_UI_MEDIUM, u->theme->body, g->items[i].label) + 12;
        at[i] = w;
        total += w;
    }
    float stretch = total > 0 ? room / total : 1;
    float most = across ? 2 : 2.2f;
    if (stretch > most)
        from += (room - total * most) / 2;
    stretch = fminf(stretch, most);
    float x = from;
    for (int i = 0; i < g->n; i++) {
        float w = at[i] * stretch;
        at[i] = x + w / 2;
        x += w;
    }
    return at;
}

static hl_color
with_alpha(hl_color c, float a)
{
    return (c & 0xFFFFFF00u) | (uint32_t)(fminf(fmaxf(a, 0), 1) * 255);
}

struct sides {
    float *row_at, *col_at;
    float row_pos, col_pos; /* where ribbons leave each side */
    float widest;
};

/* Is anything singled out, and does this pair belong to it? */
static bool
lit(const struct view_attention *v, int i, int j, bool *any)
{
    bool hot = v->hot_row >= 0 || v->hot_col >= 0;
    *any = hot || v->focus >= 0;
    if (hot)
        return (v->hot_row < 0 || v->hot_row == i) && (v->hot_col < 0 || v->hot_col == j);
    if (v->focus >= 0)
        return v->looked_at ? v->focus == j : v->focus == i;
    return false;
}

static void
ribbons(struct ui *u, const struct view_attention *v, const struct sides *s, bool across,
        bool front)
{
    const struct hl_theme *t = u->theme;
    for (int i = 0; i < v->rows.n; i++) {
        for (int j = 0; j < v->cols.n; j++) {
            float w = v->w[(size_t)i * (size_t)v->cols.n + (size_t)j];
            float share = v->top > 0 ? (float)view_step(v, w) / 254 : 0;
            bool any, on = lit(v, i, j, &any);
            if (view_masked(v, i, j) || (double)share < (on ? least_lit : least_share) ||
                on != front)
                continue;
            float width = fmaxf(share * s->widest, 0.5f);
            hl_color c =
                on ? with_alpha(v->hot_row >= 0 || v->hot_col >= 0 ? t->accent : t->pinned, 0.75f)
                   : with_alpha(t->accent, any ? 0.10f : 0.25f + 0.45f * share);
            if (across)
                dl_ribbon(u->dl, s->row_pos, s->row_at[i], s->col_pos, s->col_at[j], width, true,
                          c);
            else
                dl_ribbon(u->dl, s->col_at[j], s->col_pos, s->row_at[i], s->row_pos, width, false,
                          c);
        }
    }
}

/* Half the room that a label needs along its side. */
static float
half_extent(struct ui *u, const struct hl_group *g, int i, bool across)
{
    if (across)
        return 7.5f;
    return ui_text_width(u, DL_FONT_UI_MEDIUM, u->theme->body, g->items[i].label) / 2 + 3;
}

/* Labels that keep clear of each other: marked ones first, then the others in their
 * order. */
static bool *
choose(struct ui *u, const struct hl_group *g, const uint8_t *mark, const float *at, bool across)
{
    bool *show = hl_arena_new(u->frame, g->n + 1, bool);
    static const uint8_t want[] = { VIEW_HOT, VIEW_PIN | VIEW_LINK, 0 };
    for (int pass = 0; show != NULL && pass < 3; pass++) {
        for (int i = 0; i < g->n; i++) {
            bool fits = !show[i] && (pass == 2 || (mark[i] & want[pass]));
            float half = half_extent(u, g, i, across);
            for (int d = 1; fits && d < 64; d++) {
                int l = i - d, r = i + d;
                if (l >= 0 && show[l])
                    fits = at[i] - half >= at[l] + half_extent(u, g, l, across);
                if (fits && r < g->n && show[r])
                    fits = at[i] + half <= at[r] - half_extent(u, g, r, across);
            }
            show[i] = show[i] || fits;
        }
    }
    return show;
}

static void
words(struct ui *u, const struct view_attention *v, bool rows, const float *at, float pos,
      bool across, enum dl_align align)
{
    const struct hl_theme *t = u->theme;
    const struct hl_group *g = rows ? &v->rows : &v->cols;
    const uint8_t *mark = rows ? v->row_mark : v->col_mark;
    bool *show = choose(u, g, mark, at, across);
    for (int i = 0; show != NULL && i < g->n; i++) {
        if (!show[i])
            continue;
        float w = ui_text_width(u, DL_FONT_UI_MEDIUM, t->body, g->items[i].label);
        hl_color c = mark[i] & (VIEW_PIN | VIEW_LINK) ? t->pinned
                     : mark[i] & VIEW_HOT             ? t->accent
                     : g->items[i].special            ? t->quiet
                                                      : t->ink;
        enum dl_font font = mark[i] ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM;
        hl_rect box = across ? rect_make(align == DL_RIGHT ? pos - 140 : pos, at[i] - 9, 140, 18)
                             : rect_make(at[i] - w / 2 - 8, pos, w + 16, 20);
        float got = ui_label(u, box, font, t->body, align, c, g->items[i].label);
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "%s:%d", rows ? "row" : "col", i);
        hl_rect hit = rect_inset(box, 2, 0);
        if (across)
            hit = rect_make(align == DL_RIGHT ? pos - got - 6 : pos - 6, at[i] - 9, got + 12, 18);
        ui_hit(u, hit, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
    }
}

/* Rows to the left, columns to the right. */
static void
lines_across(struct ui *u, hl_rect r, const struct view_attention *v)
{
    struct sides s = { 0 };
    float top = r.y + 24, room = r.h - 28;
    float left = r.x + fminf(148, r.w * 0.3f), right = r.x + r.w - fminf(148, r.w * 0.3f);
    s.row_at = places(u, &v->rows, top, room, true);
    s.col_at = places(u, &v->cols, top, room, true);
    if (s.row_at == NULL || s.col_at == NULL)
        return;
    int most = v->rows.n > v->cols.n ? v->rows.n : v->cols.n;
    s.widest = fminf(fmaxf(room / (float)(most + 1) * 0.7f, 2), 16);
    s.row_pos = left;
    s.col_pos = right;
    ribbons(u, v, &s, true, false);
    ribbons(u, v, &s, true, true);
    words(u, v, true, s.row_at, left - 10, true, DL_RIGHT);
    words(u, v, false, s.col_at, right + 10, true, DL_LEFT);
    hl_rect head = rect_make(r.x, r.y, r.w / 2 - 4, 18);
    ui_label(u, head, DL_FONT_UI, u->theme->small, DL_LEFT, u->theme->quiet, v->row_title);
    head.x += r.w / 2 + 4;
    ui_label(u, head, DL_FONT_UI, u->theme->small, DL_RIGHT, u->theme->quiet, v->col_title);
}

/* Columns above, rows below. */
static void
lines_down(struct ui *u, hl_rect r, const struct view_attention *v)
{
    struct sides s = { 0 };
    s.row_at = places(u, &v->rows, r.x, r.w, false);
    s.col_at = places(u, &v->cols, r.x, r.w, false);
    if (s.row_at == NULL || s.col_at == NULL)
        return;
    int most = v->rows.n > v->cols.n ? v->rows.n : v->cols.n;
    s.widest = fminf(fmaxf(r.w / (float)(most + 1) * 0.4f, 2), 14);
    s.col_pos = r.y + 24;
    s.row_pos = r.y + r.h - 24;
    ribbons(u, v, &s, false, false);
    ribbons(u, v, &s, false, true);
    words(u, v, false, s.col_at, r.y, false, DL_CENTER);
    words(u, v, true, s.row_at, r.y + r.h - 20, false, DL_CENTER);
}

void
view_lines(struct ui *u, hl_rect r, const struct view_attention *v, bool across)
{
    if (v->rows.n == 0 || v->cols.n == 0 || r.w < 80 || r.h < 60)
        return;
    if (across)
        lines_across(u, r, v);
    else
        lines_down(u, r, v);
}

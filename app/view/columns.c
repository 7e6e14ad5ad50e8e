#include "view/view.h"

#include <math.h>

static double
height(const struct view_columns *v, double w)
{
    double t = v->top > 0 ? w / v->top : 0;
    if (v->log_scale && !v->is_signed)
        t = t > 0 ? 1 + log10(t) / VIEW_DECADES : 0;
    double least = v->is_signed ? -1 : 0;
    return t < least ? least : t > 1 ? 1 : t;
}

/* A column from the line of 0; `inset` on both sides. */
static void
column(struct ui *u, hl_rect r, const struct view_columns *v, int i, double w, float inset,
       hl_color color)
{
    float pitch = r.w / (float)v->n, full = v->is_signed ? r.h / 2 : r.h;
    float zero = r.y + full, h = (float)height(v, w) * full;
    float x = r.x + pitch * (float)i + inset, width = fmaxf(pitch - 2 * inset, 1);
    if (fabsf(h) < 0.4f)
        return;
    dl_fill(u->dl, rect_make(x, h > 0 ? zero - h : zero, width, fabsf(h)),
            width >= 6 && fabsf(h) > 3 ? 1.5f : 0, color);
}

/* The value of the largest column, beside it where there is room. */
static void
name_best(struct ui *u, hl_rect r, const struct view_columns *v)
{
    const struct hl_theme *t = u->theme;
    int best = 0;
    for (int i = 1; i < v->n; i++)
        best = v->w[i] > v->w[best] ? i : best;
    float pitch = r.w / (float)v->n, w = ui_text_width(u, DL_FONT_MONO, t->small, v->best);
    float x = r.x + pitch * (float)(best + 1) + 4;
    bool left = x + w > r.x + r.w;
    if (left)
        x = r.x + pitch * (float)best - 4 - w;
    hl_rect box = rect_make(x, r.y - 2, w, 14);
    dl_fill(u->dl, box, 2, (t->panel & 0xFFFFFF00u) | 0xD0);
    ui_label(u, box, DL_FONT_MONO, t->small, DL_LEFT, t->quiet, v->best);
}

void
view_columns(struct ui *u, hl_rect r, const struct view_columns *v)
{
    const struct hl_theme *t = u->theme;
    if (v->n < 1 || r.h < 4)
        return;
    float pitch = r.w / (float)v->n, gap = pitch >= 6 ? 1 : pitch >= 3 ? 0.5f : 0;
    hl_color ghost = theme_mix(t->panel, t->quiet, 0.4f);
    for (int i = 0; i < v->n; i++) {
        if (v->mark[i] & (VIEW_PIN | VIEW_HOT))
            dl_fill(u->dl, rect_make(r.x + pitch * (float)i, r.y, pitch, r.h), 0,
                    v->mark[i] & VIEW_PIN ? t->pinned_soft : t->accent_soft);
    }
    dl_fill(u->dl, rect_make(r.x, roundf(r.y + (v->is_signed ? r.h / 2 : r.h)), r.w, 1), 0,
            t->line);
    for (int i = 0; i < v->n; i++) {
        if (v->ghost != NULL)
            column(u, r, v, i, (double)v->ghost[i], gap, ghost);
        column(u, r, v, i, (double)v->w[i], v->ghost != NULL ? gap + pitch * 0.2f : gap,
               v->mark[i] & VIEW_PIN ? t->pinned : t->accent);
        if (v->tick != NULL && height(v, (double)v->tick[i]) > 0.004)
            dl_fill(u->dl,
                    rect_make(r.x + pitch * (float)i,
                              r.y + r.h * (1 - (float)height(v, (double)v->tick[i])) - 1,
                              fmaxf(pitch, 2), 2),
                    0, t->quiet);
    }
    if (v->best != NULL)
        name_best(u, r, v);
    dl_hit(u->dl, r, DL_CURSOR_HAND, "%s", v->id);
}

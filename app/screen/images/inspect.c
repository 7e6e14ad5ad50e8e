/* The inspector: numbers of one place, and what the discriminator says. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

static void
fact(const struct screen_ctx *c, hl_rect *in, const char *name, const char *value)
{
    hl_rect line = rect_cut_top(in, 20);
    ui_label(c->ui, line, DL_FONT_UI, c->theme->body, DL_LEFT, c->theme->quiet, name);
    ui_label(c->ui, line, DL_FONT_MONO, c->theme->body, DL_RIGHT, c->theme->ink, value);
}

static void
title(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p, int place, bool hot)
{
    const struct images_state *m = images_of(c->state);
    const struct hl_theme *t = c->theme;
    char text[64];
    hl_rect line = rect_cut_top(in, 24);
    snprintf(text, sizeof text, "row %d, column %d", place / p->grid + 1, place % p->grid + 1);
    float w = ui_label(c->ui, line, DL_FONT_UI_BOLD, t->label, DL_LEFT,
                       hot ? t->accent : t->pinned_ink, text);
    ui_label(c->ui, rect_make(line.x + w + 8, line.y, line.w - w - 8, line.h), DL_FONT_UI, t->body,
             DL_LEFT, t->quiet, m->looked_at ? "is looked at by" : "looks at");
}

/* ---- the strongest places ---- */

static int
strongest(const float *w, int n, const int *taken, int n_taken)
{
    int best = -1;
    for (int i = 0; i < n; i++) {
        bool used = false;
        for (int k = 0; k < n_taken; k++)
            used = used || taken[k] == i;
        if (!used && (best < 0 || w[i] > w[best]))
            best = i;
    }
    return best;
}

static void
top_places(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p, const float *w,
           int n)
{
    const struct hl_theme *t = c->theme;
    int top[8];
    for (int k = 0; k < n; k++) {
        char id[UI_ID_SZ], name[32], value[24];
        hl_rect line = rect_cut_top(in, 22);
        int i = top[k] = strongest(w, p->places, top, k);
        snprintf(id, sizeof id, "top:%d", i);
        snprintf(name, sizeof name, "%d, %d", i / p->grid + 1, i % p->grid + 1);
        hl_fmt_fixed(value, sizeof value, (double)w[i], 4);
        ui_label(c->ui, rect_make(line.x, line.y, 54, line.h), DL_FONT_MONO, t->body, DL_LEFT,
                 ui_hovered(c->ui, id) ? t->accent : t->ink, name);
        ui_bar(c->ui, rect_make(line.x + 60, line.y + 5, line.w - 60 - 58, 12),
               w[top[0]] > 0 ? w[i] / w[top[0]] : 0, t->accent);
        ui_label(c->ui, line, DL_FONT_MONO, t->body, DL_RIGHT, t->ink, value);
        ui_hit(c->ui, line, 2, DL_CURSOR_HAND, id, "Pin this place");
    }
}

/* ---- how far ---- */

/* How far convolution and attention go; what even weights would give where it fits. */
static void
reach_sentence(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p, int place,
               const struct images_far *far)
{
    const struct hl_theme *t = c->theme;
    char text[400], a[24], b[24], conv[80] = "";
    struct images_far even;
    float *flat = hl_arena_new(c->frame, p->places, float);
    for (int i = 0; flat != NULL && i < p->places; i++)
        flat[i] = 1;
    if (flat == NULL)
        return;
    images_measure(flat, p->grid, place, &even);
    if (p->reach != NULL) {
        const float *e = p->reach->data + (size_t)place * 4;
        snprintf(conv, sizeof conv, "Convolution alone: %d × %d pixels. ", (int)(e[2] - e[0]),
                 (int)(e[3] - e[1]));
    }
    int n = snprintf(text, sizeof text,
                     "%sAttention: %s %% of the weight beyond the 3 × 3 around, %s places away on "
                     "average",
                     conv, hl_fmt_fixed(a, sizeof a, 100 * far->outside, 1),
                     hl_fmt_fixed(b, sizeof b, far->distance, 1));
    snprintf(text + n, sizeof text - (size_t)n, " (even weights: %s %%, %s).",
             hl_fmt_fixed(a, sizeof a, 100 * even.outside, 1),
             hl_fmt_fixed(b, sizeof b, even.distance, 1));
    if (ui_paragraph(c->ui, *in, DL_FONT_UI, t->small, t->quiet, text, false) > in->h)
        snprintf(text + n, sizeof text - (size_t)n, ".");
    rect_cut_top(in, ui_paragraph(c->ui, *in, DL_FONT_UI, t->small, t->quiet, text, true) + 6);
}

/* While a place is pointed at: what passes between it and the pinned one. */
static void
pinned_weight(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p, int place)
{
    const struct images_state *m = images_of(c->state);
    int pin = m->n_pins > 0 ? m->pins[m->n_pins - 1] : -1;
    char value[24];
    if (pin < 0 || pin >= p->places || pin == place)
        return;
    double w = (double)(m->looked_at ? hl_map_row(p->map, p->picture, 0, place)[pin]
                                     : hl_map_row(p->map, p->picture, 0, pin)[place]);
    fact(c, in, m->looked_at ? "it gives the pinned place" : "the pinned place gives it",
         hl_fmt_fixed(value, sizeof value, w, 4));
}

static void
numbers(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p, int place, bool roomy)
{
    const struct images_state *m = images_of(c->state);
    struct images_far far;
    char value[64], a[24], b[24];
    float *w = hl_arena_new(c->frame, p->places, float);
    if (w == NULL)
        return;
    images_weights(m, p, place, w);
    images_measure(w, p->grid, place, &far);
    top_places(c, in, p, w, roomy ? 5 : m->n_pins > 1 ? 2 : 3);
    rect_cut_top(in, 4);
    pinned_weight(c, in, p, place);
    fact(c, in, m->looked_at ? "sum of the column" : "sum of the row",
         hl_fmt_fixed(value, sizeof value, far.sum, 4));
    snprintf(value, sizeof value, "%s of %s bit", hl_fmt_fixed(a, sizeof a, far.entropy, 2),
             hl_fmt_fixed(b, sizeof b, log2((double)p->places), 2));
    fact(c, in, "entropy", value);
    rect_cut_top(in, 4);
    reach_sentence(c, in, p, place, &far);
}

/* ---- the discriminator ---- */

static void
score_row(const struct screen_ctx *c, hl_rect line, const char *name, float v, float most,
          bool asked)
{
    const struct hl_theme *t = c->theme;
    char number[24];
    float name_w = line.w >= 200 ? 82 : 58;
    hl_rect track = rect_make(line.x + name_w, line.y + line.h / 2 - 4, line.w - name_w - 52, 8);
    float mid = track.x + track.w / 2, w = track.w / 2 * fabsf(v) / most;
    ui_label(c->ui, rect_make(line.x, line.y, name_w - 2, line.h),
             asked ? DL_FONT_UI_BOLD : DL_FONT_UI, t->small, DL_LEFT,
             asked ? t->pinned_ink : t->ink, name);
    dl_fill(c->dl, track, 2, t->chip);
    dl_fill(c->dl, rect_make(v < 0 ? mid - w : mid, track.y, fmaxf(w, 1), track.h), 1,
            asked    ? t->pinned
            : v >= 0 ? t->accent
                     : t->quiet);
    dl_fill(c->dl, rect_make(roundf(mid), track.y - 1, 1, track.h + 2), 0, t->quiet);
    ui_label(c->ui, line, DL_FONT_MONO, t->small, DL_RIGHT, t->ink,
             images_number(number, sizeof number, (double)v, 2));
}

/* Heights of the heading (its second line is left out where there is little room) and of
 * all. */
static float
scores_head(bool roomy)
{
    return roomy ? 60 : 26;
}

static float
scores_height(const struct images_pic *p, bool roomy)
{
    return scores_head(roomy) + (roomy ? 18.0f : 13.0f) * (float)p->classes->n;
}

static void
scores(const struct screen_ctx *c, hl_rect in, const struct images_pic *p, bool roomy)
{
    const struct hl_theme *t = c->theme;
    int n = p->classes->n, asked = images_of(c->state)->own ? -1 : p->asked[p->picture];
    const float *v = p->score->data + (size_t)p->picture * (size_t)n;
    float most = 1e-6f, h = (in.h - scores_head(roomy)) / (float)n;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(v[i]));
    ui_rule(c->ui, in.x, in.y, in.w);
    rect_cut_top(&in, 6);
    ui_label(c->ui, rect_cut_top(&in, 18), DL_FONT_UI_BOLD, roomy ? t->body : t->small, DL_LEFT,
             t->ink, roomy ? "scores by the discriminator" : "scores; above 0: taken for real");
    if (roomy)
        ui_label(c->ui, rect_cut_top(&in, 18), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
                 asked >= 0 ? "Above 0: taken for real; asked for in orange."
                            : "Above 0: taken for a real one.");
    if (roomy) /* in training it met each class with its own pictures only */
        ui_label(c->ui, rect_cut_top(&in, 16), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
                 "It says real or drawn, never which class.");
    for (int i = 0; i < n; i++)
        score_row(c, rect_cut_top(&in, h), p->classes->tokens[i].label, v[i], most, i == asked);
}

/* ---- the panel ---- */

/* Other pins, to come back to. */
static void
pin_row(const struct screen_ctx *c, hl_rect *in, const struct images_pic *p)
{
    const struct images_state *m = images_of(c->state);
    const struct hl_theme *t = c->theme;
    float x = in->x;
    if (m->n_pins < 2)
        return;
    hl_rect line = rect_cut_top(in, 26);
    for (int i = m->n_pins - 1; i >= 0; i--) {
        char id[UI_ID_SZ], name[32];
        snprintf(id, sizeof id, "pin:%d", i);
        snprintf(name, sizeof name, "%d, %d", m->pins[i] / p->grid + 1, m->pins[i] % p->grid + 1);
        float w = ceilf(ui_text_width(c->ui, DL_FONT_MONO, t->small, name)) + 12;
        hl_rect r = rect_make(x, line.y, w, 20);
        if (x + w > line.x + line.w)
            break;
        dl_fill(c->dl, r, 4, t->pinned_soft);
        ui_label(c->ui, r, DL_FONT_MONO, t->small, DL_CENTER, t->pinned_ink, name);
        ui_hit(c->ui, r, 4, DL_CURSOR_HAND, id, "Show this pinned place (Esc: let all go)");
        x += w + 6;
    }
}

void
images_inspect(const struct screen_ctx *c, hl_rect r, const struct images_pic *p)
{
    bool hot;
    int place = images_place(c->state, p, &hot);
    hl_rect in = ui_panel(c->ui, r);
    bool roomy = in.h > 440;
    hl_rect low = { 0 };
    if (p->score != NULL)
        low = rect_cut_bottom(&in, fminf(scores_height(p, roomy), in.h * 0.5f));
    if (place >= 0) {
        title(c, &in, p, place, hot);
        pin_row(c, &in, p);
        numbers(c, &in, p, place, roomy);
    } else {
        ui_label(c->ui, rect_cut_top(&in, 24), DL_FONT_UI_BOLD, c->theme->label, DL_LEFT,
                 c->theme->ink, "No place is pinned");
        ui_paragraph(c->ui, in, DL_FONT_UI, c->theme->body, c->theme->quiet,
                     "Point at the picture, or click a place to pin it. Alt and the arrow keys "
                     "move the pin.",
                     true);
    }
    if (p->score != NULL)
        scores(c, low, p, roomy);
}

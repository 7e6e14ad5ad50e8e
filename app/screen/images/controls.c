/* What is drawn and by which numbers: classes, seed, latent, gamma, training. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

const char *
images_number(char *buf, size_t buf_sz, double v, int decimals)
{
    char digits[32];
    hl_fmt_fixed(digits, sizeof digits, fabs(v), decimals);
    bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(buf, buf_sz, "%s%s", v < 0 && !zero ? "−" : "", digits);
    return buf;
}

/* ---- classes ---- */

/* How often the text names class i, at most HL_SAGAN_MAX_PICTURES. */
static int
times_named(const struct images_pic *p, bool there, int i)
{
    int n = 0;
    for (int k = 0; there && k < HL_SAGAN_MAX_PICTURES; k++)
        n += p->asked[k] == i;
    return n;
}

static float
class_button(const struct screen_ctx *c, float x, float y, float right, int i, bool on)
{
    const struct hl_theme *t = c->theme;
    const char *name = images_info(c->state)->class_names[i];
    char id[UI_ID_SZ];
    float w = ceilf(ui_text_width(c->ui, DL_FONT_UI_MEDIUM, t->body, name)) + 20;
    hl_rect r = rect_make(x, y, w, UI_BUTTON_H);
    if (x + w > right)
        return 0;
    snprintf(id, sizeof id, "class:%d", i);
    bool hot = ui_hovered(c->ui, id);
    dl_fill(c->dl, r, UI_RADIUS,
            on    ? t->accent
            : hot ? theme_mix(t->accent_soft, t->chip, 0.5f)
                  : t->chip);
    ui_label(c->ui, r, DL_FONT_UI_MEDIUM, t->body, DL_CENTER, on ? t->white_on_accent : t->chip_ink,
             name);
    ui_hit(c->ui, r, UI_RADIUS, DL_CURSOR_HAND, id,
           "Draw this one; with Shift: one more, up to four");
    return w + 6;
}

float
images_classes(const struct screen_ctx *c, hl_rect r)
{
    const struct app_state *s = c->state;
    const struct hl_sagan_info *info = images_info(s);
    struct images_pic p;
    char words[160], note[240];
    bool there = images_pic(s, &p);
    float x = r.x, right = r.x + r.w;
    if (info == NULL)
        return 0;
    for (int i = 0; i < info->n_classes; i++)
        x += class_button(c, x, r.y, right, i, times_named(&p, there && !images_of(s)->own, i) > 0);
    if (!there || images_of(s)->own || !images_unknown(state_text(s), p.r, words, sizeof words))
        return UI_BUTTON_H + UI_GAP;
    snprintf(note, sizeof note, "%s: none of these", words);
    float w = ui_text_width(c->ui, DL_FONT_UI, c->theme->small, note);
    bool beside = x + 8 + w <= right;
    hl_rect at = beside ? rect_make(x + 8, r.y, right - x - 8, UI_BUTTON_H)
                        : rect_make(r.x, r.y + UI_BUTTON_H + 2, r.w, 16);
    ui_label(c->ui, at, DL_FONT_UI, c->theme->small, DL_LEFT, c->theme->pinned_ink, note);
    return UI_BUTTON_H + UI_GAP + (beside ? 0 : 14);
}

/* ---- seed and latent ---- */

static void
seed_row(const struct screen_ctx *c, hl_rect r)
{
    struct ui *u = c->ui;
    if (r.w >= 190)
        ui_label(u, rect_cut_left(&r, 34), DL_FONT_UI, c->theme->body, DL_LEFT, c->theme->quiet,
                 "seed");
    hl_rect fresh = rect_cut_right(&r, ui_button_width(u, "new"));
    rect_cut_right(&r, 6);
    hl_rect prev = rect_cut_left(&r, 22), next = rect_cut_right(&r, 22);
    field_build(u, &images_of(c->state)->seed_text, rect_inset(r, 2, 0), c->theme->body,
                "field:seed", "0");
    ui_button(u, prev, UI_BUTTON_PLAIN, true, "seed:prev", "‹", "The seed before (Alt+PageUp)");
    ui_button(u, next, UI_BUTTON_PLAIN, true, "seed:next", "›", "The next seed (Alt+PageDown)");
    ui_button(u, fresh, UI_BUTTON_PLAIN, true, "seed:random", "new",
              "A random seed: other pictures of the same classes (Alt+R)");
}

/* One number as an upright slider around 0. */
static void
latent_slider(const struct screen_ctx *c, hl_rect r, int i, float value)
{
    const struct hl_theme *t = c->theme;
    char id[UI_ID_SZ], tip[UI_TIP_SZ], n[32];
    float mid = r.y + r.h / 2, w = fmaxf(3, floorf(r.w * 0.55f));
    float x = roundf(r.x + (r.w - w) / 2), h = (r.h / 2 - 2) * fabsf(value) / IMAGES_LATENT_MAX;
    snprintf(id, sizeof id, "latent:%d", i);
    snprintf(tip, sizeof tip, "Number %d of the latent: %s (drag, wheel, ↑ ↓)", i + 1,
             images_number(n, sizeof n, (double)value, 2));
    bool hot = ui_hovered(c->ui, id);
    dl_fill(c->dl, rect_make(x, r.y, w, r.h), 1, hot ? t->accent_soft : t->chip);
    dl_fill(c->dl, rect_make(x, value > 0 ? mid - h : mid, w, fmaxf(h, 1)), 1,
            value >= 0 ? t->accent : theme_map_color(DL_MAP_SIGNED, t->dark, 40));
    ui_hit(c->ui, r, 2, DL_CURSOR_HAND, id, tip);
}

static void
latent_pad(const struct screen_ctx *c, hl_rect *in, float h)
{
    const struct app_state *s = c->state;
    const struct images_state *m = images_of(s);
    const struct hl_sagan_info *info = images_info(s);
    float z[HL_SAGAN_MAX_LATENT];
    char title[48];
    hl_rect top = rect_cut_top(in, 18);
    snprintf(title, sizeof title, "latent of picture %d, −%d to %d", m->picture + 1,
             IMAGES_LATENT_MAX, IMAGES_LATENT_MAX);
    ui_label(c->ui, top, DL_FONT_UI, c->theme->small, DL_LEFT, c->theme->quiet, title);
    if (m->moved[m->picture]) {
        float w = ui_text_width(c->ui, DL_FONT_UI_MEDIUM, c->theme->small, "as seeded");
        hl_rect link = rect_make(top.x + top.w - w, top.y, w, 18);
        ui_label(c->ui, link, DL_FONT_UI_MEDIUM, c->theme->small, DL_LEFT, c->theme->accent,
                 "as seeded");
        ui_hit(c->ui, link, 2, DL_CURSOR_HAND, "act:reset",
               "The latent that the seed gives (Alt+0)");
    }
    images_latent(s, z);
    hl_rect pad = rect_cut_top(in, h);
    float w = pad.w / (float)info->latent_size;
    for (int i = 0; i < info->latent_size; i++)
        latent_slider(c, rect_make(pad.x + w * (float)i, pad.y, w, pad.h), i, z[i]);
    ui_rule(c->ui, pad.x, pad.y + roundf(pad.h / 2), pad.w);
}

/* ---- gamma and training ---- */

static void
training_slider(const struct screen_ctx *c, hl_rect r)
{
    const struct hl_sagan_info *info = images_info(c->state);
    int n = info->n_snapshots;
    control_draw(c->ui, r, c->state, &images_rows[IMAGES_ROW_SNAPSHOT]);
    for (int i = 0; i <= n; i++)
        dl_fill(
            c->dl,
            rect_make(roundf(r.x + 6 + (float)i / (float)n * (r.w - 12)) - 1, r.y + r.h - 2, 2, 2),
            0, c->theme->quiet);
}

/* gamma after each part of training; the last point is the finished model. */
static void
gamma_curve(const struct screen_ctx *c, hl_rect r)
{
    const struct hl_sagan_info *info = images_info(c->state);
    const struct hl_theme *t = c->theme;
    int n = info->n_snapshots, at = images_of(c->state)->drawn.snapshot;
    float low = 0, high = 0, x0 = 0, y0 = 0;
    char number[24];
    for (int i = 0; i <= n; i++) {
        float v = i < n ? info->snapshots[i].gamma : info->gamma;
        low = fminf(low, v);
        high = fmaxf(high, v);
    }
    hl_rect box = rect_make(r.x + 6, r.y + 20, r.w - 12, r.h - 24);
    float zero = box.y + (high - low > 0 ? high / (high - low) : 0.5f) * box.h;
    ui_label(c->ui, rect_make(r.x, r.y, r.w, 16), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
             "γ through training");
    ui_label(c->ui, rect_make(r.x, r.y, r.w, 16), DL_FONT_MONO, t->small, DL_RIGHT, t->quiet,
             images_number(number, sizeof number, (double)images_trained_gamma(c->state), 3));
    ui_rule(c->ui, r.x, roundf(zero), r.w);
    for (int i = 0; i <= n; i++) {
        float v = i < n ? info->snapshots[i].gamma : info->gamma;
        float x = box.x + box.w * (float)i / (float)n;
        float y = zero - (high - low > 0 ? v / (high - low) * box.h : 0);
        bool here = at >= 1 && at <= n ? i == at - 1 : i == n;
        if (i > 0)
            dl_line(c->dl, x0, y0, x, y, 1.5f, t->accent);
        dl_fill(c->dl,
                rect_make(x - (here ? 4 : 2), y - (here ? 4 : 2), here ? 8 : 4, here ? 8 : 4),
                here ? 4 : 2, here ? t->pinned : t->accent);
        x0 = x;
        y0 = y;
    }
}

/* ---- the column ---- */

void
images_controls(const struct screen_ctx *c, hl_rect r)
{
    const struct app_state *s = c->state;
    const struct hl_sagan_info *info = images_info(s);
    hl_rect in = ui_panel(c->ui, r);
    float gap = in.h > 420 ? 14 : 8;
    control_draw(c->ui, rect_cut_top(&in, UI_BUTTON_H), s, &images_rows[IMAGES_ROW_NETWORK]);
    rect_cut_top(&in, gap);
    if (images_of(s)->own) {
        images_own_controls(c, in);
        return;
    }
    seed_row(c, rect_cut_top(&in, UI_BUTTON_H));
    rect_cut_top(&in, gap);
    latent_pad(c, &in, in.h > 300 ? 112 : 72);
    rect_cut_top(&in, gap);
    control_draw(c->ui, rect_cut_top(&in, 36), s, &images_rows[IMAGES_ROW_GAMMA]);
    rect_cut_top(&in, gap);
    if (info->n_snapshots > 0) {
        training_slider(c, rect_cut_top(&in, 36));
        rect_cut_top(&in, gap);
    }
    if (info->n_snapshots > 0 && in.h > 130) {
        gamma_curve(c, rect_cut_top(&in, fminf(in.h - 60, 96)));
        rect_cut_top(&in, gap);
    }
    if (in.h < 44)
        return;
    ui_rule(c->ui, in.x, in.y + 4, in.w);
    rect_cut_top(&in, 12);
    ui_paragraph(c->ui, in, DL_FONT_UI, c->theme->small, c->theme->quiet,
                 "y = γ·o + x: o is what attention gathers, x what convolution made.", true);
}

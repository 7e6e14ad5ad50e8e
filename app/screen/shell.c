#include "screen/shell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

const struct hl_screen *
shell_screen(const struct app_state *s)
{
    int n;
    return screen_all(&n)[s->screen];
}

hl_rect
shell_field_rect(const struct app_state *s)
{
    return rect_make(SHELL_MARGIN, SHELL_NAV_H + 14, s->width - 2 * SHELL_MARGIN, 48);
}

int
shell_slot(const struct app_state *s)
{
    const struct hl_screen *sc = shell_screen(s);
    return sc->shows ? state_slot(s, sc->id, 0) : -1;
}

const char *
shell_model(const struct app_state *s)
{
    const struct hl_screen *sc = shell_screen(s);
    return sc->model != NULL ? sc->model(s) : "";
}

bool
shell_model_suits(const struct app_state *s, const struct app_model *m)
{
    const struct hl_screen *sc = shell_screen(s);
    return m->status == APP_MODEL_READY && hl_model_can(&m->info, sc->wants);
}

void
shell_choose(struct app_state *s, const struct app_model *m)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    state_model_choose(s, m);
    for (int i = 0; i < n; i++) {
        if (all[i]->picked != NULL && hl_model_can(&m->info, all[i]->wants))
            all[i]->picked(s, m);
    }
}

void
shell_take_text(struct app_state *s)
{
    const struct hl_screen *sc = shell_screen(s);
    if (sc->has_text)
        s->text = sc->text;
}

const struct hl_record *
app_record(const struct app_state *s)
{
    int slot = shell_slot(s);
    return slot >= 0 && !state_blank(s) ? s->slots[slot].record : NULL;
}

/* ---- navigation ---- */

/* A lamp and three rays. */
static void
logo(struct ui *u, float x, float y)
{
    hl_color c = u->theme->accent;
    float lamp[6] = { x, y, x + 14, y - 9, x + 14, y + 9 };
    dl_poly(u->dl, lamp, 3, c);
    dl_line(u->dl, x + 18, y - 5, x + 29, y - 11, 3, c);
    dl_line(u->dl, x + 19, y, x + 33, y, 3, c);
    dl_line(u->dl, x + 18, y + 5, x + 29, y + 11, 3, c);
}

static void
icon_button(struct ui *u, hl_rect r, const char *id, const char *tip)
{
    if (ui_hovered(u, id))
        dl_fill(u->dl, r, UI_RADIUS, u->theme->chip);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

static float
nav_width(const struct screen_ctx *c, const struct hl_screen *sc)
{
    return ceilf(ui_text_width(c->ui, DL_FONT_UI_MEDIUM, c->theme->label, sc->title)) + 28;
}

/* Where the screens' names begin; the program's own name needs a wide window. */
static float
nav_start(const struct screen_ctx *c)
{
    float x = SHELL_MARGIN + 42;
    if (c->dl->width < 1000)
        return x;
    return x + 28 + ui_text_width(c->ui, DL_FONT_UI_BOLD, 17, "Headlight");
}

enum { NAV_MODEL_MIN = 150, NAV_MORE_W = 112, NAV_BUTTONS_W = 72 };

/* How many screens have their name in the bar; the others are behind "More". */
static int
nav_shown(const struct screen_ctx *c)
{
    int n, fit = 0;
    const struct hl_screen *const *all = screen_all(&n);
    float x = nav_start(c), right = c->dl->width - SHELL_MARGIN - NAV_BUTTONS_W - NAV_MODEL_MIN;
    while (fit < n && x + nav_width(c, all[fit]) <= right - (fit < n - 1 ? NAV_MORE_W : 0))
        x += nav_width(c, all[fit++]) + 4;
    return fit;
}

/* Where the bar's names end. */
static float
nav_end(const struct screen_ctx *c)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    float x = nav_start(c);
    for (int i = 0; i < nav_shown(c); i++)
        x += nav_width(c, all[i]) + 4;
    return x;
}

static hl_rect
more_rect(const struct screen_ctx *c)
{
    return rect_make(nav_end(c), 10, NAV_MORE_W, 28);
}

/* Right of the names, left of the two buttons; no wider than what is left. */
static hl_rect
model_rect(const struct screen_ctx *c)
{
    int n;
    screen_all(&n);
    const char *name = shell_model(c->state);
    const struct app_model *m = state_model(c->state, name);
    const char *label = m != NULL && m->status == APP_MODEL_READY ? m->info.title : name;
    float w = ui_text_width(c->ui, DL_FONT_UI_MEDIUM, c->theme->body, label) + 40;
    float right = c->dl->width - SHELL_MARGIN - NAV_BUTTONS_W;
    float left = nav_end(c) + 12 + (nav_shown(c) < n ? NAV_MORE_W : 0);
    w = fminf(fmaxf(w, 80), right - left);
    return rect_make(right - w, 10, w, 28);
}

static void
nav(const struct screen_ctx *c)
{
    const struct app_state *s = c->state;
    const struct hl_theme *t = c->theme;
    struct ui *u = c->ui;
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    dl_fill(c->dl, rect_make(0, 0, c->dl->width, SHELL_NAV_H), 0, t->panel);
    ui_rule(u, 0, SHELL_NAV_H - 1, c->dl->width);
    logo(u, SHELL_MARGIN, SHELL_NAV_H / 2);
    float x = nav_start(c);
    if (x > SHELL_MARGIN + 42)
        ui_label(u, rect_make(SHELL_MARGIN + 42, 0, 140, SHELL_NAV_H), DL_FONT_UI_BOLD, 17, DL_LEFT,
                 t->ink, "Headlight");
    int fit = nav_shown(c);
    for (int i = 0; i < fit; i++) {
        char id[UI_ID_SZ], tip[UI_TIP_SZ];
        float w = nav_width(c, all[i]);
        hl_rect r = rect_make(x, 10, w, 28);
        bool on = i == s->screen;
        snprintf(id, sizeof id, "nav:%s", all[i]->id);
        snprintf(tip, sizeof tip, "Ctrl+%d", i + 1);
        if (on) {
            dl_fill(c->dl, r, UI_RADIUS, t->chip);
            dl_fill(c->dl, rect_make(r.x + 12, SHELL_NAV_H - 4, r.w - 24, 3), 1.5f, t->accent);
        }
        ui_label(u, r, on ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, t->label, DL_CENTER,
                 on                  ? t->ink
                 : ui_hovered(u, id) ? t->accent
                                     : t->quiet,
                 all[i]->title);
        ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
        x += w + 4;
    }
    if (fit < n)
        ui_dropdown(u, more_rect(c), "menu:screens",
                    s->screen >= fit ? all[s->screen]->title : "More", s->menu_screens,
                    "All screens (Ctrl+K)");
    hl_rect help = rect_make(c->dl->width - SHELL_MARGIN - 28, 10, 28, 28);
    hl_rect theme = rect_make(help.x - 32, 10, 28, 28);
    icon_button(u, theme, "act:theme", "Light or dark (Ctrl+T)");
    float cx = theme.x + 14, cy = theme.y + 14;
    dl_stroke(c->dl, rect_make(cx - 7, cy - 7, 14, 14), 7, 1.5f, t->quiet);
    dl_clip(c->dl, rect_make(cx, cy - 7, 7, 14));
    dl_fill(c->dl, rect_make(cx - 7, cy - 7, 14, 14), 7, t->quiet);
    dl_unclip(c->dl);
    icon_button(u, help, "act:help", "Help and all keys (F1)");
    ui_label(u, help, DL_FONT_UI_BOLD, t->label, DL_CENTER, t->quiet, "?");
    const char *name = shell_model(s);
    if (name[0] != 0 && model_rect(c).w >= 60) {
        const struct app_model *m = state_model(s, name);
        ui_dropdown(u, model_rect(c), "menu:models",
                    m != NULL && m->status == APP_MODEL_READY ? m->info.title : name,
                    s->menu_models, "Which model (Ctrl+M)");
    }
}

static void
screen_menu(const struct screen_ctx *c)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    const char **labels = hl_arena_new(c->frame, n, const char *);
    if (!c->state->menu_screens || labels == NULL)
        return;
    for (int i = 0; i < n; i++)
        labels[i] = all[i]->title;
    ui_menu(c->ui, more_rect(c), rect_make(0, 0, c->dl->width, c->dl->height), "screen", labels, n,
            c->state->screen);
}

static void
model_menu(const struct screen_ctx *c)
{
    const struct app_state *s = c->state;
    const char *labels[APP_MODELS];
    int chosen = -1;
    if (!s->menu_models || s->n_models == 0)
        return;
    for (int i = 0; i < s->n_models; i++) {
        const struct app_model *m = &s->models[i];
        const char *title = m->status == APP_MODEL_READY ? m->info.title : m->name;
        const char *state = m->status == APP_MODEL_LOADING  ? " (opening)"
                            : m->status == APP_MODEL_FAILED ? " (cannot be used)"
                                                            : "";
        bool suits = shell_model_suits(s, m);
        char *label = hl_arena_printf(c->frame, "%s%s%s", suits ? "" : "-", title, state);
        labels[i] = label != NULL ? label : m->name;
        chosen = strcmp(m->name, shell_model(s)) == 0 ? i : chosen;
    }
    ui_menu(c->ui, model_rect(c), rect_make(0, 0, c->dl->width, c->dl->height), "model", labels,
            s->n_models, chosen);
}

/* ---- text, examples, chips, notices ---- */

static float
example_row(const struct screen_ctx *c, float y)
{
    const struct hl_screen *sc = shell_screen(c->state);
    const struct hl_theme *t = c->theme;
    float x = SHELL_MARGIN, right = c->dl->width - SHELL_MARGIN;
    if (sc->examples == NULL)
        return 0;
    x += 12 +
         ui_label(c->ui, rect_make(x, y, 60, 22), DL_FONT_UI, t->small, DL_LEFT, t->quiet, "try");
    for (int i = 0; sc->examples[i] != NULL; i++) {
        char id[UI_ID_SZ];
        float w = ceilf(ui_text_width(c->ui, DL_FONT_UI, t->small, sc->examples[i]));
        hl_rect r = rect_make(x, y, fminf(w, 380), 22);
        if (r.x + r.w > right)
            r.w = right - r.x;
        if (r.w < fminf(w, 90))
            break;
        snprintf(id, sizeof id, "example:%d", i);
        bool same = strcmp(state_text(c->state), sc->examples[i]) == 0;
        ui_label(c->ui, r, DL_FONT_UI, t->small, DL_LEFT,
                 ui_hovered(c->ui, id) ? t->ink
                 : same                ? t->quiet
                                       : t->accent,
                 sc->examples[i]);
        ui_hit(c->ui, r, UI_RADIUS, DL_CURSOR_HAND, id, "Next example: Alt+N");
        x += r.w + 20;
    }
    return 26;
}

/* The model's own words were unlikely to it: the text is outside what it learned. On
 * everyday sentences the mean is about e^-0.1 a piece, on unknown words below e^-0.7. */
static bool
unsure(const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    const char *decode = hl_record_setting(r, "decode");
    bool own = decode != NULL && strcmp(decode, "forced") != 0;
    return own && r->output_text != NULL && target != NULL && target->n > 0 &&
           r->output_logprob / target->n < -0.5;
}

static void
probability(const struct screen_ctx *c, const struct hl_record *r, float y)
{
    char num[32], text[48];
    const struct hl_theme *t = c->theme;
    if (r->output_text == NULL)
        return;
    if (unsure(r))
        ui_label(c->ui, rect_make(c->dl->width - SHELL_MARGIN - 160, y, 66, 28), DL_FONT_UI_MEDIUM,
                 t->body, DL_RIGHT, t->pinned_ink, "unsure");
    double p = exp(r->output_logprob);
    if (p >= 0.0005)
        hl_fmt_fixed(num, sizeof num, p, 3);
    else
        snprintf(num, sizeof num, "< 0.001");
    snprintf(text, sizeof text, p >= 0.0005 ? "p = %s" : "p %s", num);
    ui_label(c->ui, rect_make(c->dl->width - SHELL_MARGIN - 90, y, 90, 28), DL_FONT_MONO, t->body,
             DL_RIGHT, t->quiet, text);
}

static float
chips(const struct screen_ctx *c, float y)
{
    const struct app_state *s = c->state;
    const struct hl_record *r = app_record(s);
    const struct hl_screen *sc = shell_screen(s);
    struct attention_pic p;
    struct view_chips v;
    bool there = screen_picture(c, &p);
    int rows = c->dl->height >= 760 ? 2 : 1;
    float y0 = y, w = c->dl->width - 2 * SHELL_MARGIN;
    if (attention_chips(s, c->frame, r, there ? &p : NULL, APP_SOURCE, &v))
        y += view_chips(c->ui, rect_make(SHELL_MARGIN, y, w, 28), &v, rows);
    if (sc->picture != NULL && c->dl->height >= 520 &&
        attention_chips(s, c->frame, r, there ? &p : NULL, APP_TARGET, &v)) {
        probability(c, r, y);
        float room = unsure(r) ? 170 : 100;
        y += view_chips(c->ui, rect_make(SHELL_MARGIN, y, w - room, 28), &v, rows);
    }
    return y - y0;
}

/* A line that cannot be overlooked: text on the pinned tint. */
static float
notice(const struct screen_ctx *c, float y, bool failed, const char *text)
{
    const struct hl_theme *t = c->theme;
    hl_rect r = rect_make(SHELL_MARGIN, y, c->dl->width - 2 * SHELL_MARGIN, 0);
    hl_rect in = rect_make(r.x + 12, y + 4, r.w - 24, 0);
    float h = ui_paragraph(c->ui, in, DL_FONT_UI, t->body, t->ink, text, false);
    r.h = h + 8;
    dl_fill(c->dl, r, UI_RADIUS, t->pinned_soft);
    dl_fill(c->dl, rect_make(r.x, r.y, 3, r.h), 1.5f, failed ? t->error : t->pinned);
    ui_paragraph(c->ui, in, DL_FONT_UI, t->body, t->pinned_ink, text, true);
    return r.h + 8;
}

static float
notices(const struct screen_ctx *c, float y)
{
    const struct app_state *s = c->state;
    const struct hl_screen *sc = shell_screen(s);
    int slot = shell_slot(s);
    const struct hl_record *r = app_record(s);
    float y0 = y;
    if (slot >= 0 && s->slots[slot].error[0] != 0 && r != NULL) {
        char own[APP_TEXT_SZ];
        bool said = sc->say_failed != NULL && sc->say_failed(s, own, sizeof own);
        y += notice(c, y, !said, said ? own : s->slots[slot].error);
    }
    const struct app_model *m = state_model(s, shell_model(s));
    if (m != NULL && m->status == APP_MODEL_FAILED && r != NULL)
        y += notice(c, y, true, m->error);
    if (r != NULL && r->n_dropped_tokens > 0) {
        const struct hl_axis *src = hl_record_find_axis(r, "source");
        char text[APP_TEXT_SZ], where[64] = "";
        if (src != NULL && src->text != NULL && r->dropped_at >= 0) {
            const char *from = src->text + r->dropped_at;
            from += strspn(from, " ");
            size_t n = strcspn(from, " \n");
            n = n > 40 ? 40 : n;
            while (n > 0 && ((unsigned char)from[n] & 0xC0) == 0x80)
                n--;
            snprintf(where, sizeof where, ", from “%.*s” on", (int)n, from);
        }
        if (sc->say_dropped == NULL || !sc->say_dropped(r, where, text, sizeof text)) {
            int n = r->n_dropped_tokens;
            char part[64] = "token was";
            if (n > 1)
                snprintf(part, sizeof part, "%d tokens were", n);
            snprintf(text, sizeof text,
                     "The text is longer than the model reads: its last %s left out%s.", part,
                     where);
        }
        y += notice(c, y, false, text);
    }
    return y - y0;
}

static void
foot(const struct screen_ctx *c)
{
    const struct app_state *s = c->state;
    const struct hl_theme *t = c->theme;
    const struct hl_screen *sc = shell_screen(s);
    hl_rect r = rect_make(0, c->dl->height - SHELL_FOOT_H, c->dl->width, SHELL_FOOT_H);
    char left[APP_TEXT_SZ] = "", right[128] = "F1 keys", ms[32];
    dl_fill(c->dl, r, 0, t->panel);
    ui_rule(c->ui, 0, r.y, r.w);
    r = rect_inset(r, SHELL_MARGIN, 0);
    int slot = shell_slot(s);
    const struct hl_record *rec = app_record(s);
    const struct hl_axis *src = rec != NULL ? hl_record_find_axis(rec, "source") : NULL;
    if (src != NULL && sc->own_chips && s->slots[slot].ms > 0)
        snprintf(right, sizeof right, "%s ms · F1 keys",
                 hl_fmt_fixed(ms, sizeof ms, (double)s->slots[slot].ms, 1));
    else if (src != NULL && sc->own_chips)
        snprintf(right, sizeof right, "F1 keys");
    else if (src != NULL && s->slots[slot].ms > 0)
        snprintf(right, sizeof right, "%d tokens · %s ms · F1 keys", src->n,
                 hl_fmt_fixed(ms, sizeof ms, (double)s->slots[slot].ms, 1));
    else if (src != NULL)
        snprintf(right, sizeof right, "%d tokens · F1 keys", src->n);
    float w = ui_label(c->ui, r, DL_FONT_MONO, t->small, DL_RIGHT, t->quiet, right);
    rect_cut_right(&r, w + 24);
    if (s->status[0] != 0)
        snprintf(left, sizeof left, "%s", s->status);
    else if (sc->provenance != NULL)
        sc->provenance(c, left, sizeof left);
    ui_label(c->ui, r, DL_FONT_UI, t->small, DL_LEFT,
             s->status[0] != 0 ? (s->status_failed ? t->error : t->ink) : t->quiet, left);
}

void
screen_waiting(const struct screen_ctx *c, hl_rect area, const char *model)
{
    int slot = shell_slot(c->state);
    const struct app_state *s = c->state;
    const struct hl_theme *t = c->theme;
    const struct app_model *m = state_model(s, model);
    const char *title, *text;
    bool failed = false;
    hl_rect in = ui_panel(c->ui, area);
    if (m != NULL && m->status == APP_MODEL_FAILED) {
        title = "This model cannot be used";
        text = m->error;
        failed = true;
    } else if (state_blank(s)) {
        title = "Nothing typed yet";
        text = "Type an English sentence above, or take one of the examples: every key is "
               "translated and drawn at once.";
    } else if (s->slots[slot].error[0] != 0) {
        title = "This sentence could not be analysed";
        text = s->slots[slot].error;
        failed = true;
    } else if (m == NULL) {
        title = "No model";
        text = "No model for this screen was found. “headlight models” lists the places that are "
               "searched.";
    } else {
        /* soon gone: one line in the middle */
        title = m->status == APP_MODEL_LOADING ? "Opening the model …" : "Working …";
        ui_label(c->ui, in, DL_FONT_UI_MEDIUM, t->label, DL_CENTER, t->quiet, title);
        return;
    }
    hl_rect box = rect_make(in.x + fmaxf(0, (in.w - 520) / 2), in.y + fmaxf(8, in.h * 0.3f),
                            fminf(in.w, 520), in.h);
    ui_label(c->ui, rect_cut_top(&box, 32), DL_FONT_UI_BOLD, 17, DL_LEFT,
             failed ? t->error : t->ink, title);
    ui_paragraph(c->ui, box, DL_FONT_UI, t->label, t->quiet, text, true);
}

bool
screen_picture(const struct screen_ctx *c, struct attention_pic *out)
{
    const struct hl_screen *sc = shell_screen(c->state);
    struct picture_memo *m = c->memo;
    if (!m->asked)
        m->there = sc->picture != NULL && sc->picture(c->state, c->frame, &m->pic);
    m->asked = true;
    if (m->there)
        *out = m->pic;
    return m->there;
}

/* ---- the whole ---- */

void
app_build(const struct app_state *s, const struct hl_metrics *metrics, struct hl_arena *frame,
          struct dl *dl)
{
    const struct hl_theme *t = theme_get(s->dark);
    struct ui u = { .dl = dl,
                    .metrics = metrics,
                    .theme = t,
                    .frame = frame,
                    .hover = s->hover,
                    .hushed = s->hushed,
                    .focus = s->focus,
                    .focus_visible = s->focus_visible };
    struct picture_memo memo = { .asked = false };
    struct screen_ctx c = { .dl = dl,
                            .ui = &u,
                            .metrics = metrics,
                            .theme = t,
                            .state = s,
                            .frame = frame,
                            .memo = &memo };
    const struct hl_screen *sc = shell_screen(s);
    dl_begin(dl, s->width, s->height, s->device_scale, t->background);
    nav(&c);
    float y = SHELL_NAV_H + UI_PAD;
    if (sc->has_text) {
        hl_rect f = shell_field_rect(s);
        field_build(&u, &s->texts[sc->text][s->active[sc->text]], f, SHELL_TEXT_SIZE, "field:text",
                    sc->hint != NULL ? sc->hint : "Type an English sentence");
        y = f.y + f.h + 10;
        if (state_blank(s) || s->height >= 720)
            y += example_row(&c, y);
        y += sc->own_chips ? 2 : 2 + chips(&c, y);
        y += 4 + notices(&c, y);
    }
    hl_rect area =
        rect_make(SHELL_MARGIN, y, s->width - 2 * SHELL_MARGIN, s->height - SHELL_FOOT_H - 12 - y);
    sc->build(&c, area);
    foot(&c);
    model_menu(&c);
    screen_menu(&c);
    if (s->help)
        help_build(&c);
    ui_end(&u);
}

#include "screen/control.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen/shell.h"

enum { VALUE_SZ = 64, PAGE_STEPS = 16, WAY_STEPS = 50 };
static const double hold = 0.012; /* how near its own place a slider's knob comes to rest */

/* ---- rows ---- */

/* The i-th row of all tables; NULL behind the last. */
static const struct hl_control *
row_at(const struct hl_screen *sc, int i)
{
    for (const struct control_table *const *t = sc->controls; t != NULL && *t != NULL; t++) {
        if (i < (*t)->n)
            return &(*t)->rows[i];
        i -= (*t)->n;
    }
    return NULL;
}

const struct hl_control *
control_find(const struct hl_screen *sc, const char *key)
{
    const struct hl_control *c;
    for (int i = 0; (c = row_at(sc, i)) != NULL; i++) {
        if (strcmp(c->o.key, key) == 0)
            return c;
    }
    return NULL;
}

/* The value in use. */
static double
value_now(const struct app_state *s, const struct hl_control *c)
{
    double v = c->get(s);
    return isnan(v) && c->home != NULL ? c->home(s) : v;
}

/* What a slider runs over: of whole numbers one more where the last stop is its own value. */
static void
range_of(const struct app_state *s, const struct hl_control *c, double *from, double *to)
{
    *from = c->o.min;
    *to = c->o.max;
    if (c->range != NULL)
        c->range(s, from, to);
    *to += c->own != NULL && c->o.kind == HL_OPTION_WHOLE;
}

static double
place_of(const struct app_state *s, const struct hl_control *c, double v)
{
    double from, to;
    range_of(s, c, &from, &to);
    double place = c->place != NULL ? c->place(v) : to != from ? (v - from) / (to - from) : 0;
    return fmin(fmax(place, 0), 1);
}

static double
next_value(const struct hl_control *c, double v)
{
    int n = hl_option_n(&c->o);
    if (c->next != NULL)
        return c->next(v);
    if (n > 0)
        return fmod(v + 1, n);
    return v + 1 > c->o.max ? c->o.min : v + 1;
}

static void
take(struct app_state *s, const struct hl_control *c, double v, struct hl_effects *fx)
{
    bool own = isnan(v) && c->own != NULL;
    if (c->o.kind == HL_OPTION_WHOLE || c->o.kind == HL_OPTION_REAL)
        v = own ? v : fmin(fmax(c->o.kind == HL_OPTION_WHOLE ? round(v) : v, c->o.min), c->o.max);
    if (!own && !hl_option_allows(&c->o, v))
        return;
    c->put(s, v);
    s->dirty = true;
    if (c->reruns)
        app_request(s, fx);
}

/* Where next() begins: NAN is for it to see. */
static double
next_from(const struct app_state *s, const struct hl_control *c)
{
    return c->next != NULL ? c->get(s) : value_now(s, c);
}

/* What a slider's knob at v means. */
static void
slide(struct app_state *s, const struct hl_control *c, double v, struct hl_effects *fx)
{
    double from, to;
    range_of(s, c, &from, &to);
    v = fmin(fmax(v, fmin(from, to)), fmax(from, to));
    if (c->own != NULL && c->o.kind == HL_OPTION_WHOLE)
        v = round(v) >= to ? NAN : v;
    else if (c->own != NULL && fabs(place_of(s, c, v) - place_of(s, c, c->home(s))) <= hold)
        v = NAN;
    take(s, c, v, fx);
}

void
control_step(struct app_state *s, const struct hl_control *c, double steps, struct hl_effects *fx)
{
    double from, to;
    range_of(s, c, &from, &to);
    bool whole = c->o.kind == HL_OPTION_WHOLE;
    double step = c->step > 0 ? c->step : whole ? 1 : (to - from) / WAY_STEPS;
    slide(s, c, value_now(s, c) + step * (whole ? copysign(ceil(fabs(steps)), steps) : steps), fx);
}

/* ---- drawing ---- */

static const char *
id_of(const char *group, const struct hl_control *c, char *buf)
{
    snprintf(buf, UI_ID_SZ, "%s:%s", group, c->o.key);
    return buf;
}

/* The tip with its key: "Pieces of a word merged (Alt+W)". */
static const char *
tip_of(const struct hl_control *c, char *buf)
{
    const char *tip = c->o.tip != NULL ? c->o.tip : "";
    int n = (int)strlen(tip);
    n -= n > 0 && tip[n - 1] == '.';
    if (c->key != 0)
        snprintf(buf, UI_TIP_SZ, "%.*s (Alt+%c)", n, tip, c->key - 'a' + 'A');
    else
        snprintf(buf, UI_TIP_SZ, "%.*s", n, tip);
    return buf;
}

static const char *
pill_label(const struct app_state *s, const struct hl_control *c)
{
    return c->label != NULL ? c->label(c->get(s)) : c->o.label;
}

static const char *
switch_label(const struct app_state *s, const struct hl_control *c, char *buf)
{
    return c->value != NULL ? c->value(s, buf, VALUE_SZ) : c->o.label;
}

float
control_width(const struct ui *u, const struct app_state *s, const struct hl_control *c)
{
    const char *const *titles = c->o.titles != NULL ? c->o.titles : c->o.names;
    char label[VALUE_SZ];
    if (c->look == CONTROL_PILL)
        return ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, u->theme->small, pill_label(s, c))) + 16;
    if (c->look == CONTROL_SWITCH)
        return ui_switch_width(u, switch_label(s, c, label));
    return c->look == CONTROL_SEGMENTS ? ui_segments_width(u, titles, hl_option_n(&c->o)) : 0;
}

static float
draw_slider(struct ui *u, hl_rect r, const struct app_state *s, const struct hl_control *c,
            const char *tip)
{
    char id[UI_ID_SZ], text[VALUE_SZ];
    double v = value_now(s, c);
    if (c->value != NULL)
        c->value(s, text, sizeof text);
    else
        hl_option_print(&c->o, v, text, sizeof text);
    ui_slider(u, r, id_of("slide", c, id), c->o.label, text, (float)place_of(s, c, v), tip);
    if (c->own != NULL && c->o.kind == HL_OPTION_REAL)
        ui_slider_mark(u, r, (float)place_of(s, c, c->home(s)));
    return r.w;
}

float
control_draw(struct ui *u, hl_rect r, const struct app_state *s, const struct hl_control *c)
{
    char id[UI_ID_SZ], tip[UI_TIP_SZ], label[VALUE_SZ];
    const char *const *titles = c->o.titles != NULL ? c->o.titles : c->o.names;
    int n = hl_option_n(&c->o), chosen = (int)value_now(s, c);
    tip_of(c, tip);
    switch (c->look) {
    case CONTROL_PILL:
        return ui_pill(u, r.x, r.y, c->get(s) != c->o.min, id_of("switch", c, id), pill_label(s, c),
                       tip);
    case CONTROL_SEGMENTS:
        return ui_segments(u, r, c->o.key, c->o.names, titles, n, chosen, tip);
    case CONTROL_TABS:
        return ui_tabs(u, r, c->o.key, c->o.names, titles, n, chosen, tip);
    case CONTROL_SWITCH:
        return ui_switch(u, r, chosen != 0, id_of("switch", c, id), switch_label(s, c, label), tip);
    case CONTROL_SLIDER:
        return draw_slider(u, r, s, c, tip);
    case CONTROL_HIDDEN:
        break;
    }
    return 0;
}

/* ---- events ---- */

/* The row that `hit` belongs to, and for one of several its place (-1: the control as a
 * whole). */
static const struct hl_control *
row_of(const struct hl_screen *sc, const char *hit, int *place)
{
    const char *colon = strchr(hit, ':');
    char group[UI_ID_SZ];
    *place = -1;
    if (colon == NULL)
        return NULL;
    snprintf(group, sizeof group, "%.*s", (int)(colon - hit), hit);
    if (strcmp(group, "switch") == 0 || strcmp(group, "slide") == 0)
        return control_find(sc, colon + 1);
    const struct hl_control *c = control_find(sc, group);
    for (int i = 0; c != NULL && c->o.kind == HL_OPTION_CHOICE && c->o.names[i] != NULL; i++)
        *place = strcmp(c->o.names[i], colon + 1) == 0 ? i : *place;
    return *place >= 0 ? c : NULL;
}

static bool
is_slider(const char *hit)
{
    return strncmp(hit, "slide:", 6) == 0;
}

static void
slide_to(struct app_state *s, const struct hl_control *c, const char *hit, float x,
         struct hl_effects *fx)
{
    hl_rect r;
    if (s->last == NULL || !dl_hit_find(s->last, hit, &r))
        return;
    double from, to, t = (double)ui_slider_value(r, x);
    range_of(s, c, &from, &to);
    slide(s, c, c->at != NULL ? c->at(t) : from + t * (to - from), fx);
}

static bool
slider_key(struct app_state *s, const struct hl_control *c, int key, struct hl_effects *fx)
{
    double by = key == KEY_LEFT        ? -1
                : key == KEY_RIGHT     ? 1
                : key == KEY_PAGE_DOWN ? -PAGE_STEPS
                : key == KEY_PAGE_UP   ? PAGE_STEPS
                                       : 0;
    if (by != 0)
        control_step(s, c, by, fx);
    return by != 0;
}

static bool
key_event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    const struct hl_screen *sc = shell_screen(s);
    const struct hl_control *c;
    int place;
    for (int i = 0; ev->mods == MOD_ALT && (c = row_at(sc, i)) != NULL; i++) {
        if (c->key != 0 && c->key == ev->key) {
            take(s, c, next_value(c, next_from(s, c)), fx);
            return true;
        }
    }
    c = ev->mods == 0 && is_slider(hit) ? row_of(sc, hit, &place) : NULL;
    return c != NULL && slider_key(s, c, ev->key, fx);
}

bool
control_event(struct app_state *s, const struct hl_event *ev, const char *hit,
              struct hl_effects *fx)
{
    int place;
    if (ev->kind == EV_KEY)
        return key_event(s, ev, hit, fx);
    bool drag = ev->kind == EV_MOUSE_MOVE && s->pressed[0] != 0 && is_slider(hit);
    bool wheel = ev->kind == EV_WHEEL && ev->y != 0 && is_slider(hit);
    if (!drag && !wheel && (ev->kind != EV_MOUSE_DOWN || ev->button > 1))
        return false;
    const struct hl_control *c = row_of(shell_screen(s), hit, &place);
    if (c == NULL)
        return false;
    if (wheel)
        control_step(s, c, (double)ev->y, fx);
    else if (is_slider(hit) && ev->clicks == 2 && c->own != NULL)
        take(s, c, NAN, fx);
    else if (is_slider(hit))
        slide_to(s, c, hit, ev->x, fx);
    else
        take(s, c, place >= 0 ? place : next_value(c, next_from(s, c)), fx);
    return true;
}

/* ---- --set and what is kept ---- */

enum hl_status
control_set(struct app_state *s, const struct hl_screen *sc, const char *key, const char *value,
            bool *known, struct hl_error *err)
{
    const struct hl_control *c = control_find(sc, key);
    double v;
    *known = c != NULL;
    if (c == NULL)
        return HL_OK;
    struct hl_option o = c->o;
    if (c->range != NULL && o.kind == HL_OPTION_WHOLE)
        c->range(s, &o.min, &o.max);
    if (c->own != NULL && strcmp(value, c->own) == 0) {
        c->put(s, NAN);
        return HL_OK;
    }
    enum hl_status st = hl_option_parse(&o, value, &v, err);
    if (st != HL_OK && c->own != NULL) {
        char why[sizeof err->detail];
        snprintf(why, sizeof why, "%s", err->detail);
        st = hl_error_set(err, HL_E_ARGUMENT, key, "%s, nor '%s'", why, c->own);
    }
    if (st == HL_OK && c->step > 1 && fmod(v - c->o.min, c->step) != 0)
        st = hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is no multiple of %d", value,
                          (int)c->step);
    if (st == HL_OK)
        c->put(s, v);
    return st;
}

void
control_save(const struct app_state *s, const struct hl_screen *sc,
             void (*put)(void *user, const char *key, const char *value), void *user)
{
    const struct hl_control *c;
    char value[VALUE_SZ];
    for (int i = 0; (c = row_at(sc, i)) != NULL; i++) {
        if (!c->forgets)
            put(user, c->o.key,
                isnan(c->get(s)) ? c->own : hl_option_print(&c->o, c->get(s), value, sizeof value));
    }
}

#include "screen/control.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen/shell.h"

enum { VALUE_SZ = 64, PAGE_STEPS = 16 };

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
    if (c->o.kind == HL_OPTION_WHOLE || c->o.kind == HL_OPTION_REAL)
        v = fmin(fmax(c->o.kind == HL_OPTION_WHOLE ? round(v) : v, c->o.min), c->o.max);
    if (!hl_option_allows(&c->o, v))
        return;
    c->put(s, v);
    s->dirty = true;
    if (c->reruns)
        app_request(s, fx);
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
    double v = c->get(s), span = c->o.max - c->o.min;
    double place = c->place != NULL ? c->place(v) : span > 0 ? (v - c->o.min) / span : 0;
    if (c->value != NULL)
        c->value(s, text, sizeof text);
    else
        hl_option_print(&c->o, v, text, sizeof text);
    ui_slider(u, r, id_of("slide", c, id), c->o.label, text, (float)fmin(fmax(place, 0), 1), tip);
    return r.w;
}

float
control_draw(struct ui *u, hl_rect r, const struct app_state *s, const struct hl_control *c)
{
    char id[UI_ID_SZ], tip[UI_TIP_SZ], label[VALUE_SZ];
    const char *const *titles = c->o.titles != NULL ? c->o.titles : c->o.names;
    int n = hl_option_n(&c->o), chosen = (int)c->get(s);
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
    double t = (double)ui_slider_value(r, x);
    take(s, c, c->at != NULL ? c->at(t) : c->o.min + t * (c->o.max - c->o.min), fx);
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
        take(s, c, c->get(s) + by * (c->step > 0 ? c->step : 1), fx);
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
            take(s, c, next_value(c, c->get(s)), fx);
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
    if (!drag && (ev->kind != EV_MOUSE_DOWN || ev->button > 1))
        return false;
    const struct hl_control *c = row_of(shell_screen(s), hit, &place);
    if (c == NULL)
        return false;
    if (is_slider(hit))
        slide_to(s, c, hit, ev->x, fx);
    else
        take(s, c, place >= 0 ? place : next_value(c, c->get(s)), fx);
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
    enum hl_status st = hl_option_parse(&c->o, value, &v, err);
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
            put(user, c->o.key, hl_option_print(&c->o, c->get(s), value, sizeof value));
    }
}

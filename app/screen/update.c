/* From an event to the new state and the wanted effects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "screen/control.h"
#include "screen/shell.h"
#include "session.h"

static const char *const first_texts[APP_TEXT_COUNT][2] = {
    [APP_TEXT_SENTENCE] = { "The animal didn't cross the street because it was too tired",
                            "The animal didn't cross the street because it was too wide" },
    [APP_TEXT_TAPE] = { "hello, tape", "sun sky sea ? sky" },
    [APP_TEXT_CLASSES] = { "sneaker", "dress and boots" },
};

static bool
add_parts(struct app_state *s)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    for (int i = 0; i < n; i++) {
        if (state_add_part(s, all[i]->id, all[i]->size, all[i]->n_slots) == NULL)
            return false;
    }
    bool ok = true;
    for (int i = 0; i < n; i++)
        ok = (all[i]->init == NULL || all[i]->init(s)) && ok;
    return ok;
}

bool
app_init(struct app_state *s, const struct hl_metrics *metrics)
{
    *s = (struct app_state) { .metrics = metrics,
                              .width = 1280,
                              .height = 800,
                              .device_scale = 1,
                              .ui_scale = 1,
                              .mouse_x = -1,
                              .mouse_y = -1 };
    s->show.lock = s->show.words = true;
    s->screen = 1;
    for (int k = 0; k < HL_CAN_COUNT; k++)
        snprintf(s->chosen[k], APP_NAME_SZ, "%s", app_default_models[k]);
    snprintf(s->focus, sizeof s->focus, "field:text");
    s->pins[0] = state_pin_make(APP_SOURCE, 43, "it");
    s->n_pins = 1;
    for (int i = 0; i < 2 * APP_TEXT_COUNT; i++) {
        const char *text = first_texts[i / 2][i % 2];
        if (!field_set(&s->texts[i / 2][i % 2], text, strlen(text)))
            return false;
    }
    return add_parts(s);
}

void
app_deinit(struct app_state *s)
{
    for (int i = 0; i < 2 * APP_TEXT_COUNT; i++)
        field_deinit(&s->texts[i / 2][i % 2]);
    hl_free(s->clipboard);
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    for (int i = 0; i < n && s->n_parts == n; i++) {
        if (all[i]->deinit != NULL)
            all[i]->deinit(s);
    }
    state_drop_parts(s);
    memset(s, 0, sizeof *s);
}

/* ---- models ---- */

static struct app_model *
model_slot(struct app_state *s, const char *name)
{
    for (int i = 0; i < s->n_models; i++) {
        if (strcmp(s->models[i].name, name) == 0)
            return &s->models[i];
    }
    struct app_model *m = &s->models[s->n_models < APP_MODELS ? s->n_models++ : APP_MODELS - 1];
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", name);
    return m;
}

void
app_model_loading(struct app_state *s, const char *name)
{
    model_slot(s, name)->status = APP_MODEL_LOADING;
}

void
app_model_ready(struct app_state *s, const char *name, const struct hl_model_info *info,
                struct hl_effects *fx)
{
    struct app_model *m = model_slot(s, name);
    m->status = APP_MODEL_READY;
    m->info = *info;
    m->error[0] = 0;
    if (strcmp(s->wanted_model, name) == 0) {
        shell_choose(s, m);
        s->wanted_model[0] = 0;
    }
    /* Settings may name a model that can't. */
    for (int k = 0; k < HL_CAN_COUNT; k++) {
        if (!hl_model_can(info, 1u << k) && strcmp(s->chosen[k], name) == 0)
            snprintf(s->chosen[k], APP_NAME_SZ, "%s", app_default_models[k]);
    }
    app_request(s, fx);
}

void
app_model_failed(struct app_state *s, const char *name, const struct hl_error *err)
{
    struct app_model *m = model_slot(s, name);
    m->status = APP_MODEL_FAILED;
    hl_error_text(err, m->error, sizeof m->error);
}

void
app_request(struct app_state *s, struct hl_effects *fx)
{
    const struct hl_screen *sc = shell_screen(s);
    field_reveal(state_field(s), s->metrics, shell_field_rect(s), SHELL_TEXT_SIZE);
    if (sc->request != NULL)
        sc->request(s, fx);
}

/* ---- small actions ---- */

static void
text_changed(struct app_state *s, struct hl_effects *fx)
{
    s->dirty = true;
    s->status[0] = 0;
    app_request(s, fx);
}

static void
focus_text(struct app_state *s)
{
    if (shell_screen(s)->has_text)
        snprintf(s->focus, sizeof s->focus, "field:text");
    else
        s->focus[0] = 0;
    s->focus_visible = false;
}

static void
go_to(struct app_state *s, int screen, struct hl_effects *fx)
{
    int n;
    screen_all(&n);
    if (screen < 0 || screen >= n)
        return;
    s->screen = screen;
    shell_take_text(s);
    s->hover[0] = s->status[0] = 0;
    s->menu_models = s->menu_screens = false;
    s->dirty = true;
    focus_text(s);
    app_request(s, fx);
}

static void
set_text(struct app_state *s, const char *text, struct hl_effects *fx)
{
    struct ui_field *f = state_field(s);
    field_select_all(f);
    field_insert(f, text, strlen(text));
    text_changed(s, fx);
}

static void
next_example(struct app_state *s, struct hl_effects *fx)
{
    const char *const *list = shell_screen(s)->examples;
    int at = 0;
    if (list == NULL || list[0] == NULL)
        return;
    for (int i = 0; list[i] != NULL; i++) {
        if (strcmp(list[i], state_text(s)) == 0)
            at = list[i + 1] != NULL ? i + 1 : 0;
    }
    set_text(s, list[at], fx);
}

/* A step of the interface's scale, 0 for 1. Larger only as long as the window holds
 * what was designed: 900 x 600 logical pixels. */
static void
zoom(struct app_state *s, float factor, struct hl_effects *fx)
{
    float to = factor == 0 ? 1 : roundf(s->ui_scale * factor * 20) / 20;
    float most = fminf(s->width / 900, s->height / 600) * s->ui_scale;
    if (factor > 1 && to > most)
        to = fmaxf(floorf(most * 20) / 20, s->ui_scale);
    s->ui_scale = fminf(fmaxf(to, 0.5f), 4);
    fx_push(fx, FX_SCALE)->number = s->ui_scale;
    s->dirty = true;
}

static void
pick_model(struct app_state *s, int i, struct hl_effects *fx)
{
    s->menu_models = false;
    focus_text(s);
    if (i < 0 || i >= s->n_models || !shell_model_suits(s, &s->models[i]))
        return;
    const struct app_model *m = &s->models[i];
    state_model_choose(s, m);
    if (shell_screen(s)->picked != NULL)
        shell_screen(s)->picked(s, m);
    s->dirty = true;
    app_request(s, fx);
}

enum field_change
screen_field_event(struct app_state *s, struct ui_field *f, const struct hl_event *ev, hl_rect r,
                   float size, struct hl_effects *fx)
{
    enum field_change change = field_event(f, ev, s->metrics, r, size);
    if (change == FIELD_PASTE || change == FIELD_PASTE_SELECTION) {
        fx_push(fx, FX_PASTE)->on = change == FIELD_PASTE_SELECTION;
        return FIELD_USED;
    }
    if (change != FIELD_COPY && change != FIELD_CUT)
        return change;
    struct hl_span sel = field_selection(f);
    char *copy = hl_alloc(sel.n + 1, 1);
    if (copy == NULL)
        return FIELD_USED;
    memcpy(copy, sel.p, sel.n);
    hl_free(s->clipboard);
    s->clipboard = copy;
    fx_push(fx, FX_COPY)->text = copy;
    if (change == FIELD_COPY)
        return FIELD_USED;
    return field_insert(f, "", 0) ? FIELD_CHANGED : FIELD_USED;
}

/* ---- keys ---- */

static void
export_key(struct app_state *s, enum fx_kind kind, struct hl_effects *fx)
{
    if (kind == FX_EXPORT_JSON && app_record(s) == NULL) {
        state_notice(s, true, "This screen has no record to save.");
        return;
    }
    fx_push(fx, kind);
}

/* The list of models, its chosen line focused; or closes it. */
static void
open_menu(struct app_state *s)
{
    s->menu_models = !s->menu_models && shell_model(s)[0] != 0;
    focus_text(s);
    for (int i = 0; i < s->n_models && s->menu_models; i++) {
        if (strcmp(s->models[i].name, shell_model(s)) != 0)
            continue;
        snprintf(s->focus, sizeof s->focus, "model:%d", i);
        s->focus_visible = true;
    }
}

static bool
ctrl_key(struct app_state *s, int key, bool shift, struct hl_effects *fx)
{
    int n;
    screen_all(&n);
    switch (key) {
    case KEY_TAB:
    case KEY_PAGE_DOWN:
    case KEY_PAGE_UP:
        go_to(s, (s->screen + (key == KEY_PAGE_UP || shift ? n - 1 : 1)) % n, fx);
        return true;
    case KEY_PLUS:
    case '=':
        zoom(s, 1.1f, fx);
        return true;
    case KEY_MINUS:
        zoom(s, 1 / 1.1f, fx);
        return true;
    case '0':
        zoom(s, 0, fx);
        return true;
    case 't':
        s->dark = !s->dark;
        s->dirty = true;
        return true;
    case 'e':
        s->active[s->text] = !s->active[s->text];
        text_changed(s, fx);
        return true;
    case 's':
        export_key(s, shift ? FX_EXPORT_SVG : FX_EXPORT_PNG, fx);
        return true;
    case 'j':
        export_key(s, FX_EXPORT_JSON, fx);
        return true;
    case 'm':
        open_menu(s);
        return true;
    case 'k':
        s->menu_screens = !s->menu_screens;
        s->menu_models = false;
        snprintf(s->focus, sizeof s->focus, "screen:%d", s->screen);
        s->focus_visible = s->menu_screens;
        return true;
    case 'q':
        s->quit = true;
        fx_push(fx, FX_QUIT);
        return true;
    default:
        if (key >= '1' && key <= '9' && key - '1' < n) {
            go_to(s, key - '1', fx);
            return true;
        }
        return false;
    }
}

static bool
global_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    if (ev->mods & MOD_CTRL && !(ev->mods & MOD_ALT))
        return ctrl_key(s, ev->key, ev->mods & MOD_SHIFT, fx);
    if (ev->mods == MOD_ALT && ev->key == 'n') {
        next_example(s, fx);
        return true;
    }
    switch (ev->key) {
    case KEY_F1:
        s->help = true;
        return true;
    case KEY_F6:
        s->active[s->text] = !s->active[s->text];
        text_changed(s, fx);
        return true;
    case KEY_F11:
        s->fullscreen = !s->fullscreen;
        fx_push(fx, FX_FULLSCREEN);
        return true;
    default:
        return false;
    }
}

static void
escape(struct app_state *s)
{
    if (s->menu_models || s->menu_screens) {
        s->menu_models = s->menu_screens = false;
        focus_text(s);
        return;
    }
    s->n_pins = 0;
    s->has_link = false;
    s->status[0] = 0;
    s->dirty = true;
    focus_text(s);
}

static void click(struct app_state *s, const struct hl_event *ev, const char *hit,
                  struct hl_effects *fx);

/* Enter or Space on what has the focus. */
static void
press_focus(struct app_state *s, struct hl_effects *fx)
{
    hl_rect r;
    if (s->last == NULL || !dl_hit_find(s->last, s->focus, &r))
        return;
    struct hl_event ev = { .kind = EV_MOUSE_DOWN,
                           .button = 1,
                           .clicks = 1,
                           .down = true,
                           .x = r.x + r.w / 2,
                           .y = r.y + r.h / 2 };
    char id[UI_ID_SZ];
    snprintf(id, sizeof id, "%s", s->focus);
    click(s, &ev, id, fx);
}

static bool
move_focus(struct app_state *s, const struct hl_event *ev)
{
    bool back =
        ev->key == KEY_TAB ? ev->mods & MOD_SHIFT : ev->key == KEY_LEFT || ev->key == KEY_UP;
    bool arrow =
        ev->key == KEY_LEFT || ev->key == KEY_RIGHT || ev->key == KEY_UP || ev->key == KEY_DOWN;
    if (s->last == NULL || (ev->key != KEY_TAB && !(arrow && ev->mods == 0)))
        return false;
    if (!ui_focus_step(s->last, s->focus, back, arrow, s->focus, sizeof s->focus))
        return false;
    s->focus_visible = true;
    return true;
}

static bool
text_field(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    enum field_change change =
        screen_field_event(s, state_field(s), ev, shell_field_rect(s), SHELL_TEXT_SIZE, fx);
    if (change == FIELD_CHANGED)
        text_changed(s, fx);
    return change != FIELD_UNUSED;
}

static bool
text_has_focus(const struct app_state *s)
{
    return shell_screen(s)->has_text && strcmp(s->focus, "field:text") == 0;
}

/* The screen's own field of this id; NULL if there is none. */
static const struct screen_field *
find_field(const struct app_state *s, const char *id)
{
    const struct screen_field *f = shell_screen(s)->fields;
    while (f != NULL && f->id != NULL && strcmp(f->id, id) != 0)
        f++;
    return f != NULL && f->id != NULL ? f : NULL;
}

/* Gives an event to a field of the screen where it is drawn. */
static bool
own_field(struct app_state *s, const struct screen_field *f, const struct hl_event *ev,
          struct hl_effects *fx)
{
    hl_rect r;
    bool alt = ev->kind == EV_KEY && ev->mods == MOD_ALT; /* keys of the screen */
    if (f == NULL || alt || s->last == NULL || !dl_hit_find(s->last, f->id, &r))
        return false;
    if (ev->kind == EV_KEY && f->key != NULL && f->key(s, ev, fx))
        return true;
    enum field_change change = screen_field_event(s, f->of(s), ev, r, f->size, fx);
    if (change == FIELD_CHANGED)
        f->changed(s, fx);
    return change != FIELD_UNUSED;
}

/* KEY, TEXT, PREEDIT, PASTE. */
static void
keyboard(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    const struct hl_screen *sc = shell_screen(s);
    bool key = ev->kind == EV_KEY;
    if (s->help) {
        /* The overlay takes what closes it; Space comes as text as well. */
        s->help = key && ev->key == KEY_SPACE;
        return;
    }
    if (ev->kind == EV_TEXT && s->swallow_space) {
        s->swallow_space = false;
        if (strcmp(ev->text, " ") == 0)
            return;
    }
    if (key && global_key(s, ev, fx))
        return;
    if (text_has_focus(s) && text_field(s, ev, fx))
        return;
    if (own_field(s, find_field(s, s->focus), ev, fx))
        return;
    if (control_event(s, ev, s->focus, fx))
        return;
    if (sc->event != NULL && sc->event(s, ev, s->focus, fx))
        return;
    if (key && move_focus(s, ev))
        return;
    if (key && ev->key == KEY_ESCAPE) {
        escape(s);
        return;
    }
    if (key && (ev->key == KEY_ENTER || ev->key == KEY_SPACE) && ev->mods == 0 &&
        !text_has_focus(s)) {
        s->swallow_space = ev->key == KEY_SPACE; /* it comes as text, too */
        press_focus(s, fx);
        return;
    }
    /* Typing belongs to the text, wherever the focus is (a pressed Space is not). */
    bool space = ev->text != NULL && strcmp(ev->text, " ") == 0;
    if (!key && sc->has_text && !text_has_focus(s) && ev->text != NULL && ev->text[0] != 0 &&
        !(space && s->focus_visible)) {
        focus_text(s);
        text_field(s, ev, fx);
    }
}

/* ---- pointer ---- */

/* Name under the pointer; a matrix is turned into its cell. */
static void
find_hit(const struct app_state *s, float x, float y, char *out, size_t out_sz)
{
    const char *id = s->last != NULL ? dl_hit_at(s->last, x, y, NULL) : NULL;
    int rows, cols;
    hl_rect r;
    snprintf(out, out_sz, "%s", id != NULL ? id : "");
    if (id == NULL || sscanf(id, "~heat:%d:%d", &rows, &cols) != 2 ||
        !dl_hit_find(s->last, id, &r) || r.w <= 0 || r.h <= 0)
        return;
    int row = (int)((y - r.y) / r.h * (float)rows), col = (int)((x - r.x) / r.w * (float)cols);
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
    col = col < 0 ? 0 : col >= cols ? cols - 1 : col;
    snprintf(out, out_sz, "~cell:%d:%d", row, col);
}

static bool
shell_click(struct app_state *s, const char *hit, struct hl_effects *fx)
{
    int n, i;
    const struct hl_screen *const *all = screen_all(&n);
    const struct hl_screen *sc = shell_screen(s);
    if (strncmp(hit, "nav:", 4) == 0) {
        for (i = 0; i < n; i++) {
            if (strcmp(hit + 4, all[i]->id) == 0)
                go_to(s, i, fx);
        }
        return true;
    }
    if (sscanf(hit, "screen:%d", &i) == 1) {
        go_to(s, i, fx);
        return true;
    }
    if (sscanf(hit, "model:%d", &i) == 1) {
        pick_model(s, i, fx);
        return true;
    }
    if (sscanf(hit, "example:%d", &i) == 1) {
        for (int k = 0; sc->examples != NULL && sc->examples[k] != NULL; k++) {
            if (k == i)
                set_text(s, sc->examples[k], fx);
        }
        return true;
    }
    if (strcmp(hit, "menu:models") == 0) {
        s->menu_models = !s->menu_models;
        s->menu_screens = false;
    } else if (strcmp(hit, "menu:screens") == 0) {
        s->menu_screens = !s->menu_screens;
        s->menu_models = false;
    } else if (strcmp(hit, "act:theme") == 0) {
        s->dark = !s->dark;
        s->dirty = true;
    } else if (strcmp(hit, "act:help") == 0) {
        s->help = true;
    } else {
        return false;
    }
    return true;
}

static void
click(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    const struct hl_screen *sc = shell_screen(s);
    bool menu = (s->menu_models || s->menu_screens) && strncmp(hit, "menu:", 5) != 0 &&
                strncmp(hit, "model:", 6) != 0 && strncmp(hit, "screen:", 7) != 0 &&
                strcmp(hit, "~menu") != 0;
    if (menu)
        s->menu_models = s->menu_screens = false;
    if (strcmp(hit, "field:text") == 0) {
        text_field(s, ev, fx);
        return;
    }
    if (own_field(s, find_field(s, hit), ev, fx))
        return;
    if (!shell_click(s, hit, fx) && !control_event(s, ev, hit, fx) && sc->event != NULL)
        sc->event(s, ev, hit, fx);
}

static void
mouse_down(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    if (s->help) {
        s->help = false;
        return;
    }
    find_hit(s, ev->x, ev->y, s->hover, sizeof s->hover);
    snprintf(s->pressed, sizeof s->pressed, "%s", s->hover);
    snprintf(s->hushed, sizeof s->hushed, "%s", s->hover);
    s->focus_visible = false;
    if (strncmp(s->hover, "field:", 6) == 0)
        snprintf(s->focus, sizeof s->focus, "%s", s->hover);
    else if (!shell_screen(s)->has_text && ui_can_focus(s->hover))
        snprintf(s->focus, sizeof s->focus, "%s", s->hover);
    else if (strncmp(s->hover, "head:", 5) == 0)
        snprintf(s->focus, sizeof s->focus, "%s", s->hover); /* arrows go on from here */
    char hit[UI_ID_SZ];
    snprintf(hit, sizeof hit, "%s", s->hover);
    click(s, ev, hit, fx);
}

static void
mouse_other(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    const struct hl_screen *sc = shell_screen(s);
    char hit[UI_ID_SZ];
    s->mouse_x = ev->kind == EV_WHEEL ? s->mouse_x : ev->x;
    s->mouse_y = ev->kind == EV_WHEEL ? s->mouse_y : ev->y;
    bool held = s->pressed[0] != 0;
    if (!held)
        find_hit(s, s->mouse_x, s->mouse_y, s->hover, sizeof s->hover);
    if (strcmp(s->hover, s->hushed) != 0)
        s->hushed[0] = 0;
    snprintf(hit, sizeof hit, "%s", held ? s->pressed : s->hover);
    if (ev->kind == EV_MOUSE_UP)
        s->pressed[0] = 0;
    if (strcmp(hit, "field:text") == 0 && ev->kind != EV_WHEEL)
        text_field(s, ev, fx);
    else if (ev->kind != EV_WHEEL && own_field(s, find_field(s, hit), ev, fx))
        return;
    else if (!control_event(s, ev, hit, fx) && sc->event != NULL)
        sc->event(s, ev, hit, fx);
    if (ev->kind == EV_MOUSE_UP)
        find_hit(s, s->mouse_x, s->mouse_y, s->hover, sizeof s->hover);
}

/* ---- results and the rest ---- */

static void
arrived(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    int n, slot = ev->result->slot;
    const struct hl_screen *const *all = screen_all(&n);
    if (slot < 0 || slot >= s->n_slots) {
        hl_record_destroy(ev->result->record);
        ev->result->record = NULL;
        return;
    }
    if (!state_result(s, ev->result, ev->x))
        return;
    for (int i = 0; i < n; i++) {
        int k = slot - state_slot(s, all[i]->id, 0);
        if (k >= 0 && k < all[i]->n_slots && all[i]->result != NULL)
            all[i]->result(s, k, fx);
    }
}

/* A dropped path or an opened picture belongs to the screen that takes it, shown or not. */
static void
from_outside(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    for (int i = 0; i < n; i++) {
        if (all[i]->outside != NULL && all[i]->outside(s, ev, fx)) {
            go_to(s, i, fx);
            return;
        }
    }
}

/* Tells the host where the caret is, so that an input method opens beside it. */
static void
tell_caret(struct app_state *s, struct hl_effects *fx)
{
    hl_rect r = rect_make(0, 0, 1, 1), box;
    const struct screen_field *f = find_field(s, s->focus);
    bool drawn = s->last != NULL && dl_hit_find(s->last, s->focus, &box);
    if (text_has_focus(s))
        r = field_caret_rect(state_field(s), s->metrics, shell_field_rect(s), SHELL_TEXT_SIZE);
    else if (f != NULL && drawn)
        r = field_caret_rect(f->of(s), s->metrics, box, f->size);
    else if (drawn)
        r = box; /* cells take letters, too */
    if (s->ime_on && memcmp(s->ime, &r, sizeof s->ime) == 0)
        return;
    memcpy(s->ime, &r, sizeof s->ime);
    s->ime_on = true;
    struct hl_effect *e = fx_push(fx, FX_TEXT_INPUT);
    e->on = true;
    e->x = r.x;
    e->y = r.y;
    e->w = r.w;
    e->h = r.h;
}

void
app_update(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    switch (ev->kind) {
    case EV_KEY:
    case EV_TEXT:
    case EV_PREEDIT:
    case EV_PASTE:
        keyboard(s, ev, fx);
        break;
    case EV_MOUSE_DOWN:
        s->mouse_x = ev->x;
        s->mouse_y = ev->y;
        mouse_down(s, ev, fx);
        break;
    case EV_MOUSE_MOVE:
    case EV_MOUSE_UP:
    case EV_WHEEL:
        mouse_other(s, ev, fx);
        break;
    case EV_RESIZE:
        s->width = fmaxf(ev->x, 320);
        s->height = fmaxf(ev->y, 240);
        s->device_scale = ev->scale > 0 ? ev->scale : s->device_scale;
        field_reveal(state_field(s), s->metrics, shell_field_rect(s), SHELL_TEXT_SIZE);
        break;
    case EV_RESULT:
        arrived(s, ev, fx);
        break;
    case EV_DONE:
        state_notice(s, ev->down, "%s", ev->text != NULL ? ev->text : "");
        break;
    case EV_QUIT:
        s->quit = true;
        fx_push(fx, FX_QUIT);
        break;
    case EV_FOCUS:
        if (!ev->down)
            s->pressed[0] = s->hover[0] = 0;
        break;
    case EV_TICK:
        if (shell_screen(s)->event != NULL)
            shell_screen(s)->event(s, ev, "", fx);
        break;
    case EV_DROP:
    case EV_PICTURE:
        from_outside(s, ev, fx);
        break;
    case EV_NONE:
    case EV_KIND_COUNT:
        break;
    }
    tell_caret(s, fx);
    if (s->dirty)
        fx_push(fx, FX_SAVE);
    s->dirty = false;
}

void
app_shown(struct app_state *s, const struct dl *dl)
{
    s->last = dl;
}

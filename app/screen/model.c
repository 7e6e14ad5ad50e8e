/* Model: any network, from its declaration and its record alone. Inputs on top, options
 * at the side, and for each map of the record the views that its axes allow. */
#include "screen/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/network.h"
#include "screen/map_view.h"
#include "screen/shell.h"

enum { SIDE_W = 264, ROW_H = 24 };

static const char *
model_name(const struct app_state *s)
{
    const char *own = model_of(s)->name;
    return own[0] != 0 ? own : s->chosen[HL_CAN_HEADS];
}

static const struct hl_model_info *
info_of(const struct app_state *s)
{
    const struct app_model *m = state_model(s, model_name(s));
    return m != NULL && m->status == APP_MODEL_READY ? &m->info : NULL;
}

static const struct hl_record *
record_of(const struct app_state *s)
{
    return s->slots[state_slot(s, "model", 0)].record;
}

/* ---- what is shown ---- */

/* Number of the map on screen: the one that was chosen, else the first of weights. */
static int
map_of(const struct model_state *m, const struct hl_record *r)
{
    if (m->chosen && m->map < r->n_maps)
        return m->map;
    int i = 0;
    while (i < r->n_maps && !hl_map_is(&r->maps[i], HL_STAGE_WEIGHTS))
        i++;
    return i < r->n_maps ? i : 0;
}

static void
choose_map(struct app_state *s, int map)
{
    model_of(s)->map = map;
    model_of(s)->chosen = true;
}

/* The map, layer and head on screen; false while there is no record. */
static bool
shown(const struct app_state *s, const char *hover, struct hl_arena *a, struct map_shown *out,
      struct attention_pic *pic)
{
    const struct model_state *m = model_of(s);
    const struct hl_record *r = record_of(s);
    if (r == NULL || r->n_maps == 0)
        return false;
    const struct hl_map *map = &r->maps[map_of(m, r)];
    if (map->n_layers < 1 || map->n_heads < 1)
        return false;
    *out = (struct map_shown) { .s = s,
                                .record = r,
                                .map = map,
                                .layer = m->at.layer < map->n_layers ? m->at.layer : 0,
                                .head = m->at.head < map->n_heads ? m->at.head : 0 };
    bool words = r->axes[map->q_axis].kind == HL_AXIS_TOKENS &&
                 r->axes[map->k_axis].kind == HL_AXIS_TOKENS && hl_map_is(map, HL_STAGE_WEIGHTS);
    if (words && attention_make(s, hover, a, r, map->name, out->layer, out->head, pic))
        out->pic = pic;
    return !words || out->pic != NULL;
}

static bool
picture(const struct app_state *s, struct hl_arena *a, struct attention_pic *out)
{
    struct map_shown m;
    return shown(s, s->hover, a, &m, out) && m.pic != NULL;
}

/* ---- options ---- */

static double
option_value(const struct model_state *m, const struct hl_option *o, int i)
{
    return m->touched[i] ? m->values[i] : o->initial;
}

static void
arrow(const struct screen_ctx *c, hl_rect r, const char *id, const char *sign, const char *tip)
{
    ui_label(c->ui, r, DL_FONT_UI_BOLD, c->theme->label, DL_CENTER,
             ui_hovered(c->ui, id) ? c->theme->ink : c->theme->accent, sign);
    ui_hit(c->ui, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

/* A line for an option: its name, what it is, and how to change it. */
static void
option_row(const struct screen_ctx *c, hl_rect r, const struct hl_option *o, int i)
{
    const struct hl_theme *t = c->theme;
    double v = option_value(model_of(c->state), o, i);
    char id[UI_ID_SZ], value[64];
    const char *const *titles = o->titles != NULL ? o->titles : o->names;
    snprintf(id, sizeof id, "opt:%s", o->key);
    if (isnan(v))
        snprintf(value, sizeof value, "as trained");
    else if (o->kind == HL_OPTION_CHOICE)
        snprintf(value, sizeof value, "%s", titles[(int)v]);
    else
        hl_option_print(o, v, value, sizeof value);
    ui_label(c->ui, rect_make(r.x, r.y, r.w * 0.5f, r.h), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
             o->label);
    hl_rect less = rect_make(r.x + r.w * 0.5f, r.y, 20, r.h);
    hl_rect more = rect_make(r.x + r.w - 20, r.y, 20, r.h);
    hl_rect mid = rect_make(less.x + 22, r.y, more.x - less.x - 24, r.h);
    char down[UI_ID_SZ], up[UI_ID_SZ];
    snprintf(down, sizeof down, "opt:%s:less", o->key);
    snprintf(up, sizeof up, "opt:%s:more", o->key);
    arrow(c, less, down, "‹", "The value before");
    arrow(c, more, up, "›", "The next value");
    ui_label(c->ui, mid, DL_FONT_UI_MEDIUM, t->body, DL_CENTER,
             model_of(c->state)->touched[i] ? t->accent : t->ink, value);
    ui_hit(c->ui, mid, UI_RADIUS, DL_CURSOR_HAND, id, o->tip);
}

/* One step of an option's value: over the last choice comes the first. */
static double
stepped(const struct hl_option *o, double v, int by)
{
    int n = hl_option_n(o);
    if (isnan(v))
        v = 0;
    if (n > 0)
        return fmod(v + by + n, n);
    double step = o->kind == HL_OPTION_WHOLE ? 1 : (o->max - o->min) / 100;
    return fmin(fmax(v + by * step, o->min), o->max);
}

static void
take_option(struct app_state *s, int i, double v, struct hl_effects *fx)
{
    struct model_state *m = model_of(s);
    const struct hl_option *o = &info_of(s)->options[i];
    m->values[i] = v;
    m->touched[i] = isnan(o->initial) || v != o->initial;
    s->dirty = true;
    app_request(s, fx);
}

/* "opt:KEY", "opt:KEY:less", "opt:KEY:more". */
static bool
press_option(struct app_state *s, const char *hit, struct hl_effects *fx)
{
    const struct hl_model_info *info = info_of(s);
    if (strncmp(hit, "opt:", 4) != 0 || info == NULL)
        return false;
    const char *end = strchr(hit + 4, ':');
    size_t n = end != NULL ? (size_t)(end - hit) - 4 : strlen(hit + 4);
    for (int i = 0; i < info->n_options; i++) {
        const struct hl_option *o = &info->options[i];
        if (strlen(o->key) != n || strncmp(o->key, hit + 4, n) != 0)
            continue;
        int by = end != NULL && strcmp(end, ":less") == 0 ? -1 : 1;
        take_option(s, i, stepped(o, option_value(model_of(s), o, i), by), fx);
    }
    return true;
}

/* ---- drawing ---- */

static void
heading(const struct screen_ctx *c, hl_rect *r, const char *text)
{
    ui_label(c->ui, rect_cut_top(r, ROW_H), DL_FONT_UI_BOLD, c->theme->body, DL_LEFT, c->theme->ink,
             text);
}

static void
fact_rows(const struct screen_ctx *c, hl_rect *r, const struct hl_model_info *info)
{
    const struct hl_theme *t = c->theme;
    heading(c, r, info->network->kind);
    for (int i = 0; i < info->n_facts; i++) {
        hl_rect row = rect_cut_top(r, 20);
        ui_label(c->ui, row, DL_FONT_UI, t->body, DL_LEFT, t->quiet, info->facts[i].name);
        ui_label(c->ui, row, DL_FONT_MONO, t->body, DL_RIGHT, t->ink, info->facts[i].text);
    }
    rect_cut_top(r, 12);
}

static void
map_rows(const struct screen_ctx *c, hl_rect *r, const struct map_shown *m)
{
    const struct hl_theme *t = c->theme;
    heading(c, r, "Maps");
    for (int i = 0; i < m->record->n_maps && r->h >= ROW_H; i++) {
        const struct hl_map *map = &m->record->maps[i];
        hl_rect row = rect_cut_top(r, ROW_H);
        char id[UI_ID_SZ], size[48];
        bool on = map == m->map;
        snprintf(id, sizeof id, "maps:%d", i);
        snprintf(size, sizeof size, "%d × %d", map->n_q, map->n_k);
        if (on || ui_hovered(c->ui, id))
            dl_fill(c->dl, rect_inset(row, -6, 0), UI_RADIUS, t->chip);
        const char *name = hl_arena_printf(c->frame, "%s · %s", map->name, map->stage);
        float w = ui_text_width(c->ui, DL_FONT_MONO, t->small, size);
        ui_label(c->ui, rect_make(row.x, row.y, row.w - w - 8, row.h),
                 on ? DL_FONT_UI_BOLD : DL_FONT_UI, t->body, DL_LEFT, t->ink,
                 name != NULL ? name : map->name);
        ui_label(c->ui, row, DL_FONT_MONO, t->small, DL_RIGHT, t->quiet, size);
        ui_hit(c->ui, row, UI_RADIUS, DL_CURSOR_HAND, id, "Show this map (Alt+M: the next)");
    }
    rect_cut_top(r, 12);
}

static void
side_panel(const struct screen_ctx *c, hl_rect r, const struct map_shown *m)
{
    const struct hl_model_info *info = info_of(c->state);
    hl_rect in = ui_panel(c->ui, r);
    if (info == NULL)
        return;
    fact_rows(c, &in, info);
    if (m != NULL)
        map_rows(c, &in, m);
    if (info->n_options > 0)
        heading(c, &in, "Options");
    for (int i = 0; i < info->n_options && in.h >= ROW_H; i++)
        option_row(c, rect_cut_top(&in, ROW_H), &info->options[i], i);
}

/* Tabs of the views that suit the map, and which layer and head it is. */
static void
view_row(const struct screen_ctx *c, hl_rect r, const struct map_shown *m, int view)
{
    const char *keys[16], *titles[16];
    int n = 0, chosen = 0;
    char head[64];
    for (int i = 0; i < n_map_views && n < 16; i++) {
        if (!map_views[i].suits(m->record, m->map))
            continue;
        chosen = i == view ? n : chosen;
        keys[n] = map_views[i].key;
        titles[n++] = map_views[i].title;
    }
    float used = ui_tabs(c->ui, r, "mapview", keys, titles, n, chosen, "How it is drawn (Alt+V)");
    if (m->map->n_layers * m->map->n_heads == 1)
        return;
    bool narrow = r.w - used < 190;
    if (m->head < 0)
        snprintf(head, sizeof head, narrow ? "L%d, mean" : "layer %d, mean over heads",
                 m->layer + 1);
    else if (narrow)
        snprintf(head, sizeof head, "L%d H%d", m->layer + 1, m->head + 1);
    else
        snprintf(head, sizeof head, "layer %d of %d, head %d of %d", m->layer + 1, m->map->n_layers,
                 m->head + 1, m->map->n_heads);
    ui_label(c->ui, rect_make(r.x + used, r.y, r.w - used, r.h), DL_FONT_UI_BOLD, c->theme->body,
             DL_RIGHT, c->theme->ink, head);
}

static void
build_model(const struct screen_ctx *c, hl_rect area)
{
    struct map_shown m;
    struct attention_pic pic;
    bool there = shown(c->state, c->state->hover, c->frame, &m, &pic);
    side_panel(c, rect_cut_left(&area, SIDE_W), there ? &m : NULL);
    rect_cut_left(&area, UI_PAD);
    if (!there) {
        screen_waiting(c, area, model_name(c->state));
        return;
    }
    hl_rect in = ui_panel(c->ui, area);
    int view = map_view_fit(m.record, m.map, model_of(c->state)->view);
    view_row(c, rect_cut_top(&in, UI_BUTTON_H), &m, view);
    rect_cut_top(&in, 8);
    if (m.pic != NULL && map_views[view].colours)
        rect_cut_top(&in, 8 + attention_controls(c->ui, in, c->state, NULL, 0, NULL));
    map_views[view].draw(c->ui, in, &m);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    struct map_shown m;
    struct attention_pic pic;
    struct hl_arena a;
    hl_arena_init(&a, 65536, 0);
    if (!shown(s, "", &a, &m, &pic))
        snprintf(buf, (size_t)buf_sz, "%s", state_model_label(s, model_name(s)));
    else if (m.head < 0)
        snprintf(buf, (size_t)buf_sz, "%s · %s · %s · layer %d, mean over heads", m.record->model,
                 m.map->name, m.map->stage, m.layer + 1);
    else
        snprintf(buf, (size_t)buf_sz, "%s · %s · %s · layer %d head %d", m.record->model,
                 m.map->name, m.map->stage, m.layer + 1, m.head + 1);
    hl_arena_deinit(&a);
}

/* ---- requests and events ---- */

static void
request_run(struct app_state *s, struct hl_effects *fx)
{
    const struct hl_model_info *info = info_of(s);
    struct model_state *m = model_of(s);
    if (state_text(s)[0] == 0 || info == NULL)
        return;
    struct hl_effect *e = state_run(s, fx, state_slot(s, "model", 0), model_name(s));
    if (e == NULL)
        return;
    e->req = (struct hl_request) { .text = state_text(s), .keep_scores = true };
    for (int i = 0; i < info->n_options; i++) {
        if (m->touched[i])
            hl_request_set(&e->req, info->options[i].key, m->values[i]);
    }
}

/* Another model has other options and maps. */
static void
picked(struct app_state *s, const struct app_model *model)
{
    struct model_state *m = model_of(s);
    if (strcmp(m->name, model->name) == 0)
        return;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", model->name);
}

static bool
key_pressed(struct app_state *s, int key, const struct map_shown *m)
{
    struct model_state *own = model_of(s);
    switch (key) {
    case 'v':
        own->view = map_view_fit(m->record, m->map, own->view);
        do
            own->view = (own->view + 1) % n_map_views;
        while (!map_views[own->view].suits(m->record, m->map));
        return true;
    case 'm':
        choose_map(s, (map_of(own, m->record) + 1) % m->record->n_maps);
        return true;
    case 'a':
        own->at.head = m->head < 0 ? 0 : -1;
        return true;
    case KEY_LEFT:
    case KEY_RIGHT:
        if (m->pic != NULL)
            attention_step_head(&own->at, m->pic, 0, key == KEY_RIGHT ? 1 : -1);
        return m->pic != NULL;
    case KEY_UP:
    case KEY_DOWN:
        if (m->pic != NULL)
            attention_step_head(&own->at, m->pic, key == KEY_DOWN ? 1 : -1, 0);
        return m->pic != NULL;
    default:
        return false;
    }
}

static bool
pressed(struct app_state *s, const char *hit)
{
    struct model_state *m = model_of(s);
    int i, layer, head;
    if (sscanf(hit, "maps:%d", &i) == 1) {
        choose_map(s, i);
        return true;
    }
    if (sscanf(hit, "head:map:%d:%d", &layer, &head) == 2) {
        m->at = (struct attention_head) { .layer = layer, .head = head };
        m->view = 0;
        return true;
    }
    for (i = 0; strncmp(hit, "mapview:", 8) == 0 && i < n_map_views; i++) {
        if (strcmp(map_views[i].key, hit + 8) == 0) {
            m->view = i;
            return true;
        }
    }
    return false;
}

static bool
model_event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct map_shown m;
    struct attention_pic pic;
    struct hl_arena a;
    bool press = ev->kind == EV_MOUSE_DOWN && ev->button <= 1, used = false;
    if (press && press_option(s, hit, fx))
        return true;
    hl_arena_init(&a, 65536, 0);
    bool there = shown(s, s->hover, &a, &m, &pic);
    if (there && ev->kind == EV_KEY && ev->mods == MOD_ALT)
        used = key_pressed(s, ev->key, &m);
    if (there && press && !used)
        used = pressed(s, hit);
    s->dirty |= used;
    if (there && !used && m.pic != NULL)
        used = attention_event(s, ev, hit, m.pic);
    hl_arena_deinit(&a);
    return used;
}

/* ---- --set and what is kept ---- */

static bool
set_map(struct app_state *s, const char *value, struct hl_error *err)
{
    const struct hl_record *r = record_of(s);
    for (int i = 0; r != NULL && i < r->n_maps; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s:%s", r->maps[i].name, r->maps[i].stage);
        bool weights = hl_map_is(&r->maps[i], HL_STAGE_WEIGHTS);
        if (strcmp(value, name) == 0 || (weights && strcmp(value, r->maps[i].name) == 0)) {
            choose_map(s, i);
            return true;
        }
    }
    hl_error_set(err, HL_E_ARGUMENT, "map", "the record has no map '%.60s'", value);
    return false;
}

static bool
set_key(struct app_state *s, const char *k, const char *value, struct hl_error *err)
{
    struct model_state *m = model_of(s);
    const struct hl_model_info *info = info_of(s);
    const struct hl_option *o = info != NULL ? hl_model_option(info, k) : NULL;
    if (strcmp(k, "view") == 0) {
        for (int i = 0; i < n_map_views; i++) {
            if (strcmp(map_views[i].key, value) == 0) {
                m->view = i;
                return true;
            }
        }
        hl_error_set(err, HL_E_ARGUMENT, k, "'%.60s' is no view of a map", value);
        return false;
    }
    if (strcmp(k, "map") == 0)
        return set_map(s, value, err);
    if (strcmp(k, "layer") == 0 || strcmp(k, "head") == 0)
        return attention_set_head(s, k, value, &m->at, err);
    if (o != NULL) {
        int i = (int)(o - info->options);
        if (hl_option_parse(o, value, &m->values[i], err) != HL_OK)
            return false;
        m->touched[i] = true;
        return true;
    }
    return attention_set(s, k, value, err) == HL_OK;
}

static const char *const examples[] = {
    "The animal didn't cross the street because it was too tired",
    "My sister bought a red car yesterday.", "dress and boots", NULL
};

static const char *const keys[] = { "Alt+V\0how the map is drawn", "Alt+M\0the next map",
                                    "Alt+A\0mean over the layer's heads",
                                    "Alt+←→↑↓\0other head or layer", NULL };

static const char *const help[] = {
    "Any model that can be opened, as it declares itself: what it is, the maps of its last run, "
    "and "
    "its options. Each map is drawn by the views that its axes allow.",
    "Scores are what stood before the softmax; weights are what came of them.", NULL
};

const struct hl_screen screen_model = {
    .id = "model",
    .size = sizeof(struct model_state),
    .n_slots = 1,
    .shows = true,
    .title = "Model",
    .has_text = true,
    .text = APP_TEXT_SENTENCE,
    .hint = "Type what the model reads",
    .model = model_name,
    .wants = (1u << HL_CAN_COUNT) - 1,
    .examples = examples,
    .build = build_model,
    .provenance = provenance,
    .event = model_event,
    .set = set_key,
    .request = request_run,
    .picked = picked,
    .picture = picture,
    .keys = keys,
    .help = help,
};

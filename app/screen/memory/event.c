/* What keys, clicks and time do to the Memory screen, and what it asks for. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* ---- runs ---- */

/* FNV-1a over s, going on from h; never 0. */
static uint64_t
digest(uint64_t h, const char *s)
{
    for (; *s != 0; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h != 0 ? h : 1;
}

static void
keep_playing(const struct memory_state *m, struct hl_effects *fx)
{
    if (m->playing)
        fx_push(fx, FX_ANIMATE)->number = 1000;
}

void
memory_request(struct app_state *s, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    const char *text = state_text(s), *model = s->chosen[HL_CAN_TAPE];
    uint64_t of_model = digest(1469598103934665603u, model), now = digest(of_model, text);
    if (m->model_digest != 0 && m->model_digest != of_model)
        m->options.n_hands = 0; /* another machine has other parameters */
    m->model_digest = of_model;
    if (m->text_digest != 0 && m->text_digest != now) {
        m->step = -1;
        m->playing = false;
    }
    m->text_digest = now;
    keep_playing(m, fx);
    if (text[0] == 0)
        return;
    struct hl_effect *e = state_run(s, fx, state_slot(s, "memory", MEMORY_RUN), model);
    if (e == NULL)
        return;
    const struct hl_ntm_info *info = hl_ntm_info(&state_model(s, model)->info);
    e->req = (struct hl_request) { .text = text };
    if (info != NULL)
        hl_ntm_request(info, &m->options, &m->overrides, &e->req);
    if (m->options.n_hands == 0 || m->trained_digest == now)
        return;
    e = state_run(s, fx, state_slot(s, "memory", MEMORY_TRAINED), model);
    if (e == NULL)
        return;
    e->req = (struct hl_request) { .text = text };
    m->trained_digest = now;
}

/* ---- where the pointer is ---- */

/* Place of (x, y) in the region `id` of the shown list, 0 to 1 inside; false when it is
 * not there. */
static bool
place(const struct app_state *s, const char *id, float x, float y, float *px, float *py)
{
    hl_rect r;
    if (s->last == NULL || !dl_hit_find(s->last, id, &r) || r.w <= 0 || r.h <= 0)
        return false;
    *px = (x - r.x) / r.w;
    *py = (y - r.y) / r.h;
    return true;
}

static int
cell(float t, int n)
{
    int i = (int)floorf(t * (float)n);
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

bool
memory_hovered(const struct app_state *s, const char *id, int rows, int cols, int *row, int *col)
{
    if (strcmp(s->hover, id) != 0)
        return false;
    *row = cell(memory_of(s)->point_y, rows);
    *col = cell(memory_of(s)->point_x, cols);
    return true;
}

/* What lies at a place of a region. */
static struct memory_hot
locate(const struct memory_run *r, const struct memory_window *w, const char *id, float x, float y)
{
    struct memory_hot hot = { -1, -1, -1, -1 };
    if (starts(id, "~tape:"))
        hot.step = cell(x, r->n_steps);
    if (starts(id, "~tape:write:") || starts(id, "~tape:read:") || starts(id, "~mem:")) {
        hot.address = memory_address(w, cell(y, w->n));
    } else if (starts(id, "~tape:")) {
        hot.bit = cell(y, strcmp(id, "~tape:input") == 0 ? r->n_inputs : 8);
    } else if (starts(id, "~chain:")) {
        hot.address = memory_address(w, cell(x, w->n));
        hot.stage = atoi(id + 7);
    }
    return hot;
}

struct memory_hot
memory_hot(const struct app_state *s, const struct memory_run *r, const struct memory_window *w)
{
    return locate(r, w, s->hover, memory_of(s)->point_x, memory_of(s)->point_y);
}

/* ---- steps, heads, pins ---- */

static void
go(struct memory_state *m, int step, int n_steps)
{
    m->step = step < 0 ? 0 : step >= n_steps ? n_steps - 1 : step;
}

static void
play(struct memory_state *m, const struct memory_run *r, bool on, struct hl_effects *fx)
{
    m->playing = on;
    m->next_ms = 0;
    if (on && (m->step < 0 || m->step >= r->n_steps - 1))
        m->step = 0;
    keep_playing(m, fx);
}

static void
tick(struct memory_state *m, const struct memory_run *r, double now, struct hl_effects *fx)
{
    double period = fmin(fmax(9000.0 / r->n_steps, 50), 450);
    if (!m->playing)
        return;
    if (m->next_ms == 0)
        m->next_ms = now + period;
    while (now >= m->next_ms && m->playing) {
        m->next_ms += period;
        m->step = m->step < 0 ? 0 : m->step + 1;
        if (m->step >= r->n_steps - 1) {
            m->step = r->n_steps - 1;
            m->playing = false;
        }
    }
    keep_playing(m, fx);
}

static void
choose_head(struct memory_state *m, bool write, int head)
{
    m->head_chosen = true;
    m->write_head = write;
    m->head = head;
}

static void
next_head(struct memory_state *m, const struct memory_run *r, struct memory_at at)
{
    int i = at.write ? at.head : r->n_heads[1] + at.head;
    i = (i + 1) % (r->n_heads[0] + r->n_heads[1]);
    choose_head(m, i < r->n_heads[1], i < r->n_heads[1] ? i : i - r->n_heads[1]);
}

static bool
is_pinned(const struct memory_state *m, int address)
{
    for (int i = 0; i < m->n_pins; i++) {
        if (m->pin[i] == address)
            return true;
    }
    return false;
}

/* Pins, or takes the pin away; the newest is last, the oldest makes room. */
static void
toggle_pin(struct memory_state *m, int address)
{
    int n = 0;
    bool was = is_pinned(m, address);
    for (int i = 0; i < m->n_pins; i++) {
        if (m->pin[i] != address)
            m->pin[n++] = m->pin[i];
    }
    m->n_pins = n;
    if (was)
        return;
    if (m->n_pins == MEMORY_PINS)
        memmove(&m->pin[0], &m->pin[1], (size_t)--m->n_pins * sizeof m->pin[0]);
    m->pin[m->n_pins++] = address;
}

static void
move_pin(struct memory_state *m, const struct memory_run *r, struct memory_at at, int by)
{
    int n = r->n_slots;
    if (m->n_pins == 0) {
        toggle_pin(m, memory_strongest(memory_row(r, at, MEMORY_WEIGHTS), n));
        return;
    }
    int to = ((m->pin[m->n_pins - 1] + by) % n + n) % n;
    if (!is_pinned(m, to))
        m->pin[m->n_pins - 1] = to;
}

/* ---- in hand ---- */

static const struct slider {
    const char *id;
    enum hl_ntm_field field;
    float small, large; /* of the arrow keys, of Page Up and Down */
} sliders[] = {
    { "hand:strength", HL_NTM_STRENGTH, 0.25f, 5 },
    { "hand:gate", HL_NTM_GATE, 0.01f, 0.1f },
    { "hand:shift", HL_NTM_SHIFT, 0.01f, 0.1f },
    { "hand:gamma", HL_NTM_GAMMA, 0.25f, 5 },
};

static const struct {
    const char *id;
    enum hl_ntm_field field;
} strips[3] = { { "key:cells", HL_NTM_KEY },
                { "erase:cells", HL_NTM_ERASE },
                { "add:cells", HL_NTM_ADD } };

static const struct slider *
find_slider(const char *id, int *index)
{
    *index = starts(id, "hand:shift") ? atoi(id + 10) : 0;
    for (size_t i = 0; i < sizeof sliders / sizeof *sliders; i++) {
        if (starts(id, sliders[i].id))
            return &sliders[i];
    }
    return NULL;
}

static int
find_strip(const char *id)
{
    for (int i = 0; i < 3; i++) {
        if (strcmp(id, strips[i].id) == 0)
            return i;
    }
    return -1;
}

/* What is in hand may be newer than the record. */
static float
number_now(const struct memory_state *m, const struct memory_run *r, struct memory_at at,
           enum hl_ntm_field field, int index)
{
    struct hl_ntm_head h;
    const struct hl_ntm_hand *hand = memory_hand_find(m, at);
    memory_head(r, at, &h);
    if (hand != NULL && hand->fields & (unsigned)field)
        h = hand->value;
    return memory_hand_number(&h, field, index);
}

static void
change(struct app_state *s, const struct memory_run *r, enum hl_ntm_field field, int index,
       float value, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    struct memory_at at = memory_now(s, r);
    if (index >= (field == HL_NTM_SHIFT ? r->n_shifts : r->width))
        return;
    m->step = at.step; /* what is in hand does not move on with the typing */
    m->playing = false;
    choose_head(m, at.write, at.head);
    if (!memory_hand_set(m, at, r, field, index, value)) {
        state_notice(s, true, "No more than %d steps can be in hand: give one back first.",
                     HL_NTM_MAX_HANDS);
        return;
    }
    s->dirty = true;
    memory_request(s, fx);
}

static bool
drag_slider(struct app_state *s, const struct memory_run *r, const char *hit, float x,
            struct hl_effects *fx)
{
    int index;
    hl_rect box;
    const struct slider *sl = find_slider(hit, &index);
    if (s->last == NULL || !dl_hit_find(s->last, hit, &box))
        return false;
    float t = ui_slider_value(box, x);
    if (strcmp(hit, "slide:step") == 0) {
        memory_of(s)->playing = false;
        go(memory_of(s), (int)roundf(t * (float)(r->n_steps - 1)), r->n_steps);
        s->dirty = true;
        return true;
    }
    if (sl == NULL)
        return false;
    change(s, r, sl->field, index, memory_slide_at(sl->field, t), fx);
    return true;
}

/* A press chooses a cell; up and down from there change it. */
static bool
drag_strip(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
           const char *hit, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    int k = find_strip(hit);
    float px, py;
    if (k < 0)
        return false;
    if (ev->kind == EV_MOUSE_DOWN) {
        if (!place(s, hit, ev->x, ev->y, &px, &py))
            return false;
        int col = cell(px, r->width);
        m->cell[k] = col;
        m->drag_y = ev->y;
        m->drag_value = number_now(m, r, memory_now(s, r), strips[k].field, col);
        return true;
    }
    change(s, r, strips[k].field, m->cell[k], m->drag_value + (m->drag_y - ev->y) / 60, fx);
    return true;
}

static void
take_all(struct app_state *s, const struct memory_run *r, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    struct memory_at at = memory_now(s, r);
    struct hl_ntm_head now;
    memory_head(r, at, &now);
    change(s, r, HL_NTM_GATE, 0, now.gate, fx);
    struct hl_ntm_hand *h = memory_hand_take(m, at);
    if (h == NULL)
        return;
    h->value = now;
    h->fields = HL_NTM_STRENGTH | HL_NTM_GATE | HL_NTM_GAMMA | HL_NTM_SHIFT | HL_NTM_KEY;
    h->fields |= at.write ? HL_NTM_ERASE | HL_NTM_ADD : 0;
}

static void
give_back(struct app_state *s, const struct memory_run *r, bool all, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    if (all)
        m->options.n_hands = 0;
    else if (!memory_hand_give_back(m, memory_now(s, r)))
        return;
    s->dirty = true;
    memory_request(s, fx);
}

/* ---- clicks ---- */

static void
click_chip(struct app_state *s, const struct memory_run *r, const char *hit)
{
    struct hl_arena a;
    struct memory_char *c;
    bool answer = hit[0] == 'o';
    int i = atoi(hit + (answer ? 4 : 3));
    hl_arena_init(&a, 16384, 0);
    int n = answer ? memory_chars_out(r, &a, &c) : memory_chars_in(r, &a, &c);
    if (i >= 0 && i < n)
        go(memory_of(s), c[i].first + c[i].n - 1, r->n_steps);
    hl_arena_deinit(&a);
}

/* A cell over time: that step; of weights its head and its address, too. */
static bool
click_cell(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
           const char *hit)
{
    struct memory_state *m = memory_of(s);
    struct memory_window w = memory_window(m, r);
    float px, py;
    if (!place(s, hit, ev->x, ev->y, &px, &py))
        return false;
    struct memory_hot at = locate(r, &w, hit, px, py);
    struct memory_at now = memory_now(s, r);
    if (at.step < 0 && at.address < 0)
        return false;
    if (at.step >= 0) {
        m->playing = false;
        go(m, at.step, r->n_steps);
    }
    if (at.address < 0)
        return true;
    if (at.step >= 0) {
        bool write = starts(hit, "~tape:write");
        choose_head(m, write, atoi(strrchr(hit, ':') + 1));
        if (at.step != now.step && is_pinned(m, at.address))
            return true;
    }
    toggle_pin(m, at.address);
    return true;
}

static bool
transport(struct app_state *s, const struct memory_run *r, const char *what, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    int step = memory_now(s, r).step;
    if (strcmp(what, "play") == 0) {
        play(m, r, !m->playing, fx);
        return true;
    }
    m->playing = false;
    go(m,
       strcmp(what, "first") == 0  ? 0
       : strcmp(what, "last") == 0 ? r->n_steps - 1
       : strcmp(what, "back") == 0 ? step - 1
                                   : step + 1,
       r->n_steps);
    return true;
}

static bool
press(struct app_state *s, const struct memory_run *r, const struct hl_event *ev, const char *hit,
      struct hl_effects *fx)
{
    bool used = true;
    if (starts(hit, "in:") || starts(hit, "out:"))
        click_chip(s, r, hit);
    else if (starts(hit, "tape:"))
        transport(s, r, hit + 5, fx);
    else if (strcmp(hit, "act:take") == 0)
        take_all(s, r, fx);
    else if (strcmp(hit, "act:back") == 0 || strcmp(hit, "act:back_all") == 0)
        give_back(s, r, strcmp(hit, "act:back_all") == 0, fx);
    else if (starts(hit, "head:write") || starts(hit, "head:read"))
        choose_head(memory_of(s), hit[5] == 'w', atoi(hit + (hit[5] == 'w' ? 10 : 9)));
    else if (hit[0] == '~')
        used = click_cell(s, r, ev, hit);
    else
        used = drag_strip(s, r, ev, hit, fx) || drag_slider(s, r, hit, ev->x, fx);
    s->dirty = s->dirty || used;
    return used;
}

/* ---- keys ---- */

static bool
alt_key(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
        struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    struct memory_at at = memory_now(s, r);
    switch (ev->key) {
    case KEY_LEFT:
        return transport(s, r, "back", fx);
    case KEY_RIGHT:
        return transport(s, r, "next", fx);
    case KEY_HOME:
        return transport(s, r, "first", fx);
    case KEY_END:
        return transport(s, r, "last", fx);
    case KEY_UP:
    case KEY_DOWN:
        move_pin(m, r, at, ev->key == KEY_UP ? -1 : 1);
        return true;
    case 'p':
        return transport(s, r, "play", fx);
    case 'f':
        m->step = -1;
        m->head_chosen = m->playing = false;
        return true;
    case 'h':
        next_head(m, r, at);
        return true;
    case 't':
        take_all(s, r, fx);
        return true;
    case 'g':
        give_back(s, r, ev->mods & MOD_SHIFT, fx);
        return true;
    default:
        return false;
    }
}

/* Arrow keys on a slider: left and right change it. */
static bool
slider_key(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
           const char *hit, struct hl_effects *fx)
{
    int index, by = ev->key == KEY_RIGHT || ev->key == KEY_PAGE_UP    ? 1
                    : ev->key == KEY_LEFT || ev->key == KEY_PAGE_DOWN ? -1
                                                                      : 0;
    bool page = ev->key == KEY_PAGE_UP || ev->key == KEY_PAGE_DOWN;
    const struct slider *sl = find_slider(hit, &index);
    if (strcmp(hit, "slide:step") == 0 && by != 0) {
        memory_of(s)->playing = false;
        go(memory_of(s), memory_now(s, r).step + by * (page ? 10 : 1), r->n_steps);
        return true;
    }
    if (sl == NULL || by == 0)
        return false;
    float v =
        number_now(memory_of(s), r, memory_now(s, r), sl->field, index < r->n_shifts ? index : 0);
    change(s, r, sl->field, index, v + (float)by * (page ? sl->large : sl->small), fx);
    return true;
}

/* On a strip of cells: left and right choose, up and down change. */
static bool
strip_key(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
          const char *hit, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    int k = find_strip(hit);
    if (k < 0)
        return false;
    int at = m->cell[k] < r->width ? m->cell[k] : r->width - 1;
    int dx = ev->key == KEY_RIGHT ? 1 : ev->key == KEY_LEFT ? -1 : 0;
    float dy = ev->key == KEY_UP ? 0.05f : ev->key == KEY_DOWN ? -0.05f : 0;
    if (dx == 0 && dy == 0)
        return false;
    at = at + dx < 0 ? 0 : at + dx >= r->width ? r->width - 1 : at + dx;
    m->cell[k] = at;
    if (dy != 0)
        change(s, r, strips[k].field, at,
               number_now(m, r, memory_now(s, r), strips[k].field, at) + dy, fx);
    return true;
}

static bool
key_event(struct app_state *s, const struct memory_run *r, const struct hl_event *ev,
          const char *hit, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    bool alt = ev->mods == MOD_ALT || (ev->mods == (MOD_ALT | MOD_SHIFT) && ev->key == 'g');
    bool used = false;
    if (alt)
        used = alt_key(s, r, ev, fx);
    else if (ev->mods == 0 && (slider_key(s, r, ev, hit, fx) || strip_key(s, r, ev, hit, fx)))
        used = true;
    else if (ev->mods == 0 && (ev->key == KEY_HOME || ev->key == KEY_END))
        used = transport(s, r, ev->key == KEY_HOME ? "first" : "last", fx);
    else if (ev->key == KEY_ESCAPE && m->n_pins > 0) {
        m->n_pins = 0;
        used = true;
    }
    s->dirty = s->dirty || used;
    return used;
}

/* While a button is held: over time it scrubs, on what can be dragged it drags. */
static bool
drag(struct app_state *s, const struct memory_run *r, const struct hl_event *ev, const char *hit,
     struct hl_effects *fx)
{
    float px, py;
    if (starts(hit, "~tape:") && place(s, hit, ev->x, ev->y, &px, &py)) {
        go(memory_of(s), cell(px, r->n_steps), r->n_steps);
        return true;
    }
    return drag_slider(s, r, hit, ev->x, fx) || drag_strip(s, r, ev, hit, fx);
}

bool
memory_event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct memory_state *m = memory_of(s);
    struct memory_run r;
    if (!memory_run_now(s, &r))
        return false;
    if (ev->kind == EV_TICK)
        tick(m, &r, (double)ev->x, fx);
    if (ev->kind == EV_MOUSE_DOWN || ev->kind == EV_MOUSE_MOVE)
        place(s, hit, ev->x, ev->y, &m->point_x, &m->point_y);
    if (ev->kind == EV_MOUSE_DOWN)
        return ev->button == 1 && press(s, &r, ev, hit, fx);
    if (ev->kind == EV_MOUSE_MOVE)
        return s->pressed[0] != 0 && drag(s, &r, ev, hit, fx);
    if (ev->kind == EV_WHEEL && ev->y != 0 &&
        (starts(hit, "~tape:") || strcmp(hit, "slide:step") == 0))
        return transport(s, &r, ev->y > 0 ? "back" : "next", fx);
    return ev->kind == EV_TICK || (ev->kind == EV_KEY && key_event(s, &r, ev, hit, fx));
}

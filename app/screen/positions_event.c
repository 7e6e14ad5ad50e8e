/* What keys, clicks and --set do to the Positions screen, and what it asks for. */
#include "screen/positions_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "screen/attention.h"

static bool
starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* ---- runs of the shipped Transformer ---- */

static void
ask(struct app_state *s, struct hl_effects *fx, int slot, const char *text, bool without)
{
    const struct positions_state *p = positions_of(s);
    struct hl_effect *e =
        state_run(s, fx, state_slot(s, "positions", slot), s->chosen[HL_CAN_HEADS]);
    if (e == NULL)
        return;
    e->req = (struct hl_request) { .text = text, .keep_vectors = p->view == POSITIONS_SENTENCE };
    hl_request_set(&e->req, "decode", p->view == POSITIONS_ORDER);
    if (without)
        hl_request_set(&e->req, "positions", p->encoder_off + 2 * p->decoder_off);
}

void
positions_request(struct app_state *s, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    const char *text = state_text(s);
    if (text[0] == 0)
        return;
    ask(s, fx, POSITIONS_RUN, text, false);
    if (p->view != POSITIONS_ORDER)
        return;
    ask(s, fx, POSITIONS_BARE, text, true);
    if (!positions_shuffle(p, text))
        return;
    ask(s, fx, POSITIONS_SHUFFLED, p->shuffled, false);
    ask(s, fx, POSITIONS_SHUFFLED_BARE, p->shuffled, true);
}

static void
show(struct app_state *s, enum positions_view view, struct hl_effects *fx)
{
    positions_of(s)->view = view;
    s->dirty = true;
    positions_request(s, fx);
}

/* ---- clicks ---- */

static void
slide(struct app_state *s, const char *id, float x)
{
    struct positions_state *p = positions_of(s);
    hl_rect r;
    if (s->last == NULL || !dl_hit_find(s->last, id, &r))
        return;
    float t = ui_slider_value(r, x);
    if (strcmp(id, "slide:d") == 0)
        positions_set_size(p, positions_d_at(t), p->length);
    else
        positions_set_size(p, p->d, positions_length_at(t));
    s->dirty = true;
}

/* The cell of a map under (x, y). */
static bool
cell(const struct app_state *s, const struct hl_event *ev, const char *id, int rows, int cols,
     int *row, int *col)
{
    hl_rect r;
    if (s->last == NULL || !dl_hit_find(s->last, id, &r) || r.w <= 0 || r.h <= 0)
        return false;
    *row = (int)((ev->y - r.y) / r.h * (float)rows);
    *col = (int)((ev->x - r.x) / r.w * (float)cols);
    *row = *row < 0 ? 0 : *row >= rows ? rows - 1 : *row;
    *col = *col < 0 ? 0 : *col >= cols ? cols - 1 : *col;
    return true;
}

static bool
click_map(struct app_state *s, const struct hl_event *ev, const char *hit)
{
    struct positions_state *p = positions_of(s);
    int row, col;
    if (strcmp(hit, "pos:map") == 0 && cell(s, ev, hit, p->length, p->d, &row, &col)) {
        positions_pin(p, row, col);
        return true;
    }
    if (strcmp(hit, "pos:products") == 0 && cell(s, ev, hit, p->length, p->length, &row, &col)) {
        p->row = row;
        p->col = p->col < 0 ? 0 : p->col;
        return true;
    }
    return false;
}

static void
pick_token(struct positions_state *p, int token)
{
    p->token = p->token == token ? -1 : token;
}

/* A chip of the sentence: its first token. */
static void
pick_chip(struct app_state *s, int chip)
{
    struct hl_arena a;
    struct view_chips v;
    hl_arena_init(&a, 65536, 0);
    if (attention_chips(s, &a, s->slots[state_slot(s, "positions", POSITIONS_RUN)].record, NULL,
                        APP_SOURCE, &v) &&
        chip >= 0 && chip < v.items.n)
        pick_token(positions_of(s), v.items.items[chip].first);
    hl_arena_deinit(&a);
}

static bool
click(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    if (starts(hit, "view:")) {
        for (int i = 0; i < POSITIONS_VIEW_COUNT; i++) {
            if (strcmp(hit + 5, positions_view_keys[i]) == 0)
                show(s, (enum positions_view)i, fx);
        }
        return true;
    }
    if (starts(hit, "preset:")) {
        for (int i = 0; i < POSITIONS_PRESETS; i++) {
            if (strcmp(hit + 7, positions_presets[i].key) == 0)
                positions_load(p, &positions_presets[i]);
        }
    } else if (starts(hit, "order:")) {
        positions_set_layout(p, strcmp(hit + 6, "halves") == 0, p->tensor2tensor);
    } else if (starts(hit, "freq:")) {
        positions_set_layout(p, p->halves, strcmp(hit + 5, "tensor2tensor") == 0);
    } else if (starts(hit, "curve:")) {
        positions_toggle_curve(p, atoi(hit + 6));
    } else if (starts(hit, "token:")) {
        pick_token(p, atoi(hit + 6));
    } else if (starts(hit, "in:")) {
        pick_chip(s, atoi(hit + 3));
    } else if (starts(hit, "slide:")) {
        slide(s, hit, ev->x);
    } else if (strcmp(hit, "off:encoder") == 0 || strcmp(hit, "off:decoder") == 0) {
        bool *off = hit[4] == 'e' ? &p->encoder_off : &p->decoder_off;
        *off = !*off;
        positions_request(s, fx);
    } else if (strcmp(hit, "act:shuffle") == 0) {
        p->seed++;
        positions_request(s, fx);
    } else {
        return click_map(s, ev, hit);
    }
    s->dirty = true;
    return true;
}

/* ---- keys ---- */

static void
move(struct positions_state *p, int key)
{
    if (p->row < 0) {
        p->row = p->col = 0;
        return;
    }
    int dx = key == KEY_RIGHT ? 1 : key == KEY_LEFT ? -1 : 0;
    int dy = key == KEY_DOWN ? 1 : key == KEY_UP ? -1 : 0;
    p->row = p->row + dy < 0 ? 0 : p->row + dy >= p->length ? p->length - 1 : p->row + dy;
    p->col = p->col + dx < 0 ? 0 : p->col + dx >= p->d ? p->d - 1 : p->col + dx;
}

static bool
is_arrow(int key)
{
    return key == KEY_LEFT || key == KEY_RIGHT || key == KEY_UP || key == KEY_DOWN;
}

static void
slide_by(struct app_state *s, const char *id, int by)
{
    struct positions_state *p = positions_of(s);
    if (strcmp(id, "slide:d") == 0)
        positions_set_size(p, p->d + 2 * by, p->length);
    else
        positions_set_size(p, p->d, p->length + by);
    s->dirty = true;
}

static bool
alt_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    int now = positions_preset_now(p);
    if (is_arrow(ev->key))
        return move(p, ev->key), true;
    switch (ev->key) {
    case 'v':
        show(s, (enum positions_view)(((int)p->view + 1) % POSITIONS_VIEW_COUNT), fx);
        return true;
    case 'o':
        positions_set_layout(p, !p->halves, p->tensor2tensor);
        break;
    case 'f':
        positions_set_layout(p, p->halves, !p->tensor2tensor);
        break;
    case 'p':
        positions_load(p, &positions_presets[(now + 1) % POSITIONS_PRESETS]);
        break;
    case 'c':
        if (p->col >= 0)
            positions_toggle_curve(p, p->col);
        break;
    case 'e':
    case 'd':
        return click(s, ev, ev->key == 'e' ? "off:encoder" : "off:decoder", fx);
    case 'r':
        return click(s, ev, "act:shuffle", fx);
    default:
        return false;
    }
    s->dirty = true;
    return true;
}

static bool
key(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    if (ev->mods == MOD_ALT)
        return alt_key(s, ev, fx);
    if (starts(hit, "slide:") && ev->mods == 0) {
        int by = ev->key == KEY_LEFT        ? -1
                 : ev->key == KEY_RIGHT     ? 1
                 : ev->key == KEY_PAGE_UP   ? 16
                 : ev->key == KEY_PAGE_DOWN ? -16
                                            : 0;
        if (by != 0)
            slide_by(s, hit, by);
        return by != 0;
    }
    if (starts(hit, "pos:") && ev->mods == 0 && is_arrow(ev->key))
        return move(p, ev->key), true;
    if (starts(hit, "pos:") && (ev->key == KEY_ENTER || ev->key == KEY_SPACE)) {
        if (p->row < 0)
            move(p, KEY_RIGHT);
        positions_toggle_curve(p, p->col);
        return true;
    }
    if (ev->key == KEY_ESCAPE && (p->row >= 0 || p->token >= 0)) {
        p->row = p->col = p->token = -1;
        return true;
    }
    return false;
}

bool
positions_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                struct hl_effects *fx)
{
    if (ev->kind == EV_MOUSE_DOWN && ev->button == 1)
        return click(s, ev, hit, fx);
    if (ev->kind == EV_MOUSE_MOVE && s->pressed[0] != 0 && starts(hit, "slide:")) {
        slide(s, hit, ev->x);
        return true;
    }
    return ev->kind == EV_KEY && key(s, ev, hit, fx);
}

/* ---- --set and what is kept ---- */

static bool
bad(struct hl_error *err, const char *key_name, const char *why)
{
    hl_error_set(err, HL_E_ARGUMENT, key_name, "%s", why);
    return false;
}

/* Index of value among names; -1 if it is none. */
static int
among(const char *value, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
    }
    return -1;
}

static bool
set_number(struct positions_state *p, const char *k, const char *value, struct hl_error *err)
{
    long n;
    bool d = strcmp(k, "d") == 0;
    if (!hl_parse_long(value, &n))
        return bad(err, k, "not a whole number");
    if (d && (n < POSITIONS_MIN_D || n > POSITIONS_MAX_D || n % 2 != 0))
        return bad(err, k, "an even number from 4 to 1024 is meant");
    if (!d && (n < 1 || n > POSITIONS_MAX_LENGTH))
        return bad(err, k, "a number from 1 to 512 is meant");
    positions_set_size(p, d ? (int)n : p->d, d ? p->length : (int)n);
    return true;
}

/* "cell=7:12" keeps a cell, "dim=12" draws a curve. */
static bool
set_cell(struct positions_state *p, const char *k, const char *value, struct hl_error *err)
{
    long row = 0, col = 0;
    char first[16] = "";
    const char *colon = strchr(value, ':');
    if (strcmp(k, "dim") == 0) {
        if (!hl_parse_long(value, &col) || col < 0 || col >= p->d)
            return bad(err, k, "no such dimension");
        positions_toggle_curve(p, (int)col);
        return true;
    }
    if (colon != NULL && (size_t)(colon - value) < sizeof first)
        memcpy(first, value, (size_t)(colon - value));
    if (colon == NULL || !hl_parse_long(first, &row) || !hl_parse_long(colon + 1, &col) ||
        row < 0 || row >= p->length || col < 0 || col >= p->d)
        return bad(err, k, "no such cell; write POSITION:DIMENSION from 0");
    positions_pin(p, (int)row, (int)col);
    return true;
}

static bool
set_choice(struct positions_state *p, const char *k, const char *value, struct hl_error *err)
{
    static const char *const orders[] = { "interleaved", "halves" };
    static const char *const freqs[] = { "paper", "tensor2tensor", "2i/d", "k/(d/2-1)" };
    static const char *const positions[] = { "on", "off", "encoder", "decoder" };
    int i;
    if (strcmp(k, "order") == 0) {
        if ((i = among(value, orders, 2)) < 0)
            return bad(err, k, "interleaved or halves is meant");
        positions_set_layout(p, i == 1, p->tensor2tensor);
        return true;
    }
    if (strcmp(k, "freq") == 0) {
        if ((i = among(value, freqs, 4)) < 0)
            return bad(err, k, "paper (2i/d) or tensor2tensor (k/(d/2-1)) is meant");
        positions_set_layout(p, p->halves, i % 2 == 1);
        return true;
    }
    if (strcmp(k, "view") == 0) {
        if ((i = among(value, positions_view_keys, POSITIONS_VIEW_COUNT)) < 0)
            return bad(err, k, "encoding, products, sentence or order is meant");
        p->view = (enum positions_view)i;
        return true;
    }
    if ((i = among(value, positions, 4)) < 0)
        return bad(err, k, "on, off, encoder or decoder is meant");
    p->encoder_off = i == 1 || i == 3;
    p->decoder_off = i == 1 || i == 2;
    return true;
}

bool
positions_set(struct app_state *s, const char *k, const char *value, struct hl_error *err)
{
    struct positions_state *p = positions_of(s);
    long n;
    if (strcmp(k, "preset") == 0) {
        for (int i = 0; i < POSITIONS_PRESETS; i++) {
            if (strcmp(value, positions_presets[i].key) == 0) {
                positions_load(p, &positions_presets[i]);
                return true;
            }
        }
        return bad(err, k, "d4, d512-20, d512-200 or shipped is meant");
    }
    if (strcmp(k, "d") == 0 || strcmp(k, "length") == 0)
        return set_number(p, k, value, err);
    if (strcmp(k, "cell") == 0 || strcmp(k, "dim") == 0)
        return set_cell(p, k, value, err);
    if (strcmp(k, "seed") == 0) {
        if (!hl_parse_long(value, &n) || n < 0)
            return bad(err, k, "not a whole number from 0");
        p->seed = (uint64_t)n;
        return true;
    }
    if (strcmp(k, "order") == 0 || strcmp(k, "freq") == 0 || strcmp(k, "view") == 0 ||
        strcmp(k, "positions") == 0)
        return set_choice(p, k, value, err);
    hl_error_set(err, HL_E_UNSUPPORTED, k, "the Positions screen has no such setting");
    return false;
}

void
positions_save(const struct app_state *s,
               void (*put)(void *user, const char *key, const char *value), void *user)
{
    const struct positions_state *p = positions_of(s);
    char n[24];
    put(user, "view", positions_view_keys[p->view]);
    put(user, "order", p->halves ? "halves" : "interleaved");
    put(user, "freq", p->tensor2tensor ? "tensor2tensor" : "paper");
    snprintf(n, sizeof n, "%d", p->d);
    put(user, "d", n);
    snprintf(n, sizeof n, "%d", p->length);
    put(user, "length", n);
    snprintf(n, sizeof n, "%llu", (unsigned long long)p->seed);
    put(user, "seed", n);
    put(user, "positions",
        p->encoder_off && p->decoder_off ? "off"
        : p->encoder_off                 ? "decoder"
        : p->decoder_off                 ? "encoder"
                                         : "on");
}

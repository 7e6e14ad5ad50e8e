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
    if (state_blank(s))
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

/* ---- controls ---- */

static const char *const view_names[] = { "encoding", "products", "sentence", "order", NULL };
static const char *const view_titles[] = { "Encoding", "Dot products", "Your sentence",
                                           "Word order", NULL };
static const char *const order_names[] = { "interleaved", "halves", NULL };
static const char *const freq_names[] = { "paper", "tensor2tensor", NULL };
static const char *const freq_titles[] = { "2i/d", "k/(d/2−1)", NULL };
static const char *const place_names[] = { "on", "decoder", "encoder", "off", NULL };

CONTROL_PART(view, positions_of, view, enum positions_view)
CONTROL_PART(encoder, positions_of, encoder_off, bool)
CONTROL_PART(decoder, positions_of, decoder_off, bool)

CONTROL_BY(order, positions_of(s)->halves,
           positions_set_layout(positions_of(s), v != 0, positions_of(s)->tensor2tensor))
CONTROL_BY(freq, positions_of(s)->tensor2tensor,
           positions_set_layout(positions_of(s), positions_of(s)->halves, v != 0))
/* Widths are even. */
CONTROL_BY(width, positions_of(s)->d,
           positions_set_size(positions_of(s), (int)v / 2 * 2, positions_of(s)->length))
CONTROL_BY(length, positions_of(s)->length,
           positions_set_size(positions_of(s), positions_of(s)->d, (int)v))
/* Where positions are added: the names' place is a set of the sides without. */
CONTROL_BY(where, positions_of(s)->encoder_off + 2 * positions_of(s)->decoder_off,
           positions_of(s)->encoder_off = (int)v & 1;
           positions_of(s)->decoder_off = (int)v & 2)

const struct hl_control positions_rows[POSITIONS_ROWS] = {
    [POSITIONS_ROW_VIEW] = { CONTROL_TITLED("view", "view", view_names, view_titles,
                                            "The encoding, products, your sentence, word order"),
                             CONTROL_SHOWN(view, CONTROL_TABS, 'v'),
                             .does = "encoding, dot products, your sentence, word order",
                             .reruns = true },
    [POSITIONS_ROW_ORDER] = { CONTROL_CHOICE("order", "order of sines and cosines", order_names,
                                             "sin cos sin cos …, or all sines, then all cosines"),
                              CONTROL_SHOWN(order, CONTROL_SEGMENTS, 'o'),
                              .does = "sines and cosines interleaved, or in halves" },
    [POSITIONS_ROW_FREQ] = { CONTROL_TITLED("freq", "exponent of 10000", freq_names, freq_titles,
                                            "As in the paper and Marian, or as in tensor2tensor"),
                             CONTROL_SHOWN(freq, CONTROL_SEGMENTS, 'f'),
                             .does = "frequencies 2i/d, or k/(d/2−1)" },
    [POSITIONS_ROW_WIDTH] = { CONTROL_NUMBER("d", "width d", HL_OPTION_WHOLE, POSITIONS_MIN_D,
                                             POSITIONS_MAX_D,
                                             "Even, 4 to 1024; arrow keys, or d=512 with --set"),
                              CONTROL_SHOWN(width, CONTROL_SLIDER, 0), .at = positions_d_at,
                              .place = positions_d_place, .step = 2 },
    [POSITIONS_ROW_LENGTH] = { CONTROL_NUMBER("length", "positions", HL_OPTION_WHOLE, 1,
                                              POSITIONS_MAX_LENGTH, "1 to 512; arrow keys"),
                               CONTROL_SHOWN(length, CONTROL_SLIDER, 0), .at = positions_length_at,
                               .place = positions_length_place },
    [POSITIONS_ROW_WHERE] = { CONTROL_CHOICE("positions", "positions", place_names,
                                             "Where positions are added in “Word order”"),
                              CONTROL_AT(where), .reruns = true },
    [POSITIONS_ROW_ENCODER] = { CONTROL_ON_OFF("encoder", "encoder",
                                               "Leave them out of the encoder"),
                                CONTROL_SHOWN(encoder, CONTROL_SWITCH, 'e'),
                                .does = "positions left out of the encoder", .reruns = true,
                                .forgets = true },
    [POSITIONS_ROW_DECODER] = { CONTROL_ON_OFF("decoder", "decoder",
                                               "Leave them out of the decoder"),
                                CONTROL_SHOWN(decoder, CONTROL_SWITCH, 'd'),
                                .does = "positions left out of the decoder", .reruns = true,
                                .forgets = true },
};

static const struct control_table table = { POSITIONS_ROWS, positions_rows };
const struct control_table *const positions_controls[] = { &table, NULL };

/* ---- clicks ---- */

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
press(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    if (starts(hit, "preset:")) {
        for (int i = 0; i < POSITIONS_PRESETS; i++) {
            if (strcmp(hit + 7, positions_presets[i].key) == 0)
                positions_load(p, &positions_presets[i]);
        }
    } else if (starts(hit, "curve:")) {
        positions_toggle_curve(p, atoi(hit + 6));
    } else if (starts(hit, "token:")) {
        pick_token(p, atoi(hit + 6));
    } else if (starts(hit, "in:")) {
        pick_chip(s, atoi(hit + 3));
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

static bool
alt_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct positions_state *p = positions_of(s);
    int now = positions_preset_now(p);
    if (is_arrow(ev->key))
        return move(p, ev->key), true;
    switch (ev->key) {
    case 'p':
        positions_load(p, &positions_presets[(now + 1) % POSITIONS_PRESETS]);
        break;
    case 'c':
        if (p->col >= 0)
            positions_toggle_curve(p, p->col);
        break;
    case 'r':
        return press(s, ev, "act:shuffle", fx);
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
        return press(s, ev, hit, fx);
    return ev->kind == EV_KEY && key(s, ev, hit, fx);
}

/* ---- --set and what is kept ---- */

static bool
bad(struct hl_error *err, const char *key_name, const char *why)
{
    hl_error_set(err, HL_E_ARGUMENT, key_name, "%s", why);
    return false;
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
    if (strcmp(k, "cell") == 0 || strcmp(k, "dim") == 0)
        return set_cell(p, k, value, err);
    if (strcmp(k, "seed") == 0) {
        if (!hl_parse_long(value, &n) || n < 0)
            return bad(err, k, "not a whole number from 0");
        p->seed = (uint64_t)n;
        return true;
    }
    hl_error_set(err, HL_E_UNSUPPORTED, k, "the Positions screen has no such setting");
    return false;
}

void
positions_save(const struct app_state *s,
               void (*put)(void *user, const char *key, const char *value), void *user)
{
    const struct positions_state *p = positions_of(s);
    char n[24];
    snprintf(n, sizeof n, "%llu", (unsigned long long)p->seed);
    put(user, "seed", n);
}

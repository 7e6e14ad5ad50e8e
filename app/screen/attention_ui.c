#include "screen/attention.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "screen/control.h"

/* ---- controls ---- */

static const char *const view_names[] = { "matrix", "lines", "shading", NULL };
static const char *const view_titles[] = { "Matrix", "Lines", "Shading", NULL };
static const char *const special_names[] = { "shown", "dimmed", "hidden", NULL };
static const char *const scale_names[] = { "linear", "log", NULL };
static const char *const direction_names[] = { "at", "by", NULL };

CONTROL_VALUE(view, show.view, enum app_view)
CONTROL_VALUE(scale, show.log_scale, bool)
CONTROL_VALUE(lock, show.lock, bool)
CONTROL_VALUE(words, show.words, bool)
CONTROL_VALUE(special, show.special, enum app_special)
CONTROL_VALUE(direction, show.looked_at, bool)

static const char *
special_label(double v)
{
    static const char *const labels[APP_SPECIAL_COUNT] = { "special tokens",
                                                           "special tokens dimmed",
                                                           "special tokens hidden" };
    return labels[(int)v];
}

enum { VIEW, SCALE, LOCK, WORDS, SPECIAL, DIRECTION, N_ROWS };

static const struct hl_control rows[N_ROWS] = {
    [VIEW] = { CONTROL_TITLED("view", "view", view_names, view_titles, "Matrix, lines or shading"),
               CONTROL_SHOWN(view, CONTROL_TABS, 'v'), .does = "matrix, lines, shading" },
    [SCALE] = { CONTROL_CHOICE("scale", "log scale", scale_names,
                               "Colours by the logarithm: small weights become visible"),
                CONTROL_SHOWN(scale, CONTROL_PILL, 's'), .does = "linear or log scale" },
    [LOCK] = { CONTROL_ON_OFF("lock", "0 to 1", "Colours run over 0 to 1, not up to the largest"),
               CONTROL_SHOWN(lock, CONTROL_PILL, 'l'),
               .does = "colours over 0 to 1, or up to the largest" },
    [WORDS] = { CONTROL_ON_OFF("words", "whole words",
                               "Pieces of a word merged: keys summed, queries averaged"),
                CONTROL_SHOWN(words, CONTROL_PILL, 'w'), .does = "words or pieces" },
    [SPECIAL] = { CONTROL_CHOICE("special", "special tokens", special_names,
                                 "Shown, dimmed or hidden"),
                  CONTROL_SHOWN(special, CONTROL_PILL, 't'),
                  .does = "special tokens shown, dimmed, hidden", .label = special_label },
    /* Its key and its button turn the pin round as well: see turn. */
    [DIRECTION] = { CONTROL_CHOICE("direction", "direction", direction_names,
                                   "What the pinned word looks at, or who looks at it"),
                    CONTROL_AT(direction) },
};

const struct control_table attention_table = { N_ROWS, rows };

/* ---- drawing ---- */

float
attention_tabs(struct ui *u, hl_rect r, const struct app_state *s)
{
    return control_draw(u, r, s, &rows[VIEW]);
}

float
attention_controls(struct ui *u, hl_rect r, const struct app_state *s,
                   const struct hl_control *const *more, int n, const char *title)
{
    const struct hl_theme *t = u->theme;
    const int first = SCALE, n_own = SPECIAL - SCALE + 1;
    float x = r.x, y = r.y;
    for (int i = 0; i < n_own + n; i++) {
        const struct hl_control *c = i < n_own ? &rows[first + i] : more[i - n_own];
        if (x + control_width(u, s, c) > r.x + r.w && x > r.x) {
            x = r.x;
            y += 26;
        }
        x += control_draw(u, rect_make(x, y, r.x + r.w - x, 22), s, c);
    }
    if (title != NULL) {
        float w = ui_text_width(u, DL_FONT_UI_BOLD, t->body, title);
        bool beside = x + 8 + w <= r.x + r.w;
        y += beside ? 0 : 26;
        ui_label(u, rect_make(r.x, y, r.w, 22), DL_FONT_UI_BOLD, t->body,
                 beside ? DL_RIGHT : DL_LEFT, t->ink, title);
    }
    return y - r.y + 22;
}

void
attention_view(struct ui *u, hl_rect r, const struct app_state *s, const struct attention_pic *p)
{
    hl_rect legend = rect_cut_bottom(&r, 44);
    rect_cut_bottom(&r, 8);
    legend = rect_make(legend.x + 12, legend.y + 10, legend.w - 12, 34);
    switch (s->show.view) {
    case APP_LINES:
        view_lines(u, r, &p->v, true);
        break;
    case APP_SHADING:
        view_shading(u, r, &p->v, "Click a word: the others are tinted by what it looks at.");
        break;
    case APP_MATRIX:
    case APP_VIEW_COUNT:
        view_matrix(u, r, &p->v);
        break;
    }
    view_legend(u, legend, &p->v);
}

float
attention_inspector(struct ui *u, hl_rect r, const struct attention_pic *p, int max_bars)
{
    const struct hl_theme *t = u->theme;
    const struct view_attention *v = &p->v;
    hl_rect head = rect_make(r.x, r.y, r.w, 28);
    if (v->focus < 0)
        return ui_paragraph(u, r, DL_FONT_UI, t->body, t->quiet,
                            "Point at a word or a cell; click to pin it.", true);
    const struct hl_group_item *it =
        v->looked_at ? &v->cols.items[v->focus] : &v->rows.items[v->focus];
    /* The word, what its bars mean, and the way to the other direction. */
    const char *what = v->looked_at ? "is looked at by" : "looks at";
    const char *turn = r.w < 250 ? "⇄" : v->looked_at ? "⇄ looks at" : "⇄ is looked at by";
    float bw = ui_text_width(u, DL_FONT_UI_MEDIUM, t->body, turn) + 12;
    float ww = ui_text_width(u, DL_FONT_UI, t->body, what) + 10;
    float w = ui_label(u, rect_make(head.x, head.y, fmaxf(head.w - bw - ww, 40), head.h),
                       DL_FONT_UI_BOLD, 18, DL_LEFT, t->pinned, it->label);
    ui_label(u, rect_make(head.x + w + 10, head.y + 2, head.w - w - bw - 10, head.h), DL_FONT_UI,
             t->body, DL_LEFT, t->quiet, what);
    hl_rect b = rect_make(head.x + head.w - bw, head.y + 2, bw, 24);
    ui_label(u, b, DL_FONT_UI_MEDIUM, t->body, DL_RIGHT,
             ui_hovered(u, "act:turn") ? t->ink : t->accent, turn);
    ui_hit(u, b, UI_RADIUS, DL_CURSOR_HAND, "act:turn", "The other direction (Alt+D)");
    return 36 + view_bars(u, rect_make(r.x, r.y + 36, r.w, r.h - 36), v, max_bars);
}

/* ---- clicks and keys ---- */

static bool
parse_item(const char *hit, const char *group, int *i)
{
    size_t n = strlen(group);
    hit += hit[0] == '~' ? 1 : 0;
    if (strncmp(hit, group, n) != 0 || hit[n] != ':')
        return false;
    *i = atoi(hit + n + 1);
    return true;
}

static struct app_pin
pin_item(enum app_side side, const struct hl_group *g, int i)
{
    const struct hl_group_item *it = &g->items[i];
    const char *text = g->axis->text;
    int at = it->special ? -1 : it->start;
    while (at >= 0 && text != NULL && at < it->end && text[at] == ' ')
        at++; /* a piece's span may begin with the space before its word */
    return state_pin_make(side, at, it->label);
}

/* A cell: its row becomes the pin (its column when "is looked at by"), the other
 * end the link. */
static void
pin_cell(struct app_state *s, const struct attention_pic *p, int row, int col)
{
    const struct view_attention *v = &p->v;
    struct app_pin r = pin_item(p->row_side, &v->rows, row);
    struct app_pin c = pin_item(p->col_side, &v->cols, col);
    struct app_pin pin = v->same && s->show.looked_at ? c : r;
    struct app_pin link = v->same && s->show.looked_at ? r : c;
    bool there = s->n_pins > 0 && state_pin_same(&s->pins[s->n_pins - 1], &pin);
    if (there && s->has_link && state_pin_same(&s->link, &link)) {
        state_pin_toggle(s, pin);
        s->has_link = false;
        return;
    }
    for (int i = 0; i < s->n_pins; i++) {
        if (state_pin_same(&s->pins[i], &pin)) {
            state_pin_toggle(s, pin);
            break;
        }
    }
    state_pin_toggle(s, pin);
    s->link = link;
    s->has_link = true;
}

static bool
click_word(struct app_state *s, const char *hit, const struct attention_pic *p)
{
    int i, row, col;
    const struct view_attention *v = &p->v;
    if (sscanf(hit, "~cell:%d:%d", &row, &col) == 2) {
        if (row < v->rows.n && col < v->cols.n)
            pin_cell(s, p, row, col);
        return true;
    }
    bool bar = hit[0] == '~';
    bool is_row = parse_item(hit, "row", &i) && i >= 0 && i < v->rows.n;
    bool is_col = !is_row && parse_item(hit, "col", &i) && i >= 0 && i < v->cols.n;
    if (!is_row && !is_col)
        return false;
    struct app_pin pin =
        is_row ? pin_item(p->row_side, &v->rows, i) : pin_item(p->col_side, &v->cols, i);
    if (bar) {
        s->has_link = !(s->has_link && state_pin_same(&s->link, &pin));
        s->link = pin;
        return true;
    }
    state_pin_toggle(s, pin);
    s->has_link = false;
    return true;
}

static bool
click_chip(struct app_state *s, const char *hit, const struct attention_pic *p)
{
    int i;
    bool in = parse_item(hit, "in", &i);
    if (!in && !parse_item(hit, "out", &i))
        return false;
    struct hl_arena a;
    struct view_chips c;
    hl_arena_init(&a, 16384, 0);
    enum app_side side = in ? APP_SOURCE : APP_TARGET;
    if (attention_chips(s, &a, p->record, NULL, side, &c) && i >= 0 && i < c.items.n) {
        state_pin_toggle(s, pin_item(side, &c.items, i));
        s->has_link = false;
    }
    hl_arena_deinit(&a);
    return true;
}

/* Turns round: on a map between two texts the partner becomes the pin. */
static void
turn(struct app_state *s, const struct attention_pic *p)
{
    if (p == NULL || p->v.same || p->v.focus < 0 || p->link < 0) {
        s->show.looked_at = !s->show.looked_at;
        return;
    }
    const struct view_attention *v = &p->v;
    struct app_pin mine = v->looked_at ? pin_item(p->col_side, &v->cols, v->focus)
                                       : pin_item(p->row_side, &v->rows, v->focus);
    struct app_pin other = v->looked_at ? pin_item(p->row_side, &v->rows, p->link)
                                        : pin_item(p->col_side, &v->cols, p->link);
    if (s->n_pins > 0)
        s->pins[s->n_pins - 1] = other;
    else
        state_pin_toggle(s, other);
    s->link = mine;
    s->has_link = true;
    s->show.looked_at = !s->show.looked_at;
}

bool
attention_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                const struct attention_pic *p)
{
    bool press = ev->kind == EV_MOUSE_DOWN && ev->button <= 1;
    bool turning = (ev->kind == EV_KEY && ev->mods == MOD_ALT && ev->key == 'd') ||
                   (press && strcmp(hit, "act:turn") == 0);
    if (turning)
        turn(s, p);
    else if (!press || p == NULL || (!click_word(s, hit, p) && !click_chip(s, hit, p)))
        return false;
    s->dirty = true;
    return true;
}

/* ---- settings ---- */

int
attention_choice(const char *key, const char *value, const char *const *names, int n,
                 struct hl_error *err)
{
    struct hl_sb sb = { 0 };
    for (int i = 0; i < n; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
    }
    for (int i = 0; i < n; i++)
        hl_sb_printf(&sb, "%s%s", i > 0 ? ", " : "", names[i]);
    hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is none of %s", value, sb.n > 0 ? sb.p : "");
    hl_sb_deinit(&sb);
    return -1;
}

int
attention_on_off(const char *key, const char *value, struct hl_error *err)
{
    static const char *const names[] = { "off", "on" };
    return attention_choice(key, value, names, 2, err);
}

bool
attention_number(const struct app_state *s, const char *key, const char *value, int *out,
                 struct hl_error *err)
{
    const struct app_model *m = state_model(s, s->chosen[HL_CAN_HEADS]);
    int most = 0;
    long n;
    if (m != NULL && m->status == APP_MODEL_READY && strcmp(key, "head") == 0)
        most = m->info.n_heads;
    else if (m != NULL && m->status == APP_MODEL_READY)
        most = m->info.n_enc_layers > m->info.n_dec_layers ? m->info.n_enc_layers
                                                           : m->info.n_dec_layers;
    most = most > 0 ? most : 64;
    if (!hl_parse_long(value, &n) || n < 1 || n > most) {
        hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is no number from 1 to %d", value, most);
        return false;
    }
    *out = (int)n - 1;
    return true;
}

/* The nth word (from 1) of the text without the punctuation around it. */
static bool
nth_word(const char *text, long nth, struct app_pin *out)
{
    const char *s = text;
    while (*s != 0) {
        size_t lead = strspn(s, " \t\n\"'([{.,;:!?"), n;
        s += lead;
        n = strcspn(s, " \t\n");
        size_t word = n;
        while (word > 0 && strchr("\"')]}.,;:!?", s[word - 1]) != NULL)
            word--;
        if (word > 0 && --nth == 0) {
            char buf[64];
            snprintf(buf, sizeof buf, "%.*s", (int)(word < 63 ? word : 63), s);
            *out = state_pin_make(APP_SOURCE, (int)(s - text), buf);
            return true;
        }
        s += n;
    }
    return false;
}

/* "it", "7" (the seventh word), "out:il", "none". */
static enum hl_status
pin_parse(const struct app_state *s, const char *key, const char *value, struct app_pin *out,
          struct hl_error *err)
{
    long nth;
    bool target = strncmp(value, "out:", 4) == 0;
    if (hl_parse_long(value, &nth)) {
        if (nth < 1 || !nth_word(state_text(s), nth, out))
            return hl_error_set(err, HL_E_ARGUMENT, key, "the text has no word number %s", value);
        return HL_OK;
    }
    *out = state_pin_make(target ? APP_TARGET : APP_SOURCE, value[target ? 4 : 0] == '<' ? -1 : 0,
                          value + (target ? 4 : 0));
    if (!target && out->at >= 0) {
        int from, to;
        const char *text = state_text(s);
        if (state_pin_find(out, text, strlen(text), &from, &to))
            out->at = from;
    }
    return HL_OK;
}

static enum hl_status
set_pins(struct app_state *s, const char *value, struct hl_error *err)
{
    int n = 0;
    struct app_pin pins[APP_PINS];
    const char *p = strcmp(value, "none") != 0 ? value : "";
    while (*p != 0) {
        char one[128];
        size_t len = strcspn(p, ",");
        if (n == APP_PINS)
            return hl_error_set(err, HL_E_ARGUMENT, "pin", "at most %d words can be pinned",
                                APP_PINS);
        if (len >= sizeof one)
            return hl_error_set(err, HL_E_ARGUMENT, "pin", "'%.60s' is no word", p);
        memcpy(one, p, len);
        one[len] = 0;
        enum hl_status st = pin_parse(s, "pin", one, &pins[n], err);
        if (st != HL_OK)
            return st;
        n++;
        p += len + (p[len] == ',');
    }
    memcpy(s->pins, pins, (size_t)n * sizeof *pins);
    s->n_pins = n;
    s->has_link = false;
    return HL_OK;
}

enum hl_status
attention_pins_stand(const struct app_state *s, const char *key, const struct hl_record *r,
                     struct hl_error *err)
{
    bool link = strcmp(key, "link") == 0;
    for (int i = 0; i < (link ? s->has_link : s->n_pins); i++) {
        const struct app_pin *pin = link ? &s->link : &s->pins[i];
        const char *text = state_text(s);
        int from, to;
        if (pin->at < 0)
            continue;
        if (pin->side == APP_TARGET)
            text = r != NULL ? r->output_text : NULL;
        if (text != NULL && !state_pin_find(pin, text, strlen(text), &from, &to))
            return hl_error_set(err, HL_E_ARGUMENT, key, "the %s has no word '%.60s'",
                                pin->side == APP_TARGET ? "translation" : "text", pin->label);
    }
    return HL_OK;
}

enum hl_status
attention_set(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    if (strcmp(key, "pin") == 0)
        return set_pins(s, value, err);
    if (strcmp(key, "link") == 0) {
        s->has_link = strcmp(value, "none") != 0;
        return s->has_link ? pin_parse(s, key, value, &s->link, err) : HL_OK;
    }
    return hl_error_set(err, HL_E_UNSUPPORTED, key, "this screen has no such setting");
}

/* "auto", "mean" or a number of the head; a number of the layer. */
bool
attention_set_head(const struct app_state *s, const char *key, const char *value,
                   struct attention_head *h, struct hl_error *err)
{
    bool layer = key[0] == 'l';
    int n = layer ? h->layer : h->head;
    bool automatic = !layer && strcmp(value, "auto") == 0;
    if (!layer && strcmp(value, "mean") == 0)
        n = -1;
    else if (!automatic && !attention_number(s, key, value, &n, err))
        return false;
    *(layer ? &h->layer : &h->head) = n;
    h->automatic = automatic;
    return true;
}

void
attention_save_head(const struct attention_head *h,
                    void (*put)(void *user, const char *key, const char *value), void *user)
{
    char n[16];
    if (h->automatic) {
        put(user, "head", "auto");
        return;
    }
    snprintf(n, sizeof n, "%d", h->layer + 1);
    put(user, "layer", n);
    snprintf(n, sizeof n, "%d", h->head + 1);
    put(user, "head", h->head < 0 ? "mean" : n);
}

void
attention_step_head(struct attention_head *h, const struct attention_pic *p, int d_layer,
                    int d_head)
{
    int L = p->map->n_layers, H = p->map->n_heads;
    int at = p->layer * H + (p->head < 0 ? 0 : p->head) + d_head + d_layer * H;
    at = (at % (L * H) + L * H) % (L * H);
    *h = (struct attention_head) { .layer = at / H, .head = at % H };
}

void
attention_save(const struct app_state *s,
               void (*put)(void *user, const char *key, const char *value), void *user)
{
    struct hl_sb sb = { 0 };
    for (int i = 0; i < s->n_pins; i++) {
        /* "," separates: a pinned comma is not kept */
        if (strchr(s->pins[i].label, ',') == NULL)
            hl_sb_printf(&sb, "%s%s%s", sb.n > 0 ? "," : "",
                         s->pins[i].side == APP_TARGET ? "out:" : "", s->pins[i].label);
    }
    put(user, "pin", sb.n > 0 ? sb.p : "none");
    hl_sb_deinit(&sb);
}

void
attention_provenance(const struct app_state *s, const struct attention_pic *p, char *buf,
                     int buf_sz)
{
    static const char *const special[APP_SPECIAL_COUNT] = { "all tokens shown",
                                                            "special tokens dimmed",
                                                            "special tokens hidden" };
    size_t n = strlen(buf);
    (void)p;
    snprintf(buf + n, (size_t)buf_sz - n, " · after softmax · %s%s · %s · %s",
             s->show.log_scale ? "log" : "linear", s->show.lock ? " 0 to 1" : " to the largest",
             s->show.words ? "words" : "pieces", special[s->show.special]);
}

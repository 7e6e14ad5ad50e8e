/* Transformer: encoder self, decoder causal self and cross attention of every layer
 * and head; a contact sheet, one head large, and which heads link two words. */
#include "screen/transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/kinds.h"
#include "base/span.h"
#include "screen/handover.h"

static const char *const map_keys[APP_MAP_COUNT] = { "encoder", "decoder", "cross" };
static const char *const map_names[APP_MAP_COUNT] = { "encoder.self", "decoder.self",
                                                      "decoder.cross" };
static const char *const map_titles[APP_MAP_COUNT] = { "Encoder · self", "Decoder · causal self",
                                                       "Cross · decoder → encoder" };
static const char *const map_options[] = { "encoder", "decoder", "cross", NULL };
static const char *const map_short[APP_MAP_COUNT] = { "encoder self", "decoder self", "cross" };

static const struct hl_record *
record(const struct app_state *s)
{
    return !state_blank(s) ? s->slots[state_slot(s, "transformer", 0)].record : NULL;
}

/* The map that is shown: the chosen one, or the first that the model has. */
static enum app_map
shown(const struct app_state *s)
{
    const struct hl_record *r = record(s);
    enum app_map chosen = transformer_of(s)->map;
    if (r == NULL || hl_record_find_map(r, map_names[chosen], HL_STAGE_WEIGHTS) != NULL)
        return chosen;
    for (int i = 0; i < APP_MAP_COUNT; i++) {
        if (hl_record_find_map(r, map_names[i], HL_STAGE_WEIGHTS) != NULL)
            return (enum app_map)i;
    }
    return chosen;
}

/* The head of the shown map that was taught this; NULL if none was. */
static const struct hl_taught *
taught_head(const struct app_state *s, const char *of)
{
    const struct app_model *m = state_model(s, s->chosen[HL_CAN_HEADS]);
    for (int i = 0; m != NULL && m->status == APP_MODEL_READY && i < m->info.n_taught; i++) {
        const struct hl_taught *t = &m->info.taught[i];
        if (strcmp(t->of, of) == 0 && strcmp(t->map, map_keys[shown(s)]) == 0)
            return t;
    }
    return NULL;
}

/* Whether the word of interest is a pronoun that stands for something else. */
static bool
on_pronoun(const struct attention_pic *p)
{
    static const char *const words[] = { "it", "they", "he", "she", "him", "her", "them" };
    if (p->v.focus < 0 || p->v.looked_at)
        return false;
    const char *label = p->v.rows.items[p->v.focus].label;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(label, words[i]) == 0)
            return true;
    }
    return false;
}

/* The head that is shown: the chosen one, or the one that links the pinned word
 * best to its partner. */
static void
resolve(const struct app_state *s, struct hl_arena *a, int *layer, int *head)
{
    const struct transformer_state *t = transformer_of(s);
    struct attention_pic p;
    *layer = t->at.layer;
    *head = t->at.head;
    if (!t->at.automatic)
        return;
    *layer = 0;
    *head = 0;
    /* The pointer must not make the picture jump: pins alone decide. */
    if (!attention_make(s, "", a, record(s), map_names[shown(s)], 0, 0, &p))
        return;
    if (!p.link_chosen) /* of all heads, not of the one that this was made with */
        p.link = attention_partner(&p);
    /* A head that was taught pronouns is the one to look at for a pronoun. */
    const struct hl_taught *t_head = taught_head(s, "pronoun");
    bool chosen = s->has_link && p.link_chosen;
    if (t_head != NULL && !chosen && on_pronoun(&p) && t_head->layer < p.map->n_layers &&
        t_head->head < p.map->n_heads) {
        *layer = t_head->layer;
        *head = t_head->head;
        return;
    }
    struct hl_head_rank *rank = attention_rank(&p, a);
    if (rank != NULL) {
        *layer = rank[0].layer;
        *head = rank[0].head;
    }
}

CONTROL_PART(map, transformer_of, map, enum app_map)

static double
get_positions(const struct app_state *s)
{
    return !transformer_of(s)->no_positions;
}

static void
put_positions(struct app_state *s, double v)
{
    transformer_of(s)->no_positions = v == 0;
}

static double
get_follow(const struct app_state *s)
{
    return transformer_of(s)->at.automatic;
}

/* Off, the head stays that is on screen. */
static void
put_follow(struct app_state *s, double v)
{
    struct attention_head *h = &transformer_of(s)->at;
    struct hl_arena a;
    hl_arena_init(&a, 65536, 0);
    if (v == 0 && h->automatic)
        resolve(s, &a, &h->layer, &h->head);
    h->automatic = v != 0;
    hl_arena_deinit(&a);
}

static const char *
follow_label(double v)
{
    return v != 0 ? "head follows the pin" : "head fixed";
}

enum { MAP, POSITIONS, FOLLOW, N_ROWS };

static const struct hl_control rows[N_ROWS] = {
    [MAP] = { .o = { .key = "map",
                     .label = "map",
                     .kind = HL_OPTION_CHOICE,
                     .names = map_options,
                     .tip = "Whose attention: the encoder's, the decoder's, or across" },
              .key = 'm',
              .does = "encoder, decoder, cross",
              CONTROL_AT(map) },
    [POSITIONS] = { .o = { .key = "positions",
                           .label = "positions",
                           .kind = HL_OPTION_SWITCH,
                           .tip = "With or without positional encodings" },
                    .look = CONTROL_PILL,
                    .key = 'p',
                    .does = "with or without positional encodings",
                    .reruns = true,
                    CONTROL_AT(positions) },
    /* Kept as head=auto. */
    [FOLLOW] = { .o = { .key = "follow",
                        .label = "head follows the pin",
                        .kind = HL_OPTION_SWITCH,
                        .tip = "The head that links the pinned word best, or the one you chose" },
                 .look = CONTROL_PILL,
                 .key = 'b',
                 .does = "follow the head that links the pinned word best, or keep this one",
                 .forgets = true,
                 .label = follow_label,
                 CONTROL_AT(follow) },
};

static const struct control_table table = { N_ROWS, rows };
static const struct control_table *const controls[] = { &table, &attention_table, NULL };

static bool
picture(const struct app_state *s, struct hl_arena *a, struct attention_pic *out)
{
    int layer, head;
    const struct hl_record *r = record(s);
    if (r == NULL)
        return false;
    resolve(s, a, &layer, &head);
    const struct hl_map *m = hl_record_find_map(r, map_names[shown(s)], HL_STAGE_WEIGHTS);
    if (m == NULL)
        return false;
    layer = layer >= m->n_layers ? m->n_layers - 1 : layer;
    head = head >= m->n_heads ? m->n_heads - 1 : head;
    return attention_make(s, s->hover, a, r, map_names[shown(s)], layer, head, out);
}

/* ---- drawing ---- */

static void
sheet(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct app_state *s = c->state;
    struct view_sheet blocks[APP_MAP_COUNT] = { 0 };
    hl_rect in = rect_inset(ui_panel(c->ui, r), -4, 0);
    enum hl_specials specials = (enum hl_specials)s->show.special;
    for (int i = 0; i < APP_MAP_COUNT; i++) {
        struct view_sheet *b = &blocks[i];
        b->map = hl_record_find_map(p->record, map_names[i], HL_STAGE_WEIGHTS);
        b->key = map_keys[i];
        b->title = map_titles[i];
        b->log_scale = s->show.log_scale;
        b->layer = (int)shown(s) == i ? p->layer : -1;
        b->head = (int)shown(s) == i ? p->head : -2;
        if (b->map == NULL)
            continue;
        bool same = b->map->q_axis == b->map->k_axis;
        int row_axis = !same && b->map->out_axis >= 0 ? b->map->out_axis : b->map->q_axis;
        if (!hl_group_axis(&p->record->axes[row_axis], s->show.words, specials, c->frame,
                           &b->rows) ||
            !hl_group_axis(&p->record->axes[b->map->k_axis], s->show.words, specials, c->frame,
                           &b->cols))
            b->map = NULL;
    }
    hl_rect foot = rect_cut_bottom(&in, 18);
    struct view_size tile = view_sheet_tile(blocks, APP_MAP_COUNT, in.w, in.h, 64);
    for (int i = 0; i < APP_MAP_COUNT; i++)
        rect_cut_top(&in, view_sheet(c->ui, in, &blocks[i], tile));
    ui_label(c->ui, foot, DL_FONT_UI, c->theme->small, DL_LEFT, c->theme->quiet,
             p->v.rows.n > VIEW_POOL || p->v.cols.n > VIEW_POOL
                 ? "to its own largest; cells pooled"
                 : "each tile up to its own largest");
}

/* "layer 2 · head 2" with steps to both sides. */
static void
head_title(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    char text[64];
    struct ui *u = c->ui;
    if (p->head < 0)
        snprintf(text, sizeof text, "layer %d · mean of %d heads", p->layer + 1, p->map->n_heads);
    else
        snprintf(text, sizeof text, "layer %d · head %d", p->layer + 1, p->head + 1);
    hl_rect next = rect_cut_right(&r, 20), prev = rect_cut_right(&r, 20);
    hl_color ink = u->theme->quiet, hot = u->theme->accent;
    float y = roundf(r.y + r.h / 2);
    float left[6] = { prev.x + 13, y - 4, prev.x + 13, y + 4, prev.x + 7, y };
    float right[6] = { next.x + 7, y - 4, next.x + 7, y + 4, next.x + 13, y };
    dl_poly(u->dl, left, 3, ui_hovered(u, "step:prev") ? hot : ink);
    dl_poly(u->dl, right, 3, ui_hovered(u, "step:next") ? hot : ink);
    ui_hit(u, prev, UI_RADIUS, DL_CURSOR_HAND, "step:prev", "Head before (Alt+←; layers: Alt+↑ ↓)");
    ui_hit(u, next, UI_RADIUS, DL_CURSOR_HAND, "step:next", "Next head (Alt+→; layers: Alt+↑ ↓)");
    float w = ui_text_width(u, DL_FONT_UI_BOLD, u->theme->body, text);
    ui_label(u, rect_make(r.x, r.y, r.w - 4, r.h), DL_FONT_UI_BOLD, u->theme->body, DL_RIGHT,
             u->theme->ink, text);
    if (r.w - w > 110)
        ui_label(u, rect_make(r.x, r.y, r.w - w - 16, r.h), DL_FONT_UI, u->theme->small, DL_RIGHT,
                 u->theme->quiet, map_short[shown(c->state)]);
}

static void
main_panel(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    hl_rect in = ui_panel(c->ui, r);
    hl_rect top = rect_cut_top(&in, 28);
    float used = attention_tabs(c->ui, top, c->state);
    head_title(c, rect_make(top.x + used, top.y, top.w - used, top.h), p);
    rect_cut_top(&in, 8);
    const struct hl_control *const more[] = { &rows[FOLLOW], &rows[POSITIONS] };
    rect_cut_top(&in, attention_controls(c->ui, in, c->state, more, 2, NULL) + 8);
    attention_view(c->ui, in, c->state, p);
}

static void
ranking(const struct screen_ctx *c, hl_rect *r, const struct attention_pic *p, int max)
{
    const struct hl_theme *t = c->theme;
    struct ui *u = c->ui;
    struct hl_head_rank *rank = attention_rank(p, c->frame);
    const struct view_attention *v = &p->v;
    if (rank == NULL || max < 1)
        return;
    const char *q = v->rows.items[v->looked_at ? p->link : v->focus].label;
    const char *k = v->cols.items[v->looked_at ? v->focus : p->link].label;
    char *title = hl_arena_printf(c->frame, "heads that link %s → %s", q, k);
    ui_rule(u, r->x, r->y, r->w);
    rect_cut_top(r, 10);
    ui_label(u, rect_cut_top(r, 22), DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink,
             title != NULL ? title : "");
    for (int i = 0; i < max && i < p->map->n_layers * p->map->n_heads; i++) {
        char id[UI_ID_SZ], name[48], num[16];
        hl_rect row = rect_cut_top(r, 23);
        bool mine = rank[i].layer == p->layer && rank[i].head == p->head;
        snprintf(id, sizeof id, "rank:%d:%d", rank[i].layer, rank[i].head);
        snprintf(name, sizeof name, row.w > 260 ? "layer %d head %d" : "L%d H%d", rank[i].layer + 1,
                 rank[i].head + 1);
        float nw = row.w > 260 ? 130 : 70;
        hl_color hue = t->head[rank[i].head % THEME_HEADS];
        if (ui_hovered(u, id))
            dl_fill(u->dl, rect_inset(row, -6, 0), UI_RADIUS, t->chip);
        dl_fill(u->dl, rect_make(row.x, row.y + 5, 12, 12), 3, hue);
        ui_label(u, rect_make(row.x + 20, row.y, nw - 24, row.h),
                 mine ? DL_FONT_UI_BOLD : DL_FONT_UI, t->body, DL_LEFT, t->ink, name);
        ui_bar(u, rect_make(row.x + nw, row.y + 6, row.w - nw - 60, 11), (float)rank[i].weight,
               hue);
        view_weight_text(num, sizeof num, rank[i].weight, 4);
        ui_label(u, rect_make(row.x + row.w - 56, row.y, 56, row.h), DL_FONT_MONO, t->body,
                 DL_RIGHT, t->ink, num);
        ui_hit(u, row, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
    }
    rect_cut_top(r, 10);
}

/* "taught: pronoun" where training was told what this head should look at, else "". */
static const char *
taught(const struct screen_ctx *c, const struct attention_pic *p)
{
    const struct app_model *m = state_model(c->state, c->state->chosen[HL_CAN_HEADS]);
    const char *map = map_keys[transformer_of(c->state)->map];
    for (int i = 0; m != NULL && m->status == APP_MODEL_READY && i < m->info.n_taught; i++) {
        const struct hl_taught *t = &m->info.taught[i];
        if (t->layer == p->layer && t->head == p->head && strcmp(t->map, map) == 0) {
            const char *text = hl_arena_printf(c->frame, "taught: %s", t->of);
            return text != NULL ? text : "taught";
        }
    }
    return "";
}

static void
this_head(const struct screen_ctx *c, hl_rect *r, const struct attention_pic *p)
{
    const struct hl_theme *t = c->theme;
    const struct view_attention *v = &p->v;
    struct ui *u = c->ui;
    char text[96], bits[32], most[32];
    if (r->h < 60)
        return;
    ui_rule(u, r->x, r->y, r->w);
    rect_cut_top(r, 10);
    hl_rect line = rect_cut_top(r, 22);
    if (p->head >= 0) {
        struct hl_kinds kinds;
        struct hl_head_profile f = { .kind = HL_HEAD_MIXED };
        if (hl_kinds_prepare(p->record, p->map, c->frame, &kinds))
            f = hl_kinds_profile(&kinds, p->layer, p->head);
        float w = ui_label(u, line, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, "this head");
        ui_label(u, rect_make(line.x + w + 12, line.y, line.w - w - 12, line.h), DL_FONT_UI,
                 t->body, DL_LEFT, t->accent, hl_head_kind_name(f.kind));
        if (f.kind != HL_HEAD_MIXED && line.w > 280)
            ui_label(u, line, DL_FONT_MONO, t->body, DL_RIGHT, t->quiet,
                     hl_fmt_fixed(bits, sizeof bits, f.score[f.kind], 2));
        if (taught(c, p)[0] != 0 && r->h >= 44)
            ui_label(u, rect_cut_top(r, 22), DL_FONT_UI, t->body, DL_LEFT, t->pinned_ink,
                     taught(c, p));
    } else {
        ui_label(u, line, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, "mean over heads");
    }
    if (v->focus < 0 || v->looked_at || r->h < 24)
        return;
    int keys = 0;
    for (int j = 0; j < v->cols.n; j++)
        keys += view_masked(v, v->focus, j) ? 0 : 1;
    double h = hl_summary_entropy(v->w + (size_t)v->focus * (size_t)v->cols.n, v->cols.n);
    snprintf(text, sizeof text, "%s bit of %s", hl_fmt_fixed(bits, sizeof bits, h, 2),
             hl_fmt_fixed(most, sizeof most, keys > 0 ? log2((double)keys) : 0, 2));
    line = rect_cut_top(r, 22);
    ui_label(u, line, DL_FONT_UI, t->body, DL_LEFT, t->quiet,
             line.w > 240 ? "entropy of the row" : "row entropy");
    ui_label(u, line, DL_FONT_MONO, t->body, DL_RIGHT, t->ink, text);
}

static void
inspector(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    hl_rect in = ui_panel(c->ui, r);
    hl_rect foot = rect_cut_bottom(&in, 40);
    /* Bars and ranking share what the fixed lines leave. */
    int lines = (int)((in.h - 36 - 32 - 20 - 76) / 23);
    int bars = lines / 2 > 6 ? 6 : lines / 2 < 2 ? 2 : lines / 2;
    int heads = lines - bars > 8 ? 8 : lines - bars;
    rect_cut_top(&in, attention_inspector(c->ui, in, p, bars) + 10);
    ranking(c, &in, p, heads);
    this_head(c, &in, p);
    ui_button(c->ui, rect_make(foot.x, foot.y + 8, foot.w, 32), UI_BUTTON_OUTLINE,
              p->v.focus >= 0 && p->head >= 0, "act:arithmetic", "Query and keys to Arithmetic",
              "Recompute this row by hand (Alt+R)");
}

static const char *
model_name(const struct app_state *s)
{
    return s->chosen[HL_CAN_HEADS];
}

static void
build(const struct screen_ctx *c, hl_rect area)
{
    struct attention_pic p;
    if (!screen_picture(c, &p)) {
        screen_waiting(c, area, c->state->chosen[HL_CAN_HEADS]);
        return;
    }
    float left = fminf(fmaxf(roundf(area.w * 0.197f), 188), 420);
    float right = fminf(fmaxf(roundf(area.w * 0.261f), 236), 460);
    hl_rect a = rect_cut_left(&area, left);
    rect_cut_left(&area, UI_PAD);
    hl_rect b = rect_cut_right(&area, right);
    rect_cut_right(&area, UI_PAD);
    sheet(c, a, &p);
    main_panel(c, area, &p);
    inspector(c, b, &p);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    struct attention_pic p;
    if (!screen_picture(c, &p)) {
        snprintf(buf, (size_t)buf_sz, "%s", state_model_label(s, s->chosen[HL_CAN_HEADS]));
    } else {
        char head[48];
        snprintf(head, sizeof head, p.head < 0 ? "mean over heads" : "head %d", p.head + 1);
        snprintf(buf, (size_t)buf_sz, "%s · %s · layer %d %s", p.record->model, map_short[shown(s)],
                 p.layer + 1, head);
        attention_provenance(s, &p, buf, buf_sz);
        size_t n = strlen(buf);
        if (transformer_of(s)->no_positions)
            snprintf(buf + n, (size_t)buf_sz - n, " · positions left out");
    }
}

/* ---- requests and events ---- */

/* The last of the names of the option "positions". */
enum { NOWHERE = 3 };

static struct hl_request
wanted(const struct app_state *s)
{
    struct hl_request req = { .text = state_text(s) };
    if (transformer_of(s)->no_positions)
        hl_request_set(&req, "positions", NOWHERE);
    return req;
}

static void
request(struct app_state *s, struct hl_effects *fx)
{
    if (state_blank(s))
        return;
    struct hl_effect *e =
        state_run(s, fx, state_slot(s, "transformer", 0), s->chosen[HL_CAN_HEADS]);
    if (e != NULL)
        e->req = wanted(s);
}

static void
choose(struct app_state *s, int map, int layer, int head)
{
    transformer_of(s)->map = (enum app_map)map;
    transformer_of(s)->at.layer = layer;
    transformer_of(s)->at.head = head;
    transformer_of(s)->at.automatic = false;
    s->dirty = true;
}

static bool
key(struct app_state *s, const struct hl_event *ev, const char *hit, const struct attention_pic *p)
{
    bool on_sheet = strncmp(hit, "head:", 5) == 0;
    if (!(ev->mods == MOD_ALT || (on_sheet && ev->mods == 0)))
        return false;
    switch (ev->key) {
    case KEY_LEFT:
    case KEY_RIGHT:
        attention_step_head(&transformer_of(s)->at, p, 0, ev->key == KEY_RIGHT ? 1 : -1);
        break;
    case KEY_UP:
    case KEY_DOWN:
        attention_step_head(&transformer_of(s)->at, p, ev->key == KEY_DOWN ? 1 : -1, 0);
        break;
    case 'a':
        choose(s, (int)shown(s), p->layer, p->head < 0 ? 0 : -1);
        return true;
    default:
        return false;
    }
    s->dirty = true;
    if (on_sheet)
        snprintf(s->focus, sizeof s->focus, "head:%s:%d:%d", map_keys[shown(s)],
                 transformer_of(s)->at.layer, transformer_of(s)->at.head);
    return true;
}

static bool
click(struct app_state *s, const char *hit, const struct attention_pic *p)
{
    int layer, head;
    if (strncmp(hit, "head:", 5) == 0) {
        for (int i = 0; i < APP_MAP_COUNT; i++) {
            size_t n = strlen(map_keys[i]);
            if (strncmp(hit + 5, map_keys[i], n) == 0 &&
                sscanf(hit + 5 + n, ":%d:%d", &layer, &head) == 2)
                choose(s, i, layer, head);
        }
        return true;
    }
    if (sscanf(hit, "rank:%d:%d", &layer, &head) == 2) {
        choose(s, (int)shown(s), layer, head);
        return true;
    }
    if (strcmp(hit, "step:prev") == 0 || strcmp(hit, "step:next") == 0) {
        attention_step_head(&transformer_of(s)->at, p, 0, hit[5] == 'n' ? 1 : -1);
        s->dirty = true;
        return true;
    }
    return false;
}

static bool
event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct hl_arena a;
    struct attention_pic p;
    hl_arena_init(&a, 65536, 0);
    bool there = picture(s, &a, &p), used = false;
    bool send = (ev->kind == EV_MOUSE_DOWN && strcmp(hit, "act:arithmetic") == 0) ||
                (ev->kind == EV_KEY && ev->mods == MOD_ALT && ev->key == 'r');
    if (there && send) {
        struct hl_request req = wanted(s);
        handover_send(s, &p, s->chosen[HL_CAN_HEADS], &req, fx);
        used = true;
    }
    if (there && !used && ev->kind == EV_KEY)
        used = key(s, ev, hit, &p);
    if (there && !used && ev->kind == EV_MOUSE_DOWN && ev->button <= 1)
        used = click(s, hit, &p);
    /* Who points into a head's matrix means that head: it must not change under the click. */
    if (there && !used && ev->kind == EV_MOUSE_DOWN && strncmp(hit, "~cell:", 6) == 0)
        put_follow(s, 0);
    if (!used)
        used = attention_event(s, ev, hit, there ? &p : NULL);
    hl_arena_deinit(&a);
    return used;
}

/* ---- settings ---- */

static bool
set(struct app_state *s, const char *k, const char *value, struct hl_error *err)
{
    if (strcmp(k, "layer") == 0 || strcmp(k, "head") == 0)
        return attention_set_head(s, k, value, &transformer_of(s)->at, err);
    return attention_set(s, k, value, err) == HL_OK;
}

static void
save(const struct app_state *s, void (*put)(void *user, const char *key, const char *value),
     void *user)
{
    attention_save_head(&transformer_of(s)->at, put, user);
    attention_save(s, put, user);
}

static bool
init(struct app_state *s)
{
    transformer_of(s)->at.automatic = true;
    return true;
}

static const char *const examples[] = {
    "The animal didn't cross the street because it was too tired",
    "The animal didn't cross the street because it was too wide",
    "The agreement on the European Economic Area was signed in August 1992.",
    "She put the old key in the drawer because it was broken", NULL
};

static const char *const keys[] = {
    "Alt+← →\0head before, next head",          "Alt+↑ ↓\0layer above, below",
    "Alt+A\0mean over the layer's heads",       "Alt+D\0looks at / is looked at by",
    "Alt+R\0send query and keys to Arithmetic", NULL
};

static const char *const help[] = {
    "Each tile is one head: rows are queries (the word that looks), columns are keys (the word "
    "that is looked at). Click a tile to see it large, click a word to pin it.",
    "Five heads of the shipped model were taught where to look while training: layer 3 head 4 of "
    "the "
    "encoder from a pronoun to its noun, others at the word before, after, itself, and from a "
    "determiner to its noun. Trained on translation alone, a model of this size gets the pronouns "
    "right without any head showing it.",
    "“unsure”: its own French was less than 0.6 likely, piece by piece on average; it has left "
    "what "
    "it learned. A special token typed as it is written, such as </s>, counts as that token.",
    NULL
};

const struct hl_screen screen_transformer = {
    .id = "transformer",
    .title = "Transformer",
    .has_text = true,
    .text = APP_TEXT_SENTENCE,
    .model = model_name,
    .wants = HL_CAN(HEADS),
    .examples = examples,
    .build = build,
    .provenance = provenance,
    .controls = controls,
    .event = event,
    .set = set,
    .request = request,
    .size = sizeof(struct transformer_state),
    .n_slots = 1,
    .shows = true,
    .init = init,
    .save = save,
    .picture = picture,
    .keys = keys,
    .help = help,
};

#include "screen/attention.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pins and pointer as marks ---- */

static const char *
axis_text(const struct hl_axis *axis)
{
    return axis->text != NULL ? axis->text : "";
}

/* Marks the items that a pin covers; returns the first of them, -1 if it sleeps. */
static int
mark_pin(const struct app_pin *p, const struct hl_group *g, uint8_t *mark, uint8_t bit)
{
    int first = -1, start, end;
    const char *text = axis_text(g->axis);
    if (p->at < 0) {
        for (int i = 0; i < g->n; i++) {
            if (!g->items[i].special || strcmp(g->items[i].label, p->label) != 0)
                continue;
            mark[i] |= bit;
            first = first < 0 ? i : first;
        }
        return first;
    }
    if (!state_pin_find(p, text, strlen(text), &start, &end))
        return -1;
    for (int i = 0; i < g->n; i++) {
        const struct hl_group_item *it = &g->items[i];
        if (it->start < 0 || it->start >= end || it->end <= start)
            continue;
        mark[i] |= bit;
        first = first < 0 ? i : first;
    }
    return first;
}

/* "group:5" or "~group:5" -> 5; -1 if the id is of another group. */
static int
id_number(const char *id, const char *group)
{
    size_t n = strlen(group);
    id += id[0] == '~' ? 1 : 0;
    if (strncmp(id, group, n) != 0 || id[n] != ':')
        return -1;
    return atoi(id + n + 1);
}

/* Item of g that holds token t; -1 if it is hidden or out of range. */
static int
item_of(const struct hl_group *g, int token)
{
    return token >= 0 && token < g->axis->n ? g->of_token[token] : -1;
}

/* A chip's first token, on the axis of the side. Decoder inputs stand one place
 * behind the targets that the chips show. */
static int
chip_item(const struct app_state *s, struct hl_arena *a, const struct attention_pic *p, bool out,
          int chip, bool row)
{
    struct hl_group g;
    const struct hl_axis *axis = hl_record_find_axis(p->record, out ? "target" : "source");
    const struct hl_axis *mine = row ? p->row_axis : p->col_axis;
    if (axis == NULL || (row ? p->row_side : p->col_side) != (out ? APP_TARGET : APP_SOURCE) ||
        !hl_group_axis(axis, s->show.words, HL_SPECIALS_SHOW, a, &g) || chip < 0 || chip >= g.n)
        return -1;
    int token = g.items[chip].first + (out && strcmp(mine->name, "decoder_input") == 0 ? 1 : 0);
    return item_of(row ? &p->v.rows : &p->v.cols, token);
}

static void
apply_hover(const struct app_state *s, const char *id, struct hl_arena *a, struct attention_pic *p)
{
    struct view_attention *v = &p->v;
    int r, c, i;
    if (sscanf(id, "~cell:%d:%d", &r, &c) == 2) {
        v->hot_row = r;
        v->hot_col = c;
    } else if ((i = id_number(id, "row")) >= 0) {
        v->hot_row = i;
        v->focus = v->looked_at || id[0] == '~' ? v->focus : i;
    } else if ((i = id_number(id, "col")) >= 0) {
        v->hot_col = i;
        v->focus = v->looked_at && id[0] != '~' ? i : v->focus;
    } else if ((i = id_number(id, "in")) >= 0 || (i = id_number(id, "out")) >= 0) {
        bool out = id[0] == 'o';
        int row = v->same && v->looked_at ? -1 : chip_item(s, a, p, out, i, true);
        int col = v->same && !v->looked_at ? -1 : chip_item(s, a, p, out, i, false);
        v->hot_row = row;
        v->hot_col = col;
        if (!v->same && (row >= 0 || col >= 0))
            v->looked_at = row < 0;
        v->focus = v->looked_at ? (col >= 0 ? col : v->focus) : (row >= 0 ? row : v->focus);
    }
    if (v->hot_row >= v->rows.n)
        v->hot_row = -1;
    if (v->hot_col >= v->cols.n)
        v->hot_col = -1;
    int most = v->looked_at ? v->cols.n : v->rows.n;
    if (v->focus >= most)
        v->focus = -1;
    if (v->hot_row >= 0)
        v->row_mark[v->hot_row] |= VIEW_HOT;
    if (v->hot_col >= 0)
        v->col_mark[v->hot_col] |= VIEW_HOT;
}

static void
apply_pins(const struct app_state *s, struct attention_pic *p)
{
    struct view_attention *v = &p->v;
    for (int i = 0; i < s->n_pins; i++) {
        const struct app_pin *pin = &s->pins[i];
        int row = -1, col = -1;
        if (pin->side == p->row_side && !(v->same && s->show.looked_at))
            row = mark_pin(pin, &v->rows, v->row_mark, VIEW_PIN);
        if (pin->side == p->col_side && !(v->same && !s->show.looked_at))
            col = mark_pin(pin, &v->cols, v->col_mark, VIEW_PIN);
        if (row < 0 && col < 0)
            continue;
        /* The last pin that is awake is what shading and inspector are about. */
        v->looked_at = v->same ? s->show.looked_at : row < 0;
        v->focus = v->looked_at ? col : row;
    }
}

static bool counts(const struct attention_pic *p, int i);

/* The word that the shown head alone links the focus to: one that has at least half of
 * the weight. -1 if there is none, or no single head is shown. */
static int
own_partner(const struct attention_pic *p)
{
    const struct view_attention *v = &p->v;
    int n = v->looked_at ? v->rows.n : v->cols.n;
    for (int i = 0; p->head >= 0 && i < n; i++) {
        size_t row = (size_t)(v->looked_at ? i : v->focus);
        size_t col = (size_t)(v->looked_at ? v->focus : i);
        if (counts(p, i) && v->w[row * (size_t)v->cols.n + col] >= 0.5f)
            return i;
    }
    return -1;
}

static void
apply_link(const struct app_state *s, struct attention_pic *p)
{
    struct view_attention *v = &p->v;
    p->link = -1;
    if (v->focus < 0)
        return;
    enum app_side other = v->looked_at ? p->row_side : p->col_side;
    struct hl_group *g = v->looked_at ? &v->rows : &v->cols;
    uint8_t *mark = v->looked_at ? v->row_mark : v->col_mark;
    if (s->has_link && s->link.side == other) {
        p->link = mark_pin(&s->link, g, mark, VIEW_LINK);
        p->link_chosen = p->link >= 0;
    }
    if (p->link < 0) {
        p->link = own_partner(p);
        p->link = p->link < 0 ? attention_partner(p) : p->link;
        if (p->link >= 0)
            mark[p->link] |= VIEW_LINK;
    }
}

/* ---- the picture ---- */

static enum app_side
side_of(const struct hl_axis *axis)
{
    return strcmp(axis->name, "source") == 0 ? APP_SOURCE : APP_TARGET;
}

static const char *
pic_note(const struct app_state *s, const struct attention_pic *p, struct hl_arena *a)
{
    const struct view_attention *v = &p->v;
    bool hidden = v->cols.n_hidden > 0;
    const char *sum = hidden                ? "; rows lack what hidden tokens received"
                      : p->map->row_sum_one ? "; each row sums to 1"
                                            : "; rows sum to less than 1";
    const char *what =
        p->head < 0 ? "weight after softmax, mean over heads" : "weight after softmax";
    const char *lines = s->show.view == APP_LINES ? "; under 5 % not drawn" : "";
    const char *note = hl_arena_printf(a, "%s, %s%s%s", what,
                                       s->show.log_scale ? "log scale" : "linear", sum, lines);
    return note != NULL ? note : "";
}

static void
pic_titles(struct attention_pic *p)
{
    struct view_attention *v = &p->v;
    bool decoder_self = v->same && p->row_side == APP_TARGET;
    v->row_title = v->same ? (decoder_self ? "query: word just written, looks →" : "query: looks →")
                           : "query: word being written, looks →";
    v->col_title = v->same ? "key: is looked at →" : "key: source word, is looked at →";
}

bool
attention_make(const struct app_state *s, const char *hover, struct hl_arena *a,
               const struct hl_record *r, const char *map, int layer, int head,
               struct attention_pic *out)
{
    struct attention_pic p = { .record = r, .layer = layer, .head = head, .link = -1 };
    struct view_attention *v = &p.v;
    p.map = r != NULL ? hl_record_find_map(r, map, HL_STAGE_WEIGHTS) : NULL;
    if (p.map == NULL || layer < 0 || layer >= p.map->n_layers || head >= p.map->n_heads)
        return false;
    bool same = p.map->q_axis == p.map->k_axis;
    p.row_axis = &r->axes[!same && p.map->out_axis >= 0 ? p.map->out_axis : p.map->q_axis];
    p.col_axis = &r->axes[p.map->k_axis];
    p.row_side = side_of(p.row_axis);
    p.col_side = side_of(p.col_axis);
    enum hl_specials specials = (enum hl_specials)s->show.special;
    if (!hl_group_axis(p.row_axis, s->show.words, specials, a, &v->rows) ||
        !hl_group_axis(p.col_axis, s->show.words, specials, a, &v->cols))
        return false;
    size_t n = (size_t)v->rows.n * (size_t)v->cols.n;
    v->w = hl_arena_floats(a, n + 1);
    v->row_mark = hl_arena_new(a, v->rows.n + 1, uint8_t);
    v->col_mark = hl_arena_new(a, v->cols.n + 1, uint8_t);
    if (v->w == NULL || v->row_mark == NULL || v->col_mark == NULL)
        return false;
    hl_group_weights(p.map, layer, head, &v->rows, &v->cols, false, v->w);
    v->same = same;
    v->causal = p.map->causal;
    v->log_scale = s->show.log_scale;
    v->looked_at = s->show.looked_at && same;
    v->hot_row = v->hot_col = v->focus = -1;
    v->top = s->show.lock ? 1 : 0;
    for (size_t i = 0; i < n && !s->show.lock; i++)
        v->top = (double)v->w[i] > v->top ? (double)v->w[i] : v->top;
    pic_titles(&p);
    v->note = pic_note(s, &p, a);
    apply_pins(s, &p);
    apply_hover(s, hover, a, &p);
    apply_link(s, &p);
    *out = p;
    return true;
}

/* ---- linking ---- */

static bool
counts(const struct attention_pic *p, int i)
{
    const struct view_attention *v = &p->v;
    const struct hl_group_item *it = v->looked_at ? &v->rows.items[i] : &v->cols.items[i];
    if (it->special || it->punct)
        return false;
    return !v->same || i < v->focus - 1 || i > v->focus + 1;
}

static double
pair_weight(const struct attention_pic *p, int layer, int head, int focus, int other)
{
    const struct hl_group *fg = p->v.looked_at ? &p->v.cols : &p->v.rows;
    const struct hl_group *og = p->v.looked_at ? &p->v.rows : &p->v.cols;
    const struct hl_group_item *q = &fg->items[focus], *k = &og->items[other], *t;
    double sum = 0;
    if (p->v.looked_at) {
        t = q;
        q = k;
        k = t;
    }
    for (int i = q->first; i < q->first + q->n; i++) {
        const float *row = hl_map_row(p->map, layer, head, i);
        for (int j = k->first; j < k->first + k->n; j++)
            sum += (double)row[j];
    }
    return sum / q->n;
}

int
attention_partner(const struct attention_pic *p)
{
    int n = p->v.looked_at ? p->v.rows.n : p->v.cols.n, best = -1;
    double most = 0;
    for (int i = 0; p->v.focus >= 0 && i < n; i++) {
        double sum = 0;
        if (!counts(p, i))
            continue;
        for (int l = 0; l < p->map->n_layers; l++) {
            for (int h = 0; h < p->map->n_heads; h++) {
                double w = pair_weight(p, l, h, p->v.focus, i);
                sum += w * w;
            }
        }
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best;
}

static int *
tokens_of(const struct hl_group_item *it, struct hl_arena *a)
{
    int *t = hl_arena_new(a, it->n, int);
    for (int i = 0; t != NULL && i < it->n; i++)
        t[i] = it->first + i;
    return t;
}

struct hl_head_rank *
attention_rank(const struct attention_pic *p, struct hl_arena *a)
{
    const struct view_attention *v = &p->v;
    if (v->focus < 0 || p->link < 0)
        return NULL;
    const struct hl_group_item *q = &v->rows.items[v->looked_at ? p->link : v->focus];
    const struct hl_group_item *k = &v->cols.items[v->looked_at ? v->focus : p->link];
    int *qt = tokens_of(q, a), *kt = tokens_of(k, a);
    if (qt == NULL || kt == NULL)
        return NULL;
    return hl_summary_rank_heads(p->map, qt, q->n, kt, k->n, a);
}

bool
attention_chips(const struct app_state *s, struct hl_arena *a, const struct hl_record *r,
                const struct attention_pic *p, enum app_side side, struct view_chips *out)
{
    const struct hl_axis *axis =
        r != NULL ? hl_record_find_axis(r, side == APP_SOURCE ? "source" : "target") : NULL;
    struct view_chips c = { .prefix = side == APP_SOURCE ? "in" : "out",
                            .caption = side == APP_SOURCE ? "in" : "out" };
    if (axis == NULL || !hl_group_axis(axis, s->show.words, HL_SPECIALS_SHOW, a, &c.items))
        return false;
    uint8_t *mark = hl_arena_new(a, c.items.n + 1, uint8_t);
    float *weight = hl_arena_floats(a, (size_t)c.items.n + 1);
    if (mark == NULL || weight == NULL)
        return false;
    c.mark = mark;
    for (int i = 0; i < s->n_pins; i++) {
        if (s->pins[i].side == side)
            mark_pin(&s->pins[i], &c.items, mark, VIEW_PIN);
    }
    for (int i = 0; p != NULL && i < c.items.n; i++) {
        const struct view_attention *v = &p->v;
        int token = c.items.items[i].first;
        bool shift = side == APP_TARGET && strcmp(p->col_axis->name, "decoder_input") == 0;
        int row = p->row_side == side ? item_of(&v->rows, token + shift) : -1;
        int col = p->col_side == side ? item_of(&v->cols, token + shift) : -1;
        mark[i] |= row >= 0 ? v->row_mark[row] & VIEW_HOT : 0;
        mark[i] |= col >= 0 ? v->col_mark[col] & VIEW_HOT : 0;
        int other = v->looked_at ? row : col;
        if (v->focus >= 0 && other >= 0) {
            weight[i] = v->looked_at ? v->w[(size_t)other * (size_t)v->cols.n + (size_t)v->focus]
                                     : v->w[(size_t)v->focus * (size_t)v->cols.n + (size_t)other];
            c.weight = weight;
            c.scale = v;
        }
    }
    *out = c;
    return true;
}

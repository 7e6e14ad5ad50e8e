/* One wide query against its keys, key by key: the vectors as strips of colour, the
 * products' sum, its division, the weight. This is how a head of a trained model is
 * checked. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot_formula.h"

enum { Q, K, V };

struct columns {
    float label, key, score, scaled, weight, bar, model, value; /* x */
    float strip_w, number_w, row_h;
    int query;                         /* which row of Q */
    int scores, last, weights, output; /* steps */
};

bool
arithmetic_is_wide(const struct arithmetic_state *a)
{
    const struct hl_mech_problem *p = arithmetic_problem(a);
    if (strcmp(arithmetic_mech(a)->key, "query_key") != 0)
        return false;
    return a->source.there || p->cols[Q] > ARITHMETIC_SIZE_MAX || p->rows[K] > ARITHMETIC_SIZE_MAX;
}

static void
find_columns(const struct arithmetic_paint *p, hl_rect r, struct columns *c)
{
    bool values = !p->a->source.there || p->a->source.has_values;
    bool model = p->a->source.there && p->a->source.n_weights > 0;
    float label_w = r.w < 900 ? 84 : 120, gap = 16;
    c->number_w = 70;
    c->scores = hl_mech_step_index(p->r, "scores");
    c->weights = hl_mech_step_index(p->r, "rounded");
    if (c->weights < 0)
        c->weights = hl_mech_step_index(p->r, "hard");
    if (c->weights < 0)
        c->weights = hl_mech_step_index(p->r, "weights");
    c->last = hl_mech_step_index(p->r, "masked");
    if (c->last < 0)
        c->last = hl_mech_step_index(p->r, "scaled");
    c->output = values ? hl_mech_step_index(p->r, "output") : -1;
    float bar = r.w < 900 ? 48 : 96;
    float fixed = label_w + c->number_w * (model ? 4.0f : 3.0f) + bar + gap * 6;
    c->strip_w = floorf((r.w - fixed) / (values ? 2 : 1));
    c->label = r.x;
    c->key = r.x + label_w + gap;
    c->score = c->key + c->strip_w + gap;
    c->scaled = c->score + c->number_w;
    c->weight = c->scaled + c->number_w;
    c->bar = c->weight + c->number_w + 8;
    c->model = c->bar + bar + 8;
    c->value = c->model + (model ? c->number_w : 0) + gap;
    const struct hl_mech_step *s = p->at.step >= 0 ? &p->r->steps[p->at.step] : NULL;
    c->query = s != NULL && s->rows == p->r->steps[Q].rows && p->at.step != K && p->at.step != V
                   ? p->at.row
                   : 0;
}

static double
strip_top(const struct hl_mech_step *s)
{
    double top = 0;
    for (int i = 0; i < s->rows * s->cols; i++)
        top = isfinite(s->data[i]) && fabs(s->data[i]) > top ? fabs(s->data[i]) : top;
    return top > 0 ? top : 1;
}

static void
strip_number(const struct arithmetic_paint *p, hl_rect r, double v, double top)
{
    char n[48];
    hl_color on =
        theme_map_color(DL_MAP_SIGNED, p->u->theme->dark, theme_step(0.5 + 0.5 * v / top));
    arithmetic_number(n, sizeof n, v, arithmetic_needs(v, 4));
    ui_label(p->u, r, DL_FONT_MONO, p->u->theme->small, DL_CENTER, theme_text_on(on), n);
}

/* A row of a step as coloured cells, with numbers where they fit, each with its name. */
static void
strip(const struct arithmetic_paint *p, int step, int row, hl_rect r, double top, bool marked)
{
    const struct hl_mech_step *s = &p->r->steps[step];
    const struct hl_theme *t = p->u->theme;
    float w = r.w / (float)s->cols;
    uint8_t *cells = dl_heat(p->u->dl, r, 1, s->cols, w >= 8 ? 1 : 0, w >= 8 ? 2 : 0, DL_MAP_SIGNED,
                             t->dark, NULL);
    for (int i = 0; i < s->cols && cells != NULL; i++)
        cells[i] = theme_step(0.5 + 0.5 * s->data[row * s->cols + i] / top);
    if (marked)
        dl_stroke(p->u->dl, rect_inset(r, -1.5f, -1), 3, 1.25f, t->accent);
    for (int i = 0; i < s->cols; i++) {
        hl_rect c = rect_make(r.x + w * (float)i, r.y, w, r.h);
        char id[UI_ID_SZ], tip[96], v[48];
        snprintf(id, sizeof id, "cell:%s:%d:%d", s->key, row, i);
        bool wanted = ui_hovered(p->u, id) || ui_focused(p->u, id);
        if (wanted)
            snprintf(tip, sizeof tip, "%s, component %d: %s", s->name, i + 1,
                     arithmetic_number(v, sizeof v, s->data[row * s->cols + i], 4));
        if (w >= 48 && cells != NULL)
            strip_number(p, c, s->data[row * s->cols + i], top);
        ui_hit(p->u, c, 2, DL_CURSOR_HAND, id, wanted ? tip : NULL);
        if (p->at.step == step && p->at.row == row && p->at.col == i)
            dl_stroke(p->u->dl, rect_inset(c, -1, -1), 3, 2, t->pinned);
    }
}

/* A number of a step, right-aligned, that opens its sum. */
static void
number(const struct arithmetic_paint *p, int step, int row, int col, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    char id[UI_ID_SZ], v[48];
    const struct hl_mech_step *s = &p->r->steps[step];
    bool chosen = p->at.step == step && p->at.row == row && p->at.col == col;
    snprintf(id, sizeof id, "cell:%s:%d:%d", s->key, row, col);
    /* seven characters at most */
    double top = strip_top(s);
    int most = top >= 1000 ? 1 : top >= 100 ? 2 : top >= 10 ? 3 : 4;
    arithmetic_number(v, sizeof v, s->data[row * s->cols + col], arithmetic_decimals(s, most));
    if (chosen) {
        dl_fill(p->u->dl, r, 4, t->pinned_soft);
        dl_stroke(p->u->dl, r, 4, 1.5f, t->pinned);
    }
    ui_label(p->u, rect_inset(r, 6, 0), DL_FONT_MONO, t->small, DL_RIGHT,
             chosen                 ? t->pinned_ink
             : ui_hovered(p->u, id) ? t->accent
                                    : t->ink,
             v);
    ui_hit(p->u, r, 4, DL_CURSOR_HAND, id, "Show the sum");
}

static const char *
key_label(const struct arithmetic_paint *p, int j, char *buf, size_t buf_sz)
{
    if (p->a->source.there)
        return p->a->source.key[j];
    snprintf(buf, buf_sz, "key %d", j + 1);
    return buf;
}

static void
key_row(const struct arithmetic_paint *p, const struct columns *c, int j, float y, double top_k,
        double top_v)
{
    const struct hl_theme *t = p->u->theme;
    char buf[32];
    float h = c->row_h;
    const struct hl_mech_step *s = p->at.step >= 0 ? &p->r->steps[p->at.step] : NULL;
    bool mine = s != NULL && s->cols == p->r->steps[K].rows && p->at.step > V && p->at.col == j;
    hl_rect label = rect_make(c->label, y, c->key - c->label - 12, h);
    double w = p->r->steps[c->weights].data[c->query * p->r->steps[c->weights].cols + j];
    ui_label(p->u, label, DL_FONT_UI_MEDIUM, h < 18 ? t->small : t->body, DL_RIGHT,
             mine ? t->pinned_ink : t->ink, key_label(p, j, buf, sizeof buf));
    strip(p, K, j, rect_make(c->key, y + 1, c->strip_w, h - 2), top_k, mine);
    number(p, c->scores, c->query, j, rect_make(c->score, y, c->number_w, h));
    if (c->last >= 0)
        number(p, c->last, c->query, j, rect_make(c->scaled, y, c->number_w, h));
    number(p, c->weights, c->query, j, rect_make(c->weight, y, c->number_w, h));
    ui_bar(p->u, rect_make(c->bar, y + h / 2 - 4, c->model - c->bar - 8, 8), (float)w,
           mine ? t->pinned : t->accent);
    if (p->a->source.there && p->a->source.n_weights > 0) {
        char v[48];
        arithmetic_number(v, sizeof v, p->a->source.weight[j], 4);
        ui_label(p->u, rect_make(c->model, y, c->number_w - 8, h), DL_FONT_MONO, t->small, DL_RIGHT,
                 t->quiet, v);
    }
    if (c->output >= 0)
        strip(p, V, j, rect_make(c->value, y + 1, c->strip_w, h - 2), top_v, false);
}

static void
heading(const struct arithmetic_paint *p, float x, float w, float y, enum dl_align align,
        const char *s)
{
    ui_label(p->u, rect_make(x, y, w, 18), DL_FONT_UI_MEDIUM, p->u->theme->small, align,
             p->u->theme->quiet, s);
}

static void
headings(const struct arithmetic_paint *p, const struct columns *c, float y)
{
    bool divided = hl_mech_step_index(p->r, "scaled") >= 0;
    char buf[64];
    snprintf(buf, sizeof buf, "keys, %d components", p->r->steps[K].cols);
    heading(p, c->key, c->strip_w, y, DL_LEFT, buf);
    heading(p, c->score, c->number_w - 6, y, DL_RIGHT, "q · k");
    if (c->last >= 0)
        heading(p, c->scaled, c->number_w - 6, y, DL_RIGHT, divided ? "÷ √d_k" : "masked");
    heading(p, c->weight, c->number_w - 6, y, DL_RIGHT, "weight");
    if (p->a->source.there && p->a->source.n_weights > 0)
        heading(p, c->model, c->number_w - 8, y, DL_RIGHT, "model");
    if (c->output >= 0)
        heading(p, c->value, c->strip_w, y, DL_LEFT, "values");
}

/* How far the weights are from those of the model. */
static void
verdict(const struct arithmetic_paint *p, const struct columns *c, hl_rect r)
{
    const struct arithmetic_source *s = &p->a->source;
    const struct hl_mech_step *w = &p->r->steps[c->weights];
    double worst = 0;
    char buf[160];
    if (!s->there || s->n_weights == 0 || s->n_weights != w->cols)
        return;
    for (int j = 0; j < w->cols; j++) {
        double d = fabs(w->data[j] - (double)s->weight[j]);
        worst = d > worst ? d : worst;
    }
    if (p->a->n_undo > 0 || worst >= 1e-5)
        snprintf(buf, sizeof buf, "Changed by hand: no longer the weights of the model.");
    else
        snprintf(buf, sizeof buf,
                 "The same weights as in the model's matrix, to within 0.00001 (it counts in "
                 "single precision).");
    ui_label(p->u, r, DL_FONT_UI, p->u->theme->small, DL_LEFT, p->u->theme->quiet, buf);
}

static void
query_row(const struct arithmetic_paint *p, const struct columns *c, float y, double top)
{
    const struct hl_theme *t = p->u->theme;
    char buf[ARITHMETIC_LABEL_SZ + 16];
    if (p->a->source.there)
        snprintf(buf, sizeof buf, "%s", p->a->source.query);
    else
        snprintf(buf, sizeof buf, "query %d", c->query + 1);
    ui_label(p->u, rect_make(c->label, y, c->key - c->label - 12, 22), DL_FONT_UI_BOLD, t->body,
             DL_RIGHT, t->pinned_ink, buf);
    bool asked = p->at.step > V;
    strip(p, Q, c->query, rect_make(c->key, y + 1, c->strip_w, 20), top, asked);
    ui_label(p->u, rect_make(c->score, y, c->model - c->score, 22), DL_FONT_UI, t->small, DL_LEFT,
             t->quiet, "the query: every key is multiplied with it");
    if (c->output >= 0)
        ui_label(p->u, rect_make(c->value, y, c->strip_w, 22), DL_FONT_UI, t->small, DL_LEFT,
                 t->quiet, "taken by weight, they add up to the output");
}

void
arithmetic_head_view(const struct arithmetic_paint *p, hl_rect r)
{
    struct columns c;
    hl_rect foot = rect_cut_bottom(&r, 22);
    int n = p->r->steps[K].rows;
    find_columns(p, r, &c);
    query_row(p, &c, r.y, strip_top(&p->r->steps[Q]));
    headings(p, &c, r.y + 24);
    rect_cut_top(&r, 44);
    hl_rect out = rect_cut_bottom(&r, c.output >= 0 ? 28 : 0);
    c.row_h = floorf(r.h / (float)n);
    c.row_h = c.row_h > 26 ? 26 : c.row_h < 16 ? 16 : c.row_h;
    float over = c.row_h * (float)n - r.h;
    if (over < 0)
        out.y += over;
    float sy = over <= 0 ? 0 : p->a->scroll_y > over ? over : p->a->scroll_y;
    double top_k = strip_top(&p->r->steps[K]), top_v = strip_top(&p->r->steps[V]);
    dl_hit(p->u->dl, r, DL_CURSOR_ARROW, "~flow");
    dl_clip(p->u->dl, rect_inset(r, -4, 0));
    dl_hit(p->u->dl, rect_make(r.x, r.y - roundf(sy), r.w, c.row_h * (float)n), DL_CURSOR_ARROW,
           "~content");
    for (int j = 0; j < n; j++) {
        float y = r.y + c.row_h * (float)j - roundf(sy);
        if (y + c.row_h >= r.y - 40 && y <= r.y + r.h + 40)
            key_row(p, &c, j, y, top_k, top_v);
    }
    dl_unclip(p->u->dl);
    arithmetic_scroll_bars(p, r, r.w, c.row_h * (float)n, 0, sy);
    if (c.output >= 0) {
        const struct hl_theme *t = p->u->theme;
        ui_label(p->u, rect_make(c.value - 90, out.y + 6, 78, 20), DL_FONT_UI_BOLD, t->body,
                 DL_RIGHT, t->ink, "output");
        strip(p, c.output, c.query, rect_make(c.value, out.y + 7, c.strip_w, 18), top_v, false);
    }
    verdict(p, &c, foot);
}

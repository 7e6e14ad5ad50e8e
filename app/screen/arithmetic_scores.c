/* The six score functions as the rows of one table: the same query and keys on the
 * left, each function's own parameters, then scores, weights and context. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <string.h>

#include "view/plot_formula.h"

enum { ROWS = 6, PARTS = 4, NAME_W = 138, HEAD_H = 22 };

/* A function: its step, and what it has of its own. */
static const struct {
    const char *key;
    const char *part[PARTS];
} rows[ROWS] = {
    { "additive", { "w1", "w2", "va", "tanh" } },
    { "dot", { NULL } },
    { "general", { "w", "qw" } },
    { "scaled", { NULL } },
    { "cosine", { "beta", "norm_q", "norm_k" } },
    { "location", { "wloc" } },
};

struct table {
    struct arithmetic_style style;
    float gap;
    float shared, parts, score, weight, context; /* widths of the columns */
    float score_w, weight_w, context_w;          /* of one cell */
    float row_y[ROWS + 1];
    float w, h;
};

static int
step(const struct arithmetic_paint *p, const char *key)
{
    return hl_mech_step_index(p->r, key);
}

static float
cells_width(const struct arithmetic_paint *p, const char *key, const struct table *t)
{
    const struct hl_mech_step *s = &p->r->steps[step(p, key)];
    return arithmetic_cell_width(p->u, s, &t->style) * (float)s->cols;
}

/* "W_1 [ ... ]": symbol, cells. */
static float
part_width(const struct arithmetic_paint *p, const char *key, const struct table *t)
{
    const struct hl_mech_step *s = &p->r->steps[step(p, key)];
    return plot_formula(p->u, 0, 0, DL_FONT_UI_BOLD, p->u->theme->body, p->u->theme->ink, s->symbol,
                        false) +
           6 + cells_width(p, key, t);
}

/* Sets a widest of all scores for every function's row. */
static void
score_cells(const struct arithmetic_paint *p, struct table *t)
{
    t->score_w = 0;
    for (int i = 0; i < ROWS; i++) {
        float w = arithmetic_cell_width(p->u, &p->r->steps[step(p, rows[i].key)], &t->style);
        t->score_w = w > t->score_w ? w : t->score_w;
    }
    t->weight_w = arithmetic_cell_width(p->u, &p->r->steps[step(p, "weights")], &t->style);
    t->context_w = arithmetic_cell_width(p->u, &p->r->steps[step(p, "output")], &t->style);
    float n = (float)p->r->steps[step(p, "scores")].cols;
    t->score = t->score_w * n;
    t->weight = t->weight_w * n;
    t->context = t->context_w * (float)p->r->steps[step(p, "output")].cols;
}

static void
measure(const struct arithmetic_paint *p, struct table *t)
{
    float q = part_width(p, "q", t), k = part_width(p, "k", t);
    t->shared = q > k ? q : k;
    t->parts = 0;
    float y = HEAD_H;
    for (int i = 0; i < ROWS; i++) {
        float w = 0;
        int high = 1;
        for (int j = 0; j < PARTS && rows[i].part[j] != NULL; j++) {
            const struct hl_mech_step *s = &p->r->steps[step(p, rows[i].part[j])];
            w += part_width(p, rows[i].part[j], t) + 14;
            high = s->rows > high ? s->rows : high;
        }
        t->parts = w > t->parts ? w : t->parts;
        t->row_y[i] = y;
        float h = t->style.cell_h * (float)high + 8;
        y += h < 38 ? 38 : h;
    }
    t->row_y[ROWS] = y;
    score_cells(p, t);
    t->w = t->shared + NAME_W + t->parts + t->score + t->weight + t->context + 5 * t->gap;
    t->h = y;
}

static void
find_table(const struct arithmetic_paint *p, hl_rect r, struct table *t)
{
    static const struct {
        float size, cell_h, gap;
        int decimals;
    } fits[] = { { 14, 30, 36, 4 }, { 12.5f, 26, 32, 4 }, { 11, 22, 24, 4 },
                 { 11, 20, 24, 4 }, { 11, 20, 16, 3 },    { 11, 20, 12, 2 } };
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        memset(t, 0, sizeof *t);
        t->style = (struct arithmetic_style) { fits[i].size, fits[i].cell_h, fits[i].decimals };
        t->gap = fits[i].gap;
        measure(p, t);
        if (t->w <= r.w && t->h <= r.h)
            return;
    }
}

static void
part(const struct arithmetic_paint *p, const struct table *t, const char *key, float *x, float mid)
{
    int i = step(p, key);
    const struct hl_mech_step *s = &p->r->steps[i];
    const struct hl_theme *th = p->u->theme;
    float h = t->style.cell_h * (float)s->rows;
    float base = ui_baseline(p->u, DL_FONT_UI_BOLD, th->body, mid - 12, 24);
    *x += plot_formula(p->u, *x, base, DL_FONT_UI_BOLD, th->body,
                       p->at.step == i ? th->pinned_ink : th->ink, s->symbol, true) +
          6;
    float w = arithmetic_cell_width(p->u, s, &t->style);
    arithmetic_matrix(p, i, *x, roundf(mid - h / 2), w, &t->style);
    *x += w * (float)s->cols + 14;
}

static void
table_row(const struct arithmetic_paint *p, const struct table *t, int i, float x, float y)
{
    const struct hl_theme *th = p->u->theme;
    const struct hl_mech_step *s = &p->r->steps[step(p, rows[i].key)];
    float h = t->row_y[i + 1] - t->row_y[i], mid = y + h / 2;
    float cell_y = roundf(mid - t->style.cell_h / 2);
    if (i > 0)
        ui_rule(p->u, x, y, t->w - t->shared - t->gap);
    ui_label(p->u, rect_make(x, mid - 17, NAME_W, 18), DL_FONT_UI_BOLD, th->body, DL_LEFT, th->ink,
             s->name);
    plot_formula(p->u, x, mid + 13, DL_FONT_UI, th->small, th->quiet, s->formula, true);
    x += NAME_W;
    float at = x;
    for (int j = 0; j < PARTS && rows[i].part[j] != NULL; j++)
        part(p, t, rows[i].part[j], &at, mid);
    x += t->parts + t->gap;
    arithmetic_matrix(p, step(p, rows[i].key), x, cell_y, t->score_w, &t->style);
    x += t->score + t->gap;
    arithmetic_matrix_row(p, step(p, "weights"), i, x, cell_y, t->weight_w, &t->style);
    x += t->weight + t->gap;
    arithmetic_matrix_row(p, step(p, "output"), i, x, cell_y, t->context_w, &t->style);
}

static void
heading(const struct arithmetic_paint *p, float x, float y, float w, const char *s)
{
    ui_label(p->u, rect_make(x, y, w, 16), DL_FONT_UI_MEDIUM, p->u->theme->small, DL_LEFT,
             p->u->theme->quiet, s);
}

void
arithmetic_scores(const struct arithmetic_paint *p, hl_rect r)
{
    struct table t;
    find_table(p, r, &t);
    float over_x = t.w - r.w, over_y = t.h - r.h;
    float sx = over_x <= 0 ? 0 : p->a->scroll_x > over_x ? over_x : p->a->scroll_x;
    float sy = over_y <= 0 ? 0 : p->a->scroll_y > over_y ? over_y : p->a->scroll_y;
    float x = roundf(over_x < 0 ? r.x - over_x / 2 : r.x - sx);
    float y = roundf(over_y < 0 ? r.y - over_y / 2 : r.y - sy);
    float table_x = x + t.shared + t.gap;

    dl_hit(p->u->dl, r, DL_CURSOR_ARROW, "~flow");
    dl_clip(p->u->dl, rect_inset(r, -4, -2));
    dl_hit(p->u->dl, rect_make(x, y, t.w, t.h), DL_CURSOR_ARROW, "~content");
    heading(p, x, y, t.shared + t.gap - 4, "query, keys");
    float mid = y + HEAD_H + t.style.cell_h / 2 + 4, at = x;
    part(p, &t, "q", &at, mid);
    at = x;
    mid += t.style.cell_h / 2 + 16 + t.style.cell_h * (float)p->r->steps[step(p, "k")].rows / 2;
    part(p, &t, "k", &at, mid);
    heading(p, table_x, y, NAME_W - 8, "score function");
    heading(p, table_x + NAME_W, y, t.parts, "its own numbers");
    float col = table_x + NAME_W + t.parts + t.gap;
    heading(p, col, y, t.score, "scores");
    heading(p, col + t.score + t.gap, y, t.weight + t.gap - 4, "weights, summing to 1");
    heading(p, col + t.score + t.weight + 2 * t.gap, y, t.context, "context");
    for (int i = 0; i < ROWS; i++)
        table_row(p, &t, i, table_x, y + t.row_y[i]);
    dl_unclip(p->u->dl);
    arithmetic_scroll_bars(p, r, t.w, t.h, sx, sy);
}

/* Dot products between positions: how much two places look alike. For sinusoids
 * row p times row p + k is the sum of cos(k f_i) over the pairs, whatever p. */
#include "screen/positions_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/plot_curves.h"

static const char map_id[] = "pos:products";

static hl_rect
matrix(const struct screen_ctx *c, hl_rect r)
{
    const struct positions_state *p = positions_of(c->state);
    int n = p->length;
    hl_rect grid = rect_make(r.x + 44, r.y + 8, r.w - 44, r.h - 42);
    float side = grid.w < grid.h ? grid.w : grid.h;
    side = side > 40 * (float)n ? 40 * (float)n : floorf(side);
    grid = rect_make(roundf(grid.x + (grid.w - side) / 2), grid.y, side, side);
    float gap = side / (float)n >= 8 ? 1 : 0;
    double top = p->products[0];
    uint8_t *cells =
        dl_heat(c->dl, grid, n, n, gap, gap > 0 ? 2 : 0, DL_MAP_SIGNED, c->theme->dark, NULL);
    for (int i = 0; i < n && cells != NULL; i++) {
        for (int j = 0; j < n; j++)
            cells[i * n + j] =
                theme_step(0.5 + (double)p->products[i < j ? j - i : i - j] / top / 2);
    }
    return grid;
}

struct profile {
    const struct positions_state *p;
    int at;
    double frequency[POSITIONS_MAX_D / 2];
    int n;
};

static void
profile_init(struct profile *f, const struct positions_state *p, int at)
{
    f->p = p;
    f->at = at;
    f->n = 0;
    for (int j = 0; j < p->d; j++) {
        struct hl_posenc_column k = positions_column(p, j);
        if (k.cosine == 0 && k.pair >= 0 && f->n < POSITIONS_MAX_D / 2)
            f->frequency[f->n++] = k.frequency;
    }
}

/* The product of row `at` with the (perhaps fractional) position x. */
static double
profile(void *user, double x)
{
    const struct profile *f = user;
    double whole = floor(x + 0.5), sum = 0;
    int apart = abs((int)whole - f->at);
    if (fabs(x - whole) < 1e-9 && apart < f->p->length)
        return (double)f->p->products[apart];
    for (int i = 0; i < f->n; i++)
        sum += cos((x - f->at) * f->frequency[i]);
    return sum;
}

/* The row's products, with what lies between where positions are few. */
static void
profile_plot(const struct screen_ctx *c, hl_rect r, int at, int other)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    double top = p->products[0], low = 0;
    for (int k = 0; k < p->length; k++)
        low = (double)p->products[k] < low ? (double)p->products[k] : low;
    struct plot_axes a = { rect_make(r.x + 58, r.y + 24, r.w - 66, r.h - 60), 0,
                           p->length > 1 ? p->length - 1 : 1, floor(low), ceil(top) };
    char title[64];
    snprintf(title, sizeof title, "row %d times every row", at);
    if (a.r.h < 30)
        return;
    ui_label(c->ui, rect_make(r.x, r.y, r.w, 18), DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink,
             title);
    plot_frame(c->ui, &a, "position");
    struct profile f;
    profile_init(&f, p, at);
    int steps = p->length > 1 ? p->length - 1 : 1;
    while (steps < 120)
        steps *= 2;
    plot_curve(c->ui, &a, profile, &f, steps, 1.75f, t->accent);
    float apart = a.r.w / (float)(p->length > 1 ? p->length - 1 : 1);
    for (int i = 0; i < p->length && apart >= 7; i++)
        plot_dot(c->ui, &a, i, profile(&f, i), 2.5f, t->accent);
    plot_dot(c->ui, &a, at, top, 4.5f, t->pinned);
    if (other >= 0)
        plot_dot(c->ui, &a, other, profile(&f, other), 4.5f, t->accent);
}

static const char why[] =
    "A sine and a cosine of one frequency multiply to cos(k f), so the product is the sum of "
    "cos(k f) over all frequencies: it depends on the distance k alone, and every row has the same "
    "shape, moved along.";

static void
facts(const struct screen_ctx *c, hl_rect r, int row, int col, bool hot)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    char buf[64];
    double sum = 0;
    for (int j = 0; j < p->d; j++)
        sum += (double)p->table[(size_t)row * (size_t)p->d + (size_t)j] *
               (double)p->table[(size_t)col * (size_t)p->d + (size_t)j];
    snprintf(buf, sizeof buf, "position %d · position %d", row, col);
    ui_label(c->ui, rect_cut_top(&r, 20), DL_FONT_UI_BOLD, t->body, DL_LEFT,
             hot ? t->ink : t->pinned_ink, buf);
    ui_label(c->ui, rect_cut_top(&r, 34), DL_FONT_MONO, t->large, DL_LEFT, t->ink,
             positions_number(buf, sizeof buf, sum, 4));
    snprintf(buf, sizeof buf, "%d", row < col ? col - row : row - col);
    positions_fact(c->ui, &r, "distance k", buf);
    positions_number(buf, sizeof buf, (double)p->products[0], 2);
    positions_fact(c->ui, &r, "with itself", buf);
    positions_number(buf, sizeof buf, sum / (double)p->products[0], 4);
    positions_fact(c->ui, &r, "cosine", buf);
    rect_cut_top(&r, 8);
    ui_rule(c->ui, r.x, r.y, r.w);
    rect_cut_top(&r, 8);
    if (ui_paragraph(c->ui, r, DL_FONT_UI, t->body, t->quiet, why, false) <= r.h)
        ui_paragraph(c->ui, r, DL_FONT_UI, t->body, t->quiet, why, true);
}

void
positions_products(const struct screen_ctx *c, hl_rect r, hl_rect side)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    int row = -1, col = -1;
    hl_rect in = ui_panel(c->ui, r), info = ui_panel(c->ui, side);
    hl_rect top = rect_cut_top(&in, 32);
    positions_legend(c->ui, rect_cut_right(&top, 144), (double)p->products[0]);
    ui_label(c->ui, top, DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink, "position times position");
    bool wide = in.w > in.h * 1.6f;
    hl_rect low =
        wide ? rect_cut_right(&in, in.w - in.h - 24) : rect_cut_bottom(&in, roundf(in.h * 0.34f));
    hl_rect grid = matrix(c, in);
    bool hot = positions_cell_at(c->state, map_id, grid, p->length, p->length, &row, &col);
    float cell = grid.w / (float)p->length;
    positions_row_labels(c->ui, grid, p->length, hot ? row : p->row);
    positions_col_labels(c->ui, grid, p->length, hot ? col : -1);
    int at = hot ? row : p->row >= 0 ? p->row : p->length / 2;
    hl_rect mark = rect_make(grid.x, grid.y + cell * (float)at, grid.w, cell < 3 ? 3 : cell);
    dl_stroke(c->dl, rect_inset(mark, -1, -1), 2, 1.5f, hot ? t->accent : t->pinned);
    if (hot)
        dl_stroke(c->dl, rect_make(grid.x + cell * (float)col, grid.y, cell < 2 ? 2 : cell, grid.h),
                  0, 1, t->accent);
    ui_hit(c->ui, grid, 2, DL_CURSOR_HAND, map_id, NULL);
    profile_plot(c, low, at, hot ? col : -1);
    facts(c, info, at, hot ? col : at, hot);
}

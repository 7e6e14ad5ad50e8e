/* Positions as a heat map, chosen dimensions as curves, and what one cell is. */
#include "screen/positions_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "view/plot_curves.h"

static const char map_id[] = "pos:map";

static void
short_number(char *buf, size_t buf_sz, double v)
{
    struct hl_sb sb = { 0 };
    hl_sb_num(&sb, v, 5);
    snprintf(buf, buf_sz, "%s", sb.n > 0 ? sb.p : "");
    hl_sb_deinit(&sb);
}

/* Numbers in the cells, where there is room for four decimals. */
static void
cell_numbers(const struct screen_ctx *c, hl_rect grid)
{
    const struct positions_state *p = positions_of(c->state);
    float w = grid.w / (float)p->d, h = grid.h / (float)p->length;
    if (w < 52 || h < 18)
        return;
    for (int row = 0; row < p->length; row++) {
        for (int col = 0; col < p->d; col++) {
            double v = hl_posenc_value(positions_column(p, col), row);
            uint8_t step = theme_step(0.5 + v / 2);
            char buf[24];
            positions_number(buf, sizeof buf, v, 4);
            ui_label(c->ui, rect_make(grid.x + w * (float)col, grid.y + h * (float)row, w, h),
                     DL_FONT_MONO, w < 64 || h < 26 ? c->theme->small : c->theme->label, DL_CENTER,
                     theme_text_on(theme_map_color(DL_MAP_SIGNED, c->theme->dark, step)), buf);
        }
    }
}

/* Marks of the curves' columns above the grid, of the pinned cell, and of the one
 * under the pointer. */
static void
marks(const struct screen_ctx *c, hl_rect grid, bool hot, int row, int col)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    float w = grid.w / (float)p->d, h = grid.h / (float)p->length;
    for (int i = 0; i < p->n_curves; i++) {
        float x = grid.x + w * ((float)p->curve[i] + 0.5f);
        const float tri[6] = { x - 4, grid.y - 8, x + 4, grid.y - 8, x, grid.y - 2 };
        dl_poly(c->dl, tri, 3, t->head[i % THEME_HEADS]);
    }
    if (hot) {
        hl_rect across = rect_make(grid.x, grid.y + h * (float)row, grid.w, h < 2 ? 2 : h);
        hl_rect down = rect_make(grid.x + w * (float)col, grid.y, w < 2 ? 2 : w, grid.h);
        dl_stroke(c->dl, across, 0, 1, t->accent);
        dl_stroke(c->dl, down, 0, 1, t->accent);
    }
    if (p->row >= 0) {
        hl_rect r = rect_make(grid.x + w * (float)p->col, grid.y + h * (float)p->row, w, h);
        float grow = w < 8 || h < 8 ? 3 : 0;
        dl_stroke(c->dl, rect_inset(r, -grow, -grow), 3, 2, t->pinned);
    }
}

static hl_rect
heat(const struct screen_ctx *c, hl_rect r)
{
    const struct positions_state *p = positions_of(c->state);
    hl_rect grid = rect_make(r.x + 44, r.y + 10, r.w - 44, r.h - 10 - 34);
    float w = grid.w / (float)p->d, h = grid.h / (float)p->length;
    w = w > 160 ? 160 : w;
    h = h > 56 ? 56 : h;
    grid.w = roundf(w * (float)p->d);
    grid.h = roundf(h * (float)p->length);
    float gap = w >= 10 && h >= 6 ? 1 : 0;
    uint8_t *cells = dl_heat(c->dl, grid, p->length, p->d, gap, gap > 0 ? 2 : 0, DL_MAP_SIGNED,
                             c->theme->dark, NULL);
    for (size_t i = 0; i < (size_t)p->length * (size_t)p->d && cells != NULL; i++)
        cells[i] = theme_step(0.5 + (double)p->table[i] / 2);
    return grid;
}

struct wave {
    struct hl_posenc_column column;
};

static double
wave(void *user, double x)
{
    const struct wave *w = user;
    return hl_posenc_value(w->column, x);
}

static void
curve(const struct screen_ctx *c, const struct plot_axes *a, int dim, float width, hl_color color)
{
    const struct positions_state *p = positions_of(c->state);
    struct wave w = { positions_column(p, dim) };
    double most = (double)(a->r.w / 1.5f), n = 8 + 6 * (a->x1 - a->x0) * w.column.frequency;
    plot_curve(c->ui, a, wave, &w, (int)(n < most ? n : most), width, color);
    float apart = a->r.w / (float)(p->length > 1 ? p->length - 1 : 1);
    for (int i = 0; i < p->length && apart >= 7; i++)
        plot_dot(c->ui, a, i, hl_posenc_value(w.column, i), 2.5f, color);
}

static void
curves(const struct screen_ctx *c, hl_rect r, bool hot, int row, int col)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    struct plot_axes a = { rect_make(r.x + 44, r.y + 8, r.w - 52, r.h - 44), 0,
                           p->length > 1 ? p->length - 1 : 1, -1, 1 };
    int at = hot ? row : p->row;
    if (a.r.h < 40)
        return;
    plot_frame(c->ui, &a, "position");
    if (at >= 0)
        dl_fill(c->dl, rect_make(roundf(plot_x(&a, at)), a.r.y, 1, a.r.h), 0,
                hot ? t->accent : t->pinned);
    for (int i = 0; i < p->n_curves; i++)
        curve(c, &a, p->curve[i], 1.75f, t->head[i % THEME_HEADS]);
    if (hot)
        curve(c, &a, col, 2.5f, t->accent);
    if (at >= 0)
        plot_dot(c->ui, &a, at, hl_posenc_value(positions_column(p, hot ? col : p->col), at), 4.5f,
                 hot ? t->accent : t->pinned);
}

/* "sin, λ 6.2832": what a dimension is. */
static void
column_text(const struct positions_state *p, int dim, char *buf, size_t buf_sz)
{
    struct hl_posenc_column k = positions_column(p, dim);
    char n[32];
    if (k.pair < 0) {
        snprintf(buf, buf_sz, "padding, always 0");
        return;
    }
    short_number(n, sizeof n, k.frequency > 0 ? 6.283185307179586 / k.frequency : 0);
    snprintf(buf, buf_sz, "%s, λ %s", k.cosine ? "cos" : "sin", n);
}

static void
cell_facts(const struct screen_ctx *c, hl_rect *r, int row, int col, bool pinned)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    struct hl_posenc_column k = positions_column(p, col);
    double v = hl_posenc_value(k, row);
    char buf[96], n[32];
    snprintf(buf, sizeof buf, "position %d, dimension %d", row, col);
    ui_label(c->ui, rect_cut_top(r, 20), DL_FONT_UI_BOLD, t->body, DL_LEFT,
             pinned ? t->pinned_ink : t->ink, buf);
    ui_label(c->ui, rect_cut_top(r, 34), DL_FONT_MONO, t->large, DL_LEFT, t->ink,
             positions_number(n, sizeof n, v, 4));
    if (k.pair < 0) {
        ui_label(c->ui, rect_cut_top(r, 20), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
                 "a padding column, always 0");
        return;
    }
    short_number(n, sizeof n, row * k.frequency);
    snprintf(buf, sizeof buf, "= %s(%s)", k.cosine ? "cos" : "sin", n);
    ui_label(c->ui, rect_cut_top(r, 20), DL_FONT_MONO, t->body, DL_LEFT, t->ink, buf);
    rect_cut_top(r, 6);
    snprintf(buf, sizeof buf, "%d", k.pair);
    positions_fact(c->ui, r, "pair i", buf);
    short_number(buf, sizeof buf, k.frequency);
    positions_fact(c->ui, r, "frequency f", buf);
    short_number(buf, sizeof buf, row * k.frequency);
    positions_fact(c->ui, r, "angle p · f", buf);
    short_number(buf, sizeof buf, 6.283185307179586 / k.frequency);
    positions_fact(c->ui, r, "wavelength λ", buf);
}

static void
curve_list(const struct screen_ctx *c, hl_rect *r)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    ui_label(c->ui, rect_cut_top(r, 22), DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink,
             p->n_curves > 0 ? "curves" : "no curves: click a column");
    for (int i = 0; i < p->n_curves && r->h >= 22; i++) {
        char id[UI_ID_SZ], text[64], what[48];
        hl_rect line = rect_cut_top(r, 22);
        snprintf(id, sizeof id, "curve:%d", p->curve[i]);
        column_text(p, p->curve[i], what, sizeof what);
        snprintf(text, sizeof text, "%d: %s", p->curve[i], what);
        dl_fill(c->dl, rect_make(line.x, line.y + 9, 12, 4), 2, t->head[i % THEME_HEADS]);
        ui_label(c->ui, rect_make(line.x + 20, line.y, line.w - 20, line.h), DL_FONT_UI, t->body,
                 DL_LEFT, ui_hovered(c->ui, id) ? t->accent : t->ink, text);
        ui_hit(c->ui, line, 4, DL_CURSOR_HAND, id, "Take this curve away");
    }
}

void
positions_encoding(const struct screen_ctx *c, hl_rect r, hl_rect side)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    int row = -1, col = -1;
    hl_rect in = ui_panel(c->ui, r), info = ui_panel(c->ui, side);
    hl_rect top = rect_cut_top(&in, 32);
    positions_legend(c->ui, rect_cut_right(&top, 144), 1);
    rect_cut_right(&top, 12);
    ui_label(c->ui, top, DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink,
             top.w < 260 ? "position × dimension" : "rows: positions, columns: dimensions");
    hl_rect low = rect_cut_bottom(&in, roundf(in.h * (p->length <= 4 ? 0.5f : 0.38f)));
    hl_rect grid = heat(c, in);
    bool hot = positions_cell_at(c->state, map_id, grid, p->length, p->d, &row, &col);
    cell_numbers(c, grid);
    positions_row_labels(c->ui, grid, p->length, hot ? row : p->row);
    positions_col_labels(c->ui, grid, p->d, hot ? col : p->col);
    marks(c, grid, hot, row, col);
    ui_hit(c->ui, grid, 2, DL_CURSOR_HAND, map_id, NULL);
    curves(c, low, hot, row, col);

    if (hot || p->row >= 0) {
        cell_facts(c, &info, hot ? row : p->row, hot ? col : p->col, !hot);
    } else {
        float h = ui_paragraph(c->ui, info, DL_FONT_UI, t->body, t->quiet,
                               "Point at a cell for its value; click to keep it and draw its "
                               "dimension as a curve.",
                               true);
        rect_cut_top(&info, h);
    }
    rect_cut_top(&info, 8);
    ui_rule(c->ui, info.x, info.y, info.w);
    rect_cut_top(&info, 6);
    curve_list(c, &info);
}

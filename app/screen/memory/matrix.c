/* The memory itself, address × component, with what the heads weigh at this step. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot_curves.h"
#include "view/view.h"

enum { LABEL = 28, STRIP = 9 };

/* The largest number up to the shown step, so that colours hardly move with it. */
static double
largest(const struct memory_run *r, int step)
{
    size_t n = (size_t)(step + 2) * (size_t)r->n_slots * (size_t)r->width;
    float top = 0;
    for (size_t i = 0; i < n; i++) {
        float a = fabsf(r->memory[i]);
        top = a > top ? a : top;
    }
    return top > 0 ? (double)top : 1;
}

static const float *
shown(const struct memory_paint *p)
{
    size_t t = (size_t)(p->at.step + (p->m->after ? 1 : 0));
    return p->run.memory + t * (size_t)p->run.n_slots * (size_t)p->run.width;
}

static void
cells(const struct memory_paint *p, hl_rect grid, double top)
{
    const struct memory_window *w = &p->window;
    int m = p->run.width;
    const float *mem = shown(p);
    uint8_t *steps = hl_arena_new(p->c->frame, (size_t)w->n * (size_t)m, uint8_t);
    if (steps == NULL)
        return;
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < m; j++) {
            double v = (double)mem[memory_address(w, i) * m + j];
            steps[i * m + j] = theme_step(0.5 + v / top / 2);
        }
    }
    const struct view_tape v = { .id = "~mem:cells",
                                 .title = "",
                                 .sub = "",
                                 .rows = w->n,
                                 .cols = m,
                                 .cells = steps,
                                 .map = DL_MAP_SIGNED };
    view_tape(p->u, grid, &v);
}

/* Weights of a head beside the rows. */
static void
strip(const struct memory_paint *p, hl_rect r, bool write)
{
    const struct hl_theme *t = p->u->theme;
    struct memory_at at = { write, p->at.write == write ? p->at.head : 0, p->at.step };
    const float *w = memory_row(&p->run, at, MEMORY_WEIGHTS);
    uint8_t *steps = hl_arena_new(p->c->frame, p->window.n, uint8_t);
    for (int i = 0; i < p->window.n && steps != NULL; i++)
        steps[i] = memory_step(p->s, (double)w[memory_address(&p->window, i)], p->top);
    if (steps == NULL)
        return;
    const struct view_tape v = { .id = write ? "~mem:write" : "~mem:read",
                                 .title = "",
                                 .sub = "",
                                 .rows = p->window.n,
                                 .cols = 1,
                                 .cells = steps,
                                 .map = DL_MAP_WEIGHT };
    view_tape(p->u, r, &v);
    dl_stroke(p->c->dl, rect_inset(r, -1, -1), 1, 1, t->line);
    ui_label(p->u, rect_make(r.x - 8, r.y - 17, r.w + 16, 14), DL_FONT_UI_MEDIUM, t->small,
             DL_CENTER, p->at.write == write ? t->ink : t->quiet, write ? "w" : "r");
}

static void
row_labels(const struct memory_paint *p, hl_rect grid)
{
    const struct hl_theme *t = p->u->theme;
    float h = grid.h / (float)p->window.n;
    int every = (int)plot_step(p->window.n, grid.h, 14, 1);
    int hot = p->hot.address >= 0 ? memory_window_row(&p->window, p->hot.address) : -1;
    for (int i = 0; i < p->window.n; i++) {
        char n[16];
        uint8_t mark;
        if (!memory_numbered(p->m, &p->window, p->hot.address, i, h, 12, every, &mark))
            continue;
        snprintf(n, sizeof n, "%d", memory_address(&p->window, i));
        ui_label(p->u, rect_make(grid.x - LABEL, grid.y + h * ((float)i + 0.5f) - 7, LABEL - 5, 14),
                 DL_FONT_MONO, 10, DL_RIGHT,
                 mark & VIEW_PIN   ? t->pinned_ink
                 : mark & VIEW_HOT ? t->accent
                                   : t->quiet,
                 n);
    }
    for (int k = 0; k < p->m->n_pins; k++) {
        int row = memory_window_row(&p->window, p->m->pin[k] % p->run.n_slots);
        if (row >= 0)
            dl_stroke(p->c->dl,
                      rect_make(grid.x - 2, grid.y + h * (float)row - 1, grid.w + 4, h + 2), 3, 2,
                      t->pinned);
    }
    if (hot >= 0)
        dl_stroke(p->c->dl, rect_make(grid.x - 2, grid.y + h * (float)hot - 1, grid.w + 4, h + 2),
                  3, 1, t->accent);
    /* Where the addresses go round the end. */
    if (p->window.first + p->window.n > p->run.n_slots && p->window.first > 0)
        dl_fill(p->c->dl,
                rect_make(grid.x - LABEL,
                          grid.y + h * (float)(p->run.n_slots - p->window.first) - 1,
                          grid.w + LABEL, 1),
                0, t->quiet);
}

static void
readout(const struct memory_paint *p, hl_rect grid)
{
    int row, col;
    char n[32];
    if (!memory_hovered(p->s, "~mem:cells", p->window.n, p->run.width, &row, &col))
        return;
    int address = memory_address(&p->window, row);
    double v = (double)shown(p)[address * p->run.width + col];
    float w = grid.w / (float)p->run.width, h = grid.h / (float)p->window.n;
    p->u->tip_at = rect_make(grid.x + w * (float)col, grid.y + h * (float)row, w, h);
    snprintf(p->u->tip, sizeof p->u->tip, "address %d · component %d · %s", address, col,
             memory_number(n, sizeof n, v, 4));
}

void
memory_matrix(const struct memory_paint *p, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    ui_panel(p->u, r);
    hl_rect in = rect_inset(r, r.w < 170 ? 9 : 14, 12);
    ui_label(p->u, rect_cut_top(&in, 18), DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, "memory");
    ui_label(p->u, rect_cut_top(&in, 18), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
             "address × component");
    rect_cut_top(&in, 4);
    control_draw(p->u, rect_cut_top(&in, 26), p->s, &memory_rows[MEMORY_ROW_MEMORY]);
    rect_cut_top(&in, 24);
    hl_rect legend = rect_cut_bottom(&in, 26);
    rect_cut_bottom(&in, 8);
    double top = largest(&p->run, p->at.step);
    top = p->s->show.lock ? fmax(1, top) : top;
    float h = fminf(in.h / (float)p->window.n, 22);
    if (h >= 3)
        h = floorf(h);
    float w = fminf((in.w - LABEL - 2 * STRIP - 12) / (float)p->run.width, 16);
    if (w >= 3)
        w = floorf(w * 2) / 2;
    hl_rect grid = rect_make(in.x + LABEL, in.y, w * (float)p->run.width, h * (float)p->window.n);
    cells(p, grid, top);
    strip(p, rect_make(grid.x + grid.w + 7, grid.y, STRIP, grid.h), true);
    strip(p, rect_make(grid.x + grid.w + 7 + STRIP + 5, grid.y, STRIP, grid.h), false);
    row_labels(p, grid);
    readout(p, grid);
    memory_legend(p->u, rect_make(grid.x, legend.y + 2, fmaxf(grid.w, 60), 24), DL_MAP_SIGNED, top,
                  false);
}

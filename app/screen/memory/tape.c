/* Input, weights and output over time, the shown step across all of them, and what
 * moves it. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot_curves.h"
#include "view/view.h"

enum { BITS = 8, NUMBERS = 30, MOST_BLOCKS = 12 };

enum block_kind { BLOCK_INPUT, BLOCK_WRITE, BLOCK_READ, BLOCK_OUTPUT };

struct block {
    enum block_kind kind;
    int head;
    int rows;
    hl_rect grid;
    float label; /* width of the titles on the left */
};

struct layout {
    struct block block[MOST_BLOCKS];
    int n;
    float cell_w;
    hl_rect all; /* from the first block's top to the last one's bottom, cells only */
};

/* ---- what goes where ---- */

/* Heads of a kind: all where there are few, else the chosen one. */
static void
add_heads(struct layout *l, const struct memory_paint *p, bool write)
{
    const struct memory_run *r = &p->run;
    bool few = r->n_heads[0] + r->n_heads[1] <= 3;
    for (int h = 0; h < r->n_heads[write]; h++) {
        bool chosen = p->at.write == write ? p->at.head == h : h == 0;
        if ((few || chosen) && l->n < MOST_BLOCKS - 1)
            l->block[l->n++] = (struct block) { .kind = write ? BLOCK_WRITE : BLOCK_READ,
                                                .head = h,
                                                .rows = p->window.n };
    }
}

/* Whole pixels a row where there are several. */
static float
whole(float h, int rows)
{
    float unit = h / (float)rows;
    return unit >= 3 ? floorf(unit) * (float)rows : floorf(h);
}

static void
lay_out(struct layout *l, const struct memory_paint *p, hl_rect r)
{
    float gap = r.h > 300 ? 14 : 8;
    int bits = p->run.n_inputs + BITS;
    l->n = 0;
    l->block[l->n++] = (struct block) { .kind = BLOCK_INPUT, .rows = p->run.n_inputs };
    add_heads(l, p, true);
    add_heads(l, p, false);
    l->block[l->n++] = (struct block) { .kind = BLOCK_OUTPUT, .rows = BITS };
    float label = r.w > 480 ? 94 : 76, w = r.w - label - NUMBERS;
    l->cell_w = fminf(w / (float)p->run.n_steps, 30);
    if (l->cell_w >= 4)
        l->cell_w = floorf(l->cell_w);
    float room = r.h - gap * (float)(l->n - 1), heads_n = (float)(l->n - 2);
    float unit = fmaxf(floorf(fminf(room * 0.34f / (float)bits, 12)), 2);
    float each = (room - unit * (float)bits) / heads_n, y = r.y;
    /* What whole pixels leave over goes to the bits. */
    float used = whole(fminf(each, 18.0f * (float)p->window.n), p->window.n) * heads_n;
    unit = fmaxf(unit, floorf(fminf((room - used) / (float)bits, 12)));
    for (int i = 0; i < l->n; i++) {
        struct block *b = &l->block[i];
        bool heads = b->kind == BLOCK_WRITE || b->kind == BLOCK_READ;
        float h =
            heads ? whole(fminf(each, 18.0f * (float)b->rows), b->rows) : unit * (float)b->rows;
        b->label = label;
        b->grid = rect_make(r.x + label + NUMBERS, roundf(y), l->cell_w * (float)p->run.n_steps, h);
        y += h + gap;
    }
    const struct block *last = &l->block[l->n - 1];
    l->all = l->block[0].grid;
    l->all.h = last->grid.y + last->grid.h - l->all.y;
}

/* ---- cells ---- */

static void
fill_bits(const struct memory_paint *p, const struct block *b, uint8_t *cells)
{
    const struct memory_run *r = &p->run;
    for (int t = 0; t < r->n_steps; t++) {
        for (int i = 0; i < b->rows; i++) {
            double v;
            if (b->kind == BLOCK_INPUT)
                v = (double)r->input[t * r->n_inputs + i];
            else
                v = t < r->first_answer ? -1 : (double)r->output[t * BITS + i];
            cells[(size_t)i * (size_t)r->n_steps + (size_t)t] = v < 0 ? DL_MASKED : theme_step(v);
        }
    }
}

static void
fill_weights(const struct memory_paint *p, const struct block *b, uint8_t *cells)
{
    const struct memory_run *r = &p->run;
    for (int t = 0; t < r->n_steps; t++) {
        struct memory_at at = { b->kind == BLOCK_WRITE, b->head, t };
        const float *w = memory_row(r, at, MEMORY_WEIGHTS);
        for (int i = 0; i < b->rows; i++)
            cells[(size_t)i * (size_t)r->n_steps + (size_t)t] =
                memory_step(p->s, (double)w[memory_address(&p->window, i)], p->top);
    }
}

static void
block_texts(const struct memory_paint *p, const struct block *b, char *title, size_t title_sz,
            const char **sub)
{
    bool write = b->kind == BLOCK_WRITE;
    *sub = "address × time";
    if (b->kind == BLOCK_INPUT || b->kind == BLOCK_OUTPUT) {
        snprintf(title, title_sz, "%s", b->kind == BLOCK_INPUT ? "input" : "output");
        *sub = "bit × time";
    } else {
        snprintf(title, title_sz, "%s%s", write ? "write" : "read",
                 b->label > 80 ? " weights" : "");
        size_t n = strlen(title);
        if (p->run.n_heads[write] > 1)
            snprintf(title + n, title_sz - n, " %d", b->head + 1);
    }
}

static void
block_id(const struct block *b, char *id, size_t id_sz)
{
    static const char *const names[] = { "input", "write", "read", "output" };
    if (b->kind == BLOCK_WRITE || b->kind == BLOCK_READ)
        snprintf(id, id_sz, "~tape:%s:%d", names[b->kind], b->head);
    else
        snprintf(id, id_sz, "~tape:%s", names[b->kind]);
}

static void
number(const struct memory_paint *p, const struct block *b, int row, hl_color ink, const char *text)
{
    float h = b->grid.h / (float)b->rows;
    ui_label(
        p->u,
        rect_make(b->grid.x - NUMBERS - 4, b->grid.y + h * ((float)row + 0.5f) - 7, NUMBERS, 14),
        DL_FONT_MONO, 10, DL_RIGHT, ink, text);
}

/* Numbers beside the rows: addresses, or bits from 7 down to 0 and the marks. */
static void
row_numbers(const struct memory_paint *p, const struct block *b)
{
    const struct hl_theme *t = p->u->theme;
    float h = b->grid.h / (float)b->rows;
    bool marks = b->kind == BLOCK_INPUT && h >= 7;
    int every = (int)plot_step(b->rows, b->grid.h, 13, 1);
    char text[16];
    uint8_t mark;
    if (b->kind == BLOCK_INPUT || b->kind == BLOCK_OUTPUT) {
        number(p, b, 0, t->quiet, "7");
        if (!marks)
            number(p, b, 7, t->quiet, "0");
        else
            number(p, b, b->rows - 1, t->quiet, "mark");
        return;
    }
    for (int i = 0; i < b->rows; i++) {
        if (!memory_numbered(p->m, &p->window, p->hot.address, i, h, 12, every, &mark))
            continue;
        snprintf(text, sizeof text, "%d", memory_address(&p->window, i));
        number(p, b, i,
               mark & VIEW_PIN   ? t->pinned_ink
               : mark & VIEW_HOT ? t->accent
                                 : t->quiet,
               text);
    }
}

static void
draw_block(const struct memory_paint *p, const struct block *b)
{
    char title[24], id[UI_ID_SZ], over[32];
    const char *sub;
    size_t n = (size_t)b->rows * (size_t)p->run.n_steps;
    uint8_t *cells = hl_arena_new(p->c->frame, n, uint8_t);
    hl_rect all = rect_make(b->grid.x - b->label - NUMBERS, b->grid.y,
                            b->grid.w + b->label + NUMBERS, b->grid.h);
    struct view_tape v = { .id = id,
                           .label_w = b->label + NUMBERS,
                           .rows = b->rows,
                           .cols = p->run.n_steps,
                           .cells = cells,
                           .map = DL_MAP_WEIGHT };
    if (cells == NULL)
        return;
    if (b->kind == BLOCK_INPUT || b->kind == BLOCK_OUTPUT)
        fill_bits(p, b, cells);
    else
        fill_weights(p, b, cells);
    block_texts(p, b, title, sizeof title, &sub);
    block_id(b, id, sizeof id);
    v.title = title;
    v.sub = sub;
    int count = 0;
    int *before =
        b->kind == BLOCK_WRITE ? memory_overwritten(&p->run, b->head, p->c->frame, &count) : NULL;
    view_tape(p->u, all, &v);
    if (count > 0 && b->grid.h >= 44) {
        snprintf(over, sizeof over, "%d overwritten", count);
        ui_label(p->u, rect_make(all.x, all.y + 29, b->label, 16), DL_FONT_UI, p->u->theme->small,
                 DL_LEFT, p->u->theme->error, over);
    }
    float w = b->grid.w / (float)p->run.n_steps;
    for (int t = 0; before != NULL && count > 0 && t < p->run.n_steps; t++) {
        if (before[t] >= 0)
            dl_fill(p->c->dl,
                    rect_make(b->grid.x + w * (float)t, b->grid.y + b->grid.h, fmaxf(w - 1, 1), 3),
                    0, p->u->theme->error);
    }
    row_numbers(p, b);
}

/* ---- marks over the cells ---- */

static void
wrong_bits(const struct memory_paint *p, const struct block *b)
{
    const struct memory_run *r = &p->run;
    float w = b->grid.w / (float)r->n_steps, h = b->grid.h / (float)b->rows;
    for (int t = r->first_answer; t < r->n_steps; t++) {
        for (int i = 0; i < BITS && memory_wrong(r, t) > 0; i++) {
            bool out = r->output[t * BITS + i] > 0.5f, want = r->target[t * BITS + i] > 0.5f;
            if (r->target[t * BITS + i] < 0 || out == want)
                continue;
            hl_rect cell = rect_make(b->grid.x + w * (float)t, b->grid.y + h * (float)i, w, h);
            if (w < 6 || h < 5)
                dl_fill(p->c->dl, cell, 0, (p->u->theme->error & 0xFFFFFF00u) | 0xB0);
            else
                dl_stroke(p->c->dl, rect_inset(cell, -1, -1), 2, 2, p->u->theme->error);
        }
    }
}

/* Rows of pinned addresses and the pointer's row and column. */
static void
lines(const struct memory_paint *p, const struct layout *l)
{
    const struct hl_theme *t = p->u->theme;
    for (int i = 0; i < l->n; i++) {
        const struct block *b = &l->block[i];
        float h = b->grid.h / (float)b->rows;
        if (b->kind != BLOCK_WRITE && b->kind != BLOCK_READ)
            continue;
        for (int k = 0; k < p->m->n_pins; k++) {
            int row = memory_window_row(&p->window, p->m->pin[k] % p->run.n_slots);
            if (row >= 0)
                dl_stroke(p->c->dl,
                          rect_make(b->grid.x - 2, b->grid.y + h * (float)row - 1, b->grid.w + 4,
                                    fmaxf(h + 2, 4)),
                          2, 1, t->pinned);
        }
        int hot = p->hot.address >= 0 ? memory_window_row(&p->window, p->hot.address) : -1;
        if (hot >= 0)
            dl_stroke(p->c->dl,
                      rect_make(b->grid.x - 2, b->grid.y + h * (float)hot - 1, b->grid.w + 4,
                                fmaxf(h + 2, 4)),
                      2, 1, t->accent);
    }
    if (p->hot.step >= 0 && p->hot.step != p->at.step)
        dl_stroke(p->c->dl,
                  rect_make(l->all.x + l->cell_w * (float)p->hot.step - 1, l->all.y - 2,
                            l->cell_w + 1, l->all.h + 4),
                  2, 1, t->accent);
}

/* Where the trained machine's heads were mostly, at the steps where the one in hand is
 * somewhere else. */
static void
ghosts(const struct memory_paint *p, const struct layout *l)
{
    hl_color ghost = (p->u->theme->quiet & 0xFFFFFF00u) | 0x70;
    for (int i = 0; i < l->n && p->has_trained; i++) {
        const struct block *b = &l->block[i];
        float h = b->grid.h / (float)b->rows;
        if (b->kind != BLOCK_WRITE && b->kind != BLOCK_READ)
            continue;
        for (int t = 0; t < p->run.n_steps; t++) {
            struct memory_at at = { b->kind == BLOCK_WRITE, b->head, t };
            const float *was = memory_row(&p->trained, at, MEMORY_WEIGHTS);
            int best = memory_strongest(was, p->run.n_slots);
            int row = memory_window_row(&p->window, best);
            int now = memory_strongest(memory_row(&p->run, at, MEMORY_WEIGHTS), p->run.n_slots);
            if (row < 0 || best == now || was[best] < 0.2f)
                continue;
            dl_fill(p->c->dl,
                    rect_make(b->grid.x + l->cell_w * (float)t, b->grid.y + h * (float)row,
                              fmaxf(l->cell_w - 1, 1), fmaxf(h - 1, 1)),
                    0, ghost);
        }
    }
}

/* What is still to come lies under a veil of the panel's colour. */
static void
veil(const struct memory_paint *p, const struct layout *l)
{
    int from = p->at.step + 1;
    if (p->m->step < 0 || from >= p->run.n_steps)
        return;
    for (int i = 0; i < l->n; i++) {
        hl_rect r = l->block[i].grid;
        r.x += l->cell_w * (float)from;
        r.w -= l->cell_w * (float)from;
        dl_fill(p->c->dl, r, 0, (p->u->theme->panel & 0xFFFFFF00u) | 0xB4);
    }
}

/* Steps in the user's hand: a bar above their column in their head's weights. */
static void
hands(const struct memory_paint *p, const struct layout *l)
{
    const struct hl_ntm_options *o = &p->m->options;
    for (int k = 0; k < o->n_hands; k++) {
        const struct hl_ntm_hand *h = &o->hands[k];
        for (int i = 0; i < l->n && h->step < p->run.n_steps; i++) {
            const struct block *b = &l->block[i];
            if (b->head != h->head || b->kind != (h->write ? BLOCK_WRITE : BLOCK_READ))
                continue;
            float w = fmaxf(l->cell_w, 5);
            float x = b->grid.x + l->cell_w * ((float)h->step + 0.5f);
            const float tri[6] = {
                x - w / 2, b->grid.y - 6, x + w / 2, b->grid.y - 6, x, b->grid.y
            };
            dl_poly(p->c->dl, tri, 3, p->u->theme->pinned);
        }
    }
}

static void
playhead(const struct memory_paint *p, const struct layout *l)
{
    float w = fmaxf(l->cell_w, 4);
    float x = l->all.x + l->cell_w * ((float)p->at.step + 0.5f) - w / 2;
    dl_stroke(p->c->dl, rect_make(roundf(x) - 2, l->all.y - 4, w + 3, l->all.h + 8), 4, 2,
              p->u->theme->pinned);
}

/* ---- the axis of time ---- */

static void
axis(const struct memory_paint *p, const struct layout *l, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    int every = (int)plot_step(p->run.n_steps, l->all.w, 26, 1);
    for (int i = 0; i < p->run.n_steps; i++) {
        char n[16];
        bool here = i == p->at.step;
        float x = l->all.x + l->cell_w * ((float)i + 0.5f);
        if (!here && ((i + 1) % every != 0 || fabsf((float)(i - p->at.step)) * l->cell_w < 22))
            continue;
        snprintf(n, sizeof n, "%d", i + 1);
        ui_label(p->u, rect_make(x - 20, r.y + 15, 40, 14), DL_FONT_MONO, 10, DL_CENTER,
                 here ? t->pinned_ink : t->quiet, n);
    }
    const struct memory_char *lists[2] = { p->in, p->out };
    const int counts[2] = { p->n_in, p->n_out };
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < counts[k]; i++) {
            const struct memory_char *c = &lists[k][i];
            float w = l->cell_w * (float)c->n, x = l->all.x + l->cell_w * (float)c->first;
            bool here = p->at.step >= c->first && p->at.step < c->first + c->n;
            if (!here && (l->cell_w < 6 ||
                          ui_text_width(p->u, DL_FONT_UI_MEDIUM, t->small, c->text) > w + 4))
                continue;
            ui_label(p->u, rect_make(x + w / 2 - 24, r.y, 48, 16), DL_FONT_UI_MEDIUM, t->small,
                     DL_CENTER,
                     c->wrong ? t->error
                     : here   ? t->pinned_ink
                              : t->ink,
                     c->text);
        }
    }
    ui_label(p->u, rect_make(r.x, r.y + 15, l->all.x - r.x - 8, 14), DL_FONT_UI, t->small, DL_LEFT,
             t->quiet, "time, steps →");
    dl_hit(p->c->dl, rect_make(l->all.x, r.y, l->all.w, r.h), DL_CURSOR_HAND, "~tape:axis");
}

/* "letters in", "read back": brackets above the columns. */
static void
phases(const struct memory_paint *p, const struct layout *l, float y)
{
    const struct hl_theme *t = p->u->theme;
    const struct memory_run *r = &p->run;
    int edge[3] = { 0, r->first_answer, r->n_steps };
    const char *const names[2] = { r->recall ? "words and question" : "letters in",
                                   r->recall ? "answer" : "read back" };
    for (int k = 0; k < 2; k++) {
        float x0 = l->all.x + l->cell_w * (float)edge[k];
        float w = l->cell_w * (float)(edge[k + 1] - edge[k]) - (k == 0 ? 4 : 1);
        if (w < 8)
            continue;
        float text = ui_text_width(p->u, DL_FONT_UI, t->small, names[k]);
        dl_fill(p->c->dl, rect_make(x0, y + 16, w, 2), 1,
                (p->at.step >= r->first_answer) == (k == 1) ? t->pinned : t->line);
        float room = k == 0 && text > w ? 0 : w;
        if (room > 0 || k == 1)
            ui_label(p->u, rect_make(x0, y, fmaxf(w, text + 4), 15), DL_FONT_UI, t->small, DL_LEFT,
                     t->quiet, names[k]);
    }
}

/* ---- the value under the pointer ---- */

static void
readout(const struct memory_paint *p, const struct layout *l)
{
    const struct memory_run *r = &p->run;
    int t = p->hot.step;
    char n[32], step[80];
    for (int i = 0; i < l->n && t >= 0; i++) {
        const struct block *b = &l->block[i];
        char id[UI_ID_SZ];
        block_id(b, id, sizeof id);
        if (!ui_hovered(p->u, id))
            continue;
        struct ui *u = p->u;
        int row = p->hot.bit;
        memory_step_text(p, t, step, sizeof step);
        u->tip_at = rect_make(b->grid.x + l->cell_w * (float)t, b->grid.y, l->cell_w, b->grid.h);
        if (b->kind == BLOCK_WRITE || b->kind == BLOCK_READ) {
            struct memory_at at = { b->kind == BLOCK_WRITE, b->head, t };
            double w = (double)memory_row(r, at, MEMORY_WEIGHTS)[p->hot.address];
            snprintf(u->tip, sizeof u->tip, "%s · address %d · weight %s", step, p->hot.address,
                     memory_number(n, sizeof n, w, 4));
        } else if (b->kind == BLOCK_INPUT) {
            snprintf(u->tip, sizeof u->tip, row < BITS ? "%s · bit %d is %s" : "%s · mark %d is %s",
                     step, row < BITS ? 7 - row : row - BITS + 1,
                     r->input[t * r->n_inputs + row] > 0.5f ? "1" : "0");
        } else if (t < r->first_answer) {
            snprintf(u->tip, sizeof u->tip, "%s · nothing is asked for", step);
        } else if (r->target[t * BITS + row] < 0) {
            snprintf(u->tip, sizeof u->tip, "%s · bit %d · p(1) = %s", step, 7 - row,
                     memory_number(n, sizeof n, (double)r->output[t * BITS + row], 4));
        } else {
            memory_number(n, sizeof n, (double)r->output[t * BITS + row], 4);
            snprintf(u->tip, sizeof u->tip, "%s · bit %d · p(1) = %s, right is %s", step, 7 - row,
                     n, r->target[t * BITS + row] > 0.5f ? "1" : "0");
        }
    }
}

/* ---- the panels ---- */

static void
switches(const struct memory_paint *p, hl_rect r)
{
    const struct app_state *s = p->s;
    float x = r.x + r.w;
    for (int i = MEMORY_ROW_ADDRESSES; i >= MEMORY_ROW_SCALE; i--) {
        x -= control_width(p->u, s, &memory_rows[i]);
        control_draw(p->u, rect_make(x, r.y, 36, 24), s, &memory_rows[i]);
        x -= 16;
    }
    float w = fminf(x - r.x, 132);
    if (w > 60)
        memory_legend(p->u, rect_make(r.x, r.y, w, 24), DL_MAP_WEIGHT, p->top, s->show.log_scale);
    if (x - r.x - w > 190 && p->run.stage[0][MEMORY_WEIGHTS]->row_sum_one)
        ui_label(p->u, rect_make(r.x + w + 16, r.y, x - r.x - w - 16, 24), DL_FONT_UI,
                 p->u->theme->small, DL_LEFT, p->u->theme->quiet, "each step's weights sum to 1");
}

void
memory_tape(const struct memory_paint *p, hl_rect r)
{
    struct layout l;
    ui_panel(p->u, r);
    hl_rect in = rect_inset(r, 14, 10);
    hl_rect top = rect_cut_top(&in, 24), low = rect_cut_bottom(&in, 28);
    hl_rect time = rect_cut_bottom(&in, 36);
    lay_out(&l, p, in);
    time.y = l.all.y + l.all.h + 7;
    for (int i = 0; i < l.n; i++)
        draw_block(p, &l.block[i]);
    wrong_bits(p, &l.block[l.n - 1]);
    ghosts(p, &l);
    veil(p, &l);
    phases(p, &l, top.y);
    axis(p, &l, time);
    lines(p, &l);
    hands(p, &l);
    playhead(p, &l);
    readout(p, &l);
    low.y += 4;
    switches(p, low);
}

/* Icons of the five buttons, drawn: bars and triangles. */
static void
icon(struct ui *u, hl_rect r, int k, bool playing, hl_color c)
{
    float x = r.x + r.w / 2, y = r.y + r.h / 2;
    float d = k < 2 ? -1 : 1;
    if (k == 2 && playing) {
        dl_fill(u->dl, rect_make(x - 5, y - 6, 4, 12), 1, c);
        dl_fill(u->dl, rect_make(x + 1, y - 6, 4, 12), 1, c);
        return;
    }
    float half = k == 2 ? 6 : 5;
    const float tri[6] = {
        x - d * half, y - half - 1, x - d * half, y + half + 1, x + d * half, y
    };
    dl_poly(u->dl, tri, 3, c);
    if (k == 0 || k == 4)
        dl_fill(u->dl, rect_make(k == 0 ? x - 7 : x + 5, y - 6, 2, 12), 1, c);
}

void
memory_transport(const struct memory_paint *p, hl_rect r)
{
    static const char *const ids[5] = { "tape:first", "tape:back", "tape:play", "tape:next",
                                        "tape:last" };
    static const char *const tips[5] = { "The first step (Alt+Home)", "A step back (Alt+←)",
                                         "Play or pause (Alt+P)", "The next step (Alt+→)",
                                         "The last step (Alt+End)" };
    const struct hl_theme *t = p->u->theme;
    char text[96], brief[128] = "";
    dl_fill(p->c->dl, r, UI_PANEL_RADIUS, t->panel);
    dl_stroke(p->c->dl, r, UI_PANEL_RADIUS, 1, t->line);
    hl_rect in = rect_inset(r, 10, 6);
    for (int k = 0; k < 5; k++) {
        hl_rect b = rect_cut_left(&in, 28);
        bool hot = ui_hovered(p->u, ids[k]);
        if (hot)
            dl_fill(p->c->dl, b, UI_RADIUS, t->chip);
        icon(p->u, b, k, p->m->playing, hot || k == 2 ? t->accent : t->chip_ink);
        ui_hit(p->u, b, UI_RADIUS, DL_CURSOR_HAND, ids[k], tips[k]);
        rect_cut_left(&in, 2);
    }
    rect_cut_left(&in, 8);
    memory_step_text(p, p->at.step, text, sizeof text);
    bool narrow = in.w < 300;
    const char *what = strstr(text, " · ");
    if (narrow && what != NULL)
        snprintf(brief, sizeof brief, "%d/%d%s", p->at.step + 1, p->run.n_steps, what);
    char *bits = strstr(brief, " wrong bit");
    if (bits != NULL)
        bits[strlen(" wrong")] = 0;
    ui_label(p->u, rect_cut_right(&in, narrow ? in.w - 56 : fminf(250, in.w * 0.6f)), DL_FONT_UI,
             t->body, DL_RIGHT, memory_wrong(&p->run, p->at.step) > 0 ? t->error : t->ink,
             narrow ? brief : text);
    rect_cut_right(&in, 14);
    float place = p->run.n_steps > 1 ? (float)p->at.step / (float)(p->run.n_steps - 1) : 0;
    memory_track(p->u, in, "slide:step", place, true, "Step by step (Alt+← →)");
}

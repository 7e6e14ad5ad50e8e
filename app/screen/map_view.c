#include "screen/map_view.h"

#include <math.h>
#include <stdio.h>

#include "base/span.h"

enum { TABLE_ROW_H = 20, TABLE_COL_W = 64, TABLE_LABEL_W = 96, TAPE_LABEL_W = 88 };

static bool
kinds(const struct hl_record *r, const struct hl_map *m, enum hl_axis_kind q, enum hl_axis_kind k)
{
    return r->axes[m->q_axis].kind == q && r->axes[m->k_axis].kind == k;
}

/* ---- tokens looking at tokens ---- */

static bool
words_and_words(const struct hl_record *r, const struct hl_map *m)
{
    return kinds(r, m, HL_AXIS_TOKENS, HL_AXIS_TOKENS) && hl_map_is(m, HL_STAGE_WEIGHTS);
}

static void
with_legend(struct ui *u, hl_rect *r, const struct map_shown *m)
{
    hl_rect legend = rect_cut_bottom(r, 44);
    rect_cut_bottom(r, 8);
    view_legend(u, rect_make(legend.x + 12, legend.y + 10, legend.w - 12, 34), &m->pic->v);
}

static void
draw_matrix(struct ui *u, hl_rect r, const struct map_shown *m)
{
    with_legend(u, &r, m);
    view_matrix(u, r, &m->pic->v);
}

static void
draw_lines(struct ui *u, hl_rect r, const struct map_shown *m)
{
    with_legend(u, &r, m);
    view_lines(u, r, &m->pic->v, true);
}

static void
draw_shading(struct ui *u, hl_rect r, const struct map_shown *m)
{
    with_legend(u, &r, m);
    view_shading(u, r, &m->pic->v, "Click a word: the others are tinted by what it looks at.");
}

static void
draw_bars(struct ui *u, hl_rect r, const struct map_shown *m)
{
    attention_inspector(u, r, m->pic, (int)(r.h / 23) - 2);
}

/* ---- every layer and head ---- */

static bool
several_heads(const struct hl_record *r, const struct hl_map *m)
{
    return words_and_words(r, m) && m->n_layers * m->n_heads > 1;
}

static void
draw_sheet(struct ui *u, hl_rect r, const struct map_shown *m)
{
    const struct view_sheet b = { .map = m->map,
                                  .rows = m->pic->v.rows,
                                  .cols = m->pic->v.cols,
                                  .key = "map",
                                  .title = m->map->name,
                                  .layer = m->layer,
                                  .head = m->head,
                                  .log_scale = m->s->show.log_scale,
                                  .lock = m->s->show.lock };
    view_sheet(u, r, &b, view_sheet_tile(&b, 1, r.w, r.h, 128));
}

/* ---- other axes ---- */

/* Weights of layer and head, or scores as they are; the mean over heads is taken here. */
static float
number(const struct map_shown *m, int q, int k)
{
    double sum = 0;
    if (m->head >= 0)
        return hl_map_row(m->map, m->layer, m->head, q)[k];
    for (int h = 0; h < m->map->n_heads; h++)
        sum += (double)hl_map_row(m->map, m->layer, h, q)[k];
    return (float)(sum / m->map->n_heads);
}

static bool
steps_and_slots(const struct hl_record *r, const struct hl_map *m)
{
    return kinds(r, m, HL_AXIS_STEPS, HL_AXIS_SLOTS) && m->rule != HL_RULE_SCORES;
}

/* Slots downwards, steps to the right. */
static void
draw_tape(struct ui *u, hl_rect r, const struct map_shown *m)
{
    int rows = m->map->n_k, cols = m->map->n_q;
    bool is_signed = m->map->rule == HL_RULE_COSINES;
    uint8_t *cells = hl_arena_new(u->frame, (size_t)rows * (size_t)cols + 1, uint8_t);
    char sub[48];
    if (cells == NULL)
        return;
    for (int k = 0; k < rows; k++) {
        for (int q = 0; q < cols; q++) {
            double v = (double)number(m, q, k);
            double t = is_signed ? (v + 1) / 2 : v;
            cells[(size_t)k * (size_t)cols + (size_t)q] = (uint8_t)(t * 254 + 0.5);
        }
    }
    snprintf(sub, sizeof sub, "%d × %d", rows, cols);
    const struct view_tape tape = { .id = "~tape",
                                    .title = m->record->axes[m->map->k_axis].title,
                                    .sub = sub,
                                    .label_w = TAPE_LABEL_W,
                                    .rows = rows,
                                    .cols = cols,
                                    .cells = cells,
                                    .map = is_signed ? DL_MAP_SIGNED : DL_MAP_WEIGHT };
    view_tape(u, r, &tape);
}

static bool
places_and_places(const struct hl_record *r, const struct hl_map *m)
{
    const struct hl_axis *a = &r->axes[m->q_axis];
    return kinds(r, m, HL_AXIS_GRID, HL_AXIS_GRID) && m->q_axis == m->k_axis &&
           m->rule == HL_RULE_WEIGHTS && a->grid_h == a->grid_w;
}

static void
draw_places(struct ui *u, hl_rect r, const struct map_shown *m)
{
    int grid = m->record->axes[m->map->q_axis].grid_w;
    const struct view_places v = { .grid = grid,
                                   .w = hl_map_row(m->map, m->layer, m->head < 0 ? 0 : m->head, 0),
                                   .looked_at = m->s->show.looked_at,
                                   .log_scale = m->s->show.log_scale,
                                   .hot = -1 };
    ui_label(u, rect_cut_bottom(&r, 20), DL_FONT_UI, u->theme->small, DL_LEFT, u->theme->quiet,
             "a tile is where one place looks, each up to its own largest");
    float side = view_places_size(u, fminf(r.w, r.h), grid);
    view_places(u, rect_make(r.x, r.y, side, side), &v);
}

/* ---- plain numbers, of any map ---- */

static bool
any_axes(const struct hl_record *r, const struct hl_map *m)
{
    (void)r;
    return m->n_q > 0 && m->n_k > 0;
}

static const char *
place_name(const struct hl_axis *a, int i, char *buf, size_t buf_sz)
{
    if (a->kind == HL_AXIS_TOKENS)
        return a->tokens[i].label;
    if (a->kind == HL_AXIS_GRID)
        snprintf(buf, buf_sz, "%d, %d", i / a->grid_w + 1, i % a->grid_w + 1);
    else
        snprintf(buf, buf_sz, "%d", i + 1);
    return buf;
}

/* As many rows and columns as there is room for; the last line says what is left out. */
static void
draw_table(struct ui *u, hl_rect r, const struct map_shown *m)
{
    const struct hl_theme *t = u->theme;
    const struct hl_axis *qa = &m->record->axes[m->map->q_axis];
    const struct hl_axis *ka = &m->record->axes[m->map->k_axis];
    hl_rect foot = rect_cut_bottom(&r, TABLE_ROW_H);
    int rows = (int)((r.h - TABLE_ROW_H) / TABLE_ROW_H);
    int cols = (int)((r.w - TABLE_LABEL_W) / TABLE_COL_W);
    char name[32], num[32], rest[96];
    rows = rows < m->map->n_q ? rows : m->map->n_q;
    cols = cols < m->map->n_k ? cols : m->map->n_k;
    for (int k = 0; k < cols; k++)
        ui_label(u,
                 rect_make(r.x + TABLE_LABEL_W + TABLE_COL_W * (float)k, r.y, TABLE_COL_W - 6,
                           TABLE_ROW_H),
                 DL_FONT_UI, t->small, DL_RIGHT, t->quiet, place_name(ka, k, name, sizeof name));
    for (int q = 0; q < rows; q++) {
        float y = r.y + TABLE_ROW_H * (float)(q + 1);
        ui_label(u, rect_make(r.x, y, TABLE_LABEL_W - 8, TABLE_ROW_H), DL_FONT_UI_MEDIUM, t->small,
                 DL_RIGHT, t->ink, place_name(qa, q, name, sizeof name));
        for (int k = 0; k < cols; k++) {
            double v = (double)number(m, q, k);
            ui_label(u,
                     rect_make(r.x + TABLE_LABEL_W + TABLE_COL_W * (float)k, y, TABLE_COL_W - 6,
                               TABLE_ROW_H),
                     DL_FONT_MONO, t->small, DL_RIGHT, isinf(v) || v == 0 ? t->quiet : t->ink,
                     isinf(v) ? "−∞" : hl_fmt_fixed(num, sizeof num, v, 4));
        }
    }
    if (rows < m->map->n_q || cols < m->map->n_k) {
        snprintf(rest, sizeof rest, "%d of %d rows, %d of %d columns; all of them: headlight dump",
                 rows, m->map->n_q, cols, m->map->n_k);
        ui_label(u, foot, DL_FONT_UI, t->small, DL_LEFT, t->quiet, rest);
    }
}

/* A view is one line; the first that suits is shown at first. */
const struct map_view map_views[] = {
    { "matrix", "Matrix", words_and_words, draw_matrix, true },
    { "lines", "Lines", words_and_words, draw_lines, true },
    { "shading", "Shading", words_and_words, draw_shading, true },
    { "bars", "Bars", words_and_words, draw_bars, true },
    { "heads", "All heads", several_heads, draw_sheet, true },
    { "tape", "Tape", steps_and_slots, draw_tape, false },
    { "places", "Places", places_and_places, draw_places, false },
    { "numbers", "Numbers", any_axes, draw_table, false },
};
const int n_map_views = (int)(sizeof map_views / sizeof *map_views);

int
map_view_fit(const struct hl_record *r, const struct hl_map *m, int wanted)
{
    if (wanted >= 0 && wanted < n_map_views && map_views[wanted].suits(r, m))
        return wanted;
    int i = 0;
    while (i < n_map_views - 1 && !map_views[i].suits(r, m))
        i++;
    return i;
}

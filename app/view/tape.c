#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a step is from "nothing" on its map. */
static int
loudness(enum dl_map map, uint8_t step)
{
    if (step == DL_MASKED)
        return -1;
    return map == DL_MAP_SIGNED ? abs((int)step - 127) : (int)step;
}

static void
pool(const struct view_tape *v, int rows, int cols, uint8_t *out)
{
    memset(out, DL_MASKED, (size_t)rows * (size_t)cols);
    for (int i = 0; i < v->rows; i++) {
        for (int j = 0; j < v->cols; j++) {
            uint8_t step = v->cells[(size_t)i * (size_t)v->cols + (size_t)j];
            uint8_t *to =
                &out[(size_t)(i * rows / v->rows) * (size_t)cols + (size_t)(j * cols / v->cols)];
            if (loudness(v->map, step) > loudness(v->map, *to))
                *to = step;
        }
    }
}

static void
cells(struct ui *u, hl_rect r, const struct view_tape *v)
{
    float w = r.w / (float)v->cols, h = r.h / (float)v->rows;
    float gap = w >= 5 && h >= 4 ? 1 : 0, radius = w >= 8 && h >= 8 ? 1.5f : 0;
    int rows = h < 1 ? (int)fmaxf(1, floorf(r.h)) : v->rows;
    int cols = w < 1 ? (int)fmaxf(1, floorf(r.w)) : v->cols;
    uint8_t *p = dl_heat(u->dl, r, rows, cols, gap, radius, v->map, u->theme->dark, NULL);
    if (p == NULL)
        return;
    if (rows == v->rows && cols == v->cols)
        memcpy(p, v->cells, (size_t)rows * (size_t)cols);
    else
        pool(v, rows, cols, p);
}

hl_rect
view_tape(struct ui *u, hl_rect r, const struct view_tape *v)
{
    const struct hl_theme *t = u->theme;
    hl_rect label = rect_make(r.x, r.y - 3, v->label_w, 18);
    rect_cut_left(&r, v->label_w);
    ui_label(u, label, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, v->title);
    label.y += 16;
    if (r.h >= 28)
        ui_label(u, label, DL_FONT_UI, t->small, DL_LEFT, v->sub_ink != 0 ? v->sub_ink : t->quiet,
                 v->sub);
    if (v->rows > 0 && v->cols > 0)
        cells(u, r, v);
    dl_hit(u->dl, r, DL_CURSOR_HAND, "%s", v->id);
    return r;
}

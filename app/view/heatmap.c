#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

/* Rows of a matrix and the labels beside them; turned labels stand at 45 degrees. */
struct layout {
    hl_rect cells;
    float cell_w, cell_h;
    float gap, radius;
    float font, label_max;
};

enum { LABEL_MAX = 132, LABEL_SHORT = 84, TURN = 45 };

bool
view_masked(const struct view_attention *v, int row, int col)
{
    if (!v->causal)
        return false;
    const struct hl_group_item *q = &v->rows.items[row];
    return v->cols.items[col].first > q->first + q->n - 1;
}

uint8_t
view_step(const struct view_attention *v, float w)
{
    double t = v->top > 0 ? (double)w / v->top : 0;
    if (v->log_scale)
        t = t > 0 ? 1 + log10(t) / VIEW_DECADES : 0;
    return theme_step(t);
}

const char *
view_weight_text(char *buf, size_t buf_sz, double w, int digits)
{
    return hl_fmt_fixed(buf, buf_sz, w, digits);
}

static float
label_width(struct ui *u, const struct hl_group *g, float size, float limit)
{
    float most = 0;
    for (int i = 0; i < g->n; i++) {
        float w = ui_text_width(u, DL_FONT_UI_MEDIUM, size, g->items[i].label);
        most = w > most ? w : most;
    }
    return most > limit ? limit : ceilf(most);
}

static struct layout
lay_out_with(struct ui *u, hl_rect r, const struct view_attention *v, float font, float limit)
{
    struct layout l = { .font = font, .label_max = limit };
    float left = label_width(u, &v->rows, font, limit) + 10 + 24;
    float slant = label_width(u, &v->cols, font, limit) * 0.71f;
    float top = slant + 12 + 20, right = slant + 8;
    int nr = v->rows.n > 0 ? v->rows.n : 1, nc = v->cols.n > 0 ? v->cols.n : 1;
    float room_w = r.w - left - right, room_h = r.h - top - 4;
    float cell = fminf(room_w / (float)nc, room_h / (float)nr);
    cell = fmaxf(fminf(cell, 56), 0.25f);
    if (cell >= 4)
        cell = floorf(cell);
    l.cell_w = l.cell_h = cell;
    /* Many rows leave width unused: wider cells give their columns legible labels. */
    if (cell < 20 && room_w / (float)nc > cell) {
        l.cell_w = fminf(room_w / (float)nc, cell * 1.75f);
        l.cell_w = l.cell_w >= 4 ? floorf(l.cell_w) : l.cell_w;
    }
    float w = l.cell_w * (float)nc, h = cell * (float)nr;
    l.gap = cell >= 16 ? 2 : cell >= 8 ? 1 : 0;
    l.radius = cell >= 16 ? 2 : 0;
    /* Centred with its labels, but no further right than the labels need. */
    float x = roundf(r.x + left + fmaxf(0, (room_w - w) / 2) * 0.8f);
    float y = roundf(r.y + top + fmaxf(0, fminf((room_h - h) / 2, 24)));
    l.cells = rect_make(x, y, w, h);
    return l;
}

/* Small labels, then short ones, where the usual ones would leave little room. */
static struct layout
lay_out(struct ui *u, hl_rect r, const struct view_attention *v)
{
    struct layout l = lay_out_with(u, r, v, u->theme->body, LABEL_MAX);
    if (l.cell_h < 18)
        l = lay_out_with(u, r, v, u->theme->small, l.cell_h < 12 ? LABEL_SHORT : LABEL_MAX);
    return l;
}

/* Which labels are drawn: marked ones first, then the others from the start where
 * they keep `step` labels' distance from all drawn. */
static bool *
choose_labels(struct ui *u, const struct hl_group *g, const uint8_t *mark, float pitch, float need)
{
    bool *show = hl_arena_new(u->frame, g->n + 1, bool);
    if (show == NULL)
        return NULL;
    int step = pitch >= need ? 1 : (int)ceilf(need / (pitch > 0.01f ? pitch : 0.01f));
    int last = -step;
    for (int pass = 0; pass < 2; pass++) {
        /* hovered before pinned, so that pins never hide what is pointed at */
        for (int i = 0; i < g->n; i++) {
            uint8_t want = pass == 0 ? VIEW_HOT : VIEW_PIN | VIEW_LINK;
            if ((mark[i] & want) == 0)
                continue;
            bool free = true;
            for (int k = i - step + 1; k < i + step; k++)
                free = free && !(k >= 0 && k < g->n && k != i && show[k]);
            show[i] = free || show[i];
        }
    }
    for (int i = 0; i < g->n; i++) {
        if (show[i]) {
            last = i;
            continue;
        }
        bool free = i - last >= step;
        for (int k = i + 1; k < i + step && k < g->n && free; k++)
            free = !show[k];
        if (free) {
            show[i] = true;
            last = i;
        }
    }
    return show;
}

static hl_color
label_color(const struct hl_theme *t, uint8_t mark, bool dim)
{
    if (mark & VIEW_PIN)
        return t->pinned;
    if (mark & VIEW_HOT)
        return t->accent;
    if (mark & VIEW_LINK)
        return t->pinned;
    return dim ? t->quiet : t->ink;
}

static void
row_labels(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    bool *show = choose_labels(u, &v->rows, v->row_mark, l->cell_h, l->font + 1);
    for (int i = 0; show != NULL && i < v->rows.n; i++) {
        const struct hl_group_item *it = &v->rows.items[i];
        float y = l->cells.y + l->cell_h * ((float)i + 0.5f);
        if (!show[i])
            continue;
        hl_rect box = rect_make(l->cells.x - 10 - l->label_max, y - 9, l->label_max, 18);
        float w = ui_label(u, box, v->row_mark[i] ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, l->font,
                           DL_RIGHT, label_color(u->theme, v->row_mark[i], it->special), it->label);
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "row:%d", i);
        float h = fminf(fmaxf(l->cell_h, 14), 24);
        ui_hit(u, rect_make(l->cells.x - 12 - w, y - h / 2, w + 10, h), UI_RADIUS, DL_CURSOR_HAND,
               id, NULL);
    }
}

static void
col_labels(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    float need = (l->font + 0.5f) * 1.42f;
    bool *show = choose_labels(u, &v->cols, v->col_mark, l->cell_w, need);
    float lift = (l->font * 0.36f) * 0.71f;
    for (int i = 0; show != NULL && i < v->cols.n; i++) {
        const struct hl_group_item *it = &v->cols.items[i];
        float x = l->cells.x + l->cell_w * ((float)i + 0.5f), y = l->cells.y - 8;
        if (!show[i])
            continue;
        enum dl_font font = v->col_mark[i] ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM;
        float w = ui_text_width(u, font, l->font, it->label);
        dl_text_ex(u->dl, x + lift, y, font, l->font, DL_LEFT,
                   label_color(u->theme, v->col_mark[i], it->special), TURN,
                   w > l->label_max ? l->label_max : 0, it->label, strlen(it->label));
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "col:%d", i);
        float pitch = fmaxf(l->cell_w, 12);
        ui_hit(u, rect_make(x - pitch / 2, y - 20, pitch, 26), 2, DL_CURSOR_HAND, id, NULL);
        /* The turned word's upper part, so that pointing at it works as well. */
        for (float d = 20; d < fminf(w, l->label_max) * 0.71f; d += 12)
            dl_hit(u->dl, rect_make(x + d - 8, y - d - 8, 16, 16), DL_CURSOR_HAND, "%s", id);
    }
}

static void
titles(struct ui *u, hl_rect r, const struct view_attention *v, const struct layout *l)
{
    const struct hl_theme *t = u->theme;
    float x = l->cells.x + l->cells.w / 2;
    const char *row = v->row_title;
    if (ui_text_width(u, DL_FONT_UI, t->small, row) > l->cells.h + 40)
        row = "query →";
    dl_text(u->dl, roundf(x), r.y + 12, DL_FONT_UI, t->small, DL_CENTER, t->quiet, v->col_title);
    dl_text_ex(u->dl, r.x + 12, roundf(l->cells.y + l->cells.h / 2), DL_FONT_UI, t->small,
               DL_CENTER, t->quiet, 90, 0, row, strlen(row));
}

static void
outline_row(struct ui *u, const struct layout *l, int i, float width, hl_color color)
{
    dl_stroke(u->dl,
              rect_make(l->cells.x - 2, l->cells.y + l->cell_h * (float)i - 1, l->cells.w + 4,
                        l->cell_h + 2),
              4, width, color);
}

static void
outline_col(struct ui *u, const struct layout *l, int j, float width, hl_color color)
{
    dl_stroke(u->dl,
              rect_make(l->cells.x + l->cell_w * (float)j - 1, l->cells.y - 2, l->cell_w + 2,
                        l->cells.h + 4),
              4, width, color);
}

/* Pins as frames, the pointer as a crosshair. On maps from words to themselves a
 * pin frames its row, or its column when "is looked at by" is asked. */
static void
frames(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    const struct hl_theme *t = u->theme;
    if (v->hot_row >= 0)
        outline_row(u, l, v->hot_row, 1, t->accent);
    if (v->hot_col >= 0)
        outline_col(u, l, v->hot_col, 1, t->accent);
    for (int i = 0; i < v->rows.n && !(v->same && v->looked_at); i++) {
        if (v->row_mark[i] & VIEW_PIN)
            outline_row(u, l, i, l->cell_h >= 8 ? 2 : 1, t->pinned);
    }
    for (int j = 0; j < v->cols.n && !(v->same && !v->looked_at); j++) {
        if (v->col_mark[j] & VIEW_PIN)
            outline_col(u, l, j, l->cell_w >= 8 ? 2 : 1, t->pinned);
    }
}

/* Numbers on the cells of marked rows and columns (on all when cells are large). */
static void
numbers(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    const struct hl_theme *t = u->theme;
    if (l->cell_w < 24 || l->cell_h < 16)
        return;
    for (int i = 0; i < v->rows.n; i++) {
        for (int j = 0; j < v->cols.n; j++) {
            float w = v->w[(size_t)i * (size_t)v->cols.n + (size_t)j];
            bool lit = ((v->row_mark[i] & VIEW_PIN) && !(v->same && v->looked_at)) ||
                       ((v->col_mark[j] & VIEW_PIN) && !(v->same && !v->looked_at)) ||
                       (v->hot_row == i && v->hot_col == j);
            if (view_masked(v, i, j) || w < 0.005f || !(lit || (l->cell_w >= 40 && w >= 0.05f)))
                continue;
            char buf[16];
            const char *s = view_weight_text(buf, sizeof buf, (double)w, 2);
            s += l->cell_w < 30 && s[0] == '0' ? 1 : 0;
            if (l->cell_w < 30 && s[0] == '1')
                s = "1.0";
            float size = l->cell_w < 36 ? 10 : t->small;
            hl_color on = theme_map_color(DL_MAP_WEIGHT, t->dark, view_step(v, w));
            float x = l->cells.x + l->cell_w * ((float)j + 0.5f);
            float y = l->cells.y + l->cell_h * (float)i;
            dl_text(u->dl, x, ui_baseline(u, DL_FONT_MONO, size, y, l->cell_h), DL_FONT_MONO, size,
                    DL_CENTER, theme_text_on(on), s);
        }
    }
}

static void
cells(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    /* Below one pixel a cell, several share one: the largest of them shows. */
    int nr = v->rows.n, nc = v->cols.n;
    int pr = l->cell_h < 1 ? (int)fmaxf(1, floorf(l->cells.h)) : nr;
    int pc = l->cell_w < 1 ? (int)fmaxf(1, floorf(l->cells.w)) : nc;
    uint8_t *p =
        dl_heat(u->dl, l->cells, pr, pc, l->gap, l->radius, DL_MAP_WEIGHT, u->theme->dark, NULL);
    if (p == NULL)
        return;
    memset(p, 0, (size_t)pr * (size_t)pc);
    for (int i = 0; i < nr; i++) {
        for (int j = 0; j < nc; j++) {
            uint8_t *cell = &p[(size_t)(i * pr / nr) * (size_t)pc + (size_t)(j * pc / nc)];
            uint8_t s = view_masked(v, i, j)
                            ? DL_MASKED
                            : view_step(v, v->w[(size_t)i * (size_t)nc + (size_t)j]);
            if (*cell == DL_MASKED || (s != DL_MASKED && s >= *cell) || pr * pc == nr * nc)
                *cell = s;
        }
    }
}

/* Special tokens under a veil of the panel's colour: their weights stay what they
 * are, only the eye passes over them. */
static void
veils(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    hl_color veil = (u->theme->panel & 0xFFFFFF00u) | 0xA6;
    for (int i = 0; i < v->rows.n; i++) {
        if (v->rows.items[i].dim)
            dl_fill(u->dl,
                    rect_make(l->cells.x, l->cells.y + l->cell_h * (float)i, l->cells.w, l->cell_h),
                    0, veil);
    }
    for (int j = 0; j < v->cols.n; j++) {
        if (v->cols.items[j].dim)
            dl_fill(u->dl,
                    rect_make(l->cells.x + l->cell_w * (float)j, l->cells.y, l->cell_w, l->cells.h),
                    0, veil);
    }
}

/* Value of the hovered cell, in words, beside it. */
static void
readout(struct ui *u, const struct view_attention *v, const struct layout *l)
{
    int i = v->hot_row, j = v->hot_col;
    if (i < 0 || j < 0)
        return;
    char buf[32];
    if (view_masked(v, i, j))
        snprintf(buf, sizeof buf, "masked");
    else
        view_weight_text(buf, sizeof buf, (double)v->w[(size_t)i * (size_t)v->cols.n + (size_t)j],
                         4);
    snprintf(u->tip, sizeof u->tip, "%.40s looks at %.40s: %s", v->rows.items[i].label,
             v->cols.items[j].label, buf);
    u->tip_at = rect_make(l->cells.x + l->cell_w * (float)j, l->cells.y + l->cell_h * (float)i,
                          l->cell_w, l->cell_h);
}

void
view_matrix(struct ui *u, hl_rect r, const struct view_attention *v)
{
    if (v->rows.n == 0 || v->cols.n == 0)
        return;
    struct layout l = lay_out(u, r, v);
    cells(u, v, &l);
    veils(u, v, &l);
    titles(u, r, v, &l);
    row_labels(u, v, &l);
    col_labels(u, v, &l);
    frames(u, v, &l);
    numbers(u, v, &l);
    readout(u, v, &l);
    dl_hit(u->dl, l.cells, DL_CURSOR_HAND, "~heat:%d:%d", v->rows.n, v->cols.n);
}

void
view_legend(struct ui *u, hl_rect r, const struct view_attention *v)
{
    const struct hl_theme *t = u->theme;
    float w = fminf(192, r.w * 0.38f), x = r.x;
    uint8_t steps[64];
    for (int i = 0; i < 64; i++)
        steps[i] = theme_step((double)i / 63);
    dl_heat(u->dl, rect_make(x, r.y, w, 8), 1, 64, 0, 0, DL_MAP_WEIGHT, t->dark, steps);
    dl_stroke(u->dl, rect_make(x - 1, r.y - 1, w + 2, 10), 1, 1, t->line);
    for (int i = 0; i < 3; i++) {
        char buf[32];
        double f = v->log_scale ? v->top * pow(10, -VIEW_DECADES * (1 - i / 2.0)) : v->top * i / 2;
        int digits = v->log_scale ? (i == 0 ? 4 : 2) : v->top >= 0.995 ? 1 : 3;
        hl_fmt_fixed(buf, sizeof buf, f, digits);
        if (!v->log_scale && i == 0)
            snprintf(buf, sizeof buf, "0");
        else if (v->top > 0.9995 && i == 2)
            snprintf(buf, sizeof buf, "1");
        dl_text(u->dl, roundf(x + w * (float)i / 2), r.y + 22, DL_FONT_MONO, t->small,
                i == 0   ? DL_LEFT
                : i == 1 ? DL_CENTER
                         : DL_RIGHT,
                t->quiet, buf);
    }
    if (v->hot_row >= 0 && v->hot_col >= 0 && !view_masked(v, v->hot_row, v->hot_col)) {
        float at = v->w[(size_t)v->hot_row * (size_t)v->cols.n + (size_t)v->hot_col];
        float mx = x + w * (float)view_step(v, at) / 254;
        float tri[6] = { mx - 4, r.y - 6, mx + 4, r.y - 6, mx, r.y };
        dl_poly(u->dl, tri, 3, t->accent);
    }
    float nx = x + w + 20;
    ui_paragraph(u, rect_make(nx, r.y - 4, r.x + r.w - nx, 36), DL_FONT_UI, t->small, t->quiet,
                 v->note, true);
}

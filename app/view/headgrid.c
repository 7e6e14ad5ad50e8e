#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_W = 16, TITLE_H = 20, BLOCK_GAP = 16, MEAN_GAP = 6 };

static int
pooled(int n)
{
    return n > VIEW_POOL ? VIEW_POOL : n;
}

/* Largest of the grouped weights that fall on each of pr x pc cells. */
static void
pool_groups(const float *w, int nr, int nc, int pr, int pc, float *out)
{
    memset(out, 0, (size_t)pr * (size_t)pc * sizeof *out);
    for (int i = 0; i < nr; i++) {
        float *row = out + (size_t)(i * pr / nr) * (size_t)pc;
        for (int j = 0; j < nc; j++) {
            float x = w[(size_t)i * (size_t)nc + (size_t)j];
            float *cell = row + j * pc / nc;
            *cell = x > *cell ? x : *cell;
        }
    }
}

void
view_tile(struct ui *u, hl_rect r, const struct view_attention *v)
{
    int nr = v->rows.n, nc = v->cols.n, pr = pooled(nr), pc = pooled(nc);
    float *w = hl_arena_floats(u->frame, (size_t)pr * (size_t)pc + 1);
    if (nr == 0 || nc == 0 || w == NULL)
        return;
    pool_groups(v->w, nr, nc, pr, pc, w);
    uint8_t *p = dl_heat(u->dl, r, pr, pc, 0, 0, DL_MAP_WEIGHT, u->theme->dark, NULL);
    for (int i = 0; p != NULL && i < pr * pc; i++)
        p[i] = view_step(v, w[i]);
    for (int i = 0; p != NULL && v->causal && nr == pr && nc == pc && i < nr; i++) {
        for (int j = 0; j < nc; j++) {
            if (view_masked(v, i, j))
                p[i * pc + j] = DL_MASKED;
        }
    }
    dl_stroke(u->dl, rect_inset(r, -1, -1), 2, 1, u->theme->line);
}

/* ---- the contact sheet ---- */

struct view_size
view_sheet_tile(const struct view_sheet *blocks, int n, float w, float h, float most)
{
    float fixed = 0;
    int layers = 0, heads = 1;
    for (int i = 0; i < n; i++) {
        if (blocks[i].map == NULL)
            continue;
        fixed += TITLE_H + BLOCK_GAP;
        layers += blocks[i].map->n_layers;
        heads = blocks[i].map->n_heads > heads ? blocks[i].map->n_heads : heads;
    }
    float by_w = fminf((w - LABEL_W - MEAN_GAP) / (float)(heads + 1), most);
    float by_h = layers > 0 ? (h - fixed + BLOCK_GAP) / (float)layers : by_w;
    struct view_size t = { fminf(by_w, by_h), fminf(by_h, by_w * 1.3f) };
    t.w = fmaxf(t.w >= 12 ? floorf(t.w) : t.w, 4);
    t.h = fmaxf(t.h >= 12 ? floorf(t.h) : t.h, 4);
    return t;
}

/* Weights of one head for its tile; head -1 is the mean. */
static float *
tile_weights(struct ui *u, const struct view_sheet *b, int layer, int head)
{
    float *w = hl_arena_floats(u->frame, (size_t)b->rows.n * (size_t)b->cols.n + 1);
    if (w != NULL)
        hl_group_weights(b->map, layer, head, &b->rows, &b->cols, false, w);
    return w;
}

/* Each head's most[h][k] becomes the larger of itself and what query q gives key k; the
 * last is of the mean over the heads. */
static void
raise_to_rows(const struct hl_map *m, int layer, int q, float *mean, float *most)
{
    size_t n_k = (size_t)m->n_k;
    memset(mean, 0, n_k * sizeof *mean);
    for (int h = 0; h < m->n_heads; h++) {
        const float *row = hl_map_row(m, layer, h, q);
        float *to = most + (size_t)h * n_k;
        for (size_t k = 0; k < n_k; k++) {
            to[k] = row[k] > to[k] ? row[k] : to[k];
            mean[k] += row[k];
        }
    }
    float *to = most + (size_t)m->n_heads * n_k;
    for (size_t k = 0; k < n_k; k++) {
        float x = mean[k] / (float)m->n_heads;
        to[k] = x > to[k] ? x : to[k];
    }
}

/* Long texts: the largest single weight of the tokens under each cell, straight from the
 * map, since grouping every head first would take longer than a frame. All heads of a
 * layer and their mean (the last) in one pass, as reading them is what takes the time;
 * the rows of a line of cells are joined key by key first. Returns [heads + 1, pr, pc]. */
static float *
pooled_layer(struct ui *u, const struct view_sheet *b, int layer, int pr, int pc)
{
    const struct hl_map *m = b->map;
    size_t n_k = (size_t)m->n_k, tile = (size_t)pr * (size_t)pc;
    int H = m->n_heads, n_q = m->n_q < b->rows.axis->n ? m->n_q : b->rows.axis->n;
    float *w = hl_arena_floats(u->frame, tile * (size_t)(H + 1) + 1);
    float *most = hl_arena_floats(u->frame, n_k * (size_t)(H + 1) + 1);
    float *mean = hl_arena_floats(u->frame, n_k + 1);
    if (w == NULL || most == NULL || mean == NULL)
        return NULL;
    for (int line = 0, q = 0; line < pr; line++) {
        memset(most, 0, n_k * (size_t)(H + 1) * sizeof *most);
        for (; q < n_q; q++) {
            int of = b->rows.of_token[q];
            if (of >= 0 && of * pr / b->rows.n > line)
                break;
            if (of >= 0)
                raise_to_rows(m, layer, q, mean, most);
        }
        for (int h = 0; h <= H; h++) {
            const float *from = most + (size_t)h * n_k;
            for (int k = 0; k < m->n_k; k++) {
                int of = b->cols.of_token[k];
                float *cell =
                    of >= 0 ? w + (size_t)h * tile + line * pc + of * pc / b->cols.n : NULL;
                if (cell != NULL && from[k] > *cell)
                    *cell = from[k];
            }
        }
    }
    return w;
}

/* The tile of one head (-1: the mean); `pool` its pooled weights, NULL for a short text. */
static void
sheet_tile(struct ui *u, hl_rect r, const struct view_sheet *b, int layer, int head, float *pool)
{
    struct hl_arena_mark mark = hl_arena_mark(u->frame);
    struct view_attention v = { .rows = b->rows,
                                .cols = b->cols,
                                .causal = b->map->causal,
                                .log_scale = b->log_scale,
                                .top = 1 };
    if (pool != NULL) {
        v.rows.n = pooled(b->rows.n);
        v.cols.n = pooled(b->cols.n);
        v.causal = false; /* a cell may hold masked and free places */
    }
    v.w = pool != NULL ? pool : tile_weights(u, b, layer, head);
    if (v.w == NULL)
        return;
    if (!b->lock) {
        v.top = 0;
        for (int i = 0; i < v.rows.n * v.cols.n; i++)
            v.top = (double)v.w[i] > v.top ? (double)v.w[i] : v.top;
    }
    view_tile(u, rect_inset(r, 1, 1), &v);
    hl_arena_rewind(u->frame, mark);
    char id[UI_ID_SZ], tip[UI_TIP_SZ];
    snprintf(id, sizeof id, "head:%s:%d:%d", b->key, layer, head);
    if (head < 0)
        snprintf(tip, sizeof tip, "%s, layer %d, mean over its heads", b->title, layer + 1);
    else
        snprintf(tip, sizeof tip, "%s, layer %d, head %d", b->title, layer + 1, head + 1);
    bool chosen = layer == b->layer && head == b->head;
    if (!chosen && ui_hovered(u, id))
        dl_stroke(u->dl, rect_inset(r, -1, -1), 3, 1, u->theme->accent);
    ui_hit(u, r, 3, DL_CURSOR_HAND, id, tip);
}

float
view_sheet(struct ui *u, hl_rect r, const struct view_sheet *b, struct view_size tile)
{
    const struct hl_theme *t = u->theme;
    if (b->map == NULL || b->rows.n == 0 || b->cols.n == 0)
        return 0;
    ui_label(u, rect_make(r.x, r.y - 2, r.w, TITLE_H), DL_FONT_UI_MEDIUM, t->body, DL_LEFT,
             b->layer >= 0 ? t->ink : t->quiet, b->title);
    float x0 = r.x + LABEL_W, y0 = r.y + TITLE_H;
    float mean_x = x0 + tile.w * (float)b->map->n_heads + MEAN_GAP;
    float tw = ui_text_width(u, DL_FONT_UI_MEDIUM, t->body, b->title);
    if (r.x + tw + 4 < mean_x - 4)
        ui_label(u, rect_make(mean_x - 8, r.y - 2, tile.w + 16, TITLE_H), DL_FONT_UI, t->small,
                 DL_CENTER, t->quiet, "mean");
    for (int l = 0; l < b->map->n_layers; l++) {
        char number[16];
        snprintf(number, sizeof number, "%d", l + 1);
        float y = y0 + tile.h * (float)l;
        if (tile.h >= 10)
            ui_label(u, rect_make(r.x, y, LABEL_W - 6, tile.h), DL_FONT_MONO, t->small, DL_LEFT,
                     t->quiet, number);
        struct hl_arena_mark mark = hl_arena_mark(u->frame);
        int H = b->map->n_heads, pr = pooled(b->rows.n), pc = pooled(b->cols.n);
        bool pool = b->rows.n > VIEW_POOL || b->cols.n > VIEW_POOL;
        float *w = pool ? pooled_layer(u, b, l, pr, pc) : NULL;
        for (int h = 0; h <= H && (w != NULL || !pool); h++) {
            hl_rect at = rect_make(h < H ? x0 + tile.w * (float)h : mean_x, y, tile.w, tile.h);
            sheet_tile(u, at, b, l, h < H ? h : -1,
                       w != NULL ? w + (size_t)h * (size_t)pr * (size_t)pc : NULL);
        }
        hl_arena_rewind(u->frame, mark);
    }
    if (b->layer >= 0 && b->head >= -1) {
        float x = b->head < 0 ? mean_x : x0 + tile.w * (float)b->head;
        hl_rect box = rect_make(x, y0 + tile.h * (float)b->layer, tile.w, tile.h);
        dl_stroke(u->dl, rect_inset(box, -1, -1), 4, 2, t->pinned);
    }
    return TITLE_H + tile.h * (float)b->map->n_layers + BLOCK_GAP;
}

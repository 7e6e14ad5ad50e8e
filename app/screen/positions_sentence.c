/* What the first encoder layer receives for each typed token: the token's embedding
 * plus the row of its place. All numbers are the model's own. */
#include "screen/positions_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot_curves.h"

enum { PARTS = 3 };

/* Three tables of one shape: embedding, position, sum. */
struct sum {
    const struct hl_axis *axis;
    const float *part[PARTS]; /* [n, d] each */
    int n, d;                 /* shown tokens, width */
    double top;               /* largest size of all numbers shown */
    double off;               /* largest |embedding + position - sum| */
};

static const char *const part_names[PARTS] = { "embedding", "position", "sum" };
static const char *const part_keys[PARTS] = { "~sum:embedding", "~sum:position", "~sum:sum" };

static bool
find_sum(const struct screen_ctx *c, const struct hl_record *r, int most, struct sum *s)
{
    const struct hl_vectors *e = hl_record_find_vectors(r, "embedding");
    const struct hl_vectors *x = hl_record_find_vectors(r, "encoder.state");
    memset(s, 0, sizeof *s);
    s->axis = hl_record_find_axis(r, "source");
    if (s->axis == NULL || s->axis->tokens == NULL || e == NULL || x == NULL || e->n != x->n ||
        e->width != x->width || e->n < 1)
        return false;
    s->d = e->width;
    s->n = e->n < most ? e->n : most;
    size_t count = (size_t)s->n * (size_t)s->d;
    float *pos = hl_arena_floats(c->frame, count);
    if (pos == NULL)
        return false;
    hl_posenc_rows(HL_POSENC_HALVES, HL_POSENC_PAPER, 0, s->n, s->d, pos, s->d);
    s->part[0] = e->data;
    s->part[1] = pos;
    s->part[2] = x->data;
    s->top = 1;
    for (size_t i = 0; i < count; i++) {
        double off = fabs((double)e->data[i] + (double)pos[i] - (double)x->data[i]);
        double a = fabs((double)x->data[i]), b = fabs((double)e->data[i]);
        s->off = off > s->off ? off : s->off;
        s->top = a > s->top ? a : s->top;
        s->top = b > s->top ? b : s->top;
    }
    return true;
}

static hl_rect
strip(const struct screen_ctx *c, const struct sum *s, int part, hl_rect r)
{
    const struct hl_theme *t = c->theme;
    uint8_t *cells = dl_heat(c->dl, r, s->n, s->d, 0, 0, DL_MAP_SIGNED, t->dark, NULL);
    for (int i = 0; i < s->n * s->d && cells != NULL; i++)
        cells[i] = theme_step(0.5 + (double)s->part[part][i] / s->top / 2);
    ui_hit(c->ui, r, 2, DL_CURSOR_HAND, part_keys[part], NULL);
    return r;
}

static void
labels(const struct screen_ctx *c, const struct sum *s, hl_rect r, float h, int hot)
{
    const struct hl_theme *t = c->theme;
    for (int i = 0; i < s->n; i++) {
        hl_rect line = rect_make(r.x, r.y + h * (float)i, r.w, h);
        bool pinned = i == positions_of(c->state)->token;
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "token:%d", i);
        if (pinned)
            dl_fill(c->dl, rect_inset(line, 0, 1), 4, t->pinned_soft);
        ui_label(c->ui, rect_make(line.x + 30, line.y, line.w - 38, h), DL_FONT_UI_MEDIUM,
                 h < 15 ? t->small - 1 : t->body, DL_LEFT,
                 pinned     ? t->pinned_ink
                 : i == hot ? t->accent
                            : t->ink,
                 s->axis->tokens[i].label);
        char n[16];
        snprintf(n, sizeof n, "%d", i);
        ui_label(c->ui, rect_make(line.x, line.y, 24, h), DL_FONT_MONO, t->small, DL_RIGHT,
                 t->quiet, n);
        ui_hit(c->ui, line, 4, DL_CURSOR_HAND, id, "Keep this token's row");
    }
}

/* "tired, dimension 17: 0.4123 − 0.9614 = −0.5491" */
static void
readout(const struct screen_ctx *c, const struct sum *s, hl_rect r, int row, int col)
{
    const struct hl_theme *t = c->theme;
    char text[160], n[PARTS][24];
    if (row < 0) {
        ui_label(c->ui, r, DL_FONT_UI, t->body, DL_LEFT, t->quiet,
                 "Point at a cell to see its sum. The last picture is what the first layer "
                 "receives.");
        return;
    }
    for (int k = 0; k < PARTS; k++)
        positions_number(n[k], sizeof n[k], (double)s->part[k][row * s->d + col], 4);
    snprintf(text, sizeof text, "%.40s, dimension %d:", s->axis->tokens[row].label, col);
    float w = ui_label(c->ui, r, DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink, text);
    bool minus = s->part[1][row * s->d + col] < 0 && n[1][0] != '0';
    snprintf(text, sizeof text, "%s %s %s = %s", n[0], minus ? "−" : "+",
             minus ? n[1] + strlen("−") : n[1], n[2]);
    ui_label(c->ui, rect_make(r.x + w + 12, r.y, r.w - w - 12, r.h), DL_FONT_MONO, t->body, DL_LEFT,
             t->pinned_ink, text);
}

struct row_curve {
    const float *v;
};

static double
row_value(void *user, double x)
{
    const struct row_curve *r = user;
    return (double)r->v[(int)(x + 0.5)];
}

/* One token's three rows as curves over the dimensions. */
static void
row_curves(const struct screen_ctx *c, hl_rect r, const struct sum *s, int row)
{
    const struct hl_theme *t = c->theme;
    const hl_color ink[PARTS] = { theme_mix(t->quiet, t->panel, 0.55f), t->pinned, t->accent };
    const float width[PARTS] = { 1, 2, 1 };
    double top = ceil(s->top);
    struct plot_axes a = { rect_make(r.x + 44, r.y + 26, r.w - 52, r.h - 60), 0, s->d - 1, -top,
                           top };
    char title[96];
    snprintf(title, sizeof title, "the row of “%.40s”, place %d:", s->axis->tokens[row].label, row);
    float x = r.x +
              ui_label(c->ui, rect_make(r.x, r.y, r.w, 18), DL_FONT_UI_MEDIUM, t->body, DL_LEFT,
                       t->ink, title) +
              16;
    for (int k = 0; k < PARTS; k++) {
        dl_fill(c->dl, rect_make(x, r.y + 8, 14, 3), 1.5f, ink[k]);
        x += 20 +
             ui_label(c->ui, rect_make(x + 20, r.y, 90, 18), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
                      part_names[k]) +
             16;
    }
    plot_frame(c->ui, &a, "dimension");
    static const int order[PARTS] = { 0, 2, 1 };
    for (int i = 0; i < PARTS; i++) {
        struct row_curve f = { s->part[order[i]] + (size_t)row * (size_t)s->d };
        plot_curve(c->ui, &a, row_value, &f, s->d - 1, width[order[i]], ink[order[i]]);
    }
}

static void
picture(const struct screen_ctx *c, hl_rect in, const struct sum *s, float h)
{
    const struct hl_theme *t = c->theme;
    static const char *const signs[PARTS] = { "", "+", "=" };
    float label_w = 132, gap = 36;
    float w = floorf((in.w - label_w - 2 * gap) / PARTS);
    hl_rect grid[PARTS];
    int row = -1, col = -1;
    hl_rect head = rect_cut_top(&in, 22);
    for (int k = 0; k < PARTS; k++) {
        float x = in.x + label_w + (w + gap) * (float)k;
        grid[k] = rect_make(x, in.y, w, roundf(h * (float)s->n));
        ui_label(c->ui, rect_make(x, head.y, w, 20), DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink,
                 part_names[k]);
        ui_label(c->ui, rect_make(x - gap, in.y, gap, grid[k].h), DL_FONT_UI_MEDIUM, t->large,
                 DL_CENTER, t->quiet, signs[k]);
        strip(c, s, k, grid[k]);
        int r2, c2;
        if (positions_cell_at(c->state, part_keys[k], grid[k], s->n, s->d, &r2, &c2)) {
            row = r2;
            col = c2;
        }
    }
    int mark = row >= 0                               ? row
               : positions_of(c->state)->token < s->n ? positions_of(c->state)->token
                                                      : -1;
    for (int k = 0; k < PARTS; k++) {
        positions_col_labels(c->ui, grid[k], s->d, col);
        hl_rect line = rect_make(grid[k].x, grid[k].y + h * (float)mark, w, h);
        if (mark >= 0)
            dl_stroke(c->dl, rect_inset(line, -2, -1), 3, 1.5f, row >= 0 ? t->accent : t->pinned);
        if (row >= 0)
            dl_fill(c->dl,
                    rect_make(grid[k].x + w * ((float)col + 0.5f) / (float)s->d, grid[k].y, 1,
                              grid[k].h),
                    0, t->accent);
    }
    labels(c, s, rect_make(in.x, in.y, label_w - 8, in.h), h, row);
    float low = grid[0].y + grid[0].h + 32, room = in.y + in.h - 28 - low;
    if (room >= 130)
        row_curves(c, rect_make(in.x, low, in.w, room > 240 ? 240 : room), s, mark >= 0 ? mark : 0);
    readout(c, s, rect_make(in.x, in.y + in.h - 24, in.w, 22), row, col);
}

void
positions_sentence(const struct screen_ctx *c, hl_rect r)
{
    const struct hl_record *rec =
        c->state->slots[state_slot(c->state, "positions", POSITIONS_RUN)].record;
    const struct hl_theme *t = c->theme;
    struct sum s;
    char note[160], top_text[24];
    if (state_text(c->state)[0] == 0 || rec == NULL) {
        screen_waiting(c, r, c->state->chosen[HL_CAN_HEADS]);
        return;
    }
    hl_rect in = ui_panel(c->ui, r);
    float room = in.h - 32 - 22 - 24 - 40;
    if (!find_sum(c, rec, (int)(room / 9), &s)) {
        ui_label(c->ui, in, DL_FONT_UI, t->body, DL_CENTER, t->quiet,
                 "This model has no sinusoidal positions to show.");
        return;
    }
    float h = floorf(room / (float)s.n);
    h = h > 34 ? 34 : h < 9 ? 9 : h;
    hl_rect top = rect_cut_top(&in, 32);
    positions_legend(c->ui, rect_cut_right(&top, 144), s.top);
    positions_number(top_text, sizeof top_text, s.top, 1);
    if (s.off < 1e-4)
        snprintf(note, sizeof note,
                 "What the first layer of %s receives, one row per token, %d dimensions%s",
                 rec->model, s.d, s.n < s.axis->n ? "; the first tokens" : "");
    else
        snprintf(note, sizeof note, "%s adds positions of its own, not sinusoids in halves",
                 rec->model);
    ui_label(c->ui, top, DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink, note);
    picture(c, in, &s, h);
}

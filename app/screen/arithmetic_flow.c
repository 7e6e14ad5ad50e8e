/* All steps of a mechanism as a picture that reads from left to right: what is
 * typed, what is made of it, and what is made of that. Columns follow from which
 * step uses which; the style is the largest that fits. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <string.h>

#include "view/plot_formula.h"

enum { MAX_CARDS = HL_MECH_MAX_STEPS, MAX_COLS = 2 * HL_MECH_MAX_STEPS + 3 };

struct card {
    int step, col;
    float x, y, w, h, cell_w;
};

struct layout {
    struct card card[MAX_CARDS]; /* one for each step, in their order */
    int n, n_cols;
    struct arithmetic_style style;
    bool stack;     /* scaled and masked scores below the scores */
    bool downwards; /* all that is made of a row stands below it */
    float head;     /* height of a card's title: two lines, or one */
    float gap, w, h;
};

enum { TWO_LINES = 36, ONE_LINE = 20, LOW_LINE = 17 };

struct fit {
    float size, cell_h, gap, head;
    int decimals;
    bool stack;
};

/* From the most generous; the last one is taken when none fits, and scrolls. */
static const struct fit fits[] = {
    { 18, 36, 48, TWO_LINES, 4, false },   { 16, 32, 44, TWO_LINES, 4, false },
    { 14, 28, 36, TWO_LINES, 4, false },   { 12.5f, 26, 32, TWO_LINES, 4, false },
    { 12.5f, 24, 32, ONE_LINE, 4, false }, { 12.5f, 22, 28, ONE_LINE, 4, false },
    { 11, 20, 28, ONE_LINE, 4, false },    { 11, 20, 18, ONE_LINE, 4, false },
    { 11, 20, 24, ONE_LINE, 4, true },     { 11, 20, 18, ONE_LINE, 3, true },
    { 11, 18, 16, ONE_LINE, 3, true },     { 11, 18, 16, ONE_LINE, 2, true },
    { 10, 15, 16, LOW_LINE, 4, true },     { 10, 15, 14, LOW_LINE, 3, true },
    { 11, 20, 20, ONE_LINE, 4, true },
};
enum { N_FITS = sizeof fits / sizeof fits[0] };

/* ---- which column ---- */

static bool
stacks(const struct layout *l, const struct hl_mech_step *s)
{
    static const enum hl_mech_op turns[] = { HL_MECH_EXP,    HL_MECH_ROW_SUM, HL_MECH_DIVIDE,
                                             HL_MECH_ROTATE, HL_MECH_POWER,   HL_MECH_PUT };
    for (size_t i = 0; l->downwards && i < sizeof turns / sizeof turns[0]; i++) {
        if (s->op == turns[i])
            return true;
    }
    return (l->stack || l->downwards) && (s->op == HL_MECH_SCALE || s->op == HL_MECH_CAUSAL);
}

static void
find_columns(struct layout *l, const struct hl_mech_result *r)
{
    int depth[MAX_CARDS] = { 0 }, col[MAX_CARDS];
    for (int i = 0; i < r->n_steps; i++) {
        const struct hl_mech_step *s = &r->steps[i];
        col[i] = MAX_COLS;
        if (s->role == HL_MECH_ROLE_INPUT)
            continue;
        for (int k = 0; k < 6 && s->operand[k] >= 0; k++) {
            int d = depth[s->operand[k]] + (stacks(l, s) ? 0 : 1);
            depth[i] = d > depth[i] ? d : depth[i];
        }
        col[i] = 2 * depth[i];
        for (int k = 0; k < 6 && s->operand[k] >= 0; k++) {
            int o = s->operand[k];
            /* the first factor comes before the second; a single one right before */
            int want = stacks(l, s) ? col[i] : col[i] - (k == 0 ? 2 : 1);
            if (r->steps[o].role == HL_MECH_ROLE_INPUT && want < col[o])
                col[o] = want;
        }
    }
    /* close the gaps */
    l->n_cols = 0;
    for (int c = -2; c < MAX_COLS; c++) {
        bool used = false;
        for (int i = 0; i < l->n; i++) {
            if (col[i] == c) {
                l->card[i].col = l->n_cols;
                used = true;
            }
        }
        l->n_cols += used;
    }
}

/* ---- where ---- */

/* Height at which a card would like its centre: that of what it is made of. */
static float
wanted_centre(const struct layout *l, const struct hl_mech_result *r, int i)
{
    const struct hl_mech_step *s = &r->steps[i];
    float sum = 0;
    int n = 0, near = -1;
    for (int k = 0; k < 6 && s->operand[k] >= 0; k++) {
        const struct card *o = &l->card[s->operand[k]];
        if (o->col > near && o->col <= l->card[i].col) {
            near = o->col;
            sum = 0;
            n = 0;
        }
        if (o->col == near) {
            sum += o->y + o->h / 2;
            n++;
            if (o->col == l->card[i].col)
                return o->y + o->h + 14 + l->card[i].h / 2;
        }
    }
    return n > 0 ? sum / (float)n : 0;
}

/* An input stands level with what is made of it, once that has its place. */
static float
input_centre(const struct layout *l, const struct hl_mech_result *r, int input)
{
    int near = MAX_COLS, n = 0;
    float sum = 0;
    for (int i = 0; i < l->n; i++) {
        const struct card *c = &l->card[i];
        bool uses = false;
        for (int k = 0; k < 6 && r->steps[i].operand[k] >= 0; k++)
            uses = uses || r->steps[i].operand[k] == input;
        if (!uses || c->col > near)
            continue;
        if (c->col < near) {
            near = c->col;
            sum = 0;
            n = 0;
        }
        sum += c->y + c->h / 2;
        n++;
    }
    return n > 0 ? sum / (float)n : 0;
}

static void
place_column(struct layout *l, const struct hl_mech_result *r, int col, bool again)
{
    int order[MAX_CARDS], n = 0;
    float want[MAX_CARDS], drift = 0, y = -1e9f;
    for (int i = 0; i < l->n; i++) {
        if (l->card[i].col != col)
            continue;
        bool input = r->steps[i].role == HL_MECH_ROLE_INPUT;
        float w = !input ? wanted_centre(l, r, i) : again ? input_centre(l, r, i) : 0;
        l->card[i].y = w - l->card[i].h / 2; /* for what stacks on it */
        int at = n++;
        for (; at > 0 && want[at - 1] > w; at--) {
            want[at] = want[at - 1];
            order[at] = order[at - 1];
        }
        want[at] = w;
        order[at] = i;
    }
    for (int k = 0; k < n; k++) {
        struct card *c = &l->card[order[k]];
        float top = want[k] - c->h / 2;
        c->y = top > y ? top : y;
        y = c->y + c->h + (l->head < ONE_LINE ? 4 : 14);
        drift += c->y + c->h / 2 - want[k];
    }
    for (int k = 0; k < n; k++)
        l->card[order[k]].y -= drift / (float)n;
}

static float
column_middle(const struct layout *l, int col)
{
    float top = 1e9f, bottom = -1e9f;
    for (int i = 0; i < l->n; i++) {
        const struct card *c = &l->card[i];
        if (c->col == col) {
            top = fminf(top, c->y);
            bottom = fmaxf(bottom, c->y + c->h);
        }
    }
    return (top + bottom) / 2;
}

/* A column of rows that turn into one another stands in the middle: it is too long to
 * hang from where its first row came from. */
static void
centre_turns(struct layout *l, const struct hl_mech_result *r, int col)
{
    bool turns = false;
    for (int i = 0; i < l->n; i++)
        turns = turns || (l->card[i].col == col && stacks(l, &r->steps[i]));
    float by = column_middle(l, 0) - column_middle(l, col);
    for (int i = 0; l->downwards && turns && i < l->n; i++) {
        if (l->card[i].col == col)
            l->card[i].y += by;
    }
}

/* Symbol and what stands beside it. */
static float
title_width(struct ui *u, const struct hl_mech_step *s, const char *beside)
{
    float w = plot_formula(u, 0, 0, DL_FONT_UI_BOLD, u->theme->label, 0, s->symbol, false);
    return w + 8 + plot_formula(u, 0, 0, DL_FONT_UI, u->theme->small, 0, beside, false);
}

/* Rows that turn into one another downwards stand cell below cell. */
static void
find_cell_widths(struct ui *u, struct layout *l, const struct hl_mech_result *r)
{
    for (int i = 0; i < l->n; i++)
        l->card[i].cell_w = arithmetic_cell_width(u, &r->steps[i], &l->style);
    for (int i = 0; l->downwards && i < l->n; i++) {
        for (int k = 0; k < i; k++) {
            struct card *a = &l->card[i], *b = &l->card[k];
            if (a->col == b->col && r->steps[i].cols == r->steps[k].cols)
                a->cell_w = b->cell_w = fmaxf(a->cell_w, b->cell_w);
        }
    }
}

static void
place(struct ui *u, struct layout *l, const struct hl_mech_result *r)
{
    float x = 0, top = 1e9f, bottom = -1e9f;
    find_cell_widths(u, l, r);
    for (int i = 0; i < l->n; i++) {
        struct card *c = &l->card[i];
        const struct hl_mech_step *s = &r->steps[i];
        c->step = i;
        float need = title_width(u, s, s->formula);
        if (l->head < TWO_LINES && title_width(u, s, s->name) < need)
            need = title_width(u, s, s->name);
        float cells = c->cell_w * (float)s->cols;
        c->w = ceilf(cells > need ? cells : need);
        c->h = l->head + l->style.cell_h * (float)s->rows;
    }
    for (int col = 0; col < l->n_cols; col++)
        place_column(l, r, col, false);
    for (int col = 0; col < l->n_cols; col++) {
        float w = 0;
        place_column(l, r, col, true);
        centre_turns(l, r, col);
        for (int i = 0; i < l->n; i++) {
            if (l->card[i].col == col && l->card[i].w > w)
                w = l->card[i].w;
        }
        for (int i = 0; i < l->n; i++) {
            if (l->card[i].col == col)
                l->card[i].x = x;
        }
        x += w + l->gap;
    }
    for (int i = 0; i < l->n; i++) {
        const struct card *c = &l->card[i];
        top = c->y < top ? c->y : top;
        bottom = c->y + c->h > bottom ? c->y + c->h : bottom;
    }
    for (int i = 0; i < l->n; i++)
        l->card[i].y = roundf(l->card[i].y - top);
    l->w = x - l->gap;
    l->h = bottom - top;
}

static void
find_layout(const struct arithmetic_paint *p, float w, float h, struct layout *l)
{
    for (int i = 0; i < N_FITS; i++) {
        memset(l, 0, sizeof *l);
        l->n = p->r->n_steps;
        l->style = (struct arithmetic_style) { fits[i].size, fits[i].cell_h, fits[i].decimals };
        l->stack = fits[i].stack;
        l->downwards = p->mech->downwards;
        l->gap = fits[i].gap;
        l->head = fits[i].head;
        find_columns(l, p->r);
        place(p->u, l, p->r);
        if (l->w <= w && l->h <= h)
            return;
    }
}

/* ---- drawing ---- */

static void
arrow(const struct arithmetic_paint *p, const struct layout *l, int from, int to, bool early)
{
    const struct card *a = &l->card[from], *b = &l->card[to];
    const struct hl_mech_step *sa = &p->r->steps[from];
    hl_color ink = theme_mix(p->u->theme->quiet, p->u->theme->panel, 0.45f);
    struct dl *d = p->u->dl;
    if (a->col == b->col) {
        float x = b->x + b->cell_w * (float)sa->cols / 2;
        const float tri[6] = { x - 4, b->y - 6, x + 4, b->y - 6, x, b->y - 1 };
        dl_poly(d, tri, 3, ink);
        return;
    }
    float x0 = a->x + a->cell_w * (float)sa->cols + 3, x1 = b->x - 4;
    float y0 = roundf(a->y + l->head + (a->h - l->head) / 2);
    float y1 = roundf(b->y + l->head + (b->h - l->head) / 2);
    float bend = l->gap + (a->w - a->cell_w * (float)sa->cols);
    float mid = x1 - x0 > 1.5f * bend ? (early ? x0 + bend : x1 - l->gap + 4) : x1;
    if (early && mid < x1) {
        dl_ribbon(d, x0, y0, mid, y1, 1.5f, true, ink);
        dl_line(d, mid, y1, x1 - 4, y1, 1.5f, ink);
    } else {
        float turn = mid < x1 ? mid : x0;
        if (turn > x0)
            dl_line(d, x0, y0, turn, y0, 1.5f, ink);
        dl_ribbon(d, turn, y0, x1 - 4, y1, 1.5f, true, ink);
    }
    const float tri[6] = { x1 - 5, y1 - 4, x1, y1, x1 - 5, y1 + 4 };
    dl_poly(d, tri, 3, ink);
}

/* The first factor bends at once when the second stands between it and the result:
 * it then runs through the second, as the formula reads. */
static void
arrows(const struct arithmetic_paint *p, const struct layout *l)
{
    for (int i = 0; i < l->n; i++) {
        const struct hl_mech_step *s = &p->r->steps[i];
        for (int k = 0; k < 6 && s->operand[k] >= 0; k++) {
            int o = s->operand[k], next = k == 0 ? s->operand[1] : -1;
            bool early = next >= 0 && p->r->steps[next].role == HL_MECH_ROLE_INPUT &&
                         l->card[next].col > l->card[o].col;
            arrow(p, l, o, i, early);
        }
    }
}

static void
draw_card(const struct arithmetic_paint *p, const struct layout *l, const struct card *c)
{
    const struct hl_theme *t = p->u->theme;
    const struct hl_mech_step *s = &p->r->steps[c->step];
    float cells = c->cell_w * (float)s->cols;
    bool two = l->head >= TWO_LINES, active = p->at.step == c->step;
    bool named = !two && title_width(p->u, s, s->name) <= c->w + l->gap * 0.6f;
    float wide = title_width(p->u, s, named ? s->name : s->formula);
    dl_fill(p->u->dl, rect_make(c->x - 2, c->y, wide + 4, l->head), 0, t->panel);
    dl_fill(p->u->dl, rect_make(c->x - 2, c->y + l->head, cells + 4, c->h - l->head), 0, t->panel);
    float base = c->y + (l->head < ONE_LINE ? 12 : 14);
    float w = plot_formula(p->u, c->x, base, DL_FONT_UI_BOLD, t->label,
                           active ? t->pinned_ink : t->ink, s->symbol, true);
    plot_formula(p->u, c->x + w + 8, base, DL_FONT_UI, t->small, t->quiet,
                 named ? s->name : s->formula, true);
    if (two)
        ui_label(p->u, rect_make(c->x, c->y + 18, c->w + l->gap - 8, 14), DL_FONT_UI, t->small,
                 DL_LEFT, t->quiet, s->name);
    arithmetic_matrix(p, c->step, c->x, c->y + l->head, c->cell_w, &l->style);
}

void
arithmetic_scroll_bars(const struct arithmetic_paint *p, hl_rect view, float w, float h, float sx,
                       float sy)
{
    hl_color ink = theme_mix(p->u->theme->quiet, p->u->theme->panel, 0.5f);
    if (w > view.w)
        dl_fill(p->u->dl,
                rect_make(view.x + sx / w * view.w, view.y + view.h + 4, view.w * view.w / w, 4), 2,
                ink);
    if (h > view.h)
        dl_fill(p->u->dl,
                rect_make(view.x + view.w + 6, view.y + sy / h * view.h, 4, view.h * view.h / h), 2,
                ink);
}

static float
clamped(float v, float top)
{
    return roundf(v < 0 ? 0 : v > top ? (top > 0 ? top : 0) : v);
}

void
arithmetic_flow(const struct arithmetic_paint *p, hl_rect r)
{
    struct layout l;
    find_layout(p, r.w, r.h, &l);
    float sx = clamped(p->a->scroll_x, l.w - r.w), sy = clamped(p->a->scroll_y, l.h - r.h);
    float x = l.w < r.w ? roundf(r.x + (r.w - l.w) / 2) : r.x - sx;
    float y = l.h < r.h ? roundf(r.y + (r.h - l.h) / 2) : r.y - sy;

    dl_hit(p->u->dl, r, DL_CURSOR_ARROW, "~flow");
    dl_clip(p->u->dl, rect_inset(r, -6, -2));
    dl_hit(p->u->dl, rect_make(x, y, l.w, l.h), DL_CURSOR_ARROW, "~content");
    for (int i = 0; i < l.n; i++) {
        l.card[i].x += x;
        l.card[i].y += y;
    }
    arrows(p, &l);
    for (int i = 0; i < l.n; i++)
        draw_card(p, &l, &l.card[i]);
    dl_unclip(p->u->dl);
    arithmetic_scroll_bars(p, r, l.w, l.h, sx, sy);
}

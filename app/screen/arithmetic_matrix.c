/* A step as a grid of numbers. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

static const char minus[] = "−"; /* U+2212, as wide as a digit */

char *
arithmetic_number(char *buf, size_t buf_sz, double v, int decimals)
{
    char digits[48];
    if (isinf(v)) {
        snprintf(buf, buf_sz, "%s∞", v < 0 ? minus : "");
        return buf;
    }
    hl_fmt_fixed(digits, sizeof digits, fabs(v), decimals);
    bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(buf, buf_sz, "%s%s", v < 0 && !zero ? minus : "", digits);
    return buf;
}

int
arithmetic_decimals(const struct hl_mech_step *s, int most)
{
    double unit = 1;
    for (int d = 0; d < most; d++, unit *= 10) {
        bool enough = true;
        for (int i = 0; i < s->rows * s->cols && enough; i++) {
            double v = s->data[i] * unit;
            enough = isinf(v) || fabs(v - floor(v + 0.5)) < 1e-7 * unit;
        }
        if (enough)
            return d;
    }
    return most;
}

int
arithmetic_needs(double v, int most)
{
    const struct hl_mech_step one = { .rows = 1, .cols = 1, .data = &v };
    return arithmetic_decimals(&one, most);
}

/* Characters that a number takes: all of one width in the fixed-width face. */
static int
length_of(double v, int decimals)
{
    if (isinf(v))
        return 2;
    double size = fabs(v) + 0.5 * pow(10, -decimals);
    int n = (v < 0) + 1 + (decimals > 0 ? 1 + decimals : 0);
    for (; size >= 10; size /= 10)
        n++;
    return n;
}

float
arithmetic_cell_width(const struct ui *u, const struct hl_mech_step *s,
                      const struct arithmetic_style *style)
{
    static const char digits[] = "00000000000000000000000000000000";
    int decimals = arithmetic_decimals(s, style->decimals), longest = 1;
    for (int i = 0; i < s->rows * s->cols; i++) {
        double v = s->data[i];
        int own = s->role == HL_MECH_ROLE_INPUT ? arithmetic_needs(v, decimals) : decimals;
        int n = length_of(v, own);
        longest = n > longest ? n : longest;
    }
    longest = longest < (int)sizeof digits ? longest : (int)sizeof digits - 1;
    float w = metrics_width(u->metrics, DL_FONT_MONO, style->size, digits, (size_t)longest);
    w = ceilf(w + style->size * 0.8f);
    return w > style->cell_h * 1.2f ? w : ceilf(style->cell_h * 1.2f);
}

char *
arithmetic_cell_name(char *buf, size_t buf_sz, const struct hl_mech_result *r,
                     struct hl_mech_ref at)
{
    const struct hl_mech_step *s = &r->steps[at.step];
    const char *sub = strchr(s->symbol, '_');
    if (s->rows == 1 && s->cols == 1)
        snprintf(buf, buf_sz, "%s", s->symbol);
    else if (sub != NULL)
        snprintf(buf, buf_sz, "%.*s_{%s %d,%d}", (int)(sub - s->symbol), s->symbol, sub + 1,
                 at.row + 1, at.col + 1);
    else
        snprintf(buf, buf_sz, "%s_{%d,%d}", s->symbol, at.row + 1, at.col + 1);
    return buf;
}

/* Largest size of a finite number of the step; 1 when all are 0. */
static double
largest(const struct hl_mech_step *s)
{
    double top = 0;
    for (int i = 0; i < s->rows * s->cols; i++) {
        if (isfinite(s->data[i]) && fabs(s->data[i]) > top)
            top = fabs(s->data[i]);
    }
    return top > 0 ? top : 1;
}

/* Weights run along their map; all else is tinted by its sign, at most half way. */
static uint8_t
shade(const struct hl_mech_step *s, double v, double top)
{
    if (isinf(v))
        return DL_MASKED;
    if (s->role == HL_MECH_ROLE_WEIGHTS)
        return theme_step(v);
    return theme_step(0.5 + 0.25 * v / top);
}

static bool
is_operand(const struct arithmetic_paint *p, int step, int row, int col)
{
    for (int i = 0; i < p->why.n_terms && p->at.step >= 0; i++) {
        struct hl_mech_ref a = p->why.terms[i].a_at, b = p->why.terms[i].b_at;
        if ((a.step == step && a.row == row && a.col == col) ||
            (b.step == step && b.row == row && b.col == col))
            return true;
    }
    return false;
}

static void
cell_text(const struct arithmetic_paint *p, const struct hl_mech_step *s, hl_rect r, double v,
          uint8_t index, const struct arithmetic_style *style, int decimals)
{
    char buf[48];
    enum dl_map map = s->role == HL_MECH_ROLE_WEIGHTS ? DL_MAP_WEIGHT : DL_MAP_SIGNED;
    const struct hl_theme *t = p->u->theme;
    hl_color ink = t->ink;
    if (s->role == HL_MECH_ROLE_INPUT)
        ink = t->ink;
    else if (index == DL_MASKED)
        ink = t->quiet;
    else
        ink = theme_text_on(theme_map_color(map, t->dark, index));
    /* a typed number stands as it was typed, a computed one lines up with its column */
    if (s->role == HL_MECH_ROLE_INPUT)
        decimals = arithmetic_needs(v, style->decimals);
    arithmetic_number(buf, sizeof buf, v, decimals);
    ui_label(p->u, r, DL_FONT_MONO, style->size, DL_CENTER, ink, buf);
}

/* What the pointer says over a cell: its sum. */
static const char *
cell_tip(const struct arithmetic_paint *p, int step, int row, int col)
{
    struct hl_mech_explanation x;
    if (p->r->steps[step].role == HL_MECH_ROLE_INPUT)
        return "Click, then type a number";
    if (!hl_mech_explain(p->r, step, row, col, p->u->frame, &x) || strlen(x.text) >= UI_TIP_SZ)
        return "Click to see its sum";
    return x.text;
}

static void
cell_hit(const struct arithmetic_paint *p, int step, int row, int col, hl_rect r)
{
    char id[UI_ID_SZ];
    snprintf(id, sizeof id, "cell:%s:%d:%d", p->r->steps[step].key, row, col);
    bool wanted = ui_hovered(p->u, id) || ui_focused(p->u, id);
    ui_hit(p->u, r, 4, DL_CURSOR_HAND, id, wanted ? cell_tip(p, step, row, col) : NULL);
}

static void
cell_marks(const struct arithmetic_paint *p, int step, int row, int col, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    bool chosen = p->at.step == step && p->at.row == row && p->at.col == col;
    if (chosen)
        dl_stroke(p->u->dl, rect_inset(r, -1, -1), 4, 2, t->pinned);
    else if (is_operand(p, step, row, col))
        dl_stroke(p->u->dl, rect_inset(r, -0.5f, -0.5f), 4, 1.25f, t->accent);
}

/* Rows first .. first + n - 1. */
static void
draw_rows(const struct arithmetic_paint *p, int step, int first, int n, float x, float y,
          float cell_w, const struct arithmetic_style *style)
{
    const struct hl_mech_step *s = &p->r->steps[step];
    const struct hl_theme *t = p->u->theme;
    const float gap = 2;
    bool input = s->role == HL_MECH_ROLE_INPUT;
    enum dl_map map = s->role == HL_MECH_ROLE_WEIGHTS ? DL_MAP_WEIGHT : DL_MAP_SIGNED;
    double top = largest(s);
    int decimals = arithmetic_decimals(s, style->decimals);
    hl_rect all = rect_make(x, y, cell_w * (float)s->cols, style->cell_h * (float)n);

    if (!input) {
        uint8_t *cells = dl_heat(p->u->dl, all, n, s->cols, gap, 3, map, t->dark, NULL);
        for (int i = 0; i < n * s->cols && cells != NULL; i++)
            cells[i] = shade(s, s->data[first * s->cols + i], top);
    }
    for (int row = 0; row < n; row++) {
        for (int col = 0; col < s->cols; col++) {
            double v = s->data[(first + row) * s->cols + col];
            hl_rect r = rect_make(x + (float)col * cell_w + gap / 2,
                                  y + (float)row * style->cell_h + gap / 2, cell_w - gap,
                                  style->cell_h - gap);
            if (input) {
                dl_fill(p->u->dl, r, 3, t->panel);
                dl_stroke(p->u->dl, r, 3, 1, theme_mix(t->quiet, t->panel, 0.45f));
            }
            cell_text(p, s, r, v, shade(s, v, top), style, decimals);
            cell_marks(p, step, first + row, col, r);
            cell_hit(p, step, first + row, col, r);
        }
    }
}

void
arithmetic_matrix(const struct arithmetic_paint *p, int step, float x, float y, float cell_w,
                  const struct arithmetic_style *style)
{
    draw_rows(p, step, 0, p->r->steps[step].rows, x, y, cell_w, style);
}

void
arithmetic_matrix_row(const struct arithmetic_paint *p, int step, int row, float x, float y,
                      float cell_w, const struct arithmetic_style *style)
{
    draw_rows(p, step, row, 1, x, y, cell_w, style);
}

void
arithmetic_editor(const struct arithmetic_paint *p)
{
    char id[UI_ID_SZ];
    hl_rect at;
    const struct arithmetic_state *a = p->a;
    if (!a->editing)
        return;
    snprintf(id, sizeof id, "cell:%s:%d:%d", a->cell.step, a->cell.row, a->cell.col);
    if (!dl_hit_find(p->u->dl, id, &at))
        return;
    float w = at.w > 112 ? at.w : 112;
    hl_rect r = rect_make(roundf(at.x + at.w / 2 - w / 2), roundf(at.y + at.h / 2 - 16), w, 32);
    if (r.x < 4)
        r.x = 4;
    if (r.x + r.w > p->u->dl->width - 4)
        r.x = p->u->dl->width - 4 - r.w;
    struct ui inside = *p->u;
    inside.focus = "number:cell";
    field_build(&inside, &a->field, r, p->u->theme->label, "number:cell", "number");
    if (a->hint[0] != 0) {
        const struct hl_theme *t = p->u->theme;
        float tw = ui_text_width(p->u, DL_FONT_UI, t->small, a->hint) + 16;
        hl_rect h = rect_make(r.x, r.y + r.h + 4, ceilf(tw), 24);
        if (h.x + h.w > p->u->dl->width - 4)
            h.x = p->u->dl->width - 4 - h.w;
        dl_fill(p->u->dl, h, UI_RADIUS, t->pinned_soft);
        dl_stroke(p->u->dl, h, UI_RADIUS, 1, t->pinned);
        ui_label(p->u, rect_inset(h, 8, 0), DL_FONT_UI, t->small, DL_LEFT, t->pinned_ink, a->hint);
    }
}

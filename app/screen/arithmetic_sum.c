/* The selected cell as the sum that it is: its terms, the result, and where the
 * numbers came from, back to the products. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot_formula.h"

/* A line being set, chip by chip. */
struct flow {
    hl_rect r;
    float x, y, line_h;
    bool draw;
};

struct look {
    float size, line_h;
    int decimals;
    bool products; /* the value of each product below it */
};

static const struct look looks[] = {
    { 14, 46, 4, true },  { 12.5f, 28, 4, false }, { 11, 24, 4, false },
    { 11, 22, 3, false }, { 10, 18, 2, false },
};

static bool
is_sum(enum hl_mech_op op)
{
    return op == HL_MECH_MATMUL || op == HL_MECH_MATMUL_T || op == HL_MECH_ROW_SUM ||
           op == HL_MECH_CUMULATE || op == HL_MECH_NORM || op == HL_MECH_MIX ||
           op == HL_MECH_ROTATE;
}

static bool
has_products(enum hl_mech_op op)
{
    return op == HL_MECH_MATMUL || op == HL_MECH_MATMUL_T || op == HL_MECH_NORM ||
           op == HL_MECH_MIX || op == HL_MECH_ROTATE;
}

static void
wrap(struct flow *f, float w)
{
    if (f->x > f->r.x && f->x + w > f->r.x + f->r.w) {
        f->x = f->r.x;
        f->y += f->line_h;
    }
}

static void
word(struct ui *u, struct flow *f, enum dl_font font, float size, hl_color ink, const char *s)
{
    float w = ceilf(ui_text_width(u, font, size, s));
    wrap(f, w);
    if (f->draw)
        ui_label(u, rect_make(f->x, f->y, w + 1, size * 1.7f), font, size, DL_LEFT, ink, s);
    f->x += w + 8;
}

static void
factor_text(char *buf, size_t buf_sz, double v, int decimals, bool second)
{
    char n[48];
    arithmetic_number(n, sizeof n, v, arithmetic_needs(v, decimals));
    snprintf(buf, buf_sz, second && v < 0 ? "(%s)" : "%s", n);
}

/* One number that can be followed to its cell. */
static float
number(const struct arithmetic_paint *p, struct flow *f, const struct look *look, float x,
       const char *text, struct hl_mech_ref at, const char *id)
{
    const struct hl_theme *t = p->u->theme;
    float w = ceilf(ui_text_width(p->u, DL_FONT_MONO, look->size, text));
    hl_rect r = rect_make(x, f->y, w, look->size * 1.7f);
    if (!f->draw)
        return w;
    bool hot = at.step >= 0 && ui_hovered(p->u, id);
    ui_label(p->u, rect_make(r.x, r.y, r.w + 1, r.h), DL_FONT_MONO, look->size, DL_LEFT,
             hot ? p->u->theme->accent : t->ink, text);
    if (at.step >= 0) {
        char tip[64];
        snprintf(tip, sizeof tip, "%s, row %d, column %d", p->r->steps[at.step].name, at.row + 1,
                 at.col + 1);
        ui_hit(p->u, r, 3, DL_CURSOR_HAND, id, tip);
    }
    return w;
}

static void
term(const struct arithmetic_paint *p, struct flow *f, const struct look *look, int i)
{
    const struct hl_mech_term *t = &p->why.terms[i];
    const struct hl_theme *th = p->u->theme;
    char a[56], b[56], v[56], id[UI_ID_SZ];
    bool products = has_products(p->why.op);
    factor_text(a, sizeof a, t->a, look->decimals, i > 0);
    factor_text(b, sizeof b, t->b, look->decimals, true);
    float wa = ceilf(ui_text_width(p->u, DL_FONT_MONO, look->size, a));
    float wb = products ? ceilf(ui_text_width(p->u, DL_FONT_MONO, look->size, b)) : 0;
    float wt = products ? ceilf(ui_text_width(p->u, DL_FONT_MONO, look->size, " × ")) : 0;
    float w = wa + wt + wb + 12;
    wrap(f, w);
    hl_rect chip = rect_make(f->x, f->y, w, look->size * 1.7f);
    if (f->draw)
        dl_fill(p->u->dl, chip, 4, th->chip);
    snprintf(id, sizeof id, "term:%d:a", i);
    number(p, f, look, f->x + 6, a, t->a_at, id);
    if (products) {
        if (f->draw)
            ui_label(p->u, rect_make(f->x + 6 + wa, f->y, wt, chip.h), DL_FONT_MONO, look->size,
                     DL_CENTER, th->quiet, "×");
        snprintf(id, sizeof id, "term:%d:b", i);
        number(p, f, look, f->x + 6 + wa + wt, b, t->b_at, id);
    }
    if (products && look->products && f->draw) {
        arithmetic_number(v, sizeof v, t->value, arithmetic_needs(t->value, look->decimals));
        ui_label(p->u, rect_make(chip.x, chip.y + chip.h, chip.w, 16), DL_FONT_MONO, th->small,
                 DL_CENTER, th->quiet, v);
    }
    f->x += w + 8;
}

/* Sums term by term; returns the height that they take. */
static float
terms(const struct arithmetic_paint *p, hl_rect r, const struct look *look, bool draw)
{
    const struct hl_theme *t = p->u->theme;
    struct flow f = { r, r.x, r.y, look->line_h, draw };
    char v[56];
    if (p->why.op == HL_MECH_NORM)
        word(p->u, &f, DL_FONT_MONO, look->size, t->quiet, "√(");
    for (int i = 0; i < p->why.n_terms; i++) {
        if (i > 0)
            word(p->u, &f, DL_FONT_MONO, look->size, t->quiet, "+");
        term(p, &f, look, i);
    }
    if (p->why.op == HL_MECH_NORM)
        word(p->u, &f, DL_FONT_MONO, look->size, t->quiet, ")");
    word(p->u, &f, DL_FONT_MONO, look->size, t->quiet, "=");
    arithmetic_number(v, sizeof v, p->why.value, arithmetic_needs(p->why.value, 4));
    word(p->u, &f, DL_FONT_MONO, look->size, t->pinned_ink, v);
    return f.y - r.y + look->line_h;
}

/* "A_{1,2} = 1 / 2.1353 = 0.4683": one line, which leads to its cell. */
static float
chain_line(const struct arithmetic_paint *p, struct hl_mech_ref at, hl_rect r, int line)
{
    struct hl_mech_explanation x;
    const struct hl_theme *t = p->u->theme;
    const struct hl_mech_step *s = &p->r->steps[at.step];
    char name[64], id[UI_ID_SZ];
    if (!hl_mech_explain(p->r, at.step, at.row, at.col, p->u->frame, &x))
        return 0;
    snprintf(id, sizeof id, "~chain:%d:%d:%d", at.step, at.row, at.col);
    bool hot = line > 0 && ui_hovered(p->u, id);
    float base = ui_baseline(p->u, DL_FONT_MONO, t->body, r.y, 22);
    arithmetic_cell_name(name, sizeof name, p->r, at);
    ui_label(p->u, rect_make(r.x, r.y, 128, 22), DL_FONT_UI, t->small, DL_LEFT, t->quiet, s->name);
    plot_formula(p->u, r.x + 136, base, DL_FONT_UI_BOLD, t->body,
                 line == 0 ? t->pinned_ink
                 : hot     ? t->accent
                           : t->ink,
                 name, true);
    ui_label(p->u, rect_make(r.x + 196, r.y, r.w - 196, 22), DL_FONT_MONO, t->body, DL_LEFT,
             hot ? t->accent : t->ink, s->role == HL_MECH_ROLE_INPUT ? "typed" : x.text);
    if (line > 0)
        ui_hit(p->u, rect_make(r.x, r.y, r.w, 22), 4, DL_CURSOR_HAND, id, NULL);
    return 22;
}

/* The cell and what it was made of, level by level, as far as there is room. */
static void
chain(const struct arithmetic_paint *p, hl_rect r)
{
    struct hl_mech_ref queue[24] = { p->at };
    int n = 1;
    float y = r.y;
    for (int i = 0; i < n && y + 22 <= r.y + r.h; i++) {
        struct hl_mech_ref at = queue[i];
        struct hl_mech_explanation x;
        y += chain_line(p, at, rect_make(r.x, y, r.w, 22), i);
        if (is_sum(p->r->steps[at.step].op))
            continue;
        if (!hl_mech_explain(p->r, at.step, at.row, at.col, p->u->frame, &x))
            continue;
        for (int k = 0; k < 2 * x.n_terms && n < 24; k++) {
            struct hl_mech_ref o = k % 2 == 0 ? x.terms[k / 2].a_at : x.terms[k / 2].b_at;
            struct hl_mech_explanation below;
            /* a row of the stacked scores is that function's own row */
            if (o.step >= 0 && p->r->steps[o.step].op == HL_MECH_STACK &&
                hl_mech_explain(p->r, o.step, o.row, o.col, p->u->frame, &below))
                o = below.terms[0].a_at;
            bool known = o.step < 0 || p->r->steps[o.step].role == HL_MECH_ROLE_INPUT;
            for (int j = 0; j < n; j++)
                known = known || memcmp(&queue[j], &o, sizeof o) == 0;
            if (!known)
                queue[n++] = o;
        }
    }
}

/* Name, place and value of the cell on the left; returns the width taken. */
static float
title(const struct arithmetic_paint *p, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    const struct hl_mech_step *s = &p->r->steps[p->at.step];
    char buf[160], v[56];
    float w = r.w < 700 ? 150 : 190;
    arithmetic_cell_name(buf, sizeof buf, p->r, p->at);
    ui_label(p->u, rect_make(r.x, r.y, w, 16), DL_FONT_UI, t->small, DL_LEFT, t->quiet, s->name);
    bool low = r.h < 100;
    plot_formula(p->u, r.x, r.y + (low ? 37 : 42), DL_FONT_UI_BOLD, t->large, t->pinned_ink, buf,
                 true);
    arithmetic_number(v, sizeof v, p->why.value, arithmetic_needs(p->why.value, 4));
    ui_label(p->u, rect_make(r.x, r.y + (low ? 50 : 54), w, 28), DL_FONT_MONO, t->large, DL_LEFT,
             t->ink, v);
    if (s->row_labels != NULL)
        snprintf(buf, sizeof buf, "%s, column %d", s->row_labels[p->at.row], p->at.col + 1);
    else
        snprintf(buf, sizeof buf, "row %d, column %d", p->at.row + 1, p->at.col + 1);
    if (!low)
        ui_label(p->u, rect_make(r.x, r.y + 84, w, 16), DL_FONT_UI, t->small, DL_LEFT, t->quiet,
                 buf);
    return w;
}

static void
input_text(const struct arithmetic_paint *p, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    ui_paragraph(p->u, rect_make(r.x, r.y, r.w, r.h), DL_FONT_UI, t->label, t->ink,
                 "An input: type a number to change it, and everything that follows from it "
                 "changes at once.",
                 true);
    ui_paragraph(p->u, rect_make(r.x, r.y + 44, r.w, r.h - 44), DL_FONT_UI, t->body, t->quiet,
                 "Enter edits and goes down, Tab goes right, arrows move, Esc puts the old number "
                 "back, Ctrl+Z undoes. 1/3 and 0,5 are understood.",
                 true);
}

void
arithmetic_sum(const struct arithmetic_paint *p, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    if (p->at.step < 0) {
        ui_label(p->u, rect_make(r.x, r.y, r.w, 20), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
                 "Click a number to see the sum behind it.");
        return;
    }
    float w = title(p, r);
    rect_cut_left(&r, w + 16);
    dl_fill(p->u->dl, rect_make(r.x - 12, r.y, 1, r.h), 0, t->line);
    r.x += 8;
    r.w -= 8;
    if (p->r->steps[p->at.step].role == HL_MECH_ROLE_INPUT) {
        input_text(p, r);
        return;
    }
    bool many = is_sum(p->why.op) && p->why.n_terms > 16;
    if (r.h >= 100 && !(many && r.h < 160)) {
        plot_formula(p->u, r.x, r.y + 13, DL_FONT_UI_MEDIUM, t->body, t->quiet,
                     p->r->steps[p->at.step].formula, true);
        rect_cut_top(&r, 24);
    }
    if (!is_sum(p->why.op)) {
        chain(p, r);
        return;
    }
    size_t i = 0, n = sizeof looks / sizeof looks[0];
    while (i + 1 < n && terms(p, r, &looks[i], false) > r.h)
        i++;
    dl_clip(p->u->dl, rect_inset(r, -4, -4));
    terms(p, r, &looks[i], true);
    dl_unclip(p->u->dl);
}

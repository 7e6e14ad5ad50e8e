/* The controls above the picture: which mechanism, which example, its switches and
 * sizes. They wrap to as many rows as the width needs. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

struct row {
    hl_rect r;
    float x, y;
};

static hl_rect
next(struct row *row, float w)
{
    if (row->x > row->r.x && row->x + w > row->r.x + row->r.w) {
        row->x = row->r.x;
        row->y += UI_BUTTON_H + UI_GAP;
    }
    hl_rect r = rect_make(row->x, row->y, w, UI_BUTTON_H);
    row->x += w + 20;
    return r;
}

/* Short names for tabs; a mechanism without one shows its title. */
static const char *
tab_title(const struct hl_mech *m)
{
    static const char *const names[][2] = {
        { "attention", "Self-attention" },
        { "query_key", "Queries and keys" },
        { "softmax", "Softmax" },
        { "scores", "Six scores" },
        { "soft_hard", "Soft and hard" },
        { "grid_attention", "Map attention" },
        { "ntm_addressing", "Memory head" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i][0], m->key) == 0)
            return names[i][1];
    }
    return m->title;
}

static void
tabs(const struct arithmetic_paint *p, struct row *row)
{
    const char *keys[ARITHMETIC_MECHS], *labels[ARITHMETIC_MECHS];
    int n = hl_n_mechs < ARITHMETIC_MECHS ? hl_n_mechs : ARITHMETIC_MECHS;
    for (int i = 0; i < n; i++) {
        keys[i] = hl_mechs[i]->key;
        labels[i] = tab_title(hl_mechs[i]);
    }
    hl_rect r = rect_make(row->r.x, row->y, row->r.w, UI_BUTTON_H);
    float w = ui_tabs(p->u, r, "mech", keys, labels, n, p->a->mech, NULL);
    const struct hl_theme *t = p->u->theme;
    ui_label(p->u, rect_make(r.x + w + 16, r.y, r.w - w - 16, r.h), DL_FONT_UI, t->small, DL_RIGHT,
             t->quiet, p->mech->paper);
    row->y += UI_BUTTON_H + UI_GAP;
}

static void
presets(const struct arithmetic_paint *p, struct row *row)
{
    const char *keys[12], *labels[12];
    int n = p->mech->n_presets < 12 ? p->mech->n_presets : 12;
    float w = 4;
    for (int i = 0; i < n; i++) {
        keys[i] = p->mech->presets[i].key;
        labels[i] = p->mech->presets[i].name;
        w += ceilf(ui_text_width(p->u, DL_FONT_UI_MEDIUM, p->u->theme->body, labels[i])) + 20;
    }
    ui_segments(p->u, next(row, w), "preset", keys, labels, n, p->a->preset[p->a->mech],
                "Numbers that are known");
}

/* What a switch says where there is little room. */
static const char *
option_label(const struct hl_option *o, float room)
{
    static const char *const names[][2] = {
        { "scale", "÷ √d_k" },
        { "causal", "mask" },
        { "round", "rounding" },
        { "hard", "hard" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0] && room < 1000; i++) {
        if (strcmp(names[i][0], o->key) == 0)
            return names[i][1];
    }
    return o->label;
}

static void
one_switch(const struct arithmetic_paint *p, struct row *row, int i)
{
    char id[UI_ID_SZ];
    const struct hl_option *o = &p->mech->options[i];
    const char *label = option_label(o, row->r.w);
    float w = ceilf(ui_text_width(p->u, DL_FONT_UI, p->u->theme->body, label)) + 36;
    snprintf(id, sizeof id, "option:%s", o->key);
    ui_switch(p->u, next(row, w), arithmetic_problem(p->a)->options[i] != 0, id, label,
              label != o->label ? o->label : NULL);
}

static void
one_slider(const struct arithmetic_paint *p, struct row *row, int i)
{
    char id[UI_ID_SZ];
    struct hl_sb value = { 0 };
    const struct hl_option *o = &p->mech->options[i];
    double v = arithmetic_problem(p->a)->options[i];
    snprintf(id, sizeof id, "slide:%s", o->key);
    hl_sb_num(&value, v, 4);
    hl_rect r = next(row, 210);
    ui_slider(p->u, rect_make(r.x, r.y - 5, r.w, 36), id, o->label, value.n > 0 ? value.p : "",
              (float)arithmetic_option_place(o, v), "Drag, or use the arrow keys");
    hl_sb_deinit(&value);
}

static const char *
size_title(const char *letter)
{
    static const char *const names[][2] = {
        { "T", "words" },        { "Tq", "queries" },   { "Tk", "keys" },
        { "D", "width d" },      { "Dh", "width d_k" }, { "Dv", "width d_v" },
        { "A", "hidden width" }, { "P", "cells" },      { "C", "channels" },
        { "Dk", "width d_k" },   { "N", "slots" },      { "M", "slot width" },
        { "S", "shifts" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i][0], letter) == 0)
            return names[i][1];
    }
    return letter;
}

static void
one_size(const struct arithmetic_paint *p, struct row *row, const char *letter)
{
    const struct hl_theme *t = p->u->theme;
    char id[UI_ID_SZ], v[16], tip[48];
    int now = hl_mech_size(p->mech, arithmetic_problem(p->a), letter);
    float w = ceilf(ui_text_width(p->u, DL_FONT_UI, t->body, size_title(letter)));
    hl_rect r = next(row, w + 8 + 30 + 26 + 30);
    ui_label(p->u, rect_make(r.x, r.y, w + 1, r.h), DL_FONT_UI, t->body, DL_LEFT, t->quiet,
             size_title(letter));
    r.x += w + 8;
    snprintf(id, sizeof id, "size:%s-", letter);
    snprintf(tip, sizeof tip, "One less (1 at least)");
    ui_button(p->u, rect_make(r.x, r.y + 1, 30, 26), UI_BUTTON_PLAIN, now > 1, id, "−", tip);
    snprintf(v, sizeof v, "%d", now);
    ui_label(p->u, rect_make(r.x + 30, r.y, 26, r.h), DL_FONT_MONO, t->body, DL_CENTER, t->ink, v);
    snprintf(id, sizeof id, "size:%s+", letter);
    snprintf(tip, sizeof tip, "One more (%d at most)", arithmetic_size_max(p->a, letter));
    ui_button(p->u, rect_make(r.x + 56, r.y + 1, 30, 26), UI_BUTTON_PLAIN,
              now < arithmetic_size_max(p->a, letter), id, "+", tip);
}

float
arithmetic_bar(const struct arithmetic_paint *p, hl_rect r)
{
    struct row row = { r, r.x, r.y };
    const char *letters[ARITHMETIC_LETTERS];
    tabs(p, &row);
    presets(p, &row);
    for (int i = 0; i < p->mech->n_options; i++) {
        if (p->mech->options[i].kind == HL_OPTION_SWITCH)
            one_switch(p, &row, i);
        else
            one_slider(p, &row, i);
    }
    int n = arithmetic_letters(p->mech, letters);
    for (int i = 0; i < n; i++)
        one_size(p, &row, letters[i]);
    return row.y + UI_BUTTON_H - r.y;
}

/* The Arithmetic screen: attention by hand. Every number on it is a cell of a step
 * of a mechanism in core/mech; the picture, the sum and the editing all go by the
 * cell's name. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "state/state.h"
#include "view/plot_formula.h"
#include "screen/handover.h"

static const char *const keys[] = {
    "Click, arrows\0choose a number and see its sum",
    "0–9, −, Enter, F2\0type a number into an input",
    "Enter, Tab, ↑ ↓\0keep the number and go on",
    "Esc\0put the old number back",
    "Ctrl+Z, Ctrl+Y\0undo, redo",
    "Page up, page down\0the matrix before, the matrix after",
    "[ and ]\0the mechanism before, the mechanism after",
    "Wheel\0move the picture where it is larger than its panel",
    NULL,
};

static const char *const help[] = {
    "Attention by hand. Inputs have a frame: click one and type. Everything that follows from it "
    "changes at once, computed in double precision.",
    "Click any number to see how it came about: the products and their sum, the exponential, the "
    "denominator. Numbers that it was made of are framed; click one in the sum to go to it.",
    "Textbooks often round the weights to tenths before the last sum. The switch does the same, "
    "in tenths that still add up to 1, so that printed results can be followed.",
    "From the Transformer screen a real head's query, keys and values can be sent here. The weight "
    "found from them is that of the matrix; the small difference left is the model's single "
    "precision.",
    NULL,
};

static void
failure(struct ui *u, hl_rect r, const struct hl_error *err)
{
    char text[APP_TEXT_SZ];
    hl_error_text(err, text, sizeof text);
    ui_paragraph(u, r, DL_FONT_UI, u->theme->label, u->theme->error, text, true);
}

/* What is shown, in words: what came from a model, the preset's known numbers while
 * they are the shown ones, or the mechanism's idea. */
static const char *
caption(const struct arithmetic_paint *p)
{
    if (p->a->source.there && strcmp(p->mech->key, "query_key") == 0)
        return p->a->source.origin;
    return arithmetic_is_preset(p->a) ? p->mech->presets[p->a->preset[p->a->mech]].note
                                      : p->mech->idea;
}

static void
title(const struct arithmetic_paint *p, hl_rect *in)
{
    const struct hl_theme *t = p->u->theme;
    hl_rect top = rect_cut_top(in, 28);
    float base = ui_baseline(p->u, DL_FONT_UI_BOLD, t->label, top.y, 20);
    char formula[160];
    arithmetic_formula(p->a, formula, sizeof formula);
    float w = plot_formula(p->u, top.x, base, DL_FONT_UI_MEDIUM, t->label, t->ink, formula, true);
    ui_label(p->u, rect_make(top.x + w + 24, top.y, top.w - w - 24, 20), DL_FONT_UI, t->body,
             DL_RIGHT, t->quiet, caption(p));
}

static void
picture(const struct arithmetic_paint *p, hl_rect r)
{
    hl_rect in = ui_panel(p->u, r);
    if (in.h >= 280)
        title(p, &in);
    if (strcmp(p->mech->key, "scores") == 0)
        arithmetic_scores(p, in);
    else if (arithmetic_is_wide(p->a))
        arithmetic_head_view(p, in);
    else
        arithmetic_flow(p, in);
}

static void
build(const struct screen_ctx *c, hl_rect area)
{
    const struct arithmetic_state *a = arithmetic_of(c->state);
    struct hl_mech_result *r = hl_arena_new(c->frame, 1, struct hl_mech_result);
    struct hl_error err = { 0 };
    struct arithmetic_paint p = {
        .u = c->ui, .a = a, .mech = arithmetic_mech(a), .r = r, .at = { -1, 0, 0 }
    };

    if (r == NULL || arithmetic_problem(a) == NULL) {
        hl_error_set(&err, HL_E_NOMEM, NULL, "for the numbers of this screen");
        failure(c->ui, area, &err);
        return;
    }
    float used = arithmetic_bar(&p, area);
    rect_cut_top(&area, used + 10);
    if (arithmetic_run(a, c->frame, r, &err) != HL_OK) {
        failure(c->ui, ui_panel(c->ui, area), &err);
        arithmetic_editor(&p);
        return;
    }
    p.at = arithmetic_selected(a, r);
    if (p.at.step >= 0 && !hl_mech_explain(r, p.at.step, p.at.row, p.at.col, c->frame, &p.why))
        p.at.step = -1;
    float sum_h = roundf(area.h * 0.28f);
    sum_h = sum_h < 104 ? 104 : sum_h > 220 ? 220 : sum_h;
    if (p.why.n_terms > 16 && sum_h < 170) /* long sums want room */
        sum_h = 170;
    hl_rect sum = rect_cut_bottom(&area, sum_h);
    rect_cut_bottom(&area, 10);
    picture(&p, area);
    arithmetic_sum(&p, ui_panel(c->ui, sum));
    arithmetic_editor(&p);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    const struct arithmetic_state *a = arithmetic_of(s);
    const struct hl_mech *m = arithmetic_mech(a);
    bool received = a->source.there && strcmp(m->key, "query_key") == 0;
    const char *from = received ? a->source.origin : "numbers typed by hand";
    snprintf(buf, (size_t)buf_sz, "%s · %s · double precision", m->title, from);
}

static void
result(struct app_state *s, int k, struct hl_effects *fx)
{
    (void)k;
    (void)fx;
    handover_received(s);
}

static bool
init(struct app_state *s)
{
    return arithmetic_init(arithmetic_of(s));
}

static void
deinit(struct app_state *s)
{
    arithmetic_deinit(arithmetic_of(s));
}

const struct hl_screen screen_arithmetic = {
    .id = "arithmetic",
    .size = sizeof(struct arithmetic_state),
    .n_slots = ARITHMETIC_SLOTS,
    .init = init,
    .deinit = deinit,
    .result = result,
    .title = "Arithmetic",
    .has_text = false,
    .examples = NULL,
    .build = build,
    .provenance = provenance,
    .event = arithmetic_event,
    .set = arithmetic_set,
    .save = arithmetic_save,
    .keys = keys,
    .help = help,
};

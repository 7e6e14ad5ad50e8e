/* Word order: the typed sentence and its words shuffled, each translated with
 * positions and without. Without them a Transformer sees a bag of words, and both
 * translations become the same. */
#include "screen/positions_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct app_slot_state *
slot_of(const struct app_state *s, int k)
{
    return &s->slots[state_slot(s, "positions", k)];
}

static const struct hl_record *
ready(const struct app_state *s, int slot)
{
    return slot_of(s, slot)->record;
}

static bool
fresh(const struct app_state *s, int slot)
{
    const struct app_slot_state *st = slot_of(s, slot);
    return st->record != NULL && st->shown == st->wanted && st->error[0] == 0;
}

/* A box with a text in the largest size that fits. */
static void
box(const struct screen_ctx *c, hl_rect r, const char *text, bool source, bool old)
{
    const struct hl_theme *t = c->theme;
    const float sizes[] = { t->large, 17, t->label, t->body, t->small };
    hl_rect in = rect_inset(r, 14, 10);
    size_t i = source ? 2 : 0;
    dl_fill(c->dl, r, 8, source ? t->panel : theme_mix(t->chip, t->panel, 0.6f));
    if (source)
        dl_stroke(c->dl, r, 8, 1, t->line);
    while (i + 1 < sizeof sizes / sizeof sizes[0] &&
           ui_paragraph(c->ui, in, DL_FONT_UI_MEDIUM, sizes[i], t->ink, text, false) > in.h)
        i++;
    float used = ui_paragraph(c->ui, in, DL_FONT_UI_MEDIUM, sizes[i], t->ink, text, false);
    if (used < in.h)
        in.y += roundf((in.h - used) / 2);
    dl_clip(c->dl, r);
    ui_paragraph(c->ui, in, DL_FONT_UI_MEDIUM, sizes[i], old ? t->quiet : t->ink, text, true);
    dl_unclip(c->dl);
}

/* Output, with a mark where the model did not come to an end by itself. */
static const char *
written(const struct screen_ctx *c, const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    bool ended = target == NULL || target->tokens == NULL || target->n == 0 ||
                 target->tokens[target->n - 1].special;
    if (r->output_text[0] == 0)
        return "(nothing)";
    const char *cut =
        ended ? NULL
              : hl_arena_printf(c->frame, "%s … (stopped at %d pieces)", r->output_text, target->n);
    return cut != NULL ? cut : r->output_text;
}

static void
translation(const struct screen_ctx *c, hl_rect r, int slot)
{
    const struct app_slot_state *st = &c->state->slots[slot];
    const struct hl_record *rec = ready(c->state, slot);
    if (st->error[0] != 0)
        box(c, r, st->error, false, true);
    else if (rec == NULL || rec->output_text == NULL)
        box(c, r, "…", false, true);
    else
        box(c, r, written(c, rec), false, !fresh(c->state, slot));
}

/* Do both translations of a row agree? In words, on a tint. */
static void
verdict(const struct screen_ctx *c, hl_rect r, int a, int b, bool off)
{
    const struct hl_theme *t = c->theme;
    const struct hl_record *x = ready(c->state, a), *y = ready(c->state, b);
    if (!fresh(c->state, a) || !fresh(c->state, b) || x->output_text == NULL ||
        y->output_text == NULL)
        return;
    bool same = strcmp(x->output_text, y->output_text) == 0;
    bool bag = off && positions_of(c->state)->encoder_off;
    const char *text = same   ? bag ? "the same: word order no longer matters"
                                    : "the same, although the order differs"
                       : !off ? "different: word order matters"
                       : bag  ? "different"
                              : "still different: the encoder keeps its positions";
    float w = ui_text_width(c->ui, DL_FONT_UI_MEDIUM, t->body, text) + 24;
    w = w > r.w ? r.w : w;
    hl_rect pill = rect_make(r.x + (r.w - w) / 2, r.y + (r.h - 24) / 2, w, 24);
    dl_fill(c->dl, pill, 12, same ? t->pinned_soft : t->accent_soft);
    ui_label(c->ui, rect_inset(pill, 8, 0), DL_FONT_UI_MEDIUM, t->body, DL_CENTER,
             same ? t->pinned_ink : t->accent, text);
}

static void
row(const struct screen_ctx *c, hl_rect r, float label_w, const char *title, const char *sub, int a,
    int b, bool off)
{
    const struct hl_theme *t = c->theme;
    hl_rect foot = rect_cut_bottom(&r, 34);
    hl_rect label = rect_cut_left(&r, label_w);
    ui_label(c->ui, rect_make(label.x, label.y + 8, label.w - 12, 20), DL_FONT_UI_BOLD, t->body,
             DL_LEFT, t->ink, title);
    ui_paragraph(c->ui, rect_make(label.x, label.y + 30, label.w - 12, 60), DL_FONT_UI, t->small,
                 t->quiet, sub, true);
    float half = (r.w - UI_PAD) / 2;
    translation(c, rect_make(r.x, r.y, half, r.h), a);
    translation(c, rect_make(r.x + half + UI_PAD, r.y, half, r.h), b);
    rect_cut_left(&foot, label_w);
    verdict(c, foot, a, b, off);
}

static void
controls(const struct screen_ctx *c, hl_rect r)
{
    float w = ui_button_width(c->ui, "Shuffle again");
    ui_button(c->ui, rect_cut_right(&r, w), UI_BUTTON_OUTLINE, true, "act:shuffle", "Shuffle again",
              "Another order (Alt+R)");
    rect_cut_right(&r, 20);
    ui_label(c->ui, rect_make(r.x, r.y, 150, r.h), DL_FONT_UI, c->theme->body, DL_LEFT,
             c->theme->quiet, "leave positions out of");
    r.x += 158;
    r.x += 24 + control_draw(c->ui, r, c->state, &positions_rows[POSITIONS_ROW_ENCODER]);
    control_draw(c->ui, r, c->state, &positions_rows[POSITIONS_ROW_DECODER]);
}

void
positions_words(const struct screen_ctx *c, hl_rect r)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    if (state_text(c->state)[0] == 0 ||
        (ready(c->state, POSITIONS_RUN) == NULL && ready(c->state, POSITIONS_BARE) == NULL)) {
        screen_waiting(c, r, c->state->chosen[HL_CAN_HEADS]);
        return;
    }
    hl_rect in = ui_panel(c->ui, r);
    float label_w = in.w < 900 ? 112 : 168;
    controls(c, rect_cut_top(&in, UI_BUTTON_H));
    rect_cut_top(&in, 14);
    hl_rect head = rect_cut_top(&in, 20), source = rect_cut_top(&in, in.h < 300 ? 44 : 52);
    float half = (in.w - label_w - UI_PAD) / 2;
    float x2 = in.x + label_w + half + UI_PAD;
    ui_label(c->ui, rect_make(in.x + label_w, head.y, half, 18), DL_FONT_UI_MEDIUM, t->small,
             DL_LEFT, t->quiet, "as typed");
    ui_label(c->ui, rect_make(x2, head.y, half, 18), DL_FONT_UI_MEDIUM, t->small, DL_LEFT, t->quiet,
             "the same words, shuffled");
    box(c, rect_make(in.x + label_w, source.y, half, source.h), state_text(c->state), true, false);
    box(c, rect_make(x2, source.y, half, source.h), p->shuffled != NULL ? p->shuffled : "", true,
        false);
    rect_cut_top(&in, 14);
    float h = (in.h - 8) / 2;
    h = h > 140 ? 140 : h;
    bool none = !p->encoder_off && !p->decoder_off;
    const char *what = none                               ? "nothing is left out: the same model"
                       : p->encoder_off && p->decoder_off ? "left out of encoder and decoder"
                       : p->encoder_off                   ? "left out of the encoder"
                                                          : "left out of the decoder";
    row(c, rect_cut_top(&in, h), label_w, "With positions", "the model as it was trained",
        POSITIONS_RUN, POSITIONS_SHUFFLED, false);
    rect_cut_top(&in, 8);
    row(c, rect_cut_top(&in, h), label_w, "Without", what, POSITIONS_BARE, POSITIONS_SHUFFLED_BARE,
        true);
}

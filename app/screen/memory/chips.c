/* What was typed and what was read back, letter above letter, and how many bits are
 * wrong. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { CHIP_H = 26, ROW = 31, CAPTION = 32, MORE = 40 };

static float
chip_width(const struct memory_paint *p, const struct memory_char *c, float least)
{
    float w = ceilf(ui_text_width(p->u, DL_FONT_UI_MEDIUM, p->u->theme->label, c->text)) + 12;
    return fmaxf(w, least);
}

/* All chips have the width of the widest, where letters stand above letters. */
static float
common_width(const struct memory_paint *p, const struct memory_char *c, int n, float w)
{
    for (int i = 0; i < n; i++)
        w = fmaxf(w, chip_width(p, &c[i], 20));
    return fminf(w, 34);
}

static bool
holds(const struct memory_char *c, int step)
{
    return step >= c->first && step < c->first + c->n;
}

/* The chip of the shown step, or of the letter that it reads back. */
static int
interest(const struct memory_char *c, int n, int step)
{
    for (int i = 0; i < n; i++) {
        if (holds(&c[i], step))
            return i;
    }
    return -1;
}

static void
chip(const struct memory_paint *p, hl_rect r, const struct memory_char *c, const char *prefix,
     int i, bool answer)
{
    const struct hl_theme *t = p->u->theme;
    char id[UI_ID_SZ], tip[UI_TIP_SZ];
    bool here = holds(c, p->at.step), later = answer && c->first > p->at.step;
    bool follow = p->m->step < 0;
    hl_color fill = c->mark ? t->background : c->query || c->right ? t->accent_soft : t->chip;
    hl_color ink = c->wrong               ? t->error
                   : (later && !follow)   ? t->chip_quiet
                   : c->query || c->right ? t->accent
                   : c->mark              ? t->quiet
                                          : t->chip_ink;
    snprintf(id, sizeof id, "%s:%d", prefix, i);
    if (here) {
        fill = t->pinned_soft;
        ink = c->wrong ? t->error : t->pinned_ink;
    }
    dl_fill(p->u->dl, r, UI_RADIUS, fill);
    if (here)
        dl_stroke(p->u->dl, r, UI_RADIUS, 1.5f, t->pinned);
    else if (ui_hovered(p->u, id))
        dl_stroke(p->u->dl, r, UI_RADIUS, 1.5f, t->accent);
    else if (c->wrong)
        dl_stroke(p->u->dl, r, UI_RADIUS, 1.5f, t->error);
    float size = r.w < 22 || strlen(c->text) > 3 ? t->body : t->label;
    ui_label(p->u, r, here || c->wrong ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, size, DL_CENTER, ink,
             c->text);
    memory_step_text(p, c->first, tip, sizeof tip);
    ui_hit(p->u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

static void
more(const struct memory_paint *p, float x, float y, int n)
{
    char text[24];
    snprintf(text, sizeof text, "+%d", n);
    ui_label(p->u, rect_make(x, y, MORE - 4, CHIP_H), DL_FONT_MONO, p->u->theme->small, DL_LEFT,
             p->u->theme->quiet, text);
}

/* A row of chips of one width from `first` on; the rest as "+n" at both ends. */
static void
even_row(const struct memory_paint *p, hl_rect r, const struct memory_char *c, int n, float w,
         int first, int shown, bool answer)
{
    float x = r.x;
    if (first > 0) {
        more(p, x, r.y, first);
        x += MORE;
    }
    for (int i = first; i < n && i < first + shown; i++) {
        chip(p, rect_make(x, r.y, w, CHIP_H), &c[i], answer ? "out" : "in", i, answer);
        x += w + 5;
    }
    if (first + shown < n)
        more(p, x + 2, r.y, n - first - shown);
}

/* A row whose chips are as wide as their words. */
static void
word_row(const struct memory_paint *p, hl_rect r, const struct memory_char *c, int n, bool answer)
{
    float x = r.x;
    for (int i = 0; i < n; i++) {
        float w = chip_width(p, &c[i], answer ? 26 : 22);
        if (x + w > r.x + r.w - (i < n - 1 ? MORE : 0)) {
            more(p, x, r.y, n - i);
            return;
        }
        chip(p, rect_make(x, r.y, w, CHIP_H), &c[i], answer ? "out" : "in", i, answer);
        x += w + 6;
    }
}

/* The answer as asked for: "sea" of "sun sky sea ? sky", "" when there is none. */
static const char *
right_answer(const struct memory_paint *p)
{
    for (int i = 0; i < p->n_in; i++) {
        if (p->in[i].right)
            return p->in[i].text;
    }
    return "";
}

/* What makes this text harder than what was trained; "" if nothing. */
static void
limits(const struct memory_paint *p, char *buf, size_t buf_sz)
{
    const struct app_model *model = state_model(p->s, p->s->chosen[HL_CAN_TAPE]);
    const struct hl_ntm_info *info =
        model != NULL && model->status == APP_MODEL_READY ? hl_ntm_info(&model->info) : NULL;
    int items = 0;
    buf[0] = 0;
    if (info == NULL)
        return;
    if (!p->run.recall && p->run.n_letters > p->run.n_slots)
        snprintf(buf, buf_sz,
                 "%d bytes on %d slots: the write head overwrites · trained on 1 to %d",
                 p->run.n_letters, p->run.n_slots, info->trained_length);
    else if (!p->run.recall && p->run.n_letters > info->trained_length)
        snprintf(buf, buf_sz, "%d bytes: longer than the 1 to %d it was trained on",
                 p->run.n_letters, info->trained_length);
    for (int i = 0; i < p->n_in; i++)
        items += !p->in[i].mark && !p->in[i].query;
    if (p->run.recall && (items < info->min_items || items > info->max_items))
        snprintf(buf, buf_sz, "%d words: it was trained on %d to %d", items, info->min_items,
                 info->max_items);
}

/* A question is only the recall model's to answer; said where nothing else is. */
static bool
asks_other(const struct memory_paint *p, char *buf, size_t buf_sz)
{
    bool asks = buf[0] == 0 && !p->run.recall && strstr(state_text(p->s), " ? ") != NULL;
    if (asks)
        snprintf(buf, buf_sz, "a question for the recall model: Ctrl+M");
    return asks;
}

/* A number that the run noted in its settings: "cut". */
static int
noted(const struct memory_run *r, const char *key)
{
    return hl_record_setting_int(r->record, key, 0);
}

/* " · with your hand at step 9": whose doing the verdict is; "" while it is the
 * machine's alone. Steps beyond the end of the text do nothing. */
static void
by_hand(const struct memory_paint *p, char *buf, size_t buf_sz)
{
    const struct hl_ntm_options *o = &p->m->options;
    int n = 0, first = 0;
    buf[0] = 0;
    for (int i = 0; i < o->n_hands; i++) {
        int step = o->hands[i].step;
        bool known = step >= p->run.n_steps || o->hands[i].fields == 0;
        for (int k = 0; k < i; k++)
            known = known || (o->hands[k].step == step && o->hands[k].fields != 0);
        first = !known && n == 0 ? step : first;
        n += !known;
    }
    if (n == 1)
        snprintf(buf, buf_sz, " · with your hand at step %d", first + 1);
    else if (n > 1)
        snprintf(buf, buf_sz, " · with your hand at %d steps", n);
}

static void
verdict(const struct memory_paint *p, const char *hand, char *buf, size_t buf_sz)
{
    const struct memory_run *r = &p->run;
    char bits[64], cut[48] = "";
    if (r->n_bits == 0)
        snprintf(bits, sizeof bits, "no word follows that one");
    else if (r->wrong_bits == 0)
        snprintf(bits, sizeof bits, "no wrong bit of %d", r->n_bits);
    else
        snprintf(bits, sizeof bits, "%d wrong bit%s of %d", r->wrong_bits,
                 r->wrong_bits == 1 ? "" : "s", r->n_bits);
    if (noted(r, "cut") > 0)
        snprintf(cut, sizeof cut, " · longer words are cut");
    if (hand[0] != 0) /* says more than the task does, and there is not room for both */
        snprintf(buf, buf_sz, "%s%s%s", bits, hand, cut);
    else if (!r->recall)
        snprintf(buf, buf_sz, "copy task · every byte is 8 bits · %s", bits);
    else if (right_answer(p)[0] != 0)
        snprintf(buf, buf_sz, "recall task · “%s” followed · %s%s", right_answer(p), bits, cut);
    else
        snprintf(buf, buf_sz, "recall task · %s%s", bits, cut);
}

float
memory_chips(const struct memory_paint *p, hl_rect r)
{
    const struct hl_theme *t = p->u->theme;
    char right[160], above[160], hand[64];
    bool fresh = p->s->slots[state_slot(p->s, "memory", MEMORY_RUN)].error[0] == 0;
    by_hand(p, hand, sizeof hand);
    verdict(p, hand, right, sizeof right);
    limits(p, above, sizeof above);
    bool question = asks_other(p, above, sizeof above);
    float note = fmaxf(ui_text_width(p->u, DL_FONT_UI_MEDIUM, t->small, right),
                       ui_text_width(p->u, DL_FONT_UI_MEDIUM, t->small, above));
    note = fminf(ceilf(note) + 4, r.w * 0.48f);
    hl_rect in = rect_make(r.x + CAPTION, r.y, r.w - CAPTION - note - 20, CHIP_H), out = in;
    out.y += ROW;
    ui_label(p->u, rect_make(r.x, in.y, CAPTION - 4, CHIP_H), DL_FONT_UI, t->small, DL_LEFT,
             t->quiet, "in");
    ui_label(p->u, rect_make(r.x, out.y, CAPTION - 4, CHIP_H), DL_FONT_UI, t->small, DL_LEFT,
             t->quiet, "out");
    if (p->run.recall) {
        word_row(p, in, p->in, p->n_in, false);
        word_row(p, out, p->out, p->n_out, true);
    } else {
        float w = common_width(p, p->in, p->n_in, 20);
        w = common_width(p, p->out, p->n_out, w);
        int n = p->n_in, fit = (int)((in.w + 5) / (w + 5)), first = 0;
        if (n > fit) {
            fit = (int)((in.w - 2 * MORE) / (w + 5));
            fit = fit < 1 ? 1 : fit;
            int a = interest(p->in, n, p->at.step), b = interest(p->out, p->n_out, p->at.step);
            int mid = a >= 0 ? a : b >= 0 ? b : p->at.step < p->run.first_answer ? n - 1 : 0;
            first = mid - fit / 2 < 0 ? 0 : mid - fit / 2 > n - fit ? n - fit : mid - fit / 2;
        }
        even_row(p, in, p->in, n, w, first, fit, false);
        even_row(p, out, p->out, p->n_out, w, first, fit, true);
    }
    hl_rect text = rect_make(r.x + r.w - note, r.y, note, CHIP_H);
    ui_label(p->u, text, DL_FONT_UI_MEDIUM, t->small, DL_RIGHT, question ? t->quiet : t->pinned_ink,
             above);
    text.y += ROW;
    ui_label(p->u, text, DL_FONT_UI_MEDIUM, t->small, DL_RIGHT,
             hand[0] != 0            ? t->pinned_ink
             : p->run.wrong_bits > 0 ? t->error
                                     : t->quiet,
             fresh ? right : "");
    return 2 * ROW + 4;
}

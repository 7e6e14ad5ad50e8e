/* The Memory screen: a Neural Turing Machine (Graves et al. 2014) writes the typed
 * text to its tape and reads it back; every step of its addressing with all numbers,
 * and a hand on every parameter. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "view/view.h"

bool
memory_init(struct memory_state *m)
{
    *m = (struct memory_state) { .step = -1 };
    return true;
}

void
memory_deinit(struct memory_state *m)
{
    *m = (struct memory_state) { 0 };
}

/* ---- shared drawing ---- */

char *
memory_number(char *buf, size_t buf_sz, double v, int decimals)
{
    char digits[40];
    double least = pow(10, -decimals) / 2, a = fabs(v);
    if (a > 0 && a < least) {
        int e = (int)floor(log10(a));
        hl_fmt_fixed(digits, sizeof digits, a / pow(10, e), 1);
        snprintf(buf, buf_sz, "%s%se−%d", v < 0 ? "−" : "", digits, -e);
        return buf;
    }
    hl_fmt_fixed(digits, sizeof digits, a, decimals);
    snprintf(buf, buf_sz, "%s%s", v < 0 ? "−" : "", digits);
    return buf;
}

uint8_t
memory_step(const struct app_state *s, double w, double top)
{
    double t = top > 0 ? w / top : 0;
    if (s->show.log_scale)
        t = t > 0 ? 1 + log10(t) / VIEW_DECADES : 0;
    return theme_step(t);
}

void
memory_track(struct ui *u, hl_rect r, const char *id, float t, bool taken, const char *tip)
{
    const struct hl_theme *th = u->theme;
    hl_color color = taken ? th->pinned : ui_hovered(u, id) ? th->accent : th->quiet;
    float y = roundf(r.y + r.h / 2), x = r.x + 6 + t * (r.w - 12);
    dl_fill(u->dl, rect_make(r.x, y - 2, r.w, 4), 2, th->chip);
    dl_fill(u->dl, rect_make(r.x, y - 2, x - r.x, 4), 2, color);
    dl_fill(u->dl, rect_make(x - 5, y - 5, 10, 10), 5, color);
    if (!taken)
        dl_fill(u->dl, rect_make(x - 3, y - 3, 6, 6), 3, th->panel);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

void
memory_legend(struct ui *u, hl_rect r, enum dl_map map, double top, bool log_scale)
{
    const struct hl_theme *t = u->theme;
    char low[32], high[24];
    uint8_t *cells =
        dl_heat(u->dl, rect_make(r.x, r.y + 1, r.w, 8), 1, 64, 0, 0, map, t->dark, NULL);
    for (int i = 0; i < 64 && cells != NULL; i++)
        cells[i] = theme_step(i / 63.0);
    int digits = fabs(top - 1) < 5e-4 ? 0 : r.w < 90 ? 1 : 2;
    hl_fmt_fixed(high, sizeof high, top, digits);
    if (map == DL_MAP_SIGNED)
        snprintf(low, sizeof low, "−%s", high);
    else
        snprintf(low, sizeof low, "%s", log_scale ? "10⁻⁴ of it" : "0");
    hl_rect text = rect_make(r.x, r.y + 10, r.w, 15);
    ui_label(u, text, DL_FONT_MONO, t->small, DL_LEFT, t->quiet, low);
    if (map == DL_MAP_SIGNED)
        ui_label(u, text, DL_FONT_MONO, t->small, DL_CENTER, t->quiet, "0");
    ui_label(u, text, DL_FONT_MONO, t->small, DL_RIGHT, t->quiet, high);
}

void
memory_head_name(const struct memory_run *r, struct memory_at at, char *buf, size_t buf_sz)
{
    if (r->n_heads[at.write] > 1)
        snprintf(buf, buf_sz, "%s head %d", at.write ? "write" : "read", at.head + 1);
    else
        snprintf(buf, buf_sz, "%s head", at.write ? "write" : "read");
}

static const struct memory_char *
char_at(const struct memory_char *c, int n, int step)
{
    for (int i = 0; i < n; i++) {
        if (step >= c[i].first && step < c[i].first + c[i].n)
            return &c[i];
    }
    return NULL;
}

void
memory_step_text(const struct memory_paint *p, int step, char *buf, size_t buf_sz)
{
    const struct memory_run *r = &p->run;
    const struct memory_char *in = char_at(p->in, p->n_in, step);
    const struct memory_char *out = char_at(p->out, p->n_out, step);
    int mark = memory_mark(r, step), wrong = memory_wrong(r, step);
    if (step >= r->first_answer) {
        int n = snprintf(buf, buf_sz, "step %d of %d · reads ‘%s’", step + 1, r->n_steps,
                         out != NULL ? out->text : "");
        if (wrong > 0 && n > 0 && (size_t)n < buf_sz)
            snprintf(buf + n, buf_sz - (size_t)n, ", %d wrong bit%s", wrong, wrong == 1 ? "" : "s");
    } else if (mark >= 0) {
        snprintf(buf, buf_sz, "step %d of %d · %s", step + 1, r->n_steps,
                 !r->recall  ? "the mark: read it back"
                 : mark == 0 ? "a word begins"
                             : "the mark: what followed?");
    } else {
        snprintf(buf, buf_sz, "step %d of %d · takes ‘%s’", step + 1, r->n_steps,
                 in != NULL ? in->text : "");
    }
}

/* ---- the whole ---- */

static const char *
model_name(const struct app_state *s)
{
    return s->chosen[HL_CAN_TAPE];
}

static void
waiting(const struct screen_ctx *c, hl_rect area)
{
    const struct hl_theme *t = c->theme;
    const struct app_model *m = state_model(c->state, model_name(c->state));
    if (state_text(c->state)[0] != 0 || (m != NULL && m->status == APP_MODEL_FAILED)) {
        screen_waiting(c, area, model_name(c->state));
        return;
    }
    hl_rect in = ui_panel(c->ui, area);
    hl_rect box = rect_make(in.x + fmaxf(0, (in.w - 520) / 2), in.y + fmaxf(8, in.h * 0.3f),
                            fminf(in.w, 520), in.h);
    ui_label(c->ui, rect_cut_top(&box, 32), DL_FONT_UI_BOLD, 17, DL_LEFT, t->ink,
             "Nothing on the tape yet");
    ui_paragraph(c->ui, box, DL_FONT_UI, t->label, t->quiet,
                 "Type anything above, in any script: every letter is eight bits (or several "
                 "times eight). The machine writes them to its memory one by one and reads "
                 "them back.",
                 true);
}

/* The largest weight of all heads and steps. */
static double
largest(const struct memory_run *r)
{
    float top = 0;
    for (int write = 0; write < 2; write++) {
        const struct hl_map *m = r->stage[write][MEMORY_WEIGHTS];
        size_t n = (size_t)m->n_heads * (size_t)m->n_q * (size_t)m->n_k;
        for (size_t i = 0; i < n; i++)
            top = m->data[i] > top ? m->data[i] : top;
    }
    return top > 0 ? (double)top : 1;
}

static bool
paint_make(const struct screen_ctx *c, struct memory_paint *p)
{
    const struct app_state *s = c->state;
    *p = (struct memory_paint) { .c = c, .u = c->ui, .s = s, .m = memory_of(s) };
    if (!memory_run_now(s, &p->run))
        return false;
    p->has_trained = memory_run_trained(s, &p->run, &p->trained);
    p->at = memory_now(s, &p->run);
    p->window = memory_window(p->m, &p->run);
    p->hot = memory_hot(s, &p->run, &p->window);
    p->n_in = memory_chars_in(&p->run, c->frame, &p->in);
    p->n_out = memory_chars_out(&p->run, c->frame, &p->out);
    p->top = s->show.lock ? 1 : largest(&p->run);
    return true;
}

static void
build_memory(const struct screen_ctx *c, hl_rect area)
{
    struct memory_paint p;
    if (!paint_make(c, &p)) {
        waiting(c, area);
        return;
    }
    bool small = area.w < 1000;
    float gap = small ? 10 : 14;
    float chain_w = small ? 288 : fminf(fmaxf(area.w * 0.31f, 372), 480);
    float matrix_w = small ? 146 : fminf(fmaxf(area.w * 0.17f, 190), 280);
    rect_cut_top(&area, memory_chips(&p, area));
    hl_rect chain = rect_cut_right(&area, chain_w);
    rect_cut_right(&area, gap);
    hl_rect matrix = rect_cut_right(&area, matrix_w);
    rect_cut_right(&area, gap);
    hl_rect transport = rect_cut_bottom(&area, 40);
    rect_cut_bottom(&area, 8);
    memory_tape(&p, area);
    memory_transport(&p, transport);
    memory_matrix(&p, matrix);
    memory_chain(&p, chain);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    const struct memory_state *m = memory_of(s);
    struct memory_run r;
    char head[32], hand[128] = "", names[48];
    if (!memory_run_now(s, &r)) {
        snprintf(buf, (size_t)buf_sz, "%s", state_model_label(s, model_name(s)));
        return;
    }
    struct memory_at at = memory_now(s, &r);
    memory_head_name(&r, at, head, sizeof head);
    const struct hl_ntm_hand *here = memory_hand_find(m, at);
    if (here != NULL) {
        memory_hand_names(here->fields, names, sizeof names);
        snprintf(hand, sizeof hand, " · in hand: %s (%d step%s)", names, m->options.n_hands,
                 m->options.n_hands == 1 ? "" : "s");
    } else if (m->options.n_hands > 0) {
        snprintf(hand, sizeof hand, " · in hand at %d other step%s", m->options.n_hands,
                 m->options.n_hands == 1 ? "" : "s");
    }
    snprintf(buf, (size_t)buf_sz, "%s · %s · step %d of %d · after sharpening · %s%s%s",
             state_model_label(s, model_name(s)), head, at.step + 1, r.n_steps,
             s->show.log_scale ? "log" : "linear", s->show.lock ? " 0 to 1" : "", hand);
}

static const char *const examples[] = {
    "hello, tape",       "abcabcabc",
    "Où est le chat ?",  "fifty letters and a few more are beyond what it was taught",
    "sun sky sea ? sky", NULL
};

static const char *const keys[] = { "Alt+← →\0the step before, the next; Alt+Home, Alt+End",
                                    "Alt+P\0play, pause",
                                    "Alt+F\0follow the typing again",
                                    "Alt+H\0the next head",
                                    "Alt+↑ ↓\0move the pinned address",
                                    "Alt+T\0take this step into your hand",
                                    "Alt+G\0give it back (with Shift: every step)",
                                    "← → ↑ ↓\0on a slider or a cell: change, choose",
                                    NULL };

static const char *const help[] = {
    "Every letter is eight bits, written to the tape and read back. Nobody told it where to "
    "write: it learned that on random bytes, 1 to 40 of them.",
    "A head finds its address in stages: rows like the key, how strongly (β), mixed with where it "
    "was (g), shifted round (s), sharpened (γ). All but the first are distributions.",
    "Move any slider: the run is computed anew from there.", NULL
};

static bool
init(struct app_state *s)
{
    return memory_init(memory_of(s));
}

static void
deinit(struct app_state *s)
{
    memory_deinit(memory_of(s));
}

const struct hl_screen screen_memory = {
    .id = "memory",
    .size = sizeof(struct memory_state),
    .n_slots = MEMORY_SLOTS,
    .shows = true,
    .init = init,
    .deinit = deinit,
    .title = "Memory",
    .has_text = true,
    .own_chips = true,
    .text = APP_TEXT_TAPE,
    .hint = "Type anything: every letter is eight bits",
    .model = model_name,
    .wants = HL_CAN(TAPE),
    .examples = examples,
    .build = build_memory,
    .provenance = provenance,
    .controls = memory_controls,
    .event = memory_event,
    .set = memory_set,
    .request = memory_request,
    .save = memory_save,
    .keys = keys,
    .help = help,
};

/* Translate: the alignment of a translation as it is typed (Bahdanau et al. 2015,
 * fig. 3), by the GRU's attention under eight score functions or by the
 * Transformer's cross attention. A typed target is forced. */
#include "screen/translate.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "screen/handover.h"

const char *const app_scores[APP_SCORES + 1] = { "additive", "dot",      "general", "scaled",
                                                 "cosine",   "location", "local-m", "local-p" };
const char *const app_score_titles[APP_SCORES + 1] = { "additive",   "dot",    "general",
                                                       "scaled dot", "cosine", "location",
                                                       "local-m",    "local-p" };

static const char *const engine_names[] = { "gru", "transformer", NULL };
static const char *const engine_titles[] = { "GRU", "Transformer", NULL };
static const char *const score_papers[APP_SCORES] = { "Bahdanau 2015", "Luong 2015",  "Luong 2015",
                                                      "Vaswani 2017",  "Graves 2014", "Luong 2015",
                                                      "Luong 2015",    "Luong 2015" };

CONTROL_PART(engine, translate_of, transformer, bool)
CONTROL_PART(score, translate_of, score, int)
CONTROL_PART(beam, translate_of, beam, int)

/* Greedy, then the usual widths. */
static double
next_beam(double b)
{
    return b < 2 ? 2 : b < 4 ? 4 : b < 8 ? 8 : 1;
}

static const char *
beam_label(double v)
{
    static const char *const labels[] = {
        "greedy",     "greedy",     "beam of 2",  "beam of 3",  "beam of 4",  "beam of 5",
        "beam of 6",  "beam of 7",  "beam of 8",  "beam of 9",  "beam of 10", "beam of 11",
        "beam of 12", "beam of 13", "beam of 14", "beam of 15", "beam of 16",
    };
    return labels[(int)v];
}

static double
get_nothing(const struct app_state *s)
{
    (void)s;
    return 0;
}

static void
type_target(struct app_state *s, double v)
{
    (void)v;
    snprintf(s->focus, sizeof s->focus, "field:target");
}

enum { ENGINE, SCORE, BEAM, TARGET, N_ROWS };

static const struct hl_control rows[N_ROWS] = {
    [ENGINE] = { CONTROL_TITLED("engine", "engine", engine_names, engine_titles,
                                "Which model aligns"),
                 CONTROL_SHOWN(engine, CONTROL_SEGMENTS, 'e'), .does = "GRU or Transformer",
                 .reruns = true },
    [SCORE] = { CONTROL_TITLED("score", "score", app_scores, app_score_titles,
                               "How well a source word answers the decoder's state"),
                CONTROL_AT(score), .reruns = true },
    [BEAM] = { CONTROL_NUMBER("beam", "beam", HL_OPTION_WHOLE, 1, 16,
                              "Greedy, or the best of several kept at each step"),
               CONTROL_SHOWN(beam, CONTROL_PILL, 'g'), .does = "greedy, beam of 2, 4, 8",
               .reruns = true, .next = next_beam, .label = beam_label },
    [TARGET] = { CONTROL_ON_OFF("target-field", "type the target",
                                "See how your own translation aligns"),
                 .look = CONTROL_PILL, .key = 'f', .does = "type the target", .forgets = true,
                 .get = get_nothing, .put = type_target },
};

static const struct control_table table = { N_ROWS, rows };
static const struct control_table *const controls[] = { &table, &attention_table, NULL };

static const struct hl_record *
record(const struct app_state *s)
{
    return !state_blank(s) ? s->slots[state_slot(s, "translate", TRANSLATE_RUN)].record : NULL;
}

static const char *
model_name(const struct app_state *s)
{
    return translate_of(s)->transformer ? s->chosen[HL_CAN_HEADS] : s->chosen[HL_CAN_ALIGN];
}

static const struct hl_map *
alignment(const struct hl_record *r)
{
    const struct hl_map *m = hl_record_find_map(r, "alignment", HL_STAGE_WEIGHTS);
    return m != NULL ? m : hl_record_find_map(r, "decoder.cross", HL_STAGE_WEIGHTS);
}

/* Mean over rows of the largest weight on a word: how sharply a head aligns. */
static double
sharpness(const struct hl_record *r, const struct hl_map *m, int layer, int head)
{
    const struct hl_token *keys = r->axes[m->k_axis].tokens;
    double sum = 0;
    for (int q = 0; q < m->n_q; q++) {
        const float *row = hl_map_row(m, layer, head, q);
        float most = 0;
        for (int k = 0; k < m->n_k; k++) {
            if (!(keys != NULL && keys[k].special) && row[k] > most)
                most = row[k];
        }
        sum += (double)most;
    }
    return m->n_q > 0 ? sum / m->n_q : 0;
}

static void
resolve(const struct app_state *s, const struct hl_record *r, const struct hl_map *m, int *layer,
        int *head)
{
    *layer = translate_of(s)->at.layer < m->n_layers ? translate_of(s)->at.layer : m->n_layers - 1;
    *head = translate_of(s)->at.head < m->n_heads ? translate_of(s)->at.head : m->n_heads - 1;
    if (!translate_of(s)->at.automatic && m->n_layers * m->n_heads > 1)
        return;
    double best = -1;
    for (int l = 0; l < m->n_layers; l++) {
        for (int h = 0; h < m->n_heads; h++) {
            double x = sharpness(r, m, l, h);
            if (x > best) {
                best = x;
                *layer = l;
                *head = h;
            }
        }
    }
}

static bool
picture(const struct app_state *s, struct hl_arena *a, struct attention_pic *out)
{
    int layer, head;
    const struct hl_record *r = record(s);
    const struct hl_map *m = r != NULL ? alignment(r) : NULL;
    if (m == NULL)
        return false;
    resolve(s, r, m, &layer, &head);
    return attention_make(s, s->hover, a, r, m->name, layer, head, out);
}

/* What the record shown was made by, which may be a key older than the switches. */
static bool
is_gru(const struct attention_pic *p)
{
    return strcmp(p->map->name, "alignment") == 0;
}

/* ---- drawing ---- */

/* Low windows give the target's line to the matrix until it is wanted. */
static bool
target_shown(const struct app_state *s)
{
    return s->height >= 680 || field_text(&translate_of(s)->target)[0] != 0 ||
           strcmp(s->focus, "field:target") == 0;
}

static void
target_row(const struct screen_ctx *c, hl_rect r)
{
    const struct app_state *s = c->state;
    bool forced = field_text(&translate_of(s)->target)[0] != 0;
    hl_rect label = rect_cut_left(&r, 44);
    ui_label(c->ui, label, DL_FONT_UI, c->theme->small, DL_LEFT,
             forced ? c->theme->pinned : c->theme->quiet, forced ? "forced" : "target");
    field_build(c->ui, &translate_of(s)->target, r, c->theme->label, "field:target",
                "Type a French sentence here to see how it aligns; empty, the model translates");
}

static void
main_panel(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct app_state *s = c->state;
    char title[96];
    hl_rect in = ui_panel(c->ui, r);
    hl_rect top = rect_cut_top(&in, 28);
    float used = attention_tabs(c->ui, top, s) + 4;
    float ew = ui_text_width(c->ui, DL_FONT_UI_MEDIUM, c->theme->body, "GRUTransformer") + 46;
    bool room = top.w - used >= ew;
    hl_rect engine = rect_make(top.x + top.w - ew, top.y, ew, top.h);
    if (!room) {
        rect_cut_top(&in, 6);
        engine = rect_cut_top(&in, 28);
    }
    control_draw(c->ui, engine, s, &rows[ENGINE]);
    rect_cut_top(&in, 8);
    if (is_gru(p))
        snprintf(title, sizeof title, "%s (%s)", app_score_titles[translate_of(s)->score],
                 score_papers[translate_of(s)->score]);
    else if (p->head < 0)
        snprintf(title, sizeof title, "layer %d, mean over heads", p->layer + 1);
    else
        snprintf(title, sizeof title, "layer %d, head %d", p->layer + 1, p->head + 1);
    const struct hl_control *more[2];
    int n = 0;
    if (field_text(&translate_of(s)->target)[0] == 0)
        more[n++] = &rows[BEAM];
    if (!target_shown(s))
        more[n++] = &rows[TARGET];
    bool low = in.h < 300;
    float h = attention_controls(c->ui, in, s, more, n, low ? NULL : title);
    rect_cut_top(&in, h + 8);
    attention_view(c->ui, in, s, p);
}

static void
candidate(const struct screen_ctx *c, hl_rect line, const struct hl_candidate *cand, bool mine)
{
    const struct hl_theme *t = c->theme;
    double prob = exp((double)cand->logprob);
    char num[16];
    ui_label(c->ui, rect_make(line.x, line.y, line.w * 0.32f, line.h),
             mine ? DL_FONT_UI_BOLD : DL_FONT_UI, t->body, DL_LEFT, mine ? t->ink : t->quiet,
             cand->label);
    ui_bar(c->ui, rect_make(line.x + line.w * 0.34f, line.y + 5, line.w * 0.66f - 60, 12),
           (float)prob, mine ? t->accent : theme_mix(t->accent, t->panel, 0.4f));
    view_weight_text(num, sizeof num, prob, 4);
    ui_label(c->ui, line, DL_FONT_MONO, t->body, DL_RIGHT, t->ink, num);
}

/* What was written at `at` though it is none of the best, as in a forced target. */
static bool
forced_candidate(const struct attention_pic *p, int at, struct hl_candidate *own)
{
    const struct hl_record *rec = p->record;
    const struct hl_token *token = &p->row_axis->tokens[at];
    const struct hl_series *s = hl_record_find_series(rec, "logprob");
    for (int k = 0; k < rec->candidates_k; k++) {
        if (rec->candidates[at * rec->candidates_k + k].id == token->id)
            return false;
    }
    if (s == NULL || s->n_comp != 1 || at >= s->n)
        return false;
    *own = (struct hl_candidate) { token->id, token->label, s->data[at] };
    return true;
}

/* The best next words where the focused target word was written, and the word itself. */
static void
candidates(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct hl_theme *t = c->theme;
    const struct hl_record *rec = p->record;
    const struct view_attention *v = &p->v;
    int row = v->looked_at ? p->link : v->focus;
    if (row < 0 || rec->candidates == NULL)
        return;
    int at = v->rows.items[row].first;
    char *title =
        hl_arena_printf(c->frame, "candidates where “%s” stands", v->rows.items[row].label);
    ui_label(c->ui, rect_cut_top(&r, 28), DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink,
             title != NULL ? title : "");
    rect_cut_top(&r, 8);
    const struct hl_candidate *best = rec->candidates + (ptrdiff_t)at * rec->candidates_k;
    struct hl_candidate own;
    bool there = at < rec->n_candidates, more = there && forced_candidate(p, at, &own);
    int n = there ? rec->candidates_k : 0, room = (int)(r.h / 22) - more;
    for (int k = 0; k < n && k < room; k++)
        candidate(c, rect_cut_top(&r, 22), &best[k], best[k].id == p->row_axis->tokens[at].id);
    if (more && room >= 0)
        candidate(c, rect_cut_top(&r, 22), &own, true);
}

static void
detail_panel(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct app_state *s = c->state;
    hl_rect in = ui_panel(c->ui, r);
    if (p->v.focus < 0 || s->n_pins == 0) {
        hl_rect top = rect_cut_top(&in, 20);
        ui_label(c->ui, top, DL_FONT_UI, c->theme->body, DL_LEFT, c->theme->quiet,
                 "the same weights as ribbons; click a word to pin it");
        rect_cut_top(&in, 6);
        view_lines(c->ui, in, &p->v, false);
        return;
    }
    float gap = 32, half = floorf((in.w - gap) / 2);
    hl_rect left = rect_cut_left(&in, half);
    rect_cut_left(&in, gap);
    hl_rect foot = rect_cut_bottom(&left, 32);
    attention_inspector(c->ui, left, p, (int)fminf(fmaxf(1, (left.h - 40) / 22), 12));
    bool products = p->map->scale > 0;
    ui_button(c->ui, rect_make(foot.x, foot.y + 4, fminf(foot.w, 220), 28), UI_BUTTON_OUTLINE,
              products, "act:arithmetic",
              foot.w < 210 ? "To Arithmetic" : "Query and keys to Arithmetic",
              "Recompute this row by hand (Alt+R)");
    candidates(c, in, p);
}

static bool
same_ids(const struct hl_axis *a, const struct hl_axis *b)
{
    bool same = a != NULL && b != NULL && a->n == b->n && a->tokens != NULL && b->tokens != NULL;
    for (int i = 0; same && i < a->n; i++)
        same = a->tokens[i].id == b->tokens[i].id;
    return same;
}

/* Both are of one sentence and one target. */
static bool
same_pair(const struct hl_record *a, const struct hl_record *b)
{
    return same_ids(hl_record_find_axis(a, "source"), hl_record_find_axis(b, "source")) &&
           same_ids(hl_record_find_axis(a, "decoder_input"),
                    hl_record_find_axis(b, "decoder_input"));
}

/* One small multiple with its name below. That of a former text stays until its
 * successor is there, so that nothing flickers, and says so. */
static void
score_tile(const struct screen_ctx *c, hl_rect r, int i, const struct attention_pic *p)
{
    const struct app_state *s = c->state;
    const struct hl_theme *t = c->theme;
    bool chosen = i == translate_of(s)->score;
    char id[UI_ID_SZ], tip[UI_TIP_SZ];
    hl_rect name = rect_cut_bottom(&r, 22);
    struct attention_pic mine;
    snprintf(id, sizeof id, "score:%s", app_scores[i]);
    snprintf(tip, sizeof tip, "%s (%s): click to use it (Alt+C: next)", app_score_titles[i],
             score_papers[i]);
    int nr = p->v.rows.n > 0 ? p->v.rows.n : 1, nc = p->v.cols.n > 0 ? p->v.cols.n : 1;
    float cell = fminf(r.h / (float)nr, r.w / (float)nc);
    hl_rect box = rect_make(r.x + 1, r.y + 1, roundf(cell * (float)nc), roundf(cell * (float)nr));
    box.w = fminf(fmaxf(box.w, 24), r.w) - 2;
    box.h = fminf(fmaxf(box.h, 24), r.h) - 2;
    const struct hl_record *score = translate_of(s)->scores[i];
    const char *label = app_score_titles[i];
    if (score != NULL && attention_make(s, "", c->frame, score, "alignment", 0, 0, &mine)) {
        view_tile(c->ui, box, &mine.v);
        const char *old = same_pair(score, p->record)
                              ? NULL
                              : hl_arena_printf(c->frame, "%s · text before", label);
        label = old != NULL ? old : label;
    } else {
        dl_stroke(c->dl, box, 3, 1, t->line);
    }
    if (chosen || ui_hovered(c->ui, id))
        dl_stroke(c->dl, rect_inset(box, -2, -2), 4, chosen ? 2 : 1,
                  chosen ? t->pinned : t->accent);
    ui_label(c->ui, rect_make(r.x, name.y + 2, r.w, 18), chosen ? DL_FONT_UI_BOLD : DL_FONT_UI,
             t->body, DL_LEFT, chosen ? t->ink : t->quiet, label);
    ui_hit(c->ui, rect_make(box.x - 2, box.y - 2, fmaxf(box.w + 4, 72), r.h + 24), UI_RADIUS,
           DL_CURSOR_HAND, id, tip);
}

static void
scores_panel(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct hl_theme *t = c->theme;
    hl_rect in = ui_panel(c->ui, r);
    hl_rect top = rect_cut_top(&in, 20);
    float w = ui_label(c->ui, top, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink,
                       "eight ways to score the same pair");
    ui_label(c->ui, rect_make(top.x + w + 16, top.y, top.w - w - 16, top.h), DL_FONT_UI, t->small,
             DL_RIGHT, t->quiet,
             top.w > 480 ? "this target forced on each, same weights of the model"
                         : "this target forced on each");
    rect_cut_top(&in, 8);
    float gw = 16, gh = 8;
    float tw = floorf((in.w - 3 * gw) / 4), th = floorf((in.h - gh) / 2);
    for (int i = 0; i < APP_SCORES; i++)
        score_tile(
            c,
            rect_make(in.x + (tw + gw) * (float)(i % 4), in.y + (th + gh) * (float)(i / 4), tw, th),
            i, p);
}

static void
heads_panel(const struct screen_ctx *c, hl_rect r, const struct attention_pic *p)
{
    const struct app_state *s = c->state;
    hl_rect in = ui_panel(c->ui, r);
    struct view_sheet b = { .map = p->map,
                            .rows = p->v.rows,
                            .cols = p->v.cols,
                            .key = "cross",
                            .title = "Decoder → encoder, every layer and head",
                            .layer = p->layer,
                            .head = p->head,
                            .log_scale = s->show.log_scale };
    view_sheet(c->ui, in, &b, view_sheet_tile(&b, 1, in.w, in.h, 64));
}

static void
build(const struct screen_ctx *c, hl_rect area)
{
    struct attention_pic p;
    if (target_shown(c->state)) {
        target_row(c, rect_cut_top(&area, 36));
        rect_cut_top(&area, 12);
    }
    if (!screen_picture(c, &p)) {
        screen_waiting(c, area, model_name(c->state));
        return;
    }
    float share = area.w < 1000 ? 0.49f : 0.46f;
    hl_rect left = rect_cut_left(&area, roundf((area.w - UI_PAD) * share));
    rect_cut_left(&area, UI_PAD);
    hl_rect top = rect_cut_top(&area, roundf((area.h - UI_PAD) * 0.44f));
    rect_cut_top(&area, UI_PAD);
    main_panel(c, left, &p);
    detail_panel(c, top, &p);
    if (is_gru(&p))
        scores_panel(c, area, &p);
    else
        heads_panel(c, area, &p);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    struct attention_pic p;
    if (!screen_picture(c, &p)) {
        snprintf(buf, (size_t)buf_sz, "%s", state_model_label(s, model_name(s)));
    } else {
        char what[64];
        if (is_gru(&p))
            snprintf(what, sizeof what, "alignment · %s", app_score_titles[translate_of(s)->score]);
        else if (p.head < 0)
            snprintf(what, sizeof what, "cross · layer %d mean over heads", p.layer + 1);
        else
            snprintf(what, sizeof what, "cross · layer %d head %d", p.layer + 1, p.head + 1);
        snprintf(buf, (size_t)buf_sz, "%s · %s", p.record->model, what);
        attention_provenance(s, &p, buf, buf_sz);
        size_t n = strlen(buf);
        bool forced = field_text(&translate_of(s)->target)[0] != 0;
        if (forced || translate_of(s)->beam < 2)
            snprintf(buf + n, (size_t)buf_sz - n, " · %s", forced ? "forced target" : "greedy");
        else
            snprintf(buf + n, (size_t)buf_sz - n, " · beam of %d", translate_of(s)->beam);
    }
}

/* ---- requests ---- */

static void
stop_scores(struct translate_state *t)
{
    t->score_next = APP_SCORES;
    t->score_ticket = 0;
}

static void
fill(const struct app_state *s, struct hl_request *req)
{
    const struct translate_state *t = translate_of(s);
    const char *target = field_text(&t->target);
    *req = (struct hl_request) { .text = state_text(s) };
    if (target[0] != 0)
        req->target = target;
    if (t->beam > 1 && target[0] == 0)
        hl_request_set(req, "beam", t->beam);
    if (!t->transformer)
        hl_request_set(req, "score", t->score);
}

static void
request(struct app_state *s, struct hl_effects *fx)
{
    stop_scores(translate_of(s));
    if (state_blank(s))
        return;
    struct hl_effect *e =
        state_run(s, fx, state_slot(s, "translate", TRANSLATE_RUN), model_name(s));
    if (e != NULL)
        fill(s, &e->req);
}

static void
ask_score(struct app_state *s, struct hl_effects *fx)
{
    struct translate_state *t = translate_of(s);
    if (t->score_next >= APP_SCORES)
        return;
    struct hl_effect *e =
        state_run(s, fx, state_slot(s, "translate", TRANSLATE_SCORES), s->chosen[HL_CAN_ALIGN]);
    if (e == NULL) {
        stop_scores(t);
        return;
    }
    t->score_ticket = e->ticket;
    e->req = (struct hl_request) { .text = state_text(s),
                                   .decoder_ids = t->score_ids,
                                   .n_decoder_ids = t->n_score_ids };
    hl_request_set(&e->req, "score", t->score_next);
}

/* The main picture is there: the eight small ones follow, one after the other, with
 * the decoder input of this one. */
static void
start_scores(struct app_state *s, struct hl_effects *fx)
{
    struct translate_state *t = translate_of(s);
    const struct hl_record *r = record(s);
    const struct hl_axis *in = r != NULL ? hl_record_find_axis(r, "decoder_input") : NULL;
    stop_scores(t);
    if (in == NULL || in->tokens == NULL || alignment(r) == NULL ||
        strcmp(alignment(r)->name, "alignment") != 0)
        return;
    int32_t *ids = hl_alloc((size_t)in->n, sizeof *ids);
    if (ids == NULL)
        return;
    for (int i = 0; i < in->n; i++)
        ids[i] = in->tokens[i].id;
    hl_free(t->score_ids);
    t->score_ids = ids;
    t->n_score_ids = in->n;
    t->score_next = 0;
    ask_score(s, fx);
}

static void
take_score(struct app_state *s, struct hl_effects *fx)
{
    struct translate_state *t = translate_of(s);
    struct app_slot_state *slot = &s->slots[state_slot(s, "translate", TRANSLATE_SCORES)];
    if (t->score_next >= APP_SCORES || slot->shown != t->score_ticket)
        return;
    if (slot->error[0] == 0) {
        hl_record_destroy(t->scores[t->score_next]);
        t->scores[t->score_next] = slot->record;
        slot->record = NULL;
    }
    t->score_next++;
    ask_score(s, fx);
}

static void
result(struct app_state *s, int k, struct hl_effects *fx)
{
    const struct app_slot_state *slot = &s->slots[state_slot(s, "translate", k)];
    if (k == TRANSLATE_RUN && slot->shown == slot->wanted)
        start_scores(s, fx);
    else if (k == TRANSLATE_SCORES)
        take_score(s, fx);
}

/* ---- events ---- */

static void
changed(struct app_state *s, struct hl_effects *fx)
{
    s->dirty = true;
    request(s, fx);
}

static bool
cross_step(struct app_state *s, int key, const struct attention_pic *p)
{
    int layers = key == KEY_UP ? -1 : key == KEY_DOWN ? 1 : 0;
    int heads = key == KEY_LEFT ? -1 : key == KEY_RIGHT ? 1 : 0;
    if ((layers == 0 && heads == 0) || is_gru(p))
        return false;
    attention_step_head(&translate_of(s)->at, p, layers, heads);
    s->dirty = true;
    return true;
}

static bool
key(struct app_state *s, const struct hl_event *ev, const struct attention_pic *p,
    struct hl_effects *fx)
{
    if (ev->mods != MOD_ALT)
        return false;
    switch (ev->key) {
    case 'c':
        translate_of(s)->score = (translate_of(s)->score + 1) % APP_SCORES;
        translate_of(s)->transformer = false;
        changed(s, fx);
        return true;
    case 'a':
        translate_of(s)->at.head = p != NULL && p->head >= 0 ? -1 : 0;
        translate_of(s)->at.layer = p != NULL ? p->layer : 0;
        translate_of(s)->at.automatic = false;
        return true;
    case 'b':
        translate_of(s)->at.automatic = !translate_of(s)->at.automatic;
        return true;
    default:
        return p != NULL && cross_step(s, ev->key, p);
    }
}

static bool
click(struct app_state *s, const char *hit)
{
    int layer, head;
    if (sscanf(hit, "head:cross:%d:%d", &layer, &head) == 2) {
        translate_of(s)->at.layer = layer;
        translate_of(s)->at.head = head;
        translate_of(s)->at.automatic = false;
        s->dirty = true;
        return true;
    }
    return false;
}

static struct ui_field *
target_field(const struct app_state *s)
{
    return &translate_of(s)->target;
}

static const struct screen_field fields[] = {
    { "field:target", 14, target_field, changed, NULL },
    { .id = NULL },
};

/* An open model of alignments or of heads says which engine is meant. */
static void
picked(struct app_state *s, const struct app_model *m)
{
    translate_of(s)->transformer = !hl_model_can(&m->info, HL_CAN(ALIGN));
}

static bool
init(struct app_state *s)
{
    struct translate_state *t = translate_of(s);
    t->beam = 1;
    t->at.automatic = true;
    t->score_next = APP_SCORES;
    return true;
}

static void
deinit(struct app_state *s)
{
    struct translate_state *t = translate_of(s);
    field_deinit(&t->target);
    for (int i = 0; i < APP_SCORES; i++)
        hl_record_destroy(t->scores[i]);
    hl_free(t->score_ids);
}

static bool
event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct hl_arena a;
    struct attention_pic p;
    hl_arena_init(&a, 65536, 0);
    bool there = picture(s, &a, &p), used = false;
    bool send = (ev->kind == EV_MOUSE_DOWN && strcmp(hit, "act:arithmetic") == 0) ||
                (ev->kind == EV_KEY && ev->mods == MOD_ALT && ev->key == 'r');
    if (there && send) {
        struct hl_request req;
        fill(s, &req);
        handover_send(s, &p, model_name(s), &req, fx);
        used = true;
    }
    if (!used && ev->kind == EV_KEY)
        used = key(s, ev, there ? &p : NULL, fx);
    if (!used && ev->kind == EV_MOUSE_DOWN && ev->button <= 1)
        used = click(s, hit);
    if (!used)
        used = attention_event(s, ev, hit, there ? &p : NULL);
    hl_arena_deinit(&a);
    return used;
}

/* ---- settings ---- */

static bool
set(struct app_state *s, const char *k, const char *value, struct hl_error *err)
{
    struct translate_state *t = translate_of(s);
    int i;
    if (strcmp(k, "window") == 0) {
        static const char *const windows[] = { "global", "local-m", "local-p" };
        i = attention_choice(k, value, windows, 3, err);
        if (i > 0)
            t->score = APP_SCORES - 3 + i;
        else if (i == 0 && t->score >= APP_SCORES - 2)
            t->score = 0;
        return i >= 0;
    }
    if (strcmp(k, "target") == 0)
        return field_set(&t->target, value, strlen(value));
    if (strcmp(k, "layer") == 0 || strcmp(k, "head") == 0)
        return attention_set_head(s, k, value, &t->at, err);
    return attention_set(s, k, value, err) == HL_OK;
}

static void
save(const struct app_state *s, void (*put)(void *user, const char *key, const char *value),
     void *user)
{
    const struct translate_state *t = translate_of(s);
    put(user, "target", field_text(&t->target));
    attention_save_head(&t->at, put, user);
}

static const char *const examples[] = {
    "The agreement on the European Economic Area was signed in August 1992.",
    "My sister bought a red car yesterday.",
    "The animal didn't cross the street because it was too tired", "I don't know what to say.", NULL
};

static const char *const keys[] = { "Alt+C\0next score function",
                                    "Alt+A\0mean over heads (cross attention)",
                                    "Alt+B\0follow the head that aligns most sharply",
                                    "Alt+←→↑↓\0other head or layer (cross attention)",
                                    "Alt+D\0looks at / is looked at by",
                                    "Alt+R\0send query and keys to Arithmetic",
                                    NULL };

static const char *const help[] = {
    "Each row is a French word as it was written; its weights say which English words the model "
    "looked at just then. Rows are queries, columns are keys.",
    "The eight small pictures show one set of weights under eight score functions. Location cannot "
    "see the words and knows only places; local-m and local-p look through a window.",
    "“unsure”: its own French was less than 0.6 likely, piece by piece on average; it has left "
    "what "
    "it learned.",
    NULL
};

const struct hl_screen screen_translate = {
    .id = "translate",
    .title = "Translate",
    .has_text = true,
    .text = APP_TEXT_SENTENCE,
    .model = model_name,
    .wants = HL_CAN(ALIGN) | HL_CAN(TRANSLATE),
    .examples = examples,
    .build = build,
    .provenance = provenance,
    .controls = controls,
    .event = event,
    .set = set,
    .request = request,
    .result = result,
    .save = save,
    .size = sizeof(struct translate_state),
    .n_slots = TRANSLATE_SLOTS,
    .shows = true,
    .init = init,
    .deinit = deinit,
    .fields = fields,
    .picked = picked,
    .picture = picture,
    .keys = keys,
    .help = help,
};

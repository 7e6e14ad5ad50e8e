/* The addressing of one head at one step: five distributions with what makes each of
 * the one before it, and a hand on all of that. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "view/plot_curves.h"
#include "view/view.h"

struct chain {
    const struct memory_paint *p;
    struct hl_ntm_head head;
    unsigned taken;                                            /* fields in hand */
    float *w[MEMORY_STAGES], *ghost[MEMORY_STAGES], *previous; /* of the shown addresses */
    uint8_t *mark;
    bool small;
};

static float *
shown(const struct memory_paint *p, const float *row)
{
    float *w = hl_arena_floats(p->c->frame, (size_t)p->window.n);
    for (int i = 0; w != NULL && i < p->window.n; i++)
        w[i] = row[memory_address(&p->window, i)];
    return w;
}

static bool
gather(const struct memory_paint *p, struct chain *c)
{
    const struct hl_ntm_hand *hand = memory_hand_find(p->m, p->at);
    float *previous = hl_arena_floats(p->c->frame, (size_t)p->run.n_slots);
    *c = (struct chain) { .p = p, .taken = hand != NULL ? hand->fields : 0 };
    memory_head(&p->run, p->at, &c->head);
    c->mark = hl_arena_new(p->c->frame, p->window.n, uint8_t);
    if (previous == NULL || c->mark == NULL)
        return false;
    memory_previous(&p->run, p->at, previous);
    c->previous = shown(p, previous);
    for (int k = 0; k < MEMORY_STAGES; k++) {
        c->w[k] = shown(p, memory_row(&p->run, p->at, (enum memory_stage)k));
        if (p->has_trained)
            c->ghost[k] = shown(p, memory_row(&p->trained, p->at, (enum memory_stage)k));
        if (c->w[k] == NULL || c->previous == NULL || (p->has_trained && c->ghost[k] == NULL))
            return false;
    }
    for (int k = 0; k < p->m->n_pins; k++) {
        int row = memory_window_row(&p->window, p->m->pin[k] % p->run.n_slots);
        if (row >= 0)
            c->mark[row] |= VIEW_PIN;
    }
    int hot = p->hot.address >= 0 ? memory_window_row(&p->window, p->hot.address) : -1;
    if (hot >= 0)
        c->mark[hot] |= VIEW_HOT;
    return true;
}

/* ---- parameters ---- */

/* "β" [track] "14.00": a parameter on its slider; without room for the number (0) it is
 * the tip. */
static void
parameter(const struct chain *c, hl_rect r, enum hl_ntm_field field, const char *id,
          const char *name, float v, int decimals, float name_w, float value_w)
{
    struct ui *u = c->p->u;
    const struct hl_theme *t = u->theme;
    bool taken = c->taken & (unsigned)field;
    char n[32];
    ui_label(u, rect_cut_left(&r, name_w), DL_FONT_MONO, t->body, DL_LEFT,
             taken ? t->pinned_ink : t->ink, name);
    hl_fmt_fixed(n, sizeof n, (double)v, decimals);
    if (value_w == 0) {
        memory_track(u, rect_inset(r, 3, 0), id, memory_slide_place(field, v), taken, n);
        return;
    }
    const char *text = decimals == 2 && value_w < 34 && n[0] == '0' ? n + 1 : n;
    if (value_w < 34 && n[0] == '1')
        text = "1";
    ui_label(u, rect_cut_right(&r, value_w), DL_FONT_MONO, t->body, DL_RIGHT,
             taken ? t->pinned_ink : t->ink, text);
    memory_track(u, rect_inset(r, 3, 0), id, memory_slide_place(field, v), taken,
                 taken ? NULL : "Drag, or arrow keys: from here on the run is computed anew");
}

static void
shift_parameters(const struct chain *c, hl_rect r)
{
    int n = c->p->run.n_shifts, half = n / 2;
    float each = floorf(r.w / (float)n);
    for (int k = 0; k < n; k++) {
        char id[UI_ID_SZ], name[16];
        hl_rect one = rect_cut_left(&r, each);
        if (k > 0)
            rect_cut_left(&one, 6);
        snprintf(id, sizeof id, "hand:shift%d", k);
        snprintf(name, sizeof name, "%s%d",
                 k > half   ? "+"
                 : k < half ? "−"
                            : "",
                 k > half ? k - half : half - k);
        parameter(c, one, HL_NTM_SHIFT, id, name, c->head.shift[k], 2, 18, n > 3 ? 0 : 27);
    }
}

/* ---- vectors as strips of cells ---- */

static void
strip_cells(const struct chain *c, hl_rect r, const float *v, enum dl_map map, const char *id,
            const char *name, int chosen)
{
    struct ui *u = c->p->u;
    int m = c->p->run.width, row, col;
    uint8_t *cells =
        dl_heat(u->dl, r, 1, m, r.w / (float)m >= 5 ? 1 : 0, 1, map, u->theme->dark, NULL);
    for (int j = 0; j < m && cells != NULL; j++)
        cells[j] =
            map == DL_MAP_SIGNED ? theme_step(0.5 + (double)v[j] / 2) : theme_step((double)v[j]);
    float w = r.w / (float)m;
    bool hot = memory_hovered(c->p->s, id, 1, m, &row, &col);
    bool focus = u->focus_visible && ui_focused(u, id);
    if (id[0] == '~')
        dl_hit(u->dl, r, DL_CURSOR_ARROW, "%s", id);
    else
        ui_hit(u, r, 3, DL_CURSOR_RESIZE, id, NULL);
    if (!hot && !focus)
        return;
    int at = hot ? col : chosen < m ? chosen : m - 1;
    char n[32];
    dl_stroke(u->dl, rect_make(r.x + w * (float)at - 1, r.y - 1, w + 2, r.h + 2), 2, 1.5f,
              u->theme->pinned);
    u->tip_at = rect_make(r.x + w * (float)at, r.y, w, r.h);
    snprintf(u->tip, sizeof u->tip, "%s · component %d · %s%s", name, at,
             memory_number(n, sizeof n, (double)v[at], 4),
             id[0] == '~' ? "" : " · drag up or down, or arrow keys");
}

static void
strip_row(const struct chain *c, hl_rect r, const char *name, const float *v, enum dl_map map,
          const char *id, unsigned field, int chosen)
{
    struct ui *u = c->p->u;
    hl_rect label = rect_cut_left(&r, 42);
    bool taken = c->taken & field;
    ui_label(u, label, DL_FONT_UI_MEDIUM, u->theme->body, DL_LEFT,
             taken ? u->theme->pinned_ink : u->theme->ink, name);
    strip_cells(c, rect_inset(r, 0, 3), v, map, id, name, chosen);
}

/* ---- the five charts ---- */

static double
top_of(const struct chain *c, int stage)
{
    float top = 0;
    if (stage == MEMORY_COSINE || c->p->s->show.lock)
        return 1;
    for (int i = 0; i < c->p->window.n; i++) {
        top = fmaxf(top, c->w[stage][i]);
        top = c->ghost[stage] != NULL ? fmaxf(top, c->ghost[stage][i]) : top;
    }
    return top > 0 ? (double)top : 1;
}

static void
chart(const struct chain *c, hl_rect r, int stage)
{
    const struct memory_paint *p = c->p;
    char id[UI_ID_SZ], best[48], n[32];
    const float *row = memory_row(&p->run, p->at, (enum memory_stage)stage);
    int strongest = memory_strongest(row, p->run.n_slots);
    snprintf(id, sizeof id, "~chain:%d", stage);
    snprintf(best, sizeof best, "%s at %d", memory_number(n, sizeof n, (double)row[strongest], 3),
             strongest);
    struct view_columns v = { .id = id,
                              .n = p->window.n,
                              .w = c->w[stage],
                              .ghost = c->ghost[stage],
                              .tick = stage == MEMORY_GATED ? c->previous : NULL,
                              .mark = c->mark,
                              .is_signed = stage == MEMORY_COSINE,
                              .log_scale = p->s->show.log_scale,
                              .top = top_of(c, stage),
                              .best = best };
    view_columns(p->u, r, &v);
    if (p->hot.stage != stage || p->hot.address < 0)
        return;
    int at = memory_window_row(&p->window, p->hot.address);
    float w = r.w / (float)p->window.n;
    char more[48] = "", k[32];
    if (c->ghost[stage] != NULL)
        snprintf(more, sizeof more, " · as trained %s",
                 memory_number(k, sizeof k, (double)c->ghost[stage][at], 4));
    else if (stage == MEMORY_GATED)
        snprintf(more, sizeof more, " · before the step %s",
                 memory_number(k, sizeof k, (double)c->previous[at], 4));
    p->u->tip_at = rect_make(r.x + w * (float)at, r.y, w, r.h);
    snprintf(p->u->tip, sizeof p->u->tip, "address %d · %s%s", p->hot.address,
             memory_number(n, sizeof n, (double)row[p->hot.address], 4), more);
}

static void
stage_title(const struct chain *c, hl_rect r, int stage)
{
    static const char *const names[2][MEMORY_STAGES] = {
        { "cosine(key, row)", "softmax(β · cosine)", "g · content + (1−g) · before", "shift round",
          "sharpen: w^γ / Σ" },
        { "cosine", "softmax(β·cos)", "gate", "shift", "sharpen" },
    };
    const struct hl_theme *t = c->p->u->theme;
    struct ui *u = c->p->u;
    float w = c->small ? 128 : 160;
    hl_rect right = r;
    w = stage == MEMORY_SHIFTED ? r.w - (c->small ? 36 : 80) : w;
    right = rect_cut_right(&r, fminf(w, r.w * 0.87f));
    float x = r.x + 8 +
              ui_label(u, r, DL_FONT_UI_MEDIUM, t->body, DL_LEFT, t->ink, names[c->small][stage]);
    if (stage == MEMORY_GATED) {
        dl_fill(u->dl, rect_make(x, roundf(r.y + r.h / 2), 10, 2), 0, t->quiet);
        if (c->small)
            ui_label(u, rect_make(x + 14, r.y, r.x + r.w - x - 14, r.h), DL_FONT_UI, t->small,
                     DL_LEFT, t->quiet, "before");
    }
    if (stage == MEMORY_COSINE) {
        ui_label(u, rect_cut_left(&right, 28), DL_FONT_UI_MEDIUM, t->body, DL_LEFT,
                 c->taken & HL_NTM_KEY ? t->pinned_ink : t->ink, "key");
        strip_cells(c, rect_inset(right, 0, 3), c->head.key, DL_MAP_SIGNED, "key:cells", "key",
                    c->p->m->cell[0]);
    } else if (stage == MEMORY_CONTENT) {
        parameter(c, right, HL_NTM_STRENGTH, "hand:strength", "β", c->head.strength, 2, 14, 50);
    } else if (stage == MEMORY_GATED) {
        parameter(c, right, HL_NTM_GATE, "hand:gate", "g", c->head.gate, 4, 14, 50);
    } else if (stage == MEMORY_SHIFTED) {
        shift_parameters(c, right);
    } else {
        parameter(c, right, HL_NTM_GAMMA, "hand:gamma", "γ", c->head.gamma, 2, 14, 50);
    }
}

static void
address_axis(const struct chain *c, hl_rect r)
{
    const struct memory_paint *p = c->p;
    const struct hl_theme *t = p->u->theme;
    float w = r.w / (float)p->window.n;
    int every = (int)plot_step(p->window.n, r.w, 26, 1);
    for (int i = 0; i < p->window.n; i++) {
        char n[16];
        uint8_t mark;
        if (!memory_numbered(p->m, &p->window, p->hot.address, i, w, 20, every, &mark))
            continue;
        snprintf(n, sizeof n, "%d", memory_address(&p->window, i));
        ui_label(p->u, rect_make(r.x + w * ((float)i + 0.5f) - 20, r.y, 40, 13), DL_FONT_MONO, 10,
                 DL_CENTER,
                 mark & VIEW_PIN   ? t->pinned_ink
                 : mark & VIEW_HOT ? t->accent
                                   : t->quiet,
                 n);
    }
    if (r.h >= 26)
        ui_label(p->u, rect_make(r.x, r.y + 13, r.w, 13), DL_FONT_UI, t->small, DL_CENTER, t->quiet,
                 "address");
}

static void
charts(const struct chain *c, hl_rect r)
{
    float axis = r.h > 380 ? 28 : 15, gap = r.h > 380 ? 10 : 5, title = r.h > 380 ? 22 : 19;
    hl_rect low = rect_cut_bottom(&r, axis);
    float each = floorf((r.h - gap * (MEMORY_STAGES - 1)) / MEMORY_STAGES);
    for (int k = 0; k < MEMORY_STAGES; k++) {
        hl_rect part = rect_cut_top(&r, each);
        stage_title(c, rect_cut_top(&part, title), k);
        rect_cut_top(&part, 2);
        chart(c, part, k);
        rect_cut_top(&r, gap);
    }
    low.y += 3;
    address_axis(c, low);
}

/* ---- head, hand, and the whole ---- */

/* Names of the heads, write heads first: "write", or "write 1", or in short "w1". */
static int
head_names(const struct memory_paint *p, bool brief, const char **keys, const char **labels,
           int most, int *now)
{
    int n = 0;
    for (int write = 1; write >= 0; write--) {
        for (int h = 0; h < p->run.n_heads[write] && n < most; h++) {
            const char *kind = write ? "write" : "read";
            keys[n] = hl_arena_printf(p->c->frame, "%s%d", kind, h);
            labels[n] = p->run.n_heads[write] == 1 && !brief ? kind
                        : brief ? hl_arena_printf(p->c->frame, "%c%d", kind[0], h + 1)
                                : hl_arena_printf(p->c->frame, "%s %d", kind, h + 1);
            if (keys[n] == NULL || labels[n] == NULL)
                return 0;
            *now = p->at.write == write && p->at.head == h ? n : *now;
            n++;
        }
    }
    return n;
}

static void
head_row(const struct chain *c, hl_rect r)
{
    enum { MOST = 16 };
    const struct hl_control *chain = &memory_rows[MEMORY_ROW_CHAIN];
    const char *keys[MOST], *labels[MOST];
    struct ui *u = c->p->u;
    float w = control_width(u, c->p->s, chain);
    int now = 0, n = head_names(c->p, false, keys, labels, MOST, &now);
    if (ui_segments_width(u, labels, n) + 8 + w > r.w)
        n = head_names(c->p, true, keys, labels, MOST, &now);
    ui_segments(u, r, "head", keys, labels, n, now, "Whose addressing (Alt+H)");
    control_draw(u, rect_make(r.x + r.w - w, r.y, w, r.h), c->p->s, chain);
}

static float
link_button(const struct memory_paint *p, hl_rect *r, const char *id, const char *label,
            const char *tip)
{
    const struct hl_theme *t = p->u->theme;
    float w = ceilf(ui_text_width(p->u, DL_FONT_UI_MEDIUM, t->body, label));
    hl_rect b = rect_cut_right(r, w + 12);
    ui_label(p->u, b, DL_FONT_UI_MEDIUM, t->body, DL_CENTER,
             ui_hovered(p->u, id) ? t->ink : t->accent, label);
    ui_hit(p->u, b, UI_RADIUS, DL_CURSOR_HAND, id, tip);
    return w;
}

/* Whether this step is the machine's or the user's, and the way to the other. */
static void
hand_row(const struct chain *c, hl_rect r)
{
    const struct memory_paint *p = c->p;
    const struct hl_theme *t = p->u->theme;
    char text[96], names[48];
    int others = p->m->options.n_hands - (c->taken != 0);
    if (c->taken != 0) {
        memory_hand_names(c->taken, names, sizeof names);
        snprintf(text, sizeof text, "in hand: %s", names);
        dl_fill(p->c->dl, r, UI_RADIUS, t->pinned_soft);
        dl_fill(p->c->dl, rect_make(r.x, r.y, 3, r.h), 1.5f, t->pinned);
    } else if (others > 0) {
        snprintf(text, sizeof text, "%d other step%s in hand", others,
                 others == 1 ? " is" : "s are");
        dl_fill(p->c->dl, r, UI_RADIUS, t->pinned_soft);
    } else {
        snprintf(text, sizeof text, "as trained");
    }
    hl_rect in = rect_make(r.x + (p->m->options.n_hands > 0 ? 10 : 0), r.y,
                           r.w - (p->m->options.n_hands > 0 ? 10 : 0), r.h);
    if (c->taken != 0)
        link_button(p, &in, "act:back", "give back", "The trained machine's again (Alt+G)");
    else
        link_button(p, &in, "act:take", "take in hand",
                    "Every parameter of this step, to begin with as it is (Alt+T)");
    if (others > 0)
        link_button(p, &in, "act:back_all", "all back", "Every step as trained (Alt+Shift+G)");
    ui_label(p->u, in, p->m->options.n_hands > 0 ? DL_FONT_UI_BOLD : DL_FONT_UI, t->body, DL_LEFT,
             p->m->options.n_hands > 0 ? t->pinned_ink : t->quiet, text);
}

static void
vectors(const struct chain *c, hl_rect r)
{
    const struct memory_paint *p = c->p;
    if (p->at.write) {
        hl_rect top = rect_cut_top(&r, r.h / 2);
        strip_row(c, top, "erase", c->head.erase, DL_MAP_WEIGHT, "erase:cells", HL_NTM_ERASE,
                  p->m->cell[1]);
        strip_row(c, r, "add", c->head.add, DL_MAP_SIGNED, "add:cells", HL_NTM_ADD, p->m->cell[2]);
        return;
    }
    size_t at = ((size_t)p->at.step * (size_t)p->run.n_heads[0] + (size_t)p->at.head) *
                (size_t)p->run.width;
    strip_row(c, rect_cut_top(&r, 20), "reads", p->run.read + at, DL_MAP_SIGNED, "~read:cells", 0,
              0);
}

void
memory_chain(const struct memory_paint *p, hl_rect r)
{
    struct chain c;
    ui_panel(p->u, r);
    hl_rect in = rect_inset(r, 14, 10);
    if (!gather(p, &c))
        return;
    c.small = in.w < 320;
    head_row(&c, rect_cut_top(&in, 26));
    rect_cut_top(&in, 5);
    hand_row(&c, rect_cut_top(&in, 22));
    rect_cut_top(&in, in.h > 380 ? 8 : 4);
    if (p->m->sums) {
        memory_sums(p, in);
        return;
    }
    hl_rect low = rect_cut_bottom(&in, p->at.write ? 38 : 20);
    rect_cut_bottom(&in, 3);
    charts(&c, in);
    vectors(&c, low);
}

/* One address by hand: from the key and the row to the weight, with every number. */
#include "screen/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "view/view.h"

struct sheet {
    const struct memory_paint *p;
    hl_rect r;
    float size, line;
};

static void
heading(struct sheet *s, const char *name, double value)
{
    const struct hl_theme *t = s->p->u->theme;
    char n[32];
    hl_rect line = rect_cut_top(&s->r, s->line + 1);
    ui_label(s->p->u, line, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, name);
    ui_label(s->p->u, line, DL_FONT_MONO, t->body, DL_RIGHT, t->pinned_ink,
             memory_number(n, sizeof n, value, 4));
}

static void
text_line(struct sheet *s, const char *text)
{
    ui_label(s->p->u, rect_cut_top(&s->r, s->line), DL_FONT_MONO, s->size, DL_LEFT,
             s->p->u->theme->quiet, text);
}

static void
space(struct sheet *s, float h)
{
    rect_cut_top(&s->r, h);
}

/* A vector as cells with its name; hovering tells the number. */
static void
cells(struct sheet *s, const char *name, const char *id, const double *v, double top)
{
    struct ui *u = s->p->u;
    int m = s->p->run.width, row, col;
    hl_rect line = rect_cut_top(&s->r, s->line - 2);
    ui_label(u, rect_cut_left(&line, 40), DL_FONT_MONO, s->size, DL_LEFT, u->theme->quiet, name);
    line = rect_inset(line, 0, 2);
    uint8_t *steps = dl_heat(u->dl, line, 1, m, line.w / (float)m >= 5 ? 1 : 0, 1, DL_MAP_SIGNED,
                             u->theme->dark, NULL);
    for (int j = 0; j < m && steps != NULL; j++)
        steps[j] = theme_step(0.5 + v[j] / top / 2);
    dl_hit(u->dl, line, DL_CURSOR_ARROW, "%s", id);
    if (!memory_hovered(s->p->s, id, 1, m, &row, &col))
        return;
    char n[32];
    u->tip_at =
        rect_make(line.x + line.w / (float)m * (float)col, line.y, line.w / (float)m, line.h);
    snprintf(u->tip, sizeof u->tip, "%s, component %d: %s", name, col,
             memory_number(n, sizeof n, v[col], 4));
}

static void
cosine(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    const struct memory_run *r = &s->p->run;
    double key[HL_NTM_MAX_WIDTH], row[HL_NTM_MAX_WIDTH], product[HL_NTM_MAX_WIDTH], top = 1e-9;
    char a[3][32], text[128];
    const float *m = r->memory + ((size_t)s->p->at.step * (size_t)r->n_slots + (size_t)address) *
                                     (size_t)r->width;
    for (int j = 0; j < r->width; j++) {
        key[j] = (double)h->key[j];
        row[j] = (double)m[j];
        product[j] = key[j] * row[j];
        top = fmax(top, fmax(fabs(row[j]), fabs(product[j])));
    }
    heading(s, "cosine", (double)memory_row(r, s->p->at, MEMORY_COSINE)[address]);
    cells(s, "k", "~sum:key", key, 1);
    cells(s, "m", "~sum:row", row, fmax(top, 1e-6));
    cells(s, "k·m", "~sum:product", product, fmax(top, 1e-6));
    snprintf(text, sizeof text, "%s / (%s × %s)", memory_number(a[0], sizeof a[0], k->dot, 4),
             memory_number(a[1], sizeof a[1], k->key_norm, 4),
             memory_number(a[2], sizeof a[2], k->row_norm, 4));
    text_line(s, text);
}

static void
content(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    char a[5][32], text[160];
    const struct memory_run *r = &s->p->run;
    heading(s, "softmax(β · cosine)", (double)memory_row(r, s->p->at, MEMORY_CONTENT)[address]);
    double cosine_now = (double)memory_row(r, s->p->at, MEMORY_COSINE)[address];
    snprintf(text, sizeof text, "exp(%s × (%s − %s)) = %s",
             memory_number(a[0], sizeof a[0], (double)h->strength, 2),
             memory_number(a[1], sizeof a[1], cosine_now, 4),
             memory_number(a[2], sizeof a[2], k->largest, 4),
             memory_number(a[3], sizeof a[3], k->e, 4));
    text_line(s, text);
    snprintf(text, sizeof text, "%s / Σ %s", a[3], memory_number(a[4], sizeof a[4], k->total, 4));
    text_line(s, text);
}

static void
gated(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    char a[4][32], text[160];
    const struct memory_run *r = &s->p->run;
    double c = (double)memory_row(r, s->p->at, MEMORY_CONTENT)[address];
    heading(s, "g · content + (1−g) · before",
            (double)memory_row(r, s->p->at, MEMORY_GATED)[address]);
    snprintf(text, sizeof text, "%s × %s + %s × %s",
             memory_number(a[0], sizeof a[0], (double)h->gate, 4),
             memory_number(a[1], sizeof a[1], c, 4),
             memory_number(a[2], sizeof a[2], 1 - (double)h->gate, 4),
             memory_number(a[3], sizeof a[3], k->previous, 4));
    text_line(s, text);
}

static void
shifted(struct sheet *s, const struct memory_sum *k, int address)
{
    heading(s, "shift", (double)memory_row(&s->p->run, s->p->at, MEMORY_SHIFTED)[address]);
    for (int i = 0; i < k->n_shifts; i++) {
        int by = i - k->n_shifts / 2;
        char a[2][32], text[160];
        snprintf(text, sizeof text, "%s %s × %s from %d by %s%d", i > 0 ? "+" : " ",
                 memory_number(a[0], sizeof a[0], k->shift[i], 4),
                 memory_number(a[1], sizeof a[1], k->gated_from[i], 4), k->from[i],
                 by > 0   ? "+"
                 : by < 0 ? "−"
                          : "",
                 by < 0 ? -by : by);
        text_line(s, text);
    }
}

static void
sharpened(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    char a[4][32], text[160];
    const struct memory_run *r = &s->p->run;
    heading(s, "sharpen", (double)memory_row(r, s->p->at, MEMORY_WEIGHTS)[address]);
    snprintf(text, sizeof text, "%s ^ %s = %s",
             memory_number(a[0], sizeof a[0],
                           (double)memory_row(r, s->p->at, MEMORY_SHIFTED)[address], 4),
             memory_number(a[1], sizeof a[1], (double)h->gamma, 2),
             memory_number(a[2], sizeof a[2], k->power, 4));
    text_line(s, text);
    snprintf(text, sizeof text, "%s / Σ %s", a[2],
             memory_number(a[3], sizeof a[3], k->power_total, 4));
    text_line(s, text);
}

/* What the weight does to the row, or takes from it. */
static void
effect(struct sheet *s, int address)
{
    const struct memory_run *r = &s->p->run;
    size_t t = (size_t)s->p->at.step + (s->p->at.write ? 1 : 0);
    const float *m = r->memory + (t * (size_t)r->n_slots + (size_t)address) * (size_t)r->width;
    double w = (double)memory_row(r, s->p->at, MEMORY_WEIGHTS)[address];
    double v[HL_NTM_MAX_WIDTH], top = 1e-6;
    for (int j = 0; j < r->width; j++) {
        v[j] = s->p->at.write ? (double)m[j] : w * (double)m[j];
        top = fmax(top, fabs(v[j]));
    }
    hl_rect line = rect_cut_top(&s->r, s->line + 1);
    ui_label(s->p->u, line, DL_FONT_UI_BOLD, s->p->u->theme->body, DL_LEFT, s->p->u->theme->ink,
             s->p->at.write ? "the row after: m (1 − w e) + w a"
                            : "its share of what is read: w m");
    cells(s, s->p->at.write ? "m′" : "w·m", "~sum:effect", v, fmax(top, 1));
}

void
memory_sums(const struct memory_paint *p, hl_rect r)
{
    const struct memory_run *run = &p->run;
    const struct hl_theme *t = p->u->theme;
    struct hl_ntm_head h;
    struct memory_sum k;
    bool pinned = p->m->n_pins > 0;
    int address = pinned ? p->m->pin[p->m->n_pins - 1] % run->n_slots
                         : memory_strongest(memory_row(run, p->at, MEMORY_WEIGHTS), run->n_slots);
    char text[96];
    bool small = r.h < 400;
    struct sheet s = { p, r, t->small, small ? 14 : 18 };
    memory_head(run, p->at, &h);
    memory_sum_make(run, p->at, address, &k);
    snprintf(text, sizeof text, "address %d%s", address,
             pinned ? ", pinned" : ", the strongest; click a row to pin one");
    ui_label(p->u, rect_cut_top(&s.r, 20), DL_FONT_UI_MEDIUM, t->body, DL_LEFT,
             pinned ? t->pinned_ink : t->ink, text);
    float gap = small ? 3 : 12;
    space(&s, small ? 0 : 4);
    cosine(&s, &k, &h, address);
    space(&s, gap);
    content(&s, &k, &h, address);
    space(&s, gap);
    gated(&s, &k, &h, address);
    space(&s, gap);
    shifted(&s, &k, address);
    space(&s, gap);
    sharpened(&s, &k, &h, address);
    if (s.r.h < 2 * s.line + 24)
        return;
    space(&s, gap);
    effect(&s, address);
}

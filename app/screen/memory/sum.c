/* One address by hand: from the key and the row to the weight, with every number. */
#include "screen/memory/memory_priv.h"

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

/* Significant digits; a difference and a power need more, as they take some away. */
enum { RESULT = 4, OPERAND = 5, FINE = 6 };

char *
memory_digits(char *buf, size_t buf_sz, double v, int significant)
{
    char digits[48];
    double a = fabs(v);
    const char *sign = v < 0 ? "−" : "";
    if (a < 1e6 && a == floor(a)) {
        snprintf(buf, buf_sz, "%s%.0f", sign, a);
        return buf;
    }
    /* the power of ten after rounding: 9.9996 is 10.00 */
    int e = (int)floor(log10(a));
    e += a / pow(10, e) >= 10 - 0.5 * pow(10, 1 - significant);
    if (e < -3 || e > 5) {
        hl_fmt_fixed(digits, sizeof digits, a / pow(10, e), significant - 1);
        snprintf(buf, buf_sz, "%s%se%s%d", sign, digits, e < 0 ? "−" : "", e < 0 ? -e : e);
        return buf;
    }
    hl_fmt_fixed(digits, sizeof digits, a, significant > e + 1 ? significant - 1 - e : 0);
    snprintf(buf, buf_sz, "%s%s", sign, digits);
    return buf;
}

static void
heading(struct sheet *s, const char *name, double value)
{
    const struct hl_theme *t = s->p->u->theme;
    char n[32];
    hl_rect line = rect_cut_top(&s->r, s->line + 1);
    ui_label(s->p->u, line, DL_FONT_UI_BOLD, t->body, DL_LEFT, t->ink, name);
    ui_label(s->p->u, line, DL_FONT_MONO, t->body, DL_RIGHT, t->pinned_ink,
             memory_digits(n, sizeof n, value, RESULT));
}

/* `form` with its numbers in it: operands for '#', results for '@'. */
static void
fill(char *buf, size_t buf_sz, const char *form, const double *v, int significant)
{
    size_t n = 0;
    for (const char *c = form; *c != 0 && n + 1 < buf_sz; c++) {
        char number[40];
        if (*c != '#' && *c != '@') {
            buf[n++] = *c;
            continue;
        }
        memory_digits(number, sizeof number, *v++, *c == '#' ? significant : RESULT);
        size_t len = strlen(number);
        if (n + len >= buf_sz)
            break;
        memcpy(buf + n, number, len);
        n += len;
    }
    buf[n] = 0;
}

/* A sum that can be done again with the digits shown; where it does not fit it is in
 * smaller letters rather than in fewer digits. */
static void
sum_line(struct sheet *s, const char *form, const double *v, int significant)
{
    char text[160];
    float size = s->size;
    fill(text, sizeof text, form, v, significant);
    float w = ui_text_width(s->p->u, DL_FONT_MONO, size, text);
    if (w > s->r.w)
        size = floorf(2 * size * s->r.w / w) / 2;
    ui_label(s->p->u, rect_cut_top(&s->r, s->line), DL_FONT_MONO, size, DL_LEFT,
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
    /* what keeps it from dividing by nothing shows where the lengths are as small */
    bool tiny = k->key_norm * k->row_norm < 1e-3;
    sum_line(s, tiny ? "# / (# × # + 1e−8)" : "# / (# × #)",
             (const double[]) { k->dot, k->key_norm, k->row_norm }, OPERAND);
}

static void
content(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    const struct memory_run *r = &s->p->run;
    double beta = (double)h->strength;
    double cosine_now = (double)memory_row(r, s->p->at, MEMORY_COSINE)[address];
    const double whole[] = { beta, cosine_now, k->largest, k->e };
    char text[160];
    heading(s, "softmax(β · cosine)", (double)memory_row(r, s->p->at, MEMORY_CONTENT)[address]);
    fill(text, sizeof text, "exp(# × (# − #)) = @", whole, FINE);
    if (ui_text_width(s->p->u, DL_FONT_MONO, s->size, text) <= s->r.w)
        sum_line(s, "exp(# × (# − #)) = @", whole, FINE);
    else
        sum_line(s, "exp(# × #) = @", (const double[]) { beta, cosine_now - k->largest, k->e },
                 FINE);
    sum_line(s, "# / Σ #", (const double[]) { k->e, k->total }, OPERAND);
}

static void
gated(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    const struct memory_run *r = &s->p->run;
    double c = (double)memory_row(r, s->p->at, MEMORY_CONTENT)[address], g = (double)h->gate;
    heading(s, "g · content + (1−g) · before",
            (double)memory_row(r, s->p->at, MEMORY_GATED)[address]);
    sum_line(s, "# × # + # × #", (const double[]) { g, c, 1 - g, k->previous }, OPERAND);
}

static void
shifted(struct sheet *s, const struct memory_sum *k, int address)
{
    heading(s, "shift", (double)memory_row(&s->p->run, s->p->at, MEMORY_SHIFTED)[address]);
    for (int i = 0; i < k->n_shifts; i++) {
        int by = i - k->n_shifts / 2;
        char form[64];
        snprintf(form, sizeof form, "%s # × # from %d by %s%d", i > 0 ? "+" : " ", k->from[i],
                 by > 0   ? "+"
                 : by < 0 ? "−"
                          : "",
                 by < 0 ? -by : by);
        sum_line(s, form, (const double[]) { k->shift[i], k->gated_from[i] }, OPERAND);
    }
}

static void
sharpened(struct sheet *s, const struct memory_sum *k, const struct hl_ntm_head *h, int address)
{
    const struct memory_run *r = &s->p->run;
    double before = (double)memory_row(r, s->p->at, MEMORY_SHIFTED)[address];
    heading(s, "sharpen", (double)memory_row(r, s->p->at, MEMORY_WEIGHTS)[address]);
    sum_line(s, "# ^ # = @", (const double[]) { before, (double)h->gamma, k->power }, FINE);
    sum_line(s, "# / Σ #", (const double[]) { k->power, k->power_total }, OPERAND);
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

/* What can be done to the state of the Arithmetic screen. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"

static int
n_mechs(void)
{
    return hl_n_mechs < ARITHMETIC_MECHS ? hl_n_mechs : ARITHMETIC_MECHS;
}

const struct hl_mech *
arithmetic_mech(const struct arithmetic_state *a)
{
    return hl_mechs[a->mech];
}

struct hl_mech_problem *
arithmetic_problem(const struct arithmetic_state *a)
{
    return a->problem == NULL ? NULL : &a->problem[a->mech];
}

bool
arithmetic_init(struct arithmetic_state *a)
{
    memset(a, 0, sizeof *a);
    a->problem = hl_alloc((size_t)n_mechs(), sizeof *a->problem);
    if (a->problem == NULL)
        return false;
    for (int i = 0; i < n_mechs(); i++)
        hl_mech_preset_load(hl_mechs[i], 0, &a->problem[i]);
    arithmetic_select_first(a);
    return true;
}

void
arithmetic_deinit(struct arithmetic_state *a)
{
    hl_free(a->problem);
    field_deinit(&a->field);
    memset(a, 0, sizeof *a);
}

enum hl_status
arithmetic_run(const struct arithmetic_state *a, struct hl_arena *arena, struct hl_mech_result *out,
               struct hl_error *err)
{
    const struct hl_mech_problem *p = arithmetic_problem(a);
    if (p == NULL)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the numbers of this screen");
    return hl_mech_run(arithmetic_mech(a), p, arena, out, err);
}

void
arithmetic_show_mech(struct arithmetic_state *a, int mech)
{
    if (mech < 0 || mech >= n_mechs() || mech == a->mech)
        return;
    arithmetic_edit_cancel(a);
    a->mech = mech;
    a->scroll_x = a->scroll_y = 0;
    arithmetic_select_first(a);
}

bool
arithmetic_load_preset(struct arithmetic_state *a, int preset)
{
    struct hl_mech_problem *p = arithmetic_problem(a);
    arithmetic_edit_cancel(a);
    if (p == NULL || !hl_mech_preset_load(arithmetic_mech(a), preset, p))
        return false;
    a->preset[a->mech] = preset;
    a->n_undo = a->n_redo = 0;
    a->scroll_x = a->scroll_y = 0;
    if (strcmp(arithmetic_mech(a)->key, "query_key") == 0)
        a->source.there = false;
    arithmetic_select_first(a);
    return true;
}

bool
arithmetic_is_preset(const struct arithmetic_state *a)
{
    const struct hl_mech *m = arithmetic_mech(a);
    struct hl_mech_problem *p = arithmetic_problem(a);
    int preset = a->preset[a->mech];
    if (p == NULL || preset < 0 || preset >= m->n_presets)
        return false;
    const double *known = m->presets[preset].cells;
    for (int i = 0; i < p->n_inputs; i++) {
        const int *shape = m->presets[preset].shape[i];
        if (p->rows[i] != shape[0] || p->cols[i] != shape[1])
            return false;
        for (int k = 0; k < shape[0] * shape[1]; k++) {
            if (p->cells[p->at[i] + k] != *known++)
                return false;
        }
    }
    return true;
}

/* ---- the selected cell ---- */

struct hl_mech_ref
arithmetic_selected(const struct arithmetic_state *a, const struct hl_mech_result *r)
{
    struct hl_mech_ref at = { hl_mech_step_index(r, a->cell.step), a->cell.row, a->cell.col };
    if (at.step >= 0 && (at.row < 0 || at.row >= r->steps[at.step].rows || at.col < 0 ||
                         at.col >= r->steps[at.step].cols))
        at.step = -1;
    return at;
}

void
arithmetic_select(struct arithmetic_state *a, const char *step, int row, int col)
{
    snprintf(a->cell.step, sizeof a->cell.step, "%s", step);
    a->cell.row = row;
    a->cell.col = col;
}

void
arithmetic_select_first(struct arithmetic_state *a)
{
    arithmetic_select(a, "weights", 0, 1);
    if (arithmetic_problem(a) != NULL && arithmetic_problem(a)->cols[0] < 2 &&
        arithmetic_problem(a)->rows[0] < 2)
        a->cell.col = 0;
}

/* A whole number from s up to `end`; -1 when it is none. */
static int
small_number(const char *s, char end)
{
    int v = 0, n = 0;
    while (s[n] >= '0' && s[n] <= '9' && n < 4)
        v = v * 10 + (s[n++] - '0');
    return n > 0 && s[n] == end ? v : -1;
}

bool
arithmetic_cell_parse(const char *s, struct arithmetic_cell *out)
{
    if (strncmp(s, "cell:", 5) == 0)
        s += 5;
    const char *c1 = strchr(s, ':');
    const char *c2 = c1 == NULL ? NULL : strchr(c1 + 1, ':');
    if (c2 == NULL || c1 == s || (size_t)(c1 - s) >= sizeof out->step)
        return false;
    int row = small_number(c1 + 1, ':'), col = small_number(c2 + 1, 0);
    if (row < 0 || col < 0)
        return false;
    memset(out->step, 0, sizeof out->step);
    memcpy(out->step, s, (size_t)(c1 - s));
    out->row = row;
    out->col = col;
    return true;
}

/* ---- changing cells ---- */

/* The selected cell when it is one of an input; NULL if not. */
static double *
selected_input(const struct arithmetic_state *a, int *input)
{
    struct hl_mech_problem *p = arithmetic_problem(a);
    *input = hl_mech_input_index(arithmetic_mech(a), a->cell.step);
    if (p == NULL || *input < 0)
        return NULL;
    return hl_mech_cell(p, *input, a->cell.row, a->cell.col);
}

bool
arithmetic_edit_begin(struct arithmetic_state *a, const char *text)
{
    int input = -1;
    char buf[40];
    double *cell = selected_input(a, &input);
    if (cell == NULL || a->editing)
        return false;
    struct hl_sb sb = { 0 };
    hl_sb_num(&sb, *cell, 9);
    snprintf(buf, sizeof buf, "%s", sb.n > 0 ? sb.p : "0");
    hl_sb_deinit(&sb);
    if (!field_set(&a->field, buf, strlen(buf)))
        return false;
    field_select_all(&a->field);
    a->editing = true;
    a->before = *cell;
    a->hint[0] = 0;
    if (text != NULL) {
        field_insert(&a->field, text, strlen(text));
        arithmetic_edit_live(a);
    }
    return true;
}

bool
arithmetic_number_parse(const char *s, double *out, char *hint, size_t hint_sz)
{
    char part[2][64] = { "", "" };
    int n = 0, k = 0;
    for (size_t i = 0; s[i] != 0; i++) {
        if (s[i] == ' ')
            continue;
        if (s[i] == '/' && k == 0) {
            k = 1;
            n = 0;
            continue;
        }
        if (n == (int)sizeof part[0] - 1) {
            snprintf(hint, hint_sz, "Too many digits: %d will do.", n);
            return false;
        }
        bool minus = strncmp(s + i, "−", 3) == 0; /* U+2212 */
        part[k][n++] = minus ? '-' : s[i] == ',' ? '.' : s[i];
        part[k][n] = 0;
        i += minus ? 2 : 0;
    }
    double v, below = 1;
    if (part[0][0] == 0) {
        snprintf(hint, hint_sz, "Type a number; Esc keeps the old one.");
        return false;
    }
    if (!hl_parse_double(part[0], &v) || (k == 1 && !hl_parse_double(part[1], &below))) {
        snprintf(hint, hint_sz, "Not a number yet: try 2, -0.5 or 1/3.");
        return false;
    }
    if (below == 0 || !isfinite(v / below) || fabs(v / below) > 1e6) {
        snprintf(hint, hint_sz, "Too large: stay within −1000000 and 1000000.");
        return false;
    }
    *out = v / below;
    hint[0] = 0;
    return true;
}

void
arithmetic_edit_live(struct arithmetic_state *a)
{
    int input = -1;
    double v, *cell = selected_input(a, &input);
    if (!a->editing || cell == NULL)
        return;
    bool ok = arithmetic_number_parse(field_text(&a->field), &v, a->hint, sizeof a->hint);
    *cell = ok ? v : a->before;
}

static void
push(struct arithmetic_change *v, int *n, struct arithmetic_change c)
{
    if (*n == ARITHMETIC_UNDO) {
        memmove(v, v + 1, (ARITHMETIC_UNDO - 1) * sizeof *v);
        (*n)--;
    }
    v[(*n)++] = c;
}

bool
arithmetic_edit_commit(struct arithmetic_state *a)
{
    int input = -1;
    double v, *cell = selected_input(a, &input);
    if (!a->editing || cell == NULL) {
        a->editing = false;
        return true;
    }
    if (!arithmetic_number_parse(field_text(&a->field), &v, a->hint, sizeof a->hint))
        return false;
    *cell = a->before;
    a->editing = false;
    arithmetic_write(a, input, a->cell.row, a->cell.col, v);
    return true;
}

void
arithmetic_edit_cancel(struct arithmetic_state *a)
{
    int input = -1;
    double *cell = selected_input(a, &input);
    if (a->editing && cell != NULL)
        *cell = a->before;
    a->editing = false;
    a->hint[0] = 0;
}

void
arithmetic_write(struct arithmetic_state *a, int input, int row, int col, double v)
{
    struct hl_mech_problem *p = arithmetic_problem(a);
    double *cell = p == NULL ? NULL : hl_mech_cell(p, input, row, col);
    if (cell == NULL || *cell == v)
        return;
    struct arithmetic_change c = { a->mech, input, row, col, *cell, v };
    push(a->undo, &a->n_undo, c);
    a->n_redo = 0;
    *cell = v;
}

/* Puts a change's number into its cell and shows the cell. */
static void
replay(struct arithmetic_state *a, const struct arithmetic_change *c, double v)
{
    arithmetic_show_mech(a, c->mech);
    double *cell = hl_mech_cell(arithmetic_problem(a), c->input, c->row, c->col);
    if (cell != NULL)
        *cell = v;
    arithmetic_select(a, arithmetic_mech(a)->inputs[c->input].key, c->row, c->col);
}

bool
arithmetic_undo(struct arithmetic_state *a)
{
    arithmetic_edit_cancel(a);
    if (a->n_undo == 0 || a->problem == NULL)
        return false;
    struct arithmetic_change c = a->undo[--a->n_undo];
    push(a->redo, &a->n_redo, c);
    replay(a, &c, c.before);
    return true;
}

bool
arithmetic_redo(struct arithmetic_state *a)
{
    arithmetic_edit_cancel(a);
    if (a->n_redo == 0 || a->problem == NULL)
        return false;
    struct arithmetic_change c = a->redo[--a->n_redo];
    push(a->undo, &a->n_undo, c);
    replay(a, &c, c.after);
    return true;
}

/* ---- sizes and options ---- */

int
arithmetic_letters(const struct hl_mech *m, const char *out[ARITHMETIC_LETTERS])
{
    int n = 0;
    for (int i = 0; i < m->n_inputs * 2; i++) {
        const char *l = i % 2 == 0 ? m->inputs[i / 2].rows : m->inputs[i / 2].cols;
        bool known = l[0] >= '0' && l[0] <= '9';
        for (int k = 0; k < n; k++)
            known = known || strcmp(out[k], l) == 0;
        if (!known && n < ARITHMETIC_LETTERS)
            out[n++] = l;
    }
    return n;
}

int
arithmetic_size_max(const struct arithmetic_state *a, const char *letter)
{
    int now = hl_mech_size(arithmetic_mech(a), arithmetic_problem(a), letter);
    return now > ARITHMETIC_SIZE_MAX ? now : ARITHMETIC_SIZE_MAX;
}

bool
arithmetic_resize(struct arithmetic_state *a, const char *letter, int n)
{
    struct hl_mech_problem *p = arithmetic_problem(a);
    arithmetic_edit_cancel(a);
    if (p == NULL || n < 1 || n > arithmetic_size_max(a, letter) ||
        !hl_mech_resize(arithmetic_mech(a), p, letter, n))
        return false;
    /* earlier changes may name cells that are gone */
    a->n_undo = a->n_redo = 0;
    a->preset[a->mech] = -1;
    if (strcmp(arithmetic_mech(a)->key, "query_key") == 0)
        a->source.there = false;
    return true;
}

void
arithmetic_set_option(struct arithmetic_state *a, int option, double v)
{
    struct hl_mech_problem *p = arithmetic_problem(a);
    const struct hl_mech *m = arithmetic_mech(a);
    if (p == NULL || option < 0 || option >= m->n_options)
        return;
    const struct hl_option *o = &m->options[option];
    if (o->kind != HL_OPTION_REAL)
        v = floor(v + 0.5);
    p->options[option] = v < o->min ? o->min : v > o->max ? o->max : v;
}

/* Puts `with` in the place of `what`, where that is. */
static void
swap(char *buf, size_t buf_sz, const char *what, const char *with)
{
    char *at = strstr(buf, what);
    size_t n = strlen(buf), was = strlen(what), is = strlen(with);
    if (at == NULL || n - was + is >= buf_sz)
        return;
    memmove(at + is, at + was, strlen(at + was) + 1);
    memcpy(at, with, is);
}

static double
option_or(const struct arithmetic_state *a, const char *key, double otherwise)
{
    const struct hl_mech_problem *p = arithmetic_problem(a);
    int i = hl_mech_option_index(arithmetic_mech(a), key);
    return p != NULL && i >= 0 ? p->options[i] : otherwise;
}

void
arithmetic_formula(const struct arithmetic_state *a, char *buf, size_t buf_sz)
{
    bool divided = option_or(a, "scale", 1) != 0, tempered = option_or(a, "temperature", 1) != 1;
    bool masked = option_or(a, "causal", 0) != 0, hard = option_or(a, "hard", 0) != 0;
    snprintf(buf, buf_sz, "%s", arithmetic_mech(a)->formula);
    if (!divided)
        swap(buf, buf_sz, " / √d_k", "");
    swap(buf, buf_sz, " / (√d_k τ)",
         divided && tempered ? " / (√d_k τ)"
         : divided           ? " / √d_k"
         : tempered          ? " / τ"
                             : "");
    if (masked) { /* what is added is minus infinity at later places */
        swap(buf, buf_sz, ") X W_V", " + mask) X W_V");
        swap(buf, buf_sz, ") V", " + mask) V");
        if (strstr(buf, "s = S") != NULL && strlen(buf) + sizeof " + mask" <= buf_sz)
            strcat(buf, " + mask");
    }
    if (hard)
        swap(buf, buf_sz, "softmax(", "hardmax(");
    else if (option_or(a, "round", 0) != 0)
        swap(buf, buf_sz, "softmax(", "rounded softmax(");
}

/* Options that span more than a hundredfold run on a logarithmic slider. */
static bool
is_log(const struct hl_option *o)
{
    return o->min > 0 && o->max / o->min >= 100;
}

double
arithmetic_option_place(const struct hl_option *o, double v)
{
    if (is_log(o))
        return log(v / o->min) / log(o->max / o->min);
    return (v - o->min) / (o->max - o->min);
}

double
arithmetic_option_at(const struct hl_option *o, double t)
{
    double v = is_log(o) ? o->min * pow(o->max / o->min, t) : o->min + t * (o->max - o->min);
    /* two digits are all that a hand can set */
    double step = pow(10, floor(log10(fabs(v) > 1e-9 ? fabs(v) : 1)) - 1);
    return floor(v / step + 0.5) * step;
}

/* ---- a head of a trained model ---- */

static void
label_copy(char *to, const char *from)
{
    size_t n = strlen(from);
    if (n >= ARITHMETIC_LABEL_SZ) {
        n = ARITHMETIC_LABEL_SZ - 1;
        while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
            n--;
    }
    memcpy(to, from, n);
    to[n] = 0;
}

static int
head_size(const char *letter, void *user)
{
    const struct arithmetic_head *h = user;
    if (strcmp(letter, "Tq") == 0)
        return 1;
    if (strcmp(letter, "Tk") == 0)
        return h->n_k;
    if (strcmp(letter, "Dv") == 0 && h->values == NULL)
        return 1;
    return h->width;
}

static enum hl_status
head_check(const struct arithmetic_head *h, bool *scaled, struct hl_error *err)
{
    if (h->n_k < 1 || h->n_k > HL_MECH_MAX_DIM) {
        return hl_error_set(err, HL_E_ARGUMENT, "arithmetic", "%d keys; 1 to %d can be shown",
                            h->n_k, HL_MECH_MAX_DIM);
    }
    if (h->width < 1 || h->width > HL_MECH_MAX_DIM) {
        return hl_error_set(err, HL_E_ARGUMENT, "arithmetic",
                            "queries of width %d; 1 to %d can be shown", h->width, HL_MECH_MAX_DIM);
    }
    double by_root = h->scale * sqrt((double)h->width);
    *scaled = fabs(by_root - 1) < 1e-5;
    if (!*scaled && fabs((double)h->scale - 1) > 1e-6) {
        return hl_error_set(err, HL_E_ARGUMENT, "arithmetic",
                            "a scale that is neither 1 nor one over the root of the width");
    }
    return HL_OK;
}

static void
head_fill(struct hl_mech_problem *p, const struct arithmetic_head *h)
{
    for (int i = 0; i < h->width; i++)
        *hl_mech_cell(p, 0, 0, i) = h->query[i];
    for (int k = 0; k < h->n_k; k++) {
        for (int i = 0; i < h->width; i++) {
            size_t at = (size_t)k * (size_t)h->stride + (size_t)i;
            *hl_mech_cell(p, 1, k, i) = h->keys[at];
            if (h->values != NULL)
                *hl_mech_cell(p, 2, k, i) = h->values[at];
        }
    }
}

enum hl_status
arithmetic_receive(struct arithmetic_state *a, const struct arithmetic_head *h,
                   struct hl_error *err)
{
    bool scaled = false;
    int mech = 0, best = 0;
    enum hl_status st = head_check(h, &scaled, err);
    if (st != HL_OK)
        return st;
    while (mech < n_mechs() && strcmp(hl_mechs[mech]->key, "query_key") != 0)
        mech++;
    if (mech == n_mechs() || a->problem == NULL)
        return hl_error_set(err, HL_E_NOMEM, "arithmetic", "for the numbers of this screen");
    arithmetic_edit_cancel(a);
    struct hl_mech_problem *p = &a->problem[mech];
    struct arithmetic_head copy = *h;
    hl_mech_problem_init(hl_mechs[mech], head_size, &copy, p);
    p->options[hl_mech_option_index(hl_mechs[mech], "scale")] = scaled;
    head_fill(p, h);
    arithmetic_show_mech(a, mech);
    a->preset[mech] = -1;
    a->n_undo = a->n_redo = 0;
    a->source.there = true;
    a->source.has_values = h->values != NULL;
    a->source.n_weights = h->weights != NULL ? h->n_k : 0;
    snprintf(a->source.origin, sizeof a->source.origin, "%s", h->origin);
    label_copy(a->source.query, h->query_label);
    for (int k = 0; k < h->n_k; k++) {
        label_copy(a->source.key[k], h->key_labels[k]);
        a->source.weight[k] = h->weights != NULL ? h->weights[k] : 0;
        best = a->source.weight[k] > a->source.weight[best] ? k : best;
    }
    a->scroll_x = a->scroll_y = 0;
    arithmetic_select(a, "scores", 0, best);
    return HL_OK;
}

/* The laws that a mechanism of the Arithmetic screen claims, on random problems.
 *
 * Usage: law-mech KEY [--seed N] [--cases N] */
#include "harness/law.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mech/mech.h"

static const double BOUND = 1e-9;

struct trial {
    struct law_case *c;
    const struct hl_mech *m;
    struct hl_mech_problem p;
    struct hl_mech_result r;
    const char *letters[LAW_MAX_DIMS]; /* sizes drawn so far */
    int sizes[LAW_MAX_DIMS];
    int n_letters;
};

static int
size_of(const char *letter, void *user)
{
    struct trial *t = user;
    for (int i = 0; i < t->n_letters; i++) {
        if (strcmp(t->letters[i], letter) == 0)
            return t->sizes[i];
    }
    t->letters[t->n_letters] = letter;
    return t->sizes[t->n_letters++] = law_dim(t->c, letter, 1, 7);
}

/* A problem of random sizes and cells, options as they are at first. */
static struct trial *
draw(struct law_case *c)
{
    struct trial *t = hl_arena_new(&c->arena, 1, struct trial);
    if (!t)
        abort();
    t->c = c;
    t->m = c->subject;
    if (!hl_mech_problem_init(t->m, size_of, t, &t->p))
        abort();
    for (int i = 0; i < t->m->n_inputs; i++) {
        for (int k = 0; k < t->p.rows[i] * t->p.cols[i]; k++)
            t->p.cells[t->p.at[i] + k] = hl_rng_normal(&c->values);
    }
    return t;
}

/* Each switch on or off by chance. */
static void
any_switches(struct trial *t)
{
    for (int i = 0; i < t->m->n_options; i++) {
        if (t->m->options[i].kind == HL_OPTION_SWITCH)
            t->p.options[i] = law_dim(t->c, t->m->options[i].key, 0, 1);
    }
}

static void
set_option(struct trial *t, const char *key, double v)
{
    int i = hl_mech_option_index(t->m, key);
    if (i >= 0)
        t->p.options[i] = v;
}

static bool
run(struct trial *t)
{
    struct hl_error err = { 0 };
    if (hl_mech_run(t->m, &t->p, &t->c->arena, &t->r, &err) == HL_OK)
        return true;
    return law_no(t->c, "refused: %s: %s", err.where, err.detail);
}

static const struct hl_mech_step *
step(struct trial *t, const char *key)
{
    int i = hl_mech_step_index(&t->r, key);
    if (i >= 0)
        return &t->r.steps[i];
    law_no(t->c, "there is no step \"%s\"", key);
    return NULL;
}

/* Cells of input `key` and its size; NULL when the mechanism has none. */
static double *
input(struct trial *t, const char *key, int *rows, int *cols)
{
    int i = hl_mech_input_index(t->m, key);
    *rows = *cols = 0;
    if (i < 0)
        return NULL;
    *rows = t->p.rows[i];
    *cols = t->p.cols[i];
    return &t->p.cells[t->p.at[i]];
}

static bool
close_to(double a, double b)
{
    return a == b || fabs(a - b) <= BOUND * (1.0 + fabs(b));
}

/* factor * a equals b, cell by cell. */
static bool
equal_steps(struct trial *t, const struct hl_mech_step *a, double factor,
            const struct hl_mech_step *b)
{
    if (!a || !b)
        return false;
    for (int k = 0; k < a->rows * a->cols; k++) {
        if (!close_to(factor * a->data[k], b->data[k]))
            return law_no(t->c, "%s and %s: cell %d is %.12g, not %.12g", a->key, b->key, k,
                          factor * a->data[k], b->data[k]);
    }
    return true;
}

static bool
explained(struct law_case *c)
{
    struct trial *t = draw(c);
    struct hl_mech_explanation e;
    any_switches(t);
    if (!run(t))
        return false;
    for (int i = 0; i < t->r.n_steps; i++) {
        const struct hl_mech_step *s = &t->r.steps[i];
        int row = hl_rng_below(&c->values, s->rows), col = hl_rng_below(&c->values, s->cols);
        if (!hl_mech_explain(&t->r, i, row, col, &c->arena, &e))
            return law_no(c, "%s has no explanation", s->key);
        if (memcmp(&e.value, &s->data[row * s->cols + col], sizeof(e.value)) != 0)
            return law_no(c, "%s[%d,%d] is explained as %.17g", s->key, row, col, e.value);
    }
    return true;
}

static bool
rows_sum_to_one(struct law_case *c)
{
    struct trial *t = draw(c);
    int seen = 0;
    any_switches(t);
    if (!run(t))
        return false;
    for (int i = 0; i < t->r.n_steps; i++) {
        const struct hl_mech_step *s = &t->r.steps[i];
        for (int r = 0; s->role == HL_MECH_ROLE_WEIGHTS && r < s->rows; r++, seen++) {
            double sum = 0.0;
            for (int j = 0; j < s->cols; j++) {
                if (!(s->data[r * s->cols + j] >= 0.0))
                    return law_no(c, "%s[%d,%d] is negative", s->key, r, j);
                sum += s->data[r * s->cols + j];
            }
            if (!close_to(sum, 1.0))
                return law_no(c, "row %d of %s sums to %.12g", r, s->key, sum);
        }
    }
    return seen > 0 || law_no(c, "there are no weights");
}

static bool
shift_invariant(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *s = input(t, "scores", &rows, &cols);
    if (!s || !run(t))
        return false;
    struct hl_mech_result before = t->r;
    int row = hl_rng_below(&c->values, rows), at = hl_mech_step_index(&before, "weights");
    for (int j = 0; j < cols; j++)
        s[row * cols + j] += 2.5;
    return run(t) && at >= 0 && equal_steps(t, step(t, "weights"), 1.0, &before.steps[at]);
}

static bool
masked_is_zero(struct law_case *c)
{
    struct trial *t = draw(c);
    any_switches(t);
    set_option(t, "causal", 1);
    if (!run(t))
        return false;
    for (int i = 0; i < t->r.n_steps; i++) {
        const struct hl_mech_step *s = &t->r.steps[i];
        for (int k = 0; s->role == HL_MECH_ROLE_WEIGHTS && k < s->rows * s->cols; k++) {
            if (k % s->cols > k / s->cols && s->data[k] != 0.0)
                return law_no(c, "%s: cell %d is %g", s->key, k, s->data[k]);
        }
    }
    return true;
}

static bool
causal(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *x = input(t, "x", &rows, &cols);
    any_switches(t);
    set_option(t, "causal", 1);
    x = x ? x : input(t, "k", &rows, &cols);
    if (!x || !run(t))
        return false;
    struct hl_mech_result before = t->r;
    int j = hl_rng_below(&c->values, rows);
    for (int i = 0; i < cols; i++)
        x[j * cols + i] += 1.0;
    if (!run(t))
        return false;
    for (int i = 0; i < t->r.n_steps; i++) {
        const struct hl_mech_step *s = &t->r.steps[i];
        if (s->role != HL_MECH_ROLE_WEIGHTS && s->role != HL_MECH_ROLE_OUTPUT)
            continue;
        for (int k = 0; k < s->rows * s->cols && k / s->cols < j; k++) {
            if (s->data[k] != before.steps[i].data[k])
                return law_no(c, "%s: cell %d changed with row %d", s->key, k, j);
        }
    }
    return true;
}

/* Runs, then permutes the rows of "k" and "v" alike and runs again. */
static bool
permuted(struct trial *t, const int **order, struct hl_mech_result *before)
{
    static const char *const keys[] = { "k", "v" };
    int rows = 0, cols;
    if (!run(t) || !input(t, "k", &rows, &cols))
        return false;
    *before = t->r;
    *order = law_permutation(t->c, rows);
    struct hl_mech_problem old = t->p;
    for (int i = 0; i < 2; i++) {
        double *to = input(t, keys[i], &rows, &cols);
        const double *from = to ? old.cells + (to - t->p.cells) : NULL;
        for (int r = 0; to && r < rows; r++)
            memcpy(to + r * cols, from + (*order)[r] * cols, (size_t)cols * sizeof(*to));
    }
    return run(t);
}

static bool
key_permutation(struct law_case *c)
{
    struct trial *t = draw(c);
    struct hl_mech_result before;
    const int *order;
    if (!permuted(t, &order, &before))
        return false;
    const struct hl_mech_step *w = step(t, "weights");
    int at = hl_mech_step_index(&before, "weights");
    for (int k = 0; w && k < w->rows * w->cols; k++) {
        int from = k - k % w->cols + order[k % w->cols];
        if (!close_to(w->data[k], before.steps[at].data[from]))
            return law_no(c, "weight %d is %.12g", k, w->data[k]);
    }
    return w != NULL;
}

static bool
output_invariant(struct law_case *c)
{
    struct trial *t = draw(c);
    struct hl_mech_result before;
    const int *order;
    if (!permuted(t, &order, &before))
        return false;
    int at = hl_mech_step_index(&before, "output");
    return at >= 0 && equal_steps(t, step(t, "output"), 1.0, &before.steps[at]);
}

/* Whether h has a single 1 in each row, where w is largest, the first of equals. */
static bool
one_hot(struct trial *t, const struct hl_mech_step *h, const struct hl_mech_step *w, double bound)
{
    for (int r = 0; h && w && r < h->rows; r++) {
        const double *wr = w->data + r * w->cols, *hr = h->data + r * h->cols;
        int best = 0;
        for (int j = 1; j < w->cols; j++)
            best = wr[j] > wr[best] ? j : best;
        for (int j = 0; j < h->cols; j++) {
            if (fabs(hr[j] - (j == best ? 1.0 : 0.0)) > bound)
                return law_no(t->c, "%s[%d,%d] is %g, largest at %d", h->key, r, j, hr[j], best);
        }
    }
    return h && w;
}

static bool
hard_one_hot(struct law_case *c)
{
    struct trial *t = draw(c);
    any_switches(t);
    set_option(t, "hard", 1);
    return run(t) && one_hot(t, step(t, "hard"), step(t, "weights"), 0.0);
}

static bool
temperature_hard(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *s = input(t, t->m->inputs[0].key, &rows, &cols);
    for (int r = 0; r < rows; r++) {
        /* A gap of at least 1 below the largest. */
        double *row = s + r * cols;
        int best = hl_rng_below(&c->values, cols);
        for (int j = 0; j < cols; j++)
            row[j] = j == best ? 5.0 : fmin(row[j], 4.0);
    }
    set_option(t, "scale", 0);
    set_option(t, "temperature", 0.01);
    return run(t) && one_hot(t, step(t, "weights"), &t->r.steps[0], 1e-12);
}

static bool
samples_approach_soft(struct law_case *c)
{
    struct trial *t = draw(c);
    set_option(t, "draws", 4000);
    set_option(t, "seed", hl_rng_below(&c->values, 1000));
    if (!run(t))
        return false;
    const struct hl_mech_step *f = step(t, "frequency"), *w = step(t, "weights");
    for (int k = 0; f && w && k < f->rows * f->cols; k++) {
        if (fabs(f->data[k] - w->data[k]) > 0.045) /* more than five deviations */
            return law_no(c, "place %d: %g of %g", k, f->data[k], w->data[k]);
    }
    return f && w;
}

static bool
general_identity(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *w = input(t, "w", &rows, &cols);
    for (int k = 0; w && k < rows * cols; k++)
        w[k] = k / cols == k % cols ? 1.0 : 0.0;
    return w && run(t) && equal_steps(t, step(t, "general"), 1.0, step(t, "dot"));
}

static bool
scaled_is_dot(struct law_case *c)
{
    struct trial *t = draw(c);
    int d = hl_mech_size(t->m, &t->p, "D");
    return run(t) && equal_steps(t, step(t, "scaled"), sqrt(d), step(t, "dot"));
}

static bool
cosine_scale_free(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    if (!run(t))
        return false;
    struct hl_mech_result before = t->r;
    int at = hl_mech_step_index(&before, "cosine");
    double *q = input(t, "q", &rows, &cols);
    for (int k = 0; q && k < rows * cols; k++)
        q[k] *= 3.0;
    double *keys = input(t, "k", &rows, &cols);
    for (int k = 0; keys && k < rows * cols; k++)
        keys[k] *= 0.2;
    return at >= 0 && run(t) && equal_steps(t, step(t, "cosine"), 1.0, &before.steps[at]);
}

static bool
additive_zero(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *v = input(t, "va", &rows, &cols);
    for (int k = 0; v && k < rows * cols; k++)
        v[k] = 0.0;
    if (!v || !run(t))
        return false;
    const struct hl_mech_step *w = step(t, "weights");
    for (int r = 0; w && r < w->rows; r++) {
        if (w->row_labels && strcmp(w->row_labels[r], "additive") != 0)
            continue;
        for (int j = 0; j < w->cols; j++) {
            if (!close_to(w->data[r * w->cols + j], 1.0 / w->cols))
                return law_no(c, "weight %d is %g", j, w->data[r * w->cols + j]);
        }
        return true;
    }
    return law_no(c, "there is no row \"additive\"");
}

static bool
location_keys_free(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *k = input(t, "k", &rows, &cols);
    if (!k || !run(t))
        return false;
    struct hl_mech_result before = t->r;
    int at = hl_mech_step_index(&before, "location");
    for (int i = 0; i < rows * cols; i++)
        k[i] = hl_rng_normal(&c->values);
    return at >= 0 && run(t) && equal_steps(t, step(t, "location"), 1.0, &before.steps[at]);
}

static bool
gamma_identity(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    set_option(t, "gamma", 0);
    const double *x = input(t, "x", &rows, &cols);
    const struct hl_mech_step *y = x && run(t) ? step(t, "output") : NULL;
    for (int k = 0; y && k < rows * cols; k++) {
        if (y->data[k] != x[k])
            return law_no(c, "cell %d is %g, not %g", k, y->data[k], x[k]);
    }
    return y != NULL;
}

static bool
cell_permutation(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, cols;
    double *x = input(t, "x", &rows, &cols);
    if (!x || !run(t))
        return false;
    struct hl_mech_result before = t->r;
    struct hl_mech_problem old = t->p;
    const int *order = law_permutation(c, rows);
    for (int r = 0; r < rows; r++)
        memcpy(x + r * cols, old.cells + (x - t->p.cells) + order[r] * cols,
               (size_t)cols * sizeof(*x));
    if (!run(t))
        return false;
    const struct hl_mech_step *w = step(t, "weights"), *y = step(t, "output");
    int w_at = hl_mech_step_index(&before, "weights"), y_at = hl_mech_step_index(&before, "output");
    for (int k = 0; w && k < rows * rows; k++) {
        int from = order[k / rows] * rows + order[k % rows];
        if (!close_to(w->data[k], before.steps[w_at].data[from]))
            return law_no(c, "weight %d is %.12g", k, w->data[k]);
    }
    for (int k = 0; y && k < rows * cols; k++) {
        int from = order[k / cols] * cols + k % cols;
        if (!close_to(y->data[k], before.steps[y_at].data[from]))
            return law_no(c, "output %d is %.12g", k, y->data[k]);
    }
    return w && y;
}

/* Makes an input row one-hot. */
static void
point(struct trial *t, const char *key, int at)
{
    int rows, cols;
    double *p = input(t, key, &rows, &cols);
    for (int k = 0; k < rows * cols; k++)
        p[k] = k == at;
}

/* Only shifts: the last weights count alone, and are not sharpened. */
static int
only_shift(struct trial *t)
{
    int rows, shifts;
    set_option(t, "gate", 0);
    set_option(t, "gamma", 1);
    (void)input(t, "s", &rows, &shifts);
    point(t, "s", shifts / 2);
    return shifts;
}

static bool
gate_extremes(struct law_case *c)
{
    struct trial *t = draw(c);
    set_option(t, "gate", 1);
    if (!run(t) || !equal_steps(t, step(t, "gated"), 1.0, step(t, "content")))
        return false;
    set_option(t, "gate", 0);
    return run(t) && equal_steps(t, step(t, "gated"), 1.0, step(t, "previous"));
}

static bool
shifts_compose(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, n, shifts = only_shift(t);
    int a = hl_rng_below(&c->values, shifts), b = hl_rng_below(&c->values, shifts);
    double *w = input(t, "w", &rows, &n);
    point(t, "s", a);
    if (!w || !run(t) || !step(t, "shifted"))
        return false;
    const double *before = step(t, "previous")->data;
    memcpy(w, step(t, "shifted")->data, (size_t)n * sizeof(*w));
    point(t, "s", b);
    if (!run(t))
        return false;
    for (int i = 0; i < n; i++) {
        int to = ((i + a + b - 2 * (shifts / 2)) % n + n) % n;
        double got = step(t, "shifted")->data[to];
        if (!close_to(got, before[i]))
            return law_no(c, "what was at %d is not at %d: %.12g", i, to, got);
    }
    return true;
}

static bool
sharpening_extremes(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, n;
    set_option(t, "gamma", 1);
    if (!run(t) || !equal_steps(t, step(t, "weights"), 1.0, step(t, "shifted")))
        return false;
    only_shift(t);
    double *w = input(t, "w", &rows, &n);
    int top = hl_rng_below(&c->values, n);
    for (int i = 0; i < n; i++)
        w[i] = i == top ? 1.0 : 0.5 / (1 + fabs(w[i])); /* half of it at most */
    set_option(t, "gamma", 50);
    return run(t) && one_hot(t, step(t, "weights"), step(t, "shifted"), 1e-12);
}

static bool
write_stores(struct law_case *c)
{
    struct trial *t = draw(c);
    int rows, n, width;
    only_shift(t);
    (void)input(t, "w", &rows, &n);
    int at = hl_rng_below(&c->values, n);
    point(t, "w", at);
    double *e = input(t, "e", &rows, &width);
    for (int k = 0; k < width; k++)
        e[k] = 1;
    const double *v = input(t, "a", &rows, &width), *m = input(t, "memory", &rows, &width);
    if (!e || !v || !m || !run(t) || !step(t, "written"))
        return false;
    for (int k = 0; k < rows * width; k++) {
        double want = k / width == at ? v[k % width] : m[k];
        if (!close_to(step(t, "written")->data[k], want))
            return law_no(c, "slot %d, place %d: %g", k / width, k % width,
                          step(t, "written")->data[k]);
    }
    return true;
}

static const char *const sentences[] = {
#define X(name, number, sentence) [HL_LAW_##name] = sentence,
    HL_LAW_LIST(X)
#undef X
};

static bool (*const checks[])(struct law_case *c) = {
    [HL_LAW_EXPLAINED] = explained,
    [HL_LAW_ROWS_SUM_TO_ONE] = rows_sum_to_one,
    [HL_LAW_SHIFT_INVARIANT] = shift_invariant,
    [HL_LAW_MASKED_IS_ZERO] = masked_is_zero,
    [HL_LAW_CAUSAL] = causal,
    [HL_LAW_KEY_PERMUTATION] = key_permutation,
    [HL_LAW_OUTPUT_INVARIANT] = output_invariant,
    [HL_LAW_HARD_ONE_HOT] = hard_one_hot,
    [HL_LAW_SAMPLES_APPROACH_SOFT] = samples_approach_soft,
    [HL_LAW_GENERAL_IDENTITY] = general_identity,
    [HL_LAW_SCALED_IS_DOT] = scaled_is_dot,
    [HL_LAW_COSINE_SCALE_FREE] = cosine_scale_free,
    [HL_LAW_ADDITIVE_ZERO] = additive_zero,
    [HL_LAW_LOCATION_KEYS_FREE] = location_keys_free,
    [HL_LAW_TEMPERATURE_HARD] = temperature_hard,
    [HL_LAW_GAMMA_IDENTITY] = gamma_identity,
    [HL_LAW_CELL_PERMUTATION] = cell_permutation,
    [HL_LAW_GATE_EXTREMES] = gate_extremes,
    [HL_LAW_SHIFTS_COMPOSE] = shifts_compose,
    [HL_LAW_SHARPENING_EXTREMES] = sharpening_extremes,
    [HL_LAW_WRITE_STORES] = write_stores,
};
static_assert(sizeof(checks) / sizeof(checks[0]) == HL_LAW_COUNT, "one check for each law");

int
main(int argc, char **argv)
{
    struct law claimed[HL_LAW_COUNT];
    int n = 0;
    const struct hl_mech *m = argc > 1 ? hl_mech_find(argv[1]) : NULL;
    if (!m) {
        fprintf(stderr, "usage: law-mech KEY [--seed N] [--cases N]\n");
        return 2;
    }
    for (int i = 0; i < HL_LAW_COUNT; i++) {
        if (m->laws & (UINT32_C(1) << i))
            claimed[n++] = (struct law) { sentences[i], checks[i], m };
    }
    if (n == 0) {
        fprintf(stderr, "%s claims no law\n", m->key);
        return 1;
    }
    return law_main(claimed, n, argc - 1, argv + 1);
}

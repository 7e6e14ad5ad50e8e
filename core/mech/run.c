/* Checks a problem, lays its inputs out as steps, and lets the mechanism add the
 * rest. */
#include "mech/mech_priv.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double
hl_mech_option(const struct hl_mech_builder *b, const char *key)
{
    int i = hl_mech_option_index(b->result->mech, key);
    return i < 0 ? 0 : b->problem->options[i];
}

static bool
fill(struct hl_mech_builder *b, struct hl_mech_step *s)
{
    struct hl_mech_term terms[HL_MECH_MAX_DIM];
    double *data = hl_arena_new(b->arena, (size_t)s->rows * (size_t)s->cols, double);
    if (!data)
        return false;
    for (int r = 0; r < s->rows; r++) {
        for (int c = 0; c < s->cols; c++)
            hl_mech_cell_terms(b->result, s, r, c, terms, &data[r * s->cols + c]);
    }
    s->data = data;
    return true;
}

int
hl_mech_add_many(struct hl_mech_builder *b, struct hl_mech_step s, const int operands[6])
{
    struct hl_mech_result *r = b->result;
    if (b->no_memory)
        return -1;
    assert(r->n_steps < HL_MECH_MAX_STEPS);
    memcpy(s.operand, operands, sizeof s.operand);
    bool fits = hl_mech_cell_shape(r, &s, &s.rows, &s.cols);
    assert(fits);
    if (!fits || !fill(b, &s)) {
        b->no_memory = true;
        return -1;
    }
    r->steps[r->n_steps] = s;
    return r->n_steps++;
}

int
hl_mech_add(struct hl_mech_builder *b, struct hl_mech_step s, int op_a, int op_b)
{
    const int operands[6] = { op_a, op_b, -1, -1, -1, -1 };
    return hl_mech_add_many(b, s, operands);
}

/* A [Tq, Tk] (or [Tq, 1]) step of the softmax chain. */
static int
chain(struct hl_mech_builder *b, struct hl_mech_step s, int op_a, int op_b)
{
    s.shape = s.op == HL_MECH_ROW_SUM ? "Tq × 1" : "Tq × Tk";
    return hl_mech_add(b, s, op_a, op_b);
}

static int
scale_and_mask(struct hl_mech_builder *b, int s, int d_k)
{
    const struct hl_mech_step scaled = { .key = "scaled",
                                         .symbol = "S'",
                                         .name = "Scaled scores",
                                         .formula = "S_ij / √d_k",
                                         .role = HL_MECH_ROLE_SCORES,
                                         .op = HL_MECH_SCALE,
                                         .constant = 1 / sqrt((double)d_k) };
    const struct hl_mech_step masked = { .key = "masked",
                                         .symbol = "M",
                                         .name = "Masked scores",
                                         .formula = "−∞ where j > i",
                                         .role = HL_MECH_ROLE_SCORES,
                                         .op = HL_MECH_CAUSAL };
    if (hl_mech_option(b, "scale") != 0)
        s = chain(b, scaled, s, -1);
    if (hl_mech_option(b, "causal") != 0)
        s = chain(b, masked, s, -1);
    return s;
}

int
hl_mech_add_softmax(struct hl_mech_builder *b, int scores, int d_k)
{
    const struct hl_mech_step exps = { .key = "exp",
                                       .symbol = "E",
                                       .name = "Exponentials",
                                       .formula = "exp(S_ij − max_j S_ij)",
                                       .op = HL_MECH_EXP,
                                       .role = HL_MECH_ROLE_STEP };
    const struct hl_mech_step sums = { .key = "sum",
                                       .symbol = "Z",
                                       .name = "Row sums",
                                       .formula = "Σ_j E_ij",
                                       .op = HL_MECH_ROW_SUM,
                                       .role = HL_MECH_ROLE_STEP };
    const struct hl_mech_step weights = { .key = "weights",
                                          .symbol = "A",
                                          .name = "Weights",
                                          .formula = "E_ij / Z_i",
                                          .op = HL_MECH_DIVIDE,
                                          .role = HL_MECH_ROLE_WEIGHTS };
    const struct hl_mech_step hard = { .key = "hard",
                                       .symbol = "H",
                                       .name = "Hard weights",
                                       .formula = "1 at the largest A_ij",
                                       .op = HL_MECH_ONE_HOT,
                                       .role = HL_MECH_ROLE_WEIGHTS };
    const struct hl_mech_step rounded = { .key = "rounded",
                                          .symbol = "A'",
                                          .name = "Weights as textbooks round them",
                                          .formula = "tenths whose row still sums to 1",
                                          .op = HL_MECH_ROUND,
                                          .role = HL_MECH_ROLE_WEIGHTS };

    int e = chain(b, exps, scale_and_mask(b, scores, d_k), -1);
    int a = chain(b, weights, e, chain(b, sums, e, -1));
    if (hl_mech_option(b, "hard") != 0)
        return chain(b, hard, a, -1);
    if (hl_mech_option(b, "round") != 0)
        return chain(b, rounded, a, -1);
    return a;
}

/* Same letter, same size; sizes in range; cells finite. */
static enum hl_status
check_inputs(const struct hl_mech *m, const struct hl_mech_problem *p, struct hl_error *err)
{
    if (p->n_inputs != m->n_inputs) {
        return hl_error_set(err, HL_E_ARGUMENT, m->key, "%d inputs given, %d needed", p->n_inputs,
                            m->n_inputs);
    }
    for (int i = 0; i < m->n_inputs; i++) {
        const struct hl_mech_input *in = &m->inputs[i];
        int rows = p->rows[i], cols = p->cols[i];
        if (rows < 1 || rows > HL_MECH_MAX_DIM || cols < 1 || cols > HL_MECH_MAX_DIM ||
            p->at[i] < 0 || p->at[i] + rows * cols > HL_MECH_MAX_CELLS)
            return hl_error_set(err, HL_E_ARGUMENT, in->symbol, "a size of %d by %d", rows, cols);
        bool fits = (in->rows[0] != '1' || rows == 1) && (in->cols[0] != '1' || cols == 1) &&
                    (in->rows[0] == '1' || rows == hl_mech_size(m, p, in->rows)) &&
                    (in->cols[0] == '1' || cols == hl_mech_size(m, p, in->cols));
        if (!fits) {
            return hl_error_set(err, HL_E_ARGUMENT, in->symbol, "%d by %d does not fit %s by %s",
                                rows, cols, in->rows, in->cols);
        }
        for (int k = 0; k < rows * cols; k++) {
            if (!isfinite(p->cells[p->at[i] + k])) {
                return hl_error_set(err, HL_E_ARGUMENT, in->symbol,
                                    "row %d, column %d is not a finite number", k / cols + 1,
                                    k % cols + 1);
            }
        }
    }
    return HL_OK;
}

static enum hl_status
check_options(const struct hl_mech *m, const struct hl_mech_problem *p, struct hl_error *err)
{
    for (int i = 0; i < m->n_options; i++) {
        const struct hl_option *o = &m->options[i];
        double v = p->options[i];
        /* written so that NaN fails, too */
        if (!(v >= o->min && v <= o->max))
            return hl_error_set(err, HL_E_ARGUMENT, o->key, "outside its range");
        if (o->kind != HL_OPTION_REAL && v != floor(v))
            return hl_error_set(err, HL_E_ARGUMENT, o->key, "not a whole number");
    }
    return HL_OK;
}

/* Large inputs can overflow a product: nothing shown may be NaN or infinite but for
 * masked scores. */
static enum hl_status
check_steps(const struct hl_mech_result *r, struct hl_error *err)
{
    for (int i = 0; i < r->n_steps; i++) {
        const struct hl_mech_step *s = &r->steps[i];
        for (int k = 0; k < s->rows * s->cols; k++) {
            if (isfinite(s->data[k]) || (s->op == HL_MECH_CAUSAL && s->data[k] < 0))
                continue;
            return hl_error_set(err, HL_E_ARGUMENT, s->symbol,
                                "a result is too large for a number; use smaller inputs");
        }
    }
    return HL_OK;
}

static bool
add_inputs(struct hl_mech_builder *b)
{
    struct hl_mech_result *r = b->result;
    const struct hl_mech_problem *p = b->problem;
    for (int i = 0; i < p->n_inputs; i++) {
        const struct hl_mech_input *in = &r->mech->inputs[i];
        size_t n = (size_t)p->rows[i] * (size_t)p->cols[i];
        double *data = hl_arena_new(b->arena, n, double);
        char *shape = hl_arena_printf(b->arena, "%s × %s", in->rows, in->cols);
        if (!data || !shape)
            return false;
        memcpy(data, &p->cells[p->at[i]], n * sizeof *data);
        r->steps[r->n_steps++] = (struct hl_mech_step) {
            .key = in->key,
            .symbol = in->symbol,
            .name = in->name,
            .formula = "",
            .shape = shape,
            .role = HL_MECH_ROLE_INPUT,
            .op = HL_MECH_INPUT,
            .operand = { -1, -1, -1, -1, -1, -1 },
            .rows = p->rows[i],
            .cols = p->cols[i],
            .data = data,
        };
    }
    return true;
}

enum hl_status
hl_mech_run(const struct hl_mech *m, const struct hl_mech_problem *p, struct hl_arena *a,
            struct hl_mech_result *out, struct hl_error *err)
{
    enum hl_status st = check_inputs(m, p, err);
    if (st == HL_OK)
        st = check_options(m, p, err);
    if (st != HL_OK)
        return st;

    memset(out, 0, sizeof *out);
    out->mech = m;
    struct hl_mech_builder b = { .result = out, .problem = p, .arena = a };
    out->seed = (uint64_t)hl_mech_option(&b, "seed");
    out->n_draws = (int)hl_mech_option(&b, "draws");
    if (add_inputs(&b))
        m->build(&b, p);
    else
        b.no_memory = true;
    if (b.no_memory) {
        memset(out, 0, sizeof *out);
        return hl_error_set(err, HL_E_NOMEM, m->key, "while computing the steps");
    }
    return check_steps(out, err);
}

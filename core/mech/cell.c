/* One cell of one step: the only place where numbers of the Arithmetic screen are
 * made, used both to compute a step and to explain a cell of it. */
#include "mech/mech_priv.h"

#include <math.h>

#include "base/rng.h"

/* What the computation of one cell sees. */
struct cell {
    const struct hl_mech_result *r;
    const struct hl_mech_step *s;
    int row, col;
    struct hl_mech_term *terms;
    int n;
};

static const struct hl_mech_step *
operand(const struct cell *c, int i)
{
    return &c->r->steps[c->s->operand[i]];
}

static double
at(const struct hl_mech_step *s, int row, int col)
{
    return s->data[(size_t)row * (size_t)s->cols + (size_t)col];
}

/* Adds a term whose factors are cells; b_op -1 leaves b as the given constant. */
static void
put(struct cell *c, int a_op, int a_row, int a_col, double b, double value)
{
    struct hl_mech_term *t = &c->terms[c->n++];
    t->a = at(operand(c, a_op), a_row, a_col);
    t->a_at = (struct hl_mech_ref) { c->s->operand[a_op], a_row, a_col };
    t->b = b;
    t->b_at = (struct hl_mech_ref) { -1, 0, 0 };
    t->value = value;
}

static void
put_b_at(struct cell *c, int b_op, int row, int col)
{
    c->terms[c->n - 1].b_at = (struct hl_mech_ref) { c->s->operand[b_op], row, col };
}

/* Products of row `row` of a with a row or a column of b, and their sum. */
static double
product_sum(struct cell *c, bool transposed)
{
    const struct hl_mech_step *a = operand(c, 0), *b = operand(c, 1);
    double sum = 0;
    for (int k = 0; k < a->cols; k++) {
        int br = transposed ? c->col : k, bc = transposed ? k : c->col;
        double x = at(a, c->row, k), y = at(b, br, bc);
        put(c, 0, c->row, k, y, x * y);
        put_b_at(c, 1, br, bc);
        sum += x * y;
    }
    return sum;
}

/* Column of the largest in row `row`, the first of equals. */
static int
row_argmax(const struct hl_mech_step *a, int row)
{
    int best = 0;
    for (int j = 1; j < a->cols; j++) {
        if (at(a, row, j) > at(a, row, best))
            best = j;
    }
    return best;
}

static double
exp_shifted(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0);
    int best = row_argmax(a, c->row);
    double x = at(a, c->row, c->col), top = at(a, c->row, best);
    /* a row with nothing allowed has no largest score: all its weights are 0 */
    double v = isinf(top) && top < 0 ? 0.0 : exp(x - top);
    put(c, 0, c->row, c->col, top, v);
    put_b_at(c, 0, c->row, best);
    return v;
}

/* Sum of columns 0 .. last of the row. */
static double
partial_sum(struct cell *c, int last)
{
    double sum = 0;
    for (int j = 0; j <= last; j++) {
        double x = at(operand(c, 0), c->row, j);
        put(c, 0, c->row, j, 1.0, x);
        sum += x;
    }
    return sum;
}

/* Tenths of a[row, col] by largest remainders: whole tenths first, then the tenths
 * still missing from the row's sum go to the largest remainders. */
static double
round_tenths(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0);
    double sum = 0, floors = 0;
    int better = 0;
    double mine = at(a, c->row, c->col) * 10, rest = mine - floor(mine);

    for (int j = 0; j < a->cols; j++) {
        double x = at(a, c->row, j) * 10, r = x - floor(x);
        sum += x;
        floors += floor(x);
        if (j != c->col && (r > rest || (r == rest && j < c->col)))
            better++;
    }
    double v = (floor(mine) + (better < (int)(floor(sum + 0.5) - floors) ? 1 : 0)) / 10;
    put(c, 0, c->row, c->col, v, v);
    return v;
}

static double
tanh_add(struct cell *c)
{
    double x = at(operand(c, 0), c->row, c->col), y = at(operand(c, 1), 0, c->col);
    double v = tanh(x + y);
    put(c, 0, c->row, c->col, y, v);
    put_b_at(c, 1, 0, c->col);
    return v;
}

static double
row_norm(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0);
    double sum = 0;
    for (int k = 0; k < a->cols; k++) {
        double x = at(a, c->row, k);
        put(c, 0, c->row, k, x, x * x);
        put_b_at(c, 0, c->row, k);
        sum += x * x;
    }
    return sqrt(sum);
}

static double
cosine(struct cell *c)
{
    double dot = at(operand(c, 0), 0, c->col);
    double lengths = at(operand(c, 1), 0, 0) * at(operand(c, 2), c->col, 0);
    double quotient = dot / fmax(lengths, 1e-8);
    put(c, 0, 0, c->col, lengths, quotient);
    if (c->s->operand[3] < 0)
        return quotient;
    double strength = at(operand(c, 3), 0, 0);
    put(c, 3, 0, 0, quotient, strength * quotient);
    return strength * quotient;
}

static double
stacked(struct cell *c)
{
    int i = 0, row = c->row;
    while (row >= operand(c, i)->rows)
        row -= operand(c, i++)->rows;
    double v = at(operand(c, i), row, c->col);
    put(c, i, row, c->col, 0, v);
    return v;
}

/* First column whose cumulated weight exceeds u (the last one, should rounding
 * leave the sum just below u). */
static int
draw_column(const struct hl_mech_step *cumulated, int row, double u)
{
    int j = 0;
    while (j < cumulated->cols - 1 && at(cumulated, row, j) <= u)
        j++;
    return j;
}

static double
uniform(struct cell *c)
{
    struct hl_rng rng;
    hl_rng_init(&rng, c->r->seed);
    double u = 0;
    for (int i = 0; i <= c->row; i++)
        u = hl_rng_uniform(&rng);
    return u;
}

static double
frequency(struct cell *c)
{
    struct hl_rng rng;
    int hits = 0;
    hl_rng_init(&rng, c->r->seed);
    for (int i = 0; i < c->r->n_draws; i++) {
        if (draw_column(operand(c, 0), c->row, hl_rng_uniform(&rng)) == c->col)
            hits++;
    }
    double v = (double)hits / c->r->n_draws;
    struct hl_mech_term *t = &c->terms[c->n++];
    *t = (struct hl_mech_term) { hits, c->r->n_draws, v, { -1, 0, 0 }, { -1, 0, 0 } };
    return v;
}

/* What is not negative, as a share of the row. */
static double
share(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0);
    double sum = 0, x = fmax(at(a, c->row, c->col), 0);
    for (int j = 0; j < a->cols; j++)
        sum += fmax(at(a, c->row, j), 0);
    double v = sum > 0 ? x / sum : 1.0 / a->cols;
    put(c, 0, c->row, c->col, sum > 0 ? sum : a->cols, v);
    c->terms[0].a = sum > 0 ? x : 1;
    return v;
}

static double
mix(struct cell *c)
{
    double g = c->s->constant, x = at(operand(c, 0), c->row, c->col);
    double y = at(operand(c, 1), c->row, c->col);
    put(c, 0, c->row, c->col, g, g * x);
    put(c, 1, c->row, c->col, 1 - g, (1 - g) * y);
    return g * x + (1 - g) * y;
}

/* What each shift brings to the column, from the column that it comes from. */
static double
rotate(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0), *b = operand(c, 1);
    double sum = 0;
    for (int k = 0; k < b->cols; k++) {
        int from = c->col - (k - b->cols / 2);
        from = (from % a->cols + a->cols) % a->cols;
        double s = at(b, 0, k), v = at(a, c->row, from) * s;
        put(c, 0, c->row, from, s, v);
        put_b_at(c, 1, 0, k);
        sum += v;
    }
    return sum;
}

/* A memory's cell, its slot's weight, and what is erased or added there. */
static double
write_cell(struct cell *c)
{
    double m = at(operand(c, 0), c->row, c->col), w = at(operand(c, 1), 0, c->row);
    double x = at(operand(c, 2), 0, c->col), part = w * x;
    double v = c->s->op == HL_MECH_ERASE ? m * (1 - part) : m + part;
    put(c, 0, c->row, c->col, part, v);
    put(c, 1, 0, c->row, x, part);
    put_b_at(c, 2, 0, c->col);
    return v;
}

/* Operations of one operand cell and a constant or a second cell. */
static double
elementwise(struct cell *c)
{
    const struct hl_mech_step *a = operand(c, 0);
    double x = at(a, c->row, c->col), y = 0, v = x;

    if (c->s->op == HL_MECH_SCALE) {
        y = c->s->constant;
        v = x * y;
    } else if (c->s->op == HL_MECH_POWER) {
        y = c->s->constant;
        v = pow(x, y);
    } else if (c->s->op == HL_MECH_ADD) {
        y = at(operand(c, 1), c->row, c->col);
        v = x + y;
    } else if (c->s->op == HL_MECH_CAUSAL) {
        v = c->col > c->row ? -INFINITY : x;
    } else if (c->s->op == HL_MECH_DIVIDE) {
        y = at(operand(c, 1), c->row, 0);
        v = y == 0 ? 0 : x / y;
    } else if (c->s->op == HL_MECH_ONE_HOT) {
        int best = row_argmax(a, c->row);
        y = at(a, c->row, best);
        v = c->col == best ? 1 : 0;
    } else if (c->s->op == HL_MECH_SAMPLE) {
        y = at(operand(c, 1), c->row, 0);
        v = c->col == draw_column(a, c->row, y) ? 1 : 0;
    }
    put(c, 0, c->row, c->col, y, v);
    if (c->s->op == HL_MECH_DIVIDE || c->s->op == HL_MECH_SAMPLE)
        put_b_at(c, 1, c->row, 0);
    if (c->s->op == HL_MECH_ADD)
        put_b_at(c, 1, c->row, c->col);
    if (c->s->op == HL_MECH_ONE_HOT)
        put_b_at(c, 0, c->row, row_argmax(a, c->row));
    return v;
}

static double
compute(struct cell *c)
{
    switch (c->s->op) {
    case HL_MECH_INPUT:
        return at(c->s, c->row, c->col);
    case HL_MECH_MATMUL:
        return product_sum(c, false);
    case HL_MECH_MATMUL_T:
        return product_sum(c, true);
    case HL_MECH_EXP:
        return exp_shifted(c);
    case HL_MECH_ROW_SUM:
        return partial_sum(c, operand(c, 0)->cols - 1);
    case HL_MECH_CUMULATE:
        return partial_sum(c, c->col);
    case HL_MECH_ROUND:
        return round_tenths(c);
    case HL_MECH_TANH_ADD:
        return tanh_add(c);
    case HL_MECH_NORM:
        return row_norm(c);
    case HL_MECH_COSINE:
        return cosine(c);
    case HL_MECH_STACK:
        return stacked(c);
    case HL_MECH_DRAW:
        return uniform(c);
    case HL_MECH_FREQUENCY:
        return frequency(c);
    case HL_MECH_SHARE:
        return share(c);
    case HL_MECH_MIX:
        return mix(c);
    case HL_MECH_ROTATE:
        return rotate(c);
    case HL_MECH_ERASE:
    case HL_MECH_PUT:
        return write_cell(c);
    case HL_MECH_SCALE:
    case HL_MECH_POWER:
    case HL_MECH_ADD:
    case HL_MECH_CAUSAL:
    case HL_MECH_DIVIDE:
    case HL_MECH_ONE_HOT:
    case HL_MECH_SAMPLE:
        return elementwise(c);
    case HL_MECH_OP_COUNT:
        break;
    }
    return 0;
}

int
hl_mech_cell_terms(const struct hl_mech_result *r, const struct hl_mech_step *s, int row, int col,
                   struct hl_mech_term *terms, double *value)
{
    struct cell c = { r, s, row, col, terms, 0 };
    *value = compute(&c);
    return c.n;
}

static bool
stack_shape(const struct hl_mech_result *r, const struct hl_mech_step *s, int *rows, int *cols)
{
    *rows = 0;
    *cols = r->steps[s->operand[0]].cols;
    for (int i = 0; i < 6 && s->operand[i] >= 0; i++) {
        if (r->steps[s->operand[i]].cols != *cols)
            return false;
        *rows += r->steps[s->operand[i]].rows;
    }
    return true;
}

bool
hl_mech_cell_shape(const struct hl_mech_result *r, const struct hl_mech_step *s, int *rows,
                   int *cols)
{
    const struct hl_mech_step *a = s->operand[0] < 0 ? NULL : &r->steps[s->operand[0]];
    const struct hl_mech_step *b = s->operand[1] < 0 ? NULL : &r->steps[s->operand[1]];

    if (!a)
        return false;
    *rows = a->rows;
    *cols = a->cols;
    switch (s->op) {
    case HL_MECH_MATMUL:
        *cols = b->cols;
        return a->cols == b->rows;
    case HL_MECH_MATMUL_T:
        *cols = b->rows;
        return a->cols == b->cols;
    case HL_MECH_ROW_SUM:
    case HL_MECH_NORM:
    case HL_MECH_DRAW:
        *cols = 1;
        return true;
    case HL_MECH_STACK:
        return stack_shape(r, s, rows, cols);
    case HL_MECH_TANH_ADD:
        return b->rows == 1 && b->cols == a->cols;
    case HL_MECH_ADD:
    case HL_MECH_MIX:
        return b->rows == a->rows && b->cols == a->cols;
    case HL_MECH_DIVIDE:
    case HL_MECH_SAMPLE:
        return b->rows == a->rows && b->cols == 1;
    case HL_MECH_COSINE:
    case HL_MECH_SCALE:
    case HL_MECH_CAUSAL:
    case HL_MECH_EXP:
    case HL_MECH_ROUND:
    case HL_MECH_ONE_HOT:
    case HL_MECH_CUMULATE:
    case HL_MECH_FREQUENCY:
    case HL_MECH_SHARE:
    case HL_MECH_POWER:
        return true;
    case HL_MECH_ROTATE:
        return b->rows == 1;
    case HL_MECH_ERASE:
    case HL_MECH_PUT:
        return b->rows == 1 && b->cols == a->rows;
    case HL_MECH_INPUT:
    case HL_MECH_OP_COUNT:
        break;
    }
    return false;
}

/* The sentence of a cell: its terms written out, every number short and with '.'
 * as the point whatever the locale. */
#include "mech/mech_priv.h"

#include <math.h>
#include <string.h>

#include "base/span.h"

static void
num(struct hl_sb *sb, double v)
{
    if (isinf(v)) {
        hl_sb_puts(sb, v < 0 ? "−∞" : "∞");
        return;
    }
    if (v < 0)
        hl_sb_puts(sb, "−");
    hl_sb_num(sb, fabs(v), 5);
}

/* A factor after a sign: negative numbers in brackets. */
static void
factor(struct hl_sb *sb, double v)
{
    if (v < 0)
        hl_sb_putc(sb, '(');
    num(sb, v);
    if (v < 0)
        hl_sb_putc(sb, ')');
}

static void
sum_text(struct hl_sb *sb, const struct hl_mech_explanation *x, bool products)
{
    for (int i = 0; i < x->n_terms; i++) {
        if (i > 0)
            hl_sb_puts(sb, " + ");
        factor(sb, x->terms[i].a);
        if (products) {
            hl_sb_puts(sb, " × ");
            factor(sb, x->terms[i].b);
        }
    }
}

static void
pair_text(struct hl_sb *sb, const struct hl_mech_term *t, const char *before, const char *between,
          const char *after)
{
    hl_sb_puts(sb, before);
    factor(sb, t->a);
    hl_sb_puts(sb, between);
    factor(sb, t->b);
    hl_sb_puts(sb, after);
}

static void
cosine_text(struct hl_sb *sb, const struct hl_mech_explanation *x)
{
    if (x->n_terms > 1) {
        factor(sb, x->terms[1].a);
        hl_sb_puts(sb, " × ");
    }
    pair_text(sb, &x->terms[0], "", " / ", "");
}

/* "0.6 × (1 − 0.5 × 1)" or "0.3 + 0.5 × 2". */
static void
write_text(struct hl_sb *sb, const struct hl_mech_explanation *x)
{
    factor(sb, x->terms[0].a);
    hl_sb_puts(sb, x->op == HL_MECH_ERASE ? " × (1 − " : " + ");
    pair_text(sb, &x->terms[1], "", " × ", x->op == HL_MECH_ERASE ? ")" : "");
}

static void
body_text(struct hl_sb *sb, const struct hl_mech_explanation *x)
{
    const struct hl_mech_term *t = x->terms;
    switch (x->op) {
    case HL_MECH_INPUT:
        hl_sb_puts(sb, "typed");
        break;
    case HL_MECH_MATMUL:
    case HL_MECH_MATMUL_T:
    case HL_MECH_MIX:
    case HL_MECH_ROTATE:
        sum_text(sb, x, true);
        break;
    case HL_MECH_ROW_SUM:
    case HL_MECH_CUMULATE:
        sum_text(sb, x, false);
        break;
    case HL_MECH_SCALE:
        pair_text(sb, t, "", " × ", "");
        break;
    case HL_MECH_EXP:
        pair_text(sb, t, "exp(", " − ", ")");
        break;
    case HL_MECH_DIVIDE:
    case HL_MECH_SHARE:
    case HL_MECH_FREQUENCY:
        pair_text(sb, t, "", " / ", "");
        break;
    case HL_MECH_ADD:
        pair_text(sb, t, "", " + ", "");
        break;
    case HL_MECH_POWER:
        pair_text(sb, t, "", " ^ ", "");
        break;
    case HL_MECH_ERASE:
    case HL_MECH_PUT:
        write_text(sb, x);
        break;
    case HL_MECH_TANH_ADD:
        pair_text(sb, t, "tanh(", " + ", ")");
        break;
    case HL_MECH_NORM:
        hl_sb_puts(sb, "√(");
        sum_text(sb, x, true);
        hl_sb_putc(sb, ')');
        break;
    case HL_MECH_COSINE:
        cosine_text(sb, x);
        break;
    case HL_MECH_CAUSAL:
        hl_sb_puts(sb, isinf(x->value) ? "a later position: masked" : "an allowed position");
        break;
    case HL_MECH_ROUND:
        pair_text(sb, t, "", " in tenths is ", "");
        break;
    case HL_MECH_ONE_HOT:
        pair_text(sb, t, "", x->value > 0 ? " is the largest, " : ", while the largest is ", "");
        break;
    case HL_MECH_STACK:
        hl_sb_puts(sb, "taken from above");
        break;
    case HL_MECH_DRAW:
        hl_sb_puts(sb, "drawn evenly from 0 to 1");
        break;
    case HL_MECH_SAMPLE:
        pair_text(sb, t, "sum up to here ", ", draw ", "");
        break;
    case HL_MECH_OP_COUNT:
        break;
    }
}

bool
hl_mech_explain(const struct hl_mech_result *r, int step, int row, int col, struct hl_arena *a,
                struct hl_mech_explanation *out)
{
    struct hl_mech_term terms[HL_MECH_MAX_DIM];
    struct hl_sb sb = { 0 };

    if (step < 0 || step >= r->n_steps)
        return false;
    const struct hl_mech_step *s = &r->steps[step];
    if (row < 0 || row >= s->rows || col < 0 || col >= s->cols)
        return false;

    struct hl_mech_explanation x = { .op = s->op };
    x.n_terms = hl_mech_cell_terms(r, s, row, col, terms, &x.value);
    struct hl_mech_term *kept = hl_arena_new(a, x.n_terms, struct hl_mech_term);
    if (!kept)
        return false;
    memcpy(kept, terms, (size_t)x.n_terms * sizeof *kept);
    x.terms = kept;

    body_text(&sb, &x);
    hl_sb_puts(&sb, " = ");
    num(&sb, x.value);
    x.text = sb.failed ? NULL : hl_arena_strndup(a, sb.p, sb.n);
    hl_sb_deinit(&sb);
    if (!x.text)
        return false;
    *out = x;
    return true;
}

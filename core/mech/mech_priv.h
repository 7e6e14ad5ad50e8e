/* What mechanism files build with: adding steps to a run. */
#pragma once

#include "mech/mech.h"

struct hl_mech_builder {
    struct hl_mech_result *result;
    const struct hl_mech_problem *problem;
    struct hl_arena *arena;
    bool no_memory; /* once set, adding does nothing and gives -1 */
};

/* Appends a step and computes it. `s` holds key, symbol, name, formula, shape,
 * role, op, constant, row labels; operands are given apart (-1 unused). Rows,
 * columns and data are found from them. Returns its number, -1 when out of memory.
 * Thread-safety: one thread per builder. */
int hl_mech_add(struct hl_mech_builder *b, struct hl_mech_step s, int op_a, int op_b);

/* The same for operations of up to six operands. */
int hl_mech_add_many(struct hl_mech_builder *b, struct hl_mech_step s, const int operand[6]);

/* Value of an option by key (0 if the mechanism has none). Thread-safety: reentrant. */
double hl_mech_option(const struct hl_mech_builder *b, const char *key);

/* Scale, mask, softmax, rounding and hard choice, as far as the mechanism has the
 * options "scale", "causal", "round" and "hard" and they are on. From the step
 * `scores` [Tq, Tk] whose product ran over d_k numbers; returns the step that holds
 * the weights. Thread-safety: one thread per builder. */
int hl_mech_add_softmax(struct hl_mech_builder *b, int scores, int d_k);

/* Rows and columns that an operation gives. Fails: false (operands do not fit). */
bool hl_mech_cell_shape(const struct hl_mech_result *r, const struct hl_mech_step *s, int *rows,
                        int *cols);

/* Computes cell [row, col] of a step and writes the terms that it is made of into
 * `terms` (room for HL_MECH_MAX_DIM). Returns their number; *value is the cell.
 * Thread-safety: reentrant. */
int hl_mech_cell_terms(const struct hl_mech_result *r, const struct hl_mech_step *s, int row,
                       int col, struct hl_mech_term *terms, double *value);

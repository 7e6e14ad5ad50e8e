/* Mechanisms without weights, computed by hand: what the Arithmetic screen runs.
 *
 * A mechanism is a descriptor (inputs, options, presets, laws) and a build
 * function that lists its steps. Each step is a named matrix made from earlier
 * ones by one operation; the same table of operations computes every cell and
 * explains it, so that the explanation on screen cannot disagree with the number.
 * All arithmetic is in double.
 *
 * A screen: pick a descriptor from hl_mechs, fill a problem from a preset
 * (hl_mech_preset_load), let the user edit cells (hl_mech_cell), options and sizes
 * (hl_mech_resize), run it (hl_mech_run) and draw result.steps in order; for the
 * hovered or pinned cell ask hl_mech_explain. The first steps are the inputs.
 *
 * Shape letters as in style: T texts' positions, Tq queries, Tk keys, D width,
 * Dh width of queries and keys, Dv width of values, A width of the additive score. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "mech/laws.h"

#define HL_MECH_MAX_INPUTS 8
#define HL_MECH_MAX_OPTIONS 6
#define HL_MECH_MAX_STEPS 40
#define HL_MECH_MAX_DIM 64     /* rows or columns of one matrix */
#define HL_MECH_MAX_CELLS 8192 /* of all inputs together */

/* An input matrix. `rows` and `cols` are shape letters; inputs that share a letter
 * share the size. A digit ("1") is a fixed size. */
struct hl_mech_input {
    const char *key;    /* "wq" */
    const char *symbol; /* "W_Q" (underscore: what follows is a subscript) */
    const char *name;   /* "Query projection" */
    const char *rows, *cols;
};

/* A problem with known numbers: the cells of all inputs one after another,
 * row-major. */
struct hl_mech_preset {
    const char *key;  /* "three-words" */
    const char *name; /* "Three words, width 4" */
    const char *note; /* what is known about its numbers, one sentence */
    int shape[HL_MECH_MAX_INPUTS][2];
    const double *cells;
    double options[HL_MECH_MAX_OPTIONS];
};

/* What a mechanism is given: plain data without pointers, copied by assignment.
 * Input i is rows[i] x cols[i] at cells[at[i]], row-major. */
struct hl_mech_problem {
    int n_inputs;
    int rows[HL_MECH_MAX_INPUTS], cols[HL_MECH_MAX_INPUTS], at[HL_MECH_MAX_INPUTS];
    double options[HL_MECH_MAX_OPTIONS];
    double cells[HL_MECH_MAX_CELLS];
};

/* What a step does with its operands a, b (earlier steps). */
enum hl_mech_op {
    HL_MECH_INPUT,     /* typed in */
    HL_MECH_MATMUL,    /* a b: sum over k of a[i,k] b[k,j] */
    HL_MECH_MATMUL_T,  /* a bᵀ: sum over k of a[i,k] b[j,k] */
    HL_MECH_SCALE,     /* a times a constant */
    HL_MECH_CAUSAL,    /* a, with minus infinity where column > row */
    HL_MECH_EXP,       /* exp(a - largest of its row) */
    HL_MECH_ROW_SUM,   /* sum of a's row, a column */
    HL_MECH_DIVIDE,    /* a[i,j] / b[i,0]; 0 where b is 0 */
    HL_MECH_ROUND,     /* rows of a in whole tenths that keep the sum (largest remainders) */
    HL_MECH_ONE_HOT,   /* 1 at the largest of the row (the first of equals), else 0 */
    HL_MECH_TANH_ADD,  /* tanh(a[i,j] + b[0,j]) */
    HL_MECH_ADD,       /* a + b, cell by cell */
    HL_MECH_NORM,      /* length of a's row, a column */
    HL_MECH_COSINE,    /* a[0,j] / max(b[0,0] c[j,0], 1e-8), times d[0,0] if there is d */
    HL_MECH_STACK,     /* the rows of several steps, one below the other */
    HL_MECH_CUMULATE,  /* sum of a's row up to and with column j */
    HL_MECH_DRAW,      /* a uniform number in [0, 1) from the option "seed" */
    HL_MECH_SAMPLE,    /* 1 at the first column with b[i,0] < a[i,j], a cumulated */
    HL_MECH_FREQUENCY, /* share of many draws that fell on column j, a cumulated */
    HL_MECH_SHARE,     /* max(a, 0) over the sum of these in its row; 1 / columns where it is 0 */
    HL_MECH_MIX,       /* constant a + (1 - constant) b */
    HL_MECH_ROTATE,    /* sum over k of a[i, j - (k - S / 2) mod N] b[0,k], for S columns of b */
    HL_MECH_POWER,     /* a to the power of a constant */
    HL_MECH_ERASE,     /* a[i,j] (1 - b[0,i] c[0,j]) */
    HL_MECH_PUT,       /* a[i,j] + b[0,i] c[0,j] */
    HL_MECH_OP_COUNT
};

/* What a step is for: laws and views look for these. */
enum hl_mech_role {
    HL_MECH_ROLE_INPUT,
    HL_MECH_ROLE_STEP,
    HL_MECH_ROLE_SCORES,  /* before the softmax */
    HL_MECH_ROLE_WEIGHTS, /* rows are distributions */
    HL_MECH_ROLE_OUTPUT,  /* weighted sums */
    HL_MECH_ROLE_COUNT
};

struct hl_mech_step {
    const char *key;     /* "weights" */
    const char *symbol;  /* "A" */
    const char *name;    /* "Weights" */
    const char *formula; /* "E_ij / Z_i"; "" for inputs */
    const char *shape;   /* letters: "Tq × Tk" */
    enum hl_mech_role role;
    enum hl_mech_op op;
    int operand[6]; /* steps; -1 unused */
    double constant;
    int rows, cols;
    const double *data;            /* [rows, cols]; -infinity where masked */
    const char *const *row_labels; /* rows of them, or NULL (then number from 1) */
};

/* Ownership: everything lives in the arena given to hl_mech_run. */
struct hl_mech_result {
    const struct hl_mech *mech;
    uint64_t seed;
    int n_draws;
    int n_steps;
    struct hl_mech_step steps[HL_MECH_MAX_STEPS];
};

struct hl_mech_ref {
    int step, row, col; /* step -1: a constant, no cell */
};

/* One line of an explanation: for products a, b and a*b; otherwise what the
 * operation makes of them (a - b for the exponent, a / b for a quotient ...);
 * when b has no meaning its step is -1 and it is 0. */
struct hl_mech_term {
    double a, b, value;
    struct hl_mech_ref a_at, b_at;
};

struct hl_mech_explanation {
    enum hl_mech_op op;
    int n_terms;
    const struct hl_mech_term *terms; /* in the order in which they were added */
    double value;                     /* equals the cell bit by bit */
    const char *text; /* "1 × 4 + 0 × 4 + 2 × 0 = 4", '.' as the point, "−∞" where masked */
};

struct hl_mech_builder;

struct hl_mech {
    const char *key;     /* "attention", the file's name */
    const char *title;   /* "Self-attention, step by step" */
    const char *formula; /* "softmax(Q Kᵀ / √d_k) V" */
    const char *paper;   /* "Vaswani et al. 2017" */
    const char *idea;    /* two or three sentences */
    int n_inputs, n_options, n_presets;
    bool downwards; /* one row turned step by step: read best from line to line */
    const struct hl_mech_input *inputs;
    const struct hl_option *options;
    const struct hl_mech_preset *presets;
    uint32_t laws; /* HL_LAW_BIT(...) of each claimed law */
    void (*build)(struct hl_mech_builder *b, const struct hl_mech_problem *p);
};

/* All mechanisms, in the order of the list in core/mech/meson.build. */
extern const struct hl_mech *const hl_mechs[];
extern const int hl_n_mechs;

/* By key; NULL if there is none. Thread-safety: reentrant. */
const struct hl_mech *hl_mech_find(const char *key);

/* Number of an input or option by key; -1 if there is none. Thread-safety: reentrant. */
int hl_mech_input_index(const struct hl_mech *m, const char *key);
int hl_mech_option_index(const struct hl_mech *m, const char *key);

/* Fills *p from preset number i. Thread-safety: reentrant. Fails: false (no such
 * preset). */
bool hl_mech_preset_load(const struct hl_mech *m, int i, struct hl_mech_problem *p);

/* Sets all sizes at once: zeroed cells, initial options. `size` is asked for each
 * letter ("Tk") and must answer 1..HL_MECH_MAX_DIM. Thread-safety: reentrant.
 * Fails: false (a size out of range, too many cells). */
bool hl_mech_problem_init(const struct hl_mech *m, int (*size)(const char *letter, void *user),
                          void *user, struct hl_mech_problem *p);

/* The cell [row, col] of input i, for reading and writing; NULL out of range.
 * Thread-safety: reentrant. */
double *hl_mech_cell(struct hl_mech_problem *p, int i, int row, int col);

/* Size of a letter in this problem; 0 if no input has it. Thread-safety: reentrant. */
int hl_mech_size(const struct hl_mech *m, const struct hl_mech_problem *p, const char *letter);

/* Changes the size of a letter in every input that has it: kept cells keep their
 * values, new ones are 0. Thread-safety: reentrant. Fails: false and *p unchanged
 * (unknown letter, size out of range, too many cells). */
bool hl_mech_resize(const struct hl_mech *m, struct hl_mech_problem *p, const char *letter, int n);

/* Checks shapes, finiteness and options, then computes every step.
 * Ownership: the steps' data live in `a`. Thread-safety: reentrant, one thread
 * per arena. Fails: ARGUMENT (names the input or option), NOMEM. */
enum hl_status hl_mech_run(const struct hl_mech *m, const struct hl_mech_problem *p,
                           struct hl_arena *a, struct hl_mech_result *out, struct hl_error *err);

/* A step by key; -1 if this run has none. Thread-safety: reentrant. */
int hl_mech_step_index(const struct hl_mech_result *r, const char *key);

/* How cell [row, col] of a step came about. Ownership: in `a`. Thread-safety:
 * reentrant, one thread per arena. Fails: false (out of range, no memory). */
bool hl_mech_explain(const struct hl_mech_result *r, int step, int row, int col, struct hl_arena *a,
                     struct hl_mech_explanation *out);

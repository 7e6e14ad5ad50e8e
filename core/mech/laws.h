/* Laws that a mechanism may claim. A descriptor names them, tests/law checks each
 * one on random problems of random shapes; a mechanism that claims none fails.
 *
 * X(name, number, sentence): `enum hl_law` has HL_LAW_<name>. Roles and keys of
 * steps and inputs (mech.h) tell the checker where to look. */
#pragma once

#include <stdint.h>

#define HL_LAW_LIST(X)                                                                             \
    X(EXPLAINED, 0, "every cell equals the value of its explanation, bit by bit")                  \
    X(ROWS_SUM_TO_ONE, 1, "every row of weights sums to 1 and no weight is negative")              \
    X(SHIFT_INVARIANT, 2, "adding a constant to a row of the input \"scores\" leaves its weights") \
    X(MASKED_IS_ZERO, 3, "with option \"causal\", weights right of the diagonal are exactly 0")    \
    X(CAUSAL, 4, "with option \"causal\", changing row j of \"x\" or \"k\" leaves rows before j")  \
    X(KEY_PERMUTATION, 5, "permuting rows of \"k\" with those of \"v\" permutes weight columns")   \
    X(OUTPUT_INVARIANT, 6, "the same permutation leaves the output unchanged")                     \
    X(HARD_ONE_HOT, 7, "step \"hard\" has a single 1 per row, at the largest weight")              \
    X(SAMPLES_APPROACH_SOFT, 8, "step \"frequency\" approaches \"weights\" as \"draws\" grows")    \
    X(GENERAL_IDENTITY, 9, "general with W = I equals dot")                                        \
    X(SCALED_IS_DOT, 10, "scaled times the root of D equals dot")                                  \
    X(COSINE_SCALE_FREE, 11, "cosine ignores a positive factor on query or keys")                  \
    X(ADDITIVE_ZERO, 12, "additive with v = 0 gives equal weights")                                \
    X(LOCATION_KEYS_FREE, 13, "location ignores the keys")                                         \
    X(TEMPERATURE_HARD, 14, "a small \"temperature\" makes the weights one-hot at the largest")    \
    X(GAMMA_IDENTITY, 15, "with option \"gamma\" 0, step \"output\" equals the input \"x\"")       \
    X(CELL_PERMUTATION, 16, "permuting rows of \"x\" permutes weights and output alike")           \
    X(GATE_EXTREMES, 17, "with option \"gate\" 1, \"gated\" is \"content\", with 0 \"previous\"")  \
    X(SHIFTS_COMPOSE, 18, "one-hot shifts, one after the other, move by their sum modulo N")       \
    X(SHARPENING_EXTREMES, 19, "\"gamma\" 1 leaves \"shifted\" alone, a large one one-hot")        \
    X(WRITE_STORES, 20, "erase 1 and add v at a one-hot address store v, and nothing else")

enum hl_law {
#define X(name, number, sentence) HL_LAW_##name = number,
    HL_LAW_LIST(X)
#undef X
        HL_LAW_COUNT
};

#define HL_LAW_BIT(name) (UINT32_C(1) << HL_LAW_##name)

/* Self-attention by hand.
 *
 * Idea: every row of X asks a question (its query), offers a label (its key) and
 * carries a content (its value). How well a question fits a label decides how much
 * of that content the row receives.
 *
 * Formula: Q = X W_Q, K = X W_K, V = X W_V; A = softmax(Q Kᵀ / √d_k); O = A V.
 * Shapes: X [T,D], W_Q and W_K [D,Dh], W_V [D,Dv]; A [T,T]; O [T,Dv].
 * Paper: Vaswani et al. 2017, section 3.2.1.
 * Picture: rows of A are distributions over the rows of X; with the mask the upper
 * triangle is empty.
 * Classic mistakes: normalising columns instead of rows; dividing by d_k instead of
 * its root; masking after the softmax, so that rows no longer sum to 1. */
#include "mech/mech_priv.h"

static const struct hl_mech_input inputs[] = {
    { "x", "X", "Inputs, one row per word", "T", "D" },
    { "wq", "W_Q", "Query projection", "D", "Dh" },
    { "wk", "W_K", "Key projection", "D", "Dh" },
    { "wv", "W_V", "Value projection", "D", "Dv" },
};

static const struct hl_option options[] = {
    { "scale", "Divide scores by √d_k", HL_OPTION_SWITCH, 0, 1, 1 },
    { "causal", "Mask later positions", HL_OPTION_SWITCH, 0, 1, 0 },
    { "round", "Round weights as textbooks do", HL_OPTION_SWITCH, 0, 1, 0 },
    { "hard", "Hard: all weight on the best", HL_OPTION_SWITCH, 0, 1, 0 },
};

/* clang-format off */
static const double three_words[] = {
    1, 0, 1, 0,   0, 2, 0, 2,   1, 1, 1, 1,           /* X */
    1, 0, 1,   1, 0, 0,   0, 0, 1,   0, 1, 1,         /* W_Q */
    0, 0, 1,   1, 1, 0,   0, 1, 0,   1, 1, 0,         /* W_K */
    0, 2, 0,   0, 3, 0,   1, 0, 3,   1, 1, 0,         /* W_V */
};

static const double plain[] = {
    2, 0,   0, 2,   1, 1,                             /* X */
    1, 0,   0, 1,                                     /* W_Q */
    1, 0,   0, 1,                                     /* W_K */
    1, 0,   0, 1,                                     /* W_V */
};
/* clang-format on */

static const struct hl_mech_preset presets[] = {
    { .key = "three-words",
      .name = "Three words, width 4",
      .note = "Unscaled, the first query scores 2, 4, 4 and weighs 0.0634, 0.4683, 0.4683; "
              "textbooks round to 0, 0.5, 0.5.",
      .shape = { { 3, 4 }, { 4, 3 }, { 4, 3 }, { 4, 3 } },
      .cells = three_words,
      .options = { 0, 0, 0, 0 } },
    { .key = "plain",
      .name = "Projections left out",
      .note = "With all three projections equal to the identity, words compare as they are.",
      .shape = { { 3, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 } },
      .cells = plain,
      .options = { 1, 0, 0, 0 } },
};

static int
project(struct hl_mech_builder *b, const char *key, const char *symbol, const char *name,
        const char *formula, int w)
{
    return hl_mech_add(b,
                       (struct hl_mech_step) { .key = key,
                                               .symbol = symbol,
                                               .name = name,
                                               .formula = formula,
                                               .shape = w == 3 ? "T × Dv" : "T × Dh",
                                               .role = HL_MECH_ROLE_STEP,
                                               .op = HL_MECH_MATMUL },
                       0, w);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    int q = project(b, "q", "Q", "Queries", "X W_Q", 1);
    int k = project(b, "k", "K", "Keys", "X W_K", 2);
    int v = project(b, "v", "V", "Values", "X W_V", 3);
    int s = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "scores",
                                                .symbol = "S",
                                                .name = "Scores",
                                                .formula = "Q Kᵀ",
                                                .shape = "T × T",
                                                .role = HL_MECH_ROLE_SCORES,
                                                .op = HL_MECH_MATMUL_T },
                        q, k);
    int a = hl_mech_add_softmax(b, s, p->cols[1]);
    hl_mech_add(b,
                (struct hl_mech_step) { .key = "output",
                                        .symbol = "O",
                                        .name = "Weighted sums",
                                        .formula = "A V",
                                        .shape = "T × Dv",
                                        .role = HL_MECH_ROLE_OUTPUT,
                                        .op = HL_MECH_MATMUL },
                a, v);
}

const struct hl_mech hl_mech_attention = {
    .key = "attention",
    .title = "Self-attention, step by step",
    .formula = "softmax(X W_Q (X W_K)ᵀ / √d_k) X W_V",
    .paper = "Vaswani et al. 2017",
    .idea = "Every word asks a question (query), offers a label (key) and carries a content "
            "(value). The better a question fits a label, the more of that content is taken.",
    .n_inputs = 4,
    .n_options = 4,
    .n_presets = 2,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(MASKED_IS_ZERO) |
            HL_LAW_BIT(CAUSAL) | HL_LAW_BIT(HARD_ONE_HOT),
    .build = build,
};

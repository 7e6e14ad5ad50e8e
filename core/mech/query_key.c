/* Queries against keys: attention whose queries, keys and values are given.
 *
 * Idea: the second half of attention, without the projections. Here the window
 * sends the queries and keys of a head of a trained model to be checked by hand.
 *
 * Formula: A = softmax(Q Kᵀ / √d_k); O = A V.
 * Shapes: Q [Tq,Dh], K [Tk,Dh], V [Tk,Dv]; A [Tq,Tk]; O [Tq,Dv].
 * Paper: Vaswani et al. 2017, section 3.2.1.
 * Picture: one row per query; the key whose arrow points the same way as the
 * query's, and is long, gets the weight.
 * Classic mistakes: comparing a query with values; leaving the division out, which
 * at d_k = 64 makes the softmax all but hard. */
#include "mech/mech_priv.h"

static const struct hl_mech_input inputs[] = {
    { "q", "Q", "Queries", "Tq", "Dh" },
    { "k", "K", "Keys", "Tk", "Dh" },
    { "v", "V", "Values", "Tk", "Dv" },
};

static const struct hl_option options[] = {
    { "scale", "Divide scores by √d_k", HL_OPTION_SWITCH, 0, 1, 1 },
    { "causal", "Mask later positions", HL_OPTION_SWITCH, 0, 1, 0 },
    { "round", "Round weights as textbooks do", HL_OPTION_SWITCH, 0, 1, 0 },
    { "hard", "Hard: all weight on the best", HL_OPTION_SWITCH, 0, 1, 0 },
};

/* clang-format off */
static const double pairs[] = {
    1, 2,                                   /* Q */
    2, 0,   0, 2,   1, 1,                   /* K */
    1, 0, 0,   0, 1, 0,   0, 0, 1,          /* V */
};

#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTY_FOUR(x) EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), \
                      EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x)
static const double sixty_four[] = {
    SIXTY_FOUR(1),                          /* Q: all ones */
    SIXTY_FOUR(1.75), SIXTY_FOUR(1.5),      /* K: sums 112 and 96 */
    1, 0,   0, 1,                           /* V */
};
/* clang-format on */

static const struct hl_mech_preset presets[] = {
    { .key = "three-keys",
      .name = "One query, three keys",
      .note = "With the unit vectors as values the output repeats the weights.",
      .shape = { { 1, 2 }, { 3, 2 }, { 3, 3 } },
      .cells = pairs,
      .options = { 1, 0, 0, 0 } },
    { .key = "width-64",
      .name = "Scores 112 and 96 at d_k = 64",
      .note = "Divided by 8 they become 14 and 12, and the weights 0.88 and 0.12.",
      .shape = { { 1, 64 }, { 2, 64 }, { 2, 2 } },
      .cells = sixty_four,
      .options = { 1, 0, 0, 0 } },
};

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    int s = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "scores",
                                                .symbol = "S",
                                                .name = "Scores",
                                                .formula = "Q Kᵀ",
                                                .shape = "Tq × Tk",
                                                .role = HL_MECH_ROLE_SCORES,
                                                .op = HL_MECH_MATMUL_T },
                        0, 1);
    int a = hl_mech_add_softmax(b, s, p->cols[0]);
    hl_mech_add(b,
                (struct hl_mech_step) { .key = "output",
                                        .symbol = "O",
                                        .name = "Weighted sums",
                                        .formula = "A V",
                                        .shape = "Tq × Dv",
                                        .role = HL_MECH_ROLE_OUTPUT,
                                        .op = HL_MECH_MATMUL },
                a, 2);
}

const struct hl_mech hl_mech_query_key = {
    .key = "query_key",
    .title = "Queries against keys",
    .formula = "softmax(Q Kᵀ / √d_k) V",
    .paper = "Vaswani et al. 2017",
    .idea = "Attention with its queries, keys and values already at hand: made up here, or "
            "sent from a head of a trained model.",
    .n_inputs = 3,
    .n_options = 4,
    .n_presets = 2,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(MASKED_IS_ZERO) |
            HL_LAW_BIT(CAUSAL) | HL_LAW_BIT(KEY_PERMUTATION) | HL_LAW_BIT(OUTPUT_INVARIANT) |
            HL_LAW_BIT(HARD_ONE_HOT),
    .build = build,
};

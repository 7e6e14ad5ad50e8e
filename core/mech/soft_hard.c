/* Soft and hard choice.
 *
 * Idea: soft attention takes a little of every value; hard attention takes one
 * value whole, the best or one drawn by chance. Drawn often enough, the hard
 * choices average to the soft one.
 *
 * Formula: soft c = Σ_j α_j v_j, α = softmax(e / τ); hard c = v_j*, j* = argmax α;
 *   sampled c = v_j with probability α_j.
 * Shapes: e [1,Tk], V [Tk,Dv]; α, choices [1,Tk]; c [1,Dv].
 * Paper: Xu et al. 2015 (show, attend and tell), section 4.
 * Picture: three bars of the same height in sum; the share of draws creeps to the
 * soft weights as draws grow.
 * Classic mistakes: gradients through argmax; calling the largest weight "hard
 * attention" while the sum is still soft. */
#include "mech/mech_priv.h"

static const struct hl_mech_input inputs[] = {
    { "scores", "e", "Scores", "1", "Tk" },
    { "v", "V", "Values, one row per word", "Tk", "Dv" },
};

static const struct hl_option options[] = {
    { "temperature", "Temperature τ", HL_OPTION_REAL, 0.01, 100, 1 },
    { "seed", "Seed of the draws", HL_OPTION_WHOLE, 0, 9999, 7 },
    { "draws", "Draws to average", HL_OPTION_WHOLE, 1, 100000, 1000 },
};

static const double three[] = { 2, 4, 4, 1, 2, 3, 2, 8, 0, 2, 6, 3 };
static const double clear[] = { 1, 3, 0, 0.5, 1, 0, 0, 1, 1, 1, -1, 0 };

static const struct hl_mech_preset presets[] = {
    { .key = "tie",
      .name = "Two equal scores",
      .note = "Soft gives 1.9366, 6.6831, 1.5951; hard must pick one of two equals, the first.",
      .shape = { { 1, 3 }, { 3, 3 } },
      .cells = three,
      .options = { 1, 7, 1000 } },
    { .key = "clear",
      .name = "A clear winner",
      .note = "Lower the temperature and the soft output moves to the hard one.",
      .shape = { { 1, 4 }, { 4, 2 } },
      .cells = clear,
      .options = { 1, 7, 1000 } },
};

static int
weights(struct hl_mech_builder *b, const char *key, const char *symbol, const char *name,
        const char *formula, enum hl_mech_op op, int op_a, int op_b)
{
    return hl_mech_add(b,
                       (struct hl_mech_step) { .key = key,
                                               .symbol = symbol,
                                               .name = name,
                                               .formula = formula,
                                               .shape = "1 × Tk",
                                               .role = HL_MECH_ROLE_WEIGHTS,
                                               .op = op },
                       op_a, op_b);
}

static void
output(struct hl_mech_builder *b, const char *key, const char *name, const char *formula, int w)
{
    hl_mech_add(b,
                (struct hl_mech_step) { .key = key,
                                        .symbol = "c",
                                        .name = name,
                                        .formula = formula,
                                        .shape = "1 × Dv",
                                        .role = HL_MECH_ROLE_OUTPUT,
                                        .op = HL_MECH_MATMUL },
                w, 1);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    (void)p;
    int e = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "tempered",
                                                .symbol = "e_τ",
                                                .name = "Scores divided by the temperature",
                                                .formula = "e_j / τ",
                                                .shape = "1 × Tk",
                                                .role = HL_MECH_ROLE_SCORES,
                                                .op = HL_MECH_SCALE,
                                                .constant = 1 / hl_mech_option(b, "temperature") },
                        0, -1);
    int a = hl_mech_add_softmax(b, e, 1);
    output(b, "output", "Soft context", "α V", a);

    int hard =
        weights(b, "hard", "h", "Hard: the best", "1 at the largest α_j", HL_MECH_ONE_HOT, a, -1);
    output(b, "hard_output", "Hard context", "h V", hard);

    int sums = hl_mech_add(b,
                           (struct hl_mech_step) { .key = "cumulated",
                                                   .symbol = "F",
                                                   .name = "Weights added up",
                                                   .formula = "Σ_{k≤j} α_k",
                                                   .shape = "1 × Tk",
                                                   .role = HL_MECH_ROLE_STEP,
                                                   .op = HL_MECH_CUMULATE },
                           a, -1);
    int u = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "draw",
                                                .symbol = "u",
                                                .name = "One draw",
                                                .formula = "even in [0, 1)",
                                                .shape = "1 × 1",
                                                .role = HL_MECH_ROLE_STEP,
                                                .op = HL_MECH_DRAW },
                        sums, -1);
    int one = weights(b, "sampled", "s", "Hard: drawn", "1 at the first F_j > u", HL_MECH_SAMPLE,
                      sums, u);
    output(b, "sampled_output", "Drawn context", "s V", one);

    int share = weights(b, "frequency", "f", "Share of many draws", "draws on j / draws",
                        HL_MECH_FREQUENCY, sums, -1);
    output(b, "frequency_output", "Average of the drawn contexts", "f V", share);
}

const struct hl_mech hl_mech_soft_hard = {
    .key = "soft_hard",
    .title = "Soft and hard choice",
    .formula = "soft Σ_j α_j v_j | hard v_argmax | drawn v_j with probability α_j",
    .paper = "Xu et al. 2015",
    .idea = "Soft attention takes a little of every value; hard attention takes one whole, the "
            "best or one drawn by chance. Many draws average to the soft one.",
    .n_inputs = 2,
    .n_options = 3,
    .n_presets = 2,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(HARD_ONE_HOT) |
            HL_LAW_BIT(SAMPLES_APPROACH_SOFT) | HL_LAW_BIT(TEMPERATURE_HARD),
    .build = build,
};

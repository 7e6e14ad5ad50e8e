/* From scores to weights.
 *
 * Idea: exponentials make every score positive and stretch differences; dividing
 * by their sum makes the row a distribution. Only differences count.
 *
 * Formula: A_ij = exp(s_ij) / Σ_k exp(s_ik), s = S / (√d_k τ).
 * Shapes: S [Tq,Tk]; A [Tq,Tk].
 * Paper: Bridle 1990; scaling: Vaswani et al. 2017, section 3.2.1.
 * Picture: the larger the gap between two scores, the harder the row; the root of
 * d_k and the temperature soften it.
 * Classic mistakes: exponentials of large scores without taking the largest away
 * first (overflow); a sum over the wrong axis. */
#include "mech/mech_priv.h"

static const struct hl_mech_input inputs[] = {
    { "scores", "S", "Scores, one row per query", "Tq", "Tk" },
};

static const struct hl_option options[] = {
    { "scale", "Divide scores by √d_k", HL_OPTION_SWITCH, 0, 1, 1 },
    { "d_k", "Width of queries and keys, d_k", HL_OPTION_WHOLE, 1, 4096, 64 },
    { "temperature", "Temperature τ", HL_OPTION_REAL, 0.01, 100, 1 },
    { "causal", "Mask later positions", HL_OPTION_SWITCH, 0, 1, 0 },
};

static const double two_scores[] = { 112, 96 };
static const double square[] = { 4, 2, 1, 1, 4, 2, 2, 1, 4 };

static const struct hl_mech_preset presets[] = {
    { .key = "width-64",
      .name = "112 and 96 at d_k = 64",
      .note = "They become 14 and 12, then 0.88 and 0.12; undivided, the second is all but lost.",
      .shape = { { 1, 2 } },
      .cells = two_scores,
      .options = { 1, 64, 1, 0 } },
    { .key = "masked",
      .name = "Three positions, masked",
      .note = "The first row may only look at itself, so its weight is 1 whatever the score.",
      .shape = { { 3, 3 } },
      .cells = square,
      .options = { 0, 64, 1, 1 } },
};

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    (void)p;
    double tau = hl_mech_option(b, "temperature");
    int s = 0;
    if (tau != 1) {
        s = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "tempered",
                                                .symbol = "S_τ",
                                                .name = "Scores divided by the temperature",
                                                .formula = "S_ij / τ",
                                                .shape = "Tq × Tk",
                                                .role = HL_MECH_ROLE_SCORES,
                                                .op = HL_MECH_SCALE,
                                                .constant = 1 / tau },
                        s, -1);
    }
    hl_mech_add_softmax(b, s, (int)hl_mech_option(b, "d_k"));
}

const struct hl_mech hl_mech_softmax = {
    .key = "softmax",
    .title = "From scores to weights",
    .formula = "exp(s_ij) / Σ_k exp(s_ik), s = S / (√d_k τ)",
    .paper = "Bridle 1990; Vaswani et al. 2017",
    .idea = "Exponentials make every score positive and stretch the differences; dividing by "
            "their sum makes each row add up to 1.",
    .n_inputs = 1,
    .n_options = 4,
    .n_presets = 2,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(SHIFT_INVARIANT) |
            HL_LAW_BIT(MASKED_IS_ZERO) | HL_LAW_BIT(TEMPERATURE_HARD),
    .build = build,
};

/* How a head of a Neural Turing Machine finds its place, by hand.
 *
 * Idea: a head is told where to go in two ways at once: by what it looks for (a key) and
 * by where it was (last weights, moved on). A gate mixes the two, a shift moves the mix,
 * and sharpening undoes the blur of the shift. Then it reads, or erases and adds.
 *
 * Formula: w_c = softmax(β cos(k, M_i)); w_g = g w_c + (1 - g) w'; w_s,i = Σ_j w_g,j
 *   s(i - j mod N); w_i = w_s,i^γ / Σ_j w_s,j^γ; r = w M; M_i (1 - w_i e) + w_i a.
 * Shapes: M [N,M], k, e and a [1,M], all weights [1,N], s [1,S]; column S/2 of s is a
 *   shift of 0, the one after it moves one slot on.
 * Paper: Graves et al. 2014, section 3.3.
 * Picture: the same slots from line to line; follow one downwards.
 * Classic mistakes: a gate of 1 that keeps the last weights; a shift that drops what
 *   leaves at an end; no β, so that a cosine of 1 can never win clearly.
 *
 * Typed weights and shifts count in proportion, so that any numbers make distributions. */
#include "mech/mech_priv.h"

enum { MEMORY, KEY, PREVIOUS, SHIFT, ERASE, ADD };

static const struct hl_mech_input inputs[] = {
    { "memory", "M", "Memory, one row per slot", "N", "M" },
    { "k", "k", "Key", "1", "M" },
    { "w", "w_old", "Last weights, in proportion", "1", "N" },
    { "s", "s", "Shifts, in proportion", "1", "S" },
    { "e", "e", "Erase", "1", "M" },
    { "a", "a", "Add", "1", "M" },
};

static const struct hl_option options[] = {
    { "beta", "Key strength β", HL_OPTION_REAL, 0, 50, 5 },
    { "gate", "Gate g", HL_OPTION_REAL, 0, 1, 0.5 },
    { "gamma", "Sharpening γ", HL_OPTION_REAL, 1, 50, 2 },
};

/* clang-format off */
static const double by_content[] = {
    1, 0,   0, 1,   -1, 0,   0.6, 0.8,  /* M */
    0, 1,                               /* k: as the second slot, nearly as the fourth */
    1, 0, 0, 0,                         /* w_t-1 */
    0, 1, 0,                            /* s: stay */
    1, 1,                               /* e */
    0.5, 0.5,                           /* a */
};

static const double by_place[] = {
    1, 0,   0, 1,   -1, 0,   0.6, 0.8,
    0, 1,
    0, 0, 0, 1,                         /* the last slot */
    0, 1, 9,                            /* nearly always one on */
    1, 1,
    3, 4,
};

static const double both[] = {
    1, 0,   0, 1,   -1, 0,   0.6, 0.8,
    -1, 0,                              /* the third slot */
    1, 0, 0, 0,                         /* was on the first */
    0, 0, 1,                            /* one on */
    1, 1,
    0, 2,
};
/* clang-format on */

#define SHAPE                                                                                      \
    {                                                                                              \
        { 4, 2 }, { 1, 2 }, { 1, 4 }, { 1, 3 }, { 1, 2 },                                          \
        {                                                                                          \
            1, 2                                                                                   \
        }                                                                                          \
    }

static const struct hl_mech_preset presets[] = {
    { .key = "by-content",
      .name = "By what it looks for",
      .note = "A cosine of 0.8 still takes 0.2663 at β = 5; at β = 20 the best takes 0.9820.",
      .shape = SHAPE,
      .cells = by_content,
      .options = { 5, 1, 1 } },
    { .key = "by-place",
      .name = "By where it was",
      .note = "One on from the last slot is the first: 0.9 arrives there, and γ = 2 makes it "
              "0.9878.",
      .shape = SHAPE,
      .cells = by_place,
      .options = { 5, 0, 2 } },
    { .key = "both",
      .name = "Half and half",
      .note = "Half of the weight goes to the key's slot, the third, half stays on the first; "
              "then all moves one on.",
      .shape = SHAPE,
      .cells = both,
      .options = { 50, 0.5, 1 } },
};

/* ---- one step each ---- */

static int
make(struct hl_mech_builder *b, struct hl_mech_step s, const char *shape, enum hl_mech_role role,
     int op_a, int op_b, int op_c)
{
    const int operands[6] = { op_a, op_b, op_c, -1, -1, -1 };
    s.shape = shape;
    s.role = role;
    return hl_mech_add_many(b, s, operands);
}

static int
part(struct hl_mech_builder *b, struct hl_mech_step s, const char *shape, int op_a, int op_b)
{
    return make(b, s, shape, HL_MECH_ROLE_STEP, op_a, op_b, -1);
}

static int
weights(struct hl_mech_builder *b, struct hl_mech_step s, int op_a, int op_b)
{
    return make(b, s, "1 × N", HL_MECH_ROLE_WEIGHTS, op_a, op_b, -1);
}

/* k · m_i / (|k| |m_i|) for all slots. */
static int
cosine(struct hl_mech_builder *b)
{
    int dot = part(b,
                   (struct hl_mech_step) { .key = "dot",
                                           .symbol = "k·M",
                                           .name = "Products with the key",
                                           .formula = "k Mᵀ",
                                           .op = HL_MECH_MATMUL_T },
                   "1 × N", KEY, MEMORY);
    int key = part(b,
                   (struct hl_mech_step) { .key = "norm_k",
                                           .symbol = "|k|",
                                           .name = "Length of the key",
                                           .formula = "√Σ k_j²",
                                           .op = HL_MECH_NORM },
                   "1 × 1", KEY, -1);
    int slots = part(b,
                     (struct hl_mech_step) { .key = "norm_m",
                                             .symbol = "|M|",
                                             .name = "Lengths of the slots",
                                             .formula = "√Σ_j M_ij²",
                                             .op = HL_MECH_NORM },
                     "N × 1", MEMORY, -1);
    return make(b,
                (struct hl_mech_step) { .key = "cosine",
                                        .symbol = "K",
                                        .name = "Cosine",
                                        .formula = "k·M_i / (|k| |M_i|)",
                                        .op = HL_MECH_COSINE },
                "1 × N", HL_MECH_ROLE_STEP, dot, key, slots);
}

static int
content(struct hl_mech_builder *b, int cosine_step)
{
    int scaled = make(b,
                      (struct hl_mech_step) { .key = "scores",
                                              .symbol = "βK",
                                              .name = "Times the key strength",
                                              .formula = "β K_i",
                                              .op = HL_MECH_SCALE,
                                              .constant = hl_mech_option(b, "beta") },
                      "1 × N", HL_MECH_ROLE_SCORES, cosine_step, -1, -1);
    int exps = part(b,
                    (struct hl_mech_step) { .key = "exp",
                                            .symbol = "E",
                                            .name = "Exponentials",
                                            .formula = "exp(βK_i − max_j βK_j)",
                                            .op = HL_MECH_EXP },
                    "1 × N", scaled, -1);
    int sum = part(b,
                   (struct hl_mech_step) { .key = "sum",
                                           .symbol = "Z",
                                           .name = "Their sum",
                                           .formula = "Σ_i E_i",
                                           .op = HL_MECH_ROW_SUM },
                   "1 × 1", exps, -1);
    return weights(b,
                   (struct hl_mech_step) { .key = "content",
                                           .symbol = "w_c",
                                           .name = "By content",
                                           .formula = "E_i / Z",
                                           .op = HL_MECH_DIVIDE },
                   exps, sum);
}

/* From the shifted weights to the address. */
static int
sharpen(struct hl_mech_builder *b, int shifted)
{
    int powers = part(b,
                      (struct hl_mech_step) { .key = "powers",
                                              .symbol = "P",
                                              .name = "To the power of γ",
                                              .formula = "w_s ^ γ",
                                              .op = HL_MECH_POWER,
                                              .constant = hl_mech_option(b, "gamma") },
                      "1 × N", shifted, -1);
    int sum = part(b,
                   (struct hl_mech_step) { .key = "power_sum",
                                           .symbol = "Z'",
                                           .name = "Their sum",
                                           .formula = "Σ_i P_i",
                                           .op = HL_MECH_ROW_SUM },
                   "1 × 1", powers, -1);
    return weights(b,
                   (struct hl_mech_step) { .key = "weights",
                                           .symbol = "w",
                                           .name = "Address",
                                           .formula = "P_i / Z'",
                                           .op = HL_MECH_DIVIDE },
                   powers, sum);
}

static void
read_and_write(struct hl_mech_builder *b, int w)
{
    make(b,
         (struct hl_mech_step) { .key = "read",
                                 .symbol = "r",
                                 .name = "What is read",
                                 .formula = "w M",
                                 .op = HL_MECH_MATMUL },
         "1 × M", HL_MECH_ROLE_OUTPUT, w, MEMORY, -1);
    int erased = make(b,
                      (struct hl_mech_step) { .key = "erased",
                                              .symbol = "M_e",
                                              .name = "Memory, erased",
                                              .formula = "M_ij (1 − w_i e_j)",
                                              .op = HL_MECH_ERASE },
                      "N × M", HL_MECH_ROLE_STEP, MEMORY, w, ERASE);
    make(b,
         (struct hl_mech_step) { .key = "written",
                                 .symbol = "M'",
                                 .name = "Memory, written",
                                 .formula = "M_e + w_i a_j",
                                 .op = HL_MECH_PUT },
         "N × M", HL_MECH_ROLE_OUTPUT, erased, w, ADD);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    (void)p;
    int by_key = content(b, cosine(b));
    int before = weights(b,
                         (struct hl_mech_step) { .key = "previous",
                                                 .symbol = "w'",
                                                 .name = "Last weights",
                                                 .formula = "w_old / Σ w_old",
                                                 .op = HL_MECH_SHARE },
                         PREVIOUS, -1);
    int gated = weights(b,
                        (struct hl_mech_step) { .key = "gated",
                                                .symbol = "w_g",
                                                .name = "Gated",
                                                .formula = "g w_c + (1 − g) w'",
                                                .op = HL_MECH_MIX,
                                                .constant = hl_mech_option(b, "gate") },
                        by_key, before);
    int moves = make(b,
                     (struct hl_mech_step) { .key = "shift",
                                             .symbol = "s'",
                                             .name = "Shift distribution",
                                             .formula = "s / Σ s",
                                             .op = HL_MECH_SHARE },
                     "1 × S", HL_MECH_ROLE_WEIGHTS, SHIFT, -1, -1);
    int shifted = weights(b,
                          (struct hl_mech_step) { .key = "shifted",
                                                  .symbol = "w_s",
                                                  .name = "Shifted, round the ends",
                                                  .formula = "Σ_j w_{g,j} s'(i − j mod N)",
                                                  .op = HL_MECH_ROTATE },
                          gated, moves);
    read_and_write(b, sharpen(b, shifted));
}

const struct hl_mech hl_mech_ntm_addressing = {
    .key = "ntm_addressing",
    .title = "A head of a Turing machine",
    .formula = "w_c = softmax(β cos(k, M)) → g w_c + (1 − g) w' → shift by s' → w^γ / Σ w^γ",
    .paper = "Graves et al. 2014",
    .idea = "A head finds its place by what it looks for and by where it was. A gate mixes the "
            "two, a shift moves the mix round the memory, sharpening undoes the blur.",
    .n_inputs = 6,
    .n_options = 3,
    .n_presets = 3,
    .downwards = true,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(COSINE_SCALE_FREE) |
            HL_LAW_BIT(GATE_EXTREMES) | HL_LAW_BIT(SHIFTS_COMPOSE) |
            HL_LAW_BIT(SHARPENING_EXTREMES) | HL_LAW_BIT(WRITE_STORES),
    .build = build,
};

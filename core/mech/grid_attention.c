/* Self-attention over the cells of a small feature map, by hand.
 *
 * Idea: a convolution sees its neighbours; here each cell asks all cells of the map at
 * once, however far, and adds a share γ of what they carry to what it is itself. At
 * γ = 0, where training begins, the layer does nothing.
 *
 * Formula: f = X W_f, g = X W_g, h = X W_h; A = softmax(g fᵀ), row j is where cell j
 *   looks; Y = γ A h W_v + X.
 * Shapes: X [P,C], the map's cells row by row; W_f and W_g [C,Dk], W_h [C,Dv], W_v [Dv,C];
 *   A [P,P]; Y [P,C].
 * Paper: Zhang et al. 2018 (SAGAN), section 3.
 * Picture: cells that are alike look at each other across the whole map.
 * Classic mistakes: a softmax over the cells that look, so that columns sum to 1; dividing
 *   by √d_k, which this attention does not; a kernel larger than 1 × 1 in W_f or W_g. */
#include "mech/mech_priv.h"

enum { X, W_F, W_G, W_H, W_V };

static const struct hl_mech_input inputs[] = {
    { "x", "X", "Map, one row per cell", "P", "C" },
    { "wf", "W_f", "What a cell offers", "C", "Dk" },
    { "wg", "W_g", "What a cell looks for", "C", "Dk" },
    { "wh", "W_h", "What a cell carries", "C", "Dv" },
    { "wv", "W_v", "Back to channels", "Dv", "C" },
};

static const struct hl_option options[] = {
    { "gamma", "Share γ", HL_OPTION_REAL, -2, 2, 0.5 },
};

/* clang-format off */
static const double two_columns[] = {
    2, 0,   0, 2,                          /* X, 2 x 2: left light, right dark */
    2, 0,   0, 2,
    1, 0,   0, 1,                          /* W_f */
    1, 0,   0, 1,                          /* W_g */
    1, 0,   0, 1,                          /* W_h */
    1, 0,   0, 1,                          /* W_v */
};

static const double corners[] = {
    2, 0,   0, 0,   0, 0,                  /* X, 3 x 3: two corners are alike */
    0, 0,   0, 1,   0, 0,
    0, 0,   0, 0,   2, 0,
    1,   0,                                /* W_f: the first channel */
    1,   0,                                /* W_g */
    1,   0,                                /* W_h */
    0, 1,                                  /* W_v: into the second channel */
};
/* clang-format on */

static const struct hl_mech_preset presets[] = {
    { .key = "two-columns",
      .name = "2 × 2 cells, two columns",
      .note = "Each cell scores 4 with its like and 0 else: it looks at itself and at the cell "
              "above or below with 0.4910 each.",
      .shape = { { 4, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 } },
      .cells = two_columns,
      .options = { 0.5 } },
    { .key = "corners",
      .name = "3 × 3 cells, two corners",
      .note = "The like corners look at each other with 0.4699, as far apart as the map allows; "
              "the other cells, with nothing to look for, look everywhere with 1/9.",
      .shape = { { 9, 2 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 1, 2 } },
      .cells = corners,
      .options = { 1 } },
    { .key = "untrained",
      .name = "γ = 0",
      .note = "As training begins: the output is the map itself.",
      .shape = { { 4, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 } },
      .cells = two_columns,
      .options = { 0 } },
};

static int
product(struct hl_mech_builder *b, const struct hl_mech_step *s, int op_a, int op_b)
{
    struct hl_mech_step step = *s;
    step.role = HL_MECH_ROLE_STEP;
    step.op = HL_MECH_MATMUL;
    return hl_mech_add(b, step, op_a, op_b);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    static const struct hl_mech_step offered = { .key = "f",
                                                 .symbol = "f",
                                                 .name = "Offered",
                                                 .formula = "X W_f",
                                                 .shape = "P × Dk" },
                                     sought = { .key = "g",
                                                .symbol = "g",
                                                .name = "Looked for",
                                                .formula = "X W_g",
                                                .shape = "P × Dk" },
                                     carried = { .key = "h",
                                                 .symbol = "h",
                                                 .name = "Carried",
                                                 .formula = "X W_h",
                                                 .shape = "P × Dv" },
                                     taken = { .key = "taken",
                                               .symbol = "c",
                                               .name = "Weighted sums",
                                               .formula = "A h",
                                               .shape = "P × Dv" },
                                     attended = { .key = "attended",
                                                  .symbol = "o",
                                                  .name = "In channels",
                                                  .formula = "c W_v",
                                                  .shape = "P × C" };
    (void)p;
    int f = product(b, &offered, X, W_F), g = product(b, &sought, X, W_G);
    int h = product(b, &carried, X, W_H);
    int s = hl_mech_add(b,
                        (struct hl_mech_step) { .key = "scores",
                                                .symbol = "S",
                                                .name = "Scores, row j looks",
                                                .formula = "g fᵀ",
                                                .shape = "P × P",
                                                .role = HL_MECH_ROLE_SCORES,
                                                .op = HL_MECH_MATMUL_T },
                        g, f);
    int a = hl_mech_add_softmax(b, s, 1);
    int o = product(b, &attended, product(b, &taken, a, h), W_V);
    int share = hl_mech_add(b,
                            (struct hl_mech_step) { .key = "share",
                                                    .symbol = "γo",
                                                    .name = "The share that is added",
                                                    .formula = "γ o",
                                                    .shape = "P × C",
                                                    .role = HL_MECH_ROLE_STEP,
                                                    .op = HL_MECH_SCALE,
                                                    .constant = hl_mech_option(b, "gamma") },
                            o, -1);
    hl_mech_add(b,
                (struct hl_mech_step) { .key = "output",
                                        .symbol = "Y",
                                        .name = "Output",
                                        .formula = "γ o + X",
                                        .shape = "P × C",
                                        .role = HL_MECH_ROLE_OUTPUT,
                                        .op = HL_MECH_ADD },
                share, X);
}

const struct hl_mech hl_mech_grid_attention = {
    .key = "grid_attention",
    .title = "Attention over a map",
    .formula = "γ softmax(X W_g (X W_f)ᵀ) X W_h W_v + X",
    .paper = "Zhang et al. 2018",
    .idea = "Every cell of a picture's map may look at every other, however far, where a "
            "convolution sees neighbours alone. A share γ of what it finds is added to it.",
    .n_inputs = 5,
    .n_options = 1,
    .n_presets = 3,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(GAMMA_IDENTITY) |
            HL_LAW_BIT(CELL_PERMUTATION),
    .build = build,
};

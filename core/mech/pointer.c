/* A pointer network's step: the weights themselves are the answer.
 *
 * Idea: where the output must be one of the inputs (a corner of a polygon, the next city
 * of a tour), there is nothing to look up in a vocabulary: the decoder scores its inputs
 * additively, and the softmax over them is the output.
 *
 * Formula: u_j = v·tanh(e_j W_1 + d W_2); p = softmax(u); the answer is the likeliest j.
 * Shapes: E [Tk,D] inputs, d [1,D] decoder's state, W_1 and W_2 [D,A], v [1,A]; p [1,Tk].
 * Paper: Vinyals, Fortunato and Jaitly 2015.
 * Picture: one row over the inputs; with "hard" the one that is pointed at.
 * Classic mistakes: summing the inputs by p as attention does, and calling the blend an
 * answer; a softmax over a vocabulary of fixed size. */
#include "mech/mech_priv.h"

enum { E, D, W1, W2, V, N_INPUTS };

static const struct hl_mech_input inputs[N_INPUTS] = {
    { "e", "E", "Inputs, encoded", "Tk", "D" },  { "d", "d", "Decoder's state", "1", "D" },
    { "w1", "W_1", "For the inputs", "D", "A" }, { "w2", "W_2", "For the state", "D", "A" },
    { "va", "v", "The vector", "1", "A" },
};

static const struct hl_option options[] = {
    { "hard", "Hard: the one pointed at", HL_OPTION_SWITCH, 0, 1, 0 },
};

/* clang-format off */
static const double corners[] = {
    0, 0,   1, 0,   1, 1,   0, 1,   /* E: the corners of a square */
    1, 1,                           /* d */
    2, 0,   0, 2,                   /* W_1 */
    0.5, 0,   0, 0.5,               /* W_2 */
    3, 3,                           /* v */
};
/* clang-format on */

static const struct hl_mech_preset presets[] = {
    { .key = "square",
      .name = "Four corners",
      .note = "The third corner lies furthest along the state and is pointed at.",
      .shape = { { 4, 2 }, { 1, 2 }, { 2, 2 }, { 2, 2 }, { 1, 2 } },
      .cells = corners },
};

static int
add(struct hl_mech_builder *b, const char *key, const char *symbol, const char *name,
    const char *formula, const char *shape, enum hl_mech_role role, enum hl_mech_op op, int op_a,
    int op_b)
{
    return hl_mech_add(b,
                       (struct hl_mech_step) { .key = key,
                                               .symbol = symbol,
                                               .name = name,
                                               .formula = formula,
                                               .shape = shape,
                                               .role = role,
                                               .op = op },
                       op_a, op_b);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    int e = add(b, "ea", "E_a", "Inputs, projected", "E W_1", "Tk × A", HL_MECH_ROLE_STEP,
                HL_MECH_MATMUL, E, W1);
    int d = add(b, "da", "d_a", "State, projected", "d W_2", "1 × A", HL_MECH_ROLE_STEP,
                HL_MECH_MATMUL, D, W2);
    int t = add(b, "tanh", "T", "Hidden layer", "tanh(e_a + d_a)", "Tk × A", HL_MECH_ROLE_STEP,
                HL_MECH_TANH_ADD, e, d);
    int u = add(b, "scores", "u", "Scores", "v Tᵀ", "1 × Tk", HL_MECH_ROLE_SCORES, HL_MECH_MATMUL_T,
                V, t);
    hl_mech_add_softmax(b, u, p->cols[E]);
}

const struct hl_mech hl_mech_pointer = {
    .key = "pointer",
    .title = "Pointing at an input",
    .formula = "softmax(v·tanh(e_j W_1 + d W_2))",
    .paper = "Vinyals et al. 2015",
    .idea = "Where the answer is one of the inputs, the weights are the answer: nothing is summed. "
            "So the output grows with the input, as in tours and hulls.",
    .n_inputs = N_INPUTS,
    .n_options = 1,
    .n_presets = 1,
    .inputs = inputs,
    .options = options,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(ADDITIVE_ZERO) |
            HL_LAW_BIT(HARD_ONE_HOT),
    .build = build,
};

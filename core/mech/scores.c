/* Six score functions on the same vectors.
 *
 * Idea: attention needs a number for "how well does this key fit this query". The
 * literature tried six; all then go through the same softmax.
 *
 * Formula: additive v·tanh(q W_1 + k W_2); dot q·k; general q W kᵀ; scaled q·k/√D;
 *   cosine β q·k/(|q||k|); location (q W_locᵀ)_j, which never sees the key.
 * Shapes: q [1,D], K [Tk,D], W [D,D], W_1 and W_2 [D,A], v [1,A], W_loc [Tk,D],
 *   β [1,1]; S and A [6,Tk]; contexts [6,D].
 * Paper: Bahdanau et al. 2015; Luong et al. 2015; Graves et al. 2014; Vaswani et
 *   al. 2017.
 * Picture: dot prefers long keys, cosine does not care for length; location's row
 * stays as it is when a key is edited.
 * Classic mistakes: one tanh over the whole sum instead of each component; scaling
 * by 1/D; forgetting that general is not symmetric. */
#include "mech/mech_priv.h"

#include <math.h>

static const struct hl_mech_input inputs[] = {
    { "q", "q", "Query", "1", "D" },
    { "k", "K", "Keys, one row per word", "Tk", "D" },
    { "w", "W", "General's matrix", "D", "D" },
    { "w1", "W_1", "Additive, for the query", "D", "A" },
    { "w2", "W_2", "Additive, for the keys", "D", "A" },
    { "va", "v", "Additive, the vector", "1", "A" },
    { "wloc", "W_loc", "Location, one row per place", "Tk", "D" },
    { "beta", "β", "Cosine's strength", "1", "1" },
};

/* clang-format off */
static const double small[] = {
    1, 2,                       /* q */
    0.5, 1, 0, 3,   1, -1,      /* K: the second is long, the third points away */
    1, 0.5,   0, 1,             /* W */
    1, 0,   0, 1,               /* W_1 */
    0.5, 0,   0, 0.5,           /* W_2 */
    1, 1,                       /* v */
    0.5, 0,   0.25, 0.25,   0, 0.5, /* W_loc */
    2,                          /* β */
};

static const double length[] = {
    1, 1,
    1, 1,   2, 2,   4, 4,       /* one direction, three lengths */
    1, 0,   0, 1,
    1, 0,   0, 1,
    1, 0,   0, 1,
    1, 1,
    1, 0,   0, 1,   0.5, 0.5,
    1,
};
/* clang-format on */

static const struct hl_mech_preset presets[] = {
    { .key = "three-keys",
      .name = "A query and three keys",
      .note = "Dot and scaled favour the long second key, cosine the first.",
      .shape = { { 1, 2 }, { 3, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 }, { 1, 2 }, { 3, 2 }, { 1, 1 } },
      .cells = small },
    { .key = "lengths",
      .name = "One direction, three lengths",
      .note = "Cosine gives equal weights, dot nearly all to the longest.",
      .shape = { { 1, 2 }, { 3, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 }, { 1, 2 }, { 3, 2 }, { 1, 1 } },
      .cells = length },
};

static const char *const rows[] = { "additive", "dot", "general", "scaled", "cosine", "location" };

enum { Q, K, W, W1, W2, VA, WLOC, BETA };

static int
score(struct hl_mech_builder *b, const char *key, const char *name, const char *formula,
      enum hl_mech_op op, double constant, int op_a, int op_b)
{
    return hl_mech_add(b,
                       (struct hl_mech_step) { .key = key,
                                               .symbol = "e",
                                               .name = name,
                                               .formula = formula,
                                               .shape = "1 × Tk",
                                               .role = HL_MECH_ROLE_SCORES,
                                               .op = op,
                                               .constant = constant },
                       op_a, op_b);
}

static int
part(struct hl_mech_builder *b, const char *key, const char *symbol, const char *name,
     const char *formula, const char *shape, enum hl_mech_op op, int op_a, int op_b)
{
    return hl_mech_add(b,
                       (struct hl_mech_step) { .key = key,
                                               .symbol = symbol,
                                               .name = name,
                                               .formula = formula,
                                               .shape = shape,
                                               .role = HL_MECH_ROLE_STEP,
                                               .op = op },
                       op_a, op_b);
}

static int
additive(struct hl_mech_builder *b)
{
    int q1 = part(b, "qa", "q_a", "Query, projected", "q W_1", "1 × A", HL_MECH_MATMUL, Q, W1);
    int k2 = part(b, "ka", "K_a", "Keys, projected", "K W_2", "Tk × A", HL_MECH_MATMUL, K, W2);
    int t =
        part(b, "tanh", "T", "Hidden layer", "tanh(q_a + k_a)", "Tk × A", HL_MECH_TANH_ADD, k2, q1);
    return score(b, "additive", "Additive", "v Tᵀ", HL_MECH_MATMUL_T, 0, VA, t);
}

static int
cosine(struct hl_mech_builder *b, int dot)
{
    int nq =
        part(b, "norm_q", "|q|", "Length of the query", "√Σ q_i²", "1 × 1", HL_MECH_NORM, Q, -1);
    int nk =
        part(b, "norm_k", "|k|", "Lengths of the keys", "√Σ k_i²", "Tk × 1", HL_MECH_NORM, K, -1);
    const int operands[6] = { dot, nq, nk, BETA, -1, -1 };
    return hl_mech_add_many(b,
                            (struct hl_mech_step) { .key = "cosine",
                                                    .symbol = "e",
                                                    .name = "Cosine",
                                                    .formula = "β q·k_j / (|q| |k_j|)",
                                                    .shape = "1 × Tk",
                                                    .role = HL_MECH_ROLE_SCORES,
                                                    .op = HL_MECH_COSINE },
                            operands);
}

static void
build(struct hl_mech_builder *b, const struct hl_mech_problem *p)
{
    double root = sqrt((double)p->cols[Q]);
    int add = additive(b);
    int dot = score(b, "dot", "Dot", "q Kᵀ", HL_MECH_MATMUL_T, 0, Q, K);
    int qw = part(b, "qw", "q_W", "Query through W", "q W", "1 × D", HL_MECH_MATMUL, Q, W);
    int general = score(b, "general", "General", "q W Kᵀ", HL_MECH_MATMUL_T, 0, qw, K);
    int scaled = score(b, "scaled", "Scaled dot", "q Kᵀ / √D", HL_MECH_SCALE, 1 / root, dot, -1);
    int cosn = cosine(b, dot);
    int loc = score(b, "location", "Location", "q W_locᵀ", HL_MECH_MATMUL_T, 0, Q, WLOC);

    const int operands[6] = { add, dot, general, scaled, cosn, loc };
    int s = hl_mech_add_many(b,
                             (struct hl_mech_step) { .key = "scores",
                                                     .symbol = "S",
                                                     .name = "All six scores",
                                                     .formula = "one row per function",
                                                     .shape = "6 × Tk",
                                                     .role = HL_MECH_ROLE_SCORES,
                                                     .op = HL_MECH_STACK,
                                                     .row_labels = rows },
                             operands);
    int first = b->result->n_steps;
    int a = hl_mech_add_softmax(b, s, p->cols[Q]);
    hl_mech_add(b,
                (struct hl_mech_step) { .key = "output",
                                        .symbol = "C",
                                        .name = "Contexts",
                                        .formula = "A K",
                                        .shape = "6 × D",
                                        .role = HL_MECH_ROLE_OUTPUT,
                                        .op = HL_MECH_MATMUL },
                a, K);
    for (int i = first; i < b->result->n_steps; i++) {
        struct hl_mech_step *step = &b->result->steps[i];
        step->row_labels = rows;
        step->shape = step->cols == 1 ? "6 × 1" : step->shape;
        step->shape = step->role == HL_MECH_ROLE_WEIGHTS || i == first ? "6 × Tk" : step->shape;
    }
}

const struct hl_mech hl_mech_scores = {
    .key = "scores",
    .title = "Six score functions side by side",
    .formula = "v·tanh(q W_1 + k W_2) | q·k | q W k | q·k/√D | β cos(q,k) | W_loc q",
    .paper = "Bahdanau et al. 2015; Luong et al. 2015; Graves et al. 2014; Vaswani et al. 2017",
    .idea = "Attention needs a number for how well a key fits a query. Six ways to get it, on "
            "the same vectors, then the same softmax.",
    .n_inputs = 8,
    .n_options = 0,
    .n_presets = 2,
    .inputs = inputs,
    .options = NULL,
    .presets = presets,
    .laws = HL_LAW_BIT(EXPLAINED) | HL_LAW_BIT(ROWS_SUM_TO_ONE) | HL_LAW_BIT(GENERAL_IDENTITY) |
            HL_LAW_BIT(SCALED_IS_DOT) | HL_LAW_BIT(COSINE_SCALE_FREE) | HL_LAW_BIT(ADDITIVE_ZERO) |
            HL_LAW_BIT(LOCATION_KEYS_FREE),
    .build = build,
};

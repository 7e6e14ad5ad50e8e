/* GPT-2: a decoder alone, which says the next token of any text.
 *
 * Idea: every token looks back; the last one's state says what comes next, and what was
 *   written is read again.
 *
 * Formula: x = word + position; for each layer x += attention(LN(x)), x += W2 gelu(W1
 *   LN(x)); logits = E LN(x).
 * Shapes: x [T,D]; weights [L,H,T,T], row t empty beyond t; E [V,D].
 * Paper: Radford et al. 2019.
 * Picture: "decoder.self"; many heads rest on the first token when they have nothing to
 *   say, some look for what followed the same word before (Olsson et al. 2022).
 * Classic mistakes: matrices taken as [out,in], which are [in,out] here (the square one
 *   fits either way); attn.bias, a mask, taken for a bias; the exact gelu for tanh's. */
#include <math.h>
#include <stddef.h>

#include "io/weights.h"
#include "model/causal.h"
#include "model/read.h"

struct config {
    int ffn;
    float eps;
    enum hl_act act;
    bool scaled, by_layer;
};

/* The matrices of a layer with their sides turned to [out,in]. */
struct turned {
    const float *qkv, *qkv_bias, *o, *fc1, *fc2;
};

static enum hl_status
read_config(const struct hl_json *j, struct hl_causal *c, struct config *k, struct hl_error *err)
{
    bool cross = false;
    const struct hl_config_row rows[] = {
        { "vocab_size", 1, HL_MAX_VOCAB, &c->vocab },
        { "hidden_size", 1, HL_MAX_WIDTH, &c->d },
        { "n_embd", 1, HL_MAX_WIDTH, &c->d },
        { "num_hidden_layers", 1, HL_MAX_LAYERS, &c->n_layers },
        { "n_layer", 1, HL_MAX_LAYERS, &c->n_layers },
        { "num_attention_heads", 1, HL_MAX_WIDTH, &c->n_heads },
        { "n_head", 1, HL_MAX_WIDTH, &c->n_heads },
        { "max_position_embeddings", 1, HL_MAX_POSITIONS, &c->n_positions },
        { "n_positions", 1, HL_MAX_POSITIONS, &c->n_positions },
        { "n_inner", 1, 8 * HL_MAX_WIDTH, &k->ffn },
    };
    *c = (struct hl_causal) {
        .vocab = 50257, .d = 768, .n_layers = 12, .n_heads = 12, .n_positions = 1024
    };
    *k = (struct config) { .eps = 1e-5f, .act = HL_ACT_GELU_TANH, .scaled = true };
    enum hl_status st = hl_config_ints(j, rows, sizeof rows / sizeof rows[0], err);
    if (st == HL_OK)
        st = hl_config_eps(j, "layer_norm_epsilon", &k->eps, err);
    if (st == HL_OK)
        st = hl_config_act(j, "activation_function", &k->act, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "scale_attn_weights", &k->scaled, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "scale_attn_by_inverse_layer_idx", &k->by_layer, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "add_cross_attention", &cross, err);
    if (st == HL_OK && cross)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "add_cross_attention: a GPT-2 with an encoder cannot be opened");
    if (st == HL_OK && c->d % c->n_heads != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "n_embd %d does not divide into %d heads", c->d, c->n_heads);
    if (k->ffn == 0)
        k->ffn = 4 * c->d;
    c->n_kv_heads = c->n_heads;
    c->d_head = c->d / c->n_heads;
    c->same_scale = !k->by_layer;
    return st;
}

enum dim { D, QKV, V, F, P, N_DIMS };
enum group { NET, LAYER, TURNED, N_GROUPS };

/* clang-format off */
#define TABLE(names, field, rows) \
    { names, NET, HL_WEIGHT_MATRIX, offsetof(struct hl_causal, field), rows, D, false }
#define VECTOR(group, type, names, field, n) \
    { names, group, HL_WEIGHT_VECTOR, offsetof(type, field), n, 0, false }
#define TURN(name, field, in, out)                                      \
    { .names = AT name ".weight", .group = TURNED, .kind = HL_WEIGHT_TENSOR,  \
      .offset = offsetof(struct turned, field), .rows = in, .cols = out, .order = { 1, 0 } }
#define BIAS(name, field, n) VECTOR(LAYER, struct hl_block, AT name ".bias", field, n)
#define NORM(group, type, name, field)                                  \
    VECTOR(group, type, name ".weight", field.gain, D),                 \
    VECTOR(group, type, name ".bias", field.bias, D)
#define AT "transformer.h.*."
/* clang-format on */

static const struct hl_weight_spec specs[] = {
    TABLE("transformer.wte.weight|lm_head.weight", words, V),
    TABLE("transformer.wpe.weight", positions, P),
    NORM(NET, struct hl_causal, "transformer.ln_f", last),
    NORM(LAYER, struct hl_block, AT "ln_1", self.norm),
    NORM(LAYER, struct hl_block, AT "ln_2", ffn.norm),
    TURN("attn.c_attn", qkv, D, QKV),
    VECTOR(TURNED, struct turned, AT "attn.c_attn.bias", qkv_bias, QKV),
    TURN("attn.c_proj", o, D, D),
    BIAS("attn.c_proj", self.o.b, D),
    TURN("mlp.c_fc", fc1, D, F),
    BIAS("mlp.c_fc", ffn.fc1.b, F),
    TURN("mlp.c_proj", fc2, F, D),
    BIAS("mlp.c_proj", ffn.fc2.b, D),
    { "lm_head.weight", NET, HL_WEIGHT_MATRIX, offsetof(struct hl_causal, head), V, D, true },
};

static enum hl_status
load_weights(struct hl_model *m, struct hl_causal *c, int ffn, struct turned *turned,
             struct hl_error *err)
{
    static const char *const ignored[] = { "*.attn.bias", "*.attn.masked_bias", "score.*",
                                           "multiple_choice_head.*" };
    const int dims[N_DIMS] = {
        [D] = c->d, [QKV] = 3 * c->d, [V] = c->vocab, [F] = ffn, [P] = c->n_positions
    };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { .base = c, .stride = sizeof *c, .n = 1 },
        [LAYER] = { .base = c->blocks, .stride = sizeof *c->blocks, .n = c->n_layers },
        [TURNED] = { .base = turned, .stride = sizeof *turned, .n = c->n_layers },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = sizeof specs / sizeof specs[0],
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
        .prefix = "transformer.",
        .ignored = ignored,
        .n_ignored = sizeof ignored / sizeof ignored[0],
    };
    return hl_weights_load(m->weights, &plan, &m->arena, err);
}

static struct hl_weight
floats(const float *p, int rows, int cols)
{
    return (struct hl_weight) { p, HL_DTYPE_F32, rows, cols };
}

/* Layer l's block: queries, keys and values are rows of one matrix. */
static void
set_up_block(const struct hl_causal *c, const struct config *k, const struct turned *t, int l)
{
    struct hl_block *b = &c->blocks[l];
    size_t d = (size_t)c->d;
    struct hl_linear *parts[] = { &b->self.q, &b->self.k, &b->self.v };

    b->d = c->d;
    b->n_heads = c->n_heads;
    b->act = k->act;
    b->pre_norm = true;
    b->scale = k->scaled ? (float)(1 / sqrt((double)c->d_head)) : 1.0f;
    if (k->by_layer)
        b->scale /= (float)(l + 1);
    for (size_t i = 0; i < 3; i++) {
        parts[i]->w = floats(t->qkv + i * d * d, c->d, c->d);
        parts[i]->b = t->qkv_bias + i * d;
    }
    b->self.o.w = floats(t->o, c->d, c->d);
    b->ffn.fc1.w = floats(t->fc1, k->ffn, c->d);
    b->ffn.fc2.w = floats(t->fc2, c->d, k->ffn);
    b->self.norm.d = b->ffn.norm.d = c->d;
    b->self.norm.eps = b->ffn.norm.eps = k->eps;
}

static enum hl_status
gpt2_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
          struct hl_error *err)
{
    struct hl_causal *c = hl_arena_new(&m->arena, 1, struct hl_causal);
    struct config k;
    bool tied = true;

    if (!c)
        return hl_read_no_memory(m, err);
    enum hl_status st = read_config(config, c, &k, err);
    if (st == HL_OK)
        st = hl_config_bool(config, "tie_word_embeddings", &tied, err);
    if (st == HL_OK)
        st = hl_causal_ends(c, config, generation, err);
    if (st != HL_OK)
        return st;
    c->blocks = hl_arena_new(&m->arena, c->n_layers, struct hl_block);
    struct turned *turned = hl_arena_new(&m->arena, c->n_layers, struct turned);
    if (!c->blocks || !turned)
        return hl_read_no_memory(m, err);
    st = load_weights(m, c, k.ffn, turned, err);
    if (st != HL_OK)
        return st;
    for (int l = 0; l < c->n_layers; l++)
        set_up_block(c, &k, &turned[l], l);
    c->last.d = c->d;
    c->last.eps = k.eps;
    if (tied || !c->head.p)
        c->head = c->words;
    return hl_causal_finish(m, c, err);
}

const struct hl_network hl_network_gpt2 = {
    .key = "gpt2",
    .kind = "GPT-2",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_CAUSAL_OPTIONS,
    .options = hl_causal_options,
    .open = gpt2_open,
    .run = hl_causal_run,
    .embedding = hl_causal_embedding,
};

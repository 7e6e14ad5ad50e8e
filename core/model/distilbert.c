/* DistilBERT: BERT with half the layers, taught by the whole one.
 *
 * Idea, formula and shapes: as BERT (bert.c), without token types.
 * Paper: Sanh et al. 2019.
 * Picture: "encoder.self".
 * Classic mistakes: sizes looked for under BERT's names (here dim, n_layers, n_heads,
 *   hidden_dim); an epsilon looked for in the configuration, where there is none. */
#include <stddef.h>

#include "io/weights.h"
#include "model/encoder.h"
#include "model/read.h"

static const float EPS = 1e-12f;

static enum hl_status
read_config(const struct hl_json *j, struct hl_encoder *e, int *ffn, struct hl_error *err)
{
    const struct hl_config_row rows[] = {
        { "vocab_size", 1, HL_MAX_VOCAB, &e->vocab },
        { "hidden_size", 1, HL_MAX_WIDTH, &e->d },
        { "dim", 1, HL_MAX_WIDTH, &e->d },
        { "num_hidden_layers", 1, HL_MAX_LAYERS, &e->n_layers },
        { "n_layers", 1, HL_MAX_LAYERS, &e->n_layers },
        { "num_attention_heads", 1, HL_MAX_WIDTH, &e->n_heads },
        { "n_heads", 1, HL_MAX_WIDTH, &e->n_heads },
        { "hidden_dim", 1, 8 * HL_MAX_WIDTH, ffn },
        { "max_position_embeddings", 2, HL_MAX_POSITIONS, &e->n_positions },
    };
    *ffn = 3072;
    e->vocab = 30522;
    e->d = 768;
    e->n_layers = 6;
    e->n_heads = 12;
    e->n_positions = 512;
    e->act = HL_ACT_GELU;
    e->pad = -1;
    e->mask_piece = "[MASK]";
    enum hl_status st = hl_config_ints(j, rows, sizeof rows / sizeof rows[0], err);
    if (st == HL_OK)
        st = hl_config_act(j, "activation", &e->act, err);
    if (st == HL_OK && e->d % e->n_heads != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json", "dim %d does not divide into %d heads",
                            e->d, e->n_heads);
    if (st == HL_OK && hl_json_n(hl_json_get(j, "pruned_heads")) > 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "pruned_heads: a model with heads taken out cannot be opened");
    return st;
}

enum dim { D, V, F, P, N_DIMS };
enum group { NET, LAYER, N_GROUPS };

/* clang-format off */
#define MATRIX(group, type, names, field, rows, cols, optional) \
    { names, group, HL_WEIGHT_MATRIX, offsetof(type, field), rows, cols, optional }
#define VECTOR(group, type, names, field, n, optional) \
    { names, group, HL_WEIGHT_VECTOR, offsetof(type, field), n, 0, optional }
#define LINEAR(name, field, out, in)                                                 \
    MATRIX(LAYER, struct hl_block, AT name ".weight", field.w, out, in, false),      \
    VECTOR(LAYER, struct hl_block, AT name ".bias", field.b, out, false)
#define NORM(group, type, name, field, optional)                                     \
    VECTOR(group, type, name ".weight|" name ".gamma", field.gain, D, optional),     \
    VECTOR(group, type, name ".bias|" name ".beta", field.bias, D, optional)
#define NET_MATRIX(names, field, rows, optional) \
    MATRIX(NET, struct hl_encoder, names, field, rows, D, optional)
#define NET_VECTOR(names, field, n) \
    VECTOR(NET, struct hl_encoder, names, field, n, true)
#define AT "transformer.layer.*."
/* clang-format on */

static const struct hl_weight_spec specs[] = {
    NET_MATRIX("embeddings.word_embeddings.weight|vocab_projector.weight", words, V, false),
    NET_MATRIX("embeddings.position_embeddings.weight", positions, P, false),
    NORM(NET, struct hl_encoder, "embeddings.LayerNorm", norm, false),
    LINEAR("attention.q_lin", self.q, D, D),
    LINEAR("attention.k_lin", self.k, D, D),
    LINEAR("attention.v_lin", self.v, D, D),
    LINEAR("attention.out_lin", self.o, D, D),
    NORM(LAYER, struct hl_block, AT "sa_layer_norm", self.norm, false),
    LINEAR("ffn.lin1", ffn.fc1, F, D),
    LINEAR("ffn.lin2", ffn.fc2, D, F),
    NORM(LAYER, struct hl_block, AT "output_layer_norm", ffn.norm, false),
    NET_MATRIX("vocab_transform.weight", head.dense.w, D, true),
    NET_VECTOR("vocab_transform.bias", head.dense.b, D),
    NORM(NET, struct hl_encoder, "vocab_layer_norm", head.norm, true),
    NET_MATRIX("vocab_projector.weight", head.words, V, true),
    NET_VECTOR("vocab_projector.bias", head.bias, V),
};

static enum hl_status
load_weights(struct hl_model *m, int ffn, struct hl_encoder *e, struct hl_error *err)
{
    static const char *const ignored[] = { "*position_ids", "pre_classifier.*", "classifier.*",
                                           "qa_outputs.*" };
    const int dims[N_DIMS] = { [D] = e->d, [V] = e->vocab, [F] = ffn, [P] = e->n_positions };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { .base = e, .stride = sizeof *e, .n = 1 },
        [LAYER] = { .base = e->blocks, .stride = sizeof *e->blocks, .n = e->n_layers },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = sizeof specs / sizeof specs[0],
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
        .prefix = "distilbert.",
        .ignored = ignored,
        .n_ignored = sizeof ignored / sizeof ignored[0],
    };
    return hl_weights_load(m->weights, &plan, &m->arena, err);
}

static enum hl_status
distilbert_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
                struct hl_error *err)
{
    struct hl_encoder *e = hl_arena_new(&m->arena, 1, struct hl_encoder);
    int ffn;
    bool tied = true;

    (void)generation;
    if (!e)
        return hl_read_no_memory(m, err);
    enum hl_status st = read_config(config, e, &ffn, err);
    if (st == HL_OK)
        st = hl_config_bool(config, "tie_word_embeddings", &tied, err);
    if (st != HL_OK)
        return st;
    e->blocks = hl_arena_new(&m->arena, e->n_layers, struct hl_block);
    if (!e->blocks)
        return hl_read_no_memory(m, err);
    st = load_weights(m, ffn, e, err);
    if (tied)
        e->head.words = e->words;
    return st == HL_OK ? hl_encoder_finish(m, e, EPS, err) : st;
}

const struct hl_network hl_network_distilbert = {
    .key = "distilbert",
    .kind = "DistilBERT",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_ENCODER_OPTIONS,
    .options = hl_encoder_options,
    .open = distilbert_open,
    .run = hl_encoder_run,
    .embedding = hl_encoder_embedding,
};

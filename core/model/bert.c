/* BERT: an encoder alone, trained to guess words that were hidden.
 *
 * Idea: every token looks at every other, to both sides; what stands at a hidden word's
 *   place after the last layer says which word it was.
 *
 * Formula: x = LN(word + type + position); then for each layer x = LN(x + attention(x)),
 *   x = LN(x + W2 gelu(W1 x)); guesses: E LN(gelu(W x)) + bias.
 * Shapes: x [T,D]; weights [L,H,T,T]; E [V,D].
 * Paper: Devlin et al. 2019.
 * Picture: "encoder.self"; early heads look one place to the side, later ones at [SEP]
 *   where they have nothing to say (Clark et al. 2019).
 * Classic mistakes: tanh's gelu for the exact one; no type 0 added for single texts; the
 *   epsilon of 1e-12 read as 1e-5; gamma and beta, the names of old files, not found. */
#include "model/bert.h"

#include <stddef.h>
#include <string.h>

#include "io/weights.h"
#include "model/read.h"

/* ---- the configuration ---- */

static enum hl_status
refuse(struct hl_error *err, const char *key, const char *why)
{
    return hl_error_set(err, HL_E_CONFIG, "config.json", "%s: %s", key, why);
}

/* What changes the formula and is not built. */
static enum hl_status
refuse_variants(const struct hl_json *j, struct hl_error *err)
{
    const char *kind = "absolute";
    bool decoder = false;
    enum hl_status st =
        hl_json_opt_string(j, "position_embedding_type", HL_E_CONFIG, "config.json", &kind, err);
    if (st == HL_OK && strcmp(kind, "absolute") != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "position_embedding_type \"%.40s\" is not supported, only \"absolute\"",
                            kind);
    if (st == HL_OK)
        st = hl_config_bool(j, "is_decoder", &decoder, err);
    if (st == HL_OK && decoder)
        return refuse(err, "is_decoder", "only encoders of this kind can be opened");
    if (st == HL_OK && hl_json_n(hl_json_get(j, "pruned_heads")) > 0)
        return refuse(err, "pruned_heads", "a model with heads taken out cannot be opened");
    return st;
}

struct sizes {
    int ffn, types;
    float eps;
};

static enum hl_status
read_config(const struct hl_json *j, const struct hl_bert_kind *kind, struct hl_encoder *e,
            struct sizes *s, struct hl_error *err)
{
    int pad = kind->pad;
    const struct hl_config_row rows[] = {
        { "vocab_size", 1, HL_MAX_VOCAB, &e->vocab },
        { "hidden_size", 1, HL_MAX_WIDTH, &e->d },
        { "num_hidden_layers", 1, HL_MAX_LAYERS, &e->n_layers },
        { "num_attention_heads", 1, HL_MAX_WIDTH, &e->n_heads },
        { "intermediate_size", 1, 8 * HL_MAX_WIDTH, &s->ffn },
        { "max_position_embeddings", 2, HL_MAX_POSITIONS, &e->n_positions },
        { "type_vocab_size", 1, 1024, &s->types },
        { "pad_token_id", 0, HL_MAX_VOCAB, &pad },
    };
    *s = (struct sizes) { 3072, 2, 1e-12f };
    e->vocab = 30522;
    e->d = 768;
    e->n_layers = e->n_heads = 12;
    e->n_positions = 512;
    e->act = HL_ACT_GELU;
    e->pad = -1;
    enum hl_status st = hl_config_ints(j, rows, sizeof rows / sizeof rows[0], err);
    if (st == HL_OK)
        st = hl_config_eps(j, "layer_norm_eps", &s->eps, err);
    if (st == HL_OK)
        st = hl_config_act(j, "hidden_act", &e->act, err);
    if (st == HL_OK)
        st = refuse_variants(j, err);
    if (st == HL_OK && e->d % e->n_heads != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "hidden_size %d does not divide into %d heads", e->d, e->n_heads);
    if (st == HL_OK && kind->roberta) {
        if (pad + 2 >= e->n_positions)
            return refuse(err, "pad_token_id", "no position is left beside it");
        e->pad = pad;
        e->first_position = pad + 1;
    }
    return st;
}

/* ---- the weights ---- */

enum dim { D, V, F, P, TYPES, N_DIMS };
enum group { NET, LAYER, N_GROUPS };

/* clang-format off */
#define MATRIX(group, type, names, field, rows, cols, optional) \
    { names, group, HL_WEIGHT_MATRIX, offsetof(type, field), rows, cols, optional }
#define VECTOR(group, type, names, field, n, optional) \
    { names, group, HL_WEIGHT_VECTOR, offsetof(type, field), n, 0, optional }
#define LINEAR(name, field, out, in)                                              \
    MATRIX(LAYER, struct hl_block, name ".weight", field.w, out, in, false),      \
    VECTOR(LAYER, struct hl_block, name ".bias", field.b, out, false)
#define NORM(group, type, name, field, optional)                                  \
    VECTOR(group, type, name ".weight|" name ".gamma", field.gain, D, optional),  \
    VECTOR(group, type, name ".bias|" name ".beta", field.bias, D, optional)
#define NET_MATRIX(names, field, rows, optional) \
    MATRIX(NET, struct hl_encoder, names, field, rows, D, optional)
#define NET_VECTOR(names, field, n) \
    VECTOR(NET, struct hl_encoder, names, field, n, true)
#define AT "encoder.layer.*."
#define BODY                                                                        \
    NET_MATRIX("embeddings.position_embeddings.weight", positions, P, false),       \
    NET_MATRIX("embeddings.token_type_embeddings.weight", types, TYPES, false),     \
    NORM(NET, struct hl_encoder, "embeddings.LayerNorm", norm, false),              \
    LINEAR(AT "attention.self.query", self.q, D, D),                                \
    LINEAR(AT "attention.self.key", self.k, D, D),                                  \
    LINEAR(AT "attention.self.value", self.v, D, D),                                \
    LINEAR(AT "attention.output.dense", self.o, D, D),                              \
    NORM(LAYER, struct hl_block, AT "attention.output.LayerNorm", self.norm, false),\
    LINEAR(AT "intermediate.dense", ffn.fc1, F, D),                                 \
    LINEAR(AT "output.dense", ffn.fc2, D, F),                                       \
    NORM(LAYER, struct hl_block, AT "output.LayerNorm", ffn.norm, false)
#define HEAD(inner, inner_norm, outer, outer_bias)                                  \
    NET_MATRIX(inner ".weight", head.dense.w, D, true),                             \
    NET_VECTOR(inner ".bias", head.dense.b, D),                                     \
    NORM(NET, struct hl_encoder, inner_norm, head.norm, true),                      \
    NET_MATRIX(outer, head.words, V, true),                                         \
    NET_VECTOR(outer_bias, head.bias, V)
#define WORDS "embeddings.word_embeddings.weight"
/* clang-format on */

static const struct hl_weight_spec bert_specs[] = {
    NET_MATRIX(WORDS "|cls.predictions.decoder.weight", words, V, false), BODY,
    HEAD("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
         "cls.predictions.decoder.weight", "cls.predictions.bias|cls.predictions.decoder.bias")
};

static const struct hl_weight_spec roberta_specs[] = {
    NET_MATRIX(WORDS "|lm_head.decoder.weight", words, V, false), BODY,
    HEAD("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder.weight",
         "lm_head.bias|lm_head.decoder.bias")
};

static enum hl_status
load_weights(struct hl_model *m, const struct hl_bert_kind *kind, const struct sizes *s,
             struct hl_encoder *e, struct hl_error *err)
{
    /* buffers, and heads of other tasks than guessing words */
    static const char *const ignored[] = { "*position_ids",   "*token_type_ids",
                                           "*pooler.dense.*", "cls.seq_relationship.*",
                                           "classifier.*",    "qa_outputs.*" };
    const int dims[N_DIMS] = {
        [D] = e->d, [V] = e->vocab, [F] = s->ffn, [P] = e->n_positions, [TYPES] = s->types
    };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { .base = e, .stride = sizeof *e, .n = 1 },
        [LAYER] = { .base = e->blocks, .stride = sizeof *e->blocks, .n = e->n_layers },
    };
    const struct hl_weight_plan plan = {
        .specs = kind->roberta ? roberta_specs : bert_specs,
        .n_specs = (int)(kind->roberta ? sizeof roberta_specs / sizeof roberta_specs[0]
                                       : sizeof bert_specs / sizeof bert_specs[0]),
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
        .prefix = kind->prefix,
        .ignored = ignored,
        .n_ignored = sizeof ignored / sizeof ignored[0],
    };
    return hl_weights_load(m->weights, &plan, &m->arena, err);
}

enum hl_status
hl_bert_open(struct hl_model *m, const struct hl_json *config, const struct hl_bert_kind *kind,
             const char *mask_piece, struct hl_error *err)
{
    struct hl_encoder *e = hl_arena_new(&m->arena, 1, struct hl_encoder);
    struct sizes s;
    bool tied = true;

    if (!e)
        return hl_read_no_memory(m, err);
    e->mask_piece = mask_piece;
    enum hl_status st = read_config(config, kind, e, &s, err);
    if (st == HL_OK)
        st = hl_config_bool(config, "tie_word_embeddings", &tied, err);
    if (st != HL_OK)
        return st;
    e->blocks = hl_arena_new(&m->arena, e->n_layers, struct hl_block);
    if (!e->blocks)
        return hl_read_no_memory(m, err);
    st = load_weights(m, kind, &s, e, err);
    if (tied)
        e->head.words = e->words;
    return st == HL_OK ? hl_encoder_finish(m, e, s.eps, err) : st;
}

static enum hl_status
bert_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
          struct hl_error *err)
{
    static const struct hl_bert_kind kind = { .prefix = "bert." };
    (void)generation;
    return hl_bert_open(m, config, &kind, "[MASK]", err);
}

const struct hl_network hl_network_bert = {
    .key = "bert",
    .kind = "BERT",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_ENCODER_OPTIONS,
    .options = hl_encoder_options,
    .open = bert_open,
    .run = hl_encoder_run,
    .embedding = hl_encoder_embedding,
};

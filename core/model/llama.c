/* Llama: a decoder alone with rotary positions, shared keys and a gate.
 *
 * Idea: as GPT-2; where a token stands is told to queries and keys alone, by turning
 *   them, so that a score knows the distance; several heads share keys and values.
 *
 * Formula: x = word; for each layer x += attention(RMS(x)), x += W2 (silu(W1 RMS(x))
 *   W3 RMS(x)); logits = E' RMS(x).
 * Shapes: x [T,D]; queries [T,H Dh], keys and values [T,Hkv Dh]; weights [L,H,T,T].
 * Paper: Touvron et al. 2023; Su et al. 2021 (turning); Ainslie et al. 2023 (sharing).
 * Picture: "decoder.self" of every head of queries; the first token gathers what is left.
 * Classic mistakes: neighbours turned instead of halves; head h given keys h mod Hkv; the
 *   head of the output taken for the words where they are not tied. */
#include "model/llama.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "io/weights.h"
#include "model/read.h"

/* A text of more tokens makes no picture, and needs more memory than there is. */
enum { MOST_POSITIONS = 4096 };

struct config {
    int ffn;
    float eps;
    enum hl_act act;
    bool qkv_bias, o_bias, ffn_bias, tied;
};

/* ---- rotary positions ---- */

struct scaling {
    double theta, factor, low, high, original;
};

static enum hl_status
need_positive(struct hl_error *err, const char *key, double v)
{
    if (v > 0 && v <= 1e12)
        return HL_OK;
    return hl_error_set(err, HL_E_CONFIG, "config.json", "%s should be above 0", key);
}

static enum hl_status
read_scaling(const struct hl_json *j, struct scaling *s, struct hl_error *err)
{
    const struct {
        const char *key;
        double *out;
    } rows[] = { { "rope_theta", &s->theta },
                 { "factor", &s->factor },
                 { "low_freq_factor", &s->low },
                 { "high_freq_factor", &s->high },
                 { "original_max_position_embeddings", &s->original } };
    enum hl_status st = HL_OK;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && st == HL_OK; i++) {
        st = hl_json_opt_double(j, rows[i].key, HL_E_CONFIG, "config.json", rows[i].out, err);
        if (st == HL_OK)
            st = need_positive(err, rows[i].key, *rows[i].out);
    }
    return st;
}

/* Llama 3: slow turns are slowed down, fast ones are not, in between it is blended. */
static double
llama3(const struct scaling *s, double frequency)
{
    const double two_pi = 6.283185307179586;
    double turns = s->original * frequency / two_pi;
    if (turns < s->low)
        return frequency / s->factor;
    if (turns > s->high)
        return frequency;
    double blend = (turns - s->low) / (s->high - s->low);
    return frequency * ((1 - blend) / s->factor + blend);
}

enum hl_status
hl_llama_frequencies(const struct hl_json *config, int d_head, double *out, struct hl_error *err)
{
    struct scaling s = { 10000, 1, 1, 4, 8192 };
    const struct hl_json *more = hl_json_get(config, "rope_parameters");
    const char *type = "default";
    if (hl_json_kind(more) == HL_JSON_NULL)
        more = hl_json_get(config, "rope_scaling");

    enum hl_status st = read_scaling(config, &s, err);
    if (st == HL_OK)
        st = hl_json_opt_string(more, "type", HL_E_CONFIG, "config.json", &type, err);
    if (st == HL_OK)
        st = hl_json_opt_string(more, "rope_type", HL_E_CONFIG, "config.json", &type, err);
    if (st == HL_OK)
        st = read_scaling(more, &s, err);
    if (st != HL_OK)
        return st;
    bool linear = strcmp(type, "linear") == 0, third = strcmp(type, "llama3") == 0;
    /* "dynamic" differs beyond the length of training only, which is not read */
    if (!linear && !third && strcmp(type, "default") != 0 && strcmp(type, "dynamic") != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "rotary positions of the kind \"%.40s\" are not supported", type);
    if (third && s.high <= s.low)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "high_freq_factor should be above low_freq_factor");
    hl_rope_frequencies(s.theta, d_head, out);
    for (int k = 0; k < d_head / 2; k++)
        out[k] = linear ? out[k] / s.factor : third ? llama3(&s, out[k]) : out[k];
    return HL_OK;
}

static enum hl_status
set_up_rope(struct hl_model *m, struct hl_causal *c, const struct hl_json *config,
            struct hl_error *err)
{
    size_t half = (size_t)c->d_head / 2, n = (size_t)c->n_positions * half;
    double *frequencies = hl_arena_new(&m->arena, half, double);
    float *cosines = hl_arena_floats(&m->arena, n), *sines = hl_arena_floats(&m->arena, n);
    if (!frequencies || !cosines || !sines)
        return hl_read_no_memory(m, err);
    enum hl_status st = hl_llama_frequencies(config, c->d_head, frequencies, err);
    if (st != HL_OK)
        return st;
    hl_rope_table(frequencies, c->n_positions, c->d_head, cosines, sines);
    c->rope = (struct hl_rope) { c->d_head, c->n_positions, cosines, sines };
    return HL_OK;
}

/* ---- the configuration ---- */

/* A window changes nothing in texts that fit into it: longer ones are cut. */
static enum hl_status
read_window(const struct hl_json *j, struct hl_causal *c, struct hl_error *err)
{
    bool use = false;
    int window = 4096, first = 28;
    enum hl_status st = hl_config_bool(j, "use_sliding_window", &use, err);
    if (st == HL_OK && use)
        st = hl_config_int(j, "sliding_window", 1, INT32_MAX, &window, err);
    if (st == HL_OK && use)
        st = hl_config_int(j, "max_window_layers", 0, INT32_MAX, &first, err);
    if (st == HL_OK && use && first < c->n_layers && window < c->n_positions)
        c->n_positions = window;
    return st;
}

static enum hl_status
check_sizes(const struct hl_causal *c, struct hl_error *err)
{
    if (c->n_heads % c->n_kv_heads != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json", "%d heads cannot share the keys of %d",
                            c->n_heads, c->n_kv_heads);
    if (c->d_head % 2 != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "heads of %d columns cannot be turned by halves", c->d_head);
    return HL_OK;
}

static enum hl_status
read_sizes(const struct hl_json *j, const struct hl_llama_kind *kind, struct hl_causal *c, int *ffn,
           struct hl_error *err)
{
    const struct hl_config_row rows[] = {
        { "vocab_size", 1, HL_MAX_VOCAB, &c->vocab },
        { "hidden_size", 1, HL_MAX_WIDTH, &c->d },
        { "intermediate_size", 1, 8 * HL_MAX_WIDTH, ffn },
        { "num_hidden_layers", 1, HL_MAX_LAYERS, &c->n_layers },
        { "num_attention_heads", 1, HL_MAX_WIDTH, &c->n_heads },
        { "num_key_value_heads", 1, HL_MAX_WIDTH, &c->n_kv_heads },
        { "head_dim", 1, HL_MAX_WIDTH, &c->d_head },
        { "max_position_embeddings", 1, INT32_MAX, &c->n_positions },
    };
    *c = (struct hl_causal) { .vocab = kind->vocab,
                              .d = kind->d,
                              .n_layers = 32,
                              .n_heads = 32,
                              .n_positions = kind->positions,
                              .same_scale = true };
    *ffn = kind->ffn;
    enum hl_status st = hl_config_ints(j, rows, sizeof rows / sizeof rows[0], err);
    if (st != HL_OK)
        return st;
    if (c->n_kv_heads == 0)
        c->n_kv_heads = c->n_heads;
    if (c->d_head == 0 && c->d % c->n_heads != 0)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "hidden_size %d does not divide into %d heads", c->d, c->n_heads);
    if (c->d_head == 0)
        c->d_head = c->d / c->n_heads;
    if ((int64_t)c->d_head * c->n_heads > 8 * HL_MAX_WIDTH)
        return hl_error_set(err, HL_E_CONFIG, "config.json", "%d heads of %d columns are too wide",
                            c->n_heads, c->d_head);
    if (kind->window)
        st = read_window(j, c, err);
    if (c->n_positions > MOST_POSITIONS)
        c->n_positions = MOST_POSITIONS;
    return st == HL_OK ? check_sizes(c, err) : st;
}

static enum hl_status
read_config(const struct hl_json *j, const struct hl_llama_kind *kind, struct hl_causal *c,
            struct config *k, struct hl_error *err)
{
    double part = 1;
    *k = (struct config) { .eps = 1e-6f, .act = HL_ACT_SILU, .qkv_bias = kind->qkv_bias };
    enum hl_status st = read_sizes(j, kind, c, &k->ffn, err);
    if (st == HL_OK)
        st = hl_config_eps(j, "rms_norm_eps", &k->eps, err);
    if (st == HL_OK)
        st = hl_config_act(j, "hidden_act", &k->act, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "tie_word_embeddings", &k->tied, err);
    if (st == HL_OK && !kind->qkv_bias) {
        st = hl_config_bool(j, "attention_bias", &k->qkv_bias, err);
        k->o_bias = k->qkv_bias;
        if (st == HL_OK)
            st = hl_config_bool(j, "mlp_bias", &k->ffn_bias, err);
    }
    if (st == HL_OK)
        st = hl_json_opt_double(j, "partial_rotary_factor", HL_E_CONFIG, "config.json", &part, err);
    if (st == HL_OK && part != 1)
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "partial_rotary_factor: heads that turn in part are not supported");
    return st;
}

/* ---- the weights ---- */

enum dim { D, Q, K, V, F, N_DIMS };
enum group { NET, LAYER, N_GROUPS };
enum { MOST_SPECS = 32 };

/* clang-format off */
#define AT "model.layers.*."
#define NET_MATRIX(names, field, rows) \
    { names, NET, HL_WEIGHT_MATRIX, offsetof(struct hl_causal, field), rows, D, false }
#define MATRIX(name, field, rows, cols) \
    { AT name ".weight", LAYER, HL_WEIGHT_MATRIX, offsetof(struct hl_block, field.w), rows, cols, \
      false }
#define BIAS(name, field, n) \
    { AT name ".bias", LAYER, HL_WEIGHT_VECTOR, offsetof(struct hl_block, field.b), n, 0, false }
#define NORM(name, field) \
    { AT name ".weight", LAYER, HL_WEIGHT_VECTOR, offsetof(struct hl_block, field.gain), D, 0, \
      false }
/* clang-format on */

static const struct hl_weight_spec body[] = {
    { "model.norm.weight", NET, HL_WEIGHT_VECTOR, offsetof(struct hl_causal, last.gain), D, 0,
      false },
    NORM("input_layernorm", self.norm),
    NORM("post_attention_layernorm", ffn.norm),
    MATRIX("self_attn.q_proj", self.q, Q, D),
    MATRIX("self_attn.k_proj", self.k, K, D),
    MATRIX("self_attn.v_proj", self.v, K, D),
    MATRIX("self_attn.o_proj", self.o, D, Q),
    MATRIX("mlp.gate_proj", ffn.fc1, F, D),
    MATRIX("mlp.up_proj", ffn.gate, F, D),
    MATRIX("mlp.down_proj", ffn.fc2, D, F),
};
static const struct hl_weight_spec tied[] = {
    NET_MATRIX("model.embed_tokens.weight|lm_head.weight", words, V),
};
static const struct hl_weight_spec untied[] = {
    NET_MATRIX("model.embed_tokens.weight", words, V),
    NET_MATRIX("lm_head.weight", head, V),
};
static const struct hl_weight_spec qkv_bias[] = {
    BIAS("self_attn.q_proj", self.q, Q),
    BIAS("self_attn.k_proj", self.k, K),
    BIAS("self_attn.v_proj", self.v, K),
};
static const struct hl_weight_spec o_bias[] = {
    BIAS("self_attn.o_proj", self.o, D),
};
static const struct hl_weight_spec ffn_bias[] = {
    BIAS("mlp.gate_proj", ffn.fc1, F),
    BIAS("mlp.up_proj", ffn.gate, F),
    BIAS("mlp.down_proj", ffn.fc2, D),
};

/* The tables that the configuration asks for, one after another. */
static int
choose_specs(const struct config *k, struct hl_weight_spec out[MOST_SPECS])
{
#define TABLE(wanted, list)                                                                        \
    {                                                                                              \
        wanted, list, sizeof list / sizeof list[0]                                                 \
    }
    const struct {
        bool wanted;
        const struct hl_weight_spec *list;
        size_t n;
    } tables[] = { TABLE(true, body),        TABLE(k->tied, tied),
                   TABLE(!k->tied, untied),  TABLE(k->qkv_bias, qkv_bias),
                   TABLE(k->o_bias, o_bias), TABLE(k->ffn_bias, ffn_bias) };
#undef TABLE
    int n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (size_t s = 0; tables[i].wanted && s < tables[i].n; s++)
            out[n++] = tables[i].list[s];
    }
    return n;
}

static enum hl_status
load_weights(struct hl_model *m, struct hl_causal *c, const struct config *k, struct hl_error *err)
{
    static const char *const ignored[] = { "*rotary_emb.inv_freq", "score.*" };
    struct hl_weight_spec specs[MOST_SPECS];
    const int dims[N_DIMS] = { [D] = c->d,
                               [Q] = c->n_heads * c->d_head,
                               [K] = c->n_kv_heads * c->d_head,
                               [V] = c->vocab,
                               [F] = k->ffn };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { .base = c, .stride = sizeof *c, .n = 1 },
        [LAYER] = { .base = c->blocks, .stride = sizeof *c->blocks, .n = c->n_layers },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = choose_specs(k, specs),
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
        .prefix = "model.",
        .ignored = ignored,
        .n_ignored = sizeof ignored / sizeof ignored[0],
    };
    enum hl_status st = hl_weights_load(m->weights, &plan, &m->arena, err);
    if (k->tied)
        c->head = c->words;
    return st;
}

static void
set_up_block(struct hl_block *b, const struct hl_causal *c, const struct config *k)
{
    b->d = c->d;
    b->n_heads = c->n_heads;
    b->n_kv_heads = c->n_kv_heads;
    b->d_head = c->d_head;
    b->rope = &c->rope;
    b->act = k->act;
    b->pre_norm = true;
    b->self.norm.d = b->ffn.norm.d = c->d;
    b->self.norm.eps = b->ffn.norm.eps = k->eps;
    b->self.norm.rms = b->ffn.norm.rms = true;
}

enum hl_status
hl_llama_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
              const struct hl_llama_kind *kind, struct hl_error *err)
{
    struct hl_causal *c = hl_arena_new(&m->arena, 1, struct hl_causal);
    struct config k;

    if (!c)
        return hl_read_no_memory(m, err);
    enum hl_status st = read_config(config, kind, c, &k, err);
    if (st == HL_OK)
        st = hl_causal_ends(c, config, generation, err);
    if (st != HL_OK)
        return st;
    c->blocks = hl_arena_new(&m->arena, c->n_layers, struct hl_block);
    if (!c->blocks)
        return hl_read_no_memory(m, err);
    st = load_weights(m, c, &k, err);
    if (st == HL_OK)
        st = set_up_rope(m, c, config, err);
    if (st != HL_OK)
        return st;
    for (int l = 0; l < c->n_layers; l++)
        set_up_block(&c->blocks[l], c, &k);
    c->last.d = c->d;
    c->last.eps = k.eps;
    c->last.rms = true;
    return hl_causal_finish(m, c, err);
}

static enum hl_status
llama_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
           struct hl_error *err)
{
    static const struct hl_llama_kind kind = {
        .vocab = 32000, .positions = 2048, .d = 4096, .ffn = 11008
    };
    return hl_llama_open(m, config, generation, &kind, err);
}

const struct hl_network hl_network_llama = {
    .key = "llama",
    .kind = "Llama",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_CAUSAL_OPTIONS,
    .options = hl_causal_options,
    .open = llama_open,
    .run = hl_causal_run,
    .embedding = hl_causal_embedding,
};

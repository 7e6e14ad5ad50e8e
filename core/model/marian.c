/* Marian: the encoder-decoder Transformer of the opus-mt checkpoints and of
 * Headlight's own translator.
 *
 * Idea: the encoder lets every source token look at every other; the decoder writes
 * one token after another, looking back at what it wrote (self) and across at the
 * source (cross).
 *
 * Formula: x = LN(x + f(x)) for each of: self-attention, cross-attention (decoder),
 *   fc2(act(fc1(x))); first x = E[id] √D + pos; logits = E x + bias.
 * Shapes: x [T,D]; queries, keys, values [T,D], head h in columns h Dh .. (h+1) Dh - 1.
 * Paper: Vaswani et al. 2017; Junczys-Dowmunt et al. 2018 (Marian).
 * Picture: encoder.self, decoder.self (lower triangle) and decoder.cross, each
 *   [L,H,Q,K].
 * Classic mistakes: positions interleaved (here: all sines, then all cosines); no √D
 * on the embedding; starting from </s> instead of the padding token; letting the
 * padding token be generated; taking "gelu" for a missing "swish". */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "attn/posenc.h"
#include "attn/score.h"
#include "base/size.h"
#include "io/weights.h"
#include "model/translate.h"
#include "nn/block.h"
#include "nn/embed.h"

enum { MAX_LAYERS = 64, MAX_WIDTH = 16384, MAX_VOCAB = 2000000, MAX_POSITIONS = 65536 };

struct config {
    int vocab, vocab_target, d, enc_layers, dec_layers, enc_heads, dec_heads;
    int enc_ffn, dec_ffn, positions, pad, eos, start;
    bool scale, shared;
    enum hl_act act;
};

struct net {
    struct config c;
    float embed_scale;
    struct hl_weight source, target, head; /* [V,D] */
    const float *bias;                     /* [V] or NULL */
    struct hl_weight enc_table, dec_table; /* positions in the file, or empty */
    float *enc_pos, *dec_pos;              /* [positions, D], may be the same */
    struct hl_block *enc, *dec;
};

/* One run's buffers. Decoder buffers have room for cap rows. */
struct buffers {
    int s, cap, lanes;
    float *enc_state;             /* [Le+1, S, D] */
    float *enc_q, *enc_k, *enc_v; /* [Le, S, D], if kept */
    float *enc_w, *enc_s;         /* [Le, H, S, S] in the record's arena */
    float *embedding;             /* [S, D], if kept */
    float *cross;                 /* [Ld, 2, S, D]: keys, values */
    float *cache, *spare;         /* [lanes, Ld, 2, cap, D] */
    float *x;                     /* [max_rows, D] */
    float *dec_state;             /* [Ld+1, cap, D], if kept */
    float *self_q, *cross_q;      /* [Ld, cap, D], if kept */
    float *self_w, *self_s;       /* [Ld, H, cap, cap] */
    float *cross_w, *cross_s;     /* [Ld, H, cap, S] */
    float *scratch;
    struct hl_block_row *rows;
    int32_t *ids;
};

/* "positions": where the encodings are added. A place among the names is a set of the
 * sides that do without. */
enum { NO_ENCODER = 1, NO_DECODER = 2 };
static const char *const position_names[] = { "on", "decoder", "encoder", "off", NULL };
static const char *const position_titles[] = { "everywhere", "in the decoder", "in the encoder",
                                               "nowhere", NULL };

static const struct hl_option options[] = {
    HL_TRANSLATE_OPTIONS,
    { .key = "positions",
      .label = "positions",
      .kind = HL_OPTION_CHOICE,
      .names = position_names,
      .titles = position_titles,
      .tip = "Where positional encodings are added; without them word order stops mattering." },
};

/* ---- opening ---- */

static enum hl_status
read_activation(const struct hl_json *config, struct config *c, struct hl_error *err)
{
    const char *name = "gelu";
    enum hl_status st =
        hl_json_opt_string(config, "activation_function", HL_E_CONFIG, "config.json", &name, err);
    if (st == HL_OK && !hl_act_by_name(name, &c->act)) {
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "activation_function \"%s\" is not known", name);
    }
    return st;
}

/* Sizes; a missing key means the default of the class, not of a famous checkpoint. */
static enum hl_status
read_sizes(const struct hl_json *j, struct config *c, struct hl_error *err)
{
    const struct {
        const char *key;
        int min, max, *out;
    } keys[] = {
        { "vocab_size", 1, MAX_VOCAB, &c->vocab },
        { "hidden_size", 1, MAX_WIDTH, &c->d },
        { "d_model", 1, MAX_WIDTH, &c->d },
        { "encoder_layers", 1, MAX_LAYERS, &c->enc_layers },
        { "decoder_layers", 1, MAX_LAYERS, &c->dec_layers },
        { "num_attention_heads", 1, MAX_WIDTH, &c->enc_heads },
        { "encoder_attention_heads", 1, MAX_WIDTH, &c->enc_heads },
        { "decoder_attention_heads", 1, MAX_WIDTH, &c->dec_heads },
        { "encoder_ffn_dim", 1, 8 * MAX_WIDTH, &c->enc_ffn },
        { "decoder_ffn_dim", 1, 8 * MAX_WIDTH, &c->dec_ffn },
        { "max_position_embeddings", 2, MAX_POSITIONS, &c->positions },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        enum hl_status st =
            hl_config_int(j, keys[i].key, keys[i].min, keys[i].max, keys[i].out, err);
        if (st != HL_OK)
            return st;
    }
    c->vocab_target = c->vocab;
    enum hl_status st = hl_config_int(j, "decoder_vocab_size", 1, MAX_VOCAB, &c->vocab_target, err);
    if (st == HL_OK && (c->d % c->enc_heads != 0 || c->d % c->dec_heads != 0)) {
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "d_model %d does not divide into %d and %d heads", c->d, c->enc_heads,
                            c->dec_heads);
    }
    return st;
}

static enum hl_status
read_ids(const struct hl_json *j, const struct hl_json *generation, struct config *c,
         struct hl_error *err)
{
    int top = c->vocab_target - 1;
    c->pad = top < c->pad ? top : c->pad;
    enum hl_status st = hl_config_int(j, "pad_token_id", 0, top, &c->pad, err);
    if (st == HL_OK)
        st = hl_config_int(j, "eos_token_id", 0, top, &c->eos, err);
    c->start = c->pad;
    if (st == HL_OK && generation)
        st = hl_config_int(generation, "decoder_start_token_id", 0, top, &c->start, err);
    if (st == HL_OK)
        st = hl_config_int(j, "decoder_start_token_id", 0, top, &c->start, err);
    return st;
}

static enum hl_status
read_config(const struct hl_json *j, const struct hl_json *generation, struct config *c,
            struct hl_error *err)
{
    *c = (struct config) { .vocab = 50265,
                           .d = 1024,
                           .enc_layers = 12,
                           .dec_layers = 12,
                           .enc_heads = 16,
                           .dec_heads = 16,
                           .enc_ffn = 4096,
                           .dec_ffn = 4096,
                           .positions = 1024,
                           .pad = 58100,
                           .eos = 0,
                           .shared = true };
    enum hl_status st = read_sizes(j, c, err);
    if (st == HL_OK)
        st = read_activation(j, c, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "scale_embedding", &c->scale, err);
    if (st == HL_OK)
        st = hl_config_bool(j, "share_encoder_decoder_embeddings", &c->shared, err);
    if (st == HL_OK)
        st = read_ids(j, generation, c, err);
    if (st == HL_OK && c->shared && c->vocab != c->vocab_target) {
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "shared embeddings with vocabularies of %d and %d", c->vocab,
                            c->vocab_target);
    }
    return st;
}

enum dim { D, V_SOURCE, V_TARGET, F_ENC, F_DEC, POSITIONS, N_DIMS };
enum group { NET, ENC, DEC, N_GROUPS };

/* clang-format off */
#define MATRIX(group, name, field, rows, cols) \
    { name, group, HL_WEIGHT_MATRIX, offsetof(struct hl_block, field), rows, cols, false }
#define VECTOR(group, name, field, n) \
    { name, group, HL_WEIGHT_VECTOR, offsetof(struct hl_block, field), n, 0, false }
#define LINEAR(group, name, field, out, in)                    \
    MATRIX(group, name ".weight", field.w, out, in),           \
    VECTOR(group, name ".bias", field.b, out)
#define NORM(group, name, field)                               \
    VECTOR(group, name ".weight", field.gain, D),              \
    VECTOR(group, name ".bias", field.bias, D)
#define ATTENTION(group, layers, name, field)                  \
    LINEAR(group, layers name ".q_proj", field.q, D, D),       \
    LINEAR(group, layers name ".k_proj", field.k, D, D),       \
    LINEAR(group, layers name ".v_proj", field.v, D, D),       \
    LINEAR(group, layers name ".out_proj", field.o, D, D),     \
    NORM(group, layers name "_layer_norm", field.norm)
#define FFN(group, layers, f)                                  \
    LINEAR(group, layers "fc1", ffn.fc1, f, D),                \
    LINEAR(group, layers "fc2", ffn.fc2, D, f),                \
    NORM(group, layers "final_layer_norm", ffn.norm)
#define TABLE(names, field, rows, optional) \
    { names, NET, HL_WEIGHT_MATRIX, offsetof(struct net, field), rows, D, optional }
#define BIAS(name, field, n) \
    { name, NET, HL_WEIGHT_VECTOR, offsetof(struct net, field), n, 0, true }
#define REST                                                                        \
    BIAS("final_logits_bias", bias, V_TARGET),                                      \
    TABLE("model.encoder.embed_positions.weight", enc_table, POSITIONS, true),      \
    TABLE("model.decoder.embed_positions.weight", dec_table, POSITIONS, true),      \
    ATTENTION(ENC, "model.encoder.layers.*.", "self_attn", self),                   \
    FFN(ENC, "model.encoder.layers.*.", F_ENC),                                     \
    ATTENTION(DEC, "model.decoder.layers.*.", "self_attn", self),                   \
    ATTENTION(DEC, "model.decoder.layers.*.", "encoder_attn", cross),               \
    FFN(DEC, "model.decoder.layers.*.", F_DEC)
#define ANY_EMBEDDING                                              \
    "model.shared.weight|model.encoder.embed_tokens.weight|"       \
    "model.decoder.embed_tokens.weight|lm_head.weight"
/* clang-format on */

static const struct hl_weight_spec shared_specs[] = {
    TABLE(ANY_EMBEDDING, source, V_SOURCE, false),
    REST,
};

static const struct hl_weight_spec separate_specs[] = {
    TABLE("model.encoder.embed_tokens.weight", source, V_SOURCE, false),
    TABLE("model.decoder.embed_tokens.weight|lm_head.weight", target, V_TARGET, false),
    REST,
};

static enum hl_status
load_weights(struct hl_model *m, struct net *net, struct hl_error *err)
{
    static const char *const ignored[] = { "*position_ids", "model.encoder.version",
                                           "model.decoder.version" };
    const struct config *c = &net->c;
    const int dims[N_DIMS] = {
        [D] = c->d,           [V_SOURCE] = c->vocab, [V_TARGET] = c->vocab_target,
        [F_ENC] = c->enc_ffn, [F_DEC] = c->dec_ffn,  [POSITIONS] = c->positions
    };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { net, sizeof *net, 1, NULL },
        [ENC] = { net->enc, sizeof *net->enc, c->enc_layers, NULL },
        [DEC] = { net->dec, sizeof *net->dec, c->dec_layers, NULL },
    };
    const struct hl_weight_plan plan = {
        .specs = c->shared ? shared_specs : separate_specs,
        .n_specs = c->shared ? (int)(sizeof shared_specs / sizeof shared_specs[0])
                             : (int)(sizeof separate_specs / sizeof separate_specs[0]),
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
        .prefix = "model.",
        .ignored = ignored,
        .n_ignored = 3,
    };
    enum hl_status st = hl_weights_load(m->weights, &plan, &m->arena, err);
    if (st != HL_OK)
        return st;
    if (c->shared)
        net->target = net->source;
    net->head = net->target;
    return HL_OK;
}

static void
set_up_block(struct hl_block *b, int d, int heads, enum hl_act act)
{
    struct hl_norm *norms[] = { &b->self.norm, &b->cross.norm, &b->ffn.norm };
    b->d = d;
    b->n_heads = heads;
    b->act = act;
    b->pre_norm = false;
    for (int i = 0; i < 3; i++) {
        norms[i]->d = d;
        norms[i]->eps = 1e-5f;
    }
}

/* A table of positions: the file's own, or Marian's sinusoids. */
static float *
position_table(struct hl_arena *a, const struct config *c, const struct hl_weight *own)
{
    float *p = hl_arena_floats(a, (size_t)c->positions * (size_t)c->d);
    if (!p)
        return NULL;
    if (!own->p) {
        hl_posenc_rows(HL_POSENC_HALVES, HL_POSENC_PAPER, 0, c->positions, c->d, p, c->d);
        return p;
    }
    for (int i = 0; i < c->positions; i++)
        hl_weight_row(own, i, p + (size_t)i * (size_t)c->d);
    return p;
}

static enum hl_status
fill_info(struct hl_model *m, const struct config *c, struct hl_error *err)
{
    struct hl_model_info *i = &m->info;
    i->max_source = i->max_target = c->positions;
    i->n_enc_layers = c->enc_layers;
    i->n_dec_layers = c->dec_layers;
    i->n_heads = c->dec_heads;
    i->d_model = c->d;
    i->bos_id = c->start;
    i->eos_id = c->eos;
    i->pad_id = c->pad;
    m->vocab = c->vocab_target;
    m->banned[0] = c->pad;
    m->n_banned = c->pad != c->eos ? 1 : 0;
    enum hl_status st = hl_model_fact(m, err, "layers", "%d + %d", c->enc_layers, c->dec_layers);
    if (st == HL_OK)
        st = hl_model_fact(m, err, "heads", "%d", c->dec_heads);
    return st == HL_OK ? hl_model_fact(m, err, "width", "%d", c->d) : st;
}

static enum hl_status
marian_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
            struct hl_error *err)
{
    struct net *net = hl_arena_new(&m->arena, 1, struct net);
    if (!net)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    enum hl_status st = read_config(config, generation, &net->c, err);
    if (st != HL_OK)
        return st;

    const struct config *c = &net->c;
    net->embed_scale = c->scale ? (float)sqrt((double)c->d) : 1.0f;
    net->enc = hl_arena_new(&m->arena, c->enc_layers, struct hl_block);
    net->dec = hl_arena_new(&m->arena, c->dec_layers, struct hl_block);
    if (!net->enc || !net->dec)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    st = load_weights(m, net, err);
    if (st != HL_OK)
        return st;
    for (int l = 0; l < c->enc_layers; l++)
        set_up_block(&net->enc[l], c->d, c->enc_heads, c->act);
    for (int l = 0; l < c->dec_layers; l++)
        set_up_block(&net->dec[l], c->d, c->dec_heads, c->act);
    net->enc_pos = position_table(&m->arena, c, &net->enc_table);
    bool same = !net->enc_table.p && !net->dec_table.p;
    net->dec_pos = same ? net->enc_pos : position_table(&m->arena, c, &net->dec_table);
    if (!net->enc_pos || !net->dec_pos)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "for the positions");
    m->net = net;
    return fill_info(m, c, err);
}

static int
marian_source_limit(const struct hl_run *run)
{
    return run->model->info.max_source;
}

static void
marian_embedding(const struct hl_model *m, int32_t id, float *out)
{
    const struct net *net = m->net;
    if (id < net->c.vocab)
        hl_embed_rows(&net->source, &id, 1, net->embed_scale, out, net->c.d);
}

/* ---- running ---- */

/* Floats for the product of the counts, in `a`; clears *ok when it cannot. */
static float *
room(struct hl_arena *a, bool *ok, int n1, int n2, int n3, size_t n4)
{
    size_t n = n4;
    bool fits = hl_size_mul(n, (size_t)n1, &n) && hl_size_mul(n, (size_t)n2, &n) &&
                hl_size_mul(n, (size_t)n3, &n);
    float *p = fits ? hl_arena_floats(a, n) : NULL;
    *ok = *ok && p;
    return p;
}

static bool
make_encoder_room(struct hl_translation *tr, const struct config *c, struct buffers *b)
{
    struct hl_arena *a = tr->run->scratch, *kept = &tr->run->record->arena;
    size_t d = (size_t)c->d, s = (size_t)b->s;
    bool ok = true;

    b->enc_state = room(kept, &ok, c->enc_layers + 1, b->s, 1, d);
    b->enc_w = room(kept, &ok, c->enc_layers, c->enc_heads, b->s, s);
    if (tr->run->req->keep_scores)
        b->enc_s = room(kept, &ok, c->enc_layers, c->enc_heads, b->s, s);
    if (tr->run->req->keep_vectors) {
        b->enc_q = room(kept, &ok, c->enc_layers, b->s, 1, d);
        b->enc_k = room(kept, &ok, c->enc_layers, b->s, 1, d);
        b->enc_v = room(kept, &ok, c->enc_layers, b->s, 1, d);
        b->embedding = room(kept, &ok, 1, b->s, 1, d);
    }
    b->cross = room(a, &ok, c->dec_layers, 2, b->s, d);
    return ok;
}

static bool
make_decoder_room(struct hl_translation *tr, const struct net *net, struct buffers *b)
{
    const struct config *c = &net->c;
    struct hl_arena *a = tr->run->scratch;
    int l = c->dec_layers, h = c->dec_heads;
    size_t d = (size_t)c->d, cap = (size_t)b->cap;
    bool ok = true;

    b->cache = room(a, &ok, b->lanes, l * 2, b->cap, d);
    if (b->lanes > 1)
        b->spare = room(a, &ok, b->lanes, l * 2, b->cap, d);
    b->x = room(a, &ok, tr->max_rows, 1, 1, d);
    b->self_w = room(a, &ok, l, h, b->cap, cap);
    b->cross_w = room(a, &ok, l, h, b->cap, (size_t)b->s);
    if (tr->run->req->keep_scores) {
        b->self_s = room(a, &ok, l, h, b->cap, cap);
        b->cross_s = room(a, &ok, l, h, b->cap, (size_t)b->s);
    }
    if (tr->run->req->keep_vectors) {
        b->dec_state = room(a, &ok, l + 1, b->cap, 1, d);
        b->self_q = room(a, &ok, l, b->cap, 1, d);
        b->cross_q = room(a, &ok, l, b->cap, 1, d);
    }
    size_t most = hl_block_scratch(&net->enc[0], b->s, b->s);
    int n_k = b->cap > b->s ? b->cap : b->s;
    size_t dec = hl_block_scratch(&net->dec[0], tr->max_rows, n_k);
    b->scratch = room(a, &ok, 1, 1, 1, most > dec ? most : dec);
    b->rows = hl_arena_new(a, tr->max_rows, struct hl_block_row);
    b->ids = hl_arena_new(a, tr->max_rows, int32_t);
    return ok && b->rows && b->ids;
}

/* x[i] = E[id_i] √D (+ position first + i), n rows. */
static void
embed(const struct net *net, const struct hl_weight *table, const int32_t *ids, int n,
      const float *pos, float *x)
{
    size_t count = (size_t)n * (size_t)net->c.d;
    hl_embed_rows(table, ids, n, net->embed_scale, x, net->c.d);
    for (size_t i = 0; pos && i < count; i++)
        x[i] += pos[i];
}

static enum hl_status
encode(struct hl_translation *tr, const struct net *net, struct buffers *b, struct hl_error *err)
{
    const struct config *c = &net->c;
    size_t d = (size_t)c->d, s = (size_t)b->s, layer = s * d, heads = (size_t)c->enc_heads;

    if (b->embedding)
        embed(net, &net->source, tr->source, b->s, NULL, b->embedding);
    embed(net, &net->source, tr->source, b->s,
          hl_run_choice(tr->run, "positions") & NO_ENCODER ? NULL : net->enc_pos, b->enc_state);
    for (int l = 0; l < c->enc_layers; l++) {
        enum hl_status st = hl_run_poll(tr->run, err);
        if (st != HL_OK)
            return st;
        size_t at = (size_t)l;
        float *x = b->enc_state + (at + 1) * layer;
        memcpy(x, b->enc_state + at * layer, layer * sizeof *x);
        const struct hl_block_capture capture = {
            .q = b->enc_q ? b->enc_q + at * layer : NULL,
            .k = b->enc_k ? b->enc_k + at * layer : NULL,
            .v = b->enc_v ? b->enc_v + at * layer : NULL,
            .weights = { b->enc_w + at * heads * s * s, (ptrdiff_t)(s * s), (ptrdiff_t)s },
            .scores = { b->enc_s ? b->enc_s + at * heads * s * s : NULL, (ptrdiff_t)(s * s),
                        (ptrdiff_t)s },
        };
        hl_block_encode(&net->enc[l], b->s, x, NULL, &capture, b->scratch);
    }
    const float *top = b->enc_state + (size_t)c->enc_layers * layer;
    for (int l = 0; l < c->dec_layers; l++) {
        struct hl_block_kv kv = { b->cross + (2 * (size_t)l) * layer,
                                  b->cross + (2 * (size_t)l + 1) * layer };
        hl_block_cross_kv(&net->dec[l], b->s, top, kv);
    }
    return HL_OK;
}

static enum hl_status
marian_begin(struct hl_translation *tr, struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    struct buffers *b = hl_arena_new(tr->run->scratch, 1, struct buffers);

    for (int i = 0; i < tr->n_source; i++) {
        if (tr->source[i] >= net->c.vocab)
            return hl_error_set(err, HL_E_ARGUMENT, "source ids", "id %d is outside the vocabulary",
                                (int)tr->source[i]);
    }
    if (b) {
        b->s = tr->n_source;
        b->cap = tr->cap;
        b->lanes = tr->n_lanes;
    }
    if (!b || !make_encoder_room(tr, &net->c, b) || !make_decoder_room(tr, net, b))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d source and %d target tokens",
                            tr->n_source, tr->cap);
    tr->net = b;
    return encode(tr, net, b, err);
}

/* Keys and values of a lane and layer in a cache block. */
static struct hl_block_kv
lane_cache(const struct config *c, const struct buffers *b, float *cache, int lane, int l)
{
    size_t part = (size_t)b->cap * (size_t)c->d;
    float *k = cache + ((size_t)lane * (size_t)c->dec_layers + (size_t)l) * 2 * part;
    return (struct hl_block_kv) { k, k + part };
}

static struct hl_mha_out
rows_at(float *base, int l, int heads, int cap, int width, int t)
{
    ptrdiff_t head = (ptrdiff_t)cap * width;
    float *p = base ? base + (ptrdiff_t)l * heads * head + (ptrdiff_t)t * width : NULL;
    return (struct hl_mha_out) { p, head, width };
}

/* One decoder layer over the rows in b->x; rows of lane 0 are captured. */
static void
decode_layer(struct hl_translation *tr, int l, int n, const struct hl_run_row *rows, bool keep)
{
    const struct net *net = tr->run->model->net;
    const struct config *c = &net->c;
    struct buffers *b = tr->net;
    size_t d = (size_t)c->d;
    int t = rows[0].t, h = c->dec_heads;
    size_t row = ((size_t)l * (size_t)b->cap + (size_t)t) * d;
    struct hl_block_capture self = { .n_cols = b->cap }, cross = { .n_cols = 0 };

    for (int i = 0; i < n; i++)
        b->rows[i] =
            (struct hl_block_row) { lane_cache(c, b, b->cache, rows[i].lane, l), rows[i].t };
    if (keep) {
        self.q = b->self_q ? b->self_q + row : NULL;
        self.weights = rows_at(b->self_w, l, h, b->cap, b->cap, t);
        self.scores = rows_at(b->self_s, l, h, b->cap, b->cap, t);
        cross.q = b->cross_q ? b->cross_q + row : NULL;
        cross.weights = rows_at(b->cross_w, l, h, b->cap, b->s, t);
        cross.scores = rows_at(b->cross_s, l, h, b->cap, b->s, t);
    }
    size_t side = (size_t)b->s * d;
    struct hl_block_kv kv = { b->cross + 2 * (size_t)l * side,
                              b->cross + (2 * (size_t)l + 1) * side };
    hl_block_decode(&net->dec[l], n, b->rows, b->x, kv, b->s, keep ? &self : NULL,
                    keep ? &cross : NULL, b->scratch);
}

/* Keeps the rows in b->x as states of level l (0: what the first layer receives). */
static void
keep_state(const struct config *c, struct buffers *b, int l, int t, int n)
{
    size_t d = (size_t)c->d;
    if (b->dec_state)
        memcpy(b->dec_state + ((size_t)l * (size_t)b->cap + (size_t)t) * d, b->x,
               (size_t)n * d * sizeof *b->x);
}

static enum hl_status
marian_advance(struct hl_translation *tr, int n, const struct hl_run_row *rows, float *logits,
               struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    const struct config *c = &net->c;
    struct buffers *b = tr->net;
    size_t d = (size_t)c->d;
    bool keep = true, bare = hl_run_choice(tr->run, "positions") & NO_DECODER;

    for (int i = 0; i < n; i++) {
        const float *pos = bare ? NULL : net->dec_pos + (size_t)rows[i].t * d;
        embed(net, &net->target, &rows[i].id, 1, pos, b->x + (size_t)i * d);
        keep = keep && rows[i].lane == 0;
    }
    if (keep)
        keep_state(c, b, 0, rows[0].t, n);
    for (int l = 0; l < c->dec_layers; l++) {
        enum hl_status st = hl_run_poll(tr->run, err);
        if (st != HL_OK)
            return st;
        decode_layer(tr, l, n, rows, keep);
        if (keep)
            keep_state(c, b, l + 1, rows[0].t, n);
    }
    const struct hl_linear head = { net->head, net->bias };
    hl_linear_apply(&head, n, b->x, c->d, logits, net->head.rows);
    return HL_OK;
}

static void
marian_fork(struct hl_translation *tr, int n, const int *parent, int n_rows)
{
    const struct net *net = tr->run->model->net;
    struct buffers *b = tr->net;
    size_t size = (size_t)n_rows * (size_t)net->c.d * sizeof(float);
    bool moved = false;

    for (int i = 0; i < n; i++)
        moved = moved || parent[i] != i;
    if (!moved)
        return;
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < net->c.dec_layers; l++) {
            struct hl_block_kv from = lane_cache(&net->c, b, b->cache, parent[i], l);
            struct hl_block_kv to = lane_cache(&net->c, b, b->spare, i, l);
            memcpy(to.k, from.k, size);
            memcpy(to.v, from.v, size);
        }
    }
    float *old = b->cache;
    b->cache = b->spare;
    b->spare = old;
}

/* ---- recording ---- */

static bool
describe(struct hl_map *m, int q_axis, int k_axis, bool causal, float scale)
{
    if (!m)
        return false;
    m->q_axis = q_axis;
    m->k_axis = k_axis;
    m->out_axis = q_axis == HL_RUN_DECODER_INPUT ? HL_RUN_TARGET : -1;
    m->causal = causal;
    m->row_sum_one = hl_map_is(m, HL_STAGE_WEIGHTS);
    m->scale = scale;
    m->parts.score = hl_score_table[HL_SCORE_SCALED].name;
    return true;
}

static bool
record_encoder(struct hl_record *r, const struct config *c, const struct buffers *b)
{
    const int shape[4] = { c->enc_layers, c->enc_heads, b->s, b->s };
    const int vectors[3] = { c->enc_layers, b->s, c->d };
    const int states[3] = { c->enc_layers + 1, b->s, c->d };
    const int one[3] = { 1, b->s, c->d };
    float scale = (float)(1 / sqrt((double)c->d / c->enc_heads));
    const int s = HL_RUN_SOURCE;
    const char *name = "encoder.self";

    bool ok =
        describe(hl_run_add_map(r, name, HL_STAGE_WEIGHTS, shape, b->enc_w), s, s, false, scale);
    if (ok && b->enc_s)
        ok =
            describe(hl_run_add_map(r, name, HL_STAGE_SCORES, shape, b->enc_s), s, s, false, scale);
    if (!ok || !b->enc_q)
        return ok;
    return hl_run_add_vectors(r, "encoder.self.query", s, vectors, b->enc_q) &&
           hl_run_add_vectors(r, "encoder.self.key", s, vectors, b->enc_k) &&
           hl_run_add_vectors(r, "encoder.self.value", s, vectors, b->enc_v) &&
           hl_run_add_vectors(r, "encoder.state", s, states, b->enc_state) &&
           hl_run_add_vectors(r, "embedding", s, one, b->embedding);
}

static bool
record_decoder_maps(struct hl_record *r, const struct config *c, const struct buffers *b, int n)
{
    const int self[4] = { c->dec_layers, c->dec_heads, n, n };
    const int cross[4] = { c->dec_layers, c->dec_heads, n, b->s };
    float scale = (float)(1 / sqrt((double)c->d / c->dec_heads));
    const int q = HL_RUN_DECODER_INPUT;
    size_t cap = (size_t)b->cap, s = (size_t)b->s;

    const struct {
        const char *stage;
        const float *self, *cross;
    } kept[] = { { HL_STAGE_SCORES, b->self_s, b->cross_s },
                 { HL_STAGE_WEIGHTS, b->self_w, b->cross_w } };

    for (int i = 0; i < 2; i++) {
        if (!kept[i].self)
            continue;
        bool ok = describe(hl_run_keep_map(r, "decoder.self", kept[i].stage, self, kept[i].self,
                                           cap * cap, cap),
                           q, q, true, scale) &&
                  describe(hl_run_keep_map(r, "decoder.cross", kept[i].stage, cross, kept[i].cross,
                                           cap * s, s),
                           q, HL_RUN_SOURCE, false, scale);
        if (!ok)
            return false;
    }
    return true;
}

static bool
record_decoder_vectors(struct hl_record *r, const struct config *c, const struct buffers *b, int n)
{
    const int rows[3] = { c->dec_layers, n, c->d };
    const int states[3] = { c->dec_layers + 1, n, c->d };
    const int keys[3] = { c->dec_layers, b->s, c->d };
    const int q = HL_RUN_DECODER_INPUT;
    size_t cap = (size_t)b->cap * (size_t)c->d, side = (size_t)b->s * (size_t)c->d;

    return hl_run_keep_vectors(r, "decoder.self.query", q, rows, b->self_q, cap) &&
           hl_run_keep_vectors(r, "decoder.self.key", q, rows, b->cache, 2 * cap) &&
           hl_run_keep_vectors(r, "decoder.self.value", q, rows, b->cache + cap, 2 * cap) &&
           hl_run_keep_vectors(r, "decoder.cross.query", q, rows, b->cross_q, cap) &&
           hl_run_keep_vectors(r, "decoder.cross.key", HL_RUN_SOURCE, keys, b->cross, 2 * side) &&
           hl_run_keep_vectors(r, "decoder.cross.value", HL_RUN_SOURCE, keys, b->cross + side,
                               2 * side) &&
           hl_run_keep_vectors(r, "decoder.state", q, states, b->dec_state, cap);
}

static enum hl_status
marian_record(struct hl_translation *tr, int n_rows, struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    const struct buffers *b = tr->net;

    bool ok = record_encoder(tr->run->record, &net->c, b);
    if (ok && n_rows > 0)
        ok = record_decoder_maps(tr->run->record, &net->c, b, n_rows);
    if (ok && n_rows > 0 && tr->run->req->keep_vectors)
        ok = record_decoder_vectors(tr->run->record, &net->c, b, n_rows);
    return ok ? HL_OK : hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
}

static enum hl_status
marian_run(struct hl_run *run, struct hl_error *err)
{
    static const struct hl_translator how = {
        .draft_block = 12,
        .source_limit = marian_source_limit,
        .begin = marian_begin,
        .advance = marian_advance,
        .fork = marian_fork,
        .record = marian_record,
    };
    return hl_translate(run, &how, err);
}

const struct hl_network hl_network_marian = {
    .key = "marian",
    .kind = "Transformer",
    .can = HL_CAN(HEADS) | HL_CAN(TRANSLATE),
    .inputs = HL_TRANSLATE_INPUTS,
    .tokeniser = true,
    .n_options = sizeof options / sizeof options[0],
    .options = options,
    .open = marian_open,
    .run = marian_run,
    .embedding = marian_embedding,
};

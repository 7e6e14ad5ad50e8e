/* The recurrent translator: a bidirectional GRU reads the source, a GRU with
 * attention writes the target (Headlight's own format "headlight-gru").
 *
 * Idea: before each word the decoder's state asks which source annotations it needs;
 * their weighted mean, the context, enters the next state. One set of weights serves
 * eight ways of asking.
 *
 * Formula: e_j = score(s_{t-1}, h_j); α = softmax(e); c_t = Σ_j α_j h_j;
 *   s_t = GRU([E y_{t-1}; c_t], s_{t-1}); r_t = tanh(R [s_t; E y_{t-1}; c_t]);
 *   logits = E r_t + b.
 * Shapes: h [S,Dh] (Dh = two directions of De), s [Ds], queries and keys [A], α [T,S].
 * Paper: Bahdanau et al. 2015; Luong et al. 2015 (general, location, local windows);
 *   Graves et al. 2014 (cosine with a strength).
 * Picture: "alignment" [1,1,T,S]; the line from corner to corner bends where the
 *   languages order words differently.
 * Classic mistakes: asking with s_t instead of s_{t-1}; putting the context before
 *   the embedding; renormalising local-p after its Gaussian. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "attn/align.h"
#include "attn/score.h"
#include "attn/window.h"
#include "base/size.h"
#include "io/weights.h"
#include "model/translate.h"
#include "nn/embed.h"
#include "nn/linear.h"
#include "nn/rnn.h"
#include "num/act.h"
#include "num/softmax.h"

enum { MAX_WIDTH = 16384, MAX_VOCAB = 2000000, MAX_TOKENS = 512 };

/* The trained alignments. `proj` counts the projections of queries and keys. */
struct alignment {
    const char *name;
    enum hl_score score;
    enum hl_window window;
    int proj; /* -1: none (location) */
};

enum { N_PROJ = 7, N_ALIGNMENTS = 8 };

static const char *const proj_names[N_PROJ] = { "additive", "dot",     "general", "scaled",
                                                "cosine",   "local_m", "local_p" };

static const struct alignment alignments[N_ALIGNMENTS] = {
    { "additive", HL_SCORE_ADDITIVE, HL_WINDOW_GLOBAL, 0 },
    { "dot", HL_SCORE_DOT, HL_WINDOW_GLOBAL, 1 },
    { "general", HL_SCORE_GENERAL, HL_WINDOW_GLOBAL, 2 },
    { "scaled", HL_SCORE_SCALED, HL_WINDOW_GLOBAL, 3 },
    { "cosine", HL_SCORE_COSINE, HL_WINDOW_GLOBAL, 4 },
    { "location", HL_SCORE_LOCATION, HL_WINDOW_GLOBAL, -1 },
    { "local-m", HL_SCORE_GENERAL, HL_WINDOW_LOCAL_M, 5 },
    { "local-p", HL_SCORE_GENERAL, HL_WINDOW_LOCAL_P, 6 },
};

static const char *const score_names[N_ALIGNMENTS + 1] = { "additive", "dot",     "general",
                                                           "scaled",   "cosine",  "location",
                                                           "local-m",  "local-p", NULL };
static const char *const score_titles[N_ALIGNMENTS + 1] = { "additive",   "dot",     "general",
                                                            "scaled dot", "cosine",  "location",
                                                            "local-m",    "local-p", NULL };

static const struct hl_option options[] = {
    HL_TRANSLATE_OPTIONS,
    { .key = "score",
      .label = "score",
      .kind = HL_OPTION_CHOICE,
      .names = score_names,
      .titles = score_titles,
      .tip = "How well a source word answers the decoder's state: one of eight formulas." },
};

struct config {
    int vocab, e, de, ds, a, window, smax, pad, eos, start;
};

struct projections {
    struct hl_weight query, key; /* [A,Ds], [A,Dh] */
};

struct net {
    struct config c;
    struct hl_weight embed; /* [V,E] */
    struct hl_gru direction[2];
    struct hl_linear bridge; /* [Ds,De] */
    struct hl_gru decoder;
    struct projections proj[N_PROJ];
    struct hl_weight w[3];     /* [A,A] of general, local-m, local-p */
    struct hl_weight location; /* [Smax,Ds] */
    struct hl_weight position; /* [A,Ds] */
    const float *additive_v, *strength, *location_b, *position_v;
    struct hl_linear readout;                    /* [E, Ds+E+Dh] */
    const float *output_bias;                    /* [V] */
    struct hl_score_params params[N_ALIGNMENTS]; /* widened */
};

/* One run's buffers. */
struct buffers {
    const struct alignment *how;
    const struct hl_score_params *params;
    int s, cap;
    float *embedding;         /* [S,E] */
    float *h;                 /* [S,Dh] */
    float *keys;              /* [S,A] */
    float *state;             /* [lanes, cap+1, Ds]: row t is s_{t-1} */
    float *moved;             /* [lanes, Ds] */
    float *weights, *scores;  /* [cap,S] */
    float *query, *context;   /* [cap,A], [cap,Dh] */
    float *centre;            /* [cap] */
    float *other_w, *other_e; /* [S]: rows of lanes that are not recorded */
    float *x;                 /* [E+Dh] */
    float *q, *c;             /* [A], [Dh] */
    float *in;                /* [max_rows, Ds+E+Dh] */
    float *r;                 /* [max_rows, E] */
    float *scratch;
};

/* ---- opening ---- */

static enum hl_status
read_config(const struct hl_json *j, struct config *c, struct hl_error *err)
{
    const struct {
        const char *key;
        int min, max, *out;
    } keys[] = {
        { "vocab_size", 1, MAX_VOCAB, &c->vocab },
        { "d_embed", 1, MAX_WIDTH, &c->e },
        { "d_encoder", 1, MAX_WIDTH, &c->de },
        { "d_decoder", 1, MAX_WIDTH, &c->ds },
        { "d_attention", 1, MAX_WIDTH, &c->a },
        { "window", 1, MAX_TOKENS, &c->window },
        { "max_source_positions", 1, MAX_TOKENS, &c->smax },
        { "pad_token_id", 0, MAX_VOCAB, &c->pad },
        { "eos_token_id", 0, MAX_VOCAB, &c->eos },
        { "decoder_start_token_id", 0, MAX_VOCAB, &c->start },
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        int64_t v;
        enum hl_status st = hl_json_need_int(j, keys[i].key, keys[i].min, keys[i].max, HL_E_CONFIG,
                                             "config.json", &v, err);
        if (st != HL_OK)
            return st;
        *keys[i].out = (int)v;
    }
    if (c->pad >= c->vocab || c->eos >= c->vocab || c->start >= c->vocab) {
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "a token id is outside the vocabulary of %d", c->vocab);
    }
    return HL_OK;
}

enum dim { ONE, V, E, DE3, DE, DS3, DS, DH, A, IN, OUT, SMAX, N_DIMS };
enum group { NET, DIRECTION, PROJ, N_GROUPS };

#define MATRIX(name, field, rows, cols)                                                            \
    {                                                                                              \
        name, NET, HL_WEIGHT_MATRIX, offsetof(struct net, field), rows, cols, false                \
    }
#define VECTOR(name, field, n)                                                                     \
    {                                                                                              \
        name, NET, HL_WEIGHT_VECTOR, offsetof(struct net, field), n, 0, false                      \
    }
#define PER_DIRECTION(name, kind, field, rows, cols)                                               \
    {                                                                                              \
        "encoder.*." name, DIRECTION, kind, offsetof(struct hl_gru, field), rows, cols, false      \
    }
#define PER_PROJ(name, field, cols)                                                                \
    {                                                                                              \
        "attn.*." name ".weight", PROJ, HL_WEIGHT_MATRIX, offsetof(struct projections, field), A,  \
            cols, false                                                                            \
    }

static const struct hl_weight_spec specs[] = {
    MATRIX("embed.weight", embed, V, E),
    PER_DIRECTION("weight_ih", HL_WEIGHT_MATRIX, w_ih, DE3, E),
    PER_DIRECTION("weight_hh", HL_WEIGHT_MATRIX, w_hh, DE3, DE),
    PER_DIRECTION("bias_ih", HL_WEIGHT_VECTOR, b_ih, DE3, 0),
    PER_DIRECTION("bias_hh", HL_WEIGHT_VECTOR, b_hh, DE3, 0),
    MATRIX("bridge.weight", bridge.w, DS, DE),
    VECTOR("bridge.bias", bridge.b, DS),
    MATRIX("decoder.weight_ih", decoder.w_ih, DS3, IN),
    MATRIX("decoder.weight_hh", decoder.w_hh, DS3, DS),
    VECTOR("decoder.bias_ih", decoder.b_ih, DS3),
    VECTOR("decoder.bias_hh", decoder.b_hh, DS3),
    PER_PROJ("query", query, DS),
    PER_PROJ("key", key, DH),
    VECTOR("attn.additive.v", additive_v, A),
    MATRIX("attn.general.weight", w[0], A, A),
    MATRIX("attn.local_m.weight", w[1], A, A),
    MATRIX("attn.local_p.weight", w[2], A, A),
    VECTOR("attn.cosine.strength", strength, ONE),
    MATRIX("attn.location.weight", location, SMAX, DS),
    VECTOR("attn.location.bias", location_b, SMAX),
    MATRIX("attn.local_p.position.weight", position, A, DS),
    VECTOR("attn.local_p.position.v", position_v, A),
    MATRIX("readout.weight", readout.w, E, OUT),
    VECTOR("readout.bias", readout.b, E),
    VECTOR("output.bias", output_bias, V),
};

static enum hl_status
load_weights(struct hl_model *m, struct net *net, struct hl_error *err)
{
    static const char *const directions[] = { "forward", "backward" };
    const struct config *c = &net->c;
    const int dims[N_DIMS] = {
        [ONE] = 1,
        [V] = c->vocab,
        [E] = c->e,
        [DE3] = 3 * c->de,
        [DE] = c->de,
        [DS3] = 3 * c->ds,
        [DS] = c->ds,
        [DH] = 2 * c->de,
        [A] = c->a,
        [SMAX] = c->smax,
        [IN] = c->e + 2 * c->de,
        [OUT] = c->ds + c->e + 2 * c->de,
    };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { net, sizeof *net, 1, NULL },
        [DIRECTION] = { net->direction, sizeof net->direction[0], 2, directions },
        [PROJ] = { net->proj, sizeof net->proj[0], N_PROJ, proj_names },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = (int)(sizeof specs / sizeof specs[0]),
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
    };
    return hl_weights_load(m->weights, &plan, &m->arena, err);
}

/* A matrix as floats, for scores whose loops read their parameters directly. */
static const float *
widen(struct hl_arena *a, const struct hl_weight *w)
{
    float *p = hl_arena_floats(a, (size_t)w->rows * (size_t)w->cols);
    for (int i = 0; p && i < w->rows; i++)
        hl_weight_row(w, i, p + (size_t)i * (size_t)w->cols);
    return p;
}

static bool
make_params(struct hl_arena *a, struct net *net)
{
    const struct config *c = &net->c;
    const float *w[3], *location = widen(a, &net->location);
    for (int i = 0; i < 3; i++)
        w[i] = widen(a, &net->w[i]);
    if (!location || !w[0] || !w[1] || !w[2])
        return false;
    for (int i = 0; i < N_ALIGNMENTS; i++) {
        const struct alignment *how = &alignments[i];
        net->params[i] = (struct hl_score_params) {
            .d = c->a,
            .v = net->additive_v,
            .w = w[how->window == HL_WINDOW_LOCAL_M   ? 1
                   : how->window == HL_WINDOW_LOCAL_P ? 2
                                                      : 0],
            .strength = (float)exp((double)net->strength[0]),
            .d_state = c->ds,
            .max_keys = c->smax,
            .location_w = location,
            .location_b = net->location_b,
        };
    }
    return true;
}

static enum hl_status
gru_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
         struct hl_error *err)
{
    struct net *net = hl_arena_new(&m->arena, 1, struct net);
    (void)generation;
    if (!net)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    enum hl_status st = read_config(config, &net->c, err);
    if (st == HL_OK)
        st = load_weights(m, net, err);
    if (st != HL_OK)
        return st;
    if (!make_params(&m->arena, net))
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "for the score functions");

    struct hl_model_info *i = &m->info;
    i->max_source = i->max_target = MAX_TOKENS;
    i->n_enc_layers = i->n_dec_layers = i->n_heads = 1;
    i->d_model = net->c.e;
    i->bos_id = net->c.start;
    i->eos_id = net->c.eos;
    i->pad_id = net->c.pad;
    m->vocab = net->c.vocab;
    m->banned[0] = net->c.pad;
    m->n_banned = net->c.pad != net->c.eos ? 1 : 0;
    m->net = net;
    st = hl_model_fact(m, err, "encoder", "2 directions of %d", net->c.de);
    if (st == HL_OK)
        st = hl_model_fact(m, err, "decoder", "%d", net->c.ds);
    return st == HL_OK ? hl_model_fact(m, err, "alignment", "%d", net->c.a) : st;
}

/* Location has a weight per source position, and no more. */
static int
gru_source_limit(const struct hl_run *run)
{
    const struct net *net = run->model->net;
    bool location = alignments[hl_run_choice(run, "score")].score == HL_SCORE_LOCATION;
    return location ? net->c.smax : run->model->info.max_source;
}

static void
gru_embedding(const struct hl_model *m, int32_t id, float *out)
{
    const struct net *net = m->net;
    hl_weight_row(&net->embed, id, out);
}

/* ---- running ---- */

static float *
room(struct hl_arena *a, bool *ok, int n1, int n2)
{
    size_t n;
    float *p = hl_size_mul((size_t)n1, (size_t)n2, &n) ? hl_arena_floats(a, n) : NULL;
    *ok = *ok && p;
    return p;
}

static size_t
scratch_size(const struct net *net, int s)
{
    size_t run = hl_rnn_gru_scratch(&net->direction[0], s);
    size_t step = hl_rnn_gru_scratch(&net->decoder, 1);
    size_t n = run > step ? run : step;
    return n > (size_t)net->c.a ? n : (size_t)net->c.a;
}

static bool
make_room(struct hl_translation *tr, const struct net *net, struct buffers *b)
{
    const struct config *c = &net->c;
    struct hl_arena *a = tr->run->scratch;
    int dh = 2 * c->de;
    bool ok = true;

    b->embedding = room(a, &ok, b->s, c->e);
    b->h = room(a, &ok, b->s, dh);
    b->keys = room(a, &ok, b->s, c->a);
    b->state = room(a, &ok, tr->n_lanes * (b->cap + 1), c->ds);
    b->moved = room(a, &ok, tr->n_lanes, c->ds);
    b->weights = room(a, &ok, b->cap, b->s);
    b->scores = room(a, &ok, b->cap, b->s);
    b->query = room(a, &ok, b->cap, c->a);
    b->context = room(a, &ok, b->cap, dh);
    b->centre = room(a, &ok, b->cap, 1);
    b->other_w = room(a, &ok, b->s, 1);
    b->other_e = room(a, &ok, b->s, 1);
    b->x = room(a, &ok, c->e + dh, 1);
    b->q = room(a, &ok, c->a, 1);
    b->c = room(a, &ok, dh, 1);
    b->in = room(a, &ok, tr->max_rows, c->ds + c->e + dh);
    b->r = room(a, &ok, tr->max_rows, c->e);
    b->scratch = hl_arena_floats(a, scratch_size(net, b->s));
    return ok && b->scratch;
}

/* Annotations, keys and the first state of every lane. */
static void
encode(struct hl_translation *tr, const struct net *net, struct buffers *b)
{
    const struct config *c = &net->c;
    int dh = 2 * c->de;

    hl_embed_rows(&net->embed, tr->source, b->s, 1.0f, b->embedding, c->e);
    for (int i = 0; i < 2; i++)
        hl_rnn_gru_run(&net->direction[i], b->s, b->embedding, c->e, i == 1, b->h + i * c->de, dh,
                       b->scratch);
    if (b->how->proj >= 0)
        hl_weight_apply(&net->proj[b->how->proj].key, NULL, b->s, b->h, dh, b->keys, c->a);
    hl_linear_apply(&net->bridge, 1, b->h + c->de, dh, b->state, c->ds);
    hl_act_apply(HL_ACT_TANH, c->ds, b->state, b->state);
}

static enum hl_status
gru_begin(struct hl_translation *tr, struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    int i = hl_run_choice(tr->run, "score");
    struct buffers *b = hl_arena_new(tr->run->scratch, 1, struct buffers);
    if (b) {
        b->how = &alignments[i];
        b->params = &net->params[i];
        b->s = tr->n_source;
        b->cap = tr->cap;
    }
    if (!b || !make_room(tr, net, b))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d source and %d target tokens",
                            tr->n_source, tr->cap);
    tr->net = b;
    encode(tr, net, b);
    return hl_run_poll(tr->run, err);
}

/* Scores become weights in the window of step t; *centre is where it stands. */
static void
weigh(const struct net *net, const struct buffers *b, const float *state, int t, float *e, float *w,
      float *centre)
{
    int half = net->c.window;

    if (b->how->window == HL_WINDOW_GLOBAL) {
        hl_softmax(e, NULL, b->s, 1.0f, w);
        return;
    }
    bool predicted = b->how->window == HL_WINDOW_LOCAL_P;
    *centre = predicted
                  ? hl_window_predict(&net->position, net->position_v, state, b->s, b->scratch)
                  : (float)(t < b->s - 1 ? t : b->s - 1);
    struct hl_window_range range = hl_window_around((double)*centre, half, b->s);
    hl_window_weights(e, b->s, range, predicted, (double)*centre, half, w);
    for (int j = 0; j < b->s; j++)
        e[j] = j >= range.lo && j < range.hi ? e[j] : -INFINITY;
}

/* q W: general's query such that its score is a plain product with the key. */
static void
through_general(const struct hl_score_params *p, const float *q, float *out)
{
    for (int j = 0; j < p->d; j++) {
        double sum = 0;
        for (int i = 0; i < p->d; i++)
            sum += (double)q[i] * (double)p->w[(size_t)i * (size_t)p->d + (size_t)j];
        out[j] = (float)sum;
    }
}

/* One step of the recurrence; the row for the readout goes to `in`. */
static void
step(struct hl_translation *tr, const struct hl_run_row *row, float *in)
{
    const struct net *net = tr->run->model->net;
    const struct config *c = &net->c;
    struct buffers *b = tr->net;
    int dh = 2 * c->de, lane = row->lane;
    size_t t = (size_t)row->t, s = (size_t)b->s;
    float *prev = b->state + ((size_t)lane * ((size_t)b->cap + 1) + t) * (size_t)c->ds;
    float *e = lane == 0 ? b->scores + t * s : b->other_e;
    float *w = lane == 0 ? b->weights + t * s : b->other_w;
    float *context = lane == 0 ? b->context + t * (size_t)dh : b->c;
    float centre = 0;

    if (b->how->proj >= 0)
        hl_weight_apply(&net->proj[b->how->proj].query, NULL, 1, prev, c->ds, b->q, c->a);
    const struct hl_score_input input = { b->q, prev, b->keys, c->a, b->s };
    hl_score_table[b->how->score].run(b->params, &input, b->scratch, e);
    weigh(net, b, prev, row->t, e, w, &centre);
    hl_align_soft(w, b->h, dh, b->s, dh, context);
    if (lane == 0) {
        b->centre[t] = centre;
        if (tr->run->req->keep_vectors && b->how->score == HL_SCORE_GENERAL)
            through_general(b->params, b->q, b->query + t * (size_t)c->a);
        else
            memcpy(b->query + t * (size_t)c->a, b->q, (size_t)c->a * sizeof *b->q);
    }
    hl_weight_row(&net->embed, row->id, b->x);
    memcpy(b->x + c->e, context, (size_t)dh * sizeof *context);
    float *next = prev + c->ds;
    hl_rnn_gru_step(&net->decoder, 1, b->x, c->e + dh, prev, c->ds, next, c->ds, NULL, b->scratch);
    memcpy(in, next, (size_t)c->ds * sizeof *in);
    memcpy(in + c->ds, b->x, (size_t)(c->e + dh) * sizeof *in);
}

static enum hl_status
gru_advance(struct hl_translation *tr, int n, const struct hl_run_row *rows, float *logits,
            struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    const struct config *c = &net->c;
    struct buffers *b = tr->net;
    int width = c->ds + c->e + 2 * c->de;

    /* the recurrence cannot be batched over time; readout and logits, two thirds of
     * the work, can */
    for (int i = 0; i < n; i++) {
        enum hl_status st = hl_run_poll(tr->run, err);
        if (st != HL_OK)
            return st;
        step(tr, &rows[i], b->in + (size_t)i * (size_t)width);
    }
    hl_linear_apply(&net->readout, n, b->in, width, b->r, c->e);
    hl_act_apply(HL_ACT_TANH, n * c->e, b->r, b->r);
    const struct hl_linear output = { net->embed, net->output_bias };
    hl_linear_apply(&output, n, b->r, c->e, logits, c->vocab);
    return HL_OK;
}

static void
gru_fork(struct hl_translation *tr, int n, const int *parent, int n_rows)
{
    const struct net *net = tr->run->model->net;
    struct buffers *b = tr->net;
    size_t ds = (size_t)net->c.ds, lane = ((size_t)b->cap + 1) * ds;
    float *at = b->state + (size_t)n_rows * ds;

    for (int i = 0; i < n; i++)
        memcpy(b->moved + (size_t)i * ds, at + (size_t)parent[i] * lane, ds * sizeof *at);
    for (int i = 0; i < n; i++)
        memcpy(at + (size_t)i * lane, b->moved + (size_t)i * ds, ds * sizeof *at);
}

/* ---- recording ---- */

static float
product_scale(const struct alignment *how, const struct config *c)
{
    switch (how->score) {
    case HL_SCORE_DOT:
    case HL_SCORE_GENERAL:
        return 1;
    case HL_SCORE_SCALED:
        return (float)(1 / sqrt((double)c->a));
    case HL_SCORE_ADDITIVE:
    case HL_SCORE_COSINE:
    case HL_SCORE_LOCATION:
    case HL_SCORE_COUNT:
        break;
    }
    return 0;
}

static bool
record_map(struct hl_record *r, const struct config *c, const struct buffers *b, int n,
           const char *stage)
{
    const int shape[4] = { 1, 1, n, b->s };
    const float *p = strcmp(stage, HL_STAGE_SCORES) == 0 ? b->scores : b->weights;
    size_t s = (size_t)b->s;
    struct hl_map *m = hl_run_keep_map(r, "alignment", stage, shape, p, s * (size_t)n, s);

    if (!m)
        return false;
    m->q_axis = HL_RUN_DECODER_INPUT;
    m->k_axis = HL_RUN_SOURCE;
    m->out_axis = HL_RUN_TARGET;
    m->row_sum_one = hl_map_is(m, HL_STAGE_WEIGHTS) && b->how->window != HL_WINDOW_LOCAL_P;
    m->scale = product_scale(b->how, c);
    m->parts.score = hl_score_table[b->how->score].name;
    return true;
}

static bool
record_series(struct hl_record *r, const char *name, const float *p, int n)
{
    float *data = hl_arena_floats(&r->arena, (size_t)n);
    struct hl_series *s = data ? hl_record_series(r, name) : NULL;
    if (!s)
        return false;
    memcpy(data, p, (size_t)n * sizeof *data);
    s->axis = HL_RUN_DECODER_INPUT;
    s->n = n;
    s->n_comp = 1;
    s->data = data;
    return true;
}

static bool
record_sums(struct hl_record *r, const struct buffers *b, int n, struct hl_arena *scratch)
{
    float *sum = hl_arena_floats(scratch, (size_t)n);
    for (int t = 0; sum && t < n; t++) {
        double total = 0;
        for (int j = 0; j < b->s; j++)
            total += (double)b->weights[(size_t)t * (size_t)b->s + (size_t)j];
        sum[t] = (float)total;
    }
    return sum && record_series(r, "row.sum", sum, n);
}

static bool
record_vectors(struct hl_record *r, const struct config *c, const struct buffers *b, int n)
{
    const int source[3] = { 1, b->s, 2 * c->de };
    const int embedding[3] = { 1, b->s, c->e };
    const int keys[3] = { 1, b->s, c->a };
    const int queries[3] = { 1, n, c->a };
    const int states[3] = { 1, n, c->ds };
    const int contexts[3] = { 1, n, 2 * c->de };
    const int s = HL_RUN_SOURCE, q = HL_RUN_DECODER_INPUT;

    bool ok = hl_run_keep_vectors(r, "encoder.state", s, source, b->h, 0) &&
              hl_run_keep_vectors(r, "embedding", s, embedding, b->embedding, 0);
    if (ok && b->how->proj >= 0)
        ok = hl_run_keep_vectors(r, "alignment.key", s, keys, b->keys, 0);
    if (!ok || n == 0)
        return ok;
    if (b->how->proj >= 0)
        ok = hl_run_keep_vectors(r, "alignment.query", q, queries, b->query, 0);
    return ok && hl_run_keep_vectors(r, "alignment.value", s, source, b->h, 0) &&
           hl_run_keep_vectors(r, "decoder.state", q, states, b->state + c->ds, 0) &&
           hl_run_keep_vectors(r, "context", q, contexts, b->context, 0);
}

static enum hl_status
gru_record(struct hl_translation *tr, int n_rows, struct hl_error *err)
{
    const struct net *net = tr->run->model->net;
    const struct buffers *b = tr->net;
    struct hl_record *r = tr->run->record;
    bool ok = true;

    if (n_rows > 0) {
        ok = record_map(r, &net->c, b, n_rows, HL_STAGE_WEIGHTS) &&
             record_sums(r, b, n_rows, tr->run->scratch);
        if (ok && tr->run->req->keep_scores)
            ok = record_map(r, &net->c, b, n_rows, HL_STAGE_SCORES);
        if (ok && b->how->window != HL_WINDOW_GLOBAL)
            ok = record_series(r, "window.centre", b->centre, n_rows);
    }
    if (ok && tr->run->req->keep_vectors)
        ok = record_vectors(r, &net->c, b, n_rows);
    return ok ? HL_OK : hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
}

static enum hl_status
gru_run(struct hl_run *run, struct hl_error *err)
{
    static const struct hl_translator how = {
        .draft_block = 4,
        .source_limit = gru_source_limit,
        .begin = gru_begin,
        .advance = gru_advance,
        .fork = gru_fork,
        .record = gru_record,
    };
    return hl_translate(run, &how, err);
}

const struct hl_network hl_network_gru_nmt = {
    .key = "headlight-gru",
    .kind = "Recurrent",
    .can = HL_CAN(ALIGN) | HL_CAN(TRANSLATE),
    .inputs = HL_TRANSLATE_INPUTS,
    .tokeniser = true,
    .n_options = sizeof options / sizeof options[0],
    .options = options,
    .open = gru_open,
    .run = gru_run,
    .embedding = gru_embedding,
};

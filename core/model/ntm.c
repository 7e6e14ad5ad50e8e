/* The Neural Turing Machine (Headlight's own format "headlight-ntm").
 *
 * Idea: a small recurrent controller that owns a memory it can only reach through heads.
 * A head names a place by likeness (a key) or by where it stood (a shift), softly, so
 * that all of it is differentiable: the machine learns to use the memory as a tape.
 *
 * Formula, a step t: h = LSTM([x_t; r_{t-1}]); each head: (k, β, g, s, γ, e, a) = its map
 *   of h, w_t by the stages of nn/memhead.h; r_t = Σ_i w_i m_i; m_i (1 - w_i e) + w_i a;
 *   y_t = sigmoid(W [h; r_t] + b).
 * Shapes: memory [N,M], w [heads,T,N], x [T,I], h [C], y [T,8].
 * Paper: Graves, Wayne and Danihelka 2014.
 * Picture: "write" [1,W,T,N] draws a diagonal while the text is read, "read" the same
 *   diagonal again while it is given back (copy); recall jumps by content.
 * Classic mistakes: the gate the wrong way round; weight lost at the ends of the shift;
 *   no key strength; reading after the step's own write. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "base/span.h"
#include "io/weights.h"
#include "model/network.h"
#include "model/ntm.h"
#include "model/ntm_hands.h"
#include "model/ntm_text.h"
#include "nn/linear.h"
#include "nn/memhead.h"
#include "nn/rnn.h"
#include "num/act.h"

enum { MAX_SLOTS = 1024, MAX_HEADS = 8, MAX_CONTROLLER = 4096, MAX_REACH = HL_NTM_MAX_SHIFTS / 2 };

enum kind { READ, WRITE, N_KINDS };

static const char *const kind_names[N_KINDS] = { "read", "write" };

/* Stages of addressing in the order in which they are computed. */
enum { N_STAGES = 5 };

static const char *const stages[N_STAGES] = { HL_STAGE_COSINE, HL_STAGE_CONTENT, HL_STAGE_GATED,
                                              HL_STAGE_SHIFTED, HL_STAGE_WEIGHTS };

struct net {
    struct hl_ntm_info info;
    float memory_init;
    struct hl_lstm controller;   /* feed-forward: w_ih and b alone */
    const float *hidden, *cell;  /* [C], of an LSTM */
    struct hl_weight first_read; /* [R,M] */
    struct hl_linear heads[N_KINDS][MAX_HEADS];
    struct hl_linear output; /* [8, C + R M] */
};

/* What a run writes down of the heads of a kind; all in the record. */
struct trace {
    float *key, *strength, *gate, *shift, *gamma; /* [T, heads * ...] */
    float *erase, *add;                           /* of write heads */
    float *stage[N_STAGES];                       /* [heads,T,N] */
};

struct machine {
    struct hl_run *run;
    const struct net *net;
    const struct hl_ntm_plan *plan;
    const struct hl_ntm_options *options;
    int n_steps;
    struct trace trace[N_KINDS];
    float *input, *output, *target, *controller, *read; /* series */
    float *memory;                                      /* [T+1,N,M] */
    /* in scratch memory */
    float *in;      /* [I + R M] */
    float *out;     /* [C + R M] */
    float *gates;   /* [8 C] */
    float *cell;    /* [C] */
    float *rows;    /* a head's map */
    float *norms;   /* [N] */
    float *start_w; /* [N], one-hot */
    float *start_r; /* [R M] */
};

static int
n_heads(const struct hl_ntm_info *i, enum kind k)
{
    return k == READ ? i->n_read : i->n_write;
}

/* ---- opening ---- */

/* The place of a name among n, as what the configuration says under `key`. */
static enum hl_status
read_name(const struct hl_json *j, const char *key, const char *const *names, int n, int *out,
          struct hl_error *err)
{
    const char *value = NULL;
    enum hl_status st = hl_json_need_string(j, key, HL_E_CONFIG, "config.json", &value, err);
    if (st != HL_OK)
        return st;
    for (*out = 0; *out < n; ++*out) {
        if (strcmp(value, names[*out]) == 0)
            return HL_OK;
    }
    return hl_error_set(err, HL_E_CONFIG, "config.json", "%s \"%s\" is neither %s nor %s", key,
                        value, names[0], names[1]);
}

struct key {
    const char *name;
    int min, max, *out;
};

static enum hl_status
read_keys(const struct hl_json *j, const struct key *keys, int n, struct hl_error *err)
{
    for (int i = 0; i < n; i++) {
        int64_t v;
        enum hl_status st = hl_json_need_int(j, keys[i].name, keys[i].min, keys[i].max, HL_E_CONFIG,
                                             "config.json", &v, err);
        if (st != HL_OK)
            return st;
        *keys[i].out = (int)v;
    }
    return HL_OK;
}

static enum hl_status
read_task(const struct hl_json *j, struct hl_ntm_info *i, struct hl_error *err)
{
    enum { MAX_TRAINED = 100000 };
    int n_inputs = i->task == HL_NTM_COPY ? 9 : 10;
    const struct key copy[] = { { "n_inputs", n_inputs, n_inputs, &i->n_inputs },
                                { "trained_length", 1, MAX_TRAINED, &i->trained_length } };
    const struct key recall[] = { { "n_inputs", n_inputs, n_inputs, &i->n_inputs },
                                  { "item_length", 1, HL_NTM_MAX_ITEM, &i->item_length },
                                  { "min_items", 1, MAX_TRAINED, &i->min_items },
                                  { "max_items", 1, MAX_TRAINED, &i->max_items } };

    if (i->task == HL_NTM_COPY)
        return read_keys(j, copy, (int)(sizeof copy / sizeof copy[0]), err);
    enum hl_status st = read_keys(j, recall, (int)(sizeof recall / sizeof recall[0]), err);
    if (st == HL_OK && i->min_items > i->max_items)
        return hl_error_set(err, HL_E_CONFIG, "config.json", "min_items is larger than max_items");
    return st;
}

static enum hl_status
read_config(const struct hl_json *j, struct net *net, struct hl_error *err)
{
    static const char *const tasks[HL_NTM_TASK_COUNT] = { "copy", "recall" };
    static const char *const controllers[HL_NTM_CONTROLLER_COUNT] = { "lstm", "feedforward" };
    struct hl_ntm_info *i = &net->info;
    int task = 0, controller = 0, reach = 0;
    double init = 1e-6;
    const struct key keys[] = {
        { "controller_size", 1, MAX_CONTROLLER, &i->controller_size },
        { "n_slots", 1, MAX_SLOTS, &i->n_slots },
        { "slot_width", 1, HL_NTM_MAX_WIDTH, &i->slot_width },
        { "n_read_heads", 1, MAX_HEADS, &i->n_read },
        { "n_write_heads", 1, MAX_HEADS, &i->n_write },
        { "shift_range", 0, MAX_REACH, &reach },
        { "n_bits", HL_NTM_N_BITS, HL_NTM_N_BITS, &i->n_outputs },
    };

    enum hl_status st = read_name(j, "task", tasks, HL_NTM_TASK_COUNT, &task, err);
    if (st == HL_OK)
        st = read_name(j, "controller", controllers, HL_NTM_CONTROLLER_COUNT, &controller, err);
    if (st == HL_OK)
        st = read_keys(j, keys, (int)(sizeof keys / sizeof keys[0]), err);
    if (st == HL_OK)
        st = hl_json_opt_double(j, "memory_init", HL_E_CONFIG, "config.json", &init, err);
    if (st != HL_OK)
        return st;
    if (!(fabs(init) <= 1))
        return hl_error_set(err, HL_E_CONFIG, "config.json", "memory_init is not in -1..1");
    net->memory_init = (float)init;
    i->task = (enum hl_ntm_task)task;
    i->controller = (enum hl_ntm_controller)controller;
    i->n_shifts = 2 * reach + 1;
    return read_task(j, i, err);
}

enum dim { C, GATES, IN, R, M, READ_ROWS, WRITE_ROWS, BITS, OUT, N_DIMS };
enum group { NET, READ_HEADS, WRITE_HEADS, N_GROUPS };

#define FIELD(name, kind, field, rows, cols)                                                       \
    {                                                                                              \
        name, NET, HL_WEIGHT_##kind, offsetof(struct net, field), rows, cols, false                \
    }
#define HEAD(name, group, kind, field, rows)                                                       \
    {                                                                                              \
        name, group, HL_WEIGHT_##kind, offsetof(struct hl_linear, field), rows, C, false           \
    }

enum { N_LSTM_SPECS = 3 }; /* at the end */

static const struct hl_weight_spec specs[] = {
    FIELD("controller.weight_ih", MATRIX, controller.w_ih, GATES, IN),
    FIELD("controller.bias", VECTOR, controller.b, GATES, 0),
    FIELD("initial.read", MATRIX, first_read, R, M),
    HEAD("read.*.weight", READ_HEADS, MATRIX, w, READ_ROWS),
    HEAD("read.*.bias", READ_HEADS, VECTOR, b, READ_ROWS),
    HEAD("write.*.weight", WRITE_HEADS, MATRIX, w, WRITE_ROWS),
    HEAD("write.*.bias", WRITE_HEADS, VECTOR, b, WRITE_ROWS),
    FIELD("output.weight", MATRIX, output.w, BITS, OUT),
    FIELD("output.bias", VECTOR, output.b, BITS, 0),
    FIELD("controller.weight_hh", MATRIX, controller.w_hh, GATES, C),
    FIELD("initial.hidden", VECTOR, hidden, C, 0),
    FIELD("initial.cell", VECTOR, cell, C, 0),
};

static enum hl_status
load_weights(struct hl_model *m, struct net *net, struct hl_error *err)
{
    const struct hl_ntm_info *i = &net->info;
    bool lstm = i->controller == HL_NTM_LSTM;
    int reads = i->n_read * i->slot_width;
    const int dims[N_DIMS] = {
        [C] = i->controller_size,
        [GATES] = (lstm ? 4 : 1) * i->controller_size,
        [IN] = i->n_inputs + reads,
        [R] = i->n_read,
        [M] = i->slot_width,
        [READ_ROWS] = hl_memhead_rows(i->slot_width, i->n_shifts, false),
        [WRITE_ROWS] = hl_memhead_rows(i->slot_width, i->n_shifts, true),
        [BITS] = i->n_outputs,
        [OUT] = i->controller_size + reads,
    };
    const struct hl_weight_group groups[N_GROUPS] = {
        [NET] = { net, sizeof *net, 1, NULL },
        [READ_HEADS] = { net->heads[READ], sizeof net->heads[0][0], i->n_read, NULL },
        [WRITE_HEADS] = { net->heads[WRITE], sizeof net->heads[0][0], i->n_write, NULL },
    };
    const struct hl_weight_plan plan = {
        .specs = specs,
        .n_specs = (int)(sizeof specs / sizeof specs[0]) - (lstm ? 0 : N_LSTM_SPECS),
        .groups = groups,
        .n_groups = N_GROUPS,
        .dims = dims,
    };
    return hl_weights_load(m->weights, &plan, &m->arena, err);
}

static enum hl_status
ntm_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
         struct hl_error *err)
{
    struct net *net = hl_arena_new(&m->arena, 1, struct net);
    (void)generation;
    if (!net)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    enum hl_status st = read_config(config, net, err);
    if (st == HL_OK)
        st = load_weights(m, net, err);
    if (st != HL_OK)
        return st;

    const struct hl_ntm_info *n = &net->info;
    struct hl_model_info *i = &m->info;
    bool copy = n->task == HL_NTM_COPY;
    i->max_source = copy ? HL_NTM_MAX_BYTES : HL_NTM_MAX_ITEMS * n->item_length;
    i->max_target = copy ? HL_NTM_MAX_BYTES : n->item_length;
    i->n_heads = n->n_read + n->n_write;
    i->d_model = n->controller_size;
    i->details = n;
    m->vocab = HL_NTM_N_IDS;
    m->net = net;
    st = hl_model_fact(m, err, "memory", "%d slots of %d", n->n_slots, n->slot_width);
    return st == HL_OK ? hl_model_fact(m, err, "heads", "%d + %d", n->n_read, n->n_write) : st;
}

/* ---- preparing a run ---- */

/* A series of the record over the steps; NULL without memory. */
static float *
add_series(struct machine *m, bool *ok, const char *name, int n_comp)
{
    struct hl_record *r = m->run->record;
    float *data = hl_arena_floats(&r->arena, (size_t)m->n_steps * (size_t)n_comp);
    struct hl_series *s = data ? hl_record_series(r, name) : NULL;

    *ok = *ok && s;
    if (!s)
        return NULL;
    s->axis = HL_NTM_AXIS_TIME;
    s->n = m->n_steps;
    s->n_comp = n_comp;
    s->data = data;
    return data;
}

/* "read" and "key" make the series "read.key". */
static float *
add_of_kind(struct machine *m, bool *ok, enum kind k, const char *what, int each)
{
    const char *name = hl_arena_printf(m->run->scratch, "%s.%s", kind_names[k], what);
    *ok = *ok && name;
    return *ok ? add_series(m, ok, name, each * n_heads(&m->net->info, k)) : NULL;
}

static float *
add_stage(struct machine *m, bool *ok, enum kind k, const char *stage)
{
    struct hl_record *r = m->run->record;
    const int shape[4] = { 1, n_heads(&m->net->info, k), m->n_steps, m->net->info.n_slots };
    size_t n = (size_t)shape[1] * (size_t)shape[2] * (size_t)shape[3];
    float *data = hl_arena_floats(&r->arena, n);
    struct hl_map *map = data ? hl_run_add_map(r, kind_names[k], stage, shape, data) : NULL;

    *ok = *ok && map;
    if (!map)
        return NULL;
    map->q_axis = HL_NTM_AXIS_TIME;
    map->k_axis = HL_NTM_AXIS_ADDRESS;
    map->row_sum_one = map->rule == HL_RULE_WEIGHTS;
    return data;
}

static bool
add_traces(struct machine *m)
{
    const struct hl_ntm_info *i = &m->net->info;
    bool ok = true;

    m->input = add_series(m, &ok, "input", i->n_inputs);
    m->output = add_series(m, &ok, "output", i->n_outputs);
    m->target = add_series(m, &ok, "target", i->n_outputs);
    m->controller = add_series(m, &ok, "controller", i->controller_size);
    for (enum kind k = READ; k < N_KINDS; k++) {
        struct trace *t = &m->trace[k];
        t->key = add_of_kind(m, &ok, k, "key", i->slot_width);
        t->strength = add_of_kind(m, &ok, k, "strength", 1);
        t->gate = add_of_kind(m, &ok, k, "gate", 1);
        t->shift = add_of_kind(m, &ok, k, "shift", i->n_shifts);
        t->gamma = add_of_kind(m, &ok, k, "gamma", 1);
        for (int s = 0; s < N_STAGES; s++)
            t->stage[s] = add_stage(m, &ok, k, stages[s]);
    }
    m->trace[WRITE].erase = add_of_kind(m, &ok, WRITE, "erase", i->slot_width);
    m->trace[WRITE].add = add_of_kind(m, &ok, WRITE, "add", i->slot_width);
    m->read = add_of_kind(m, &ok, READ, "vector", i->slot_width);
    return ok;
}

static bool
add_memory(struct machine *m)
{
    const struct hl_ntm_info *i = &m->net->info;
    const int shape[3] = { m->n_steps + 1, i->n_slots, i->slot_width };
    size_t slots = (size_t)i->n_slots * (size_t)i->slot_width;
    struct hl_record *r = m->run->record;

    m->memory = hl_arena_floats(&r->arena, slots * ((size_t)m->n_steps + 1));
    if (!m->memory || !hl_run_add_vectors(r, "memory", HL_NTM_AXIS_ADDRESS, shape, m->memory))
        return false;
    for (size_t c = 0; c < slots; c++)
        m->memory[c] = m->net->memory_init;
    return true;
}

static bool
add_scratch(struct machine *m)
{
    const struct hl_ntm_info *i = &m->net->info;
    struct hl_arena *a = m->run->scratch;
    int reads = i->n_read * i->slot_width;

    m->in = hl_arena_floats(a, i->n_inputs + reads);
    m->out = hl_arena_floats(a, i->controller_size + reads);
    m->gates = hl_arena_floats(a, 8 * i->controller_size);
    m->cell = hl_arena_floats(a, i->controller_size);
    m->rows = hl_arena_floats(a, hl_memhead_rows(i->slot_width, i->n_shifts, true));
    m->norms = hl_arena_floats(a, i->n_slots);
    m->start_w = hl_arena_floats(a, i->n_slots);
    m->start_r = hl_arena_floats(a, reads);
    if (!m->in || !m->out || !m->gates || !m->cell || !m->rows || !m->norms || !m->start_w ||
        !m->start_r)
        return false;
    m->start_w[0] = 1.0f;
    for (int k = 0; k < i->n_read; k++)
        hl_weight_row(&m->net->first_read, k, m->start_r + k * i->slot_width);
    if (i->controller == HL_NTM_LSTM)
        memcpy(m->cell, m->net->cell, (size_t)i->controller_size * sizeof *m->cell);
    return true;
}

/* ---- a step ---- */

/* Row t of n columns. */
static float *
row(float *p, int t, int n)
{
    return p + (size_t)t * (size_t)n;
}

static bool
all_finite(const float *v, int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad |= !isfinite(v[i]);
    return !bad;
}

/* The controller reads the input and what the heads read a step ago. */
static void
control(struct machine *m, int t)
{
    const struct net *net = m->net;
    const struct hl_ntm_info *i = &net->info;
    int reads = i->n_read * i->slot_width, c = i->controller_size;
    float *h = row(m->controller, t, c), *x = row(m->input, t, i->n_inputs);
    const float *before = t > 0 ? h - c : net->hidden;

    hl_ntm_plan_input(i, m->plan, t, x);
    memcpy(m->in, x, (size_t)i->n_inputs * sizeof *x);
    memcpy(m->in + i->n_inputs, t > 0 ? row(m->read, t - 1, reads) : m->start_r,
           (size_t)reads * sizeof *m->in);
    if (i->controller == HL_NTM_LSTM) {
        hl_rnn_lstm_step(&net->controller, m->in, before, m->cell, h, m->cell, m->gates,
                         m->gates + 4 * c);
        return;
    }
    hl_weight_apply(&net->controller.w_ih, net->controller.b, 1, m->in, i->n_inputs + reads, h, c);
    hl_act_apply(HL_ACT_TANH, c, h, h);
}

/* What the user holds replaces what the network said. */
static void
take_in_hand(const struct hl_ntm_info *i, unsigned fields, const struct hl_ntm_head *v,
             struct hl_memhead *h)
{
    size_t width = (size_t)i->slot_width * sizeof *h->key;
    if (fields & HL_NTM_STRENGTH)
        h->strength = v->strength;
    if (fields & HL_NTM_GATE)
        h->gate = v->gate;
    if (fields & HL_NTM_GAMMA)
        h->gamma = v->gamma;
    if (fields & HL_NTM_SHIFT)
        memcpy(h->shift, v->shift, (size_t)i->n_shifts * sizeof *h->shift);
    if (fields & HL_NTM_KEY)
        memcpy(h->key, v->key, width);
    if (fields & HL_NTM_ERASE)
        memcpy(h->erase, v->erase, width);
    if (fields & HL_NTM_ADD)
        memcpy(h->add, v->add, width);
}

/* The parameters of a head at step t, whose vectors are those of the record. False when
 * the weights are too large for numbers to be left. */
static bool
ask(struct machine *m, enum kind kind, int k, int t, struct hl_memhead *h)
{
    const struct hl_ntm_info *i = &m->net->info;
    struct trace *tr = &m->trace[kind];
    int c = i->controller_size, at = t * n_heads(i, kind) + k;

    *h = (struct hl_memhead) { .key = row(tr->key, at, i->slot_width),
                               .shift = row(tr->shift, at, i->n_shifts),
                               .erase = kind == WRITE ? row(tr->erase, at, i->slot_width) : NULL,
                               .add = kind == WRITE ? row(tr->add, at, i->slot_width) : NULL };
    hl_linear_apply(&m->net->heads[kind][k], 1, row(m->controller, t, c), c, m->rows, 0);
    if (!all_finite(m->rows, m->net->heads[kind][k].w.rows))
        return false;
    hl_memhead_squash(m->rows, i->slot_width, i->n_shifts, h);
    for (int n = 0; n < m->options->n_hands; n++) {
        const struct hl_ntm_hand *hand = &m->options->hands[n];
        if (hand->step == t && hand->write == (kind == WRITE) && hand->head == k)
            take_in_hand(i, hand->fields, &hand->value, h);
    }
    tr->strength[at] = h->strength;
    tr->gate[at] = h->gate;
    tr->gamma[at] = h->gamma;
    return true;
}

/* All stages of a head's address at step t, from the memory before its writes. */
static void
address(struct machine *m, enum kind kind, int k, int t, const struct hl_memhead *h)
{
    const struct hl_ntm_info *i = &m->net->info;
    struct trace *tr = &m->trace[kind];
    int n = i->n_slots;
    const float *memory = row(m->memory, t, n * i->slot_width);
    float *at[N_STAGES];

    for (int s = 0; s < N_STAGES; s++)
        at[s] = row(tr->stage[s], k * m->n_steps + t, n);
    hl_memhead_cosine(h->key, memory, m->norms, n, i->slot_width, at[0]);
    hl_memhead_content(at[0], h->strength, n, at[1]);
    hl_memhead_gate(at[1], t > 0 ? at[4] - n : m->start_w, h->gate, n, at[2]);
    hl_memhead_shift(at[2], n, h->shift, i->n_shifts, at[3]);
    hl_memhead_sharpen(at[3], h->gamma, n, at[4]);
}

static void
read_and_write(struct machine *m, int t, const struct hl_memhead writers[MAX_HEADS])
{
    const struct hl_ntm_info *i = &m->net->info;
    int n = i->n_slots, width = i->slot_width;
    const float *memory = row(m->memory, t, n * width);
    float *next = row(m->memory, t + 1, n * width);

    for (int k = 0; k < i->n_read; k++)
        hl_memhead_read(row(m->trace[READ].stage[N_STAGES - 1], k * m->n_steps + t, n), memory, n,
                        width, row(m->read, t * i->n_read + k, width));
    for (int k = 0; k < i->n_write; k++)
        hl_memhead_write(row(m->trace[WRITE].stage[N_STAGES - 1], k * m->n_steps + t, n),
                         writers[k].erase, writers[k].add, k == 0 ? memory : next, n, width, next);
}

static bool
answer(struct machine *m, int t)
{
    const struct hl_ntm_info *i = &m->net->info;
    int c = i->controller_size, reads = i->n_read * i->slot_width;
    float *y = row(m->output, t, i->n_outputs);

    memcpy(m->out, row(m->controller, t, c), (size_t)c * sizeof *m->out);
    memcpy(m->out + c, row(m->read, t, reads), (size_t)reads * sizeof *m->out);
    hl_linear_apply(&m->net->output, 1, m->out, c + reads, y, i->n_outputs);
    if (!all_finite(y, i->n_outputs))
        return false;
    hl_act_apply(HL_ACT_SIGMOID, i->n_outputs, y, y);
    return true;
}

/* False when the numbers grew beyond what a float holds. */
static bool
step(struct machine *m, int t)
{
    const struct hl_ntm_info *i = &m->net->info;
    struct hl_memhead heads[N_KINDS][MAX_HEADS];

    control(m, t);
    if (!all_finite(row(m->controller, t, i->controller_size), i->controller_size) ||
        !all_finite(m->cell, i->controller_size))
        return false;
    hl_memhead_norms(row(m->memory, t, i->n_slots * i->slot_width), i->n_slots, i->slot_width,
                     m->norms);
    for (enum kind kind = READ; kind < N_KINDS; kind++) {
        for (int k = 0; k < n_heads(i, kind); k++) {
            if (!ask(m, kind, k, t, &heads[kind][k]))
                return false;
            address(m, kind, k, t, &heads[kind][k]);
        }
    }
    read_and_write(m, t, heads[WRITE]);
    return answer(m, t);
}

/* ---- a run ---- */

/* The bits asked for, and the bytes that came back; gives their log-probability. */
static double
read_back(struct machine *m, uint8_t *bytes)
{
    const struct hl_ntm_plan *p = m->plan;
    double logprob = 0;

    for (int c = 0; c < m->n_steps * HL_NTM_N_BITS; c++)
        m->target[c] = -1.0f;
    for (int i = 0; i < p->n_answer; i++) {
        int t = m->n_steps - p->n_answer + i;
        for (int b = 0; b < HL_NTM_N_BITS; b++) {
            float y = row(m->output, t, HL_NTM_N_BITS)[b];
            bool one = y > 0.5f;
            bytes[i] = (uint8_t)(bytes[i] << 1 | one);
            logprob += log(one ? (double)y : 1 - (double)y);
            if (p->has_answer)
                row(m->target, t, HL_NTM_N_BITS)[b] =
                    (float)(p->answer[i] >> (HL_NTM_N_BITS - 1 - b) & 1);
        }
    }
    return logprob;
}

/* What is said about the text in ntm_text.h. Hands on steps that this text does not have are not
 * counted. */
static bool
keep_settings(const struct machine *m)
{
    const struct hl_ntm_plan *p = m->plan;
    struct hl_record *r = m->run->record;
    int n = 0;

    for (int i = 0; i < m->options->n_hands; i++)
        n += m->options->hands[i].step >= 0 && m->options->hands[i].step < m->n_steps;
    bool copy = m->net->info.task == HL_NTM_COPY;
    bool ok = hl_record_set(r, "task", "%s", copy ? "copy" : "recall");
    if (!copy)
        ok = ok && hl_record_set(r, "items", "%d", p->n_items) &&
             hl_record_set(r, "query", "%s", p->query) &&
             hl_record_set(r, "padded", "%d", p->n_padded) &&
             hl_record_set(r, "cut", "%d", p->n_cut);
    return ok && hl_record_set(r, "steps", "%d", m->n_steps) && hl_record_set(r, "hands", "%d", n);
}

static enum hl_status
finish(struct machine *m, struct hl_error *err)
{
    uint8_t *bytes = hl_arena_new(m->run->scratch, m->plan->n_answer, uint8_t);
    if (!bytes)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the answer");
    m->run->record->output_logprob = read_back(m, bytes);
    enum hl_status st = hl_ntm_plan_record(&m->net->info, m->plan, bytes, m->run->record, err);
    if (st == HL_OK && !keep_settings(m))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st;
}

const struct hl_ntm_info *
hl_ntm_info(const struct hl_model_info *info)
{
    return info->network == &hl_network_ntm ? info->details : NULL;
}

static enum hl_status
ntm_run(struct hl_run *run, struct hl_error *err)
{
    struct hl_ntm_options hands = { 0 };
    const struct hl_request *q = run->req;
    const struct net *net = run->model->net;
    struct hl_ntm_plan plan = { 0 };
    struct machine m = { .run = run, .net = net, .plan = &plan };

    m.options = &hands;
    enum hl_status st = hl_ntm_read_hands(&net->info, q, &hands, err);
    if (st == HL_OK)
        st = hl_ntm_plan_text(&net->info, q->text ? q->text : "", run->scratch, &plan, err);
    if (st != HL_OK)
        return st;
    m.n_steps = plan.n_steps;
    if (!add_traces(&m) || !add_memory(&m) || !add_scratch(&m))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the memory of %d steps", m.n_steps);
    for (int t = 0; t < m.n_steps; t++) {
        st = hl_run_poll(run, err);
        if (st != HL_OK)
            return st;
        if (!step(&m, t))
            return hl_run_overflow(run, err);
    }
    return finish(&m, err);
}

const struct hl_network hl_network_ntm = {
    .key = "headlight-ntm",
    .kind = "Neural Turing Machine",
    .can = HL_CAN(TAPE),
    .inputs = HL_INPUT_TEXT | HL_INPUT_OVERRIDES,
    .open = ntm_open,
    .run = ntm_run,
};

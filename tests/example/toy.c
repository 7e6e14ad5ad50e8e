/* A toy network, to show what adding one takes: this file and one line in the list.
 *
 * Idea: each letter looks back at the letters before it that are like it.
 * Formula: e_ij = E[x_i]·E[x_j] / √D for j <= i; rows softmaxed.
 * Shapes: E [256,D]; the text's bytes x [n].
 * Picture: "self" [1,1,n,n]: doubled letters find each other. */
#include <math.h>
#include <string.h>

#include "io/weights.h"
#include "model/network.h"
#include "num/softmax.h"

enum { D = 8, MAX = 64 };

struct net {
    struct hl_weight table;
};

static const struct hl_option options[] = {
    { .key = "sharp",
      .label = "sharpness",
      .kind = HL_OPTION_REAL,
      .min = 0,
      .max = 10,
      .initial = 1,
      .tip = "Factor on every score." },
};

static enum hl_status
toy_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
         struct hl_error *err)
{
    struct net *net = hl_arena_new(&m->arena, 1, struct net);
    const struct hl_weight_spec spec = { "table", 0, HL_WEIGHT_MATRIX, 0, 0, 1, false };
    const int dims[] = { 256, D };
    const struct hl_weight_group group = { net, sizeof *net, 1, NULL };
    const struct hl_weight_plan plan = {
        .specs = &spec, .n_specs = 1, .groups = &group, .n_groups = 1, .dims = dims
    };
    (void)config;
    (void)generation;
    m->net = net;
    m->vocab = 256;
    if (!net)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    enum hl_status st = hl_weights_load(m->weights, &plan, &m->arena, err);
    return st == HL_OK ? hl_model_fact(m, err, "letters", "%d", 256) : st;
}

static enum hl_status
toy_run(struct hl_run *run, struct hl_error *err)
{
    const struct net *net = run->model->net;
    struct hl_record *r = run->record;
    const char *text = run->req->text ? run->req->text : "";
    int n = (int)strlen(text) < MAX ? (int)strlen(text) : MAX, axis;
    const int shape[] = { 1, 1, n, n };
    struct hl_token *t = hl_arena_new(&r->arena, n, struct hl_token);
    float *w = hl_arena_floats(&r->arena, n * n), rows[MAX][D];
    char *copy = hl_arena_strndup(&r->arena, text, (size_t)n);
    struct hl_map *m = hl_run_add_map(r, "self", HL_STAGE_WEIGHTS, shape, w);
    if (!t || !w || !copy || !m || !hl_record_axis(r, "source", HL_AXIS_TOKENS, n, &axis))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    for (int i = 0; i < n; i++) {
        const char *one = hl_arena_strndup(&r->arena, text + i, 1);
        t[i] = (struct hl_token) { (unsigned char)text[i], one, one, i, i + 1, 0, false };
        hl_weight_row(&net->table, (unsigned char)text[i], rows[i]);
        float e[MAX], factor = (float)(hl_run_option(run, "sharp") / sqrt(D));
        for (int j = 0; j <= i; j++) {
            e[j] = 0;
            for (int d = 0; d < D; d++)
                e[j] += rows[i][d] * rows[j][d] * factor;
        }
        hl_softmax(e, NULL, i + 1, 1, w + i * n);
    }
    r->axes[axis].tokens = t;
    r->axes[axis].text = copy;
    m->q_axis = m->k_axis = axis;
    m->causal = m->row_sum_one = true;
    return HL_OK;
}

const struct hl_network hl_network_toy = {
    .key = "toy",
    .kind = "Toy",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT,
    .n_options = 1,
    .options = options,
    .open = toy_open,
    .run = toy_run,
};

#include "model/network.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "model/network_list.h"

#define X(name) extern const struct hl_network hl_network_##name;
HL_NETWORK_LIST(X)
#undef X

#define X(name) &hl_network_##name,
static const struct hl_network *const networks[] = { HL_NETWORK_LIST(X) };
#undef X

enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

const struct hl_network *
hl_network_find(const char *key)
{
    for (int i = 0; i < N_NETWORKS; i++) {
        if (strcmp(networks[i]->key, key) == 0)
            return networks[i];
        for (const char *const *also = networks[i]->also; also && *also; also++) {
            if (strcmp(*also, key) == 0)
                return networks[i];
        }
    }
    return NULL;
}

const struct hl_network *const *
hl_network_all(int *n)
{
    *n = N_NETWORKS;
    return networks;
}

void
hl_network_keys(char *buf, size_t buf_sz)
{
    size_t at = 0;
    buf[0] = '\0';
    for (int i = 0; i < N_NETWORKS && at < buf_sz; i++) {
        int n = snprintf(buf + at, buf_sz - at, "%s%s", i > 0 ? ", " : "", networks[i]->key);
        at += n > 0 ? (size_t)n : 0;
    }
}

enum hl_status
hl_config_int(const struct hl_json *config, const char *key, int min, int max, int *out,
              struct hl_error *err)
{
    int64_t v = *out;
    enum hl_status st = hl_json_opt_int(config, key, min, max, HL_E_CONFIG, "config.json", &v, err);
    if (st == HL_OK)
        *out = (int)v;
    return st;
}

enum hl_status
hl_config_bool(const struct hl_json *config, const char *key, bool *out, struct hl_error *err)
{
    return hl_json_opt_bool(config, key, HL_E_CONFIG, "config.json", out, err);
}

enum hl_status
hl_model_fact(struct hl_model *m, struct hl_error *err, const char *name, const char *fmt, ...)
{
    int n = m->info.n_facts;
    struct hl_fact *facts = hl_arena_new(&m->arena, n + 1, struct hl_fact);
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const char *copy = facts ? hl_arena_strdup(&m->arena, text) : NULL;
    if (!copy)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    if (n > 0)
        memcpy(facts, m->info.facts, (size_t)n * sizeof *facts);
    facts[n] = (struct hl_fact) { name, copy };
    m->info.facts = facts;
    m->info.n_facts = n + 1;
    return HL_OK;
}

double
hl_run_option(const struct hl_run *run, const char *key)
{
    const struct hl_model_info *info = &run->model->info;
    const struct hl_option *o = hl_model_option(info, key);
    assert(o);
    return run->option[o - info->options];
}

int
hl_run_choice(const struct hl_run *run, const char *key)
{
    return (int)hl_run_option(run, key);
}

enum hl_status
hl_run_poll(const struct hl_run *run, struct hl_error *err)
{
    const atomic_bool *cancel = run->req->cancel;
    if (cancel && atomic_load_explicit(cancel, memory_order_relaxed))
        return hl_error_set(err, HL_E_CANCELLED, NULL, "between two steps");
    return HL_OK;
}

enum hl_status
hl_run_overflow(const struct hl_run *run, struct hl_error *err)
{
    return hl_error_set(err, HL_E_WEIGHTS, run->model->info.name,
                        "with them the numbers of this text grow beyond what a float holds");
}

/* Floats in the record's arena; NULL on overflow or without memory. */
static float *
keep(struct hl_record *r, const int *counts, int n_counts)
{
    size_t total = 1;
    for (int i = 0; i < n_counts; i++) {
        if (!hl_size_mul(total, (size_t)counts[i], &total))
            return NULL;
    }
    return hl_arena_floats(&r->arena, total);
}

struct hl_map *
hl_run_add_map(struct hl_record *r, const char *name, const char *stage, const int shape[4],
               const float *data)
{
    struct hl_map *m = hl_record_map(r, name, stage);
    if (!m)
        return NULL;
    m->n_layers = shape[0];
    m->n_heads = shape[1];
    m->n_q = shape[2];
    m->n_k = shape[3];
    m->data = data;
    return m;
}

struct hl_vectors *
hl_run_add_vectors(struct hl_record *r, const char *name, int axis, const int shape[3],
                   const float *data)
{
    struct hl_vectors *v = hl_record_vectors(r, name);
    if (!v)
        return NULL;
    v->axis = axis;
    v->n_layers = shape[0];
    v->n = shape[1];
    v->width = shape[2];
    v->data = data;
    return v;
}

struct hl_map *
hl_run_keep_map(struct hl_record *r, const char *name, const char *stage, const int shape[4],
                const float *p, size_t head_stride, size_t row_stride)
{
    size_t n_q = (size_t)shape[2], n_k = (size_t)shape[3];
    float *data = keep(r, shape, 4), *out = data;

    if (!data)
        return NULL;
    for (int block = 0; block < shape[0] * shape[1]; block++) {
        for (size_t q = 0; q < n_q; q++, out += n_k)
            memcpy(out, p + (size_t)block * head_stride + q * row_stride, n_k * sizeof *out);
    }
    return hl_run_add_map(r, name, stage, shape, data);
}

struct hl_vectors *
hl_run_keep_vectors(struct hl_record *r, const char *name, int axis, const int shape[3],
                    const float *p, size_t layer_stride)
{
    size_t layer = (size_t)shape[1] * (size_t)shape[2];
    float *data = keep(r, shape, 3);

    if (!data)
        return NULL;
    for (int l = 0; l < shape[0]; l++)
        memcpy(data + (size_t)l * layer, p + (size_t)l * layer_stride, layer * sizeof *data);
    return hl_run_add_vectors(r, name, axis, shape, data);
}

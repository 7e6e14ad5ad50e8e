#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/span.h"
#include "io/weights.h"
#include "model/network.h"

enum { CONFIG_MAX = 1 << 20 }; /* bytes; the largest known have 30,000 */

/* ---- opening ---- */

/* Parses dir/name. *doc stays NULL when the file is absent and not needed. */
static enum hl_status
read_json(struct hl_model *m, const char *name, bool needed, struct hl_json_doc **doc,
          struct hl_error *err)
{
    struct hl_map_file file = { 0 };
    struct hl_error own = { 0 };
    const char *path = hl_arena_printf(&m->arena, "%s/%s", m->info.dir, name);

    if (!path)
        return hl_error_set(err, HL_E_NOMEM, name, "while opening a model");
    enum hl_status st = hl_map_open(path, &file, &own);
    if (st == HL_E_NOT_FOUND && !needed)
        return HL_OK;
    if (st == HL_OK && file.n > CONFIG_MAX)
        st =
            hl_error_set(&own, HL_E_CONFIG, path, "it has %zu KB, and %d are the most that is read",
                         file.n / 1024, CONFIG_MAX / 1024);
    if (st == HL_OK)
        st = hl_json_parse((const char *)file.p, file.n, path, 32, doc, &own);
    hl_map_close(&file);
    if (st != HL_OK && err)
        *err = own;
    return st;
}

/* A hash that tells weights apart without reading all of them: FNV-1a over every
 * tensor's name, type, shape and a sample of its bytes, and the file's size. */
static uint64_t
sample_hash(const struct hl_st *st)
{
    size_t size = hl_st_size(st);
    uint64_t h = hl_fnv1a(0, &size, sizeof size);
    for (int i = 0; i < hl_st_n(st); i++) {
        const struct hl_st_tensor *t = hl_st_at(st, i);
        h = hl_fnv1a(h, t->name, strlen(t->name));
        h = hl_fnv1a(h, hl_st_dtype_name(t->dtype), strlen(hl_st_dtype_name(t->dtype)));
        h = hl_fnv1a(h, t->shape, (size_t)t->rank * sizeof t->shape[0]);
        size_t step = t->data_sz / 16 + 1;
        for (size_t at = 0; at < t->data_sz; at += step) {
            size_t n = t->data_sz - at < 32 ? t->data_sz - at : 32;
            h = hl_fnv1a(h, t->data + at, n);
        }
    }
    return h;
}

static bool
set_names(struct hl_model *m, const char *dir)
{
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/')
        n--;
    size_t at = n;
    while (at > 0 && dir[at - 1] != '/')
        at--;
    m->info.dir = hl_arena_strndup(&m->arena, dir, n);
    m->info.name = hl_arena_strndup(&m->arena, dir + at, n - at);
    return m->info.dir && m->info.name;
}

/* A checkpoint that only has a pickle gets a sentence of its own. */
static enum hl_status
open_weights(struct hl_model *m, struct hl_error *err)
{
    struct hl_error own = { 0 };
    struct hl_map_file pickle = { 0 };
    const char *path = hl_arena_printf(&m->arena, "%s/model.safetensors", m->info.dir);
    const char *bin = hl_arena_printf(&m->arena, "%s/pytorch_model.bin", m->info.dir);

    if (!path || !bin)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    enum hl_status st = hl_st_open(path, &m->weights, &own);
    if (st == HL_E_NOT_FOUND && hl_map_open(bin, &pickle, NULL) == HL_OK) {
        hl_map_close(&pickle);
        return hl_error_set(
            err, HL_E_UNSUPPORTED, bin,
            "a pickle can run code and is never read; save the model as safetensors");
    }
    if (st != HL_OK && err)
        *err = own;
    return st;
}

/* The heads that were taught, counted from 1 in the file. An entry that says none of what
 * is needed is left out: nothing depends on it but a word on screen. */
static enum hl_status
read_taught(struct hl_model *m, const struct hl_json *config, struct hl_error *err)
{
    const struct hl_json *list = hl_json_get(config, "headlight_taught_heads"), *e;
    int n = 0;
    for (e = hl_json_first(list); e; e = hl_json_next(e))
        n++;
    struct hl_taught *taught = hl_arena_new(&m->arena, n, struct hl_taught);
    if (!taught)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    m->info.taught = taught;
    for (e = hl_json_first(list); e; e = hl_json_next(e)) {
        const char *map = hl_json_string(hl_json_get(e, "map"));
        const char *of = hl_json_string(hl_json_get(e, "of"));
        int64_t layer, head;
        if (!map || !of || !hl_json_int(hl_json_get(e, "layer"), 1, INT32_MAX, &layer) ||
            !hl_json_int(hl_json_get(e, "head"), 1, INT32_MAX, &head))
            continue;
        map = hl_arena_strdup(&m->arena, map);
        of = hl_arena_strdup(&m->arena, of);
        if (!map || !of)
            return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
        taught[m->info.n_taught++] = (struct hl_taught) { map, (int)layer - 1, (int)head - 1, of };
    }
    return HL_OK;
}

static enum hl_status
open_network(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
             struct hl_error *err)
{
    const char *type = NULL, *title = NULL;
    enum hl_status st =
        hl_json_need_string(config, "model_type", HL_E_CONFIG, "config.json", &type, err);
    if (st == HL_OK)
        st = hl_json_opt_string(config, "title", HL_E_CONFIG, "config.json", &title, err);
    if (st != HL_OK)
        return st;
    m->network = hl_network_find(type);
    if (!m->network) {
        char list[256];
        hl_network_keys(list, sizeof list);
        return hl_error_set(err, HL_E_CONFIG, m->info.name, "model_type \"%s\" is none of: %s",
                            type, list);
    }
    m->info.network = m->network;
    m->info.n_options = m->network->n_options;
    m->info.options = m->network->options;
    m->info.bos_id = m->info.eos_id = m->info.pad_id = -1;
    m->info.title = title ? hl_arena_strdup(&m->arena, title)
                          : hl_model_make_title(&m->arena, m->info.name, m->network->kind);
    if (!m->info.title)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    st = open_weights(m, err);
    if (st != HL_OK)
        return st;
    m->info.weights_sz = hl_st_size(m->weights);
    int64_t n = hl_weights_n_params(m->weights);
    m->info.n_params = n < INT32_MAX ? (int)n : INT32_MAX;
    m->weights_hash = sample_hash(m->weights);
    st = read_taught(m, config, err);
    return st == HL_OK ? m->network->open(m, config, generation, err) : st;
}

static enum hl_status
open_tokeniser(struct hl_model *m, struct hl_error *err)
{
    enum hl_status st = hl_tok_open(m->info.dir, &m->tok, err);
    if (st == HL_OK && hl_tok_n(m->tok) > m->vocab) {
        return hl_error_set(err, HL_E_TOKENIZER, m->info.name,
                            "tokenizer.json has %d pieces, the model only %d", hl_tok_n(m->tok),
                            m->vocab);
    }
    return st;
}

/* What was read of weights that changed on disk may be anything. */
static enum hl_status
check_unchanged(const struct hl_model *m, struct hl_error *err)
{
    if (!m->weights || !hl_st_changed(m->weights))
        return HL_OK;
    return hl_error_set(err, HL_E_READ, hl_st_where(m->weights),
                        "it was changed on disk while it was open; start again to read it anew");
}

static enum hl_status
open_model(const char *dir, bool with_tok, struct hl_model **out, struct hl_error *err)
{
    struct hl_json_doc *config = NULL, *generation = NULL;
    struct hl_model *m = hl_alloc(1, sizeof *m);

    if (!m)
        return hl_error_set(err, HL_E_NOMEM, dir, "while opening a model");
    hl_arena_init(&m->arena, 256 * 1024, 0);
    enum hl_status st = HL_OK;
    if (!set_names(m, dir))
        st = hl_error_set(err, HL_E_NOMEM, dir, "while opening a model");
    if (st == HL_OK)
        st = read_json(m, "config.json", true, &config, err);
    if (st == HL_OK)
        st = read_json(m, "generation_config.json", false, &generation, err);
    if (st == HL_OK)
        st = open_network(m, hl_json_root(config), generation ? hl_json_root(generation) : NULL,
                          err);
    if (st == HL_OK && with_tok && m->network->tokeniser)
        st = open_tokeniser(m, err);
    if (m->weights && check_unchanged(m, NULL) != HL_OK)
        st = check_unchanged(m, err); /* before whatever that led to */
    hl_json_close(generation);
    hl_json_close(config);
    if (st != HL_OK) {
        hl_model_close(m);
        return st;
    }
    *out = m;
    return HL_OK;
}

enum hl_status
hl_model_open(const char *dir, struct hl_model **out, struct hl_error *err)
{
    return open_model(dir, true, out, err);
}

enum hl_status
hl_model_open_ids(const char *dir, struct hl_model **out, struct hl_error *err)
{
    return open_model(dir, false, out, err);
}

void
hl_model_close(struct hl_model *m)
{
    if (!m)
        return;
    hl_tok_close(m->tok);
    hl_st_close(m->weights);
    hl_arena_deinit(&m->arena);
    hl_free(m);
}

const struct hl_model_info *
hl_model_info(const struct hl_model *m)
{
    return &m->info;
}

const struct hl_tok *
hl_model_tok(const struct hl_model *m)
{
    return m->tok;
}

bool
hl_model_embedding(const struct hl_model *m, int32_t id, float *out)
{
    if (id < 0 || id >= m->vocab || !m->network->embedding)
        return false;
    m->network->embedding(m, id, out);
    return true;
}

/* ---- running ---- */

/* Option values of the request, checked against the model's rows. */
static enum hl_status
read_options(struct hl_run *run, struct hl_error *err)
{
    const struct hl_model_info *info = &run->model->info;
    const struct hl_request *q = run->req;

    for (int i = 0; i < info->n_options; i++)
        run->option[i] = info->options[i].initial;
    for (int k = 0; k < q->n_values; k++) {
        const struct hl_option *o = hl_model_option(info, q->values[k].key);
        if (!o)
            return hl_error_set(err, HL_E_ARGUMENT, q->values[k].key, "%s has no such option",
                                info->name);
        if (!hl_option_allows(o, q->values[k].v)) {
            char number[48];
            const struct hl_option plain = { .key = o->key, .kind = HL_OPTION_REAL };
            hl_option_print(&plain, q->values[k].v, number, sizeof number);
            double ignored;
            return hl_option_parse(o, number, &ignored, err);
        }
        run->option[o - info->options] = q->values[k].v;
    }
    return HL_OK;
}

/* An input that the network does not take would be left out silently. */
static enum hl_status
check_inputs(const struct hl_run *run, struct hl_error *err)
{
    const struct hl_request *q = run->req;
    const struct {
        bool given;
        unsigned kind;
        const char *name;
    } inputs[] = {
        { q->text && q->text[0], HL_INPUT_TEXT, "text" },
        { q->source_ids || q->decoder_ids, HL_INPUT_IDS, "ids" },
        { q->target, HL_INPUT_TARGET, "target" },
        { q->picture, HL_INPUT_PICTURE, "picture" },
        { q->numbers, HL_INPUT_NUMBERS, "numbers" },
        { q->n_overrides > 0, HL_INPUT_OVERRIDES, "overrides" },
    };
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        if (inputs[i].given && !(run->model->network->inputs & inputs[i].kind))
            return hl_error_set(err, HL_E_ARGUMENT, inputs[i].name, "%s takes none",
                                run->model->info.name);
    }
    return HL_OK;
}

static bool
keep_names(struct hl_run *run)
{
    struct hl_record *r = run->record;
    r->model = hl_arena_strdup(&r->arena, run->model->info.name);
    r->family = hl_arena_strdup(&r->arena, run->model->network->key);
    r->weights_hash = run->model->weights_hash;
    return r->model && r->family;
}

/* Numbers that are each finite can make scores that are not, and rows that sum to
 * nothing. With weights that no training leaves behind that is their fault, not ours. */
static enum hl_status
seal(struct hl_run *run, struct hl_error *err)
{
    const float most = 1e4F; /* of trained networks it is some tens */
    enum hl_status st = hl_record_seal(run->record, err);
    const struct hl_st *weights = run->model->weights;
    return st == HL_E_RECORD && weights && hl_weights_largest(weights) > most
               ? hl_run_overflow(run, err)
               : st;
}

enum hl_status
hl_model_run(const struct hl_model *m, const struct hl_request *req, struct hl_record **out,
             struct hl_error *err)
{
    struct hl_arena own;
    struct hl_run run = { .model = m, .req = req, .scratch = req->scratch ? req->scratch : &own };

    enum hl_status st = check_inputs(&run, err);
    if (st == HL_OK)
        st = read_options(&run, err);
    if (st != HL_OK)
        return st;
    run.record = hl_record_create();
    if (!run.record)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    hl_arena_init(&own, 1024 * 1024, 0);
    st = m->network->run(&run, err);
    hl_arena_deinit(&own);
    if (st != HL_E_CANCELLED && check_unchanged(m, NULL) != HL_OK)
        st = check_unchanged(m, err);
    if (st == HL_OK && !keep_names(&run))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    if (st == HL_OK)
        st = seal(&run, err);
    if (st != HL_OK) {
        hl_record_destroy(run.record);
        return st;
    }
    *out = run.record;
    return HL_OK;
}

/* ---- requests and what a model tells ---- */

bool
hl_request_set(struct hl_request *q, const char *key, double v)
{
    for (int i = 0; i < q->n_values; i++) {
        if (strcmp(q->values[i].key, key) == 0) {
            q->values[i].v = v;
            return true;
        }
    }
    if (q->n_values == HL_REQUEST_VALUES)
        return false;
    q->values[q->n_values++] = (struct hl_value) { key, v };
    return true;
}

double
hl_request_value(const struct hl_request *q, const char *key, double otherwise)
{
    for (int i = 0; i < q->n_values; i++) {
        if (strcmp(q->values[i].key, key) == 0)
            return q->values[i].v;
    }
    return otherwise;
}

bool
hl_model_can(const struct hl_model_info *info, uint32_t what)
{
    return info->network && (info->network->can & what) != 0;
}

const struct hl_option *
hl_model_option(const struct hl_model_info *info, const char *key)
{
    return hl_option_find(info->options, info->n_options, key);
}

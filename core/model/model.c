#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/span.h"
#include "io/weights.h"
#include "model/axes.h"
#include "model/family.h"
#include "model/generate.h"

enum { MAX_BEAM = 16, MAX_PASS_ROWS = 64 };

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

static enum hl_status
open_family(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
            struct hl_error *err)
{
    const char *type = NULL, *title = NULL;
    enum hl_status st =
        hl_json_need_string(config, "model_type", HL_E_CONFIG, "config.json", &type, err);
    if (st == HL_OK)
        st = hl_json_opt_string(config, "title", HL_E_CONFIG, "config.json", &title, err);
    if (st != HL_OK)
        return st;
    m->family = hl_family_find(type);
    if (!m->family) {
        char list[256];
        hl_family_list(list, sizeof list);
        return hl_error_set(err, HL_E_CONFIG, m->info.name, "model_type \"%s\" is none of: %s",
                            type, list);
    }
    m->info.family = m->family->key;
    m->info.kind = m->family->model_kind;
    m->info.title = title ? hl_arena_strdup(&m->arena, title)
                          : hl_model_make_title(&m->arena, m->info.name, m->family->kind);
    if (!m->info.title)
        return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
    st = open_weights(m, err);
    if (st != HL_OK)
        return st;
    m->info.weights_sz = hl_st_size(m->weights);
    int64_t n = hl_weights_n_params(m->weights);
    m->info.n_params = n < INT32_MAX ? (int)n : INT32_MAX;
    m->weights_hash = sample_hash(m->weights);
    return m->family->open(m, config, generation, err);
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
        st =
            open_family(m, hl_json_root(config), generation ? hl_json_root(generation) : NULL, err);
    if (st == HL_OK && with_tok && !m->family->run)
        st = open_tokeniser(m, err);
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
    if (id < 0 || id >= m->vocab || !m->family->embedding)
        return false;
    m->family->embedding(m, id, out);
    return true;
}

/* ---- running ---- */

/* The texts of a request as ids. */
struct job {
    struct hl_encoding source, target; /* when given as text */
    bool has_source, has_target;
    const char *text;
    const int32_t *input; /* forced decoder input, n_input of them */
    int n_input;
    int32_t last; /* token that follows the forced input, -1: the likeliest */
    enum hl_decode decode;
};

static enum hl_status
check_ids(const struct hl_model *m, const char *what, const int32_t *ids, int n,
          struct hl_error *err)
{
    for (int i = 0; i < n; i++) {
        if (ids[i] < 0 || ids[i] >= m->vocab) {
            return hl_error_set(err, HL_E_ARGUMENT, what, "id %d is outside the vocabulary of %d",
                                (int)ids[i], m->vocab);
        }
    }
    return HL_OK;
}

static enum hl_status
encode_text(struct hl_run *run, const char *what, const char *text, struct hl_encoding *enc,
            struct hl_error *err)
{
    if (!run->model->tok)
        return hl_error_set(err, HL_E_ARGUMENT, what, "this model was opened without a tokeniser");
    return hl_tok_encode(run->model->tok, text, strlen(text), true, run->scratch, enc, err);
}

/* A source over the limit keeps its beginning and its end token. */
static enum hl_status
cut_source(struct hl_run *run, const struct job *job, struct hl_error *err)
{
    int limit = run->model->family->source_limit(run->model, run->req);
    int n = run->n_source;
    if (n <= limit)
        return HL_OK;
    int32_t *ids = hl_arena_new(run->scratch, limit, int32_t);
    if (!ids)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d source tokens", limit);
    memcpy(ids, run->source, (size_t)limit * sizeof *ids);
    ids[limit - 1] = run->source[n - 1];
    run->source = ids;
    run->n_source = limit;
    run->record->n_dropped_tokens = n - limit;
    if (job->has_source)
        run->record->dropped_at = job->source.start[limit - 1];
    return HL_OK;
}

static enum hl_status
read_source(struct hl_run *run, struct job *job, struct hl_error *err)
{
    const struct hl_request *q = run->req;
    enum hl_status st;

    if (q->source_ids) {
        if (q->n_source_ids < 1)
            return hl_error_set(err, HL_E_ARGUMENT, "source ids", "none given");
        run->source = q->source_ids;
        run->n_source = q->n_source_ids;
        st = check_ids(run->model, "source ids", run->source, run->n_source, err);
    } else {
        job->text = q->text ? q->text : "";
        st = encode_text(run, "text", job->text, &job->source, err);
        job->has_source = st == HL_OK;
        run->source = job->source.ids;
        run->n_source = job->source.n;
    }
    if (st == HL_OK)
        st = cut_source(run, job, err);
    if (st != HL_OK)
        return st;
    struct hl_encoding enc = job->source;
    if (run->record->n_dropped_tokens > 0 && job->has_source) {
        /* the kept end token stands where a dropped one stood */
        enc.n = run->n_source - 1;
    }
    return hl_axes_source(run, job->has_source ? &enc : NULL, job->text, err);
}

/* The forced decoder input, if there is one. */
static enum hl_status
read_target(struct hl_run *run, struct job *job, struct hl_error *err)
{
    const struct hl_request *q = run->req;
    const struct hl_model *m = run->model;
    enum hl_status st;

    job->decode = q->decode;
    job->last = -1;
    if (q->decoder_ids) {
        job->input = q->decoder_ids;
        job->n_input = q->n_decoder_ids;
        st = check_ids(m, "decoder ids", job->input, job->n_input, err);
    } else if (q->target) {
        st = encode_text(run, "target", q->target, &job->target, err);
        job->has_target = st == HL_OK;
    } else if (q->decode == HL_DECODE_FORCED) {
        return hl_error_set(err, HL_E_ARGUMENT, "decode", "forced decoding needs a target");
    } else {
        return HL_OK;
    }
    if (st != HL_OK)
        return st;
    if (job->has_target) {
        /* the start token takes the place of the end token, which is predicted last */
        int n = job->target.n;
        int32_t *input = hl_arena_new(run->scratch, n, int32_t);
        if (!input)
            return hl_error_set(err, HL_E_NOMEM, NULL, "for the target");
        input[0] = m->info.bos_id;
        memcpy(input + 1, job->target.ids, (size_t)(n - 1) * sizeof *input);
        job->input = input;
        job->n_input = n;
        job->last = job->target.ids[n - 1];
    }
    if (job->n_input < 1)
        return hl_error_set(err, HL_E_ARGUMENT, "decoder ids", "none given");
    if (job->n_input > m->info.max_target) {
        return hl_error_set(err, HL_E_TOO_LONG, "target", "%d tokens, the limit is %d",
                            job->n_input, m->info.max_target);
    }
    if (job->decode != HL_DECODE_NONE)
        job->decode = HL_DECODE_FORCED;
    return HL_OK;
}

/* Decoder rows and lanes to make room for. */
static enum hl_status
plan(struct hl_run *run, const struct job *job, struct hl_error *err)
{
    const struct hl_request *q = run->req;
    int limit = run->model->info.max_target;
    int want = q->max_target > 0 ? q->max_target : 2 * run->n_source + 16;

    run->cap = want < limit ? want : limit;
    run->n_lanes = 1;
    run->max_rows = 1 + (q->draft && q->n_draft > 0 ? q->n_draft : 0);
    switch (job->decode) {
    case HL_DECODE_FORCED:
        run->cap = run->max_rows = job->n_input;
        break;
    case HL_DECODE_BEAM:
        if (q->beam < 2 || q->beam > MAX_BEAM)
            return hl_error_set(err, HL_E_ARGUMENT, "beam", "%d is not in 2..%d", q->beam,
                                MAX_BEAM);
        run->n_lanes = q->beam;
        run->max_rows = run->cap;
        break;
    case HL_DECODE_NONE:
        run->cap = 0;
        run->max_rows = 1;
        break;
    case HL_DECODE_GREEDY:
    case HL_DECODE_COUNT:
        break;
    }
    if (run->max_rows > MAX_PASS_ROWS)
        run->max_rows = MAX_PASS_ROWS;
    if (run->max_rows < run->n_lanes)
        run->max_rows = run->n_lanes;
    return HL_OK;
}

static enum hl_status
generate(struct hl_run *run, const struct job *job, struct hl_output *out, struct hl_error *err)
{
    enum hl_status st = hl_output_init(run, run->cap, out, err);
    if (st != HL_OK)
        return st;
    if (job->decode == HL_DECODE_FORCED)
        return hl_generate_forced(run, job->input, job->n_input, job->last, out, err);
    if (job->decode == HL_DECODE_BEAM)
        return hl_generate_beam(run, out, err);
    return hl_generate_greedy(run, out, err);
}

static bool
keep_names(struct hl_run *run)
{
    struct hl_record *r = run->record;
    r->model = hl_arena_strdup(&r->arena, run->model->info.name);
    r->family = hl_arena_strdup(&r->arena, run->model->info.family);
    r->weights_hash = run->model->weights_hash;
    return r->model && r->family;
}

static bool
keep_settings(struct hl_run *run, const struct job *job)
{
    static const char *const names[] = { "greedy", "beam", "forced", "none" };
    _Static_assert(sizeof names / sizeof names[0] == HL_DECODE_COUNT, "a name for each decoding");
    const struct hl_request *q = run->req;
    struct hl_record *r = run->record;
    bool ok = true;

    if (run->model->info.has_scores)
        ok = hl_record_set(r, "score", "%s", q->score ? q->score : "additive");
    ok = ok && hl_record_set(r, "decode", "%s", names[job->decode]);
    if (job->decode == HL_DECODE_BEAM)
        ok = ok && hl_record_set(r, "beam", "%d", q->beam);
    if (q->no_positions_encoder)
        ok = ok && hl_record_set(r, "encoder-positions", "off");
    if (q->no_positions_decoder)
        ok = ok && hl_record_set(r, "decoder-positions", "off");
    return ok && keep_names(run);
}

/* Memory and images: the family does it all. */
static enum hl_status
run_family(struct hl_run *run, struct hl_error *err)
{
    enum hl_status st = run->model->family->run(run, err);
    if (st == HL_OK && !keep_names(run))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st == HL_OK ? hl_record_seal(run->record, err) : st;
}

static enum hl_status
run_all(struct hl_run *run, struct hl_error *err)
{
    struct job job = { .last = -1 };
    struct hl_output out = { 0 };

    enum hl_status st = read_source(run, &job, err);
    if (st == HL_OK)
        st = read_target(run, &job, err);
    if (st == HL_OK)
        st = plan(run, &job, err);
    if (st == HL_OK)
        st = run->model->family->begin(run, err);
    if (st == HL_OK && job.decode != HL_DECODE_NONE) {
        st = generate(run, &job, &out, err);
        if (st == HL_OK)
            st = hl_axes_target(run, &out, job.has_target ? &job.target : NULL, run->req->target,
                                err);
    }
    if (st == HL_OK)
        st = run->model->family->record(run, out.n, err);
    if (st == HL_OK && !keep_settings(run, &job))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st == HL_OK ? hl_record_seal(run->record, err) : st;
}

enum hl_status
hl_model_run(const struct hl_model *m, const struct hl_request *req, struct hl_record **out,
             struct hl_error *err)
{
    struct hl_arena own;
    struct hl_run run = { .model = m, .req = req, .scratch = req->scratch ? req->scratch : &own };

    if ((int)req->decode < 0 || req->decode >= HL_DECODE_COUNT)
        return hl_error_set(err, HL_E_ARGUMENT, "decode", "%d", (int)req->decode);
    if (req->draft) {
        enum hl_status bad = check_ids(m, "draft", req->draft, req->n_draft, err);
        if (bad != HL_OK)
            return bad;
    }
    run.record = hl_record_create();
    if (!run.record)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    hl_arena_init(&own, 1024 * 1024, 0);
    enum hl_status st = m->family->run ? run_family(&run, err) : run_all(&run, err);
    hl_arena_deinit(&own);
    if (st != HL_OK) {
        hl_record_destroy(run.record);
        return st;
    }
    *out = run.record;
    return HL_OK;
}

#include "model/translate.h"

#include <string.h>

#include "model/axes.h"
#include "model/generate.h"

enum { MAX_PASS_ROWS = 64 };

enum decoding { GREEDY, BEAM, FORCED, NONE, N_DECODINGS };

/* The texts of a request as ids. */
struct job {
    struct hl_encoding source, target; /* when given as text */
    bool has_source, has_target;
    const char *text;
    const int32_t *input; /* forced decoder input, n_input of them */
    int n_input;
    int32_t last; /* token that follows the forced input, -1: the likeliest */
    enum decoding decoding;
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
encode_text(struct hl_translation *tr, const char *what, const char *text, struct hl_encoding *enc,
            struct hl_error *err)
{
    if (!tr->run->model->tok)
        return hl_error_set(err, HL_E_ARGUMENT, what, "this model was opened without a tokeniser");
    return hl_tok_encode(tr->run->model->tok, text, strlen(text), true, tr->run->scratch, enc, err);
}

/* A source over the limit keeps its beginning and its end token. */
static enum hl_status
cut_source(struct hl_translation *tr, const struct job *job, struct hl_error *err)
{
    int limit = tr->how->source_limit(tr->run);
    int n = tr->n_source;
    if (n <= limit)
        return HL_OK;
    int32_t *ids = hl_arena_new(tr->run->scratch, limit, int32_t);
    if (!ids)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d source tokens", limit);
    memcpy(ids, tr->source, (size_t)limit * sizeof *ids);
    ids[limit - 1] = tr->source[n - 1];
    tr->source = ids;
    tr->n_source = limit;
    tr->run->record->n_dropped_tokens = n - limit;
    if (job->has_source)
        tr->run->record->dropped_at = job->source.start[limit - 1];
    return HL_OK;
}

static enum hl_status
read_source(struct hl_translation *tr, struct job *job, struct hl_error *err)
{
    const struct hl_request *q = tr->run->req;
    enum hl_status st;

    if (q->source_ids) {
        if (q->n_source_ids < 1)
            return hl_error_set(err, HL_E_ARGUMENT, "source ids", "none given");
        tr->source = q->source_ids;
        tr->n_source = q->n_source_ids;
        st = check_ids(tr->run->model, "source ids", tr->source, tr->n_source, err);
    } else {
        job->text = q->text ? q->text : "";
        st = encode_text(tr, "text", job->text, &job->source, err);
        job->has_source = st == HL_OK;
        tr->source = job->source.ids;
        tr->n_source = job->source.n;
        if (st == HL_OK && tr->n_source < 1)
            st = hl_error_set(err, HL_E_ARGUMENT, "text",
                              "the tokeniser makes no token of it, not even an end token");
    }
    if (st == HL_OK)
        st = cut_source(tr, job, err);
    if (st != HL_OK)
        return st;
    struct hl_encoding enc = job->source;
    if (tr->run->record->n_dropped_tokens > 0 && job->has_source) {
        /* the kept end token stands where a dropped one stood */
        enc.n = tr->n_source - 1;
    }
    return hl_axes_source(tr->run, tr->source, tr->n_source, job->has_source ? &enc : NULL,
                          job->text, err);
}

/* The forced decoder input, if there is one. */
static enum hl_status
read_target(struct hl_translation *tr, struct job *job, struct hl_error *err)
{
    const struct hl_request *q = tr->run->req;
    const struct hl_model *m = tr->run->model;
    enum hl_status st;

    bool off = hl_run_choice(tr->run, "decode") == 0;
    job->decoding = off ? NONE : hl_run_choice(tr->run, "beam") > 1 ? BEAM : GREEDY;
    job->last = -1;
    if (q->decoder_ids) {
        job->input = q->decoder_ids;
        job->n_input = q->n_decoder_ids;
        st = check_ids(m, "decoder ids", job->input, job->n_input, err);
    } else if (q->target) {
        st = encode_text(tr, "target", q->target, &job->target, err);
        job->has_target = st == HL_OK;
    } else {
        return HL_OK;
    }
    if (st != HL_OK)
        return st;
    if (job->has_target) {
        /* the start token takes the place of the end token, which is predicted last */
        int n = job->target.n;
        if (n < 1)
            return hl_error_set(err, HL_E_ARGUMENT, "target",
                                "the tokeniser makes no token of it, not even an end token");
        int32_t *input = hl_arena_new(tr->run->scratch, n, int32_t);
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
    if (job->decoding != NONE)
        job->decoding = FORCED;
    return HL_OK;
}

/* Decoder rows and lanes to make room for. */
static void
plan(struct hl_translation *tr, const struct job *job)
{
    const struct hl_request *q = tr->run->req;
    int limit = tr->run->model->info.max_target;
    int max = hl_run_choice(tr->run, "max");
    int want = max > 0 ? max : 2 * tr->n_source + 16;

    tr->cap = want < limit ? want : limit;
    tr->n_lanes = 1;
    tr->max_rows = 1 + (q->draft && q->n_draft > 0 ? q->n_draft : 0);
    switch (job->decoding) {
    case FORCED:
        tr->cap = tr->max_rows = job->n_input;
        break;
    case BEAM:
        tr->n_lanes = hl_run_choice(tr->run, "beam");
        tr->max_rows = tr->cap;
        break;
    case NONE:
        tr->cap = 0;
        tr->max_rows = 1;
        break;
    case GREEDY:
    case N_DECODINGS:
        break;
    }
    if (tr->max_rows > MAX_PASS_ROWS)
        tr->max_rows = MAX_PASS_ROWS;
    if (tr->max_rows < tr->n_lanes)
        tr->max_rows = tr->n_lanes;
}

static enum hl_status
generate(struct hl_translation *tr, const struct job *job, struct hl_output *out,
         struct hl_error *err)
{
    enum hl_status st = hl_output_init(tr, tr->cap, out, err);
    if (st != HL_OK)
        return st;
    if (job->decoding == FORCED)
        return hl_generate_forced(tr, job->input, job->n_input, job->last, out, err);
    if (job->decoding == BEAM)
        return hl_generate_beam(tr, out, err);
    return hl_generate_greedy(tr, out, err);
}

/* Each of the network's options as it stands, and how the target came about. */
static bool
keep_settings(struct hl_run *run, const struct job *job)
{
    static const char *const names[] = { "greedy", "beam", "forced", "none" };
    _Static_assert(sizeof names / sizeof names[0] == N_DECODINGS, "a name for each decoding");
    const struct hl_model_info *info = &run->model->info;
    bool ok = true;

    for (int i = 0; i < info->n_options; i++) {
        const struct hl_option *o = &info->options[i];
        char value[64];
        bool told = o->kind == HL_OPTION_CHOICE || run->option[i] != o->initial;
        if (told && strcmp(o->key, "decode") != 0)
            ok = ok && hl_record_set(run->record, o->key, "%s",
                                     hl_option_print(o, run->option[i], value, sizeof value));
    }
    return ok && hl_record_set(run->record, "decode", "%s", names[job->decoding]);
}

enum hl_status
hl_translate(struct hl_run *run, const struct hl_translator *how, struct hl_error *err)
{
    struct hl_translation translation = { .run = run, .how = how }, *tr = &translation;
    struct job job = { .last = -1 };
    struct hl_output out = { 0 };

    enum hl_status st = HL_OK;
    if (run->req->draft)
        st = check_ids(run->model, "draft", run->req->draft, run->req->n_draft, err);
    if (st == HL_OK)
        st = read_source(tr, &job, err);
    if (st == HL_OK)
        st = read_target(tr, &job, err);
    if (st != HL_OK)
        return st;
    plan(tr, &job);
    st = how->begin(tr, err);
    if (st == HL_OK && job.decoding != NONE) {
        st = generate(tr, &job, &out, err);
        if (st == HL_OK)
            st = hl_axes_target(tr, &out, job.has_target ? &job.target : NULL, run->req->target,
                                err);
    }
    if (st == HL_OK)
        st = how->record(tr, out.n, err);
    if (st == HL_OK && !keep_settings(run, &job))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return st;
}

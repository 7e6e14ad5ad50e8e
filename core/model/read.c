#include "model/read.h"

#include <string.h>

#include "model/axes.h"

static enum hl_status
check_ids(const struct hl_model *m, const int32_t *ids, int n, struct hl_error *err)
{
    for (int i = 0; i < n; i++) {
        if (ids[i] < 0 || ids[i] >= m->vocab) {
            return hl_error_set(err, HL_E_ARGUMENT, "ids", "id %d is outside the vocabulary of %d",
                                (int)ids[i], m->vocab);
        }
    }
    return HL_OK;
}

/* The ids as given or as the tokeniser cuts the text, borrowed. */
static enum hl_status
find_ids(struct hl_run *run, struct hl_read *out, const int32_t **ids, struct hl_error *err)
{
    const struct hl_request *q = run->req;
    const struct hl_model *m = run->model;

    if (q->source_ids && q->decoder_ids)
        return hl_error_set(err, HL_E_ARGUMENT, "ids", "%s reads one list, not two", m->info.name);
    if (q->source_ids || q->decoder_ids) {
        *ids = q->source_ids ? q->source_ids : q->decoder_ids;
        out->n = q->source_ids ? q->n_source_ids : q->n_decoder_ids;
    } else {
        out->text = q->text ? q->text : "";
        if (!m->tok)
            return hl_error_set(err, HL_E_ARGUMENT, "text",
                                "this model was opened without a tokeniser");
        enum hl_status st =
            hl_tok_encode(m->tok, out->text, strlen(out->text), true, run->scratch, &out->enc, err);
        if (st != HL_OK)
            return st;
        *ids = out->enc.ids;
        out->n = out->enc.n;
    }
    return check_ids(m, *ids, out->n, err);
}

enum hl_status
hl_read_tokens(struct hl_run *run, int limit, bool keep_end, struct hl_read *out,
               struct hl_error *err)
{
    const int32_t *ids = NULL;
    *out = (struct hl_read) { 0 };
    enum hl_status st = find_ids(run, out, &ids, err);
    if (st != HL_OK)
        return st;
    int n = out->n < limit ? out->n : limit;
    int32_t *copy = hl_arena_new(run->scratch, n, int32_t);
    if (!copy)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d tokens", n);
    if (n > 0)
        memcpy(copy, ids, (size_t)n * sizeof *copy);
    out->ids = copy;
    if (n == out->n)
        return HL_OK;
    int kept = n;
    if (keep_end && n > 0)
        copy[--kept] = ids[out->n - 1];
    run->record->n_dropped_tokens = out->n - n;
    if (out->text)
        run->record->dropped_at = out->enc.start[kept];
    out->n = n;
    out->enc.n = kept; /* a kept end stands where a dropped token stood */
    return HL_OK;
}

enum hl_status
hl_read_axis(const struct hl_run *run, const struct hl_read *read, struct hl_error *err)
{
    return hl_axes_source(run, read->ids, read->n, read->text ? &read->enc : NULL, read->text, err);
}

enum hl_status
hl_read_no_memory(const struct hl_model *m, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, m->info.name, "while opening a model");
}

enum hl_status
hl_config_ints(const struct hl_json *config, const struct hl_config_row *rows, int n,
               struct hl_error *err)
{
    enum hl_status st = HL_OK;
    for (int i = 0; i < n && st == HL_OK; i++)
        st = hl_config_int(config, rows[i].key, rows[i].min, rows[i].max, rows[i].out, err);
    return st;
}

enum hl_status
hl_config_eps(const struct hl_json *config, const char *key, float *out, struct hl_error *err)
{
    double v = (double)*out;
    enum hl_status st = hl_json_opt_double(config, key, HL_E_CONFIG, "config.json", &v, err);
    if (st == HL_OK && !(v >= 0 && v <= 1))
        return hl_error_set(err, HL_E_CONFIG, "config.json", "%s should be from 0 to 1", key);
    if (st == HL_OK)
        *out = (float)v;
    return st;
}

enum hl_status
hl_config_act(const struct hl_json *config, const char *key, enum hl_act *out, struct hl_error *err)
{
    const char *name = NULL;
    enum hl_status st = hl_json_opt_string(config, key, HL_E_CONFIG, "config.json", &name, err);
    if (st == HL_OK && name && !hl_act_by_name(name, out))
        return hl_error_set(err, HL_E_CONFIG, "config.json", "%s \"%.60s\" is not known", key,
                            name);
    return st;
}

enum hl_status
hl_read_facts(struct hl_model *m, int layers, int heads, int width, struct hl_error *err)
{
    enum hl_status st = hl_model_fact(m, err, "layers", "%d", layers);
    if (st == HL_OK)
        st = hl_model_fact(m, err, "heads", "%d", heads);
    return st == HL_OK ? hl_model_fact(m, err, "width", "%d", width) : st;
}

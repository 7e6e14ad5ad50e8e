#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "base/span.h"
#include "base/utf8.h"
#include "cli_image.h"
#include "io/record_json.h"
#include "model/network.h"

static const char default_model[] = "en-fr-transformer";

int
cli_fail(const struct hl_error *err)
{
    char line[1400];
    hl_error_text(err, line, sizeof line);
    fflush(stdout);
    fprintf(stderr, "headlight: %s\n", line);
    return err->code == HL_E_ARGUMENT ? 2 : 1;
}

/* One job of a command: turns a line of input into a line of output. */
struct job {
    const struct hl_args *args;
    const struct hl_model *model;
    const struct hl_tok *tok;
    struct hl_request req;
    int exchange;           /* light and dark of a picture: see cli_image.h */
    struct hl_arena arena;  /* of one line */
    struct hl_arena inputs; /* of all lines */
    struct hl_sb out;
};

typedef enum hl_status (*line_fn)(struct job *j, const char *line, size_t n, struct hl_error *err);

/* Writes what the job made. A closed pipe or a full disk is an error. */
static enum hl_status
flush_job(struct job *j, struct hl_error *err)
{
    if (j->out.failed)
        return hl_error_set(err, HL_E_NOMEM, NULL, "the output did not fit into memory");
    if (j->out.n && fwrite(j->out.p, 1, j->out.n, stdout) != j->out.n)
        return hl_error_set(err, HL_E_WRITE, "standard output", "%s", strerror(errno));
    if (fflush(stdout) != 0)
        return hl_error_set(err, HL_E_WRITE, "standard output", "%s", strerror(errno));
    j->out.n = 0;
    return HL_OK;
}

static enum hl_status
run_line(struct job *j, line_fn fn, const char *line, size_t n, struct hl_error *err)
{
    hl_arena_reset(&j->arena);
    size_t clean_n;
    char *clean = hl_utf8_repair(&j->arena, line, n, &clean_n);
    if (!clean)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for a line of %zu bytes", n);
    enum hl_status st = fn(j, clean, clean_n, err);
    return st == HL_OK ? flush_job(j, err) : st;
}

/* The text given, or every line of standard input. */
static int
run_job(struct job *j, line_fn fn)
{
    struct hl_error err = { 0 };
    enum hl_status st = HL_OK;
    if (j->args->image && !j->args->text) {
        st = run_line(j, fn, "", 0, &err);
    } else if (j->args->text) {
        st = run_line(j, fn, j->args->text, strlen(j->args->text), &err);
    } else {
        char *line = NULL;
        size_t cap = 0;
        ssize_t n;
        while (st == HL_OK && (n = getline(&line, &cap, stdin)) >= 0) {
            while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
                n--;
            st = run_line(j, fn, line, (size_t)n, &err);
        }
        if (st == HL_OK && ferror(stdin))
            st = hl_error_set(&err, HL_E_READ, "standard input", "%s", strerror(errno));
        free(line);
    }
    hl_arena_deinit(&j->arena);
    hl_arena_deinit(&j->inputs);
    hl_sb_deinit(&j->out);
    return st == HL_OK ? 0 : cli_fail(&err);
}

/* One KEY=VALUE of the command line: an option of the model, or an input. */
static enum hl_status
set_key(struct job *j, const char *key, const char *value, struct hl_error *err)
{
    const struct hl_model_info *info = hl_model_info(j->model);
    const struct hl_option *o = hl_model_option(info, key);
    double v;
    if (strcmp(key, "target") == 0 && info->network->inputs & HL_INPUT_TARGET) {
        j->req.target = value;
        return HL_OK;
    }
    if (strcmp(key, "invert") == 0 && info->picture_side > 0)
        return cli_image_invert(value, &j->exchange, err);
    if (!o)
        return hl_error_set(err, HL_E_ARGUMENT, key, "%s has no such key (see --help)", info->name);
    enum hl_status st = hl_option_parse(o, value, &v, err);
    if (st == HL_OK)
        hl_request_set(&j->req, o->key, v);
    return st;
}

static enum hl_status
prepare(struct job *j, struct hl_library *lib, const struct hl_args *a, struct hl_error *err)
{
    memset(j, 0, sizeof *j);
    j->args = a;
    hl_arena_init(&j->arena, 64 * 1024, 0);
    hl_arena_init(&j->inputs, 64 * 1024, 0);
    enum hl_status st = library_get(lib, a->model ? a->model : default_model, &j->model, err);
    if (st != HL_OK)
        return st;
    if (a->beam > 0)
        hl_request_set(&j->req, "beam", a->beam);
    j->req.target = a->target;
    j->exchange = -1;
    for (int i = 0; st == HL_OK && i < a->n_set; i++)
        st = set_key(j, a->set[i].key, a->set[i].value, err);
    return st;
}

/* A target of the command line may hold any bytes, as a text may. */
static enum hl_status
repair_target(struct job *j, struct hl_request *req, struct hl_error *err)
{
    size_t n;
    if (!req->target)
        return HL_OK;
    req->target = hl_utf8_repair(&j->arena, req->target, strlen(req->target), &n);
    return req->target ? HL_OK : hl_error_set(err, HL_E_NOMEM, "target", "it did not fit");
}

static enum hl_status
parse_ids(struct job *j, struct hl_error *err)
{
    const char *s = j->args->decoder_ids;
    size_t cap = strlen(s) / 2 + 1;
    int32_t *ids = malloc(cap * sizeof *ids);
    if (!ids)
        return hl_error_set(err, HL_E_NOMEM, "--decoder-ids", "too many");
    int n = 0;
    while (*s) {
        char *end;
        errno = 0;
        long v = strtol(s, &end, 10);
        if (end == s || errno || v < 0 || v > INT32_MAX || (*end && !strchr(" ,", *end))) {
            free(ids);
            return hl_error_set(err, HL_E_ARGUMENT, "--decoder-ids",
                                "'%s' is not a list of token numbers", j->args->decoder_ids);
        }
        ids[n++] = (int32_t)v;
        s = end + strspn(end, " ,");
    }
    j->req.decoder_ids = ids;
    j->req.n_decoder_ids = n;
    return HL_OK;
}

/* One head's kind and scores: {"map","layer","head","kind","scores":{kind:score}}. */
static void
put_head(struct hl_sb *out, const struct hl_kinds *k, int layer, int head)
{
    struct hl_head_profile p = hl_kinds_profile(k, layer, head);
    hl_sb_printf(out, "{\"map\":\"%s\",\"layer\":%d,\"head\":%d,\"kind\":\"%s\",\"scores\":{",
                 k->map->name, layer, head, hl_head_kind_name(p.kind));
    bool first = true;
    for (int i = HL_HEAD_MIXED + 1; i < HL_HEAD_COUNT; i++) {
        if (p.score[i] <= 0)
            continue;
        hl_sb_printf(out, "%s\"%s\":", first ? "" : ",", hl_head_kind_name((enum hl_head_kind)i));
        hl_sb_num(out, p.score[i], 4);
        first = false;
    }
    hl_sb_puts(out, "}}");
}

/* Adds "heads", the kinds of a translator's heads, to the object that was just closed. */
static enum hl_status
put_heads(struct job *j, const struct hl_record *r, struct hl_error *err)
{
    bool first = true;
    j->out.n -= j->out.failed ? 0 : 1;
    hl_sb_puts(&j->out, ",\"heads\":[");
    for (int i = 0; i < r->n_maps; i++) {
        const struct hl_map *m = &r->maps[i];
        struct hl_kinds k;
        if (m->rule != HL_RULE_WEIGHTS || strcmp(m->stage, HL_STAGE_WEIGHTS) != 0 ||
            !r->axes[m->q_axis].tokens || !r->axes[m->k_axis].tokens)
            continue;
        if (!hl_kinds_prepare(r, m, &j->arena, &k))
            return hl_error_set(err, HL_E_NOMEM, "heads", "%s", "");
        for (int n = 0; n < m->n_layers * m->n_heads; n++) {
            hl_sb_puts(&j->out, first ? "" : ",");
            put_head(&j->out, &k, n / m->n_heads, n % m->n_heads);
            first = false;
        }
    }
    hl_sb_puts(&j->out, "]}");
    return HL_OK;
}

static enum hl_status
dump_line(struct job *j, const char *line, size_t n, struct hl_error *err)
{
    struct hl_request req = j->req;
    /* a machine that takes bytes takes tabs, too */
    char *tab = j->args->text || !hl_model_tok(j->model) ? NULL : strchr(line, '\t');
    if (tab) {
        *tab = '\0';
        req.target = tab + 1;
    }
    (void)n;
    req.text = line;
    struct hl_record *r = NULL;
    enum hl_status st = repair_target(j, &req, err);
    if (st == HL_OK)
        st = hl_model_run(j->model, &req, &r, err);
    if (st != HL_OK)
        return st;
    hl_record_json(r, j->args->all_stages, &j->out);
    if (hl_model_tok(j->model))
        st = put_heads(j, r, err);
    hl_sb_putc(&j->out, '\n');
    hl_record_destroy(r);
    return st;
}

static enum hl_status
take_image(struct job *j, struct hl_error *err)
{
    const struct hl_model_info *info = hl_model_info(j->model);
    int side = info->picture_side;
    if (side == 0)
        return hl_error_set(err, HL_E_ARGUMENT, "--image",
                            "%s takes no pictures (sagan-fashion does)", info->name);
    float *px = hl_arena_floats(&j->inputs, side * side);
    if (!px)
        return hl_error_set(err, HL_E_NOMEM, "--image", "for the picture");
    j->req.picture = px;
    j->req.n_picture = side * side;
    return cli_image_open(side, j->exchange, j->args->image, px, err);
}

int
cli_dump(struct hl_library *lib, const struct hl_args *a)
{
    struct job j;
    struct hl_error err = { 0 };
    if (a->text_pair) {
        hl_error_set(&err, HL_E_UNSUPPORTED, "--text-pair",
                     "none of the models of this version takes it");
        return cli_fail(&err);
    }
    if (prepare(&j, lib, a, &err) != HL_OK || (a->image && take_image(&j, &err) != HL_OK) ||
        (a->decoder_ids && parse_ids(&j, &err) != HL_OK)) {
        hl_arena_deinit(&j.arena);
        hl_arena_deinit(&j.inputs);
        return cli_fail(&err);
    }
    j.req.keep_scores = j.req.keep_vectors = a->all_stages;
    j.req.keep_logits = true;
    int status = run_job(&j, dump_line);
    free((void *)(uintptr_t)j.req.decoder_ids);
    return status;
}

static bool
is_blank(const char *line, size_t n)
{
    for (size_t at = 0; at < n;) {
        uint32_t cp;
        at += hl_utf8_next(line + at, n - at, &cp);
        if (!hl_utf8_is_space(cp))
            return false;
    }
    return true;
}

/* What the model did not read: on standard error, as the output is the translation. */
static void
tell_dropped(const struct hl_record *r)
{
    int n = r->n_dropped_tokens;
    if (n == 1)
        fprintf(stderr, "headlight: the text is longer than the model reads: its last token was "
                        "left out.\n");
    else if (n > 1)
        fprintf(stderr,
                "headlight: the text is longer than the model reads: its last %d tokens were left "
                "out, from byte %d on.\n",
                n, (int)r->dropped_at);
}

static enum hl_status
translate_line(struct job *j, const char *line, size_t n, struct hl_error *err)
{
    struct hl_request req = j->req;
    req.text = line;
    if (is_blank(line, n)) {
        hl_sb_putc(&j->out, '\n');
        return HL_OK;
    }
    struct hl_record *r = NULL;
    enum hl_status st = repair_target(j, &req, err);
    if (st == HL_OK)
        st = hl_model_run(j->model, &req, &r, err);
    if (st != HL_OK)
        return st;
    tell_dropped(r);
    hl_sb_puts(&j->out, r->output_text ? r->output_text : "");
    if (j->out.n)
        hl_utf8_blank_controls(j->out.p, j->out.n); /* it is one line */
    hl_sb_putc(&j->out, '\n');
    hl_record_destroy(r);
    return HL_OK;
}

int
cli_translate(struct hl_library *lib, const struct hl_args *a)
{
    struct job j;
    struct hl_error err = { 0 };
    enum hl_status st = prepare(&j, lib, a, &err);
    if (st == HL_OK && !hl_model_tok(j.model))
        st = hl_error_set(&err, HL_E_ARGUMENT, hl_model_info(j.model)->name,
                          "it is no translator; 'headlight dump' shows what it does");
    if (st != HL_OK) {
        hl_arena_deinit(&j.arena);
        return cli_fail(&err);
    }
    return run_job(&j, translate_line);
}

static enum hl_status
tokenize_line(struct job *j, const char *line, size_t n, struct hl_error *err)
{
    const struct hl_tok *tok = j->tok;
    struct hl_encoding e;
    enum hl_status st = hl_tok_encode(tok, line, n, true, &j->arena, &e, err);
    if (st != HL_OK)
        return st;
    hl_sb_puts(&j->out, "{\"ids\":[");
    for (int i = 0; i < e.n; i++)
        hl_sb_printf(&j->out, "%s%d", i ? "," : "", e.ids[i]);
    hl_sb_puts(&j->out, "],\"pieces\":[");
    for (int i = 0; i < e.n; i++) {
        const char *piece = hl_tok_piece(tok, e.ids[i]);
        hl_sb_puts(&j->out, i ? "," : "");
        hl_sb_json(&j->out, piece, strlen(piece));
    }
    hl_sb_puts(&j->out, "],\"spans\":[");
    for (int i = 0; i < e.n; i++) {
        hl_sb_puts(&j->out, i ? "," : "");
        if (e.start[i] < 0)
            hl_sb_puts(&j->out, "null");
        else
            hl_sb_printf(&j->out, "[%d,%d]", e.start[i], e.end[i]);
    }
    hl_sb_puts(&j->out, "]}\n");
    return HL_OK;
}

/* A model whose texts are bytes has no tokeniser to open: said in its own words. */
static void
explain_no_tokeniser(const char *dir, struct hl_error *err)
{
    struct hl_model *m = NULL;
    if (err->code == HL_E_NOT_FOUND && hl_model_open(dir, &m, NULL) == HL_OK)
        hl_error_set(err, HL_E_ARGUMENT, hl_model_info(m)->name,
                     "it has no tokeniser; 'headlight dump' shows what it makes of a text");
    hl_model_close(m);
}

/* Needs no weights: a folder with tokenizer.json alone will do. */
int
cli_tokenize(struct hl_library *lib, const struct hl_args *a)
{
    struct job j = { .args = a };
    struct hl_error err = { 0 };
    const char *name = a->model ? a->model : default_model;
    char dir[PATH_SZ];
    struct hl_tok *tok = NULL;
    if (!paths_find_model(&lib->paths, name, dir)) {
        hl_error_set(&err, HL_E_NOT_FOUND, name, "no such model");
        return cli_fail(&err);
    }
    if (hl_tok_open(dir, &tok, &err) != HL_OK) {
        explain_no_tokeniser(dir, &err);
        return cli_fail(&err);
    }
    j.tok = tok;
    hl_arena_init(&j.arena, 64 * 1024, 0);
    int status = run_job(&j, tokenize_line);
    hl_tok_close(tok);
    return status;
}

/* "layers 4 + 4, heads 8, " */
static void
put_facts(struct hl_sb *sb, const struct hl_model_info *i)
{
    for (int k = 0; k < i->n_facts; k++)
        hl_sb_printf(sb, "%s %s, ", i->facts[k].name, i->facts[k].text);
}

/* Titles and names of folders are others' text: no control character of theirs
 * reaches the terminal. */
static void
print_model(void *user, const char *kind, const char *name, const char *dir)
{
    int *n = user;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    struct hl_sb line = { 0 };
    ++*n;
    hl_sb_printf(&line, "%-10s %-22s ", kind, name);
    if (hl_model_open(dir, &m, &err) == HL_OK) {
        const struct hl_model_info *i = hl_model_info(m);
        char mib[32];
        hl_sb_printf(&line, "%s, ", i->title);
        put_facts(&line, i);
        hl_sb_printf(&line, "%s MiB",
                     hl_fmt_fixed(mib, sizeof mib, (double)i->weights_sz / (1024 * 1024), 1));
    } else {
        hl_sb_printf(&line, "cannot be opened: %s", err.detail);
    }
    if (!line.failed) {
        hl_utf8_blank_controls(line.p, line.n);
        puts(line.p);
    }
    hl_sb_deinit(&line);
    hl_model_close(m);
}

int
cli_models(struct hl_library *lib)
{
    int n = 0;
    library_list(lib, print_model, &n);
    if (n == 0)
        puts("no model was found; set HEADLIGHT_MODELS to the folder that holds them");
    if (fflush(stdout) != 0) {
        struct hl_error err;
        hl_error_set(&err, HL_E_WRITE, "standard output", "%s", strerror(errno));
        return cli_fail(&err);
    }
    return 0;
}

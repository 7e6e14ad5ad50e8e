#include "tok/pretok.h"

#include <string.h>

#include "base/utf8.h"
#include "tok/bytelevel.h"
#include "tok/cut.h"

enum { STEPS_MAX = 16 };

enum kind { KIND_METASPACE, KIND_WHITESPACE, KIND_CUT };

enum prepend { PREPEND_ALWAYS, PREPEND_FIRST, PREPEND_NEVER };

struct hl_pretok_step {
    enum kind kind;
    const char *mark; /* METASPACE: one character */
    enum prepend prepend;
    bool split;
    struct hl_cut cut; /* CUT */
};

struct loading {
    const char *where;
    struct hl_arena *arena;
    struct hl_pretok *out;
    struct hl_error *err;
};

/* ---- loading ---- */

static enum hl_status
fail(const struct loading *ld, const char *what)
{
    return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where, "%s", what);
}

/* "prepend_scheme", or in old files the flag "add_prefix_space". */
static enum hl_status
load_prepend(const struct loading *ld, const struct hl_json *node, enum prepend *out)
{
    const char *scheme = NULL;
    bool add = true;
    enum hl_status status =
        hl_json_opt_string(node, "prepend_scheme", HL_E_TOKENIZER, ld->where, &scheme, ld->err);
    if (status == HL_OK)
        status =
            hl_json_opt_bool(node, "add_prefix_space", HL_E_TOKENIZER, ld->where, &add, ld->err);
    if (status != HL_OK)
        return status;
    if (!scheme)
        *out = add ? PREPEND_ALWAYS : PREPEND_NEVER;
    else if (strcmp(scheme, "always") == 0)
        *out = PREPEND_ALWAYS;
    else if (strcmp(scheme, "first") == 0)
        *out = PREPEND_FIRST;
    else if (strcmp(scheme, "never") == 0)
        *out = PREPEND_NEVER;
    else
        return fail(ld, "Metaspace's prepend_scheme should be always, first or never");
    return HL_OK;
}

static enum hl_status
load_metaspace(const struct loading *ld, const struct hl_json *node, struct hl_pretok_step *step)
{
    const char *mark = NULL;
    uint32_t cp;
    enum hl_status status =
        hl_json_need_string(node, "replacement", HL_E_TOKENIZER, ld->where, &mark, ld->err);
    if (status != HL_OK)
        return status;
    if (!*mark || hl_utf8_next(mark, strlen(mark), &cp) != strlen(mark))
        return fail(ld, "Metaspace's replacement should be one character");
    step->mark = hl_arena_strdup(ld->arena, mark);
    if (!step->mark)
        return hl_error_set(ld->err, HL_E_NOMEM, ld->where, "%s", "");
    ld->out->mark = step->mark;
    step->split = true;
    status = hl_json_opt_bool(node, "split", HL_E_TOKENIZER, ld->where, &step->split, ld->err);
    return status == HL_OK ? load_prepend(ld, node, &step->prepend) : status;
}

/* One or two steps made of cuts. */
static enum hl_status
load_cuts(const struct loading *ld, const struct hl_json *node)
{
    struct hl_cut cuts[2];
    int n;
    if (ld->out->n + 2 > STEPS_MAX)
        return fail(ld, "it has too many pre_tokenizers");
    enum hl_status status = hl_cut_load(node, ld->where, ld->arena, cuts, &n, ld->err);
    for (int i = 0; i < n; i++) {
        struct hl_pretok_step *step = &ld->out->steps[ld->out->n++];
        step->kind = KIND_CUT;
        step->cut = cuts[i];
        if (cuts[i].bytes) {
            ld->out->bytes = true;
            ld->out->mark = HL_BYTELEVEL_MARK;
        }
    }
    return status;
}

static enum hl_status
load_node(const struct loading *ld, const struct hl_json *node)
{
    if (hl_json_kind(node) == HL_JSON_NULL)
        return HL_OK;
    const char *type = hl_json_string(hl_json_get(node, "type"));
    if (!type)
        return fail(ld, "a pre_tokenizer has no type");
    if (strcmp(type, "Sequence") == 0) {
        const struct hl_json *list = hl_json_get(node, "pretokenizers");
        enum hl_status status = HL_OK;
        for (list = hl_json_first(list); list && status == HL_OK; list = hl_json_next(list))
            status = load_node(ld, list);
        return status;
    }
    if (hl_cut_knows(type))
        return load_cuts(ld, node);
    bool metaspace = strcmp(type, "Metaspace") == 0;
    if (!metaspace && strcmp(type, "WhitespaceSplit") != 0)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "the pre_tokenizer '%.60s' is not supported", type);
    if (ld->out->n == STEPS_MAX)
        return fail(ld, "it has too many pre_tokenizers");
    struct hl_pretok_step *step = &ld->out->steps[ld->out->n++];
    step->kind = metaspace ? KIND_METASPACE : KIND_WHITESPACE;
    return metaspace ? load_metaspace(ld, node, step) : HL_OK;
}

enum hl_status
hl_pretok_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
               struct hl_pretok *out, struct hl_error *err)
{
    const struct loading ld = { where, arena, out, err };
    *out = (struct hl_pretok) { .mark = "\xE2\x96\x81" };
    out->steps = hl_arena_new(arena, STEPS_MAX, struct hl_pretok_step);
    if (!out->steps)
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    return load_node(&ld, node);
}

void
hl_pretok_deinit(struct hl_pretok *p)
{
    for (int i = 0; i < p->n; i++)
        hl_regex_destroy(p->steps[i].cut.regex);
    p->n = 0;
}

/* ---- applying ---- */

bool
hl_parts_add(struct hl_parts *p, struct hl_ntext part, struct hl_arena *scratch)
{
    if (part.n == 0)
        return true;
    if (p->n == p->cap) {
        size_t cap = p->cap ? p->cap * 2 : 8;
        struct hl_ntext *more = hl_arena_new(scratch, cap, struct hl_ntext);
        if (!more)
            return false;
        if (p->n > 0)
            memcpy(more, p->parts, p->n * sizeof(*more));
        p->parts = more;
        p->cap = cap;
    }
    p->parts[p->n++] = part;
    return true;
}

static bool
split_whitespace(const struct hl_ntext *t, struct hl_arena *scratch, struct hl_parts *out)
{
    size_t from = 0;
    for (size_t i = 0; i < t->n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(t->p + i, t->n - i, &cp);
        if (hl_utf8_is_space(cp)) {
            if (!hl_parts_add(out, hl_ntext_view(t, from, i), scratch))
                return false;
            from = i + len;
        }
        i += len;
    }
    return hl_parts_add(out, hl_ntext_view(t, from, t->n), scratch);
}

static bool
begins_with(const struct hl_ntext *t, size_t at, const char *mark, size_t n)
{
    return t->n - at >= n && memcmp(t->p + at, mark, n) == 0;
}

/* Each mark begins a part. */
static bool
split_marks(const struct hl_ntext *t, const char *mark, struct hl_arena *scratch,
            struct hl_parts *out)
{
    size_t from = 0, n = strlen(mark);
    for (size_t i = 1; i < t->n; i++) {
        if (!begins_with(t, i, mark, n))
            continue;
        if (!hl_parts_add(out, hl_ntext_view(t, from, i), scratch))
            return false;
        from = i;
    }
    return hl_parts_add(out, hl_ntext_view(t, from, t->n), scratch);
}

static bool
metaspace(const struct hl_pretok_step *step, const struct hl_ntext *t, struct hl_arena *scratch,
          struct hl_parts *out)
{
    struct hl_nbuf b;
    size_t n = strlen(step->mark), plain = 0;
    hl_nbuf_init(&b, scratch, t->n + 16);
    bool marked = t->p[0] == ' ' || begins_with(t, 0, step->mark, n);
    bool prepend =
        step->prepend == PREPEND_ALWAYS || (step->prepend == PREPEND_FIRST && t->start[0] == 0);
    if (prepend && !marked)
        hl_nbuf_put(&b, step->mark, n, t->start[0], t->end[0]);
    for (size_t i = 0; i < t->n; i++) {
        if (t->p[i] != ' ')
            continue;
        hl_nbuf_copy(&b, t, plain, i);
        hl_nbuf_put(&b, step->mark, n, t->start[i], t->end[i]);
        plain = i + 1;
    }
    hl_nbuf_copy(&b, t, plain, t->n);
    if (b.failed)
        return false;
    return step->split ? split_marks(&b.t, step->mark, scratch, out)
                       : hl_parts_add(out, b.t, scratch);
}

static enum hl_status
apply_step(const struct hl_pretok_step *step, const struct hl_ntext *part, struct hl_arena *scratch,
           struct hl_parts *out, struct hl_error *err)
{
    if (step->kind == KIND_CUT)
        return hl_cut_apply(&step->cut, part, scratch, out, err);
    bool ok = step->kind == KIND_METASPACE ? metaspace(step, part, scratch, out)
                                           : split_whitespace(part, scratch, out);
    return ok ? HL_OK : hl_error_set(err, HL_E_NOMEM, NULL, "%s", "");
}

enum hl_status
hl_pretok_apply(const struct hl_pretok *p, const struct hl_ntext *t, struct hl_arena *scratch,
                struct hl_parts *out, struct hl_error *err)
{
    struct hl_parts now = { 0 };
    if (!hl_parts_add(&now, *t, scratch))
        return hl_error_set(err, HL_E_NOMEM, NULL, "%s", "");
    for (int i = 0; i < p->n; i++) {
        struct hl_parts next = { 0 };
        for (size_t k = 0; k < now.n; k++) {
            enum hl_status status = apply_step(&p->steps[i], &now.parts[k], scratch, &next, err);
            if (status != HL_OK)
                return status;
        }
        now = next;
    }
    *out = now;
    return HL_OK;
}

#include "tok/normalize.h"

#include <string.h>

#include <utf8proc.h>

#include "base/size.h"
#include "base/utf8.h"
#include "tok/bertnorm.h"
#include "tok/forms.h"
#include "tok/regex.h"

enum { STEPS_MAX = 64 };

/* Bytes that the steps together may write for each typed byte, and for any text. The
 * forms lengthen a text eleven times at most (U+FDFA); a file whose replacements grow
 * and grow is stopped before it fills the memory. */
enum { BUDGET_EACH = 32, BUDGET_ANY = 64 * 1024 };

enum kind {
    KIND_NFC,
    KIND_NFD,
    KIND_NFKC,
    KIND_NFKD,
    KIND_LOWERCASE,
    KIND_STRIP,
    KIND_PREPEND,
    KIND_REPLACE,
    KIND_BERT,
    KIND_COUNT
};

struct hl_normalize_step {
    enum kind kind;
    const char *from;       /* REPLACE by a string */
    struct hl_regex *regex; /* REPLACE by an expression */
    const char *to;         /* REPLACE, PREPEND */
    bool left, right;       /* STRIP */
    struct hl_bertnorm bert;
};

/* ---- loading ---- */

static const char *const kind_names[] = {
    [KIND_NFC] = "NFC",
    [KIND_NFD] = "NFD",
    [KIND_NFKC] = "NFKC",
    [KIND_NFKD] = "NFKD",
    [KIND_LOWERCASE] = "Lowercase",
    [KIND_STRIP] = "Strip",
    [KIND_PREPEND] = "Prepend",
    [KIND_REPLACE] = "Replace",
    [KIND_BERT] = "BertNormalizer",
};
_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == KIND_COUNT, "a name for each kind");

struct loading {
    const char *where;
    struct hl_arena *arena;
    struct hl_normalize *out;
    struct hl_error *err;
};

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

/* A copy of a string member that must be there. */
static enum hl_status
take_string(const struct loading *ld, const struct hl_json *node, const char *key, const char **out)
{
    const char *s = NULL;
    enum hl_status status = hl_json_need_string(node, key, HL_E_TOKENIZER, ld->where, &s, ld->err);
    if (status != HL_OK)
        return status;
    *out = hl_arena_strdup(ld->arena, s);
    return *out ? HL_OK : no_memory(ld->where, ld->err);
}

static enum hl_status
load_replace(const struct loading *ld, const struct hl_json *node, struct hl_normalize_step *step)
{
    const struct hl_json *pattern = hl_json_get(node, "pattern");
    const char *regex = hl_json_string(hl_json_get(pattern, "Regex"));
    enum hl_status status = take_string(ld, node, "content", &step->to);
    if (status != HL_OK)
        return status;
    if (regex)
        return hl_regex_create(regex, ld->where, &step->regex, ld->err);
    status = take_string(ld, pattern, "String", &step->from);
    if (status == HL_OK && step->from[0] == '\0')
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "a Replace normalizer replaces the empty string");
    return status;
}

static enum hl_status
load_step(const struct loading *ld, const struct hl_json *node, struct hl_normalize_step *step)
{
    enum hl_status status = HL_OK;
    switch (step->kind) {
    case KIND_STRIP:
        step->left = step->right = true;
        status =
            hl_json_opt_bool(node, "strip_left", HL_E_TOKENIZER, ld->where, &step->left, ld->err);
        if (status == HL_OK)
            status = hl_json_opt_bool(node, "strip_right", HL_E_TOKENIZER, ld->where, &step->right,
                                      ld->err);
        break;
    case KIND_PREPEND:
        status = take_string(ld, node, "prepend", &step->to);
        break;
    case KIND_REPLACE:
        status = load_replace(ld, node, step);
        break;
    case KIND_BERT:
        status = hl_bertnorm_load(node, ld->where, &step->bert, ld->err);
        break;
    case KIND_NFC:
    case KIND_NFD:
    case KIND_NFKC:
    case KIND_NFKD:
    case KIND_LOWERCASE:
    case KIND_COUNT:
        break;
    }
    return status;
}

/* Recursion is bounded by the depth that the JSON reader allows. */
static enum hl_status
load_node(const struct loading *ld, const struct hl_json *node)
{
    if (hl_json_kind(node) == HL_JSON_NULL)
        return HL_OK;
    const char *type = hl_json_string(hl_json_get(node, "type"));
    if (!type)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where, "a normalizer has no type");
    if (strcmp(type, "Sequence") == 0) {
        const struct hl_json *list = hl_json_get(node, "normalizers");
        enum hl_status status = HL_OK;
        for (list = hl_json_first(list); list && status == HL_OK; list = hl_json_next(list))
            status = load_node(ld, list);
        return status;
    }
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(type, kind_names[kind]) != 0)
        kind++;
    if (kind == KIND_COUNT)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "the normalizer '%.60s' is not supported", type);
    if (ld->out->n == STEPS_MAX)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where, "it has over %d normalizers",
                            (int)STEPS_MAX);
    struct hl_normalize_step *step = &ld->out->steps[ld->out->n++];
    step->kind = (enum kind)kind;
    return load_step(ld, node, step);
}

enum hl_status
hl_normalize_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
                  struct hl_normalize *out, struct hl_error *err)
{
    const struct loading ld = { where, arena, out, err };
    *out =
        (struct hl_normalize) { .steps = hl_arena_new(arena, STEPS_MAX, struct hl_normalize_step) };
    if (!out->steps)
        return no_memory(where, err);
    enum hl_status status = load_node(&ld, node);
    if (status != HL_OK)
        hl_normalize_deinit(out);
    return status;
}

void
hl_normalize_deinit(struct hl_normalize *n)
{
    for (int i = 0; i < n->n; i++)
        hl_regex_destroy(n->steps[i].regex);
    n->n = 0;
}

/* ---- applying ---- */

static void
lowercase(const struct hl_ntext *t, struct hl_nbuf *out)
{
    for (size_t i = 0; i < t->n;) {
        uint32_t cp;
        char buf[8];
        size_t len = hl_utf8_next(t->p + i, t->n - i, &cp), n;
        if (cp == 0x130) { /* the one letter that becomes two */
            n = hl_utf8_put(buf, 'i');
            n += hl_utf8_put(buf + n, 0x307);
        } else {
            n = hl_utf8_put(buf, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
        }
        hl_nbuf_put(out, buf, n, t->start[i], t->end[i]);
        i += len;
    }
}

static struct hl_ntext
strip(const struct hl_normalize_step *step, const struct hl_ntext *t)
{
    size_t from = 0, to = t->n;
    uint32_t cp;
    while (step->left && from < to) {
        size_t len = hl_utf8_next(t->p + from, to - from, &cp);
        if (!hl_utf8_is_space(cp))
            break;
        from += len;
    }
    while (step->right && to > from) {
        size_t len = hl_utf8_prev(t->p, to);
        hl_utf8_next(t->p + to - len, len, &cp);
        if (!hl_utf8_is_space(cp))
            break;
        to -= len;
    }
    return hl_ntext_view(t, from, to);
}

struct replacing {
    const struct hl_ntext *t;
    const char *to;
    size_t to_n, done;
    bool any;
    struct hl_nbuf *out;
};

/* The new text stands for all that it replaces. */
static void
replace_one(void *user, size_t from, size_t to)
{
    struct replacing *r = user;
    hl_nbuf_copy(r->out, r->t, r->done, from);
    hl_nbuf_put(r->out, r->to, r->to_n, r->t->start[from], r->t->end[to - 1]);
    r->done = to;
    r->any = true;
}

static void
replace_string(struct replacing *r, const char *what)
{
    size_t n = strlen(what);
    for (size_t at = 0; n <= r->t->n && at <= r->t->n - n;) {
        const char *hit = memchr(r->t->p + at, what[0], r->t->n - n - at + 1);
        if (!hit)
            break;
        at = (size_t)(hit - r->t->p);
        if (memcmp(hit, what, n) != 0) {
            at++;
            continue;
        }
        replace_one(r, at, at + n);
        at += n;
    }
}

/* Without a match the text stays the one it was, and nothing is copied. */
static enum hl_status
replace(const struct hl_normalize_step *step, const struct hl_ntext *t, struct hl_nbuf *out,
        struct hl_error *err)
{
    struct replacing r = { t, step->to, strlen(step->to), 0, false, out };
    enum hl_status status = HL_OK;
    if (step->regex)
        status = hl_regex_each(step->regex, t->p, t->n, replace_one, &r, err);
    else
        replace_string(&r, step->from);
    if (r.any)
        hl_nbuf_copy(out, t, r.done, t->n);
    else
        out->t = *t;
    return status;
}

static enum hl_status
apply_step(const struct hl_normalize_step *step, const struct hl_ntext *t, struct hl_nbuf *out,
           struct hl_error *err)
{
    enum hl_status status = HL_OK;
    switch (step->kind) {
    case KIND_NFC:
    case KIND_NFKC:
        hl_form_apply(t, true, step->kind == KIND_NFKC, out);
        break;
    case KIND_NFD:
    case KIND_NFKD:
        hl_form_apply(t, false, step->kind == KIND_NFKD, out);
        break;
    case KIND_LOWERCASE:
        lowercase(t, out);
        break;
    case KIND_PREPEND:
        hl_nbuf_put(out, step->to, strlen(step->to), t->start[0], t->end[0]);
        hl_nbuf_copy(out, t, 0, t->n);
        break;
    case KIND_REPLACE:
        status = replace(step, t, out, err);
        break;
    case KIND_BERT:
        hl_bertnorm_apply(&step->bert, t, out->arena, out);
        break;
    case KIND_STRIP:
    case KIND_COUNT:
        break;
    }
    return status;
}

static enum hl_status
too_long(size_t typed, struct hl_error *err)
{
    return hl_error_set(err, HL_E_TOKENIZER, NULL,
                        "its normalizers write more than %d bytes for a text of %zu", BUDGET_EACH,
                        typed);
}

enum hl_status
hl_normalize_apply(const struct hl_normalize *n, struct hl_ntext *t, struct hl_arena *scratch,
                   struct hl_error *err)
{
    size_t typed = t->n, left;
    if (!hl_size_mul(typed, BUDGET_EACH, &left) || !hl_size_add(left, BUDGET_ANY, &left))
        left = SIZE_MAX;
    for (int i = 0; i < n->n && t->n > 0; i++) {
        const struct hl_normalize_step *step = &n->steps[i];
        if (step->kind == KIND_STRIP) {
            *t = strip(step, t);
            continue;
        }
        struct hl_nbuf out;
        hl_nbuf_init(&out, scratch, step->kind == KIND_REPLACE ? 0 : t->n + 16);
        out.most = left;
        enum hl_status status = apply_step(step, t, &out, err);
        if (status == HL_OK && out.failed)
            status = out.over ? too_long(typed, err) : no_memory(NULL, err);
        if (status != HL_OK)
            return status;
        left -= out.t.p == t->p ? 0 : out.t.n;
        *t = out.t.n > 0 ? out.t : hl_ntext_view(t, 0, 0);
    }
    return HL_OK;
}

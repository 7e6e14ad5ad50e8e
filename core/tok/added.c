/* Added tokens: special and other words that are taken out of the text before the
 * model sees it. */
#include <string.h>

#include <utf8proc.h>

#include "base/size.h"
#include "base/utf8.h"
#include "tok/tok_priv.h"

struct entry {
    const char *content;
    bool normalized;
    struct hl_added flags;
};

static enum hl_status
read_entry(const struct hl_json *node, struct entry *e, int64_t *id, const char *where,
           struct hl_error *err)
{
    *e = (struct entry) { 0 };
    const struct {
        const char *key;
        bool *out;
    } flags[] = { { "special", &e->flags.special },
                  { "normalized", &e->normalized },
                  { "single_word", &e->flags.single_word },
                  { "lstrip", &e->flags.lstrip },
                  { "rstrip", &e->flags.rstrip } };
    enum hl_status status =
        hl_json_need_string(node, "content", HL_E_TOKENIZER, where, &e->content, err);
    if (status == HL_OK)
        status = hl_json_need_int(node, "id", 0, INT32_MAX - 1, HL_E_TOKENIZER, where, id, err);
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]) && status == HL_OK; i++)
        status = hl_json_opt_bool(node, flags[i].key, HL_E_TOKENIZER, where, flags[i].out, err);
    if (status == HL_OK && e->content[0] == '\0')
        return hl_error_set(err, HL_E_TOKENIZER, where, "an added token is empty");
    return status;
}

/* The id under which the vocabulary has the content, whatever the entry says; new
 * contents must follow the vocabulary closely. */
static enum hl_status
place_entry(struct hl_tok *t, struct entry *e, int64_t id, const char *where, struct hl_error *err)
{
    int32_t known = hl_hash_get(&t->vocab.by_piece, e->content, strlen(e->content));
    if (known < 0) {
        enum hl_status status = hl_vocab_put(t, id, e->content, where, err);
        if (status != HL_OK)
            return status;
        known = (int32_t)id;
    }
    e->flags.id = known;
    t->special[known] = t->special[known] || e->flags.special;
    return HL_OK;
}

/* A content that is sought in normalised text is sought in its normalised form. */
static enum hl_status
put_normalized(struct hl_tok *t, const char *content, int32_t index, const char *where,
               struct hl_error *err)
{
    struct hl_arena scratch;
    struct hl_ntext text;
    hl_arena_init(&scratch, 0, 0);
    enum hl_status status = hl_ntext_init(&text, &scratch, content, strlen(content))
                                ? hl_normalize_apply(&t->norm, &text, &scratch, err)
                                : hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    if (status == HL_OK && text.n > 0) {
        t->any_normalized = true;
        if (!hl_trie_put(&t->normalized, text.p, text.n, index))
            status = hl_error_set(err, HL_E_TOKENIZER, where,
                                  "the added token '%.60s' grows too long", content);
    }
    hl_arena_deinit(&scratch);
    return status;
}

static enum hl_status
load_entry(struct hl_tok *t, const struct hl_json *node, const char *where, struct hl_error *err)
{
    struct entry e;
    int64_t id = 0;
    enum hl_status status = read_entry(node, &e, &id, where, err);
    if (status == HL_OK)
        status = place_entry(t, &e, id, where, err);
    if (status != HL_OK)
        return status;
    int32_t index = t->n_added;
    t->added[t->n_added++] = e.flags;
    if (e.normalized)
        return put_normalized(t, e.content, index, where, err);
    t->any_raw = true;
    return hl_trie_put(&t->raw, e.content, strlen(e.content), index)
               ? HL_OK
               : hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

enum hl_status
hl_added_load(struct hl_tok *t, const struct hl_json *list, const char *where, struct hl_error *err)
{
    size_t total = 0, wide;
    for (const struct hl_json *m = hl_json_first(list); m; m = hl_json_next(m)) {
        const char *content = hl_json_string(hl_json_get(m, "content"));
        total += content ? strlen(content) : 0; /* no more than the file */
    }
    /* Normalising makes three times as many bytes and more of very few characters. */
    if (!hl_size_mul(total, 4, &wide) || !hl_trie_init(&t->raw, &t->arena, total) ||
        !hl_trie_init(&t->normalized, &t->arena, wide + 64))
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    t->added = hl_arena_new(&t->arena, hl_json_n(list), struct hl_added);
    if (!t->added)
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    enum hl_status status = HL_OK;
    for (list = hl_json_first(list); list && status == HL_OK; list = hl_json_next(list))
        status = load_entry(t, list, where, err);
    return status;
}

/* ---- finding them ---- */

/* What expressions call \w: letters, marks, decimal digits and connectors. */
static bool
is_word(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return (c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_NL) || c == UTF8PROC_CATEGORY_PC;
}

static bool
stands_alone(const struct hl_ntext *t, size_t from, size_t to)
{
    uint32_t cp;
    if (from > 0) {
        size_t len = hl_utf8_prev(t->p, from);
        hl_utf8_next(t->p + from - len, len, &cp);
        if (is_word(cp))
            return false;
    }
    if (to < t->n) {
        hl_utf8_next(t->p + to, t->n - to, &cp);
        if (is_word(cp))
            return false;
    }
    return true;
}

/* Swallows white space before `from`, not beyond `least`. */
static size_t
swallow_left(const struct hl_ntext *t, size_t from, size_t least)
{
    while (from > least) {
        uint32_t cp;
        size_t len = hl_utf8_prev(t->p, from);
        hl_utf8_next(t->p + from - len, len, &cp);
        if (!hl_utf8_is_space(cp))
            break;
        from -= len;
    }
    return from;
}

static size_t
swallow_right(const struct hl_ntext *t, size_t to)
{
    while (to < t->n) {
        uint32_t cp;
        size_t len = hl_utf8_next(t->p + to, t->n - to, &cp);
        if (!hl_utf8_is_space(cp))
            break;
        to += len;
    }
    return to;
}

static bool
visit_text(const struct hl_ntext *t, size_t from, size_t to, const struct hl_added_visitor *v)
{
    if (from == to)
        return true;
    struct hl_ntext view = hl_ntext_view(t, from, to);
    return v->text(v->user, &view);
}

bool
hl_added_split(const struct hl_tok *tok, const struct hl_trie *trie, const struct hl_ntext *t,
               const struct hl_added_visitor *v)
{
    size_t done = 0;
    for (size_t at = 0; at < t->n;) {
        int32_t index;
        size_t len = hl_trie_longest(trie, t->p + at, t->n - at, &index);
        if (len == 0) {
            at++;
            continue;
        }
        const struct hl_added *a = &tok->added[index];
        size_t from = at, to = at + len;
        at = to;
        if (a->single_word && !stands_alone(t, from, to))
            continue;
        int32_t start = t->start[from], end = t->end[to - 1];
        if (a->lstrip)
            from = swallow_left(t, from, done);
        if (a->rstrip)
            to = swallow_right(t, to);
        if (!visit_text(t, done, from, v) || !v->token(v->user, a->id, start, end, a->special))
            return false;
        done = at = to;
    }
    return visit_text(t, done, t->n, v);
}

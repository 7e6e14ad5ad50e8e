#include "tok/tok.h"

#include <string.h>

#include "base/utf8.h"
#include "tok/tok_priv.h"
#include "tok/wordpiece.h"

/* ---- ids as they are found ---- */

static bool
grow(struct hl_ids *ids)
{
    size_t cap = ids->cap ? ids->cap * 2 : 64;
    struct hl_ids old = *ids;
    ids->id = hl_arena_new(ids->arena, cap, int32_t);
    ids->start = hl_arena_new(ids->arena, cap, int32_t);
    ids->end = hl_arena_new(ids->arena, cap, int32_t);
    ids->special = hl_arena_new(ids->arena, cap, bool);
    if (!ids->id || !ids->start || !ids->end || !ids->special)
        return false;
    if (old.n > 0) {
        memcpy(ids->id, old.id, old.n * sizeof(*old.id));
        memcpy(ids->start, old.start, old.n * sizeof(*old.start));
        memcpy(ids->end, old.end, old.n * sizeof(*old.end));
        memcpy(ids->special, old.special, old.n * sizeof(*old.special));
    }
    ids->cap = cap;
    return true;
}

void
hl_ids_add(struct hl_ids *ids, int32_t id, int32_t start, int32_t end, bool special)
{
    if (ids->failed || (ids->n == ids->cap && !grow(ids))) {
        ids->failed = true;
        return;
    }
    ids->id[ids->n] = id;
    ids->start[ids->n] = start;
    ids->end[ids->n] = end;
    ids->special[ids->n++] = special;
}

void
hl_ids_add_bytes(struct hl_ids *ids, const struct hl_vocab *v, const struct hl_ntext *part,
                 size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        hl_ids_add(ids, v->bytes[(unsigned char)part->p[i]], part->start[i], part->end[i], false);
}

/* ---- the way of a text ---- */

struct encoding {
    const struct hl_tok *t;
    struct hl_arena *scratch;
    const char *text;
    struct hl_ids ids;
    enum hl_status status;
    struct hl_error *err;
};

static bool
stop(struct encoding *e, enum hl_status status)
{
    e->status = status;
    return false;
}

static bool
no_memory(struct encoding *e)
{
    return stop(e, hl_error_set(e->err, HL_E_NOMEM, NULL, "%s", ""));
}

static bool
visit_token(void *user, int32_t id, int32_t start, int32_t end, bool special)
{
    struct encoding *e = user;
    hl_ids_add(&e->ids, id, start, end, special);
    return !e->ids.failed || no_memory(e);
}

/* Normalised text without added tokens: pre-tokeniser and model. */
static bool
visit_normalized(void *user, const struct hl_ntext *text)
{
    struct encoding *e = user;
    struct hl_parts parts;
    enum hl_status status = hl_pretok_apply(&e->t->pretok, text, e->scratch, &parts, e->err);
    if (status != HL_OK)
        return stop(e, status);
    struct hl_arena_mark mark = hl_arena_mark(e->scratch);
    for (size_t i = 0; i < parts.n && !e->ids.failed; i++) {
        if (e->t->kind == HL_TOK_UNIGRAM)
            hl_unigram_encode(e->t, &parts.parts[i], e->scratch, &e->ids);
        else if (e->t->kind == HL_TOK_WORDPIECE)
            hl_wordpiece_encode(e->t, &parts.parts[i], &e->ids);
        else
            hl_bpe_encode(e->t, &parts.parts[i], e->scratch, &e->ids);
        hl_arena_rewind(e->scratch, mark);
    }
    return !e->ids.failed || no_memory(e);
}

/* Typed text between added tokens. */
static bool
visit_raw(void *user, const struct hl_ntext *view)
{
    struct encoding *e = user;
    struct hl_arena_mark mark = hl_arena_mark(e->scratch);
    struct hl_ntext text = *view;
    enum hl_status status = hl_normalize_apply(&e->t->norm, &text, e->scratch, e->err);
    if (status != HL_OK)
        return stop(e, status);
    const struct hl_added_visitor v = { visit_normalized, visit_token, e };
    bool ok = e->t->any_normalized ? hl_added_split(e->t, &e->t->normalized, &text, &v)
                                   : visit_normalized(e, &text);
    hl_arena_rewind(e->scratch, mark);
    return ok;
}

static enum hl_status
run(struct encoding *e, const char *text, size_t n)
{
    struct hl_ntext typed;
    if (!hl_ntext_init(&typed, e->scratch, text, n)) {
        no_memory(e);
        return e->status;
    }
    const struct hl_added_visitor v = { visit_raw, visit_token, e };
    if (e->t->any_raw)
        hl_added_split(e->t, &e->t->raw, &typed, &v);
    else
        visit_raw(e, &typed);
    return e->status;
}

/* ---- words ---- */

/* For each byte, and for the end, the number of the word that stands there or comes
 * next; after the last word that one's. NULL without memory. */
static int32_t *
number_words(const char *text, size_t n, struct hl_arena *scratch)
{
    int32_t *word = hl_arena_new(scratch, n + 1, int32_t);
    int32_t now = -1;
    bool in_word = false;
    for (size_t i = 0; word && i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(text + i, n - i, &cp);
        bool space = hl_utf8_is_space(cp);
        if (!space && !in_word)
            now++;
        in_word = !space;
        for (size_t k = i; k < i + len; k++)
            word[k] = space ? now + 1 : now;
        i += len;
    }
    int32_t last = now < 0 ? 0 : now;
    for (size_t i = 0; word && i <= n; i++)
        word[i] = i == n || word[i] > last ? last : word[i];
    return word;
}

/* ---- the result ---- */

static void
put_special(int32_t *ids, int32_t *start, int32_t *end, int32_t *words, bool *special, size_t at,
            int32_t id)
{
    ids[at] = id;
    start[at] = end[at] = words[at] = -1;
    special[at] = true;
}

/* Leaves out spaces at the ends of a span. */
static void
trim(const char *text, int32_t *start, int32_t *end)
{
    while (*start < *end && text[*start] == ' ')
        ++*start;
    while (*end > *start && text[*end - 1] == ' ')
        --*end;
}

static enum hl_status
finish(struct encoding *e, const int32_t *word_at, bool add_special, struct hl_arena *a,
       struct hl_encoding *out)
{
    size_t head = add_special ? (size_t)e->t->n_head : 0;
    size_t tail = add_special ? (size_t)e->t->n_tail : 0, n = head + e->ids.n + tail;
    int32_t *ids = hl_arena_new(a, n, int32_t), *start = hl_arena_new(a, n, int32_t);
    int32_t *end = hl_arena_new(a, n, int32_t), *word = hl_arena_new(a, n, int32_t);
    bool *special = hl_arena_new(a, n, bool);
    if (!ids || !start || !end || !word || !special || n > INT32_MAX) {
        no_memory(e);
        return e->status;
    }
    for (size_t i = 0; i < head; i++)
        put_special(ids, start, end, word, special, i, e->t->head[i]);
    for (size_t i = 0; i < e->ids.n; i++) {
        ids[head + i] = e->ids.id[i];
        start[head + i] = e->ids.start[i];
        end[head + i] = e->ids.end[i];
        special[head + i] = e->ids.special[i];
        word[head + i] = e->ids.special[i] ? -1 : word_at[e->ids.start[i]];
        if (e->t->trim)
            trim(e->text, &start[head + i], &end[head + i]);
    }
    for (size_t i = 0; i < tail; i++)
        put_special(ids, start, end, word, special, head + e->ids.n + i, e->t->tail[i]);
    *out = (struct hl_encoding) { (int)n, ids, start, end, word, special };
    return HL_OK;
}

enum hl_status
hl_tok_encode(const struct hl_tok *t, const char *text, size_t n, bool add_special,
              struct hl_arena *a, struct hl_encoding *out, struct hl_error *err)
{
    if (n > INT32_MAX / 8 || !hl_utf8_valid(text, n) || (n > 0 && memchr(text, '\0', n)))
        return hl_error_set(err, HL_E_ARGUMENT, "text",
                            "it is not valid UTF-8, holds a NUL or is too long");
    struct hl_arena scratch, found;
    hl_arena_init(&scratch, 64 * 1024, 0);
    hl_arena_init(&found, 8 * 1024, 0);
    struct encoding e = { .t = t, .scratch = &scratch, .text = text, .err = err };
    e.ids.arena = &found;
    enum hl_status status = run(&e, text, n);
    if (status == HL_OK) {
        const int32_t *word_at = number_words(text, n, &scratch);
        status = word_at ? finish(&e, word_at, add_special, a, out)
                         : hl_error_set(err, HL_E_NOMEM, NULL, "%s", "");
    }
    hl_arena_deinit(&found);
    hl_arena_deinit(&scratch);
    return status;
}

/* ---- questions ---- */

static bool
in_range(const struct hl_tok *t, int32_t id)
{
    return id >= 0 && id < t->vocab.n;
}

const char *
hl_tok_piece(const struct hl_tok *t, int32_t id)
{
    return in_range(t, id) ? t->vocab.pieces[id] : "";
}

bool
hl_tok_is_special(const struct hl_tok *t, int32_t id)
{
    return in_range(t, id) && t->special[id];
}

/* Whether a piece of WordPiece goes on with a word. */
static bool
goes_on(const struct hl_tok *t, const char *piece)
{
    size_t n = strlen(t->wordpiece.prefix);
    return strncmp(piece, t->wordpiece.prefix, n) == 0 && piece[n];
}

bool
hl_tok_starts_word(const struct hl_tok *t, int32_t id)
{
    if (t->kind == HL_TOK_WORDPIECE)
        return !hl_tok_is_special(t, id) && !goes_on(t, hl_tok_piece(t, id));
    return !hl_tok_is_special(t, id) &&
           strncmp(hl_tok_piece(t, id), t->pretok.mark, strlen(t->pretok.mark)) == 0;
}

const char *
hl_tok_label(const struct hl_tok *t, int32_t id)
{
    const char *piece = hl_tok_piece(t, id);
    size_t n = strlen(t->pretok.mark);
    if (t->kind == HL_TOK_WORDPIECE)
        return goes_on(t, piece) ? piece + strlen(t->wordpiece.prefix) : piece;
    if (t->labels && in_range(t, id))
        return t->labels[id];
    /* The mark alone stays: an empty label would show nothing at all. */
    return hl_tok_starts_word(t, id) && piece[n] ? piece + n : piece;
}

int
hl_tok_n(const struct hl_tok *t)
{
    return t->vocab.n;
}

int32_t
hl_tok_find(const struct hl_tok *t, const char *piece)
{
    return hl_hash_get(&t->vocab.by_piece, piece, strlen(piece));
}

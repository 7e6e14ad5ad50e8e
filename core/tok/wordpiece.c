#include "tok/wordpiece.h"

#include <string.h>

#include "base/utf8.h"

enum { MAX_CHARS = 100000 };

/* ---- loading ---- */

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

/* Pieces that begin a word, and those that go on with one, without their prefix. */
static enum hl_status
load_tries(struct hl_tok *t, const char *where, struct hl_error *err)
{
    struct hl_wordpiece *w = &t->wordpiece;
    size_t total = 0, n_prefix = strlen(w->prefix);
    for (int i = 0; i < t->vocab.n; i++)
        total += t->vocab.pieces[i] ? strlen(t->vocab.pieces[i]) : 0;
    if (!hl_trie_init(&w->starts, &t->arena, total) || !hl_trie_init(&w->rest, &t->arena, total))
        return no_memory(where, err);
    for (int i = 0; i < t->vocab.n; i++) {
        const char *p = t->vocab.pieces[i];
        if (!p || !*p)
            continue;
        size_t n = strlen(p);
        bool rest = n > n_prefix && strncmp(p, w->prefix, n_prefix) == 0;
        if (!hl_trie_put(&w->starts, p, n, i) ||
            (rest && !hl_trie_put(&w->rest, p + n_prefix, n - n_prefix, i)))
            return no_memory(where, err);
    }
    return HL_OK;
}

enum hl_status
hl_wordpiece_load(struct hl_tok *t, const struct hl_json *model, const char *where,
                  struct hl_error *err)
{
    struct hl_wordpiece *w = &t->wordpiece;
    const char *unk = "[UNK]", *prefix = "##";
    int64_t most = 100;

    t->kind = HL_TOK_WORDPIECE;
    enum hl_status status =
        hl_json_opt_string(model, "unk_token", HL_E_TOKENIZER, where, &unk, err);
    if (status == HL_OK)
        status = hl_json_opt_string(model, "continuing_subword_prefix", HL_E_TOKENIZER, where,
                                    &prefix, err);
    if (status == HL_OK)
        status = hl_json_opt_int(model, "max_input_chars_per_word", 1, MAX_CHARS, HL_E_TOKENIZER,
                                 where, &most, err);
    if (status == HL_OK)
        status = hl_vocab_load(t, hl_json_get(model, "vocab"), where, err);
    if (status != HL_OK)
        return status;
    w->max_chars = (int)most;
    w->prefix = hl_arena_strdup(&t->arena, prefix);
    if (!w->prefix)
        return no_memory(where, err);
    t->vocab.unk = hl_hash_get(&t->vocab.by_piece, unk, strlen(unk));
    if (t->vocab.unk < 0)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the unknown piece '%.60s' is not in the vocabulary", unk);
    return load_tries(t, where, err);
}

/* ---- encoding ---- */

static int
n_characters(const struct hl_ntext *t)
{
    int n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += ((unsigned char)t->p[i] & 0xC0) != 0x80;
    return n;
}

void
hl_wordpiece_encode(const struct hl_tok *t, const struct hl_ntext *part, struct hl_ids *ids)
{
    const struct hl_wordpiece *w = &t->wordpiece;
    size_t before = ids->n;
    bool known = n_characters(part) <= w->max_chars;

    for (size_t at = 0; known && at < part->n;) {
        int32_t id = -1;
        size_t n =
            hl_trie_longest(at == 0 ? &w->starts : &w->rest, part->p + at, part->n - at, &id);
        known = n > 0;
        if (known)
            hl_ids_add(ids, id, part->start[at], part->end[at + n - 1], false);
        at += n;
    }
    if (known)
        return;
    ids->n = before;
    hl_ids_add(ids, t->vocab.unk, part->start[0], part->end[part->n - 1], false);
}

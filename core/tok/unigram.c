/* Unigram (Kudo 2018): of all ways to cut a text into pieces, the one with the greatest
 * sum of scores, by Viterbi over the characters.
 *
 * As SentencePiece does it: sums in float32, the first found wins ties, an unknown
 * character costs the lowest score minus 10 and is allowed only where no piece of that
 * one character is, neighbouring unknowns become one. With byte fall-back the byte
 * pieces are no pieces of text: "<0x41>" typed as such is spelled out. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/utf8.h"
#include "tok/tok_priv.h"

static const float UNKNOWN_PENALTY = 10.0F;

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

static bool
is_byte_piece(const struct hl_vocab *v, int32_t id)
{
    if (!v->byte_fallback)
        return false;
    for (int i = 0; i < 256; i++) {
        if (v->bytes[i] == id)
            return true;
    }
    return false;
}

static enum hl_status
load_vocab(struct hl_tok *t, const struct hl_json *list, float *scores, const char *where,
           struct hl_error *err)
{
    int64_t id = 0;
    for (const struct hl_json *row = hl_json_first(list); row; row = hl_json_next(row), id++) {
        const struct hl_json *piece = hl_json_first(row), *score = hl_json_next(piece);
        double value;
        if (hl_json_kind(row) != HL_JSON_ARRAY || !hl_json_string(piece) ||
            !hl_json_double(score, &value) || hl_json_next(score))
            return hl_error_set(err, HL_E_TOKENIZER, where,
                                "entry %lld of the vocabulary is no [piece, score]", (long long)id);
        enum hl_status status = hl_vocab_put(t, id, hl_json_string(piece), where, err);
        if (status != HL_OK)
            return status;
        scores[id] = (float)value;
        if (!isfinite(scores[id]))
            return hl_error_set(err, HL_E_TOKENIZER, where, "the score of entry %lld is too large",
                                (long long)id);
    }
    return HL_OK;
}

/* All pieces but the byte pieces go into the trie. */
static enum hl_status
build_trie(struct hl_tok *t, int n, const float *scores, const char *where, struct hl_error *err)
{
    size_t total = 0;
    float lowest = 0;
    for (int i = 0; i < n; i++) {
        if (!hl_size_add(total, strlen(t->vocab.pieces[i]), &total))
            return no_memory(where, err);
        lowest = i == 0 || scores[i] < lowest ? scores[i] : lowest;
    }
    t->unigram.scores = scores;
    t->unigram.unk_score = lowest - UNKNOWN_PENALTY;
    if (!hl_trie_init(&t->unigram.trie, &t->arena, total))
        return no_memory(where, err);
    for (int i = 0; i < n; i++) {
        const char *piece = t->vocab.pieces[i];
        bool text = *piece && (piece[0] != '<' || !is_byte_piece(&t->vocab, i));
        if (text && !hl_trie_put(&t->unigram.trie, piece, strlen(piece), i))
            return no_memory(where, err);
    }
    return HL_OK;
}

enum hl_status
hl_unigram_load(struct hl_tok *t, const struct hl_json *model, const char *where,
                struct hl_error *err)
{
    const struct hl_json *list = hl_json_get(model, "vocab");
    int n = hl_json_n(list);
    int64_t unk = -1;
    bool bytes = false;
    if (hl_json_kind(list) != HL_JSON_ARRAY || n == 0)
        return hl_error_set(err, HL_E_TOKENIZER, where, "the Unigram model has no vocabulary");
    enum hl_status status =
        hl_json_opt_int(model, "unk_id", 0, n - 1, HL_E_TOKENIZER, where, &unk, err);
    if (status == HL_OK)
        status = hl_json_opt_bool(model, "byte_fallback", HL_E_TOKENIZER, where, &bytes, err);
    if (status == HL_OK)
        status = hl_vocab_init(t, n, where, err);
    if (status != HL_OK)
        return status;
    float *scores = hl_arena_floats(&t->arena, n);
    if (!scores)
        return no_memory(where, err);
    t->kind = HL_TOK_UNIGRAM;
    t->vocab.unk = (int32_t)unk;
    status = load_vocab(t, list, scores, where, err);
    if (status != HL_OK)
        return status;
    hl_vocab_find_bytes(&t->vocab, bytes);
    if (!t->vocab.byte_fallback && unk < 0)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the Unigram model has neither an unknown piece nor byte pieces");
    return build_trie(t, n, scores, where, err);
}

/* The best way to a place of the text. */
struct node {
    float score;
    int32_t id;   /* of the piece that ends here; -1 for an unknown character */
    int32_t from; /* where it begins; -1 while no way is known */
};

static void
relax(struct node *to, float score, int32_t id, size_t from)
{
    if (to->from >= 0 && !(score > to->score))
        return;
    *to = (struct node) { score, id, (int32_t)from };
}

static void
find_best(const struct hl_unigram *u, const struct hl_ntext *part, struct node *nodes)
{
    for (size_t i = 0; i <= part->n; i++)
        nodes[i].from = -1;
    nodes[0] = (struct node) { 0 };
    for (size_t at = 0; at < part->n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(part->p + at, part->n - at, &cp);
        bool known = false;
        int32_t at_node = 0;
        for (size_t i = at; i < part->n; i++) {
            at_node = hl_trie_step(&u->trie, at_node, (unsigned char)part->p[i]);
            if (at_node < 0)
                break;
            int32_t id = hl_trie_value(&u->trie, at_node);
            if (id < 0)
                continue;
            relax(&nodes[i + 1], u->scores[id] + nodes[at].score, id, at);
            known = known || i + 1 - at == len;
        }
        if (!known)
            relax(&nodes[at + len], u->unk_score + nodes[at].score, -1, at);
        at += len;
    }
}

void
hl_unigram_encode(const struct hl_tok *t, const struct hl_ntext *part, struct hl_arena *scratch,
                  struct hl_ids *ids)
{
    struct node *nodes = hl_arena_new(scratch, part->n + 1, struct node);
    if (!nodes) {
        ids->failed = true;
        return;
    }
    find_best(&t->unigram, part, nodes);
    /* Turn the way back into the way forth: `from` becomes "to". */
    size_t at = part->n;
    int32_t next = -1, next_id = -1;
    while (true) {
        int32_t from = nodes[at].from, id = nodes[at].id;
        nodes[at].from = next;
        nodes[at].id = next_id;
        if (at == 0)
            break;
        next = (int32_t)at;
        next_id = id;
        at = (size_t)from;
    }
    while (at < part->n) {
        size_t from = at;
        int32_t id = nodes[at].id;
        at = (size_t)nodes[at].from;
        while (id < 0 && at < part->n && nodes[at].id < 0)
            at = (size_t)nodes[at].from;
        if (id < 0 && t->vocab.byte_fallback)
            hl_ids_add_bytes(ids, &t->vocab, part, from, at);
        else
            hl_ids_add(ids, id < 0 ? t->vocab.unk : id, part->start[from], part->end[at - 1],
                       false);
    }
}

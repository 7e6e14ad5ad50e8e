/* Byte-pair encoding (Sennrich et al. 2016), the SentencePiece kind: from single
 * characters, the neighbouring pair of the lowest rank is merged again and again,
 * the leftmost first among equals. With a heap of pairs this takes n log n steps, so
 * that a part of 10,000 characters without a space costs no square. */
#include <string.h>

#include "base/size.h"
#include "base/utf8.h"
#include "tok/tok_priv.h"

struct hl_bpe_merge {
    int32_t left, right; /* left -1: free */
    int32_t rank, id;
};

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

/* ---- loading ---- */

static struct hl_bpe_merge *
probe(const struct hl_bpe *b, int32_t left, int32_t right)
{
    uint64_t h = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = (uint32_t)(h >> 32) & (b->cap - 1);; i = (i + 1) & (b->cap - 1)) {
        struct hl_bpe_merge *m = &b->merges[i];
        if (m->left < 0 || (m->left == left && m->right == right))
            return m;
    }
}

static const struct hl_bpe_merge *
find_merge(const struct hl_bpe *b, int32_t left, int32_t right)
{
    const struct hl_bpe_merge *m = probe(b, left, right);
    return m->left < 0 ? NULL : m;
}

enum hl_status
hl_vocab_load(struct hl_tok *t, const struct hl_json *object, const char *where,
              struct hl_error *err)
{
    int64_t id, n = 0;
    const struct hl_json *m;
    if (hl_json_kind(object) != HL_JSON_OBJECT || !hl_json_first(object))
        return hl_error_set(err, HL_E_TOKENIZER, where, "the model has no vocabulary");
    for (m = hl_json_first(object); m; m = hl_json_next(m)) {
        if (!hl_json_int(m, 0, INT32_MAX - 1, &id))
            return hl_error_set(err, HL_E_TOKENIZER, where, "the id of '%.60s' is no whole number",
                                hl_json_key(m));
        n = id >= n ? id + 1 : n;
    }
    enum hl_status status = n > 2 * (int64_t)hl_json_n(object) + 1000
                                ? hl_error_set(err, HL_E_TOKENIZER, where,
                                               "the ids of the vocabulary leave large holes")
                                : hl_vocab_init(t, n, where, err);
    for (m = hl_json_first(object); m && status == HL_OK; m = hl_json_next(m)) {
        hl_json_int(m, 0, INT32_MAX - 1, &id);
        status = hl_vocab_put(t, id, hl_json_key(m), where, err);
    }
    return status;
}

/* The two halves of a merge, written "left right" or ["left", "right"]. */
static bool
read_merge(const struct hl_json *node, hl_span *left, hl_span *right)
{
    const char *text = hl_json_string(node);
    if (text) {
        const char *space = strchr(text, ' ');
        if (!space || strchr(space + 1, ' '))
            return false;
        *left = (hl_span) { text, (size_t)(space - text) };
        *right = (hl_span) { space + 1, strlen(space + 1) };
        return true;
    }
    const struct hl_json *first = hl_json_first(node), *second = hl_json_next(first);
    const char *l = hl_json_string(first), *r = hl_json_string(second);
    if (hl_json_kind(node) != HL_JSON_ARRAY || !l || !r || hl_json_next(second))
        return false;
    *left = (hl_span) { l, strlen(l) };
    *right = (hl_span) { r, strlen(r) };
    return true;
}

static enum hl_status
put_merge(struct hl_tok *t, const struct hl_json *node, int32_t rank, const char *where,
          struct hl_error *err)
{
    hl_span l, r;
    if (!read_merge(node, &l, &r))
        return hl_error_set(err, HL_E_TOKENIZER, where, "merge %d is no pair of pieces", (int)rank);
    struct hl_sb both = { 0 };
    hl_sb_put(&both, l.p, l.n);
    hl_sb_put(&both, r.p, r.n);
    if (both.failed)
        return no_memory(where, err);
    int32_t left = hl_hash_get(&t->vocab.by_piece, l.p, l.n);
    int32_t right = hl_hash_get(&t->vocab.by_piece, r.p, r.n);
    int32_t id = hl_hash_get(&t->vocab.by_piece, both.p, both.n);
    hl_sb_deinit(&both);
    if (left < 0 || right < 0 || id < 0)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "merge %d has a piece that the vocabulary lacks", (int)rank);
    struct hl_bpe_merge *m = probe(&t->bpe, left, right);
    if (m->left < 0) /* of two equal merges the first one counts */
        *m = (struct hl_bpe_merge) { left, right, rank, id };
    return HL_OK;
}

static enum hl_status
load_merges(struct hl_tok *t, const struct hl_json *list, const char *where, struct hl_error *err)
{
    uint32_t n = (uint32_t)hl_json_n(list);
    if (hl_json_kind(list) != HL_JSON_ARRAY || n > UINT32_C(1) << 28)
        return hl_error_set(err, HL_E_TOKENIZER, where, "the BPE model has no list of merges");
    t->bpe.cap = 16;
    while (t->bpe.cap < n * 2)
        t->bpe.cap *= 2;
    t->bpe.merges = hl_arena_new(&t->arena, t->bpe.cap, struct hl_bpe_merge);
    if (!t->bpe.merges)
        return no_memory(where, err);
    for (uint32_t i = 0; i < t->bpe.cap; i++)
        t->bpe.merges[i].left = -1;
    int32_t rank = 0;
    enum hl_status status = HL_OK;
    for (list = hl_json_first(list); list && status == HL_OK; list = hl_json_next(list))
        status = put_merge(t, list, rank++, where, err);
    return status;
}

static enum hl_status
load_flags(struct hl_tok *t, const struct hl_json *model, bool *bytes, const char **unk,
           const char *where, struct hl_error *err)
{
    const char *prefix = "", *suffix = "";
    const struct {
        const char *key;
        bool *out;
    } flags[] = { { "byte_fallback", bytes },
                  { "fuse_unk", &t->bpe.fuse_unk },
                  { "ignore_merges", &t->bpe.ignore_merges } };
    enum hl_status status = HL_OK;
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]) && status == HL_OK; i++)
        status = hl_json_opt_bool(model, flags[i].key, HL_E_TOKENIZER, where, flags[i].out, err);
    if (status == HL_OK)
        status = hl_json_opt_string(model, "continuing_subword_prefix", HL_E_TOKENIZER, where,
                                    &prefix, err);
    if (status == HL_OK)
        status =
            hl_json_opt_string(model, "end_of_word_suffix", HL_E_TOKENIZER, where, &suffix, err);
    if (status == HL_OK && (*prefix || *suffix))
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "a BPE model with prefixes or suffixes of sub-words is not supported");
    if (status == HL_OK)
        status = hl_json_opt_string(model, "unk_token", HL_E_TOKENIZER, where, unk, err);
    return status;
}

enum hl_status
hl_bpe_load(struct hl_tok *t, const struct hl_json *model, const char *where, struct hl_error *err)
{
    const struct hl_json *vocab = hl_json_get(model, "vocab");
    const char *unk = NULL;
    bool bytes = false;
    if (hl_json_kind(vocab) != HL_JSON_OBJECT || !hl_json_first(vocab))
        return hl_error_set(err, HL_E_TOKENIZER, where, "the BPE model has no vocabulary");
    t->kind = HL_TOK_BPE;
    enum hl_status status = load_flags(t, model, &bytes, &unk, where, err);
    if (status == HL_OK)
        status = hl_vocab_load(t, vocab, where, err);
    if (status != HL_OK)
        return status;
    hl_vocab_find_bytes(&t->vocab, bytes);
    t->vocab.unk = unk ? hl_hash_get(&t->vocab.by_piece, unk, strlen(unk)) : -1;
    if (unk && t->vocab.unk < 0)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the unknown piece '%.60s' is not in the vocabulary", unk);
    return load_merges(t, hl_json_get(model, "merges"), where, err);
}

/* ---- encoding ---- */

/* A piece so far: bytes [from, to) of the part, linked to its neighbours. */
struct symbol {
    int32_t id;
    int32_t from, to; /* to 0: merged away */
    int32_t prev, next;
};

struct pair {
    int32_t rank, left, id;
};

struct merger {
    const struct hl_bpe *bpe;
    struct symbol *symbols;
    int32_t n;
    struct pair *heap;
    size_t n_heap;
};

static bool
before(const struct pair *a, const struct pair *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->left < b->left;
}

static void
heap_push(struct merger *m, struct pair p)
{
    size_t i = m->n_heap++;
    for (; i > 0 && before(&p, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = p;
}

static struct pair
heap_pop(struct merger *m)
{
    struct pair top = m->heap[0], last = m->heap[--m->n_heap];
    size_t i = 0;
    for (size_t kid = 1; kid < m->n_heap; kid = 2 * i + 1) {
        if (kid + 1 < m->n_heap && before(&m->heap[kid + 1], &m->heap[kid]))
            kid++;
        if (!before(&m->heap[kid], &last))
            break;
        m->heap[i] = m->heap[kid];
        i = kid;
    }
    m->heap[i] = last;
    return top;
}

static void
offer(struct merger *m, int32_t left)
{
    int32_t right = left < 0 ? -1 : m->symbols[left].next;
    if (right < 0)
        return;
    const struct hl_bpe_merge *merge =
        find_merge(m->bpe, m->symbols[left].id, m->symbols[right].id);
    if (merge)
        heap_push(m, (struct pair) { merge->rank, left, merge->id });
}

static void
merge_all(struct merger *m)
{
    for (int32_t i = 0; i + 1 < m->n; i++)
        offer(m, i);
    while (m->n_heap > 0) {
        struct pair p = heap_pop(m);
        struct symbol *left = &m->symbols[p.left];
        if (left->to == 0 || left->next < 0)
            continue;
        struct symbol *right = &m->symbols[left->next];
        const struct hl_bpe_merge *merge = find_merge(m->bpe, left->id, right->id);
        if (!merge || merge->id != p.id) /* a neighbour has changed since */
            continue;
        left->id = p.id;
        left->to = right->to;
        left->next = right->next;
        right->to = 0;
        if (left->next >= 0)
            m->symbols[left->next].prev = p.left;
        offer(m, left->prev);
        offer(m, p.left);
    }
}

static void
add_symbol(struct merger *m, int32_t id, size_t from, size_t to)
{
    int32_t i = m->n++;
    m->symbols[i] = (struct symbol) { id, (int32_t)from, (int32_t)to, i - 1, -1 };
    if (i > 0)
        m->symbols[i - 1].next = i;
}

/* One symbol for each character; bytes or the unknown piece for those that the
 * vocabulary lacks, nothing where it has neither. */
static void
split_characters(struct merger *m, const struct hl_vocab *v, const struct hl_ntext *part)
{
    bool after_unknown = false;
    for (size_t at = 0; at < part->n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(part->p + at, part->n - at, &cp);
        int32_t id = hl_hash_get(&v->by_piece, part->p + at, len);
        bool unknown = id < 0 && !v->byte_fallback && v->unk >= 0;
        if (id >= 0)
            add_symbol(m, id, at, at + len);
        else if (v->byte_fallback) {
            for (size_t i = 0; i < len; i++)
                add_symbol(m, v->bytes[(unsigned char)part->p[at + i]], at, at + len);
        } else if (unknown && after_unknown && m->bpe->fuse_unk)
            m->symbols[m->n - 1].to = (int32_t)(at + len);
        else if (unknown)
            add_symbol(m, v->unk, at, at + len);
        after_unknown = unknown || (after_unknown && id < 0);
        at += len;
    }
}

void
hl_bpe_encode(const struct hl_tok *t, const struct hl_ntext *part, struct hl_arena *scratch,
              struct hl_ids *ids)
{
    int32_t whole = t->bpe.ignore_merges ? hl_hash_get(&t->vocab.by_piece, part->p, part->n) : -1;
    if (whole >= 0) {
        hl_ids_add(ids, whole, part->start[0], part->end[part->n - 1], false);
        return;
    }
    struct merger m = { .bpe = &t->bpe };
    size_t n_pairs;
    m.symbols = hl_arena_new(scratch, part->n, struct symbol);
    /* Each merge offers two pairs and takes one symbol away. */
    if (hl_size_mul(part->n, 3, &n_pairs))
        m.heap = hl_arena_new(scratch, n_pairs, struct pair);
    if (!m.symbols || !m.heap) {
        ids->failed = true;
        return;
    }
    split_characters(&m, &t->vocab, part);
    merge_all(&m);
    for (int32_t i = 0; i < m.n; i++) {
        const struct symbol *s = &m.symbols[i];
        if (s->to > 0)
            hl_ids_add(ids, s->id, part->start[s->from], part->end[s->to - 1], false);
    }
}

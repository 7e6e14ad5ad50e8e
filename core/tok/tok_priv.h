/* What the files of the tokeniser share. */
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/span.h"
#include "io/json.h"
#include "tok/normalize.h"
#include "tok/ntext.h"
#include "tok/pretok.h"
#include "tok/tok.h"
#include "tok/trie.h"

/* So many times longer the decoder's replacements may make a text. */
enum { HL_DECODE_GROWTH_MAX = 64 };

/* Ids of a text as they are found; grows in its arena. */
struct hl_ids {
    int32_t *id, *start, *end;
    bool *special;
    size_t n, cap;
    struct hl_arena *arena;
    bool failed;
};

void hl_ids_add(struct hl_ids *ids, int32_t id, int32_t start, int32_t end, bool special);

/* Pieces by id and back. */
struct hl_vocab {
    const char **pieces; /* "" in holes */
    int n;
    struct hl_hash by_piece;
    int32_t bytes[256]; /* ids of <0x00> .. <0xFF>, -1 where there is none */
    bool byte_fallback; /* all 256 are there and the model wants them */
    int32_t unk;        /* -1: none */
};

/* Unigram: score of each piece; -infinity for what cannot be chosen. */
struct hl_unigram {
    const float *scores;
    float unk_score;
    struct hl_trie trie;
};

struct hl_bpe {
    struct hl_bpe_merge *merges; /* hash table by the pair of ids */
    uint32_t cap;
    bool fuse_unk, ignore_merges;
};

struct hl_wordpiece {
    struct hl_trie starts, rest; /* pieces that begin a word, and those that go on with it */
    const char *prefix;          /* of the latter in the vocabulary: "##" */
    int max_chars;               /* longer words are unknown */
};

enum hl_tok_kind { HL_TOK_UNIGRAM, HL_TOK_BPE, HL_TOK_WORDPIECE, HL_TOK_KIND_COUNT };

struct hl_added {
    int32_t id;
    bool special, single_word, lstrip, rstrip;
};

enum hl_decode_kind {
    HL_DEC_REPLACE,
    HL_DEC_BYTES,
    HL_DEC_FUSE,
    HL_DEC_STRIP,
    HL_DEC_METASPACE,
    HL_DEC_BYTELEVEL,
    HL_DEC_WORDPIECE,
    HL_DEC_COUNT
};

struct hl_decode_step {
    enum hl_decode_kind kind;
    const char *from, *to; /* REPLACE; METASPACE, STRIP: from is one character */
    int start, stop;       /* STRIP: how many at either end */
    bool prepended;        /* METASPACE: drop the marks of the first piece */
    bool cleanup;          /* WORDPIECE: no space before punctuation */
};

enum { HL_DECODE_STEPS_MAX = 16 };

struct hl_tok {
    struct hl_arena arena;
    struct hl_vocab vocab;
    enum hl_tok_kind kind;
    struct hl_unigram unigram;
    struct hl_bpe bpe;
    struct hl_wordpiece wordpiece;
    struct hl_normalize norm;
    struct hl_pretok pretok;

    struct hl_added *added;
    int n_added;
    struct hl_trie raw, normalized; /* values are indices into added */
    bool any_raw, any_normalized;
    bool *special; /* by id */

    int32_t *head, *tail; /* ids put before and after the text */
    int n_head, n_tail;
    bool trim;           /* spans leave out spaces at their ends */
    const char **labels; /* by id, where the vocabulary is written in the byte alphabet */

    struct hl_decode_step decoder[HL_DECODE_STEPS_MAX];
    int n_decoder;
    bool joined_by_spaces; /* no decoder given */
};

/* Load the "model" member into t (vocab.unk, kind and tables). Fails: TOKENIZER, NOMEM. */
enum hl_status hl_unigram_load(struct hl_tok *t, const struct hl_json *model, const char *where,
                               struct hl_error *err);
enum hl_status hl_bpe_load(struct hl_tok *t, const struct hl_json *model, const char *where,
                           struct hl_error *err);

/* Reads a vocabulary {piece: id}. Fails: TOKENIZER, NOMEM. */
enum hl_status hl_vocab_load(struct hl_tok *t, const struct hl_json *object, const char *where,
                             struct hl_error *err);
/* Prepares `vocab` for ids 0..n-1 in t's arena; then each piece is put once. Fails:
 * TOKENIZER (out of range, twice), NOMEM. */
enum hl_status hl_vocab_init(struct hl_tok *t, int64_t n, const char *where, struct hl_error *err);
enum hl_status hl_vocab_put(struct hl_tok *t, int64_t id, const char *piece, const char *where,
                            struct hl_error *err);
/* Finds the byte pieces; without all 256 there is no fall-back. */
void hl_vocab_find_bytes(struct hl_vocab *v, bool byte_fallback);

/* Cuts one part into ids. `scratch` is not the ids' arena. Fails: sets ids->failed. */
void hl_unigram_encode(const struct hl_tok *t, const struct hl_ntext *part,
                       struct hl_arena *scratch, struct hl_ids *ids);
void hl_bpe_encode(const struct hl_tok *t, const struct hl_ntext *part, struct hl_arena *scratch,
                   struct hl_ids *ids);

/* The bytes [from, to) of a part as byte pieces, each with its character's span. */
void hl_ids_add_bytes(struct hl_ids *ids, const struct hl_vocab *v, const struct hl_ntext *part,
                      size_t from, size_t to);

/* Load "added_tokens" (before and after the model, see load.c), "decoder". */
enum hl_status hl_added_load(struct hl_tok *t, const struct hl_json *list, const char *where,
                             struct hl_error *err);
enum hl_status hl_decode_load(struct hl_tok *t, const struct hl_json *node, const char *where,
                              struct hl_error *err);

/* Calls `text(user, view)` and `token(user, id, start, end, special)` for the stretches
 * of t between added tokens and for these, in order. False stops it, and is returned. */
struct hl_added_visitor {
    bool (*text)(void *user, const struct hl_ntext *view);
    bool (*token)(void *user, int32_t id, int32_t start, int32_t end, bool special);
    void *user;
};
bool hl_added_split(const struct hl_tok *tok, const struct hl_trie *trie, const struct hl_ntext *t,
                    const struct hl_added_visitor *v);

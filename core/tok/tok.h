/* Tokenisers read from tokenizer.json: Unigram, BPE and WordPiece behind one interface, with
 * byte spans into the text as typed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* The tokens of one text. Arrays of length n in the arena given to encode.
 * start/end: byte offsets into the text as given (NUL-free, valid UTF-8; repair it
 * first), -1 for tokens added by the post-processor. word: number of the
 * whitespace-separated word, -1 for special tokens. Spans are ordered and inside
 * the text; several pieces of one character share its span; one is empty only where the
 * file leaves spaces out of spans and the token is nothing else. */
struct hl_encoding {
    int n;
    const int32_t *ids;
    const int32_t *start, *end;
    const int32_t *word;
    const bool *special;
};

struct hl_tok;

/* Reads `dir`/tokenizer.json. Ownership: hl_tok_close. Thread-safety: an open
 * tokeniser is immutable and may be shared. Fails: NOT_FOUND, READ, JSON,
 * TOKENIZER, NOMEM. */
enum hl_status hl_tok_open(const char *dir, struct hl_tok **out, struct hl_error *err);
/* The same from memory; `where` names it in errors. */
enum hl_status hl_tok_parse(const char *json, size_t n, const char *where, struct hl_tok **out,
                            struct hl_error *err);
void hl_tok_close(struct hl_tok *t); /* NULL-safe */

/* Encodes text[0..n). `add_special` applies the post-processor (adds </s> here).
 * Fails: NOMEM, ARGUMENT (text not valid UTF-8 or with NUL), TOKENIZER (an expression
 * of the file that gets lost in this text). */
enum hl_status hl_tok_encode(const struct hl_tok *t, const char *text, size_t n, bool add_special,
                             struct hl_arena *a, struct hl_encoding *out, struct hl_error *err);

/* Ids to text (special tokens left out, byte pieces joined, invalid joins become
 * U+FFFD). If start/end are not NULL they receive the byte span of each id in
 * the result (n each, -1 for special). Fails: NULL (no memory). */
char *hl_tok_decode(const struct hl_tok *t, const int32_t *ids, int n, struct hl_arena *a,
                    int32_t *start, int32_t *end);

/* The vocabulary's piece ("▁the"); "" for an id out of range. Lives as long as t. */
const char *hl_tok_piece(const struct hl_tok *t, int32_t id);
/* The same for reading: word-start mark removed; special tokens as they are. */
const char *hl_tok_label(const struct hl_tok *t, int32_t id);
bool hl_tok_is_special(const struct hl_tok *t, int32_t id);
bool hl_tok_starts_word(const struct hl_tok *t, int32_t id);
int hl_tok_n(const struct hl_tok *t);
/* -1 if no such piece. */
int32_t hl_tok_find(const struct hl_tok *t, const char *piece);

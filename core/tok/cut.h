/* Cutting a text by an expression: the pre-tokenisers Split, Whitespace, Digits,
 * Punctuation, BertPreTokenizer and ByteLevel. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/json.h"
#include "tok/pretok.h"
#include "tok/regex.h"

/* What becomes of the stretches that match. */
enum hl_cut_behaviour {
    HL_CUT_REMOVED,
    HL_CUT_ISOLATED,
    HL_CUT_PREVIOUS, /* joined to the stretch before */
    HL_CUT_NEXT,
    HL_CUT_CONTIGUOUS, /* neighbouring matches are one part */
    HL_CUT_COUNT
};

struct hl_cut {
    struct hl_regex *regex; /* NULL: nothing is cut */
    enum hl_cut_behaviour behaviour;
    bool invert;       /* what does not match is what matches */
    bool prefix_space; /* a space is put before a text that begins with none */
    bool bytes;        /* parts are written in the byte alphabet */
};

/* Whether a pre-tokeniser of this type is made of cuts. Reentrant. */
bool hl_cut_knows(const char *type);

/* Reads one into out[0..2), *n of them. Ownership: their expressions are destroyed by the
 * caller, also after a failure. Thread-safety: reentrant. Fails: TOKENIZER, NOMEM. */
enum hl_status hl_cut_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
                           struct hl_cut out[2], int *n, struct hl_error *err);

/* Appends the parts of t. Thread-safety: reentrant, one scratch per thread. Fails:
 * TOKENIZER (the expression takes too long), NOMEM. */
enum hl_status hl_cut_apply(const struct hl_cut *cut, const struct hl_ntext *t,
                            struct hl_arena *scratch, struct hl_parts *out, struct hl_error *err);

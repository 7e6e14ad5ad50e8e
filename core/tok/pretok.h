/* The pre-tokeniser of a tokenizer.json: cuts a normalised text into the parts that
 * the model sees one by one. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/json.h"
#include "tok/ntext.h"

struct hl_pretok_step;

struct hl_pretok {
    struct hl_pretok_step *steps; /* in the arena given to load */
    int n;
    const char *mark; /* the sign for a space ("▁"), also without any step */
};

/* Parts of one text, in order, none empty. */
struct hl_parts {
    struct hl_ntext *parts;
    size_t n, cap;
};

/* Reads the "pre_tokenizer" member (NULL or null: none): Metaspace (old and new keys),
 * WhitespaceSplit and Sequence. Thread-safety: immutable once loaded. Fails: TOKENIZER
 * (names what is not supported), NOMEM. */
enum hl_status hl_pretok_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
                              struct hl_pretok *out, struct hl_error *err);

/* Cuts `t`. The parts and any new text lie in `scratch`. Fails: false (no memory).
 * Thread-safety: reentrant, one scratch per thread. */
bool hl_pretok_apply(const struct hl_pretok *p, const struct hl_ntext *t, struct hl_arena *scratch,
                     struct hl_parts *out);

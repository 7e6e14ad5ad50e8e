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
    bool bytes;       /* parts are written in the byte alphabet */
    const char *mark; /* the sign for a space ("▁"), also without any step */
};

/* Parts of one text, in order, none empty. */
struct hl_parts {
    struct hl_ntext *parts;
    size_t n, cap;
};

/* Reads the "pre_tokenizer" member (NULL or null: none): Metaspace (old and new keys),
 * WhitespaceSplit, those of cut.h and Sequence. Ownership: hl_pretok_deinit, also after a
 * failure. Thread-safety: immutable once loaded. Fails: TOKENIZER (names what is not
 * supported), NOMEM. */
enum hl_status hl_pretok_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
                              struct hl_pretok *out, struct hl_error *err);

void hl_pretok_deinit(struct hl_pretok *p); /* idempotent */

/* Appends a part that is not empty; the list lies in `scratch`. Fails: false (no memory). */
bool hl_parts_add(struct hl_parts *p, struct hl_ntext part, struct hl_arena *scratch);

/* Cuts `t`. The parts and any new text lie in `scratch`. Fails: NOMEM, TOKENIZER (an
 * expression takes too long). Thread-safety: reentrant, one scratch per thread. */
enum hl_status hl_pretok_apply(const struct hl_pretok *p, const struct hl_ntext *t,
                               struct hl_arena *scratch, struct hl_parts *out,
                               struct hl_error *err);

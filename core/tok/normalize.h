/* The normaliser of a tokenizer.json: steps that rewrite a text and keep its spans. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "io/json.h"
#include "tok/ntext.h"

struct hl_normalize_step;

struct hl_normalize {
    struct hl_normalize_step *steps; /* in the arena given to load */
    int n;
};

/* Reads the "normalizer" member (NULL or null: none): NFC, NFD, NFKC, NFKD, Lowercase,
 * Strip, Prepend, Replace (string or expression), BertNormalizer and Sequence. Ownership:
 * hl_normalize_deinit. Thread-safety: immutable once loaded. Fails: TOKENIZER (names what
 * is not supported), NOMEM. */
enum hl_status hl_normalize_load(const struct hl_json *node, const char *where,
                                 struct hl_arena *arena, struct hl_normalize *out,
                                 struct hl_error *err);
void hl_normalize_deinit(struct hl_normalize *n); /* idempotent */

/* Rewrites *t; the result lies in `scratch` or is *t. All steps together may write 32
 * bytes for each byte of *t and 64 KiB, so that replacements that grow cannot fill the
 * memory. Fails: NOMEM, TOKENIZER (an expression that takes too long, or that budget).
 * Thread-safety: reentrant, one scratch per thread. */
enum hl_status hl_normalize_apply(const struct hl_normalize *n, struct hl_ntext *t,
                                  struct hl_arena *scratch, struct hl_error *err);

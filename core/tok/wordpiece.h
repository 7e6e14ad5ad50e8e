/* WordPiece (Schuster and Nakajima 2012; Devlin et al. 2019): each word is cut from the
 * left, always the longest piece that the vocabulary has; one that cannot be cut is
 * unknown as a whole. And the normaliser that comes with it. */
#pragma once

#include "tok/tok_priv.h"

/* Load the "model" member into t. Thread-safety: one thread per t. Fails: TOKENIZER, NOMEM. */
enum hl_status hl_wordpiece_load(struct hl_tok *t, const struct hl_json *model, const char *where,
                                 struct hl_error *err);

/* Cuts one word. Thread-safety: reentrant. Fails: sets ids->failed. */
void hl_wordpiece_encode(const struct hl_tok *t, const struct hl_ntext *part, struct hl_ids *ids);

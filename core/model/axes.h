/* Axes, candidates and texts of a record, from token ids. Strings are copied into
 * the record's arena, so that a record outlives its model. Every function here:
 * Thread-safety: one thread per record. Fails: NOMEM. */
#pragma once

#include "model/translate.h"
#include "model/generate.h"

/* n tokens of the record for these ids, words numbered, not yet placed in a text; `enc`
 * (may be NULL) places those it has. Fails: NULL (no memory). */
struct hl_token *hl_axes_tokens(const struct hl_run *run, const int32_t *ids, int n,
                                const struct hl_encoding *enc);

/* The record's candidates: of each of n rows k ids, best first, with their
 * log-probabilities; rows of `stride` in both arrays. Fails: false (no memory). */
bool hl_axes_candidates(const struct hl_run *run, int n, int k, int stride, const int32_t *ids,
                        const float *logprobs);

/* Axis "source" of these ids. `enc` places ids in `text`; NULL when only ids were given. */
enum hl_status hl_axes_source(const struct hl_run *run, const int32_t *ids, int n,
                              const struct hl_encoding *enc, const char *text,
                              struct hl_error *err);

/* Axes "decoder_input" and "target", output text, log-probabilities, candidates and
 * hypotheses. `enc` and `text` are the typed target (enc NULL: the text is decoded
 * from the ids). */
enum hl_status hl_axes_target(struct hl_translation *tr, const struct hl_output *out,
                              const struct hl_encoding *enc, const char *text,
                              struct hl_error *err);

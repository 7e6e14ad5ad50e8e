/* Axes, candidates and texts of a record, from token ids. Strings are copied into
 * the record's arena, so that a record outlives its model. Every function here:
 * Thread-safety: one thread per record. Fails: NOMEM. */
#pragma once

#include "model/translate.h"
#include "model/generate.h"

/* Axis "source". `enc` places ids in `text`; NULL when only ids were given. */
enum hl_status hl_axes_source(struct hl_translation *tr, const struct hl_encoding *enc,
                              const char *text, struct hl_error *err);

/* Axes "decoder_input" and "target", output text, log-probabilities, candidates and
 * hypotheses. `enc` and `text` are the typed target (enc NULL: the text is decoded
 * from the ids). */
enum hl_status hl_axes_target(struct hl_translation *tr, const struct hl_output *out,
                              const struct hl_encoding *enc, const char *text,
                              struct hl_error *err);

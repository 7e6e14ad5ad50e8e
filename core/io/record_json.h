/* The JSON form of an attention record. */
#pragma once

#include <stdbool.h>

#include "base/span.h"
#include "record/record.h"

/* Appends one object, without a line end:
 * {"headlight":1, "model":..., "family":..., "settings":{key:value},
 *  "tokens":{"source":[{"id","text","start","end","word","special"}...],
 *            "decoder_input":[...], "target":[...]},
 *  "attentions":[{"name","stage","shape":[L,H,Q,K],"data":[...]}...],
 *  "series":{name:[...]}, "output":{"text","tokens","logprobs"}, "logits":[...]}
 * Numbers have at most 9 significant digits, which give each float back exactly.
 * start, end and word are null where there is none; masked scores are null. A series
 * of several components is a list of lists. Members that the record has nothing for
 * are left out, so encoder-only records have no "output". "tokens" has every axis of
 * tokens, and "attentions" the names of the record: "read" and "write" of a memory model,
 * whose "steps" say what each of the T rows is for. `all_stages` adds the maps of other
 * stages than the weights and "vectors":[{"name","axis","shape":[L,n,width],"data"}...];
 * "memory" has a layer for each step, as it was before that step, and one for the end.
 * Thread-safety: reentrant on a sealed record. Fails: sets out->failed. */
void hl_record_json(const struct hl_record *r, bool all_stages, struct hl_sb *out);

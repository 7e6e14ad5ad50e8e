/* BERT's normaliser: control characters go, every white space is a space, ideographs
 * stand apart, accents go, letters become small. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "io/json.h"
#include "tok/ntext.h"

struct hl_bertnorm {
    bool clean, ideographs, accents, lower; /* accents: they are taken away */
};

/* Reads a "BertNormalizer". Thread-safety: reentrant. Fails: TOKENIZER. */
enum hl_status hl_bertnorm_load(const struct hl_json *node, const char *where,
                                struct hl_bertnorm *out, struct hl_error *err);

/* Appends the normal form of t. `scratch` holds what comes between. Thread-safety: one
 * thread per buffer and scratch. Fails: sets out->failed. */
void hl_bertnorm_apply(const struct hl_bertnorm *b, const struct hl_ntext *t,
                       struct hl_arena *scratch, struct hl_nbuf *out);

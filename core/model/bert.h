/* Checkpoints with BERT's names of weights: BERT itself, and RoBERTa under another prefix. */
#pragma once

#include "model/encoder.h"

/* What tells one from the other. */
struct hl_bert_kind {
    const char *prefix; /* of the encoder's tensors, which a file may leave out */
    bool roberta;       /* positions start after the padding's id; the head's names */
    int pad;            /* where the configuration says nothing */
};

/* A network's open. Thread-safety: reentrant. Fails: CONFIG, WEIGHTS, NOMEM. */
enum hl_status hl_bert_open(struct hl_model *m, const struct hl_json *config,
                            const struct hl_bert_kind *kind, const char *mask_piece,
                            struct hl_error *err);

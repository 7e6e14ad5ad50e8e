/* Networks with weights: open a folder, run a text, get an attention record. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/ntm.h"
#include "model/sagan.h"
#include "record/record.h"
#include "tok/tok.h"

enum hl_decode {
    HL_DECODE_GREEDY,
    HL_DECODE_BEAM,
    HL_DECODE_FORCED, /* the target is given */
    HL_DECODE_NONE,   /* encoder only */
    HL_DECODE_COUNT
};

/* What to run. Strings are borrowed for the call. `= { 0 }` plus a text is a
 * valid greedy request. */
struct hl_request {
    const char *text;          /* source, valid UTF-8 without NUL; NULL means empty */
    const int32_t *source_ids; /* the encoder's input as ids, end token too, or NULL */
    int n_source_ids;
    const char *target;         /* forced target text, or NULL */
    const int32_t *decoder_ids; /* forced decoder input (start token first), or NULL */
    int n_decoder_ids;
    enum hl_decode decode;     /* GREEDY with a target or ids set means FORCED */
    int beam;                  /* width for BEAM, 2..16 */
    int max_target;            /* 0: 2 * source + 16, at most the model's limit */
    const char *score;         /* GRU: a score's name, "local-m", "local-p"; NULL additive */
    bool no_positions_encoder; /* Transformer: leave the encodings out */
    bool no_positions_decoder;
    bool keep_scores;  /* also record the stage before the softmax */
    bool keep_vectors; /* record queries, keys, values, states */
    bool keep_logits;  /* record the last position's logits */
    /* A guess of the target (usually the previous translation, ids after the start
     * token): checked in batched passes; changes the time and never the result. */
    const int32_t *draft;
    int n_draft;
    const struct hl_ntm_options *ntm;     /* memory models; NULL: as trained */
    const struct hl_sagan_options *sagan; /* image models; NULL: seed 0, as trained */
    const atomic_bool *cancel;            /* polled between layers and steps; may be NULL */
    /* Memory for the run, emptied by the caller between runs (saves asking the system
     * for the same megabytes at each key); NULL: the run's own. */
    struct hl_arena *scratch;
};

struct hl_model;

/* What a model is for, which decides the screens that can show it. */
enum hl_model_kind {
    HL_MODEL_RECURRENT,   /* translator with one alignment */
    HL_MODEL_TRANSFORMER, /* encoder-decoder with heads */
    HL_MODEL_MEMORY,      /* Neural Turing Machine */
    HL_MODEL_IMAGES,      /* self-attention over pictures */
    HL_MODEL_KIND_COUNT
};

/* What a model is and can do; immutable, lives with the model. */
struct hl_model_info {
    const char *name; /* folder name */
    const char *dir;
    const char *family; /* "marian", "headlight-gru" */
    const char *title;  /* "English → French · Transformer" */
    enum hl_model_kind kind;
    int n_params;
    size_t weights_sz;          /* bytes on disk */
    int max_source, max_target; /* tokens */
    int n_enc_layers, n_dec_layers, n_heads, d_model;
    bool has_scores;    /* GRU: the score can be chosen */
    bool has_positions; /* Transformer: sinusoids added */
    int bos_id, eos_id, pad_id;
    const struct hl_ntm_info *ntm;     /* HL_MODEL_MEMORY, else NULL */
    const struct hl_sagan_info *sagan; /* HL_MODEL_IMAGES, else NULL */
};

/* Opens `dir` (config.json, model.safetensors, tokenizer.json). Ownership:
 * hl_model_close. Thread-safety: an open model is immutable; several threads may
 * run it at once. Fails: NOT_FOUND, READ, JSON, CONFIG, SAFETENSORS, WEIGHTS
 * (every missing, unexpected and mis-shaped tensor in one sentence), TOKENIZER, NOMEM. */
enum hl_status hl_model_open(const char *dir, struct hl_model **out, struct hl_error *err);
/* The same without a tokeniser, for folders that have none: runs take ids only
 * (source_ids, decoder_ids), and tokens are labelled "#12". Fails: as above. */
enum hl_status hl_model_open_ids(const char *dir, struct hl_model **out, struct hl_error *err);
void hl_model_close(struct hl_model *m); /* NULL-safe */

/* Both live as long as the model; the tokeniser is NULL in a model opened for ids and
 * in a family that has none (memory, images).
 * Thread-safety: reentrant. */
const struct hl_model_info *hl_model_info(const struct hl_model *m);
const struct hl_tok *hl_model_tok(const struct hl_model *m);

/* Runs `req` and gives a sealed record. Ownership: hl_record_destroy.
 * Thread-safety: reentrant on a shared model. Fails: CANCELLED, TOO_LONG (forced
 * ids only: a long source is cut and the record says where), ARGUMENT, NOMEM,
 * RECORD. */
enum hl_status hl_model_run(const struct hl_model *m, const struct hl_request *req,
                            struct hl_record **out, struct hl_error *err);

/* The row of the embedding table of `id` as the first layer receives it (scaled),
 * d_model floats into out. Fails: false (id out of range, no such model part). */
bool hl_model_embedding(const struct hl_model *m, int32_t id, float *out);

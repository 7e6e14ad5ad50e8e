/* Networks with weights: open a folder, run an input, get an attention record. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "record/record.h"
#include "tok/tok.h"

/* The value of an option, by its key (see the model's options). */
struct hl_value {
    const char *key; /* borrowed */
    double v;
};

/* Numbers in place of those that a network would compute: at position `at` of the
 * series `what` of its record, of head `head`, these n. What follows is computed from
 * there. */
struct hl_override {
    const char *what; /* "write.gate" */
    int at, head;
    int n;
    const float *values;
};

enum { HL_REQUEST_VALUES = 16 };

/* What to run: inputs, values of options, and what to keep. Pointers are borrowed for
 * the call. `= { 0 }` plus an input is valid. */
struct hl_request {
    /* Inputs: a network names those it takes (hl_network.inputs); others must be empty. */
    const char *text;          /* valid UTF-8 without NUL; NULL means empty */
    const char *target;        /* forced target text, or NULL */
    const int32_t *source_ids; /* the encoder's input as ids, end token too, or NULL */
    int n_source_ids;
    const int32_t *decoder_ids; /* forced decoder input (start token first), or NULL */
    int n_decoder_ids;
    const float *picture; /* grey, -1 paper .. 1 ink, of the model's own side; or NULL */
    int n_picture;
    const float *numbers; /* latents, points ...: as the network's header says; or NULL */
    int n_numbers;
    const struct hl_override *overrides;
    int n_overrides;

    struct hl_value values[HL_REQUEST_VALUES]; /* options that differ from the initial */
    int n_values;

    bool keep_scores;  /* also record the stage before the softmax */
    bool keep_vectors; /* record queries, keys, values, states */
    bool keep_logits;  /* record the last position's logits */
    /* A guess of the target (usually the previous translation, ids after the start
     * token): checked in batched passes; changes the time and never the result. */
    const int32_t *draft;
    int n_draft;
    const atomic_bool *cancel; /* polled between layers and steps; may be NULL */
    /* Memory for the run, emptied by the caller between runs (saves asking the system
     * for the same megabytes at each key); NULL: the run's own. */
    struct hl_arena *scratch;
};

/* Sets an option's value in the request, once a key. Thread-safety: one thread per
 * request. Fails: false (HL_REQUEST_VALUES keys are set already). */
bool hl_request_set(struct hl_request *q, const char *key, double v);
/* The value set for a key, `otherwise` if none is. Thread-safety: reentrant. */
double hl_request_value(const struct hl_request *q, const char *key, double otherwise);

struct hl_model;
struct hl_network;

/* Something worth knowing of a model, for people: "layers", "4 + 4". */
struct hl_fact {
    const char *name, *text;
};

/* A head that training was told where to look: "headlight_taught_heads" of config.json. */
struct hl_taught {
    const char *map; /* "encoder" */
    int layer, head; /* from 0 */
    const char *of;  /* "pronoun" */
};

/* What a model is and can do; immutable, lives with the model. */
struct hl_model_info {
    const char *name; /* folder name */
    const char *dir;
    const char *title; /* "English → French · Transformer" */
    const struct hl_network *network;
    int n_params;
    size_t weights_sz; /* bytes on disk */
    int n_options;     /* the network's, with what this model makes of them */
    const struct hl_option *options;
    int n_facts;
    const struct hl_fact *facts;
    int n_taught;
    const struct hl_taught *taught;
    const void *details; /* the network's own description, for its own header's accessor */

    int max_source, max_target; /* tokens; 0: the network reads none */
    int n_enc_layers, n_dec_layers, n_heads, d_model;
    int bos_id, eos_id, pad_id; /* -1 none */
    int picture_side;           /* pixels; 0: it takes no picture */
};

/* Whether the model's network can do this (HL_CAN_... of network.h, one bit or any of
 * several). Thread-safety: reentrant. */
bool hl_model_can(const struct hl_model_info *info, uint32_t what);
/* An option of the model; NULL if it has none of this key. Thread-safety: reentrant. */
const struct hl_option *hl_model_option(const struct hl_model_info *info, const char *key);

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
 * in a network that has none (memory, images).
 * Thread-safety: reentrant. */
const struct hl_model_info *hl_model_info(const struct hl_model *m);
const struct hl_tok *hl_model_tok(const struct hl_model *m);

/* Runs `req` and gives a sealed record. Ownership: hl_record_destroy.
 * Thread-safety: reentrant on a shared model. Fails: CANCELLED, TOO_LONG (forced
 * ids only: a long source is cut and the record says where), ARGUMENT (an input or
 * option that the network does not have, a value out of range), NOMEM, RECORD. */
enum hl_status hl_model_run(const struct hl_model *m, const struct hl_request *req,
                            struct hl_record **out, struct hl_error *err);

/* The row of the embedding table of `id` as the first layer receives it (scaled),
 * d_model floats into out. Fails: false (id out of range, no such model part). */
bool hl_model_embedding(const struct hl_model *m, int32_t id, float *out);

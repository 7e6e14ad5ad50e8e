/* What a network has to declare, and what a run consists of.
 *
 * A network is one file with a `const struct hl_network hl_network_<name>` and one line
 * in core/model/meson.build. It says what it takes, what may be chosen, and how it is
 * opened and run; model.c opens the folder and checks a request against the declaration;
 * the worker, the command line, the saved settings and the help know it by nothing else.
 * Networks that write a target lean on translate.h.
 *
 * Every function here: Thread-safety: reentrant on a shared model, one thread per
 * run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "model/model.h"
#include "record/record.h"

/* What can be seen of a network: bits of hl_network.can, which decide the screens that
 * show it. */
enum hl_capability {
    HL_CAN_ALIGN,     /* a map "alignment": each written token against the source */
    HL_CAN_HEADS,     /* maps of layers and heads over tokens */
    HL_CAN_TAPE,      /* a memory, addressed step by step */
    HL_CAN_PICTURES,  /* attention between places of a picture */
    HL_CAN_TRANSLATE, /* writes a target text of its own */
    HL_CAN_COUNT
};
#define HL_CAN(what) (1u << HL_CAN_##what)

/* Inputs that a network takes: bits of hl_network.inputs, the members of hl_request. */
enum {
    HL_INPUT_TEXT = 1,    /* text */
    HL_INPUT_IDS = 2,     /* source_ids, decoder_ids */
    HL_INPUT_TARGET = 4,  /* target */
    HL_INPUT_PICTURE = 8, /* picture */
    HL_INPUT_NUMBERS = 16,
    HL_INPUT_OVERRIDES = 32
};

struct hl_run;

struct hl_network {
    const char *key;         /* model_type in config.json */
    const char *const *also; /* other model_types of the same network, NULL-ended; or NULL */
    const char *kind;        /* for people: "Transformer" */
    uint32_t can;            /* HL_CAN(...) */
    uint32_t inputs;         /* HL_INPUT_... */
    bool tokeniser;          /* the folder has one, and text is read with it */
    int n_options;           /* at most HL_REQUEST_VALUES */
    const struct hl_option *options;

    /* Reads the configuration (and generation_config.json, NULL if there is none),
     * fills model->info (facts too, and options where this model's ranges differ from
     * the network's) and vocab, loads weights into model->arena.
     * Fails: CONFIG, WEIGHTS, NOMEM. */
    enum hl_status (*open)(struct hl_model *m, const struct hl_json *config,
                           const struct hl_json *generation, struct hl_error *err);

    /* Fills the record: axes, maps, vectors, series, settings, output. Inputs and option
     * values were checked. Fails: ARGUMENT, TOO_LONG, CANCELLED, NOMEM, WEIGHTS. */
    enum hl_status (*run)(struct hl_run *run, struct hl_error *err);

    /* The token's row as the first layer receives it, d_model floats; NULL: it reads no
     * tokens. */
    void (*embedding)(const struct hl_model *m, int32_t id, float *out);
};

struct hl_model {
    struct hl_arena arena; /* of everything below */
    struct hl_model_info info;
    const struct hl_network *network;
    struct hl_st *weights; /* mapped file */
    struct hl_tok *tok;    /* NULL when opened for ids only, or without need of one */
    uint64_t weights_hash;
    int vocab;    /* ids that exist; rows of logits */
    int n_banned; /* ids that are never written (the padding) */
    int32_t banned[4];
    const void *net; /* the network's weights */
};

/* One run of any network. */
struct hl_run {
    const struct hl_model *model;
    const struct hl_request *req;
    struct hl_arena *scratch;         /* freed after the run */
    struct hl_record *record;         /* being filled */
    double option[HL_REQUEST_VALUES]; /* in the order of the model's options; NAN where
                                         the model's own value is wanted */
};

/* The network of a model_type; NULL if there is none. */
const struct hl_network *hl_network_find(const char *key);
/* All of them, n in all, in the order of the list. */
const struct hl_network *const *hl_network_all(int *n);

/* "marian, headlight-gru": what model_type may be, into buf. */
void hl_network_keys(char *buf, size_t buf_sz);

/* Adds a fact to the model's list, its text formatted. Only while it opens.
 * Fails: NOMEM. */
enum hl_status hl_model_fact(struct hl_model *m, struct hl_error *err, const char *name,
                             const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The value of an option in this run, by key (which must exist). */
double hl_run_option(const struct hl_run *run, const char *key);
/* The same as a whole number: a switch, a place among names. */
int hl_run_choice(const struct hl_run *run, const char *key);

/* "English → French · Transformer" from "en-fr-small" or "opus-mt-en-fr"; a name without
 * two language codes in a row stands for itself. Fails: NULL (no memory). */
char *hl_model_make_title(struct hl_arena *a, const char *name, const char *kind);

/* CANCELLED once the request's flag is set, else OK. */
enum hl_status hl_run_poll(const struct hl_run *run, struct hl_error *err);

/* WEIGHTS, with the sentence for numbers that left the range of a float. */
enum hl_status hl_run_overflow(const struct hl_run *run, struct hl_error *err);

/* A record's map [L, H, n_q, n_k] over `data`, which lies in the record's arena.
 * Axes, mask, scale and the claim on sums are the caller's. Fails: NULL (no room). */
struct hl_map *hl_run_add_map(struct hl_record *r, const char *name, const char *stage,
                              const int shape[4], const float *data);

/* Vectors [L, n, width] over `data`, which lies in the record's arena. Fails: NULL. */
struct hl_vectors *hl_run_add_vectors(struct hl_record *r, const char *name, int axis,
                                      const int shape[3], const float *data);

/* Gives a record's map a compact [L, H, n_q, n_k] copy of rows that lie apart: row
 * (l, h, q) is at p + (l * n_heads + h) * head_stride + q * row_stride. Fails: NULL
 * (no memory, no room). */
struct hl_map *hl_run_keep_map(struct hl_record *r, const char *name, const char *stage,
                               const int shape[4], const float *p, size_t head_stride,
                               size_t row_stride);

/* The same for vectors [L, n, width] whose layers lie layer_stride apart. */
struct hl_vectors *hl_run_keep_vectors(struct hl_record *r, const char *name, int axis,
                                       const int shape[3], const float *p, size_t layer_stride);

/* Reading of configuration keys: a missing key leaves the default.
 * Fails: CONFIG. */
enum hl_status hl_config_int(const struct hl_json *config, const char *key, int min, int max,
                             int *out, struct hl_error *err);
enum hl_status hl_config_bool(const struct hl_json *config, const char *key, bool *out,
                              struct hl_error *err);

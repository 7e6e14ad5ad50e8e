/* The attention record: the waist of the program. Everything above produces it,
 * everything below reads it; it depends on base only.
 *
 * A record holds axes (what rows and columns are), maps (weights between two
 * axes, for all layers and heads of one attention), vectors (captured queries,
 * keys, values and states), series (numbers per axis position), candidates and
 * provenance. After a run it is verified and sealed: from then on it is
 * read-only and may be read from any thread. It owns one arena and is freed by
 * one call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum hl_axis_kind { HL_AXIS_TOKENS, HL_AXIS_STEPS, HL_AXIS_SLOTS, HL_AXIS_GRID, HL_AXIS_COUNT };

enum hl_stage {
    HL_STAGE_SCORES,  /* before mask and softmax, after scaling */
    HL_STAGE_WEIGHTS, /* after the softmax (and a window's Gaussian, or sharpening) */
    /* of an NTM's addressing, in order, before WEIGHTS */
    HL_STAGE_COSINE,  /* similarity of key and slot, -1..1 */
    HL_STAGE_CONTENT, /* softmax of strength * cosine */
    HL_STAGE_GATED,   /* gate * content + (1 - gate) * previous */
    HL_STAGE_SHIFTED, /* circular convolution with the shift */
    HL_STAGE_COUNT
};

/* One token of a text. `text` is the vocabulary's piece, `label` what a person
 * reads (word-start mark taken away, byte pieces joined or shown as <0xNN>).
 * start/end are byte offsets into the axis' text, -1 for special tokens.
 * word numbers the words of the text from 0, -1 for special tokens. */
struct hl_token {
    int32_t id;
    const char *text;
    const char *label;
    int32_t start, end;
    int32_t word;
    bool special;
};

struct hl_axis {
    const char *name; /* "source", "decoder_input", "target" */
    enum hl_axis_kind kind;
    int n;
    const struct hl_token *tokens; /* n of them for HL_AXIS_TOKENS, else NULL */
    const char *text;              /* the text that spans point into, or NULL */
    int grid_h, grid_w;            /* HL_AXIS_GRID */
};

/* Numbers [L, H, Q, K], row-major. Masked places are exactly 0 in weights and
 * -infinity in scores. */
struct hl_map {
    const char *name; /* "encoder.self" "decoder.self" "decoder.cross" "alignment" */
    enum hl_stage stage;
    int n_layers, n_heads, n_q, n_k;
    int q_axis, k_axis; /* indices into axes */
    int out_axis;       /* axis that a row predicts (decoder maps: "target"), or -1 */
    bool causal;        /* key k > query q is masked */
    bool row_sum_one;   /* claimed by the mechanism and checked by verify */
    float scale;        /* factor on q.k before the softmax; 0 when the score is not a product */
    const float *data;
};

/* Vectors [L, n, width]: name "<map>.query", "<map>.key", "<map>.value" (heads lie
 * side by side: head h is columns h*width/H ...), "encoder.state",
 * "decoder.state", "context", "embedding". */
struct hl_vectors {
    const char *name;
    int axis;
    int n_layers, n, width;
    const float *data;
};

/* A number per axis position and component, [n, n_comp]. */
struct hl_series {
    const char *name; /* "window.centre", "row.sum", "logprob" */
    int axis;
    int n, n_comp;
    const float *data;
};

/* The best next tokens at each target position, [n, k], best first. */
struct hl_candidate {
    int32_t id;
    const char *label;
    float logprob;
};

/* A finished translation of a beam search. */
struct hl_hypothesis {
    const int32_t *ids; /* n of them, end token included where it was reached */
    int n;
    const char *text;
    double logprob; /* sum over its tokens, natural log */
    double score;   /* logprob / n, by which hypotheses are ordered */
};

struct hl_record {
    struct hl_arena arena; /* owns all below */
    bool sealed;

    int n_axes, n_maps, n_vectors, n_series;
    struct hl_axis axes[8];
    struct hl_map maps[12];
    struct hl_vectors vectors[24];
    struct hl_series series[24];

    int n_candidates, candidates_k; /* n target positions, k each */
    const struct hl_candidate *candidates;

    int n_hypotheses; /* of a beam search, best first; 0 otherwise */
    const struct hl_hypothesis *hypotheses;

    const char *output_text; /* decoded target, NULL if none */
    double output_logprob;   /* sum over the target tokens, natural log */
    const float *logits;     /* last position, [n_logits], or NULL */
    int n_logits;

    /* Provenance */
    const char *model;    /* "en-fr-transformer" */
    const char *family;   /* "marian" */
    const char *settings; /* "score=additive window=global decode=greedy" */
    uint64_t weights_hash;
    int n_dropped_tokens; /* source tokens beyond the model's limit, left out */
    int dropped_at;       /* byte offset in the source text where the cut fell, or -1 */
    int n_decode_passes;  /* forward passes of the decoder (a draft makes them fewer) */
};

/* An empty, unsealed record. Ownership: hl_record_destroy. Fails: NULL (no memory). */
struct hl_record *hl_record_create(void);
void hl_record_destroy(struct hl_record *r); /* NULL-safe */

/* Append a zeroed entry and return it for filling; *index (may be NULL) is its
 * number. Names are copied. Only before sealing. Fails: NULL (no room, no memory). */
struct hl_axis *hl_record_axis(struct hl_record *r, const char *name, enum hl_axis_kind kind, int n,
                               int *index);
struct hl_map *hl_record_map(struct hl_record *r, const char *name, enum hl_stage stage);
struct hl_vectors *hl_record_vectors(struct hl_record *r, const char *name);
struct hl_series *hl_record_series(struct hl_record *r, const char *name);

/* Checks sizes, indices, spans (ordered, inside the text), finiteness, masks,
 * rows that claim to sum to 1 (1e-4), non-negative weights, cosines in -1..1. A claim
 * on sums is checked for every stage of weights (content, gated, shifted, weights).
 * Fails: RECORD. */
enum hl_status hl_record_verify(const struct hl_record *r, struct hl_error *err);

/* Verifies and makes it read-only by contract. Fails: RECORD. */
enum hl_status hl_record_seal(struct hl_record *r, struct hl_error *err);

/* Look-ups by name; NULL / -1 when absent. Reentrant. */
const struct hl_axis *hl_record_find_axis(const struct hl_record *r, const char *name);
const struct hl_map *hl_record_find_map(const struct hl_record *r, const char *name,
                                        enum hl_stage stage);
const struct hl_vectors *hl_record_find_vectors(const struct hl_record *r, const char *name);
const struct hl_series *hl_record_find_series(const struct hl_record *r, const char *name);

/* Row [K] of one layer, head and query (all from 0). */
static inline const float *
hl_map_row(const struct hl_map *m, int layer, int head, int q)
{
    return m->data + (((int64_t)layer * m->n_heads + head) * m->n_q + q) * m->n_k;
}

/* The word heads of stages in files and options ("weights", "scores"). */
const char *hl_stage_name(enum hl_stage s);
/* Whether a stage's numbers are weights (no negatives), not scores. */
static inline bool
hl_stage_is_weights(enum hl_stage s)
{
    return s != HL_STAGE_SCORES && s != HL_STAGE_COSINE;
}

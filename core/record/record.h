/* The attention record: the waist of the program. Everything above produces it,
 * everything below reads it; it depends on base only.
 *
 * A record holds axes (what rows and columns are), maps (weights between two
 * axes, for all layers and heads of one attention), vectors (captured queries,
 * keys, values and states), series (numbers per axis position), candidates,
 * settings and provenance. After a run it is verified and sealed: from then on it is
 * read-only and may be read from any thread. It owns one arena and is freed by
 * one call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum hl_axis_kind { HL_AXIS_TOKENS, HL_AXIS_STEPS, HL_AXIS_SLOTS, HL_AXIS_GRID, HL_AXIS_COUNT };

/* Stages of one attention, by name; a network may add names of its own. Each map carries
 * its stage's rank: stages of one name are shown and listed in that order. */
#define HL_STAGE_SCORES "scores"   /* before mask and softmax, after scaling */
#define HL_STAGE_COSINE "cosine"   /* similarity of key and slot, -1..1 */
#define HL_STAGE_CONTENT "content" /* softmax of strength * cosine */
#define HL_STAGE_GATED "gated"     /* gate * content + (1 - gate) * previous */
#define HL_STAGE_SHIFTED "shifted" /* circular convolution with the shift */
#define HL_STAGE_WEIGHTS "weights" /* after the softmax (and a window, or sharpening) */

/* What a stage's numbers are, which verify holds them to. */
enum hl_rule {
    HL_RULE_WEIGHTS, /* finite, not negative; masked ones are 0 */
    HL_RULE_SCORES,  /* no NaN, no plus infinity; masked ones are minus infinity */
    HL_RULE_COSINES, /* -1..1 */
    HL_RULE_COUNT
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
    const char *name;  /* "source", "decoder_input", "target" */
    const char *title; /* what a person calls one of its places: "source word" */
    enum hl_axis_kind kind;
    int n;
    const struct hl_token *tokens; /* n of them for HL_AXIS_TOKENS, else NULL */
    const char *text;              /* the text that spans point into, or NULL */
    int grid_h, grid_w;            /* HL_AXIS_GRID */
};

/* What a row of a map was made of, so that any cell can be opened into its sum without
 * knowing the network: names of vectors of the record (NULL: there is none). In head h
 * of H a vector's columns are h * width / H and on; where keys are shared by several
 * heads, their width is smaller and head h uses part h * H_keys / H. */
struct hl_parts {
    const char *score; /* "scaled dot", "dot", "additive" ...: core/attn/score */
    const char *query, *key, *value;
    const char *bias; /* name of a map [L, H, Q, K] added to the scores */
    int n_key_heads;  /* 0: as many as heads */
};

/* Numbers [L, H, Q, K], row-major. Masked places are exactly 0 in weights and
 * -infinity in scores. */
struct hl_map {
    const char *name;  /* "encoder.self" "decoder.self" "decoder.cross" "alignment" */
    const char *stage; /* HL_STAGE_... or the network's own */
    int rank;          /* of the stage among those of this name, ascending */
    enum hl_rule rule;
    int n_layers, n_heads, n_q, n_k;
    int q_axis, k_axis; /* indices into axes */
    int out_axis;       /* axis that a row predicts (decoder maps: "target"), or -1 */
    bool causal;        /* key k > query q is masked */
    bool row_sum_one;   /* claimed by the mechanism and checked by verify */
    float scale;        /* factor on q.k before the softmax; 0 when the score is not a product */
    struct hl_parts parts;
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

/* One setting of the run: "score" "additive". */
struct hl_setting {
    const char *key, *value;
};

struct hl_record {
    struct hl_arena arena; /* owns all below */
    bool sealed;

    /* Lists that grow: an entry stays where it is until the next of its kind is added. */
    int n_axes, n_maps, n_vectors, n_series, n_settings;
    struct hl_axis *axes;
    struct hl_map *maps;
    struct hl_vectors *vectors;
    struct hl_series *series;
    struct hl_setting *settings; /* what the run was asked for, and what came of it */

    int n_candidates, candidates_k; /* n target positions, k each */
    const struct hl_candidate *candidates;

    int n_hypotheses; /* of a beam search, best first; 0 otherwise */
    const struct hl_hypothesis *hypotheses;

    const char *output_text; /* decoded target, NULL if none */
    double output_logprob;   /* sum over the target tokens, natural log */
    const float *logits;     /* last position, [n_logits], or NULL */
    int n_logits;

    /* Provenance */
    const char *model;  /* "en-fr-transformer" */
    const char *family; /* "marian" */
    uint64_t weights_hash;
    int n_dropped_tokens; /* source tokens beyond the model's limit, left out */
    int dropped_at;       /* byte offset in the source text where the cut fell, or -1 */
    int n_decode_passes;  /* forward passes of the decoder (a draft makes them fewer) */
};

/* An empty, unsealed record. Ownership: hl_record_destroy. Fails: NULL (no memory). */
struct hl_record *hl_record_create(void);
void hl_record_destroy(struct hl_record *r); /* NULL-safe */

/* Append a zeroed entry and return it for filling, valid until the next of its kind is
 * added; *index (may be NULL) is its number. Names are copied. A map's rank and rule
 * follow from a known stage; for a name of the network's own they are 50 and
 * HL_RULE_WEIGHTS, to be changed by the caller. Only before sealing.
 * Fails: NULL (sealed, no memory). */
struct hl_axis *hl_record_axis(struct hl_record *r, const char *name, enum hl_axis_kind kind, int n,
                               int *index);
struct hl_map *hl_record_map(struct hl_record *r, const char *name, const char *stage);
struct hl_vectors *hl_record_vectors(struct hl_record *r, const char *name);
struct hl_series *hl_record_series(struct hl_record *r, const char *name);
/* Notes a setting, its value formatted; of a key noted twice the later value stands.
 * Only before sealing. Fails: false (sealed, no memory). */
bool hl_record_set(struct hl_record *r, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks sizes, indices, spans (ordered, inside the text), finiteness, masks,
 * rows that claim to sum to 1 (1e-4), non-negative weights, cosines in -1..1. A claim
 * on sums is checked for every stage of weights (content, gated, shifted, weights).
 * Fails: RECORD. */
enum hl_status hl_record_verify(const struct hl_record *r, struct hl_error *err);

/* Completes the parts of each map that its network left open by name ("<map>.query",
 * "<map>.key", "<map>.value"), verifies, and makes the record read-only by contract.
 * Fails: RECORD, NOMEM. */
enum hl_status hl_record_seal(struct hl_record *r, struct hl_error *err);

/* Look-ups by name; NULL / -1 when absent. Reentrant. */
const struct hl_axis *hl_record_find_axis(const struct hl_record *r, const char *name);
const struct hl_map *hl_record_find_map(const struct hl_record *r, const char *name,
                                        const char *stage);
const struct hl_vectors *hl_record_find_vectors(const struct hl_record *r, const char *name);
const struct hl_series *hl_record_find_series(const struct hl_record *r, const char *name);

/* The value of a setting; NULL when it was not noted. */
const char *hl_record_setting(const struct hl_record *r, const char *key);
/* The setting as a whole number; `none` when it was not noted or is no number. */
int hl_record_setting_int(const struct hl_record *r, const char *key, int none);

/* Row [K] of one layer, head and query (all from 0). */
static inline const float *
hl_map_row(const struct hl_map *m, int layer, int head, int q)
{
    return m->data + (((int64_t)layer * m->n_heads + head) * m->n_q + q) * m->n_k;
}

/* Whether a map is of this stage. */
bool hl_map_is(const struct hl_map *m, const char *stage);

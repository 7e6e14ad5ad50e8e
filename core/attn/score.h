/* The six alignment scores: how well does a key answer a query?
 *
 * One table: a row names the score, its formula and paper, and computes e_j for one
 * query against S keys. To add a score, add an enumerator and a row. */
#pragma once

#include <stddef.h>

enum hl_score {
    HL_SCORE_ADDITIVE,
    HL_SCORE_DOT,
    HL_SCORE_GENERAL,
    HL_SCORE_SCALED,
    HL_SCORE_COSINE,
    HL_SCORE_LOCATION,
    HL_SCORE_COUNT
};

/* Parameters; a score reads only its own. All borrowed. A is the width of queries
 * and keys, Ds that of the decoder's state. */
struct hl_score_params {
    int d;                   /* A */
    const float *v;          /* additive: [A] */
    const float *w;          /* general: [A,A], e = q^T W k */
    float strength;          /* cosine: the factor beta itself (> 0) */
    int d_state;             /* location: Ds */
    int max_keys;            /* location: Smax; keys beyond it do not exist */
    const float *location_w; /* location: [Smax,Ds] */
    const float *location_b; /* location: [Smax] */
};

/* One query and its keys, borrowed. `q` [A] and `k` [n,A] are projected already;
 * `state` [Ds] is read by location only, which reads neither q nor k. */
struct hl_score_input {
    const float *q;
    const float *state;
    const float *k;
    ptrdiff_t k_stride;
    int n;
};

struct hl_score_row {
    const char *name;    /* "additive": files, options */
    const char *title;   /* "additive (Bahdanau 2015)" */
    const char *formula; /* UTF-8, "e_j = vᵀ tanh(q + k_j)" */
    const char *source;  /* the paper */
    /* Scores into out[n]; scratch holds A floats. out must not overlap the input.
     * Each e_j is bitwise independent of the other keys. Thread-safety: reentrant.
     * Fails: never. */
    void (*run)(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch,
                float *out);
    /* The same in double by plain loops. */
    void (*ref)(const struct hl_score_params *p, const struct hl_score_input *in, double *out);
};

extern const struct hl_score_row hl_score_table[HL_SCORE_COUNT];

/* Index of `name` in the table. Thread-safety: reentrant. Fails: -1 (unknown). */
int hl_score_find(const char *name);

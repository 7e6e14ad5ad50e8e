/* Decoding: greedy (with or without a draft), beam search, forced.
 *
 * All of them leave in lane 0 exactly the rows of the result, each computed from the
 * rows before it, so that what is recorded is what decided. Every function here:
 * Thread-safety: one thread per run. */
#pragma once

#include "model/translate.h"

enum { HL_OUTPUT_TOP = 5 };

/* A decoded target: row i read input[i] and was followed by target[i]. Everything
 * lives in the run's scratch. */
struct hl_output {
    int n, cap;
    int32_t *input, *target;
    float *logprob;  /* of target[i] */
    int32_t *top_id; /* [n, HL_OUTPUT_TOP], best first, -1 where none */
    float *top_logprob;
    float *logits;                    /* of the last row, unmasked, if asked for */
    double total;                     /* sum of logprob */
    int n_passes;                     /* calls of the network's advance */
    int n_hypotheses;                 /* beam search only */
    struct hl_hypothesis *hypotheses; /* without texts */
};

/* Sets up an output for at most `cap` rows. Fails: NOMEM. */
enum hl_status hl_output_init(struct hl_translation *tr, int cap, struct hl_output *out,
                              struct hl_error *err);

/* Always the likeliest token, from the start token to the end token or out->cap.
 *
 * The request's draft is a guess of the result: a pass reads the last token and a
 * piece of the draft at once, and keeps the rows up to the first one that disagrees
 * (blockwise decoding, Stern et al. 2018, with the draft in place of a proposal
 * model). After a disagreement the draft is taken up again beside the token that the
 * model chose instead. Rows do not depend on their company, so the result is the
 * same bit by bit. Fails: CANCELLED. */
enum hl_status hl_generate_greedy(struct hl_translation *tr, struct hl_output *out,
                                  struct hl_error *err);

/* Reads input[0..n) as given; row i counts as followed by input[i + 1], the last one
 * by `last` (-1: by the likeliest token). n <= out->cap. Fails: CANCELLED. */
enum hl_status hl_generate_forced(struct hl_translation *tr, const int32_t *input, int n,
                                  int32_t last, struct hl_output *out, struct hl_error *err);

/* Beam search of tr->n_lanes hypotheses, ordered by log-probability per token (end
 * token counted); ends when as many are finished and no open one is better as it
 * stands. The best one is then read again in lane 0. Fails: CANCELLED, NOMEM. */
enum hl_status hl_generate_beam(struct hl_translation *tr, struct hl_output *out,
                                struct hl_error *err);

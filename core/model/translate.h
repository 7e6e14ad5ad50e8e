/* What networks that write a target have in common: reading the source and a forced
 * target, greedy, beam and forced decoding (generate.h), drafts, and the axes of the
 * record. Such a network gives its few steps in a struct hl_translator and runs by
 * hl_translate; HL_TRANSLATE_OPTIONS belongs in front of its own options.
 *
 * Every function here: Thread-safety: one thread per run. */
#pragma once

#include "model/network.h"

/* "beam" and "max", the length of the target; "decode" off: the source alone. */
#define HL_TRANSLATE_OPTIONS                                                                       \
    { .key = "beam",                                                                               \
      .label = "beam",                                                                             \
      .kind = HL_OPTION_WHOLE,                                                                     \
      .min = 1,                                                                                    \
      .max = 16,                                                                                   \
      .initial = 1,                                                                                \
      .tip = "How many translations are followed side by side; 1 always "                          \
             "takes the likeliest word." },                                                        \
        { .key = "max",                                                                            \
          .label = "longest target",                                                               \
          .kind = HL_OPTION_WHOLE,                                                                 \
          .min = 0,                                                                                \
          .max = 4096,                                                                             \
          .initial = 0,                                                                            \
          .tip = "The most tokens that are written; 0: twice the source and 16 more." },           \
    {                                                                                              \
        .key = "decode", .label = "write the target", .kind = HL_OPTION_SWITCH, .min = 0,          \
        .max = 1, .initial = 1, .tip = "Off: only the source is read."                             \
    }

enum { HL_TRANSLATE_INPUTS = HL_INPUT_TEXT | HL_INPUT_IDS | HL_INPUT_TARGET };

/* One decoder row: the token `id` is read at position `t` of text `lane`. */
struct hl_run_row {
    int lane, t;
    int32_t id;
};

/* A run that writes a target. The library fills what is above `net`, the network the
 * rest. */
struct hl_translation {
    struct hl_run *run;
    const struct hl_translator *how;
    const int32_t *source; /* ids, end token included */
    int n_source;
    int cap;      /* most decoder rows of a text */
    int n_lanes;  /* texts decoded side by side (beams); lane 0 is the one recorded */
    int max_rows; /* most rows of one call */
    void *net;    /* the network's buffers */
};

struct hl_translator {
    int draft_block; /* tokens of a draft in the first pass: many where a batch costs
                        little more than one row, few where rows follow one another */

    /* Most source tokens for this run. */
    int (*source_limit)(const struct hl_run *run);

    /* Sets up all buffers for cap, n_lanes and max_rows, and encodes the source.
     * Fails: ARGUMENT, CANCELLED, NOMEM. */
    enum hl_status (*begin)(struct hl_translation *tr, struct hl_error *err);

    /* Reads n rows and writes their logits [n, vocab]. A row sees the rows of its
     * lane before it, from this call or earlier ones; rows of a lane are listed in
     * order. Reading a position again forgets what came after it. A row's result
     * does not depend on the others of the call, bit by bit. Fails: CANCELLED. */
    enum hl_status (*advance)(struct hl_translation *tr, int n, const struct hl_run_row *rows,
                              float *logits, struct hl_error *err);

    /* Lane i continues what lane parent[i] has read so far (n_rows positions). */
    void (*fork)(struct hl_translation *tr, int n, const int *parent, int n_rows);

    /* Writes maps, vectors and series of the source and of the first n_rows
     * positions of lane 0 into the record, whose axes are there already: source 0,
     * decoder_input 1, target 2 (n_rows 0: the source alone). Fails: NOMEM. */
    enum hl_status (*record)(struct hl_translation *tr, int n_rows, struct hl_error *err);
};

enum { HL_RUN_SOURCE, HL_RUN_DECODER_INPUT, HL_RUN_TARGET };

/* Runs the request through `how`; notes "decode" (greedy, beam, forced or none), "beam",
 * and each of the network's own options. Fails: CANCELLED, TOO_LONG, ARGUMENT, NOMEM. */
enum hl_status hl_translate(struct hl_run *run, const struct hl_translator *how,
                            struct hl_error *err);

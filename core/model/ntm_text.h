/* From a typed text to the steps that a Neural Turing Machine is given, and back from
 * its bytes to a text.
 *
 * A text is its UTF-8 bytes. Copy: a step per byte, one with the copy mark, then as many
 * steps in which the bytes are to come back.
 *
 * Recall: words parted by spaces are the items. The first "?" ends them and begins the
 * query, the word behind it; what follows that word is left out. Without a query the
 * first item is asked for. An item longer than the model's item length is cut at a
 * character's border, and a shorter one is filled up with spaces. Each item is a step
 * with the item mark and its bytes; then come the query between two steps with the query
 * mark, and the steps in which the item that followed it is to come back.
 *
 * What does not fit (HL_NTM_MAX_BYTES, HL_NTM_MAX_ITEMS) is left out at the end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/ntm.h"
#include "record/record.h"

enum { HL_NTM_MAX_BYTES = 200, HL_NTM_MAX_ITEMS = 32, HL_NTM_MAX_ITEM = 16 };

/* Ids of the tokens on the axes: a byte is its value. */
enum { HL_NTM_MARK = 256, HL_NTM_QUERY, HL_NTM_ANSWER, HL_NTM_N_IDS };

/* Channels of an input beyond the bits. */
enum { HL_NTM_N_BITS = 8, HL_NTM_MARK_CHANNEL = 8, HL_NTM_QUERY_CHANNEL = 9 };

struct hl_ntm_step {
    int32_t id;
    int32_t start, end; /* of the byte's character in the text; -1: not typed there */
    int32_t word;       /* of the text, an item; -1 none */
};

/* What is asked of the machine. Ownership: in the arena it was read with. */
struct hl_ntm_plan {
    const char *text;
    const struct hl_ntm_step *steps;
    int n_steps;
    int n_source;    /* steps whose byte was typed */
    int n_answer;    /* the last steps */
    bool has_answer; /* there is a right answer: */
    uint8_t *answer; /* [n_answer] */
    int n_dropped;   /* bytes left out, spaces not counted in recall */
    int dropped_at;  /* where they begin, or -1 */
    int n_items, n_padded, n_cut;
    /* recall: "first" (none typed), an item's number from 1, "last" (nothing follows
     * it), "unknown" (no such item) */
    char query[12];
};

/* Reads a text. Thread-safety: one thread per arena. Fails: NOMEM. */
enum hl_status hl_ntm_plan_text(const struct hl_ntm_info *info, const char *text,
                                struct hl_arena *a, struct hl_ntm_plan *out, struct hl_error *err);

/* The input of a step, [n_inputs]. Thread-safety: reentrant. Fails: never. */
void hl_ntm_plan_input(const struct hl_ntm_info *info, const struct hl_ntm_plan *p, int t,
                       float *out);

/* Axes of a run's record in this order. */
enum { HL_NTM_AXIS_SOURCE, HL_NTM_AXIS_TIME, HL_NTM_AXIS_ADDRESS, HL_NTM_AXIS_STEPS };

/* Adds them and "target", the bytes read back, which also become the output text.
 * Thread-safety: one thread per record. Fails: NOMEM. */
enum hl_status hl_ntm_plan_record(const struct hl_ntm_info *info, const struct hl_ntm_plan *p,
                                  const uint8_t *read_back, struct hl_record *r,
                                  struct hl_error *err);

/* What the Neural Turing Machine (Graves et al. 2014) takes and tells beyond a text.
 *
 * A step's order: the controller reads x_t and the previous reads; every head gives
 * its parameters; all heads are addressed on, and read from, the memory as it was
 * before this step's writes; then the write heads erase and add, one after the other.
 *
 * The record of a run over T steps (axes "source" tokens, "time" steps, "address"
 * slots; copy: T = 2n + 1 for n bytes):
 *   maps "read" and "write" [1, heads, T, N] in the stages HL_STAGE_COSINE, _CONTENT,
 *     _GATED, _SHIFTED and _WEIGHTS (the address after sharpening);
 *   vectors "memory" [T + 1, N, M]: before step t (t = T: after the last);
 *   series on "time": "input" [T, I], "output" [T, 8] (probability that a bit is 1),
 *     "target" [T, 8] (the bits asked for; -1 where none is), "controller" [T, C], and
 *     for "read" and "write", head after head: ".key" [T, heads * M], ".strength" (β),
 *     ".gate" (g), ".gamma" (γ) [T, heads], ".shift" [T, heads * S],
 *     "write.erase", "write.add" [T, heads * M], "read.vector" [T, heads * M];
 *   output_text: the bytes read back (invalid UTF-8 as U+FFFD), output_logprob: that of
 *     their bits;
 *   axis "steps" of tokens, one a step: what the step is for (a byte's character, a mark,
 *     "" for an answer's step), and "target": the answer's bytes as characters. An id is
 *     the byte, or a mark's number (ntm_text.h); spans of a character's bytes are those
 *     of the whole character; words count the words of a copied text, or the items;
 *   settings: "task" (copy, recall), "steps", "hands"; of recall "items", "query",
 *     "padded", "cut" too, where query is the item asked for (from 1), "first" (no
 *     query typed), "last" (nothing follows it) or "unknown". With the last two nothing
 *     is right, and "target" is -1 throughout. */
#pragma once

#include <stdbool.h>

#include "model/model.h"

enum { HL_NTM_MAX_WIDTH = 64, HL_NTM_MAX_SHIFTS = 7, HL_NTM_MAX_HANDS = 8 };

enum hl_ntm_controller { HL_NTM_LSTM, HL_NTM_FEEDFORWARD, HL_NTM_CONTROLLER_COUNT };
enum hl_ntm_task { HL_NTM_COPY, HL_NTM_RECALL, HL_NTM_TASK_COUNT };

/* Parameters of a head at a step. Values are those after their squashing: strength ≥ 0,
 * gate in 0..1, shift a distribution, gamma ≥ 1, erase in 0..1. */
struct hl_ntm_head {
    float strength, gate, gamma;
    float shift[HL_NTM_MAX_SHIFTS];
    float key[HL_NTM_MAX_WIDTH];
    float erase[HL_NTM_MAX_WIDTH], add[HL_NTM_MAX_WIDTH]; /* write heads only */
};

enum hl_ntm_field {
    HL_NTM_STRENGTH = 1,
    HL_NTM_GATE = 2,
    HL_NTM_GAMMA = 4,
    HL_NTM_SHIFT = 8,
    HL_NTM_KEY = 16,
    HL_NTM_ERASE = 32,
    HL_NTM_ADD = 64
};

/* "In hand": at this step and head the named fields have these values instead of the
 * network's; what follows is computed from there. */
struct hl_ntm_hand {
    int step;
    bool write; /* a write head, else a read head */
    int head;
    unsigned fields; /* of enum hl_ntm_field */
    struct hl_ntm_head value;
};

/* What is in hand: plain data, copied by assignment. `= { 0 }` is the trained machine. */
struct hl_ntm_options {
    int n_hands;
    struct hl_ntm_hand hands[HL_NTM_MAX_HANDS];
};

/* What the model is; lives with it. */
struct hl_ntm_info {
    enum hl_ntm_task task;
    enum hl_ntm_controller controller;
    int n_slots, slot_width, n_read, n_write, n_shifts, controller_size;
    int n_inputs, n_outputs;
    int item_length;          /* recall */
    int min_items, max_items; /* recall: what it was trained on */
    int trained_length;       /* copy: the longest it was trained on */
};

extern const struct hl_network hl_network_ntm;

/* What is known of the machine; NULL when the model is none. Thread-safety: reentrant. */
const struct hl_ntm_info *hl_ntm_info(const struct hl_model_info *info);

/* Room for the overrides that a set of hands stands for. */
struct hl_ntm_overrides {
    struct hl_override v[HL_NTM_MAX_HANDS * 7];
};

/* Gives the request what is in hand, as overrides in `room` of the series named above
 * ("write.gate", values after their squashing). Ownership: *o and *room are borrowed for
 * as long as the request is. Thread-safety: reentrant. */
void hl_ntm_request(const struct hl_ntm_info *info, const struct hl_ntm_options *o,
                    struct hl_ntm_overrides *room, struct hl_request *q);

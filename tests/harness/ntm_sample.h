/* A Turing machine without a network, for tests of what pictures its record: its
 * controller is a handful of rules that copy a text perfectly as long as it fits on the
 * tape, and its heads work by the formulas of core/model/ntm.h, written out once more in
 * double. */
#pragma once

#include "model/ntm.h"
#include "record/record.h"

/* 16 slots of 10 numbers, a head of each kind, shifts of -1, 0 and 1. */
extern const struct hl_ntm_info ntm_sample_info;

/* The sealed record of a run; NULL without memory. Ownership: hl_record_destroy. */
struct hl_record *ntm_sample_run(const char *text, const struct hl_ntm_options *options);

/* Tiny checkpoints for tests, and records compared bit by bit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* A recurrent translator with random weights (vocabulary 40, widths 12 to 20, 16
 * source positions for "location") written to a fresh folder under the build folder
 * and opened for ids. */
struct hl_model *tiny_gru(uint64_t seed);
/* The same with every weight `times` as large. */
struct hl_model *tiny_gru_scaled(uint64_t seed, double times);

/* The Marian fixture, opened for ids. */
struct hl_model *tiny_marian(void);
/* A copy of it, in a fresh folder, whose weights alternate between plus and minus the
 * largest float. */
struct hl_model *tiny_marian_overflowing(void);

/* n random ids that are not special, then the end token, into ids[n + 1]. */
int tiny_source(const struct hl_model *m, int n, uint64_t seed, int32_t *ids);

/* Runs a request that must succeed. */
struct hl_record *tiny_run(const struct hl_model *m, const struct hl_request *req);

/* The settings noted in a record as "key=value key=value", good until the next call. */
const char *tiny_settings(const struct hl_record *r);

/* NULL when two records hold the same numbers and tokens, else what differs. The
 * number of passes and the settings are not compared. */
const char *tiny_difference(const struct hl_record *a, const struct hl_record *b);

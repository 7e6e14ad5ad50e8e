/* Reads expected.json and expected.bin beside a checkpoint: what PyTorch answered. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "io/json.h"

struct expected {
    struct hl_json_doc *doc;
    struct hl_map_file bin;
    const struct hl_json *inputs; /* array */
};

/* False when the folder has none. */
bool expected_open(const char *dir, struct expected *out);
void expected_close(struct expected *e);

/* For main: FOLDER and EXPECTED from the arguments. 0, or what main must return: 2 for
 * wrong usage, 77 (skipped) when the folder has no model. */
int expected_arguments(int argc, char **argv, const char **folder, const char **expected_folder);

/* ids of an input ("ids", "decoder_ids", "greedy_ids"), into out[256]; their number. */
int expected_ids(const struct hl_json *input, const char *key, int32_t out[256]);

/* The tensor of that name, or NULL; *n is how many floats it has. */
const float *expected_tensor(const struct expected *e, const struct hl_json *input,
                             const char *name, int64_t *n);

/* Largest |a - b| over n. */
double expected_gap(const float *a, const float *b, int64_t n);

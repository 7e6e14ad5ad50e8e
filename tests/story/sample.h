/* Records made by hand for tests of screens: words cut by a simple rule, weights by
 * arithmetic on their places. They look like a model's and never change. */
#pragma once

#include "record/record.h"

enum sample_kind { SAMPLE_TRANSFORMER, SAMPLE_GRU };

/* Source as typed; the target is a fixed French sentence for the animal sentences
 * and an echo of the words for others. 4 layers of 8 heads, or one alignment. In
 * layer 1, head 2 "it" looks at the animal, or at the street when it is wide.
 * Ownership: hl_record_destroy. Fails: NULL. */
struct hl_record *sample_record(enum sample_kind kind, const char *source, const char *target);

/* A self-attention GAN without networks, for tests of what pictures its record: pictures
 * and maps are simple functions of class, latent and gamma, so that a test can say what
 * must be seen. */
#pragma once

#include "model/sagan.h"
#include "record/record.h"

/* 32 x 32 pixels, 16 x 16 places, latents of 24, three snapshots, gamma -0.25 and 0.5. */
extern const struct hl_sagan_info sagan_sample_info;

/* The sealed record of a run, or NULL with a sentence in *err where the text names none of
 * the classes (their names alone are known, and "boots", "dresses"). Place j looks most at
 * the place across the middle of the map. Ownership: hl_record_destroy. */
struct hl_record *sagan_sample_run(const char *text, const struct hl_sagan_options *o,
                                   struct hl_error *err);
/* Weight that place `query` gives to place `key` in that record. */
double sagan_sample_weight(int query, int key);

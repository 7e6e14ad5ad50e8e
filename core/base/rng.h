/* Seeded random numbers (xoshiro256**, seeded by splitmix64): same seed, same
 * stream, on every machine. Thread-safety: one thread per generator. Fails: never. */
#pragma once

#include <stdint.h>

struct hl_rng {
    uint64_t s[4];
};

void
hl_rng_init(struct hl_rng *r, uint64_t seed);
uint64_t
hl_rng_next(struct hl_rng *r);
double
hl_rng_uniform(struct hl_rng *r); /* [0, 1) */
double
hl_rng_normal(struct hl_rng *r); /* mean 0, deviation 1 */
int
hl_rng_below(struct hl_rng *r, int n); /* 0 .. n-1, n > 0 */

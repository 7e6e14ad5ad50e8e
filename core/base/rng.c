#include "base/rng.h"

#include <math.h>

static uint64_t
splitmix(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t
rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void
hl_rng_init(struct hl_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix(&seed);
}

uint64_t
hl_rng_next(struct hl_rng *r)
{
    uint64_t *s = r->s;
    uint64_t out = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return out;
}

double
hl_rng_uniform(struct hl_rng *r)
{
    return (double)(hl_rng_next(r) >> 11) * 0x1p-53;
}

double
hl_rng_normal(struct hl_rng *r)
{
    /* Box-Muller; 1 - u keeps the logarithm's argument above 0. */
    double radius = sqrt(-2.0 * log(1.0 - hl_rng_uniform(r)));
    return radius * cos(6.283185307179586 * hl_rng_uniform(r));
}

int
hl_rng_below(struct hl_rng *r, int n)
{
    /* Values beyond the last whole multiple of n would favour small results. */
    uint64_t m = (uint64_t)n, limit = UINT64_MAX - UINT64_MAX % m, x;
    do
        x = hl_rng_next(r);
    while (x >= limit);
    return (int)(x % m);
}

/* Time for measurements: milliseconds of a clock that only moves forward. */
#pragma once

#include <time.h>

/* Thread-safety: reentrant. Fails: never. */
static inline double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

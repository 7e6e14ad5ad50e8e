/* Checked size arithmetic for everything that reaches an allocator or an offset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *out = a * b; false (and *out untouched) on overflow. Reentrant. */
static inline bool
hl_size_mul(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

/* *out = a + b; false (and *out untouched) on overflow. Reentrant. */
static inline bool
hl_size_add(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

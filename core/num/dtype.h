/* Number formats of weight files, and their conversion to and from float. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum hl_dtype {
    HL_DTYPE_F32,
    HL_DTYPE_F16,  /* IEEE binary16 */
    HL_DTYPE_BF16, /* upper half of a binary32 */
    HL_DTYPE_F64,
    HL_DTYPE_COUNT
};

/* Bytes of one number. Thread-safety: reentrant. Fails: never. */
size_t hl_dtype_size(enum hl_dtype type);
/* "F32", "F16", "BF16", "F64". Thread-safety: reentrant. Fails: never. */
const char *hl_dtype_name(enum hl_dtype type);

/* Exact, subnormals, infinities and NaNs included. Thread-safety: reentrant.
 * Fails: never. */
float hl_dtype_f16_to_f32(uint16_t bits);
float hl_dtype_bf16_to_f32(uint16_t bits);
/* To the nearest, ties to even; too large becomes infinity; NaN stays a quiet NaN.
 * Thread-safety: reentrant. Fails: never. */
uint16_t hl_dtype_f32_to_f16(float v);
uint16_t hl_dtype_f32_to_bf16(float v);

/* n numbers of `type` at `p` (any alignment, little-endian as in the files) into
 * out[n]; F64 is rounded to the nearest float. Must not overlap. Thread-safety:
 * reentrant. Fails: never. */
void hl_dtype_to_f32(enum hl_dtype type, const void *p, size_t n, float *out);

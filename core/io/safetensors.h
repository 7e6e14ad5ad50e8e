/* A strict reader of safetensors files.
 *
 * Layout: 8 bytes little-endian N; N bytes of JSON {name: {dtype, shape,
 * data_offsets}}; then the data, which the tensors must cover without gap or
 * overlap. The file is mapped read-only, nothing is copied. Data may be unaligned:
 * never cast `data` to a wider type without looking. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* X(name in the file, bits of one element) */
#define HL_ST_DTYPES(X)                                                                            \
    X(BOOL, 8)                                                                                     \
    X(U8, 8)                                                                                       \
    X(I8, 8) X(F8_E5M2, 8) X(F8_E4M3, 8) X(F8_E8M0, 8) X(F8_E4M3FNUZ, 8) X(F8_E5M2FNUZ, 8)         \
        X(I16, 16) X(U16, 16) X(F16, 16) X(BF16, 16) X(I32, 32) X(U32, 32) X(F32, 32) X(C64, 64)   \
            X(F64, 64) X(I64, 64) X(U64, 64) X(F4, 4) X(F6_E2M3, 6) X(F6_E3M2, 6)

enum hl_st_dtype {
#define X(name, bits) HL_ST_##name,
    HL_ST_DTYPES(X)
#undef X
        HL_ST_COUNT
};

enum { HL_ST_RANK_MAX = 8 };

struct hl_st_tensor {
    const char *name; /* valid UTF-8 without control characters */
    enum hl_st_dtype dtype;
    int rank; /* 0: a scalar */
    int64_t shape[HL_ST_RANK_MAX];
    int64_t n;           /* elements; 0 for an empty tensor */
    const uint8_t *data; /* row-major, little-endian */
    size_t data_sz;
};

struct hl_st; /* an open file */

/* Maps and checks `path`. Ownership: hl_st_close; tensors and names live until
 * then. Thread-safety: an open file is immutable and may be shared. Fails:
 * NOT_FOUND, READ, SAFETENSORS, NOMEM. */
enum hl_status hl_st_open(const char *path, struct hl_st **out, struct hl_error *err);

/* The same for p[0..n), which must outlive the result; `where` names it in errors.
 * Fails: SAFETENSORS, NOMEM. */
enum hl_status hl_st_parse(const uint8_t *p, size_t n, const char *where, struct hl_st **out,
                           struct hl_error *err);
void hl_st_close(struct hl_st *st); /* NULL-safe */

/* Number of tensors; the i-th in the order of the data; NULL for an i out of range;
 * the one of that name or NULL. Reentrant. */
int hl_st_n(const struct hl_st *st);
const struct hl_st_tensor *hl_st_at(const struct hl_st *st, int i);
const struct hl_st_tensor *hl_st_find(const struct hl_st *st, const char *name);

/* The path or `where` given; bytes of the whole file; a hash of all its bytes in
 * words (computed at each call: a pass over the file). Reentrant. */
const char *hl_st_where(const struct hl_st *st);
size_t hl_st_size(const struct hl_st *st);
uint64_t hl_st_hash(const struct hl_st *st);

/* Whether the file was written to or cut short since it was opened (a small one is a
 * copy, and never). Reentrant. */
bool hl_st_changed(const struct hl_st *st);

/* "F16", "BF16" ...; "?" for a value out of range. Reentrant. */
const char *hl_st_dtype_name(enum hl_st_dtype t);

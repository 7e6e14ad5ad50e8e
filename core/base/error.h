/* Status codes and the caller-owned error.
 *
 * A function that can fail returns `enum hl_status` and takes `struct hl_error
 * *err` last (may be NULL). On failure it fills the error and leaves its
 * out-parameters untouched or NULL. */
#pragma once

#include "base/error_list.h"

enum hl_status {
    HL_OK = 0,
#define X(name, number, sentence, remedy) HL_E_##name = number,
    HL_ERROR_LIST(X)
#undef X
};

struct hl_error {
    enum hl_status code;
    char where[256];  /* file, tensor, key or option concerned; may be empty */
    char detail[512]; /* what exactly; may be empty; no full stop at the end */
};

#if defined(__GNUC__)
#define HL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HL_PRINTF(fmt, args)
#endif

/* Fills *err (if not NULL) and returns `code`, so that a caller can write
 * `return hl_error_set(err, HL_E_READ, path, "short by %zu bytes", n);`.
 * `where` may be NULL. Over-long text is cut at a character border.
 * Thread-safety: reentrant. Fails: never. */
enum hl_status
hl_error_set(struct hl_error *err, enum hl_status code, const char *where, const char *fmt, ...)
    HL_PRINTF(4, 5);

/* Writes "<sentence>: <where>: <detail>. <remedy>" on one line into buf (always
 * NUL-terminated, control characters replaced by spaces).
 * Thread-safety: reentrant. Fails: never. */
void
hl_error_text(const struct hl_error *err, char *buf, unsigned long buf_sz);

/* The stable name ("SAFETENSORS"), sentence and remedy of a code; "OK" and empty
 * strings for HL_OK. Thread-safety: reentrant. Fails: never. */
const char *
hl_status_name(enum hl_status code);
const char *
hl_status_sentence(enum hl_status code);
const char *
hl_status_remedy(enum hl_status code);

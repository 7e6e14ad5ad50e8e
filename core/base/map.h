/* Files read whole: mapped read-only and private where possible. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct hl_map_file {
    const uint8_t *p; /* NULL when n == 0 */
    size_t n;
    void *base; /* private */
};

/* Maps `path`. Ownership: close with hl_map_close; the bytes live until then.
 * Thread-safety: reentrant. Fails: NOT_FOUND, READ (also for a folder or a
 * device), NOMEM. */
enum hl_status
hl_map_open(const char *path, struct hl_map_file *out, struct hl_error *err);
void
hl_map_close(struct hl_map_file *m); /* NULL-safe, idempotent */

/* Writes n bytes to `path` through a temporary name beside it, fsync and rename,
 * so that nothing half-written is ever seen. Fails: WRITE. */
enum hl_status
hl_map_write(const char *path, const void *p, size_t n, struct hl_error *err);

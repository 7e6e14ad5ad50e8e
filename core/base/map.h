/* Files read whole: small ones copied, large ones mapped read-only and private. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Up to this size a file is copied, and no longer cares what becomes of it on disk. */
enum { HL_MAP_COPY_MAX = 32 << 20 };

struct hl_map_file {
    const uint8_t *p; /* NULL when n == 0 */
    size_t n;
    /* private */
    void *base;                   /* a copy */
    int guard, fd;                /* of a mapping; 0: none */
    int64_t seconds, nanoseconds; /* of its last change */
};

/* Opens `path`. Ownership: close with hl_map_close; the bytes live until then.
 * Thread-safety: reentrant. Fails: NOT_FOUND, READ (also for a folder or a
 * device), NOMEM. */
enum hl_status hl_map_open(const char *path, struct hl_map_file *out, struct hl_error *err);
void hl_map_close(struct hl_map_file *m); /* NULL-safe, idempotent */

/* Whether a mapped file was written to or cut short since: what was read of it may be
 * wrong. Always false for a copy. Thread-safety: reentrant. */
bool hl_map_changed(const struct hl_map_file *m);

/* For a handler of SIGBUS: puts zeros where the end of a mapped file was lost, so that
 * the read goes on, and has hl_map_changed tell it. False: the address is none of these.
 * Thread-safety: async-signal-safe. */
bool hl_map_mend(const void *address);

/* Writes n bytes to `path` through a temporary name beside it, fsync and rename, so
 * that nothing half-written is ever seen. The mode of a file that was there stays; one
 * with several names or of another owner, a device or a pipe, is written in place.
 * Fails: WRITE. */
enum hl_status hl_map_write(const char *path, const void *p, size_t n, struct hl_error *err);
/* The same for what the program keeps of a person: a new file is theirs alone (0600).
 * Fails: WRITE (also for what is there and no regular file). */
enum hl_status hl_map_keep(const char *path, const void *p, size_t n, struct hl_error *err);

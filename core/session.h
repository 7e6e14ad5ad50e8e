/* One worker thread that always works on the newest text.
 *
 * The UI thread posts jobs; a job that has not begun is replaced by a newer one
 * of the same slot, a running one is cancelled at its next poll. Finished records
 * are fetched by the UI thread after `wake` was called (on the worker). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/model.h"
#include "record/record.h"

struct hl_session;

enum { HL_SESSION_SLOTS = 64 };

/* A job: a request with owned strings. */
struct hl_job {
    int slot;                     /* 0..HL_SESSION_SLOTS - 1: newest wins within a slot */
    uint64_t ticket;              /* given back with the result */
    const struct hl_model *model; /* borrowed: must outlive the job */
    struct hl_request req;        /* strings are copied by submit; draft is set by the session */
};

struct hl_result {
    int slot;
    uint64_t ticket;
    enum hl_status status;
    struct hl_error error;
    struct hl_record *record; /* owned by the receiver; NULL on failure */
};

/* `wake(user)` is called on the worker after each finished job; it must be quick
 * and thread-safe. `slow_ms` delays each job by about that many milliseconds,
 * cancellable (tests; 0 for none). Fails: NOMEM. Ownership: hl_session_destroy,
 * which cancels and joins. */
enum hl_status hl_session_create(void (*wake)(void *user), void *user, int slow_ms,
                                 struct hl_session **out, struct hl_error *err);
void hl_session_destroy(struct hl_session *s); /* NULL-safe */
/* Cancels all and waits for the worker, for about `ms` milliseconds; true once it has
 * ended. Otherwise hl_session_destroy would wait on. Nothing may be submitted after. */
bool hl_session_stop(struct hl_session *s, int ms);

/* Makes all that the request points at its own, in `a`, so that it can wait while its
 * maker changes; draft, cancel and scratch, which a runner sets, go. Thread-safety:
 * reentrant. Fails: false (no memory). */
bool hl_request_copy(struct hl_arena *a, struct hl_request *q);

/* Copies the job; never blocks on a running one. The session keeps, per slot, the
 * last target as the draft of the next run. Fails: NOMEM, ARGUMENT. */
enum hl_status hl_session_submit(struct hl_session *s, const struct hl_job *job,
                                 struct hl_error *err);

/* Takes the newest finished result of any slot; false when there is none.
 * Results superseded before they were taken are dropped by the session. */
bool hl_session_take(struct hl_session *s, struct hl_result *out);

/* True while a job of the slot waits or runs. */
bool hl_session_busy(struct hl_session *s, int slot);

/* Blocks until nothing waits or runs (command line, tests). */
void hl_session_drain(struct hl_session *s);

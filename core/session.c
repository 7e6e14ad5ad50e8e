#include "session.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/arena.h"

enum { N_SLOTS = HL_SESSION_SLOTS, SLICE_MS = 2, SCRATCH_SZ = 8 * 1024 * 1024 };

/* A job with everything that its request points at. */
struct owned_job {
    struct hl_arena arena;
    struct hl_job job;
    uint64_t order; /* of submission */
};

struct slot {
    struct owned_job *waiting;
    bool has_result;
    uint64_t result_order; /* of finishing */
    struct hl_result result;
    const struct hl_model *draft_model;
    int32_t *draft; /* on the heap; ids after the start token, without the end */
    int n_draft;
};

struct hl_session {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t work; /* something waits, or quit */
    pthread_cond_t idle; /* nothing waits or runs */
    void (*wake)(void *user);
    void *user;
    int slow_ms;

    /* under the mutex */
    struct slot slots[N_SLOTS];
    uint64_t order;
    int running; /* slot, or -1 */
    bool waking; /* between a filed result and the return of wake */
    bool quit, ended;

    atomic_bool cancel;      /* of the running job */
    struct hl_arena scratch; /* the worker's, kept from job to job */
};

static void
job_free(struct owned_job *j)
{
    if (!j)
        return;
    hl_arena_deinit(&j->arena);
    hl_free(j);
}

/* A copy of `s` in the arena; NULL stays NULL. */
static bool
copy_string(struct hl_arena *a, const char **s)
{
    if (*s)
        *s = hl_arena_strdup(a, *s);
    return *s != NULL;
}

static bool
copy_ids(struct hl_arena *a, const int32_t **ids, int n)
{
    if (!*ids)
        return true;
    int32_t *copy = hl_arena_new(a, n, int32_t);
    if (copy && n > 0)
        memcpy(copy, *ids, (size_t)n * sizeof *copy);
    *ids = copy;
    return copy != NULL;
}

static bool
copy_floats(struct hl_arena *a, const float **p, int n)
{
    if (!*p)
        return true;
    float *copy = hl_arena_new(a, n, float);
    if (copy && n > 0)
        memcpy(copy, *p, (size_t)n * sizeof *copy);
    *p = copy;
    return copy != NULL;
}

static bool
copy_overrides(struct hl_arena *a, struct hl_request *q)
{
    if (q->n_overrides == 0)
        return true;
    struct hl_override *copy = hl_arena_new(a, q->n_overrides, struct hl_override);
    bool ok = copy != NULL;
    for (int i = 0; ok && i < q->n_overrides; i++) {
        copy[i] = q->overrides[i];
        ok = copy_string(a, &copy[i].what) && copy_floats(a, &copy[i].values, copy[i].n);
    }
    q->overrides = copy;
    return ok;
}

bool
hl_request_copy(struct hl_arena *a, struct hl_request *q)
{
    q->draft = NULL;
    q->n_draft = 0;
    q->cancel = NULL;
    q->scratch = NULL;
    return (!q->text || copy_string(a, &q->text)) && (!q->target || copy_string(a, &q->target)) &&
           copy_ids(a, &q->decoder_ids, q->n_decoder_ids) &&
           copy_ids(a, &q->source_ids, q->n_source_ids) &&
           copy_floats(a, &q->picture, q->n_picture) && copy_floats(a, &q->numbers, q->n_numbers) &&
           copy_overrides(a, q);
}

static struct owned_job *
job_copy(const struct hl_job *job)
{
    struct owned_job *j = hl_alloc(1, sizeof *j);
    if (!j)
        return NULL;
    hl_arena_init(&j->arena, 1024, 0);
    j->job = *job;
    if (!hl_request_copy(&j->arena, &j->job.req)) {
        job_free(j);
        return NULL;
    }
    return j;
}

/* The slot whose job has waited longest, so that none starves; -1 if none waits. */
static int
next_slot(const struct hl_session *s)
{
    int best = -1;
    for (int i = 0; i < N_SLOTS; i++) {
        const struct owned_job *j = s->slots[i].waiting;
        if (j && (best < 0 || j->order < s->slots[best].waiting->order))
            best = i;
    }
    return best;
}

static void
slow_down(struct hl_session *s)
{
    const struct timespec slice = { 0, SLICE_MS * 1000000L };
    for (int ms = 0; ms < s->slow_ms && !atomic_load(&s->cancel); ms += SLICE_MS)
        nanosleep(&slice, NULL);
}

/* Keeps the decoded target as the slot's next draft. Without memory there is simply
 * no draft. */
static void
keep_draft(struct slot *slot, const struct hl_model *model, const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    if (!target)
        return;
    int n = target->n;
    int eos = hl_model_info(model)->eos_id;
    if (n > 0 && target->tokens[n - 1].id == eos)
        n--;
    int32_t *ids = hl_alloc((size_t)n, sizeof *ids);
    if (!ids)
        return;
    for (int i = 0; i < n; i++)
        ids[i] = target->tokens[i].id;
    hl_free(slot->draft);
    slot->draft = ids;
    slot->n_draft = n;
    slot->draft_model = model;
}

/* Runs a job without the mutex; the slot's draft is not touched meanwhile, as only
 * this thread writes it. */
static struct hl_result
run_job(struct hl_session *s, const struct slot *slot, struct owned_job *j)
{
    struct hl_result res = { .slot = j->job.slot, .ticket = j->job.ticket };
    struct hl_request *q = &j->job.req;

    slow_down(s);
    hl_arena_reset(&s->scratch);
    q->scratch = &s->scratch;
    q->cancel = &s->cancel;
    if (slot->draft && slot->draft_model == j->job.model) {
        q->draft = slot->draft;
        q->n_draft = slot->n_draft;
    }
    if (atomic_load(&s->cancel))
        res.status = hl_error_set(&res.error, HL_E_CANCELLED, NULL, "before it began");
    else
        res.status = hl_model_run(j->job.model, q, &res.record, &res.error);
    return res;
}

/* Files a result in its slot, dropping one that was never taken. A job cancelled
 * for a newer one leaves no trace. False: dropped. */
static bool
file_result(struct hl_session *s, struct slot *slot, const struct owned_job *j,
            struct hl_result *res)
{
    if (res->status == HL_E_CANCELLED || s->quit) {
        hl_record_destroy(res->record);
        return false;
    }
    if (res->record)
        keep_draft(slot, j->job.model, res->record);
    if (slot->has_result)
        hl_record_destroy(slot->result.record);
    slot->result = *res;
    slot->has_result = true;
    slot->result_order = ++s->order;
    return true;
}

static void *
worker(void *arg)
{
    struct hl_session *s = arg;

    pthread_mutex_lock(&s->mutex);
    for (;;) {
        int i = next_slot(s);
        if (s->quit)
            break;
        if (i < 0) {
            pthread_cond_broadcast(&s->idle);
            pthread_cond_wait(&s->work, &s->mutex);
            continue;
        }
        struct slot *slot = &s->slots[i];
        struct owned_job *j = slot->waiting;
        slot->waiting = NULL;
        s->running = i;
        atomic_store(&s->cancel, false);
        pthread_mutex_unlock(&s->mutex);

        struct hl_result res = run_job(s, slot, j);

        pthread_mutex_lock(&s->mutex);
        s->waking = file_result(s, slot, j, &res) && s->wake;
        s->running = -1;
        bool waking = s->waking;
        pthread_mutex_unlock(&s->mutex);
        job_free(j);
        if (waking)
            s->wake(s->user);
        pthread_mutex_lock(&s->mutex);
        s->waking = false;
    }
    s->ended = true;
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

enum hl_status
hl_session_create(void (*wake)(void *user), void *user, int slow_ms, struct hl_session **out,
                  struct hl_error *err)
{
    struct hl_session *s = hl_alloc(1, sizeof *s);
    if (!s)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the worker");
    s->wake = wake;
    s->user = user;
    s->slow_ms = slow_ms;
    s->running = -1;
    hl_arena_init(&s->scratch, SCRATCH_SZ, 0);
    atomic_init(&s->cancel, false);
    if (pthread_mutex_init(&s->mutex, NULL) != 0)
        goto no_mutex;
    if (pthread_cond_init(&s->work, NULL) != 0)
        goto no_work;
    if (pthread_cond_init(&s->idle, NULL) != 0)
        goto no_idle;
    if (pthread_create(&s->thread, NULL, worker, s) != 0)
        goto no_thread;
    *out = s;
    return HL_OK;

no_thread:
    pthread_cond_destroy(&s->idle);
no_idle:
    pthread_cond_destroy(&s->work);
no_work:
    pthread_mutex_destroy(&s->mutex);
no_mutex:
    hl_free(s);
    return hl_error_set(err, HL_E_NOMEM, NULL, "the worker thread could not be started");
}

bool
hl_session_stop(struct hl_session *s, int ms)
{
    const struct timespec slice = { 0, SLICE_MS * 1000000L };
    for (int waited = 0;; waited += SLICE_MS) {
        pthread_mutex_lock(&s->mutex);
        bool ended = s->ended;
        s->quit = true;
        atomic_store(&s->cancel, true);
        pthread_cond_broadcast(&s->work);
        pthread_mutex_unlock(&s->mutex);
        if (ended || waited >= ms)
            return ended;
        nanosleep(&slice, NULL);
    }
}

void
hl_session_destroy(struct hl_session *s)
{
    if (!s)
        return;
    hl_session_stop(s, 0);
    pthread_join(s->thread, NULL);

    for (int i = 0; i < N_SLOTS; i++) {
        job_free(s->slots[i].waiting);
        hl_free(s->slots[i].draft);
        if (s->slots[i].has_result)
            hl_record_destroy(s->slots[i].result.record);
    }
    pthread_cond_destroy(&s->idle);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->mutex);
    hl_arena_deinit(&s->scratch);
    hl_free(s);
}

enum hl_status
hl_session_submit(struct hl_session *s, const struct hl_job *job, struct hl_error *err)
{
    if (job->slot < 0 || job->slot >= N_SLOTS || !job->model)
        return hl_error_set(err, HL_E_ARGUMENT, "slot", "%d of %d", job->slot, N_SLOTS);
    struct owned_job *j = job_copy(job);
    if (!j)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for a job");

    pthread_mutex_lock(&s->mutex);
    struct slot *slot = &s->slots[job->slot];
    struct owned_job *old = slot->waiting;
    slot->waiting = j;
    j->order = ++s->order;
    if (s->running == job->slot)
        atomic_store(&s->cancel, true);
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->mutex);
    job_free(old);
    return HL_OK;
}

bool
hl_session_take(struct hl_session *s, struct hl_result *out)
{
    int best = -1;

    pthread_mutex_lock(&s->mutex);
    for (int i = 0; i < N_SLOTS; i++) {
        const struct slot *slot = &s->slots[i];
        if (slot->has_result && (best < 0 || slot->result_order > s->slots[best].result_order))
            best = i;
    }
    if (best >= 0) {
        *out = s->slots[best].result;
        s->slots[best].has_result = false;
    }
    pthread_mutex_unlock(&s->mutex);
    return best >= 0;
}

bool
hl_session_busy(struct hl_session *s, int slot)
{
    if (slot < 0 || slot >= N_SLOTS)
        return false;
    pthread_mutex_lock(&s->mutex);
    bool busy = s->running == slot || s->slots[slot].waiting;
    pthread_mutex_unlock(&s->mutex);
    return busy;
}

void
hl_session_drain(struct hl_session *s)
{
    pthread_mutex_lock(&s->mutex);
    while (!s->quit && (s->running >= 0 || s->waking || next_slot(s) >= 0))
        pthread_cond_wait(&s->idle, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

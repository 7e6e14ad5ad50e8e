/* The worker: the newest text wins, nothing blocks the caller, drafts change nothing. */
#include "harness/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "session.h"
#include "unit/model/tiny.h"

static struct hl_model *marian, *gru;

static int
open_models(void **state)
{
    (void)state;
    marian = tiny_marian();
    gru = tiny_gru(3);
    return 0;
}

static int
close_models(void **state)
{
    (void)state;
    hl_model_close(marian);
    hl_model_close(gru);
    return 0;
}

static double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
count_wake(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1);
}

static struct hl_session *
start(atomic_int *wakes, int slow_ms)
{
    struct hl_session *s = NULL;
    atomic_init(wakes, 0);
    assert_int_equal(hl_session_create(count_wake, wakes, slow_ms, &s, NULL), HL_OK);
    return s;
}

/* Submits a source of n random ids. */
static void
submit(struct hl_session *s, int slot, uint64_t ticket, const struct hl_model *m, int n)
{
    int32_t ids[64];
    struct hl_job job = { .slot = slot, .ticket = ticket, .model = m };
    job.req.source_ids = ids;
    job.req.n_source_ids = tiny_source(m, n, ticket, ids);
    assert_int_equal(hl_session_submit(s, &job, NULL), HL_OK);
    /* the session has its own copy */
    memset(ids, 0xff, sizeof ids);
}

static void
a_job_gives_its_record(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    struct hl_result res;
    (void)state;

    assert_false(hl_session_take(s, &res));
    submit(s, 2, 41, marian, 6);
    hl_session_drain(s);
    assert_int_equal(atomic_load(&wakes), 1);
    assert_false(hl_session_busy(s, 2));
    assert_true(hl_session_take(s, &res));
    assert_int_equal(res.status, HL_OK);
    assert_int_equal(res.slot, 2);
    assert_int_equal(res.ticket, 41);
    assert_int_equal(hl_record_find_axis(res.record, "source")->n, 7);
    assert_false(hl_session_take(s, &res));
    hl_record_destroy(res.record);
    hl_session_destroy(s);
}

/* Holds the worker up for as long as the test has the lock. */
static void
wait_for_lock(void *user)
{
    pthread_mutex_lock(user);
    pthread_mutex_unlock(user);
}

/* Closing does not wait for what does not end. */
static void
stopping_waits_no_longer_than_asked(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct hl_session *s = NULL;
    struct hl_result res;
    (void)state;
    assert_int_equal(hl_session_create(wait_for_lock, &lock, 0, &s, NULL), HL_OK);
    pthread_mutex_lock(&lock);
    submit(s, 0, 1, marian, 5);
    while (!hl_session_take(s, &res))
        nanosleep(&(const struct timespec) { 0, 1000000L }, NULL);
    hl_record_destroy(res.record);
    double t = now_ms();
    assert_false(hl_session_stop(s, 40));
    assert_true(now_ms() - t < 400);
    pthread_mutex_unlock(&lock);
    assert_true(hl_session_stop(s, 10000));
    hl_session_destroy(s);
    pthread_mutex_destroy(&lock);

    /* and a long run ends when told to */
    atomic_int wakes;
    s = start(&wakes, 60000);
    submit(s, 0, 1, marian, 5);
    assert_true(hl_session_stop(s, 10000));
    assert_int_equal(atomic_load(&wakes), 0);
    hl_session_destroy(s);
}

/* Worker slowed to 500 ms: every submission returns at once, and only the newest text
 * is answered. */
static void
the_newest_text_wins(void **state)
{
    const struct timespec key = { 0, 20 * 1000000L };
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 500);
    struct hl_result res;
    (void)state;

    double begin = now_ms();
    for (uint64_t i = 1; i <= 10; i++) {
        double before = now_ms();
        submit(s, 0, i, marian, 3 + (int)i);
        assert_true(now_ms() - before < 50);
        assert_true(hl_session_busy(s, 0));
        nanosleep(&key, NULL);
    }
    hl_session_drain(s);
    double took = now_ms() - begin;
    assert_true(took >= 500 && took < 1400);
    assert_int_equal(atomic_load(&wakes), 1);
    assert_true(hl_session_take(s, &res));
    assert_int_equal(res.ticket, 10);
    assert_false(hl_session_take(s, &(struct hl_result) { 0 }));
    hl_record_destroy(res.record);
    hl_session_destroy(s);
}

static void
slots_do_not_disturb_each_other(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    struct hl_result res;
    unsigned seen = 0;
    (void)state;

    for (int slot = 0; slot < 8; slot++)
        submit(s, slot, 100 + (uint64_t)slot, slot % 2 ? marian : gru, 5);
    hl_session_drain(s);
    while (hl_session_take(s, &res)) {
        assert_int_equal(res.status, HL_OK);
        assert_int_equal(res.ticket, 100 + (uint64_t)res.slot);
        seen |= 1u << res.slot;
        hl_record_destroy(res.record);
    }
    assert_int_equal(seen, 0xff);
    hl_session_destroy(s);
}

/* A result that was never taken is replaced by a newer one of its slot. */
static void
untaken_results_are_superseded(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    struct hl_result res;
    (void)state;

    for (uint64_t i = 1; i <= 5; i++) {
        submit(s, 1, i, gru, 4);
        hl_session_drain(s);
    }
    assert_int_equal(atomic_load(&wakes), 5);
    assert_true(hl_session_take(s, &res));
    assert_int_equal(res.ticket, 5);
    hl_record_destroy(res.record);
    assert_false(hl_session_take(s, &res));
    hl_session_destroy(s);
}

/* The same text again: the draft saves passes, and nothing else changes; changing
 * the model in the slot does no harm. */
static void
drafts_change_the_time_alone(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    struct hl_result first, again;
    (void)state;

    submit(s, 0, 9, marian, 8);
    hl_session_drain(s);
    assert_true(hl_session_take(s, &first));
    submit(s, 0, 9, marian, 8);
    hl_session_drain(s);
    assert_true(hl_session_take(s, &again));
    assert_null(tiny_difference(first.record, again.record));
    assert_true(again.record->n_decode_passes < first.record->n_decode_passes);
    hl_record_destroy(first.record);
    hl_record_destroy(again.record);

    submit(s, 0, 9, gru, 8);
    hl_session_drain(s);
    assert_true(hl_session_take(s, &again));
    assert_int_equal(again.status, HL_OK);
    hl_record_destroy(again.record);
    hl_session_destroy(s);
}

static void
failures_are_results(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    struct hl_result res;
    struct hl_job job = { .slot = HL_SESSION_SLOTS, .model = marian };
    struct hl_error err;
    (void)state;

    assert_int_equal(hl_session_submit(s, &job, &err), HL_E_ARGUMENT);
    job.slot = 0;
    job.model = NULL;
    assert_int_equal(hl_session_submit(s, &job, &err), HL_E_ARGUMENT);

    job.model = marian;
    job.req.text = "this model has no tokeniser";
    assert_int_equal(hl_session_submit(s, &job, &err), HL_OK);
    hl_session_drain(s);
    assert_true(hl_session_take(s, &res));
    assert_int_equal(res.status, HL_E_ARGUMENT);
    assert_null(res.record);
    assert_int_equal(res.error.code, HL_E_ARGUMENT);
    hl_session_destroy(s);
}

/* Many texts from one thread while another takes: for the thread sanitizer. */
static void *
take_all(void *arg)
{
    struct hl_session *s = arg;
    struct hl_result res;
    uint64_t last = 0;
    bool in_order = true;
    while (last < 60) {
        if (!hl_session_take(s, &res))
            continue;
        in_order = in_order && res.ticket > last;
        last = res.ticket;
        hl_record_destroy(res.record);
    }
    return in_order ? s : NULL;
}

static void
submitting_and_taking_from_two_threads(void **state)
{
    const struct timespec pause = { 0, 300000L };
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 0);
    pthread_t taker;
    (void)state;

    assert_int_equal(pthread_create(&taker, NULL, take_all, s), 0);
    for (uint64_t i = 1; i <= 60; i++) {
        submit(s, 3, i, i % 7 == 0 ? gru : marian, 2 + (int)i % 9);
        nanosleep(&pause, NULL);
    }
    void *in_order = NULL;
    pthread_join(taker, &in_order);
    assert_ptr_equal(in_order, s);
    hl_session_destroy(s);
}

static void
destroying_cancels(void **state)
{
    atomic_int wakes;
    struct hl_session *s = start(&wakes, 5000);
    (void)state;

    double before = now_ms();
    submit(s, 0, 1, marian, 5);
    submit(s, 1, 2, gru, 5);
    hl_session_destroy(s);
    assert_true(now_ms() - before < 1000);
    assert_int_equal(atomic_load(&wakes), 0);
    hl_session_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_gives_its_record),
        cmocka_unit_test(the_newest_text_wins),
        cmocka_unit_test(slots_do_not_disturb_each_other),
        cmocka_unit_test(untaken_results_are_superseded),
        cmocka_unit_test(drafts_change_the_time_alone),
        cmocka_unit_test(failures_are_results),
        cmocka_unit_test(submitting_and_taking_from_two_threads),
        cmocka_unit_test(destroying_cancels),
        cmocka_unit_test(stopping_waits_no_longer_than_asked),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}

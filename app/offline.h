/* The window's program without a window: the same state, update and build, with
 * runs performed on the spot. Serves `render`, `bench` and tests. */
#pragma once

#include "draw/dl.h"
#include "library.h"
#include "screen/app.h"
#include "state/state.h"

/* A run that waits, with all that its effect points at: the state may change before. */
struct offline_run {
    struct hl_effect fx;
    struct hl_arena own;
};

struct offline {
    struct hl_library *lib; /* borrowed */
    const struct hl_metrics *metrics;
    struct app_state state;
    struct hl_arena frame;
    struct dl dl;
    /* Oldest first: main runs before the rest. */
    struct offline_run queue[APP_SLOTS];
    int n_queue;
    int32_t *draft[APP_SLOTS]; /* last target of each slot */
    int n_draft[APP_SLOTS];
    struct hl_error failed[APP_SLOTS]; /* why each slot's last run failed; HL_OK: it did not */
};

/* Starts with the state of a first start at this size; opens `model` (NULL: the
 * two shipped ones; one that cannot be opened is told to the state, not to the
 * caller). Ownership: offline_deinit. Fails: NOMEM. */
enum hl_status offline_init(struct offline *o, struct hl_library *lib, const char *model,
                            const struct hl_metrics *metrics, float width, float height,
                            float scale, struct hl_error *err);
void offline_deinit(struct offline *o);

/* Opens and announces one more model. */
void offline_model(struct offline *o, const char *name);

/* Asks for what the shown screen needs. */
void offline_request(struct offline *o);

/* One event; effects wait in the queue. */
void offline_event(struct offline *o, const struct hl_event *ev);

/* Performs the oldest waiting run and hands its result over; false when none
 * waits. Other effects are dropped: there is no window to do them in. */
bool offline_step(struct offline *o);
/* The same, giving the time that taking the result cost by the clock `now` (NULL:
 * 0), without the run itself; -1 when none waits. */
double offline_step_timed(struct offline *o, double (*now)(void));
void offline_finish(struct offline *o);

/* The picture of now. Lives until the next call. Fails: NULL (no memory). */
const struct dl *offline_build(struct offline *o);

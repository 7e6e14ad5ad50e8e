/* The window: SDL's events to ours, effects performed, pictures presented.
 *
 * Sleeps until something happens; draws only when the display list changed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "draw/dl.h"
#include "draw/metrics.h"
#include "state/effects.h"
#include "ui/input.h"

/* What the window asks of the program; all calls come on the thread of window_run. */
struct window_host {
    void *user;
    const char *title;
    /* The window and the fonts are there: the first effects. A resize follows. */
    void (*start)(void *user, const struct hl_metrics *metrics, struct hl_effects *fx);
    void (*update)(void *user, const struct hl_event *ev, struct hl_effects *fx);
    /* window_wake was called: fetch what the worker finished. */
    void (*wake)(void *user, struct hl_effects *fx);
    /* Effects that are not the window's: FX_RUN, FX_SAVE, FX_OPEN_PICTURE, FX_EXPORT_JSON
     * (to path).
     * The sentence of a failure or success goes to note, "" for none. */
    bool (*perform)(void *user, const struct hl_effect *fx, const char *path, char *note,
                    size_t note_sz);
    /* A new file name for a picture or record ("png", "svg", "json"). */
    bool (*export_path)(void *user, const char *extension, char *path, size_t path_sz);
    void (*build)(void *user, const struct hl_metrics *metrics, struct hl_arena *frame,
                  struct dl *dl);
    void (*shown)(void *user, const struct dl *dl);
    /* Time in ms from an event's arrival until the loop waits again: how long the
     * window could not answer, less the time in which the system gave the processor
     * to others. May be NULL. */
    void (*busy)(void *user, double ms);
};

/* Opens the window and runs until FX_QUIT or the window is closed (EV_QUIT goes to
 * update first). Fails: DISPLAY, FONT, NOMEM. */
enum hl_status window_run(const struct window_host *host, struct hl_error *err);

/* Makes window_run call host->wake. Thread-safety: any thread, while window_run
 * runs or before. */
void window_wake(void);

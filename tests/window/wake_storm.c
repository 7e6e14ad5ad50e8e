/* Opens and closes windows while another thread wakes them without pause: SDL's message
 * to a window that is just going must not end the program. Needs a display.
 *
 * Usage: wake-storm TIMES */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "sdl/window.h"

static atomic_bool over;
static int rounds;

static void *
storm(void *arg)
{
    (void)arg;
    while (!atomic_load(&over))
        window_wake();
    return NULL;
}

static void
start(void *user, const struct hl_metrics *metrics, struct hl_effects *fx)
{
    (void)user;
    (void)metrics;
    (void)fx;
    rounds = 0;
}

static void
update(void *user, const struct hl_event *ev, struct hl_effects *fx)
{
    (void)user;
    (void)ev;
    (void)fx;
}

static void
wake(void *user, struct hl_effects *fx)
{
    if (++rounds > *(int *)user % 7)
        fx_push(fx, FX_QUIT);
}

static void
build(void *user, const struct hl_metrics *metrics, struct hl_arena *frame, struct dl *dl)
{
    (void)user;
    (void)metrics;
    (void)frame;
    dl_begin(dl, 900, 600, 1, 0xffffffff);
}

static void
shown(void *user, const struct dl *dl)
{
    (void)user;
    (void)dl;
}

int
main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 100, i = 0;
    struct window_host host = { .user = &i,
                                .title = "storm",
                                .start = start,
                                .update = update,
                                .wake = wake,
                                .build = build,
                                .shown = shown };
    pthread_t thread;
    if (pthread_create(&thread, NULL, storm, NULL) != 0)
        return 2;
    for (; i < times; i++) {
        struct hl_error err = { 0 };
        if (window_run(&host, &err) != HL_OK) {
            fprintf(stderr, "%d: %s\n", i, err.detail);
            return 1;
        }
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    return 0;
}

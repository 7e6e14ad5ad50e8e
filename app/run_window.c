#include "run_window.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/map.h"
#include "base/span.h"
#include "base/utf8.h"
#include "cli.h"
#include "clock.h"
#include "io/record_json.h"
#include "keeper.h"
#include "opener.h"
#include "screen/app.h"
#include "sdl/window.h"
#include "session.h"
#include "state/state.h"

enum { TICKETS = 64, CLOSING_MS = 150 };

struct host {
    struct hl_library *lib; /* the loader's alone until it is joined */
    const struct hl_args *args;
    struct app_state state;
    bool started;
    struct hl_session *session;
    struct keeper *keeper;
    struct opener *opener; /* of pictures; NULL before the first */

    /* The loader opens models, one after the other, and reports each. */
    pthread_t loader;
    bool loading;
    atomic_bool closing, load_ended;
    pthread_mutex_t lock;
    int n_names;
    const char *names[LIBRARY_MAX];
    struct {
        const struct hl_model *model;
        struct hl_error error;
    } loaded[LIBRARY_MAX];
    int n_loaded; /* under the lock */
    int n_told;   /* told to the state */

    struct {
        uint64_t ticket;
        double ms;
    } asked[TICKETS];
    double longest_ms; /* that the loop could not answer */
};

static void *
load_models(void *arg)
{
    struct host *h = arg;
    for (int i = 0; i < h->n_names && !atomic_load(&h->closing); i++) {
        const struct hl_model *m = NULL;
        struct hl_error err = { 0 };
        if (library_get(h->lib, h->names[i], &m, &err) != HL_OK)
            cli_fail(&err);
        pthread_mutex_lock(&h->lock);
        h->loaded[i].model = m;
        h->loaded[i].error = err;
        h->n_loaded = i + 1;
        pthread_mutex_unlock(&h->lock);
        window_wake();
    }
    atomic_store(&h->load_ended, true);
    return NULL;
}

static void
wake_window(void *user)
{
    (void)user;
    window_wake();
}

static void
load_state(struct host *h)
{
    struct hl_map_file f;
    struct hl_error err;
    if (h->lib->paths.state[0] == '\0' || hl_map_open(h->lib->paths.state, &f, &err) != HL_OK)
        return;
    if (app_load(&h->state, (const char *)f.p, f.n, &err) != HL_OK)
        state_notice(&h->state, true, "The settings in %s were not readable and are left aside.",
                     h->lib->paths.state);
    hl_map_close(&f);
}

static void
set_or_say(struct host *h, const char *key, const char *value)
{
    struct hl_error err = { 0 };
    if (app_set(&h->state, key, value, &err) == HL_OK)
        return;
    char line[1400];
    hl_error_text(&err, line, sizeof line);
    state_notice(&h->state, true, "%s", line);
}

static void
apply_args(struct host *h)
{
    const struct hl_args *a = h->args;
    if (a->screen)
        set_or_say(h, "screen", a->screen);
    if (a->model)
        set_or_say(h, "model", a->model);
    if (a->text) {
        struct hl_arena tmp;
        size_t n;
        hl_arena_init(&tmp, 4096, 0);
        char *clean = hl_utf8_repair(&tmp, a->text, strlen(a->text), &n);
        if (clean)
            set_or_say(h, "text", clean);
        hl_arena_deinit(&tmp);
    }
    if (a->image) {
        set_or_say(h, "screen", "images");
        set_or_say(h, "image", a->image);
    }
    for (int i = 0; i < a->n_set; i++)
        set_or_say(h, a->set[i].key, a->set[i].value);
}

static void
on_start(void *user, const struct hl_metrics *metrics, struct hl_effects *fx)
{
    struct host *h = user;
    if (!app_init(&h->state, metrics))
        return;
    h->started = true;
    for (int i = 0; i < h->n_names; i++)
        app_model_loading(&h->state, h->names[i]);
    load_state(h);
    apply_args(h);
    if (pthread_create(&h->loader, NULL, load_models, h) == 0)
        h->loading = true;
    fx_push(fx, FX_SCALE)->number = h->state.ui_scale;
    app_request(&h->state, fx);
}

static void
on_update(void *user, const struct hl_event *ev, struct hl_effects *fx)
{
    struct host *h = user;
    if (h->started)
        app_update(&h->state, ev, fx);
}

static float
time_of(const struct host *h, uint64_t ticket)
{
    int k = (int)(ticket % TICKETS);
    return h->asked[k].ticket == ticket ? (float)(now_ms() - h->asked[k].ms) : 0;
}

/* Settings that cannot be kept: said once, in the window and on standard error. */
static void
tell_unkept(struct host *h)
{
    struct hl_error err = { 0 };
    char line[1400];
    if (!keeper_failed(h->keeper, &err))
        return;
    hl_error_text(&err, line, sizeof line);
    state_notice(&h->state, true, "Your text and settings are not kept. %s", line);
    cli_fail(&err);
}

static void
on_wake(void *user, struct hl_effects *fx)
{
    struct host *h = user;
    if (!h->started)
        return;
    pthread_mutex_lock(&h->lock);
    int n = h->n_loaded;
    pthread_mutex_unlock(&h->lock);
    for (; h->n_told < n; h->n_told++) {
        if (h->loaded[h->n_told].model)
            app_model_ready(&h->state, h->names[h->n_told],
                            hl_model_info(h->loaded[h->n_told].model), fx);
        else
            app_model_failed(&h->state, h->names[h->n_told], &h->loaded[h->n_told].error);
    }
    struct opener_result o;
    while (opener_take(h->opener, &o)) {
        struct hl_event ev = {
            .kind = EV_PICTURE, .ticket = o.ticket, .picture = o.picture, .error = &o.error
        };
        app_update(&h->state, &ev, fx);
        picture_free(o.picture);
    }
    tell_unkept(h);
    struct hl_result r;
    while (hl_session_take(h->session, &r)) {
        struct hl_event ev = { .kind = EV_RESULT, .result = &r, .x = time_of(h, r.ticket) };
        app_update(&h->state, &ev, fx);
    }
}

static void
submit(struct host *h, const struct hl_effect *fx)
{
    struct hl_job job = { .slot = fx->slot, .ticket = fx->ticket, .req = fx->req };
    struct hl_result failed = { .slot = fx->slot, .ticket = fx->ticket };
    for (int i = 0; i < h->n_told; i++)
        if (strcmp(h->names[i], fx->model) == 0)
            job.model = h->loaded[i].model;
    if (!job.model)
        return; /* app_model_ready asks again */
    h->asked[fx->ticket % TICKETS].ticket = fx->ticket;
    h->asked[fx->ticket % TICKETS].ms = now_ms();
    failed.status = hl_session_submit(h->session, &job, &failed.error);
    if (failed.status != HL_OK) {
        struct hl_effects none = { 0 };
        struct hl_event ev = { .kind = EV_RESULT, .result = &failed };
        app_update(&h->state, &ev, &none);
    }
}

static bool
on_perform(void *user, const struct hl_effect *fx, const char *path, char *note, size_t note_sz)
{
    struct host *h = user;
    struct hl_error err = { 0 };
    note[0] = '\0';
    if (fx->kind == FX_RUN) {
        submit(h, fx);
        return true;
    }
    struct hl_sb sb = { 0 };
    enum hl_status st = HL_OK;
    if (fx->kind == FX_OPEN_PICTURE) {
        st = opener_ask(&h->opener, fx->text, fx->ticket, &err);
    } else if (fx->kind == FX_SAVE) {
        st = app_save(&h->state, &sb, &err);
        if (st == HL_OK)
            keeper_put(h->keeper, sb.p, sb.n);
    } else if (fx->kind == FX_EXPORT_JSON) {
        const struct hl_record *r = app_record(&h->state);
        if (r) {
            hl_record_json(r, true, &sb);
            hl_sb_putc(&sb, '\n');
            st = sb.failed ? hl_error_set(&err, HL_E_NOMEM, path, "for the record")
                           : hl_map_write(path, sb.p, sb.n, &err);
        } else {
            st = hl_error_set(&err, HL_E_ARGUMENT, path, "this screen shows no record to save");
        }
        if (st == HL_OK)
            snprintf(note, note_sz, "Saved %s", path);
    }
    hl_sb_deinit(&sb);
    if (st != HL_OK)
        hl_error_text(&err, note, note_sz);
    return st == HL_OK;
}

/* ~/Pictures where there is one, else the home folder, else here; never a name
 * that is taken. */
static bool
on_export_path(void *user, const char *extension, char *path, size_t path_sz)
{
    struct host *h = user;
    const char *home = getenv("HOME");
    char dir[PATH_SZ] = ".";
    struct stat st;
    if (home && home[0] == '/') {
        int n = snprintf(dir, sizeof dir, "%s/Pictures", home);
        if (n < 0 || n >= (int)sizeof dir || stat(dir, &st) != 0 || !S_ISDIR(st.st_mode))
            snprintf(dir, sizeof dir, "%.1000s", home);
    }
    time_t now = time(NULL);
    struct tm tm;
    char stamp[32] = "picture";
    if (localtime_r(&now, &tm))
        strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &tm);
    const char *screen = screen_all(&(int) { 0 })[h->state.screen]->id;
    for (int i = 1; i < 1000; i++) {
        char more[16] = "";
        if (i > 1)
            snprintf(more, sizeof more, "-%d", i);
        int n =
            snprintf(path, path_sz, "%s/headlight-%s-%s%s.%s", dir, screen, stamp, more, extension);
        if (n < 0 || (size_t)n >= path_sz)
            return false;
        if (stat(path, &st) != 0)
            return true;
    }
    return false;
}

static void
on_build(void *user, const struct hl_metrics *metrics, struct hl_arena *frame, struct dl *dl)
{
    struct host *h = user;
    if (h->started)
        app_build(&h->state, metrics, frame, dl);
}

static void
on_shown(void *user, const struct dl *dl)
{
    struct host *h = user;
    if (h->started)
        app_shown(&h->state, dl);
}

static void
on_busy(void *user, double ms)
{
    struct host *h = user;
    h->longest_ms = ms > h->longest_ms ? ms : h->longest_ms;
}

/* For tests: how well the loop kept awake. */
static void
report_loop(const struct host *h)
{
    char ms[32];
    if (getenv("HEADLIGHT_REPORT_LOOP"))
        printf("longest pause of the event loop: %s ms\n",
               hl_fmt_fixed(ms, sizeof ms, h->longest_ms, 1));
}

static void
name_models(struct host *h)
{
    const char *m = h->args->model;
    bool shipped = false;
    for (int i = 0; app_shipped[i] != NULL; i++) {
        h->names[h->n_names++] = app_shipped[i];
        shipped |= m && strcmp(m, app_shipped[i]) == 0;
    }
    if (m && !shipped)
        h->names[h->n_names++] = m;
}

/* Asks all threads to end, and gives them the time that a person may notice. */
static bool
threads_end(struct host *h)
{
    const struct timespec slice = { 0, 5 * 1000000L };
    atomic_store(&h->closing, true);
    opener_stop(h->opener);
    for (int waited = 0;; waited += 5) {
        bool ended = (!h->loading || atomic_load(&h->load_ended)) &&
                     hl_session_stop(h->session, 0) && opener_stop(h->opener);
        if (ended || waited >= CLOSING_MS)
            return ended;
        nanosleep(&slice, NULL);
    }
}

int
run_window(struct hl_library *lib, const struct hl_args *a)
{
    static struct host h;
    h.lib = lib;
    h.args = a;
    struct hl_error err = { 0 };
    const char *slow = getenv("HEADLIGHT_SLOW_MS"); /* tests: a worker that takes its time */
    int slow_ms = slow ? atoi(slow) : 0;
    name_models(&h);
    pthread_mutex_init(&h.lock, NULL);
    if (hl_session_create(wake_window, &h, slow_ms, &h.session, &err) != HL_OK)
        return cli_fail(&err);
    h.keeper = keeper_create(lib->paths.state);
    struct window_host host = {
        .user = &h,
        .title = "Headlight",
        .start = on_start,
        .update = on_update,
        .wake = on_wake,
        .perform = on_perform,
        .export_path = on_export_path,
        .build = on_build,
        .shown = on_shown,
        .busy = getenv("HEADLIGHT_REPORT_LOOP") ? on_busy : NULL,
    };
    enum hl_status st = window_run(&host, &err);
    report_loop(&h);
    keeper_destroy(h.keeper);
    int status = st == HL_OK ? 0 : cli_fail(&err);
    status = st != HL_OK && err.code == HL_E_DISPLAY ? RUN_WINDOW_NO_DISPLAY : status;
    if (!threads_end(&h)) {
        /* All is written: what is in the middle of something can be left there. */
        fflush(NULL);
        _Exit(status);
    }
    hl_session_destroy(h.session);
    opener_destroy(h.opener);
    if (h.loading)
        pthread_join(h.loader, NULL);
    if (h.started)
        app_deinit(&h.state);
    pthread_mutex_destroy(&h.lock);
    return status;
}

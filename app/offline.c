#include "offline.h"

#include <string.h>

#include "base/alloc.h"
#include "sdl/picture.h"
#include "session.h"

void
offline_model(struct offline *o, const char *name)
{
    const struct hl_model *m;
    struct hl_error err = { 0 };
    struct hl_effects fx = { 0 };
    app_model_loading(&o->state, name);
    if (library_get(o->lib, name, &m, &err) == HL_OK)
        app_model_ready(&o->state, name, hl_model_info(m), &fx);
    else
        app_model_failed(&o->state, name, &err);
}

enum hl_status
offline_init(struct offline *o, struct hl_library *lib, const char *model,
             const struct hl_metrics *metrics, float width, float height, float scale,
             struct hl_error *err)
{
    memset(o, 0, sizeof *o);
    o->lib = lib;
    o->metrics = metrics;
    hl_arena_init(&o->frame, 256 * 1024, 0);
    if (!app_init(&o->state, metrics))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the state of the window");
    struct hl_event size = { .kind = EV_RESIZE, .x = width, .y = height, .scale = scale };
    struct hl_effects fx = { 0 };
    app_update(&o->state, &size, &fx);
    bool shipped = false;
    for (int i = 0; app_shipped[i] != NULL; i++) {
        offline_model(o, app_shipped[i]);
        shipped |= model && strcmp(model, app_shipped[i]) == 0;
    }
    if (model && !shipped)
        offline_model(o, model);
    return HL_OK;
}

void
offline_deinit(struct offline *o)
{
    app_deinit(&o->state);
    hl_arena_deinit(&o->frame);
    dl_deinit(&o->dl);
    for (int i = 0; i < o->n_queue; i++)
        hl_arena_deinit(&o->queue[i].own);
    for (int i = 0; i < APP_SLOTS; i++)
        hl_free(o->draft[i]);
}

/* Opens a picture on the spot. */
static void
open_picture(struct offline *o, const struct hl_effect *e)
{
    struct hl_picture *p = NULL;
    struct hl_error err = { 0 };
    picture_open(e->text, &p, &err);
    struct hl_event ev = { .kind = EV_PICTURE, .ticket = e->ticket, .picture = p, .error = &err };
    offline_event(o, &ev);
    picture_free(p);
}

/* Without memory the run is dropped, as a cancelled one is. */
static void
keep_run(struct offline *o, const struct hl_effect *e)
{
    struct offline_run r = { .fx = *e };
    hl_arena_init(&r.own, 1024, 0);
    r.fx.text = NULL;
    r.fx.model = hl_arena_strdup(&r.own, e->model);
    if (r.fx.model == NULL || !hl_request_copy(&r.own, &r.fx.req)) {
        hl_arena_deinit(&r.own);
        return;
    }
    int at = 0;
    while (at < o->n_queue && o->queue[at].fx.slot != e->slot)
        at++;
    if (at < o->n_queue)
        hl_arena_deinit(&o->queue[at].own);
    else
        o->n_queue++;
    o->queue[at] = r;
}

/* Keeps the runs of fx; a newer one of a slot takes the place of a waiting one. */
static void
queue_runs(struct offline *o, const struct hl_effects *fx)
{
    for (int i = 0; i < fx->n; i++) {
        if (fx->v[i].kind == FX_OPEN_PICTURE)
            open_picture(o, &fx->v[i]);
        if (fx->v[i].kind == FX_RUN)
            keep_run(o, &fx->v[i]);
    }
}

void
offline_request(struct offline *o)
{
    struct hl_effects fx = { 0 };
    app_request(&o->state, &fx);
    queue_runs(o, &fx);
}

void
offline_event(struct offline *o, const struct hl_event *ev)
{
    struct hl_effects fx = { 0 };
    app_update(&o->state, ev, &fx);
    queue_runs(o, &fx);
}

static void
keep_draft(struct offline *o, int slot, const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    hl_free(o->draft[slot]);
    o->draft[slot] = NULL;
    o->n_draft[slot] = 0;
    if (!target || target->n == 0)
        return;
    int32_t *ids = hl_alloc((size_t)target->n, sizeof *ids);
    if (!ids)
        return;
    for (int i = 0; i < target->n; i++)
        ids[i] = target->tokens[i].id;
    o->draft[slot] = ids;
    o->n_draft[slot] = target->n;
}

double
offline_step_timed(struct offline *o, double (*now)(void))
{
    if (o->n_queue == 0)
        return -1;
    struct offline_run run = o->queue[0];
    memmove(o->queue, o->queue + 1, (size_t)--o->n_queue * sizeof run);
    struct hl_effect e = run.fx;

    struct hl_result result = { .slot = e.slot, .ticket = e.ticket };
    const struct hl_model *m = NULL;
    e.req.draft = o->draft[e.slot];
    e.req.n_draft = o->n_draft[e.slot];
    result.status = library_get(o->lib, e.model, &m, &result.error);
    if (result.status == HL_OK)
        result.status = hl_model_run(m, &e.req, &result.record, &result.error);
    o->failed[e.slot] = result.error;
    o->failed[e.slot].code = result.status;
    if (result.record)
        keep_draft(o, e.slot, result.record);
    hl_arena_deinit(&run.own);
    /* No time is told: a picture made twice is the same to the byte. */
    struct hl_event ev = { .kind = EV_RESULT, .result = &result };
    double t = now ? now() : 0;
    offline_event(o, &ev);
    return now ? now() - t : 0;
}

bool
offline_step(struct offline *o)
{
    return offline_step_timed(o, NULL) >= 0;
}

void
offline_finish(struct offline *o)
{
    while (offline_step(o)) {
    }
}

const struct dl *
offline_build(struct offline *o)
{
    hl_arena_reset(&o->frame);
    app_build(&o->state, o->metrics, &o->frame, &o->dl);
    if (o->dl.failed)
        return NULL;
    app_shown(&o->state, &o->dl);
    return &o->dl;
}

#include "unit/screens2/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/dl_text.h"
#include "harness/fail_alloc.h"
#include "screen/positions.h"

static bool updating;

void
stage_arguments(int argc, char **argv)
{
    updating = argc > 1 && strcmp(argv[1], "update") == 0 && getenv("CI") == NULL;
}

void
stage_open(struct stage *g, const char *screen, float w, float h)
{
    memset(g, 0, sizeof *g);
    assert_true(app_init(&g->s, &hl_metrics_fixed));
    hl_arena_init(&g->frame, 1 << 16, 0);
    stage_set(g, "screen", screen);
    struct hl_event ev = { .kind = EV_RESIZE, .x = w, .y = h, .scale = 1 };
    app_update(&g->s, &ev, &g->fx);
    stage_draw(g);
}

void
stage_close(struct stage *g)
{
    app_deinit(&g->s);
    dl_deinit(&g->dl);
    hl_arena_deinit(&g->frame);
}

void
stage_draw(struct stage *g)
{
    hl_arena_reset(&g->frame);
    app_build(&g->s, &hl_metrics_fixed, &g->frame, &g->dl);
    assert_false(g->dl.failed);
    app_shown(&g->s, &g->dl);
}

void
stage_set(struct stage *g, const char *key, const char *value)
{
    struct hl_error err = { 0 };
    if (app_set(&g->s, key, value, &err) != HL_OK)
        fail_msg("--set %s=%s: %s", key, value, err.detail);
    if (g->dl.width > 0)
        stage_draw(g);
}

static void
send(struct stage *g, const struct hl_event *ev)
{
    if (ev->kind != EV_MOUSE_UP)
        g->fx.n = 0;
    app_update(&g->s, ev, &g->fx);
    stage_draw(g);
}

void
stage_key(struct stage *g, int key, int mods)
{
    struct hl_event ev = { .kind = EV_KEY, .key = key, .mods = mods, .down = true };
    send(g, &ev);
}

void
stage_type(struct stage *g, const char *text)
{
    struct hl_event ev = { .kind = EV_TEXT, .text = text };
    send(g, &ev);
}

static void
mouse(struct stage *g, enum ev_kind kind, float x, float y, int clicks)
{
    struct hl_event ev = {
        .kind = kind, .x = x, .y = y, .button = 1, .clicks = clicks, .down = kind == EV_MOUSE_DOWN
    };
    send(g, &ev);
}

void
stage_click(struct stage *g, const char *id, int clicks)
{
    hl_rect r;
    if (!dl_hit_find(&g->dl, id, &r))
        fail_msg("nothing is named %s", id);
    float x = r.x + r.w / 2, y = r.y + r.h / 2;
    for (int i = 1; i <= clicks; i++) {
        mouse(g, EV_MOUSE_DOWN, x, y, i);
        mouse(g, EV_MOUSE_UP, x, y, i);
    }
}

void
stage_drag(struct stage *g, const char *id, float t0, float t1)
{
    hl_rect r;
    if (!dl_hit_find(&g->dl, id, &r))
        fail_msg("nothing is named %s", id);
    float y = r.y + r.h / 2;
    mouse(g, EV_MOUSE_DOWN, r.x + t0 * r.w, y, 1);
    mouse(g, EV_MOUSE_MOVE, r.x + t1 * r.w, y, 1);
    mouse(g, EV_MOUSE_UP, r.x + t1 * r.w, y, 1);
}

const char *
stage_text(const struct stage *g, const char *id)
{
    hl_rect r;
    if (!dl_hit_find(&g->dl, id, &r))
        return "";
    for (const struct dl_cmd *c = dl_first(&g->dl); c != NULL; c = dl_next(&g->dl, c)) {
        if (c->kind == DL_TEXT && rect_has(rect_inset(r, -1, -1), c->u.text.x, c->u.text.y))
            return dl_tail(c);
    }
    return "";
}

bool
stage_shows(const struct stage *g, const char *text)
{
    for (const struct dl_cmd *c = dl_first(&g->dl); c != NULL; c = dl_next(&g->dl, c)) {
        if (c->kind == DL_TEXT && strstr(dl_tail(c), text) != NULL)
            return true;
    }
    return false;
}

/* ---- goldens ---- */

/* The screen alone, so that the shell may change its mind. */
static void
draw_alone(struct stage *g, struct dl *dl)
{
    int n;
    const struct hl_theme *t = theme_get(g->s.dark);
    struct ui u = { .dl = dl,
                    .metrics = &hl_metrics_fixed,
                    .theme = t,
                    .frame = &g->frame,
                    .hover = "",
                    .focus = "" };
    struct screen_ctx c = { .dl = dl,
                            .ui = &u,
                            .metrics = &hl_metrics_fixed,
                            .theme = t,
                            .state = &g->s,
                            .frame = &g->frame };
    dl_begin(dl, 1000, 560, 1, t->background);
    screen_all(&n)[g->s.screen]->build(&c, rect_make(0, 0, 1000, 560));
}

static char *
read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(*n + 1);
    assert_non_null(p);
    assert_int_equal(fread(p, 1, *n, f), *n);
    p[*n] = 0;
    fclose(f);
    return p;
}

static void
compare(const char *name, const char *path, const struct hl_sb *now)
{
    size_t n = 0, line = 1;
    char *want = read_file(path, &n);
    if (want == NULL)
        fail_msg("%s is missing; call this test with \"update\"", path);
    for (size_t i = 0; i < n && i < now->n && want[i] == now->p[i]; i++)
        line += want[i] == '\n';
    bool same = n == now->n && memcmp(want, now->p, n) == 0;
    free(want);
    if (!same)
        fail_msg("%s differs from its golden from line %zu on", name, line);
}

void
stage_golden(struct stage *g, const char *name)
{
    struct dl dl = { 0 }, back = { 0 };
    struct hl_sb now = { 0 }, again = { 0 };
    struct hl_error err = { 0 };
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/unit/screens2/golden/%s.txt",
             getenv("HL_SOURCE_ROOT") != NULL ? getenv("HL_SOURCE_ROOT") : ".", name);
    draw_alone(g, &dl);
    dl_write_text(&dl, &now);
    assert_false(now.failed);
    assert_int_equal(dl_read_text(&back, now.p, &err), HL_OK);
    dl_write_text(&back, &again);
    assert_string_equal(now.p, again.p);
    if (updating) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(now.p, 1, now.n, f);
        fclose(f);
    } else {
        compare(name, path, &now);
    }
    hl_sb_deinit(&now);
    hl_sb_deinit(&again);
    dl_deinit(&dl);
    dl_deinit(&back);
}

/* ---- memory ---- */

struct scarce {
    const char *screen;
    const char *const *pairs;
};

static bool
scarce_run(void *user)
{
    const struct scarce *w = user;
    static struct app_state s;
    struct hl_arena frame;
    struct dl dl = { 0 };
    struct hl_effects fx = { 0 };
    struct hl_error err;
    hl_arena_init(&frame, 1 << 16, 0);
    bool ok = app_init(&s, &hl_metrics_fixed);
    if (ok) {
        ok = app_set(&s, "screen", w->screen, &err) == HL_OK;
        for (int i = 0; w->pairs[i] != NULL; i += 2)
            ok = app_set(&s, w->pairs[i], w->pairs[i + 1], &err) == HL_OK && ok;
        struct hl_event ev = { .kind = EV_TEXT, .text = "5" };
        app_update(&s, &ev, &fx);
        app_build(&s, &hl_metrics_fixed, &frame, &dl);
        ok = ok && !dl.failed && positions_of(&s)->table != NULL;
    }
    app_deinit(&s);
    dl_deinit(&dl);
    hl_arena_deinit(&frame);
    return ok;
}

void
stage_without_memory(const char *screen, const char *const *pairs)
{
    struct scarce w = { screen, pairs };
    assert_true(fail_alloc_each(scarce_run, &w, 2000) > 0);
}

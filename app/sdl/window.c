#include "sdl/window.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdl/window_priv.h"
#include "sdl/x11.h"

enum {
    FRAME_MS = 16,
    MAX_EVENTS = 256, /* handled before the picture is renewed */
    MAX_AREAS = 16
};

/* ---- waking ---- */

/* The worker may call before the window is there and after it is gone. */
static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t wake_type; /* SDL's number of our event, 0 while there is no window */
static bool wake_wanted;

void
window_wake(void)
{
    pthread_mutex_lock(&wake_lock);
    if (!wake_wanted && wake_type) {
        SDL_Event e;
        memset(&e, 0, sizeof e);
        e.type = wake_type;
        SDL_PushEvent(&e);
    }
    wake_wanted = true;
    pthread_mutex_unlock(&wake_lock);
}

static void
wake_listen(uint32_t type)
{
    pthread_mutex_lock(&wake_lock);
    wake_type = type == (uint32_t)-1 ? 0 : type;
    pthread_mutex_unlock(&wake_lock);
}

static bool
wake_take(void)
{
    pthread_mutex_lock(&wake_lock);
    bool wanted = wake_wanted;
    wake_wanted = false;
    pthread_mutex_unlock(&wake_lock);
    return wanted;
}

/* ---- size and scale ---- */

/* Video drivers that show nothing. */
static bool
is_set(const char *variable)
{
    const char *v = getenv(variable);
    return v && v[0] != '\0';
}

static bool
is_blind(const char *driver)
{
    return !driver || strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0 ||
           strcmp(driver, "evdev") == 0;
}

static void
pixel_size(struct window *w)
{
    int points_w, points_h;
    SDL_GetWindowSize(w->sdl, &points_w, &points_h);
    SDL_GetWindowSizeInPixels(w->sdl, &w->px_w, &w->px_h);
    w->pixels_per_point = points_w > 0 && w->px_w > 0 ? (float)w->px_w / (float)points_w : 1;
}

void
window_tell_size(struct window *w)
{
    pixel_size(w);
    /* Where points are not pixels, the desktop's scale is in their ratio. */
    w->display_scale = w->pixels_per_point != 1 ? w->pixels_per_point : w->desktop_scale;
    float scale = window_scale(w);
    struct hl_event ev = {
        .kind = EV_RESIZE, .x = (float)w->px_w / scale, .y = (float)w->px_h / scale, .scale = scale
    };
    window_dispatch(w, &ev);
}

/* ---- one round ---- */

void
window_dispatch(struct window *w, const struct hl_event *ev)
{
    struct hl_effects fx;
    fx.n = 0;
    w->host->update(w->host->user, ev, &fx);
    window_perform(w, &fx);
}

static void
set_cursor(struct window *w)
{
    enum dl_cursor want = DL_CURSOR_ARROW;
    dl_hit_at(&w->list[w->shown], w->mouse_x, w->mouse_y, &want);
    SDL_Cursor *c = (int)want < N_CURSORS ? w->cursor[want] : NULL;
    if (c && c != SDL_GetCursor())
        SDL_SetCursor(c);
}

/* Builds the picture and puts what changed on the screen. */
static void
present(struct window *w)
{
    int next = !w->shown;
    hl_arena_reset(&w->frame);
    w->host->build(w->host->user, fonts_metrics(w->fonts), &w->frame, &w->list[next]);
    w->host->shown(w->host->user, &w->list[next]);
    w->shown = next;
    struct hl_pixels px;
    if (!surface_take(&w->surface, w->sdl, &px, &w->stale))
        return;
    struct hl_area areas[MAX_AREAS];
    int n = render_update(w->render, &w->list[next], px, w->stale, areas, MAX_AREAS);
    w->stale = n < 0;
    surface_show(&w->surface, w->sdl, areas, w->exposed ? -1 : n);
    w->exposed = false;
    set_cursor(w);
}

static void
wake_host(struct window *w)
{
    struct hl_effects fx;
    if (!wake_take())
        return;
    fx.n = 0;
    w->host->wake(w->host->user, &fx);
    window_perform(w, &fx);
}

static void
tick(struct window *w)
{
    uint64_t now = SDL_GetTicks64();
    struct hl_event ev = { .kind = EV_TICK, .x = (float)now };
    if (!w->animate_until)
        return;
    if (now >= w->animate_until)
        w->animate_until = 0; /* this one is the last */
    window_dispatch(w, &ev);
}

/* Time in ms that this thread has waited for a processor; 0 where it is not told. */
static double
queued_ms(void)
{
    unsigned long long run = 0, queued = 0;
    FILE *f = fopen("/proc/thread-self/schedstat", "r");
    if (f && fscanf(f, "%llu %llu", &run, &queued) != 2)
        queued = 0;
    if (f)
        fclose(f);
    return (double)queued / 1e6;
}

/* Waits for something to happen and handles all that is there. Of mouse moves in a
 * row the last one counts. */
static void
handle(struct window *w)
{
    SDL_Event e, next;
    if (!(w->animate_until ? SDL_WaitEventTimeout(&e, FRAME_MS) : SDL_WaitEvent(&e)))
        e.type = SDL_FIRSTEVENT;
    w->woke = SDL_GetPerformanceCounter();
    w->queued_at_wake = w->host->busy ? queued_ms() : 0;
    for (int i = 0; e.type != SDL_FIRSTEVENT && !w->quit; i++) {
        bool more = i < MAX_EVENTS && SDL_PollEvent(&next);
        if (!(more && e.type == SDL_MOUSEMOTION && next.type == SDL_MOUSEMOTION))
            window_event(w, &e);
        if (!more)
            break;
        e = next;
    }
    wake_host(w);
    tick(w);
}

/* ---- life ---- */

/* The mark of the program as the window's icon. */
static void
set_icon(struct window *w)
{
    enum { SIDE = 64 };
    static const float lamp[] = { 6, 32, 30, 16, 30, 48 };
    static uint32_t pixels[SIDE * SIDE];
    struct dl d = { 0 };
    hl_color ink = 0xffffffff;
    dl_begin(&d, SIDE, SIDE, 1, 0x3a49c4ff);
    dl_poly(&d, lamp, 3, ink);
    dl_line(&d, 37, 23, 55, 14, 5, ink);
    dl_fill(&d, rect_make(38, 29.5f, 20, 5), 0, ink);
    dl_line(&d, 37, 41, 55, 50, 5, ink);
    if (!d.failed && render_draw(w->render, &d, (struct hl_pixels) { pixels, SIDE, SIDE, SIDE })) {
        SDL_Surface *s = SDL_CreateRGBSurfaceWithFormatFrom(pixels, SIDE, SIDE, 32, SIDE * 4,
                                                            SDL_PIXELFORMAT_ARGB8888);
        if (s)
            SDL_SetWindowIcon(w->sdl, s);
        SDL_FreeSurface(s);
    }
    dl_deinit(&d);
}

static void
set_hints(void)
{
    /* The software surface straight to the window: through OpenGL it takes 7.0
     * instead of 0.8 ms at 1280x800. */
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_IME_SHOW_UI, "1");
    SDL_SetHint(SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_APP_NAME, "Headlight");
}

/* A window that fits onto the screen, and whose pixels can be drawn. */
static enum hl_status
create(struct window *w, struct hl_error *err)
{
    SDL_Rect room = { 0, 0, 0, 0 };
    w->desktop_scale = place_desktop_scale();
    SDL_GetDisplayUsableBounds(0, &room);
    struct place p = place_within(room, w->desktop_scale);
    w->sdl = SDL_CreateWindow(w->host->title, p.at.x, p.at.y, p.at.w, p.at.h,
                              SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!w->sdl)
        return hl_error_set(err, HL_E_DISPLAY, NULL, "%s", SDL_GetError());
    SDL_SetWindowMinimumSize(w->sdl, p.min_w, p.min_h);
    return surface_check(w->sdl, err);
}

/* SDL makes no plain surface for 30 bits a pixel; by way of OpenGL it does. The error is
 * the one that is there already, should that fail too. */
static enum hl_status
create_accelerated(struct window *w, struct hl_error *err)
{
    struct hl_error second = { 0 };
    SDL_DestroyWindow(w->sdl);
    w->sdl = NULL;
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "1");
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0)
        return err->code;
    return create(w, &second) == HL_OK ? HL_OK : err->code;
}

static enum hl_status
open_window(struct window *w, struct hl_error *err)
{
    static const SDL_SystemCursor kinds[N_CURSORS] = {
        [DL_CURSOR_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
        [DL_CURSOR_HAND] = SDL_SYSTEM_CURSOR_HAND,
        [DL_CURSOR_TEXT] = SDL_SYSTEM_CURSOR_IBEAM,
        [DL_CURSOR_RESIZE] = SDL_SYSTEM_CURSOR_SIZEWE,
    };
    set_hints();
    /* Asked before SDL, whose libraries would complain on standard error. */
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("SDL_VIDEODRIVER"))
        return hl_error_set(err, HL_E_DISPLAY, NULL, "there is no X11 or Wayland display");
    x11_forgive_late_messages();
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return hl_error_set(err, HL_E_DISPLAY, NULL, "%s", SDL_GetError());
    /* SDL falls back to drivers that show nothing; a person would wait for ever. */
    if (is_blind(SDL_GetCurrentVideoDriver()) && !is_set("SDL_VIDEODRIVER"))
        return hl_error_set(err, HL_E_DISPLAY, NULL, "the display cannot be reached");
    enum hl_status st = create(w, err);
    if (st != HL_OK)
        st = create_accelerated(w, err);
    if (st != HL_OK)
        return st;
    for (int i = 0; i < N_CURSORS; i++)
        w->cursor[i] = SDL_CreateSystemCursor(kinds[i]);
    SDL_StopTextInput(); /* until the host asks for it */
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    set_icon(w);
    wake_listen(SDL_RegisterEvents(1));
    return HL_OK;
}

static void
close_window(struct window *w)
{
    wake_listen((uint32_t)-1);
    for (int i = 0; i < N_CURSORS; i++)
        SDL_FreeCursor(w->cursor[i]);
    if (w->sdl)
        SDL_DestroyWindow(w->sdl);
    SDL_Quit();
}

static void
tell_busy(const struct window *w)
{
    if (!w->host->busy || !w->woke)
        return;
    double ms = 1e3 * (double)(SDL_GetPerformanceCounter() - w->woke) /
                (double)SDL_GetPerformanceFrequency();
    w->host->busy(w->host->user, ms - (queued_ms() - w->queued_at_wake));
}

static void
run(struct window *w)
{
    struct hl_effects fx;
    fx.n = 0;
    w->host->start(w->host->user, fonts_metrics(w->fonts), &fx);
    window_tell_size(w);
    window_perform(w, &fx);
    wake_host(w);
    while (!w->quit) {
        present(w);
        tell_busy(w);
        handle(w);
    }
}

enum hl_status
window_run(const struct window_host *host, struct hl_error *err)
{
    struct window w = { .host = host,
                        .zoom = 1,
                        .display_scale = 1,
                        .pixels_per_point = 1,
                        .mouse_x = -1,
                        .mouse_y = -1,
                        .stale = true };
    hl_arena_init(&w.frame, 1 << 18, 0);
    enum hl_status st = fonts_create(&w.fonts, err);
    if (st == HL_OK)
        st = render_create(w.fonts, &w.render, err);
    if (st == HL_OK) {
        st = open_window(&w, err);
        if (st == HL_OK)
            run(&w);
        close_window(&w);
    }
    surface_deinit(&w.surface);
    dl_deinit(&w.list[0]);
    dl_deinit(&w.list[1]);
    render_destroy(w.render);
    fonts_destroy(w.fonts);
    hl_arena_deinit(&w.frame);
    return st;
}

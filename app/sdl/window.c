#include "sdl/window.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "sdl/window_priv.h"

enum {
    FRAME_MS = 16,
    MAX_EVENTS = 256, /* handled before the picture is renewed */
    MAX_AREAS = 16,
    MIN_W = 900,
    MIN_H = 600,
    FIRST_W = 1280,
    FIRST_H = 800
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

/* ISO C has no cast from void * to a function. */
static bool
load(void *lib, const char *name, void *function)
{
    void *p = SDL_LoadFunction(lib, name);
    memcpy(function, &p, sizeof p);
    return p != NULL;
}

/* Xft.dpi of the X server's resources, 0 where it is not set. SDL does not hand it
 * on; libX11 is the one that SDL has loaded already, so nothing is linked. */
static double
xft_dpi(void)
{
    void *(*open_display)(const char *);
    char *(*get_default)(void *, const char *, const char *);
    int (*close_display)(void *);
    double dpi = 0;
    void *lib = SDL_LoadObject("libX11.so.6");
    if (lib && load(lib, "XOpenDisplay", &open_display) && load(lib, "XGetDefault", &get_default) &&
        load(lib, "XCloseDisplay", &close_display)) {
        void *display = open_display(NULL);
        const char *value = display ? get_default(display, "Xft", "dpi") : NULL;
        if (value && !hl_parse_double(value, &dpi))
            dpi = 0;
        if (display)
            close_display(display);
    }
    if (lib)
        SDL_UnloadObject(lib);
    return dpi;
}

/* The desktop's scale in eighths. On Wayland SDL knows it, as pixels per point. */
static float
desktop_scale(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    double dpi = driver && strcmp(driver, "x11") == 0 ? xft_dpi() : 0;
    return dpi > 96 && dpi <= 480 ? roundf((float)dpi / 96 * 8) / 8 : 1;
}

static void
pixel_size(struct window *w, int *px_w, int *px_h)
{
    int points_w, points_h;
    SDL_GetWindowSize(w->sdl, &points_w, &points_h);
    SDL_GetWindowSizeInPixels(w->sdl, px_w, px_h);
    w->pixels_per_point = points_w > 0 && *px_w > 0 ? (float)*px_w / (float)points_w : 1;
}

void
window_tell_size(struct window *w)
{
    int px_w, px_h;
    pixel_size(w, &px_w, &px_h);
    /* Where points are not pixels, the desktop's scale is in their ratio. */
    w->display_scale = w->pixels_per_point != 1 ? w->pixels_per_point : w->desktop_scale;
    float scale = window_scale(w);
    struct hl_event ev = {
        .kind = EV_RESIZE, .x = (float)px_w / scale, .y = (float)px_h / scale, .scale = scale
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
    SDL_Surface *s = SDL_GetWindowSurface(w->sdl);
    if (!s || s->format->BytesPerPixel != 4)
        return;
    struct hl_pixels px = { s->pixels, s->w, s->h, s->pitch / 4 };
    /* A new surface is empty, and may lie where the old one did. */
    w->stale |= s->userdata != w;
    s->userdata = w;
    struct hl_area areas[MAX_AREAS];
    SDL_Rect rects[MAX_AREAS];
    int n = render_update(w->render, &w->list[next], px, w->stale, areas, MAX_AREAS);
    w->stale = n < 0;
    if (w->exposed || n < 0) {
        SDL_UpdateWindowSurface(w->sdl);
    } else if (n > 0) {
        for (int i = 0; i < n; i++)
            rects[i] = (SDL_Rect) { areas[i].x, areas[i].y, areas[i].w, areas[i].h };
        SDL_UpdateWindowSurfaceRects(w->sdl, rects, n);
    }
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

/* 1280x800 at the desktop's scale, or as much of it as the screen has room for. */
static void
fit_to_screen(struct window *w)
{
    SDL_Rect room;
    float k = w->desktop_scale = desktop_scale();
    SDL_SetWindowMinimumSize(w->sdl, (int)(MIN_W * k), (int)(MIN_H * k));
    int width = (int)(FIRST_W * k), height = (int)(FIRST_H * k);
    if (SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(w->sdl), &room) == 0) {
        width = width < room.w ? width : room.w;
        height = height < room.h ? height : room.h;
    }
    if (k != 1)
        SDL_SetWindowSize(w->sdl, width, height);
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
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return hl_error_set(err, HL_E_DISPLAY, NULL, "%s", SDL_GetError());
    /* SDL falls back to drivers that show nothing; a person would wait for ever. */
    if (is_blind(SDL_GetCurrentVideoDriver()) && !is_set("SDL_VIDEODRIVER"))
        return hl_error_set(err, HL_E_DISPLAY, NULL, "the display cannot be reached");
    w->sdl = SDL_CreateWindow(w->host->title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                              FIRST_W, FIRST_H, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (!w->sdl)
        return hl_error_set(err, HL_E_DISPLAY, NULL, "%s", SDL_GetError());
    fit_to_screen(w);
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
    dl_deinit(&w.list[0]);
    dl_deinit(&w.list[1]);
    render_destroy(w.render);
    fonts_destroy(w.fonts);
    hl_arena_deinit(&w.frame);
    return st;
}

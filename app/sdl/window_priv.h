/* The window's state, shared by window.c, events.c and effects_run.c. */
#pragma once

#include <SDL.h>
#include <stdbool.h>

#include "sdl/place.h"
#include "sdl/render.h"
#include "sdl/surface.h"
#include "sdl/window.h"

enum { N_CURSORS = DL_CURSOR_RESIZE + 1 };

struct window {
    const struct window_host *host;
    SDL_Window *sdl;
    SDL_Cursor *cursor[N_CURSORS];
    struct hl_fonts *fonts;
    struct hl_render *render;
    struct hl_arena frame;
    struct dl list[2]; /* the one shown and the one being built */
    int shown;
    float desktop_scale;    /* X11: from Xft.dpi, 1 where unknown */
    float display_scale;    /* the one in use */
    float zoom;             /* Ctrl +/- */
    int px_w, px_h;         /* the window's size in pixels */
    float pixels_per_point; /* SDL's window units to pixels */
    float mouse_x, mouse_y; /* logical; -1 outside */
    bool button_down;
    bool text_on, fullscreen;
    struct surface surface;
    bool stale;   /* the surface does not hold the last picture */
    bool exposed; /* all of it must be presented */
    bool quit;
    uint64_t animate_until; /* SDL_GetTicks64, 0: no ticks wanted */
    uint64_t woke;          /* when the loop last stopped waiting, performance counter */
    double queued_at_wake;
};

/* Device pixels per logical pixel. */
static inline float
window_scale(const struct window *w)
{
    return place_scale(w->display_scale * w->zoom, w->px_w, w->px_h);
}

/* One event through the host, then its effects. */
void window_dispatch(struct window *w, const struct hl_event *ev);
/* Tells the host the window's size (after a resize, a new zoom or display). */
void window_tell_size(struct window *w);

/* Performs effects in order (effects_run.c). */
void window_perform(struct window *w, const struct hl_effects *fx);

/* Translates one SDL event and dispatches what it means (events.c). */
void window_event(struct window *w, const SDL_Event *e);

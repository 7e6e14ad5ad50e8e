/* Where, how large and at what scale the window opens. */
#pragma once

#include <SDL.h>

/* Logical pixels that the layout needs and those of a first start. */
enum { PLACE_MIN_W = 900, PLACE_MIN_H = 600, PLACE_FIRST_W = 1280, PLACE_FIRST_H = 800 };

struct place {
    /* Size of the content and place of the corner, which window managers take for the
     * frame's; in the units of SDL's windows. */
    SDL_Rect at;
    int min_w, min_h; /* smaller it cannot be made by hand */
};

/* The desktop's scale in eighths: Xft.dpi on X11; 1 elsewhere, where SDL knows it as
 * pixels per point. One thread. */
float place_desktop_scale(void);

/* 1280x800 at `scale`, or as much of it as `room` has (the screen less its panels) when
 * a title bar and borders are to be seen too; in the middle. Reentrant. */
struct place place_within(SDL_Rect room, float scale);

/* `wanted`, or the scale below at which px_w x px_h pixels hold PLACE_MIN: on a small
 * screen all of the window is seen, smaller. At least 0.5. Reentrant. */
float place_scale(float wanted, int px_w, int px_h);

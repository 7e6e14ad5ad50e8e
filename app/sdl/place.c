#include "sdl/place.h"

#include <math.h>
#include <string.h>

#include "sdl/x11.h"

float
place_desktop_scale(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    double dpi = driver && strcmp(driver, "x11") == 0 ? x11_xft_dpi() : 0;
    return dpi > 96 && dpi <= 480 ? roundf((float)dpi / 96 * 8) / 8 : 1;
}

static int
least(int a, int b)
{
    return a < b ? a : b;
}

struct place
place_within(SDL_Rect room, float scale)
{
    enum { TITLE = 36, BORDER = 4 }; /* window managers' are up to this */
    int title = (int)ceilf(TITLE * scale), border = (int)ceilf(BORDER * scale);
    int free_w = room.w - 2 * border, free_h = room.h - title - border;
    struct place p;
    if (free_w < 1 || free_h < 1) { /* nonsense from the desktop */
        free_w = (int)(PLACE_FIRST_W * scale);
        free_h = (int)(PLACE_FIRST_H * scale);
    }
    p.at.w = least((int)(PLACE_FIRST_W * scale), free_w);
    p.at.h = least((int)(PLACE_FIRST_H * scale), free_h);
    p.at.x = room.x + (free_w - p.at.w) / 2;
    p.at.y = room.y + (free_h - p.at.h) / 2;
    p.min_w = least((int)(PLACE_MIN_W * scale), free_w);
    p.min_h = least((int)(PLACE_MIN_H * scale), free_h);
    return p;
}

float
place_scale(float wanted, int px_w, int px_h)
{
    float most = fminf((float)px_w / PLACE_MIN_W, (float)px_h / PLACE_MIN_H);
    if (wanted <= most)
        return wanted;
    most = floorf(most * 16) / 16; /* few sizes of letters while a window is drawn smaller */
    return fminf(wanted, fmaxf(most, 0.5f));
}

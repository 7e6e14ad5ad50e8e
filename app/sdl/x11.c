#include "sdl/x11.h"

#include <SDL.h>
#include <stdbool.h>
#include <string.h>

#include "base/span.h"

static const char library[] = "libX11.so.6";

/* ISO C has no cast from void * to a function. */
static bool
load(void *lib, const char *name, void *function)
{
    void *p = SDL_LoadFunction(lib, name);
    memcpy(function, &p, sizeof p);
    return p != NULL;
}

double
x11_xft_dpi(void)
{
    void *(*open_display)(const char *);
    char *(*get_default)(void *, const char *, const char *);
    int (*close_display)(void *);
    double dpi = 0;
    void *lib = SDL_LoadObject(library);
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

/* XErrorEvent of Xlib.h. */
struct x_error {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char code, request, minor;
};

typedef int x_handler(void *display, struct x_error *e);

static x_handler *before;

static int
forgive(void *display, struct x_error *e)
{
    enum { BAD_WINDOW = 3, SEND_EVENT = 25 };
    if ((e->code == BAD_WINDOW && e->request == SEND_EVENT) || !before)
        return 0;
    return before(display, e);
}

void
x11_forgive_late_messages(void)
{
    x_handler *(*set_handler)(x_handler *);
    void *lib = SDL_LoadObject(library); /* kept: the handler lies on the connection */
    if (!lib || !load(lib, "XSetErrorHandler", &set_handler))
        return;
    x_handler *was = set_handler(forgive);
    if (was != forgive)
        before = was;
}

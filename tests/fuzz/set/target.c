/* --set with any key and value, a line each ("screen=positions", "length=1"): taken, or
 * refused with a sentence; the window can be drawn after each, the same twice, and clicked
 * in a few places. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "screen/app.h"

enum { LINES_MAX = 24 };

static struct app_state s;
static struct hl_arena frame;
static struct dl list;

static void
draw(void)
{
    hl_arena_reset(&frame);
    app_build(&s, &hl_metrics_fixed, &frame, &list);
    HOLDS(!list.failed);
    app_shown(&s, &list);
}

static void
click(float x, float y)
{
    static const enum ev_kind kinds[] = { EV_MOUSE_MOVE, EV_MOUSE_DOWN, EV_MOUSE_MOVE,
                                          EV_MOUSE_UP };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct hl_effects fx = { 0 };
        struct hl_event ev = {
            .kind = kinds[i], .x = x + (i == 2 ? 9 : 0), .y = y, .button = 1, .clicks = 1
        };
        app_update(&s, &ev, &fx);
        draw();
    }
}

static void
set_line(char *line)
{
    struct hl_error err = { 0 };
    char *value = strchr(line, '=');
    if (value == NULL)
        return;
    *value++ = '\0';
    enum hl_status st = app_set(&s, line, value, &err);
    HOLDS(st == HL_OK || (err.detail[0] && st == err.code));
    draw();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_arena a;
    size_t n;
    hl_arena_init(&a, 0, 0);
    hl_arena_init(&frame, 1 << 16, 0);
    HOLDS(app_init(&s, &hl_metrics_fixed));
    char *text = hl_utf8_repair(&a, (const char *)data, size, &n);
    HOLDS(text != NULL);
    for (int i = 0; i < LINES_MAX && text != NULL; i++) {
        char *next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        set_line(text);
        text = next;
    }
    draw();
    uint64_t first = dl_digest(&list);
    draw();
    HOLDS(dl_digest(&list) == first);
    click((float)(size * 37 % 1280), (float)(size * 101 % 800));
    app_deinit(&s);
    dl_deinit(&list);
    hl_arena_deinit(&frame);
    hl_arena_deinit(&a);
    return 0;
}

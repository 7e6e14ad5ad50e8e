/* state.json from anywhere: what is loaded can be drawn (its screen and one more), and is the same
 * after being saved and loaded once more. */
#include "../fuzz.h"

#include <string.h>

#include "screen/app.h"

static void
draw_two(struct app_state *s, size_t which)
{
    struct hl_arena frame;
    struct dl list = { 0 };
    int n;
    hl_arena_init(&frame, 1 << 16, 0);
    screen_all(&n);
    for (int i = 0; i < 2; i++) {
        s->screen = i == 0 ? s->screen : (int)(which % (size_t)n);
        hl_arena_reset(&frame);
        app_build(s, &hl_metrics_fixed, &frame, &list);
        HOLDS(!list.failed);
        app_shown(s, &list);
    }
    app_shown(s, NULL);
    dl_deinit(&list);
    hl_arena_deinit(&frame);
}

/* The second time the same as the first. */
static void
save_and_load(const struct app_state *s)
{
    static struct app_state b, c;
    struct hl_sb once = { 0 }, twice = { 0 };
    struct hl_error err = { 0 };
    HOLDS(app_init(&b, &hl_metrics_fixed) && app_init(&c, &hl_metrics_fixed));
    HOLDS(app_save(s, &once, &err) == HL_OK);
    HOLDS(app_load(&b, once.p, once.n, &err) == HL_OK);
    HOLDS(app_save(&b, &twice, &err) == HL_OK);
    hl_sb_deinit(&once);
    HOLDS(app_load(&c, twice.p, twice.n, &err) == HL_OK);
    HOLDS(app_save(&c, &once, &err) == HL_OK);
    HOLDS(once.n == twice.n && memcmp(once.p, twice.p, once.n) == 0);
    hl_sb_deinit(&once);
    hl_sb_deinit(&twice);
    app_deinit(&b);
    app_deinit(&c);
}

/* Neither is done each time, as both take far longer than loading. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct app_state a;
    struct hl_error err = { 0 };
    HOLDS(app_init(&a, &hl_metrics_fixed));
    enum hl_status st = app_load(&a, (const char *)data, size, &err);
    HOLDS(st == HL_OK || (st == HL_E_JSON && err.detail[0]));
    if (size % 3 == 0)
        save_and_load(&a);
    if (size % 4 == 0)
        draw_two(&a, size / 4);
    app_deinit(&a);
    return 0;
}

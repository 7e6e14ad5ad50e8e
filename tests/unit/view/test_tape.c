/* Numbers over time and distributions: cells below a pixel keep their peak, columns have
 * the height of their number. */
#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "view/view.h"

struct fixture {
    struct dl dl;
    struct hl_arena frame;
    struct ui u;
};

static void
begin(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    hl_arena_init(&f->frame, 1 << 16, 0);
    f->u = (struct ui) { .dl = &f->dl,
                         .metrics = &hl_metrics_fixed,
                         .theme = theme_get(false),
                         .frame = &f->frame,
                         .hover = "",
                         .focus = "" };
    dl_begin(&f->dl, 800, 400, 1, f->u.theme->background);
}

static void
finish(struct fixture *f)
{
    assert_false(f->dl.failed);
    dl_deinit(&f->dl);
    hl_arena_deinit(&f->frame);
}

static const struct dl_cmd *
find(const struct dl *dl, enum dl_kind kind)
{
    const struct dl_cmd *c = dl_first(dl);
    while (c != NULL && c->kind != kind)
        c = dl_next(dl, c);
    return c;
}

/* 40 x 300 cells on 100 x 20 pixels: one loud cell among quiet ones is still there. */
static void
check_pooled(enum dl_map map, uint8_t quiet, uint8_t loud)
{
    enum { ROWS = 40, COLS = 300 };
    static uint8_t cells[ROWS * COLS];
    struct fixture f;
    int found = 0;
    memset(cells, quiet, sizeof cells);
    cells[0] = DL_MASKED; /* a masked one hides no other */
    cells[17 * COLS + 203] = loud;
    begin(&f);
    const struct view_tape v = { "~t", "title", "sub", 0, 60, ROWS, COLS, cells, map };
    hl_rect grid = view_tape(&f.u, rect_make(0, 0, 160, 20), &v);
    assert_true(grid.x == 60 && grid.w == 100 && grid.h == 20);
    const struct dl_cmd *c = find(&f.dl, DL_HEAT);
    assert_non_null(c);
    assert_int_equal(c->u.heat.rows, 20);
    assert_int_equal(c->u.heat.cols, 100);
    const uint8_t *p = dl_tail(c);
    for (int i = 0; i < 20 * 100; i++) {
        found += p[i] == loud;
        assert_true(p[i] == loud || p[i] == quiet);
    }
    assert_int_equal(found, 1);
    assert_int_equal(p[8 * 100 + 67], loud);
    finish(&f);
}

static void
test_pooling(void **state)
{
    (void)state;
    check_pooled(DL_MAP_WEIGHT, 3, 250);
    check_pooled(DL_MAP_SIGNED, 130, 20);  /* far below zero */
    check_pooled(DL_MAP_SIGNED, 120, 240); /* far above */
}

static void
test_masked_stays(void **state)
{
    const uint8_t cells[4] = { DL_MASKED, 0, 127, 254 };
    const struct view_tape v = { "~t", "", "", 0, 0, 2, 2, cells, DL_MAP_WEIGHT };
    struct fixture f;
    (void)state;
    begin(&f);
    view_tape(&f.u, rect_make(0, 0, 100, 100), &v);
    assert_memory_equal(dl_tail(find(&f.dl, DL_HEAT)), cells, 4);
    finish(&f);
}

/* The column of place i: the fill that covers its middle, from the bottom of the box (or
 * from the line of 0); its height with its sign. */
static float
column_height(const struct dl *dl, hl_rect box, int i, int n, float zero)
{
    float x = box.x + box.w * ((float)i + 0.5f) / (float)n, h = 0;
    for (const struct dl_cmd *c = dl_first(dl); c != NULL; c = dl_next(dl, c)) {
        const hl_rect *r = &c->u.box.r;
        if (c->kind != DL_FILL || c->u.box.color != theme_get(false)->accent || x < r->x ||
            x > r->x + r->w)
            continue;
        h = fabsf(r->y - zero) < 0.01f ? -r->h : r->h;
    }
    return h;
}

static void
test_columns(void **state)
{
    const float w[5] = { 0.5f, 0.25f, 1e-3f, 1, 0 };
    const uint8_t mark[5] = { 0 };
    hl_rect box = rect_make(10, 20, 100, 80);
    struct view_columns v = { .id = "~c", .n = 5, .w = w, .mark = mark, .top = 1 };
    struct fixture f;
    (void)state;
    begin(&f);
    view_columns(&f.u, box, &v);
    const float linear[5] = { 40, 20, 0, 80, 0 }; /* a thousandth is below half a pixel */
    for (int i = 0; i < 5; i++)
        assert_true(fabsf(column_height(&f.dl, box, i, 5, 100) - linear[i]) < 0.01f);
    finish(&f);
    begin(&f);
    v.log_scale = true;
    view_columns(&f.u, box, &v);
    for (int i = 0; i < 5; i++) {
        float t = w[i] > 0 ? 1 + log10f(w[i]) / VIEW_DECADES : 0;
        assert_true(fabsf(column_height(&f.dl, box, i, 5, 100) - 80 * t) < 0.05f);
    }
    finish(&f);
}

static void
test_signed_columns(void **state)
{
    const float w[4] = { 1, -0.5f, 0, -1 };
    const uint8_t mark[4] = { 0 };
    hl_rect box = rect_make(0, 0, 80, 60);
    const struct view_columns v = {
        .id = "~c", .n = 4, .w = w, .mark = mark, .is_signed = true, .log_scale = true, .top = 1
    };
    const float want[4] = { 30, -15, 0, -30 }; /* scores have no logarithm */
    struct fixture f;
    hl_rect r;
    (void)state;
    begin(&f);
    view_columns(&f.u, box, &v);
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(column_height(&f.dl, box, i, 4, 30) - want[i]) < 0.01f);
    assert_true(dl_hit_find(&f.dl, "~c", &r) && r.w == 80 && r.h == 60);
    finish(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pooling),
                                        cmocka_unit_test(test_masked_stays),
                                        cmocka_unit_test(test_columns),
                                        cmocka_unit_test(test_signed_columns) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

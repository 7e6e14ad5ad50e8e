/* A picture of the user's on its way to a network and to the screen. */
#include "harness/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "harness/fail_alloc.h"
#include "state/picture.h"

/* w x h of one grey, alpha 255. */
static struct hl_picture
plain(int w, int h, int grey)
{
    struct hl_picture p = { .width = (uint32_t)w, .height = (uint32_t)h, .w = w, .h = h };
    p.rgba = malloc((size_t)(w * h * 4));
    assert_non_null(p.rgba);
    memset(p.rgba, grey, (size_t)(w * h * 4));
    for (int i = 0; i < w * h; i++)
        p.rgba[4 * i + 3] = 255;
    return p;
}

static void
test_prepared(void **state)
{
    (void)state;
    float px[32 * 32];
    struct hl_error err;
    struct hl_picture p = plain(50, 30, 255);
    memset(p.rgba + 4 * (15 * 50 + 20), 0, 4 * 10); /* something in the middle, clear */
    assert_int_equal(picture_prepare(&p, 32, false, px, &err), HL_OK);
    assert_true(px[0] == -1 && px[1 * 32 + 5] == -1); /* the border */
    assert_true(px[2 * 32 + 2] == 1 && px[29 * 32 + 29] == 1);
    assert_true(picture_light_edges(px, 32));
    assert_int_equal(picture_prepare(&p, 32, true, px, &err), HL_OK);
    assert_true(px[2 * 32 + 2] == -1);
    assert_false(picture_light_edges(px, 32));
    p.w = 0;
    assert_int_equal(picture_prepare(&p, 32, false, px, &err), HL_E_ARGUMENT);
    free(p.rgba);
}

static void
test_preview(void **state)
{
    (void)state;
    int w = 0, h = 0;
    hl_rect crop = { 0 };
    struct hl_picture p = plain(101, 61, 0);
    for (int i = 0; i < 101 * 61; i++)
        p.rgba[4 * i] = i % 101 % 2 == 0 ? 200 : 100;
    hl_color *px = picture_preview(&p, 200, &w, &h, &crop); /* small ones stay as they are */
    assert_true(px != NULL && w == 101 && h == 61);
    assert_true(px[0] == 0xc80000ff && px[1] == 0x640000ff);
    assert_true(crop.x == 20 && crop.y == 0 && crop.w == 61 && crop.h == 61);
    hl_free(px);
    px = picture_preview(&p, 51, &w, &h, &crop); /* blocks of 2 x 2; the last is half one */
    assert_true(px != NULL && w == 51 && h == 31);
    assert_true(px[0] == 0x960000ff && px[50] == 0xc80000ff);
    assert_true(crop.x == 10 && crop.w == 30.5f);
    hl_free(px);
    free(p.rgba);
}

static bool
scarce(void *user)
{
    int w = -1, h;
    hl_rect crop;
    hl_color *px = picture_preview(user, 10, &w, &h, &crop);
    assert_true(px != NULL || w == -1);
    hl_free(px);
    return px != NULL;
}

static void
test_without_memory(void **state)
{
    (void)state;
    struct hl_picture p = plain(30, 30, 9);
    assert_int_equal(fail_alloc_each(scarce, &p, 10), 1);
    free(p.rgba);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prepared),
        cmocka_unit_test(test_preview),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

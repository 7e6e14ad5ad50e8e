#include "harness/test.h"

#include <locale.h>
#include <string.h>

#include "draw/dl.h"
#include "draw/dl_text.h"
#include "harness/fail_alloc.h"

/* One command of every kind, with values that two decimals hold. */
static void
build_sample(struct dl *d)
{
    static const float star[] = { 10, 10, 30.5f, 12, 20, 40.25f };
    static const uint8_t cells[] = { 0, 7, 254, 255, 16, 128 };
    static const hl_color pixels[] = { 0xffffffff, 0x3a49c480, 0, 0x0102030f };
    dl_begin(d, 640, 480.5f, 1.25f, 0xf7f7f4ff);
    dl_fill(d, rect_make(1, 2, 3.25f, 4), 5, 0x11223344);
    dl_clip(d, rect_make(0, 0, 100, 100));
    dl_stroke(d, rect_make(-1.5f, 2, 30, 40), 2, 1.5f, 0xd9730dff);
    dl_clip(d, rect_make(10, 10, 50, 50));
    dl_line(d, 0, 0.5f, 10, 0.5f, 1, 0xffffffff);
    dl_unclip(d);
    dl_ribbon(d, 1, 2, 3, 4, 5, true, 0x01020304);
    dl_ribbon(d, 1, 2, 3, 4, 5, false, 0x01020304);
    dl_unclip(d);
    dl_poly(d, star, 3, 0x3a49c4ff);
    dl_text(d, 5, 6, DL_FONT_UI_MEDIUM, 12.5f, DL_CENTER, 0x1c2024ff, "a \"b\" \\ \xC3\xA9\n\x01");
    dl_text_ex(d, 5, 6, DL_FONT_MONO, 11, DL_RIGHT, 0x1c2024ff, 45, 80, "0.99xx", 4);
    dl_heat(d, rect_make(0, 0, 30, 20), 2, 3, 1, 2, DL_MAP_SIGNED, true, cells);
    dl_image(d, rect_make(4, 5, 60, 50), 2, 2, pixels);
    dl_hit(d, rect_make(0, 0, 30, 20), DL_CURSOR_HAND, "cell:%d:%d", 3, 5);
}

static void
test_round_trip(void **state)
{
    (void)state;
    struct dl a = { 0 }, b = { 0 };
    struct hl_sb one = { 0 }, two = { 0 };
    struct hl_error err = { 0 };
    build_sample(&a);
    dl_write_text(&a, &one);
    assert_int_equal(dl_read_text(&b, one.p, &err), HL_OK);
    dl_write_text(&b, &two);
    assert_string_equal(one.p, two.p);
    assert_true(dl_digest(&a) == dl_digest(&b));
    assert_non_null(strstr(one.p, "list 640.00 480.50 1.25 #f7f7f4ff\n"));
    assert_non_null(strstr(one.p, "\n    line 0.00 0.50 10.00 0.50 1.00 #ffffffff\n"));
    assert_non_null(strstr(one.p, "\nheat 0.00 0.00 30.00 20.00 2 3 1.00 2.00 signed dark "
                                  "0007fe ff1080\n"));
    assert_non_null(strstr(one.p, "\nimage 4.00 5.00 60.00 50.00 2 2 ffffffff3a49c480 "
                                  "000000000102030f\n"));
    assert_non_null(strstr(one.p, "\nhit 0.00 0.00 30.00 20.00 hand \"cell:3:5\"\n"));
    hl_sb_deinit(&one);
    hl_sb_deinit(&two);
    dl_deinit(&a);
    dl_deinit(&b);
}

static void
test_no_locale(void **state)
{
    (void)state;
    struct dl d = { 0 };
    struct hl_sb plain = { 0 }, comma = { 0 };
    build_sample(&d);
    dl_write_text(&d, &plain);
    /* Where the locale is missing this only repeats the plain case. */
    setlocale(LC_ALL, "de_DE.UTF-8");
    dl_write_text(&d, &comma);
    struct dl back = { 0 };
    assert_int_equal(dl_read_text(&back, comma.p, NULL), HL_OK);
    setlocale(LC_ALL, "C");
    assert_string_equal(plain.p, comma.p);
    hl_sb_deinit(&plain);
    hl_sb_deinit(&comma);
    dl_deinit(&d);
    dl_deinit(&back);
}

static void
test_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "lst 1 2 3 #00000000",
        "list 1 2 3",
        "list 1 2 x #00000000",
        "list 1 2 3 #0000000g",
        "list 1 2 3 #00000000\nfil 1 2 3 4 5 #00000000",
        "list 1 2 3 #00000000\nfill 1 2 3 4 #00000000",
        "list 1 2 3 #00000000\nfill 1 2 3 1e30 5 #00000000",
        "list 1 2 3 #00000000\nfill 1 2 3 nan 5 #00000000",
        "list 1 2 3 #00000000\nfill 1 2 3 4 5 #00000000 6",
        "list 1 2 3 #00000000\nribbon 1 2 3 4 5 sideways #00000000",
        "list 1 2 3 #00000000\npoly #00000000 1 2 3 4",
        "list 1 2 3 #00000000\npoly #00000000 1 2 3 4 5 6 7",
        "list 1 2 3 #00000000\ntext 1 2 ui 3 left #00000000 0 0 \"open",
        "list 1 2 3 #00000000\ntext 1 2 ui 3 left #00000000 0 0 \"\\x\"",
        "list 1 2 3 #00000000\ntext 1 2 ui 3 left #00000000 0 0 \"\\u12\"",
        "list 1 2 3 #00000000\ntext 1 2 serif 3 left #00000000 0 0 \"a\"",
        "list 1 2 3 #00000000\nheat 0 0 1 1 2 2 0 0 weight light 00",
        "list 1 2 3 #00000000\nheat 0 0 1 1 60000 60000 0 0 weight light 00",
        "list 1 2 3 #00000000\nheat 0 0 1 1 1 2 0 0 weight light 00zz",
        "list 1 2 3 #00000000\nimage 0 0 1 1 1 2 ffffffff",
        "list 1 2 3 #00000000\nimage 0 0 1 1 60000 60000 ffffffff",
        "list 1 2 3 #00000000\nimage 0 0 1 1 1 1 fffffffz",
        "list 1 2 3 #00000000\nhit 0 0 1 1 paw \"x\"",
    };
    for (int i = 0; i < N_OF(bad); i++) {
        struct dl d = { 0 };
        struct hl_error err = { 0 };
        if (dl_read_text(&d, bad[i], &err) == HL_OK)
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(err.code, HL_E_ARGUMENT);
        assert_non_null(strstr(err.detail, "line"));
        dl_deinit(&d);
    }
}

static void
test_digest(void **state)
{
    (void)state;
    struct dl a = { 0 }, b = { 0 };
    build_sample(&a);
    build_sample(&b);
    assert_true(dl_digest(&a) == dl_digest(&b));
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
    /* Memory used before must not show through. */
    memset(b.p, 0xAB, b.cap);
    build_sample(&b);
    assert_memory_equal(a.p, b.p, a.n);
    b.scale = 2;
    assert_true(dl_digest(&a) != dl_digest(&b));
    b.scale = a.scale;
    dl_fill(&b, rect_make(0, 0, 1, 1), 0, 0);
    assert_true(dl_digest(&a) != dl_digest(&b));
    dl_deinit(&a);
    dl_deinit(&b);
}

static void
test_hits(void **state)
{
    (void)state;
    struct dl d = { 0 };
    enum dl_cursor cursor;
    hl_rect r;
    dl_begin(&d, 100, 100, 1, 0);
    dl_hit(&d, rect_make(0, 0, 100, 100), DL_CURSOR_ARROW, "page");
    dl_clip(&d, rect_make(10, 10, 30, 30));
    dl_hit(&d, rect_make(0, 0, 50, 50), DL_CURSOR_HAND, "tab:%s", "translate");
    dl_clip(&d, rect_make(0, 0, 20, 100));
    dl_hit(&d, rect_make(0, 0, 100, 100), DL_CURSOR_TEXT, "inner");
    dl_unclip(&d);
    dl_unclip(&d);
    dl_hit(&d, rect_make(90, 90, 10, 10), DL_CURSOR_RESIZE, "page");
    assert_string_equal(dl_hit_at(&d, 5, 5, &cursor), "page");
    assert_int_equal(cursor, DL_CURSOR_ARROW);
    assert_string_equal(dl_hit_at(&d, 15, 15, &cursor), "inner");
    assert_int_equal(cursor, DL_CURSOR_TEXT);
    assert_string_equal(dl_hit_at(&d, 25, 15, &cursor), "tab:translate");
    assert_int_equal(cursor, DL_CURSOR_HAND);
    assert_string_equal(dl_hit_at(&d, 45, 45, NULL), "page");
    assert_null(dl_hit_at(&d, 100, 50, &cursor));
    assert_null(dl_hit_at(&d, -1, -1, NULL));
    assert_true(dl_hit_find(&d, "page", &r));
    assert_true(r.x == 90 && r.w == 10);
    assert_false(dl_hit_find(&d, "nowhere", &r));
    dl_deinit(&d);
}

static void
test_edges(void **state)
{
    (void)state;
    struct dl d = { 0 };
    float two[4] = { 0 };
    assert_null(dl_first(&d));
    dl_begin(&d, 1, 1, 1, 0);
    dl_text(&d, 0, 0, DL_FONT_UI, 12, DL_LEFT, 0, "");
    dl_poly(&d, two, 2, 0);
    assert_null(dl_image(&d, rect_make(0, 0, 1, 1), 0, 5, NULL));
    assert_null(dl_heat(&d, rect_make(0, 0, 1, 1), 0, 5, 0, 0, DL_MAP_WEIGHT, false, NULL));
    assert_null(dl_first(&d));
    assert_false(d.failed);
    dl_unclip(&d); /* too many pops do no harm */
    dl_hit(&d, rect_make(0, 0, 1, 1), DL_CURSOR_ARROW, "a");
    assert_string_equal(dl_hit_at(&d, 0, 0, NULL), "a");
    dl_deinit(&d);
}

static bool
read_once(void *user)
{
    struct dl d = { 0 };
    struct hl_error err = { 0 };
    enum hl_status st = dl_read_text(&d, user, &err);
    assert_true(st == HL_OK || st == HL_E_NOMEM);
    dl_deinit(&d);
    return st == HL_OK;
}

static void
test_memory(void **state)
{
    (void)state;
    struct dl d = { 0 };
    struct hl_sb text = { 0 };
    build_sample(&d);
    dl_write_text(&d, &text);
    assert_true(fail_alloc_each(read_once, text.p, 100) > 0);
    hl_sb_deinit(&text);
    dl_deinit(&d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_no_locale),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_digest),
        cmocka_unit_test(test_hits),       cmocka_unit_test(test_edges),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

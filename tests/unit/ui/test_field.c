#include "harness/test.h"

#include <string.h>
#include <time.h>

#include "ui/field.h"

static const hl_rect box = { 20, 62, 1240, 48 };

static enum field_change
key(struct ui_field *f, int k, int mods)
{
    struct hl_event ev = { .kind = EV_KEY, .key = k, .mods = mods };
    return field_event(f, &ev, &hl_metrics_fixed, box, 21);
}

static enum field_change
type(struct ui_field *f, const char *s)
{
    struct hl_event ev = { .kind = EV_TEXT, .text = s };
    return field_event(f, &ev, &hl_metrics_fixed, box, 21);
}

static void
grouping_of_undo(void **state)
{
    struct ui_field f = { 0 };
    (void)state;
    for (const char *c = "one two"; *c != 0; c++) {
        char s[2] = { *c, 0 };
        assert_int_equal(type(&f, s), FIELD_CHANGED);
    }
    /* A word is a step. */
    key(&f, 'z', MOD_CTRL);
    assert_string_equal(field_text(&f), "one ");
    key(&f, 'z', MOD_CTRL);
    assert_string_equal(field_text(&f), "");
    key(&f, 'z', MOD_CTRL | MOD_SHIFT);
    key(&f, 'y', MOD_CTRL);
    assert_string_equal(field_text(&f), "one two");
    field_deinit(&f);
}

static void
many_steps_of_undo(void **state)
{
    struct ui_field f = { 0 };
    (void)state;
    for (int i = 0; i < 3 * FIELD_UNDO; i++) {
        type(&f, "a");
        type(&f, " ");
    }
    for (int i = 0; i < 4 * FIELD_UNDO; i++)
        key(&f, 'z', MOD_CTRL);
    assert_int_equal(strlen(field_text(&f)), 4 * FIELD_UNDO);
    field_deinit(&f);
}

static void
preedit_is_shown_not_typed(void **state)
{
    struct ui_field f = { 0 };
    struct hl_event ev = { .kind = EV_PREEDIT, .text = "\xE3\x81\x8B", .cursor = 1 };
    (void)state;
    type(&f, "ab");
    field_event(&f, &ev, &hl_metrics_fixed, box, 21);
    assert_string_equal(field_text(&f), "ab");
    assert_non_null(f.preedit);
    float with = field_caret_rect(&f, &hl_metrics_fixed, box, 21).x;
    ev.text = "";
    field_event(&f, &ev, &hl_metrics_fixed, box, 21);
    assert_null(f.preedit);
    assert_true(with > field_caret_rect(&f, &hl_metrics_fixed, box, 21).x);
    field_deinit(&f);
}

static double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Draws the field and returns the bytes of the list. */
static size_t
drawn(const struct ui_field *f)
{
    struct dl dl = { 0 };
    struct ui u = { .dl = &dl,
                    .metrics = &hl_metrics_fixed,
                    .theme = theme_get(false),
                    .hover = "",
                    .focus = "field:text" };
    dl_begin(&dl, 1280, 800, 1, 0);
    field_build(&u, f, box, 21, "field:text", "");
    size_t n = dl.n;
    dl_deinit(&dl);
    return n;
}

static void
long_text_stays_quick(void **state)
{
    enum { N = 10000 };
    static char text[N + 1];
    struct ui_field f = { 0 };
    double worst = 0;
    (void)state;
    for (int i = 0; i < N; i++)
        text[i] = i % 6 == 5 ? ' ' : (char)('a' + i % 26);
    struct hl_event paste = { .kind = EV_PASTE, .text = text };
    assert_int_equal(field_event(&f, &paste, &hl_metrics_fixed, box, 21), FIELD_CHANGED);
    const int keys[] = { KEY_HOME, KEY_RIGHT, KEY_END, KEY_LEFT, KEY_BACKSPACE, KEY_DELETE };
    for (int i = 0; i < 60; i++) {
        double t0 = now_ms();
        key(&f, keys[i % 6], i % 12 > 6 ? MOD_SHIFT : 0);
        size_t bytes = drawn(&f);
        double ms = now_ms() - t0;
        worst = ms > worst ? ms : worst;
        assert_true(bytes < 8192); /* only what can be seen is drawn */
    }
    /* Generous for a busy machine; measured under 1 ms on an idle one. */
    assert_true(worst < 50);
    field_deinit(&f);
}

static void
caret_is_always_inside(void **state)
{
    struct ui_field f = { 0 };
    static char text[4001];
    (void)state;
    for (int i = 0; i < 4000; i++)
        text[i] = i % 7 == 6 ? ' ' : 'm';
    field_set(&f, text, 4000);
    field_reveal(&f, &hl_metrics_fixed, box, 21);
    for (int i = 0; i < 700; i++) {
        hl_rect r = field_caret_rect(&f, &hl_metrics_fixed, box, 21);
        assert_true(r.x >= box.x && r.x <= box.x + box.w);
        key(&f, KEY_LEFT, MOD_CTRL);
    }
    assert_int_equal(f.caret, 0);
    assert_true(f.scroll < 1);
    field_deinit(&f);
}

static enum field_change
mouse(struct ui_field *f, enum ev_kind kind, float x, int clicks)
{
    struct hl_event ev = { .kind = kind, .x = x, .y = 80, .button = 1, .clicks = clicks };
    return field_event(f, &ev, &hl_metrics_fixed, box, 21);
}

/* A word is held with the mouse while keys take it away. */
static void
a_drag_ends_with_its_text(void **state)
{
    struct ui_field f = { 0 };
    (void)state;
    field_set(&f, "one twotwotwo", 13);
    mouse(&f, EV_MOUSE_DOWN, 20 + 16 + 10 * 12, 2);
    assert_int_equal(field_selection(&f).n, 9);
    key(&f, KEY_BACKSPACE, 0);
    mouse(&f, EV_MOUSE_MOVE, 20, 2);
    assert_string_equal(field_text(&f), "one ");
    assert_true(f.caret <= f.text.n && f.anchor <= f.text.n);
    struct hl_span chosen = field_selection(&f);
    assert_true(chosen.p + chosen.n <= field_text(&f) + 4);
    field_deinit(&f);
}

/* A small field shows six digits, and does not let a part pass for the whole. */
static void
a_part_is_not_the_whole(void **state)
{
    static const hl_rect small = { 0, 0, 62, 28 };
    struct ui_field f = { 0 };
    struct hl_arena frame;
    struct dl list = { 0 };
    (void)state;
    hl_arena_init(&frame, 4096, 0);
    struct ui u = { .dl = &list,
                    .metrics = &hl_metrics_fixed,
                    .theme = theme_get(false),
                    .frame = &frame,
                    .hover = "",
                    .focus = "" };
    field_set(&f, "123456789012345", 15);
    dl_begin(&list, 100, 40, 1, 0);
    field_build(&u, &f, small, 12.5f, "field:seed", "0");
    float limit = 0, x = 0;
    for (const struct dl_cmd *c = dl_first(&list); c; c = dl_next(&list, c)) {
        limit = c->kind == DL_TEXT ? c->u.text.max_width : limit;
        x = c->kind == DL_TEXT ? c->u.text.x : x;
    }
    assert_true(limit > 6 * 6.9f && x + limit <= small.w);
    dl_deinit(&list);
    hl_arena_deinit(&frame);
    field_deinit(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grouping_of_undo),           cmocka_unit_test(many_steps_of_undo),
        cmocka_unit_test(preedit_is_shown_not_typed), cmocka_unit_test(long_text_stays_quick),
        cmocka_unit_test(caret_is_always_inside),     cmocka_unit_test(a_drag_ends_with_its_text),
        cmocka_unit_test(a_part_is_not_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

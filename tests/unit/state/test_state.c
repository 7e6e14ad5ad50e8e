#include "harness/test.h"

#include <string.h>

#include "session.h"
#include "state/settings.h"
#include "state/state.h"

static void
pin_is_found_again(void **state)
{
    const char *text = "It fits because it was too tired and it slept";
    struct app_pin p = state_pin_make(APP_SOURCE, 16, "it");
    int from = -1, to = -1;
    (void)state;
    assert_true(state_pin_find(&p, text, strlen(text), &from, &to));
    assert_int_equal(from, 16);
    assert_int_equal(to, 18);
    /* After an edit: the nearest word of that text, not a part of "fits". */
    const char *edited = "Look, it fits because it was tired";
    assert_true(state_pin_find(&p, edited, strlen(edited), &from, &to));
    assert_int_equal(from, 22);
    assert_false(state_pin_find(&p, "fits", 4, &from, &to));
    assert_false(state_pin_find(&p, "", 0, &from, &to));
}

static void
pins_toggle_and_the_oldest_goes(void **state)
{
    static struct app_state s;
    (void)state;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < APP_PINS + 2; i++)
        state_pin_toggle(&s, state_pin_make(APP_SOURCE, i, "w"));
    assert_int_equal(s.n_pins, APP_PINS);
    assert_int_equal(s.pins[0].at, 2);
    state_pin_toggle(&s, state_pin_make(APP_SOURCE, 5, "w"));
    assert_int_equal(s.n_pins, APP_PINS - 1);
}

static void
newest_result_wins(void **state)
{
    static struct app_state s;
    (void)state;
    memset(&s, 0, sizeof s);
    struct hl_result second = {
        .slot = 0, .ticket = 2, .status = HL_OK, .record = hl_record_create()
    };
    struct hl_result first = {
        .slot = 0, .ticket = 1, .status = HL_OK, .record = hl_record_create()
    };
    struct hl_record *kept = second.record;
    assert_true(state_result(&s, &second, 1));
    assert_false(state_result(&s, &first, 1));
    assert_ptr_equal(s.slots[0].record, kept);
    assert_null(first.record);
    /* An error leaves the picture; a cancelled run leaves no trace. */
    struct hl_result bad = { .slot = 0, .ticket = 3, .status = HL_E_NOMEM };
    bad.error.code = HL_E_NOMEM;
    assert_true(state_result(&s, &bad, 1));
    assert_ptr_equal(s.slots[0].record, kept);
    assert_true(strstr(s.slots[0].error, "memory") != NULL);
    struct hl_result none = { .slot = 0, .ticket = 4, .status = HL_E_CANCELLED };
    assert_false(state_result(&s, &none, 1));
    hl_record_destroy(kept);
}

static void
count_pair(void *user, const char *section, const char *key, const char *value)
{
    (void)key;
    (void)value;
    ((int *)user)[section[0] == 0 ? 0 : section[0] == 't' ? 1 : 2]++;
}

static void
settings_are_read_as_pairs(void **state)
{
    const char *json = "{\"theme\": \"dark\", \"zoom\": 1.5, \"texts\": [\"a\", \"b\"],"
                       " \"settings\": {\"positions\": {\"d\": \"64\"}}}";
    int n[3] = { 0 };
    struct hl_error err;
    (void)state;
    assert_int_equal(settings_read(json, strlen(json), count_pair, n, &err), HL_OK);
    assert_int_equal(n[0], 2);
    assert_int_equal(n[1], 2);
    assert_int_equal(n[2], 1);
    assert_int_equal(settings_read("{", 1, count_pair, n, &err), HL_E_JSON);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pin_is_found_again),
        cmocka_unit_test(pins_toggle_and_the_oldest_goes),
        cmocka_unit_test(newest_result_wins),
        cmocka_unit_test(settings_are_read_as_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

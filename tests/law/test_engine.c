/* The law engine itself: it finds what is false and shrinks it. */
#include "harness/law.h"
#include "harness/test.h"

#include <math.h>
#include <string.h>

static bool
false_from_seven(struct law_case *c)
{
    int a = law_dim(c, "a", 1, 30), b = law_dim(c, "b", 0, 30);
    return a < 7 || b < 3 || law_no(c, "a is %d", a);
}

static bool
always(struct law_case *c)
{
    int n = law_dim(c, "n", 0, 5);
    float *x = law_floats(c, n, 1.0);
    return law_same(c, "x", x, x, n);
}

static bool
not_a_number(struct law_case *c)
{
    float x[] = { 1.0f, NAN }, y[] = { 1.0f, 1.0f };
    return law_close(c, "x", x, y, 2, 1e9);
}

static void
failing_case_is_shrunk(void **state)
{
    (void)state;
    const struct law law = { "false", false_from_seven };
    struct law_report r = law_check(&law, 1, 200);
    assert_false(r.holds);
    assert_non_null(strstr(r.text, " a=7 b=3: a is 7"));
    /* The printed seed alone finds it again. */
    struct law_report again = law_check(&law, r.seed, 1);
    assert_false(again.holds);
    assert_string_equal(again.text, r.text);
}

static void
true_law_holds(void **state)
{
    (void)state;
    const struct law law = { "true", always };
    assert_true(law_check(&law, 1, 200).holds);
}

static void
nan_is_never_close(void **state)
{
    (void)state;
    const struct law law = { "nan", not_a_number };
    assert_false(law_check(&law, 1, 1).holds);
}

static bool
sees_ends(struct law_case *c)
{
    int n = law_dim(c, "n", 2, 4);
    return n >= 2 && n <= 4;
}

static void
sizes_stay_in_range_and_permutations_are_whole(void **state)
{
    (void)state;
    const struct law law = { "range", sees_ends };
    assert_true(law_check(&law, 1, 500).holds);
    struct law_case c = { 0 };
    hl_rng_init(&c.values, 3);
    hl_arena_init(&c.arena, 0, 0);
    const int *p = law_permutation(&c, 9);
    int seen = 0;
    for (int i = 0; i < 9; i++)
        seen |= 1 << p[i];
    assert_int_equal(seen, 511);
    hl_arena_deinit(&c.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_case_is_shrunk),
        cmocka_unit_test(true_law_holds),
        cmocka_unit_test(nan_is_never_close),
        cmocka_unit_test(sizes_stay_in_range_and_permutations_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

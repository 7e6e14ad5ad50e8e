#include "base/alloc.h"

#include "harness/fail_alloc.h"
#include "harness/test.h"

static void
zeroed_and_unique(void **state)
{
    (void)state;
    unsigned char *p = hl_alloc(7, 3), *none = hl_alloc(0, 8);
    assert_non_null(p);
    assert_non_null(none);
    for (int i = 0; i < 21; i++)
        assert_int_equal(p[i], 0);
    assert_ptr_not_equal(p, none);
    p[0] = 9;
    p = hl_realloc(p, 100, 1);
    assert_non_null(p);
    assert_int_equal(p[0], 9);
    hl_free(p);
    hl_free(none);
    hl_free(NULL);
}

static void
overflow_is_refused(void **state)
{
    (void)state;
    char *p = hl_alloc(1, 1);
    assert_null(hl_alloc(SIZE_MAX / 2 + 1, 2));
    assert_null(hl_realloc(p, SIZE_MAX / 2 + 1, 2));
    hl_free(p);
}

static bool
two_blocks(void *user)
{
    (void)user;
    void *a = hl_alloc(1, 1), *b = a ? hl_alloc(1, 1) : NULL;
    hl_free(a);
    hl_free(b);
    return a && b;
}

static bool
never(void *user)
{
    (void)user;
    return false;
}

static void
hook_fails_each_in_turn(void **state)
{
    (void)state;
    assert_int_equal(fail_alloc_each(two_blocks, NULL, 10), 2);
    assert_int_equal(fail_alloc_each(never, NULL, 10), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroed_and_unique),
        cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(hook_fails_each_in_turn),
    };
    return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}

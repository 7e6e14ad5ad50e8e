#include "base/arena.h"

#include "harness/fail_alloc.h"
#include "harness/test.h"

#include <string.h>

static void
gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct hl_arena a;
    hl_arena_init(&a, 100, 0);
    for (size_t align = 1; align <= 64; align *= 2) {
        for (size_t n = 0; n < 300; n += 37) {
            unsigned char *p = hl_arena_alloc(&a, n, 1, align);
            assert_non_null(p);
            assert_int_equal((uintptr_t)p % align, 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xAA, n);
        }
    }
    float *f = hl_arena_floats(&a, 5);
    assert_int_equal((uintptr_t)f % 64, 0);
    int *i = hl_arena_new(&a, 3, int);
    assert_non_null(i);
    hl_arena_deinit(&a);
    assert_int_equal(a.used_sz, 0);
    assert_non_null(hl_arena_alloc(&a, 1, 1, 1)); /* valid and empty again */
    hl_arena_deinit(&a);
    hl_arena_deinit(NULL);
}

static void
rewinds_to_a_mark(void **state)
{
    (void)state;
    struct hl_arena a;
    hl_arena_init(&a, 64, 0);
    struct hl_arena_mark empty = hl_arena_mark(&a);
    char *keep = hl_arena_strdup(&a, "keep");
    struct hl_arena_mark m = hl_arena_mark(&a);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 50; i++) {
            char *p = hl_arena_alloc(&a, 30, 1, 1);
            assert_non_null(p);
            assert_int_equal(p[0] | p[29], 0);
            memset(p, 0xFF, 30);
        }
        hl_arena_rewind(&a, m);
        assert_int_equal(a.used_sz, m.used_sz);
    }
    assert_string_equal(keep, "keep");
    hl_arena_rewind(&a, empty);
    assert_int_equal(a.used_sz, 0);
    char *p = hl_arena_alloc(&a, 8, 1, 1);
    assert_int_equal(p[0], 0);
    hl_arena_reset(&a);
    hl_arena_reset(&a);
    assert_int_equal(a.used_sz, 0);
    hl_arena_deinit(&a);
}

static void
keeps_to_its_limit(void **state)
{
    (void)state;
    struct hl_arena a;
    hl_arena_init(&a, 64, 1000);
    assert_non_null(hl_arena_alloc(&a, 600, 1, 1));
    assert_null(hl_arena_alloc(&a, 401, 1, 1));
    assert_non_null(hl_arena_alloc(&a, 400, 1, 1));
    assert_null(hl_arena_alloc(&a, SIZE_MAX / 2 + 1, 2, 1));
    assert_null(hl_arena_alloc(&a, SIZE_MAX, 1, 1));
    hl_arena_deinit(&a);
    hl_arena_init(&a, 64, 0);
    assert_null(hl_arena_alloc(&a, SIZE_MAX - 10, 1, 1));
    hl_arena_deinit(&a);
}

static void
copies_and_formats(void **state)
{
    (void)state;
    struct hl_arena a;
    hl_arena_init(&a, 0, 0);
    assert_string_equal(hl_arena_strndup(&a, "abcdef", 3), "abc");
    assert_string_equal(hl_arena_strndup(&a, NULL, 0), "");
    assert_null(hl_arena_strndup(&a, "", SIZE_MAX));
    assert_string_equal(hl_arena_printf(&a, "%s-%d", "x", 12), "x-12");
    hl_arena_deinit(&a);
}

static bool
build(void *user)
{
    struct hl_arena a;
    (void)user;
    hl_arena_init(&a, 16, 0);
    bool ok = hl_arena_strdup(&a, "one") && hl_arena_alloc(&a, 200, 1, 8) &&
              hl_arena_printf(&a, "%0200d", 1);
    hl_arena_deinit(&a);
    return ok;
}

static void
survives_failing_allocations(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(build, NULL, 20) >= 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_zeroed_aligned_memory),  cmocka_unit_test(rewinds_to_a_mark),
        cmocka_unit_test(keeps_to_its_limit),           cmocka_unit_test(copies_and_formats),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}

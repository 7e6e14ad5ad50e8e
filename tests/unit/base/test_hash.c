#include "base/hash.h"

#include "harness/fail_alloc.h"
#include "harness/test.h"

#include <string.h>

static void
finds_what_was_put(void **state)
{
    (void)state;
    struct hl_arena a;
    struct hl_hash h;
    hl_arena_init(&a, 4096, 0);
    assert_true(hl_hash_init(&h, &a, 0));
    for (int i = 0; i < 3000; i++) {
        const char *key = hl_arena_printf(&a, "key %d", i);
        assert_true(hl_hash_put(&h, key, strlen(key), i));
        assert_false(hl_hash_put(&h, key, strlen(key), -7));
    }
    for (int i = 0; i < 3000; i++) {
        const char *key = hl_arena_printf(&a, "key %d", i);
        assert_int_equal(hl_hash_get(&h, key, strlen(key)), i);
    }
    assert_int_equal(h.n, 3000);
    assert_int_equal(hl_hash_get(&h, "key", 3), -1);
    assert_int_equal(hl_hash_get(&h, "", 0), -1);
    assert_true(hl_hash_put(&h, NULL, 0, 42));
    assert_int_equal(hl_hash_get(&h, "", 0), 42);
    assert_true(hl_hash_put(&h, "a\0b", 3, 1));
    assert_int_equal(hl_hash_get(&h, "a\0c", 3), -1);
    hl_arena_deinit(&a);
}

static void
fnv_has_its_published_values(void **state)
{
    (void)state;
    assert_true(hl_fnv1a(0, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(hl_fnv1a(0, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hl_fnv1a(0, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(hl_fnv1a(hl_fnv1a(0, "foo", 3), "bar", 3) == hl_fnv1a(0, "foobar", 6));
}

static bool
fill(void *user)
{
    (void)user;
    static const char keys[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    struct hl_arena a;
    struct hl_hash h;
    hl_arena_init(&a, 16, 0);
    bool ok = hl_hash_init(&h, &a, 2);
    for (int i = 0; ok && i < 36; i++)
        ok = hl_hash_put(&h, keys + i, 1, i);
    if (!ok)
        assert_int_equal(hl_hash_get(&h, "a", 1), -1);
    hl_arena_deinit(&a);
    return ok;
}

static void
out_of_memory_leaves_an_empty_table(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(fill, NULL, 20) >= 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_put),
        cmocka_unit_test(fnv_has_its_published_values),
        cmocka_unit_test(out_of_memory_leaves_an_empty_table),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}

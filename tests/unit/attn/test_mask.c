#include "attn/mask.h"

#include "harness/test.h"

static void
masks_are_cut_out(void **state)
{
    (void)state;
    uint8_t m[12], other[12];
    hl_mask_all(m, 3, 4);
    hl_mask_causal(m, 3, 4, 1);
    assert_memory_equal(m, "\1\1\0\0\1\1\1\0\1\1\1\1", 12);
    hl_mask_padding(m, 3, 4, 3);
    assert_memory_equal(m, "\1\1\0\0\1\1\1\0\1\1\1\0", 12);
    hl_mask_all(other, 3, 4);
    hl_mask_window(other, 3, 4, 1, 1);
    assert_memory_equal(other, "\1\1\1\0\0\1\1\1\0\0\1\1", 12);
    hl_mask_and(m, 3, 4, other);
    assert_memory_equal(m, "\1\1\0\0\0\1\1\0\0\0\1\0", 12);
    hl_mask_padding(m, 3, 4, -1);
    for (int i = 0; i < 12; i++)
        assert_int_equal(m[i], 0);
}

static void
causal_rows_are_counted(void **state)
{
    (void)state;
    assert_int_equal(hl_mask_causal_count(0, 5, 0), 1);
    assert_int_equal(hl_mask_causal_count(2, 5, 2), 5);
    assert_int_equal(hl_mask_causal_count(9, 5, 0), 5);
    assert_int_equal(hl_mask_causal_count(0, 5, -1), 0);
    assert_int_equal(hl_mask_causal_count(0, 5, -9), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_cut_out),
        cmocka_unit_test(causal_rows_are_counted),
    };
    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}

#include "num/weight.h"

#include "harness/test.h"

static void
known_product(void **state)
{
    (void)state;
    const uint16_t half[6] = { 0x3C00, 0x4000, 0x4200, 0xBC00, 0x3800, 0x0000 };
    const float x[6] = { 1, 2, 3, 4, 5, 6 }, bias[2] = { 10, 20 };
    const struct hl_weight w = { half, HL_DTYPE_F16, 2, 3 }; /* 1 2 3; -1 0.5 0 */
    float y[4], row[3];
    hl_weight_apply(&w, bias, 2, x, 3, y, 2);
    assert_true(y[0] == 24.0f && y[1] == 20.0f && y[2] == 42.0f && y[3] == 18.5f);
    hl_weight_row(&w, 1, row);
    assert_true(row[0] == -1.0f && row[1] == 0.5f && row[2] == 0.0f);
    struct hl_weight last = hl_weight_rows(&w, 1, 1);
    hl_weight_apply(&last, NULL, 1, x, 3, y, 1);
    assert_true(y[0] == 0.0f && last.rows == 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_product),
    };
    return cmocka_run_group_tests_name("weight", tests, NULL, NULL);
}

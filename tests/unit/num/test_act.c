#include "num/act.h"

#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "num/ref/ref.h"

static void
curves_agree_with_reference(void **state)
{
    (void)state;
    for (int a = 0; a < HL_ACT_COUNT; a++) {
        float x[1201], y[1201];
        for (int i = 0; i <= 1200; i++)
            x[i] = (float)(i - 600) / 50.0f;
        hl_act_apply((enum hl_act)a, 1201, x, y);
        for (int i = 0; i <= 1200; i++) {
            double want = hl_ref_act((enum hl_act)a, (double)x[i]);
            if (fabs((double)y[i] - want) > 1e-6 * (1.0 + fabs(want)))
                fail_msg("%s(%g) is %.9g, not %.9g", hl_act_name((enum hl_act)a), (double)x[i],
                         (double)y[i], want);
        }
        hl_act_apply((enum hl_act)a, 1201, x, x); /* in place */
        assert_memory_equal(x, y, sizeof(x));
    }
}

/* The gap between both forms of gelu is small and must stay visible. */
static void
exact_gelu_is_not_the_tanh_form(void **state)
{
    (void)state;
    double widest = 0.0;
    for (int i = -600; i <= 600; i++) {
        float x = (float)i / 100.0f, a, b;
        hl_act_apply(HL_ACT_GELU, 1, &x, &a);
        hl_act_apply(HL_ACT_GELU_TANH, 1, &x, &b);
        widest = fmax(widest, fabs((double)a - (double)b));
    }
    assert_true(widest > 4.6e-4 && widest < 4.9e-4);
}

static void
names_are_exact(void **state)
{
    (void)state;
    enum hl_act act = HL_ACT_COUNT;
    assert_true(hl_act_by_name("swish", &act) && act == HL_ACT_SILU);
    assert_true(hl_act_by_name("gelu", &act) && act == HL_ACT_GELU);
    assert_true(hl_act_by_name("gelu_new", &act) && act == HL_ACT_GELU_TANH);
    act = HL_ACT_COUNT;
    assert_false(hl_act_by_name("GELU", &act) || hl_act_by_name("quick_gelu", &act) ||
                 hl_act_by_name("", &act));
    assert_int_equal(act, HL_ACT_COUNT);
    for (int a = 0; a < HL_ACT_COUNT; a++) {
        assert_true(hl_act_by_name(hl_act_name((enum hl_act)a), &act));
        assert_int_equal(act, a);
    }
    assert_string_equal(hl_act_name(HL_ACT_COUNT), "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_agree_with_reference),
        cmocka_unit_test(exact_gelu_is_not_the_tanh_form),
        cmocka_unit_test(names_are_exact),
    };
    return cmocka_run_group_tests_name("act", tests, NULL, NULL);
}

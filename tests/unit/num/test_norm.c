#include "num/norm.h"

#include "harness/test.h"

#include <math.h>

#include "base/rng.h"
#include "num/ref/ref.h"

static void
agrees_with_reference(void **state)
{
    (void)state;
    static const int widths[] = { 1, 2, 7, 8, 9, 33, 256 };
    struct hl_rng rng;
    hl_rng_init(&rng, 1);
    for (int w = 0; w < N_OF(widths); w++) {
        int d = widths[w];
        float x[3 * 260], y[3 * 260], gain[256], bias[256];
        double xd[256], gd[256], bd[256], want[256];
        for (int i = 0; i < 3 * 260; i++)
            x[i] = (float)(2.0 + hl_rng_normal(&rng));
        for (int i = 0; i < d; i++) {
            gd[i] = (double)(gain[i] = (float)hl_rng_normal(&rng));
            bd[i] = (double)(bias[i] = (float)hl_rng_normal(&rng));
        }
        struct hl_norm l = { gain, bias, d, 1e-5f };
        hl_norm_apply(&l, 3, x, 260, y, 260);
        for (int t = 0; t < 3; t++) {
            for (int i = 0; i < d; i++)
                xd[i] = (double)x[t * 260 + i];
            hl_ref_norm(xd, d, gd, bd, (double)l.eps, want);
            for (int i = 0; i < d; i++)
                assert_true(fabs((double)y[t * 260 + i] - want[i]) < 2e-6 * (1 + fabs(want[i])));
        }
        float alone[256];
        hl_norm_apply(&l, 1, x + 260, 260, alone, d);
        assert_memory_equal(alone, y + 260, (size_t)d * sizeof(float));
        hl_norm_apply(&l, 3, x, 260, x, 260); /* in place */
        assert_memory_equal(x + 520, y + 520, (size_t)d * sizeof(float));
    }
}

/* The variance divides by n, and eps stands inside the root. */
static void
known_values(void **state)
{
    (void)state;
    const float x[2] = { 1, 3 }, gain[2] = { 2, 2 }, bias[2] = { 1, 1 };
    float y[2];
    struct hl_norm l = { gain, bias, 2, 3.0f };
    hl_norm_apply(&l, 1, x, 2, y, 2); /* (x - 2) / sqrt(1 + 3) * 2 + 1 */
    assert_true(y[0] == 0.0f && y[1] == 2.0f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reference),
        cmocka_unit_test(known_values),
    };
    return cmocka_run_group_tests_name("norm", tests, NULL, NULL);
}

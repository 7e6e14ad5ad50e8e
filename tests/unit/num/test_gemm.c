#include "num/gemm.h"

#include "harness/test.h"

#include <math.h>

#include "base/rng.h"
#include "num/ref/ref.h"

enum { MAX = 40 };

/* op(m) as a packed matrix in double. */
static void
pack(hl_mat m, bool trans, double *out)
{
    int rows = trans ? m.cols : m.rows, cols = trans ? m.rows : m.cols;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++)
            out[i * cols + j] = (double)(trans ? hl_mat_row(m, j)[i] : hl_mat_row(m, i)[j]);
    }
}

static void
check(struct hl_rng *rng, int m, int n, int k, bool ta, bool tb, float beta)
{
    static float a[MAX * (MAX + 3)], b[MAX * (MAX + 3)], c[MAX * (MAX + 3)];
    static double ad[MAX * MAX], bd[MAX * MAX], cd[MAX * MAX];
    for (int i = 0; i < MAX * (MAX + 3); i++) {
        a[i] = (float)hl_rng_normal(rng);
        b[i] = (float)hl_rng_normal(rng);
        c[i] = beta != 0.0f ? (float)hl_rng_normal(rng) : NAN;
    }
    hl_mat am = { a, ta ? k : m, ta ? m : k, MAX + 3 }, bm = { b, tb ? n : k, tb ? k : n, MAX + 3 };
    hl_mat cm = { c, m, n, MAX + 3 };
    pack(am, ta, ad);
    pack(bm, tb, bd);
    pack(cm, false, cd);
    hl_ref_gemm(m, n, k, 0.5, ad, bd, (double)beta, cd);
    hl_gemm(am, ta, bm, tb, 0.5f, beta, cm);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            assert_true(fabs((double)hl_mat_row(cm, i)[j] - cd[i * n + j]) < 2e-5);
    }
}

static void
agrees_with_reference(void **state)
{
    (void)state;
    static const int sizes[] = { 0, 1, 3, 5, 17, 33 };
    struct hl_rng rng;
    hl_rng_init(&rng, 4);
    for (int i = 0; i < N_OF(sizes); i++) {
        for (int j = 0; j < N_OF(sizes); j++) {
            for (int l = 0; l < N_OF(sizes); l++) {
                for (int t = 0; t < 4; t++)
                    check(&rng, sizes[i], sizes[j], sizes[l], t & 1, t & 2, l % 2 ? 2.0f : 0.0f);
            }
        }
    }
}

static void
views(void **state)
{
    (void)state;
    float x[6] = { 1, 2, 3, 4, 5, 6 };
    hl_mat m = hl_mat_view(x, 2, 3), right = hl_mat_cols(m, 1, 2);
    assert_true(hl_mat_row(right, 1)[0] == 5.0f && right.cols == 2 && right.stride == 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reference),
        cmocka_unit_test(views),
    };
    return cmocka_run_group_tests_name("gemm", tests, NULL, NULL);
}

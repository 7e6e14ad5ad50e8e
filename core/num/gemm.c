#include "num/gemm.h"

#include <assert.h>

#ifdef HL_BLAS_OPENBLAS

#include <cblas.h>

static void
product(int m, int n, int k, hl_mat a, bool ta, hl_mat b, bool tb, float alpha, float beta,
        hl_mat c)
{
    cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n,
                k, alpha, a.p, (int)a.stride, b.p, (int)b.stride, beta, c.p, (int)c.stride);
}

#else

static void
product(int m, int n, int k, hl_mat a, bool ta, hl_mat b, bool tb, float alpha, float beta,
        hl_mat c)
{
    ptrdiff_t a_i = ta ? 1 : a.stride, a_l = ta ? a.stride : 1;
    ptrdiff_t b_l = tb ? 1 : b.stride, b_j = tb ? b.stride : 1;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += (double)a.p[i * a_i + l * a_l] * (double)b.p[l * b_l + j * b_j];
            float *to = hl_mat_row(c, i) + j;
            *to = (float)((double)alpha * sum + (beta != 0.0f ? (double)(beta * *to) : 0.0));
        }
    }
}

#endif

void
hl_gemm(hl_mat a, bool trans_a, hl_mat b, bool trans_b, float alpha, float beta, hl_mat c)
{
    int m = trans_a ? a.cols : a.rows, k = trans_a ? a.rows : a.cols;
    int n = trans_b ? b.rows : b.cols;
    assert(k == (trans_b ? b.cols : b.rows) && m == c.rows && n == c.cols);
    if (m > 0 && n > 0 && k > 0) {
        product(m, n, k, a, trans_a, b, trans_b, alpha, beta, c);
        return;
    }
    /* Nothing to sum: only beta acts. */
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float *to = hl_mat_row(c, i) + j;
            *to = beta != 0.0f ? beta * *to : 0.0f;
        }
    }
}

/* Cost of the matrix products of one decoder step of the shipped Transformer, for
 * one row and for batches, in every version of the kernels and in OpenBLAS.
 *
 *   meson test --benchmark    (or run the program; one thread) */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "num/gemm.h"
#include "num/kernels/kernels.h"

/* Four layers: q, k, v, out; cross q, out; two feed-forward maps; then the
 * vocabulary. */
static const struct {
    int out, in, times;
} shapes[] = { { 256, 256, 24 }, { 1024, 256, 4 }, { 256, 1024, 4 }, { 8000, 256, 1 } };

enum { N_SHAPES = 4, MAX_ROWS = 32, MAX_IN = 1024, MAX_OUT = 8000 };

struct step {
    uint16_t *half; /* all weights, one after another */
    float *wide;
    float *x, *y;
    size_t n;
};

static double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void
run_kernels(const struct step *s, const struct hl_kernels *k, int rows)
{
    size_t at = 0;
    for (int i = 0; i < N_SHAPES; i++) {
        for (int j = 0; j < shapes[i].times; j++) {
            struct hl_weight w = { s->half + at, HL_DTYPE_F16, shapes[i].out, shapes[i].in };
            k->apply(&w, NULL, rows, s->x, shapes[i].in, s->y, shapes[i].out);
            at += (size_t)w.rows * (size_t)w.cols;
        }
    }
}

static void
run_gemm(const struct step *s, int rows)
{
    size_t at = 0;
    for (int i = 0; i < N_SHAPES; i++) {
        for (int j = 0; j < shapes[i].times; j++) {
            hl_mat w = hl_mat_view(s->wide + at, shapes[i].out, shapes[i].in);
            hl_mat x = hl_mat_view(s->x, rows, w.cols), y = hl_mat_view(s->y, rows, w.rows);
            hl_gemm(x, false, w, true, 1.0f, 0.0f, y);
            at += (size_t)w.rows * (size_t)w.cols;
        }
    }
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of 31 steps; k NULL is the library. */
static void
measure(const struct step *s, const struct hl_kernels *k, int rows)
{
    double ms[31];
    for (int i = -2; i < 31; i++) {
        double start = now_ms();
        if (k)
            run_kernels(s, k, rows);
        else
            run_gemm(s, rows);
        if (i >= 0)
            ms[i] = now_ms() - start;
    }
    qsort(ms, 31, sizeof(ms[0]), by_value);
    double flops = 2.0 * (double)s->n * rows;
    printf("%-12s %2d rows: median %7.3f ms, best %7.3f ms, %6.1f GFLOP/s, weights at %5.1f GB/s\n",
           k ? k->name : "gemm (F32)", rows, ms[15], ms[0], flops / ms[15] * 1e-6,
           (double)s->n * (k ? 2.0 : 4.0) / ms[15] * 1e-6);
}

int
main(void)
{
    struct step s = { 0 };
    for (int i = 0; i < N_SHAPES; i++)
        s.n += (size_t)shapes[i].times * (size_t)shapes[i].out * (size_t)shapes[i].in;
    s.half = hl_alloc(s.n, sizeof(*s.half));
    s.wide = hl_alloc(s.n, sizeof(*s.wide));
    s.x = hl_alloc(MAX_ROWS, sizeof(*s.x) * MAX_IN);
    s.y = hl_alloc(MAX_ROWS, sizeof(*s.y) * MAX_OUT);
    if (!s.half || !s.wide || !s.x || !s.y) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    struct hl_rng rng;
    hl_rng_init(&rng, 1);
    for (size_t i = 0; i < s.n; i++) {
        s.wide[i] = (float)(hl_rng_uniform(&rng) - 0.5);
        s.half[i] = hl_dtype_f32_to_f16(s.wide[i]);
    }
    for (size_t i = 0; i < (size_t)MAX_ROWS * MAX_IN; i++)
        s.x[i] = (float)(hl_rng_uniform(&rng) - 0.5);
    printf("one decoder step, %.2f million weights\n", (double)s.n * 1e-6);
    static const int rows[] = { 1, 4, 8, 25 };
    for (int r = 0; r < 4; r++) {
        for (int i = 0; hl_kernels_at(i); i++)
            measure(&s, hl_kernels_at(i), rows[r]);
        measure(&s, NULL, rows[r]);
    }
    hl_free(s.half);
    hl_free(s.wide);
    hl_free(s.x);
    hl_free(s.y);
    return 0;
}

#include "attn/posenc.h"

#include "harness/test.h"

#include <math.h>

static void
check_row(enum hl_posenc_order order, enum hl_posenc_freq freq, int p, int d, const double *want)
{
    float row[16];
    hl_posenc_rows(order, freq, p, 1, d, row, d);
    for (int i = 0; i < d; i++) {
        if (fabs((double)row[i] - want[i]) > 1e-7)
            fail_msg("order %d, freq %d, row %d, column %d: %.9g, not %.9g", (int)order, (int)freq,
                     p, i, (double)row[i], want[i]);
    }
}

/* The textbook's rows for D = 4. */
static void
paper_at_width_four(void **state)
{
    (void)state;
    static const double want[3][4] = { { 0, 1, 0, 1 },
                                       { 0.8415, 0.5403, 0.0100, 1.0000 },
                                       { 0.9093, -0.4161, 0.0200, 0.9998 } };
    float rows[12];
    hl_posenc_rows(HL_POSENC_INTERLEAVED, HL_POSENC_PAPER, 0, 3, 4, rows, 4);
    for (int i = 0; i < 12; i++)
        assert_true(fabs((double)rows[i] - want[i / 4][i % 4]) < 5.1e-5);
}

static void
halves_as_in_marian(void **state)
{
    (void)state;
    const double f = 1.0 / 100.0; /* 10000^(-2/4) */
    check_row(HL_POSENC_HALVES, HL_POSENC_PAPER, 3, 4,
              (double[]) { sin(3), sin(3 * f), cos(3), cos(3 * f) });
    /* Odd width: one sine more. */
    const double f1 = pow(10000.0, -2.0 / 5), f2 = pow(10000.0, -4.0 / 5);
    check_row(HL_POSENC_HALVES, HL_POSENC_PAPER, 2, 5,
              (double[]) { sin(2), sin(2 * f1), sin(2 * f2), cos(2), cos(2 * f1) });
    check_row(HL_POSENC_INTERLEAVED, HL_POSENC_PAPER, 2, 5,
              (double[]) { sin(2), cos(2), sin(2 * f1), cos(2 * f1), sin(2 * f2) });
}

static void
tensor2tensor_reaches_the_end(void **state)
{
    (void)state;
    const double f = 1e-4; /* the last of D/2 = 2 frequencies, whatever D */
    check_row(HL_POSENC_HALVES, HL_POSENC_TENSOR2TENSOR, 3, 4,
              (double[]) { sin(3), sin(3 * f), cos(3), cos(3 * f) });
    check_row(HL_POSENC_INTERLEAVED, HL_POSENC_TENSOR2TENSOR, 3, 5,
              (double[]) { sin(3), cos(3), sin(3 * f), cos(3 * f), 0 });
    check_row(HL_POSENC_HALVES, HL_POSENC_TENSOR2TENSOR, 3, 2, (double[]) { sin(3), cos(3) });
    check_row(HL_POSENC_HALVES, HL_POSENC_TENSOR2TENSOR, 3, 1, (double[]) { 0 });
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_at_width_four),
        cmocka_unit_test(halves_as_in_marian),
        cmocka_unit_test(tensor2tensor_reaches_the_end),
    };
    return cmocka_run_group_tests_name("posenc", tests, NULL, NULL);
}

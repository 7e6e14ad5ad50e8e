/* General matrix product through OpenBLAS (the only caller of cblas), or plain
 * loops where the program is built without it.
 *
 * The order of additions is the library's: results may differ in the last bits
 * between one row and many. Layers of models use num/weight.h instead. */
#pragma once

#include <stdbool.h>

#include "num/mat.h"

/* C = alpha op(A) op(B) + beta C, with op(A) [m,k], op(B) [k,n], C [m,n] and op the
 * transposition where trans_a / trans_b is set. With beta 0, C is only written. C
 * must not overlap A or B. Thread-safety: reentrant. Fails: never (shapes asserted). */
void hl_gemm(hl_mat a, bool trans_a, hl_mat b, bool trans_b, float alpha, float beta, hl_mat c);

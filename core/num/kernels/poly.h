/* Constants of the vector exponential and hyperbolic tangent.
 *
 * exp: x = n ln 2 + r, |r| <= ln 2 / 2, e^r = 1 + r + r^2 P(r). tanh below
 * HL_POLY_TANH_BORDER: x + x^3 Q(x^2), else (1 - e) / (1 + e) with e = exp(-2 |x|).
 * Coefficients are our own Chebyshev fits, rounded to float; relative error 1.1e-8
 * and 1.8e-8 before rounding of the arithmetic. */
#pragma once

#define HL_POLY_LOG2E 1.44269504f
/* ln 2 in two parts; the first has 12 bits, so that its product with n is exact. */
#define HL_POLY_LN2_HI 0.693115234f
#define HL_POLY_LN2_LO 3.19461833e-05f
#define HL_POLY_EXP0 0.5f
#define HL_POLY_EXP1 0.166665763f
#define HL_POLY_EXP2 0.0416665524f
#define HL_POLY_EXP3 0.00836323295f
#define HL_POLY_EXP4 0.00139262504f

#define HL_POLY_TANH_BORDER 0.6f
#define HL_POLY_TANH0 -0.333333284f
#define HL_POLY_TANH1 0.133327186f
#define HL_POLY_TANH2 -0.0538432635f
#define HL_POLY_TANH3 0.0209613293f
#define HL_POLY_TANH4 -0.00604516501f

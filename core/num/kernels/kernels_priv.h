/* The versions that kernels.c chooses from. */
#pragma once

#include "num/kernels/kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HL_KERNELS_X86 1
extern const struct hl_kernels hl_kernels_avx2;
extern const struct hl_kernels hl_kernels_avx512;
#endif
extern const struct hl_kernels hl_kernels_plain;

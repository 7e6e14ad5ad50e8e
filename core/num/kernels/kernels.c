#include "num/kernels/kernels.h"

#include "num/kernels/kernels_priv.h"

#ifdef HL_KERNELS_X86
static bool
has_avx2(void)
{
    /* Every processor with AVX2 converts half floats as well (F16C). */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool
has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}
#endif

const struct hl_kernels *
hl_kernels_get(void)
{
#ifdef HL_KERNELS_X86
    if (has_avx512())
        return &hl_kernels_avx512;
    if (has_avx2())
        return &hl_kernels_avx2;
#endif
    return &hl_kernels_plain;
}

const struct hl_kernels *
hl_kernels_at(int i)
{
    if (i == 0)
        return &hl_kernels_plain;
#ifdef HL_KERNELS_X86
    if (i == 1 && has_avx2())
        return &hl_kernels_avx2;
    if (i == 2 && has_avx512())
        return &hl_kernels_avx512;
#endif
    return NULL;
}

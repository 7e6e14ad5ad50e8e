/* AVX2 with FMA and F16C: as avx512.c with eight lanes and half the registers. */
#include "num/kernels/kernels_priv.h"

#ifdef HL_KERNELS_X86

#include <immintrin.h>
#include <string.h>

#include "num/kernels/poly.h"

#define TARGET __attribute__((target("avx2,fma,f16c")))
#define INLINE static inline __attribute__((always_inline)) TARGET

enum {
    W = 8,              /* lanes */
    MAX_ROWS = 3,       /* rows of x in registers */
    MAX_OUT = 8,        /* outputs at once, for one row of x */
    CHUNK_SZ = 1 << 17, /* bytes of weights that stay in the second cache */
};

INLINE __m256i
first_lanes(int n)
{
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), place);
}

INLINE __m256
widen(enum hl_dtype type, __m128i h)
{
    if (type == HL_DTYPE_F16)
        return _mm256_cvtph_ps(h);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(h), 16));
}

INLINE __m256
load_full(enum hl_dtype type, const char *p)
{
    if (type == HL_DTYPE_F32)
        return _mm256_loadu_ps((const float *)(const void *)p);
    return widen(type, _mm_loadu_si128((const __m128i *)(const void *)p));
}

/* The first n < W numbers at p, then zeros; halves go through a copy, because
 * nothing behind them may be read. */
INLINE __m256
load_some(enum hl_dtype type, const char *p, int n)
{
    if (type == HL_DTYPE_F32)
        return _mm256_maskload_ps((const float *)(const void *)p, first_lanes(n));
    uint16_t part[W] = { 0 };
    memcpy(part, p, (size_t)n * sizeof(part[0]));
    return widen(type, _mm_loadu_si128((const __m128i *)(const void *)part));
}

/* Sums of the lanes of four vectors. */
INLINE __m128
add_lanes(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256 s = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
}

/* As in avx512.c. */
INLINE void
tile(enum hl_dtype type, const int n_rows, const int n_out, int n_store, const char *w, size_t w_sz,
     int cols, const float *x, ptrdiff_t x_stride, const float *bias, float scale, float *y,
     ptrdiff_t y_stride)
{
    const size_t one = type == HL_DTYPE_F32 ? 4 : 2;
    const char *wp[MAX_OUT];
    __m256 acc[MAX_ROWS][MAX_OUT];
    for (int o = 0; o < n_out; o++) {
        wp[o] = w + (size_t)(o < n_store ? o : n_store - 1) * w_sz;
        for (int r = 0; r < n_rows; r++)
            acc[r][o] = _mm256_setzero_ps();
    }
    int c = 0;
    for (; c + W <= cols; c += W) {
        __m256 xr[MAX_ROWS];
        for (int r = 0; r < n_rows; r++)
            xr[r] = _mm256_loadu_ps(x + r * x_stride + c);
        for (int o = 0; o < n_out; o++) {
            __m256 wide = load_full(type, wp[o] + (size_t)c * one);
            for (int r = 0; r < n_rows; r++)
                acc[r][o] = _mm256_fmadd_ps(xr[r], wide, acc[r][o]);
        }
    }
    if (c < cols) {
        __m256i m = first_lanes(cols - c);
        for (int o = 0; o < n_out; o++) {
            __m256 wide = load_some(type, wp[o] + (size_t)c * one, cols - c);
            for (int r = 0; r < n_rows; r++) {
                __m256 xr = _mm256_maskload_ps(x + r * x_stride + c, m);
                acc[r][o] = _mm256_fmadd_ps(xr, wide, acc[r][o]);
            }
        }
    }
    for (int o = 0; o < n_out && o < n_store; o += 4) {
        __m128i m = _mm256_castsi256_si128(first_lanes(n_store - o));
        __m128 b = bias ? _mm_maskload_ps(bias + o, m) : _mm_setzero_ps();
        for (int r = 0; r < n_rows; r++) {
            __m128 s = add_lanes(acc[r][o], acc[r][o + 1], acc[r][o + 2], acc[r][o + 3]);
            s = _mm_add_ps(_mm_mul_ps(s, _mm_set1_ps(scale)), b);
            _mm_maskstore_ps(y + r * y_stride + o, m, s);
        }
    }
}

#define BAND(n_rows, n_out)                                                                        \
    for (int o = from; o < to; o += (n_out))                                                       \
    tile(type, (n_rows), (n_out), to - o < (n_out) ? to - o : (n_out), w + (size_t)o * w_sz, w_sz, \
         cols, x, x_stride, bias ? bias + o : NULL, 1.0f, y + o, y_stride)

INLINE void
band(enum hl_dtype type, int n, const char *w, size_t w_sz, int from, int to, int cols,
     const float *x, ptrdiff_t x_stride, const float *bias, float *y, ptrdiff_t y_stride)
{
    if (n == 1)
        BAND(1, 8);
    else if (n == 2)
        BAND(2, 4);
    else
        BAND(3, 4);
}

INLINE void
apply_type(enum hl_dtype type, const struct hl_weight *w, const float *bias, int n, const float *x,
           ptrdiff_t x_stride, float *y, ptrdiff_t y_stride)
{
    const size_t w_sz = (size_t)w->cols * (type == HL_DTYPE_F32 ? 4 : 2);
    int n_bands = (n + MAX_ROWS - 1) / MAX_ROWS;
    int chunk = n_bands < 2 ? w->rows : (int)(CHUNK_SZ / (w_sz + 1)) & ~(MAX_OUT - 1);
    if (chunk < MAX_OUT)
        chunk = MAX_OUT;
    for (int from = 0; from < w->rows; from += chunk) {
        int to = w->rows - from < chunk ? w->rows : from + chunk;
        for (int b = 0; b < n_bands; b++) {
            int t = (int)((long)n * b / n_bands), end = (int)((long)n * (b + 1) / n_bands);
            band(type, end - t, w->p, w_sz, from, to, w->cols, x + t * x_stride, x_stride, bias,
                 y + t * y_stride, y_stride);
        }
    }
}

TARGET static void
apply_f32(const struct hl_weight *w, const float *bias, int n, const float *x, ptrdiff_t x_stride,
          float *y, ptrdiff_t y_stride)
{
    apply_type(HL_DTYPE_F32, w, bias, n, x, x_stride, y, y_stride);
}

TARGET static void
apply_f16(const struct hl_weight *w, const float *bias, int n, const float *x, ptrdiff_t x_stride,
          float *y, ptrdiff_t y_stride)
{
    apply_type(HL_DTYPE_F16, w, bias, n, x, x_stride, y, y_stride);
}

TARGET static void
apply_bf16(const struct hl_weight *w, const float *bias, int n, const float *x, ptrdiff_t x_stride,
           float *y, ptrdiff_t y_stride)
{
    apply_type(HL_DTYPE_BF16, w, bias, n, x, x_stride, y, y_stride);
}

static void
apply(const struct hl_weight *w, const float *bias, int n, const float *x, ptrdiff_t x_stride,
      float *y, ptrdiff_t y_stride)
{
    if (w->type == HL_DTYPE_F16)
        apply_f16(w, bias, n, x, x_stride, y, y_stride);
    else if (w->type == HL_DTYPE_BF16)
        apply_bf16(w, bias, n, x, x_stride, y, y_stride);
    else
        apply_f32(w, bias, n, x, x_stride, y, y_stride);
}

TARGET static void
dots(const float *q, const float *k, ptrdiff_t k_stride, int n, int d, float scale, float *out)
{
    for (int j = 0; j < n; j += MAX_OUT) {
        int m = n - j < MAX_OUT ? n - j : MAX_OUT;
        tile(HL_DTYPE_F32, 1, MAX_OUT, m, (const char *)(k + j * k_stride),
             (size_t)k_stride * sizeof(float), d, q, 0, NULL, scale, out + j, 0);
    }
}

INLINE void
mix_columns(const int n_vec, const float *w, const float *v, ptrdiff_t v_stride, int n, float *out)
{
    __m256 acc[4];
    for (int i = 0; i < n_vec; i++)
        acc[i] = _mm256_setzero_ps();
    for (int j = 0; j < n; j++) {
        __m256 wj = _mm256_set1_ps(w[j]);
        for (int i = 0; i < n_vec; i++)
            acc[i] = _mm256_fmadd_ps(wj, _mm256_loadu_ps(v + j * v_stride + i * W), acc[i]);
    }
    for (int i = 0; i < n_vec; i++)
        _mm256_storeu_ps(out + i * W, acc[i]);
}

TARGET static void
mix(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *out)
{
    int c = 0;
    for (; c + 4 * W <= d; c += 4 * W)
        mix_columns(4, w, v + c, v_stride, n, out + c);
    for (; c + W <= d; c += W)
        mix_columns(1, w, v + c, v_stride, n, out + c);
    if (c < d) {
        __m256i m = first_lanes(d - c);
        __m256 acc = _mm256_setzero_ps();
        for (int j = 0; j < n; j++)
            acc = _mm256_fmadd_ps(_mm256_set1_ps(w[j]), _mm256_maskload_ps(v + j * v_stride + c, m),
                                  acc);
        _mm256_maskstore_ps(out + c, m, acc);
    }
}

/* e^x for x <= 0; 0 where that is below the smallest normal number. */
INLINE __m256
exp_vec(__m256 x)
{
    __m256 alive = _mm256_cmp_ps(x, _mm256_set1_ps(-87.0f), _CMP_GE_OQ);
    x = _mm256_max_ps(x, _mm256_set1_ps(-87.0f));
    __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(HL_POLY_LOG2E)),
                               _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(HL_POLY_LN2_HI), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(HL_POLY_LN2_LO), r);
    __m256 p = _mm256_set1_ps(HL_POLY_EXP4);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(HL_POLY_EXP3));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(HL_POLY_EXP2));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(HL_POLY_EXP1));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(HL_POLY_EXP0));
    p = _mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r);
    __m256i two_n =
        _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    p = _mm256_mul_ps(_mm256_add_ps(p, _mm256_set1_ps(1.0f)), _mm256_castsi256_ps(two_n));
    return _mm256_and_ps(p, alive);
}

TARGET static double
exp_sum(const float *x, int n, float top, float factor, float *out)
{
    __m256d lo = _mm256_setzero_pd(), hi = _mm256_setzero_pd();
    for (int i = 0; i < n; i += W) {
        __m256i m = first_lanes(n - i);
        __m256 v = _mm256_maskload_ps(x + i, m);
        v = _mm256_mul_ps(_mm256_sub_ps(v, _mm256_set1_ps(top)), _mm256_set1_ps(factor));
        v = _mm256_and_ps(exp_vec(v), _mm256_castsi256_ps(m));
        _mm256_maskstore_ps(out + i, m, v);
        lo = _mm256_add_pd(lo, _mm256_cvtps_pd(_mm256_castps256_ps128(v)));
        hi = _mm256_add_pd(hi, _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)));
    }
    lo = _mm256_add_pd(lo, hi);
    __m128d s = _mm_add_pd(_mm256_castpd256_pd128(lo), _mm256_extractf128_pd(lo, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

INLINE __m256
tanh_vec(__m256 x)
{
    const __m256 sign = _mm256_set1_ps(-0.0f), unit = _mm256_set1_ps(1.0f);
    __m256 a = _mm256_andnot_ps(sign, x), z = _mm256_mul_ps(x, x);
    __m256 q = _mm256_set1_ps(HL_POLY_TANH4);
    q = _mm256_fmadd_ps(q, z, _mm256_set1_ps(HL_POLY_TANH3));
    q = _mm256_fmadd_ps(q, z, _mm256_set1_ps(HL_POLY_TANH2));
    q = _mm256_fmadd_ps(q, z, _mm256_set1_ps(HL_POLY_TANH1));
    q = _mm256_fmadd_ps(q, z, _mm256_set1_ps(HL_POLY_TANH0));
    __m256 near = _mm256_fmadd_ps(_mm256_mul_ps(x, z), q, x);
    __m256 e = exp_vec(_mm256_mul_ps(a, _mm256_set1_ps(-2.0f)));
    __m256 far = _mm256_div_ps(_mm256_sub_ps(unit, e), _mm256_add_ps(unit, e));
    far = _mm256_or_ps(far, _mm256_and_ps(x, sign));
    __m256 small = _mm256_cmp_ps(a, _mm256_set1_ps(HL_POLY_TANH_BORDER), _CMP_LT_OQ);
    return _mm256_blendv_ps(far, near, small);
}

INLINE __m256
sigmoid_vec(__m256 x)
{
    const __m256 unit = _mm256_set1_ps(1.0f);
    __m256 e = exp_vec(_mm256_or_ps(x, _mm256_set1_ps(-0.0f)));
    __m256 negative = _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ);
    return _mm256_div_ps(_mm256_blendv_ps(unit, e, negative), _mm256_add_ps(unit, e));
}

TARGET static void
tanh_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i += W) {
        __m256i m = first_lanes(n - i);
        _mm256_maskstore_ps(y + i, m, tanh_vec(_mm256_maskload_ps(x + i, m)));
    }
}

TARGET static void
sigmoid_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i += W) {
        __m256i m = first_lanes(n - i);
        _mm256_maskstore_ps(y + i, m, sigmoid_vec(_mm256_maskload_ps(x + i, m)));
    }
}

const struct hl_kernels hl_kernels_avx2 = {
    .name = "avx2",
    .apply = apply,
    .dots = dots,
    .mix = mix,
    .exp_sum = exp_sum,
    .tanh = tanh_all,
    .sigmoid = sigmoid_all,
};

#else

/* ISO C forbids an empty file. */
typedef int hl_kernels_avx2_unused;

#endif

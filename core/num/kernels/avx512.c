/* AVX-512 (F, BW, VL, DQ). A product's sixteen lanes take every sixteenth column
 * and are added in a fixed tree, whatever the number of rows and outputs, so that a
 * row's result does not depend on its company. */
#include "num/kernels/kernels_priv.h"

#ifdef HL_KERNELS_X86

#include <immintrin.h>

#include "num/kernels/poly.h"

#define TARGET __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq")))
#define INLINE static inline __attribute__((always_inline)) TARGET

enum {
    W = 16,             /* lanes */
    MAX_ROWS = 6,       /* rows of x in registers */
    MAX_OUT = 8,        /* outputs at once, for one or two rows of x */
    CHUNK_SZ = 1 << 17, /* bytes of weights that stay in the second cache */
};

INLINE __mmask16
first_lanes(int n)
{
    return (__mmask16)((1u << n) - 1u);
}

INLINE __m512
load_full(enum hl_dtype type, const char *p)
{
    if (type == HL_DTYPE_F32)
        return _mm512_loadu_ps(p);
    __m256i h = _mm256_loadu_si256((const __m256i *)(const void *)p);
    if (type == HL_DTYPE_F16)
        return _mm512_cvtph_ps(h);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
}

INLINE __m512
load_some(enum hl_dtype type, const char *p, __mmask16 m)
{
    if (type == HL_DTYPE_F32)
        return _mm512_maskz_loadu_ps(m, p);
    __m256i h = _mm256_maskz_loadu_epi16(m, p);
    if (type == HL_DTYPE_F16)
        return _mm512_cvtph_ps(h);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
}

/* Sums of the lanes of four vectors. */
INLINE __m128
add_lanes(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512 ab = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xEE));
    __m512 cd = _mm512_add_ps(_mm512_shuffle_f32x4(c, d, 0x44), _mm512_shuffle_f32x4(c, d, 0xEE));
    __m512 s =
        _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xDD));
    s = _mm512_add_ps(s, _mm512_permute_ps(s, 0x4E));
    s = _mm512_add_ps(s, _mm512_permute_ps(s, 0xB1));
    const __m512i pick = _mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
    return _mm512_castps512_ps128(_mm512_permutexvar_ps(pick, s));
}

/* n_rows rows of x (stride x_stride) times n_out rows of w (stride w_sz bytes) over
 * `cols` columns, into y[.., n_store]: outputs past n_store repeat the last row of w
 * and are not written. */
INLINE void
tile(enum hl_dtype type, const int n_rows, const int n_out, int n_store, const char *w, size_t w_sz,
     int cols, const float *x, ptrdiff_t x_stride, const float *bias, float scale, float *y,
     ptrdiff_t y_stride)
{
    const size_t one = type == HL_DTYPE_F32 ? 4 : 2;
    const char *wp[MAX_OUT];
    __m512 acc[MAX_ROWS][MAX_OUT];
    for (int o = 0; o < n_out; o++) {
        wp[o] = w + (size_t)(o < n_store ? o : n_store - 1) * w_sz;
        for (int r = 0; r < n_rows; r++)
            acc[r][o] = _mm512_setzero_ps();
    }
    int c = 0;
    for (; c + W <= cols; c += W) {
        __m512 wide[MAX_OUT];
        for (int o = 0; o < n_out; o++)
            wide[o] = load_full(type, wp[o] + (size_t)c * one);
        for (int r = 0; r < n_rows; r++) {
            __m512 xr = _mm512_loadu_ps(x + r * x_stride + c);
            for (int o = 0; o < n_out; o++)
                acc[r][o] = _mm512_fmadd_ps(xr, wide[o], acc[r][o]);
        }
    }
    if (c < cols) {
        __mmask16 m = first_lanes(cols - c);
        __m512 wide[MAX_OUT];
        for (int o = 0; o < n_out; o++)
            wide[o] = load_some(type, wp[o] + (size_t)c * one, m);
        for (int r = 0; r < n_rows; r++) {
            __m512 xr = _mm512_maskz_loadu_ps(m, x + r * x_stride + c);
            for (int o = 0; o < n_out; o++)
                acc[r][o] = _mm512_fmadd_ps(xr, wide[o], acc[r][o]);
        }
    }
    for (int o = 0; o < n_out; o += 4) {
        int left = n_store - o;
        __mmask8 m = (__mmask8)(left >= 4 ? 0xF : left > 0 ? (1 << left) - 1 : 0);
        __m128 b = bias ? _mm_maskz_loadu_ps(m, bias + o) : _mm_setzero_ps();
        for (int r = 0; r < n_rows; r++) {
            __m128 s = add_lanes(acc[r][o], acc[r][o + 1], acc[r][o + 2], acc[r][o + 3]);
            s = _mm_add_ps(_mm_mul_ps(s, _mm_set1_ps(scale)), b);
            _mm_mask_storeu_ps(y + r * y_stride + o, m, s);
        }
    }
}

/* A band of at most MAX_ROWS rows of x times rows from .. to - 1 of w. */
#define BAND(n_rows, n_out)                                                                        \
    for (int o = from; o < to; o += (n_out))                                                       \
    tile(type, (n_rows), (n_out), to - o < (n_out) ? to - o : (n_out), w + (size_t)o * w_sz, w_sz, \
         cols, x, x_stride, bias ? bias + o : NULL, scale, y + o, y_stride)

INLINE void
band(enum hl_dtype type, int n, const char *w, size_t w_sz, int from, int to, int cols,
     const float *x, ptrdiff_t x_stride, const float *bias, float scale, float *y,
     ptrdiff_t y_stride)
{
    switch (n) {
    case 1:
        BAND(1, 8);
        break;
    case 2:
        BAND(2, 8);
        break;
    case 3:
        BAND(3, 4);
        break;
    case 4:
        BAND(4, 4);
        break;
    case 5:
        BAND(5, 4);
        break;
    default:
        BAND(6, 4);
        break;
    }
}

/* Rows of x in bands of nearly equal size, over chunks of w that stay cached. */
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
                 1.0f, y + t * y_stride, y_stride);
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

/* Columns of v in n_vec vectors, the last one partly where m is not full. */
INLINE void
mix_columns(const int n_vec, __mmask16 m, const float *w, const float *v, ptrdiff_t v_stride, int n,
            float *out)
{
    __m512 acc[4];
    for (int i = 0; i < n_vec; i++)
        acc[i] = _mm512_setzero_ps();
    for (int j = 0; j < n; j++) {
        __m512 wj = _mm512_set1_ps(w[j]);
        for (int i = 0; i < n_vec; i++) {
            __m512 vj = i + 1 < n_vec ? _mm512_loadu_ps(v + j * v_stride + i * W)
                                      : _mm512_maskz_loadu_ps(m, v + j * v_stride + i * W);
            acc[i] = _mm512_fmadd_ps(wj, vj, acc[i]);
        }
    }
    for (int i = 0; i < n_vec; i++)
        _mm512_mask_storeu_ps(out + i * W, i + 1 < n_vec ? (__mmask16)0xFFFF : m, acc[i]);
}

TARGET static void
mix(const float *w, const float *v, ptrdiff_t v_stride, int n, int d, float *out)
{
    int c = 0;
    for (; c + 4 * W <= d; c += 4 * W)
        mix_columns(4, 0xFFFF, w, v + c, v_stride, n, out + c);
    for (; c + 2 * W <= d; c += 2 * W)
        mix_columns(2, 0xFFFF, w, v + c, v_stride, n, out + c);
    for (; c < d; c += W) {
        __mmask16 m = d - c < W ? first_lanes(d - c) : (__mmask16)0xFFFF;
        mix_columns(1, m, w, v + c, v_stride, n, out + c);
    }
}

/* e^x for x <= 0; 0 below the smallest subnormal. */
INLINE __m512
exp_vec(__m512 x)
{
    x = _mm512_max_ps(x, _mm512_set1_ps(-110.0f));
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(HL_POLY_LOG2E)),
                                    _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(HL_POLY_LN2_HI), x);
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(HL_POLY_LN2_LO), r);
    __m512 p = _mm512_set1_ps(HL_POLY_EXP4);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(HL_POLY_EXP3));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(HL_POLY_EXP2));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(HL_POLY_EXP1));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(HL_POLY_EXP0));
    p = _mm512_fmadd_ps(p, _mm512_mul_ps(r, r), r);
    return _mm512_scalef_ps(_mm512_add_ps(p, _mm512_set1_ps(1.0f)), n);
}

TARGET static double
exp_sum(const float *x, int n, float top, float factor, float *out)
{
    __m512d lo = _mm512_setzero_pd(), hi = _mm512_setzero_pd();
    for (int i = 0; i < n; i += W) {
        __mmask16 m = n - i < W ? first_lanes(n - i) : (__mmask16)0xFFFF;
        __m512 v = _mm512_maskz_loadu_ps(m, x + i);
        v = _mm512_mul_ps(_mm512_sub_ps(v, _mm512_set1_ps(top)), _mm512_set1_ps(factor));
        v = _mm512_maskz_mov_ps(m, exp_vec(v));
        _mm512_mask_storeu_ps(out + i, m, v);
        lo = _mm512_add_pd(lo, _mm512_cvtps_pd(_mm512_castps512_ps256(v)));
        hi = _mm512_add_pd(hi, _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)));
    }
    return _mm512_reduce_add_pd(_mm512_add_pd(lo, hi));
}

INLINE __m512
tanh_vec(__m512 x)
{
    __m512 a = _mm512_abs_ps(x), z = _mm512_mul_ps(x, x);
    __m512 q = _mm512_set1_ps(HL_POLY_TANH4);
    q = _mm512_fmadd_ps(q, z, _mm512_set1_ps(HL_POLY_TANH3));
    q = _mm512_fmadd_ps(q, z, _mm512_set1_ps(HL_POLY_TANH2));
    q = _mm512_fmadd_ps(q, z, _mm512_set1_ps(HL_POLY_TANH1));
    q = _mm512_fmadd_ps(q, z, _mm512_set1_ps(HL_POLY_TANH0));
    __m512 near = _mm512_fmadd_ps(_mm512_mul_ps(x, z), q, x);
    const __m512 unit = _mm512_set1_ps(1.0f);
    __m512 e = exp_vec(_mm512_mul_ps(a, _mm512_set1_ps(-2.0f)));
    __m512 far = _mm512_div_ps(_mm512_sub_ps(unit, e), _mm512_add_ps(unit, e));
    far = _mm512_or_ps(far, _mm512_and_ps(x, _mm512_set1_ps(-0.0f)));
    __mmask16 small = _mm512_cmp_ps_mask(a, _mm512_set1_ps(HL_POLY_TANH_BORDER), _CMP_LT_OQ);
    return _mm512_mask_blend_ps(small, far, near);
}

INLINE __m512
sigmoid_vec(__m512 x)
{
    const __m512 unit = _mm512_set1_ps(1.0f);
    __m512 e = exp_vec(_mm512_or_ps(x, _mm512_set1_ps(-0.0f)));
    __mmask16 negative = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
    return _mm512_div_ps(_mm512_mask_blend_ps(negative, unit, e), _mm512_add_ps(unit, e));
}

TARGET static void
tanh_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i += W) {
        __mmask16 m = n - i < W ? first_lanes(n - i) : (__mmask16)0xFFFF;
        _mm512_mask_storeu_ps(y + i, m, tanh_vec(_mm512_maskz_loadu_ps(m, x + i)));
    }
}

TARGET static void
sigmoid_all(const float *x, int n, float *y)
{
    for (int i = 0; i < n; i += W) {
        __mmask16 m = n - i < W ? first_lanes(n - i) : (__mmask16)0xFFFF;
        _mm512_mask_storeu_ps(y + i, m, sigmoid_vec(_mm512_maskz_loadu_ps(m, x + i)));
    }
}

const struct hl_kernels hl_kernels_avx512 = {
    .name = "avx512",
    .apply = apply,
    .dots = dots,
    .mix = mix,
    .exp_sum = exp_sum,
    .tanh = tanh_all,
    .sigmoid = sigmoid_all,
};

#else

/* ISO C forbids an empty file. */
typedef int hl_kernels_avx512_unused;

#endif

#include "num/dtype.h"

#include <string.h>

static const struct {
    const char *name;
    size_t sz;
} types[HL_DTYPE_COUNT] = {
    [HL_DTYPE_F32] = { "F32", 4 },
    [HL_DTYPE_F16] = { "F16", 2 },
    [HL_DTYPE_BF16] = { "BF16", 2 },
    [HL_DTYPE_F64] = { "F64", 8 },
};

size_t
hl_dtype_size(enum hl_dtype type)
{
    return types[type].sz;
}

const char *
hl_dtype_name(enum hl_dtype type)
{
    return types[type].name;
}

static float
float_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static uint32_t
bits_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

/* Without branches on the value, so that the loop below becomes vectors: the
 * exponent is moved by a multiplication, which makes subnormals right as well. */
static inline float
widen_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t body = (uint32_t)(h & 0x7FFFu) << 13;
    uint32_t v = bits_of(float_of(body) * 0x1p112f);
    uint32_t special = body >= 0x0F800000u ? 0x7F800000u : 0; /* infinity, NaN */
    return float_of(v | special | sign);
}

float
hl_dtype_f16_to_f32(uint16_t bits)
{
    return widen_f16(bits);
}

float
hl_dtype_bf16_to_f32(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

uint16_t
hl_dtype_f32_to_f16(float v)
{
    uint32_t bits = bits_of(v), sign = (bits >> 16) & 0x8000u, a = bits & 0x7FFFFFFFu;
    if (a > 0x7F800000u)
        return (uint16_t)(sign | 0x7E00u);
    if (a >= 0x477FF000u) /* 65520 and more round to infinity */
        return (uint16_t)(sign | 0x7C00u);
    if (a < 0x38800000u) {
        /* Subnormal in half: adding 1/2 shifts the wanted bits to the end of the
         * fraction and rounds them as IEEE says. */
        uint32_t sum = bits_of(float_of(a) + 0.5f);
        return (uint16_t)(sign | (sum - bits_of(0.5f)));
    }
    uint32_t odd = (a >> 13) & 1u;
    return (uint16_t)(sign | ((a - 0x38000000u + 0xFFFu + odd) >> 13));
}

uint16_t
hl_dtype_f32_to_bf16(float v)
{
    uint32_t bits = bits_of(v);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
        return (uint16_t)((bits >> 16) | 0x40u);
    return (uint16_t)((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

/* Files promise no alignment; a memcpy of fixed size is one load all the same. */
static inline uint16_t
load_16(const unsigned char *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static void
widen_doubles(const unsigned char *p, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        double v;
        memcpy(&v, p + 8 * i, sizeof(v));
        out[i] = (float)v;
    }
}

void
hl_dtype_to_f32(enum hl_dtype type, const void *p, size_t n, float *out)
{
    const unsigned char *s = p;
    switch (type) {
    case HL_DTYPE_F32:
        if (n)
            memcpy(out, s, n * sizeof(float));
        break;
    case HL_DTYPE_F16:
        for (size_t i = 0; i < n; i++)
            out[i] = widen_f16(load_16(s + 2 * i));
        break;
    case HL_DTYPE_BF16:
        for (size_t i = 0; i < n; i++)
            out[i] = hl_dtype_bf16_to_f32(load_16(s + 2 * i));
        break;
    case HL_DTYPE_F64:
        widen_doubles(s, n, out);
        break;
    case HL_DTYPE_COUNT:
        break;
    }
}

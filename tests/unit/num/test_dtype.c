#include "num/dtype.h"

#include "harness/test.h"

#include <math.h>
#include <string.h>

/* The value of half bits, from the definition of binary16. */
static double
half_value(unsigned h)
{
    int e = (int)((h >> 10) & 31u), f = (int)(h & 1023u);
    double v = e == 31  ? (f ? (double)NAN : (double)INFINITY)
               : e == 0 ? ldexp(f, -24)
                        : ldexp(1024 + f, e - 25);
    return h & 0x8000u ? -v : v;
}

static void
all_halves_are_exact(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        uint16_t bits = (uint16_t)h;
        float v = hl_dtype_f16_to_f32(bits), bulk;
        double want = half_value(h);
        hl_dtype_to_f32(HL_DTYPE_F16, &bits, 1, &bulk);
        assert_memory_equal(&v, &bulk, sizeof(v));
        if (isnan(want)) {
            assert_true(isnan(v));
            assert_true(isnan(half_value(hl_dtype_f32_to_f16(v))));
        } else {
            assert_true((double)v == want && !signbit(v) == !signbit(want));
            assert_int_equal(hl_dtype_f32_to_f16(v), h);
        }
    }
}

/* Between neighbours a < b: below the middle to a, above to b, the middle to even. */
static void
halves_round_to_nearest_even(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 0x7BFF; h++) {
        float a = hl_dtype_f16_to_f32((uint16_t)h), b = hl_dtype_f16_to_f32((uint16_t)(h + 1));
        float middle = a + (b - a) / 2;
        assert_int_equal(hl_dtype_f32_to_f16(middle), h & 1 ? h + 1 : h);
        assert_int_equal(hl_dtype_f32_to_f16(nextafterf(middle, 0.0f)), h);
        assert_int_equal(hl_dtype_f32_to_f16(nextafterf(middle, 1e9f)), h + 1);
        assert_int_equal(hl_dtype_f32_to_f16(-middle), 0x8000u | (h & 1 ? h + 1 : h));
    }
    assert_int_equal(hl_dtype_f32_to_f16(65519.99f), 0x7BFF);
    assert_int_equal(hl_dtype_f32_to_f16(65520.0f), 0x7C00);
    assert_int_equal(hl_dtype_f32_to_f16(-1e30f), 0xFC00);
    assert_int_equal(hl_dtype_f32_to_f16(1e-30f), 0);
    assert_int_equal(hl_dtype_f32_to_f16(-0.0f), 0x8000);
}

static void
brain_floats(void **state)
{
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        uint32_t wide = (uint32_t)h << 16;
        uint16_t bits = (uint16_t)h;
        float v = hl_dtype_bf16_to_f32(bits), bulk;
        assert_memory_equal(&v, &wide, sizeof(v));
        hl_dtype_to_f32(HL_DTYPE_BF16, &bits, 1, &bulk);
        assert_memory_equal(&v, &bulk, sizeof(v));
        if (!isnan(v))
            assert_int_equal(hl_dtype_f32_to_bf16(v), h);
    }
    assert_int_equal(hl_dtype_f32_to_bf16(1.00390625f), 0x3F80); /* tie to even */
    assert_int_equal(hl_dtype_f32_to_bf16(1.01171875f), 0x3F82); /* tie to even */
    assert_int_equal(hl_dtype_f32_to_bf16(1.00390637f), 0x3F81);
    assert_int_equal(hl_dtype_f32_to_bf16(3.4e38f), 0x7F80);
    assert_true(isnan(hl_dtype_bf16_to_f32(hl_dtype_f32_to_bf16(NAN))));
}

static void
whole_arrays_of_every_type(void **state)
{
    (void)state;
    const float f[3] = { 1.5f, -2.25f, 1e-40f };
    const double d[3] = { 0.1, -1e300, 7.0 };
    float out[3];
    unsigned char odd[1 + sizeof(d)]; /* files promise no alignment */
    memcpy(odd + 1, f, sizeof(f));
    hl_dtype_to_f32(HL_DTYPE_F32, odd + 1, 3, out);
    assert_memory_equal(out, f, sizeof(f));
    memcpy(odd + 1, d, sizeof(d));
    hl_dtype_to_f32(HL_DTYPE_F64, odd + 1, 3, out);
    assert_true(out[0] == 0.1f && out[1] == -INFINITY && out[2] == 7.0f);
    hl_dtype_to_f32(HL_DTYPE_F32, NULL, 0, out);
    assert_int_equal(hl_dtype_size(HL_DTYPE_F16), 2);
    assert_int_equal(hl_dtype_size(HL_DTYPE_F64), 8);
    assert_string_equal(hl_dtype_name(HL_DTYPE_BF16), "BF16");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_halves_are_exact),
        cmocka_unit_test(halves_round_to_nearest_even),
        cmocka_unit_test(brain_floats),
        cmocka_unit_test(whole_arrays_of_every_type),
    };
    return cmocka_run_group_tests_name("dtype", tests, NULL, NULL);
}

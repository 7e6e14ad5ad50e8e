/* From any picture's pixels to the network's small grey square. */
#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "io/image.h"

static const struct hl_image_fit whole = { 4, 0, false };

static void
prepare(const struct hl_image *image, const struct hl_image_fit *fit, float *out)
{
    struct hl_error err = { 0 };
    if (hl_image_prepare(image, fit, out, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
}

static void
near(float a, double b)
{
    assert_true(fabs((double)a - b) < 1e-6);
}

/* White and black in the middle square; what lies outside of it is not looked at. */
static void
middle_is_cut_out(void **state)
{
    (void)state;
    uint8_t pixels[2 * 7];
    float out[4];
    const struct hl_image_fit fit = { 2, 0, false };
    memset(pixels, 99, sizeof pixels);
    struct hl_image_square s = hl_image_middle(6, 2);
    assert_true(s.x == 2 && s.y == 0 && s.side == 2);
    pixels[2] = pixels[7 + 3] = 255;
    pixels[3] = pixels[7 + 2] = 0;
    prepare(&(struct hl_image) { pixels, 6, 2, 1, 7 }, &fit, out);
    assert_true(out[0] == 1 && out[1] == -1 && out[2] == -1 && out[3] == 1);
    s = hl_image_middle(3, 8);
    assert_true(s.x == 0 && s.y == 2 && s.side == 3);
}

static void
colours_have_their_luma(void **state)
{
    static const struct {
        uint8_t rgba[4];
        bool invert;
        double grey;
    } cases[] = {
        { { 255, 0, 0, 255 }, false, 0.2126 }, { { 0, 255, 0, 255 }, false, 0.7152 },
        { { 0, 0, 255, 255 }, false, 0.0722 }, { { 255, 255, 255, 255 }, true, 0 },
        { { 255, 255, 255, 0 }, false, 0 }, /* transparent: the background, either way */
        { { 0, 0, 0, 0 }, true, 0 },           { { 255, 255, 255, 51 }, false, 0.2 },
        { { 0, 0, 0, 51 }, true, 0.2 },
    };
    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        float out[1];
        const struct hl_image_fit fit = { 1, 0, cases[i].invert };
        prepare(&(struct hl_image) { cases[i].rgba, 1, 1, 4, 4 }, &fit, out);
        near(out[0], 2 * cases[i].grey - 1);
    }
}

/* Each result is the mean over its area: against sums over a fine grid. */
static void
areas_are_exact(void **state)
{
    struct hl_rng rng;
    (void)state;
    hl_rng_init(&rng, 3);
    for (int n = 1; n < 14; n++) {
        uint8_t pixels[14 * 14];
        float out[16];
        double total = 0, sum = 0;
        for (int i = 0; i < n * n; i++) {
            pixels[i] = (uint8_t)hl_rng_below(&rng, 256);
            total += pixels[i] / 255.0;
        }
        prepare(&(struct hl_image) { pixels, n, n, 1, n }, &whole, out);
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++) {
                double mean = 0; /* n x n points in each result, 4 to a pixel's side */
                for (int a = 0; a < n; a++) {
                    for (int b = 0; b < n; b++)
                        mean += pixels[(r * n + a) / 4 * n + (c * n + b) / 4] / 255.0;
                }
                mean /= n * n;
                near(out[r * 4 + c], 2 * mean - 1);
                sum += ((double)out[r * 4 + c] + 1) / 2;
            }
        }
        assert_true(fabs(sum / 16 - total / (n * n)) < 1e-6);
    }
}

static void
border_is_background(void **state)
{
    uint8_t pixels[30 * 28];
    float out[32 * 32];
    const struct hl_image_fit fit = { 32, 2, false }, inverted = { 32, 2, true };
    (void)state;
    for (int i = 0; i < 30 * 28; i++)
        pixels[i] = (uint8_t)(i % 30 + i / 30);
    const struct hl_image image = { pixels, 28, 28, 1, 30 };
    for (int how = 0; how < 2; how++) {
        prepare(&image, how ? &inverted : &fit, out);
        for (int y = 0; y < 32; y++) {
            for (int x = 0; x < 32; x++) {
                bool inside = x >= 2 && x < 30 && y >= 2 && y < 30;
                double v = (x - 2 + y - 2) / 127.5 - 1;
                near(out[y * 32 + x], !inside ? -1 : how ? -v : v);
            }
        }
    }
}

static void
nothing_to_draw_is_said(void **state)
{
    static const uint8_t pixel[4];
    static const struct hl_image none[] = {
        { NULL, 1, 1, 1, 1 }, { pixel, 0, 1, 1, 1 }, { pixel, 1, -4, 1, 1 }, { pixel, 1, 1, 3, 3 }
    };
    static const struct hl_image_fit unfit[] = { { 0, 0, false },
                                                 { 65, 0, false },
                                                 { 4, 2, false },
                                                 { 4, -1, false },
                                                 { 4, 2147483647, false } };
    const struct hl_image good = { pixel, 1, 1, 1, 1 };
    struct hl_error err;
    float out[16];
    (void)state;
    for (int i = 0; i < N_OF(none); i++) {
        err = (struct hl_error) { 0 };
        assert_int_equal(hl_image_prepare(&none[i], &whole, out, &err), HL_E_ARGUMENT);
        assert_true(err.detail[0] != '\0');
    }
    for (int i = 0; i < N_OF(unfit); i++)
        assert_int_equal(hl_image_prepare(&good, &unfit[i], out, &err), HL_E_ARGUMENT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(middle_is_cut_out),       cmocka_unit_test(colours_have_their_luma),
        cmocka_unit_test(areas_are_exact),         cmocka_unit_test(border_is_background),
        cmocka_unit_test(nothing_to_draw_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Where the window opens, at what scale, and its pixels on screens of other depths. */
#include "harness/test.h"

#include <SDL.h>
#include <stdlib.h>

#include "sdl/place.h"
#include "sdl/surface.h"

/* On every screen and at every scale the frame lies on the screen. */
static void
test_within(void **state)
{
    (void)state;
    static const SDL_Rect rooms[] = { { 0, 0, 640, 480 },    { 0, 0, 1280, 720 },
                                      { 0, 27, 1366, 741 },  { 0, 0, 1920, 1080 },
                                      { 60, 0, 3780, 2160 }, { 0, 0, 300, 200 } };
    static const float scales[] = { 1, 1.25f, 1.5f, 2, 3 };
    for (int i = 0; i < N_OF(rooms); i++)
        for (int k = 0; k < N_OF(scales); k++) {
            SDL_Rect r = rooms[i];
            struct place p = place_within(r, scales[k]);
            int title = (int)(30 * scales[k]);
            assert_true(p.at.w > 0 && p.at.h > 0);
            assert_true(p.at.x >= r.x && p.at.x + p.at.w <= r.x + r.w);
            assert_true(p.at.y >= r.y && p.at.y + title + p.at.h <= r.y + r.h);
            assert_true(p.min_w <= p.at.w && p.min_h <= p.at.h);
        }
    struct place p = place_within((SDL_Rect) { 0, 0, 1920, 1080 }, 1);
    assert_true(p.at.w == 1280 && p.at.h == 800 && p.min_w == 900 && p.min_h == 600);
    p = place_within((SDL_Rect) { 0, 0, 0, 0 }, 1); /* the desktop does not know */
    assert_true(p.at.w == 1280 && p.at.h == 800);
}

static void
test_scale(void **state)
{
    (void)state;
    assert_float_equal(place_scale(1, 900, 600), 1, 0);
    assert_float_equal(place_scale(1.1f, 990, 660), 1.1f, 0);
    assert_float_equal(place_scale(2, 3840, 2160), 2, 0);
    for (int h = 100; h < 1400; h += 7) {
        float s = place_scale(2, h * 16 / 9, h);
        assert_true(s >= 0.5f && s <= 2);
        if (s > 0.5f)
            assert_true((float)h / s >= PLACE_MIN_H && (float)(h * 16 / 9) / s >= PLACE_MIN_W);
    }
}

/* What SDL reads out of converted pixels is what went in, up to the bits that are there. */
static void
test_depths(void **state)
{
    (void)state;
    static const uint32_t formats[] = { SDL_PIXELFORMAT_RGB565, SDL_PIXELFORMAT_XRGB1555,
                                        SDL_PIXELFORMAT_BGR888, SDL_PIXELFORMAT_RGBX8888,
                                        SDL_PIXELFORMAT_BGR24 };
    static const int step[] = { 9, 9, 1, 1, 1 };
    uint32_t in[16 * 16];
    for (int i = 0; i < 256; i++)
        in[i] = (uint32_t)i << 16 | (uint32_t)(255 - i) << 8 | (uint32_t)(i * 7 % 256);
    for (int k = 0; k < N_OF(formats); k++) {
        SDL_Surface *s = SDL_CreateRGBSurfaceWithFormat(0, 16, 16, 32, formats[k]);
        assert_non_null(s);
        uint32_t table[3][256], masks[3] = { s->format->Rmask, s->format->Gmask, s->format->Bmask };
        surface_table(table, masks);
        struct hl_pixels px = { in, 16, 16, 16 };
        surface_convert((const uint32_t(*)[256])table, px, (struct hl_area) { 3, 2, 10, 9 }, s);
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 16; x++) {
                uint32_t v = 0, want = in[y * 16 + x];
                uint8_t c[3];
                memcpy(&v, (uint8_t *)s->pixels + y * s->pitch + x * s->format->BytesPerPixel,
                       s->format->BytesPerPixel);
                SDL_GetRGB(v, s->format, &c[0], &c[1], &c[2]);
                bool inside = x >= 3 && x < 13 && y >= 2 && y < 11;
                for (int i = 0; i < 3; i++)
                    assert_true(abs(c[i] - (inside ? (int)(want >> (16 - 8 * i) & 255) : 0)) <
                                step[k]);
            }
        SDL_FreeSurface(s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_depths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

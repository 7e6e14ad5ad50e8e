/* Pixels of the renderer: areas against geometry, a repaint against a full picture,
 * and two goldens set in DejaVu (`update` as the only argument writes them anew;
 * skipped where that font is missing). No display is needed. */
#include "harness/test.h"

#include <SDL.h>
#include <SDL_image.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "draw/theme.h"
#include "sdl/render.h"

static struct hl_fonts *fonts;
static struct hl_render *render;

static struct hl_pixels
pixels_new(int w, int h)
{
    struct hl_pixels px = { calloc((size_t)w * (size_t)h, 4), w, h, w };
    assert_non_null(px.p);
    return px;
}

/* Darkness of black on white, in pixels. */
static double
ink(struct dl *d)
{
    struct hl_pixels px = pixels_new(200, 200);
    double sum = 0;
    assert_true(render_draw(render, d, px));
    for (int i = 0; i < 200 * 200; i++)
        sum += (255 - (px.p[i] & 255)) / 255.0;
    free(px.p);
    return sum;
}

static void
near(double got, double want, double part)
{
    if (fabs(got - want) > part * want)
        fail_msg("%.2f pixels of ink, wanted %.2f", got, want);
}

static void
test_areas(void **state)
{
    (void)state;
    struct dl d = { 0 };
    hl_color black = 0x000000ff;
    static const float triangle[] = { 10.3f, 20.7f, 150.1f, 40.2f, 60.9f, 180.4f };
    double area = fabs((150.1 - 10.3) * (180.4 - 20.7) - (60.9 - 10.3) * (40.2 - 20.7)) / 2;

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_poly(&d, triangle, 3, black);
    near(ink(&d), area, 0.002);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_fill(&d, rect_make(20, 20, 100, 100), 50, black);
    near(ink(&d), 3.14159265 * 50 * 50, 0.005);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_stroke(&d, rect_make(20, 20, 100, 100), 50, 4, black);
    near(ink(&d), 3.14159265 * (50 * 50 - 46 * 46), 0.01);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_line(&d, 20, 30, 140, 120, 3, black);
    near(ink(&d), 150 * 3, 0.005);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_line(&d, 20, 30, 140, 120, 0.2f, black); /* finer than a pixel: fainter */
    near(ink(&d), 150 * 0.2, 0.05);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_ribbon(&d, 50, 20, 50, 180, 9, false, black); /* straight: a bar */
    near(ink(&d), 160 * 9, 0.005);

    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_clip(&d, rect_make(0, 0, 100, 200));
    dl_clip(&d, rect_make(50, 0, 100, 200));
    dl_fill(&d, rect_make(0, 0, 200, 200), 0, black);
    dl_unclip(&d);
    dl_unclip(&d);
    near(ink(&d), 50 * 200, 0);

    /* Cells: 4 x 2 of 20 x 20 with 2 between, the dark ones counted. */
    static const uint8_t cells[] = { 0, 254, 0, 0, 254, 0, 0, 0 };
    dl_begin(&d, 200, 200, 1, theme_map_color(DL_MAP_WEIGHT, false, 0));
    dl_heat(&d, rect_make(10, 10, 80, 40), 2, 4, 2, 0, DL_MAP_WEIGHT, false, cells);
    double ground = (255 - 0xf8) / 255.0, dark = (255 - 0x50) / 255.0;
    near(ink(&d), (200 * 200 - 2 * 18 * 18) * ground + 2 * 18 * 18 * dark, 0.001);

    /* A picture enlarged: squares; shrunk: means. */
    static const hl_color pixels[] = { 0x000000ff, 0xffffffff, 0xffffffff, 0xffffff00 };
    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_image(&d, rect_make(10, 10, 60, 80), 2, 2, pixels);
    near(ink(&d), 30 * 40, 0);
    hl_color stripes[64];
    for (int i = 0; i < 64; i++)
        stripes[i] = i % 2 == 0 ? black : 0xffffffff;
    dl_begin(&d, 200, 200, 1, 0xffffffff);
    dl_image(&d, rect_make(10, 10, 4, 4), 8, 8, stripes);
    near(ink(&d), 16 / 2.0, 0.01);
    dl_deinit(&d);
}

/* ---- a repaint gives what a full picture gives ---- */

static float
within(struct hl_rng *r, float n)
{
    return (float)hl_rng_uniform(r) * n;
}

static void
random_command(struct dl *d, struct hl_rng *r)
{
    static const char *const words[] = { "animal", "didn't", "0.9936", "fatigu\xC3\xA9",
                                         "\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7" };
    hl_rect box = { within(r, 600) - 50, within(r, 450) - 50, within(r, 200), within(r, 90) };
    hl_color color = (hl_color)hl_rng_next(r);
    float poly[8];
    uint8_t cells[60];
    hl_color pixels[60];
    switch (hl_rng_below(r, 9)) {
    case 0:
        dl_fill(d, box, within(r, 20), color);
        break;
    case 1:
        dl_stroke(d, box, within(r, 20), within(r, 4), color);
        break;
    case 2:
        dl_line(d, box.x, box.y, box.x + box.w, box.y + box.h, within(r, 5), color);
        break;
    case 3:
        dl_ribbon(d, box.x, box.y, box.x + box.w, box.y + box.h, within(r, 12),
                  hl_rng_below(r, 2) == 1, color);
        break;
    case 4:
        for (int i = 0; i < 8; i++)
            poly[i] = within(r, 400);
        dl_poly(d, poly, 4, color);
        break;
    case 5:
        for (int i = 0; i < 60; i++)
            cells[i] = (uint8_t)hl_rng_below(r, 256);
        dl_heat(d, box, 6, 10, within(r, 2), within(r, 3), DL_MAP_WEIGHT, hl_rng_below(r, 2) == 1,
                cells);
        break;
    case 6:
        for (int i = 0; i < 60; i++)
            pixels[i] = (hl_color)hl_rng_next(r);
        dl_image(d, box, 6, 10, pixels);
        break;
    default: {
        const char *s = words[hl_rng_below(r, N_OF(words))];
        dl_text_ex(d, box.x, box.y, (enum dl_font)hl_rng_below(r, DL_FONT_COUNT), 8 + within(r, 20),
                   (enum dl_align)hl_rng_below(r, 3), color,
                   hl_rng_below(r, 2) ? within(r, 360) : 0, hl_rng_below(r, 4) ? 0 : within(r, 60),
                   s, strlen(s));
        break;
    }
    }
}

/* 60 commands, of which number `other` is drawn from another seed. */
static void
random_list(struct dl *d, uint64_t seed, int other, float scale)
{
    dl_begin(d, 500, 350, scale, 0xf7f7f4ff);
    for (int i = 0; i < 60; i++) {
        struct hl_rng r;
        hl_rng_init(&r, seed * 1000 + (uint64_t)(i == other ? 777 : i));
        if (i == 20)
            dl_clip(d, rect_make(40, 30, 300, 200));
        if (i == 40)
            dl_unclip(d);
        random_command(d, &r);
    }
}

static void
test_update(void **state)
{
    (void)state;
    static const float scales[] = { 1, 1.25f, 2 };
    struct dl d = { 0 };
    for (int k = 0; k < N_OF(scales); k++) {
        int w = (int)(500 * scales[k]), h = (int)(350 * scales[k]);
        struct hl_pixels kept = pixels_new(w, h), whole = pixels_new(w, h);
        struct hl_area areas[16];
        struct hl_render *other;
        assert_int_equal(render_create(fonts, &other, NULL), HL_OK);
        random_list(&d, 1, -1, scales[k]);
        assert_int_equal(render_update(render, &d, kept, true, areas, 16), 1);
        assert_int_equal(render_update(render, &d, kept, false, areas, 16), 0);
        for (int step = 0; step < 20; step++) {
            random_list(&d, 1, step * 3, scales[k]);
            assert_true(render_update(render, &d, kept, false, areas, 16) >= 0);
            assert_true(render_draw(other, &d, whole));
            if (memcmp(kept.p, whole.p, (size_t)w * (size_t)h * 4) != 0)
                fail_msg("scale %g, step %d: a repaint differs", (double)scales[k], step);
        }
        render_destroy(other);
        free(kept.p);
        free(whole.p);
    }
    dl_deinit(&d);
}

/* One window through its life: zoomed, resized, moved to other memory. */
static void
test_update_after_changes(void **state)
{
    (void)state;
    static const float scales[] = { 1, 1.1f, 1.25f, 1.5f, 2 };
    enum { SIDE = 800 };
    struct dl d = { 0 };
    struct hl_pixels kept = pixels_new(SIDE, SIDE), other = pixels_new(SIDE, SIDE),
                     whole = pixels_new(SIDE, SIDE);
    struct hl_area areas[16];
    struct hl_render *fresh;
    struct hl_rng r;
    hl_rng_init(&r, 5);
    assert_int_equal(render_create(fonts, &fresh, NULL), HL_OK);
    struct hl_pixels at = { kept.p, 500, 350, SIDE };
    float scale = 1;
    for (int step = 0; step < 60; step++) {
        switch (hl_rng_below(&r, 4)) {
        case 0: /* Ctrl +/-: the window stays as it is */
            scale = scales[hl_rng_below(&r, N_OF(scales))];
            break;
        case 1:
            at.w = 400 + (int)hl_rng_below(&r, 400);
            break;
        case 2:
            at.p = at.p == kept.p ? other.p : kept.p;
            break;
        default:
            break;
        }
        random_list(&d, 2, (int)hl_rng_below(&r, 60), scale);
        struct hl_pixels want = { whole.p, at.w, at.h, SIDE };
        assert_true(render_update(render, &d, at, step == 0, areas, 16) >= 0);
        assert_true(render_draw(fresh, &d, want));
        for (int y = 0; y < at.h; y++)
            if (memcmp(at.p + (size_t)y * SIDE, want.p + (size_t)y * SIDE, (size_t)at.w * 4) != 0)
                fail_msg("step %d, scale %g: row %d differs", step, (double)scale, y);
    }
    render_destroy(fresh);
    free(kept.p);
    free(other.p);
    free(whole.p);
    dl_deinit(&d);
}

/* ---- goldens ---- */

static void
build_shapes(struct dl *d, bool dark)
{
    const struct hl_theme *t = theme_get(dark);
    static const float lamp[] = { 20, 30, 40, 18, 40, 42 };
    uint8_t cells[36];
    for (int i = 0; i < 36; i++)
        cells[i] = i % 6 > i / 6 ? DL_MASKED : theme_step(1.0 / (1 + (i / 6 - i % 6) * 2));
    dl_begin(d, 240, 150, 1.5f, t->background);
    dl_fill(d, rect_make(8, 8, 224, 134), 10, t->panel);
    dl_stroke(d, rect_make(8, 8, 224, 134), 10, 1, t->line);
    dl_poly(d, lamp, 3, t->accent);
    dl_line(d, 46, 22, 60, 15, 2, t->accent);
    dl_line(d, 46, 30, 62, 30, 2, t->accent);
    dl_line(d, 46, 38, 60, 45, 2, t->accent);
    dl_heat(d, rect_make(20, 60, 72, 72), 6, 6, 1, 2, DL_MAP_WEIGHT, dark, cells);
    dl_stroke(d, rect_make(18, 83, 76, 14), 4, 2, t->pinned);
    for (int i = 0; i < 5; i++)
        dl_ribbon(d, 110 + (float)i * 24, 20, 206 - (float)i * 22, 130, 1 + (float)i * 2.5f, false,
                  (t->head[i] & 0xffffff00) | 0xb0);
}

static void
build_text(struct dl *d, bool dark)
{
    const struct hl_theme *t = theme_get(dark);
    static const char *const words[] = { "The", "animal", "didn't", "tired", "." };
    dl_begin(d, 240, 150, 1, t->panel);
    dl_text(d, 10, 26, DL_FONT_UI, 21, DL_LEFT, t->ink, "The animal \xC3\xA9tait");
    dl_text(d, 10, 46, DL_FONT_UI_BOLD, 12.5f, DL_LEFT, t->ink, "bold");
    dl_text(d, 230, 46, DL_FONT_MONO, 12.5f, DL_RIGHT, t->quiet, "0.9936");
    dl_text(d, 120, 46, DL_FONT_UI, 11, DL_CENTER, t->accent, "ab \xD9\x85\xD8\xB1\xD8\xAD cd");
    dl_text_ex(d, 10, 62, DL_FONT_UI, 11, DL_LEFT, t->quiet, 0, 70, "cut where it is too long", 24);
    for (int i = 0; i < N_OF(words); i++)
        dl_text_ex(d, 100 + (float)i * 26, 120, DL_FONT_UI, 12.5f, DL_LEFT, t->ink, 50, 0, words[i],
                   strlen(words[i]));
    dl_text_ex(d, 20, 110, DL_FONT_UI, 11, DL_CENTER, t->quiet, 90, 0, "query", 5);
    for (int i = 0; i < 4; i++) /* the same word at quarters of a pixel */
        dl_text(d, 40 + (float)i * 0.25f, 80 + (float)i * 16, DL_FONT_UI, 11, DL_LEFT, t->ink,
                "will");
}

/* Largest and mean difference of a channel that a golden may have: shapes are
 * exact up to rounding of the compiler's arithmetic, glyphs differ a little from
 * one FreeType to the next. */
static const struct golden {
    const char *name;
    void (*build)(struct dl *d, bool dark);
    bool dark;
    int most;
    double mean;
} goldens[] = {
    { "shapes-light", build_shapes, false, 3, 0.05 },
    { "shapes-dark", build_shapes, true, 3, 0.05 },
    { "text-light", build_text, false, 120, 1.0 },
    { "text-dark", build_text, true, 120, 1.0 },
};

static void
golden_path(const struct golden *g, char *buf, size_t n)
{
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(buf, n, "%s/tests/pixel/%s.png", root ? root : ".", g->name);
}

static void
compare(const struct golden *g, SDL_Surface *want, struct hl_pixels got)
{
    double sum = 0;
    int most = 0;
    assert_int_equal(want->w, got.w);
    assert_int_equal(want->h, got.h);
    for (int y = 0; y < got.h; y++) {
        const void *at = (const char *)want->pixels + (ptrdiff_t)y * want->pitch;
        const uint32_t *row = at;
        for (int x = 0; x < got.w; x++)
            for (int shift = 0; shift < 24; shift += 8) {
                int a = (int)(row[x] >> shift & 255);
                int b = (int)(got.p[y * got.stride + x] >> shift & 255);
                most = abs(a - b) > most ? abs(a - b) : most;
                sum += abs(a - b);
            }
    }
    sum /= 3.0 * got.w * got.h;
    if (most > g->most || sum > g->mean)
        fail_msg("%s differs by up to %d, %.3f in the mean", g->name, most, sum);
}

static void
test_goldens(void **state)
{
    (void)state;
    for (int i = 0; i < N_OF(goldens); i++) {
        const struct golden *g = &goldens[i];
        struct dl d = { 0 };
        char path[1024];
        g->build(&d, g->dark);
        struct hl_pixels px = pixels_new((int)(d.width * d.scale), (int)(d.height * d.scale));
        assert_true(render_draw(render, &d, px));
        golden_path(g, path, sizeof path);
        SDL_Surface *read = IMG_Load(path);
        if (!read)
            fail_msg("%s: %s", path, IMG_GetError());
        SDL_Surface *want = SDL_ConvertSurfaceFormat(read, SDL_PIXELFORMAT_ARGB8888, 0);
        assert_non_null(want);
        compare(g, want, px);
        SDL_FreeSurface(want);
        SDL_FreeSurface(read);
        free(px.p);
        dl_deinit(&d);
    }
}

static void
test_png_refused(void **state)
{
    (void)state;
    struct dl d = { 0 };
    struct hl_error err = { 0 };
    dl_begin(&d, 0, 10, 1, 0);
    assert_int_equal(render_png(render, &d, "none.png", &err), HL_E_ARGUMENT);
    dl_begin(&d, 1e6f, 10, 1, 0);
    assert_int_equal(render_png(render, &d, "none.png", &err), HL_E_ARGUMENT);
    dl_begin(&d, 10, 10, 1, 0);
    assert_int_equal(render_png(render, &d, "/nowhere/at/all.png", &err), HL_E_WRITE);
    dl_deinit(&d);
}

static int
update(void)
{
    int status = getenv("CI") ? 2 : 0;
    for (int i = 0; i < N_OF(goldens) && status == 0; i++) {
        struct dl d = { 0 };
        char path[1024];
        goldens[i].build(&d, goldens[i].dark);
        golden_path(&goldens[i], path, sizeof path);
        status = render_png(render, &d, path, NULL) == HL_OK ? 0 : 1;
        dl_deinit(&d);
    }
    return status;
}

int
main(int argc, char **argv)
{
    struct hl_error err = { 0 };
    int status = 77;
    if (fonts_create_family("DejaVu Sans", &fonts, &err) == HL_OK &&
        strcmp(fonts_family(fonts, DL_FONT_UI), "DejaVu Sans") == 0 &&
        render_create(fonts, &render, &err) == HL_OK) {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_areas),
            cmocka_unit_test(test_update),
            cmocka_unit_test(test_update_after_changes),
            cmocka_unit_test(test_goldens),
            cmocka_unit_test(test_png_refused),
        };
        status = argc == 2 && strcmp(argv[1], "update") == 0
                     ? update()
                     : cmocka_run_group_tests(tests, NULL, NULL);
    }
    render_destroy(render);
    fonts_destroy(fonts);
    return status;
}

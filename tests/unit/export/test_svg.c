/* SVG against a golden file; `update` as the only argument writes it anew. */
#include "harness/test.h"

#include <ctype.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "draw/theme.h"
#include "export/svg.h"

/* ---- a small strict XML reader: well-formed or not ---- */

static bool
is_name(char c)
{
    return isalnum((unsigned char)c) || c == ':' || c == '-' || c == '_';
}

/* Past an entity or reference at p, NULL when it is none that XML knows. */
static const char *
entity(const char *p)
{
    static const char *const known[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;" };
    for (int i = 0; i < N_OF(known); i++)
        if (strncmp(p, known[i], strlen(known[i])) == 0)
            return p + strlen(known[i]);
    return NULL;
}

static const char *
attributes(const char *p)
{
    while (*p == ' ') {
        const char *name = ++p;
        while (is_name(*p))
            p++;
        if (p == name || *p++ != '=' || *p++ != '"')
            return NULL;
        while (*p && *p != '"') {
            if (*p == '<' || (*p == '&' && !entity(p)))
                return NULL;
            p++;
        }
        if (*p++ != '"')
            return NULL;
    }
    return p;
}

static bool
well_formed(const char *p)
{
    char stack[64][32];
    int depth = 0, roots = 0;
    if (strncmp(p, "<?xml", 5) == 0)
        p = strstr(p, "?>") + 2;
    while (*p) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
            return false;
        if (c == '&') {
            if (!(p = entity(p)))
                return false;
        } else if (c != '<') {
            if (depth == 0 && !isspace(c))
                return false;
            p++;
        } else if (p[1] == '/') {
            size_t n = depth > 0 ? strlen(stack[depth - 1]) : 0;
            if (depth == 0 || strncmp(p + 2, stack[depth - 1], n) != 0 || p[2 + n] != '>')
                return false;
            p += n + 3;
            depth--;
        } else {
            const char *name = ++p;
            while (is_name(*p))
                p++;
            size_t n = (size_t)(p - name);
            if (n == 0 || n >= sizeof stack[0] || depth == N_OF(stack))
                return false;
            memcpy(stack[depth], name, n);
            stack[depth][n] = '\0';
            roots += depth == 0;
            if (!(p = attributes(p)))
                return false;
            if (p[0] == '/' && p[1] == '>') {
                p += 2;
            } else if (*p == '>') {
                p++;
                depth++;
            } else {
                return false;
            }
        }
    }
    return depth == 0 && roots == 1;
}

/* ---- cases ---- */

static void
build_sample(struct dl *d)
{
    static const float lamp[] = { 20, 24, 36, 14, 36, 34 };
    static const uint8_t cells[] = { 0, 7, 254, 255, 16, 128 };
    dl_begin(d, 320, 200, 1, 0xf7f7f4ff);
    dl_fill(d, rect_make(10, 10, 300, 180.333f), 10, 0xffffffff);
    dl_stroke(d, rect_make(10, 10, 300, 180), 10, 1, 0xe3e3deff);
    dl_clip(d, rect_make(10, 10, 300, 180));
    dl_poly(d, lamp, 3, 0x3a49c4ff);
    dl_line(d, 10, 47.5f, 310, 47.5f, 1, 0xe3e3deff);
    dl_ribbon(d, 60, 60, 90, 120, 6.5f, false, 0x3a49c4b0);
    dl_ribbon(d, 60, 60, 90, 120, 0.1f, true, 0x3a49c4b0);
    dl_unclip(d);
    dl_text(d, 62, 30, DL_FONT_UI_BOLD, 14, DL_LEFT, 0x1c2024ff, "<Head & light>  \xC3\xA9");
    dl_text(d, 300, 30, DL_FONT_MONO, 12.5f, DL_RIGHT, 0x6b7178ff, "0.9936");
    dl_text_ex(d, 100, 100, DL_FONT_UI_MEDIUM, 12.5f, DL_CENTER, 0x6b7178ff, 50, 0, "turned", 6);
    dl_text_ex(d, 100, 190, DL_FONT_UI, 10, DL_LEFT, 0x6b7178ff, 0, 40, "much too long", 13);
    dl_heat(d, rect_make(120, 60, 60, 40), 2, 3, 1, 2, DL_MAP_WEIGHT, false, cells);
    dl_heat(d, rect_make(200, 60, 60, 40), 2, 3, 0, 0, DL_MAP_SIGNED, true, cells);
    static const hl_color pixels[] = { 0x000000ff, 0xffffffff, 0x3a49c480,
                                       0xd9730dff, 0x00ff00ff, 0 };
    dl_image(d, rect_make(120, 120, 60, 40), 2, 3, pixels);
    dl_image(d, rect_make(200, 120, 2, 1), 2, 3, pixels);
    dl_hit(d, rect_make(0, 0, 30, 20), DL_CURSOR_HAND, "never written");
}

static void
golden_path(char *buf, size_t n)
{
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(buf, n, "%s/tests/unit/export/sample.svg", root ? root : ".");
}

static void
test_golden(void **state)
{
    (void)state;
    struct dl d = { 0 };
    struct hl_sb sb = { 0 };
    char path[1024];
    struct hl_map_file f;
    struct hl_error err;
    build_sample(&d);
    svg_write(&d, &hl_metrics_fixed, &sb);
    assert_true(well_formed(sb.p));
    assert_null(strstr(sb.p, "never written"));
    golden_path(path, sizeof path);
    assert_int_equal(hl_map_open(path, &f, &err), HL_OK);
    assert_int_equal(f.n, sb.n);
    assert_memory_equal(f.p, sb.p, sb.n);
    hl_map_close(&f);
    hl_sb_deinit(&sb);
    dl_deinit(&d);
}

static void
test_locale(void **state)
{
    (void)state;
    struct dl d = { 0 };
    struct hl_sb plain = { 0 }, comma = { 0 };
    build_sample(&d);
    svg_write(&d, &hl_metrics_fixed, &plain);
    setlocale(LC_ALL, "de_DE.UTF-8");
    svg_write(&d, &hl_metrics_fixed, &comma);
    setlocale(LC_ALL, "C");
    assert_string_equal(plain.p, comma.p);
    hl_sb_deinit(&plain);
    hl_sb_deinit(&comma);
    dl_deinit(&d);
}

/* Whatever is typed comes out as well-formed text. */
static void
test_hostile(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "</text><script>alert(1)</script>", "]]>", "<!--", "&#0;", "\x01\x02\x1b[31m",
        "\xFF\xFE\xC3", "\xEF\xBF\xBF", "\xED\xA0\x80", "\"quoted\" 'too'", "  spaces  ",
        "\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7",
    };
    for (int i = 0; i < N_OF(texts); i++) {
        struct dl d = { 0 };
        struct hl_sb sb = { 0 };
        dl_begin(&d, 10, 10, 1, 0);
        dl_clip(&d, rect_make(0, 0, 5, 5)); /* left open on purpose */
        dl_text(&d, 0, 0, DL_FONT_UI, 12, DL_LEFT, 0xff, texts[i]);
        dl_text_ex(&d, 0, 0, DL_FONT_UI, 12, DL_LEFT, 0xff, 0, 20, texts[i], strlen(texts[i]));
        svg_write(&d, &hl_metrics_fixed, &sb);
        if (!well_formed(sb.p))
            fail_msg("not well-formed: %s", sb.p);
        assert_null(strstr(sb.p, "<script"));
        hl_sb_deinit(&sb);
        dl_deinit(&d);
    }
    assert_false(well_formed("<a><b></a></b>"));
    assert_false(well_formed("<a x=1></a>"));
    assert_false(well_formed("<a>&</a>"));
    assert_false(well_formed("<a></a><b></b>"));
}

static void
test_large_grid(void **state)
{
    (void)state;
    enum { SIDE = 512 };
    struct dl d = { 0 };
    struct hl_sb sb = { 0 };
    dl_begin(&d, SIDE, SIDE, 1, 0);
    uint8_t *cells = dl_heat(&d, rect_make(0, 0, SIDE, SIDE), SIDE, SIDE, 0.2f, 0, DL_MAP_WEIGHT,
                             false, NULL);
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = (uint8_t)(i % SIDE > i / SIDE ? DL_MASKED : 200);
    svg_write(&d, &hl_metrics_fixed, &sb);
    assert_true(well_formed(sb.p));
    int paths = 0;
    for (const char *p = sb.p; (p = strstr(p, "<path")) != NULL; p++)
        paths++;
    assert_int_equal(paths, 2);
    assert_true(sb.n < 64 * 1024);
    hl_sb_deinit(&sb);
    dl_deinit(&d);
}

static int
update(void)
{
    struct dl d = { 0 };
    struct hl_sb sb = { 0 };
    char path[1024];
    if (getenv("CI"))
        return 2;
    build_sample(&d);
    svg_write(&d, &hl_metrics_fixed, &sb);
    golden_path(path, sizeof path);
    int status = hl_map_write(path, sb.p, sb.n, NULL) == HL_OK ? 0 : 1;
    hl_sb_deinit(&sb);
    dl_deinit(&d);
    return status;
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "update") == 0)
        return update();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_large_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "draw/theme.h"

#include <math.h>
#include <pthread.h>

enum { WEIGHT_STOPS = 7, SIGNED_STOPS = 7, MAP_LEN = 256 };

static const struct hl_theme light = {
    .dark = false,
    .background = 0xf7f7f4ff,
    .panel = 0xffffffff,
    .ink = 0x1c2024ff,
    .quiet = 0x6b7178ff,
    .line = 0xe3e3deff,
    .accent = 0x3a49c4ff,
    .accent_soft = 0xe3e6faff,
    .chip = 0xeeeeebff,
    .chip_ink = 0x1c2024ff,
    .chip_quiet = 0x62686fff,
    .pinned = 0xd9730dff,
    .pinned_soft = 0xfdebd8ff,
    .pinned_ink = 0x9a4a00ff,
    .masked = 0xe9e8e2ff,
    .error = 0xb3261eff,
    .focus = 0x3a49c4ff,
    .white_on_accent = 0xffffffff,
    .head = { 0x0072b2ff, 0xc18503ff, 0x009e73ff, 0xd55e00ff, 0xc976a4ff, 0x3999cdff, 0x9c9300ff,
              0x7a8088ff },
    .small = 11,
    .body = 12.5f,
    .label = 14,
    .large = 21,
};

static const struct hl_theme dark = {
    .dark = true,
    .background = 0x121417ff,
    .panel = 0x1a1d22ff,
    .ink = 0xe7e9ecff,
    .quiet = 0x959ba3ff,
    .line = 0x2a2e35ff,
    .accent = 0x93a2ffff,
    .accent_soft = 0x2b3055ff,
    .chip = 0x23272eff,
    .chip_ink = 0xe7e9ecff,
    .chip_quiet = 0x959ba3ff,
    .pinned = 0xffab57ff,
    .pinned_soft = 0x3a2a18ff,
    .pinned_ink = 0xffab57ff,
    .masked = 0x0d0f11ff,
    .error = 0xff9188ff,
    .focus = 0x93a2ffff,
    .white_on_accent = 0x121417ff,
    .head = { 0x2c8fd4ff, 0xe69f00ff, 0x16b184ff, 0xe8702aff, 0xcc79a7ff, 0x7cc6f2ff, 0xe3d84aff,
              0x9aa1a9ff },
    .small = 11,
    .body = 12.5f,
    .label = 14,
    .large = 21,
};

static const hl_color weight_stops[2][WEIGHT_STOPS] = {
    { 0xfbfbf8ff, 0xc8d0f3ff, 0x97a5e9ff, 0x687cd8ff, 0x3f4fc6ff, 0x25308cff, 0x0f1550ff },
    { 0x1f2329ff, 0x303c77ff, 0x4a59b8ff, 0x6f7fddff, 0x98a7ffff, 0xcad3ffff, 0xffffffff },
};

/* OKLab lightness runs evenly from the panel to both ends. */
static const hl_color signed_stops[2][SIGNED_STOPS] = {
    { 0x6f3600ff, 0xba6826ff, 0xddb499ff, 0xffffffff, 0xb1bce5ff, 0x6978cdff, 0x32379bff },
    { 0xffd6acff, 0xd38127ff, 0x7e460eff, 0x1a1d22ff, 0x45508dff, 0x7d8fedff, 0xd4dcffff },
};

const struct hl_theme *
theme_get(bool is_dark)
{
    return is_dark ? &dark : &light;
}

/* ---- colour arithmetic ---- */

static double
channel(hl_color c, int shift)
{
    return (double)(c >> shift & 255) / 255;
}

static double
to_linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static uint32_t
to_byte(double linear)
{
    double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return v <= 0 ? 0 : v >= 1 ? 255 : (uint32_t)(v * 255 + 0.5);
}

/* OKLab: B. Ottosson, "A perceptual color space for image processing", 2020. */
static void
to_oklab(hl_color c, double lab[3])
{
    double r = to_linear(channel(c, 24)), g = to_linear(channel(c, 16)),
           b = to_linear(channel(c, 8));
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static hl_color
from_oklab(const double lab[3])
{
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    uint32_t r = to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    uint32_t g = to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    uint32_t b = to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
    return r << 24 | g << 16 | b << 8 | 255;
}

static hl_color
along(const hl_color *stops, int n, double t)
{
    double at = t * (n - 1), lab0[3], lab1[3];
    int i = at >= n - 1 ? n - 2 : (int)at;
    to_oklab(stops[i], lab0);
    to_oklab(stops[i + 1], lab1);
    for (int k = 0; k < 3; k++)
        lab0[k] += (at - i) * (lab1[k] - lab0[k]);
    return from_oklab(lab0);
}

/* ---- maps ---- */

static hl_color maps[DL_MAP_COUNT][2][MAP_LEN];
static pthread_once_t maps_once = PTHREAD_ONCE_INIT;

static void
fill_maps(void)
{
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < DL_MASKED; i++) {
            double t = (double)i / (DL_MASKED - 1);
            maps[DL_MAP_WEIGHT][d][i] = along(weight_stops[d], WEIGHT_STOPS, t);
            maps[DL_MAP_SIGNED][d][i] = along(signed_stops[d], SIGNED_STOPS, t);
        }
        for (int m = 0; m < DL_MAP_COUNT; m++)
            maps[m][d][DL_MASKED] = theme_get(d == 1)->masked;
    }
}

const hl_color *
theme_map(enum dl_map map, bool is_dark)
{
    pthread_once(&maps_once, fill_maps);
    return maps[map < DL_MAP_COUNT ? map : DL_MAP_WEIGHT][is_dark];
}

hl_color
theme_map_color(enum dl_map map, bool is_dark, int index)
{
    return theme_map(map, is_dark)[index & 255];
}

/* ---- contrast ---- */

static double
luminance(hl_color c)
{
    return 0.2126 * to_linear(channel(c, 24)) + 0.7152 * to_linear(channel(c, 16)) +
           0.0722 * to_linear(channel(c, 8));
}

double
theme_contrast(hl_color a, hl_color b)
{
    double la = luminance(a), lb = luminance(b);
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

hl_color
theme_text_on(hl_color on)
{
    hl_color black = 0x000000ff, white = 0xffffffff;
    return theme_contrast(on, black) >= theme_contrast(on, white) ? black : white;
}

hl_color
theme_mix(hl_color a, hl_color b, float t)
{
    hl_color out = 0;
    t = t <= 0 ? 0 : t >= 1 ? 1 : t;
    for (int shift = 0; shift < 32; shift += 8) {
        float from = (float)(a >> shift & 255), to = (float)(b >> shift & 255);
        out |= (hl_color)(from + t * (to - from) + 0.5f) << shift;
    }
    return out;
}

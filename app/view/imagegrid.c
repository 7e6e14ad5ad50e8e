/* Pictures of a few pixels and the maps of attention between their places. */
#include "view/view.h"

#include <math.h>
#include <stdio.h>

#include "base/span.h"

/* Weight as part 0..1 of the way to the dark end, by the scale of the map. */
static double
part(const struct view_image *v, float w)
{
    double t = v->top > 0 ? (double)w / v->top : 0;
    if (v->log_scale)
        t = t > 0 ? 1 + log10(t) / VIEW_DECADES : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* The paper for -1, ink for 1; black and white the other way round in the dark. */
static hl_color
grey(const struct hl_theme *t, float v)
{
    float x = fminf(fmaxf((v + 1) / 2, 0), 1);
    uint32_t level = (uint32_t)((t->dark ? x : 1 - x) * 255 + 0.5f);
    return level << 24 | level << 16 | level << 8 | 255;
}

/* The map lies over a picture like glass: at its far end one sees little more than the
 * middle of the map of weights, a blue that stands out from black and white alike. */
static hl_color
under_glass(const struct hl_theme *t, hl_color below, double weight)
{
    return theme_mix(below, theme_map_color(DL_MAP_WEIGHT, t->dark, 127), (float)(0.95 * weight));
}

hl_rect
view_image_fit(const struct ui *u, hl_rect r, int side)
{
    float scale = u->dl->scale > 0 ? u->dl->scale : 1;
    float each = floorf(fminf(r.w, r.h) * scale / (float)side);
    each = each < 1 ? 1 : each;
    float w = each * (float)side / scale;
    return rect_make(roundf(r.x * scale) / scale, roundf(r.y * scale) / scale, w, w);
}

hl_rect
view_image_place(hl_rect r, int grid, int place)
{
    float each = r.w / (float)grid;
    return rect_make(r.x + each * (float)(place % grid), r.y + each * (float)(place / grid), each,
                     each);
}

void
view_image(struct ui *u, hl_rect r, const struct view_image *v)
{
    hl_color *px = dl_image(u->dl, r, v->side, v->side, NULL);
    for (int y = 0; px != NULL && y < v->side; y++) {
        for (int x = 0; x < v->side; x++, px++) {
            int place = y * v->grid / v->side * v->grid + x * v->grid / v->side;
            *px = grey(u->theme, v->pixels[y * v->side + x]);
            if (v->w != NULL)
                *px = under_glass(u->theme, *px, part(v, v->w[place]));
        }
    }
    dl_stroke(u->dl, rect_inset(r, -1, -1), 0, 1, u->theme->line);
}

/* "0.013", or "1e−6" where that would be zeros. */
static void
legend_number(char *buf, size_t buf_sz, double v)
{
    char digits[24];
    int power = 0;
    if (v <= 0 || v > 0.9995) {
        snprintf(buf, buf_sz, v <= 0 ? "0" : "1");
    } else if (v >= 0.001) {
        hl_fmt_fixed(buf, buf_sz, v, v >= 0.1 ? 2 : 3);
    } else {
        for (; v < 0.9995; v *= 10)
            power++;
        snprintf(buf, buf_sz, "%se−%d", hl_fmt_fixed(digits, sizeof digits, v, 0), power);
    }
}

void
view_image_legend(struct ui *u, hl_rect r, const struct view_image *v)
{
    enum { STEPS = 64 };
    const struct hl_theme *t = u->theme;
    float w = fminf(160, r.w * 0.4f);
    hl_color *px = dl_image(u->dl, rect_make(r.x, r.y + 2, w, 8), 1, STEPS, NULL);
    for (int i = 0; px != NULL && i < STEPS; i++)
        px[i] = under_glass(t, grey(t, -1), (double)i / (STEPS - 1));
    dl_stroke(u->dl, rect_make(r.x - 1, r.y + 1, w + 2, 10), 1, 1, t->line);
    for (int i = 0; i < 3; i++) {
        char buf[32];
        double f = v->log_scale ? v->top * pow(10, -VIEW_DECADES * (1 - i / 2.0)) : v->top * i / 2;
        legend_number(buf, sizeof buf, f);
        dl_text(u->dl, roundf(r.x + w * (float)i / 2), r.y + 24, DL_FONT_MONO, t->small,
                i == 0   ? DL_LEFT
                : i == 1 ? DL_CENTER
                         : DL_RIGHT,
                t->quiet, buf);
    }
    float x = r.x + w + 16;
    ui_paragraph(u, rect_make(x, r.y - 3, r.x + r.w - x, r.h), DL_FONT_UI, t->small, t->quiet,
                 v->note, true);
}

/* ---- every place at once ---- */

/* Device pixels of a cell and of the space between two tiles. */
static int
sheet_cell(const struct ui *u, float w, int grid, int *gap)
{
    float scale = u->dl->scale > 0 ? u->dl->scale : 1;
    *gap = scale >= 2 ? 2 : 1;
    /* half a pixel more: a width that came out of this fits into itself again */
    int pitch = (int)(w * scale + (float)*gap + 0.5f) / grid, cell = (pitch - *gap) / grid;
    return cell < 1 ? 1 : cell;
}

float
view_places_size(const struct ui *u, float w, int grid)
{
    int gap, cell = sheet_cell(u, w, grid, &gap);
    float scale = u->dl->scale > 0 ? u->dl->scale : 1;
    return (float)((cell * grid + gap) * grid - gap) / scale;
}

static void
tile(struct ui *u, hl_rect r, const struct view_places *v, int place)
{
    int n = v->grid * v->grid;
    uint8_t *cells = dl_heat(u->dl, r, v->grid, v->grid, 0, 0, DL_MAP_WEIGHT, u->theme->dark, NULL);
    struct view_image scale = { .log_scale = v->log_scale, .top = v->lock ? 1 : 0 };
    size_t step = v->looked_at ? (size_t)n : 1;
    const float *w = v->looked_at ? v->w + place : v->w + (size_t)place * (size_t)n;
    for (int i = 0; !v->lock && i < n; i++)
        scale.top = fmax(scale.top, (double)w[(size_t)i * step]);
    for (int i = 0; cells != NULL && i < n; i++)
        cells[i] = theme_step(part(&scale, w[(size_t)i * step]));
}

hl_rect
view_places(struct ui *u, hl_rect r, const struct view_places *v)
{
    int gap, cell = sheet_cell(u, r.w, v->grid, &gap);
    float scale = u->dl->scale > 0 ? u->dl->scale : 1, side = (float)(cell * v->grid) / scale;
    float pitch = side + (float)gap / scale, x0 = roundf(r.x * scale) / scale,
          y0 = roundf(r.y * scale) / scale;
    float all = pitch * (float)v->grid - (float)gap / scale;
    for (int i = 0; i < v->grid * v->grid; i++)
        tile(u,
             rect_make(x0 + pitch * (float)(i % v->grid), y0 + pitch * (float)(i / v->grid), side,
                       side),
             v, i);
    for (int i = 0; i < v->n_marked; i++) {
        int at = v->marked[i];
        hl_rect t = rect_make(x0 + pitch * (float)(at % v->grid),
                              y0 + pitch * (float)(at / v->grid), side, side);
        dl_stroke(u->dl, rect_inset(t, -2, -2), 1, 2,
                  at == v->hot ? u->theme->accent : u->theme->pinned);
    }
    return rect_make(x0, y0, all, all);
}

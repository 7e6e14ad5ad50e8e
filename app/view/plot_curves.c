#include "view/plot_curves.h"

#include <math.h>
#include <stdio.h>

#include "base/span.h"

float
plot_x(const struct plot_axes *a, double x)
{
    return a->r.x + (float)((x - a->x0) / (a->x1 - a->x0)) * a->r.w;
}

float
plot_y(const struct plot_axes *a, double y)
{
    return a->r.y + a->r.h - (float)((y - a->y0) / (a->y1 - a->y0)) * a->r.h;
}

double
plot_step(double range, float px, float min_px, double least)
{
    double need = px > 0 ? range * (double)min_px / (double)px : range;
    need = need < least ? least : need;
    double unit = pow(10, floor(log10(need) + 1e-9));
    double m = need / unit;
    return unit * (m <= 1.0001 ? 1 : m <= 2.0001 ? 2 : m <= 5.0001 ? 5 : 10);
}

static void
number(struct ui *u, hl_rect r, enum dl_align align, double v)
{
    char buf[32];
    struct hl_sb sb = { 0 };
    hl_sb_num(&sb, fabs(v), 4);
    snprintf(buf, sizeof buf, "%s%s", v < 0 ? "−" : "", sb.n > 0 ? sb.p : "");
    hl_sb_deinit(&sb);
    ui_label(u, r, DL_FONT_MONO, u->theme->small, align, u->theme->quiet, buf);
}

void
plot_frame(struct ui *u, const struct plot_axes *a, const char *x_title)
{
    const double ys[3] = { a->y0, (a->y0 + a->y1) / 2, a->y1 };
    double step = plot_step(a->x1 - a->x0, a->r.w, 56, 1);
    for (int i = 0; i < 3; i++) {
        float y = roundf(plot_y(a, ys[i]));
        ui_rule(u, a->r.x, y, a->r.w);
        number(u, rect_make(a->r.x - 58, y - 8, 50, 16), DL_RIGHT, ys[i]);
    }
    for (double x = ceil(a->x0 / step) * step; x <= a->x1 + 1e-9; x += step)
        number(u, rect_make(plot_x(a, x) - 24, a->r.y + a->r.h + 2, 48, 14), DL_CENTER, x);
    ui_label(u, rect_make(a->r.x, a->r.y + a->r.h + 16, a->r.w, 16), DL_FONT_UI, u->theme->small,
             DL_CENTER, u->theme->quiet, x_title);
}

void
plot_curve(struct ui *u, const struct plot_axes *a, double (*f)(void *user, double x), void *user,
           int n, float width, hl_color color)
{
    float px = plot_x(a, a->x0), py = plot_y(a, f(user, a->x0));
    for (int i = 1; i <= n; i++) {
        double x = a->x0 + (a->x1 - a->x0) * i / n;
        float qx = plot_x(a, x), qy = plot_y(a, f(user, x));
        dl_line(u->dl, px, py, qx, qy, width, color);
        px = qx;
        py = qy;
    }
}

void
plot_dot(struct ui *u, const struct plot_axes *a, double x, double y, float radius, hl_color color)
{
    float px = plot_x(a, x), py = plot_y(a, y);
    dl_fill(u->dl, rect_make(px - radius, py - radius, 2 * radius, 2 * radius), radius, color);
}

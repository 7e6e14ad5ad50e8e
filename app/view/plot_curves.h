/* Curves over a plain pair of axes. Thread-safety: as the list. */
#pragma once

#include "ui/ui.h"

struct plot_axes {
    hl_rect r;             /* where the curves run, without labels */
    double x0, x1, y0, y1; /* values at its borders; x0 < x1, y0 < y1 */
};

/* Pixels of a value. */
float plot_x(const struct plot_axes *a, double x);
float plot_y(const struct plot_axes *a, double y);

/* A step 1, 2 or 5 times a power of ten, so that marks lie at least `min_px` apart on
 * `px` pixels that span `range`; at least `least`. */
double plot_step(double range, float px, float min_px, double least);

/* Hairlines at y0, the middle and y1 with their numbers on the left, marks along x
 * with theirs below, and the title of x. Takes 36 pixels left of r and 32 below. */
void plot_frame(struct ui *u, const struct plot_axes *a, const char *x_title);

/* f over x0..x1 in n steps. */
void plot_curve(struct ui *u, const struct plot_axes *a, double (*f)(void *user, double x),
                void *user, int n, float width, hl_color color);

/* A dot at (x, y). */
void plot_dot(struct ui *u, const struct plot_axes *a, double x, double y, float radius,
              hl_color color);

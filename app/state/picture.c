#include "state/picture.h"

#include "io/image.h"

static int
border_of(int side)
{
    return side / 16;
}

enum hl_status
picture_prepare(const struct hl_picture *p, int side, bool exchange, float *out,
                struct hl_error *err)
{
    struct hl_image image = { p->rgba, p->w, p->h, 4, (ptrdiff_t)p->w * 4 };
    struct hl_image_fit fit = { .side = side, .border = border_of(side), .invert = exchange };
    return hl_image_prepare(&image, &fit, out, err);
}

bool
picture_light_edges(const float *px, int side)
{
    double sum = 0;
    int first = border_of(side), last = side - 1 - first;
    for (int i = first; i <= last; i++)
        sum += (double)(px[first * side + i] + px[last * side + i] + px[i * side + first] +
                        px[i * side + last]);
    return sum > 0;
}

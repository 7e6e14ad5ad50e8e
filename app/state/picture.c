#include "state/picture.h"

#include "base/alloc.h"
#include "base/size.h"
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

/* Mean of the k x k pixels from (x0, y0) on, as far as there are any. */
static hl_color
block_mean(const struct hl_picture *p, int x0, int y0, int k)
{
    uint64_t sum[4] = { 0 }, n = 0;
    hl_color out = 0;
    for (int y = y0; y < y0 + k && y < p->h; y++) {
        for (int x = x0; x < x0 + k && x < p->w; x++, n++) {
            const uint8_t *px = p->rgba + ((size_t)y * (size_t)p->w + (size_t)x) * 4;
            for (int c = 0; c < 4; c++)
                sum[c] += px[c];
        }
    }
    for (int c = 0; c < 4; c++)
        out = out << 8 | (hl_color)((sum[c] + n / 2) / n);
    return out;
}

hl_color *
picture_preview(const struct hl_picture *p, int most, int *w, int *h, hl_rect *crop)
{
    int side = p->w > p->h ? p->w : p->h, k = (side + most - 1) / most;
    int cols = (p->w + k - 1) / k, rows = (p->h + k - 1) / k;
    size_t n;
    hl_color *out = hl_size_mul((size_t)cols, (size_t)rows, &n) ? hl_alloc(n, sizeof *out) : NULL;
    if (out == NULL)
        return NULL;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++)
            out[y * cols + x] = block_mean(p, x * k, y * k, k);
    }
    struct hl_image_square s = hl_image_middle(p->w, p->h);
    *crop = rect_make((float)s.x / (float)k, (float)s.y / (float)k, (float)s.side / (float)k,
                      (float)s.side / (float)k);
    *w = cols;
    *h = rows;
    return out;
}

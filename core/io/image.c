#include "io/image.h"

struct hl_image_square
hl_image_middle(int w, int h)
{
    int side = w < h ? w : h;
    return (struct hl_image_square) { (w - side) / 2, (h - side) / 2, side };
}

static enum hl_status
check(const struct hl_image *image, const struct hl_image_fit *fit, struct hl_error *err)
{
    if (!image->pixels || image->w < 1 || image->h < 1) {
        return hl_error_set(err, HL_E_ARGUMENT, "picture", "its size is %d x %d pixels", image->w,
                            image->h);
    }
    if (image->channels != 1 && image->channels != 4) {
        return hl_error_set(err, HL_E_ARGUMENT, "picture", "%d channels are neither grey nor RGBA",
                            image->channels);
    }
    if (fit->side < 1 || fit->side > HL_IMAGE_MAX_SIDE || fit->border < 0 ||
        fit->border > (fit->side - 1) / 2) {
        return hl_error_set(err, HL_E_ARGUMENT, "picture",
                            "a side of %d with a border of %d leaves nothing to draw on", fit->side,
                            fit->border);
    }
    return HL_OK;
}

/* Grey of a pixel over the background (0 or 1), 0..1. */
static double
grey(const uint8_t *p, int channels, double background)
{
    if (channels == 1)
        return p[0] / 255.0;
    double alpha = p[3] / 255.0;
    double own = (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255.0;
    return alpha * own + (1.0 - alpha) * background;
}

/* Which of m results the source pixel i of n covers, and how much of each: source pixels
 * are m units wide and results n. Calls for its parts one after another from *from = i * m
 * on, until false. */
static bool
next_part(int64_t i, int64_t n, int64_t m, int64_t *from, int *cell, double *share)
{
    int64_t to = (i + 1) * m;
    if (*from >= to)
        return false;
    *cell = (int)(*from / n);
    int64_t end = (*cell + 1) * n < to ? (*cell + 1) * n : to;
    *share = (double)(end - *from) / (double)n;
    *from = end;
    return true;
}

/* Row y of the square, averaged along the row into m results. */
static void
average_row(const struct hl_image *image, struct hl_image_square s, int y, double background, int m,
            double *row)
{
    const uint8_t *p = image->pixels + (s.y + y) * image->stride + (ptrdiff_t)s.x * image->channels;
    for (int c = 0; c < m; c++)
        row[c] = 0.0;
    for (int64_t i = 0; i < s.side; i++, p += image->channels) {
        int64_t from = i * m;
        int cell;
        double share, v = grey(p, image->channels, background);
        while (next_part(i, s.side, m, &from, &cell, &share))
            row[cell] += v * share;
    }
}

enum hl_status
hl_image_prepare(const struct hl_image *image, const struct hl_image_fit *fit, float *out,
                 struct hl_error *err)
{
    double row[HL_IMAGE_MAX_SIDE], mean[HL_IMAGE_MAX_SIDE][HL_IMAGE_MAX_SIDE] = { { 0 } };
    enum hl_status st = check(image, fit, err);
    if (st != HL_OK)
        return st;
    const struct hl_image_square s = hl_image_middle(image->w, image->h);
    int m = fit->side - 2 * fit->border;

    for (int64_t y = 0; y < s.side; y++) {
        int64_t from = y * m;
        int cell;
        double share;
        average_row(image, s, (int)y, fit->invert ? 1.0 : 0.0, m, row);
        while (next_part(y, s.side, m, &from, &cell, &share)) {
            for (int c = 0; c < m; c++)
                mean[cell][c] += row[c] * share;
        }
    }
    for (int i = 0; i < fit->side * fit->side; i++)
        out[i] = -1.0f;
    for (int r = 0; r < m; r++) {
        for (int c = 0; c < m; c++) {
            double v = fit->invert ? 1.0 - mean[r][c] : mean[r][c];
            out[(fit->border + r) * fit->side + fit->border + c] = (float)(2.0 * v - 1.0);
        }
    }
    return HL_OK;
}

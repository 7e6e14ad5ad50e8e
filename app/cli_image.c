#include "cli_image.h"

#include <string.h>

#include "sdl/picture.h"

enum hl_status
cli_image_invert(const char *value, int *exchange, struct hl_error *err)
{
    static const char *const names[] = { "auto", "off", "on" };
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            *exchange = i - 1;
            return HL_OK;
        }
    }
    return hl_error_set(err, HL_E_ARGUMENT, "invert", "'%.60s' is not on, off or auto", value);
}

enum hl_status
cli_image_open(int side, int exchange, const char *path, float *px, struct hl_error *err)
{
    struct hl_picture *p = NULL;
    enum hl_status st = picture_open(path, &p, err);
    if (st == HL_OK)
        st = picture_prepare(p, side, exchange == 1, px, err);
    if (st == HL_OK && exchange < 0 && picture_light_edges(px, side))
        st = picture_prepare(p, side, true, px, err);
    picture_free(p);
    return st;
}

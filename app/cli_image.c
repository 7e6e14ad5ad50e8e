#include "cli_image.h"

#include <math.h>
#include <string.h>

#include "base/span.h"
#include "sdl/picture.h"

static enum hl_status
whole(const char *key, const char *value, double most, double *out, struct hl_error *err)
{
    if (!hl_parse_double(value, out) || *out != floor(*out) || *out < 0 || *out > most)
        return hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is not a whole number from 0 to %.0f",
                            value, most);
    return HL_OK;
}

static enum hl_status
set_invert(struct cli_image *c, const char *value, struct hl_error *err)
{
    static const char *const names[] = { "auto", "off", "on" };
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            c->exchange = i - 1;
            return HL_OK;
        }
    }
    return hl_error_set(err, HL_E_ARGUMENT, "invert", "'%.60s' is not on, off or auto", value);
}

enum hl_status
cli_image_key(const struct hl_sagan_info *info, struct cli_image *c, const char *key,
              const char *value, bool *known, struct hl_error *err)
{
    double v = 0;
    enum hl_status st = HL_OK;
    *known = true;
    if (strcmp(key, "invert") == 0)
        return set_invert(c, value, err);
    if (strcmp(key, "seed") == 0) {
        st = whole(key, value, 9e15, &v, err);
        c->options.seed = st == HL_OK ? (uint64_t)v : 0; /* -1 fits no unsigned type */
    } else if (strcmp(key, "snapshot") == 0) {
        st = whole(key, value, info->n_snapshots, &v, err);
        c->options.snapshot = st == HL_OK ? (int)v : 0;
    } else if (strcmp(key, "gamma") == 0) {
        if (!hl_parse_double(value, &v) || !(fabs(v) <= 100))
            return hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is not a number from -100 to 100",
                                value);
        c->options.has_gamma = true;
        c->options.gamma = (float)v;
    } else {
        *known = false;
    }
    return st;
}

enum hl_status
cli_image_open(const struct hl_sagan_info *info, struct cli_image *c, const char *path,
               struct hl_error *err)
{
    struct hl_picture *p = NULL;
    float *px = c->options.picture;
    enum hl_status st = picture_open(path, &p, err);
    if (st == HL_OK)
        st = picture_prepare(p, info->side, c->exchange == 1, px, err);
    if (st == HL_OK && c->exchange < 0 && picture_light_edges(px, info->side))
        st = picture_prepare(p, info->side, true, px, err);
    picture_free(p);
    c->options.discriminator = true;
    return st;
}

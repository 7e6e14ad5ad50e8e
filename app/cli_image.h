/* What the command line says to a model of pictures. */
#pragma once

#include "base/error.h"
#include "model/model.h"

/* Options of a run and how a picture is prepared for it. */
struct cli_image {
    struct hl_sagan_options options;
    int exchange; /* light and dark: 1 exchanged, 0 not, -1 by the picture's edges */
};

/* Applies one KEY=VALUE: seed, gamma, snapshot, invert. *known is false for other keys.
 * Fails: ARGUMENT. */
enum hl_status cli_image_key(const struct hl_sagan_info *info, struct cli_image *c, const char *key,
                             const char *value, bool *known, struct hl_error *err);
/* The picture at `path` for the discriminator. Fails: NOT_FOUND, READ, IMAGE, NOMEM. */
enum hl_status cli_image_open(const struct hl_sagan_info *info, struct cli_image *c,
                              const char *path, struct hl_error *err);

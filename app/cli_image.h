/* What the command line says to a model that takes pictures. */
#pragma once

#include "base/error.h"

/* Reads on, off or auto: *exchange of light and dark is 1, 0 or -1 (by the picture's
 * edges). Fails: ARGUMENT. */
enum hl_status cli_image_invert(const char *value, int *exchange, struct hl_error *err);
/* The picture at `path` as side x side numbers. Fails: NOT_FOUND, READ, IMAGE, NOMEM. */
enum hl_status cli_image_open(int side, int exchange, const char *path, float *px,
                              struct hl_error *err);

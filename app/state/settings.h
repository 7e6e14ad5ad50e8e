/* The file that keeps settings and typed texts, read as plain pairs. */
#pragma once

#include <stddef.h>

#include "base/error.h"

/* Calls `each` for every string and number of {"key": value, "list": [value …],
 * "settings": {"section": {"key": value}}}: section is "" at the top, the list's
 * name for its elements (key then is their number from 0), or the screen's id.
 * Strings live during the call. Thread-safety: reentrant. Fails: JSON, NOMEM. */
enum hl_status settings_read(const char *json, size_t n,
                             void (*each)(void *user, const char *section, const char *key,
                                          const char *value),
                             void *user, struct hl_error *err);

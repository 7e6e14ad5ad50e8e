/* The models of this run: opened once by name, kept until the end. */
#pragma once

#include "base/error.h"
#include "model/model.h"
#include "paths.h"

enum { LIBRARY_MAX = 16 };

struct hl_library {
    struct hl_paths paths;
    int n;
    struct {
        char name[PATH_SZ];
        struct hl_model *model; /* NULL when opening failed */
        struct hl_error error;
    } entry[LIBRARY_MAX];
};

void
library_init(struct hl_library *l);
void
library_deinit(struct hl_library *l);

/* Opens NAME or a folder, or gives the one already open. A failure is remembered,
 * so that asking at each key costs nothing. Fails: as hl_model_open, NOT_FOUND
 * with the folders that were searched. */
enum hl_status
library_get(struct hl_library *l, const char *name, const struct hl_model **out,
            struct hl_error *err);

/* Calls `each` for every model folder of the shipped and installed places and of
 * the download cache, without opening weights. */
void
library_list(const struct hl_library *l,
             void (*each)(void *user, const char *kind, const char *name, const char *dir),
             void *user);

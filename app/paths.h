/* Where things lie: models, settings. The only place that reads the environment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PATHS_MAX = 8, PATH_SZ = 1024 };

struct hl_paths {
    int n;
    struct {
        char dir[PATH_SZ];
        const char *kind; /* "shipped", "installed", "yours" */
    } models[PATHS_MAX];
    char hub[PATH_SZ];    /* Hugging Face's cache of downloads, "" if none */
    char state[PATH_SZ];  /* file that keeps settings and typed texts, "" if no home */
};

/* Looks at the program's own place, XDG folders and HEADLIGHT_MODELS. Not
 * thread-safe against changes of the environment. Fails: never. */
void
paths_init(struct hl_paths *p);

/* Finds a model by name or folder and writes its folder to out (PATH_SZ bytes). */
bool
paths_find_model(const struct hl_paths *p, const char *name, char *out);

/* mkdir -p for the folder that `file` lies in. */
bool
paths_make_parent(const char *file);

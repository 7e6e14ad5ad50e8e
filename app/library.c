#include "library.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void
library_init(struct hl_library *l)
{
    memset(l, 0, sizeof *l);
    paths_init(&l->paths);
}

void
library_deinit(struct hl_library *l)
{
    for (int i = 0; i < l->n; i++)
        hl_model_close(l->entry[i].model);
    l->n = 0;
}

static enum hl_status
not_found(const struct hl_library *l, const char *name, struct hl_error *err)
{
    char where[400] = "";
    for (int i = 0; i < l->paths.n; i++) {
        size_t at = strlen(where);
        snprintf(where + at, sizeof where - at, "%s%s", i ? ", " : "", l->paths.models[i].dir);
    }
    return hl_error_set(err, HL_E_NOT_FOUND, name, "no such model; searched %s",
                        where[0] ? where : "no folder, since none of the usual ones exists");
}

enum hl_status
library_get(struct hl_library *l, const char *name, const struct hl_model **out,
            struct hl_error *err)
{
    *out = NULL;
    for (int i = 0; i < l->n; i++) {
        if (strcmp(l->entry[i].name, name) != 0)
            continue;
        *out = l->entry[i].model;
        if (!*out && err)
            *err = l->entry[i].error;
        return *out ? HL_OK : l->entry[i].error.code;
    }
    if (strlen(name) >= PATH_SZ)
        return hl_error_set(err, HL_E_ARGUMENT, "--model", "the name is too long");
    if (l->n == LIBRARY_MAX)
        return hl_error_set(err, HL_E_ARGUMENT, name, "%d models are open already", LIBRARY_MAX);
    char dir[PATH_SZ];
    struct hl_error e = { 0 };
    struct hl_model *m = NULL;
    if (paths_find_model(&l->paths, name, dir))
        hl_model_open(dir, &m, &e);
    else
        not_found(l, name, &e);
    snprintf(l->entry[l->n].name, PATH_SZ, "%s", name);
    l->entry[l->n].model = m;
    l->entry[l->n].error = e;
    l->n++;
    if (!m && err)
        *err = e;
    *out = m;
    return m ? HL_OK : e.code;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int
visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static bool
has_file(const char *dir, const char *file)
{
    char path[2 * PATH_SZ];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", dir, file);
    return n > 0 && n < (int)sizeof path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void
list_hub(const char *hub, void (*each)(void *, const char *, const char *, const char *),
         void *user)
{
    struct dirent **repo;
    int n = scandir(hub, &repo, visible, by_name);
    for (int i = 0; i < n; i++) {
        char dir[PATH_SZ], name[256];
        int w = snprintf(dir, sizeof dir, "%s/%s/snapshots", hub, repo[i]->d_name);
        if (w > 0 && w < (int)sizeof dir && strncmp(repo[i]->d_name, "models--", 8) == 0) {
            snprintf(name, sizeof name, "%s", repo[i]->d_name + 8);
            char *dash = strstr(name, "--");
            if (dash) {
                *dash = '/';
                memmove(dash + 1, dash + 2, strlen(dash + 2) + 1);
            }
            struct dirent **snap;
            int m = scandir(dir, &snap, visible, by_name);
            for (int k = 0; k < m; k++) {
                char full[PATH_SZ + 300];
                snprintf(full, sizeof full, "%s/%s", dir, snap[k]->d_name);
                if (has_file(full, "config.json"))
                    each(user, "found", name, full);
                free(snap[k]);
            }
            if (m >= 0)
                free(snap);
        }
        free(repo[i]);
    }
    if (n >= 0)
        free(repo);
}

void
library_list(const struct hl_library *l,
             void (*each)(void *user, const char *kind, const char *name, const char *dir),
             void *user)
{
    for (int i = 0; i < l->paths.n; i++) {
        struct dirent **found;
        int n = scandir(l->paths.models[i].dir, &found, visible, by_name);
        for (int k = 0; k < n; k++) {
            char dir[PATH_SZ + 300];
            snprintf(dir, sizeof dir, "%s/%s", l->paths.models[i].dir, found[k]->d_name);
            if (has_file(dir, "config.json"))
                each(user, l->paths.models[i].kind, found[k]->d_name, dir);
            free(found[k]);
        }
        if (n >= 0)
            free(found);
    }
    if (l->paths.hub[0])
        list_hub(l->paths.hub, each, user);
}

#include "paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_model(const char *dir)
{
    char path[PATH_SZ + 16];
    struct stat st;
    snprintf(path, sizeof path, "%s/config.json", dir);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void
add(struct hl_paths *p, const char *kind, const char *root, const char *below)
{
    if (p->n == PATHS_MAX || root[0] == '\0')
        return;
    char dir[PATH_SZ];
    int n = snprintf(dir, sizeof dir, "%s%s", root, below);
    char real[4096];
    if (n < 0 || n >= (int)sizeof dir || !is_dir(dir) || !realpath(dir, real) ||
        strlen(real) >= PATH_SZ)
        return;
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->models[i].dir, real) == 0)
            return;
    snprintf(p->models[p->n].dir, PATH_SZ, "%s", real);
    p->models[p->n++].kind = kind;
}

/* `variable`, or `$HOME` + fallback; "" when neither is there. */
static void
xdg(char *out, const char *variable, const char *fallback)
{
    const char *v = getenv(variable);
    const char *home = getenv("HOME");
    out[0] = '\0';
    int n = 0;
    if (v && v[0] == '/')
        n = snprintf(out, PATH_SZ, "%s", v);
    else if (home && home[0] == '/')
        n = snprintf(out, PATH_SZ, "%s%s", home, fallback);
    if (n < 0 || n >= PATH_SZ)
        out[0] = '\0';
}

static void
add_around_program(struct hl_paths *p)
{
    char exe[PATH_SZ];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0)
        return;
    exe[n] = '\0';
    char *slash = strrchr(exe, '/');
    if (!slash)
        return;
    *slash = '\0';
    add(p, "shipped", exe, "/models");
    add(p, "shipped", exe, "/../../models");
    add(p, "shipped", exe, "/../share/headlight/models");
}

void
paths_init(struct hl_paths *p)
{
    memset(p, 0, sizeof *p);
    const char *own = getenv("HEADLIGHT_MODELS");
    if (own)
        add(p, "yours", own, "");
    add_around_program(p);
    char base[PATH_SZ];
    xdg(base, "XDG_DATA_HOME", "/.local/share");
    add(p, "installed", base, "/headlight/models");
    add(p, "installed", "/usr/local/share/headlight/models", "");
    add(p, "installed", "/usr/share/headlight/models", "");

    xdg(base, "XDG_CACHE_HOME", "/.cache");
    if (base[0] && strlen(base) + 20 < PATH_SZ)
        snprintf(p->hub, sizeof p->hub, "%.*s/huggingface/hub", PATH_SZ - 24, base);
    xdg(base, "XDG_STATE_HOME", "/.local/state");
    if (base[0] && strlen(base) + 32 < PATH_SZ)
        snprintf(p->state, sizeof p->state, "%.*s/headlight/state.json", PATH_SZ - 32, base);
}

bool
paths_find_model(const struct hl_paths *p, const char *name, char *out)
{
    size_t len = strlen(name);
    if (len == 0 || len >= PATH_SZ)
        return false;
    if (strchr(name, '/') || is_model(name)) {
        memcpy(out, name, len + 1);
        return is_dir(name);
    }
    for (int i = 0; i < p->n; i++) {
        int n = snprintf(out, PATH_SZ, "%s/%s", p->models[i].dir, name);
        if (n > 0 && n < PATH_SZ && is_dir(out))
            return true;
    }
    return false;
}

bool
paths_make_parent(const char *file)
{
    char path[PATH_SZ];
    if (strlen(file) >= sizeof path)
        return false;
    snprintf(path, sizeof path, "%s", file);
    for (char *c = path + 1; *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *c = '/';
    }
    return true;
}

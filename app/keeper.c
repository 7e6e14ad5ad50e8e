#include "keeper.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "paths.h"
#include "sdl/window.h"

struct keeper {
    char path[PATH_SZ];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *p; /* not yet written */
    size_t n;
    bool stop;
    struct hl_error error; /* of the last write */
    bool untold;           /* nobody has asked for that error yet */
};

static enum hl_status
keep(const struct keeper *k, const char *p, size_t n, struct hl_error *err)
{
    if (paths_make_parent(k->path))
        return hl_map_keep(k->path, p, n, err);
    return hl_error_set(err, HL_E_WRITE, k->path, "its folder cannot be made");
}

static void *
work(void *arg)
{
    struct keeper *k = arg;
    pthread_mutex_lock(&k->lock);
    for (;;) {
        while (!k->p && !k->stop)
            pthread_cond_wait(&k->changed, &k->lock);
        if (!k->p)
            break;
        char *p = k->p;
        size_t n = k->n;
        k->p = NULL;
        pthread_mutex_unlock(&k->lock);
        struct hl_error err = { 0 };
        bool failed = keep(k, p, n, &err) != HL_OK;
        hl_free(p);
        pthread_mutex_lock(&k->lock);
        k->untold = failed && (k->untold || k->error.code == HL_OK);
        k->error = err;
        if (k->untold)
            window_wake();
    }
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

struct keeper *
keeper_create(const char *path)
{
    if (path[0] == '\0' || strlen(path) >= PATH_SZ)
        return NULL;
    struct keeper *k = hl_alloc(1, sizeof *k);
    if (!k)
        return NULL;
    snprintf(k->path, sizeof k->path, "%s", path);
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->changed, NULL);
    if (pthread_create(&k->thread, NULL, work, k) == 0)
        return k;
    pthread_mutex_destroy(&k->lock);
    pthread_cond_destroy(&k->changed);
    hl_free(k);
    return NULL;
}

void
keeper_put(struct keeper *k, const char *p, size_t n)
{
    if (!k)
        return;
    char *copy = hl_alloc(n ? n : 1, 1);
    if (!copy)
        return;
    memcpy(copy, p, n);
    pthread_mutex_lock(&k->lock);
    hl_free(k->p);
    k->p = copy;
    k->n = n;
    pthread_cond_signal(&k->changed);
    pthread_mutex_unlock(&k->lock);
}

bool
keeper_failed(struct keeper *k, struct hl_error *out)
{
    if (!k)
        return false;
    pthread_mutex_lock(&k->lock);
    bool failed = k->untold;
    k->untold = false;
    if (failed)
        *out = k->error;
    pthread_mutex_unlock(&k->lock);
    return failed;
}

void
keeper_destroy(struct keeper *k)
{
    if (!k)
        return;
    pthread_mutex_lock(&k->lock);
    k->stop = true;
    pthread_cond_signal(&k->changed);
    pthread_mutex_unlock(&k->lock);
    pthread_join(k->thread, NULL);
    pthread_mutex_destroy(&k->lock);
    pthread_cond_destroy(&k->changed);
    hl_free(k);
}

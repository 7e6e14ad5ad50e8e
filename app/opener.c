#include "opener.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "sdl/window.h"

struct opener {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    /* under the lock: */
    char *path; /* asked for and not yet begun, or NULL; owned */
    uint64_t ticket;
    bool quit, ended;
    bool done; /* `result` waits to be taken */
    struct opener_result result;
};

static void
put_result(struct opener *o, struct opener_result *r)
{
    if (o->done) /* nobody asked for that one any more */
        picture_free(o->result.picture);
    o->result = *r;
    o->done = true;
}

static void *
work(void *arg)
{
    struct opener *o = arg;
    pthread_mutex_lock(&o->lock);
    for (;;) {
        while (o->path == NULL && !o->quit)
            pthread_cond_wait(&o->more, &o->lock);
        if (o->quit)
            break;
        char *path = o->path;
        struct opener_result r = { .ticket = o->ticket };
        o->path = NULL;
        pthread_mutex_unlock(&o->lock);
        picture_open(path, &r.picture, &r.error);
        hl_free(path);
        pthread_mutex_lock(&o->lock);
        put_result(o, &r);
        window_wake();
    }
    o->ended = true;
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

static struct opener *
create(void)
{
    struct opener *o = hl_alloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->more, NULL);
    if (pthread_create(&o->thread, NULL, work, o) == 0)
        return o;
    pthread_cond_destroy(&o->more);
    pthread_mutex_destroy(&o->lock);
    hl_free(o);
    return NULL;
}

enum hl_status
opener_ask(struct opener **o, const char *path, uint64_t ticket, struct hl_error *err)
{
    size_t n = strlen(path) + 1;
    if (*o == NULL)
        *o = create();
    char *copy = *o != NULL ? hl_alloc(n, 1) : NULL;
    if (copy == NULL)
        return hl_error_set(err, HL_E_NOMEM, path, "for opening the picture");
    memcpy(copy, path, n);
    pthread_mutex_lock(&(*o)->lock);
    hl_free((*o)->path);
    (*o)->path = copy;
    (*o)->ticket = ticket;
    pthread_cond_signal(&(*o)->more);
    pthread_mutex_unlock(&(*o)->lock);
    return HL_OK;
}

bool
opener_take(struct opener *o, struct opener_result *out)
{
    if (o == NULL)
        return false;
    pthread_mutex_lock(&o->lock);
    bool done = o->done;
    if (done)
        *out = o->result;
    o->done = false;
    pthread_mutex_unlock(&o->lock);
    return done;
}

bool
opener_stop(struct opener *o)
{
    if (o == NULL)
        return true;
    pthread_mutex_lock(&o->lock);
    bool ended = o->ended;
    o->quit = true;
    pthread_cond_signal(&o->more);
    pthread_mutex_unlock(&o->lock);
    return ended;
}

void
opener_destroy(struct opener *o)
{
    if (o == NULL)
        return;
    opener_stop(o);
    pthread_join(o->thread, NULL);
    if (o->done)
        picture_free(o->result.picture);
    hl_free(o->path);
    pthread_cond_destroy(&o->more);
    pthread_mutex_destroy(&o->lock);
    hl_free(o);
}

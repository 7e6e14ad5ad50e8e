#include "base/alloc.h"

#include <stdlib.h>

#include "base/size.h"

/* Per thread, so that a test that starves one thread leaves the others alone. */
static _Thread_local struct {
    hl_alloc_hook fn;
    void *user;
} hook;

void
hl_alloc_set_hook(hl_alloc_hook fn, void *user)
{
    hook.fn = fn;
    hook.user = user;
}

static bool
refused(void)
{
    return hook.fn && !hook.fn(hook.user);
}

void *
hl_alloc(size_t n, size_t size)
{
    size_t total;
    if (!hl_size_mul(n, size, &total) || refused())
        return NULL;
    return calloc(total ? total : 1, 1);
}

void *
hl_realloc(void *p, size_t n, size_t size)
{
    size_t total;
    if (!hl_size_mul(n, size, &total) || refused())
        return NULL;
    return realloc(p, total ? total : 1);
}

void
hl_free(void *p)
{
    free(p);
}

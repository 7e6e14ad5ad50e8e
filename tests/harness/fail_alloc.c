#include "harness/fail_alloc.h"

#include <stddef.h>

#include "base/alloc.h"

struct budget {
    int left;  /* allocations that still succeed */
    bool used; /* one was refused */
};

static bool
spend(void *user)
{
    struct budget *b = user;
    if (b->left-- > 0)
        return true;
    b->used = true;
    return false;
}

int
fail_alloc_each(bool (*run)(void *user), void *user, int most)
{
    for (int n = 0; n < most; n++) {
        struct budget b = { .left = n };
        hl_alloc_set_hook(spend, &b);
        bool ok = run(user);
        hl_alloc_set_hook(NULL, NULL);
        if (ok && !b.used)
            return n;
    }
    return -1;
}

#include "screen/memory.h"

bool
memory_init(struct memory_state *m)
{
    *m = (struct memory_state) { .step = -1, .slot = -1 };
    return true;
}

void
memory_deinit(struct memory_state *m)
{
    *m = (struct memory_state) { 0 };
}

#include "screen/images.h"

bool
images_init(struct images_state *m)
{
    *m = (struct images_state) { .cell = -1 };
    return true;
}

void
images_deinit(struct images_state *m)
{
    *m = (struct images_state) { 0 };
}

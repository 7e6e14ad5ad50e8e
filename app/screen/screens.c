#include "screen/screen.h"

#include <string.h>

#include "screen/arithmetic.h"
#include "screen/images/images.h"
#include "screen/memory/memory.h"
#include "screen/model.h"
#include "screen/positions.h"
#include "screen/transformer.h"
#include "screen/translate.h"

/* In the order of the navigation; a new screen is one line here. */
static const struct hl_screen *const screens[] = {
    &screen_translate, &screen_transformer, &screen_positions, &screen_memory,
    &screen_images,    &screen_arithmetic,  &screen_model,
};

const struct hl_screen *const *
screen_all(int *n)
{
    *n = (int)(sizeof screens / sizeof *screens);
    return screens;
}

const struct hl_screen *
screen_find(const char *id)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i]->id, id) == 0)
            return all[i];
    }
    return NULL;
}

/* Picture files from anywhere, decoded whole: pixels of the size that is told, or a
 * sentence. */
#include "../fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sdl/picture.h"

static const char *
put(const uint8_t *data, size_t size)
{
    static char path[1024];
    const char *root = getenv("HL_BUILD_ROOT");
    snprintf(path, sizeof path, "%s/fuzz-decode-%ld", root ? root : "/tmp", (long)getpid());
    FILE *f = fopen(path, "wb");
    HOLDS(f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0);
    return path;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_picture *p = NULL;
    struct hl_error err = { 0 };
    const char *path = put(data, size);
    enum hl_status st = picture_open(path, &p, &err);
    unlink(path);
    if (st != HL_OK) {
        HOLDS(p == NULL && err.code == st && (err.detail[0] || st == HL_E_NOMEM));
        return 0;
    }
    uint32_t sum = 0;
    HOLDS(p != NULL && p->width >= 1 && p->height >= 1 && p->w >= 1 && p->h >= 1);
    for (size_t i = 0; i < (size_t)p->w * (size_t)p->h * 4; i++)
        sum += p->rgba[i]; /* every byte can be read */
    HOLDS(sum <= (uint32_t)p->w * (uint32_t)p->h * 1020);
    picture_free(p);
    return 0;
}

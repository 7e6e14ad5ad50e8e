#include <SDL.h>
#include <SDL_image.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/size.h"
#include "base/span.h"
#include "sdl/render.h"

enum { MAX_SIDE = 32767 };

/* ---- a file in memory for SDL2_image to write to ---- */

static size_t
memory_write(SDL_RWops *rw, const void *p, size_t size, size_t n)
{
    struct hl_sb *sb = rw->hidden.unknown.data1;
    hl_sb_put(sb, p, size * n);
    return sb->failed ? 0 : n;
}

static Sint64
memory_seek(SDL_RWops *rw, Sint64 offset, int whence)
{
    const struct hl_sb *sb = rw->hidden.unknown.data1;
    return offset == 0 && whence == RW_SEEK_CUR ? (Sint64)sb->n : -1;
}

static int
memory_close(SDL_RWops *rw)
{
    SDL_FreeRW(rw);
    return 0;
}

static bool
encode(SDL_Surface *s, struct hl_sb *out)
{
    SDL_RWops *rw = SDL_AllocRW();
    if (!rw)
        return false;
    rw->type = SDL_RWOPS_UNKNOWN;
    rw->write = memory_write;
    rw->seek = memory_seek;
    rw->close = memory_close;
    rw->hidden.unknown.data1 = out;
    return IMG_SavePNG_RW(s, rw, 1) == 0 && !out->failed && out->n > 0;
}

enum hl_status
render_png(struct hl_render *r, const struct dl *d, const char *path, struct hl_error *err)
{
    float fw = ceilf(d->width * d->scale), fh = ceilf(d->height * d->scale);
    if (!(fw >= 1 && fh >= 1 && fw <= MAX_SIDE && fh <= MAX_SIDE))
        return hl_error_set(err, HL_E_ARGUMENT, path, "a picture has 1 to %d pixels a side",
                            MAX_SIDE);
    struct hl_pixels px = { NULL, (int)fw, (int)fh, (int)fw };
    size_t n;
    if (hl_size_mul((size_t)px.w, (size_t)px.h, &n))
        px.p = hl_alloc(n, sizeof *px.p);
    if (!px.p)
        return hl_error_set(err, HL_E_NOMEM, path, "the picture's pixels");
    enum hl_status st = HL_OK;
    struct hl_sb png = { 0 };
    SDL_Surface *s = NULL;
    if (!render_draw(r, d, px)) {
        st = hl_error_set(err, HL_E_NOMEM, path, "while drawing");
    } else {
        s = SDL_CreateRGBSurfaceWithFormatFrom(px.p, px.w, px.h, 32, px.stride * 4,
                                               SDL_PIXELFORMAT_RGB888);
        st = s && encode(s, &png) ? hl_map_write(path, png.p, png.n, err)
                                  : hl_error_set(err, HL_E_WRITE, path, "%s", SDL_GetError());
    }
    SDL_FreeSurface(s);
    hl_sb_deinit(&png);
    hl_free(px.p);
    return st;
}

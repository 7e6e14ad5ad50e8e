#include "sdl/surface.h"

#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

enum { MAX_RECTS = 32 };

void
surface_deinit(struct surface *s)
{
    hl_free(s->own);
    *s = (struct surface) { 0 };
}

/* As the renderer draws them. */
static bool
is_plain(const SDL_PixelFormat *f)
{
    return f->BytesPerPixel == 4 && f->Rmask == 0xff0000 && f->Gmask == 0xff00 && f->Bmask == 0xff;
}

void
surface_table(uint32_t table[3][256], const uint32_t masks[3])
{
    for (int c = 0; c < 3; c++) {
        uint64_t most = masks[c];
        int shift = 0;
        for (; most > 0 && !(most & 1); shift++)
            most >>= 1;
        for (uint64_t v = 0; v < 256; v++)
            table[c][v] = (uint32_t)((v * most + 127) / 255 << shift);
    }
}

void
surface_convert(const uint32_t table[3][256], struct hl_pixels from, struct hl_area area,
                SDL_Surface *to)
{
    int bytes = to->format->BytesPerPixel;
    for (int y = area.y; y < area.y + area.h; y++) {
        const uint32_t *in = from.p + (size_t)y * (size_t)from.stride + area.x;
        uint8_t *out =
            (uint8_t *)to->pixels + (size_t)y * (size_t)to->pitch + (size_t)area.x * (size_t)bytes;
        for (int x = 0; x < area.w; x++, in++, out += bytes) {
            uint32_t v = table[0][*in >> 16 & 255] | table[1][*in >> 8 & 255] | table[2][*in & 255];
            uint16_t v16 = (uint16_t)v;
            if (bytes == 4)
                memcpy(out, &v, 4);
            else if (bytes == 2)
                memcpy(out, &v16, 2);
            else
                for (int k = 0; k < bytes; k++) /* 3 bytes, the low one first */
                    out[k] = (uint8_t)(v >> 8 * k);
        }
    }
}

/* Makes room for the picture of our own. */
static bool
take_own(struct surface *s, const SDL_PixelFormat *f, struct hl_pixels *px)
{
    const uint32_t masks[3] = { f->Rmask, f->Gmask, f->Bmask };
    size_t n;
    if (!hl_size_mul((size_t)px->w, (size_t)px->h, &n))
        return false;
    if (n > s->own_n) {
        hl_free(s->own);
        s->own = hl_alloc(n, sizeof *s->own);
        s->own_n = s->own ? n : 0;
    }
    if (memcmp(masks, s->masks, sizeof masks) != 0) {
        memcpy(s->masks, masks, sizeof masks);
        surface_table(s->table, masks);
    }
    px->p = s->own;
    px->stride = px->w;
    return s->own != NULL;
}

bool
surface_take(struct surface *s, SDL_Window *w, struct hl_pixels *px, bool *fresh)
{
    s->shown = SDL_GetWindowSurface(w);
    if (!s->shown || s->shown->format->BytesPerPixel < 2)
        return false;
    *px = (struct hl_pixels) { s->shown->pixels, s->shown->w, s->shown->h, s->shown->pitch / 4 };
    if (!is_plain(s->shown->format) && !take_own(s, s->shown->format, px))
        return false;
    /* A new surface is empty, and may lie where the old one did. */
    *fresh |= s->shown->userdata != s;
    s->shown->userdata = s;
    return true;
}

void
surface_show(struct surface *s, SDL_Window *w, const struct hl_area *areas, int n)
{
    SDL_Rect rects[MAX_RECTS];
    struct hl_area all = { 0, 0, s->shown->w, s->shown->h };
    bool whole = n < 0 || n > MAX_RECTS;
    if (whole) {
        areas = &all;
        n = 1;
    }
    for (int i = 0; i < n; i++) {
        rects[i] = (SDL_Rect) { areas[i].x, areas[i].y, areas[i].w, areas[i].h };
        if (!is_plain(s->shown->format))
            surface_convert((const uint32_t(*)[256])s->table,
                            (struct hl_pixels) { s->own, all.w, all.h, all.w }, areas[i], s->shown);
    }
    if (whole)
        SDL_UpdateWindowSurface(w);
    else if (n > 0)
        SDL_UpdateWindowSurfaceRects(w, rects, n);
}

enum hl_status
surface_check(SDL_Window *w, struct hl_error *err)
{
    const SDL_Surface *s = SDL_GetWindowSurface(w);
    if (s && s->format->BytesPerPixel >= 2)
        return HL_OK;
    return hl_error_set(err, HL_E_DISPLAY, NULL,
                        "the screen's pixels cannot be drawn on, its depth should be 15 to 30 "
                        "bits (%s)",
                        s ? SDL_GetPixelFormatName(s->format->format) : SDL_GetError());
}

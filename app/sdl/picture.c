#include "sdl/picture.h"

#include <SDL.h>
#include <SDL_image.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sdl/picture_head.h"

enum { SHORT_SIDE = 256, BAND = 64 };

void
picture_free(struct hl_picture *p)
{
    if (p == NULL)
        return;
    hl_free(p->rgba);
    hl_free(p);
}

/* ---- the file ---- */

static enum hl_status
read_all(int fd, const char *path, uint8_t *p, size_t n, struct hl_error *err)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = read(fd, p + at, n - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return hl_error_set(err, HL_E_READ, path, "%s",
                                got < 0 ? strerror(errno) : "it became shorter meanwhile");
        at += (size_t)got;
    }
    return HL_OK;
}

/* The whole of a plain file: a mapping would end the program if the file shrank. */
static enum hl_status
read_file(const char *path, uint8_t **out, size_t *n, struct hl_error *err)
{
    struct stat st;
    enum hl_status status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not wait */
    if (fd < 0)
        return hl_error_set(err, errno == ENOENT || errno == ENOTDIR ? HL_E_NOT_FOUND : HL_E_READ,
                            path, "%s", strerror(errno));
    if (fstat(fd, &st) != 0) {
        status = hl_error_set(err, HL_E_READ, path, "%s", strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        status = hl_error_set(err, HL_E_READ, path, "it is %s, not a file",
                              S_ISDIR(st.st_mode) ? "a folder" : "a pipe or a device");
    } else if (st.st_size > PICTURE_MAX_FILE) {
        status = hl_error_set(err, HL_E_IMAGE, path, "the file is larger than %d MiB",
                              PICTURE_MAX_FILE >> 20);
    } else {
        *n = (size_t)st.st_size;
        *out = hl_alloc(*n + 1, 1);
        status = *out == NULL ? hl_error_set(err, HL_E_NOMEM, path, "for the file")
                              : read_all(fd, path, *out, *n, err);
    }
    close(fd);
    return status;
}

static enum hl_status
check_size(const struct picture_head *h, const char *path, struct hl_error *err)
{
    uint64_t pixels = (uint64_t)h->width * h->height;
    if (h->width > PICTURE_MAX_SIDE || h->height > PICTURE_MAX_SIDE)
        return hl_error_set(err, HL_E_IMAGE, path, "its %u × %u pixels are more than %d a side",
                            h->width, h->height, PICTURE_MAX_SIDE);
    if (pixels > (uint64_t)PICTURE_MAX_MEGAPIXELS * 1000000)
        return hl_error_set(
            err, HL_E_IMAGE, path, "its %u × %u pixels are %u megapixels, more than the %d allowed",
            h->width, h->height, (unsigned)(pixels / 1000000), PICTURE_MAX_MEGAPIXELS);
    if (picture_head_cost(h) > PICTURE_MAX_COST)
        return hl_error_set(err, HL_E_IMAGE, path,
                            "decoding its %u × %u pixels would take more than %d MiB of memory; "
                            "save it smaller, or not progressive",
                            h->width, h->height, PICTURE_MAX_COST >> 20);
    return HL_OK;
}

/* ---- pixels ---- */

/* Rows of a decoded picture as RGBA, a band at a time. */
struct rows {
    const struct picture_head *head;
    SDL_Surface *from, *band; /* the band is not used for CMYK */
    int at;                   /* first row of the band, -1 none */
};

/* SDL2_image hands CMYK over byte by byte as it stands in the file. */
static void
cmyk_row(const struct picture_head *h, const uint8_t *in, int w, uint8_t *out)
{
    for (int x = 0; x < w; x++, in += 4, out += 4) {
        for (int k = 0; k < 3; k++) {
            unsigned ink = h->inverted ? in[k] : 255u - in[k];
            unsigned black = h->inverted ? in[3] : 255u - in[3];
            out[k] = (uint8_t)((ink * black + 127) / 255);
        }
        out[3] = 255;
    }
}

/* Row y into out [w, 4]. */
static void
get_row(struct rows *r, int y, uint8_t *out)
{
    const uint8_t *pixels = r->from->pixels;
    int w = r->from->w;
    if (r->head->format == PICTURE_JPEG && r->head->channels == 4) {
        cmyk_row(r->head, pixels + (size_t)y * (size_t)r->from->pitch, w, out);
        return;
    }
    if (r->at < 0 || y < r->at || y >= r->at + BAND) {
        SDL_Rect part = { 0, y - y % BAND, w, BAND };
        r->at = part.y;
        SDL_FillRect(r->band, NULL, 0); /* what a colour key leaves out is clear */
        SDL_BlitSurface(r->from, &part, r->band, NULL);
    }
    memcpy(out, (const uint8_t *)r->band->pixels + (size_t)(y - r->at) * (size_t)r->band->pitch,
           (size_t)w * 4);
}

/* Adds a row to the sums of its blocks: colours weighted by alpha, alpha, count. */
static void
add_row(const uint8_t *row, int w, int k, uint64_t *sums)
{
    for (int x = 0; x < w; x++, row += 4) {
        uint64_t *s = sums + (size_t)(x / k) * 5;
        for (int c = 0; c < 3; c++)
            s[c] += (uint64_t)row[c] * row[3];
        s[3] += row[3];
        s[4]++;
    }
}

static void
put_means(const uint64_t *sums, int w, uint8_t *out)
{
    for (int x = 0; x < w; x++, sums += 5, out += 4) {
        for (int c = 0; c < 3; c++)
            out[c] = sums[3] > 0 ? (uint8_t)((sums[c] + sums[3] / 2) / sums[3]) : 0;
        out[3] = (uint8_t)((sums[3] + sums[4] / 2) / sums[4]);
    }
}

/* Place of pixel (x, y) of a w x h picture as stored, once it stands upright. */
static size_t
turned(int turn, int w, int h, int x, int y)
{
    bool swap = turn >= 5;
    bool right = turn == 2 || turn == 3 || turn == 6 || turn == 7;
    bool down = turn == 3 || turn == 4 || turn == 7 || turn == 8;
    int ux = swap ? y : x, uy = swap ? x : y, uw = swap ? h : w, uh = swap ? w : h;
    ux = right ? uw - 1 - ux : ux;
    uy = down ? uh - 1 - uy : uy;
    return (size_t)uy * (size_t)uw + (size_t)ux;
}

static bool
turn_upright(struct hl_picture *p, int turn)
{
    size_t n = (size_t)p->w * (size_t)p->h;
    uint8_t *to = turn > 1 ? hl_alloc(n, 4) : NULL;
    if (turn <= 1)
        return true;
    if (to == NULL)
        return false;
    for (int y = 0; y < p->h; y++) {
        for (int x = 0; x < p->w; x++)
            memcpy(to + turned(turn, p->w, p->h, x, y) * 4,
                   p->rgba + ((size_t)y * (size_t)p->w + (size_t)x) * 4, 4);
    }
    hl_free(p->rgba);
    p->rgba = to;
    if (turn >= 5) {
        int w = p->w;
        uint32_t width = p->width;
        p->w = p->h;
        p->h = w;
        p->width = p->height;
        p->height = width;
    }
    return true;
}

/* Means of k x k pixels; what is left at the right and below, less than a block, is cut
 * off, so that nothing is stretched. */
static bool
shrink(struct rows *r, int k, struct hl_picture *p)
{
    int w = r->from->w, h = r->from->h;
    p->w = w / k;
    p->h = h / k;
    size_t sums_n = (size_t)p->w * 5;
    uint8_t *row = hl_alloc((size_t)w, 4);
    uint64_t *sums = hl_alloc(sums_n, sizeof *sums);
    p->rgba = hl_alloc((size_t)p->w * (size_t)p->h, 4);
    bool ok = row != NULL && sums != NULL && p->rgba != NULL;
    for (int y = 0; ok && y < p->h * k; y++) {
        if (y % k == 0)
            memset(sums, 0, sums_n * sizeof *sums);
        get_row(r, y, row);
        add_row(row, p->w * k, k, sums);
        if (y % k == k - 1)
            put_means(sums, p->w, p->rgba + (size_t)(y / k) * (size_t)p->w * 4);
    }
    hl_free(row);
    hl_free(sums);
    return ok;
}

static bool
take_pixels(const struct picture_head *head, SDL_Surface *s, struct hl_picture *p)
{
    struct rows r = { .head = head, .from = s, .at = -1 };
    int side = s->w < s->h ? s->w : s->h;
    int k = side / SHORT_SIDE > 1 ? side / SHORT_SIDE : 1;
    p->width = (uint32_t)s->w;
    p->height = (uint32_t)s->h;
    r.band = SDL_CreateRGBSurfaceWithFormat(0, s->w, BAND, 32, SDL_PIXELFORMAT_RGBA32);
    SDL_SetSurfaceBlendMode(s, SDL_BLENDMODE_NONE);
    bool ok = r.band != NULL && shrink(&r, k, p) && turn_upright(p, head->turn);
    SDL_FreeSurface(r.band);
    return ok;
}

/* PNG by way of libpng itself: SDL2_image draws grey with a clear level in false colours,
 * and has libpng print its remarks. */
static enum hl_status
decode_png(const uint8_t *bytes, size_t n, const char *path, struct picture_head *head,
           struct hl_picture *p, struct hl_error *err)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    enum hl_status st = HL_OK;
    uint8_t *rgba = NULL;
    if (!png_image_begin_read_from_memory(&image, bytes, n))
        return hl_error_set(err, HL_E_IMAGE, path, "the file is damaged (%s)", image.message);
    image.format = PNG_FORMAT_RGBA;
    image.flags = PNG_IMAGE_FLAG_16BIT_sRGB;
    if (image.width == head->width && image.height == head->height)
        rgba = hl_alloc((size_t)image.width * image.height, 4);
    if (rgba == NULL)
        st = hl_error_set(err, HL_E_NOMEM, path, "for the pixels");
    else if (!png_image_finish_read(&image, NULL, rgba, 0, NULL))
        st = hl_error_set(err, HL_E_IMAGE, path, "the file is damaged (%s)", image.message);
    SDL_Surface *s = NULL;
    if (st == HL_OK)
        s = SDL_CreateRGBSurfaceWithFormatFrom(rgba, (int)image.width, (int)image.height, 32,
                                               (int)image.width * 4, SDL_PIXELFORMAT_RGBA32);
    if (st == HL_OK && (s == NULL || !take_pixels(head, s, p)))
        st = hl_error_set(err, HL_E_NOMEM, path, "for the pixels");
    SDL_FreeSurface(s);
    hl_free(rgba);
    png_image_free(&image);
    return st;
}

static enum hl_status
decode_jpeg(const uint8_t *bytes, size_t n, const char *path, struct picture_head *head,
            struct hl_picture *p, struct hl_error *err)
{
    enum hl_status st = HL_OK;
    SDL_RWops *rw = SDL_RWFromConstMem(bytes, (int)n);
    if (rw == NULL)
        return hl_error_set(err, HL_E_NOMEM, path, "for the picture");
    SDL_Surface *s = IMG_LoadJPG_RW(rw);
    SDL_RWclose(rw);
    if (s == NULL && strcmp(SDL_GetError(), "Out of memory") == 0) /* as SDL says it */
        return hl_error_set(err, HL_E_NOMEM, path, "for the pixels");
    if (s == NULL)
        return hl_error_set(err, HL_E_IMAGE, path, "the file is damaged (%s)", SDL_GetError());
    if ((uint32_t)s->w != head->width || (uint32_t)s->h != head->height)
        st = hl_error_set(err, HL_E_IMAGE, path, "its header and its picture differ in size");
    else if (!take_pixels(head, s, p))
        st = hl_error_set(err, HL_E_NOMEM, path, "for the pixels");
    SDL_FreeSurface(s);
    return st;
}

/* Lays what is seen through on a ground, so that a network meets the drawing that a person
 * sees: dark strokes on white, light ones on black. */
static void
lay_on_ground(struct hl_picture *p)
{
    size_t n = (size_t)p->w * (size_t)p->h;
    uint64_t light = 0, seen = 0;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *c = p->rgba + 4 * i;
        light += (c[0] * 299u + c[1] * 587u + c[2] * 114u) * c[3] / 1000;
        seen += c[3];
    }
    unsigned ground = light > seen * 128 ? 0 : 255;
    for (size_t i = 0; i < n; i++) {
        uint8_t *c = p->rgba + 4 * i;
        for (int k = 0; k < 3; k++)
            c[k] = (uint8_t)((c[k] * c[3] + ground * (255u - c[3]) + 127) / 255);
        c[3] = 255;
    }
}

static enum hl_status
decode(const uint8_t *bytes, size_t n, const char *path, struct hl_picture *p, struct hl_error *err)
{
    struct picture_head head;
    enum hl_status st = picture_head_read(bytes, n, path, &head, err);
    if (st == HL_OK)
        st = check_size(&head, path, err);
    if (st == HL_OK && head.cut)
        st = hl_error_set(err, HL_E_IMAGE, path, "the JPEG file ends before its picture does");
    if (st != HL_OK)
        return st;
    bytes += head.start;
    n -= head.start;
    st = head.format == PICTURE_PNG ? decode_png(bytes, n, path, &head, p, err)
                                    : decode_jpeg(bytes, n, path, &head, p, err);
    if (st == HL_OK)
        lay_on_ground(p);
    return st;
}

enum hl_status
picture_open(const char *path, struct hl_picture **out, struct hl_error *err)
{
    uint8_t *bytes = NULL;
    size_t n = 0;
    struct hl_picture *p = hl_alloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL)
        return hl_error_set(err, HL_E_NOMEM, path, "for the picture");
    enum hl_status st = read_file(path, &bytes, &n, err);
    if (st == HL_OK)
        st = decode(bytes, n, path, p, err);
    hl_free(bytes);
    if (st != HL_OK) {
        picture_free(p);
        return st;
    }
    *out = p;
    return HL_OK;
}

/* PNG: ISO/IEC 15948, sections 5 and 11.2.2. JPEG: ITU-T T.81, annex B; the turn from
 * Exif 2.3, section 4.6. */
#include "sdl/picture_head.h"

#include <string.h>

static const uint8_t png_signature[8] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };

static uint32_t
be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
be32(const uint8_t *p)
{
    return be16(p) << 16 | be16(p + 2);
}

static enum hl_status
bad(struct hl_error *err, const char *name, const char *what)
{
    return hl_error_set(err, HL_E_IMAGE, name, "%s", what);
}

/* ---- Exif ---- */

static uint32_t
tiff16(const uint8_t *p, bool big)
{
    return big ? be16(p) : (uint32_t)p[1] << 8 | p[0];
}

static uint32_t
tiff32(const uint8_t *p, bool big)
{
    return big ? be32(p) : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Orientation in Exif data; 1 where there is none or it makes no sense. */
static int
exif_turn(const uint8_t *p, size_t n)
{
    enum { ORIENTATION = 0x0112, SHORT = 3 };
    if (n < 8)
        return 1;
    bool big = memcmp(p, "MM\0*", 4) == 0;
    if (!big && memcmp(p, "II*\0", 4) != 0)
        return 1;
    size_t at = tiff32(p + 4, big);
    if (at > n || n - at < 2)
        return 1;
    uint32_t entries = tiff16(p + at, big);
    at += 2;
    for (; entries > 0 && n - at >= 12; entries--, at += 12) {
        uint32_t value = tiff16(p + at + 8, big);
        if (tiff16(p + at, big) == ORIENTATION && tiff16(p + at + 2, big) == SHORT)
            return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

/* ---- PNG ---- */

/* Channels of a colour type; 0 where the depth is not allowed with it. */
static int
png_channels(int type, int depth)
{
    bool small = depth == 1 || depth == 2 || depth == 4, usual = depth == 8 || depth == 16;
    switch (type) {
    case 0:
        return small || usual ? 1 : 0;
    case 2:
        return usual ? 3 : 0;
    case 3:
        return small || depth == 8 ? 1 : 0;
    case 4:
        return usual ? 2 : 0;
    case 6:
        return usual ? 4 : 0;
    default:
        return 0;
    }
}

/* The turn in the chunk eXIf, which may stand before or after the pixels. */
static int
png_turn(const uint8_t *p, size_t n)
{
    for (size_t at = 8; n - at >= 12;) {
        size_t len = be32(p + at);
        if (len > n - at - 12)
            break;
        if (memcmp(p + at + 4, "eXIf", 4) == 0)
            return exif_turn(p + at + 8, len);
        at += 12 + len;
    }
    return 1;
}

static enum hl_status
read_png(const uint8_t *p, size_t n, const char *name, struct picture_head *out,
         struct hl_error *err)
{
    if (n < 33)
        return bad(err, name, "the PNG file ends inside its header");
    if (be32(p + 8) != 13 || memcmp(p + 12, "IHDR", 4) != 0)
        return bad(err, name, "the PNG file does not begin with its header");
    out->width = be32(p + 16);
    out->height = be32(p + 20);
    out->depth = p[24];
    out->channels = png_channels(p[25], p[24]);
    if (out->width == 0 || out->height == 0)
        return bad(err, name, "the picture has no pixels: its width or height is 0");
    if (out->width > INT32_MAX || out->height > INT32_MAX)
        return bad(err, name, "its header gives a size that PNG does not allow");
    if (out->channels == 0 || p[26] != 0 || p[27] != 0 || p[28] > 1)
        return bad(err, name, "its header holds values that PNG does not allow");
    out->turn = png_turn(p, n);
    return HL_OK;
}

/* ---- JPEG ---- */

static int
exif_segment(const uint8_t *p, size_t n)
{
    return n > 6 && memcmp(p, "Exif\0", 6) == 0 ? exif_turn(p + 6, n - 6) : 1;
}

/* The frame's header: marker SOFn. */
static enum hl_status
read_frame(const uint8_t *p, size_t n, int marker, const char *name, struct picture_head *out,
           struct hl_error *err)
{
    if (n < 6 || n < 6 + (size_t)p[5] * 3)
        return bad(err, name, "the JPEG file ends inside its header");
    out->depth = p[0];
    out->height = be16(p + 1);
    out->width = be16(p + 3);
    out->channels = p[5];
    out->whole = marker == 0xC2 || marker == 0xCA;
    if (out->width == 0 || out->height == 0)
        return bad(err, name, "the picture has no pixels: its width or height is 0");
    if (marker != 0xC0 && marker != 0xC1 && marker != 0xC2)
        return bad(err, name,
                   "it is a kind of JPEG (lossless, arithmetic or hierarchical) that "
                   "is not read here");
    if (out->depth != 8)
        return bad(err, name, "it is a JPEG of more than 8 bits a channel, which is not read here");
    if (out->channels != 1 && out->channels != 3 && out->channels != 4)
        return bad(err, name, "it has a number of colour channels that JPEG readers do not know");
    return HL_OK;
}

/* Where the next marker stands from `at` on; n where there is none. */
static size_t
next_marker(const uint8_t *p, size_t n, size_t at)
{
    for (; at + 1 < n; at++) {
        if (p[at] == 0xFF && p[at + 1] != 0 && p[at + 1] != 0xFF)
            return at;
    }
    return n;
}

/* Whether the marker of the end comes, from the first scan's data on. */
static bool
jpeg_ends(const uint8_t *p, size_t n, size_t at)
{
    for (;;) {
        at = next_marker(p, n, at);
        if (n - at < 2)
            return false;
        int marker = p[at + 1];
        if (marker == 0xD9)
            return true;
        at += 2;
        bool bare = marker == 1 || (marker >= 0xD0 && marker <= 0xD8);
        if (bare || n - at < 2)
            continue;
        size_t len = be16(p + at);
        at += len < n - at ? len : n - at;
    }
}

/* Segments up to the first scan. */
static enum hl_status
read_jpeg(const uint8_t *p, size_t n, const char *name, struct picture_head *out,
          struct hl_error *err)
{
    size_t at = 2; /* after the marker of the start */
    bool frame = false;
    for (;;) {
        at = next_marker(p, n, at);
        if (n - at < 4)
            return bad(err, name, "the JPEG file ends inside its header");
        int marker = p[at + 1];
        size_t len = be16(p + at + 2);
        if (marker == 0xD9)
            return bad(err, name, "the JPEG file holds no picture");
        if (len < 2)
            return bad(err, name, "the JPEG file is damaged before its picture begins");
        if (len > n - at - 2)
            return bad(err, name, "the JPEG file ends inside its header");
        const uint8_t *body = p + at + 4;
        size_t body_n = len - 2;
        if (marker == 0xDA) { /* scan: one of several where it holds not all channels */
            if (!frame)
                return bad(err, name, "the JPEG file holds a picture without its size");
            out->whole |= body_n < 1 || body[0] < out->channels;
            out->cut = !jpeg_ends(p, n, at + 2 + len);
            return HL_OK;
        }
        if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
            marker != 0xCC) {
            if (frame)
                return bad(err, name, "the JPEG file gives its size twice");
            enum hl_status st = read_frame(body, body_n, marker, name, out, err);
            if (st != HL_OK)
                return st;
            frame = true;
        }
        if (marker == 0xE1 && out->turn == 1)
            out->turn = exif_segment(body, body_n);
        if (marker == 0xEE && body_n >= 12 && memcmp(body, "Adobe", 5) == 0)
            out->inverted = true;
        at += 2 + len;
    }
}

/* ---- both ---- */

/* A known format that is not read here, for the message; NULL if none. */
static const char *
other_format(const uint8_t *p, size_t n)
{
    static const struct {
        size_t at, n;
        const char *bytes, *name;
    } known[] = {
        { 0, 4, "GIF8", "GIF" },
        { 8, 4, "WEBP", "WebP" },
        { 0, 2, "BM", "BMP" },
        { 0, 4, "II*\0", "TIFF" },
        { 0, 4, "MM\0*", "TIFF" },
        { 4, 8, "ftypavif", "AVIF" },
        { 4, 8, "ftypavis", "AVIF" },
        { 4, 7, "ftyphei", "HEIC" },
        { 4, 7, "ftyphev", "HEIC" },
        { 4, 7, "ftypmif", "HEIC" },
        { 4, 7, "ftypmsf", "HEIC" },
        { 0, 2, "\xff\x0a", "JPEG XL" },
        { 4, 8, "JXL \r\n\x87\n", "JPEG XL" },
        { 4, 8, "jP  \r\n\x87\n", "JPEG 2000" },
        { 4, 4, "ftyp", "video" },
        { 0, 4, "%PDF", "PDF" },
        { 0, 4, "<svg", "SVG" },
        { 0, 5, "<?xml", "SVG or XML" },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (n >= known[i].at + known[i].n &&
            memcmp(p + known[i].at, known[i].bytes, known[i].n) == 0)
            return known[i].name;
    }
    return NULL;
}

/* Where a JPEG begins behind bytes that do not belong to it: n where none does. */
static size_t
jpeg_start(const uint8_t *p, size_t n)
{
    enum { MOST = 4096 };
    for (size_t i = 0; i + 4 < n && i < MOST; i++) {
        if (p[i] == 0xFF && p[i + 1] == 0xD8 && p[i + 2] == 0xFF && p[i + 3] >= 0xC0)
            return i;
    }
    return n;
}

enum hl_status
picture_head_read(const uint8_t *p, size_t n, const char *name, struct picture_head *out,
                  struct hl_error *err)
{
    *out = (struct picture_head) { .turn = 1 };
    if (n == 0)
        return bad(err, name, "the file is empty");
    if (n >= 8 && memcmp(p, png_signature, 8) == 0) {
        out->format = PICTURE_PNG;
        return read_png(p, n, name, out, err);
    }
    if (n >= 3 && p[0] == 0xFF && p[1] == 0xD8) {
        out->format = PICTURE_JPEG;
        return read_jpeg(p, n, name, out, err);
    }
    const char *other = other_format(p, n);
    if (other != NULL)
        return hl_error_set(err, HL_E_IMAGE, name, "it is a %s file, and PNG or JPEG is wanted",
                            other);
    size_t start = jpeg_start(p, n);
    if (start < n) {
        out->format = PICTURE_JPEG;
        out->start = start;
        return read_jpeg(p + start, n - start, name, out, err);
    }
    return bad(err, name, "it is neither a PNG nor a JPEG picture");
}

uint64_t
picture_head_cost(const struct picture_head *h)
{
    uint64_t pixels = (uint64_t)h->width * h->height;
    /* 32 bits a pixel; coefficients are 16 bits a channel. */
    return pixels * (4 + (h->whole ? 2 * (uint64_t)h->channels : 0));
}

/* Opening of pictures: what is read, how it is shrunk, what is refused before it is
 * decoded. PNGs are written here, byte by byte, so that they can be wrong. */
#include "harness/test.h"

#include <SDL.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/span.h"
#include "harness/fail_alloc.h"
#include "sdl/picture.h"
#include "sdl/picture_head.h"

static char dir[256];

/* ---- PNGs ---- */

static void
put32(struct hl_sb *sb, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        hl_sb_putc(sb, (char)(v >> shift));
}

static void
put_chunk(struct hl_sb *sb, const char *name, const void *p, size_t n)
{
    size_t at = sb->n + 4;
    uint32_t crc = 0xFFFFFFFFu;
    put32(sb, (uint32_t)n);
    hl_sb_put(sb, name, 4);
    hl_sb_put(sb, p, n);
    for (; at < sb->n; at++) {
        crc ^= (uint8_t)sb->p[at];
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    put32(sb, ~crc);
}

/* The signature and IHDR. */
static void
png_head(struct hl_sb *sb, uint32_t w, uint32_t h, int depth, int type)
{
    struct hl_sb body = { 0 };
    hl_sb_put(sb, "\x89PNG\r\n\x1a\n", 8);
    put32(&body, w);
    put32(&body, h);
    hl_sb_putc(&body, (char)depth);
    hl_sb_putc(&body, (char)type);
    hl_sb_put(&body, "\0\0\0", 3);
    put_chunk(sb, "IHDR", body.p, body.n);
    hl_sb_deinit(&body);
}

/* IDAT of `n` raw bytes (each row begins with a 0) in one stored block, and IEND. */
static void
png_body(struct hl_sb *sb, const void *raw, size_t n)
{
    struct hl_sb body = { 0 };
    uint32_t a = 1, b = 0;
    assert_true(n < 65536);
    hl_sb_put(&body, "\x78\x01\x01", 3);
    hl_sb_putc(&body, (char)n);
    hl_sb_putc(&body, (char)(n >> 8));
    hl_sb_putc(&body, (char)~n);
    hl_sb_putc(&body, (char)(~n >> 8));
    hl_sb_put(&body, raw, n);
    for (size_t i = 0; i < n; i++) {
        a = (a + ((const uint8_t *)raw)[i]) % 65521;
        b = (b + a) % 65521;
    }
    put32(&body, b << 16 | a);
    put_chunk(sb, "IDAT", body.p, body.n);
    put_chunk(sb, "IEND", "", 0);
    hl_sb_deinit(&body);
}

static const char *
write_file(const char *name, struct hl_sb *sb)
{
    static char path[512];
    struct hl_error err;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(hl_map_write(path, sb->n > 0 ? sb->p : "", sb->n, &err), HL_OK);
    hl_sb_deinit(sb);
    *sb = (struct hl_sb) { 0 };
    return path;
}

static const char *
jpeg_path(const char *name)
{
    static char path[1024];
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/tests/data/pictures/%s", root != NULL ? root : ".", name);
    return path;
}

static struct hl_picture *
opened(const char *path)
{
    struct hl_picture *p = NULL;
    struct hl_error err = { 0 };
    if (picture_open(path, &p, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return p;
}

static void
refused(const char *path, enum hl_status code, const char *detail)
{
    struct hl_picture *p = NULL;
    struct hl_error err = { 0 };
    enum hl_status st = picture_open(path, &p, &err);
    if (st != code || strstr(err.detail, detail) == NULL)
        fail_msg("%s: %s: %s", path, hl_status_name(st), err.detail);
    assert_null(p);
}

/* ---- what is read ---- */

static void
test_png_kinds(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    static const uint8_t grey[] = { 0, 0x00, 0x80, 0, 0xff, 0x40 };
    png_head(&sb, 2, 2, 8, 0);
    png_body(&sb, grey, sizeof grey);
    struct hl_picture *p = opened(write_file("grey.png", &sb));
    assert_true(p->width == 2 && p->height == 2 && p->w == 2 && p->h == 2);
    static const uint8_t want[16] = { 0,   0,   0,   255, 128, 128, 128, 255,
                                      255, 255, 255, 255, 64,  64,  64,  255 };
    assert_memory_equal(p->rgba, want, 16);
    picture_free(p);

    /* 16 bits a channel become 8; the name's ending does not matter */
    static const uint8_t deep[] = { 0, 0x12, 0x34, 0xff, 0xff, 0x80, 0x00, 0x40, 0x00 };
    png_head(&sb, 1, 1, 16, 6);
    png_body(&sb, deep, sizeof deep);
    p = opened(write_file("deep.jpeg", &sb));
    assert_memory_equal(p->rgba, "\x05\x40\x20\xff", 4); /* light: laid on black */
    picture_free(p);

    /* a palette with a clear colour */
    static const uint8_t bits[] = { 0, 0x40 };
    png_head(&sb, 2, 1, 1, 3);
    put_chunk(&sb, "PLTE", "\x10\x20\x30\xc0\xd0\xe0", 6);
    put_chunk(&sb, "tRNS", "\x00", 1);
    png_body(&sb, bits, sizeof bits);
    p = opened(write_file("palette.txt", &sb));
    assert_memory_equal(p->rgba, "\x00\x00\x00\xff", 4);
    assert_memory_equal(p->rgba + 4, "\xc0\xd0\xe0\xff", 4);
    picture_free(p);

    /* an animation: its first frame */
    png_head(&sb, 2, 2, 8, 0);
    put_chunk(&sb, "acTL", "\0\0\0\2\0\0\0\0", 8);
    put_chunk(&sb, "fcTL", "\0\0\0\0\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\0\0\1\0\12\0\0", 26);
    png_body(&sb, grey, sizeof grey);
    p = opened(write_file("animated.png", &sb));
    assert_memory_equal(p->rgba, want, 16);
    picture_free(p);
}

/* One level, or one colour, that is seen through: at each depth of grey. */
static void
test_clear_levels(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    static const uint8_t bits[] = { 0, 0x1b }; /* two bits a pixel: 0 1 2 3 */
    png_head(&sb, 4, 1, 2, 0);
    put_chunk(&sb, "tRNS", "\0\3", 2);
    png_body(&sb, bits, sizeof bits);
    struct hl_picture *p = opened(write_file("grey2.png", &sb));
    static const uint8_t want[] = { 0, 0x55, 0xaa, 0xff };
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(p->rgba[4 * i + c], want[i]); /* the clear white lies on white */
    picture_free(p);

    static const uint8_t grey[] = { 0, 0x00, 0x20, 0xc8, 0xc8 };
    png_head(&sb, 4, 1, 8, 0);
    put_chunk(&sb, "tRNS", "\0\xc8", 2);
    png_body(&sb, grey, sizeof grey);
    p = opened(write_file("grey8.png", &sb));
    static const uint8_t laid[] = { 0, 0x20, 0xff, 0xff };
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(p->rgba[4 * i + c], laid[i]);
    picture_free(p);
}

/* Strokes on a clear ground are seen by the network, be they black or white. */
static void
test_clear_ground(void **state)
{
    (void)state;
    for (int white = 0; white < 2; white++) {
        struct hl_sb sb = { 0 };
        uint8_t raw[8 * 33] = { 0 };
        for (int y = 2; y < 6; y++)
            for (int x = 2; x < 6; x++)
                memset(raw + y * 33 + 1 + x * 4, white ? 255 : 0, 3), raw[y * 33 + 4 + x * 4] = 255;
        png_head(&sb, 8, 8, 8, 6);
        png_body(&sb, raw, sizeof raw);
        struct hl_picture *p = opened(write_file("stroke.png", &sb));
        assert_int_equal(p->rgba[0], white ? 0 : 255);
        assert_int_equal(p->rgba[4 * (3 * 8 + 3)], white ? 255 : 0);
        for (int i = 0; i < 64; i++)
            assert_int_equal(p->rgba[4 * i + 3], 255);
        picture_free(p);
    }
}

/* Exif data in a PNG turns it, before the pixels or after them. */
static void
test_png_turn(void **state)
{
    (void)state;
    static const char exif[] = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    static const uint8_t grey[] = { 0, 0x10, 0x20, 0x30 };
    struct hl_sb sb = { 0 };
    png_head(&sb, 3, 1, 8, 0);
    put_chunk(&sb, "eXIf", exif, sizeof exif - 1);
    png_body(&sb, grey, sizeof grey);
    struct hl_picture *p = opened(write_file("turn.png", &sb));
    assert_true(p->w == 1 && p->h == 3 && p->rgba[0] == 0x10 && p->rgba[8] == 0x30);
    picture_free(p);
}

/* Bytes before and between the markers, as decoders take them; half a file is none. */
static void
test_jpeg_junk(void **state)
{
    (void)state;
    struct hl_map_file f;
    struct hl_error err;
    assert_int_equal(hl_map_open(jpeg_path("plain.jpg"), &f, &err), HL_OK);
    for (int before = 0; before < 2; before++) {
        struct hl_sb sb = { 0 };
        if (before)
            hl_sb_put(&sb, "\r\n\0junk", 7);
        hl_sb_put(&sb, (const char *)f.p, 2);
        hl_sb_put(&sb, "more", before ? 0 : 4);
        hl_sb_put(&sb, (const char *)f.p + 2, f.n - 2);
        struct hl_picture *p = opened(write_file("junk.jpg", &sb));
        assert_true(p->width == 24 && p->height == 16 && p->rgba[4 * 12] > 220);
        picture_free(p);
    }
    struct hl_sb sb = { 0 };
    hl_sb_put(&sb, (const char *)f.p, f.n - 3);
    refused(write_file("half.jpg", &sb), HL_E_IMAGE, "ends before its picture");
    hl_map_close(&f);
}

/* What a decoder has to say goes into the error, not onto standard error. */
static void
test_quiet(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    static const uint8_t grey[] = { 0, 0x10 };
    char log[512];
    png_head(&sb, 1, 1, 8, 0);
    put_chunk(&sb, "gAMA", "\0\0\0\0", 4);
    put_chunk(&sb, "sRGB", "\x09", 1);
    put_chunk(&sb, "tRNS", "\0\1\2\3\4\5", 6);
    png_body(&sb, grey, sizeof grey);
    const char *path = write_file("odd.png", &sb);
    snprintf(log, sizeof log, "%s/stderr", dir);
    fflush(stderr);
    int kept = dup(2), fd = open(log, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert_true(kept >= 0 && fd >= 0);
    dup2(fd, 2);
    struct hl_picture *p = NULL;
    struct hl_error err;
    picture_open(path, &p, &err);
    dup2(kept, 2);
    close(kept);
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    close(fd);
    picture_free(p);
    assert_int_equal(st.st_size, 0);
}

/* Red above, blue below. */
static void
check_gradient(const char *name)
{
    struct hl_picture *p = opened(jpeg_path(name));
    assert_true(p->width == 24 && p->height == 16);
    const uint8_t *top = p->rgba + 4 * 12, *bottom = p->rgba + 4 * (15 * 24 + 12);
    if (!(top[0] > 220 && top[1] < 40 && top[2] < 40 && bottom[2] > 220 && bottom[0] < 40))
        fail_msg("%s: %d %d %d, %d %d %d", name, top[0], top[1], top[2], bottom[0], bottom[1],
                 bottom[2]);
    picture_free(p);
}

static void
test_jpeg_kinds(void **state)
{
    (void)state;
    check_gradient("plain.jpg");
    check_gradient("progressive.jpg");
    check_gradient("cmyk.jpg");
}

/* The plain JPEG with an EXIF segment that gives it each turn. */
static void
test_turns(void **state)
{
    (void)state;
    static const char *const red[9] = { "",     "top",   "top",   "bottom", "bottom",
                                        "left", "right", "right", "left" };
    struct hl_map_file f;
    struct hl_error err;
    assert_int_equal(hl_map_open(jpeg_path("plain.jpg"), &f, &err), HL_OK);
    for (int turn = 1; turn <= 8; turn++) {
        struct hl_sb sb = { 0 };
        hl_sb_put(&sb,
                  "\xff\xd8\xff\xe1\0\x22"
                  "Exif\0\0MM\0*\0\0\0\x08\0\x01",
                  22);
        hl_sb_put(&sb, "\x01\x12\0\x03\0\0\0\x01\0", 9);
        hl_sb_putc(&sb, (char)turn);
        hl_sb_put(&sb, "\0\0\0\0\0\0", 6);
        hl_sb_put(&sb, (const char *)f.p + 2, f.n - 2);
        struct hl_picture *p = opened(write_file("turned.jpg", &sb));
        assert_int_equal(p->width, turn >= 5 ? 16 : 24);
        assert_int_equal(p->h, turn >= 5 ? 24 : 16);
        int x = red[turn][0] == 'l' ? 0 : red[turn][0] == 'r' ? p->w - 1 : p->w / 2;
        int y = red[turn][0] == 't' ? 0 : red[turn][0] == 'b' ? p->h - 1 : p->h / 2;
        const uint8_t *at = p->rgba + 4 * (y * p->w + x);
        if (at[0] < 220 || at[2] > 40)
            fail_msg("turn %d: red is not at the %s", turn, red[turn]);
        picture_free(p);
    }
    hl_map_close(&f);
}

/* A wide stripe pattern: blocks of pixels become their means. */
static void
test_shrinking(void **state)
{
    (void)state;
    enum { SIDE = 600 };
    struct hl_sb sb = { 0 }, raw = { 0 };
    for (int y = 0; y < SIDE; y++) { /* one bit a pixel: columns black, white, ... */
        hl_sb_putc(&raw, 0);
        for (int x = 0; x < SIDE / 8; x++)
            hl_sb_putc(&raw, 0x55);
    }
    png_head(&sb, SIDE, SIDE, 1, 0);
    png_body(&sb, raw.p, raw.n);
    struct hl_picture *p = opened(write_file("stripes.png", &sb));
    assert_true(p->width == SIDE && p->w == 300 && p->h == 300);
    for (int i = 0; i < p->w * p->h; i++)
        assert_in_range(p->rgba[4 * i], 127, 128);
    picture_free(p);
    hl_sb_deinit(&raw);
}

/* ---- what is refused ---- */

static void
test_sizes(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    struct rusage before, after;
    png_head(&sb, 20000, 20000, 8, 6);
    png_body(&sb, "", 0);
    getrusage(RUSAGE_SELF, &before);
    refused(write_file("huge.png", &sb), HL_E_IMAGE, "20000 × 20000 pixels are 400 megapixels");
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 4096);
    png_head(&sb, 40000, 10, 8, 0);
    refused(write_file("wide.png", &sb), HL_E_IMAGE, "more than 32767 a side");
    png_head(&sb, 0, 10, 8, 0);
    refused(write_file("zero.png", &sb), HL_E_IMAGE, "has no pixels");
    /* a progressive JPEG keeps its coefficients as well */
    hl_sb_put(&sb, "\xff\xd8\xff\xc2\0\x11\x08\x1f\x40\x1f\x40\x03", 12);
    hl_sb_put(&sb, "\1\x11\0\2\x11\0\3\x11\0\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0", 23);
    refused(write_file("progressive.jpg", &sb), HL_E_IMAGE, "would take more than 320 MiB");
    hl_sb_put(&sb, "\xff\xd8\xff\xc0\0\x0b\x08\0\0\0\x10\x01\1\x11\0", 15);
    refused(write_file("zero.jpg", &sb), HL_E_IMAGE, "has no pixels");
}

static void
test_damaged(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    refused(write_file("empty.png", &sb), HL_E_IMAGE, "empty");
    hl_sb_puts(&sb, "just some words");
    refused(write_file("words.png", &sb), HL_E_IMAGE, "neither a PNG nor a JPEG");
    static const char *const brands[] = { "heic", "heix", "hevc", "mif1", "msf1" };
    for (int i = 0; i < N_OF(brands); i++) {
        hl_sb_put(&sb,
                  "\0\0\0\x18"
                  "ftyp",
                  8);
        hl_sb_put(&sb, brands[i], 4);
        refused(write_file("phone.jpg", &sb), HL_E_IMAGE, "it is a HEIC file");
    }
    hl_sb_put(&sb, "RIFF\x20\0\0\0WEBPVP8 ", 16);
    refused(write_file("web.jpg", &sb), HL_E_IMAGE, "it is a WebP file");
    hl_sb_puts(&sb, "GIF89a.........");
    refused(write_file("moving.png", &sb), HL_E_IMAGE, "it is a GIF file");
    hl_sb_put(&sb, "\x89PNG\r\n\x1a\n\0\0", 10);
    refused(write_file("short.png", &sb), HL_E_IMAGE, "ends inside its header");
    png_head(&sb, 4, 4, 3, 2);
    refused(write_file("odd.png", &sb), HL_E_IMAGE, "does not allow");
    png_head(&sb, 4, 4, 8, 2);
    put_chunk(&sb, "IDAT", "\x78\x01garbage", 9);
    refused(write_file("garbage.png", &sb), HL_E_IMAGE, "damaged");
    hl_sb_put(&sb, "\xff\xd8\xff\xe0\0\4ab\xff\xd9\0\0", 12);
    refused(write_file("none.jpg", &sb), HL_E_IMAGE, "holds no picture");
    hl_sb_put(&sb, "\xff\xd8\xff\xc3\0\x0b\x08\0\x10\0\x10\x01\1\x11\0", 15);
    refused(write_file("lossless.jpg", &sb), HL_E_IMAGE, "kind of JPEG");
}

/* Cut off anywhere: a picture or a sentence. */
static void
test_cut_short(void **state)
{
    (void)state;
    static const char *const names[] = { "plain.jpg", "progressive.jpg", "cmyk.jpg" };
    for (int i = 0; i < N_OF(names); i++) {
        struct hl_map_file f;
        struct hl_error err;
        assert_int_equal(hl_map_open(jpeg_path(names[i]), &f, &err), HL_OK);
        for (size_t n = 0; n < f.n; n += 7) {
            struct hl_sb sb = { 0 };
            struct hl_picture *p = NULL;
            hl_sb_put(&sb, (const char *)f.p, n);
            enum hl_status st = picture_open(write_file("cut.jpg", &sb), &p, &err);
            assert_true((st == HL_OK && p != NULL) || (st == HL_E_IMAGE && err.detail[0] != 0));
            picture_free(p);
        }
        hl_map_close(&f);
    }
}

static void
test_no_files(void **state)
{
    (void)state;
    char path[512];
    refused(dir, HL_E_READ, "a folder");
    refused("/dev/null", HL_E_READ, "a pipe or a device");
    snprintf(path, sizeof path, "%s/fifo.png", dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    refused(path, HL_E_READ, "a pipe or a device"); /* and does not wait for a writer */
    unlink(path);
    snprintf(path, sizeof path, "%s/missing.png", dir);
    refused(path, HL_E_NOT_FOUND, "");
    if (geteuid() != 0) {
        struct hl_sb sb = { 0 };
        png_head(&sb, 2, 2, 8, 0);
        snprintf(path, sizeof path, "%s", write_file("closed.png", &sb));
        chmod(path, 0);
        refused(path, HL_E_READ, "");
    }
}

/* ---- memory ---- */

static bool
scarce(void *user)
{
    struct hl_picture *p = NULL;
    struct hl_error err;
    enum hl_status st = picture_open(user, &p, &err);
    assert_true(st == HL_OK || (st == HL_E_NOMEM && p == NULL));
    picture_free(p);
    return st == HL_OK;
}

static void
test_without_memory(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", jpeg_path("plain.jpg"));
    assert_true(fail_alloc_each(scarce, path, 100) > 2);
}

static SDL_malloc_func sdl_malloc;

static void *
small_alone(size_t n)
{
    return n < 1 << 20 ? sdl_malloc(n) : NULL;
}

/* A sound file that the decoder has no room for is not called damaged. */
static void
test_no_room_to_decode(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    SDL_calloc_func c;
    SDL_realloc_func r;
    SDL_free_func f;
    hl_sb_put(&sb, "\xff\xd8\xff\xc0\0\x11\x08\x0f\xa0\x0f\xa0\x03", 12);
    hl_sb_put(&sb, "\1\x11\0\2\x11\0\3\x11\0\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0\xff\xd9", 25);
    const char *path = write_file("large.jpg", &sb);
    SDL_GetMemoryFunctions(&sdl_malloc, &c, &r, &f);
    assert_int_equal(SDL_SetMemoryFunctions(small_alone, c, r, f), 0);
    refused(path, HL_E_NOMEM, "for the pixels");
    assert_int_equal(SDL_SetMemoryFunctions(sdl_malloc, c, r, f), 0);
    refused(path, HL_E_IMAGE, "the file is damaged");
}

static int
make_dir(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(dir, sizeof dir, "%.200s/headlight-pictures-XXXXXX", tmp != NULL ? tmp : "/tmp");
    return mkdtemp(dir) == NULL;
}

static int
remove_dir(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_kinds),
        cmocka_unit_test(test_jpeg_kinds),
        cmocka_unit_test(test_clear_levels),
        cmocka_unit_test(test_clear_ground),
        cmocka_unit_test(test_png_turn),
        cmocka_unit_test(test_jpeg_junk),
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_shrinking),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_no_room_to_decode),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

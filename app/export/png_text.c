#include "export/png_text.h"

#include <string.h>

/* Bytes on their way into base64, with the checks that a PNG wants of them. */
struct writer {
    struct hl_sb *sb;
    uint8_t left[3]; /* not yet written */
    int n_left;
    uint32_t crc;  /* of the chunk */
    uint32_t a, b; /* Adler-32 of the pixels */
};

enum { STORED_MAX = 65535, ADLER = 65521 };

static void
put_group(struct writer *w)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t v = (uint32_t)w->left[0] << 16 | (uint32_t)w->left[1] << 8 | w->left[2];
    char out[4] = { digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63], digits[v & 63] };
    for (int i = w->n_left + 1; i < 4; i++)
        out[i] = '=';
    hl_sb_put(w->sb, out, 4);
    memset(w->left, 0, sizeof w->left);
    w->n_left = 0;
}

static void
put(struct writer *w, uint32_t byte)
{
    w->crc ^= byte & 255;
    for (int i = 0; i < 8; i++)
        w->crc = w->crc >> 1 ^ (w->crc & 1 ? 0xEDB88320u : 0);
    w->left[w->n_left++] = (uint8_t)byte;
    if (w->n_left == 3)
        put_group(w);
}

static void
put_word(struct writer *w, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put(w, v >> shift);
}

static void
chunk_begin(struct writer *w, uint32_t n, const char *name)
{
    put_word(w, n);
    w->crc = 0xFFFFFFFFu;
    for (int i = 0; i < 4; i++)
        put(w, (uint8_t)name[i]);
}

static void
chunk_end(struct writer *w)
{
    put_word(w, ~w->crc);
}

/* A byte of the picture inside zlib's stored blocks; *at counts them. */
static void
put_pixel_byte(struct writer *w, uint32_t byte, size_t *at, size_t n)
{
    if (*at % STORED_MAX == 0) {
        size_t block = n - *at < STORED_MAX ? n - *at : STORED_MAX;
        put(w, *at + block == n);
        put(w, (uint32_t)block);
        put(w, (uint32_t)block >> 8);
        put(w, ~(uint32_t)block);
        put(w, ~(uint32_t)block >> 8);
    }
    put(w, byte);
    w->a = (w->a + (byte & 255)) % ADLER;
    w->b = (w->b + w->a) % ADLER;
    ++*at;
}

void
png_text_put(struct hl_sb *sb, int rows, int cols, const hl_color *px)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10 };
    struct writer w = { .sb = sb, .a = 1 };
    size_t n = (size_t)rows * ((size_t)cols * 4 + 1), at = 0;
    size_t blocks = (n + STORED_MAX - 1) / STORED_MAX;
    for (int i = 0; i < 8; i++)
        put(&w, signature[i]);
    chunk_begin(&w, 13, "IHDR");
    put_word(&w, (uint32_t)cols);
    put_word(&w, (uint32_t)rows);
    put_word(&w, 0x08060000u); /* 8 bits, RGBA, deflate, the one filter method */
    put(&w, 0);                /* not interlaced */
    chunk_end(&w);
    chunk_begin(&w, (uint32_t)(n + blocks * 5 + 6), "IDAT");
    put(&w, 0x78);
    put(&w, 0x01);
    for (int y = 0; y < rows; y++) {
        put_pixel_byte(&w, 0, &at, n); /* no filter */
        for (int x = 0; x < cols; x++, px++) {
            for (int shift = 24; shift >= 0; shift -= 8)
                put_pixel_byte(&w, *px >> shift, &at, n);
        }
    }
    put_word(&w, w.b << 16 | w.a);
    chunk_end(&w);
    chunk_begin(&w, 0, "IEND");
    chunk_end(&w);
    if (w.n_left > 0)
        put_group(&w);
}

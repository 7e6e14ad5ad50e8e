#include "tok/bytelevel.h"

#include <stdint.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"

/* Whether a byte stands for itself. */
static bool
is_plain(int byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/* How many bytes below this one do not stand for themselves. */
static int
n_moved_below(int byte)
{
    if (byte <= 0x21)
        return byte;
    if (byte <= 0x7F)
        return 0x21;
    return byte <= 0xA0 ? 0x21 + 1 + (byte - 0x80) : 0x21 + 1 + 0x21;
}

static uint32_t
letter_of(int byte)
{
    return is_plain(byte) ? (uint32_t)byte : 0x100 + (uint32_t)n_moved_below(byte);
}

/* The byte that a letter stands for, or -1. */
static int
byte_of(uint32_t cp)
{
    if (cp < 0x100)
        return is_plain((int)cp) ? (int)cp : -1;
    if (cp <= 0x120)
        return (int)cp - 0x100;
    if (cp <= 0x142)
        return 0x7F + (int)cp - 0x121;
    return cp == 0x143 ? 0xAD : -1;
}

void
hl_bytelevel_write(const struct hl_ntext *t, size_t from, size_t to, struct hl_nbuf *out)
{
    for (size_t i = from; i < to; i++) {
        char buf[4];
        size_t n = hl_utf8_put(buf, letter_of((unsigned char)t->p[i]));
        hl_nbuf_put(out, buf, n, t->start[i], t->end[i]);
    }
}

int
hl_bytelevel_read(const char *piece, char *out)
{
    size_t n = strlen(piece);
    int count = 0;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        i += hl_utf8_next(piece + i, n - i, &cp);
        int byte = byte_of(cp);
        if (byte < 0)
            return -1;
        out[count++] = (char)byte;
    }
    return count;
}

const char *
hl_bytelevel_label(struct hl_arena *a, const char *piece)
{
    struct hl_sb sb = { 0 };
    char *bytes = hl_arena_new(a, strlen(piece) + 1, char);
    int n = bytes ? hl_bytelevel_read(piece, bytes) : -1;
    bool blank = true;
    int from = n > 1 && bytes[0] == ' ' ? 1 : 0;

    if (!bytes)
        return NULL;
    for (int i = from; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(bytes + i, (size_t)(n - i), &cp);
        if (len == 1 && ((unsigned char)bytes[i] >= 0x80 || bytes[i] == '\0'))
            hl_sb_printf(&sb, "<0x%02X>", (unsigned)(unsigned char)bytes[i]);
        else
            hl_sb_put(&sb, bytes + i, len);
        blank = blank && hl_utf8_is_space(cp);
        i += (int)len;
    }
    const char *label =
        blank || sb.failed ? hl_arena_strdup(a, piece) : hl_arena_strndup(a, sb.p, sb.n);
    hl_sb_deinit(&sb);
    return label;
}

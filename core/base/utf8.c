#include "base/utf8.h"

#include <string.h>

#include <utf8proc.h>

#include "base/size.h"

static const uint32_t REPLACEMENT = 0xFFFD;

size_t
hl_utf8_next(const char *s, size_t n, uint32_t *cp)
{
    unsigned char c = (unsigned char)s[0];
    if (c < 0x80) {
        *cp = c;
        return 1;
    }
    utf8proc_int32_t v;
    utf8proc_ssize_t len =
        utf8proc_iterate((const utf8proc_uint8_t *)s, n > 4 ? 4 : (utf8proc_ssize_t)n, &v);
    if (len <= 0) {
        *cp = REPLACEMENT;
        return 1;
    }
    *cp = (uint32_t)v;
    return (size_t)len;
}

size_t
hl_utf8_prev(const char *s, size_t at)
{
    uint32_t cp;
    for (size_t len = 2; len <= 4 && len <= at; len++) {
        if (((unsigned char)s[at - len + 1] & 0xC0) != 0x80)
            break;
        if (hl_utf8_next(s + at - len, len, &cp) == len)
            return len;
    }
    return 1;
}

size_t
hl_utf8_put(char *buf, uint32_t cp)
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = REPLACEMENT;
    return (size_t)utf8proc_encode_char((utf8proc_int32_t)cp, (utf8proc_uint8_t *)buf);
}

bool
hl_utf8_valid(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + i, n - i, &cp);
        if (len == 1 && (unsigned char)s[i] >= 0x80)
            return false;
        i += len;
    }
    return true;
}

/* Bytes of the maximal start of a character at s[0..n) that is known to be no
 * whole one: the Unicode standard replaces these by one U+FFFD. */
static size_t
invalid_part(const char *s, size_t n)
{
    unsigned char lead = (unsigned char)s[0];
    size_t want = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return 1;
    unsigned low = 0x80, high = 0xBF; /* allowed second byte */
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    size_t len = 1;
    while (len < want && len < n) {
        unsigned char c = (unsigned char)s[len];
        if (c < low || c > high)
            break;
        low = 0x80;
        high = 0xBF;
        len++;
    }
    return len;
}

char *
hl_utf8_repair(struct hl_arena *a, const char *s, size_t n, size_t *out_n)
{
    size_t cap;
    /* A single bad byte becomes three. */
    if (!hl_size_mul(n, 3, &cap) || !hl_size_add(cap, 1, &cap))
        return NULL;
    char *out = hl_arena_alloc(a, cap, 1, 1);
    if (!out)
        return NULL;
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + i, n - i, &cp);
        if (len == 1 && (unsigned char)s[i] >= 0x80) {
            i += invalid_part(s + i, n - i);
            to += hl_utf8_put(out + to, REPLACEMENT);
        } else if (cp == 0) {
            i += 1;
            to += hl_utf8_put(out + to, REPLACEMENT);
        } else {
            memcpy(out + to, s + i, len);
            i += len;
            to += len;
        }
    }
    out[to] = '\0';
    *out_n = to;
    return out;
}

static bool
is_ascii(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)s[i] >= 0x80)
            return false;
    }
    return true;
}

/* Characters that a terminal obeys, or that turn the order of a line: an outsider's name
 * must not rewrite what stands around it. */
static bool
commands(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x061C || cp == 0x200E || cp == 0x200F ||
           (cp >= 0x2028 && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069);
}

void
hl_utf8_blank_controls(char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + i, n - i, &cp);
        unsigned char byte = (unsigned char)s[i];
        /* a byte of no character: where bytes are characters it may be C1 */
        if (len == 1 && byte >= 0x80 && byte < 0xA0)
            cp = byte;
        if (commands(cp))
            memset(s + i, ' ', len);
        i += len;
    }
}

char *
hl_utf8_nfc(struct hl_arena *a, const char *s, size_t n, size_t *out_n)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    if (is_ascii(s, n)) {
        char *copy = hl_arena_strndup(a, s, n);
        if (copy)
            *out_n = n;
        return copy;
    }
    const utf8proc_uint8_t *in = (const utf8proc_uint8_t *)s;
    utf8proc_ssize_t len = utf8proc_decompose(in, (utf8proc_ssize_t)n, NULL, 0, options);
    if (len < 0)
        return NULL;
    /* utf8proc_reencode works in place and ends with a NUL. */
    utf8proc_int32_t *buf = hl_arena_new(a, (size_t)len + 1, utf8proc_int32_t);
    if (!buf)
        return NULL;
    utf8proc_decompose(in, (utf8proc_ssize_t)n, buf, len, options);
    utf8proc_ssize_t sz = utf8proc_reencode(buf, len, options);
    if (sz < 0)
        return NULL;
    *out_n = (size_t)sz;
    return (char *)buf;
}

size_t
hl_utf8_grapheme_next(const char *s, size_t n, size_t at)
{
    if (at >= n)
        return n;
    uint32_t left, right;
    utf8proc_int32_t state = 0;
    at += hl_utf8_next(s + at, n - at, &left);
    while (at < n) {
        size_t len = hl_utf8_next(s + at, n - at, &right);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)left, (utf8proc_int32_t)right,
                                             &state))
            break;
        left = right;
        at += len;
    }
    return at;
}

size_t
hl_utf8_grapheme_prev(const char *s, size_t n, size_t at)
{
    if (at > n)
        at = n;
    if (at == 0)
        return 0;
    /* Between two printable ASCII characters there is always a border, whatever
     * came before: start from the nearest one. */
    size_t from = at - 1;
    while (from > 0) {
        unsigned char l = (unsigned char)s[from - 1], r = (unsigned char)s[from];
        if (l >= 0x20 && l < 0x7F && r >= 0x20 && r < 0x7F)
            break;
        from--;
    }
    for (;;) {
        size_t next = hl_utf8_grapheme_next(s, n, from);
        if (next >= at)
            return from;
        from = next;
    }
}

enum kind { KIND_SPACE, KIND_WORD, KIND_MARK, KIND_OTHER };

static enum kind
kind_of(uint32_t cp)
{
    if (hl_utf8_is_space(cp))
        return KIND_SPACE;
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    if (c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME)
        return KIND_MARK;
    return hl_utf8_is_word(cp) ? KIND_WORD : KIND_OTHER;
}

size_t
hl_utf8_word_next(const char *s, size_t n, size_t at)
{
    enum kind run = KIND_SPACE;
    while (at < n) {
        uint32_t cp;
        size_t len = hl_utf8_next(s + at, n - at, &cp);
        enum kind k = kind_of(cp);
        if (run == KIND_SPACE)
            run = k; /* spaces before the word */
        else if (k != run && k != KIND_MARK)
            break;
        at += len;
    }
    return at;
}

size_t
hl_utf8_word_prev(const char *s, size_t n, size_t at)
{
    enum kind run = KIND_SPACE;
    if (at > n)
        at = n;
    while (at > 0) {
        uint32_t cp;
        size_t len = hl_utf8_prev(s, at);
        hl_utf8_next(s + at - len, len, &cp);
        enum kind k = kind_of(cp);
        if (run == KIND_SPACE || run == KIND_MARK)
            run = k; /* a mark belongs to what stands before it */
        else if (k != run && k != KIND_MARK)
            break;
        at -= len;
    }
    return at;
}

bool
hl_utf8_is_space(uint32_t cp)
{
    if ((cp >= 0x09 && cp <= 0x0D) || cp == 0x85)
        return true;
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return c == UTF8PROC_CATEGORY_ZS || c == UTF8PROC_CATEGORY_ZL || c == UTF8PROC_CATEGORY_ZP;
}

bool
hl_utf8_is_punct(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return c >= UTF8PROC_CATEGORY_PC && c <= UTF8PROC_CATEGORY_PO;
}

bool
hl_utf8_is_word(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_NO;
}

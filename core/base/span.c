#include "base/span.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"
#include "base/utf8.h"

/* Room for "-", 309 digits, a point and 60 decimals. */
enum { NUM_SZ = 400, DECIMALS_MAX = 60 };

static bool
reserve(struct hl_sb *sb, size_t more)
{
    size_t need;
    if (sb->failed)
        return false;
    if (!hl_size_add(sb->n, more, &need) || !hl_size_add(need, 1, &need)) {
        sb->failed = true;
        return false;
    }
    if (need <= sb->cap)
        return true;
    size_t cap = sb->cap > SIZE_MAX / 2 ? need : sb->cap * 2;
    if (cap < need)
        cap = need;
    if (cap < 64)
        cap = 64;
    char *p = hl_realloc(sb->p, cap, 1);
    if (!p) {
        sb->failed = true;
        return false;
    }
    sb->p = p;
    sb->cap = cap;
    return true;
}

void
hl_sb_put(struct hl_sb *sb, const char *s, size_t n)
{
    if (!reserve(sb, n))
        return;
    if (n)
        memcpy(sb->p + sb->n, s, n);
    sb->n += n;
    sb->p[sb->n] = '\0';
}

void
hl_sb_puts(struct hl_sb *sb, const char *s)
{
    hl_sb_put(sb, s, strlen(s));
}

void
hl_sb_putc(struct hl_sb *sb, char c)
{
    hl_sb_put(sb, &c, 1);
}

void
hl_sb_printf(struct hl_sb *sb, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        sb->failed = true;
    else if (reserve(sb, (size_t)n)) {
        vsnprintf(sb->p + sb->n, (size_t)n + 1, fmt, again);
        sb->n += (size_t)n;
    }
    va_end(again);
}

/* In what printf gives for a finite number all bytes but these are the locale's
 * decimal point, which may be longer than one byte. */
static void
plain_point(char *s)
{
    char *to = s;
    bool in_point = false;
    for (const char *from = s; *from; from++) {
        bool known = strchr("0123456789+-eE", *from) != NULL;
        if (known)
            *to++ = *from;
        else if (!in_point)
            *to++ = '.';
        in_point = !known;
    }
    *to = '\0';
}

void
hl_sb_num(struct hl_sb *sb, double v, int digits)
{
    if (!isfinite(v)) {
        hl_sb_puts(sb, "null");
        return;
    }
    if (v == 0.0) {
        hl_sb_putc(sb, '0');
        return;
    }
    char buf[NUM_SZ];
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    /* 15 digits always read back as themselves; beyond, fewer may say the same. */
    for (int d = digits < 15 ? digits : 15; d <= digits; d++) {
        snprintf(buf, sizeof(buf), "%.*g", d, v);
        if (d == digits || strtod(buf, NULL) == v)
            break;
    }
    plain_point(buf);
    hl_sb_puts(sb, buf);
}

char *
hl_fmt_fixed(char *buf, size_t buf_sz, double v, int decimals)
{
    char full[NUM_SZ];
    if (buf_sz == 0)
        return buf;
    decimals = decimals < 0 ? 0 : decimals > DECIMALS_MAX ? DECIMALS_MAX : decimals;
    if (isnan(v))
        snprintf(full, sizeof(full), "nan");
    else if (isinf(v))
        snprintf(full, sizeof(full), v < 0 ? "-inf" : "inf");
    else {
        snprintf(full, sizeof(full), "%.*f", decimals, v);
        plain_point(full);
    }
    size_t n = strlen(full);
    if (n >= buf_sz)
        n = buf_sz - 1;
    memcpy(buf, full, n);
    buf[n] = '\0';
    return buf;
}

void
hl_sb_fixed(struct hl_sb *sb, double v, int decimals)
{
    char buf[NUM_SZ];
    hl_sb_puts(sb, hl_fmt_fixed(buf, sizeof(buf), v, decimals));
}

static void
put_escape(struct hl_sb *sb, unsigned char c)
{
    switch (c) {
    case '"':
        hl_sb_puts(sb, "\\\"");
        break;
    case '\\':
        hl_sb_puts(sb, "\\\\");
        break;
    case '\n':
        hl_sb_puts(sb, "\\n");
        break;
    case '\r':
        hl_sb_puts(sb, "\\r");
        break;
    case '\t':
        hl_sb_puts(sb, "\\t");
        break;
    default:
        hl_sb_printf(sb, "\\u%04x", c);
        break;
    }
}

void
hl_sb_json(struct hl_sb *sb, const char *s, size_t n)
{
    hl_sb_putc(sb, '"');
    size_t plain = 0; /* start of the stretch that can be copied as it is */
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        uint32_t cp;
        size_t len = c < 0x80 ? 1 : hl_utf8_next(s + i, n - i, &cp);
        bool bad = c >= 0x80 && len == 1;
        if (c < 0x20 || c == '"' || c == '\\' || bad) {
            hl_sb_put(sb, s + plain, i - plain);
            if (bad)
                hl_sb_puts(sb, "\xEF\xBF\xBD");
            else
                put_escape(sb, c);
            plain = i + 1;
        }
        i += len;
    }
    hl_sb_put(sb, s + plain, n - plain);
    hl_sb_putc(sb, '"');
}

void
hl_sb_deinit(struct hl_sb *sb)
{
    hl_free(sb->p);
    *sb = (struct hl_sb) { 0 };
}

static size_t
count_digits(const char *s)
{
    size_t n = 0;
    while (s[n] >= '0' && s[n] <= '9')
        n++;
    return n;
}

/* Whether s is [+-]digits[.digits][e[+-]digits] with a digit before the e;
 * *point is the place of the '.', or NULL. */
static bool
is_decimal(const char *s, const char **point)
{
    *point = NULL;
    if (*s == '+' || *s == '-')
        s++;
    size_t whole = count_digits(s), part = 0;
    s += whole;
    if (*s == '.') {
        *point = s++;
        part = count_digits(s);
        s += part;
    }
    if (whole + part == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-')
            s++;
        size_t n = count_digits(s);
        if (n == 0)
            return false;
        s += n;
    }
    return *s == '\0';
}

bool
hl_parse_double(const char *s, double *out)
{
    const char *point;
    char buf[NUM_SZ], half[16];
    if (strlen(s) > sizeof(buf) - sizeof(half) || !is_decimal(s, &point))
        return false;
    /* strtod wants the locale's point: "%.1f" of 0.5 shows what that is. */
    snprintf(half, sizeof(half), "%.1f", 0.5);
    half[strlen(half) - 1] = '\0';
    if (point)
        snprintf(buf, sizeof(buf), "%.*s%s%s", (int)(point - s), s, half + 1, point + 1);
    else
        snprintf(buf, sizeof(buf), "%s", s);
    double v = strtod(buf, NULL);
    if (!isfinite(v))
        return false;
    *out = v;
    return true;
}

bool
hl_parse_long(const char *s, long *out)
{
    const char *digits = *s == '+' || *s == '-' ? s + 1 : s;
    size_t n = count_digits(digits);
    if (n == 0 || digits[n] != '\0')
        return false;
    errno = 0;
    long v = strtol(s, NULL, 10);
    if (errno == ERANGE)
        return false;
    *out = v;
    return true;
}

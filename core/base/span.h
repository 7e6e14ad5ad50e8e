/* String slices, a growing string builder, and locale-free number writing and
 * reading. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hl_span {
    const char *p;
    size_t n;
} hl_span;

/* A growing byte string on the heap, always NUL-terminated once it has content.
 * After a failed allocation `failed` stays set and further writes do nothing, so
 * a writer checks once at its end. Init by `= { 0 }`. */
struct hl_sb {
    char *p;
    size_t n, cap;
    bool failed;
};

/* Thread-safety: one thread per builder. Fails: sets sb->failed. */
void
hl_sb_put(struct hl_sb *sb, const char *s, size_t n);
void
hl_sb_puts(struct hl_sb *sb, const char *s);
void
hl_sb_putc(struct hl_sb *sb, char c);
/* printf for integers and strings only: a floating conversion would follow the
 * locale; numbers go through hl_sb_num. */
void
hl_sb_printf(struct hl_sb *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The shortest of at most `digits` (1..17) significant digits, '.' as the point
 * whatever the locale, no trailing zeros; "0" for both zeros; null for NaN and
 * infinities (JSON has none). */
void
hl_sb_num(struct hl_sb *sb, double v, int digits);
/* As "%.*f" but with '.' always. */
void
hl_sb_fixed(struct hl_sb *sb, double v, int decimals);
/* A JSON string literal with quotes; invalid UTF-8 becomes U+FFFD. */
void
hl_sb_json(struct hl_sb *sb, const char *s, size_t n);
void
hl_sb_deinit(struct hl_sb *sb);

/* "%.*f" with '.' always, into buf (NUL-terminated); returns buf. Reentrant. */
char *
hl_fmt_fixed(char *buf, size_t buf_sz, double v, int decimals);

/* Reads a decimal number that fills the whole of s, '.' as the point whatever the
 * locale. Fails: false, *out untouched. Reentrant. */
bool
hl_parse_double(const char *s, double *out);
bool
hl_parse_long(const char *s, long *out);

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

struct row {
    enum hl_status code;
    const char *name, *sentence, *remedy;
};

static const struct row rows[] = { { HL_OK, "OK", "", "" },
#define X(name, number, sentence, remedy) { HL_E_##name, #name, sentence, remedy },
                                   HL_ERROR_LIST(X)
#undef X
};

static const struct row *
row_of(enum hl_status code)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].code == code)
            return &rows[i];
    }
    return &rows[0];
}

const char *
hl_status_name(enum hl_status code)
{
    return row_of(code)->name;
}

const char *
hl_status_sentence(enum hl_status code)
{
    return row_of(code)->sentence;
}

const char *
hl_status_remedy(enum hl_status code)
{
    return row_of(code)->remedy;
}

/* Length of s[0..n) without a character that was cut off at its end. */
static size_t
whole_chars(const char *s, size_t n)
{
    size_t i = n;
    while (i > 0 && n - i < 3 && ((unsigned char)s[i - 1] & 0xC0) == 0x80)
        i--;
    if (i == 0)
        return n;
    unsigned char lead = (unsigned char)s[i - 1];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return want > n - i + 1 ? i - 1 : n;
}

/* Copies s into buf, cut at a character border where it does not fit. */
static void
copy_cut(char *buf, size_t buf_sz, const char *s)
{
    size_t n = strlen(s);
    if (n >= buf_sz)
        n = whole_chars(s, buf_sz - 1);
    memcpy(buf, s, n);
    buf[n] = '\0';
}

enum hl_status
hl_error_set(struct hl_error *err, enum hl_status code, const char *where, const char *fmt, ...)
{
    if (!err)
        return code;
    /* Through a copy: the arguments may be the error's own old strings. */
    struct hl_error e = { .code = code };
    if (where)
        copy_cut(e.where, sizeof(e.where), where);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(e.detail, sizeof(e.detail), fmt, ap);
    va_end(ap);
    if (n < 0)
        e.detail[0] = '\0';
    else if ((size_t)n >= sizeof(e.detail))
        e.detail[whole_chars(e.detail, sizeof(e.detail) - 1)] = '\0';
    *err = e;
    return code;
}

struct line {
    char *buf;
    size_t n, cap; /* cap leaves room for the NUL */
};

static void
line_put(struct line *l, const char *s)
{
    size_t n = strlen(s);
    if (n > l->cap - l->n)
        n = whole_chars(s, l->cap - l->n);
    memcpy(l->buf + l->n, s, n);
    l->n += n;
}

void
hl_error_text(const struct hl_error *err, char *buf, unsigned long buf_sz)
{
    if (buf_sz == 0)
        return;
    struct line l = { buf, 0, buf_sz - 1 };
    const struct row *r = row_of(err->code);
    if (r->code != HL_OK) {
        line_put(&l, r->sentence);
        if (err->where[0]) {
            line_put(&l, ": ");
            line_put(&l, err->where);
        }
        if (err->detail[0]) {
            line_put(&l, ": ");
            line_put(&l, err->detail);
        }
        /* A detail may be a sentence of its own. */
        line_put(&l, l.n > 0 && l.buf[l.n - 1] == '.' ? " " : ". ");
        line_put(&l, r->remedy);
    }
    hl_utf8_blank_controls(l.buf, l.n);
    buf[l.n] = '\0';
}

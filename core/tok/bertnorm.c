#include "tok/bertnorm.h"

#include <string.h>

#include <utf8proc.h>

#include "base/utf8.h"
#include "tok/forms.h"

enum hl_status
hl_bertnorm_load(const struct hl_json *node, const char *where, struct hl_bertnorm *out,
                 struct hl_error *err)
{
    *out = (struct hl_bertnorm) { true, true, true, true };
    const struct {
        const char *key;
        bool *flag;
    } rows[] = { { "clean_text", &out->clean },
                 { "handle_chinese_chars", &out->ideographs },
                 { "lowercase", &out->lower } };
    enum hl_status status = HL_OK;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == HL_OK; i++)
        status = hl_json_opt_bool(node, rows[i].key, HL_E_TOKENIZER, where, rows[i].flag, err);
    out->accents = out->lower; /* where nothing is said */
    return status == HL_OK
               ? hl_json_opt_bool(node, "strip_accents", HL_E_TOKENIZER, where, &out->accents, err)
               : status;
}

static bool
in(uint32_t cp, uint32_t from, uint32_t to)
{
    return cp >= from && cp <= to;
}

static bool
is_ideograph(uint32_t cp)
{
    return in(cp, 0x4E00, 0x9FFF) || in(cp, 0x3400, 0x4DBF) || in(cp, 0x20000, 0x2A6DF) ||
           in(cp, 0x2A700, 0x2B73F) || in(cp, 0x2B740, 0x2B81F) || in(cp, 0x2B920, 0x2CEAF) ||
           in(cp, 0xF900, 0xFAFF) || in(cp, 0x2F800, 0x2FA1F);
}

/* Format characters that the reference's tables, of Unicode 8, do not have yet. */
static bool
is_newer_format(uint32_t cp)
{
    return cp == 0x8E2 || in(cp, 0x890, 0x891) || cp == 0x110CD || in(cp, 0x13430, 0x1343F);
}

static bool
is_space(uint32_t cp)
{
    return cp == '\t' || cp == '\n' || cp == '\r' || cp == ' ' || cp == 0xA0 || cp == 0x1680 ||
           in(cp, 0x2000, 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F ||
           cp == 0x3000;
}

static bool
is_dropped(uint32_t cp)
{
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return cp == 0 || cp == 0xFFFD || c == UTF8PROC_CATEGORY_CC || c == UTF8PROC_CATEGORY_CO ||
           (c == UTF8PROC_CATEGORY_CF && !is_newer_format(cp));
}

/* Control characters, spaces and ideographs. */
static void
clean(const struct hl_bertnorm *b, const struct hl_ntext *t, struct hl_nbuf *out)
{
    for (size_t i = 0; i < t->n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(t->p + i, t->n - i, &cp);
        int32_t start = t->start[i], end = t->end[i];
        bool apart = b->ideographs && is_ideograph(cp);
        if (b->clean && is_space(cp)) {
            hl_nbuf_put(out, " ", 1, start, end);
        } else if (!b->clean || !is_dropped(cp)) {
            if (apart)
                hl_nbuf_put(out, " ", 1, start, start);
            hl_nbuf_copy(out, t, i, i + len);
            if (apart)
                hl_nbuf_put(out, " ", 1, end, end);
        }
        i += len;
    }
}

/* Without marks, and small, character by character. */
static void
soften(const struct hl_bertnorm *b, const struct hl_ntext *t, struct hl_nbuf *out)
{
    for (size_t i = 0; i < t->n;) {
        uint32_t cp;
        char buf[8];
        size_t len = hl_utf8_next(t->p + i, t->n - i, &cp);
        bool mark = utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_MN;
        if (b->accents && mark) {
            i += len;
            continue;
        }
        size_t n =
            hl_utf8_put(buf, b->lower ? (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp) : cp);
        if (b->lower && cp == 0x130) { /* the one letter that becomes two */
            n = hl_utf8_put(buf, 'i');
            n += hl_utf8_put(buf + n, 0x307);
        }
        hl_nbuf_put(out, buf, n, t->start[i], t->end[i]);
        i += len;
    }
}

void
hl_bertnorm_apply(const struct hl_bertnorm *b, const struct hl_ntext *t, struct hl_arena *scratch,
                  struct hl_nbuf *out)
{
    struct hl_nbuf cleaned, apart;
    hl_nbuf_init(&cleaned, scratch, t->n + 16);
    hl_nbuf_init(&apart, scratch, t->n + 16);
    cleaned.most = apart.most = out->most;
    clean(b, t, &cleaned);
    if (b->accents && !cleaned.failed && cleaned.t.n > 0)
        hl_form_apply(&cleaned.t, false, false, &apart);
    out->failed = out->failed || cleaned.failed || apart.failed;
    out->over = out->over || cleaned.over || apart.over;
    if (!out->failed)
        soften(b, b->accents ? &apart.t : &cleaned.t, out);
}

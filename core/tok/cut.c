#include "tok/cut.h"

#include <ctype.h>
#include <string.h>

#include "tok/bytelevel.h"

/* White space as the reference has it: without U+180E, which PCRE2 counts. */
#define SPACE                                                                                      \
    "\\x09-\\x0D\\x20\\x85\\xA0\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}"   \
    "\\x{3000}"
#define WORD "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200C}\\x{200D}"

/* GPT-2's expression: contractions, words, numbers, signs, white space; of white space
 * before a word the last character is left to the word. */
static const char gpt2[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^" SPACE
                           "\\p{L}\\p{N}]+|[" SPACE "]+(?![^" SPACE "])|[" SPACE "]+";
static const char words[] = "[" WORD "]+|[^" WORD SPACE "]+";
static const char spaces[] = "[" SPACE "]+";
static const char signs[] = "[\\p{P}$+<=>^`|~]";

/* ---- loading ---- */

static enum hl_status
fail(const char *where, const char *what, struct hl_error *err)
{
    return hl_error_set(err, HL_E_TOKENIZER, where, "%s", what);
}

bool
hl_cut_knows(const char *type)
{
    static const char *const types[] = { "Split",       "Whitespace",       "Digits",
                                         "Punctuation", "BertPreTokenizer", "ByteLevel" };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i], type) == 0)
            return true;
    }
    return false;
}

static enum hl_status
load_behaviour(const struct hl_json *node, const char *where, enum hl_cut_behaviour *out,
               struct hl_error *err)
{
    static const char *const names[HL_CUT_COUNT] = { "Removed", "Isolated", "MergedWithPrevious",
                                                     "MergedWithNext", "Contiguous" };
    const char *name = NULL;
    enum hl_status status = hl_json_opt_string(node, "behavior", HL_E_TOKENIZER, where, &name, err);
    if (status != HL_OK || !name)
        return status;
    for (int i = 0; i < HL_CUT_COUNT; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (enum hl_cut_behaviour)i;
            return HL_OK;
        }
    }
    return hl_error_set(err, HL_E_TOKENIZER, where, "the behavior '%.60s' is not known", name);
}

/* An expression that matches the very text. */
static char *
quoted(struct hl_arena *a, const char *text)
{
    size_t n = strlen(text), at = 0;
    char *out = hl_arena_alloc(a, n + 1, 2, 1);
    for (size_t i = 0; out && i < n; i++) {
        if (ispunct((unsigned char)text[i]))
            out[at++] = '\\';
        out[at++] = text[i];
    }
    return out;
}

static enum hl_status
load_split(const struct hl_json *node, const char *where, struct hl_arena *arena,
           struct hl_cut *cut, struct hl_error *err)
{
    const struct hl_json *pattern = hl_json_get(node, "pattern");
    const char *regex = hl_json_string(hl_json_get(pattern, "Regex"));
    const char *text = hl_json_string(hl_json_get(pattern, "String"));
    cut->behaviour = HL_CUT_ISOLATED;
    enum hl_status status = load_behaviour(node, where, &cut->behaviour, err);
    if (status == HL_OK)
        status = hl_json_opt_bool(node, "invert", HL_E_TOKENIZER, where, &cut->invert, err);
    if (status != HL_OK)
        return status;
    if (!regex && (!text || !*text))
        return fail(where, "a Split pre_tokenizer has no pattern", err);
    if (!regex) {
        regex = quoted(arena, text);
        if (!regex)
            return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    }
    return hl_regex_create(regex, where, &cut->regex, err);
}

static enum hl_status
load_bytelevel(const struct hl_json *node, const char *where, struct hl_cut *cut,
               struct hl_error *err)
{
    bool regex = true;
    cut->behaviour = HL_CUT_ISOLATED;
    cut->bytes = cut->prefix_space = true;
    enum hl_status status =
        hl_json_opt_bool(node, "add_prefix_space", HL_E_TOKENIZER, where, &cut->prefix_space, err);
    if (status == HL_OK)
        status = hl_json_opt_bool(node, "use_regex", HL_E_TOKENIZER, where, &regex, err);
    return status == HL_OK && regex ? hl_regex_create(gpt2, where, &cut->regex, err) : status;
}

static enum hl_status
load_fixed(const char *pattern, enum hl_cut_behaviour behaviour, bool invert, const char *where,
           struct hl_cut *cut, struct hl_error *err)
{
    cut->behaviour = behaviour;
    cut->invert = invert;
    return hl_regex_create(pattern, where, &cut->regex, err);
}

enum hl_status
hl_cut_load(const struct hl_json *node, const char *where, struct hl_arena *arena,
            struct hl_cut out[2], int *n, struct hl_error *err)
{
    const char *type = hl_json_string(hl_json_get(node, "type"));
    enum hl_cut_behaviour behaviour = HL_CUT_ISOLATED;
    bool single = false;

    *n = 1;
    out[0] = out[1] = (struct hl_cut) { 0 };
    if (strcmp(type, "Split") == 0)
        return load_split(node, where, arena, &out[0], err);
    if (strcmp(type, "ByteLevel") == 0)
        return load_bytelevel(node, where, &out[0], err);
    if (strcmp(type, "Whitespace") == 0)
        return load_fixed(words, HL_CUT_REMOVED, true, where, &out[0], err);
    if (strcmp(type, "Digits") == 0) {
        enum hl_status status =
            hl_json_opt_bool(node, "individual_digits", HL_E_TOKENIZER, where, &single, err);
        return status == HL_OK ? load_fixed(single ? "\\p{N}" : "\\p{N}+", HL_CUT_ISOLATED, false,
                                            where, &out[0], err)
                               : status;
    }
    if (strcmp(type, "Punctuation") == 0) {
        enum hl_status status = load_behaviour(node, where, &behaviour, err);
        return status == HL_OK ? load_fixed(signs, behaviour, false, where, &out[0], err) : status;
    }
    *n = 2; /* BertPreTokenizer */
    enum hl_status status = load_fixed(spaces, HL_CUT_REMOVED, false, where, &out[0], err);
    return status == HL_OK ? load_fixed(signs, HL_CUT_ISOLATED, false, where, &out[1], err)
                           : status;
}

/* ---- cutting ---- */

struct stretch {
    size_t from, to;
    bool match;
};

struct cutting {
    const struct hl_cut *cut;
    struct hl_arena *scratch;
    struct stretch *list;
    size_t n, cap, done;
    bool failed;
};

static void
add_stretch(struct cutting *c, size_t from, size_t to, bool match)
{
    if (from == to || c->failed)
        return;
    if (c->n == c->cap) {
        size_t cap = c->cap ? 2 * c->cap : 16;
        struct stretch *more = hl_arena_new(c->scratch, cap, struct stretch);
        if (!more) {
            c->failed = true;
            return;
        }
        if (c->n > 0)
            memcpy(more, c->list, c->n * sizeof *more);
        c->list = more;
        c->cap = cap;
    }
    c->list[c->n++] = (struct stretch) { from, to, match != c->cut->invert };
}

static void
on_match(void *user, size_t from, size_t to)
{
    struct cutting *c = user;
    add_stretch(c, c->done, from, false);
    add_stretch(c, from, to, true);
    c->done = to;
}

/* Whether stretch i goes on with the part that stretch i - 1 is of. */
static bool
joins(const struct cutting *c, size_t i)
{
    bool now = c->list[i].match, last = c->list[i - 1].match;
    switch (c->cut->behaviour) {
    case HL_CUT_PREVIOUS:
        return now && !last;
    case HL_CUT_NEXT:
        return !now && last;
    case HL_CUT_CONTIGUOUS:
        return now == last;
    case HL_CUT_REMOVED:
    case HL_CUT_ISOLATED:
    case HL_CUT_COUNT:
        break;
    }
    return false;
}

/* One part, as it is or in the byte alphabet. */
static bool
add_part(const struct cutting *c, const struct hl_ntext *t, size_t from, size_t to,
         struct hl_parts *out)
{
    struct hl_nbuf b;
    if (!c->cut->bytes)
        return hl_parts_add(out, hl_ntext_view(t, from, to), c->scratch);
    hl_nbuf_init(&b, c->scratch, 2 * (to - from));
    hl_bytelevel_write(t, from, to, &b);
    return !b.failed && hl_parts_add(out, b.t, c->scratch);
}

/* t with a space before it that stands for its first character. */
static bool
put_space(const struct hl_ntext *t, struct hl_arena *scratch, struct hl_ntext *out)
{
    struct hl_nbuf b;
    hl_nbuf_init(&b, scratch, t->n + 1);
    hl_nbuf_put(&b, " ", 1, t->start[0], t->end[0]);
    hl_nbuf_copy(&b, t, 0, t->n);
    *out = b.t;
    return !b.failed;
}

enum hl_status
hl_cut_apply(const struct hl_cut *cut, const struct hl_ntext *t, struct hl_arena *scratch,
             struct hl_parts *out, struct hl_error *err)
{
    struct cutting c = { .cut = cut, .scratch = scratch };
    struct hl_ntext text = *t;
    enum hl_status status = HL_OK;

    if (text.n == 0)
        return HL_OK;
    if (cut->prefix_space && text.p[0] != ' ')
        c.failed = !put_space(t, scratch, &text);
    if (!c.failed && cut->regex)
        status = hl_regex_each(cut->regex, text.p, text.n, on_match, &c, err);
    if (status != HL_OK)
        return status;
    add_stretch(&c, c.done, text.n, false);
    for (size_t i = 0; i < c.n && !c.failed;) {
        size_t last = i + 1;
        while (last < c.n && joins(&c, last))
            last++;
        if (cut->behaviour != HL_CUT_REMOVED || !c.list[i].match)
            c.failed = !add_part(&c, &text, c.list[i].from, c.list[last - 1].to, out);
        i = last;
    }
    return c.failed ? hl_error_set(err, HL_E_NOMEM, NULL, "%s", "") : HL_OK;
}

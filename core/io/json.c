#include "io/json.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/span.h"
#include "base/utf8.h"

enum { DEPTH_MAX = 200, FEW_KEYS = 12 };

struct hl_json {
    const char *key; /* "" outside objects */
    struct hl_json *next, *child;
    union {
        double number;
        const char *string;
        bool flag;
    } v;
    int n; /* children */
    enum hl_json_kind kind;
};

struct hl_json_doc {
    struct hl_arena arena;
    struct hl_json *root;
};

/* The text being read; `left` values may still be made. */
struct parser {
    const char *p;
    size_t n, at;
    int depth, left;
    struct hl_arena *arena;
    const char *where;
    struct hl_error *err;
};

static enum hl_status
fail(const struct parser *s, size_t at, const char *what)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = s->p[i] == '\n' ? 1 : column + 1;
        line += s->p[i] == '\n';
    }
    return hl_error_set(s->err, HL_E_JSON, s->where, "line %d, column %d: %s", line, column, what);
}

static enum hl_status
no_memory(const struct parser *s)
{
    return hl_error_set(s->err, HL_E_NOMEM, s->where, "%s", "");
}

static enum hl_status
check_utf8(const struct parser *s)
{
    if (s->n >= 3 && memcmp(s->p, "\xEF\xBB\xBF", 3) == 0)
        return fail(s, 0, "a byte order mark");
    for (size_t i = 0; i < s->n;) {
        uint32_t cp;
        size_t len = (unsigned char)s->p[i] < 0x80 ? 1 : hl_utf8_next(s->p + i, s->n - i, &cp);
        if (len == 1 && (unsigned char)s->p[i] >= 0x80)
            return fail(s, i, "invalid UTF-8");
        i += len;
    }
    return HL_OK;
}

/* The next byte that is no white space, not taken; NUL at the end. */
static char
look(struct parser *s)
{
    while (s->at < s->n && s->p[s->at] != '\0' && strchr(" \t\r\n", s->p[s->at]))
        s->at++;
    return s->at < s->n ? s->p[s->at] : '\0';
}

/* Something else stands where `look` found it. */
static enum hl_status
unexpected(const struct parser *s)
{
    if (s->at >= s->n)
        return fail(s, s->n, "the text ends too early");
    return fail(s, s->at, (unsigned char)s->p[s->at] < 0x20 ? "a control character" : "not JSON");
}

/* ---- strings ---- */

/* Four hexadecimal digits at `at`; -1 when they are none. */
static int32_t
hex4(const struct parser *s, size_t at)
{
    int32_t v = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = i < s->n ? s->p[i] : '\0';
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        v = 16 * v + digit;
    }
    return v;
}

/* What follows a backslash at s->at - 1, written to `out`. */
static enum hl_status
read_escape(struct parser *s, char *out, size_t *n)
{
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    size_t from = s->at - 1;
    char c = s->at < s->n ? s->p[s->at++] : '\0';
    const char *simple = c ? strchr(names, c) : NULL;
    if (simple) {
        out[(*n)++] = bytes[simple - names];
        return HL_OK;
    }
    int32_t v = c == 'u' ? hex4(s, s->at) : -1;
    if (v < 0)
        return fail(s, from, "not an escape of JSON");
    s->at += 4;
    if (v == 0)
        return fail(s, from, "a string with a NUL character");
    if (v >= 0xD800 && v <= 0xDFFF) {
        bool pair = v <= 0xDBFF && s->n - s->at >= 6 && memcmp(s->p + s->at, "\\u", 2) == 0;
        int32_t low = pair ? hex4(s, s->at + 2) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(s, from, "half of a surrogate pair");
        v = 0x10000 + ((v - 0xD800) << 10) + (low - 0xDC00);
        s->at += 6;
    }
    *n += hl_utf8_put(out + *n, (uint32_t)v);
    return HL_OK;
}

/* The string whose opening quote is at s->at, in the document's arena. What is written
 * is never longer than what was read. */
static enum hl_status
read_string(struct parser *s, const char **out)
{
    size_t from = ++s->at, n = 0;
    while (s->at < s->n && s->p[s->at] != '"')
        s->at += s->p[s->at] == '\\' ? 2 : 1;
    if (s->at >= s->n)
        return fail(s, s->n, "the text ends inside a string");
    size_t end = s->at;
    char *copy = hl_arena_new(s->arena, end - from + 1, char);
    if (!copy)
        return no_memory(s);
    for (s->at = from; s->at < end;) {
        char c = s->p[s->at];
        if ((unsigned char)c < 0x20)
            return fail(s, s->at, "a control character inside a string");
        s->at++;
        if (c != '\\') {
            copy[n++] = c;
            continue;
        }
        enum hl_status status = read_escape(s, copy, &n);
        if (status != HL_OK)
            return status;
    }
    s->at = end + 1;
    *out = copy;
    return HL_OK;
}

/* ---- numbers ---- */

static size_t
take_digits(struct parser *s)
{
    size_t from = s->at;
    while (s->at < s->n && s->p[s->at] >= '0' && s->p[s->at] <= '9')
        s->at++;
    return s->at - from;
}

static bool
take(struct parser *s, const char *set)
{
    if (s->at >= s->n || s->p[s->at] == '\0' || !strchr(set, s->p[s->at]))
        return false;
    s->at++;
    return true;
}

static enum hl_status
read_number(struct parser *s, double *out)
{
    enum { EXACT = 15 }; /* so many digits are exact in a double */
    char buf[256];
    size_t from = s->at;
    bool minus = take(s, "-"), plain = true;
    size_t digits = s->at, whole = take_digits(s);
    bool good = whole > 0 && (s->p[digits] != '0' || whole == 1);
    if (take(s, ".")) {
        plain = false;
        good = take_digits(s) > 0 && good;
    }
    if (take(s, "eE")) {
        plain = false;
        take(s, "+-");
        good = take_digits(s) > 0 && good;
    }
    if (!good)
        return fail(s, from, "not a JSON number");
    if (plain && whole <= EXACT) {
        double v = 0;
        for (size_t i = digits; i < digits + whole; i++)
            v = 10 * v + (s->p[i] - '0');
        *out = minus ? -v : v;
        return HL_OK;
    }
    size_t n = s->at - from;
    if (n >= sizeof buf)
        return fail(s, from, "a number with too many digits");
    memcpy(buf, s->p + from, n);
    buf[n] = '\0';
    return hl_parse_double(buf, out) ? HL_OK : fail(s, from, "a number is too large");
}

/* ---- equal keys ---- */

static enum hl_status
duplicate(const struct parser *s, const char *key)
{
    return hl_error_set(s->err, HL_E_JSON, s->where, "the key '%.100s' occurs twice in one object",
                        key);
}

static enum hl_status
check_few_keys(const struct parser *s, const struct hl_json *object)
{
    for (const struct hl_json *a = object->child; a; a = a->next) {
        for (const struct hl_json *b = a->next; b; b = b->next) {
            if (strcmp(a->key, b->key) == 0)
                return duplicate(s, a->key);
        }
    }
    return HL_OK;
}

static enum hl_status
check_many_keys(const struct parser *s, const struct hl_json *object)
{
    struct hl_arena arena;
    struct hl_hash seen;
    enum hl_status status = HL_OK;
    hl_arena_init(&arena, 0, 0);
    hl_hash_init(&seen, &arena, (uint32_t)object->n);
    for (const struct hl_json *a = object->child; a && status == HL_OK; a = a->next) {
        if (!hl_hash_put(&seen, a->key, strlen(a->key), 0))
            status = seen.cap == 0 ? no_memory(s) : duplicate(s, a->key);
    }
    hl_arena_deinit(&arena);
    return status;
}

/* ---- values ---- */

static enum hl_status read_value(struct parser *s, const char *key, struct hl_json **out);

static enum hl_status
read_key(struct parser *s, const char **key)
{
    if (look(s) != '"')
        return unexpected(s);
    enum hl_status status = read_string(s, key);
    if (status != HL_OK)
        return status;
    if (look(s) != ':')
        return unexpected(s);
    s->at++;
    return HL_OK;
}

/* What lies between brackets, of which the opening one is at s->at. Recursion is
 * bounded by the depth. */
static enum hl_status
read_children(struct parser *s, struct hl_json *node)
{
    bool object = node->kind == HL_JSON_OBJECT;
    char close = object ? '}' : ']';
    struct hl_json **tail = &node->child;
    if (s->depth == 0)
        return fail(s, s->at, "nested too deeply");
    s->depth--;
    s->at++;
    for (bool more = look(s) != close; more; more = take(s, ",")) {
        const char *key = "";
        enum hl_status status = object ? read_key(s, &key) : HL_OK;
        if (status == HL_OK)
            status = read_value(s, key, tail);
        if (status != HL_OK)
            return status;
        tail = &(*tail)->next;
        node->n++;
        look(s);
    }
    if (look(s) != close)
        return unexpected(s);
    s->at++;
    s->depth++;
    if (!object)
        return HL_OK;
    return node->n <= FEW_KEYS ? check_few_keys(s, node) : check_many_keys(s, node);
}

static enum hl_status
read_word(struct parser *s, struct hl_json *node)
{
    static const struct {
        const char *word;
        enum hl_json_kind kind;
        bool flag;
    } words[] = { { "true", HL_JSON_BOOL, true },
                  { "false", HL_JSON_BOOL, false },
                  { "null", HL_JSON_NULL, false } };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i].word);
        if (s->n - s->at < n || memcmp(s->p + s->at, words[i].word, n) != 0)
            continue;
        node->kind = words[i].kind;
        node->v.flag = words[i].flag;
        s->at += n;
        return HL_OK;
    }
    return unexpected(s);
}

static enum hl_status
read_value(struct parser *s, const char *key, struct hl_json **out)
{
    char c = look(s);
    if (s->left-- == 0)
        return hl_error_set(s->err, HL_E_JSON, s->where, "it holds more than %d values",
                            HL_JSON_VALUES_MAX);
    struct hl_json *node = hl_arena_new(s->arena, 1, struct hl_json);
    if (!node)
        return no_memory(s);
    node->key = key;
    *out = node;
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? HL_JSON_OBJECT : HL_JSON_ARRAY;
        return read_children(s, node);
    }
    if (c == '"') {
        node->kind = HL_JSON_STRING;
        return read_string(s, &node->v.string);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        node->kind = HL_JSON_NUMBER;
        return read_number(s, &node->v.number);
    }
    return read_word(s, node);
}

static enum hl_status
read_all(struct parser *s, struct hl_json_doc *doc)
{
    enum hl_status status = check_utf8(s);
    if (status == HL_OK)
        status = read_value(s, "", &doc->root);
    if (status != HL_OK)
        return status;
    look(s);
    return s->at < s->n ? fail(s, s->at, "something follows the value") : HL_OK;
}

enum hl_status
hl_json_parse(const char *text, size_t n, const char *where, int max_depth,
              struct hl_json_doc **out, struct hl_error *err)
{
    if (n > HL_JSON_TEXT_MAX)
        return hl_error_set(err, HL_E_JSON, where,
                            "it has %zu MB, and %d are the most that is read", n >> 20,
                            HL_JSON_TEXT_MAX >> 20);
    struct hl_json_doc *doc = hl_alloc(1, sizeof(*doc));
    if (!doc)
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    hl_arena_init(&doc->arena, n < 64 * 1024 ? 4096 : 256 * 1024, 0);
    struct parser s = { .p = n ? text : "",
                        .n = n,
                        .depth = max_depth < DEPTH_MAX ? max_depth : DEPTH_MAX,
                        .left = HL_JSON_VALUES_MAX,
                        .arena = &doc->arena,
                        .where = where,
                        .err = err };
    enum hl_status status = read_all(&s, doc);
    if (status == HL_OK)
        *out = doc;
    else
        hl_json_close(doc);
    return status;
}

void
hl_json_close(struct hl_json_doc *doc)
{
    if (!doc)
        return;
    hl_arena_deinit(&doc->arena);
    hl_free(doc);
}

/* ---- walking ---- */

const struct hl_json *
hl_json_root(const struct hl_json_doc *doc)
{
    return doc ? doc->root : NULL;
}

enum hl_json_kind
hl_json_kind(const struct hl_json *node)
{
    return node ? node->kind : HL_JSON_NULL;
}

const struct hl_json *
hl_json_first(const struct hl_json *node)
{
    return node ? node->child : NULL;
}

const struct hl_json *
hl_json_next(const struct hl_json *node)
{
    return node ? node->next : NULL;
}

const char *
hl_json_key(const struct hl_json *node)
{
    return node ? node->key : "";
}

int
hl_json_n(const struct hl_json *node)
{
    return node ? node->n : 0;
}

const struct hl_json *
hl_json_get(const struct hl_json *node, const char *key)
{
    if (hl_json_kind(node) != HL_JSON_OBJECT)
        return NULL;
    const struct hl_json *child = node->child;
    while (child && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

/* ---- typed values ---- */

bool
hl_json_bool(const struct hl_json *node, bool *out)
{
    if (hl_json_kind(node) != HL_JSON_BOOL)
        return false;
    *out = node->v.flag;
    return true;
}

bool
hl_json_int(const struct hl_json *node, int64_t min, int64_t max, int64_t *out)
{
    if (hl_json_kind(node) != HL_JSON_NUMBER)
        return false;
    double v = node->v.number;
    if (!(fabs(v) <= (double)HL_JSON_INT_MAX) || v != floor(v))
        return false;
    int64_t whole = (int64_t)v;
    if (whole < min || whole > max)
        return false;
    *out = whole;
    return true;
}

bool
hl_json_double(const struct hl_json *node, double *out)
{
    if (hl_json_kind(node) != HL_JSON_NUMBER)
        return false;
    *out = node->v.number;
    return true;
}

const char *
hl_json_string(const struct hl_json *node)
{
    return hl_json_kind(node) == HL_JSON_STRING ? node->v.string : NULL;
}

/* The member, NULL when absent or null. */
static const struct hl_json *
present(const struct hl_json *object, const char *key)
{
    const struct hl_json *node = hl_json_get(object, key);
    return hl_json_kind(node) == HL_JSON_NULL ? NULL : node;
}

enum hl_status
hl_json_opt_bool(const struct hl_json *object, const char *key, enum hl_status code,
                 const char *where, bool *out, struct hl_error *err)
{
    const struct hl_json *node = present(object, key);
    if (!node || hl_json_bool(node, out))
        return HL_OK;
    return hl_error_set(err, code, where, "'%s' should be true or false", key);
}

enum hl_status
hl_json_opt_int(const struct hl_json *object, const char *key, int64_t min, int64_t max,
                enum hl_status code, const char *where, int64_t *out, struct hl_error *err)
{
    const struct hl_json *node = present(object, key);
    if (!node || hl_json_int(node, min, max, out))
        return HL_OK;
    return hl_error_set(err, code, where, "'%s' should be a whole number from %lld to %lld", key,
                        (long long)min, (long long)max);
}

enum hl_status
hl_json_opt_double(const struct hl_json *object, const char *key, enum hl_status code,
                   const char *where, double *out, struct hl_error *err)
{
    const struct hl_json *node = present(object, key);
    if (!node || hl_json_double(node, out))
        return HL_OK;
    return hl_error_set(err, code, where, "'%s' should be a number", key);
}

enum hl_status
hl_json_opt_string(const struct hl_json *object, const char *key, enum hl_status code,
                   const char *where, const char **out, struct hl_error *err)
{
    const struct hl_json *node = present(object, key);
    if (!node)
        return HL_OK;
    const char *s = hl_json_string(node);
    if (!s)
        return hl_error_set(err, code, where, "'%s' should be a string", key);
    *out = s;
    return HL_OK;
}

enum hl_status
hl_json_need_int(const struct hl_json *object, const char *key, int64_t min, int64_t max,
                 enum hl_status code, const char *where, int64_t *out, struct hl_error *err)
{
    if (!present(object, key))
        return hl_error_set(err, code, where, "'%s' is missing", key);
    return hl_json_opt_int(object, key, min, max, code, where, out, err);
}

enum hl_status
hl_json_need_string(const struct hl_json *object, const char *key, enum hl_status code,
                    const char *where, const char **out, struct hl_error *err)
{
    if (!present(object, key))
        return hl_error_set(err, code, where, "'%s' is missing", key);
    return hl_json_opt_string(object, key, code, where, out, err);
}

#include "io/json.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/span.h"
#include "base/utf8.h"

enum {
    DEPTH_MAX = 200,
    FEW_KEYS = 12,
    NUMBER_MAX = 63 /* cJSON reads no more bytes of a number */
};

struct hl_json_doc {
    cJSON *root;
};

/* ---- the strict pass: cJSON sees only what is sound ---- */

/* The text being checked; `left` values are still within the budget. */
struct checker {
    const char *p;
    size_t n, at;
    int depth, left;
    const char *where;
    struct hl_error *err;
};

static enum hl_status
fail(const struct checker *s, size_t at, const char *what)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = s->p[i] == '\n' ? 1 : column + 1;
        line += s->p[i] == '\n';
    }
    return hl_error_set(s->err, HL_E_JSON, s->where, "line %d, column %d: %s", line, column, what);
}

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

static enum hl_status
check_utf8(const struct checker *s)
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
look(struct checker *s)
{
    while (s->at < s->n && s->p[s->at] != '\0' && strchr(" \t\r\n", s->p[s->at]))
        s->at++;
    return s->at < s->n ? s->p[s->at] : '\0';
}

/* Something else stands where `look` found it. */
static enum hl_status
unexpected(const struct checker *s)
{
    if (s->at >= s->n)
        return fail(s, s->n, "the text ends too early");
    return fail(s, s->at, (unsigned char)s->p[s->at] < 0x20 ? "a control character" : "not JSON");
}

/* Four hexadecimal digits at `at`; -1 when they are none. */
static int32_t
hex4(const struct checker *s, size_t at)
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

/* What follows a backslash at s->at - 1. */
static enum hl_status
check_escape(struct checker *s)
{
    size_t from = s->at - 1;
    char c = s->at < s->n ? s->p[s->at++] : '\0';
    if (c && strchr("\"\\/bfnrt", c))
        return HL_OK;
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
        s->at += 6;
    }
    return HL_OK;
}

/* The string whose opening quote is at s->at. */
static enum hl_status
check_string(struct checker *s)
{
    for (s->at++; s->at < s->n && s->p[s->at] != '"';) {
        char c = s->p[s->at];
        if ((unsigned char)c < 0x20)
            return fail(s, s->at, "a control character inside a string");
        s->at++;
        enum hl_status status = c == '\\' ? check_escape(s) : HL_OK;
        if (status != HL_OK)
            return status;
    }
    if (s->at >= s->n)
        return fail(s, s->n, "the text ends inside a string");
    s->at++;
    return HL_OK;
}

static size_t
take_digits(struct checker *s)
{
    size_t from = s->at;
    while (s->at < s->n && s->p[s->at] >= '0' && s->p[s->at] <= '9')
        s->at++;
    return s->at - from;
}

static bool
take(struct checker *s, const char *set)
{
    if (s->at >= s->n || s->p[s->at] == '\0' || !strchr(set, s->p[s->at]))
        return false;
    s->at++;
    return true;
}

static enum hl_status
check_number(struct checker *s)
{
    size_t from = s->at;
    take(s, "-");
    size_t digits = s->at, whole = take_digits(s);
    bool good = whole > 0 && (s->p[digits] != '0' || whole == 1);
    if (take(s, "."))
        good = take_digits(s) > 0 && good;
    bool power = take(s, "eE");
    if (power) {
        take(s, "+-");
        good = take_digits(s) > 0 && good;
    }
    size_t n = s->at - from;
    if (!good)
        return fail(s, from, "not a JSON number");
    if (n > NUMBER_MAX)
        return fail(s, from, "a number with too many digits");
    if (power) { /* without one, so few digits are always finite */
        char buf[NUMBER_MAX + 1];
        double v;
        memcpy(buf, s->p + from, n);
        buf[n] = '\0';
        if (!hl_parse_double(buf, &v))
            return fail(s, from, "a number is too large");
    }
    return HL_OK;
}

static enum hl_status check_value(struct checker *s);

static enum hl_status
check_key(struct checker *s)
{
    if (look(s) != '"')
        return unexpected(s);
    enum hl_status status = check_string(s);
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
check_children(struct checker *s)
{
    bool object = s->p[s->at] == '{';
    char close = object ? '}' : ']';
    if (s->depth == 0)
        return fail(s, s->at, "nested too deeply");
    s->depth--;
    s->at++;
    for (bool more = look(s) != close; more; more = take(s, ",")) {
        enum hl_status status = object ? check_key(s) : HL_OK;
        if (status == HL_OK)
            status = check_value(s);
        if (status != HL_OK)
            return status;
        look(s);
    }
    if (look(s) != close)
        return unexpected(s);
    s->at++;
    s->depth++;
    return HL_OK;
}

static enum hl_status
check_word(struct checker *s)
{
    static const char *const words[] = { "true", "false", "null" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);
        if (s->n - s->at < n || memcmp(s->p + s->at, words[i], n) != 0)
            continue;
        s->at += n;
        return HL_OK;
    }
    return unexpected(s);
}

static enum hl_status
check_value(struct checker *s)
{
    char c = look(s);
    if (s->left-- == 0)
        return hl_error_set(s->err, HL_E_JSON, s->where, "it holds more than %d values",
                            HL_JSON_VALUES_MAX);
    if (c == '{' || c == '[')
        return check_children(s);
    if (c == '"')
        return check_string(s);
    return c == '-' || (c >= '0' && c <= '9') ? check_number(s) : check_word(s);
}

static enum hl_status
check_text(struct checker *s)
{
    enum hl_status status = check_utf8(s);
    if (status == HL_OK)
        status = check_value(s);
    if (status != HL_OK)
        return status;
    look(s);
    return s->at < s->n ? fail(s, s->at, "something follows the value") : HL_OK;
}

/* ---- equal keys, which only the values show ---- */

static enum hl_status
duplicate(const char *key, const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_JSON, where, "the key '%.100s' occurs twice in one object", key);
}

static enum hl_status
check_few_keys(const cJSON *object, const char *where, struct hl_error *err)
{
    for (const cJSON *a = object->child; a; a = a->next) {
        for (const cJSON *b = a->next; b; b = b->next) {
            if (strcmp(a->string, b->string) == 0)
                return duplicate(a->string, where, err);
        }
    }
    return HL_OK;
}

static enum hl_status
check_many_keys(const cJSON *object, int n, const char *where, struct hl_error *err)
{
    struct hl_arena arena;
    struct hl_hash seen;
    enum hl_status status = HL_OK;
    hl_arena_init(&arena, 0, 0);
    hl_hash_init(&seen, &arena, (uint32_t)n);
    for (const cJSON *a = object->child; a && status == HL_OK; a = a->next) {
        if (!hl_hash_put(&seen, a->string, strlen(a->string), 0))
            status = seen.cap == 0 ? no_memory(where, err) : duplicate(a->string, where, err);
    }
    hl_arena_deinit(&arena);
    return status;
}

/* Recursion is bounded by the depth that the strict pass allows. */
static enum hl_status
check_keys(const cJSON *node, const char *where, struct hl_error *err)
{
    enum hl_status status = HL_OK;
    if (cJSON_IsObject(node)) {
        int n = cJSON_GetArraySize(node);
        status =
            n <= FEW_KEYS ? check_few_keys(node, where, err) : check_many_keys(node, n, where, err);
    }
    for (const cJSON *child = node->child; child && status == HL_OK; child = child->next)
        status = child->child ? check_keys(child, where, err) : HL_OK;
    return status;
}

/* ---- cJSON ---- */

/* What its globals need: hooks set once, and one parse at a time. */
static struct {
    pthread_once_t once;
    pthread_mutex_t mutex;
} json_gate = { PTHREAD_ONCE_INIT, PTHREAD_MUTEX_INITIALIZER };

static void *
allocate(size_t n)
{
    return hl_alloc(n, 1);
}

static void
set_hooks(void)
{
    cJSON_InitHooks(&(cJSON_Hooks) { .malloc_fn = allocate, .free_fn = hl_free });
}

/* Values of a sound text; NULL when memory is out. cJSON writes its place of the last
 * error, a global that is never read here, at each parse: one thread at a time. Its
 * numbers have the locale's point, of one byte: they are read in the C locale. */
static cJSON *
build(const char *text, size_t n)
{
    const char *end;
    pthread_once(&json_gate.once, set_hooks);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return NULL;
    pthread_mutex_lock(&json_gate.mutex);
    locale_t before = uselocale(plain);
    cJSON *root = cJSON_ParseWithLengthOpts(text, n, &end, false);
    uselocale(before);
    pthread_mutex_unlock(&json_gate.mutex);
    freelocale(plain);
    return root;
}

enum hl_status
hl_json_parse(const char *text, size_t n, const char *where, int max_depth,
              struct hl_json_doc **out, struct hl_error *err)
{
    struct checker s = { .p = n ? text : "",
                         .n = n,
                         .depth = max_depth < DEPTH_MAX ? max_depth : DEPTH_MAX,
                         .left = HL_JSON_VALUES_MAX,
                         .where = where,
                         .err = err };
    if (n > HL_JSON_TEXT_MAX)
        return hl_error_set(err, HL_E_JSON, where,
                            "it has %zu MB, and %d are the most that is read", n >> 20,
                            HL_JSON_TEXT_MAX >> 20);
    enum hl_status status = check_text(&s);
    if (status != HL_OK)
        return status;
    struct hl_json_doc *doc = hl_alloc(1, sizeof(*doc));
    if (!doc)
        return no_memory(where, err);
    doc->root = build(text, n);
    status = doc->root ? check_keys(doc->root, where, err) : no_memory(where, err);
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
    cJSON_Delete(doc->root);
    hl_free(doc);
}

/* ---- walking ---- */

/* A node is cJSON's own; the name hides that from the rest of the program. */
static const cJSON *
inner(const struct hl_json *node)
{
    return (const cJSON *)(const void *)node;
}

static const struct hl_json *
outer(const cJSON *node)
{
    return (const struct hl_json *)(const void *)node;
}

const struct hl_json *
hl_json_root(const struct hl_json_doc *doc)
{
    return doc ? outer(doc->root) : NULL;
}

enum hl_json_kind
hl_json_kind(const struct hl_json *node)
{
    const cJSON *j = inner(node);
    if (cJSON_IsBool(j))
        return HL_JSON_BOOL;
    if (cJSON_IsNumber(j))
        return HL_JSON_NUMBER;
    if (cJSON_IsString(j))
        return HL_JSON_STRING;
    if (cJSON_IsArray(j))
        return HL_JSON_ARRAY;
    return cJSON_IsObject(j) ? HL_JSON_OBJECT : HL_JSON_NULL;
}

const struct hl_json *
hl_json_first(const struct hl_json *node)
{
    return node ? outer(inner(node)->child) : NULL;
}

const struct hl_json *
hl_json_next(const struct hl_json *node)
{
    return node ? outer(inner(node)->next) : NULL;
}

const char *
hl_json_key(const struct hl_json *node)
{
    return node && inner(node)->string ? inner(node)->string : "";
}

int
hl_json_n(const struct hl_json *node)
{
    return cJSON_GetArraySize(inner(node));
}

const struct hl_json *
hl_json_get(const struct hl_json *node, const char *key)
{
    if (!cJSON_IsObject(inner(node)))
        return NULL;
    return outer(cJSON_GetObjectItemCaseSensitive(inner(node), key));
}

/* ---- typed values ---- */

bool
hl_json_bool(const struct hl_json *node, bool *out)
{
    if (!cJSON_IsBool(inner(node)))
        return false;
    *out = cJSON_IsTrue(inner(node));
    return true;
}

bool
hl_json_int(const struct hl_json *node, int64_t min, int64_t max, int64_t *out)
{
    if (!cJSON_IsNumber(inner(node)))
        return false;
    double v = inner(node)->valuedouble;
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
    if (!cJSON_IsNumber(inner(node)))
        return false;
    *out = inner(node)->valuedouble;
    return true;
}

const char *
hl_json_string(const struct hl_json *node)
{
    return cJSON_IsString(inner(node)) ? inner(node)->valuestring : NULL;
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

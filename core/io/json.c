#include "io/json.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/utf8.h"

enum { DEPTH_MAX = 200, FEW_KEYS = 12 };

struct hl_json_doc {
    cJSON *root;
};

/* ---- what cJSON lets through: one pass over the bytes ---- */

struct lexer {
    const char *p;
    size_t n, at;
    const char *where;
    struct hl_error *err;
};

static enum hl_status
lex_fail(const struct lexer *lx, size_t at, const char *what)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = lx->p[i] == '\n' ? 1 : column + 1;
        line += lx->p[i] == '\n';
    }
    return hl_error_set(lx->err, HL_E_JSON, lx->where, "line %d, column %d: %s", line, column,
                        what);
}

static enum hl_status
lex_string(struct lexer *lx)
{
    for (lx->at++; lx->at < lx->n && lx->p[lx->at] != '"'; lx->at++) {
        unsigned char c = (unsigned char)lx->p[lx->at];
        if (c < 0x20)
            return lex_fail(lx, lx->at, "a control character inside a string");
        if (c != '\\')
            continue;
        if (lx->n - lx->at >= 6 && memcmp(lx->p + lx->at, "\\u0000", 6) == 0)
            return lex_fail(lx, lx->at, "a string with a NUL character");
        lx->at++;
    }
    if (lx->at >= lx->n)
        return lex_fail(lx, lx->n, "the text ends inside a string");
    lx->at++;
    return HL_OK;
}

static size_t
lex_digits(struct lexer *lx)
{
    size_t from = lx->at;
    while (lx->at < lx->n && lx->p[lx->at] >= '0' && lx->p[lx->at] <= '9')
        lx->at++;
    return lx->at - from;
}

static bool
lex_take(struct lexer *lx, const char *set)
{
    if (lx->at >= lx->n || lx->p[lx->at] == '\0' || !strchr(set, lx->p[lx->at]))
        return false;
    lx->at++;
    return true;
}

static enum hl_status
lex_number(struct lexer *lx)
{
    size_t from = lx->at;
    lex_take(lx, "-");
    bool zero = lx->at < lx->n && lx->p[lx->at] == '0';
    size_t whole = lex_digits(lx);
    bool good = whole > 0 && (!zero || whole == 1);
    if (lex_take(lx, "."))
        good = lex_digits(lx) > 0 && good;
    if (lex_take(lx, "eE")) {
        lex_take(lx, "+-");
        good = lex_digits(lx) > 0 && good;
    }
    return good ? HL_OK : lex_fail(lx, from, "not a JSON number");
}

static enum hl_status
lex_check(struct lexer *lx, int max_depth)
{
    int depth = 0;
    while (lx->at < lx->n) {
        char c = lx->p[lx->at];
        enum hl_status status = HL_OK;
        if (c == '"')
            status = lex_string(lx);
        else if (c == '-' || (c >= '0' && c <= '9'))
            status = lex_number(lx);
        else {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            if (depth > max_depth)
                return lex_fail(lx, lx->at, "nested too deeply");
            if (c == '\0' || ((unsigned char)c < 0x20 && !strchr("\t\n\r", c)))
                return lex_fail(lx, lx->at, "a control character");
            lx->at++;
        }
        if (status != HL_OK)
            return status;
    }
    return depth > 0 ? lex_fail(lx, lx->n, "the text ends too early") : HL_OK;
}

static enum hl_status
check_utf8(const struct lexer *lx)
{
    if (lx->n >= 3 && memcmp(lx->p, "\xEF\xBB\xBF", 3) == 0)
        return lex_fail(lx, 0, "a byte order mark");
    for (size_t i = 0; i < lx->n;) {
        uint32_t cp;
        size_t len = (unsigned char)lx->p[i] < 0x80 ? 1 : hl_utf8_next(lx->p + i, lx->n - i, &cp);
        if (len == 1 && (unsigned char)lx->p[i] >= 0x80)
            return lex_fail(lx, i, "invalid UTF-8");
        i += len;
    }
    return HL_OK;
}

/* ---- equal keys, numbers that are not finite ---- */

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
        if (hl_hash_put(&seen, a->string, strlen(a->string), 0))
            continue;
        status = seen.cap == 0 ? hl_error_set(err, HL_E_NOMEM, where, "%s", "")
                               : duplicate(a->string, where, err);
    }
    hl_arena_deinit(&arena);
    return status;
}

/* Depth is bounded by lex_check before anything is built. */
static enum hl_status
check_tree(const cJSON *node, const char *where, struct hl_error *err)
{
    if (cJSON_IsNumber(node) && !isfinite(node->valuedouble))
        return hl_error_set(err, HL_E_JSON, where, "a number is too large");
    if (cJSON_IsObject(node)) {
        int n = cJSON_GetArraySize(node);
        enum hl_status status =
            n <= FEW_KEYS ? check_few_keys(node, where, err) : check_many_keys(node, n, where, err);
        if (status != HL_OK)
            return status;
    }
    for (const cJSON *child = node->child; child; child = child->next) {
        enum hl_status status = check_tree(child, where, err);
        if (status != HL_OK)
            return status;
    }
    return HL_OK;
}

static enum hl_status
build(struct lexer *lx, struct hl_json_doc *doc)
{
    const char *end = NULL;
    doc->root = cJSON_ParseWithLengthOpts(lx->p, lx->n, &end, false);
    size_t at = end && end >= lx->p && end <= lx->p + lx->n ? (size_t)(end - lx->p) : lx->n;
    if (!doc->root)
        return lex_fail(lx, at, lx->n == 0 ? "the text ends too early" : "not JSON");
    while (at < lx->n && strchr(" \t\r\n", lx->p[at]))
        at++;
    if (at < lx->n)
        return lex_fail(lx, at, "something follows the value");
    return check_tree(doc->root, lx->where, lx->err);
}

enum hl_status
hl_json_parse(const char *text, size_t n, const char *where, int max_depth,
              struct hl_json_doc **out, struct hl_error *err)
{
    struct lexer lx = { .p = n ? text : "", .n = n, .where = where, .err = err };
    enum hl_status status = check_utf8(&lx);
    if (status == HL_OK)
        status = lex_check(&lx, max_depth < DEPTH_MAX ? max_depth : DEPTH_MAX);
    if (status != HL_OK)
        return status;
    struct hl_json_doc *doc = hl_alloc(1, sizeof(*doc));
    if (!doc)
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    status = build(&lx, doc);
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
    return cJSON_IsNull(inner(node)) ? NULL : node;
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

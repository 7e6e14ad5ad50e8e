/* Strict, typed reading of JSON. The parser is cJSON, which sees a text only when a pass
 * of ours found it sound. Refused are also invalid UTF-8, a byte order mark, junk after
 * the value, \u0000 and halves of surrogate pairs, numbers that are not finite or have
 * more than 63 characters, two equal keys in one object, and more bytes or values than
 * any file of a model has: texts at the budget took 240 to 420 MB. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct hl_json_doc; /* a parsed text; owns all its nodes */
struct hl_json;     /* a node; lives as long as its document */

enum hl_json_kind {
    HL_JSON_NULL,
    HL_JSON_BOOL,
    HL_JSON_NUMBER,
    HL_JSON_STRING,
    HL_JSON_ARRAY,
    HL_JSON_OBJECT,
    HL_JSON_COUNT
};

/* The largest whole number that a double holds with all its neighbours, 2^53. */
#define HL_JSON_INT_MAX INT64_C(9007199254740992)

/* The budget of a text: the largest tokenisers have 35 MB and 2 million values. */
enum { HL_JSON_TEXT_MAX = 64 << 20, HL_JSON_VALUES_MAX = 3 << 20 };

/* Parses text[0..n). `where` names it in errors. `max_depth` bounds the nesting of
 * arrays and objects (at most 200). The text is not needed afterwards. Ownership:
 * hl_json_close. Thread-safety: yes, one text is parsed at a time; a document may be
 * read by several threads. Fails: JSON (with line and column), NOMEM. */
enum hl_status hl_json_parse(const char *text, size_t n, const char *where, int max_depth,
                             struct hl_json_doc **out, struct hl_error *err);
void hl_json_close(struct hl_json_doc *doc); /* NULL-safe */

/* Walking. All take NULL and then give NULL or 0. Keys and strings are valid UTF-8
 * without NUL. Thread-safety: reentrant. */
const struct hl_json *hl_json_root(const struct hl_json_doc *doc);
enum hl_json_kind hl_json_kind(const struct hl_json *node);
const struct hl_json *hl_json_first(const struct hl_json *node);
const struct hl_json *hl_json_next(const struct hl_json *node);
const char *hl_json_key(const struct hl_json *node); /* "" outside objects */
int hl_json_n(const struct hl_json *node);           /* members or elements; linear */

/* The member of that very name (case counts), NULL when absent or when `node` is no
 * object. Linear in the members. Reentrant. */
const struct hl_json *hl_json_get(const struct hl_json *node, const char *key);

/* Typed values: false (and *out untouched) when the node is absent or of another
 * kind, not whole, or outside [min, max]. hl_json_string gives NULL instead.
 * Reentrant. */
bool hl_json_bool(const struct hl_json *node, bool *out);
bool hl_json_int(const struct hl_json *node, int64_t min, int64_t max, int64_t *out);
bool hl_json_double(const struct hl_json *node, double *out);
const char *hl_json_string(const struct hl_json *node);

/* Members with a default: absent and null leave *out as it is. Fails: `code`, with
 * a sentence that names the key and what it should be. Reentrant. */
enum hl_status hl_json_opt_bool(const struct hl_json *object, const char *key, enum hl_status code,
                                const char *where, bool *out, struct hl_error *err);
enum hl_status hl_json_opt_int(const struct hl_json *object, const char *key, int64_t min,
                               int64_t max, enum hl_status code, const char *where, int64_t *out,
                               struct hl_error *err);
enum hl_status hl_json_opt_double(const struct hl_json *object, const char *key,
                                  enum hl_status code, const char *where, double *out,
                                  struct hl_error *err);
enum hl_status hl_json_opt_string(const struct hl_json *object, const char *key,
                                  enum hl_status code, const char *where, const char **out,
                                  struct hl_error *err);

/* Members that must be there. Fails: `code`, as above. Reentrant. */
enum hl_status hl_json_need_int(const struct hl_json *object, const char *key, int64_t min,
                                int64_t max, enum hl_status code, const char *where, int64_t *out,
                                struct hl_error *err);
enum hl_status hl_json_need_string(const struct hl_json *object, const char *key,
                                   enum hl_status code, const char *where, const char **out,
                                   struct hl_error *err);

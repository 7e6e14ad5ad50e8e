#include "io/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/size.h"
#include "io/json.h"

enum {
    PREFIX_SZ = 8,
    HEADER_SZ_MAX = 25000000,
    TENSORS_MAX = 100000,
    DEPTH_MAX = 3, /* file, tensor, shape */
};

struct hl_st {
    struct hl_arena arena;
    struct hl_map_file file; /* empty for hl_st_parse */
    const char *where;
    const uint8_t *p;
    size_t n;
    struct hl_st_tensor *tensors;
    int n_tensors;
    struct hl_hash by_name;
};

static const struct {
    const char *name;
    unsigned bits;
} dtypes[] = {
#define X(name, bits) { #name, bits },
    HL_ST_DTYPES(X)
#undef X
};
_Static_assert(sizeof(dtypes) / sizeof(dtypes[0]) == HL_ST_COUNT, "a row for each type");

const char *
hl_st_dtype_name(enum hl_st_dtype t)
{
    return (int)t >= 0 && t < HL_ST_COUNT ? dtypes[t].name : "?";
}

/* ---- the first bytes ---- */

static bool
begins(const uint8_t *p, size_t n, const char *what)
{
    return n >= strlen(what) && memcmp(p, what, strlen(what)) == 0;
}

/* Files that are often found under the name of a safetensors file. One whose header
 * begins where it should is none of them, whatever the size before it looks like: one of
 * 640 bytes begins as a pickle does. */
static const char *
known_stranger(const uint8_t *p, size_t n)
{
    if (n > 8 && p[8] == '{')
        return NULL;
    if (begins(p, n, "version "))
        return "this is a download pointer (Git LFS), not the weights";
    if (begins(p, n, "PK") || (n > 1 && p[0] == 0x80 && p[1] >= 2 && p[1] <= 5))
        return "this is a PyTorch pickle under another name, which is never read";
    if (begins(p, n, "GGUF"))
        return "this is a GGUF file, which is not supported";
    if (begins(p, n, "<!DOCTYPE") || begins(p, n, "<html"))
        return "this is a web page, not the weights";
    return NULL;
}

static enum hl_status
bad(const struct hl_st *st, struct hl_error *err, const char *what)
{
    return hl_error_set(err, HL_E_SAFETENSORS, st->where, "%s", what);
}

/* Finds the JSON header: *text, *n bytes. */
static enum hl_status
find_header(const struct hl_st *st, const char **text, size_t *n, struct hl_error *err)
{
    const char *stranger = known_stranger(st->p, st->n);
    if (stranger)
        return bad(st, err, stranger);
    if (st->n < PREFIX_SZ)
        return hl_error_set(err, HL_E_SAFETENSORS, st->where,
                            "it has only %zu bytes: the download is incomplete", st->n);
    uint64_t len = 0;
    for (int i = 0; i < PREFIX_SZ; i++)
        len |= (uint64_t)st->p[i] << (8 * i);
    if (len > HEADER_SZ_MAX)
        return hl_error_set(err, HL_E_SAFETENSORS, st->where,
                            "its header claims %llu bytes, more than the %d that are read",
                            (unsigned long long)len, (int)HEADER_SZ_MAX);
    if (len > st->n - PREFIX_SZ)
        return hl_error_set(err, HL_E_SAFETENSORS, st->where,
                            "its header of %llu bytes ends beyond the file's %zu: the download is "
                            "incomplete",
                            (unsigned long long)len, st->n);
    if (len < 2 || st->p[PREFIX_SZ] != '{')
        return bad(st, err, "its header does not begin with '{'");
    *text = (const char *)st->p + PREFIX_SZ;
    *n = (size_t)len;
    return HL_OK;
}

/* ---- one tensor ---- */

static enum hl_status
bad_tensor(const struct hl_st *st, const char *name, const char *what, struct hl_error *err)
{
    return hl_error_set(err, HL_E_SAFETENSORS, st->where, "tensor '%.100s' %s", name, what);
}

static bool
good_name(const char *name)
{
    if (!*name)
        return false;
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            return false;
    }
    return true;
}

static bool
read_dtype(const struct hl_json *node, struct hl_st_tensor *t)
{
    const char *s = hl_json_string(node);
    for (int i = 0; s && i < HL_ST_COUNT; i++) {
        if (strcmp(dtypes[i].name, s) == 0) {
            t->dtype = (enum hl_st_dtype)i;
            return true;
        }
    }
    return false;
}

/* Rank, sides and their checked product. */
static bool
read_shape(const struct hl_json *node, struct hl_st_tensor *t)
{
    if (hl_json_kind(node) != HL_JSON_ARRAY)
        return false;
    size_t n = 1;
    bool empty = false;
    for (const struct hl_json *side = hl_json_first(node); side; side = hl_json_next(side)) {
        if (t->rank == HL_ST_RANK_MAX || !hl_json_int(side, 0, HL_JSON_INT_MAX, &t->shape[t->rank]))
            return false;
        empty = empty || t->shape[t->rank] == 0;
        if (!empty && !hl_size_mul(n, (size_t)t->shape[t->rank], &n))
            return false;
        t->rank++;
    }
    if (n > INT64_MAX)
        return false;
    t->n = empty ? 0 : (int64_t)n;
    return true;
}

static enum hl_status
read_extent(const struct hl_st *st, const struct hl_json *node, const uint8_t *data, size_t data_sz,
            struct hl_st_tensor *t, struct hl_error *err)
{
    const struct hl_json *first = hl_json_first(node), *second = hl_json_next(first);
    int64_t begin, end;
    if (hl_json_kind(node) != HL_JSON_ARRAY || hl_json_n(node) != 2 ||
        !hl_json_int(first, 0, HL_JSON_INT_MAX, &begin) ||
        !hl_json_int(second, 0, HL_JSON_INT_MAX, &end) || begin > end)
        return bad_tensor(st, t->name, "has data_offsets that are no pair [begin, end]", err);
    if ((uint64_t)end > data_sz)
        return bad_tensor(st, t->name,
                          "ends beyond the end of the file: the download is incomplete", err);
    size_t bits;
    if (!hl_size_mul((size_t)t->n, dtypes[t->dtype].bits, &bits) || bits % 8 != 0 ||
        bits / 8 != (size_t)(end - begin))
        return bad_tensor(st, t->name, "has a shape that does not give its number of bytes", err);
    t->data = data + begin;
    t->data_sz = (size_t)(end - begin);
    return HL_OK;
}

static enum hl_status
read_tensor(const struct hl_st *st, const struct hl_json *node, const uint8_t *data, size_t data_sz,
            struct hl_st_tensor *t, struct hl_error *err)
{
    const struct hl_json *dtype = hl_json_get(node, "dtype"), *shape = hl_json_get(node, "shape");
    const struct hl_json *extent = hl_json_get(node, "data_offsets");
    if (!good_name(t->name))
        return bad(st, err, "a tensor's name is empty or holds control characters");
    if (!dtype || !shape || !extent || hl_json_n(node) != 3)
        return bad_tensor(st, t->name, "should have exactly dtype, shape and data_offsets", err);
    if (!read_dtype(dtype, t))
        return bad_tensor(st, t->name, "has a type of number that is unknown", err);
    if (!read_shape(shape, t))
        return bad_tensor(st, t->name, "has a shape that is no list of at most 8 whole numbers",
                          err);
    return read_extent(st, extent, data, data_sz, t, err);
}

/* ---- all tensors ---- */

static int
by_place(const void *left, const void *right)
{
    const struct hl_st_tensor *a = left, *b = right;
    if (a->data != b->data)
        return a->data < b->data ? -1 : 1;
    if (a->data_sz != b->data_sz)
        return a->data_sz < b->data_sz ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Sorted by place, each begins where the one before ended. */
static enum hl_status
check_cover(const struct hl_st *st, const uint8_t *data, size_t data_sz, struct hl_error *err)
{
    size_t at = 0;
    for (int i = 0; i < st->n_tensors; i++) {
        const struct hl_st_tensor *t = &st->tensors[i];
        size_t begin = (size_t)(t->data - data);
        if (begin != at)
            return bad_tensor(st, t->name,
                              begin < at ? "overlaps another one" : "leaves a gap before it", err);
        at += t->data_sz;
    }
    if (at != data_sz)
        return hl_error_set(err, HL_E_SAFETENSORS, st->where,
                            "%zu bytes at its end belong to no tensor", data_sz - at);
    return HL_OK;
}

static enum hl_status
index_names(struct hl_st *st, struct hl_error *err)
{
    hl_hash_init(&st->by_name, &st->arena, (uint32_t)st->n_tensors);
    for (int i = 0; i < st->n_tensors; i++) {
        const char *name = st->tensors[i].name;
        if (!hl_hash_put(&st->by_name, name, strlen(name), i))
            return hl_error_set(err, HL_E_NOMEM, st->where, "%s", "");
    }
    return HL_OK;
}

static bool
good_metadata(const struct hl_json *node)
{
    if (hl_json_kind(node) == HL_JSON_NULL)
        return true;
    if (hl_json_kind(node) != HL_JSON_OBJECT)
        return false;
    for (const struct hl_json *m = hl_json_first(node); m; m = hl_json_next(m)) {
        if (!hl_json_string(m))
            return false;
    }
    return true;
}

static enum hl_status
read_tensors(struct hl_st *st, const struct hl_json *root, size_t header_sz, struct hl_error *err)
{
    const uint8_t *data = st->p + PREFIX_SZ + header_sz;
    size_t data_sz = st->n - PREFIX_SZ - header_sz;
    int n = hl_json_n(root);
    if (n > TENSORS_MAX)
        return bad(st, err, "it holds more than 100,000 tensors");
    st->tensors = hl_arena_new(&st->arena, n, struct hl_st_tensor);
    if (!st->tensors)
        return hl_error_set(err, HL_E_NOMEM, st->where, "%s", "");
    for (const struct hl_json *node = hl_json_first(root); node; node = hl_json_next(node)) {
        if (strcmp(hl_json_key(node), "__metadata__") == 0) {
            if (!good_metadata(node))
                return bad(st, err, "its __metadata__ is not a table of strings");
            continue;
        }
        struct hl_st_tensor *t = &st->tensors[st->n_tensors];
        t->name = hl_arena_strdup(&st->arena, hl_json_key(node));
        if (!t->name)
            return hl_error_set(err, HL_E_NOMEM, st->where, "%s", "");
        enum hl_status status = read_tensor(st, node, data, data_sz, t, err);
        if (status != HL_OK)
            return status;
        st->n_tensors++;
    }
    qsort(st->tensors, (size_t)st->n_tensors, sizeof(*st->tensors), by_place);
    enum hl_status status = check_cover(st, data, data_sz, err);
    return status == HL_OK ? index_names(st, err) : status;
}

static enum hl_status
read_header(struct hl_st *st, struct hl_error *err)
{
    const char *text = NULL;
    size_t n = 0;
    struct hl_json_doc *doc = NULL;
    enum hl_status status = find_header(st, &text, &n, err);
    if (status != HL_OK)
        return status;
    status = hl_json_parse(text, n, st->where, DEPTH_MAX, &doc, err);
    if (status == HL_E_JSON && err)
        err->code = HL_E_SAFETENSORS;
    if (status != HL_OK)
        return status == HL_E_JSON ? HL_E_SAFETENSORS : status;
    status = read_tensors(st, hl_json_root(doc), n, err);
    hl_json_close(doc);
    return status;
}

static struct hl_st *
create(const char *where)
{
    struct hl_st *st = hl_alloc(1, sizeof(*st));
    if (!st)
        return NULL;
    hl_arena_init(&st->arena, 16 * 1024, 0);
    st->where = hl_arena_strdup(&st->arena, where);
    if (st->where)
        return st;
    hl_st_close(st);
    return NULL;
}

static enum hl_status
finish(struct hl_st *st, const uint8_t *p, size_t n, struct hl_st **out, struct hl_error *err)
{
    st->p = p;
    st->n = n;
    enum hl_status status = read_header(st, err);
    if (status == HL_OK)
        *out = st;
    else
        hl_st_close(st);
    return status;
}

enum hl_status
hl_st_parse(const uint8_t *p, size_t n, const char *where, struct hl_st **out, struct hl_error *err)
{
    struct hl_st *st = create(where);
    if (!st)
        return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
    return finish(st, p, n, out, err);
}

enum hl_status
hl_st_open(const char *path, struct hl_st **out, struct hl_error *err)
{
    struct hl_st *st = create(path);
    if (!st)
        return hl_error_set(err, HL_E_NOMEM, path, "%s", "");
    enum hl_status status = hl_map_open(path, &st->file, err);
    if (status != HL_OK) {
        hl_st_close(st);
        return status;
    }
    return finish(st, st->file.p, st->file.n, out, err);
}

void
hl_st_close(struct hl_st *st)
{
    if (!st)
        return;
    hl_map_close(&st->file);
    hl_arena_deinit(&st->arena);
    hl_free(st);
}

int
hl_st_n(const struct hl_st *st)
{
    return st->n_tensors;
}

const struct hl_st_tensor *
hl_st_at(const struct hl_st *st, int i)
{
    return i >= 0 && i < st->n_tensors ? &st->tensors[i] : NULL;
}

const struct hl_st_tensor *
hl_st_find(const struct hl_st *st, const char *name)
{
    return hl_st_at(st, hl_hash_get(&st->by_name, name, strlen(name)));
}

const char *
hl_st_where(const struct hl_st *st)
{
    return st->where;
}

bool
hl_st_changed(const struct hl_st *st)
{
    return hl_map_changed(&st->file);
}

size_t
hl_st_size(const struct hl_st *st)
{
    return st->n;
}

uint64_t
hl_st_hash(const struct hl_st *st)
{
    /* A word at a time: eight times as fast as the usual form, which matters for
     * files of hundreds of megabytes. */
    uint64_t h = hl_fnv1a(0, NULL, 0);
    size_t at = 0;
    for (; st->n - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, st->p + at, sizeof(word));
        h = (h ^ word) * UINT64_C(0x100000001b3);
        h ^= h >> 32;
    }
    return hl_fnv1a(h, st->p + at, st->n - at);
}

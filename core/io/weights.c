#include "io/weights.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "num/dtype.h"

enum { NAME_SZ = 256, LIST_SZ = 150 };

/* Names for one part of the final sentence. */
struct list {
    struct hl_sb text;
    int n, n_shown;
};

struct loader {
    const struct hl_st *st;
    const struct hl_weight_plan *plan;
    struct hl_arena *arena;
    bool *used; /* by index of the tensor */
    struct list missing, misshaped, unusable, not_finite, unexpected;
    bool no_memory;
};

static void
list_add(struct list *l, const char *text)
{
    l->n++;
    if (l->text.n > 0 && l->text.n + strlen(text) > LIST_SZ)
        return;
    if (l->text.n > 0)
        hl_sb_puts(&l->text, ", ");
    hl_sb_puts(&l->text, text);
    l->n_shown++;
}

static void
list_say(const struct list *l, const char *title, struct hl_sb *out)
{
    if (l->n == 0)
        return;
    hl_sb_printf(out, "%s%s %s", out->n > 0 ? "; " : "", title, l->text.p ? l->text.p : "");
    if (l->n > l->n_shown)
        hl_sb_printf(out, " and %d more", l->n - l->n_shown);
}

/* ---- names ---- */

/* Writes the alternative at `names` (up to '|' or the end) for one item; false when it
 * does not fit, as no real name does. */
static bool
expand(const char *names, size_t n, const char *item, char *out, size_t out_sz)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const char *from = names[i] == '*' ? item : names + i;
        size_t len = names[i] == '*' ? strlen(item) : 1;
        if (at + len >= out_sz)
            return false;
        memcpy(out + at, from, len);
        at += len;
    }
    out[at] = '\0';
    return true;
}

static const struct hl_st_tensor *
find_with_prefix(const struct loader *ld, const char *name)
{
    const struct hl_st_tensor *t = hl_st_find(ld->st, name);
    const char *prefix = ld->plan->prefix;
    char longer[NAME_SZ];
    if (t || !prefix)
        return t;
    if (strncmp(name, prefix, strlen(prefix)) == 0)
        return hl_st_find(ld->st, name + strlen(prefix));
    int n = snprintf(longer, sizeof longer, "%s%s", prefix, name);
    return n > 0 && n < NAME_SZ ? hl_st_find(ld->st, longer) : NULL;
}

/* The tensor of one item, NULL when no alternative is there; `first` receives the
 * first alternative for the sentence. All alternatives that are there count as used. */
static const struct hl_st_tensor *
find_tensor(struct loader *ld, const char *names, const char *item, char first[NAME_SZ])
{
    const struct hl_st_tensor *found = NULL;
    const char *before = ld->plan->before;
    char name[NAME_SZ];
    first[0] = '\0';
    for (const char *from = names; from;) {
        const char *bar = strchr(from, '|');
        size_t n = bar ? (size_t)(bar - from) : strlen(from);
        size_t lead = before ? strlen(before) : 0;
        if (lead < sizeof(name) && expand(from, n, item, name + lead, sizeof(name) - lead)) {
            memcpy(name, before ? before : "", lead);
            if (first[0] == '\0')
                memcpy(first, name, sizeof(name));
            const struct hl_st_tensor *t = find_with_prefix(ld, name);
            if (t)
                ld->used[t - hl_st_at(ld->st, 0)] = true;
            if (!found)
                found = t;
        }
        from = bar ? bar + 1 : NULL;
    }
    return found;
}

/* Whether the pattern, in which '*' is any run of characters, covers the name. */
static bool
matches(const char *pattern, const char *name)
{
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* ---- shapes and types ---- */

/* The sides that a tensor of this row should have; their number. */
static int
sides(const struct hl_weight_spec *spec, const int *dims, int out[HL_WEIGHT_RANK_MAX])
{
    int n = 0;
    out[n++] = dims[spec->rows];
    if (spec->kind != HL_WEIGHT_VECTOR)
        out[n++] = dims[spec->cols];
    for (int i = 0; spec->kind == HL_WEIGHT_TENSOR && i < spec->n_more; i++)
        out[n++] = dims[spec->more[i]];
    return n;
}

static bool
shape_fits(const struct hl_st_tensor *t, const struct hl_weight_spec *spec, const int *dims)
{
    int want[HL_WEIGHT_RANK_MAX], n = sides(spec, dims, want);
    if (spec->kind != HL_WEIGHT_VECTOR) {
        bool fits = t->rank == n;
        for (int i = 0; fits && i < n; i++)
            fits = t->shape[i] == want[i];
        return fits;
    }
    for (int i = 0; i + 1 < t->rank; i++) {
        if (t->shape[i] != 1)
            return false;
    }
    return (t->rank > 0 ? t->shape[t->rank - 1] : 1) == dims[spec->rows];
}

static void
say_shape(struct loader *ld, const struct hl_st_tensor *t, const struct hl_weight_spec *spec,
          const int *dims)
{
    int want[HL_WEIGHT_RANK_MAX], n = sides(spec, dims, want);
    struct hl_sb sb = { 0 };
    hl_sb_printf(&sb, "%.100s is [", t->name);
    for (int i = 0; i < t->rank; i++)
        hl_sb_printf(&sb, "%s%lld", i > 0 ? "," : "", (long long)t->shape[i]);
    hl_sb_puts(&sb, "] and should be [");
    for (int i = 0; i < n; i++)
        hl_sb_printf(&sb, "%s%d", i > 0 ? "," : "", want[i]);
    hl_sb_putc(&sb, ']');
    list_add(&ld->misshaped, sb.failed ? t->name : sb.p);
    hl_sb_deinit(&sb);
}

static bool
usable_type(enum hl_st_dtype from, enum hl_dtype *to)
{
    static const struct {
        enum hl_st_dtype from;
        enum hl_dtype to;
    } types[] = { { HL_ST_F32, HL_DTYPE_F32 },
                  { HL_ST_F16, HL_DTYPE_F16 },
                  { HL_ST_BF16, HL_DTYPE_BF16 },
                  { HL_ST_F64, HL_DTYPE_F64 } };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].from == from) {
            *to = types[i].to;
            return true;
        }
    }
    return false;
}

/* An exponent of all ones is an infinity or a NaN. */
static bool
finite16(const uint8_t *p, size_t n, uint16_t exponent)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, p + i * sizeof(bits), sizeof(bits));
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool
finite32(const uint8_t *p, size_t n)
{
    const uint32_t exponent = UINT32_C(0x7F800000);
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, p + i * sizeof(bits), sizeof(bits));
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

static bool
all_finite(enum hl_dtype type, const uint8_t *p, size_t n)
{
    if (type == HL_DTYPE_F16)
        return finite16(p, n, 0x7C00);
    return type == HL_DTYPE_BF16 ? finite16(p, n, 0x7F80) : finite32(p, n);
}

/* ---- storing ---- */

/* The tensor's numbers as floats in the arena, or NULL with the reason noted. */
static const float *
widen(struct loader *ld, const struct hl_st_tensor *t, enum hl_dtype type)
{
    float *out = hl_arena_floats(ld->arena, t->n);
    if (!out) {
        ld->no_memory = true;
        return NULL;
    }
    hl_dtype_to_f32(type, t->data, (size_t)t->n, out);
    if (all_finite(HL_DTYPE_F32, (const uint8_t *)out, (size_t)t->n))
        return out;
    list_add(&ld->not_finite, t->name);
    return NULL;
}

/* A matrix with rows and columns exchanged, in tiles that stay in the cache. */
static void
transpose(const float *from, ptrdiff_t rows, ptrdiff_t cols, float *to)
{
    enum { TILE = 16 };
    for (ptrdiff_t r0 = 0; r0 < rows; r0 += TILE) {
        ptrdiff_t r1 = r0 + TILE < rows ? r0 + TILE : rows;
        for (ptrdiff_t c0 = 0; c0 < cols; c0 += TILE) {
            ptrdiff_t c1 = c0 + TILE < cols ? c0 + TILE : cols;
            for (ptrdiff_t c = c0; c < c1; c++) {
                for (ptrdiff_t r = r0; r < r1; r++)
                    to[c * rows + r] = from[r * cols + c];
            }
        }
    }
}

/* The tensor's numbers with its sides in another order. */
static const float *
reorder(struct loader *ld, const struct hl_st_tensor *t, const struct hl_weight_spec *spec,
        const float *from)
{
    float *out = from ? hl_arena_floats(ld->arena, t->n) : NULL;
    ptrdiff_t step[HL_WEIGHT_RANK_MAX] = { 0 }; /* in `from`, of the sides in the new order */
    int64_t side[HL_WEIGHT_RANK_MAX] = { 1, 1, 1, 1 };
    for (int i = 0; i < t->rank; i++) {
        side[i] = t->shape[spec->order[i]];
        step[i] = 1;
        for (int k = spec->order[i] + 1; k < t->rank; k++)
            step[i] *= t->shape[k];
    }
    float *to = out;
    if (to && t->rank == 2 && spec->order[0] == 1) {
        transpose(from, t->shape[0], t->shape[1], to);
        return out;
    }
    for (int64_t a = 0; to && a < side[0]; a++) {
        for (int64_t b = 0; b < side[1]; b++) {
            for (int64_t c = 0; c < side[2]; c++) {
                const float *p = from + a * step[0] + b * step[1] + c * step[2];
                for (int64_t d = 0; d < side[3]; d++)
                    *to++ = p[d * step[3]];
            }
        }
    }
    ld->no_memory = ld->no_memory || (from && !out);
    return out;
}

static void
store_matrix(struct loader *ld, const struct hl_st_tensor *t, enum hl_dtype type,
             struct hl_weight *out)
{
    const void *p = t->data;
    if (type == HL_DTYPE_F64) {
        p = widen(ld, t, type);
        type = HL_DTYPE_F32;
    } else if (!all_finite(type, t->data, (size_t)t->n)) {
        list_add(&ld->not_finite, t->name);
        return;
    } else if ((uintptr_t)t->data % hl_dtype_size(type) != 0) {
        void *copy = hl_arena_alloc(ld->arena, t->data_sz, 1, 64);
        if (copy)
            memcpy(copy, t->data, t->data_sz);
        ld->no_memory = ld->no_memory || !copy;
        p = copy;
    }
    if (p)
        *out = (struct hl_weight) { p, type, (int)t->shape[0], (int)t->shape[1] };
}

/* A tensor that is as asked for, into its field. */
static void
store(struct loader *ld, const struct hl_st_tensor *t, const struct hl_weight_spec *spec,
      enum hl_dtype type, unsigned char *field)
{
    struct hl_arena *arena = ld->arena, temporary;
    const float *wide;

    if (spec->kind == HL_WEIGHT_MATRIX) {
        store_matrix(ld, t, type, (struct hl_weight *)(void *)field);
        return;
    }
    bool in_order = spec->kind == HL_WEIGHT_VECTOR;
    hl_arena_init(&temporary, 4096, 0);
    ld->arena = in_order ? arena : &temporary;
    wide = widen(ld, t, type);
    ld->arena = arena;
    *(const float **)(void *)field = in_order ? wide : reorder(ld, t, spec, wide);
    hl_arena_deinit(&temporary);
}

static void
load_item(struct loader *ld, const struct hl_weight_spec *spec, void *base, const char *item,
          const int *dims)
{
    char name[NAME_SZ];
    enum hl_dtype type;
    const struct hl_st_tensor *t = find_tensor(ld, spec->names, item, name);
    if (!t) {
        if (!spec->optional)
            list_add(&ld->missing, name);
        return;
    }
    if (!shape_fits(t, spec, dims)) {
        say_shape(ld, t, spec, dims);
        return;
    }
    if (!usable_type(t->dtype, &type)) {
        struct hl_sb sb = { 0 };
        hl_sb_printf(&sb, "%.100s (%s)", t->name, hl_st_dtype_name(t->dtype));
        list_add(&ld->unusable, sb.failed ? t->name : sb.p);
        hl_sb_deinit(&sb);
        return;
    }
    store(ld, t, spec, type, (unsigned char *)base + spec->offset);
}

static void
load_spec(struct loader *ld, const struct hl_weight_spec *spec)
{
    const struct hl_weight_group *g = &ld->plan->groups[spec->group];
    struct hl_sb number = { 0 };
    for (int i = 0; i < g->n; i++) {
        number.n = 0;
        hl_sb_printf(&number, "%d", i);
        const char *item = g->names ? g->names[i] : number.failed ? "" : number.p;
        const int *dims = g->dims ? g->dims + (ptrdiff_t)i * g->n_dims : ld->plan->dims;
        load_item(ld, spec, (unsigned char *)g->base + (size_t)i * g->stride, item, dims);
    }
    ld->no_memory = ld->no_memory || number.failed;
    hl_sb_deinit(&number);
}

static void
find_unexpected(struct loader *ld)
{
    for (int i = 0; i < hl_st_n(ld->st); i++) {
        const char *name = hl_st_at(ld->st, i)->name;
        const char *before = ld->plan->before;
        bool known = ld->used[i] || (before && strncmp(name, before, strlen(before)) != 0);
        for (int k = 0; k < ld->plan->n_ignored && !known; k++)
            known = matches(ld->plan->ignored[k], name);
        if (!known)
            list_add(&ld->unexpected, name);
    }
}

static enum hl_status
report(struct loader *ld, struct hl_error *err)
{
    struct hl_sb sb = { 0 };
    enum hl_status status = HL_OK;
    list_say(&ld->missing, "missing", &sb);
    list_say(&ld->misshaped, "wrong shape:", &sb);
    list_say(&ld->unexpected, "unexpected", &sb);
    list_say(&ld->unusable, "of a type that is not supported:", &sb);
    list_say(&ld->not_finite, "with NaN or infinite numbers:", &sb);
    if (ld->no_memory || sb.failed)
        status = hl_error_set(err, HL_E_NOMEM, hl_st_where(ld->st), "%s", "");
    else if (sb.n > 0)
        status = hl_error_set(err, HL_E_WEIGHTS, hl_st_where(ld->st), "%s", sb.p);
    hl_sb_deinit(&sb);
    return status;
}

enum hl_status
hl_weights_load(const struct hl_st *st, const struct hl_weight_plan *plan, struct hl_arena *arena,
                struct hl_error *err)
{
    struct loader ld = { .st = st, .plan = plan, .arena = arena };
    ld.used = hl_arena_new(arena, hl_st_n(st), bool);
    ld.no_memory = !ld.used;
    for (int i = 0; i < plan->n_specs && !ld.no_memory; i++)
        load_spec(&ld, &plan->specs[i]);
    if (!ld.no_memory)
        find_unexpected(&ld);
    enum hl_status status = report(&ld, err);
    struct list *lists[] = { &ld.missing, &ld.misshaped, &ld.unusable, &ld.not_finite,
                             &ld.unexpected };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        hl_sb_deinit(&lists[i]->text);
    return status;
}

int64_t
hl_weights_n_params(const struct hl_st *st)
{
    int64_t n = 0;
    for (int i = 0; i < hl_st_n(st); i++) {
        int64_t more = hl_st_at(st, i)->n;
        n = more > INT64_MAX - n ? INT64_MAX : n + more;
    }
    return n;
}

float
hl_weights_largest(const struct hl_st *st)
{
    enum { PART = 256 };
    float part[PART], most = 0;
    for (int i = 0; i < hl_st_n(st); i++) {
        const struct hl_st_tensor *t = hl_st_at(st, i);
        enum hl_dtype type;
        size_t n = (size_t)t->n;
        if (!usable_type(t->dtype, &type))
            continue;
        for (size_t at = 0; at < n; at += PART) {
            size_t m = n - at < PART ? n - at : PART;
            hl_dtype_to_f32(type, t->data + at * hl_dtype_size(type), m, part);
            for (size_t k = 0; k < m; k++)
                most = fabsf(part[k]) > most ? fabsf(part[k]) : most;
        }
    }
    return most;
}

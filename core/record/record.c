#include "record/record.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

/* How far a row that claims to sum to 1 may be from it; how far a cosine may go. */
static const double ROW_SUM_BOUND = 1e-4;
static const float COSINE_BOUND = 1.0001F;

struct hl_record *
hl_record_create(void)
{
    struct hl_record *r = hl_alloc(1, sizeof(*r));
    if (!r)
        return NULL;
    hl_arena_init(&r->arena, 64 * 1024, 0);
    r->dropped_at = -1;
    return r;
}

void
hl_record_destroy(struct hl_record *r)
{
    if (!r)
        return;
    /* The arena lives in the block that is freed last. */
    hl_arena_deinit(&r->arena);
    hl_free(r);
}

/* ---- lists that grow ---- */

enum { FIRST_ROOM = 4 };

/* Room for one more entry of `size` bytes after the n that lie at `list`: a list doubles
 * at each power of two, and what it leaves behind goes with the arena. Returns where the
 * list is now; NULL when the record is sealed or there is no memory. */
static void *
grow(struct hl_record *r, void *list, int n, size_t size)
{
    if (r->sealed)
        return NULL;
    if (n >= FIRST_ROOM ? (n & (n - 1)) != 0 : n != 0)
        return list;
    size_t room = n >= FIRST_ROOM ? 2 * (size_t)n : FIRST_ROOM;
    void *more = hl_arena_alloc(&r->arena, room, size, _Alignof(max_align_t));
    if (more && n > 0)
        memcpy(more, list, (size_t)n * size);
    return more;
}

struct hl_axis *
hl_record_axis(struct hl_record *r, const char *name, enum hl_axis_kind kind, int n, int *index)
{
    struct hl_axis *list = grow(r, r->axes, r->n_axes, sizeof *list);
    const char *copy = list ? hl_arena_strdup(&r->arena, name) : NULL;
    if (!copy)
        return NULL;
    if (index)
        *index = r->n_axes;
    r->axes = list;
    list[r->n_axes] = (struct hl_axis) { .name = copy, .title = copy, .kind = kind, .n = n };
    return &list[r->n_axes++];
}

static const struct {
    const char *name;
    int rank;
    enum hl_rule rule;
} known_stages[] = {
    { HL_STAGE_SCORES, 0, HL_RULE_SCORES },    { HL_STAGE_COSINE, 10, HL_RULE_COSINES },
    { HL_STAGE_CONTENT, 20, HL_RULE_WEIGHTS }, { HL_STAGE_GATED, 30, HL_RULE_WEIGHTS },
    { HL_STAGE_SHIFTED, 40, HL_RULE_WEIGHTS }, { HL_STAGE_WEIGHTS, 100, HL_RULE_WEIGHTS },
};

enum { OWN_STAGE_RANK = 50 };

struct hl_map *
hl_record_map(struct hl_record *r, const char *name, const char *stage)
{
    struct hl_map *list = grow(r, r->maps, r->n_maps, sizeof *list);
    const char *copy = list ? hl_arena_strdup(&r->arena, name) : NULL;
    const char *stage_copy = copy ? hl_arena_strdup(&r->arena, stage) : NULL;
    if (!stage_copy)
        return NULL;
    struct hl_map m = { .name = copy, .stage = stage_copy, .rank = OWN_STAGE_RANK, .out_axis = -1 };
    for (size_t i = 0; i < sizeof known_stages / sizeof known_stages[0]; i++) {
        if (strcmp(known_stages[i].name, stage) == 0) {
            m.rank = known_stages[i].rank;
            m.rule = known_stages[i].rule;
        }
    }
    r->maps = list;
    list[r->n_maps] = m;
    return &list[r->n_maps++];
}

struct hl_vectors *
hl_record_vectors(struct hl_record *r, const char *name)
{
    struct hl_vectors *list = grow(r, r->vectors, r->n_vectors, sizeof *list);
    const char *copy = list ? hl_arena_strdup(&r->arena, name) : NULL;
    if (!copy)
        return NULL;
    r->vectors = list;
    list[r->n_vectors] = (struct hl_vectors) { .name = copy };
    return &list[r->n_vectors++];
}

struct hl_series *
hl_record_series(struct hl_record *r, const char *name)
{
    struct hl_series *list = grow(r, r->series, r->n_series, sizeof *list);
    const char *copy = list ? hl_arena_strdup(&r->arena, name) : NULL;
    if (!copy)
        return NULL;
    r->series = list;
    list[r->n_series] = (struct hl_series) { .name = copy };
    return &list[r->n_series++];
}

static struct hl_setting *
find_setting(const struct hl_record *r, const char *key)
{
    for (int i = 0; i < r->n_settings; i++) {
        if (strcmp(r->settings[i].key, key) == 0)
            return &r->settings[i];
    }
    return NULL;
}

bool
hl_record_set(struct hl_record *r, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *value = n >= 0 && !r->sealed ? hl_arena_new(&r->arena, n + 1, char) : NULL;
    if (!value)
        return false;
    va_start(ap, fmt);
    vsnprintf(value, (size_t)n + 1, fmt, ap);
    va_end(ap);
    struct hl_setting *old = find_setting(r, key);
    if (old) {
        old->value = value;
        return true;
    }
    struct hl_setting *list = grow(r, r->settings, r->n_settings, sizeof *list);
    const char *copy = list ? hl_arena_strdup(&r->arena, key) : NULL;
    if (!copy)
        return false;
    r->settings = list;
    list[r->n_settings++] = (struct hl_setting) { copy, value };
    return true;
}

const char *
hl_record_setting(const struct hl_record *r, const char *key)
{
    const struct hl_setting *s = find_setting(r, key);
    return s ? s->value : NULL;
}

int
hl_record_setting_int(const struct hl_record *r, const char *key, int none)
{
    const char *value = hl_record_setting(r, key);
    char *end = NULL;
    long n = value ? strtol(value, &end, 10) : 0;
    return value && end != value && *end == '\0' && n >= INT32_MIN && n <= INT32_MAX ? (int)n
                                                                                     : none;
}

/* ---- verifying ---- */

static enum hl_status
broken(struct hl_error *err, const char *where, const char *what)
{
    return hl_error_set(err, HL_E_RECORD, where, "%s", what);
}

/* Product of the counts, all of them checked; false when one is negative, the
 * product overflows or numbers are promised and missing. */
static bool
count_data(const int *counts, int n_counts, const float *data, size_t *out)
{
    size_t total = 1;
    for (int i = 0; i < n_counts; i++) {
        if (counts[i] < 0 || !hl_size_mul(total, (size_t)counts[i], &total))
            return false;
    }
    size_t bytes;
    if (!hl_size_mul(total, sizeof(float), &bytes) || (total > 0 && !data))
        return false;
    *out = total;
    return true;
}

static bool
all_finite(const float *data, size_t n)
{
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= !(fabsf(data[i]) <= FLT_MAX);
    return !bad;
}

static enum hl_status
verify_tokens(const struct hl_axis *axis, struct hl_error *err)
{
    if (axis->n > 0 && !axis->tokens)
        return broken(err, axis->name, "the axis has no tokens");
    int32_t text_n = axis->text ? (int32_t)strlen(axis->text) : 0;
    int32_t start = 0, end = 0, word = 0;
    for (int i = 0; i < axis->n; i++) {
        const struct hl_token *t = &axis->tokens[i];
        if (!t->text || !t->label)
            return hl_error_set(err, HL_E_RECORD, axis->name, "token %d has no text", i);
        if (t->word < -1 || (t->word >= 0 && t->word < word))
            return hl_error_set(err, HL_E_RECORD, axis->name, "token %d goes back to word %d", i,
                                (int)t->word);
        if (t->word >= 0)
            word = t->word;
        if (t->start == -1 && t->end == -1)
            continue;
        if (t->start < start || t->end < end || t->end < t->start || t->end > text_n)
            return hl_error_set(err, HL_E_RECORD, axis->name,
                                "token %d spans %d to %d: out of order or of the text's %d bytes",
                                i, (int)t->start, (int)t->end, (int)text_n);
        start = t->start;
        end = t->end;
    }
    return HL_OK;
}

static enum hl_status
verify_axis(const struct hl_record *r, int index, struct hl_error *err)
{
    const struct hl_axis *axis = &r->axes[index];
    if (!axis->name || axis->n < 0 || (int)axis->kind < 0 || axis->kind >= HL_AXIS_COUNT)
        return broken(err, axis->name, "the axis has no name, a negative length or no kind");
    if (hl_record_find_axis(r, axis->name) != axis)
        return broken(err, axis->name, "two axes have this name");
    if (axis->kind == HL_AXIS_GRID && (axis->grid_h < 0 || axis->grid_w < 0 ||
                                       (int64_t)axis->grid_h * axis->grid_w != (int64_t)axis->n))
        return broken(err, axis->name, "the grid's sides do not give its length");
    return axis->kind == HL_AXIS_TOKENS ? verify_tokens(axis, err) : HL_OK;
}

static bool
axis_has(const struct hl_record *r, int index, int n)
{
    return index >= 0 && index < r->n_axes && r->axes[index].n == n;
}

static enum hl_status
bad_cell(const struct hl_map *m, size_t at, const char *what, struct hl_error *err)
{
    size_t k = at % (size_t)m->n_k, row = at / (size_t)m->n_k;
    size_t q = row % (size_t)m->n_q, head = row / (size_t)m->n_q;
    return hl_error_set(err, HL_E_RECORD, m->name, "layer %d, head %d, query %d, key %d %s",
                        (int)(head / (size_t)m->n_heads), (int)(head % (size_t)m->n_heads), (int)q,
                        (int)k, what);
}

static bool
row_is_weights(const float *row, int n)
{
    float least = 0;
    for (int k = 0; k < n; k++)
        least = row[k] < least ? row[k] : least;
    return least >= 0 && all_finite(row, (size_t)n);
}

static bool
row_is_scores(const float *row, int n)
{
    for (int k = 0; k < n; k++) {
        if (!(row[k] < INFINITY)) /* NaN or plus infinity */
            return false;
    }
    return true;
}

static bool
row_is_cosines(const float *row, int n)
{
    int bad = 0;
    for (int k = 0; k < n; k++)
        bad |= !(fabsf(row[k]) <= COSINE_BOUND);
    return !bad;
}

/* Whether n numbers are what their rule says. */
static bool
row_is_right(const float *row, int n, enum hl_rule rule)
{
    if (rule == HL_RULE_COSINES)
        return row_is_cosines(row, n);
    return rule == HL_RULE_WEIGHTS ? row_is_weights(row, n) : row_is_scores(row, n);
}

/* The first of row's cells that breaks the rule of its stage, for the sentence. */
static int
first_bad(const float *row, int n, enum hl_rule rule)
{
    int k = 0;
    while (k < n - 1 && row_is_right(row + k, 1, rule))
        k++;
    return k;
}

static enum hl_status
verify_row(const struct hl_map *m, size_t row_index, struct hl_error *err)
{
    const float *row = m->data + row_index * (size_t)m->n_k;
    size_t at = row_index * (size_t)m->n_k;
    bool weights = m->rule == HL_RULE_WEIGHTS;
    if (!row_is_right(row, m->n_k, m->rule))
        return bad_cell(m, at + (size_t)first_bad(row, m->n_k, m->rule),
                        weights                      ? "is negative or not finite"
                        : m->rule == HL_RULE_COSINES ? "is not in -1..1"
                                                     : "is not a number",
                        err);
    if (m->causal) {
        int q = (int)(row_index % (size_t)m->n_q);
        for (int k = q + 1; k < m->n_k; k++) {
            if (weights ? row[k] != 0 : row[k] != -INFINITY)
                return bad_cell(m, at + (size_t)k, "lies ahead and is not masked", err);
        }
    }
    if (weights && m->row_sum_one) {
        double sum = 0;
        for (int k = 0; k < m->n_k; k++)
            sum += (double)row[k];
        if (fabs(sum - 1) > ROW_SUM_BOUND)
            return bad_cell(m, at, "begins a row that does not sum to 1 as claimed", err);
    }
    return HL_OK;
}

/* What is masked before the softmax has no weight after it. */
static enum hl_status
verify_masks(const struct hl_record *r, const struct hl_map *m, struct hl_error *err)
{
    const struct hl_map *scores = hl_record_find_map(r, m->name, HL_STAGE_SCORES);
    if (!hl_map_is(m, HL_STAGE_WEIGHTS) || !scores)
        return HL_OK;
    if (scores->n_layers != m->n_layers || scores->n_heads != m->n_heads || scores->n_q != m->n_q ||
        scores->n_k != m->n_k)
        return broken(err, m->name, "scores and weights differ in shape");
    size_t n = (size_t)m->n_layers * (size_t)m->n_heads * (size_t)m->n_q * (size_t)m->n_k;
    for (size_t i = 0; i < n; i++) {
        if (scores->data[i] == -INFINITY && m->data[i] != 0)
            return bad_cell(m, i, "is masked and yet has a weight", err);
    }
    return HL_OK;
}

static enum hl_status
verify_map(const struct hl_record *r, const struct hl_map *m, struct hl_error *err)
{
    const int counts[] = { m->n_layers, m->n_heads, m->n_q, m->n_k };
    size_t n;
    if (!m->name || !m->stage || (int)m->rule < 0 || m->rule >= HL_RULE_COUNT ||
        !count_data(counts, 4, m->data, &n))
        return broken(err, m->name, "the map has no name, stage, numbers or a negative size");
    if (hl_record_find_map(r, m->name, m->stage) != m)
        return broken(err, m->name, "two maps have this name and stage");
    if (!axis_has(r, m->q_axis, m->n_q) || !axis_has(r, m->k_axis, m->n_k))
        return broken(err, m->name, "the map does not fit its axes");
    if (m->out_axis != -1 && !axis_has(r, m->out_axis, m->n_q))
        return broken(err, m->name, "the map does not fit the axis that it predicts");
    if (!all_finite(&m->scale, 1))
        return broken(err, m->name, "the scale is not finite");
    const char *const parts[] = { m->parts.query, m->parts.key, m->parts.value };
    for (int i = 0; i < 3; i++) {
        if (parts[i] && !hl_record_find_vectors(r, parts[i]))
            return hl_error_set(err, HL_E_RECORD, m->name,
                                "its rows are said to be made of %s, "
                                "which is not in the record",
                                parts[i]);
    }
    for (size_t row = 0; n > 0 && row < n / (size_t)m->n_k; row++) {
        enum hl_status status = verify_row(m, row, err);
        if (status != HL_OK)
            return status;
    }
    return n > 0 ? verify_masks(r, m, err) : HL_OK;
}

static enum hl_status
verify_vectors(const struct hl_record *r, const struct hl_vectors *v, struct hl_error *err)
{
    const int counts[] = { v->n_layers, v->n, v->width };
    size_t n;
    if (!v->name || !count_data(counts, 3, v->data, &n) || !axis_has(r, v->axis, v->n))
        return broken(err, v->name, "the vectors do not fit their axis");
    if (hl_record_find_vectors(r, v->name) != v)
        return broken(err, v->name, "two sets of vectors have this name");
    return all_finite(v->data, n) ? HL_OK : broken(err, v->name, "a vector is not finite");
}

static enum hl_status
verify_series(const struct hl_record *r, const struct hl_series *s, struct hl_error *err)
{
    const int counts[] = { s->n, s->n_comp };
    size_t n;
    if (!s->name || !count_data(counts, 2, s->data, &n) || !axis_has(r, s->axis, s->n))
        return broken(err, s->name, "the series does not fit its axis");
    if (hl_record_find_series(r, s->name) != s)
        return broken(err, s->name, "two series have this name");
    return all_finite(s->data, n) ? HL_OK : broken(err, s->name, "a number is not finite");
}

static enum hl_status
verify_output(const struct hl_record *r, struct hl_error *err)
{
    size_t n;
    const int shape[] = { r->n_candidates, r->candidates_k };
    if (shape[0] < 0 || shape[1] < 0 || !hl_size_mul((size_t)shape[0], (size_t)shape[1], &n) ||
        (n > 0 && !r->candidates))
        return broken(err, "candidates", "the table is missing or of a negative size");
    for (size_t i = 0; i < n; i++) {
        const struct hl_candidate *c = &r->candidates[i];
        bool first = i % (size_t)shape[1] == 0;
        if (!c->label || !all_finite(&c->logprob, 1) ||
            (!first && c->logprob > r->candidates[i - 1].logprob))
            return hl_error_set(err, HL_E_RECORD, "candidates",
                                "number %d has no label, is not finite or is out of order", (int)i);
    }
    if (r->n_logits < 0 || (r->n_logits > 0 && !r->logits) ||
        !all_finite(r->logits, (size_t)r->n_logits))
        return broken(err, "logits", "they are missing or not finite");
    if (!isfinite(r->output_logprob))
        return broken(err, "output", "the log-probability is not finite");
    return HL_OK;
}

enum hl_status
hl_record_verify(const struct hl_record *r, struct hl_error *err)
{
    if (r->n_axes < 0 || r->n_maps < 0 || r->n_vectors < 0 || r->n_series < 0)
        return broken(err, NULL, "a count is out of range");
    enum hl_status status = HL_OK;
    for (int i = 0; status == HL_OK && i < r->n_axes; i++)
        status = verify_axis(r, i, err);
    for (int i = 0; status == HL_OK && i < r->n_maps; i++)
        status = verify_map(r, &r->maps[i], err);
    for (int i = 0; status == HL_OK && i < r->n_vectors; i++)
        status = verify_vectors(r, &r->vectors[i], err);
    for (int i = 0; status == HL_OK && i < r->n_series; i++)
        status = verify_series(r, &r->series[i], err);
    return status == HL_OK ? verify_output(r, err) : status;
}

/* The record's own vectors "<map>.<part>", unless `*part` is named already. */
static bool
complete_part(struct hl_record *r, const struct hl_map *m, const char *what, const char **part)
{
    const char *name = *part ? *part : hl_arena_printf(&r->arena, "%s.%s", m->name, what);
    if (name && !*part && hl_record_find_vectors(r, name))
        *part = name;
    return name != NULL;
}

enum hl_status
hl_record_seal(struct hl_record *r, struct hl_error *err)
{
    for (int i = 0; !r->sealed && i < r->n_maps; i++) {
        struct hl_map *m = &r->maps[i];
        if (!complete_part(r, m, "query", &m->parts.query) ||
            !complete_part(r, m, "key", &m->parts.key) ||
            !complete_part(r, m, "value", &m->parts.value))
            return hl_error_set(err, HL_E_NOMEM, m->name, "for the names of its parts");
    }
    enum hl_status status = hl_record_verify(r, err);
    if (status == HL_OK)
        r->sealed = true;
    return status;
}

const struct hl_axis *
hl_record_find_axis(const struct hl_record *r, const char *name)
{
    for (int i = 0; i < r->n_axes; i++) {
        if (strcmp(r->axes[i].name, name) == 0)
            return &r->axes[i];
    }
    return NULL;
}

const struct hl_map *
hl_record_find_map(const struct hl_record *r, const char *name, const char *stage)
{
    for (int i = 0; i < r->n_maps; i++) {
        if (hl_map_is(&r->maps[i], stage) && strcmp(r->maps[i].name, name) == 0)
            return &r->maps[i];
    }
    return NULL;
}

const struct hl_vectors *
hl_record_find_vectors(const struct hl_record *r, const char *name)
{
    for (int i = 0; i < r->n_vectors; i++) {
        if (strcmp(r->vectors[i].name, name) == 0)
            return &r->vectors[i];
    }
    return NULL;
}

const struct hl_series *
hl_record_find_series(const struct hl_record *r, const char *name)
{
    for (int i = 0; i < r->n_series; i++) {
        if (strcmp(r->series[i].name, name) == 0)
            return &r->series[i];
    }
    return NULL;
}

bool
hl_map_is(const struct hl_map *m, const char *stage)
{
    return m->stage && strcmp(m->stage, stage) == 0;
}

#include "analysis/group.h"

#include <string.h>

#include "base/utf8.h"

/* True when a token is read as punctuation alone. */
static bool
is_punct(const struct hl_token *t)
{
    size_t n = strlen(t->label);
    if (t->special || n == 0)
        return false;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        i += hl_utf8_next(t->label + i, n - i, &cp);
        if (!hl_utf8_is_punct(cp))
            return false;
    }
    return true;
}

/* Number of tokens of the group that begins at `first`. */
static int
group_length(const struct hl_axis *axis, int first, bool words)
{
    const struct hl_token *t = axis->tokens;
    int end = first + 1;
    if (!words || t[first].special || t[first].word < 0)
        return 1;
    while (end < axis->n && !t[end].special && t[end].word == t[first].word)
        end++;
    if (is_punct(&t[first]))
        return 1;
    while (end - 1 > first && is_punct(&t[end - 1]))
        end--;
    return end - first;
}

static const char *
joined_label(const struct hl_axis *axis, int first, int n, struct hl_arena *a)
{
    const struct hl_token *t = &axis->tokens[first];
    size_t len = 0;
    if (n == 1)
        return t->label;
    if (axis->text && t[0].start >= 0 && t[n - 1].end > t[0].start) {
        /* a piece's span may begin with the space before its word */
        const char *from = axis->text + t[0].start;
        size_t left = (size_t)(t[n - 1].end - t[0].start), k;
        for (uint32_t cp; left > 0; from += k, left -= k) {
            k = hl_utf8_next(from, left, &cp);
            if (!hl_utf8_is_space(cp))
                break;
        }
        return hl_arena_strndup(a, from, left);
    }
    for (int i = 0; i < n; i++)
        len += strlen(t[i].label);
    char *s = hl_arena_new(a, len + 1, char);
    if (!s)
        return NULL;
    for (int i = 0; i < n; i++)
        strcat(s, t[i].label);
    return s;
}

bool
hl_group_axis(const struct hl_axis *axis, bool words, enum hl_specials specials, struct hl_arena *a,
              struct hl_group *out)
{
    struct hl_group g = { .axis = axis };
    int step;

    g.items = hl_arena_new(a, axis->n, struct hl_group_item);
    g.of_token = hl_arena_new(a, axis->n, int);
    if (!g.items || !g.of_token || (axis->n > 0 && !axis->tokens))
        return false;
    for (int i = 0; i < axis->n; i += step) {
        const struct hl_token *t = &axis->tokens[i];
        step = group_length(axis, i, words);
        bool hidden = t->special && specials == HL_SPECIALS_HIDE;
        for (int k = 0; k < step; k++)
            g.of_token[i + k] = hidden ? -1 : g.n;
        if (hidden) {
            g.n_hidden += step;
            continue;
        }
        struct hl_group_item *item = &g.items[g.n++];
        *item = (struct hl_group_item) {
            .label = joined_label(axis, i, step, a),
            .first = i,
            .n = step,
            .start = t->start,
            .end = t[step - 1].end,
            .special = t->special,
            .dim = t->special && specials == HL_SPECIALS_DIM,
            .punct = step == 1 && is_punct(t),
        };
        if (!item->label)
            return false;
    }
    *out = g;
    return true;
}

/* Adds one head's grouped weights, times `factor`, to out. */
static void
add_head(const struct hl_map *m, int layer, int head, const struct hl_group *rows,
         const struct hl_group *cols, double factor, float *out)
{
    for (int i = 0; i < rows->n; i++) {
        const struct hl_group_item *q = &rows->items[i];
        for (int j = 0; j < cols->n; j++) {
            const struct hl_group_item *k = &cols->items[j];
            double sum = 0;
            for (int x = q->first; x < q->first + q->n; x++) {
                const float *row = hl_map_row(m, layer, head, x);
                for (int y = k->first; y < k->first + k->n; y++)
                    sum += (double)row[y];
            }
            out[i * cols->n + j] += (float)(sum * factor / q->n);
        }
    }
}

static void
renormalise_rows(float *out, int n_rows, int n_cols)
{
    for (int i = 0; i < n_rows; i++) {
        float *row = out + (size_t)i * (size_t)n_cols;
        double sum = 0;
        for (int j = 0; j < n_cols; j++)
            sum += (double)row[j];
        for (int j = 0; j < n_cols && sum > 0; j++)
            row[j] = (float)((double)row[j] / sum);
    }
}

void
hl_group_weights(const struct hl_map *m, int layer, int head, const struct hl_group *rows,
                 const struct hl_group *cols, bool renormalise, float *out)
{
    int l0 = layer < 0 ? 0 : layer, l1 = layer < 0 ? m->n_layers : layer + 1;
    int h0 = head < 0 ? 0 : head, h1 = head < 0 ? m->n_heads : head + 1;
    double factor = 1.0 / ((double)(l1 - l0) * (h1 - h0));

    memset(out, 0, (size_t)rows->n * (size_t)cols->n * sizeof *out);
    for (int l = l0; l < l1; l++) {
        for (int h = h0; h < h1; h++)
            add_head(m, l, h, rows, cols, factor, out);
    }
    if (renormalise)
        renormalise_rows(out, rows->n, cols->n);
}

int
hl_group_place(const struct hl_group *cols, const float *row, int col, int self)
{
    int place = 0;
    for (int j = 0; j < cols->n; j++) {
        const struct hl_group_item *item = &cols->items[j];
        if (j == col || j == self || item->special || item->punct)
            continue;
        if (row[j] > row[col])
            place++;
    }
    return place;
}

int
hl_group_at(const struct hl_group *g, int at)
{
    for (int i = 0; i < g->n; i++) {
        if (g->items[i].start >= 0 && at >= g->items[i].start && at < g->items[i].end)
            return i;
    }
    return -1;
}

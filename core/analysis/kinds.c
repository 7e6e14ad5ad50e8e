#include "analysis/kinds.h"

#include <math.h>
#include <stdint.h>

#include "analysis/summary.h"

enum {
    REACH = 2,        /* tokens to each side that are local */
    WORDS_SEEN = 4096 /* source words that alignment keeps apart */
};

bool
hl_kinds_prepare(const struct hl_record *r, const struct hl_map *m, struct hl_arena *a,
                 struct hl_kinds *out)
{
    const struct hl_axis *q = &r->axes[m->q_axis], *k = &r->axes[m->k_axis];
    *out = (struct hl_kinds) { .record = r, .map = m };
    if (!q->tokens || !k->tokens)
        return true;
    if (!hl_group_axis(q, true, HL_SPECIALS_SHOW, a, &out->rows) ||
        !hl_group_axis(k, true, HL_SPECIALS_SHOW, a, &out->cols))
        return false;
    return m->q_axis != m->k_axis || hl_english_links(&out->cols, a, &out->links);
}

/* ---- token by token ---- */

struct tally {
    double sum[HL_HEAD_COUNT];
    int rows[HL_HEAD_COUNT];
};

static void
count(struct tally *t, enum hl_head_kind kind, double weight)
{
    t->sum[kind] += weight;
    t->rows[kind]++;
}

static void
count_near(struct tally *t, const struct hl_map *m, const float *row, int q)
{
    int last = m->causal ? q : m->n_k - 1, n = 0;
    double sum = 0;
    count(t, HL_HEAD_SAME, (double)row[q]);
    if (q > 0)
        count(t, HL_HEAD_PREVIOUS, (double)row[q - 1]);
    if (q < last)
        count(t, HL_HEAD_NEXT, (double)row[q + 1]);
    for (int k = q - REACH; k <= q + REACH; k++) {
        if (k >= 0 && k <= last) {
            sum += (double)row[k];
            n++;
        }
    }
    double even = (double)n / (last + 1);
    if (n <= last)
        count(t, HL_HEAD_LOCAL, sum > even ? (sum - even) / (1 - even) : 0);
}

/* Punctuation of the keys; no row if there is none, or if the query is a sign itself. */
static void
count_punct(struct tally *t, const struct hl_kinds *k, const float *row, int q)
{
    const struct hl_group *cols = &k->cols;
    double sum = 0;
    bool any = false;
    if (k->rows.n == 0 || k->rows.items[k->rows.of_token[q]].punct)
        return;
    for (int i = 0; i < cols->n; i++) {
        if (cols->items[i].punct) {
            sum += (double)row[cols->items[i].first];
            any = true;
        }
    }
    if (any)
        count(t, HL_HEAD_PUNCT, sum);
}

static void
count_row(struct tally *t, const struct hl_kinds *k, const float *row, int q)
{
    const struct hl_map *m = k->map;
    const struct hl_token *queries = k->record->axes[m->q_axis].tokens;
    const struct hl_token *keys = k->record->axes[m->k_axis].tokens;
    int allowed = m->causal ? q + 1 : m->n_k;
    if (allowed > 1)
        count(t, HL_HEAD_BROAD, hl_summary_entropy(row, m->n_k) / log2((double)allowed));
    if (queries && queries[q].special)
        return;
    if (m->k_axis == m->q_axis)
        count_near(t, m, row, q);
    if (q > 0 || m->k_axis != m->q_axis)
        count(t, HL_HEAD_FIRST, (double)row[0]);
    if (m->n_k > 1 && !m->causal && keys && keys[m->n_k - 1].special)
        count(t, HL_HEAD_END, (double)row[m->n_k - 1]);
    count_punct(t, k, row, q);
}

/* ---- word by word ---- */

static double
word_weight(const struct hl_kinds *k, int layer, int head, int from, int to)
{
    const struct hl_group_item *q = &k->rows.items[from], *key = &k->cols.items[to];
    double sum = 0;
    for (int i = 0; i < q->n; i++) {
        const float *row = hl_map_row(k->map, layer, head, q->first + i);
        for (int j = 0; j < key->n; j++)
            sum += (double)row[key->first + j];
    }
    return sum / q->n;
}

/* Whether a kind that the head has already shown looks there anyway. */
static bool
explained(const struct hl_head_profile *p, int from, int to)
{
    const double least = hl_head_kind_threshold(HL_HEAD_NEXT);
    return (to == from + 1 && p->score[HL_HEAD_NEXT] >= least) ||
           (to == from - 1 && p->score[HL_HEAD_PREVIOUS] >= least) ||
           (to == 0 && p->score[HL_HEAD_FIRST] >= least);
}

static enum hl_head_kind
kind_of_link(enum hl_link_kind kind)
{
    switch (kind) {
    case HL_LINK_NOUN:
        return HL_HEAD_NOUN;
    case HL_LINK_VERB:
        return HL_HEAD_VERB;
    case HL_LINK_PRONOUN:
        break;
    }
    return HL_HEAD_PRONOUN;
}

/* Scores of all links into p, and of those that nothing simpler explains into `own`. */
static void
score_links(const struct hl_kinds *k, int layer, int head, struct hl_head_profile *p, double *own)
{
    struct tally all = { 0 }, rest = { 0 };
    for (int i = 0; i < k->links.n; i++) {
        const struct hl_link *l = &k->links.links[i];
        enum hl_head_kind kind = kind_of_link(l->kind);
        double sum = 0, unexplained = 0;
        int left = 0;
        for (int j = 0; j < l->n; j++) {
            double w = word_weight(k, layer, head, l->from, l->to[j]);
            bool plain = explained(p, l->from, l->to[j]);
            sum += w;
            unexplained += plain ? 0 : w;
            left += plain ? 0 : 1;
        }
        count(&all, kind, sum);
        if (left > 0)
            count(&rest, kind, unexplained);
    }
    for (int i = HL_HEAD_NOUN; i <= HL_HEAD_PRONOUN; i++) {
        p->score[i] = all.rows[i] > 0 ? all.sum[i] / all.rows[i] : 0;
        own[i] = rest.rows[i] > 0 ? rest.sum[i] / rest.rows[i] : 0;
    }
}

static bool
is_word(const struct hl_group_item *item)
{
    return !item->special && !item->punct;
}

/* The row's largest weight on a word of the source, and which. */
static double
peak(const struct hl_kinds *k, int layer, int head, int q, int *at)
{
    double best = -1;
    for (int i = 0; i < k->cols.n; i++) {
        double w = is_word(&k->cols.items[i]) ? word_weight(k, layer, head, q, i) : -1;
        if (w > best) {
            best = w;
            *at = i;
        }
    }
    return best;
}

/* Rows are words of the query axis: what the decoder wrote last. */
static double
alignment(const struct hl_kinds *k, int layer, int head)
{
    uint64_t seen[WORDS_SEEN / 64] = { 0 };
    double sum = 0;
    int words = 0, taken = 0, at = -1;
    for (int i = 0; i < k->cols.n; i++)
        words += is_word(&k->cols.items[i]) ? 1 : 0;
    if (words < 3 || k->rows.n < 3)
        return 0;
    for (int q = 0; q < k->rows.n; q++) {
        sum += peak(k, layer, head, q, &at);
        uint64_t bit = at < WORDS_SEEN ? (uint64_t)1 << (at % 64) : 0;
        if (bit && !(seen[at / 64] & bit)) {
            seen[at / 64] |= bit;
            taken++;
        }
    }
    int most = words < k->rows.n ? words : k->rows.n;
    return sqrt(sum / k->rows.n * taken / most);
}

/* ---- the name ---- */

static const enum hl_head_kind order[] = {
    HL_HEAD_PRONOUN, HL_HEAD_MIXED, HL_HEAD_PREVIOUS, HL_HEAD_SAME,  HL_HEAD_NEXT,
    HL_HEAD_MIXED,   HL_HEAD_NOUN,  HL_HEAD_VERB,     HL_HEAD_MIXED, HL_HEAD_FIRST,
    HL_HEAD_END,     HL_HEAD_PUNCT, HL_HEAD_MIXED,    HL_HEAD_ALIGN, HL_HEAD_MIXED,
    HL_HEAD_LOCAL,   HL_HEAD_BROAD, HL_HEAD_MIXED, /* "mixed" ends a step */
};

static enum hl_head_kind
named(const struct hl_head_profile *p, const double *own)
{
    enum hl_head_kind best = HL_HEAD_MIXED;
    double most = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        enum hl_head_kind kind = order[i];
        if (kind == HL_HEAD_MIXED && best != HL_HEAD_MIXED)
            return best;
        bool linked = kind >= HL_HEAD_NOUN && kind <= HL_HEAD_PRONOUN;
        double score = linked ? own[kind] : p->score[kind];
        if (kind != HL_HEAD_MIXED && score >= hl_head_kind_threshold(kind) && score > most) {
            best = kind;
            most = score;
        }
    }
    return HL_HEAD_MIXED;
}

struct hl_head_profile
hl_kinds_profile(const struct hl_kinds *k, int layer, int head)
{
    struct hl_head_profile p = { .kind = HL_HEAD_MIXED };
    const struct hl_map *m = k->map;
    double own[HL_HEAD_COUNT] = { 0 };
    struct tally t = { 0 };
    for (int q = 0; q < m->n_q; q++) {
        const float *row = hl_map_row(m, layer, head, q);
        count_row(&t, k, row, q);
        p.entropy += hl_summary_entropy(row, m->n_k) / m->n_q;
    }
    for (int i = 0; i < HL_HEAD_COUNT; i++)
        p.score[i] = t.rows[i] > 0 ? t.sum[i] / t.rows[i] : 0;
    score_links(k, layer, head, &p, own);
    if (m->q_axis != m->k_axis && k->cols.n > 0)
        p.score[HL_HEAD_ALIGN] = alignment(k, layer, head);
    p.kind = named(&p, own);
    return p;
}

const char *
hl_head_kind_name(enum hl_head_kind kind)
{
    switch (kind) {
    case HL_HEAD_PREVIOUS:
        return "previous token";
    case HL_HEAD_SAME:
        return "same token";
    case HL_HEAD_NEXT:
        return "next token";
    case HL_HEAD_FIRST:
        return "first token";
    case HL_HEAD_END:
        return "end token";
    case HL_HEAD_PUNCT:
        return "punctuation";
    case HL_HEAD_NOUN:
        return "determiner to noun";
    case HL_HEAD_VERB:
        return "verb to subject or object";
    case HL_HEAD_PRONOUN:
        return "pronoun to noun";
    case HL_HEAD_ALIGN:
        return "alignment";
    case HL_HEAD_LOCAL:
        return "nearby tokens";
    case HL_HEAD_BROAD:
        return "spread evenly";
    case HL_HEAD_MIXED:
    case HL_HEAD_COUNT:
        break;
    }
    return "mixed";
}

double
hl_head_kind_threshold(enum hl_head_kind kind)
{
    return kind == HL_HEAD_BROAD ? 0.85 : 0.5;
}

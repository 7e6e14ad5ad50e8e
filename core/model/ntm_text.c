#include "model/ntm_text.h"

#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"

enum { PADDING = ' ' };

/* ---- reading ---- */

/* A stretch of the text: a word of recall. */
struct word {
    int at, n;
};

static struct hl_ntm_step *
put(struct hl_ntm_plan *p, struct hl_ntm_step *steps, int32_t id)
{
    struct hl_ntm_step *s = &steps[p->n_steps++];
    *s = (struct hl_ntm_step) { .id = id, .start = -1, .end = -1, .word = -1 };
    return s;
}

/* A step for each byte of the characters that lie in text[at .. at + n). */
static void
put_bytes(struct hl_ntm_plan *p, struct hl_ntm_step *steps, int at, int n, int word)
{
    for (int i = at; i < at + n;) {
        uint32_t cp;
        int len = (int)hl_utf8_next(p->text + i, (size_t)(at + n - i), &cp);
        for (int k = 0; k < len; k++) {
            struct hl_ntm_step *s = put(p, steps, (uint8_t)p->text[i + k]);
            s->start = i;
            s->end = i + len;
            s->word = word;
            p->n_source++;
        }
        i += len;
    }
}

/* How many of text[0..n) fit into `room` bytes as whole characters. */
static int
fitting(const char *text, int n, int room)
{
    int at = 0;
    while (at < n) {
        uint32_t cp;
        int len = (int)hl_utf8_next(text + at, (size_t)(n - at), &cp);
        if (at + len > room)
            break;
        at += len;
    }
    return at;
}

static void
number_words(struct hl_ntm_step *steps, int n)
{
    int word = -1;
    for (int i = 0; i < n; i++) {
        if (steps[i].id == ' ')
            continue;
        if (i == 0 || steps[i - 1].id == ' ')
            word++;
        steps[i].word = word;
    }
}

static enum hl_status
no_memory(struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, NULL, "for the steps of a text");
}

static enum hl_status
plan_copy(const char *text, struct hl_arena *a, struct hl_ntm_plan *p, struct hl_error *err)
{
    size_t all = strlen(text);
    int shown = all < HL_NTM_MAX_BYTES + 4 ? (int)all : HL_NTM_MAX_BYTES + 4;
    int n = fitting(text, shown, HL_NTM_MAX_BYTES);
    struct hl_ntm_step *steps = hl_arena_new(a, 2 * n + 1, struct hl_ntm_step);

    p->answer = hl_arena_new(a, n, uint8_t);
    if (!steps || !p->answer)
        return no_memory(err);
    if ((size_t)n < all) {
        p->n_dropped = all - (size_t)n < INT32_MAX ? (int)(all - (size_t)n) : INT32_MAX;
        p->dropped_at = n;
    }
    put_bytes(p, steps, 0, n, -1);
    number_words(steps, n);
    put(p, steps, HL_NTM_MARK);
    for (int i = 0; i < n; i++)
        put(p, steps, HL_NTM_ANSWER);
    memcpy(p->answer, text, (size_t)n);
    p->has_answer = true;
    p->n_answer = n;
    p->steps = steps;
    return HL_OK;
}

/* The next word from *at on, up to `end`; none has n = 0. */
static struct word
next_word(const char *text, int *at, int end)
{
    struct word w = { 0, 0 };
    while (*at < end) {
        uint32_t cp;
        int len = (int)hl_utf8_next(text + *at, (size_t)(end - *at), &cp);
        bool space = hl_utf8_is_space(cp);
        if (space && w.n > 0)
            break;
        if (!space && w.n == 0)
            w.at = *at;
        *at += len;
        if (!space)
            w.n = *at - w.at;
    }
    return w;
}

/* Counts the words of text[at..end) as left out. */
static void
drop_words(struct hl_ntm_plan *p, int at, int end)
{
    for (struct word w = next_word(p->text, &at, end); w.n > 0; w = next_word(p->text, &at, end)) {
        if (p->dropped_at < 0)
            p->dropped_at = w.at;
        p->n_dropped += w.n;
    }
}

/* What a machine is given of a word: its bytes, cut or filled up, in form[length]. */
static void
shape_word(const char *text, struct word *w, int length, char *form)
{
    w->n = fitting(text + w->at, w->n, length);
    memset(form, PADDING, (size_t)length);
    memcpy(form, text + w->at, (size_t)w->n);
}

/* Items and query of a text of recall. */
struct recall {
    struct word items[HL_NTM_MAX_ITEMS], query;
    char forms[HL_NTM_MAX_ITEMS][HL_NTM_MAX_ITEM], asked[HL_NTM_MAX_ITEM];
    bool typed; /* the query */
    int found;  /* the item asked for, -1 none */
};

static void
count_shape(struct hl_ntm_plan *p, const struct word *w, int length)
{
    p->n_cut += w->n > length;
    p->n_padded += w->n < length;
}

static void
read_items(struct hl_ntm_plan *p, int length, int end, struct recall *r)
{
    int at = 0;
    while (p->n_items < HL_NTM_MAX_ITEMS) {
        struct word w = next_word(p->text, &at, end);
        if (w.n == 0)
            return;
        count_shape(p, &w, length);
        shape_word(p->text, &w, length, r->forms[p->n_items]);
        r->items[p->n_items++] = w;
    }
    drop_words(p, at, end);
}

/* The item that the query names; one that another follows rather than the last. */
static void
find_query(struct hl_ntm_plan *p, int length, struct recall *r)
{
    r->found = -1;
    for (int i = p->n_items - 1; i >= 0; i--) {
        if (memcmp(r->forms[i], r->asked, (size_t)length) == 0 &&
            (r->found < 0 || i < p->n_items - 1))
            r->found = i;
    }
    if (r->found < 0)
        snprintf(p->query, sizeof p->query, "unknown");
    else if (r->found == p->n_items - 1)
        snprintf(p->query, sizeof p->query, "last");
    else if (!r->typed)
        snprintf(p->query, sizeof p->query, "first");
    else
        snprintf(p->query, sizeof p->query, "%d", r->found + 1);
}

static void
read_recall(struct hl_ntm_plan *p, int length, struct recall *r)
{
    int n = (int)strlen(p->text), end = (int)strcspn(p->text, "?"), at = end + (end < n);

    read_items(p, length, end, r);
    r->query = next_word(p->text, &at, n);
    r->typed = r->query.n > 0;
    drop_words(p, at, n);
    if (r->typed)
        count_shape(p, &r->query, length);
    shape_word(p->text, &r->query, length, r->asked);
    if (!r->typed && p->n_items > 0)
        memcpy(r->asked, r->forms[0], (size_t)length);
    find_query(p, length, r);
}

/* The bytes of a word, then what fills it up. */
static void
put_word(struct hl_ntm_plan *p, struct hl_ntm_step *steps, const struct word *w, const char *form,
         int length, int number)
{
    put_bytes(p, steps, w->at, w->n, number);
    for (int i = w->n; i < length; i++)
        put(p, steps, (uint8_t)form[i])->word = number;
}

static enum hl_status
plan_recall(int length, struct hl_arena *a, struct hl_ntm_plan *p, struct hl_error *err)
{
    struct recall r = { 0 };
    read_recall(p, length, &r);
    int n = (p->n_items + 1) * (length + 1) + 1 + length;
    struct hl_ntm_step *steps = hl_arena_new(a, n, struct hl_ntm_step);
    p->answer = hl_arena_new(a, length, uint8_t);
    if (!steps || !p->answer)
        return no_memory(err);

    for (int i = 0; i < p->n_items; i++) {
        put(p, steps, HL_NTM_MARK);
        put_word(p, steps, &r.items[i], r.forms[i], length, i);
    }
    put(p, steps, HL_NTM_QUERY);
    put_word(p, steps, &r.query, r.asked, length, p->n_items);
    put(p, steps, HL_NTM_QUERY);
    for (int i = 0; i < length; i++)
        put(p, steps, HL_NTM_ANSWER);
    p->has_answer = r.found >= 0 && r.found < p->n_items - 1;
    if (p->has_answer)
        memcpy(p->answer, r.forms[r.found + 1], (size_t)length);
    p->n_answer = length;
    p->steps = steps;
    return HL_OK;
}

enum hl_status
hl_ntm_plan_text(const struct hl_ntm_info *info, const char *text, struct hl_arena *a,
                 struct hl_ntm_plan *out, struct hl_error *err)
{
    *out = (struct hl_ntm_plan) { .text = text, .dropped_at = -1 };
    if (info->task == HL_NTM_COPY)
        return plan_copy(text, a, out, err);
    return plan_recall(info->item_length, a, out, err);
}

void
hl_ntm_plan_input(const struct hl_ntm_info *info, const struct hl_ntm_plan *p, int t, float *out)
{
    int32_t id = p->steps[t].id;

    for (int c = 0; c < info->n_inputs; c++)
        out[c] = 0.0f;
    for (int c = 0; id < HL_NTM_MARK && c < HL_NTM_N_BITS; c++)
        out[c] = (float)(id >> (HL_NTM_N_BITS - 1 - c) & 1);
    if (id == HL_NTM_MARK)
        out[HL_NTM_MARK_CHANNEL] = 1.0f;
    if (id == HL_NTM_QUERY)
        out[HL_NTM_QUERY_CHANNEL] = 1.0f;
}

/* ---- recording ---- */

/* What a step is for: text and label. */
static bool
name_token(struct hl_arena *a, enum hl_ntm_task task, struct hl_token *t)
{
    static const char *const marks[HL_NTM_TASK_COUNT] = { "copy", "item" };

    t->special = t->id >= HL_NTM_MARK;
    if (t->id == HL_NTM_ANSWER)
        t->label = "";
    else if (t->id == HL_NTM_QUERY)
        t->label = "query";
    else if (t->id == HL_NTM_MARK)
        t->label = marks[task];
    else if (t->id == ' ')
        t->label = "␣";
    else if (t->id > ' ' && t->id < 127)
        t->label = hl_arena_printf(a, "%c", (char)t->id);
    else
        t->label = hl_arena_printf(a, "<0x%02X>", (unsigned)t->id);
    if (t->id == ' ')
        t->text = " ";
    else
        t->text = t->special && t->label[0] ? hl_arena_printf(a, "<%s>", t->label) : t->label;
    return t->text && t->label;
}

/* An axis of the steps: of all, or with `typed` of those whose byte was typed. */
static bool
add_steps(struct hl_record *r, const struct hl_ntm_info *info, const struct hl_ntm_plan *p,
          const char *name, int n, bool typed, const char *text)
{
    struct hl_axis *axis = hl_record_axis(r, name, HL_AXIS_TOKENS, n, NULL);
    struct hl_token *t = hl_arena_new(&r->arena, n, struct hl_token);

    if (!axis || !t)
        return false;
    axis->text = text;
    axis->tokens = t;
    for (int i = 0; i < p->n_steps; i++) {
        const struct hl_ntm_step *s = &p->steps[i];
        if (typed && s->start < 0)
            continue;
        *t = (struct hl_token) { .id = s->id, .start = s->start, .end = s->end, .word = s->word };
        if (!name_token(&r->arena, info->task, t++))
            return false;
    }
    return true;
}

/* A text of the bytes; what is no character becomes U+FFFD. Tokens get their places. */
static char *
spell(struct hl_arena *a, const uint8_t *bytes, int n, struct hl_token *t)
{
    struct hl_sb sb = { 0 };
    for (int i = 0; i < n;) {
        uint32_t cp;
        char buf[4];
        size_t len = hl_utf8_next((const char *)bytes + i, (size_t)(n - i), &cp);
        size_t start = sb.n;
        hl_sb_put(&sb, buf, hl_utf8_put(buf, cp ? cp : 0xfffd));
        for (size_t k = 0; k < len; k++, i++) {
            t[i].start = (int32_t)start;
            t[i].end = (int32_t)sb.n;
        }
    }
    char *text = sb.failed ? NULL : hl_arena_strndup(a, sb.n ? sb.p : "", sb.n);
    hl_sb_deinit(&sb);
    return text;
}

static bool
add_target(struct hl_record *r, const struct hl_ntm_info *info, const uint8_t *bytes, int n)
{
    struct hl_axis *axis = hl_record_axis(r, "target", HL_AXIS_TOKENS, n, NULL);
    struct hl_token *t = hl_arena_new(&r->arena, n, struct hl_token);

    if (!axis || !t)
        return false;
    for (int i = 0; i < n; i++) {
        t[i] = (struct hl_token) { .id = bytes[i], .word = 0 };
        if (!name_token(&r->arena, info->task, &t[i]))
            return false;
    }
    axis->tokens = t;
    axis->text = spell(&r->arena, bytes, n, t);
    r->output_text = axis->text;
    return axis->text != NULL;
}

enum hl_status
hl_ntm_plan_record(const struct hl_ntm_info *info, const struct hl_ntm_plan *p,
                   const uint8_t *read_back, struct hl_record *r, struct hl_error *err)
{
    const char *text = hl_arena_strdup(&r->arena, p->text);
    bool ok = text && add_steps(r, info, p, "source", p->n_source, true, text) &&
              hl_record_axis(r, "time", HL_AXIS_STEPS, p->n_steps, NULL) &&
              hl_record_axis(r, "address", HL_AXIS_SLOTS, info->n_slots, NULL) &&
              add_steps(r, info, p, "steps", p->n_steps, false, text) &&
              add_target(r, info, read_back, p->n_answer);
    if (!ok)
        return no_memory(err);
    r->n_dropped_tokens = p->n_dropped;
    r->dropped_at = p->dropped_at;
    return HL_OK;
}

/* Parameters in the user's hand: kept per step and head, written and read as text. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

enum { FIELDS = 7 };

/* In the order in which they are written; `other` is for keyboards without Greek. */
static const struct field {
    enum hl_ntm_field field;
    const char *name, *other;
    bool write; /* of write heads only */
    float low, high;
    size_t at; /* in struct hl_ntm_head */
    int most;  /* numbers there */
} fields[FIELDS] = {
#define AT(member) offsetof(struct hl_ntm_head, member)
    { HL_NTM_STRENGTH, "β", "beta", false, 0, 100, AT(strength), 1 },
    { HL_NTM_GATE, "g", "gate", false, 0, 1, AT(gate), 1 },
    { HL_NTM_SHIFT, "s", "shift", false, 0, 1, AT(shift), HL_NTM_MAX_SHIFTS },
    { HL_NTM_GAMMA, "γ", "gamma", false, 1, 50, AT(gamma), 1 },
    { HL_NTM_KEY, "key", "k", false, -1, 1, AT(key), HL_NTM_MAX_WIDTH },
    { HL_NTM_ERASE, "erase", "e", true, 0, 1, AT(erase), HL_NTM_MAX_WIDTH },
    { HL_NTM_ADD, "add", "a", true, -1, 1, AT(add), HL_NTM_MAX_WIDTH },
#undef AT
};

static const struct field *
field_of(enum hl_ntm_field field)
{
    int i = 0;
    while (i < FIELDS - 1 && fields[i].field != field)
        i++;
    return &fields[i];
}

static float *
numbers(struct hl_ntm_head *v, const struct field *f)
{
    return (float *)(void *)((char *)v + f->at);
}

/* ---- taking and giving back ---- */

static int
find(const struct hl_ntm_options *o, struct memory_at at)
{
    for (int i = 0; i < o->n_hands; i++) {
        const struct hl_ntm_hand *h = &o->hands[i];
        if (h->step == at.step && h->write == at.write && h->head == at.head)
            return i;
    }
    return -1;
}

const struct hl_ntm_hand *
memory_hand_find(const struct memory_state *m, struct memory_at at)
{
    int i = find(&m->options, at);
    return i >= 0 ? &m->options.hands[i] : NULL;
}

struct hl_ntm_hand *
memory_hand_take(struct memory_state *m, struct memory_at at)
{
    struct hl_ntm_options *o = &m->options;
    int i = find(o, at);
    if (i >= 0)
        return &o->hands[i];
    if (o->n_hands == HL_NTM_MAX_HANDS)
        return NULL;
    o->hands[o->n_hands] =
        (struct hl_ntm_hand) { .step = at.step, .write = at.write, .head = at.head };
    return &o->hands[o->n_hands++];
}

bool
memory_hand_give_back(struct memory_state *m, struct memory_at at)
{
    struct hl_ntm_options *o = &m->options;
    int i = find(o, at);
    if (i < 0)
        return false;
    memmove(&o->hands[i], &o->hands[i + 1], (size_t)(o->n_hands - i - 1) * sizeof o->hands[0]);
    o->n_hands--;
    return true;
}

static float
clamp(float v, float low, float high)
{
    return v < low ? low : v > high ? high : v;
}

/* One shift gets v, the others share the rest as they did (evenly if they had none). */
static void
set_shift(float *s, int n, int index, float v)
{
    float rest = 0;
    v = clamp(v, 0, 1);
    for (int i = 0; i < n; i++)
        rest += i != index ? s[i] : 0;
    for (int i = 0; i < n; i++) {
        if (i != index)
            s[i] = rest > 1e-6f ? s[i] / rest * (1 - v) : (1 - v) / (float)(n - 1);
    }
    s[index] = n > 1 ? v : 1;
}

float
memory_hand_number(const struct hl_ntm_head *v, enum hl_ntm_field field, int index)
{
    struct hl_ntm_head copy = *v;
    return numbers(&copy, field_of(field))[index];
}

bool
memory_hand_set(struct memory_state *m, struct memory_at at, const struct memory_run *r,
                enum hl_ntm_field field, int index, float value)
{
    struct hl_ntm_head now;
    struct hl_ntm_hand *h = memory_hand_take(m, at);
    const struct field *f = field_of(field);
    if (h == NULL)
        return false;
    float *v = numbers(&h->value, f);
    memory_head(r, at, &now);
    if (!(h->fields & (unsigned)field)) /* taken up as the machine has it */
        memcpy(v, numbers(&now, f), (size_t)f->most * sizeof *v);
    h->fields |= (unsigned)field;
    if (field == HL_NTM_SHIFT)
        set_shift(v, r->n_shifts, index, value);
    else
        v[index] = clamp(value, f->low, f->high);
    return true;
}

float
memory_slide_at(enum hl_ntm_field field, float t)
{
    return field == HL_NTM_STRENGTH ? 100 * t * t : field == HL_NTM_GAMMA ? 1 + 49 * t * t : t;
}

float
memory_slide_place(enum hl_ntm_field field, float v)
{
    float t = field == HL_NTM_STRENGTH ? sqrtf(fmaxf(v, 0) / 100)
              : field == HL_NTM_GAMMA  ? sqrtf(fmaxf(v - 1, 0) / 49)
                                       : v;
    return clamp(t, 0, 1);
}

/* ---- as text ---- */

void
memory_hand_names(unsigned taken, char *buf, size_t buf_sz)
{
    size_t n = 0;
    buf[0] = 0;
    for (int i = 0; i < FIELDS && n < buf_sz; i++) {
        if (taken & (unsigned)fields[i].field)
            n += (size_t)snprintf(buf + n, buf_sz - n, "%s%s", n > 0 ? " " : "", fields[i].name);
    }
}

static int
last_used(const float *v, int most)
{
    int n = most;
    while (n > 1 && v[n - 1] == 0)
        n--;
    return n;
}

bool
memory_hand_write(const struct memory_state *m, struct hl_sb *out)
{
    for (int i = 0; i < m->options.n_hands; i++) {
        struct hl_ntm_hand h = m->options.hands[i];
        hl_sb_printf(out, "%s%d@%s", i > 0 ? ";" : "", h.step + 1, h.write ? "write" : "read");
        if (h.head > 0)
            hl_sb_printf(out, ":%d", h.head + 1);
        for (int f = 0; f < FIELDS; f++) {
            if (!(h.fields & (unsigned)fields[f].field))
                continue;
            float *v = numbers(&h.value, &fields[f]);
            int n = last_used(v, fields[f].most);
            hl_sb_printf(out, ",%s:", fields[f].name);
            for (int k = 0; k < n; k++) {
                hl_sb_puts(out, k > 0 ? "/" : "");
                hl_sb_num(out, (double)v[k], 6);
            }
        }
    }
    return !out->failed;
}

static bool
bad(struct hl_error *err, const char *why, const char *what)
{
    hl_error_set(err, HL_E_ARGUMENT, "hand", "'%.60s': %s", what, why);
    return false;
}

/* "0.1/0.8/0.1" into v; the number of numbers, 0 and a sentence when they are wrong. */
static int
parse_numbers(const char *list, const struct field *f, float *v, struct hl_error *err)
{
    int n = 0;
    for (const char *p = list; n < f->most; p++) {
        char one[64] = "";
        double d;
        size_t len = strcspn(p, "/");
        memcpy(one, p, len < sizeof one ? len : sizeof one - 1);
        if (len >= sizeof one || !hl_parse_double(one, &d) ||
            !(d >= (double)f->low && d <= (double)f->high)) {
            bad(err, "β is 0 to 100, γ 1 to 50, key and add -1 to 1, the others 0 to 1", one);
            return 0;
        }
        v[n++] = (float)d;
        p += len;
        if (*p == 0)
            return n;
    }
    bad(err, "more numbers than the field has", list);
    return 0;
}

/* "FIELD:NUMBERS" into h. */
static bool
parse_field(struct hl_ntm_hand *h, const char *text, struct hl_error *err)
{
    const char *colon = strchr(text, ':');
    size_t len = colon != NULL ? (size_t)(colon - text) : 0;
    for (int i = 0; i < FIELDS && len > 0; i++) {
        const struct field *f = &fields[i];
        float sum = 0;
        bool same = (strlen(f->name) == len && memcmp(text, f->name, len) == 0) ||
                    (strlen(f->other) == len && memcmp(text, f->other, len) == 0);
        if (!same)
            continue;
        if (f->write && !h->write)
            return bad(err, "a read head neither erases nor adds", text);
        float *v = numbers(&h->value, f);
        int n = parse_numbers(colon + 1, f, v, err);
        for (int k = 0; k < n; k++)
            sum += v[k];
        if (n > 0 && f->field == HL_NTM_SHIFT && fabsf(sum - 1) > 1e-3f)
            return bad(err, "the shifts must sum to 1", text);
        for (int k = 0; k < n && f->field == HL_NTM_SHIFT; k++)
            v[k] /= sum;
        h->fields |= (unsigned)f->field;
        return n > 0;
    }
    return bad(err, "β:NUMBER, g, γ, s:A/B/C, key, erase or add is meant", text);
}

/* "5@write:2" into at. */
static bool
parse_place(struct memory_at *at, const char *text, struct hl_error *err)
{
    char step[16] = "";
    long n, head = 1;
    const char *sign = strchr(text, '@'), *colon = strchr(text, ':');
    if (sign - text < (long)sizeof step)
        memcpy(step, text, (size_t)(sign - text));
    size_t len = colon != NULL ? (size_t)(colon - sign - 1) : strlen(sign + 1);
    at->write = len == 5 && memcmp(sign + 1, "write", 5) == 0;
    if (!hl_parse_long(step, &n) || n < 1 || n > 1 << 20 ||
        (!at->write && !(len == 4 && memcmp(sign + 1, "read", 4) == 0)) ||
        (colon != NULL && (!hl_parse_long(colon + 1, &head) || head < 1 || head > 64)))
        return bad(err, "STEP@read or STEP@write is meant, both from 1", text);
    at->step = (int)n - 1;
    at->head = (int)head - 1;
    return true;
}

/* One step and head: fields between commas, the place before them or the shown one. */
static bool
parse_one(struct memory_state *m, struct memory_at at, char *text, struct hl_error *err)
{
    struct hl_ntm_hand h = { 0 };
    bool placed = false;
    for (char *p = text, *next; p != NULL; p = next) {
        next = strchr(p, ',');
        if (next != NULL)
            *next++ = 0;
        if (p == text && strchr(p, '@') != NULL) {
            if (!parse_place(&at, p, err))
                return false;
            placed = true;
            continue;
        }
        h.write = at.write;
        if (!parse_field(&h, p, err))
            return false;
    }
    if (h.fields == 0)
        return bad(err, "no parameter is named", placed ? text : "");
    struct hl_ntm_hand *to = memory_hand_take(m, at);
    if (to == NULL)
        return bad(err, "no more than 8 steps can be in hand", text);
    h.step = at.step;
    h.head = at.head;
    *to = h;
    return true;
}

bool
memory_hand_parse(struct memory_state *m, const struct app_state *s, const char *value,
                  struct hl_error *err)
{
    struct memory_run run;
    struct memory_at at = { .write = m->head_chosen && m->write_head,
                            .head = m->head,
                            .step = m->step > 0 ? m->step : 0 };
    const struct hl_ntm_options was = m->options;
    struct hl_sb copy = { 0 };
    bool ok = true;
    if (memory_run_now(s, &run))
        at = memory_now(s, &run);
    m->options.n_hands = 0;
    if (value[0] == 0 || strcmp(value, "none") == 0)
        return true;
    hl_sb_puts(&copy, value);
    if (copy.failed) {
        hl_sb_deinit(&copy);
        m->options = was;
        hl_error_set(err, HL_E_NOMEM, "hand", "it could not be stored");
        return false;
    }
    for (char *p = copy.p, *next; ok && p != NULL; p = next) {
        next = strchr(p, ';');
        if (next != NULL)
            *next++ = 0;
        ok = parse_one(m, at, p, err);
    }
    hl_sb_deinit(&copy);
    if (!ok)
        m->options = was;
    return ok;
}

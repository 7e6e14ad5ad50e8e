/* Parameters in the user's hand: kept per step and head, written and read as text. */
#include "screen/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

enum { FIELDS = 7 };

/* In the order in which they are written; `other` is for keyboards without Greek. */
static const struct field_name {
    enum hl_ntm_field field;
    const char *name, *other;
    bool write; /* of write heads only */
} field_names[FIELDS] = {
    { HL_NTM_STRENGTH, "β", "beta", false }, { HL_NTM_GATE, "g", "gate", false },
    { HL_NTM_SHIFT, "s", "shift", false },   { HL_NTM_GAMMA, "γ", "gamma", false },
    { HL_NTM_KEY, "key", "k", false },       { HL_NTM_ERASE, "erase", "e", true },
    { HL_NTM_ADD, "add", "a", true },
};

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

/* A field that is taken up begins as the machine has it. */
static void
begin(struct hl_ntm_hand *h, const struct hl_ntm_head *now, enum hl_ntm_field field)
{
    if (h->fields & (unsigned)field)
        return;
    h->fields |= (unsigned)field;
    switch (field) {
    case HL_NTM_STRENGTH:
        h->value.strength = now->strength;
        break;
    case HL_NTM_GATE:
        h->value.gate = now->gate;
        break;
    case HL_NTM_GAMMA:
        h->value.gamma = now->gamma;
        break;
    case HL_NTM_SHIFT:
        memcpy(h->value.shift, now->shift, sizeof h->value.shift);
        break;
    case HL_NTM_KEY:
        memcpy(h->value.key, now->key, sizeof h->value.key);
        break;
    case HL_NTM_ERASE:
        memcpy(h->value.erase, now->erase, sizeof h->value.erase);
        break;
    case HL_NTM_ADD:
        memcpy(h->value.add, now->add, sizeof h->value.add);
        break;
    }
}

bool
memory_hand_set(struct memory_state *m, struct memory_at at, const struct memory_run *r,
                enum hl_ntm_field field, int index, float value)
{
    struct hl_ntm_head now;
    struct hl_ntm_hand *h = memory_hand_take(m, at);
    if (h == NULL)
        return false;
    memory_head(r, at, &now);
    begin(h, &now, field);
    switch (field) {
    case HL_NTM_STRENGTH:
        h->value.strength = clamp(value, 0, 100);
        break;
    case HL_NTM_GATE:
        h->value.gate = clamp(value, 0, 1);
        break;
    case HL_NTM_GAMMA:
        h->value.gamma = clamp(value, 1, 50);
        break;
    case HL_NTM_SHIFT:
        set_shift(h->value.shift, r->n_shifts, index, value);
        break;
    case HL_NTM_KEY:
        h->value.key[index] = clamp(value, -1, 1);
        break;
    case HL_NTM_ERASE:
        h->value.erase[index] = clamp(value, 0, 1);
        break;
    case HL_NTM_ADD:
        h->value.add[index] = clamp(value, -1, 1);
        break;
    }
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
memory_hand_names(unsigned fields, char *buf, size_t buf_sz)
{
    size_t n = 0;
    buf[0] = 0;
    for (int i = 0; i < FIELDS && n < buf_sz; i++) {
        if (fields & (unsigned)field_names[i].field)
            n += (size_t)snprintf(buf + n, buf_sz - n, "%s%s", n > 0 ? " " : "",
                                  field_names[i].name);
    }
}

/* The numbers of a field; *n how many. */
static float *
numbers(struct hl_ntm_head *v, enum hl_ntm_field field, int width, int n_shifts, int *n)
{
    *n = 1;
    switch (field) {
    case HL_NTM_STRENGTH:
        return &v->strength;
    case HL_NTM_GATE:
        return &v->gate;
    case HL_NTM_GAMMA:
        return &v->gamma;
    case HL_NTM_SHIFT:
        *n = n_shifts;
        return v->shift;
    case HL_NTM_KEY:
        *n = width;
        return v->key;
    case HL_NTM_ERASE:
        *n = width;
        return v->erase;
    case HL_NTM_ADD:
        *n = width;
        return v->add;
    }
    return &v->gate;
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
            int n;
            if (!(h.fields & (unsigned)field_names[f].field))
                continue;
            float *v =
                numbers(&h.value, field_names[f].field, HL_NTM_MAX_WIDTH, HL_NTM_MAX_SHIFTS, &n);
            n = last_used(v, n);
            hl_sb_printf(out, ",%s:", field_names[f].name);
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

/* What a number of a field may be. */
static bool
allowed(enum hl_ntm_field field, double v)
{
    switch (field) {
    case HL_NTM_STRENGTH:
        return v >= 0 && v <= 100;
    case HL_NTM_GAMMA:
        return v >= 1 && v <= 50;
    case HL_NTM_GATE:
    case HL_NTM_SHIFT:
    case HL_NTM_ERASE:
        return v >= 0 && v <= 1;
    case HL_NTM_KEY:
    case HL_NTM_ADD:
        return v >= -1 && v <= 1;
    }
    return false;
}

/* "0.1/0.8/0.1" into v; the number of numbers, 0 and a sentence when they are wrong. */
static int
parse_numbers(const char *list, enum hl_ntm_field field, float *v, int most, struct hl_error *err)
{
    int n = 0;
    for (const char *p = list; n < most; p++) {
        char one[64] = "";
        double d;
        size_t len = strcspn(p, "/");
        memcpy(one, p, len < sizeof one ? len : sizeof one - 1);
        if (len >= sizeof one || !hl_parse_double(one, &d) || !allowed(field, d)) {
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
        const struct field_name *f = &field_names[i];
        int most, n;
        float sum = 0;
        bool same = (strlen(f->name) == len && memcmp(text, f->name, len) == 0) ||
                    (strlen(f->other) == len && memcmp(text, f->other, len) == 0);
        if (!same)
            continue;
        if (f->write && !h->write)
            return bad(err, "a read head neither erases nor adds", text);
        float *v = numbers(&h->value, f->field, HL_NTM_MAX_WIDTH, HL_NTM_MAX_SHIFTS, &most);
        n = parse_numbers(colon + 1, f->field, v, most, err);
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

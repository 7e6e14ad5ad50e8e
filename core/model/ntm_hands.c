/* What is in a person's hand at a Turing machine, as overrides of a request and back. */
#include "model/ntm_hands.h"

#include <math.h>
#include <string.h>

/* Beyond these a parameter in hand has no effect left to show. */
static const float MAX_FACTOR = 1e4f, MAX_CONTENT = 1e3f;

static bool
in_range(const float *v, int n, float min, float max)
{
    for (int i = 0; i < n; i++) {
        if (!(v[i] >= min && v[i] <= max))
            return false;
    }
    return true;
}

static bool
sums_to_one(const float *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)v[i];
    return fabs(sum - 1) <= 1e-5;
}

/* What is wrong with the values in hand; NULL when nothing is. */
static const char *
wrong_value(const struct hl_ntm_info *i, unsigned fields, const struct hl_ntm_head *v)
{
    if (fields & HL_NTM_STRENGTH && !in_range(&v->strength, 1, 0, MAX_FACTOR))
        return "the key strength is not in 0..10000";
    if (fields & HL_NTM_GATE && !in_range(&v->gate, 1, 0, 1))
        return "the gate is not in 0..1";
    if (fields & HL_NTM_GAMMA && !in_range(&v->gamma, 1, 1, MAX_FACTOR))
        return "the sharpening is not in 1..10000";
    if (fields & HL_NTM_SHIFT &&
        !(in_range(v->shift, i->n_shifts, 0, 1) && sums_to_one(v->shift, i->n_shifts)))
        return "the shift is no distribution";
    if (fields & HL_NTM_KEY && !in_range(v->key, i->slot_width, -MAX_CONTENT, MAX_CONTENT))
        return "the key is not in -1000..1000";
    if (fields & HL_NTM_ERASE && !in_range(v->erase, i->slot_width, 0, 1))
        return "the erase vector is not in 0..1";
    if (fields & HL_NTM_ADD && !in_range(v->add, i->slot_width, -MAX_CONTENT, MAX_CONTENT))
        return "the add vector is not in -1000..1000";
    return NULL;
}

static enum hl_status
check_hands(const struct hl_ntm_info *info, const struct hl_ntm_options *o, struct hl_error *err)
{
    if (o->n_hands < 0 || o->n_hands > HL_NTM_MAX_HANDS)
        return hl_error_set(err, HL_E_ARGUMENT, "hands", "%d of them; there is room for %d",
                            o->n_hands, HL_NTM_MAX_HANDS);
    for (int i = 0; i < o->n_hands; i++) {
        const struct hl_ntm_hand *h = &o->hands[i];
        const char *wrong = wrong_value(info, h->fields, &h->value);
        if (h->head < 0 || h->head >= (h->write ? info->n_write : info->n_read))
            wrong = "there is no such head";
        else if (!h->write && h->fields & (HL_NTM_ERASE | HL_NTM_ADD))
            wrong = "a read head neither erases nor adds";
        if (wrong)
            return hl_error_set(err, HL_E_ARGUMENT, "hands", "%s head %d: %s",
                                h->write ? "write" : "read", h->head + 1, wrong);
    }
    return HL_OK;
}

/* The fields of a hand by the names of their series. */
static const struct {
    const char *name;
    enum hl_ntm_field field;
} fields[] = {
    { "strength", HL_NTM_STRENGTH }, { "gate", HL_NTM_GATE }, { "gamma", HL_NTM_GAMMA },
    { "shift", HL_NTM_SHIFT },       { "key", HL_NTM_KEY },   { "erase", HL_NTM_ERASE },
    { "add", HL_NTM_ADD },
};

enum { N_FIELDS = sizeof fields / sizeof fields[0] };

/* Where a field's numbers lie, *n of them. */
static float *
field_at(const struct hl_ntm_info *i, struct hl_ntm_head *v, enum hl_ntm_field field, int *n)
{
    *n = field == HL_NTM_SHIFT                                                 ? i->n_shifts
         : field == HL_NTM_KEY || field == HL_NTM_ERASE || field == HL_NTM_ADD ? i->slot_width
                                                                               : 1;
    switch (field) {
    case HL_NTM_STRENGTH:
        return &v->strength;
    case HL_NTM_GATE:
        return &v->gate;
    case HL_NTM_GAMMA:
        return &v->gamma;
    case HL_NTM_SHIFT:
        return v->shift;
    case HL_NTM_KEY:
        return v->key;
    case HL_NTM_ERASE:
        return v->erase;
    case HL_NTM_ADD:
        break;
    }
    return v->add;
}

void
hl_ntm_request(const struct hl_ntm_info *info, const struct hl_ntm_options *o,
               struct hl_ntm_overrides *room, struct hl_request *q)
{
    static const char *const names[2][N_FIELDS] = {
        { "read.strength", "read.gate", "read.gamma", "read.shift", "read.key", "read.erase",
          "read.add" },
        { "write.strength", "write.gate", "write.gamma", "write.shift", "write.key", "write.erase",
          "write.add" },
    };
    q->overrides = room->v;
    q->n_overrides = 0;
    for (int i = 0; i < o->n_hands; i++) {
        const struct hl_ntm_hand *h = &o->hands[i];
        for (int f = 0; f < N_FIELDS; f++) {
            if (!(h->fields & fields[f].field))
                continue;
            struct hl_override *to = &room->v[q->n_overrides++];
            /* the numbers are only read */
            struct hl_ntm_head *v = (struct hl_ntm_head *)(uintptr_t)&h->value;
            *to = (struct hl_override) { names[h->write][f], h->step, h->head, 0, NULL };
            to->values = field_at(info, v, fields[f].field, &to->n);
        }
    }
}

/* The hand of this step and head, a new one if need be; NULL when there is no room. */
static struct hl_ntm_hand *
hand_of(struct hl_ntm_options *o, const struct hl_override *from, bool write)
{
    for (int i = 0; i < o->n_hands; i++) {
        struct hl_ntm_hand *h = &o->hands[i];
        if (h->step == from->at && h->head == from->head && h->write == write)
            return h;
    }
    if (o->n_hands == HL_NTM_MAX_HANDS)
        return NULL;
    o->hands[o->n_hands] =
        (struct hl_ntm_hand) { .step = from->at, .head = from->head, .write = write };
    return &o->hands[o->n_hands++];
}

enum hl_status
hl_ntm_read_hands(const struct hl_ntm_info *info, const struct hl_request *q,
                  struct hl_ntm_options *o, struct hl_error *err)
{
    for (int i = 0; i < q->n_overrides; i++) {
        const struct hl_override *from = &q->overrides[i];
        const char *dot = strchr(from->what, '.');
        bool write = strncmp(from->what, "write.", 6) == 0;
        int f = 0, n = 0;
        while (f < N_FIELDS && !(dot && strcmp(dot + 1, fields[f].name) == 0))
            f++;
        if (f == N_FIELDS || (!write && strncmp(from->what, "read.", 5) != 0))
            return hl_error_set(err, HL_E_ARGUMENT, from->what, "this machine has no such number");
        struct hl_ntm_hand *h = hand_of(o, from, write);
        if (!h)
            return hl_error_set(err, HL_E_ARGUMENT, "hands", "there is room for %d",
                                HL_NTM_MAX_HANDS);
        float *to = field_at(info, &h->value, fields[f].field, &n);
        if (from->n != n)
            return hl_error_set(err, HL_E_ARGUMENT, from->what, "%d numbers, not %d", from->n, n);
        memcpy(to, from->values, (size_t)n * sizeof *to);
        h->fields |= fields[f].field;
    }
    return check_hands(info, o, err);
}

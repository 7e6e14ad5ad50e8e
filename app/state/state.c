#include "state/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "session.h"

const char *const app_shipped[] = { "en-fr-transformer", "en-fr-gru",     "ntm-copy",
                                    "ntm-recall",        "sagan-fashion", NULL };
const char *const app_default_models[HL_CAN_COUNT] = {
    [HL_CAN_ALIGN] = "en-fr-gru",
    [HL_CAN_HEADS] = "en-fr-transformer",
    [HL_CAN_TAPE] = "ntm-copy",
    [HL_CAN_PICTURES] = "sagan-fashion",
    [HL_CAN_TRANSLATE] = "en-fr-transformer",
};

struct ui_field *
state_field(struct app_state *s)
{
    return &s->texts[s->text][s->active[s->text]];
}

const char *
state_text(const struct app_state *s)
{
    return field_text(&s->texts[s->text][s->active[s->text]]);
}

bool
state_blank(const struct app_state *s)
{
    const char *text = state_text(s);
    size_t n = strlen(text), at = 0;
    uint32_t cp = ' ';
    while (s->text == APP_TEXT_SENTENCE && at < n && hl_utf8_is_space(cp))
        at += hl_utf8_next(text + at, n - at, &cp);
    return at == n && (n == 0 || hl_utf8_is_space(cp));
}

const struct app_model *
state_model(const struct app_state *s, const char *name)
{
    for (int i = 0; i < s->n_models; i++) {
        if (strcmp(s->models[i].name, name) == 0)
            return &s->models[i];
    }
    return NULL;
}

const char *
state_model_label(const struct app_state *s, const char *name)
{
    const struct app_model *m = state_model(s, name);
    const char *slash = strrchr(name, '/');
    if (m != NULL && m->status == APP_MODEL_READY)
        return m->info.name;
    return slash != NULL && slash[1] != 0 ? slash + 1 : name;
}

void
state_model_choose(struct app_state *s, const struct app_model *m)
{
    for (int k = 0; k < HL_CAN_COUNT; k++) {
        if (hl_model_can(&m->info, 1u << k))
            snprintf(s->chosen[k], APP_NAME_SZ, "%s", m->name);
    }
}

void *
state_add_part(struct app_state *s, const char *screen, size_t size, int n_slots)
{
    if (s->n_parts == APP_PARTS || s->n_slots + n_slots > APP_SLOTS)
        return NULL;
    struct app_part p = { screen, hl_alloc(1, size > 0 ? size : 1), s->n_slots, n_slots };
    if (p.data == NULL)
        return NULL;
    s->parts[s->n_parts++] = p;
    s->n_slots += n_slots;
    return p.data;
}

void
state_drop_parts(struct app_state *s)
{
    for (int i = 0; i < s->n_slots; i++)
        hl_record_destroy(s->slots[i].record);
    for (int i = 0; i < s->n_parts; i++)
        hl_free(s->parts[i].data);
    s->n_slots = s->n_parts = 0;
}

static const struct app_part *
find_part(const struct app_state *s, const char *screen)
{
    int i = 0;
    while (i < s->n_parts - 1 && strcmp(s->parts[i].screen, screen) != 0)
        i++;
    return &s->parts[i];
}

void *
state_part(const struct app_state *s, const char *screen)
{
    return find_part(s, screen)->data;
}

int
state_slot(const struct app_state *s, const char *screen, int k)
{
    return find_part(s, screen)->first_slot + k;
}

struct hl_effect *
state_run(struct app_state *s, struct hl_effects *fx, int slot, const char *model)
{
    const struct app_model *m = state_model(s, model);
    if (m == NULL || m->status != APP_MODEL_READY)
        return NULL;
    struct hl_effect *e = fx_push(fx, FX_RUN);
    e->slot = slot;
    e->ticket = s->slots[slot].wanted = ++s->ticket;
    e->model = m->name;
    return e;
}

bool
state_result(struct app_state *s, struct hl_result *r, float ms)
{
    struct app_slot_state *slot = &s->slots[r->slot];
    if (r->ticket <= slot->shown || r->status == HL_E_CANCELLED) {
        hl_record_destroy(r->record);
        r->record = NULL;
        return false;
    }
    slot->shown = r->ticket;
    slot->ms = ms;
    slot->error[0] = 0;
    slot->status = r->status;
    if (r->status != HL_OK) {
        hl_error_text(&r->error, slot->error, sizeof slot->error);
        return true;
    }
    hl_record_destroy(slot->record);
    slot->record = r->record;
    r->record = NULL;
    return true;
}

void
state_notice(struct app_state *s, bool failed, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->status, sizeof s->status, fmt, ap);
    va_end(ap);
    s->status_failed = failed;
}

/* ---- pins ---- */

struct app_pin
state_pin_make(enum app_side side, int at, const char *label)
{
    struct app_pin p = { .side = side, .at = at };
    size_t n = strlen(label);
    while (n >= sizeof p.label)
        n -= hl_utf8_prev(label, n);
    memcpy(p.label, label, n);
    return p;
}

bool
state_pin_same(const struct app_pin *a, const struct app_pin *b)
{
    return a->side == b->side && a->at == b->at && strcmp(a->label, b->label) == 0;
}

void
state_pin_toggle(struct app_state *s, struct app_pin p)
{
    for (int i = 0; i < s->n_pins; i++) {
        if (!state_pin_same(&s->pins[i], &p))
            continue;
        memmove(&s->pins[i], &s->pins[i + 1], (size_t)(s->n_pins - i - 1) * sizeof p);
        s->n_pins--;
        s->has_link = s->has_link && s->n_pins > 0;
        return;
    }
    if (s->n_pins == APP_PINS) {
        memmove(&s->pins[0], &s->pins[1], (APP_PINS - 1) * sizeof p);
        s->n_pins--;
    }
    s->pins[s->n_pins++] = p;
}

static bool
same_fold(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char x = a[i], y = b[i];
        x = x >= 'A' && x <= 'Z' ? (char)(x + 32) : x;
        y = y >= 'A' && y <= 'Z' ? (char)(y + 32) : y;
        if (x != y)
            return false;
    }
    return true;
}

static bool
stands_alone(const char *text, size_t n, size_t from, size_t to)
{
    uint32_t cp;
    if (from > 0) {
        size_t k = hl_utf8_prev(text, from);
        hl_utf8_next(text + from - k, k, &cp);
        if (hl_utf8_is_word(cp))
            return false;
    }
    if (to < n) {
        hl_utf8_next(text + to, n - to, &cp);
        if (hl_utf8_is_word(cp))
            return false;
    }
    return true;
}

bool
state_pin_find(const struct app_pin *p, const char *text, size_t n, int *start, int *end)
{
    size_t len = strlen(p->label);
    long best = -1;
    int best_rank = 0;
    if (p->at < 0 || len == 0 || len > n)
        return false;
    for (size_t i = 0; i + len <= n; i++) {
        if (!same_fold(text + i, p->label, len))
            continue;
        /* A word of its own, or the very place (a piece inside a word). */
        bool alone = stands_alone(text, n, i, i + len);
        int rank = (int)i == p->at ? 3 : alone ? 2 : 1;
        bool nearer = best < 0 || labs((long)i - p->at) < labs(best - p->at);
        if (rank == 1 || (rank < best_rank) || (rank == best_rank && !nearer))
            continue;
        best = (long)i;
        best_rank = rank;
    }
    if (best < 0)
        return false;
    *start = (int)best;
    *end = (int)(best + (long)len);
    return true;
}

/* --set keys of the Memory screen, and what is kept between runs. */
#include "screen/memory_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "screen/attention.h"

static bool
bad(struct hl_error *err, const char *key, const char *why)
{
    hl_error_set(err, HL_E_ARGUMENT, key, "%s", why);
    return false;
}

static bool
set_step(struct memory_state *m, const char *value, struct hl_error *err)
{
    long n;
    if (strcmp(value, "follow") == 0) {
        m->step = -1;
        return true;
    }
    if (!hl_parse_long(value, &n) || n < 1 || n > 1 << 20)
        return bad(err, "step", "a number from 1, or follow, is meant");
    m->step = (int)n - 1;
    return true;
}

/* "auto", "read", "write", "read:2". */
static bool
set_head(struct memory_state *m, const char *value, struct hl_error *err)
{
    long n = 1;
    const char *colon = strchr(value, ':');
    size_t len = colon != NULL ? (size_t)(colon - value) : strlen(value);
    bool write = len == 5 && memcmp(value, "write", 5) == 0;
    if (strcmp(value, "auto") == 0) {
        m->head_chosen = false;
        return true;
    }
    if (!write && !(len == 4 && memcmp(value, "read", 4) == 0))
        return bad(err, "head", "auto, read or write is meant, read:2 for the second");
    if (colon != NULL && (!hl_parse_long(colon + 1, &n) || n < 1 || n > 64))
        return bad(err, "head", "heads are numbered from 1");
    m->head_chosen = true;
    m->write_head = write;
    m->head = (int)n - 1;
    return true;
}

/* "6", "6,9", "none". */
static bool
set_pins(struct app_state *s, const char *value, struct hl_error *err)
{
    struct memory_run r;
    struct memory_state *m = memory_of(s);
    int pins[MEMORY_PINS], n = 0;
    long most = memory_run_now(s, &r) ? r.n_slots : 1024;
    for (const char *p = value; strcmp(value, "none") != 0; p++) {
        char one[16] = "";
        long a;
        size_t len = strcspn(p, ",");
        memcpy(one, p, len < sizeof one ? len : sizeof one - 1);
        if (len >= sizeof one || !hl_parse_long(one, &a) || a < 0 || a >= most)
            return bad(err, "slot", "no such address; write one from 0, several as 6,9, or none");
        if (n == MEMORY_PINS) {
            hl_error_set(err, HL_E_ARGUMENT, "slot", "no more than %d can be pinned", MEMORY_PINS);
            return false;
        }
        pins[n++] = (int)a;
        p += len;
        if (*p == 0)
            break;
    }
    memcpy(m->pin, pins, (size_t)n * sizeof pins[0]);
    m->n_pins = n;
    return true;
}

/* One of two words. */
static bool
set_either(const char *key, const char *value, const char *off, const char *on, bool *out,
           struct hl_error *err)
{
    const char *const names[2] = { off, on };
    int i = attention_choice(key, value, names, 2, err);
    *out = i >= 0 ? i == 1 : *out;
    return i >= 0;
}

bool
memory_set(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    struct memory_state *m = memory_of(s);
    if (strcmp(key, "step") == 0)
        return set_step(m, value, err);
    if (strcmp(key, "head") == 0)
        return set_head(m, value, err);
    if (strcmp(key, "slot") == 0)
        return set_pins(s, value, err);
    if (strcmp(key, "hand") == 0)
        return memory_hand_parse(m, s, value, err);
    if (strcmp(key, "addresses") == 0)
        return set_either(key, value, "used", "all", &m->all, err);
    if (strcmp(key, "memory") == 0)
        return set_either(key, value, "before", "after", &m->after, err);
    if (strcmp(key, "chain") == 0)
        return set_either(key, value, "bars", "sums", &m->sums, err);
    if (strcmp(key, "scale") == 0)
        return set_either(key, value, "linear", "log", &s->show.log_scale, err);
    if (strcmp(key, "lock") == 0)
        return set_either(key, value, "off", "on", &s->show.lock, err);
    if (strcmp(key, "play") == 0) {
        m->next_ms = 0;
        return set_either(key, value, "off", "on", &m->playing, err);
    }
    hl_error_set(err, HL_E_UNSUPPORTED, key, "the Memory screen has no such setting");
    return false;
}

static void
save_pins(const struct memory_state *m, void (*put)(void *user, const char *key, const char *value),
          void *user)
{
    char list[MEMORY_PINS * 8] = "none";
    size_t n = 0;
    for (int i = 0; i < m->n_pins; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%d", i > 0 ? "," : "", m->pin[i]);
    put(user, "slot", list);
}

void
memory_save(const struct app_state *s, void (*put)(void *user, const char *key, const char *value),
            void *user)
{
    const struct memory_state *m = memory_of(s);
    struct hl_sb hand = { 0 };
    char text[24];
    snprintf(text, sizeof text, "%d", m->step + 1);
    put(user, "step", m->step < 0 ? "follow" : text);
    snprintf(text, sizeof text, "%s:%d", m->write_head ? "write" : "read", m->head + 1);
    put(user, "head", m->head_chosen ? text : "auto");
    save_pins(m, put, user);
    put(user, "addresses", m->all ? "all" : "used");
    put(user, "memory", m->after ? "after" : "before");
    put(user, "chain", m->sums ? "sums" : "bars");
    put(user, "scale", s->show.log_scale ? "log" : "linear");
    put(user, "lock", s->show.lock ? "on" : "off");
    if (memory_hand_write(m, &hand))
        put(user, "hand", hand.n > 0 ? hand.p : "none");
    hl_sb_deinit(&hand);
}

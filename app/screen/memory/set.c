/* --set keys of the Memory screen, and what is kept between runs. */
#include "screen/memory/memory_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"

/* ---- controls ---- */

static const char *const scale_names[] = { "linear", "log", NULL };
static const char *const address_names[] = { "used", "all", NULL };
static const char *const memory_names[] = { "before", "after", NULL };
static const char *const chain_names[] = { "bars", "sums", NULL };

CONTROL_VALUE(scale, show.log_scale, bool)
CONTROL_VALUE(lock, show.lock, bool)
CONTROL_PART(addresses, memory_of, all, bool)
CONTROL_PART(memory, memory_of, after, bool)
CONTROL_PART(chain, memory_of, sums, bool)
CONTROL_BY(play, memory_of(s)->playing, memory_of(s)->playing = v != 0; memory_of(s)->next_ms = 0)

/* "all 128" */
static const char *
all_label(const struct app_state *s, char *buf, size_t buf_sz)
{
    struct memory_run r;
    snprintf(buf, buf_sz, "all %d", memory_run_now(s, &r) ? r.n_slots : 0);
    return buf;
}

const struct hl_control memory_rows[MEMORY_ROWS] = {
    [MEMORY_ROW_SCALE] = { CONTROL_CHOICE("scale", "log", scale_names,
                                          "Colours and bars by the logarithm, four decades"),
                           CONTROL_SHOWN(scale, CONTROL_SWITCH, 's'),
                           .does = "linear or log scale" },
    [MEMORY_ROW_LOCK] = { CONTROL_ON_OFF("lock", "0 to 1",
                                         "Colours and bars run over 0 to 1, not up to the largest"),
                          CONTROL_SHOWN(lock, CONTROL_SWITCH, 'l'), .does = "colours over 0 to 1" },
    [MEMORY_ROW_ADDRESSES] = { CONTROL_CHOICE("addresses", "all", address_names,
                                              "Every address, or those in use"),
                               CONTROL_SHOWN(addresses, CONTROL_SWITCH, 'a'),
                               .does = "every address, or those in use", .value = all_label },
    [MEMORY_ROW_MEMORY] = { CONTROL_CHOICE("memory", "memory", memory_names,
                                           "Before the step's writes, as the heads saw it, or "
                                           "after them"),
                            CONTROL_SHOWN(memory, CONTROL_SEGMENTS, 'b'),
                            .does = "memory before the step, or after" },
    [MEMORY_ROW_CHAIN] = { CONTROL_CHOICE("chain", "chain", chain_names,
                                          "All addresses as bars, or the pinned one's sums"),
                           CONTROL_SHOWN(chain, CONTROL_SEGMENTS, 'v'),
                           .does = "bars, or the sums of the pinned address" },
    [MEMORY_ROW_PLAY] = { CONTROL_ON_OFF("play", "play", "Step after step"), .forgets = true,
                          CONTROL_AT(play) },
};

static const struct control_table table = { MEMORY_ROWS, memory_rows };
const struct control_table *const memory_controls[] = { &table, NULL };

/* ---- beyond the controls ---- */

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
    if (memory_hand_write(m, &hand))
        put(user, "hand", hand.n > 0 ? hand.p : "none");
    hl_sb_deinit(&hand);
}

/* Any bytes, repaired, as the text of memory models, with parameters in hand made of the
 * bytes: a sealed record whose parts agree, or a sentence. */
#include "../fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/model.h"
#include "model/ntm_text.h"

static const struct hl_model *
machine(void)
{
    static struct hl_model *m;
    if (!m) {
        char dir[1024];
        const char *root = getenv("HL_SOURCE_ROOT");
        snprintf(dir, sizeof(dir), "%s/tests/data/ntm-tiny", root ? root : ".");
        HOLDS(hl_model_open(dir, &m, NULL) == HL_OK);
    }
    return m;
}

/* The first byte says how many; then the hands' own bytes. Returns what they took. */
static size_t
take_hands(const uint8_t *data, size_t size, struct hl_ntm_options *o)
{
    size_t at = size > 0 ? 1 : 0;
    memset(o, 0, sizeof(*o));
    o->n_hands = size > 0 ? data[0] % 3 : 0;
    for (int i = 0; i < o->n_hands; i++) {
        struct hl_ntm_hand *h = &o->hands[i];
        uint8_t head[4] = { 0 };
        size_t n = size - at < sizeof(head) ? size - at : sizeof(head);
        memcpy(head, data + at, n);
        at += n;
        h->step = head[0] - 2;
        h->write = head[1] & 1;
        h->head = head[2] % 5 - 1;
        h->fields = head[3];
        n = size - at < sizeof(h->value) ? size - at : sizeof(h->value);
        memcpy(&h->value, data + at, n / sizeof(float) * sizeof(float));
        at += n / 16; /* most of them are text as well */
    }
    return at;
}

static void
check_record(const struct hl_record *r)
{
    const struct hl_axis *steps = hl_record_find_axis(r, "steps");
    const struct hl_axis *time = hl_record_find_axis(r, "time");
    HOLDS(steps && time && steps->n == time->n);
    HOLDS(hl_utf8_valid(r->output_text, strlen(r->output_text)));
    HOLDS(hl_record_find_axis(r, "source")->n + r->n_dropped_tokens <= (int)strlen(steps->text));
    HOLDS((r->n_dropped_tokens > 0) == (r->dropped_at >= 0));
}

/* What is copied is the beginning of the text, byte by byte. */
static void
check_copy(const char *text, size_t n, struct hl_arena *a)
{
    const struct hl_ntm_info info = { .task = HL_NTM_COPY, .n_inputs = 9, .n_slots = 1 };
    struct hl_ntm_plan p;
    struct hl_record *r = hl_record_create();
    float x[9];
    HOLDS(r && hl_ntm_plan_text(&info, text, a, &p, NULL) == HL_OK);
    HOLDS((size_t)p.n_source + (size_t)p.n_dropped == n && p.n_steps == 2 * p.n_source + 1);
    for (int t = 0; t < p.n_source; t++) {
        int byte = 0;
        hl_ntm_plan_input(&info, &p, t, x);
        for (int b = 0; b < 8; b++)
            byte = 2 * byte + (x[b] > 0.5f);
        HOLDS(byte == (uint8_t)text[t] && p.answer[t] == byte);
    }
    HOLDS(hl_ntm_plan_record(&info, &p, p.answer, r, NULL) == HL_OK);
    HOLDS(hl_record_seal(r, NULL) == HL_OK);
    HOLDS(strncmp(r->output_text, text, (size_t)p.n_source) == 0);
    check_record(r);
    hl_record_destroy(r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_arena a;
    struct hl_ntm_options hands;
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    size_t n, at = take_hands(data, size, &hands);
    hl_arena_init(&a, 0, 0);
    char *text = hl_utf8_repair(&a, (const char *)data + at, size - at, &n);
    HOLDS(text != NULL);
    struct hl_ntm_overrides room;
    struct hl_request q = { .text = text };
    hl_ntm_request(hl_ntm_info(hl_model_info(machine())), &hands, &room, &q);
    enum hl_status st = hl_model_run(machine(), &q, &r, &err);
    HOLDS(st == HL_OK || (st == HL_E_ARGUMENT && err.detail[0]));
    if (r) {
        HOLDS(hl_record_setting(r, "task") != NULL);
        check_record(r);
    }
    hl_record_destroy(r);
    check_copy(text, n, &a);
    hl_arena_deinit(&a);
    return 0;
}

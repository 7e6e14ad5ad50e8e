/* Reading a Neural Turing Machine's record: bytes, characters, addresses in use, and
 * the sums of one address. */
#include "screen/memory/memory_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/ntm_text.h"
#include "view/view.h"

enum { BITS = HL_NTM_N_BITS };

/* An address counts as in use from this weight on: twice and more what each has when
 * all have the same. */
static double
in_use(int n_slots)
{
    double even = 2.5 / n_slots;
    return even > 0.25 ? 0.25 : even < 0.02 ? 0.02 : even;
}

/* ---- the record's parts ---- */

static const float *
series(const struct hl_record *r, const char *kind, const char *name, int n, int n_comp)
{
    char full[48];
    snprintf(full, sizeof full, "%s%s", kind, name);
    const struct hl_series *s = hl_record_find_series(r, full);
    return s != NULL && s->n == n && s->n_comp == n_comp ? s->data : NULL;
}

static bool
find_heads(struct memory_run *m, int write)
{
    static const char *const stages[MEMORY_STAGES] = { HL_STAGE_COSINE, HL_STAGE_CONTENT,
                                                       HL_STAGE_GATED, HL_STAGE_SHIFTED,
                                                       HL_STAGE_WEIGHTS };
    const struct hl_record *r = m->record;
    const char *kind = write ? "write" : "read";
    int t = m->n_steps, heads = 0;
    for (int k = 0; k < MEMORY_STAGES; k++) {
        const struct hl_map *map = m->stage[write][k] = hl_record_find_map(r, kind, stages[k]);
        if (map == NULL || map->n_q != t || map->n_k != m->n_slots || map->n_heads < 1 ||
            (k > 0 && map->n_heads != heads))
            return false;
        heads = map->n_heads;
    }
    m->n_heads[write] = heads;
    m->key[write] = series(r, kind, ".key", t, heads * m->width);
    m->strength[write] = series(r, kind, ".strength", t, heads);
    m->gate[write] = series(r, kind, ".gate", t, heads);
    m->gamma[write] = series(r, kind, ".gamma", t, heads);
    const struct hl_series *shift = hl_record_find_series(r, write ? "write.shift" : "read.shift");
    if (shift == NULL || shift->n != t || shift->n_comp % heads != 0)
        return false;
    m->shift[write] = shift->data;
    m->n_shifts = shift->n_comp / heads;
    return m->key[write] != NULL && m->strength[write] != NULL && m->gate[write] != NULL &&
           m->gamma[write] != NULL && m->n_shifts <= HL_NTM_MAX_SHIFTS;
}

/* What the steps are for. */
static bool
count(struct memory_run *m)
{
    const struct hl_axis *steps = hl_record_find_axis(m->record, "steps");
    if (steps == NULL || steps->n != m->n_steps || steps->tokens == NULL)
        return false;
    m->first_answer = m->n_steps;
    while (m->first_answer > 0 && steps->tokens[m->first_answer - 1].id == HL_NTM_ANSWER)
        m->first_answer--;
    m->n_answers = m->n_steps - m->first_answer;
    m->first_question = 0;
    while (m->first_question < m->first_answer &&
           memory_mark(m, m->first_question) != (m->recall ? 1 : 0))
        m->first_question++;
    for (int t = 0; t < m->n_steps; t++) {
        m->n_letters += memory_byte_in(m, t) >= 0;
        m->n_bits += memory_byte_wanted(m, t) >= 0 ? BITS : 0;
        m->wrong_bits += memory_wrong(m, t);
    }
    return true;
}

bool
memory_run_make(const struct hl_record *r, struct memory_run *out)
{
    const struct hl_axis *time = hl_record_find_axis(r, "time");
    const struct hl_vectors *memory = hl_record_find_vectors(r, "memory");
    const struct hl_series *input = hl_record_find_series(r, "input");
    *out = (struct memory_run) { .record = r };
    if (time == NULL || memory == NULL || input == NULL || time->n < 1 ||
        memory->n_layers != time->n + 1 || input->n != time->n || input->n_comp < BITS + 1 ||
        memory->width > HL_NTM_MAX_WIDTH || memory->n < 1)
        return false;
    out->n_steps = time->n;
    out->n_slots = memory->n;
    out->width = memory->width;
    out->n_inputs = input->n_comp;
    out->recall = input->n_comp > BITS + 1;
    out->memory = memory->data;
    out->input = input->data;
    out->output = series(r, "output", "", time->n, BITS);
    out->target = series(r, "target", "", time->n, BITS);
    if (out->output == NULL || out->target == NULL || !find_heads(out, 0) || !find_heads(out, 1))
        return false;
    out->erase = series(r, "write", ".erase", time->n, out->n_heads[1] * out->width);
    out->add = series(r, "write", ".add", time->n, out->n_heads[1] * out->width);
    out->read = series(r, "read", ".vector", time->n, out->n_heads[0] * out->width);
    if (out->erase == NULL || out->add == NULL || out->read == NULL)
        return false;
    return count(out);
}

bool
memory_run_now(const struct app_state *s, struct memory_run *out)
{
    const struct hl_record *r = s->slots[state_slot(s, "memory", MEMORY_RUN)].record;
    return r != NULL && state_text(s)[0] != 0 && memory_run_make(r, out);
}

bool
memory_run_trained(const struct app_state *s, const struct memory_run *now, struct memory_run *out)
{
    const struct app_slot_state *a = &s->slots[state_slot(s, "memory", MEMORY_RUN)],
                                *b = &s->slots[state_slot(s, "memory", MEMORY_TRAINED)];
    return memory_of(s)->options.n_hands > 0 && b->record != NULL && a->shown == a->wanted &&
           b->shown == b->wanted && b->error[0] == 0 && memory_run_make(b->record, out) &&
           out->n_steps == now->n_steps && out->n_slots == now->n_slots &&
           out->width == now->width && out->n_heads[0] == now->n_heads[0] &&
           out->n_heads[1] == now->n_heads[1] &&
           memcmp(out->input, now->input,
                  (size_t)now->n_steps * (size_t)now->n_inputs * sizeof *now->input) == 0;
}

struct memory_at
memory_now(const struct app_state *s, const struct memory_run *r)
{
    const struct memory_state *m = memory_of(s);
    struct memory_at at = { .step = m->step };
    if (at.step < 0) {
        for (at.step = r->first_answer - 1; at.step > 0; at.step--) {
            if (memory_byte_in(r, at.step) >= 0)
                break;
        }
    }
    at.step = at.step < 0 ? 0 : at.step >= r->n_steps ? r->n_steps - 1 : at.step;
    at.write = m->head_chosen ? m->write_head : at.step < r->first_question;
    at.head = m->head_chosen ? m->head : 0;
    at.head = at.head < r->n_heads[at.write] ? at.head : r->n_heads[at.write] - 1;
    return at;
}

const float *
memory_row(const struct memory_run *r, struct memory_at at, enum memory_stage stage)
{
    return hl_map_row(r->stage[at.write][stage], 0, at.head, at.step);
}

void
memory_previous(const struct memory_run *r, struct memory_at at, float *buf)
{
    size_t sz = (size_t)r->n_slots * sizeof *buf;
    at.step--;
    if (at.step >= 0) {
        memcpy(buf, memory_row(r, at, MEMORY_WEIGHTS), sz);
        return;
    }
    memset(buf, 0, sz);
    buf[0] = 1;
}

void
memory_head(const struct memory_run *r, struct memory_at at, struct hl_ntm_head *out)
{
    size_t i = (size_t)at.step * (size_t)r->n_heads[at.write] + (size_t)at.head;
    size_t m = (size_t)r->width, k = (size_t)r->n_shifts;
    memset(out, 0, sizeof *out);
    out->strength = r->strength[at.write][i];
    out->gate = r->gate[at.write][i];
    out->gamma = r->gamma[at.write][i];
    memcpy(out->shift, r->shift[at.write] + i * k, k * sizeof *out->shift);
    memcpy(out->key, r->key[at.write] + i * m, m * sizeof *out->key);
    if (!at.write)
        return;
    memcpy(out->erase, r->erase + i * m, m * sizeof *out->erase);
    memcpy(out->add, r->add + i * m, m * sizeof *out->add);
}

int
memory_strongest(const float *w, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        best = w[i] > w[best] ? i : best;
    return best;
}

/* ---- bytes ---- */

static int
byte_of(const float *bits)
{
    int b = 0;
    for (int i = 0; i < BITS; i++)
        b = 2 * b + (bits[i] > 0.5f);
    return b;
}

int
memory_mark(const struct memory_run *r, int step)
{
    const float *x = r->input + (size_t)step * (size_t)r->n_inputs;
    for (int i = BITS; i < r->n_inputs; i++) {
        if (x[i] > 0.5f)
            return i - BITS;
    }
    return -1;
}

int
memory_byte_in(const struct memory_run *r, int step)
{
    if (step >= r->first_answer || memory_mark(r, step) >= 0)
        return -1;
    return byte_of(r->input + (size_t)step * (size_t)r->n_inputs);
}

int
memory_byte_out(const struct memory_run *r, int step)
{
    return step < r->first_answer ? -1 : byte_of(r->output + (size_t)step * BITS);
}

int
memory_byte_wanted(const struct memory_run *r, int step)
{
    return r->target[step * BITS] < 0 ? -1 : byte_of(r->target + (size_t)step * BITS);
}

int
memory_wrong(const struct memory_run *r, int step)
{
    int n = 0, out = memory_byte_out(r, step), wanted = memory_byte_wanted(r, step);
    for (int x = out < 0 || wanted < 0 ? 0 : out ^ wanted; x != 0; x >>= 1)
        n += x & 1;
    return n;
}

int *
memory_overwritten(const struct memory_run *r, int head, struct hl_arena *a, int *n)
{
    int *before = hl_arena_new(a, r->n_steps, int), *last = hl_arena_new(a, r->n_slots, int);
    int was = -1;
    *n = 0;
    if (before == NULL || last == NULL)
        return NULL;
    for (int t = 0; t < r->n_steps; t++) {
        before[t] = -1;
        if (memory_byte_in(r, t) < 0)
            continue;
        const float *w = memory_row(r, (struct memory_at) { true, head, t }, MEMORY_WEIGHTS);
        int at = memory_strongest(w, r->n_slots);
        if (w[at] <= 0.5f)
            continue;
        before[t] = at != was ? last[at] - 1 : -1;
        *n += before[t] >= 0;
        last[at] = t + 1;
        was = at;
    }
    return before;
}

/* ---- characters ---- */

/* A mark that joins the letter before it. */
static bool
joins(const unsigned char *p, int n)
{
    char two[8] = "a";
    memcpy(two + 1, p, (size_t)n);
    return hl_utf8_grapheme_next(two, (size_t)n + 1, 0) == (size_t)n + 1;
}

/* How the n bytes (1 to 4) of one character are shown. */
static void
show_char(char *out, size_t out_sz, const unsigned char *p, int n)
{
    uint32_t cp = 0;
    size_t k = hl_utf8_next((const char *)p, (size_t)n, &cp);
    if ((int)k == n && hl_utf8_valid((const char *)p, (size_t)n) && cp > 0x20 && cp != 0x7F &&
        !(cp >= 0x80 && cp < 0xA0))
        snprintf(out, out_sz, "%s%.*s", joins(p, n) ? "◌" : "", n, (const char *)p);
    else if (n == 1 && p[0] == ' ')
        snprintf(out, out_sz, "␣");
    else if (n == 1 && p[0] == '\n')
        snprintf(out, out_sz, "⏎");
    else if (n == 1)
        snprintf(out, out_sz, "%02X", p[0]);
    else
        snprintf(out, out_sz, "\xEF\xBF\xBD");
}

/* Bytes of the character at p[0..n) (one when they are no valid one). */
static int
char_len(const unsigned char *p, int n)
{
    uint32_t cp;
    int k = (int)hl_utf8_next((const char *)p, (size_t)n, &cp);
    return k > n ? n : k;
}

/* Copy: the letters, character by character. */
static int
copied(const struct memory_run *r, const unsigned char *bytes, const int *step, int n,
       struct memory_char *out)
{
    int count = 0;
    for (int i = 0, k; i < n; i += k) {
        k = char_len(bytes + i, n - i);
        struct memory_char *c = &out[count++];
        c->first = step[i];
        c->n = step[i + k - 1] - step[i] + 1;
        show_char(c->text, sizeof c->text, bytes + i, k);
    }
    (void)r;
    return count;
}

/* The item of `n` bytes that follows the item equal to the query's. */
static void
find_answer(const unsigned char *bytes, const int *from, struct memory_char *chips, int n)
{
    int query = -1;
    for (int i = 0; i < n; i++)
        query = chips[i].query ? i : query;
    for (int i = 0; query >= 0 && i < n; i++) {
        int len = from[i + 1] - from[i];
        if (i == query || chips[i].mark || len != from[query + 1] - from[query] ||
            memcmp(bytes + from[i], bytes + from[query], (size_t)len) != 0)
            continue;
        if (i + 1 < n && !chips[i + 1].mark)
            chips[i + 1].right = true;
        return;
    }
}

/* Recall: a chip an item, its mark included; "?" and the item that is asked about. */
static int
recalled(const struct memory_run *r, struct hl_arena *a, const unsigned char *bytes,
         struct memory_char *out)
{
    int n = 0, at = 0, *from = hl_arena_new(a, r->n_steps + 2, int);
    bool asked = false;
    for (int t = 0; from != NULL && t < r->first_answer; t++) {
        int mark = memory_mark(r, t);
        bool query = mark == 1;
        if (mark >= 0 && !(query && asked)) {
            from[n] = at;
            out[n++] = (struct memory_char) { .first = t, .n = 1, .mark = query };
            if (query) {
                snprintf(out[n - 1].text, sizeof out[0].text, "?");
                from[n] = at;
                out[n++] = (struct memory_char) { .first = t + 1, .query = true };
            }
            asked = asked || query;
            continue;
        }
        if (n == 0)
            continue;
        struct memory_char *c = &out[n - 1];
        c->n++;
        if (mark >= 0)
            continue;
        char one[16];
        show_char(one, sizeof one, bytes + at, 1);
        size_t len = strlen(c->text);
        if (len + strlen(one) < sizeof c->text)
            strcat(c->text, one);
        at++;
        from[n] = at;
    }
    if (from != NULL)
        find_answer(bytes, from, out, n);
    return from != NULL ? n : 0;
}

int
memory_chars_in(const struct memory_run *r, struct hl_arena *a, struct memory_char **out)
{
    unsigned char *bytes = hl_arena_new(a, r->n_steps + 1, unsigned char);
    int *step = hl_arena_new(a, r->n_steps + 1, int), n = 0;
    *out = hl_arena_new(a, r->n_steps + 2, struct memory_char);
    if (bytes == NULL || step == NULL || *out == NULL)
        return 0;
    for (int t = 0; t < r->first_answer; t++) {
        int b = memory_byte_in(r, t);
        if (b < 0)
            continue;
        bytes[n] = (unsigned char)b;
        step[n++] = t;
    }
    return r->recall ? recalled(r, a, bytes, *out) : copied(r, bytes, step, n, *out);
}

int
memory_chars_out(const struct memory_run *r, struct hl_arena *a, struct memory_char **out)
{
    unsigned char *want = hl_arena_new(a, r->n_answers + 1, unsigned char);
    unsigned char *got = hl_arena_new(a, r->n_answers + 1, unsigned char);
    int n = 0, count = 0;
    *out = hl_arena_new(a, r->n_answers + 1, struct memory_char);
    if (want == NULL || got == NULL || *out == NULL)
        return 0;
    for (int t = r->first_answer; t < r->n_steps && n < r->n_answers; t++) {
        int wanted = memory_byte_wanted(r, t);
        got[n] = (unsigned char)memory_byte_out(r, t);
        want[n] = wanted >= 0 ? (unsigned char)wanted : got[n];
        n++;
    }
    for (int i = 0, k; i < n; i += k) {
        k = char_len(want + i, n - i);
        struct memory_char *c = &(*out)[count++];
        c->first = r->first_answer + i;
        c->n = k;
        c->wrong = memcmp(want + i, got + i, (size_t)k) != 0;
        show_char(c->text, sizeof c->text, got + i, k);
    }
    return count;
}

/* ---- addresses in use ---- */

static void
use(bool *used, const struct memory_run *r)
{
    double least = in_use(r->n_slots);
    for (int write = 0; write < 2; write++) {
        const struct hl_map *m = r->stage[write][MEMORY_WEIGHTS];
        size_t rows = (size_t)m->n_heads * (size_t)m->n_q;
        for (size_t i = 0; i < rows; i++) {
            const float *w = m->data + i * (size_t)r->n_slots;
            for (int k = 0; k < r->n_slots; k++)
                used[k] = used[k] || (double)w[k] > least;
        }
    }
}

struct memory_window
memory_window(const struct memory_state *m, const struct memory_run *r)
{
    enum { MOST = 1024, LEAST = 12 };
    bool used[MOST] = { 0 };
    int n = r->n_slots, gap = 0, gap_end = 0;
    struct memory_window all = { 0, n, n };
    if (m->all || n > MOST || n <= LEAST)
        return all;
    use(used, r);
    for (int i = 0; i < m->n_pins; i++)
        used[m->pin[i] % n] = true;
    /* What lies outside the longest run of unused addresses, round the end. */
    for (int i = 0, len = 0; i < 2 * n; i++) {
        len = used[i % n] ? 0 : len + 1;
        if (len > gap && len <= n) {
            gap = len;
            gap_end = i + 1;
        }
    }
    struct memory_window w = { gap_end % n, n - gap, n };
    int more = w.n + 2 < LEAST ? LEAST - w.n : 2;
    w.n = w.n + more < n ? w.n + more : n;
    w.first = w.n < n ? (w.first - 1 + n) % n : 0;
    return w;
}

int
memory_window_row(const struct memory_window *w, int address)
{
    int row = ((address - w->first) % w->n_slots + w->n_slots) % w->n_slots;
    return row < w->n ? row : -1;
}

bool
memory_numbered(const struct memory_state *m, const struct memory_window *w, int hot, int row,
                float pitch, float need, int every, uint8_t *mark)
{
    int address = memory_address(w, row), at = hot >= 0 ? memory_window_row(w, hot) : -1;
    bool near = at >= 0 && at != row && fabsf((float)(at - row)) * pitch < need;
    /* the last before the tape begins again at 0 */
    near = near || (address > 0 && w->first + w->n > w->n_slots &&
                    (float)(w->n_slots - address) * pitch < need + 4);
    *mark = at == row ? VIEW_HOT : 0;
    for (int k = 0; k < m->n_pins; k++) {
        int pin = memory_window_row(w, m->pin[k] % w->n_slots);
        if (pin == row)
            *mark |= VIEW_PIN;
        else if (pin >= 0 && fabsf((float)(pin - row)) * pitch < need)
            near = true;
    }
    return *mark != 0 || (!near && address % every == 0);
}

/* ---- an address by hand ---- */

/* As the machine does it: a total of 0 leaves nothing to sharpen. */
static void
sharpen(const float *shifted, int n, int address, double gamma, struct memory_sum *out)
{
    out->power = pow((double)shifted[address] > 0 ? (double)shifted[address] : 0, gamma);
    for (int i = 0; i < n; i++)
        out->power_total += pow((double)shifted[i] > 0 ? (double)shifted[i] : 0, gamma);
    out->weight = out->power_total > 0 ? out->power / out->power_total : 0;
}

void
memory_sum_make(const struct memory_run *r, struct memory_at at, int address,
                struct memory_sum *out)
{
    struct hl_ntm_head h;
    int n = r->n_slots, half = r->n_shifts / 2;
    const float *row =
        r->memory + ((size_t)at.step * (size_t)n + (size_t)address) * (size_t)r->width;
    const float *cosine = memory_row(r, at, MEMORY_COSINE);
    const float *gated = memory_row(r, at, MEMORY_GATED);
    struct memory_at before = { at.write, at.head, at.step - 1 };
    memory_head(r, at, &h);
    *out = (struct memory_sum) { .n_shifts = r->n_shifts };
    for (int j = 0; j < r->width; j++) {
        out->dot += (double)h.key[j] * (double)row[j];
        out->key_norm += (double)h.key[j] * (double)h.key[j];
        out->row_norm += (double)row[j] * (double)row[j];
    }
    out->key_norm = sqrt(out->key_norm);
    out->row_norm = sqrt(out->row_norm);
    out->cosine = out->dot / (out->key_norm * out->row_norm + 1e-8);
    out->largest = (double)cosine[memory_strongest(cosine, n)];
    for (int i = 0; i < n; i++)
        out->total += exp((double)h.strength * ((double)cosine[i] - out->largest));
    out->e = exp((double)h.strength * ((double)cosine[address] - out->largest));
    out->content = out->e / out->total;
    out->previous = at.step > 0 ? (double)memory_row(r, before, MEMORY_WEIGHTS)[address]
                                : (address == 0 ? 1 : 0);
    double g = (double)h.gate;
    out->gated = g * (double)memory_row(r, at, MEMORY_CONTENT)[address] + (1 - g) * out->previous;
    for (int k = 0; k < r->n_shifts; k++) {
        out->from[k] = ((address - (k - half)) % n + n) % n;
        out->gated_from[k] = (double)gated[out->from[k]];
        out->shift[k] = (double)h.shift[k];
        out->shifted += out->gated_from[k] * out->shift[k];
    }
    sharpen(memory_row(r, at, MEMORY_SHIFTED), n, address, (double)h.gamma, out);
}

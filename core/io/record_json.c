#include "io/record_json.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9, NUMBER_SZ = 24, CHUNK_SZ = 4096 };

/* ---- numbers: the bulk of a record ---- */

/* Powers of ten that a double holds exactly. */
static const double tens[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14 };

/* Decimals that leave nine significant digits of v, 1e-5 <= v < 1e9. */
static int
decimals_of(double v)
{
    int whole = -4;
    static const double borders[] = { 1e-4, 1e-3, 1e-2, 1e-1 };
    for (int i = 0; i < 4 && v >= borders[i]; i++)
        whole++;
    for (int i = 0; whole >= 0 && v >= tens[i]; i++)
        whole++;
    return DIGITS - whole;
}

/* Writes v, 1e-5 <= v < 1e9, and gives the number of bytes. */
static int
put_plain(char *buf, double v)
{
    int n = 0, decimals = decimals_of(v);
    uint64_t scaled = (uint64_t)(v * tens[decimals] + 0.5);
    while (decimals > 0 && scaled % 10 == 0) {
        scaled /= 10;
        decimals--;
    }
    char digits[NUMBER_SZ];
    int n_digits = 0;
    for (; scaled > 0 || n_digits <= decimals; scaled /= 10)
        digits[n_digits++] = (char)('0' + scaled % 10);
    while (n_digits > 0) {
        buf[n++] = digits[--n_digits];
        if (n_digits == decimals && decimals > 0)
            buf[n++] = '.';
    }
    return n;
}

static void
put_numbers(struct hl_sb *out, const float *data, size_t n)
{
    char chunk[CHUNK_SZ];
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        double v = (double)data[i], size = fabs(v);
        if (i > 0)
            chunk[at++] = ',';
        if (v == 0)
            chunk[at++] = '0';
        else if (size >= 1e-5 && size < 1e9) {
            if (v < 0)
                chunk[at++] = '-';
            at += (size_t)put_plain(chunk + at, size);
        } else {
            hl_sb_put(out, chunk, at);
            hl_sb_num(out, v, DIGITS);
            at = 0;
        }
        if (at > CHUNK_SZ - 2 * NUMBER_SZ) {
            hl_sb_put(out, chunk, at);
            at = 0;
        }
    }
    hl_sb_put(out, chunk, at);
}

static void
put_list(struct hl_sb *out, const float *data, size_t n)
{
    hl_sb_putc(out, '[');
    put_numbers(out, data, n);
    hl_sb_putc(out, ']');
}

/* ---- the parts of the object ---- */

static void
put_string(struct hl_sb *out, const char *s)
{
    if (s)
        hl_sb_json(out, s, strlen(s));
    else
        hl_sb_puts(out, "null");
}

/* A comma before each but the first member. */
static void
put_key(struct hl_sb *out, bool *first, const char *key)
{
    if (!*first)
        hl_sb_putc(out, ',');
    *first = false;
    put_string(out, key);
    hl_sb_putc(out, ':');
}

static void
put_place(struct hl_sb *out, const char *key, int32_t value)
{
    if (value < 0)
        hl_sb_printf(out, ",\"%s\":null", key);
    else
        hl_sb_printf(out, ",\"%s\":%d", key, (int)value);
}

static void
put_token(struct hl_sb *out, const struct hl_token *t)
{
    hl_sb_printf(out, "{\"id\":%d,\"text\":", (int)t->id);
    put_string(out, t->text);
    put_place(out, "start", t->start);
    put_place(out, "end", t->end);
    put_place(out, "word", t->word);
    hl_sb_printf(out, ",\"special\":%s}", t->special ? "true" : "false");
}

static void
put_tokens(struct hl_sb *out, const struct hl_record *r)
{
    bool first = true;
    hl_sb_puts(out, "{");
    for (int i = 0; i < r->n_axes; i++) {
        const struct hl_axis *axis = &r->axes[i];
        if (axis->kind != HL_AXIS_TOKENS)
            continue;
        put_key(out, &first, axis->name);
        hl_sb_putc(out, '[');
        for (int k = 0; k < axis->n; k++) {
            if (k > 0)
                hl_sb_putc(out, ',');
            put_token(out, &axis->tokens[k]);
        }
        hl_sb_putc(out, ']');
    }
    hl_sb_putc(out, '}');
}

static void
put_maps(struct hl_sb *out, const struct hl_record *r, bool all_stages)
{
    bool first = true;
    hl_sb_putc(out, '[');
    for (int i = 0; i < r->n_maps; i++) {
        const struct hl_map *m = &r->maps[i];
        if (!all_stages && !hl_map_is(m, HL_STAGE_WEIGHTS))
            continue;
        hl_sb_puts(out, first ? "{\"name\":" : ",{\"name\":");
        first = false;
        put_string(out, m->name);
        hl_sb_printf(out, ",\"stage\":\"%s\",\"shape\":[%d,%d,%d,%d],\"data\":", m->stage,
                     m->n_layers, m->n_heads, m->n_q, m->n_k);
        put_list(out, m->data,
                 (size_t)m->n_layers * (size_t)m->n_heads * (size_t)m->n_q * (size_t)m->n_k);
        hl_sb_putc(out, '}');
    }
    hl_sb_putc(out, ']');
}

static void
put_series(struct hl_sb *out, const struct hl_record *r)
{
    bool first = true;
    hl_sb_putc(out, '{');
    for (int i = 0; i < r->n_series; i++) {
        const struct hl_series *s = &r->series[i];
        put_key(out, &first, s->name);
        if (s->n_comp == 1) {
            put_list(out, s->data, (size_t)s->n);
            continue;
        }
        hl_sb_putc(out, '[');
        for (int k = 0; k < s->n; k++) {
            if (k > 0)
                hl_sb_putc(out, ',');
            put_list(out, s->data + (size_t)k * (size_t)s->n_comp, (size_t)s->n_comp);
        }
        hl_sb_putc(out, ']');
    }
    hl_sb_putc(out, '}');
}

static void
put_vectors(struct hl_sb *out, const struct hl_record *r)
{
    hl_sb_putc(out, '[');
    for (int i = 0; i < r->n_vectors; i++) {
        const struct hl_vectors *v = &r->vectors[i];
        hl_sb_puts(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        put_string(out, v->name);
        hl_sb_puts(out, ",\"axis\":");
        put_string(out, r->axes[v->axis].name);
        hl_sb_printf(out, ",\"shape\":[%d,%d,%d],\"data\":", v->n_layers, v->n, v->width);
        put_list(out, v->data, (size_t)v->n_layers * (size_t)v->n * (size_t)v->width);
        hl_sb_putc(out, '}');
    }
    hl_sb_putc(out, ']');
}

/* The pieces of the target and what each of them cost. */
static void
put_output(struct hl_sb *out, const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    const struct hl_series *logprob = hl_record_find_series(r, "logprob");
    hl_sb_puts(out, "{\"text\":");
    put_string(out, r->output_text);
    hl_sb_puts(out, ",\"tokens\":[");
    for (int i = 0; target && target->tokens && i < target->n; i++) {
        if (i > 0)
            hl_sb_putc(out, ',');
        put_string(out, target->tokens[i].text);
    }
    hl_sb_puts(out, "],\"logprobs\":");
    put_list(out, logprob ? logprob->data : NULL, logprob ? (size_t)logprob->n : 0);
    hl_sb_puts(out, ",\"logprob\":");
    hl_sb_num(out, r->output_logprob, DIGITS);
    hl_sb_putc(out, '}');
}

static void
put_settings(struct hl_sb *out, const struct hl_record *r)
{
    bool first = true;
    hl_sb_putc(out, '{');
    for (int i = 0; i < r->n_settings; i++) {
        put_key(out, &first, r->settings[i].key);
        put_string(out, r->settings[i].value);
    }
    hl_sb_putc(out, '}');
}

void
hl_record_json(const struct hl_record *r, bool all_stages, struct hl_sb *out)
{
    hl_sb_puts(out, "{\"headlight\":1,\"model\":");
    put_string(out, r->model);
    hl_sb_puts(out, ",\"family\":");
    put_string(out, r->family);
    hl_sb_puts(out, ",\"settings\":");
    put_settings(out, r);
    hl_sb_puts(out, ",\"tokens\":");
    put_tokens(out, r);
    hl_sb_puts(out, ",\"attentions\":");
    put_maps(out, r, all_stages);
    hl_sb_puts(out, ",\"series\":");
    put_series(out, r);
    if (all_stages) {
        hl_sb_puts(out, ",\"vectors\":");
        put_vectors(out, r);
    }
    if (r->output_text) {
        hl_sb_puts(out, ",\"output\":");
        put_output(out, r);
    }
    if (r->logits) {
        hl_sb_puts(out, ",\"logits\":");
        put_list(out, r->logits, (size_t)r->n_logits);
    }
    if (r->dropped_at >= 0)
        hl_sb_printf(out, ",\"dropped\":{\"tokens\":%d,\"at\":%d}", r->n_dropped_tokens,
                     r->dropped_at);
    hl_sb_putc(out, '}');
}

#include "base/option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

enum { DIGITS = 17 };

int
hl_option_n(const struct hl_option *o)
{
    int n = 0;
    if (o->kind == HL_OPTION_SWITCH)
        return 2;
    while (o->kind == HL_OPTION_CHOICE && o->names[n])
        n++;
    return n;
}

bool
hl_option_allows(const struct hl_option *o, double v)
{
    if (o->kind == HL_OPTION_SWITCH || o->kind == HL_OPTION_CHOICE)
        return v >= 0 && v < hl_option_n(o) && v == floor(v);
    return v >= o->min && v <= o->max && (o->kind == HL_OPTION_REAL || v == floor(v));
}

/* "on or off", "additive, dot or cosine", "a whole number from 1 to 16". */
static enum hl_status
refuse(const struct hl_option *o, const char *text, struct hl_error *err)
{
    struct hl_sb sb = { 0 };
    int n = hl_option_n(o);
    if (o->kind == HL_OPTION_SWITCH)
        hl_sb_puts(&sb, "on or off");
    for (int i = 0; o->kind == HL_OPTION_CHOICE && i < n; i++)
        hl_sb_printf(&sb, "%s%s", i == 0 ? "" : i == n - 1 ? " or " : ", ", o->names[i]);
    if (o->kind == HL_OPTION_WHOLE || o->kind == HL_OPTION_REAL) {
        hl_sb_puts(&sb, o->kind == HL_OPTION_WHOLE ? "a whole number from " : "a number from ");
        hl_sb_num(&sb, o->min, DIGITS);
        hl_sb_puts(&sb, " to ");
        hl_sb_num(&sb, o->max, DIGITS);
    }
    hl_error_set(err, HL_E_ARGUMENT, o->key, "'%.60s' is not %s", text, sb.failed ? "" : sb.p);
    hl_sb_deinit(&sb);
    return HL_E_ARGUMENT;
}

enum hl_status
hl_option_parse(const struct hl_option *o, const char *text, double *out, struct hl_error *err)
{
    static const char *const switches[] = { "off", "on", NULL };
    const char *const *names = o->kind == HL_OPTION_SWITCH ? switches : o->names;
    double v = -1;
    if (o->kind == HL_OPTION_WHOLE || o->kind == HL_OPTION_REAL) {
        if (!hl_parse_double(text, &v))
            return refuse(o, text, err);
    } else {
        for (int i = 0; names[i]; i++)
            v = strcmp(names[i], text) == 0 ? i : v;
    }
    if (!hl_option_allows(o, v))
        return refuse(o, text, err);
    *out = v;
    return HL_OK;
}

const char *
hl_option_print(const struct hl_option *o, double v, char *buf, size_t buf_sz)
{
    buf[0] = '\0';
    if (o->kind == HL_OPTION_SWITCH)
        snprintf(buf, buf_sz, "%s", v != 0 ? "on" : "off");
    else if (o->kind == HL_OPTION_CHOICE && hl_option_allows(o, v))
        snprintf(buf, buf_sz, "%s", o->names[(int)v]);
    else if (o->kind != HL_OPTION_CHOICE) {
        struct hl_sb sb = { 0 };
        hl_sb_num(&sb, v, DIGITS);
        snprintf(buf, buf_sz, "%s", sb.failed ? "" : sb.p);
        hl_sb_deinit(&sb);
    }
    return buf;
}

const struct hl_option *
hl_option_find(const struct hl_option *rows, int n, const char *key)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(rows[i].key, key) == 0)
            return &rows[i];
    }
    return NULL;
}

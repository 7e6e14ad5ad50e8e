#include "state/settings.h"

#include <stdio.h>

#include "base/span.h"
#include "io/json.h"

struct reader {
    void (*each)(void *user, const char *section, const char *key, const char *value);
    void *user;
};

static void
value(const struct reader *r, const char *section, const char *key, const struct hl_json *node)
{
    double number;
    char buf[64];
    const char *s = hl_json_string(node);
    if (s == NULL && hl_json_double(node, &number))
        s = hl_fmt_fixed(buf, sizeof buf, number, 4);
    if (s != NULL)
        r->each(r->user, section, key, s);
}

static void
members(const struct reader *r, const char *section, const struct hl_json *node)
{
    int i = 0;
    for (const struct hl_json *p = hl_json_first(node); p != NULL; p = hl_json_next(p), i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        value(r, section, hl_json_kind(node) == HL_JSON_ARRAY ? number : hl_json_key(p), p);
    }
}

enum hl_status
settings_read(const char *json, size_t n,
              void (*each)(void *user, const char *section, const char *key, const char *value),
              void *user, struct hl_error *err)
{
    struct hl_json_doc *doc;
    struct reader r = { each, user };
    enum hl_status st = hl_json_parse(json, n, "settings", 8, &doc, err);
    if (st != HL_OK)
        return st;
    const struct hl_json *root = hl_json_root(doc), *sets = hl_json_get(root, "settings");
    members(&r, "", root);
    for (const struct hl_json *p = hl_json_first(root); p != NULL; p = hl_json_next(p)) {
        if (hl_json_kind(p) == HL_JSON_ARRAY)
            members(&r, hl_json_key(p), p);
    }
    for (const struct hl_json *p = hl_json_first(sets); p != NULL; p = hl_json_next(p))
        members(&r, hl_json_key(p), p);
    hl_json_close(doc);
    return HL_OK;
}

/* The JSON reader, as configurations use it: what it accepts can be written, read again,
 * and is then written in the same way. */
#include "../fuzz.h"

#include <string.h>

#include "base/span.h"
#include "io/json.h"

static void
put(struct hl_sb *sb, const struct hl_json *node)
{
    bool flag = false;
    double number = 0;
    enum hl_json_kind kind = hl_json_kind(node);
    if (kind == HL_JSON_BOOL)
        hl_sb_puts(sb, hl_json_bool(node, &flag) && flag ? "true" : "false");
    else if (kind == HL_JSON_NUMBER && hl_json_double(node, &number))
        hl_sb_num(sb, number, 17);
    else if (kind == HL_JSON_STRING)
        hl_sb_json(sb, hl_json_string(node), strlen(hl_json_string(node)));
    else if (kind == HL_JSON_NULL)
        hl_sb_puts(sb, "null");
    else {
        bool object = kind == HL_JSON_OBJECT;
        hl_sb_putc(sb, object ? '{' : '[');
        for (const struct hl_json *m = hl_json_first(node); m; m = hl_json_next(m)) {
            if (object) {
                HOLDS(hl_json_get(node, hl_json_key(m)) == m);
                hl_sb_json(sb, hl_json_key(m), strlen(hl_json_key(m)));
                hl_sb_putc(sb, ':');
            }
            put(sb, m);
            if (hl_json_next(m))
                hl_sb_putc(sb, ',');
        }
        hl_sb_putc(sb, object ? '}' : ']');
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_json_doc *doc = NULL, *again = NULL;
    struct hl_error err = { 0 };
    if (hl_json_parse((const char *)data, size, "input", 50, &doc, &err) != HL_OK) {
        HOLDS(err.code == HL_E_JSON && !doc && err.detail[0]);
        return 0;
    }
    struct hl_sb first = { 0 }, second = { 0 };
    put(&first, hl_json_root(doc));
    HOLDS(hl_json_parse(first.p, first.n, "written", 50, &again, &err) == HL_OK);
    put(&second, hl_json_root(again));
    HOLDS(first.n == second.n && memcmp(first.p, second.p, first.n) == 0);
    hl_sb_deinit(&first);
    hl_sb_deinit(&second);
    hl_json_close(doc);
    hl_json_close(again);
    return 0;
}

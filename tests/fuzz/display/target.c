/* Display lists from any text: what is read is written again to the same text, and makes
 * a whole SVG without a character that XML forbids; hit tests find what is there. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/dl_text.h"
#include "export/svg.h"

static void
check_svg(const struct dl *d)
{
    struct hl_sb sb = { 0 };
    svg_write(d, &hl_metrics_fixed, &sb);
    HOLDS(!sb.failed && sb.n > 12 && hl_utf8_valid(sb.p, sb.n));
    HOLDS(strstr(sb.p, "<svg") != NULL && strcmp(sb.p + sb.n - 7, "</svg>\n") == 0);
    for (size_t i = 0; i < sb.n; i++)
        HOLDS((unsigned char)sb.p[i] >= 0x20 || strchr("\n\t", sb.p[i]));
    HOLDS(strstr(sb.p, "nan") == NULL || strstr(sb.p, "inf") == NULL || d->n > 0);
    hl_sb_deinit(&sb);
}

static void
check_hits(const struct dl *d)
{
    for (const struct dl_cmd *c = dl_first(d); c; c = dl_next(d, c)) {
        hl_rect r;
        if (c->kind == DL_HIT)
            HOLDS(dl_hit_find(d, dl_tail(c), &r));
    }
    dl_hit_at(d, 10, 10, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dl one = { 0 }, two = { 0 };
    struct hl_sb first = { 0 }, second = { 0 };
    struct hl_error err = { 0 };
    char *text = malloc(size + 1);
    HOLDS(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    enum hl_status st = dl_read_text(&one, text, &err);
    HOLDS(st == HL_OK || (st == HL_E_ARGUMENT && err.detail[0]));
    if (st == HL_OK) {
        dl_write_text(&one, &first);
        hl_sb_putc(&first, '\0');
        HOLDS(!first.failed && dl_read_text(&two, first.p, &err) == HL_OK);
        dl_write_text(&two, &second);
        hl_sb_putc(&second, '\0');
        HOLDS(!second.failed && strcmp(first.p, second.p) == 0);
        check_hits(&two);
        check_svg(&two);
    }
    hl_sb_deinit(&first);
    hl_sb_deinit(&second);
    dl_deinit(&one);
    dl_deinit(&two);
    free(text);
    return 0;
}

/* Keys, texts, the mouse and the clipboard on a text field, in any order: after each the
 * text is valid, all places lie inside it at borders of characters, and it can be drawn. */
#include "../fuzz.h"

#include <string.h>

#include "base/utf8.h"
#include "draw/dl.h"
#include "draw/theme.h"
#include "ui/field.h"

static const hl_rect box = { 20, 60, 300, 40 };

static const int keys[] = {
    KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_UP, KEY_DOWN, KEY_DELETE, KEY_ENTER, KEY_BACKSPACE,
    'a',      'c',       'x',      'z',     'y',    'v',      'z',        KEY_LEFT,  KEY_BACKSPACE
};

static const char *const texts[] = { "a",
                                     " ",
                                     "word",
                                     "\xC3\xA9",
                                     "e\xCC\x81",
                                     "\n",
                                     "\t",
                                     "\r\n",
                                     "\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD",
                                     "\xD7\xA9\xD7\x9C",
                                     "\xFF",
                                     "\xE2\x82",
                                     "\x7F",
                                     "two words, and a comma" };

static void
check(const struct ui_field *f)
{
    const char *s = field_text(f);
    size_t n = f->text.n;
    HOLDS(strlen(s) == n && hl_utf8_valid(s, n));
    HOLDS(f->caret <= n && f->anchor <= n);
    HOLDS(f->caret == n || ((unsigned char)s[f->caret] & 0xC0) != 0x80);
    HOLDS(f->anchor == n || ((unsigned char)s[f->anchor] & 0xC0) != 0x80);
    HOLDS(!f->dragging || (f->drag_from <= n && f->drag_to <= n) || f->drag_clicks != 2);
    struct hl_span chosen = field_selection(f);
    HOLDS(chosen.p >= s && chosen.p + chosen.n <= s + n);
    HOLDS(f->n_undo >= 0 && f->n_undo <= FIELD_UNDO && f->n_redo >= 0 && f->n_redo <= FIELD_UNDO);
    hl_rect r = field_caret_rect(f, &hl_metrics_fixed, box, 21);
    HOLDS(r.x >= box.x && r.x <= box.x + box.w);
}

static enum field_change
send(struct ui_field *f, const struct hl_event *ev)
{
    return field_event(f, ev, &hl_metrics_fixed, box, 21);
}

/* One event made of two bytes. */
static void
step(struct ui_field *f, uint8_t a, uint8_t b)
{
    struct hl_event ev = { .button = 1, .x = box.x + 2 * (float)b, .y = 80 };
    const char *text = texts[b % (sizeof texts / sizeof texts[0])];
    switch (a % 9) {
    case 0:
        ev.kind = EV_TEXT;
        ev.text = text;
        break;
    case 1:
        ev.kind = EV_PASTE;
        ev.text = text;
        break;
    case 2:
        ev.kind = EV_PREEDIT;
        ev.text = b & 1 ? "" : text;
        ev.cursor = b / 16;
        break;
    case 3:
        ev.kind = EV_MOUSE_DOWN;
        ev.clicks = a / 9 % 4;
        ev.mods = a & 64 ? MOD_SHIFT : 0;
        break;
    case 4:
    case 5:
        ev.kind = EV_MOUSE_MOVE;
        break;
    case 6:
        ev.kind = EV_MOUSE_UP;
        break;
    case 7:
        ev.kind = EV_KEY;
        ev.key = keys[b % (sizeof keys / sizeof keys[0])];
        ev.mods = a / 9 % 4;
        break;
    default:
        if (b % 8 == 0)
            HOLDS(field_set(f, text, strlen(text)));
        else if (b % 8 == 1)
            field_select_all(f);
        return;
    }
    enum field_change change = send(f, &ev);
    if (change == FIELD_CUT)
        HOLDS(field_insert(f, "", 0));
}

/* Drawn twice, the lists are equal. */
static void
draw(const struct ui_field *f, const char *focus)
{
    struct dl lists[2] = { 0 };
    struct hl_arena frame;
    hl_arena_init(&frame, 0, 0);
    for (int i = 0; i < 2; i++) {
        struct ui u = { .dl = &lists[i],
                        .metrics = &hl_metrics_fixed,
                        .theme = theme_get(false),
                        .frame = &frame,
                        .hover = "",
                        .focus = focus };
        dl_begin(&lists[i], 400, 200, 1, 0);
        field_build(&u, f, box, 21, "field:text", "type");
        HOLDS(!lists[i].failed);
    }
    HOLDS(dl_digest(&lists[0]) == dl_digest(&lists[1]));
    dl_deinit(&lists[0]);
    dl_deinit(&lists[1]);
    hl_arena_deinit(&frame);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ui_field f = { 0 };
    for (size_t i = 0; i + 1 < size && i < 4000; i += 2) {
        step(&f, data[i], data[i + 1]);
        check(&f);
    }
    draw(&f, "");
    draw(&f, "field:text");
    field_deinit(&f);
    return 0;
}

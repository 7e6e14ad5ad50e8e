/* Events as the program sees them: plain data, made from SDL by app/sdl or from
 * a story file by tests. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct hl_error;
struct hl_picture;
struct hl_result;

enum ev_kind {
    EV_NONE,
    EV_KEY,     /* key pressed (or repeated) */
    EV_TEXT,    /* committed text */
    EV_PREEDIT, /* IME composition (text, cursor, length); empty text ends it */
    EV_MOUSE_MOVE,
    EV_MOUSE_DOWN,
    EV_MOUSE_UP,
    EV_WHEEL,
    EV_RESIZE,  /* logical size and scale in x, y, scale */
    EV_FOCUS,   /* window gained (down) or lost focus */
    EV_PASTE,   /* clipboard text arrived */
    EV_DROP,    /* path in text */
    EV_RESULT,  /* a record arrived (result) */
    EV_PICTURE, /* what FX_OPEN_PICTURE asked for (ticket): picture, or NULL and error */
    EV_TICK,    /* animation time in ms (x) */
    EV_DONE,    /* an effect finished: text is a sentence for the status line; down = failed */
    EV_QUIT,
    EV_KIND_COUNT
};

/* Keys that are not text. Letters and digits with Ctrl or Alt come as their
 * lower-case ASCII code. */
enum ev_key {
    KEY_NONE = 0,
    KEY_TAB = 9,
    KEY_ENTER = 13,
    KEY_ESCAPE = 27,
    KEY_SPACE = 32,
    KEY_BACKSPACE = 256,
    KEY_DELETE,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_F1,
    KEY_F2,
    KEY_F3,
    KEY_F4,
    KEY_F5,
    KEY_F6,
    KEY_F7,
    KEY_F8,
    KEY_F9,
    KEY_F10,
    KEY_F11,
    KEY_F12,
    KEY_PLUS = '+',
    KEY_MINUS = '-'
};

enum ev_mod { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 };

struct hl_event {
    enum ev_kind kind;
    int key;    /* enum ev_key or ASCII */
    int mods;   /* enum ev_mod bits */
    int button; /* 1 left, 2 middle, 3 right */
    int clicks; /* 1, 2, 3 */
    bool down;
    float x, y; /* pointer, wheel amount, or new size */
    float scale;
    const char *text;                 /* valid during the call */
    int cursor, length;               /* PREEDIT, in characters */
    struct hl_result *result;         /* RESULT: the state takes over the record */
    uint64_t ticket;                  /* PICTURE */
    const struct hl_picture *picture; /* valid during the call */
    const struct hl_error *error;     /* valid during the call */
};

/* The whole state of the program's window: plain data, changed only by app_update
 * and read only by app_build (screen/app.h). No clock, no files, no SDL: what must
 * happen outside is asked for by effects. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/dl.h"
#include "draw/metrics.h"
#include "model/network.h"
#include "record/record.h"
#include "session.h"
#include "state/effects.h"
#include "state/texts.h"
#include "ui/field.h"
#include "ui/input.h"

enum {
    APP_PINS = 8,
    APP_MODELS = 16,
    APP_PARTS = 24, /* screens */
    APP_SLOTS = HL_SESSION_SLOTS,
    APP_NAME_SZ = 1024, /* a model may be named by its folder */
    APP_TEXT_SZ = 640   /* a sentence of an error */
};

/* The newest record of a slot. While a newer one is awaited the former stays, so
 * that nothing flickers. */
struct app_slot_state {
    struct hl_record *record; /* owned; NULL before the first */
    uint64_t wanted, shown;   /* tickets; equal: up to date */
    char error[APP_TEXT_SZ];  /* sentence when the newest run failed, "" if not */
    enum hl_status status;    /* of the newest run */
    float ms;                 /* time from asking to having, 0 unknown */
};

enum app_model_status { APP_MODEL_LOADING, APP_MODEL_READY, APP_MODEL_FAILED };

struct app_model {
    char name[APP_NAME_SZ]; /* what it was asked for by: a name or a folder */
    enum app_model_status status;
    struct hl_model_info info; /* once READY; its strings live as long as the model */
    char error[APP_TEXT_SZ];   /* once FAILED */
};

/* Which text a word belongs to. */
enum app_side { APP_SOURCE, APP_TARGET };

/* A word that a person marked. It is found again by its text after an edit (the
 * occurrence nearest to where it stood), and sleeps while there is none. */
struct app_pin {
    enum app_side side;
    int at;         /* byte in its text when it was pinned; -1 for a special token */
    char label[64]; /* its text */
};

enum app_view { APP_MATRIX, APP_LINES, APP_SHADING, APP_VIEW_COUNT };
enum app_special { APP_SPECIAL_SHOWN, APP_SPECIAL_DIMMED, APP_SPECIAL_HIDDEN, APP_SPECIAL_COUNT };

/* How weights are shown: shared by Translate and Transformer. */
struct app_show {
    enum app_view view;
    enum app_special special;
    bool log_scale;
    bool lock;      /* colours run over 0..1 instead of up to the largest shown */
    bool words;     /* pieces merged into words */
    bool looked_at; /* the pinned word is the key ("is looked at by") */
};

/* What a screen keeps: its own memory, which only it knows the shape of, and where its
 * slots begin. */
struct app_part {
    const char *screen; /* id */
    void *data;         /* owned */
    int first_slot, n_slots;
};

struct app_state {
    /* Given from outside, borrowed */
    const struct hl_metrics *metrics;
    const struct dl *last; /* the list that is on the screen (app_shown) */

    float width, height; /* logical pixels */
    float device_scale;  /* of the display */
    float ui_scale;      /* Ctrl +/-: 0.5..3 */
    bool dark, fullscreen, help, quit;
    int screen;        /* index into screen_all */
    bool menu_models;  /* the model list is open */
    bool menu_screens; /* the list of screens is open */

    /* The typed texts of each kind: two that one key flips between. */
    struct ui_field texts[APP_TEXT_COUNT][2];
    int active[APP_TEXT_COUNT];
    enum app_text text; /* of the shown screen (the last that had one) */

    /* Pointer and keyboard */
    char hover[UI_ID_SZ], focus[UI_ID_SZ], pressed[UI_ID_SZ];
    char hushed[UI_ID_SZ]; /* pressed, and the pointer still on it: its tip is in the way */
    bool focus_visible;
    bool swallow_space; /* a Space that pressed a button comes as text next */
    float mouse_x, mouse_y;

    /* Shared by the screens that show attention */
    struct app_show show;
    struct app_pin pins[APP_PINS]; /* the last one is what the inspector shows */
    int n_pins;
    bool has_link; /* the word that the ranking of heads links to */
    struct app_pin link;

    struct app_model models[APP_MODELS];
    int n_models;
    char chosen[HL_CAN_COUNT][APP_NAME_SZ]; /* the model shown for each capability */
    char wanted_model[APP_NAME_SZ];         /* is chosen as soon as it is open, "" if none */
    struct app_slot_state slots[APP_SLOTS]; /* of all screens, one after the other */
    int n_slots;
    uint64_t ticket; /* the last one given out */
    struct app_part parts[APP_PARTS];
    int n_parts;

    char *clipboard;          /* what FX_COPY points at; owned */
    char status[APP_TEXT_SZ]; /* last notice ("Saved ..."), "" if none */
    bool status_failed;
    bool dirty;   /* settings or texts changed: FX_SAVE at the end of update */
    float ime[4]; /* caret rectangle last told to the host */
    bool ime_on;
};

/* The models that ship with the program, NULL-terminated. */
extern const char *const app_shipped[];
/* What a first start chooses for each capability. */
extern const char *const app_default_models[HL_CAN_COUNT];

/* The text field of the shown screen's kind and its text. */
struct ui_field *state_field(struct app_state *s);
const char *state_text(const struct app_state *s);
/* Whether there is nothing to run: no text, or a sentence of white space alone (to a
 * machine that copies bytes a space is one). */
bool state_blank(const struct app_state *s);

/* The model of this name; NULL if unknown. */
const struct app_model *state_model(const struct app_state *s, const char *name);
/* What to call it in a line: without the folders before it. */
const char *state_model_label(const struct app_state *s, const char *name);
/* An open model becomes the one shown for all that it can. */
void state_model_choose(struct app_state *s, const struct app_model *m);

/* What the screen of this id keeps, as zeroed and then filled by the screen; it must have
 * been added. */
void *state_part(const struct app_state *s, const char *screen);
/* Number of its k-th slot. */
int state_slot(const struct app_state *s, const char *screen, int k);
/* Adds a screen's part: `size` zeroed bytes and n_slots slots. Fails: NULL (no memory, no
 * room). Ownership: state_drop_parts frees them and the records of all slots. */
void *state_add_part(struct app_state *s, const char *screen, size_t size, int n_slots);
void state_drop_parts(struct app_state *s);

/* Asks for a run: pushes FX_RUN with a fresh ticket and returns its effect so that
 * the caller fills req (strings must live in the state). NULL when the model is
 * not ready. */
struct hl_effect *state_run(struct app_state *s, struct hl_effects *fx, int slot,
                            const char *model);
/* Stores the result (record or error) in its slot; false when it is too old, or
 * cancelled, and was destroyed. Ownership: takes r->record. */
bool state_result(struct app_state *s, struct hl_result *r, float ms);

/* Notice for the line at the bottom. */
void state_notice(struct app_state *s, bool failed, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A pin on the shown word `label` that begins at byte `at` (-1: special token). */
struct app_pin state_pin_make(enum app_side side, int at, const char *label);
/* Adds the pin, or takes it away when it stands. */
void state_pin_toggle(struct app_state *s, struct app_pin p);
bool state_pin_same(const struct app_pin *a, const struct app_pin *b);
/* Where the pin's word stands in `text` now (letters' case does not count); false
 * while it sleeps. Special tokens are found by label, not here. */
bool state_pin_find(const struct app_pin *p, const char *text, size_t n, int *start, int *end);

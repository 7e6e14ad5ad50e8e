/* A screen: descriptor of functions, one file each, one line in screens.c.
 *
 * build() is pure: it reads the state and appends to the display list. event()
 * changes the state of its own screen and asks for effects. Both get the whole
 * app_state; a screen keeps its own part in app_state.<screen>. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "draw/dl.h"
#include "draw/metrics.h"
#include "draw/theme.h"
#include "state/effects.h"
#include "ui/input.h"

#include "state/texts.h"
#include "ui/field.h"
#include "ui/ui.h"

struct app_model;
struct app_state;
struct attention_pic;
struct picture_memo;
struct control_table;
struct hl_result;

struct screen_ctx {
    struct dl *dl;
    struct ui *ui; /* widgets; carries dl, metrics, theme, frame, hover and focus too */
    const struct hl_metrics *metrics;
    const struct hl_theme *theme;
    const struct app_state *state;
    struct hl_arena *frame;    /* scratch, reset each frame */
    struct picture_memo *memo; /* see screen_picture */
};

/* The shown screen's picture of attention, made at most once a frame; false: not there. */
bool screen_picture(const struct screen_ctx *c, struct attention_pic *out);

/* A text field of a screen: the region `id` shows it. */
struct screen_field {
    const char *id;
    float size; /* of its letters */
    struct ui_field *(*of)(const struct app_state *s);
    void (*changed)(struct app_state *s, struct hl_effects *fx);
    /* A key before the field sees it, Enter say (may be NULL). True: it was used. */
    bool (*key)(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx);
};

struct hl_screen {
    const char *id;              /* "translate": command line and hit ids */
    const char *title;           /* "Translate" */
    bool has_text;               /* the shell draws the text field and token chips above it */
    bool own_chips;              /* the screen itself draws what became of the text */
    enum app_text text;          /* which typed text is the screen's (has_text) */
    const char *hint;            /* shown in the empty field; NULL: the usual one */
    const char *const *examples; /* NULL-terminated; the first is shown at first start */
    size_t size;                 /* of what it keeps: state_part(s, id) */
    int n_slots;                 /* of the session, numbered from 0 for the screen */
    bool shows;                  /* its first slot holds the record that is shown */
    /* Fills what it keeps for a first start; frees what that owns. Both may be NULL.
     * Fails: false (no memory). */
    bool (*init)(struct app_state *s);
    void (*deinit)(struct app_state *s);
    /* Text fields besides the shell's: those with the keyboard's focus get its events.
     * NULL-terminated by id. */
    const struct screen_field *fields;
    /* Name of the model that the screen runs; NULL when it needs none. */
    const char *(*model)(const struct app_state *s);
    uint32_t wants; /* it can show models that can any of these (HL_CAN); 0: it needs none */
    /* Everything below the chips (area); also provenance line text into buf. */
    void (*build)(const struct screen_ctx *c, hl_rect area);
    void (*provenance)(const struct screen_ctx *c, char *buf, int buf_sz);
    /* True when the event was used. What comes, and what `hit` is ("" if none):
     * MOUSE_DOWN with the id under the pointer (also when Enter or Space clicks the
     * focused id: then x, y are its centre); MOUSE_MOVE and MOUSE_UP with the id that
     * was pressed while the button is down, else the one under the pointer; WHEEL
     * with the id under the pointer; KEY, TEXT, PREEDIT and PASTE with the focused
     * id, before the shell's text field sees them unless it has the focus; DONE; TICK with ""
     * while FX_ANIMATE runs. */
    bool (*event)(struct app_state *s, const struct hl_event *ev, const char *hit,
                  struct hl_effects *fx);
    /* DROP or PICTURE, whichever screen is shown (may be NULL). True: show this one. */
    bool (*outside)(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx);
    /* Tables of controls, NULL-terminated (may be NULL); see control.h. Their events, keys,
     * --set and saving need nothing more from the screen. */
    const struct control_table *const *controls;
    /* --set KEY=VALUE beyond the controls; false with a sentence in err when the key is not of this
     * screen (code UNSUPPORTED) or the value not allowed (ARGUMENT). */
    bool (*set)(struct app_state *s, const char *key, const char *value, struct hl_error *err);
    /* The text or an option changed: ask for what must be run (may be NULL). */
    void (*request)(struct app_state *s, struct hl_effects *fx);
    /* A record of slot k of the screen's own arrived (already stored): more may be asked. */
    void (*result)(struct app_state *s, int k, struct hl_effects *fx);
    /* A person picked an open model that the screen can show (may be NULL). */
    void (*picked)(struct app_state *s, const struct app_model *m);
    /* Every setting beyond the controls as KEY, VALUE that set() takes back (may be NULL). */
    void (*save)(const struct app_state *s,
                 void (*put)(void *user, const char *key, const char *value), void *user);
    /* The attention that chips and marks belong to (NULL: none). False: not there yet. */
    bool (*picture)(const struct app_state *s, struct hl_arena *a, struct attention_pic *out);
    /* Notices in the screen's own words (may be NULL; false: the usual sentence): why the
     * newest run failed while an older picture stands, and what was left out of the text
     * (`where` says from which word on, or is ""). */
    bool (*say_failed)(const struct app_state *s, char *buf, int buf_sz);
    bool (*say_dropped)(const struct hl_record *r, const char *where, char *buf, int buf_sz);
    /* Lines of the F1 page: "key\0what" pairs, NULL-terminated. */
    const char *const *keys;
    const char *const *help; /* paragraphs, NULL-terminated */
};

/* All screens in the order of the navigation; *n is their number. */
const struct hl_screen *const *screen_all(int *n);
const struct hl_screen *screen_find(const char *id); /* NULL if unknown */

/* What a screen draws while it has no record: why (loading, an error, no text). */
void screen_waiting(const struct screen_ctx *c, hl_rect area, const char *model);

/* Gives the event to a text field and asks for the clipboard where it wants it.
 * Returns CHANGED, USED or UNUSED. */
enum field_change screen_field_event(struct app_state *s, struct ui_field *f,
                                     const struct hl_event *ev, hl_rect r, float size,
                                     struct hl_effects *fx);

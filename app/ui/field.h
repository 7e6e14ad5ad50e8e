/* A text field of one line that scrolls: everything a person expects of one.
 *
 * The text is UTF-8 and always valid (what comes in is repaired, invalid bytes
 * become U+FFFD). Line breaks are kept and shown as a mark; tabs become spaces.
 * Long texts are measured in a window around the caret, so that a paste of
 * 10,000 characters costs no more than a short one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"
#include "draw/metrics.h"
#include "ui/input.h"
#include "ui/ui.h"

enum { FIELD_UNDO = 100 };

/* Text and caret before a change; text owned. */
struct field_undo {
    char *text;
    size_t n, caret, anchor;
};

struct ui_field {
    struct hl_sb text;
    size_t caret, anchor; /* byte offsets at grapheme borders; equal: no selection */
    float scroll;         /* pixels of the window's text left of the field */
    size_t window_start;  /* what scroll is counted from */
    char *preedit;        /* IME composition shown at the caret, NULL if none; owned */
    size_t preedit_caret; /* byte offset in it */
    struct field_undo undo[FIELD_UNDO], redo[FIELD_UNDO];
    int n_undo, n_redo;
    int group; /* what the last change was, for grouping (enum in field.c) */
    bool dragging;
    int drag_clicks; /* 1 characters, 2 words, 3 all */
    size_t drag_from, drag_to;
};

/* Scrolls so that the caret shows: after the text was set or the field's width
 * changed. */
void field_reveal(struct ui_field *f, const struct hl_metrics *m, hl_rect r, float size);

/* What a field's event did. */
enum field_change {
    FIELD_UNUSED,         /* not for this field */
    FIELD_USED,           /* caret or selection moved, or nothing to do */
    FIELD_CHANGED,        /* the text is another one */
    FIELD_COPY,           /* the selection is wanted on the clipboard */
    FIELD_CUT,            /* the same; then erase it by field_insert of nothing */
    FIELD_PASTE,          /* the clipboard is wanted: it comes back as EV_PASTE */
    FIELD_PASTE_SELECTION /* what is selected elsewhere is wanted, in the same way */
};

/* An empty field: `= { 0 }`. Ownership: field_deinit. */
void field_deinit(struct ui_field *f);
/* Replaces the text (repaired), caret at its end, forgets undo. Fails: false (no
 * memory; the old text stays). */
bool field_set(struct ui_field *f, const char *s, size_t n);
/* As if typed over the selection: can be undone. Fails: false (no memory). */
bool field_insert(struct ui_field *f, const char *s, size_t n);
/* The text, NUL-terminated; "" when empty. */
const char *field_text(const struct ui_field *f);
/* The selection; n = 0 when there is none. */
struct hl_span field_selection(const struct ui_field *f);
void field_select_all(struct ui_field *f);

/* Handles keys, text, preedit, paste and the mouse. `r` is where field_build drew
 * it, `size` the font size. Mouse moves are used only while dragging. */
enum field_change field_event(struct ui_field *f, const struct hl_event *ev,
                              const struct hl_metrics *m, hl_rect r, float size);

/* Draws the field (border, text, selection, caret when focused) and names it `id`.
 * `hint` is shown in an empty field. */
void field_build(struct ui *u, const struct ui_field *f, hl_rect r, float size, const char *id,
                 const char *hint);

/* Where the caret stands inside `r` (for the IME's candidate window). */
hl_rect field_caret_rect(const struct ui_field *f, const struct hl_metrics *m, hl_rect r,
                         float size);

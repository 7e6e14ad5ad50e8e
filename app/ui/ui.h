/* Widgets: functions that draw into the display list and name what can be clicked.
 *
 * Nothing is kept between frames: what is hovered, focused and pressed comes in by
 * name. Ids are "group:item". Every id can be reached by Tab (one stop per group,
 * arrow keys inside a group) unless it begins with '~'. Enter and Space click the
 * focused one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "draw/dl.h"
#include "draw/metrics.h"
#include "draw/theme.h"

enum { UI_ID_SZ = 96, UI_TIP_SZ = 160 };

struct ui {
    struct dl *dl;
    const struct hl_metrics *metrics;
    const struct hl_theme *theme;
    struct hl_arena *frame;    /* scratch of this frame */
    const char *hover, *focus; /* ids, "" if none */
    const char *hushed;        /* shows no tip: it was just pressed; NULL if none */
    bool focus_visible;        /* focus came by keyboard: draw its ring */
    /* Set while building, drawn last by ui_end. */
    hl_rect tip_at;
    char tip[UI_TIP_SZ];
};

/* Sizes in steps of 4 (logical pixels). */
enum {
    UI_GAP = 8,
    UI_PAD = 16,
    UI_BUTTON_H = 28,
    UI_ROW_H = 20,
    UI_PANEL_RADIUS = 10,
    UI_RADIUS = 6
};

bool ui_hovered(const struct ui *u, const char *id);
bool ui_focused(const struct ui *u, const char *id);

/* Text on one line in `r`, vertically centred, cut with an ellipsis to its width.
 * Returns the width it takes. */
float ui_label(struct ui *u, hl_rect r, enum dl_font font, float size, enum dl_align align,
               hl_color color, const char *s);
float ui_text_width(const struct ui *u, enum dl_font font, float size, const char *s);
/* Baseline that centres text of this size in a height of h from y. */
float ui_baseline(const struct ui *u, enum dl_font font, float size, float y, float h);
/* Text broken at spaces over several lines from the top of r; returns the height
 * used. Draws nothing when `draw` is false (to measure). */
float ui_paragraph(struct ui *u, hl_rect r, enum dl_font font, float size, hl_color color,
                   const char *s, bool draw);

/* A panel: filled, hairline border, rounded. Returns the inside (padded). */
hl_rect ui_panel(struct ui *u, hl_rect r);
/* A hairline across. */
void ui_rule(struct ui *u, float x, float y, float w);

/* Names a region, draws the focus ring when it has the focus, keeps the tip when
 * hovered (tip may be NULL; put the key in it: "Other theme (Ctrl+T)"). */
void ui_hit(struct ui *u, hl_rect r, float radius, enum dl_cursor cursor, const char *id,
            const char *tip);

enum ui_button_style { UI_BUTTON_PLAIN, UI_BUTTON_OUTLINE, UI_BUTTON_QUIET };

/* Width a button wants. */
float ui_button_width(const struct ui *u, const char *label);
void ui_button(struct ui *u, hl_rect r, enum ui_button_style style, bool enabled, const char *id,
               const char *label, const char *tip);

/* One of several: items side by side, ids "group:key". Draws from the left of r
 * and returns the width used. `keys` and `labels` hold n each; `tip` for all. */
float ui_segments(struct ui *u, hl_rect r, const char *group, const char *const *keys,
                  const char *const *labels, int n, int chosen, const char *tip);
float ui_segments_width(const struct ui *u, const char *const *labels, int n);
/* The same as quiet tabs: the chosen one on a tint (navigation, views). */
float ui_tabs(struct ui *u, hl_rect r, const char *group, const char *const *keys,
              const char *const *labels, int n, int chosen, const char *tip);

/* A switch with its label; the whole of it is the hit. Returns the width used. */
float ui_switch(struct ui *u, hl_rect r, bool on, const char *id, const char *label,
                const char *tip);
float ui_switch_width(const struct ui *u, const char *label);

/* A switch in words, 22 high: accent on its tint while lit. Returns the width used, gap
 * included. */
float ui_pill(struct ui *u, float x, float y, bool lit, const char *id, const char *label,
              const char *tip);

/* A slider over r (label left, value right, track between). A press or drag at x
 * means ui_slider_value(r of the hit, x). */
void ui_slider(struct ui *u, hl_rect r, const char *id, const char *label, const char *value,
               float t, const char *tip);
/* A mark at t of its track. */
void ui_slider_mark(struct ui *u, hl_rect r, float t);
/* 0..1 along the track of a slider whose hit region is r. */
float ui_slider_value(hl_rect r, float x);

/* A closed drop-down ("label ▾"). */
void ui_dropdown(struct ui *u, hl_rect r, const char *id, const char *label, bool open,
                 const char *tip);
/* Its open list below (or above) `at`: ids "group:0" ... Items with a leading '-'
 * are disabled. Call it after everything that it covers. */
void ui_menu(struct ui *u, hl_rect at, hl_rect bounds, const char *group, const char *const *labels,
             int n, int chosen);

/* A horizontal bar of t (0..1) on its track. */
void ui_bar(struct ui *u, hl_rect r, float t, hl_color color);

/* Draws what lies above all else: the tip. */
void ui_end(struct ui *u);

/* Is this id a stop of the Tab key? */
bool ui_can_focus(const char *id);
/* Next or previous stop after `from` in the list's order: the next group (its
 * first item) with `inside` false, the next item of the same group with `inside`
 * true (ends at the borders). Writes it to out; false when there is none. */
bool ui_focus_step(const struct dl *last, const char *from, bool back, bool inside, char *out,
                   size_t out_sz);

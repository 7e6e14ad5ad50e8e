/* Controls, declared once: a row says key, kind, range or names, label and tip, how it is
 * drawn, its key on the keyboard, and where its value lies. From the row follow drawing,
 * hit, tip, keyboard, --set, saving and the line of the help page.
 *
 * A screen lists its tables in hl_screen.controls; the shell gives their events to
 * control_event before the screen sees them. Ids: "KEY:NAME" for one of several side by
 * side, "slide:KEY" for a slider, "switch:KEY" for all else. */
#pragma once

#include <stdbool.h>

#include "base/option.h"
#include "screen/screen.h"
#include "state/state.h"

enum control_look {
    CONTROL_HIDDEN,   /* not drawn: --set, saving and the keyboard alone */
    CONTROL_PILL,     /* words in a small frame, lit while the value is not the first; a press
                         goes on to the next value */
    CONTROL_SEGMENTS, /* a choice, side by side */
    CONTROL_TABS,     /* the same as quiet tabs */
    CONTROL_SWITCH,   /* on or off, with its label */
    CONTROL_SLIDER
};

struct hl_control {
    struct hl_option o;
    enum control_look look;
    int key;          /* with Alt: the next value; 0 none */
    const char *does; /* line of the help page for that key; NULL: the tip */
    bool reruns;      /* a change asks for a new run */
    bool forgets;     /* not saved */
    double (*get)(const struct app_state *s);
    void (*put)(struct app_state *s, double v);
    double (*next)(double v);   /* the value after v; NULL: one on, from the start again */
    double (*at)(double place); /* slider: value at 0..1; NULL: evenly from min to max */
    double (*place)(double v);  /* and back */
    double step;                /* slider: of an arrow key; 0: 1, of real numbers 2 % */
    /* SLIDER: what it runs over, and of whole numbers what is allowed (NULL: min to max). */
    void (*range)(const struct app_state *s, double *from, double *to);
    /* A choice beside the values, "trained" say: get and put have NAN for it, `home` is the
     * value that is in use then. A slider of real numbers marks that place, where the knob
     * comes to rest; one of whole numbers has it as a stop behind the last. A double click
     * on the slider chooses it. NULL: none. */
    const char *own;
    double (*home)(const struct app_state *s);
    const char *(*label)(double v); /* PILL: what it says now; NULL: the label */
    /* SLIDER: the text on the right; SWITCH: instead of the label. NULL: the usual one. */
    const char *(*value)(const struct app_state *s, char *buf, size_t buf_sz);
};

/* get and put of a value by what it is and what setting it to `v` does, of state `s`. */
#define CONTROL_BY(name, what, set)                                                                \
    static double get_##name(const struct app_state *s)                                            \
    {                                                                                              \
        return (double)(what);                                                                     \
    }                                                                                              \
    static void put_##name(struct app_state *s, double v)                                          \
    {                                                                                              \
        set;                                                                                       \
    }
/* The same of a member of app_state, of a member of what `of`(s) keeps; and the row's part
 * that names them. */
#define CONTROL_VALUE(name, member, type) CONTROL_BY(name, s->member, s->member = (type)v)
#define CONTROL_PART(name, of, member, type)                                                       \
    CONTROL_BY(name, of(s)->member, of(s)->member = (type)v)
/* A row's option in short: a choice of names (with titles for people), a switch, a number. */
#define CONTROL_CHOICE(k, l, n, t) CONTROL_TITLED(k, l, n, NULL, t)
#define CONTROL_TITLED(k, l, n, people, t)                                                         \
    .o = { .key = (k),                                                                             \
           .label = (l),                                                                           \
           .kind = HL_OPTION_CHOICE,                                                               \
           .names = (n),                                                                           \
           .titles = (people),                                                                     \
           .tip = (t) }
#define CONTROL_ON_OFF(k, l, t)                                                                    \
    .o = { .key = (k), .label = (l), .kind = HL_OPTION_SWITCH, .tip = (t) }
#define CONTROL_NUMBER(k, l, whole_or_real, from, to, t)                                           \
    .o = {                                                                                         \
        .key = (k), .label = (l), .kind = (whole_or_real), .min = (from), .max = (to), .tip = (t)  \
    }
#define CONTROL_AT(name) .get = get_##name, .put = put_##name
/* The same with look and key. */
#define CONTROL_SHOWN(name, as, alt) .look = (as), .key = (alt), CONTROL_AT(name)

struct control_table {
    int n;
    const struct hl_control *rows;
};

/* The row of a key among the screen's tables; NULL if there is none. */
const struct hl_control *control_find(const struct hl_screen *sc, const char *key);

/* Draws the row from the left of r in its look; returns the width used (a slider takes
 * all of r). The tip names the key. */
float control_draw(struct ui *u, hl_rect r, const struct app_state *s, const struct hl_control *c);
/* Width of a pill, a switch or segments as they stand (0 of others). */
float control_width(const struct ui *u, const struct app_state *s, const struct hl_control *c);

/* A press, a drag or a key of the shown screen's controls; `hit` as for hl_screen.event.
 * True: it was used, and a new run asked for where the row says so. */
bool control_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                   struct hl_effects *fx);

/* By so many steps of the slider (of the arrow keys, the wheel). */
void control_step(struct app_state *s, const struct hl_control *c, double steps,
                  struct hl_effects *fx);

/* --set and saved settings: *known says whether a row has this key. Fails: ARGUMENT. */
enum hl_status control_set(struct app_state *s, const struct hl_screen *sc, const char *key,
                           const char *value, bool *known, struct hl_error *err);
/* Every row that is kept. */
void control_save(const struct app_state *s, const struct hl_screen *sc,
                  void (*put)(void *user, const char *key, const char *value), void *user);

/* A window without a window: the app's state, fed by events, drawn with fixed
 * metrics, and questions about what the list shows. */
#pragma once

#include "harness/test.h"

#include "base/arena.h"
#include "draw/dl.h"
#include "screen/app.h"
#include "state/state.h"

struct stage {
    struct app_state s;
    struct hl_arena frame;
    struct dl dl;
    struct hl_effects fx; /* of the last event (of the whole click) */
};

/* Starts on `screen` at this size. */
void stage_open(struct stage *g, const char *screen, float w, float h);
void stage_close(struct stage *g);
void stage_draw(struct stage *g);
/* --set; fails the test when it is refused. */
void stage_set(struct stage *g, const char *key, const char *value);

void stage_key(struct stage *g, int key, int mods);
void stage_type(struct stage *g, const char *text);
/* A click in the middle of a named region; fails the test when there is none. */
void stage_click(struct stage *g, const char *id, int clicks);
/* A press, a move and a release from part t0 to part t1 of a region's width. */
void stage_drag(struct stage *g, const char *id, float t0, float t1);

/* Text drawn inside a named region; "" when there is none. */
const char *stage_text(const struct stage *g, const char *id);
bool stage_shows(const struct stage *g, const char *text);

/* Compares the list of the screen alone (without the shell) with golden/NAME.txt, or
 * writes it when the program was called with "update". */
void stage_golden(struct stage *g, const char *name);
void stage_arguments(int argc, char **argv);

/* Opens `screen`, sets `pairs` (KEY, VALUE ... NULL), draws and types, with every
 * allocation failing in turn: nothing may crash or leak. */
void stage_without_memory(const char *screen, const char *const *pairs);

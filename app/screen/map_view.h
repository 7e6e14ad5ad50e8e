/* Views of one map, chosen by what its axes are. A view is a row of map_views.
 * Every function here: Thread-safety: one thread per frame. Fails: never. */
#pragma once

#include "screen/attention.h"

/* One layer and head of a map of a record. */
struct map_shown {
    const struct app_state *s;
    const struct hl_record *record;
    const struct hl_map *map;
    int layer, head;                 /* head -1: mean over heads */
    const struct attention_pic *pic; /* where both axes are tokens, else NULL */
};

struct map_view {
    const char *key, *title;
    bool (*suits)(const struct hl_record *r, const struct hl_map *m);
    void (*draw)(struct ui *u, hl_rect r, const struct map_shown *m);
    bool colours; /* the switches of scale and words change it */
};

extern const struct map_view map_views[];
extern const int n_map_views;

/* The view asked for where it suits the map, else the first that does. */
int map_view_fit(const struct hl_record *r, const struct hl_map *m, int wanted);

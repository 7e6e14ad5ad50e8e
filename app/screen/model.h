/* The Model screen: any network from its declaration and its record (model.c). */
#pragma once

#include "screen/attention.h"
#include "state/state.h"

struct model_state {
    char name[APP_NAME_SZ]; /* the model that was picked; "": the one with heads */
    /* Values of its options in their order; `touched` says which differ from its own. */
    double values[HL_REQUEST_VALUES];
    bool touched[HL_REQUEST_VALUES];
    bool chosen; /* `map` was picked; else the first of weights */
    int map;     /* which of the record's maps */
    int view;    /* row of map_views, as asked for; another where that does not suit */
    struct attention_head at;
};

extern const struct hl_screen screen_model;

static inline struct model_state *
model_of(const struct app_state *s)
{
    return state_part(s, "model");
}

/* What update wants done outside: plain data, performed by app/sdl or app/cli. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

enum fx_kind {
    FX_RUN,        /* submit: slot, ticket, model name, request (strings in the state) */
    FX_COPY,       /* clipboard gets text */
    FX_PASTE,      /* ask for the clipboard, or for the selection (on): comes back as EV_PASTE */
    FX_EXPORT_PNG, /* picture of the window's screen to path (NULL: a name is made) */
    FX_EXPORT_SVG,
    FX_EXPORT_JSON, /* the record */
    FX_FULLSCREEN,  /* toggle */
    FX_SCALE,       /* interface scale factor in `number` */
    FX_TEXT_INPUT,  /* on/off and the caret's place in rect (candidate window) */
    FX_SAVE,        /* settings and texts changed */
    FX_ANIMATE,     /* ticks wanted until `number` ms from now */
    FX_QUIT,
    FX_OPEN_PICTURE, /* read the picture at path `text`: comes back as EV_PICTURE (ticket) */
    FX_KIND_COUNT
};

struct hl_effect {
    enum fx_kind kind;
    int slot;
    uint64_t ticket;
    const char *model; /* "en-fr-gru"; lives in the state */
    struct hl_request req;
    const char *text;
    bool on;
    float number;
    float x, y, w, h;
};

enum { FX_MAX = 32 };

struct hl_effects {
    int n;
    struct hl_effect v[FX_MAX];
};

/* Appends and returns a zeroed effect of the kind (the last one again when full). */
struct hl_effect *fx_push(struct hl_effects *fx, enum fx_kind kind);

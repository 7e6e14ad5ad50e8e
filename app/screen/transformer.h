/* The Transformer screen (transformer.c). */
#pragma once

#include "screen/attention.h"

enum app_map { APP_MAP_ENCODER, APP_MAP_DECODER, APP_MAP_CROSS, APP_MAP_COUNT };

struct transformer_state {
    enum app_map map;
    struct attention_head at; /* automatic: the head that links the pinned word best */
    bool no_positions;        /* run without positional encodings */
};

extern const struct hl_screen screen_transformer;

static inline struct transformer_state *
transformer_of(const struct app_state *s)
{
    return state_part(s, "transformer");
}

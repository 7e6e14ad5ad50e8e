/* The Transformer screen (transformer.c). */
#pragma once

#include "screen/attention.h"

extern const struct hl_screen screen_transformer;

/* From a picture of attention to Arithmetic: the numbers behind one row. */
#pragma once

#include "screen/attention.h"

/* Asks for the vectors behind the picture's pinned row, by a run like `like` of `model`; a
 * notice says why when there is no such row. */
void handover_send(struct app_state *s, const struct attention_pic *p, const char *model,
                   const struct hl_request *like, struct hl_effects *fx);

/* The answer is in Arithmetic's slot: its numbers are taken and its screen is shown. */
void handover_received(struct app_state *s);

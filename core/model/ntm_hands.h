/* Private to the Neural Turing Machine: a request's overrides as what is in hand. */
#pragma once

#include "model/ntm.h"

/* Fills *o, which is empty. Thread-safety: reentrant. Fails: ARGUMENT (no such number or
 * head, a value out of range, more than HL_NTM_MAX_HANDS steps and heads). */
enum hl_status hl_ntm_read_hands(const struct hl_ntm_info *info, const struct hl_request *q,
                                 struct hl_ntm_options *o, struct hl_error *err);

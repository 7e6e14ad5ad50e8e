/* Everything that core offers, for programs that do not care about the parts. */
#pragma once

#include "analysis/group.h"
#include "analysis/kinds.h"
#include "analysis/summary.h"
#include "attn/posenc.h"
#include "attn/score.h"
#include "attn/window.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "base/utf8.h"
#include "io/record_json.h"
#include "mech/mech.h"
#include "model/model.h"
#include "record/record.h"
#include "session.h"
#include "tok/tok.h"

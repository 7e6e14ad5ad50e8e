#include "state/effects.h"

struct hl_effect *
fx_push(struct hl_effects *fx, enum fx_kind kind)
{
    struct hl_effect *e = &fx->v[fx->n < FX_MAX ? fx->n++ : FX_MAX - 1];
    *e = (struct hl_effect) { .kind = kind };
    return e;
}

#include "mech/mech.h"

#include <string.h>

#include "mech/mech_list.h"

#define X(name) extern const struct hl_mech hl_mech_##name;
HL_MECH_LIST(X)
#undef X

#define X(name) &hl_mech_##name,
const struct hl_mech *const hl_mechs[] = { HL_MECH_LIST(X) };
#undef X

const int hl_n_mechs = (int)(sizeof hl_mechs / sizeof hl_mechs[0]);

const struct hl_mech *
hl_mech_find(const char *key)
{
    for (int i = 0; i < hl_n_mechs; i++) {
        if (strcmp(hl_mechs[i]->key, key) == 0)
            return hl_mechs[i];
    }
    return NULL;
}

int
hl_mech_input_index(const struct hl_mech *m, const char *key)
{
    for (int i = 0; i < m->n_inputs; i++) {
        if (strcmp(m->inputs[i].key, key) == 0)
            return i;
    }
    return -1;
}

int
hl_mech_option_index(const struct hl_mech *m, const char *key)
{
    for (int i = 0; i < m->n_options; i++) {
        if (strcmp(m->options[i].key, key) == 0)
            return i;
    }
    return -1;
}

int
hl_mech_step_index(const struct hl_mech_result *r, const char *key)
{
    for (int i = 0; i < r->n_steps; i++) {
        if (strcmp(r->steps[i].key, key) == 0)
            return i;
    }
    return -1;
}

#include "mech/mech.h"

#include <string.h>

/* The fixed size that a shape letter spells ("1"), or 0 for a letter proper. */
static int
fixed_size(const char *letter)
{
    return letter[0] >= '1' && letter[0] <= '9' ? letter[0] - '0' : 0;
}

/* Places inputs of the given shapes one after another; false if they do not fit. */
static bool
lay_out(struct hl_mech_problem *p)
{
    int at = 0;
    for (int i = 0; i < p->n_inputs; i++) {
        if (p->rows[i] < 1 || p->rows[i] > HL_MECH_MAX_DIM)
            return false;
        if (p->cols[i] < 1 || p->cols[i] > HL_MECH_MAX_DIM)
            return false;
        p->at[i] = at;
        at += p->rows[i] * p->cols[i];
        if (at > HL_MECH_MAX_CELLS)
            return false;
    }
    return true;
}

bool
hl_mech_preset_load(const struct hl_mech *m, int i, struct hl_mech_problem *p)
{
    if (i < 0 || i >= m->n_presets)
        return false;
    const struct hl_mech_preset *s = &m->presets[i];

    memset(p, 0, sizeof *p);
    p->n_inputs = m->n_inputs;
    for (int k = 0; k < m->n_inputs; k++) {
        p->rows[k] = s->shape[k][0];
        p->cols[k] = s->shape[k][1];
    }
    if (!lay_out(p))
        return false;
    int last = m->n_inputs - 1;
    int n = p->at[last] + p->rows[last] * p->cols[last];
    memcpy(p->cells, s->cells, (size_t)n * sizeof p->cells[0]);
    memcpy(p->options, s->options, sizeof p->options);
    return true;
}

bool
hl_mech_problem_init(const struct hl_mech *m, int (*size)(const char *letter, void *user),
                     void *user, struct hl_mech_problem *p)
{
    memset(p, 0, sizeof *p);
    p->n_inputs = m->n_inputs;
    for (int i = 0; i < m->n_inputs; i++) {
        int rows = fixed_size(m->inputs[i].rows), cols = fixed_size(m->inputs[i].cols);
        p->rows[i] = rows ? rows : size(m->inputs[i].rows, user);
        p->cols[i] = cols ? cols : size(m->inputs[i].cols, user);
    }
    for (int i = 0; i < m->n_options; i++)
        p->options[i] = m->options[i].initial;
    return lay_out(p);
}

double *
hl_mech_cell(struct hl_mech_problem *p, int i, int row, int col)
{
    if (i < 0 || i >= p->n_inputs || row < 0 || row >= p->rows[i])
        return NULL;
    if (col < 0 || col >= p->cols[i])
        return NULL;
    return &p->cells[p->at[i] + row * p->cols[i] + col];
}

int
hl_mech_size(const struct hl_mech *m, const struct hl_mech_problem *p, const char *letter)
{
    for (int i = 0; i < m->n_inputs; i++) {
        if (strcmp(m->inputs[i].rows, letter) == 0)
            return p->rows[i];
        if (strcmp(m->inputs[i].cols, letter) == 0)
            return p->cols[i];
    }
    return 0;
}

/* Copies the cells that old and new shape share; the rest of `to` stays 0. */
static void
copy_cells(const struct hl_mech_problem *from, struct hl_mech_problem *to)
{
    for (int i = 0; i < to->n_inputs; i++) {
        int rows = from->rows[i] < to->rows[i] ? from->rows[i] : to->rows[i];
        int cols = from->cols[i] < to->cols[i] ? from->cols[i] : to->cols[i];
        for (int r = 0; r < rows; r++) {
            memcpy(&to->cells[to->at[i] + r * to->cols[i]],
                   &from->cells[from->at[i] + r * from->cols[i]],
                   (size_t)cols * sizeof to->cells[0]);
        }
    }
}

bool
hl_mech_resize(const struct hl_mech *m, struct hl_mech_problem *p, const char *letter, int n)
{
    struct hl_mech_problem q = { .n_inputs = p->n_inputs };
    bool known = false;

    if (fixed_size(letter))
        return false;
    memcpy(q.options, p->options, sizeof q.options);
    for (int i = 0; i < m->n_inputs; i++) {
        bool rows = strcmp(m->inputs[i].rows, letter) == 0;
        bool cols = strcmp(m->inputs[i].cols, letter) == 0;
        q.rows[i] = rows ? n : p->rows[i];
        q.cols[i] = cols ? n : p->cols[i];
        known = known || rows || cols;
    }
    if (!known || !lay_out(&q))
        return false;
    copy_cells(p, &q);
    *p = q;
    return true;
}

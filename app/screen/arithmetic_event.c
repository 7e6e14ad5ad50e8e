/* What keys, clicks and --set do to the Arithmetic screen. */
#include "screen/arithmetic_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "state/state.h"

static bool
starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* ---- moving about ---- */

/* Scrolls so that the named region can be seen. */
static void
show_region(struct app_state *s, const char *id)
{
    struct arithmetic_state *a = arithmetic_of(s);
    hl_rect view, r;
    if (s->last == NULL || !dl_hit_find(s->last, "~flow", &view) || !dl_hit_find(s->last, id, &r))
        return;
    if (r.x < view.x)
        a->scroll_x -= view.x - r.x + 16;
    if (r.x + r.w > view.x + view.w)
        a->scroll_x += r.x + r.w - view.x - view.w + 16;
    if (r.y < view.y)
        a->scroll_y -= view.y - r.y + 16;
    if (r.y + r.h > view.y + view.h)
        a->scroll_y += r.y + r.h - view.y - view.h + 16;
}

static void
clamp_scroll(struct app_state *s)
{
    struct arithmetic_state *a = arithmetic_of(s);
    hl_rect view, all;
    if (s->last == NULL || !dl_hit_find(s->last, "~flow", &view) ||
        !dl_hit_find(s->last, "~content", &all))
        return;
    float x = all.w - view.w, y = all.h - view.h;
    a->scroll_x = a->scroll_x < 0 || x <= 0 ? 0 : a->scroll_x > x ? x : a->scroll_x;
    a->scroll_y = a->scroll_y < 0 || y <= 0 ? 0 : a->scroll_y > y ? y : a->scroll_y;
}

/* Selects a cell and, when the keyboard is among the cells, takes the focus along. */
static void
go(struct app_state *s, const char *step, int row, int col)
{
    char id[UI_ID_SZ];
    arithmetic_select(arithmetic_of(s), step, row, col);
    snprintf(id, sizeof id, "cell:%s:%d:%d", step, row, col);
    if (s->focus[0] == 0 || starts(s->focus, "cell:") || starts(s->focus, "number:"))
        snprintf(s->focus, sizeof s->focus, "%s", id);
    show_region(s, id);
    clamp_scroll(s);
}

/* Nearest cell on the screen in the direction (dx, dy): what lies straight ahead
 * counts before what lies aside. */
static bool
go_towards(struct app_state *s, int dx, int dy)
{
    const struct arithmetic_cell *at = &arithmetic_of(s)->cell;
    struct arithmetic_cell to = { .row = -1 };
    char id[UI_ID_SZ];
    hl_rect from;
    float best = 1e9f;
    snprintf(id, sizeof id, "cell:%s:%d:%d", at->step, at->row, at->col);
    if (s->last == NULL || !dl_hit_find(s->last, id, &from))
        return false;
    float x = from.x + from.w / 2, y = from.y + from.h / 2;
    for (const struct dl_cmd *c = dl_first(s->last); c != NULL; c = dl_next(s->last, c)) {
        if (c->kind != DL_HIT || !starts(dl_tail(c), "cell:"))
            continue;
        hl_rect r = c->u.hit.r;
        float ax = r.x + r.w / 2 - x, ay = r.y + r.h / 2 - y;
        float ahead = dx != 0 ? ax * (float)dx : ay * (float)dy;
        float aside = fabsf(dx != 0 ? ay : ax);
        if (ahead < 2 || ahead + 3 * aside >= best)
            continue;
        best = ahead + 3 * aside;
        if (!arithmetic_cell_parse(dl_tail(c), &to))
            to.row = -1;
    }
    if (to.row < 0)
        return false;
    go(s, to.step, to.row, to.col);
    return true;
}

/* With a run of the tab's mechanism: the verbs that need its steps. */
struct run {
    struct hl_arena arena;
    struct hl_mech_result r;
    bool ok;
};

static void
run_begin(const struct arithmetic_state *a, struct run *run)
{
    hl_arena_init(&run->arena, 1 << 16, 0);
    run->ok = arithmetic_run(a, &run->arena, &run->r, NULL) == HL_OK;
}

static void
run_end(struct run *run)
{
    hl_arena_deinit(&run->arena);
}

/* The matrix before or after, at the same place as far as it has it. */
static void
go_step(struct app_state *s, int by)
{
    struct run run;
    run_begin(arithmetic_of(s), &run);
    if (run.ok) {
        int i = hl_mech_step_index(&run.r, arithmetic_of(s)->cell.step);
        i = i < 0 ? 0 : (i + by + run.r.n_steps) % run.r.n_steps;
        const struct hl_mech_step *to = &run.r.steps[i];
        int row = arithmetic_of(s)->cell.row, col = arithmetic_of(s)->cell.col;
        go(s, to->key, row < to->rows ? row : to->rows - 1, col < to->cols ? col : to->cols - 1);
    }
    run_end(&run);
}

/* Reading order through a matrix, then on to the next input. */
static void
go_along(struct app_state *s, int by)
{
    struct arithmetic_state *a = arithmetic_of(s);
    const struct hl_mech *m = arithmetic_mech(a);
    const struct hl_mech_problem *p = arithmetic_problem(a);
    int i = hl_mech_input_index(m, a->cell.step);
    if (i < 0 || p == NULL)
        return;
    int at = a->cell.row * p->cols[i] + a->cell.col + by;
    if (at < 0 || at >= p->rows[i] * p->cols[i]) {
        i = (i + by + m->n_inputs) % m->n_inputs;
        at = by > 0 ? 0 : p->rows[i] * p->cols[i] - 1;
    }
    go(s, m->inputs[i].key, at / p->cols[i], at % p->cols[i]);
}

/* "term:I:a" of the sum, or "~chain:STEP:ROW:COL": to the cell that it names. */
static bool
follow(struct app_state *s, const char *hit)
{
    struct hl_mech_explanation x;
    struct hl_mech_ref to = { -1, 0, 0 };
    struct run run;
    run_begin(arithmetic_of(s), &run);
    if (run.ok && starts(hit, "~chain:")) {
        char *end;
        to.step = (int)strtol(hit + 7, &end, 10);
        to.row = *end == ':' ? (int)strtol(end + 1, &end, 10) : 0;
        to.col = *end == ':' ? (int)strtol(end + 1, &end, 10) : 0;
        if (to.step >= run.r.n_steps)
            to.step = -1;
    } else if (run.ok) {
        struct hl_mech_ref at = arithmetic_selected(arithmetic_of(s), &run.r);
        char *end;
        long i = strtol(hit + 5, &end, 10);
        if (at.step >= 0 && hl_mech_explain(&run.r, at.step, at.row, at.col, &run.arena, &x) &&
            i >= 0 && i < x.n_terms)
            to = strcmp(end, ":b") == 0 ? x.terms[i].b_at : x.terms[i].a_at;
    }
    if (to.step >= 0)
        go(s, run.r.steps[to.step].key, to.row, to.col);
    run_end(&run);
    return to.step >= 0;
}

/* ---- clicks ---- */

static void
slide(struct app_state *s, const char *id, float x)
{
    struct arithmetic_state *a = arithmetic_of(s);
    int i = hl_mech_option_index(arithmetic_mech(a), id + strlen("slide:"));
    hl_rect r;
    if (i < 0 || s->last == NULL || !dl_hit_find(s->last, id, &r))
        return;
    const struct hl_option *o = &arithmetic_mech(a)->options[i];
    arithmetic_set_option(a, i, arithmetic_option_at(o, (double)ui_slider_value(r, x)));
}

static void
slide_by(struct arithmetic_state *a, const char *id, double by)
{
    int i = hl_mech_option_index(arithmetic_mech(a), id + strlen("slide:"));
    if (i < 0)
        return;
    const struct hl_option *o = &arithmetic_mech(a)->options[i];
    double v = arithmetic_problem(a)->options[i];
    double t = arithmetic_option_place(o, v) + by / 50;
    double to = arithmetic_option_at(o, t < 0 ? 0 : t > 1 ? 1 : t);
    if (o->kind == HL_OPTION_WHOLE && fabs(to - v) < 1)
        to = v + (by > 0 ? 1 : -1);
    arithmetic_set_option(a, i, to);
}

static bool
load_preset_key(struct arithmetic_state *a, const char *key)
{
    const struct hl_mech *m = arithmetic_mech(a);
    for (int i = 0; i < m->n_presets; i++) {
        if (strcmp(m->presets[i].key, key) == 0)
            return arithmetic_load_preset(a, i);
    }
    return false;
}

static int
mech_by_key(const char *key)
{
    for (int i = 0; i < hl_n_mechs && i < ARITHMETIC_MECHS; i++) {
        if (strcmp(hl_mechs[i]->key, key) == 0)
            return i;
    }
    return -1;
}

static bool
resize_by(struct arithmetic_state *a, const char *id)
{
    char letter[8];
    size_t n = strlen(id);
    if (n < 2 || n > sizeof letter)
        return false;
    memcpy(letter, id, n - 1);
    letter[n - 1] = 0;
    int now = hl_mech_size(arithmetic_mech(a), arithmetic_problem(a), letter);
    arithmetic_resize(a, letter, now + (id[n - 1] == '+' ? 1 : -1));
    return true;
}

static bool
click(struct app_state *s, const struct hl_event *ev, const char *hit)
{
    struct arithmetic_state *a = arithmetic_of(s);
    struct arithmetic_cell to;
    if (starts(hit, "cell:") && arithmetic_cell_parse(hit, &to)) {
        bool again =
            strcmp(to.step, a->cell.step) == 0 && to.row == a->cell.row && to.col == a->cell.col;
        go(s, to.step, to.row, to.col);
        if (again && ev->clicks != 1)
            arithmetic_edit_begin(a, NULL);
        return true;
    }
    if (starts(hit, "term:") || starts(hit, "~chain:"))
        return follow(s, hit);
    if (starts(hit, "mech:"))
        return arithmetic_show_mech(a, mech_by_key(hit + 5)), true;
    if (starts(hit, "preset:"))
        return load_preset_key(a, hit + 7);
    if (starts(hit, "size:"))
        return resize_by(a, hit + 5);
    if (starts(hit, "option:")) {
        int i = hl_mech_option_index(arithmetic_mech(a), hit + 7);
        if (i >= 0)
            arithmetic_set_option(a, i, arithmetic_problem(a)->options[i] == 0);
        return i >= 0;
    }
    if (starts(hit, "slide:")) {
        slide(s, hit, ev->x);
        return true;
    }
    return false;
}

/* ---- typing ---- */

/* Ends typing before something else happens; a text that is no number is dropped. */
static void
leave_editing(struct arithmetic_state *a)
{
    if (a->editing && !arithmetic_edit_commit(a))
        arithmetic_edit_cancel(a);
}

static bool
to_field(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct arithmetic_state *a = arithmetic_of(s);
    hl_rect r = { 0 };
    if (s->last != NULL)
        dl_hit_find(s->last, "number:cell", &r);
    enum field_change done = screen_field_event(s, &a->field, ev, r, 14, fx);
    if (done == FIELD_CHANGED)
        arithmetic_edit_live(a);
    return done != FIELD_UNUSED;
}

/* A key while a number is being typed. */
static bool
edit_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct arithmetic_state *a = arithmetic_of(s);
    bool back = (ev->mods & MOD_SHIFT) != 0, plain = (ev->mods & (MOD_CTRL | MOD_ALT)) == 0;
    size_t n = strlen(field_text(&a->field));
    if (ev->key == KEY_ESCAPE) {
        arithmetic_edit_cancel(a);
        return true;
    }
    bool down = ev->key == KEY_ENTER || ev->key == KEY_DOWN, up = ev->key == KEY_UP;
    bool along = ev->key == KEY_TAB;
    bool right = plain && !back && ev->key == KEY_RIGHT && a->field.caret == n;
    bool left = plain && !back && ev->key == KEY_LEFT && a->field.caret == 0;
    if (!down && !up && !along && !right && !left)
        return to_field(s, ev, fx) || !plain;
    if (!arithmetic_edit_commit(a))
        return true;
    if (along)
        go_along(s, back ? -1 : 1);
    else
        go_towards(s, right - left, down - up);
    return true;
}

/* Tab may have brought the focus to another cell than the selected one. */
static void
select_focused(struct app_state *s, const char *hit)
{
    struct arithmetic_cell to;
    if (starts(hit, "cell:") && arithmetic_cell_parse(hit, &to))
        arithmetic_select(arithmetic_of(s), to.step, to.row, to.col);
}

static bool
cell_key(struct app_state *s, const struct hl_event *ev)
{
    struct arithmetic_state *a = arithmetic_of(s);
    switch (ev->key) {
    case KEY_LEFT:
    case KEY_RIGHT:
        go_towards(s, ev->key == KEY_RIGHT ? 1 : -1, 0);
        return true;
    case KEY_UP:
    case KEY_DOWN:
        go_towards(s, 0, ev->key == KEY_DOWN ? 1 : -1);
        return true;
    case KEY_F2:
        return arithmetic_edit_begin(a, NULL);
    case KEY_ENTER:
        return arithmetic_edit_begin(a, NULL);
    case KEY_DELETE:
    case KEY_BACKSPACE:
        return arithmetic_edit_begin(a, "0") && arithmetic_edit_commit(a);
    default:
        return false;
    }
}

static bool
key(struct app_state *s, const struct hl_event *ev, const char *hit)
{
    struct arithmetic_state *a = arithmetic_of(s);
    if ((ev->mods & MOD_CTRL) != 0) {
        bool redo = ev->key == 'y' || (ev->key == 'z' && (ev->mods & MOD_SHIFT) != 0);
        if (redo)
            return arithmetic_redo(a), true;
        return ev->key == 'z' ? (arithmetic_undo(a), true) : false;
    }
    if (ev->key == KEY_PAGE_UP || ev->key == KEY_PAGE_DOWN)
        return go_step(s, ev->key == KEY_PAGE_DOWN ? 1 : -1), true;
    if (starts(hit, "slide:")) {
        if (ev->key == KEY_LEFT || ev->key == KEY_RIGHT)
            return slide_by(a, hit, ev->key == KEY_RIGHT ? 1 : -1), true;
        return false;
    }
    if (hit[0] == 0 || starts(hit, "cell:") || starts(hit, "number:")) {
        select_focused(s, hit);
        return cell_key(s, ev);
    }
    return false;
}

static bool
text(struct app_state *s, const struct hl_event *ev, const char *hit)
{
    struct arithmetic_state *a = arithmetic_of(s);
    int n = hl_n_mechs < ARITHMETIC_MECHS ? hl_n_mechs : ARITHMETIC_MECHS;
    if (strcmp(ev->text, "[") == 0 || strcmp(ev->text, "]") == 0) {
        arithmetic_show_mech(a, (a->mech + (ev->text[0] == ']' ? 1 : n - 1)) % n);
        return true;
    }
    select_focused(s, hit);
    bool number = strchr("0123456789-.,+", ev->text[0]) != NULL || starts(ev->text, "−");
    return ev->text[0] != 0 && number && arithmetic_edit_begin(a, ev->text);
}

bool
arithmetic_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                 struct hl_effects *fx)
{
    struct arithmetic_state *a = arithmetic_of(s);
    if (arithmetic_problem(a) == NULL)
        return false;
    if (ev->kind == EV_MOUSE_DOWN && ev->button == 1) {
        if (a->editing && strcmp(hit, "number:cell") == 0)
            return to_field(s, ev, fx);
        leave_editing(a);
        s->dirty = true; /* tabs, examples and switches are kept */
        return click(s, ev, hit);
    }
    if (ev->kind == EV_MOUSE_MOVE && starts(s->pressed, "slide:")) {
        slide(s, s->pressed, ev->x);
        return true;
    }
    if (ev->kind == EV_WHEEL && (starts(hit, "~") || starts(hit, "cell:"))) {
        bool sideways = (ev->mods & MOD_SHIFT) != 0;
        a->scroll_x -= (sideways ? ev->y : -ev->x) * 48;
        a->scroll_y -= sideways ? 0 : ev->y * 48;
        clamp_scroll(s);
        return true;
    }
    if (a->editing) {
        if (ev->kind == EV_KEY)
            return edit_key(s, ev, fx);
        return ev->kind == EV_NONE || ev->kind == EV_RESIZE ? false : to_field(s, ev, fx);
    }
    if (ev->kind == EV_KEY)
        return key(s, ev, hit);
    if (ev->kind == EV_TEXT && ev->text != NULL)
        return text(s, ev, hit);
    return false;
}

/* ---- --set and what is kept ---- */

static bool
fail(struct hl_error *err, enum hl_status code, const char *key_name, const char *why)
{
    hl_error_set(err, code, key_name, "%s", why);
    return false;
}

static bool
set_preset(struct arithmetic_state *a, const char *key_name, const char *value,
           struct hl_error *err)
{
    char known[400] = "";
    if (load_preset_key(a, value))
        return true;
    for (int m = 0; m < hl_n_mechs && m < ARITHMETIC_MECHS; m++) {
        for (int i = 0; i < hl_mechs[m]->n_presets; i++) {
            const char *k = hl_mechs[m]->presets[i].key;
            if (strcmp(k, value) == 0) {
                arithmetic_show_mech(a, m);
                return arithmetic_load_preset(a, i);
            }
            size_t n = strlen(known);
            snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "known are ", k);
        }
    }
    return fail(err, HL_E_ARGUMENT, key_name, known);
}

static bool
set_option(struct arithmetic_state *a, int i, const char *value, struct hl_error *err)
{
    const struct hl_option *o = &arithmetic_mech(a)->options[i];
    double v;
    if (o->kind == HL_OPTION_SWITCH) {
        bool on = strcmp(value, "on") == 0 || strcmp(value, "1") == 0;
        if (!on && strcmp(value, "off") != 0 && strcmp(value, "0") != 0)
            return fail(err, HL_E_ARGUMENT, o->key, "on or off is meant");
        arithmetic_set_option(a, i, on);
        return true;
    }
    if (!hl_parse_double(value, &v) || !(v >= o->min && v <= o->max))
        return fail(err, HL_E_ARGUMENT, o->key, "not a number in its range");
    arithmetic_set_option(a, i, v);
    return true;
}

/* "x:0:1=5" writes a cell, "cell=weights:0:1" opens one; symbols do as well. */
static bool
find_cell(const struct arithmetic_state *a, const char *text_, struct arithmetic_cell *out)
{
    struct run run;
    if (!arithmetic_cell_parse(text_, out))
        return false;
    run_begin(a, &run);
    bool found = false;
    for (int i = 0; run.ok && i < run.r.n_steps && !found; i++) {
        const struct hl_mech_step *st = &run.r.steps[i];
        found = strcmp(st->key, out->step) == 0 || strcmp(st->symbol, out->step) == 0;
        found = found && out->row < st->rows && out->col < st->cols;
        if (found)
            snprintf(out->step, sizeof out->step, "%s", st->key);
    }
    run_end(&run);
    return found;
}

static bool
set_cell(struct arithmetic_state *a, const char *key_name, const char *value, struct hl_error *err)
{
    struct arithmetic_cell c;
    double v;
    char hint[96];
    if (!find_cell(a, key_name, &c))
        return fail(err, HL_E_ARGUMENT, key_name, "no such cell; write KEY:ROW:COLUMN from 0");
    int input = hl_mech_input_index(arithmetic_mech(a), c.step);
    if (input < 0)
        return fail(err, HL_E_ARGUMENT, key_name, "this cell is computed; only inputs can be set");
    if (!arithmetic_number_parse(value, &v, hint, sizeof hint))
        return fail(err, HL_E_ARGUMENT, key_name, hint);
    arithmetic_write(a, input, c.row, c.col, v);
    arithmetic_select(a, c.step, c.row, c.col);
    return true;
}

bool
arithmetic_set(struct app_state *s, const char *key_name, const char *value, struct hl_error *err)
{
    struct arithmetic_state *a = arithmetic_of(s);
    const char *k = strcmp(key_name, "mask") == 0       ? "causal"
                    : strcmp(key_name, "rounding") == 0 ? "round"
                                                        : key_name;
    int option = hl_mech_option_index(arithmetic_mech(a), k);
    struct arithmetic_cell c;
    long n;
    if (arithmetic_problem(a) == NULL)
        return fail(err, HL_E_NOMEM, key_name, "for the numbers of this screen");
    if (strcmp(k, "mech") == 0) {
        int m = mech_by_key(value);
        if (m < 0)
            return fail(err, HL_E_ARGUMENT, k,
                        "attention, query_key, softmax, scores, soft_hard, "
                        "ntm_addressing or grid_attention is meant");
        arithmetic_show_mech(a, m);
        return true;
    }
    if (strcmp(k, "preset") == 0)
        return set_preset(a, k, value, err);
    if (option >= 0)
        return set_option(a, option, value, err);
    if (strcmp(k, "cell") == 0) {
        if (!find_cell(a, value, &c))
            return fail(err, HL_E_ARGUMENT, k, "no such cell; write KEY:ROW:COLUMN from 0");
        arithmetic_select(a, c.step, c.row, c.col);
        return true;
    }
    if (hl_mech_size(arithmetic_mech(a), arithmetic_problem(a), k) > 0) {
        if (!hl_parse_long(value, &n) || n < 1 || n > 64 || !arithmetic_resize(a, k, (int)n))
            return fail(err, HL_E_ARGUMENT, k, "sizes run from 1 to 8");
        return true;
    }
    if (strchr(k, ':') != NULL)
        return set_cell(a, k, value, err);
    return fail(err, HL_E_UNSUPPORTED, key_name, "the Arithmetic screen has no such setting");
}

void
arithmetic_save(const struct app_state *s,
                void (*put)(void *user, const char *key, const char *value), void *user)
{
    const struct arithmetic_state *a = arithmetic_of(s);
    const struct hl_mech *m = arithmetic_mech(a);
    const struct hl_mech_problem *p = arithmetic_problem(a);
    int preset = a->preset[a->mech];
    put(user, "mech", m->key);
    if (p == NULL || preset < 0 || preset >= m->n_presets)
        return;
    put(user, "preset", m->presets[preset].key);
    for (int i = 0; i < m->n_options; i++) {
        struct hl_sb v = { 0 };
        if (m->options[i].kind == HL_OPTION_SWITCH)
            hl_sb_puts(&v, p->options[i] != 0 ? "on" : "off");
        else
            hl_sb_num(&v, p->options[i], 9);
        if (!v.failed && v.n > 0)
            put(user, m->options[i].key, v.p);
        hl_sb_deinit(&v);
    }
}

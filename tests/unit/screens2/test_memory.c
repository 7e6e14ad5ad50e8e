/* The Memory screen: what it says about a run is what the record holds, an address by
 * hand gives the weights shown, steps and pins, parameters in hand, and texts that are
 * too long for the machine. */
#include "unit/screens2/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "harness/ntm_sample.h"
#include "screen/memory/memory_priv.h"
#include "session.h"

static const struct hl_model *tiny; /* runs instead of the sample when it is open */
static int n_runs[APP_SLOTS];       /* asked for so far */

/* Answers what the last event asked for. */
static void
answer(struct stage *g)
{
    struct hl_effects fx = g->fx;
    g->fx.n = 0;
    for (int i = 0; i < fx.n; i++) {
        const struct hl_effect *e = &fx.v[i];
        if (e->kind != FX_RUN)
            continue;
        struct hl_result r = { .slot = e->slot, .ticket = e->ticket };
        if (tiny != NULL)
            assert_int_equal(hl_model_run(tiny, &e->req, &r.record, &r.error), HL_OK);
        else
            r.record = ntm_sample_run(e->req.text,
                                      e->req.n_overrides > 0 ? &memory_of(&g->s)->options : NULL);
        assert_non_null(r.record);
        n_runs[e->slot - state_slot(&g->s, "memory", 0)]++;
        struct hl_event ev = { .kind = EV_RESULT, .result = &r };
        app_update(&g->s, &ev, &g->fx);
    }
    stage_draw(g);
}

static void
ask(struct stage *g)
{
    g->fx.n = 0;
    app_request(&g->s, &g->fx);
    answer(g);
}

static void
set(struct stage *g, const char *key, const char *value)
{
    stage_set(g, key, value);
    ask(g);
}

static void
open_stage(struct stage *g, const char *text, float w, float h)
{
    const struct hl_model_info info = { .name = "ntm-copy",
                                        .title = "Copy · Neural Turing Machine",
                                        .network = &hl_network_ntm,
                                        .details = &ntm_sample_info };
    stage_open(g, "memory", w, h);
    memset(n_runs, 0, sizeof n_runs);
    stage_set(g, "text", text);
    g->fx.n = 0;
    app_model_ready(&g->s, info.name, tiny != NULL ? hl_model_info(tiny) : &info, &g->fx);
    answer(g);
}

static void
key(struct stage *g, int k, int mods)
{
    stage_key(g, k, mods);
    answer(g);
}

static void
click(struct stage *g, const char *id)
{
    stage_click(g, id, 1);
    answer(g);
}

static void
mouse(struct stage *g, enum ev_kind kind, float x, float y)
{
    struct hl_event ev = { .kind = kind, .x = x, .y = y, .button = 1, .clicks = 1 };
    ev.down = kind == EV_MOUSE_DOWN;
    g->fx.n = 0;
    app_update(&g->s, &ev, &g->fx);
    stage_draw(g);
    answer(g);
}

/* The middle of a cell of a region of rows x cols. */
static void
cell(const struct stage *g, const char *id, int rows, int cols, int row, int col, float *x,
     float *y)
{
    hl_rect r;
    assert_true(dl_hit_find(&g->dl, id, &r));
    *x = r.x + r.w * ((float)col + 0.5f) / (float)cols;
    *y = r.y + r.h * ((float)row + 0.5f) / (float)rows;
}

/* A press at t0 of a region's width and a move to t1. */
static void
drag(struct stage *g, const char *id, float t0, float t1)
{
    hl_rect r;
    if (!dl_hit_find(&g->dl, id, &r))
        fail_msg("nothing is named %s", id);
    mouse(g, EV_MOUSE_DOWN, r.x + t0 * r.w, r.y + r.h / 2);
    mouse(g, EV_MOUSE_MOVE, r.x + t1 * r.w, r.y + r.h / 2);
    mouse(g, EV_MOUSE_UP, r.x + t1 * r.w, r.y + r.h / 2);
}

static struct memory_run
run_of(const struct stage *g)
{
    struct memory_run r;
    assert_true(memory_run_now(&g->s, &r));
    return r;
}

/* ---- what is shown ---- */

static void
test_first_look(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    assert_true(stage_shows(&g, "no wrong bit of 88"));
    assert_true(stage_shows(&g, "step 11 of 23 · takes ‘e’"));
    assert_true(stage_shows(&g, "as trained"));
    assert_string_equal(stage_text(&g, "in:0"), "h");
    assert_string_equal(stage_text(&g, "in:6"), "␣");
    assert_string_equal(stage_text(&g, "out:10"), "e");
    stage_golden(&g, "memory-copy");
    set(&g, "theme", "dark");
    set(&g, "step", "14");
    set(&g, "slot", "1");
    set(&g, "chain", "sums");
    assert_true(stage_shows(&g, "step 14 of 23 · reads ‘e’"));
    stage_golden(&g, "memory-sums");
    stage_close(&g);
}

static void
test_typing_streams(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "ab", 1280, 800);
    assert_int_equal(run_of(&g).n_steps, 5);
    set(&g, "step", "1");
    stage_type(&g, "c");
    answer(&g);
    assert_int_equal(memory_of(&g.s)->step, -1); /* follows again */
    assert_int_equal(run_of(&g).n_steps, 7);
    struct memory_run r = run_of(&g);
    assert_int_equal(memory_now(&g.s, &r).step, 2);
    assert_true(memory_now(&g.s, &r).write);
    stage_close(&g);
}

/* Several bytes of a character are one chip; wrong ones are counted bit by bit. */
static void
test_characters(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "Où là\n€", 1280, 800);
    assert_int_equal(run_of(&g).n_letters, 11);
    const char *want[] = { "O", "ù", "␣", "l", "à", "⏎", "€" };
    for (int i = 0; i < N_OF(want); i++) {
        char id[16];
        snprintf(id, sizeof id, "in:%d", i);
        assert_string_equal(stage_text(&g, id), want[i]);
        snprintf(id, sizeof id, "out:%d", i);
        assert_string_equal(stage_text(&g, id), want[i]);
    }
    click(&g, "in:1");
    assert_int_equal(memory_of(&g.s)->step, 2); /* its last byte */
    click(&g, "out:0");
    assert_int_equal(memory_of(&g.s)->step, 12);
    set(&g, "text", "e\u0301\x01");
    assert_string_equal(stage_text(&g, "in:1"), "◌\u0301");
    assert_string_equal(stage_text(&g, "in:2"), "01");
    stage_close(&g);
}

static void
test_overrun(void **state)
{
    static const char text[] = "abcdefghijklmnopqrst"; /* 20 on 16 slots */
    struct stage g;
    int wrong = 0, count;
    (void)state;
    open_stage(&g, text, 1280, 800);
    struct memory_run r = run_of(&g);
    for (int i = 0; i < 20; i++) {
        int x = memory_byte_out(&r, 21 + i) ^ text[i];
        for (; x != 0; x &= x - 1)
            wrong++;
    }
    assert_true(wrong > 0);
    assert_int_equal(r.wrong_bits, wrong);
    char line[64];
    snprintf(line, sizeof line, "%d wrong bits of 160", wrong);
    assert_true(stage_shows(&g, line));
    assert_true(stage_shows(&g, "20 bytes on 16 slots: the write head overwrites"));
    assert_true(stage_shows(&g, "4 overwritten"));
    int *before = memory_overwritten(&r, 0, &g.frame, &count);
    assert_int_equal(count, 4);
    assert_int_equal(before[16], 0);
    assert_int_equal(before[15], -1);
    set(&g, "text", "thirteen byte");
    assert_true(stage_shows(&g, "13 bytes: longer than the 1 to 12 it was trained on"));
    stage_close(&g);
}

/* Every stage of every step, head and address by hand gives what is shown. */
static void
check_sums(const struct memory_run *r)
{
    for (int write = 0; write < 2; write++) {
        for (int h = 0; h < r->n_heads[write]; h++) {
            for (int t = 0; t < r->n_steps; t++) {
                struct memory_at at = { write, h, t };
                for (int i = 0; i < r->n_slots; i++) {
                    struct memory_sum k;
                    memory_sum_make(r, at, i, &k);
                    const double made[MEMORY_STAGES] = { k.cosine, k.content, k.gated, k.shifted,
                                                         k.weight };
                    for (int s = 0; s < MEMORY_STAGES; s++) {
                        double is = (double)memory_row(r, at, (enum memory_stage)s)[i];
                        if (fabs(made[s] - is) > 2e-5)
                            fail_msg("write %d head %d step %d address %d stage %d: %.7f not %.7f",
                                     write, h, t, i, s, made[s], is);
                    }
                }
            }
        }
    }
}

static void
test_by_hand(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_run r = run_of(&g);
    check_sums(&r);
    set(&g, "hand", "4@write,β:40,g:0.9,s:0.2/0.3/0.5,γ:2;20@read,g:1");
    r = run_of(&g);
    check_sums(&r);
    stage_close(&g);
}

/* ---- steps ---- */

static void
test_transport(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 900, 600);
    struct memory_state *m = memory_of(&g.s);
    key(&g, KEY_RIGHT, MOD_ALT);
    assert_int_equal(m->step, 11);
    key(&g, KEY_LEFT, MOD_ALT);
    assert_int_equal(m->step, 10);
    key(&g, KEY_HOME, MOD_ALT);
    assert_int_equal(m->step, 0);
    click(&g, "tape:last");
    assert_int_equal(m->step, 22);
    click(&g, "tape:next");
    assert_int_equal(m->step, 22);
    click(&g, "tape:back");
    assert_int_equal(m->step, 21);
    drag(&g, "slide:step", 0.9f, 0.0f);
    assert_int_equal(m->step, 0);
    key(&g, 'f', MOD_ALT);
    assert_int_equal(m->step, -1);
    /* over the cells: a press and a drag scrub */
    float x, y;
    cell(&g, "~tape:input", 9, 23, 2, 7, &x, &y);
    mouse(&g, EV_MOUSE_DOWN, x, y);
    assert_int_equal(m->step, 7);
    cell(&g, "~tape:input", 9, 23, 2, 12, &x, &y);
    mouse(&g, EV_MOUSE_MOVE, x, y);
    mouse(&g, EV_MOUSE_UP, x, y);
    assert_int_equal(m->step, 12);
    assert_int_equal(m->n_pins, 0);
    stage_close(&g);
}

static bool
animates(const struct stage *g)
{
    for (int i = 0; i < g->fx.n; i++) {
        if (g->fx.v[i].kind == FX_ANIMATE)
            return true;
    }
    return false;
}

static void
test_playing(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_state *m = memory_of(&g.s);
    stage_key(&g, 'p', MOD_ALT);
    assert_true(m->playing && animates(&g));
    assert_int_equal(m->step, 0);
    for (int i = 0; i <= 200 && m->playing; i++) {
        struct hl_event ev = { .kind = EV_TICK, .x = 1000 + 100 * (float)i };
        g.fx.n = 0;
        app_update(&g.s, &ev, &g.fx);
        stage_draw(&g);
        assert_true(animates(&g) == m->playing);
    }
    assert_false(m->playing);
    assert_int_equal(m->step, 22);
    /* Space on the focused button; typing stops it */
    snprintf(g.s.focus, sizeof g.s.focus, "tape:play");
    stage_key(&g, KEY_SPACE, 0);
    assert_true(m->playing);
    stage_type(&g, "x");
    answer(&g);
    assert_false(m->playing);
    stage_close(&g);
}

/* ---- addresses ---- */

static void
test_pins(void **state)
{
    struct stage g;
    float x, y;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_state *m = memory_of(&g.s);
    struct memory_run r = run_of(&g);
    struct memory_window w = memory_window(m, &r);
    cell(&g, "~tape:write:0", w.n, 23, memory_window_row(&w, 4), 4, &x, &y);
    mouse(&g, EV_MOUSE_MOVE, x, y);
    assert_true(strstr(g.s.hover, "~tape:write:0") != NULL);
    char n[32], line[96];
    float weight = memory_row(&r, (struct memory_at) { true, 0, 4 }, MEMORY_WEIGHTS)[4];
    snprintf(line, sizeof line, "step 5 of 23 · takes ‘o’ · address 4 · weight %s",
             hl_fmt_fixed(n, sizeof n, (double)weight, 4));
    assert_true(stage_shows(&g, line));
    mouse(&g, EV_MOUSE_DOWN, x, y);
    mouse(&g, EV_MOUSE_UP, x, y);
    assert_int_equal(m->n_pins, 1);
    assert_int_equal(m->pin[0], 4);
    assert_int_equal(m->step, 4);
    assert_true(m->head_chosen && m->write_head);
    w = memory_window(m, &r);
    cell(&g, "~mem:cells", w.n, 1, memory_window_row(&w, 2), 0, &x, &y);
    mouse(&g, EV_MOUSE_DOWN, x, y);
    mouse(&g, EV_MOUSE_UP, x, y);
    assert_int_equal(m->n_pins, 2);
    assert_int_equal(m->pin[1], 2);
    key(&g, KEY_DOWN, MOD_ALT);
    assert_int_equal(m->pin[1], 3);
    cell(&g, "~chain:4", 1, w.n, 0, memory_window_row(&w, 3), &x, &y);
    mouse(&g, EV_MOUSE_DOWN, x, y);
    mouse(&g, EV_MOUSE_UP, x, y);
    assert_int_equal(m->n_pins, 1); /* pressed again: let go */
    for (int i = 5; i < 10; i++) {
        char one[8];
        snprintf(one, sizeof one, "%d", i);
        set(&g, "slot", one);
    }
    set(&g, "slot", "1,2,3,4");
    assert_int_equal(m->n_pins, 4);
    key(&g, KEY_ESCAPE, 0);
    assert_int_equal(m->n_pins, 0);
    stage_close(&g);
}

/* The addresses in use lie round the end of the tape; all of them on demand. */
static void
test_window(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "abcd", 1280, 800);
    struct memory_run r = run_of(&g);
    struct memory_state *m = memory_of(&g.s);
    struct memory_window w = memory_window(m, &r);
    assert_int_equal(w.n, 12);
    assert_int_equal(w.first, 15);
    assert_int_equal(memory_address(&w, 1), 0);
    assert_int_equal(memory_window_row(&w, 15), 0);
    assert_int_equal(memory_window_row(&w, 14), -1);
    set(&g, "slot", "13");
    r = run_of(&g);
    w = memory_window(m, &r);
    assert_true(memory_window_row(&w, 13) >= 0 && memory_window_row(&w, 3) >= 0);
    click(&g, "switch:addresses");
    w = memory_window(m, &r);
    assert_int_equal(w.n, 16);
    assert_int_equal(w.first, 0);
    stage_close(&g);
}

/* ---- in hand ---- */

static void
test_in_hand(void **state)
{
    struct stage g;
    struct memory_run trained;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_state *m = memory_of(&g.s);
    set(&g, "step", "14");
    float was = run_of(&g).gate[0][13];
    assert_int_equal(n_runs[MEMORY_TRAINED], 0);
    drag(&g, "hand:gate", 0.1f, 1.0f);
    assert_int_equal(m->options.n_hands, 1);
    assert_int_equal(m->options.hands[0].fields, HL_NTM_GATE);
    struct memory_run r = run_of(&g);
    assert_true(r.gate[0][13] == 1 && was < 0.1f);
    assert_true(memory_run_trained(&g.s, &r, &trained));
    assert_true(trained.gate[0][13] == was);
    assert_true(stage_shows(&g, "in hand: g"));
    assert_true(stage_shows(&g, "in hand: g (1 step)"));
    assert_int_equal(n_runs[MEMORY_TRAINED], 1);
    stage_golden(&g, "memory-hand");
    /* by keyboard, on the same step; the untouched machine need not run again */
    snprintf(g.s.focus, sizeof g.s.focus, "hand:gate");
    key(&g, KEY_LEFT, 0);
    assert_true(fabsf(run_of(&g).gate[0][13] - 0.99f) < 1e-6f);
    key(&g, KEY_PAGE_DOWN, 0);
    assert_true(fabsf(run_of(&g).gate[0][13] - 0.89f) < 1e-6f);
    assert_int_equal(n_runs[MEMORY_TRAINED], 1);
    snprintf(g.s.focus, sizeof g.s.focus, "hand:shift0");
    for (int i = 0; i < 3; i++)
        key(&g, KEY_PAGE_UP, 0);
    r = run_of(&g);
    const float *s = r.shift[0] + 13 * 3;
    assert_true(fabsf(s[0] + s[1] + s[2] - 1) < 1e-5f);
    assert_true(s[0] > 0.29f);
    key(&g, 'g', MOD_ALT);
    assert_int_equal(m->options.n_hands, 0);
    assert_true(run_of(&g).gate[0][13] == was);
    assert_false(stage_shows(&g, "in hand:"));
    stage_close(&g);
}

static void
test_cells_in_hand(void **state)
{
    struct stage g;
    float x, y;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_state *m = memory_of(&g.s);
    set(&g, "step", "3");
    set(&g, "head", "write");
    cell(&g, "add:cells", 1, 10, 0, 2, &x, &y);
    float was = run_of(&g).add[2 * 10 + 2];
    mouse(&g, EV_MOUSE_DOWN, x, y);
    assert_int_equal(m->options.n_hands, 0); /* a press alone changes nothing */
    mouse(&g, EV_MOUSE_MOVE, x, y + (was > 0 ? 60 : -60));
    mouse(&g, EV_MOUSE_UP, x, y);
    assert_int_equal(m->options.n_hands, 1);
    float now = run_of(&g).add[2 * 10 + 2];
    assert_true(fabsf(now - (was > 0 ? was - 1 : was + 1)) < 1e-5f);
    snprintf(g.s.focus, sizeof g.s.focus, "erase:cells");
    key(&g, KEY_RIGHT, 0);
    key(&g, KEY_DOWN, 0);
    assert_true(fabsf(run_of(&g).erase[2 * 10 + 1] - 0.93f) < 1e-5f);
    snprintf(g.s.focus, sizeof g.s.focus, "key:cells");
    key(&g, KEY_UP, 0);
    assert_int_equal(m->options.hands[0].fields, HL_NTM_ADD | HL_NTM_ERASE | HL_NTM_KEY);
    assert_true(stage_shows(&g, "in hand: key erase add"));
    stage_close(&g);
}

static void
test_many_hands(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    struct memory_state *m = memory_of(&g.s);
    float last = run_of(&g).output[22 * 8];
    for (int i = 0; i < 9; i++) {
        char n[8];
        snprintf(n, sizeof n, "%d", i + 1);
        set(&g, "step", n);
        click(&g, i < 8 ? "act:take" : "hand:gamma");
        if (i == 0)
            assert_true(run_of(&g).output[22 * 8] == last); /* taken as it was */
    }
    assert_int_equal(m->options.n_hands, HL_NTM_MAX_HANDS);
    assert_true(stage_shows(&g, "No more than 8 steps"));
    assert_true(stage_shows(&g, "8 other steps are in hand"));
    click(&g, "act:back_all");
    assert_int_equal(m->options.n_hands, 0);
    stage_close(&g);
}

/* A hand outlives the text that it was laid on, and the verdict says whose doing it is. */
static void
test_verdict_in_hand(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 900, 600);
    set(&g, "hand", "9@write,g:1");
    assert_true(stage_shows(&g, "of 88 · with your hand at step 9"));
    set(&g, "text", "another text");
    assert_true(stage_shows(&g, "of 96 · with your hand at step 9"));
    set(&g, "hand", "9@write,g:1;9@read,g:1;3@write,γ:2");
    assert_true(stage_shows(&g, "of 96 · with your hand at 2 steps"));
    set(&g, "text", "ab"); /* 5 steps: one is left */
    assert_true(stage_shows(&g, "of 16 · with your hand at step 3"));
    set(&g, "hand", "none");
    assert_false(stage_shows(&g, "with your hand"));
    assert_true(stage_shows(&g, "copy task"));
    stage_close(&g);
}

/* ---- settings ---- */

struct pair {
    char key[32], value[4096];
};

static struct pair saved[16];
static int n_saved;

static void
put(void *user, const char *k, const char *value)
{
    (void)user;
    assert_true(n_saved < N_OF(saved));
    snprintf(saved[n_saved].key, sizeof saved[0].key, "%s", k);
    snprintf(saved[n_saved].value, sizeof saved[0].value, "%s", value);
    n_saved++;
}

static void
test_settings(void **state)
{
    static const char *const wrong[][2] = {
        { "step", "0" },
        { "step", "x" },
        { "head", "left" },
        { "head", "read:0" },
        { "slot", "16" },
        { "slot", "1,x" },
        { "slot", "00000000000000001" },
        { "slot", "1,2,3,4,5" },
        { "addresses", "some" },
        { "memory", "now" },
        { "chain", "links" },
        { "scale", "rank" },
        { "lock", "maybe" },
        { "play", "2" },
        { "hand", "g:2" },
        { "hand", "g" },
        { "hand", "0@read,g:1" },
        { "hand", "2@look,g:1" },
        { "hand", "2@read,add:1" },
        { "hand", "s:0.5/0.1" },
        { "hand", "5@read" },
        { "hand", "γ:0.5" },
        { "hand", "speed:3" },
        { "hand", "g:0.000000000000000000000000000000000000000000000000000000000000001e62" },
    };
    struct stage g;
    struct hl_error err;
    (void)state;
    open_stage(&g, "hello, tape", 1280, 800);
    for (int i = 0; i < N_OF(wrong); i++) {
        if (app_set(&g.s, wrong[i][0], wrong[i][1], &err) != HL_E_ARGUMENT)
            fail_msg("%s=%s was taken", wrong[i][0], wrong[i][1]);
        assert_int_equal(memory_of(&g.s)->options.n_hands, 0);
    }
    assert_int_equal(app_set(&g.s, "colour", "red", &err), HL_E_UNSUPPORTED);
    set(&g, "step", "9");
    set(&g, "head", "write");
    set(&g, "hand", "beta:14,g:0.9,key:0.5/-0.25;20@read,s:0/0.25/0.75");
    assert_int_equal(memory_of(&g.s)->options.n_hands, 2);
    assert_int_equal(memory_of(&g.s)->options.hands[0].step, 8);
    assert_true(memory_of(&g.s)->options.hands[0].write);
    assert_true(memory_of(&g.s)->options.hands[0].value.key[1] == -0.25f);
    set(&g, "slot", "3,7");
    set(&g, "memory", "after");
    set(&g, "addresses", "all");
    n_saved = 0;
    memory_save(&g.s, put, NULL);
    control_save(&g.s, &screen_memory, put, NULL);
    struct hl_ntm_options kept = memory_of(&g.s)->options;
    stage_close(&g);
    open_stage(&g, "hello, tape", 1280, 800);
    for (int i = 0; i < n_saved; i++)
        set(&g, saved[i].key, saved[i].value);
    assert_memory_equal(&kept, &memory_of(&g.s)->options, sizeof kept);
    assert_int_equal(memory_of(&g.s)->step, 8);
    assert_int_equal(memory_of(&g.s)->pin[1], 7);
    assert_true(memory_of(&g.s)->after && memory_of(&g.s)->all);
    set(&g, "hand", "none");
    assert_int_equal(memory_of(&g.s)->options.n_hands, 0);
    stage_close(&g);
}

static void
test_views(void **state)
{
    static const int keys[] = { 'v', 'a', 'b', 's', 'l', 'h' };
    struct stage g;
    (void)state;
    open_stage(&g, "hello, tape", 900, 600);
    uint64_t before = dl_digest(&g.dl);
    for (int i = 0; i < N_OF(keys); i++) {
        key(&g, keys[i], MOD_ALT);
        assert_true(dl_digest(&g.dl) != before);
        before = dl_digest(&g.dl);
        stage_draw(&g);
        assert_true(dl_digest(&g.dl) == before);
    }
    stage_close(&g);
}

/* ---- nothing to show, and other machines ---- */

static void
test_waiting(void **state)
{
    struct stage g;
    struct hl_error err;
    (void)state;
    stage_open(&g, "memory", 1280, 800);
    assert_true(stage_shows(&g, "No model"));
    stage_set(&g, "text", "");
    assert_true(stage_shows(&g, "Nothing on the tape yet"));
    assert_true(stage_shows(&g, "Type anything: every letter is eight bits"));
    app_model_loading(&g.s, "ntm-copy");
    stage_set(&g, "text", "a");
    assert_true(stage_shows(&g, "Opening the model"));
    hl_error_set(&err, HL_E_WEIGHTS, "ntm-copy", "a tensor is missing");
    app_model_failed(&g.s, "ntm-copy", &err);
    stage_draw(&g);
    assert_true(stage_shows(&g, "This model cannot be used"));
    key(&g, KEY_RIGHT, MOD_ALT); /* nothing to step through */
    stage_close(&g);
}

/* The copying machine says whom a question is for, unless a warning takes the place. */
static void
test_question(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "a b ? a", 900, 600);
    assert_true(stage_shows(&g, "a question for the recall model: Ctrl+M"));
    set(&g, "text", "is it ?");
    assert_false(stage_shows(&g, "a question"));
    set(&g, "text", "one two three ? two");
    assert_false(stage_shows(&g, "a question"));
    assert_true(stage_shows(&g, "19 bytes on 16 slots"));
    stage_close(&g);
}

/* Words and a question; two read and three write heads; an answer that nobody knows. */
static void
test_recall(void **state)
{
    struct hl_model *m;
    struct hl_error err;
    struct stage g;
    char dir[1024];
    const char *root = getenv("HL_SOURCE_ROOT");
    (void)state;
    snprintf(dir, sizeof dir, "%s/tests/data/ntm-tiny", root != NULL ? root : ".");
    assert_int_equal(hl_model_open(dir, &m, &err), HL_OK);
    tiny = m;
    open_stage(&g, "sun sky sea ? sky", 1280, 800);
    struct memory_run r = run_of(&g);
    assert_true(r.recall);
    assert_false(stage_shows(&g, "a question for"));
    assert_int_equal(r.n_heads[0], 2);
    assert_int_equal(r.n_heads[1], 3);
    assert_int_equal(r.n_bits, 24);
    check_sums(&r);
    assert_string_equal(stage_text(&g, "in:0"), "sun");
    assert_string_equal(stage_text(&g, "in:3"), "?");
    assert_string_equal(stage_text(&g, "in:4"), "sky");
    assert_true(stage_shows(&g, "“sea” followed"));
    click(&g, "head:read1");
    assert_true(!memory_of(&g.s)->write_head && memory_of(&g.s)->head == 1);
    for (int i = 0; i < 5; i++)
        key(&g, 'h', MOD_ALT);
    assert_true(!memory_of(&g.s)->write_head && memory_of(&g.s)->head == 1);
    drag(&g, "hand:strength", 0.2f, 0.6f);
    assert_int_equal(memory_of(&g.s)->options.n_hands, 1);
    assert_true(fabsf(memory_of(&g.s)->options.hands[0].value.strength - 36) < 4);
    set(&g, "text", "sun sky sea ? sea");
    r = run_of(&g);
    assert_int_equal(r.n_bits, 0);
    assert_true(stage_shows(&g, "no word follows that one"));
    set(&g, "text", "hello, tape");
    assert_true(stage_shows(&g, "longer words are cut"));
    stage_close(&g);
    tiny = NULL;
    hl_model_close(m);
}

/* Any length at any size: the list is whole, and twice the same. */
static void
test_lengths(void **state)
{
    static const int lengths[] = { 1, 2, 3, 16, 17, 60, 200 };
    static const float sizes[][2] = { { 900, 600 }, { 1280, 800 }, { 1536, 864 } };
    struct stage g;
    char text[256];
    (void)state;
    open_stage(&g, "a", 900, 600);
    for (int i = 0; i < N_OF(lengths); i++) {
        memset(text, 'a' + i, sizeof text);
        text[lengths[i]] = 0;
        set(&g, "text", text);
        for (int k = 0; k < N_OF(sizes); k++) {
            struct hl_event ev = {
                .kind = EV_RESIZE, .x = sizes[k][0], .y = sizes[k][1], .scale = 1
            };
            app_update(&g.s, &ev, &g.fx);
            for (int sums = 0; sums < 2; sums++) {
                memory_of(&g.s)->sums = sums;
                stage_draw(&g);
                uint64_t once = dl_digest(&g.dl);
                stage_draw(&g);
                assert_true(once == dl_digest(&g.dl));
            }
        }
    }
    stage_close(&g);
}

static void
test_without_memory(void **state)
{
    static const char *const pairs[] = { "text", "ab", "slot", "3", "hand", "2@write,g:0.5", NULL };
    (void)state;
    stage_without_memory("memory", pairs);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_look),      cmocka_unit_test(test_typing_streams),
        cmocka_unit_test(test_characters),      cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_transport),
        cmocka_unit_test(test_playing),         cmocka_unit_test(test_pins),
        cmocka_unit_test(test_window),          cmocka_unit_test(test_in_hand),
        cmocka_unit_test(test_cells_in_hand),   cmocka_unit_test(test_many_hands),
        cmocka_unit_test(test_settings),        cmocka_unit_test(test_views),
        cmocka_unit_test(test_waiting),         cmocka_unit_test(test_recall),
        cmocka_unit_test(test_lengths),         cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_verdict_in_hand), cmocka_unit_test(test_question),
    };
    stage_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

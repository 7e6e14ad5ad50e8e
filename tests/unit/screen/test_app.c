/* What must hold for the window as a whole: settings survive, every setting is
 * refused with a sentence or taken, cells show what the record holds, labels never
 * touch, and no event takes long. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../story/sample.h"
#include "draw/dl_text.h"
#include "screen/app.h"
#include "screen/arithmetic.h"
#include "screen/attention.h"
#include "session.h"
#include "screen/translate.h"

struct window {
    struct app_state s;
    struct hl_arena frame;
    struct dl dl;
};

static void
answer(struct window *w, struct hl_effects *fx)
{
    for (int i = 0; i < fx->n; i++) {
        const struct hl_effect *e = &fx->v[i];
        if (e->kind != FX_RUN)
            continue;
        bool gru = strcmp(e->model, "en-fr-gru") == 0;
        struct hl_result r = { .slot = e->slot, .ticket = e->ticket, .status = HL_OK };
        r.record = sample_record(gru ? SAMPLE_GRU : SAMPLE_TRANSFORMER, e->req.text, e->req.target);
        struct hl_event ev = { .kind = EV_RESULT, .result = &r };
        struct hl_effects more = { 0 };
        app_update(&w->s, &ev, &more);
        answer(w, &more);
    }
}

static void
request(struct window *w)
{
    struct hl_effects fx = { 0 };
    app_request(&w->s, &fx);
    answer(w, &fx);
}

static void
build(struct window *w)
{
    hl_arena_reset(&w->frame);
    app_build(&w->s, &hl_metrics_fixed, &w->frame, &w->dl);
    app_shown(&w->s, &w->dl);
}

static struct window *
open_window(void)
{
    static struct window w;
    const struct hl_model_info gru = { .name = "en-fr-gru",
                                       .title = "GRU",
                                       .network = hl_network_find("headlight-gru") };
    const struct hl_model_info tf = { .name = "en-fr-transformer",
                                      .title = "Transformer",
                                      .network = hl_network_find("marian") };
    struct hl_effects fx = { 0 };
    memset(&w, 0, sizeof w);
    hl_arena_init(&w.frame, 1 << 16, 0);
    assert_true(app_init(&w.s, &hl_metrics_fixed));
    app_model_ready(&w.s, gru.name, &gru, &fx);
    app_model_ready(&w.s, tf.name, &tf, &fx);
    answer(&w, &fx);
    build(&w);
    return &w;
}

static void
close_window(struct window *w)
{
    app_deinit(&w->s);
    dl_deinit(&w->dl);
    hl_arena_deinit(&w->frame);
}

static void
settings_survive(void **state)
{
    struct window *w = open_window();
    struct hl_error err;
    struct hl_sb one = { 0 }, two = { 0 };
    static struct app_state other;
    (void)state;
    assert_int_equal(app_set(&w->s, "view", "lines", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "pin", "animal,it", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "layer", "3", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "head", "mean", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "theme", "dark", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "text", "quote \" and \xE2\x8F\x8E\n", &err), HL_OK);
    assert_int_equal(app_save(&w->s, &one, &err), HL_OK);
    assert_true(app_init(&other, &hl_metrics_fixed));
    assert_int_equal(app_load(&other, one.p, one.n, &err), HL_OK);
    assert_int_equal(app_save(&other, &two, &err), HL_OK);
    assert_string_equal(one.p, two.p);
    /* What is no settings file changes nothing. */
    assert_int_equal(app_load(&other, "[1, 2", 5, &err), HL_E_JSON);
    assert_int_equal(app_load(&other, "[1, 2]", 6, &err), HL_OK);
    assert_string_equal(field_text(&other.texts[0][0]), field_text(&w->s.texts[0][0]));
    app_deinit(&other);
    hl_sb_deinit(&one);
    hl_sb_deinit(&two);
    close_window(w);
}

static void
wrong_settings_are_refused(void **state)
{
    static const char *const wrong[][3] = {
        { "transformer", "view", "pie" },
        { "transformer", "layer", "0" },
        { "transformer", "head", "x" },
        { "transformer", "map", "sideways" },
        { "transformer", "nonsense", "1" },
        { "transformer", "lock", "maybe" },
        { "transformer", "pin", "99" },
        { "translate", "score", "magic" },
        { "translate", "beam", "0" },
        { "translate", "engine", "steam" },
        { "translate", "window", "round" },
        { "transformer", "theme", "pink" },
        { "transformer", "screen", "cinema" },
        { "transformer", "zoom", "9" },
        { "transformer", "model", "absent" },
        { "transformer", "pin", "zebra" },
        { "translate", "pin", "animal,zebra" },
        { "transformer", "link", "zebra" },
        { "transformer", "pin", "a,b,c,d,e,f,g,h,i" },
    };
    struct window *w = open_window();
    (void)state;
    for (int i = 0; i < N_OF(wrong); i++) {
        struct hl_error err = { 0 };
        assert_int_equal(app_set(&w->s, "screen", wrong[i][0], &err), HL_OK);
        assert_int_not_equal(app_set(&w->s, wrong[i][1], wrong[i][2], &err), HL_OK);
        assert_int_not_equal(err.code, HL_OK);
        assert_true(err.detail[0] != 0);
    }
    close_window(w);
}

/* Honesty: the shown weight is the record's, summed over keys, averaged over queries. */
static void
cells_show_the_record(void **state)
{
    struct window *w = open_window();
    struct attention_pic p;
    const struct hl_record *r = app_record(&w->s);
    (void)state;
    assert_non_null(r);
    assert_true(attention_make(&w->s, "", &w->frame, r, "encoder.self", 2, 5, &p));
    for (int i = 0; i < p.v.rows.n; i++) {
        double row = 0;
        for (int j = 0; j < p.v.cols.n; j++) {
            const struct hl_group_item *q = &p.v.rows.items[i], *k = &p.v.cols.items[j];
            double sum = 0;
            for (int a = q->first; a < q->first + q->n; a++) {
                for (int b = k->first; b < k->first + k->n; b++)
                    sum += (double)hl_map_row(p.map, 2, 5, a)[b];
            }
            double shown = (double)p.v.w[i * p.v.cols.n + j];
            assert_true(fabs(shown - sum / q->n) < 1e-6);
            row += shown;
        }
        assert_true(fabs(row - 1) < 1e-5);
    }
    close_window(w);
}

/* Labels of rows stand beside each other: no two on the same side may overlap. */
static void
labels_never_touch(void **state)
{
    static const float sizes[][2] = { { 900, 600 }, { 1280, 800 }, { 3840, 2160 } };
    struct window *w = open_window();
    struct hl_error err;
    (void)state;
    app_set(&w->s, "text",
            "The old farmer who lived near the river told the young teacher that the horse did "
            "not want to drink the water because it was much too cold in the early morning",
            &err);
    app_set(&w->s, "pin", "horse,teacher,because", &err);
    for (int k = 0; k < N_OF(sizes); k++) {
        struct hl_event ev = { .kind = EV_RESIZE, .x = sizes[k][0], .y = sizes[k][1], .scale = 1 };
        struct hl_effects fx = { 0 };
        app_update(&w->s, &ev, &fx);
        request(w);
        build(w);
        hl_rect last = { 0 };
        for (const struct dl_cmd *c = dl_first(&w->dl); c != NULL; c = dl_next(&w->dl, c)) {
            if (c->kind != DL_HIT || strncmp(dl_tail(c), "row:", 4) != 0)
                continue;
            hl_rect r = c->u.hit.r;
            float mid = r.y + r.h / 2, before = last.y + last.h / 2;
            assert_true(last.h == 0 || mid - before >= 11.5f);
            last = r;
        }
        assert_true(last.h > 0);
    }
    close_window(w);
}

static bool
list_says(const struct window *w, const char *part)
{
    struct hl_sb sb = { 0 };
    dl_write_text(&w->dl, &sb);
    hl_sb_putc(&sb, '\0');
    bool found = !sb.failed && strstr(sb.p, part) != NULL;
    hl_sb_deinit(&sb);
    return found;
}

/* A small multiple that still shows the text before says so. */
static void
old_tiles_say_so(void **state)
{
    struct window *w = open_window();
    struct hl_error err;
    struct hl_effects fx = { 0 };
    (void)state;
    assert_int_equal(app_set(&w->s, "screen", "translate", &err), HL_OK);
    request(w);
    build(w);
    assert_false(list_says(w, "text before"));
    /* of the new text, only the main run is answered */
    assert_int_equal(app_set(&w->s, "text", "I am a student", &err), HL_OK);
    app_request(&w->s, &fx);
    for (int i = 0; i < fx.n; i++) {
        if (fx.v[i].kind != FX_RUN)
            continue;
        struct hl_result r = { .slot = fx.v[i].slot, .ticket = fx.v[i].ticket };
        r.record = sample_record(SAMPLE_GRU, fx.v[i].req.text, NULL);
        struct hl_event ev = { .kind = EV_RESULT, .result = &r };
        struct hl_effects more = { 0 };
        app_update(&w->s, &ev, &more);
    }
    build(w);
    assert_true(list_says(w, "dot · text before"));
    close_window(w);
}

/* What the model did not read is told, be it one token. */
static void
left_out_is_told(void **state)
{
    struct window *w = open_window();
    (void)state;
    request(w);
    struct hl_record *r = (struct hl_record *)(uintptr_t)app_record(&w->s);
    assert_non_null(r);
    build(w);
    assert_false(list_says(w, "left out"));
    r->dropped_at = 4;
    r->n_dropped_tokens = 1;
    build(w);
    assert_true(list_says(w, "its last token was left out, from “animal” on."));
    r->n_dropped_tokens = 2;
    build(w);
    assert_true(list_says(w, "its last 2 tokens were left out, from “animal” on."));
    close_window(w);
}

/* A sentence of spaces is none: nothing is asked for, nothing of an older one shown. */
static void
spaces_are_no_sentence(void **state)
{
    static const char *const screens[] = { "translate", "transformer", "positions" };
    static const char *const blank[] = { " ", "\t \n", "\xC2\xA0\xE3\x80\x80" };
    struct window *w = open_window();
    struct hl_error err;
    (void)state;
    for (int i = 0; i < N_OF(screens) * N_OF(blank); i++) {
        struct hl_effects fx = { 0 };
        app_set(&w->s, "screen", screens[i / N_OF(blank)], &err);
        app_set(&w->s, "text", "I am here", &err);
        request(w);
        app_set(&w->s, "text", blank[i % N_OF(blank)], &err);
        app_request(&w->s, &fx);
        for (int k = 0; k < fx.n; k++)
            assert_int_not_equal(fx.v[k].kind, FX_RUN);
        assert_null(app_record(&w->s));
        build(w);
        app_set(&w->s, "text", " a", &err);
        assert_false(state_blank(&w->s));
    }
    close_window(w);
}

/* What is forced has its own row, though it is none of the best. */
static void
a_forced_word_has_its_probability(void **state)
{
    struct window *w = open_window();
    struct hl_error err;
    (void)state;
    app_set(&w->s, "screen", "translate", &err);
    request(w);
    struct hl_record *r = (struct hl_record *)(uintptr_t)app_record(&w->s);
    const struct hl_axis *out = hl_record_find_axis(r, "target");
    float *lp = hl_arena_floats(&r->arena, out->n);
    r->sealed = false;
    struct hl_series *s = hl_record_series(r, "logprob");
    r->sealed = true;
    assert_true(lp && s && r->candidates);
    for (int i = 0; i < out->n; i++)
        lp[i] = logf(0.0321f);
    *s = (struct hl_series) {
        .name = s->name, .axis = (int)(out - r->axes), .n = out->n, .n_comp = 1, .data = lp
    };
    assert_int_equal(app_set(&w->s, "pin", "out:il", &err), HL_OK);
    build(w);
    assert_false(list_says(w, "0.0321"));
    for (int i = 0; i < r->n_candidates * r->candidates_k; i++)
        ((struct hl_candidate *)(uintptr_t)r->candidates)[i].id += 5000;
    build(w);
    assert_true(list_says(w, "0.0321"));
    close_window(w);
}

/* Arithmetic gets the query of the pair: the pinned word's, or, where that is what is
 * looked at, that of the word that looks. */
static void
the_right_query_is_sent(void **state)
{
    static const char *const directions[] = { "at", "by" };
    struct window *w = open_window();
    struct hl_error err;
    (void)state;
    assert_int_equal(app_set(&w->s, "screen", "transformer", &err), HL_OK);
    assert_int_equal(app_set(&w->s, "words", "off", &err), HL_OK);
    request(w);
    for (int i = 0; i < 2; i++) {
        struct hl_effects fx = { 0 };
        struct hl_event ev = { .kind = EV_KEY, .key = 'r', .mods = MOD_ALT };
        app_set(&w->s, "screen", "transformer", &err);
        if (app_set(&w->s, "direction", directions[i], &err) != HL_OK)
            fail_msg("%s", err.detail);
        app_set(&w->s, "head", "2", &err);
        assert_int_equal(app_set(&w->s, "pin", "it", &err), HL_OK);
        assert_int_equal(app_set(&w->s, "link", "animal", &err), HL_OK);
        build(w);
        app_update(&w->s, &ev, &fx);
        assert_true(arithmetic_of(&w->s)->await.on);
        const struct hl_axis *words = hl_record_find_axis(app_record(&w->s), "source");
        int q = arithmetic_of(&w->s)->await.q;
        assert_in_range(q, 0, words->n - 1);
        assert_string_equal(words->tokens[q].label, i == 0 ? "it" : "animal");
        arithmetic_of(&w->s)->await.on = false;
    }
    close_window(w);
}

/* A model may be asked for by a folder with a long name, before it is open; one that
 * this run does not know, or of the wrong kind, must not leave a screen empty. */
static void
models_are_chosen(void **state)
{
    struct window *w = open_window();
    struct hl_error err;
    struct hl_effects fx = { 0 };
    char dir[400];
    const struct hl_model_info mine = { .name = "mine",
                                        .title = "Mine",
                                        .network = hl_network_find("headlight-gru") };
    static const char saved[] = "{\"gru\": \"gone\", \"transformer\": \"en-fr-gru\"}";
    (void)state;
    memset(dir, 'x', sizeof dir);
    memcpy(dir, "/some/", 6);
    memcpy(dir + sizeof dir - 6, "/mine", 6);
    assert_int_equal(app_set(&w->s, "model", dir, &err), HL_E_ARGUMENT);
    app_model_loading(&w->s, dir);
    assert_int_equal(app_set(&w->s, "model", dir, &err), HL_OK);
    assert_string_equal(w->s.chosen[HL_CAN_ALIGN], "en-fr-gru");
    assert_string_equal(state_model_label(&w->s, dir), "mine");
    app_model_ready(&w->s, dir, &mine, &fx);
    assert_string_equal(w->s.chosen[HL_CAN_ALIGN], dir);
    assert_string_equal(state_model_label(&w->s, dir), "mine");
    assert_false(translate_of(&w->s)->transformer);
    assert_int_equal(app_load(&w->s, saved, sizeof saved - 1, &err), HL_OK);
    assert_string_equal(w->s.chosen[HL_CAN_ALIGN], dir);
    const struct hl_model_info gru = { .name = "en-fr-gru",
                                       .network = hl_network_find("headlight-gru") };
    app_model_ready(&w->s, "en-fr-gru", &gru, &fx);
    assert_string_equal(w->s.chosen[HL_CAN_HEADS], "en-fr-transformer");
    close_window(w);
}

static double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
no_event_takes_long(void **state)
{
    struct window *w = open_window();
    static char text[10001];
    double worst = 0;
    (void)state;
    for (int i = 0; i < 10000; i++)
        text[i] = i % 5 == 4 ? ' ' : 'a';
    const struct hl_event events[] = {
        { .kind = EV_PASTE, .text = text },
        { .kind = EV_KEY, .key = KEY_HOME },
        { .kind = EV_TEXT, .text = "x" },
        { .kind = EV_KEY, .key = KEY_END, .mods = MOD_SHIFT },
        { .kind = EV_KEY, .key = 'c', .mods = MOD_CTRL },
        { .kind = EV_MOUSE_DOWN, .x = 300, .y = 86, .button = 1, .clicks = 1 },
        { .kind = EV_MOUSE_MOVE, .x = 600, .y = 86 },
        { .kind = EV_MOUSE_UP, .x = 600, .y = 86 },
        { .kind = EV_KEY, .key = 'z', .mods = MOD_CTRL },
    };
    for (int i = 0; i < N_OF(events); i++) {
        struct hl_effects fx = { 0 };
        double t0 = now_ms();
        app_update(&w->s, &events[i], &fx);
        double ms = now_ms() - t0;
        worst = ms > worst ? ms : worst;
        build(w);
    }
    assert_true(worst < 50); /* under 5 ms in a release build on an idle machine */
    close_window(w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_survive),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(cells_show_the_record),
        cmocka_unit_test(labels_never_touch),
        cmocka_unit_test(no_event_takes_long),
        cmocka_unit_test(models_are_chosen),
        cmocka_unit_test(old_tiles_say_so),
        cmocka_unit_test(left_out_is_told),
        cmocka_unit_test(spaces_are_no_sentence),
        cmocka_unit_test(a_forced_word_has_its_probability),
        cmocka_unit_test(the_right_query_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

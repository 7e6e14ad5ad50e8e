/* The Images screen: what it asks the model for, what it says of a record whose numbers
 * are known, sliders, pins, the user's own picture, and what is kept. */
#include "unit/screens2/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "harness/sagan_sample.h"
#include "screen/images/images_priv.h"
#include "session.h"
#include "state/picture.h"

static int n_runs, n_opens; /* asked for since the stage was opened */

/* Answers what the last event asked for; pictures are only counted. */
static void
answer(struct stage *g)
{
    struct hl_effects fx = g->fx;
    g->fx.n = 0;
    for (int i = 0; i < fx.n; i++) {
        const struct hl_effect *e = &fx.v[i];
        n_opens += e->kind == FX_OPEN_PICTURE;
        if (e->kind != FX_RUN)
            continue;
        assert_int_equal(e->slot, state_slot(&g->s, "images", IMAGES_RUN));
        struct hl_result r = { .slot = e->slot, .ticket = e->ticket };
        r.record = sagan_sample_run(e->req.text,
                                    e->req.picture != NULL ? &images_of(&g->s)->judged
                                                           : &images_of(&g->s)->drawn,
                                    &r.error);
        r.status = r.record != NULL ? HL_OK : HL_E_ARGUMENT;
        n_runs++;
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
tell_model(struct stage *g)
{
    const struct hl_model_info info = { .name = "sagan-fashion",
                                        .title = "Fashion · self-attention GAN",
                                        .network = &hl_network_sagan,
                                        .details = &sagan_sample_info };
    g->fx.n = 0;
    app_model_ready(&g->s, info.name, &info, &g->fx);
    answer(g);
}

static void
open_stage(struct stage *g, const char *text, float w, float h)
{
    stage_open(g, "images", w, h);
    n_runs = n_opens = 0;
    stage_set(g, "text", text);
    tell_model(g);
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
send(struct stage *g, struct hl_event ev)
{
    g->fx.n = 0;
    app_update(&g->s, &ev, &g->fx);
    stage_draw(g);
}

static void
mouse(struct stage *g, enum ev_kind kind, float x, float y, int mods)
{
    struct hl_event ev = { .kind = kind, .x = x, .y = y, .button = 1, .clicks = 1, .mods = mods };
    ev.down = kind == EV_MOUSE_DOWN;
    send(g, ev);
    answer(g);
}

static hl_rect
region(const struct stage *g, const char *id)
{
    hl_rect r = { 0 };
    if (!dl_hit_find(&g->dl, id, &r))
        fail_msg("nothing is named %s", id);
    return r;
}

/* The middle of a place, rows and columns from 1. */
static void
at_place(struct stage *g, const char *id, enum ev_kind kind, int row, int col)
{
    hl_rect r = region(g, id);
    mouse(g, kind, r.x + r.w * ((float)col - 0.5f) / 16, r.y + r.h * ((float)row - 0.5f) / 16, 0);
}

static void
drag(struct stage *g, const char *id, float tx, float ty)
{
    hl_rect r = region(g, id);
    mouse(g, EV_MOUSE_DOWN, r.x + r.w / 2, r.y + r.h / 2, 0);
    mouse(g, EV_MOUSE_MOVE, r.x + r.w * tx, r.y + r.h * ty, 0);
    mouse(g, EV_MOUSE_UP, r.x + r.w * tx, r.y + r.h * ty, 0);
}

/* ---- what is asked for ---- */

static void
test_words(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "dress and boots", 1280, 800);
    assert_int_equal(n_runs, 1);
    assert_true(stage_shows(&g, "dress · 32 × 32"));
    click(&g, "pic:1");
    assert_int_equal(images_of(&g.s)->picture, 1);
    assert_true(stage_shows(&g, "boot · 32 × 32"));
    assert_int_equal(n_runs, 1); /* nothing new is run for that */
    stage_golden(&g, "images-two");

    click(&g, "class:7");
    assert_string_equal(state_text(&g.s), "sneaker");
    for (int i = 0; i < 5; i++) {
        hl_rect r = region(&g, "class:0");
        mouse(&g, EV_MOUSE_DOWN, r.x + 4, r.y + 4, MOD_SHIFT);
        mouse(&g, EV_MOUSE_UP, r.x + 4, r.y + 4, MOD_SHIFT);
    }
    assert_string_equal(state_text(&g.s), "sneaker and T-shirt and T-shirt and T-shirt");
    assert_true(g.s.status_failed && strstr(g.s.status, "Four pictures") != NULL);

    set(&g, "text", "a red car, a bag");
    assert_true(stage_shows(&g, "“red”, “car”: none of these"));
    set(&g, "text", "a car");
    assert_true(stage_shows(&g, "None of these words names a class")); /* the bag stays */
    assert_true(stage_shows(&g, "bag · 32 × 32"));
    set(&g, "text", "");
    assert_true(stage_shows(&g, "Nothing typed yet"));
    stage_close(&g);
}

static void
test_waiting(void **state)
{
    struct stage g;
    struct hl_error err = { .code = HL_E_WEIGHTS, .where = "sagan-fashion", .detail = "too short" };
    (void)state;
    stage_open(&g, "images", 1280, 800);
    app_model_loading(&g.s, "sagan-fashion");
    stage_draw(&g);
    assert_true(stage_shows(&g, "Opening the model"));
    app_model_failed(&g.s, "sagan-fashion", &err);
    stage_draw(&g);
    assert_true(stage_shows(&g, "This model cannot be used"));
    stage_close(&g);
}

/* ---- what is said of a place ---- */

static void
test_place(void **state)
{
    struct stage g;
    char text[32], want[48];
    double entropy = 0, outside = 0;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    set(&g, "cell", "4,6");
    int q = 3 * 16 + 5, across = 12 * 16 + 10; /* where place q looks most */
    for (int k = 0; k < 256; k++) {
        double w = sagan_sample_weight(q, k);
        entropy -= w * log2(w);
        outside += abs(k / 16 - 3) > 1 || abs(k % 16 - 5) > 1 ? w : 0;
    }
    assert_true(stage_shows(&g, "row 4, column 6"));
    hl_fmt_fixed(text, sizeof text, sagan_sample_weight(q, across), 4);
    snprintf(want, sizeof want, "top:%d", across);
    region(&g, want);
    assert_true(stage_shows(&g, text));
    assert_true(stage_shows(&g, "13, 11"));
    hl_fmt_fixed(text, sizeof text, entropy, 2);
    snprintf(want, sizeof want, "%s of 8.00 bit", text);
    assert_true(stage_shows(&g, want));
    hl_fmt_fixed(text, sizeof text, 100 * outside, 0);
    struct images_pic p;
    struct images_far far;
    float w[256];
    assert_true(images_pic(&g.s, &p));
    images_weights(images_of(&g.s), &p, q, w);
    images_measure(w, 16, q, &far);
    assert_true(fabs(far.sum - 1) < 1e-5 && fabs(far.outside - outside) < 1e-5);
    assert_true(stage_shows(&g, "Convolution alone: 6 × 6 pixels."));

    /* who looks at it: a column, which need not sum to 1 */
    key(&g, 'd', MOD_ALT);
    assert_true(stage_shows(&g, "sum of the column"));
    images_weights(images_of(&g.s), &p, q, w);
    for (int k = 0; k < 256; k++)
        assert_true(fabs((double)w[k] - sagan_sample_weight(k, q)) < 1e-6);
    stage_close(&g);
}

/* What is pointed at is shown before what is pinned, on picture and sheet alike. */
static void
test_pointing(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    set(&g, "cell", "4,6");
    at_place(&g, "place:map", EV_MOUSE_MOVE, 10, 2);
    assert_true(stage_shows(&g, "row 10, column 2"));
    at_place(&g, "place:sheet", EV_MOUSE_MOVE, 16, 16);
    assert_true(stage_shows(&g, "row 16, column 16"));
    mouse(&g, EV_MOUSE_MOVE, 2, 2, 0);
    assert_true(stage_shows(&g, "row 4, column 6"));
    stage_close(&g);
}

static void
test_pins(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    struct images_state *m = images_of(&g.s);
    key(&g, KEY_ESCAPE, 0);
    assert_int_equal(m->n_pins, 0);
    mouse(&g, EV_MOUSE_MOVE, 2, 2, 0);
    assert_true(stage_shows(&g, "No place is pinned"));
    at_place(&g, "place:map", EV_MOUSE_DOWN, 3, 4);
    at_place(&g, "place:map", EV_MOUSE_UP, 3, 4);
    at_place(&g, "place:sheet", EV_MOUSE_DOWN, 9, 9);
    at_place(&g, "place:sheet", EV_MOUSE_UP, 9, 9);
    assert_true(m->n_pins == 2 && m->pins[0] == 2 * 16 + 3 && m->pins[1] == 8 * 16 + 8);
    click(&g, "pin:0"); /* comes to the front */
    assert_true(m->n_pins == 2 && m->pins[1] == 2 * 16 + 3);
    key(&g, KEY_DOWN, MOD_ALT);
    key(&g, KEY_RIGHT, MOD_ALT);
    assert_int_equal(m->pins[1], 3 * 16 + 4);
    at_place(&g, "place:map", EV_MOUSE_DOWN, 4, 5); /* the shown one: let go */
    at_place(&g, "place:map", EV_MOUSE_UP, 4, 5);
    assert_int_equal(m->n_pins, 1);
    for (int i = 0; i < 12; i++)
        images_pin(m, i);
    assert_int_equal(m->n_pins, IMAGES_PINS);
    stage_close(&g);
}

/* ---- sliders ---- */

static void
test_gamma(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    const struct hl_sagan_options *o = &images_of(&g.s)->drawn;
    int before = n_runs;
    drag(&g, "slide:gamma", 0, 0.5f);
    assert_true(o->has_gamma && o->gamma == 0 && n_runs > before);
    assert_true(stage_shows(&g, "0.000, trained −0.250"));
    drag(&g, "slide:gamma", 1, 0.5f);
    assert_true(fabsf(o->gamma + 0.5f) < 1e-6f); /* twice the trained one, with its sign */
    drag(&g, "slide:gamma", 0.503f, 0.5f);
    assert_false(o->has_gamma); /* the mark holds it */
    struct hl_event wheel = { .kind = EV_WHEEL, .y = 2 };
    send(&g, wheel); /* the pointer is on it still: twice a fiftieth of the way */
    answer(&g);
    assert_true(o->has_gamma && fabsf(o->gamma + 0.27f) < 1e-6f);
    stage_click(&g, "slide:gamma", 2);
    assert_false(o->has_gamma);
    set(&g, "gamma", "7"); /* beyond the slider */
    assert_true(o->gamma == 7);
    set(&g, "gamma", "trained");
    assert_false(o->has_gamma);
    key(&g, 'g', MOD_ALT);
    assert_true(o->has_gamma && o->gamma == 0);
    key(&g, 'g', MOD_ALT);
    assert_false(o->has_gamma);
    stage_close(&g);
}

static void
test_training(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    const struct hl_sagan_options *o = &images_of(&g.s)->drawn;
    drag(&g, "slide:snapshot", 0, 0.5f);
    assert_int_equal(o->snapshot, 1);
    assert_true(stage_shows(&g, "step 0 of 1000") && stage_shows(&g, "0.000 as trained"));
    key(&g, '.', MOD_ALT);
    assert_int_equal(o->snapshot, 2);
    assert_true(stage_shows(&g, "0.050 as trained"));
    drag(&g, "slide:snapshot", 1, 0.5f);
    assert_int_equal(o->snapshot, 0);
    key(&g, ',', MOD_ALT);
    assert_int_equal(o->snapshot, 3);
    key(&g, '.', MOD_ALT);
    assert_int_equal(o->snapshot, 0);
    key(&g, '.', MOD_ALT); /* there is no more */
    assert_int_equal(o->snapshot, 0);
    struct hl_error err;
    assert_int_equal(app_set(&g.s, "snapshot", "4", &err), HL_E_ARGUMENT);
    assert_string_equal(err.detail, "'4' is not a whole number from 1 to 3, nor 'last'");
    set(&g, "snapshot", "2");
    set(&g, "snapshot", "last");
    assert_int_equal(o->snapshot, 0);
    stage_close(&g);
}

static void
test_latent(void **state)
{
    struct stage g;
    float seeded[HL_SAGAN_MAX_LATENT], now[HL_SAGAN_MAX_LATENT];
    (void)state;
    open_stage(&g, "dress and boots", 1280, 800);
    struct images_state *m = images_of(&g.s);
    m->picture = 1;
    hl_sagan_latent(0, 1, HL_SAGAN_MAX_LATENT, seeded);
    drag(&g, "latent:4", 0.5f, 0);
    images_latent(&g.s, now);
    assert_true(now[4] == IMAGES_LATENT_MAX && m->drawn.n_latents == 2);
    for (int i = 0; i < 24; i++)
        assert_true(i == 4 || now[i] == seeded[i]);
    hl_sagan_latent(0, 0, HL_SAGAN_MAX_LATENT, seeded);
    assert_memory_equal(m->drawn.latents[0], seeded, sizeof seeded); /* the other as it was */
    hl_rect r = region(&g, "latent:4");
    mouse(&g, EV_MOUSE_MOVE, r.x + 2, r.y + 9, 0);
    struct hl_event wheel = { .kind = EV_WHEEL, .y = -2 };
    send(&g, wheel);
    images_latent(&g.s, now);
    assert_true(fabsf(now[4] - (IMAGES_LATENT_MAX - 0.2f)) < 1e-5f);
    click(&g, "act:reset");
    assert_true(m->drawn.n_latents == 0 && !m->moved[1]);
    set(&g, "latent", "1/2:0.5,2/3:-1");
    assert_true(m->drawn.n_latents == 2 && m->moved[0] && m->moved[1]);
    assert_true(m->drawn.latents[0][1] == 0.5f && m->drawn.latents[1][2] == -1 && m->picture == 1);
    key(&g, '0', MOD_ALT);
    assert_int_equal(m->drawn.n_latents, 1);
    stage_close(&g);
}

static void
test_seed(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    struct images_state *m = images_of(&g.s);
    click(&g, "seed:prev");
    assert_int_equal(m->drawn.seed, 0);
    click(&g, "seed:next");
    assert_int_equal(m->drawn.seed, 1);
    assert_string_equal(field_text(&m->seed_text), "1");
    int before = n_runs;
    click(&g, "field:seed");
    stage_type(&g, "7");
    answer(&g);
    assert_true(m->drawn.seed == 17 || m->drawn.seed == 71);
    assert_true(n_runs > before);
    stage_type(&g, "x");
    key(&g, KEY_ENTER, 0); /* what is no number goes */
    assert_true(strspn(field_text(&m->seed_text), "0123456789") ==
                strlen(field_text(&m->seed_text)));
    key(&g, KEY_UP, 0);
    assert_true(m->drawn.seed == 18 || m->drawn.seed == 72);
    uint64_t seed = m->drawn.seed;
    key(&g, 'r', MOD_ALT);
    uint64_t first = m->drawn.seed;
    images_set_seed(m, seed);
    key(&g, 'r', MOD_ALT);
    assert_true(m->drawn.seed == first && first != seed); /* the same way each time */
    stage_close(&g);
}

/* ---- the user's own picture ---- */

/* A picture of w x h: a dark square on white. */
static void
bring(struct stage *g, int w, int h)
{
    uint8_t *rgba = malloc((size_t)(w * h * 4));
    assert_non_null(rgba);
    for (int i = 0; i < w * h; i++) {
        bool in = abs(i % w - w / 2) < h / 4 && abs(i / w - h / 2) < h / 4;
        memset(rgba + 4 * i, in ? 20 : 255, 3);
        rgba[4 * i + 3] = 255;
    }
    struct hl_picture p = { .width = (uint32_t)w, .height = (uint32_t)h, .w = w, .h = h };
    p.rgba = rgba;
    struct hl_event ev = { .kind = EV_PICTURE,
                           .picture = &p,
                           .ticket = images_of(&g->s)->open.ticket };
    send(g, ev);
    answer(g);
    free(rgba);
}

static void
drop(struct stage *g, const char *path)
{
    struct hl_event ev = { .kind = EV_DROP, .text = path };
    send(g, ev);
    answer(g);
}

static void
test_dropped(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    set(&g, "screen", "arithmetic");
    drop(&g, "/home/me/shoe.png");
    assert_int_equal(n_opens, 1);
    bring(&g, 100, 64);
    struct images_state *m = images_of(&g.s);
    assert_string_equal(screen_all(&(int) { 0 })[g.s.screen]->id, "images");
    assert_true(m->own && m->open.there);
    /* a dark thing on white: light on black for the network, with a border */
    assert_true(m->open.invert && m->judged.picture[0] == -1);
    assert_true(m->judged.picture[16 * 32 + 16] > 0.8f && m->judged.picture[4 * 32 + 4] < -0.9f);
    assert_true(stage_shows(&g, "100 × 64 pixels.") && stage_shows(&g, "your picture · 32 × 32"));
    assert_true(stage_shows(&g, "0.500 as trained")); /* the discriminator's gamma */
    assert_true(m->open.crop.w == 64 && m->open.crop.x == 18);
    stage_golden(&g, "images-own");
    click(&g, "switch:invert");
    assert_true(m->judged.picture[16 * 32 + 16] < -0.8f);
    /* words are drawn again */
    set(&g, "text", "bag");
    assert_false(m->own);
    assert_true(stage_shows(&g, "bag · 32 × 32"));
    key(&g, 'o', MOD_ALT);
    assert_true(m->own && stage_shows(&g, "your picture · 32 × 32"));
    stage_close(&g);
}

static void
test_refused(void **state)
{
    struct stage g;
    struct hl_error err = { .code = HL_E_IMAGE,
                            .where = "/home/me/notes.txt",
                            .detail = "it is neither a PNG nor a JPEG picture" };
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    set(&g, "screen", "translate");
    drop(&g, "/home/me/notes.txt");
    struct hl_event ev = { .kind = EV_PICTURE,
                           .error = &err,
                           .ticket = images_of(&g.s)->open.ticket };
    send(&g, ev);
    assert_string_equal(screen_all(&(int) { 0 })[g.s.screen]->id, "translate");
    assert_true(g.s.status_failed && strstr(g.s.status, "PNG or JPEG") != NULL);
    /* an older answer is for nobody */
    set(&g, "screen", "images");
    drop(&g, "/home/me/a.png");
    drop(&g, "/home/me/b.png");
    ev.ticket = images_of(&g.s)->open.ticket - 1;
    send(&g, ev);
    assert_true(images_of(&g.s)->open.waiting && images_of(&g.s)->open.error.code == HL_OK);
    bring(&g, 8, 8);
    assert_true(images_of(&g.s)->open.there && !images_of(&g.s)->open.waiting &&
                images_of(&g.s)->own);
    /* by its path, with an error in the column; what was there stays */
    click(&g, "field:image");
    key(&g, 'a', MOD_CTRL);
    struct hl_event paste = { .kind = EV_PASTE, .text = "file:///home/me/my%20shoe.png" };
    send(&g, paste);
    n_opens = 0;
    key(&g, KEY_ENTER, 0);
    assert_int_equal(n_opens, 1);
    assert_string_equal(images_of(&g.s)->open.path, "/home/me/my shoe.png");
    ev.ticket = images_of(&g.s)->open.ticket;
    send(&g, ev);
    assert_true(stage_shows(&g, "neither") && stage_shows(&g, "8 × 8 pixels."));
    stage_close(&g);
}

/* However a path was copied or typed, it is the same file. */
static void
test_paths(void **state)
{
    static struct stage g;
    static const char *const forms[][2] = {
        { "/home/me/my shoe.png", "/home/me/my shoe.png" },
        { "/home/me/my shoe.png\n", "/home/me/my shoe.png" },
        { "  \"/home/me/my shoe.png\"\r\n", "/home/me/my shoe.png" },
        { "'/home/me/my shoe.png' ", "/home/me/my shoe.png" },
        { "file:///home/me/my%20shoe.png\r\n", "/home/me/my shoe.png" },
        { "~/shoe.png\n", "/home/someone/shoe.png" },
        { "'~/shoe.png'", "/home/someone/shoe.png" },
        { "~other/shoe.png", "~other/shoe.png" },
        { "'", "'" },
    };
    (void)state;
    char *home = getenv("HOME") != NULL ? strdup(getenv("HOME")) : NULL;
    setenv("HOME", "/home/someone", 1);
    open_stage(&g, "sneaker", 1280, 800);
    for (int i = 0; i < N_OF(forms); i++) {
        drop(&g, forms[i][0]);
        assert_string_equal(images_of(&g.s)->open.path, forms[i][1]);
    }
    stage_close(&g);
    if (home != NULL)
        setenv("HOME", home, 1);
    free(home);
}

/* ---- settings ---- */

static void
test_kept(void **state)
{
    static struct stage g, h;
    static const char *const pairs[] = { "seed",      "41",           "picture", "2",        "cell",
                                         "2,3;16,1",  "gamma",        "-0.125",  "scale",    "log",
                                         "direction", "looked-at-by", "view",    "sheet",    "lock",
                                         "on",        "reach",        "off",     "snapshot", "2",
                                         "latent",    "1/5:1.25",     NULL };
    struct hl_sb one = { 0 }, two = { 0 };
    struct hl_error err;
    (void)state;
    open_stage(&g, "dress and boots", 1280, 800);
    for (int i = 0; pairs[i] != NULL; i += 2)
        set(&g, pairs[i], pairs[i + 1]);
    drop(&g, "/home/me/shoe.png");
    bring(&g, 64, 64);
    assert_int_equal(app_save(&g.s, &one, &err), HL_OK);
    stage_open(&h, "translate", 1280, 800);
    app_model_loading(&h.s, "sagan-fashion");
    assert_int_equal(app_load(&h.s, one.p, one.n, &err), HL_OK);
    assert_true(images_of(&h.s)->drawn.seed == 41 && images_of(&h.s)->n_pins == 2);
    assert_true(images_of(&h.s)->drawn.latents[0][4] == 1.25f &&
                images_of(&h.s)->drawn.gamma == -0.125f);
    assert_true(images_of(&h.s)->own && images_of(&h.s)->open.wanted);
    tell_model(&h);
    assert_int_equal(images_of(&h.s)->open.ticket, 1); /* opened again */
    bring(&h, 64, 64);
    assert_int_equal(app_save(&h.s, &two, &err), HL_OK);
    assert_string_equal(one.p, two.p);
    hl_sb_deinit(&one);
    hl_sb_deinit(&two);
    stage_close(&g);
    stage_close(&h);
}

static void
test_refused_settings(void **state)
{
    static const char *const bad[] = {
        "seed",   "-1",   "seed",   "x",      "picture", "5",     "cell",    "0,1",    "cell",
        "17,1",   "cell", "3",      "gamma",  "nan",     "gamma", "1e9",     "latent", "1:9",
        "latent", "99:0", "latent", "1",      "latent",  "9/1:0", "network", "both",   "snapshot",
        "4",      "lock", "maybe",  "invert", "perhaps", "cell",  "1,2,3",   NULL
    };
    struct stage g;
    struct hl_error err = { 0 };
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    for (int i = 0; bad[i] != NULL; i += 2) {
        if (app_set(&g.s, bad[i], bad[i + 1], &err) != HL_E_ARGUMENT || err.detail[0] == 0)
            fail_msg("%s=%s is taken", bad[i], bad[i + 1]);
    }
    assert_int_equal(app_set(&g.s, "beam", "2", &err), HL_E_UNSUPPORTED);
    stage_close(&g);
}

/* ---- layout ---- */

static bool
inside(const struct stage *g)
{
    for (const struct dl_cmd *c = dl_first(&g->dl); c != NULL; c = dl_next(&g->dl, c)) {
        hl_rect r = c->kind == DL_IMAGE  ? c->u.image.r
                    : c->kind == DL_HEAT ? c->u.heat.r
                                         : (hl_rect) { 0 };
        if (r.x < 0 || r.y < 0 || r.x + r.w > g->s.width || r.y + r.h > g->s.height - 32)
            return false;
    }
    return true;
}

static void
test_sizes(void **state)
{
    static const float sizes[][2] = { { 900, 600 },  { 1000, 700 },  { 1280, 720 }, { 1280, 800 },
                                      { 1536, 864 }, { 1920, 1080 }, { 3840, 2160 } };
    struct stage g;
    (void)state;
    open_stage(&g, "dress and boots, bag and coat", 1280, 800);
    for (int i = 0; i < N_OF(sizes) * 4; i++) {
        struct hl_event ev = { .kind = EV_RESIZE, .x = sizes[i / 4][0], .y = sizes[i / 4][1] };
        ev.scale = i % 2 == 0 ? 1 : 2.5f;
        send(&g, ev);
        set(&g, "view", i % 4 < 2 ? "picture" : "sheet");
        if (!inside(&g))
            fail_msg("%g x %g: something lies outside", (double)ev.x, (double)ev.y);
        uint64_t once = dl_digest(&g.dl);
        stage_draw(&g);
        assert_true(once == dl_digest(&g.dl));
    }
    stage_close(&g);
}

static void
test_goldens(void **state)
{
    struct stage g;
    (void)state;
    open_stage(&g, "sneaker", 1280, 800);
    stage_golden(&g, "images-sneaker");
    set(&g, "direction", "looked-at-by");
    set(&g, "scale", "log");
    set(&g, "theme", "dark");
    stage_golden(&g, "images-looked-at");
    stage_close(&g);
}

static void
test_without_memory(void **state)
{
    static const char *const pairs[] = { "class", "dress",    "latent", "1:2",
                                         "image", "/a/b.png", NULL };
    (void)state;
    stage_without_memory("images", pairs);
}

int
main(int argc, char **argv)
{
    stage_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_pointing),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_gamma),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_latent),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_refused_settings),
        cmocka_unit_test(test_goldens),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

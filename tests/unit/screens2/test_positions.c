/* The Positions screen: known numbers in every layout, curves and kept cells, what
 * it asks the model for, and shuffled words. */
#include "unit/screens2/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/positions_priv.h"

static void
test_small_numbers(void **state)
{
    static const char *const want[] = { "0.8415", "0.5403",  "0.0100", "1.0000",
                                        "0.9093", "−0.4161", "0.0200", "0.9998" };
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    stage_click(&g, "preset:d4", 1);
    for (int i = 0; i < N_OF(want); i++)
        assert_true(stage_shows(&g, want[i]));
    const float *t = positions_of(&g.s)->table;
    assert_true(t[0] == 0 && t[1] == 1 && t[2] == 0 && t[3] == 1);
    stage_golden(&g, "positions-d4");
    stage_close(&g);
}

/* Each layout against its formula, written out here a second time. */
static void
test_layouts(void **state)
{
    static const int ds[] = { 4, 6, 64, 512 };
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    struct positions_state *p = positions_of(&g.s);
    for (int k = 0; k < N_OF(ds) * 4; k++) {
        int d = ds[k / 4], half = d / 2;
        positions_set_size(p, d, k % 2 == 0 ? 20 : 200);
        positions_set_layout(p, k % 4 >= 2, k % 2 == 1);
        for (int pos = 0; pos < p->length; pos++) {
            for (int i = 0; i < half; i++) {
                double e = p->tensor2tensor ? (double)i / (half - 1) : 2.0 * i / d;
                double angle = pos * pow(10000, -e);
                const float *row = p->table + (size_t)pos * (size_t)d;
                float s = p->halves ? row[i] : row[2 * i];
                float c = p->halves ? row[half + i] : row[2 * i + 1];
                assert_true(fabs((double)s - sin(angle)) < 1e-6);
                assert_true(fabs((double)c - cos(angle)) < 1e-6);
            }
        }
        stage_draw(&g);
    }
    stage_close(&g);
}

/* The product of two rows is that of the first row at their distance. */
static void
test_products(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    stage_set(&g, "view", "products");
    struct positions_state *p = positions_of(&g.s);
    for (int a = 0; a < p->length; a += 7) {
        for (int b = 0; b < p->length; b += 5) {
            double sum = 0;
            for (int j = 0; j < p->d; j++)
                sum += (double)p->table[a * p->d + j] * (double)p->table[b * p->d + j];
            assert_true(fabs(sum - (double)p->products[abs(a - b)]) < 1e-3);
        }
    }
    stage_set(&g, "preset", "d512-20");
    stage_golden(&g, "positions-products");
    stage_close(&g);
}

static void
test_cells_and_curves(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    struct positions_state *p = positions_of(&g.s);
    stage_set(&g, "preset", "d512-20");
    assert_int_equal(p->n_curves, 4);
    stage_set(&g, "cell", "3:40");
    assert_int_equal(p->row, 3);
    assert_int_equal(p->n_curves, 5);
    assert_true(stage_shows(&g, "position 3, dimension 40"));
    assert_true(stage_shows(&g, "0.9940"));
    assert_true(stage_shows(&g, "= sin(1.4609)"));
    /* in halves the same wave stands elsewhere, and is kept */
    stage_click(&g, "order:halves", 1);
    assert_int_equal(p->col, 20);
    stage_key(&g, 'o', MOD_ALT);
    assert_int_equal(p->col, 40);
    stage_key(&g, KEY_RIGHT, MOD_ALT);
    stage_key(&g, KEY_DOWN, MOD_ALT);
    assert_int_equal(p->col, 41);
    assert_int_equal(p->row, 4);
    stage_key(&g, 'c', MOD_ALT);
    assert_int_equal(p->n_curves, 6);
    stage_click(&g, "curve:40", 1);
    assert_int_equal(p->n_curves, 5);
    stage_key(&g, KEY_ESCAPE, 0);
    stage_key(&g, KEY_ESCAPE, 0);
    assert_int_equal(p->row, -1);
    /* narrower than a curve's dimension: the rest stays */
    stage_set(&g, "d", "4");
    assert_true(p->n_curves > 0);
    for (int i = 0; i < p->n_curves; i++)
        assert_true(p->curve[i] < 4);
    stage_close(&g);
}

static void
test_sliders(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    struct positions_state *p = positions_of(&g.s);
    stage_drag(&g, "slide:d", 0.5f, 1.0f);
    assert_int_equal(p->d, POSITIONS_MAX_D);
    stage_drag(&g, "slide:d", 0.5f, 0.0f);
    assert_int_equal(p->d, POSITIONS_MIN_D);
    stage_drag(&g, "slide:length", 0.5f, 1.0f);
    assert_int_equal(p->length, POSITIONS_MAX_LENGTH);
    stage_drag(&g, "slide:length", 0.5f, 0.0f);
    assert_int_equal(p->length, 1);
    snprintf(g.s.focus, sizeof g.s.focus, "slide:d");
    stage_key(&g, KEY_RIGHT, 0);
    assert_int_equal(p->d, 6);
    for (int d = POSITIONS_MIN_D; d <= POSITIONS_MAX_D; d += 2)
        assert_true(fabs(positions_d_at(positions_d_place(d)) - d) <= 2);
    stage_close(&g);
}

static void
test_settings(void **state)
{
    static const char *const bad[][2] = {
        { "d", "5" },          { "d", "2" },        { "d", "2048" },     { "d", "x" },
        { "length", "0" },     { "length", "513" }, { "cell", "100:0" }, { "cell", "3" },
        { "order", "mixed" },  { "freq", "none" },  { "view", "all" },   { "preset", "d5" },
        { "positions", "no" }, { "dim", "4000" },   { "seed", "-1" },
    };
    struct stage g;
    struct hl_error err = { 0 };
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    for (int i = 0; i < N_OF(bad); i++)
        assert_int_equal(app_set(&g.s, bad[i][0], bad[i][1], &err), HL_E_ARGUMENT);
    assert_int_equal(app_set(&g.s, "colour", "red", &err), HL_E_UNSUPPORTED);
    stage_set(&g, "positions", "encoder");
    assert_false(positions_of(&g.s)->encoder_off);
    assert_true(positions_of(&g.s)->decoder_off);
    stage_set(&g, "freq", "tensor2tensor");
    assert_true(positions_of(&g.s)->tensor2tensor);
    stage_close(&g);
}

/* ---- the model ---- */

static void
ready(struct stage *g)
{
    const struct hl_model_info info = { .name = "tiny",
                                        .title = "tiny",
                                        .network = hl_network_find("marian"),
                                        .n_enc_layers = 2,
                                        .n_dec_layers = 2,
                                        .n_heads = 2,
                                        .d_model = 16,
                                        .max_source = 64,
                                        .max_target = 64 };
    snprintf(g->s.chosen[HL_CAN_HEADS], APP_NAME_SZ, "tiny");
    app_model_loading(&g->s, "tiny");
    app_model_ready(&g->s, "tiny", &info, &g->fx);
    g->fx.n = 0;
}

static const struct hl_effect *
run_of(const struct stage *g, int slot)
{
    for (int i = 0; i < g->fx.n; i++) {
        if (g->fx.v[i].kind == FX_RUN && g->fx.v[i].slot == state_slot(&g->s, "positions", slot))
            return &g->fx.v[i];
    }
    return NULL;
}

static void
test_requests(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    ready(&g);
    stage_set(&g, "text", "the dog bites the man");
    stage_click(&g, "view:sentence", 1);
    assert_non_null(run_of(&g, POSITIONS_RUN));
    assert_true(run_of(&g, POSITIONS_RUN)->req.keep_vectors);
    assert_null(run_of(&g, POSITIONS_SHUFFLED));

    stage_click(&g, "view:order", 1);
    const struct hl_effect *a = run_of(&g, POSITIONS_RUN), *b = run_of(&g, POSITIONS_BARE);
    const struct hl_effect *c = run_of(&g, POSITIONS_SHUFFLED),
                           *d = run_of(&g, POSITIONS_SHUFFLED_BARE);
    assert_true(a && b && c && d);
    assert_true(hl_request_value(&a->req, "positions", 0) == 0);
    assert_true(hl_request_value(&b->req, "positions", 0) == 3);
    assert_string_equal(a->req.text, b->req.text);
    assert_string_equal(c->req.text, d->req.text);
    assert_string_not_equal(a->req.text, c->req.text);

    stage_key(&g, 'd', MOD_ALT);
    assert_true(hl_request_value(&run_of(&g, POSITIONS_BARE)->req, "positions", 0) == 1);
    stage_close(&g);
}

/* A record as the model would give it: three tokens, and a translation. */
static void
put_record(struct stage *g, int slot, const char *output, float off)
{
    enum { N = 3, WIDTH = 16 };
    static const char *const words[N] = { "the", "dog", "</s>" };
    static float e[N * WIDTH], x[N * WIDTH];
    struct hl_record *r = hl_record_create();
    int axis;
    assert_non_null(r);
    struct hl_axis *a = hl_record_axis(r, "source", HL_AXIS_TOKENS, N, &axis);
    struct hl_token *t = hl_arena_new(&r->arena, N, struct hl_token);
    for (int i = 0; i < N; i++)
        t[i] = (struct hl_token) {
            i,     words[i], words[i], i < 2 ? 4 * i : -1, i < 2 ? 4 * i + 3 : -1, i < 2 ? i : -1,
            i == 2
        };
    a->tokens = t;
    a->text = "the dog";
    hl_posenc_rows(HL_POSENC_HALVES, HL_POSENC_PAPER, 0, N, WIDTH, x, WIDTH);
    for (int i = 0; i < N * WIDTH; i++) {
        e[i] = 0.1f * (float)(i % 7 - 3);
        x[i] += e[i] + off;
    }
    struct hl_vectors *v = hl_record_vectors(r, "embedding");
    *v = (struct hl_vectors) { v->name, axis, 1, N, WIDTH, e };
    v = hl_record_vectors(r, "encoder.state");
    *v = (struct hl_vectors) { v->name, axis, 1, N, WIDTH, x };
    r->output_text = output;
    r->model = "tiny";
    struct app_slot_state *to = &g->s.slots[state_slot(&g->s, "positions", slot)];
    to->record = r;
    to->shown = to->wanted;
    stage_draw(g);
}

static void
drop_records(struct stage *g)
{
    for (int i = 0; i < APP_SLOTS; i++) {
        hl_record_destroy(g->s.slots[i].record);
        g->s.slots[i].record = NULL;
    }
}

static void
test_sentence(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    ready(&g);
    stage_set(&g, "text", "the dog");
    stage_set(&g, "view", "sentence");
    put_record(&g, POSITIONS_RUN, "le chien", 0);
    assert_true(stage_shows(&g, "What the first layer of tiny receives"));
    assert_true(stage_shows(&g, "the row of “the”"));
    stage_click(&g, "token:1", 1);
    assert_int_equal(positions_of(&g.s)->token, 1);
    assert_true(stage_shows(&g, "the row of “dog”"));
    /* the sum of the cell under the pointer: dimension 0 of place 1 */
    hl_rect r;
    assert_true(dl_hit_find(&g.dl, "~sum:sum", &r));
    struct hl_event ev = { .kind = EV_MOUSE_MOVE, .x = r.x + 1, .y = r.y + r.h / 2 };
    app_update(&g.s, &ev, &g.fx);
    stage_draw(&g);
    assert_true(stage_shows(&g, "dog, dimension 0:"));
    assert_true(stage_shows(&g, "−0.1000 + 0.8415 = 0.7415"));
    drop_records(&g);
    /* a model that adds something else is not said to add these */
    put_record(&g, POSITIONS_RUN, "le chien", 0.5f);
    assert_true(stage_shows(&g, "tiny adds positions of its own"));
    stage_close(&g);
}

static void
test_word_order(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    ready(&g);
    stage_set(&g, "text", "the dog");
    stage_set(&g, "view", "order");
    app_request(&g.s, &g.fx);
    put_record(&g, POSITIONS_RUN, "le chien", 0);
    put_record(&g, POSITIONS_SHUFFLED, "chien le", 0);
    assert_true(stage_shows(&g, "different: word order matters"));
    assert_false(stage_shows(&g, "no longer matters"));
    put_record(&g, POSITIONS_BARE, "le le", 0);
    put_record(&g, POSITIONS_SHUFFLED_BARE, "le le", 0);
    assert_true(stage_shows(&g, "the same: word order no longer matters"));
    assert_true(stage_shows(&g, "dog the"));
    /* another order is asked for: until it is there, nothing is claimed */
    stage_click(&g, "act:shuffle", 1);
    assert_false(stage_shows(&g, "no longer matters"));
    stage_close(&g);
}

static int
by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The sorted words of a text, joined. */
static void
sorted(const char *text, char *out, size_t out_sz)
{
    char copy[512], *words[64];
    int n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *w = strtok(copy, " "); w != NULL && n < 64; w = strtok(NULL, " "))
        words[n++] = w;
    qsort(words, (size_t)n, sizeof words[0], by_text);
    out[0] = 0;
    for (int i = 0; i < n; i++)
        snprintf(out + strlen(out), out_sz - strlen(out), "%s ", words[i]);
}

static void
test_shuffle(void **state)
{
    static const char *const texts[] = { "the dog bites the man.",  "a b", "one", "same same same",
                                         "  ça va   très bien ?  ", "" };
    struct positions_state p;
    char a[512], b[512];
    (void)state;
    assert_true(positions_init(&p));
    for (int i = 0; i < N_OF(texts); i++) {
        for (p.seed = 0; p.seed < 50; p.seed++) {
            assert_true(positions_shuffle(&p, texts[i]));
            sorted(texts[i], a, sizeof a);
            sorted(p.shuffled, b, sizeof b);
            assert_string_equal(a, b);
            if (i < 2)
                assert_string_not_equal(p.shuffled, texts[i]);
        }
    }
    positions_deinit(&p);
}

static void
test_all_views(void **state)
{
    static const float sizes[][2] = { { 900, 600 }, { 1280, 800 }, { 2400, 1300 } };
    static const char *const names[] = { "d4", "d512-20", "d512-200", "shipped" };
    struct stage g;
    (void)state;
    for (int z = 0; z < N_OF(sizes); z++) {
        stage_open(&g, "positions", sizes[z][0], sizes[z][1]);
        for (int i = 0; i < N_OF(names) * POSITIONS_VIEW_COUNT; i++) {
            stage_set(&g, "preset", names[i % N_OF(names)]);
            stage_set(&g, "view", positions_rows[POSITIONS_ROW_VIEW].o.names[i / N_OF(names)]);
            uint64_t first = dl_digest(&g.dl);
            stage_draw(&g);
            assert_true(dl_digest(&g.dl) == first);
        }
        stage_close(&g);
    }
}

/* The smallest and largest tables, in every view and layout. */
static void
test_extremes(void **state)
{
    static const char *const lengths[] = { "1", "2", "200" }, *const ds[] = { "4", "512" };
    static const char *const views[] = { "encoding", "products", "sentence", "order" };
    struct stage g;
    (void)state;
    stage_open(&g, "positions", 1280, 800);
    for (int i = 0; i < N_OF(lengths) * N_OF(ds) * N_OF(views); i++) {
        stage_set(&g, "length", lengths[i % 3]);
        stage_set(&g, "d", ds[i / 3 % 2]);
        stage_set(&g, "view", views[i / 6]);
        uint64_t first = dl_digest(&g.dl);
        hl_rect r;
        for (const struct dl_cmd *c = dl_first(&g.dl); c; c = dl_next(&g.dl, c))
            assert_false(c->kind == DL_LINE && !(fabsf(c->u.line.y1) < 10000));
        stage_draw(&g);
        assert_true(dl_digest(&g.dl) == first);
        if (dl_hit_find(&g.dl, "pos:products", &r))
            stage_click(&g, "pos:products", 1);
    }
    stage_close(&g);
}

static void
test_no_memory(void **state)
{
    static const char *const pairs[] = { "preset", "d4", "cell", "1:1", "view", "products", NULL };
    static const char *const words[] = { "view", "order", NULL };
    (void)state;
    stage_without_memory("positions", pairs);
    stage_without_memory("positions", words);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_numbers), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_products),      cmocka_unit_test(test_cells_and_curves),
        cmocka_unit_test(test_sliders),       cmocka_unit_test(test_settings),
        cmocka_unit_test(test_requests),      cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_word_order),    cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_all_views),     cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_no_memory),
    };
    stage_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

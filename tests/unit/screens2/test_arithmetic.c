/* The Arithmetic screen: the numbers of the textbooks, every later cell after an
 * edit, typing, sums, and a head of a model. */
#include "unit/screens2/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "screen/arithmetic_priv.h"

static void
expect_row(const struct stage *g, const char *step, int row, const char *const *want, int n)
{
    for (int i = 0; i < n; i++) {
        char id[64];
        snprintf(id, sizeof id, "cell:%s:%d:%d", step, row, i);
        assert_string_equal(stage_text(g, id), want[i]);
    }
}
#define ROW(g, step, row, ...)                                                                     \
    do {                                                                                           \
        static const char *const want_[] = { __VA_ARGS__ };                                        \
        expect_row(g, step, row, want_, N_OF(want_));                                              \
    } while (0)

static void
test_textbook(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    ROW(&g, "k", 0, "0", "1", "1");
    ROW(&g, "k", 1, "4", "4", "0");
    ROW(&g, "k", 2, "2", "3", "1");
    ROW(&g, "q", 0, "1", "0", "2");
    ROW(&g, "q", 1, "2", "2", "2");
    ROW(&g, "q", 2, "2", "1", "3");
    ROW(&g, "v", 0, "1", "2", "3");
    ROW(&g, "v", 1, "2", "8", "0");
    ROW(&g, "v", 2, "2", "6", "3");
    ROW(&g, "scores", 0, "2", "4", "4");
    ROW(&g, "weights", 0, "0.0634", "0.4683", "0.4683");
    ROW(&g, "output", 0, "1.9366", "6.6831", "1.5951");

    stage_click(&g, "option:round", 1);
    ROW(&g, "rounded", 0, "0.0", "0.5", "0.5");
    ROW(&g, "output", 0, "2.0", "7.0", "1.5");
    stage_click(&g, "option:round", 1);
    stage_click(&g, "option:hard", 1);
    ROW(&g, "hard", 0, "0", "1", "0");
    stage_close(&g);
}

static void
test_width_64(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_set(&g, "mech", "softmax");
    ROW(&g, "scores", 0, "112", "96");
    ROW(&g, "scaled", 0, "14", "12");
    ROW(&g, "weights", 0, "0.8808", "0.1192");
    stage_set(&g, "scale", "off");
    ROW(&g, "weights", 0, "1.0000", "0.0000");

    stage_set(&g, "preset", "three-keys");
    stage_set(&g, "mech", "query_key");
    stage_set(&g, "preset", "width-64");
    ROW(&g, "scores", 0, "112", "96");
    ROW(&g, "scaled", 0, "14", "12");
    ROW(&g, "weights", 0, "0.8808", "0.1192");
    stage_close(&g);
}

/* ---- every later cell, computed here a second time ---- */

enum { T = 3, D = 4, W = 3 };

struct mine {
    double x[T][D], w[3][D][W]; /* W_Q, W_K, W_V */
    double p[3][T][W], s[T][T], e[T][T], z[T], a[T][T], o[T][W];
};

static void
mine_read(const struct stage *g, struct mine *m)
{
    struct hl_mech_problem *p = arithmetic_problem(arithmetic_of(&g->s));
    for (int i = 0; i < T * D; i++)
        m->x[i / D][i % D] = *hl_mech_cell(p, 0, i / D, i % D);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < D * W; i++)
            m->w[k][i / W][i % W] = *hl_mech_cell(p, k + 1, i / W, i % W);
    }
}

static void
mine_compute(struct mine *m, bool scale, bool mask)
{
    memset(m->p, 0, sizeof m->p);
    memset(m->o, 0, sizeof m->o);
    for (int k = 0; k < 3; k++)
        for (int t = 0; t < T; t++)
            for (int j = 0; j < W; j++)
                for (int i = 0; i < D; i++)
                    m->p[k][t][j] += m->x[t][i] * m->w[k][i][j];
    for (int t = 0; t < T; t++) {
        double top = -INFINITY;
        m->z[t] = 0;
        for (int u = 0; u < T; u++) {
            double s = 0;
            for (int j = 0; j < W; j++)
                s += m->p[0][t][j] * m->p[1][u][j];
            m->s[t][u] = s;
            s = mask && u > t ? -INFINITY : scale ? s / sqrt(W) : s;
            m->e[t][u] = s;
            top = s > top ? s : top;
        }
        for (int u = 0; u < T; u++) {
            m->e[t][u] = exp(m->e[t][u] - top);
            m->z[t] += m->e[t][u];
        }
        for (int u = 0; u < T; u++) {
            m->a[t][u] = m->e[t][u] / m->z[t];
            for (int j = 0; j < W; j++)
                m->o[t][j] += m->a[t][u] * m->p[2][u][j];
        }
    }
}

static void
compare(const struct hl_mech_result *r, const char *key, const double *mine, int n)
{
    int i = hl_mech_step_index(r, key);
    assert_true(i >= 0);
    assert_int_equal(r->steps[i].rows * r->steps[i].cols, n);
    for (int k = 0; k < n; k++)
        assert_true(fabs(r->steps[i].data[k] - mine[k]) <= 1e-9 * (1 + fabs(mine[k])));
}

static void
compare_all(const struct stage *g, bool scale, bool mask)
{
    struct mine m;
    struct hl_arena a;
    struct hl_mech_result r;
    hl_arena_init(&a, 1 << 16, 0);
    mine_read(g, &m);
    mine_compute(&m, scale, mask);
    assert_int_equal(arithmetic_run(arithmetic_of(&g->s), &a, &r, NULL), HL_OK);
    compare(&r, "q", &m.p[0][0][0], T * W);
    compare(&r, "k", &m.p[1][0][0], T * W);
    compare(&r, "v", &m.p[2][0][0], T * W);
    compare(&r, "scores", &m.s[0][0], T * T);
    compare(&r, "exp", &m.e[0][0], T * T);
    compare(&r, "sum", m.z, T);
    compare(&r, "weights", &m.a[0][0], T * T);
    compare(&r, "output", &m.o[0][0], T * W);
    hl_arena_deinit(&a);
}

static void
test_every_later_cell(void **state)
{
    static const char *const input[] = { "x", "wq", "wk", "wv" };
    struct stage g;
    struct hl_rng rng;
    (void)state;
    hl_rng_init(&rng, 20260);
    stage_open(&g, "arithmetic", 1280, 800);
    for (int round = 0; round < 120; round++) {
        char id[64], text[32];
        int i = hl_rng_below(&rng, 4), rows = i == 0 ? T : D, cols = i == 0 ? D : W;
        snprintf(id, sizeof id, "cell:%s:%d:%d", input[i], hl_rng_below(&rng, rows),
                 hl_rng_below(&rng, cols));
        snprintf(text, sizeof text, "%d.%02d", hl_rng_below(&rng, 5) - 2, hl_rng_below(&rng, 100));
        stage_click(&g, id, 1);
        stage_type(&g, text);
        stage_key(&g, KEY_ENTER, 0);
        assert_false(arithmetic_of(&g.s)->editing);
        bool scale = round % 2 == 1, mask = round % 3 == 1;
        stage_set(&g, "scale", scale ? "on" : "off");
        stage_set(&g, "mask", mask ? "on" : "off");
        compare_all(&g, scale, mask);
    }
    stage_close(&g);
}

/* ---- typing ---- */

static double
cell(const struct stage *g, int input, int row, int col)
{
    return *hl_mech_cell(arithmetic_problem(arithmetic_of(&g->s)), input, row, col);
}

static void
test_typing(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_click(&g, "cell:x:0:1", 1);
    stage_type(&g, "7");
    assert_true(arithmetic_of(&g.s)->editing);
    /* taken at once, before Enter */
    assert_true(cell(&g, 0, 0, 1) == 7);
    stage_type(&g, "x");
    assert_true(cell(&g, 0, 0, 1) == 0);
    assert_true(stage_shows(&g, "Not a number yet"));
    stage_key(&g, KEY_ENTER, 0);
    assert_true(arithmetic_of(&g.s)->editing);
    stage_key(&g, KEY_BACKSPACE, 0);
    stage_key(&g, KEY_TAB, 0);
    assert_false(arithmetic_of(&g.s)->editing);
    assert_true(cell(&g, 0, 0, 1) == 7);
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "x");
    assert_int_equal(arithmetic_of(&g.s)->cell.col, 2);

    stage_type(&g, "9");
    stage_key(&g, KEY_ESCAPE, 0);
    assert_true(cell(&g, 0, 0, 2) == 1);
    stage_key(&g, 'z', MOD_CTRL);
    assert_true(cell(&g, 0, 0, 1) == 0);
    stage_key(&g, 'y', MOD_CTRL);
    assert_true(cell(&g, 0, 0, 1) == 7);

    /* the last cell of X leads to the first of W_Q */
    stage_click(&g, "cell:x:2:3", 1);
    stage_type(&g, "1/4");
    stage_key(&g, KEY_TAB, 0);
    assert_true(cell(&g, 0, 2, 3) == 0.25);
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "wq");
    stage_type(&g, "0,5");
    stage_key(&g, KEY_DOWN, 0);
    assert_true(cell(&g, 1, 0, 0) == 0.5);
    assert_int_equal(arithmetic_of(&g.s)->cell.row, 1);

    /* a computed cell takes no number */
    stage_click(&g, "cell:scores:0:0", 1);
    stage_type(&g, "5");
    assert_false(arithmetic_of(&g.s)->editing);
    stage_close(&g);
}

static void
test_numbers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        double v;
    } cases[] = { { "2", true, 2 },
                  { "-0.5", true, -0.5 },
                  { "−3", true, -3 },
                  { "0,25", true, 0.25 },
                  { " 1 / 8 ", true, 0.125 },
                  { "1e3", true, 1000 },
                  { "", false, 0 },
                  { "a", false, 0 },
                  { "1/0", false, 0 },
                  { "1/", false, 0 },
                  { "nan", false, 0 },
                  { "1e9", false, 0 },
                  { "--1", false, 0 },
                  { "999999999999999999999999999999999999", false, 0 },
                  /* more digits than count, and what follows them */
                  { "0.75000000000000000000000000000000000/3", true, 0.25 },
                  { "0.000000000000000000000000000000000000000000000000000000000000001e63", false,
                    0 } };
    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        double v = 0;
        char hint[96] = "";
        assert_int_equal(arithmetic_number_parse(cases[i].text, &v, hint, sizeof hint),
                         cases[i].ok);
        assert_true(v == cases[i].v);
        assert_int_equal(hint[0] == 0, cases[i].ok);
    }
}

static void
test_arrows(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_click(&g, "cell:q:0:2", 1);
    stage_key(&g, KEY_DOWN, 0);
    assert_int_equal(arithmetic_of(&g.s)->cell.row, 1);
    stage_key(&g, KEY_UP, 0);
    stage_key(&g, KEY_LEFT, 0);
    assert_int_equal(arithmetic_of(&g.s)->cell.col, 1);
    stage_key(&g, KEY_PAGE_DOWN, 0);
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "k");
    stage_click(&g, "cell:k:0:2", 1);
    stage_key(&g, KEY_RIGHT, 0);
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "scores");
    stage_type(&g, "]");
    assert_int_equal(arithmetic_of(&g.s)->mech, 1);
    stage_type(&g, "[");
    assert_int_equal(arithmetic_of(&g.s)->mech, 0);
    /* Tab brings the focus to the cells: keys then go to the one that has it */
    snprintf(g.s.focus, sizeof g.s.focus, "cell:wk:1:1");
    stage_type(&g, "8");
    stage_key(&g, KEY_ENTER, 0);
    assert_true(cell(&g, 2, 1, 1) == 8);
    stage_close(&g);
}

/* ---- what is said about the numbers ---- */

static void
expect_formula(const struct stage *g, const char *want)
{
    char formula[160];
    arithmetic_formula(arithmetic_of(&g->s), formula, sizeof formula);
    assert_string_equal(formula, want);
}

/* The formula is that of the switches, not of the mechanism at large. */
static void
test_formula(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    expect_formula(&g, "softmax(X W_Q (X W_K)ᵀ) X W_V");
    stage_click(&g, "option:scale", 1);
    expect_formula(&g, "softmax(X W_Q (X W_K)ᵀ / √d_k) X W_V");
    stage_set(&g, "mask", "on");
    stage_set(&g, "round", "on");
    expect_formula(&g, "rounded softmax(X W_Q (X W_K)ᵀ / √d_k + mask) X W_V");
    stage_set(&g, "hard", "on");
    expect_formula(&g, "hardmax(X W_Q (X W_K)ᵀ / √d_k + mask) X W_V");

    stage_set(&g, "mech", "query_key");
    expect_formula(&g, "softmax(Q Kᵀ / √d_k) V");
    stage_set(&g, "scale", "off");
    stage_set(&g, "mask", "on");
    expect_formula(&g, "softmax(Q Kᵀ + mask) V");

    stage_set(&g, "mech", "softmax");
    expect_formula(&g, "exp(s_ij) / Σ_k exp(s_ik), s = S / √d_k");
    stage_set(&g, "temperature", "2");
    expect_formula(&g, "exp(s_ij) / Σ_k exp(s_ik), s = S / (√d_k τ)");
    stage_set(&g, "scale", "off");
    stage_set(&g, "mask", "on");
    expect_formula(&g, "exp(s_ij) / Σ_k exp(s_ik), s = S / τ + mask");
    stage_set(&g, "temperature", "1");
    expect_formula(&g, "exp(s_ij) / Σ_k exp(s_ik), s = S + mask");
    stage_set(&g, "mech", "grid_attention");
    expect_formula(&g, arithmetic_mech(arithmetic_of(&g.s))->formula);
    stage_close(&g);
}

/* What is known of a preset's numbers is said of those numbers alone. */
static void
test_note(void **state)
{
    static const char known[] = "the first query scores 2, 4, 4";
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    assert_true(stage_shows(&g, known));
    stage_click(&g, "cell:x:0:1", 1);
    stage_type(&g, "7");
    assert_false(stage_shows(&g, known));
    stage_key(&g, KEY_ENTER, 0);
    assert_false(stage_shows(&g, known));
    stage_key(&g, 'z', MOD_CTRL);
    assert_true(stage_shows(&g, known));
    stage_click(&g, "size:T+", 1);
    assert_false(stage_shows(&g, known));
    stage_set(&g, "preset", "three-words");
    assert_true(stage_shows(&g, known));
    stage_close(&g);
}

/* ---- sums ---- */

static void
test_sums(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_set(&g, "cell", "S:0:1");
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "scores");
    assert_string_equal(stage_text(&g, "term:0:a"), "1");
    assert_string_equal(stage_text(&g, "term:0:b"), "4");
    assert_string_equal(stage_text(&g, "term:2:a"), "2");
    assert_string_equal(stage_text(&g, "term:2:b"), "0");
    /* a number in the sum leads to its cell */
    stage_click(&g, "term:2:b", 1);
    assert_string_equal(arithmetic_of(&g.s)->cell.step, "k");
    assert_int_equal(arithmetic_of(&g.s)->cell.row, 1);
    assert_int_equal(arithmetic_of(&g.s)->cell.col, 2);

    stage_set(&g, "cell", "weights:0:0");
    assert_true(stage_shows(&g, "0.13534 / 2.1353 = 0.063379"));
    assert_true(stage_shows(&g, "0.13534 + 1 + 1 = 2.1353"));
    assert_true(stage_shows(&g, "1 × 0 + 0 × 1 + 2 × 1 = 2"));
    stage_close(&g);
}

static void
test_sizes_and_settings(void **state)
{
    struct stage g;
    struct hl_error err = { 0 };
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    for (int i = 0; i < 12; i++)
        stage_key(&g, KEY_NONE, 0);
    for (int i = 3; i < 8; i++)
        stage_click(&g, "size:T+", 1);
    struct hl_mech_problem *p = arithmetic_problem(arithmetic_of(&g.s));
    assert_int_equal(p->rows[0], 8);
    assert_false(arithmetic_resize(arithmetic_of(&g.s), "T", 9));
    assert_false(arithmetic_resize(arithmetic_of(&g.s), "T", 0));
    assert_true(cell(&g, 0, 2, 3) == 1 && cell(&g, 0, 7, 3) == 0);
    stage_set(&g, "preset", "three-words");
    assert_int_equal(p->rows[0], 3);
    stage_set(&g, "X:1:2", "-4");
    assert_true(cell(&g, 0, 1, 2) == -4);

    static const char *const bad[][2] = { { "preset", "no" },   { "cell", "Q:9:9" },
                                          { "scale", "maybe" }, { "scores:0:0", "1" },
                                          { "x:0:0", "one" },   { "T", "9" },
                                          { "mech", "magic" } };
    for (int i = 0; i < N_OF(bad); i++)
        assert_int_equal(app_set(&g.s, bad[i][0], bad[i][1], &err), HL_E_ARGUMENT);
    assert_int_equal(app_set(&g.s, "colour", "red", &err), HL_E_UNSUPPORTED);
    stage_close(&g);
}

static void
test_scores(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_set(&g, "mech", "scores");
    ROW(&g, "dot", 0, "2.5", "6.0", "−1.0");
    ROW(&g, "scaled", 0, "1.7678", "4.2426", "−0.7071");
    /* location does not see the keys */
    stage_click(&g, "cell:k:1:1", 1);
    stage_type(&g, "-9");
    stage_key(&g, KEY_ENTER, 0);
    ROW(&g, "location", 0, "0.50", "0.75", "1.00");
    stage_set(&g, "preset", "lengths");
    ROW(&g, "weights", 4, "0.3333", "0.3333", "0.3333");
    stage_set(&g, "mech", "soft_hard");
    stage_drag(&g, "slide:temperature", 0.5f, 0.0f);
    ROW(&g, "weights", 0, "0.0", "0.5", "0.5");
    stage_close(&g);
}

/* A memory's head: the sliders are its parameters, its rows are distributions. */
static void
test_memory_head(void **state)
{
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    stage_set(&g, "mech", "ntm_addressing");
    ROW(&g, "content", 0, "0.0049", "0.7239", "0.0049", "0.2663");
    ROW(&g, "weights", 0, "0.0049", "0.7239", "0.0049", "0.2663");
    stage_set(&g, "beta", "20");
    ROW(&g, "content", 0, "0.0000", "0.9820", "0.0000", "0.0180");
    stage_drag(&g, "slide:gate", 0.5f, 0.0f);
    ROW(&g, "gated", 0, "1", "0", "0", "0");
    stage_set(&g, "preset", "by-place");
    ROW(&g, "weights", 0, "0.9878", "0.0000", "0.0000", "0.0122");
    /* typed weights and shifts count in proportion */
    stage_click(&g, "cell:s:0:1", 1);
    stage_type(&g, "27");
    stage_key(&g, KEY_ENTER, 0);
    ROW(&g, "shift", 0, "0.00", "0.75", "0.25");
    stage_click(&g, "size:N+", 1);
    ROW(&g, "shifted", 0, "0.00", "0.00", "0.00", "0.75", "0.25");
    stage_close(&g);
}

/* ---- a head of a model ---- */

static void
random_head(struct hl_rng *rng, float *q, float *keys, int n_k, int width, int stride)
{
    for (int i = 0; i < width; i++)
        q[i] = (float)hl_rng_normal(rng);
    for (int i = 0; i < n_k * stride; i++)
        keys[i] = (float)hl_rng_normal(rng);
    (void)width;
}

static void
softmax_row(const float *q, const float *keys, int n_k, int width, int stride, float *w)
{
    float top = -INFINITY, sum = 0;
    for (int j = 0; j < n_k; j++) {
        w[j] = 0;
        for (int i = 0; i < width; i++)
            w[j] += q[i] * keys[j * stride + i];
        w[j] /= sqrtf((float)width);
        top = w[j] > top ? w[j] : top;
    }
    for (int j = 0; j < n_k; j++)
        sum += w[j] = expf(w[j] - top);
    for (int j = 0; j < n_k; j++)
        w[j] /= sum;
}

static void
test_receive(void **state)
{
    enum { WIDTH = 32, STRIDE = 96, MOST = 64 };
    static float q[WIDTH], keys[MOST * STRIDE], w[MOST];
    const char *labels[MOST];
    struct hl_rng rng;
    struct stage g;
    struct hl_error err = { 0 };
    (void)state;
    hl_rng_init(&rng, 7);
    stage_open(&g, "arithmetic", 1280, 800);
    for (int j = 0; j < MOST; j++)
        labels[j] = j % 2 ? "animal" : "street";
    for (int n = 1; n <= MOST; n = n < 4 ? n + 1 : n * 2) {
        struct arithmetic_head h = { .query = q,
                                     .keys = keys,
                                     .values = keys + WIDTH,
                                     .n_k = n,
                                     .width = WIDTH,
                                     .stride = STRIDE,
                                     .scale = 1 / sqrtf((float)WIDTH),
                                     .query_label = "it",
                                     .key_labels = labels,
                                     .weights = w,
                                     .origin = "model · layer 2 · head 5" };
        random_head(&rng, q, keys, n, WIDTH, STRIDE);
        softmax_row(q, keys, n, WIDTH, STRIDE, w);
        assert_int_equal(arithmetic_receive(arithmetic_of(&g.s), &h, &err), HL_OK);
        struct hl_arena a;
        struct hl_mech_result r;
        hl_arena_init(&a, 1 << 16, 0);
        assert_int_equal(arithmetic_run(arithmetic_of(&g.s), &a, &r, &err), HL_OK);
        const struct hl_mech_step *s = &r.steps[hl_mech_step_index(&r, "weights")];
        for (int j = 0; j < n; j++)
            assert_true(fabs(s->data[j] - (double)w[j]) < 1e-5);
        hl_arena_deinit(&a);
        stage_draw(&g);
        assert_true(stage_shows(&g, "The same weights as in the model's matrix"));
        assert_true(stage_shows(&g, "layer 2 · head 5"));
        if (n == 16)
            stage_golden(&g, "arithmetic-head");
    }
    struct arithmetic_head bad = { .query = q,
                                   .keys = keys,
                                   .n_k = MOST + 1,
                                   .width = WIDTH,
                                   .stride = STRIDE,
                                   .scale = 1,
                                   .query_label = "it",
                                   .key_labels = labels,
                                   .origin = "" };
    assert_int_equal(arithmetic_receive(arithmetic_of(&g.s), &bad, &err), HL_E_ARGUMENT);
    bad.n_k = 4;
    bad.scale = 0.5f;
    assert_int_equal(arithmetic_receive(arithmetic_of(&g.s), &bad, &err), HL_E_ARGUMENT);
    bad.scale = 1;
    assert_int_equal(arithmetic_receive(arithmetic_of(&g.s), &bad, &err), HL_OK);
    stage_draw(&g);
    stage_close(&g);
}

/* ---- pictures ---- */

static void
test_goldens(void **state)
{
    static const char *const mechs[] = { "attention", "query_key",      "softmax",       "scores",
                                         "soft_hard", "grid_attention", "ntm_addressing" };
    struct stage g;
    (void)state;
    stage_open(&g, "arithmetic", 1280, 800);
    for (int i = 0; i < N_OF(mechs); i++) {
        char name[64];
        stage_set(&g, "mech", mechs[i]);
        snprintf(name, sizeof name, "arithmetic-%s", mechs[i]);
        stage_golden(&g, name);
        uint64_t first = dl_digest(&g.dl);
        stage_draw(&g);
        assert_true(dl_digest(&g.dl) == first);
    }
    stage_close(&g);
}

/* Every size and every mechanism draws, and what is named lies in the window. */
static void
test_all_sizes(void **state)
{
    static const char *const letters[] = { "T", "Tq", "Tk", "D", "Dh", "Dv", "A", "P", "C", "Dk" };
    static const float sizes[][2] = { { 900, 600 }, { 1280, 800 }, { 2400, 1300 } };
    struct stage g;
    (void)state;
    for (int z = 0; z < N_OF(sizes); z++) {
        stage_open(&g, "arithmetic", sizes[z][0], sizes[z][1]);
        for (int m = 0; m < hl_n_mechs; m++) {
            stage_set(&g, "mech", hl_mechs[m]->key);
            for (int n = 1; n <= 8; n += n == 1 ? 1 : 6) {
                for (int i = 0; i < N_OF(letters); i++)
                    arithmetic_resize(arithmetic_of(&g.s), letters[i], n);
                stage_draw(&g);
                stage_key(&g, KEY_PAGE_DOWN, 0);
                stage_key(&g, KEY_DOWN, 0);
                stage_key(&g, KEY_RIGHT, 0);
            }
        }
        stage_close(&g);
    }
}

static void
test_no_memory(void **state)
{
    static const char *const pairs[] = { "cell", "x:0:1", NULL };
    static const char *const scores[] = { "mech", "scores", NULL };
    (void)state;
    stage_without_memory("arithmetic", pairs);
    stage_without_memory("arithmetic", scores);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textbook),
        cmocka_unit_test(test_width_64),
        cmocka_unit_test(test_every_later_cell),
        cmocka_unit_test(test_typing),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_arrows),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_sizes_and_settings),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_memory_head),
        cmocka_unit_test(test_receive),
        cmocka_unit_test(test_goldens),
        cmocka_unit_test(test_all_sizes),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_formula),
        cmocka_unit_test(test_note),
    };
    stage_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

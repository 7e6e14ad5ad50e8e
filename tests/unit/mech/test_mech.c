/* The numbers that people know, every step against num/ref, every explanation against
 * its cell. */
#include "harness/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "mech/mech.h"
#include "nn/memhead.h"
#include "num/ref/ref.h"

static struct hl_arena arena;

static int
make_arena(void **state)
{
    (void)state;
    hl_arena_init(&arena, 65536, 0);
    return 0;
}

static int
free_arena(void **state)
{
    (void)state;
    hl_arena_deinit(&arena);
    return 0;
}

static struct hl_mech_problem *
preset(const char *mech, int i)
{
    static struct hl_mech_problem p;
    assert_true(hl_mech_preset_load(hl_mech_find(mech), i, &p));
    return &p;
}

static const struct hl_mech_result *
run(const char *mech, const struct hl_mech_problem *p)
{
    static struct hl_mech_result r;
    struct hl_error err = { 0 };
    if (hl_mech_run(hl_mech_find(mech), p, &arena, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return &r;
}

static void
expect(const struct hl_mech_result *r, const char *key, const double *want, int n, double bound)
{
    int i = hl_mech_step_index(r, key);
    if (i < 0)
        fail_msg("no step %s", key);
    assert_true(r->steps[i].rows * r->steps[i].cols >= n);
    for (int k = 0; k < n; k++) {
        if (!(fabs(r->steps[i].data[k] - want[k]) <= bound))
            fail_msg("%s[%d] is %.9g, not %.9g", key, k, r->steps[i].data[k], want[k]);
    }
}

static void
the_textbook_example(void **state)
{
    const double k[] = { 0, 1, 1, 4, 4, 0, 2, 3, 1 }, q[] = { 1, 0, 2, 2, 2, 2, 2, 1, 3 };
    const double v[] = { 1, 2, 3, 2, 8, 0, 2, 6, 3 }, scores[] = { 2, 4, 4 };
    const double weights[] = { 0.0634, 0.4683, 0.4683 }, out[] = { 1.9366, 6.6831, 1.5951 };
    const double rounded[] = { 0, 0.5, 0.5, 0, 1, 0, 0, 0.9, 0.1 };
    const double rounded_out[] = { 2, 7, 1.5, 2, 8, 0, 2, 7.8, 0.3 };
    struct hl_mech_problem *p = preset("attention", 0);
    (void)state;

    const struct hl_mech_result *r = run("attention", p);
    expect(r, "k", k, 9, 0);
    expect(r, "q", q, 9, 0);
    expect(r, "v", v, 9, 0);
    expect(r, "scores", scores, 3, 0);
    expect(r, "weights", weights, 3, 5e-5);
    expect(r, "output", out, 3, 5e-5);
    p->options[hl_mech_option_index(r->mech, "round")] = 1;
    r = run("attention", p);
    expect(r, "rounded", rounded, 9, 1e-12);
    expect(r, "output", rounded_out, 9, 1e-12);
}

static void
the_scaling_example(void **state)
{
    const double raw[] = { 112, 96 }, scaled[] = { 14, 12 }, weights[] = { 0.88, 0.12 };
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *mech = i ? "query_key" : "softmax";
        const struct hl_mech_result *r = run(mech, preset(mech, i));
        expect(r, "scores", raw, 2, 0);
        expect(r, "scaled", scaled, 2, 0);
        expect(r, "weights", weights, 2, 5e-3);
    }
}

/* Random problem of random sizes for a mechanism. */
static int
random_size(const char *letter, void *user)
{
    (void)letter;
    return 1 + hl_rng_below(user, 6);
}

static void
random_problem(const struct hl_mech *m, struct hl_rng *rng, struct hl_mech_problem *p)
{
    /* one size per letter: ask once, then resize */
    assert_true(hl_mech_preset_load(m, 0, p));
    const char *const letters[] = { "T", "Tq", "Tk", "D", "Dh", "Dv", "A",
                                    "P", "C",  "Dk", "N", "M",  "S" };
    for (int i = 0; i < N_OF(letters); i++)
        hl_mech_resize(m, p, letters[i], random_size(letters[i], rng));
    for (int i = 0; i < m->n_inputs; i++) {
        for (int k = 0; k < p->rows[i] * p->cols[i]; k++)
            p->cells[p->at[i] + k] = hl_rng_normal(rng);
    }
}

/* Attention recomputed by the reference, which shares no code with the steps. */
static void
attention_equals_the_reference(void **state)
{
    const struct hl_mech *m = hl_mech_find("attention");
    struct hl_mech_problem p;
    struct hl_rng rng;
    (void)state;

    hl_rng_init(&rng, 1);
    for (int i = 0; i < 100; i++) {
        double q[36], k[36], v[36], w[36], o[36];
        random_problem(m, &rng, &p);
        p.options[0] = i % 2;
        p.options[1] = i / 2 % 2;
        int t = p.rows[0], d = p.cols[0], dh = p.cols[1], dv = p.cols[3];
        const double *x = p.cells;
        hl_ref_gemm(t, dh, d, 1, x, p.cells + p.at[1], 0, q);
        hl_ref_gemm(t, dh, d, 1, x, p.cells + p.at[2], 0, k);
        hl_ref_gemm(t, dv, d, 1, x, p.cells + p.at[3], 0, v);
        hl_ref_attention(t, t, dh, dv, q, k, v, p.options[0] != 0 ? 1 / sqrt(dh) : 1,
                         p.options[1] != 0, 0, w, o);
        const struct hl_mech_result *r = run("attention", &p);
        expect(r, "q", q, t * dh, 1e-12);
        expect(r, "k", k, t * dh, 1e-12);
        expect(r, "weights", w, t * t, 1e-12);
        expect(r, "output", o, t * dv, 1e-12);
    }
}

/* Two like columns, two like corners, and a map that stays as it is. */
static void
alike_cells_look_at_each_other(void **state)
{
    const double halves[] = { 0.4910, 0.0090, 0.4910, 0.0090 };
    const double column[] = { 2.9820, 0.0180 }; /* 2 + 0.5 (0.9820 2), 0 + 0.5 (0.0180 2) */
    const double corner[] = {
        0.4699, 0.0086, 0.0086, 0.0086, 0.0086, 0.0086, 0.0086, 0.0086, 0.4699
    };
    const double found[] = { 2, 1.8795 }; /* both corners' 2, in the second channel */
    const struct hl_mech_result *r = run("grid_attention", preset("grid_attention", 0));
    (void)state;
    expect(r, "weights", halves, 4, 5e-5);
    expect(r, "output", column, 2, 5e-5);
    r = run("grid_attention", preset("grid_attention", 1));
    expect(r, "weights", corner, 9, 5e-5);
    expect(r, "output", found, 2, 5e-5);
    r = run("grid_attention", preset("grid_attention", 2));
    expect(r, "output", r->steps[0].data, 8, 0);
}

static void
map_attention_equals_the_reference(void **state)
{
    const struct hl_mech *m = hl_mech_find("grid_attention");
    struct hl_mech_problem p;
    struct hl_rng rng;
    (void)state;

    hl_rng_init(&rng, 4);
    for (int i = 0; i < 100; i++) {
        double f[36], g[36], h[36], w[36], mixed[36], o[36];
        random_problem(m, &rng, &p);
        int cells = p.rows[0], c = p.cols[0], dk = p.cols[1], dv = p.cols[3];
        const double *x = p.cells;
        hl_ref_gemm(cells, dk, c, 1, x, p.cells + p.at[1], 0, f);
        hl_ref_gemm(cells, dk, c, 1, x, p.cells + p.at[2], 0, g);
        hl_ref_gemm(cells, dv, c, 1, x, p.cells + p.at[3], 0, h);
        hl_ref_attention(cells, cells, dk, dv, g, f, h, 1, false, 0, w, mixed);
        memcpy(o, x, (size_t)(cells * c) * sizeof *o);
        hl_ref_gemm(cells, c, dv, p.options[0], mixed, p.cells + p.at[4], 1, o);
        const struct hl_mech_result *r = run("grid_attention", &p);
        expect(r, "weights", w, cells * cells, 1e-12);
        expect(r, "output", o, cells * c, 1e-11);
    }
}

static void
a_head_finds_its_place(void **state)
{
    const double cosine[] = { 0, 1, 0, 0.8 }, content[] = { 0.0049, 0.7239, 0.0049, 0.2663 };
    const double sharp[] = { 0.0000, 0.9820, 0.0000, 0.0180 };
    const double moved[] = { 0.9, 0, 0, 0.1 }, address[] = { 0.9878, 0, 0, 0.0122 };
    const double written[] = { 2.9756, 3.9512 }, halves[] = { 0.5, 0, 0.5, 0 };
    const double onward[] = { 0, 0.5, 0, 0.5 };
    struct hl_mech_explanation x;
    (void)state;

    struct hl_mech_problem *p = preset("ntm_addressing", 0);
    const struct hl_mech_result *r = run("ntm_addressing", p);
    expect(r, "cosine", cosine, 4, 1e-15);
    expect(r, "content", content, 4, 5e-5);
    expect(r, "weights", content, 4, 5e-5);
    p->options[hl_mech_option_index(r->mech, "beta")] = 20;
    expect(run("ntm_addressing", p), "content", sharp, 4, 5e-5);

    r = run("ntm_addressing", preset("ntm_addressing", 1));
    expect(r, "shifted", moved, 4, 1e-12);
    expect(r, "weights", address, 4, 5e-5);
    expect(r, "written", written, 2, 5e-5);
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "shifted"), 0, 0, &arena, &x));
    assert_string_equal(x.text, "0 × 0 + 0 × 0.1 + 1 × 0.9 = 0.9");
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "powers"), 0, 0, &arena, &x));
    assert_string_equal(x.text, "0.9 ^ 2 = 0.81");
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "shift"), 0, 2, &arena, &x));
    assert_string_equal(x.text, "9 / 10 = 0.9");
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "erased"), 3, 1, &arena, &x));
    assert_string_equal(x.text, "0.8 × (1 − 0.012195 × 1) = 0.79024");
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "written"), 1, 1, &arena, &x));
    assert_string_equal(x.text, "1 + 0 × 4 = 1");

    r = run("ntm_addressing", preset("ntm_addressing", 2));
    expect(r, "gated", halves, 4, 1e-12);
    expect(r, "weights", onward, 4, 1e-12);
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "gated"), 0, 0, &arena, &x));
    assert_non_null(strstr(x.text, " × 0.5 + 1 × 0.5 = 0.5"));
}

static void
to_floats(const double *from, int n, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (float)from[i];
}

static void
expect_floats(const struct hl_mech_result *r, const char *key, const float *want, int n)
{
    double wide[64];
    for (int i = 0; i < n; i++)
        wide[i] = (double)want[i];
    expect(r, key, wide, n, 2e-5);
}

/* What the models compute with, on the same numbers. */
static void
a_head_by_hand_equals_a_head_of_a_model(void **state)
{
    const struct hl_mech *m = hl_mech_find("ntm_addressing");
    struct hl_mech_problem p;
    struct hl_rng rng;
    (void)state;

    hl_rng_init(&rng, 6);
    for (int i = 0; i < 100; i++) {
        float memory[36], k[6], before[6], s[7], e[6], a[6], norms[6], w[6], at[6], read[6];
        random_problem(m, &rng, &p);
        int n = p.rows[0], width = p.cols[0], shifts = p.cols[3] | 1;
        assert_true(hl_mech_resize(m, &p, "S", shifts));
        const double g = p.options[1] = hl_rng_uniform(&rng);
        p.options[2] = 1 + 4 * hl_rng_uniform(&rng);
        const struct hl_mech_result *r = run("ntm_addressing", &p);
        to_floats(p.cells, n * width, memory);
        to_floats(p.cells + p.at[1], width, k);
        to_floats(r->steps[hl_mech_step_index(r, "previous")].data, n, before);
        to_floats(r->steps[hl_mech_step_index(r, "shift")].data, shifts, s);
        to_floats(p.cells + p.at[4], width, e);
        to_floats(p.cells + p.at[5], width, a);

        hl_memhead_norms(memory, n, width, norms);
        hl_memhead_cosine(k, memory, norms, n, width, w);
        expect_floats(r, "cosine", w, n);
        hl_memhead_content(w, (float)p.options[0], n, w);
        expect_floats(r, "content", w, n);
        hl_memhead_gate(w, before, (float)g, n, w);
        expect_floats(r, "gated", w, n);
        hl_memhead_shift(w, n, s, shifts, at);
        expect_floats(r, "shifted", at, n);
        hl_memhead_sharpen(at, (float)p.options[2], n, at);
        expect_floats(r, "weights", at, n);
        hl_memhead_read(at, memory, n, width, read);
        expect_floats(r, "read", read, width);
        hl_memhead_write(at, e, a, memory, n, width, memory);
        expect_floats(r, "written", memory, n * width);
        hl_arena_reset(&arena);
    }
}

static void
every_cell_is_explained(void **state)
{
    struct hl_mech_problem p;
    struct hl_rng rng;
    struct hl_mech_explanation x;
    (void)state;

    hl_rng_init(&rng, 2);
    for (int i = 0; i < hl_n_mechs; i++) {
        const struct hl_mech *m = hl_mechs[i];
        assert_ptr_equal(hl_mech_find(m->key), m);
        assert_true(m->laws != 0 && m->n_presets > 0 && m->n_inputs <= HL_MECH_MAX_INPUTS);
        for (int j = 0; j < 20 + m->n_presets; j++) {
            if (j < m->n_presets)
                assert_true(hl_mech_preset_load(m, j, &p));
            else
                random_problem(m, &rng, &p);
            const struct hl_mech_result *r = run(m->key, &p);
            for (int s = 0; s < r->n_steps; s++) {
                int row = hl_rng_below(&rng, r->steps[s].rows);
                int col = hl_rng_below(&rng, r->steps[s].cols);
                assert_true(hl_mech_explain(r, s, row, col, &arena, &x));
                assert_true(x.value == r->steps[s].data[row * r->steps[s].cols + col]);
                assert_non_null(strstr(x.text, " = "));
            }
            assert_false(hl_mech_explain(r, r->n_steps, 0, 0, &arena, &x));
            assert_false(hl_mech_explain(r, 0, -1, 0, &arena, &x));
            hl_arena_reset(&arena);
        }
    }
}

static void
explanations_read_like_sums(void **state)
{
    struct hl_mech_explanation x;
    struct hl_mech_problem *p = preset("attention", 0);
    (void)state;
    p->options[1] = 1;
    const struct hl_mech_result *r = run("attention", p);
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "scores"), 0, 1, &arena, &x));
    assert_string_equal(x.text, "1 × 4 + 0 × 4 + 2 × 0 = 4");
    assert_int_equal(x.n_terms, 3);
    assert_int_equal(x.terms[2].a_at.step, hl_mech_step_index(r, "q"));
    assert_int_equal(x.terms[2].b_at.step, hl_mech_step_index(r, "k"));
    assert_int_equal(x.terms[2].b_at.row, 1);
    assert_int_equal(x.terms[2].b_at.col, 2);
    assert_true(hl_mech_explain(r, hl_mech_step_index(r, "masked"), 0, 1, &arena, &x));
    assert_string_equal(x.text, "a later position: masked = −∞");
}

static void
sizes_change_and_keep_cells(void **state)
{
    const struct hl_mech *m = hl_mech_find("attention");
    struct hl_mech_problem *p = preset("attention", 0), before = *p;
    (void)state;

    assert_true(hl_mech_resize(m, p, "T", 5));
    assert_int_equal(hl_mech_size(m, p, "T"), 5);
    assert_true(*hl_mech_cell(p, 0, 2, 3) == 1);
    assert_true(*hl_mech_cell(p, 0, 4, 0) == 0);
    assert_true(*hl_mech_cell(p, 3, 2, 2) == 3);
    assert_true(hl_mech_resize(m, p, "T", 3));
    assert_memory_equal(p, &before, sizeof before);
    assert_false(hl_mech_resize(m, p, "T", 0));
    assert_false(hl_mech_resize(m, p, "T", HL_MECH_MAX_DIM + 1));
    assert_false(hl_mech_resize(m, p, "Q", 2));
    assert_null(hl_mech_cell(p, 0, 3, 0));
    assert_null(hl_mech_cell(p, 4, 0, 0));
    assert_memory_equal(p, &before, sizeof before);
    assert_false(hl_mech_preset_load(m, 2, p));
    assert_null(hl_mech_find("none"));
}

static int
three(const char *letter, void *user)
{
    (void)letter;
    return *(int *)user;
}

static void
bad_problems_are_refused(void **state)
{
    const struct hl_mech *m = hl_mech_find("attention");
    struct hl_mech_result r;
    struct hl_mech_problem p;
    struct hl_error err;
    int n = 3;
    (void)state;

    assert_true(hl_mech_problem_init(m, three, &n, &p));
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_OK);
    *hl_mech_cell(&p, 0, 1, 1) = NAN;
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_E_ARGUMENT);
    assert_string_equal(err.where, "X");
    *hl_mech_cell(&p, 0, 1, 1) = 1e200;
    *hl_mech_cell(&p, 1, 1, 1) = 1e200;
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_E_ARGUMENT);
    *hl_mech_cell(&p, 0, 1, 1) = 0;
    p.cols[1] = 2;
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_E_ARGUMENT);
    p.cols[1] = 3;
    p.options[0] = 0.5;
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_E_ARGUMENT);
    p.options[0] = 2;
    assert_int_equal(hl_mech_run(m, &p, &arena, &r, &err), HL_E_ARGUMENT);
    n = 65;
    assert_false(hl_mech_problem_init(m, three, &n, &p));
    n = 64;
    assert_false(hl_mech_problem_init(m, three, &n, &p)); /* too many cells */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_textbook_example),
        cmocka_unit_test(the_scaling_example),
        cmocka_unit_test(attention_equals_the_reference),
        cmocka_unit_test(alike_cells_look_at_each_other),
        cmocka_unit_test(map_attention_equals_the_reference),
        cmocka_unit_test(a_head_finds_its_place),
        cmocka_unit_test(a_head_by_hand_equals_a_head_of_a_model),
        cmocka_unit_test(every_cell_is_explained),
        cmocka_unit_test(explanations_read_like_sums),
        cmocka_unit_test(sizes_change_and_keep_cells),
        cmocka_unit_test(bad_problems_are_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}

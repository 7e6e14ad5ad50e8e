/* PyTorch's outputs: every stage of every head, the parameters, the memory after each
 * step and the answers within 1e-4.
 *
 *   test_ntm_expected MODEL EXPECTED
 *
 * Exits 77 while the model is absent. */
#include "harness/test.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "unit/model/expected.h"

static const double BOUND = 1e-4;

static const char *folder, *expected_folder;
static double worst;

static void
check(const struct hl_json *input, const char *name, const float *own, const float *want, int64_t n)
{
    double gap = expected_gap(own, want, n);
    if (!(gap <= BOUND))
        fail_msg("%s: %s differs by %g", hl_json_string(hl_json_get(input, "text")), name, gap);
    worst = gap > worst ? gap : worst;
}

/* A map by its kind and stage ("read.gated"), NULL for other names. */
static const struct hl_map *
find_map(const struct hl_record *r, const char *name)
{
    const char *dot = strchr(name, '.');
    for (int i = 0; dot && i < r->n_maps; i++) {
        const struct hl_map *m = &r->maps[i];
        if (strlen(m->name) == (size_t)(dot - name) &&
            strncmp(m->name, name, (size_t)(dot - name)) == 0 && strcmp(m->stage, dot + 1) == 0)
            return m;
    }
    return NULL;
}

/* [steps, heads, N], of the steps named by "stage_steps". */
static void
check_map(const struct hl_json *input, const struct hl_map *m, const char *name, const float *want,
          int64_t n)
{
    const struct hl_json *step = hl_json_first(hl_json_get(input, "stage_steps"));
    for (; step; step = hl_json_next(step)) {
        int64_t t;
        assert_true(hl_json_int(step, 0, m->n_q - 1, &t));
        for (int h = 0; h < m->n_heads; h++, want += m->n_k, n -= m->n_k)
            check(input, name, hl_map_row(m, 0, h, (int)t), want, m->n_k);
    }
    assert_int_equal(n, 0);
}

/* All steps of a series, or those named by "stage_steps". */
static void
check_series(const struct hl_json *input, const struct hl_series *s, const char *name,
             const float *want, int64_t n)
{
    const struct hl_json *step = hl_json_first(hl_json_get(input, "stage_steps"));
    if (n == (int64_t)s->n * s->n_comp) {
        check(input, name, s->data, want, n);
        return;
    }
    for (; step; step = hl_json_next(step), want += s->n_comp, n -= s->n_comp) {
        int64_t t;
        assert_true(hl_json_int(step, 0, s->n - 1, &t));
        check(input, name, s->data + t * s->n_comp, want, s->n_comp);
    }
    assert_int_equal(n, 0);
}

/* What the record calls a tensor that is no map. */
static const char *
own_name(const char *name)
{
    static const char *const pairs[][2] = {
        { "hidden", "controller" },
        { "reads", "read.vector" },
        { "read.beta", "read.strength" },
        { "write.beta", "write.strength" },
    };
    for (int i = 0; i < N_OF(pairs); i++) {
        if (strcmp(name, pairs[i][0]) == 0)
            return pairs[i][1];
    }
    return name;
}

static void
check_tensor(const struct expected *e, const struct hl_json *input, const struct hl_record *r,
             const char *name)
{
    int64_t n;
    const float *want = expected_tensor(e, input, name, &n);
    const struct hl_map *m = find_map(r, name);
    const struct hl_series *s = hl_record_find_series(r, own_name(name));

    assert_non_null(want);
    if (m) {
        check_map(input, m, name, want, n);
    } else if (strcmp(name, "memory.last") == 0) {
        const struct hl_vectors *v = hl_record_find_vectors(r, "memory");
        assert_int_equal((int64_t)v->n * v->width, n);
        check(input, name, v->data + (v->n_layers - 1) * n, want, n);
    } else {
        if (!s)
            fail_msg("there is no series %s", name);
        check_series(input, s, name, want, n);
    }
}

/* The bytes read back, and those that were right. */
static void
check_answer(const struct hl_json *input, const struct hl_record *r)
{
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    const struct hl_series *bits = hl_record_find_series(r, "target");
    const struct hl_json *answer = hl_json_get(input, "answer");
    const struct hl_json *wanted = hl_json_first(hl_json_get(input, "wanted"));
    int i = 0;

    assert_int_equal(target->n, hl_json_n(answer));
    for (answer = hl_json_first(answer); answer; answer = hl_json_next(answer), i++) {
        int64_t read, want;
        assert_true(hl_json_int(answer, 0, 255, &read) && hl_json_int(wanted, 0, 255, &want));
        assert_int_equal(target->tokens[i].id, read);
        for (int b = 0; b < bits->n_comp; b++)
            assert_int_equal((int)bits->data[(bits->n - target->n + i) * bits->n_comp + b],
                             (int)(want >> (7 - b) & 1));
        wanted = hl_json_next(wanted);
    }
}

/* All tensors of an input; gives their number. */
static int
check_input(const struct expected *e, const struct hl_model *m, const struct hl_json *input)
{
    struct hl_error err = { 0 };
    struct hl_record *r = NULL;
    struct hl_request q = { .text = hl_json_string(hl_json_get(input, "text")) };
    const struct hl_json *t = hl_json_first(hl_json_get(input, "tensors"));
    int n_tensors = 0;

    if (hl_model_run(m, &q, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    for (; t; t = hl_json_next(t), n_tensors++)
        check_tensor(e, input, r, hl_json_string(hl_json_get(t, "name")));
    check_answer(input, r);
    hl_record_destroy(r);
    return n_tensors;
}

static void
agrees(void **state)
{
    struct expected e;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    int n = 0, n_tensors = 0;
    (void)state;

    if (hl_model_open(folder, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(expected_open(expected_folder, &e));
    for (const struct hl_json *i = hl_json_first(e.inputs); i; i = hl_json_next(i), n++)
        n_tensors += check_input(&e, m, i);
    assert_true(n > 0 && n_tensors == 27 * n);
    print_message("%d inputs, %d tensors, largest difference %.2g\n", n, n_tensors, worst);
    expected_close(&e);
    hl_model_close(m);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(agrees) };
    int status = expected_arguments(argc, argv, &folder, &expected_folder);

    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}

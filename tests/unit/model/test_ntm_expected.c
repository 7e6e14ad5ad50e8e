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

/* The record's numbers under a name of expected.json: a map by "read.gated", else the
 * memory or a series. *n is how many they are. */
static const float *
find(const struct hl_record *r, const char *name, int64_t *n)
{
    const char *dot = strchr(name, '.');
    for (int i = 0; dot && i < r->n_maps; i++) {
        const struct hl_map *m = &r->maps[i];
        *n = (int64_t)m->n_heads * m->n_q * m->n_k;
        if (strlen(m->name) == (size_t)(dot - name) &&
            strncmp(m->name, name, (size_t)(dot - name)) == 0 &&
            strcmp(hl_stage_name(m->stage), dot + 1) == 0)
            return m->data;
    }
    const struct hl_vectors *v = hl_record_find_vectors(r, name);
    if (v) {
        *n = (int64_t)v->n_layers * v->n * v->width;
        return v->data;
    }
    const struct hl_series *s = hl_record_find_series(r, name);
    *n = s ? (int64_t)s->n * s->n_comp : 0;
    return s ? s->data : NULL;
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
    for (; t; t = hl_json_next(t), n_tensors++) {
        const char *name = hl_json_string(hl_json_get(t, "name"));
        int64_t n_want, n_own;
        const float *want = expected_tensor(e, input, name, &n_want);
        const float *own = find(r, name, &n_own);
        if (!want || !own || n_want != n_own)
            fail_msg("%s: %s is missing or of another size", q.text, name);
        double gap = expected_gap(own, want, n_own);
        if (!(gap <= BOUND))
            fail_msg("%s: %s differs by %g", q.text, name, gap);
        worst = gap > worst ? gap : worst;
    }
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
    assert_true(n > 0 && n_tensors >= 15 * n);
    print_message("%d inputs, %d tensors, largest difference %.2g\n", n, n_tensors, worst);
    expected_close(&e);
    hl_model_close(m);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(agrees) };
    char path[512];
    struct hl_map_file f = { 0 };

    if (argc < 3)
        return 2;
    folder = argv[1];
    expected_folder = argv[2];
    snprintf(path, sizeof path, "%s/config.json", folder);
    if (hl_map_open(path, &f, NULL) != HL_OK) {
        printf("skipped: no model in %s\n", folder);
        return 77;
    }
    hl_map_close(&f);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* PyTorch's pictures, maps and scores within 1e-4.
 *
 *   test_sagan_expected MODEL EXPECTED
 *
 * Exits 77 while the model is absent. */
#include "harness/test.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "model/sagan.h"
#include "unit/model/expected.h"

static const double BOUND = 1e-4;

static const char *folder, *expected_folder;
static double worst;

static void
check(const char *what, const float *own, const float *want, int64_t n)
{
    double gap = expected_gap(own, want, n);
    if (!(gap <= BOUND))
        fail_msg("%s differs by %g", what, gap);
    worst = gap > worst ? gap : worst;
}

/* The vectors of the one picture. */
static void
check_vectors(const struct expected *e, const struct hl_json *input, const struct hl_record *r,
              const char *name)
{
    int64_t n;
    const float *want = expected_tensor(e, input, name, &n);
    const struct hl_vectors *v = hl_record_find_vectors(r, name);
    assert_non_null(want);
    assert_non_null(v);
    assert_int_equal((int64_t)v->n_layers * v->n * v->width, n);
    check(name, v->data, want, n);
}

/* The rows that are given: row number rows[i] of `data` against row i of the tensor. */
static void
check_rows(const struct expected *e, const struct hl_json *input, const char *tensor,
           const float *data, int width)
{
    int64_t n;
    int32_t rows[256];
    int n_rows = expected_ids(input, "rows", rows);
    const float *want = expected_tensor(e, input, tensor, &n);
    assert_non_null(want);
    assert_int_equal(n, (int64_t)n_rows * width);
    for (int i = 0; i < n_rows; i++)
        check(tensor, data + (size_t)rows[i] * (size_t)width, want + (int64_t)i * width, width);
}

static void
check_attention(const struct expected *e, const struct hl_json *input, const char *network,
                const struct hl_record *r)
{
    static const char *const names[] = { "input", "attended", "output" };
    char tensor[64], vectors[64];
    for (int stage = 0; stage < 2; stage++) {
        const char *s = stage ? HL_STAGE_WEIGHTS : HL_STAGE_SCORES;
        const struct hl_map *m = hl_record_find_map(r, "self", s);
        assert_non_null(m);
        snprintf(tensor, sizeof tensor, "%s.%s", network, s);
        check_rows(e, input, tensor, m->data, m->n_k);
    }
    for (int i = 0; i < N_OF(names); i++) {
        snprintf(tensor, sizeof tensor, "%s.%s", network, names[i]);
        snprintf(vectors, sizeof vectors, "self.%s", names[i]);
        const struct hl_vectors *v = hl_record_find_vectors(r, vectors);
        assert_non_null(v);
        check_rows(e, input, tensor, v->data, v->width);
    }
}

static struct hl_record *
run(const struct hl_model *m, const struct hl_json *input, const struct hl_sagan_options *o)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    struct hl_request q = { .text = hl_json_string(hl_json_get(input, "text")),
                            .keep_vectors = true };
    hl_sagan_request(o, &q);
    if (hl_model_run(m, &q, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(r->sealed);
    return r;
}

static void
check_input(const struct expected *e, const struct hl_model *m, const struct hl_json *input)
{
    struct hl_sagan_options o = { .n_latents = 1 };
    int64_t n, label;
    const float *latent = expected_tensor(e, input, "latent", &n);
    assert_non_null(latent);
    assert_int_equal(n, hl_sagan_info(hl_model_info(m))->latent_size);
    memcpy(o.latents[0], latent, (size_t)n * sizeof *latent);

    struct hl_record *r = run(m, input, &o);
    const struct hl_axis *source = hl_record_find_axis(r, "source");
    assert_true(hl_json_int(hl_json_get(input, "label"), 0, 255, &label));
    assert_int_equal(source->n, 1);
    assert_int_equal(source->tokens[0].id, label);
    check_attention(e, input, "generator", r);
    check_vectors(e, input, r, "image");
    check_vectors(e, input, r, "image.convolution");
    check_vectors(e, input, r, "score");
    hl_record_destroy(r);

    const float *image = expected_tensor(e, input, "image", &n);
    memcpy(o.picture, image, (size_t)n * sizeof *image);
    o.discriminator = true;
    r = run(m, input, &o);
    check_attention(e, input, "discriminator", r);
    check_vectors(e, input, r, "score");
    hl_record_destroy(r);
}

static void
agrees(void **state)
{
    struct expected e;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    (void)state;

    if (hl_model_open(folder, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(expected_open(expected_folder, &e));
    int n = 0;
    for (const struct hl_json *i = hl_json_first(e.inputs); i; i = hl_json_next(i), n++)
        check_input(&e, m, i);
    assert_true(n > 0);
    print_message("%d pictures, largest difference %.2g\n", n, worst);
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

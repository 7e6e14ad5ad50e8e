/* PyTorch's outputs: weights, states and logits within 1e-4, the same greedy ids.
 *
 *   test_expected MODEL EXPECTED [ids]
 *
 * With "ids" the model has no tokeniser of ours and the ids of expected.json are
 * fed; otherwise the text is. Exits 77 while the model is absent. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "unit/model/expected.h"

static const double BOUND = 1e-4;

static const char *folder, *expected_folder;
static bool ids_only;
static double worst;

static void
check(const char *input, const char *name, const float *own, const float *other, int64_t n)
{
    double gap = expected_gap(own, other, n);
    if (!(gap <= BOUND))
        fail_msg("%s: %s differs by %g", input, name, gap);
    worst = gap > worst ? gap : worst;
}

static void
check_map(const struct expected *e, const struct hl_json *input, const char *tensor,
          const struct hl_record *r, const char *map)
{
    int64_t n;
    const char *name = hl_json_string(hl_json_get(input, "name"));
    const float *want = expected_tensor(e, input, tensor, &n);
    const struct hl_map *m = hl_record_find_map(r, map, HL_STAGE_WEIGHTS);
    if (!want)
        return;
    assert_non_null(m);
    assert_int_equal((int64_t)m->n_layers * m->n_heads * m->n_q * m->n_k, n);
    check(name, tensor, m->data, want, n);
}

/* `layer` -1 is the last one; `skip` rows of the expected tensor are not recorded. */
static void
check_vectors(const struct expected *e, const struct hl_json *input, const char *tensor,
              const struct hl_record *r, const char *vectors, int layer, int skip)
{
    int64_t n;
    const char *name = hl_json_string(hl_json_get(input, "name"));
    const float *want = expected_tensor(e, input, tensor, &n);
    const struct hl_vectors *v = hl_record_find_vectors(r, vectors);
    if (!want)
        return;
    assert_non_null(v);
    int64_t one = (int64_t)v->n * v->width;
    int64_t at = layer < 0 ? (v->n_layers - 1) * one : 0;
    want += (int64_t)skip * v->width;
    n -= (int64_t)skip * v->width;
    assert_int_equal(n, layer < 0 ? one : v->n_layers * one);
    check(name, tensor, v->data + at, want, n);
}

static void
check_logits(const struct expected *e, const struct hl_json *input, const char *tensor,
             const struct hl_record *r)
{
    int64_t n;
    const float *want = expected_tensor(e, input, tensor, &n);
    if (!want)
        return;
    assert_int_equal(r->n_logits, n);
    check(hl_json_string(hl_json_get(input, "name")), tensor, r->logits, want, n);
}

static struct hl_record *
run(const struct hl_model *m, const struct hl_request *req)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    if (hl_model_run(m, req, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(r->sealed);
    return r;
}

static struct hl_request
request_for(const struct hl_model *m, const struct hl_json *input, int32_t ids[256],
            const char *score)
{
    struct hl_request q = { .keep_vectors = true, .keep_logits = true };
    const struct hl_option *o = score ? hl_model_option(hl_model_info(m), "score") : NULL;
    double v = 0;
    if (o && hl_option_parse(o, score, &v, NULL) == HL_OK)
        hl_request_set(&q, "score", v);
    if (ids_only) {
        q.source_ids = ids;
        q.n_source_ids = expected_ids(input, "ids", ids);
    } else {
        q.text = hl_json_string(hl_json_get(input, "text"));
    }
    return q;
}

static void
check_greedy(const struct hl_model *m, const struct hl_json *input, const struct hl_json *from,
             const char *score)
{
    int32_t ids[256], want[256];
    int n = expected_ids(from, "greedy_ids", want);
    struct hl_request q = request_for(m, input, ids, score);
    hl_request_set(&q, "max", n - 1);
    struct hl_record *r = run(m, &q);
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    const struct hl_axis *source = hl_record_find_axis(r, "source");

    int n_source = expected_ids(input, "ids", ids);
    assert_int_equal(source->n, n_source);
    for (int i = 0; i < n_source; i++)
        assert_int_equal(source->tokens[i].id, ids[i]);
    assert_int_equal(target->n, n - 1);
    for (int i = 0; i < target->n; i++)
        assert_int_equal(target->tokens[i].id, want[i + 1]);
    hl_record_destroy(r);
}

static struct hl_record *
run_forced(const struct hl_model *m, const struct hl_json *input, const char *score)
{
    int32_t ids[256], decoder[256];
    struct hl_request q = request_for(m, input, ids, score);
    q.decoder_ids = decoder;
    q.n_decoder_ids = expected_ids(input, "decoder_ids", decoder);
    return run(m, &q);
}

static void
check_transformer(const struct expected *e, const struct hl_model *m, const struct hl_json *input)
{
    struct hl_record *r = run_forced(m, input, NULL);
    check_map(e, input, "attn.encoder", r, "encoder.self");
    check_map(e, input, "attn.decoder", r, "decoder.self");
    check_map(e, input, "attn.cross", r, "decoder.cross");
    check_vectors(e, input, "encoder_last_hidden_state", r, "encoder.state", -1, 0);
    check_vectors(e, input, "last_hidden_state", r, "decoder.state", -1, 0);
    check_vectors(e, input, "encoder_hidden_states", r, "encoder.state", 0, 0);
    check_vectors(e, input, "decoder_hidden_states", r, "decoder.state", 0, 0);
    check_logits(e, input, "logits_last", r);
    hl_record_destroy(r);
    check_greedy(m, input, input, NULL);
}

static void
check_gru(const struct expected *e, const struct hl_model *m, const struct hl_json *input)
{
    const struct hl_json *score = hl_json_first(hl_json_get(input, "scores"));
    for (; score; score = hl_json_next(score)) {
        char name[64];
        const char *key = hl_json_key(score);
        struct hl_record *r = run_forced(m, input, key);
        snprintf(name, sizeof name, "alignment.%s", key);
        check_map(e, input, name, r, "alignment");
        check_vectors(e, input, "encoder_last_hidden_state", r, "encoder.state", -1, 0);
        snprintf(name, sizeof name, "decoder_states.%s", key);
        check_vectors(e, input, name, r, "decoder.state", -1, 1);
        snprintf(name, sizeof name, "logits_last.%s", key);
        check_logits(e, input, name, r);
        hl_record_destroy(r);
        check_greedy(m, input, score, key);
    }
}

static void
agrees(void **state)
{
    struct expected e;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    (void)state;

    enum hl_status st =
        ids_only ? hl_model_open_ids(folder, &m, &err) : hl_model_open(folder, &m, &err);
    if (st != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(expected_open(expected_folder, &e));
    int n = 0;
    for (const struct hl_json *i = hl_json_first(e.inputs); i; i = hl_json_next(i), n++) {
        if (hl_model_option(hl_model_info(m), "score"))
            check_gru(&e, m, i);
        else
            check_transformer(&e, m, i);
    }
    assert_true(n > 0);
    print_message("%d inputs, largest difference %.2g\n", n, worst);
    expected_close(&e);
    hl_model_close(m);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(agrees) };
    int status = expected_arguments(argc, argv, &folder, &expected_folder);

    ids_only = argc > 3 && strcmp(argv[3], "ids") == 0;
    return status != 0 ? status : cmocka_run_group_tests(tests, NULL, NULL);
}

/* The JSON form of a record, read back. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "io/json.h"
#include "io/record_json.h"

static const struct hl_token source[] = {
    { 5, "▁\"Hi\"", "\"Hi\"", 0, 4, 0, false },
    { 0, "</s>", "</s>", -1, -1, -1, true },
};

/* One map of random weights in both stages, with a masked score. */
static struct hl_record *
sample(float *numbers, int n)
{
    struct hl_record *r = hl_record_create();
    assert_non_null(r);
    struct hl_axis *axis = hl_record_axis(r, "source", HL_AXIS_TOKENS, 2, NULL);
    axis->tokens = source;
    axis->text = "\"Hi\"";
    hl_record_axis(r, "steps", HL_AXIS_STEPS, n / 2, NULL);
    static const char *const stages[] = { HL_STAGE_SCORES, HL_STAGE_WEIGHTS, "own" };
    for (int i = 0; i < 3; i++) {
        struct hl_map *m = hl_record_map(r, "alignment", stages[i]);
        m->n_layers = m->n_heads = 1;
        m->n_q = n / 2;
        m->n_k = 2;
        m->q_axis = 1;
        m->data = numbers;
    }
    struct hl_vectors *v = hl_record_vectors(r, "encoder.state");
    *v = (struct hl_vectors) { v->name, 0, 1, 2, 1, numbers };
    struct hl_series *s = hl_record_series(r, "window.centre");
    *s = (struct hl_series) { s->name, 0, 2, 1, numbers };
    s = hl_record_series(r, "pair");
    *s = (struct hl_series) { s->name, 0, 2, 2, numbers };
    r->model = "en-fr-gru";
    r->family = "headlight-gru";
    hl_record_set(r, "score", "%s", "dot");
    r->output_text = "Sa\nlut";
    r->output_logprob = -1.5;
    r->logits = numbers;
    r->n_logits = 3;
    return r;
}

static struct hl_json_doc *
write_and_read(const struct hl_record *r, bool all, struct hl_sb *sb)
{
    struct hl_json_doc *doc = NULL;
    struct hl_error err = { 0 };
    hl_record_json(r, all, sb);
    assert_false(sb->failed);
    if (hl_json_parse(sb->p, sb->n, "record", 20, &doc, &err) != HL_OK)
        fail_msg("%s", err.detail);
    return doc;
}

static void
test_members(void **state)
{
    float numbers[8] = { 0.25F, 0.75F, 1, 0, 0.5F, 0.5F, 1e-30F, 1 };
    struct hl_record *r = sample(numbers, 8);
    struct hl_sb sb = { 0 };
    (void)state;
    struct hl_json_doc *doc = write_and_read(r, false, &sb);
    assert_non_null(strstr(sb.p, "{\"headlight\":1,\"model\":\"en-fr-gru\",\"family\":"));
    assert_non_null(strstr(sb.p, "{\"id\":5,\"text\":\"▁\\\"Hi\\\"\",\"start\":0,\"end\":4,"
                                 "\"word\":0,\"special\":false}"));
    assert_non_null(strstr(sb.p, "{\"id\":0,\"text\":\"</s>\",\"start\":null,\"end\":null,"
                                 "\"word\":null,\"special\":true}"));
    assert_non_null(strstr(sb.p, "\"attentions\":[{\"name\":\"alignment\",\"stage\":\"weights\","
                                 "\"shape\":[1,1,4,2],\"data\":[0.25,0.75,1,0,0.5,0.5,1e-30,1]}]"));
    assert_non_null(strstr(sb.p, "\"window.centre\":[0.25,0.75],\"pair\":[[0.25,0.75],[1,0]]"));
    assert_non_null(strstr(sb.p, "\"output\":{\"text\":\"Sa\\nlut\",\"tokens\":[],\"logprobs\":[],"
                                 "\"logprob\":-1.5}"));
    assert_non_null(strstr(sb.p, "\"logits\":[0.25,0.75,1]}"));
    assert_null(strstr(sb.p, "scores"));
    assert_null(strstr(sb.p, "vectors"));
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    numbers[1] = -INFINITY;
    doc = write_and_read(r, true, &sb);
    assert_non_null(strstr(sb.p, "\"stage\":\"scores\",\"shape\":[1,1,4,2],\"data\":[0.25,null,"));
    assert_non_null(strstr(sb.p, "\"vectors\":[{\"name\":\"encoder.state\",\"axis\":\"source\","
                                 "\"shape\":[1,2,1],\"data\":[0.25,null]}]"));
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    hl_record_destroy(r);
}

/* Nine digits give each float back, whatever its size and sign. */
static void
test_numbers_come_back(void **state)
{
    enum { N = 20000 };
    float *numbers = calloc(N, sizeof(*numbers));
    struct hl_rng rng;
    struct hl_sb sb = { 0 };
    double back;
    (void)state;
    assert_non_null(numbers);
    hl_rng_init(&rng, 11);
    for (int i = 0; i < N; i++) {
        double power = i % 3 == 0 ? 76 * hl_rng_uniform(&rng) - 38 : 12 * hl_rng_uniform(&rng) - 8;
        numbers[i] = (float)((hl_rng_below(&rng, 2) ? 1 : -1) * pow(10, power));
        if (i % 5 == 0)
            numbers[i] = (float)hl_rng_below(&rng, 1000) / 8;
    }
    numbers[0] = 0.99999999F;
    numbers[1] = 1e-5F;
    numbers[2] = 999999999.0F;
    numbers[3] = -0.0F;
    numbers[4] = 1.40129846e-45F;
    numbers[5] = 3.40282347e38F;
    numbers[6] = 0.1F;
    struct hl_record *r = sample(numbers, N);
    struct hl_json_doc *doc = write_and_read(r, false, &sb);
    const struct hl_json *map = hl_json_first(hl_json_get(hl_json_root(doc), "attentions"));
    const struct hl_json *node = hl_json_first(hl_json_get(map, "data"));
    for (int i = 0; i < N; i++, node = hl_json_next(node)) {
        assert_true(hl_json_double(node, &back));
        if ((float)back != numbers[i])
            fail_msg("%.9g came back as %.9g", (double)numbers[i], back);
    }
    assert_null(node);
    assert_non_null(strstr(sb.p, ",0.100000001,"));
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    hl_record_destroy(r);
    free(numbers);
}

static void
test_what_is_absent_is_left_out(void **state)
{
    struct hl_record *r = hl_record_create();
    struct hl_sb sb = { 0 };
    (void)state;
    struct hl_json_doc *doc = write_and_read(r, false, &sb);
    assert_string_equal(sb.p, "{\"headlight\":1,\"model\":null,\"family\":null,\"settings\":{},"
                              "\"tokens\":{},\"attentions\":[],\"series\":{}}");
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    r->dropped_at = 12;
    r->n_dropped_tokens = 3;
    doc = write_and_read(r, false, &sb);
    assert_non_null(strstr(sb.p, "\"dropped\":{\"tokens\":3,\"at\":12}"));
    hl_json_close(doc);
    hl_sb_deinit(&sb);
    hl_record_destroy(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_numbers_come_back),
        cmocka_unit_test(test_what_is_absent_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checkpoints of other families: what the original library answered, whatever type the
 * numbers are stored in.
 *
 *   test_families FOLDER [ids]
 *
 * Weights, states and logits within 2e-5, the same greedy ids. With "ids" the ids of
 * expected.json are fed, otherwise its texts, whose tokens must be the same. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"
#include "model/network.h"
#include "unit/model/expected.h"
#include "unit/model/tiny_file.h"

static const double BOUND = 2e-5;

static const char *folder;
static bool ids_only;
static double worst;

static struct hl_model *
open_folder(const char *dir)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    enum hl_status st = ids_only ? hl_model_open_ids(dir, &m, &err) : hl_model_open(dir, &m, &err);
    if (st != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return m;
}

static struct hl_record *
run(const struct hl_model *m, const struct hl_request *req)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    if (hl_model_run(m, req, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return r;
}

static void
check(const struct hl_json *input, const char *what, const float *own, const float *other,
      int64_t n)
{
    double gap = expected_gap(own, other, n);
    if (!(gap <= BOUND))
        fail_msg("%s: %s differs by %g", hl_json_string(hl_json_get(input, "name")), what, gap);
    worst = gap > worst ? gap : worst;
}

static int64_t
cells(const struct hl_map *m)
{
    return (int64_t)m->n_layers * m->n_heads * m->n_q * m->n_k;
}

static const char *
map_name(const struct hl_record *r)
{
    return hl_record_find_map(r, "decoder.self", HL_STAGE_WEIGHTS) ? "decoder.self"
                                                                   : "encoder.self";
}

static struct hl_request
request_for(const struct hl_json *input, int32_t ids[256])
{
    struct hl_request q = { .keep_scores = true, .keep_vectors = true, .keep_logits = true };
    if (ids_only) {
        q.source_ids = ids;
        q.n_source_ids = expected_ids(input, "ids", ids);
    } else {
        q.text = hl_json_string(hl_json_get(input, "text"));
    }
    return q;
}

static void
check_states(const struct expected *e, const struct hl_json *input, const struct hl_record *r)
{
    int64_t n;
    bool causal = strcmp(map_name(r), "decoder.self") == 0;
    const struct hl_vectors *v =
        hl_record_find_vectors(r, causal ? "decoder.state" : "encoder.state");
    const float *want = expected_tensor(e, input, "hidden_states", &n);
    assert_non_null(v);
    assert_non_null(want);
    assert_int_equal((int64_t)v->n_layers * v->n * v->width, n);
    check(input, "hidden_states", v->data, want, n);
}

static void
check_tokens(const struct hl_json *input, const struct hl_record *r)
{
    int32_t ids[256];
    int n = expected_ids(input, "ids", ids);
    const struct hl_axis *source = hl_record_find_axis(r, "source");
    assert_int_equal(source->n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(source->tokens[i].id, ids[i]);
}

/* The candidates for what follows the text are the reference's best. */
static void
check_candidates(const struct hl_json *input, const struct hl_record *r)
{
    const struct hl_json *best = hl_json_first(hl_json_get(input, "top5_last"));
    const struct hl_candidate *own =
        r->candidates + (ptrdiff_t)(r->n_candidates - 1) * r->candidates_k;
    float first = 0;
    assert_int_equal(r->n_candidates, hl_record_find_axis(r, "target")->n);
    for (int i = 0; i < r->candidates_k; i++, best = hl_json_next(best)) {
        int64_t id = -1;
        double logit = 0;
        assert_true(hl_json_int(hl_json_first(best), 0, INT32_MAX, &id));
        assert_true(hl_json_double(hl_json_next(hl_json_first(best)), &logit));
        assert_int_equal(own[i].id, id);
        first = i == 0 ? (float)logit - own[0].logprob : first;
        assert_true(fabs(logit - (double)own[i].logprob - (double)first) < 1e-4);
    }
}

/* With the last token hidden, the guess and the last logits are of one place. */
static void
check_guess(const struct hl_model *m, const struct hl_request *from)
{
    struct hl_request q = *from;
    struct hl_record *plain = run(m, from);
    int n = hl_record_find_axis(plain, "source")->n;
    assert_null(hl_record_find_axis(plain, "target"));
    assert_int_equal(plain->n_candidates, 0);
    hl_request_set(&q, "mask", n);
    struct hl_record *r = run(m, &q);
    const struct hl_series *at = hl_record_find_series(r, "masked.position");
    double sum = 0, top = (double)r->logits[r->candidates[0].id];
    assert_int_equal(at->n, 1);
    assert_int_equal((int)at->data[0], n - 1);
    assert_int_equal(r->n_candidates, 1);
    for (int i = 0; i < r->n_logits; i++) {
        assert_true((double)r->logits[i] <= top);
        sum += exp((double)r->logits[i] - top);
    }
    for (int i = 0; i < r->candidates_k; i++) {
        double want = (double)r->logits[r->candidates[i].id] - top - log(sum);
        assert_true(fabs((double)r->candidates[i].logprob - want) < 1e-5);
    }
    assert_int_equal(hl_record_find_axis(r, "target")->tokens[0].id, r->candidates[0].id);
    /* it was hidden from all places */
    assert_true(expected_gap(r->logits, plain->logits, r->n_logits) > 1e-3);
    hl_record_destroy(r);
    hl_record_destroy(plain);
    hl_request_set(&q, "mask", n + 1);
    struct hl_error err = { 0 };
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_E_ARGUMENT);
    assert_non_null(strstr(err.detail, "is not one"));
}

static void
check_input(const struct expected *e, const struct hl_json *input, const struct hl_model *m)
{
    int64_t n;
    int32_t ids[256];
    struct hl_request q = request_for(input, ids);
    struct hl_record *r = run(m, &q);
    const struct hl_map *map = hl_record_find_map(r, map_name(r), HL_STAGE_WEIGHTS);
    const float *want = expected_tensor(e, input, "attn.self", &n);

    check_tokens(input, r);
    assert_non_null(want);
    assert_int_equal(cells(map), n);
    check(input, "attn.self", map->data, want, n);
    check_states(e, input, r);
    want = expected_tensor(e, input, "logits_last", &n);
    assert_non_null(want);
    assert_int_equal(r->n_logits, n);
    check(input, "logits_last", r->logits, want, n);
    if (strcmp(map_name(r), "decoder.self") == 0)
        check_candidates(input, r);
    else if (!ids_only)
        check_guess(m, &q);
    hl_record_destroy(r);
}

/* What was written stands after the text, and its tokens cover it. */
static void
check_continuation(const struct hl_record *r, const struct hl_axis *target, const char *text,
                   int n_text)
{
    int32_t at = (int32_t)strlen(text);
    assert_int_equal(strncmp(r->output_text, text, strlen(text)), 0);
    for (int i = n_text - 1; i < target->n; i++) {
        assert_int_equal(target->tokens[i].start, at);
        assert_true(target->tokens[i].end > at);
        at = target->tokens[i].end;
    }
    assert_int_equal(at, (int32_t)strlen(r->output_text));
}

/* The tokens written after the text. */
static void
check_greedy(const struct hl_json *input, const struct hl_model *m)
{
    int32_t ids[256], want[256];
    int n = expected_ids(input, "greedy_ids", want);
    struct hl_request q = request_for(input, ids);
    if (n <= 0)
        return;
    int n_text = expected_ids(input, "ids", ids);
    hl_request_set(&q, "new", n);
    struct hl_record *r = run(m, &q);
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    /* row i reads token i and is followed by target i */
    assert_int_equal(target->n, n_text + n - 1);
    for (int i = 0; i < n; i++)
        assert_int_equal(target->tokens[n_text - 1 + i].id, want[i]);
    if (!ids_only)
        check_continuation(r, target, q.text, n_text);
    hl_record_destroy(r);
}

static void
agrees(void **state)
{
    struct expected e;
    struct hl_model *m = open_folder(folder);
    int n = 0;
    (void)state;

    assert_true(expected_open(folder, &e));
    for (const struct hl_json *i = hl_json_first(e.inputs); i; i = hl_json_next(i), n++) {
        check_input(&e, i, m);
        check_greedy(i, m);
    }
    assert_true(n > 0);
    print_message("%d inputs, largest difference %.2g\n", n, worst);
    expected_close(&e);
    hl_model_close(m);
}

/* ---- the type that is stored ---- */

/* The nearest number with `cut` bits fewer in the fraction, not for subnormals. */
static uint32_t
shortened(const uint8_t *p, int cut)
{
    uint32_t bits;
    memcpy(&bits, p, sizeof bits);
    bits += (UINT32_C(1) << (cut - 1)) - 1 + (bits >> cut & 1);
    return bits >> cut << cut;
}

static uint16_t
half_of(uint32_t bits)
{
    int exponent = (int)(bits >> 23 & 0xff) - 127;
    if (exponent < -14)
        return (uint16_t)(bits >> 16 & 0x8000);
    return (uint16_t)((bits >> 16 & 0x8000) | (uint32_t)(exponent + 15) << 10 |
                      (bits >> 13 & 0x3ff));
}

/* Numbers of `t` as `type` holds them, written as `type` or as floats. */
static void
put_numbers(struct hl_sb *data, const struct hl_st_tensor *t, enum hl_st_dtype type, bool wide)
{
    for (int64_t i = 0; i < t->n; i++) {
        uint32_t bits = shortened(t->data + 4 * i, type == HL_ST_F16 ? 13 : 16);
        if (type == HL_ST_F16 && (bits >> 23 & 0xff) < 127 - 14)
            bits &= UINT32_C(0x80000000);
        uint16_t narrow = type == HL_ST_F16 ? half_of(bits) : (uint16_t)(bits >> 16);
        if (wide)
            hl_sb_put(data, (const char *)&bits, sizeof bits);
        else
            hl_sb_put(data, (const char *)&narrow, sizeof narrow);
    }
}

/* A copy of the folder's weights and configuration in a fresh folder. */
static void
convert(enum hl_st_dtype type, bool wide, char *dir, size_t dir_sz)
{
    struct tiny_file f;
    struct hl_st *st = NULL;
    struct hl_map_file config = { 0 };
    char path[600];

    tiny_dir(dir, dir_sz, "family");
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    assert_int_equal(hl_st_open(path, &st, NULL), HL_OK);
    tiny_file_init(&f, 1, 1);
    for (int i = 0; i < hl_st_n(st); i++) {
        const struct hl_st_tensor *t = hl_st_at(st, i);
        size_t at = f.data.n;
        put_numbers(&f.data, t, type, wide);
        hl_sb_printf(&f.header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[", i > 0 ? "," : "", t->name,
                     wide ? "F32" : hl_st_dtype_name(type));
        for (int k = 0; k < t->rank; k++)
            hl_sb_printf(&f.header, "%s%lld", k > 0 ? "," : "", (long long)t->shape[k]);
        hl_sb_printf(&f.header, "],\"data_offsets\":[%zu,%zu]}", at, f.data.n);
    }
    hl_st_close(st);
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    tiny_file_write(&f, path);
    snprintf(path, sizeof path, "%s/config.json", folder);
    assert_int_equal(hl_map_open(path, &config, NULL), HL_OK);
    snprintf(path, sizeof path, "%s/config.json", dir);
    assert_int_equal(hl_map_write(path, config.p, config.n, NULL), HL_OK);
    hl_map_close(&config);
}

/* Two files with the same numbers, one of them widened, give the same record. */
static void
the_stored_type_changes_nothing(void **state)
{
    static const enum hl_st_dtype types[] = { HL_ST_F16, HL_ST_BF16 };
    struct expected e;
    bool ids_before = ids_only;
    (void)state;

    assert_true(expected_open(folder, &e));
    ids_only = true;
    for (int t = 0; t < N_OF(types); t++) {
        struct hl_record *r[2];
        for (int wide = 0; wide < 2; wide++) {
            char dir[512];
            int32_t ids[256];
            convert(types[t], wide, dir, sizeof dir);
            struct hl_model *m = open_folder(dir);
            struct hl_request q = request_for(hl_json_first(e.inputs), ids);
            r[wide] = run(m, &q);
            hl_model_close(m);
            tiny_dir_remove(dir);
        }
        const struct hl_map *a = hl_record_find_map(r[0], map_name(r[0]), HL_STAGE_WEIGHTS);
        const struct hl_map *b = hl_record_find_map(r[1], map_name(r[1]), HL_STAGE_WEIGHTS);
        check(hl_json_first(e.inputs), "narrow and wide", a->data, b->data, cells(a));
        check(hl_json_first(e.inputs), "narrow and wide", r[0]->logits, r[1]->logits,
              r[0]->n_logits);
        hl_record_destroy(r[0]);
        hl_record_destroy(r[1]);
    }
    ids_only = ids_before;
    expected_close(&e);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees),
        cmocka_unit_test(the_stored_type_changes_nothing),
    };
    if (argc < 2)
        return 2;
    folder = argv[1];
    ids_only = argc > 2 && strcmp(argv[2], "ids") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A record is accepted when it is consistent and refused for each way of not being so. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/fail_alloc.h"
#include "record/record.h"

enum { N_SOURCE = 3, N_TARGET = 2 };

static const struct hl_token source[N_SOURCE] = {
    { 5, "▁Hi", "Hi", 0, 2, 0, false },
    { 6, "▁you", "you", 2, 6, 1, false },
    { 0, "</s>", "</s>", -1, -1, -1, true },
};
static const struct hl_token target[N_TARGET] = {
    { 7, "▁Salut", "Salut", 0, 5, 0, false },
    { 0, "</s>", "</s>", -1, -1, -1, true },
};

static void
fill_axes(struct hl_record *r)
{
    struct hl_axis *a = hl_record_axis(r, "source", HL_AXIS_TOKENS, N_SOURCE, NULL);
    assert_non_null(a);
    a->tokens = source;
    a->text = "Hi you";
    struct hl_axis *b = hl_record_axis(r, "target", HL_AXIS_TOKENS, N_TARGET, NULL);
    assert_non_null(b);
    b->tokens = target;
    b->text = "Salut";
}

/* The maps of sample() in their order. */
enum { SCORES, WEIGHTS, COSINE, CONTENT, GATED, SHIFTED, N_STAGES };
static const char *const stages[N_STAGES] = {
    HL_STAGE_SCORES,  HL_STAGE_WEIGHTS, HL_STAGE_COSINE,
    HL_STAGE_CONTENT, HL_STAGE_GATED,   HL_STAGE_SHIFTED
};

/* One cross map in both stages, one causal map, vectors, a series, candidates. */
static struct hl_record *
sample(void)
{
    static const float scores[] = { 1, 2, -INFINITY, 0, 0, 0 };
    static const float weights[] = { 0.25F, 0.75F, 0, 0.5F, 0.25F, 0.25F };
    static const float causal[] = { 1, 0, 0.5F, 0.5F };
    static const float vectors[] = { 1, 2, 3, 4, 5, 6 };
    static const float logprob[] = { -0.5F, -0.25F }, logits[] = { 1, 2, 3 };
    static const struct hl_candidate best[] = {
        { 7, "Salut", -0.5F }, { 8, "Toi", -1 }, { 0, "</s>", -0.25F }, { 7, "Salut", -2 }
    };
    struct hl_record *r = hl_record_create();
    assert_non_null(r);
    fill_axes(r);
    for (int stage = 0; stage < N_STAGES; stage++) {
        struct hl_map *m = hl_record_map(r, "decoder.cross", stages[stage]);
        m->n_layers = m->n_heads = 1;
        m->n_q = N_TARGET;
        m->n_k = N_SOURCE;
        m->q_axis = m->out_axis = 1;
        m->row_sum_one = true;
        m->data = stage == SCORES ? scores : weights;
    }
    struct hl_map *self = hl_record_map(r, "decoder.self", HL_STAGE_WEIGHTS);
    self->n_layers = self->n_heads = 1;
    self->n_q = self->n_k = N_TARGET;
    self->q_axis = self->k_axis = 1;
    self->causal = self->row_sum_one = true;
    self->data = causal;
    struct hl_vectors *v = hl_record_vectors(r, "encoder.state");
    *v = (struct hl_vectors) { v->name, 0, 1, N_SOURCE, 2, vectors };
    struct hl_series *s = hl_record_series(r, "logprob");
    *s = (struct hl_series) { s->name, 1, N_TARGET, 1, logprob };
    r->n_candidates = r->candidates_k = 2;
    r->candidates = best;
    r->output_text = "Salut";
    r->output_logprob = -0.75;
    r->logits = logits;
    r->n_logits = 3;
    return r;
}

static void
test_sound_record_is_sealed(void **state)
{
    (void)state;
    struct hl_record *r = sample();
    struct hl_error err = { 0 };
    assert_int_equal(hl_record_seal(r, &err), HL_OK);
    assert_true(r->sealed);
    assert_null(hl_record_map(r, "late", HL_STAGE_WEIGHTS));
    assert_null(hl_record_axis(r, "late", HL_AXIS_STEPS, 1, NULL));
    assert_ptr_equal(hl_record_find_axis(r, "target"), &r->axes[1]);
    assert_null(hl_record_find_axis(r, "nowhere"));
    assert_ptr_equal(hl_record_find_map(r, "decoder.cross", HL_STAGE_WEIGHTS), &r->maps[1]);
    assert_null(hl_record_find_map(r, "decoder.self", HL_STAGE_SCORES));
    assert_non_null(hl_record_find_vectors(r, "encoder.state"));
    assert_non_null(hl_record_find_series(r, "logprob"));
    assert_true(hl_map_row(&r->maps[1], 0, 0, 1)[0] == 0.5F);
    assert_true(r->maps[SCORES].rank < r->maps[COSINE].rank);
    assert_true(r->maps[SHIFTED].rank < r->maps[WEIGHTS].rank);
    hl_record_destroy(r);
    hl_record_destroy(NULL);
}

/* ---- each way of being wrong ---- */

static float bad_numbers[8];
static struct hl_token bad_tokens[N_SOURCE];

static void
set_numbers(const float *from, size_t n)
{
    memcpy(bad_numbers, from, n * sizeof(*from));
}

static void
spoil_token(struct hl_record *r)
{
    memcpy(bad_tokens, source, sizeof(source));
    r->axes[0].tokens = bad_tokens;
}

static void
no_tokens(struct hl_record *r)
{
    r->axes[0].tokens = NULL;
}

static void
no_label(struct hl_record *r)
{
    spoil_token(r);
    bad_tokens[1].label = NULL;
}

static void
span_beyond_text(struct hl_record *r)
{
    spoil_token(r);
    bad_tokens[1].end = 7;
}

static void
span_goes_back(struct hl_record *r)
{
    spoil_token(r);
    bad_tokens[0].start = 3;
    bad_tokens[0].end = 4;
}

static void
half_a_span(struct hl_record *r)
{
    spoil_token(r);
    bad_tokens[1].start = -1;
}

static void
word_goes_back(struct hl_record *r)
{
    spoil_token(r);
    bad_tokens[0].word = 2;
}

static void
axis_twice(struct hl_record *r)
{
    r->axes[1].name = "source";
}

static void
grid_of_other_size(struct hl_record *r)
{
    hl_record_axis(r, "grid", HL_AXIS_GRID, 6, NULL)->grid_h = 4;
}

static void
negative_axis(struct hl_record *r)
{
    r->axes[0].n = -1;
}

static void
map_off_its_axis(struct hl_record *r)
{
    r->maps[1].n_k = 2;
}

static void
map_on_no_axis(struct hl_record *r)
{
    r->maps[1].k_axis = 9;
}

static void
map_predicts_nothing(struct hl_record *r)
{
    r->maps[1].out_axis = 0;
}

static void
map_without_numbers(struct hl_record *r)
{
    r->maps[1].data = NULL;
}

static void
map_of_huge_size(struct hl_record *r)
{
    r->maps[1].n_layers = r->maps[1].n_heads = r->maps[1].n_q = r->maps[1].n_k = INT32_MAX;
}

static void
map_twice(struct hl_record *r)
{
    r->maps[0].stage = HL_STAGE_WEIGHTS;
    r->maps[0].rule = HL_RULE_WEIGHTS;
    r->maps[0].data = r->maps[1].data;
}

static void
weight_negative(struct hl_record *r)
{
    set_numbers((const float[]) { 1.25F, -0.25F, 0, 1, 0, 0 }, 6);
    r->maps[1].data = bad_numbers;
}

static void
weight_nan(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 1, 0, 0, NAN, 0 }, 6);
    r->maps[1].data = bad_numbers;
}

static void
weight_infinite(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 1, 0, 0, INFINITY, 0 }, 6);
    r->maps[1].data = bad_numbers;
}

static void
row_off_one(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 1, 0, 0.5F, 0.25F, 0.2498F }, 6);
    r->maps[1].data = bad_numbers;
}

static void
weight_where_masked(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 0.5F, 0.5F, 1, 0, 0 }, 6);
    r->maps[1].data = bad_numbers;
}

static void
score_nan(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 1, -INFINITY, 0, NAN, 0 }, 6);
    r->maps[0].data = bad_numbers;
}

static void
score_of_other_shape(struct hl_record *r)
{
    r->maps[0].q_axis = r->maps[0].out_axis = 0;
    r->maps[0].k_axis = 1;
    r->maps[0].n_q = N_SOURCE;
    r->maps[0].n_k = N_TARGET;
}

static struct hl_map *
causal_map(struct hl_record *r)
{
    struct hl_map *m = &r->maps[r->n_maps - 1];
    assert_true(m->causal && m->rule == HL_RULE_WEIGHTS);
    return m;
}

static void
looks_ahead(struct hl_record *r)
{
    set_numbers((const float[]) { 0.5F, 0.5F, 0.5F, 0.5F }, 4);
    causal_map(r)->data = bad_numbers;
}

static void
scale_infinite(struct hl_record *r)
{
    causal_map(r)->scale = INFINITY;
}

static void
vector_nan(struct hl_record *r)
{
    set_numbers((const float[]) { 0, 0, NAN, 0, 0, 0 }, 6);
    r->vectors[0].data = bad_numbers;
}

static void
vectors_off_axis(struct hl_record *r)
{
    r->vectors[0].n = 2;
}

static void
vectors_twice(struct hl_record *r)
{
    struct hl_vectors *v = hl_record_vectors(r, "encoder.state");
    *v = r->vectors[0];
}

static void
series_off_axis(struct hl_record *r)
{
    r->series[0].axis = 0;
}

static void
series_nan(struct hl_record *r)
{
    set_numbers((const float[]) { 0, NAN }, 2);
    r->series[0].data = bad_numbers;
}

static void
series_twice(struct hl_record *r)
{
    struct hl_series *s = hl_record_series(r, "logprob");
    *s = r->series[0];
}

static void
candidates_out_of_order(struct hl_record *r)
{
    static const struct hl_candidate best[] = { { 1, "a", -2 }, { 2, "b", -1 } };
    r->candidates = best;
    r->n_candidates = 1;
}

static void
candidates_missing(struct hl_record *r)
{
    r->candidates = NULL;
}

static void
logits_missing(struct hl_record *r)
{
    r->logits = NULL;
}

static void
output_nan(struct hl_record *r)
{
    r->output_logprob = NAN;
}

static void
count_out_of_range(struct hl_record *r)
{
    r->n_maps = -1;
}

static void
test_each_flaw_is_refused(void **state)
{
    static void (*const flaws[])(struct hl_record *) = {
        no_tokens,      no_label,         span_beyond_text,     span_goes_back,
        half_a_span,    word_goes_back,   axis_twice,           grid_of_other_size,
        negative_axis,  map_off_its_axis, map_on_no_axis,       map_predicts_nothing,
        map_twice,      map_of_huge_size, map_without_numbers,  weight_negative,
        weight_nan,     weight_infinite,  row_off_one,          weight_where_masked,
        score_nan,      looks_ahead,      score_of_other_shape, scale_infinite,
        vector_nan,     vectors_off_axis, vectors_twice,        series_off_axis,
        series_nan,     series_twice,     candidates_missing,   candidates_out_of_order,
        logits_missing, output_nan,       count_out_of_range,
    };
    (void)state;
    for (int i = 0; i < N_OF(flaws); i++) {
        struct hl_record *r = sample();
        struct hl_error err = { 0 };
        int n_maps = r->n_maps;
        flaws[i](r);
        if (hl_record_seal(r, &err) != HL_E_RECORD || r->sealed || err.detail[0] == '\0')
            fail_msg("flaw %d was not refused: %s", i, err.detail);
        assert_int_equal(err.code, HL_E_RECORD);
        r->n_maps = n_maps;
        hl_record_destroy(r);
    }
}

/* A row that sums to 1 and still looks ahead is refused for that. */
static void
test_weights_ahead_are_refused(void **state)
{
    struct hl_record *r = sample();
    struct hl_error err = { 0 };
    (void)state;
    looks_ahead(r);
    assert_int_equal(hl_record_seal(r, &err), HL_E_RECORD);
    assert_non_null(strstr(err.detail, "lies ahead and is not masked"));
    hl_record_destroy(r);
}

/* Each stage of an NTM's addressing is held to what it is: a distribution where the map
 * claims it, and a cosine. */
static void
test_addressing_is_checked(void **state)
{
    static const int sums[] = { CONTENT, GATED, SHIFTED, WEIGHTS };
    static const float off[] = { 0.25F, 0.75F, 0.001F, 0.5F, 0.25F, 0.25F };
    static const float negative[] = { 0.25F, 1, -0.25F, 0.5F, 0.25F, 0.25F };
    static const float cosines[] = { -1, 1, 0, 0.5F, -0.25F, 0.25F };
    (void)state;
    for (int i = 0; i < N_OF(sums); i++) {
        struct hl_record *r = sample();
        struct hl_error err = { 0 };
        struct hl_map *m = &r->maps[sums[i]];
        assert_true(hl_map_is(m, stages[sums[i]]));
        r->maps[COSINE].data = cosines;
        r->maps[SCORES].data = cosines; /* nothing is masked */
        m->data = off;
        assert_int_equal(hl_record_verify(r, &err), HL_E_RECORD);
        assert_non_null(strstr(err.detail, "sum to 1"));
        m->row_sum_one = false;
        assert_int_equal(hl_record_verify(r, &err), HL_OK);
        m->data = negative;
        assert_int_equal(hl_record_verify(r, &err), HL_E_RECORD);
        assert_non_null(strstr(err.detail, "key 2 is negative"));
        hl_record_destroy(r);
    }
    const float bad[] = { 1.01F, -INFINITY, INFINITY, NAN };
    for (int i = 0; i < N_OF(bad); i++) {
        struct hl_record *r = sample();
        struct hl_error err = { 0 };
        set_numbers(cosines, N_OF(cosines));
        bad_numbers[5] = bad[i];
        r->maps[COSINE].data = bad_numbers;
        assert_int_equal(hl_record_verify(r, &err), HL_E_RECORD);
        assert_non_null(strstr(err.detail, "query 1, key 2 is not in -1..1"));
        hl_record_destroy(r);
    }
}

/* Lists take what comes, and every entry keeps what it was given. */
static void
test_lists_grow(void **state)
{
    (void)state;
    struct hl_record *r = hl_record_create();
    struct hl_error err = { 0 };
    for (int i = 0; i < 100; i++) {
        char name[16];
        int index = -1;
        snprintf(name, sizeof name, "a%d", i);
        assert_non_null(hl_record_axis(r, name, HL_AXIS_STEPS, i, &index));
        assert_int_equal(index, i);
        assert_non_null(hl_record_map(r, name, "own"));
        assert_non_null(hl_record_vectors(r, name));
        assert_non_null(hl_record_series(r, name));
        assert_true(hl_record_set(r, name, "%d", 3 * i));
    }
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        assert_int_equal(hl_record_find_axis(r, name)->n, i);
        assert_non_null(hl_record_find_map(r, name, "own"));
        assert_non_null(hl_record_find_vectors(r, name));
        assert_non_null(hl_record_find_series(r, name));
        assert_int_equal(hl_record_setting_int(r, name, -1), 3 * i);
    }
    assert_int_equal(hl_record_verify(r, &err), HL_OK);
    hl_record_destroy(r);
}

static void
test_settings(void **state)
{
    (void)state;
    struct hl_record *r = sample();
    assert_true(hl_record_set(r, "score", "%s", "dot"));
    assert_true(hl_record_set(r, "beam", "%d", 4));
    assert_true(hl_record_set(r, "score", "%s", "cosine"));
    assert_int_equal(r->n_settings, 2);
    assert_string_equal(hl_record_setting(r, "score"), "cosine");
    assert_int_equal(hl_record_setting_int(r, "beam", -1), 4);
    assert_int_equal(hl_record_setting_int(r, "score", -1), -1);
    assert_null(hl_record_setting(r, "seed"));
    assert_int_equal(hl_record_seal(r, NULL), HL_OK);
    assert_false(hl_record_set(r, "late", "%d", 1));
    hl_record_destroy(r);
}

static void
test_parts_must_be_there(void **state)
{
    (void)state;
    struct hl_record *r = sample();
    struct hl_error err = { 0 };
    r->maps[WEIGHTS].parts.key = "encoder.state";
    assert_int_equal(hl_record_verify(r, &err), HL_OK);
    hl_record_vectors(r, "decoder.self.key")->axis = 0;
    r->vectors[1].n = N_SOURCE;
    assert_int_equal(hl_record_seal(r, &err), HL_OK);
    assert_null(r->maps[N_STAGES].parts.query);
    assert_string_equal(r->maps[N_STAGES].parts.key, "decoder.self.key");
    r->maps[WEIGHTS].parts.query = "nowhere";
    assert_int_equal(hl_record_verify(r, &err), HL_E_RECORD);
    assert_non_null(strstr(err.detail, "nowhere"));
    hl_record_destroy(r);
}

static bool
build_once(void *user)
{
    (void)user;
    struct hl_record *r = hl_record_create();
    bool ok = r && hl_record_axis(r, "source", HL_AXIS_STEPS, 0, NULL) &&
              hl_record_map(r, "m", HL_STAGE_WEIGHTS) && hl_record_vectors(r, "v") &&
              hl_record_series(r, "s");
    hl_record_destroy(r);
    return ok;
}

static void
test_without_memory(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(build_once, NULL, 100) > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_record_is_sealed),
        cmocka_unit_test(test_each_flaw_is_refused),
        cmocka_unit_test(test_addressing_is_checked),
        cmocka_unit_test(test_lists_grow),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_parts_must_be_there),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_weights_ahead_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

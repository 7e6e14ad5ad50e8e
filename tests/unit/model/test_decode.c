/* Decoding: forced, drafted and searched runs agree bit by bit with greedy ones, on a
 * tiny Transformer and a tiny recurrent network with random weights. */
#include "harness/test.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "unit/model/tiny.h"

static const char *const SCORES[] = { "additive", "dot",      "general", "scaled",
                                      "cosine",   "location", "local-m", "local-p" };

static struct hl_model *models[2];

static int
open_models(void **state)
{
    (void)state;
    models[0] = tiny_marian();
    models[1] = tiny_gru(7);
    return 0;
}

static int
close_models(void **state)
{
    (void)state;
    hl_model_close(models[0]);
    hl_model_close(models[1]);
    return 0;
}

static void
set_score(struct hl_request *q, const char *name)
{
    const struct hl_option *o = hl_model_option(hl_model_info(models[1]), "score");
    double v = -1;
    assert_int_equal(hl_option_parse(o, name, &v, NULL), HL_OK);
    hl_request_set(q, "score", v);
}

/* The i-th score, where the model has them. */
static void
choose_score(struct hl_request *q, const struct hl_model *m, int i)
{
    if (hl_model_option(hl_model_info(m), "score"))
        set_score(q, SCORES[i % N_OF(SCORES)]);
}

static struct hl_request
full_request(const int32_t *ids, int n)
{
    return (struct hl_request) { .source_ids = ids,
                                 .n_source_ids = n,
                                 .keep_scores = true,
                                 .keep_vectors = true,
                                 .keep_logits = true };
}

static int
target_ids(const struct hl_record *r, int32_t *ids)
{
    const struct hl_axis *t = hl_record_find_axis(r, "target");
    for (int i = 0; i < t->n; i++)
        ids[i] = t->tokens[i].id;
    return t->n;
}

static void
forced_equals_greedy(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 16; i++) {
            int32_t src[64], ids[256], in[257];
            int n = tiny_source(models[k], i % 13, (uint64_t)i, src);
            struct hl_request q = full_request(src, n);
            choose_score(&q, models[k], i);
            struct hl_record *greedy = tiny_run(models[k], &q);
            int n_out = target_ids(greedy, ids);

            in[0] = hl_model_info(models[k])->bos_id;
            memcpy(in + 1, ids, (size_t)(n_out - 1) * sizeof *ids);
            q.decoder_ids = in;
            q.n_decoder_ids = n_out;
            struct hl_record *forced = tiny_run(models[k], &q);
            const char *what = tiny_difference(greedy, forced);
            if (what)
                fail_msg("source %d: %s differs", i, what);
            assert_int_equal(forced->n_decode_passes, (n_out + 63) / 64);
            hl_record_destroy(greedy);
            hl_record_destroy(forced);
        }
    }
}

/* A draft made from the result by random edits, or of nonsense. */
static int
make_draft(struct hl_rng *rng, const int32_t *ids, int n, int32_t *draft)
{
    int m = 0;
    bool nonsense = hl_rng_below(rng, 5) == 0;
    for (int i = 0; i < n; i++) {
        int what = nonsense ? 3 : hl_rng_below(rng, 10);
        if (what == 0)
            continue; /* left out */
        if (what == 1)
            draft[m++] = hl_rng_below(rng, 40); /* put in */
        draft[m++] = what == 2 || what == 3 ? hl_rng_below(rng, 40) : ids[i];
    }
    return m;
}

static void
draft_changes_nothing(void **state)
{
    struct hl_rng rng;
    (void)state;
    hl_rng_init(&rng, 11);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 60; i++) {
            int32_t src[64], ids[256], draft[520];
            int n = tiny_source(models[k], 1 + i % 12, 100 + (uint64_t)i, src);
            struct hl_request q = full_request(src, n);
            choose_score(&q, models[k], i);
            struct hl_record *plain = tiny_run(models[k], &q);
            int n_out = target_ids(plain, ids);
            q.draft = draft;
            q.n_draft = make_draft(&rng, ids, n_out, draft);
            struct hl_record *drafted = tiny_run(models[k], &q);
            const char *what = tiny_difference(plain, drafted);
            if (what)
                fail_msg("model %d, source %d: %s differs", k, i, what);
            assert_true(drafted->n_decode_passes <= plain->n_decode_passes);
            hl_record_destroy(plain);
            hl_record_destroy(drafted);
        }
    }
}

static void
right_draft_takes_few_passes(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        int32_t src[64], ids[256];
        int n = tiny_source(models[k], 8, 3, src);
        struct hl_request q = full_request(src, n);
        struct hl_record *r = tiny_run(models[k], &q);
        int n_out = target_ids(r, ids), passes = r->n_decode_passes;
        assert_int_equal(passes, n_out);
        hl_record_destroy(r);
        q.draft = ids;
        q.n_draft = n_out - 1;
        r = tiny_run(models[k], &q);
        assert_true(r->n_decode_passes <= (passes + 2) / 3);
        hl_record_destroy(r);
    }
}

/* A search may lose the greedy path on its way, but seldom, and then for no better
 * end: most results must be at least as likely per token. */
static void
beam_is_ordered_and_consistent(void **state)
{
    int n_better = 0, n_ended = 0;
    (void)state;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 12; i++) {
            int32_t src[64];
            int n = tiny_source(models[k], 1 + i, 200 + (uint64_t)i, src);
            struct hl_request q = full_request(src, n);
            choose_score(&q, models[k], i);
            struct hl_record *greedy = tiny_run(models[k], &q);
            int beam = 2 + i % 5;
            hl_request_set(&q, "beam", beam);
            struct hl_record *r = tiny_run(models[k], &q);
            assert_true(r->n_hypotheses >= 1 && r->n_hypotheses <= beam);
            for (int h = 0; h < r->n_hypotheses; h++) {
                const struct hl_hypothesis *x = &r->hypotheses[h];
                assert_true(fabs(x->score - x->logprob / x->n) < 1e-12);
                assert_true(h == 0 || x->score <= x[-1].score);
            }
            /* the best hypothesis is what is recorded, read again as if forced */
            const struct hl_axis *t = hl_record_find_axis(r, "target");
            assert_int_equal(t->n, r->hypotheses[0].n);
            for (int j = 0; j < t->n; j++)
                assert_int_equal(t->tokens[j].id, r->hypotheses[0].ids[j]);
            assert_true(fabs(r->output_logprob - r->hypotheses[0].logprob) < 1e-4);
            const struct hl_axis *g = hl_record_find_axis(greedy, "target");
            if (g->tokens[g->n - 1].id == hl_model_info(models[k])->eos_id) {
                n_ended++;
                n_better += r->hypotheses[0].score >= greedy->output_logprob / g->n - 1e-6;
            }
            hl_record_destroy(greedy);
            hl_record_destroy(r);
        }
    }
    print_message("%d of %d searches at least as good as greedy\n", n_better, n_ended);
    assert_true(n_ended >= 8 && n_better >= n_ended * 9 / 10);
}

/* Softmax of scale q.k in double over the row's allowed keys, against the record. */
static void
check_row(const struct hl_record *r, const char *name, struct hl_rng *rng, const float *q,
          const float *k, int width)
{
    const struct hl_map *w = hl_record_find_map(r, name, HL_STAGE_WEIGHTS);
    const struct hl_map *s = hl_record_find_map(r, name, HL_STAGE_SCORES);
    int l = hl_rng_below(rng, w->n_layers), h = hl_rng_below(rng, w->n_heads);
    int i = hl_rng_below(rng, w->n_q), dh = width / w->n_heads;
    const float *scores = hl_map_row(s, l, h, i), *weights = hl_map_row(w, l, h, i);
    double sum = 0, e[256];

    q += ((ptrdiff_t)l * w->n_q + i) * width + h * dh;
    for (int j = 0; j < w->n_k; j++) {
        const float *key = k + ((ptrdiff_t)l * w->n_k + j) * width + h * dh;
        double dot = 0;
        for (int c = 0; c < dh; c++)
            dot += (double)q[c] * (double)key[c];
        bool allowed = !isinf(scores[j]);
        assert_true(!w->causal || allowed == (j <= i));
        dot *= (double)w->scale;
        if (allowed && fabs(dot - (double)scores[j]) > 1e-4 * (1 + fabs(dot)))
            fail_msg("%s: score %g, recomputed %g", name, (double)scores[j], dot);
        e[j] = allowed ? exp(dot) : 0;
        sum += e[j];
    }
    for (int j = 0; j < w->n_k; j++) {
        if (fabs(e[j] / sum - (double)weights[j]) > 1e-5)
            fail_msg("%s: weight %g, recomputed %g", name, (double)weights[j], e[j] / sum);
    }
}

static void
captured_vectors_give_the_rows(void **state)
{
    static const char *const maps[] = { "encoder.self", "decoder.self", "decoder.cross" };
    static const char *const products[] = { "dot", "general", "scaled", "local-m" };
    struct hl_rng rng;
    int32_t src[64];
    char name[64];
    (void)state;

    hl_rng_init(&rng, 5);
    for (int i = 0; i < 200; i++) {
        int k = i % 2, n = tiny_source(models[k], 1 + i % 20, 300 + (uint64_t)i, src);
        struct hl_request q = full_request(src, n);
        if (k == 1)
            set_score(&q, products[i / 2 % 4]);
        const char *map = k == 1 ? "alignment" : maps[i / 2 % 3];
        struct hl_record *r = tiny_run(models[k], &q);
        snprintf(name, sizeof name, "%s.query", map);
        const struct hl_vectors *query = hl_record_find_vectors(r, name);
        snprintf(name, sizeof name, "%s.key", map);
        const struct hl_vectors *key = hl_record_find_vectors(r, name);
        check_row(r, map, &rng, query->data, key->data, query->width);
        hl_record_destroy(r);
    }
}

static void
windows_keep_to_their_width(void **state)
{
    int32_t src[64];
    (void)state;
    for (int i = 0; i < 20; i++) {
        int n = tiny_source(models[1], 4 + i % 12, 400 + (uint64_t)i, src);
        struct hl_request q = full_request(src, n);
        set_score(&q, i % 2 ? "local-p" : "local-m");
        struct hl_record *r = tiny_run(models[1], &q);
        const struct hl_map *m = hl_record_find_map(r, "alignment", HL_STAGE_WEIGHTS);
        const struct hl_series *c = hl_record_find_series(r, "window.centre");
        const struct hl_series *sum = hl_record_find_series(r, "row.sum");
        assert_true(c->n == m->n_q && sum->n == m->n_q);
        assert_int_equal(m->row_sum_one, i % 2 == 0);
        for (int t = 0; t < m->n_q; t++) {
            const float *row = hl_map_row(m, 0, 0, t);
            if (i % 2 == 0)
                assert_true(c->data[t] == (float)(t < n - 1 ? t : n - 1));
            for (int j = 0; j < n; j++)
                assert_true(row[j] == 0 || fabs((double)j - (double)c->data[t]) <= 3.0);
            assert_true(sum->data[t] <= 1.0001f);
        }
        hl_record_destroy(r);
    }
}

static void
long_sources_are_cut(void **state)
{
    int32_t src[256];
    (void)state;
    int n = tiny_source(models[0], 99, 1, src);
    struct hl_request q = { .source_ids = src, .n_source_ids = n };
    struct hl_record *r = tiny_run(models[0], &q);
    const struct hl_axis *axis = hl_record_find_axis(r, "source");
    assert_int_equal(axis->n, 64);
    assert_int_equal(r->n_dropped_tokens, 36);
    assert_int_equal(axis->tokens[63].id, 0);
    assert_true(hl_record_find_axis(r, "target")->n <= 64);
    hl_record_destroy(r);

    /* location knows 16 source positions, the other scores more */
    n = tiny_source(models[1], 29, 1, src);
    q = (struct hl_request) { .source_ids = src, .n_source_ids = n };
    set_score(&q, "location");
    r = tiny_run(models[1], &q);
    assert_int_equal(hl_record_find_axis(r, "source")->n, 16);
    assert_int_equal(r->n_dropped_tokens, 14);
    hl_record_destroy(r);
    set_score(&q, "dot");
    r = tiny_run(models[1], &q);
    assert_int_equal(hl_record_find_axis(r, "source")->n, 30);
    hl_record_destroy(r);
}

static void
an_empty_source_runs(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        int32_t end = 0;
        struct hl_request q = { .source_ids = &end, .n_source_ids = 1 };
        struct hl_record *r = tiny_run(models[k], &q);
        assert_int_equal(hl_record_find_axis(r, "source")->n, 1);
        hl_record_destroy(r);
        hl_request_set(&q, "decode", 0);
        r = tiny_run(models[k], &q);
        assert_int_equal(r->n_axes, 1);
        hl_record_destroy(r);
    }
}

static void
expect(const struct hl_model *m, struct hl_request q, enum hl_status want)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    assert_int_equal(hl_model_run(m, &q, &r, &err), want);
    assert_null(r);
    assert_int_equal(err.code, want);
}

static void
bad_requests_are_refused(void **state)
{
    static const float numbers[1];
    int32_t ok[] = { 5, 6, 0 }, bad[] = { 5, 100000, 0 }, many[600] = { 0 };
    atomic_bool cancel;
    const struct hl_request q = { .source_ids = ok, .n_source_ids = 3 };
    (void)state;

    for (int k = 0; k < 2; k++) {
        struct hl_request x = q;
        x.source_ids = bad;
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        x.draft = bad;
        x.n_draft = 3;
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        hl_request_set(&x, "score", N_OF(SCORES));
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        hl_request_set(&x, "beam", 17);
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        hl_request_set(&x, "beam", NAN);
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        hl_request_set(&x, "sideways", 1);
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        x.picture = numbers;
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        x.n_overrides = 1;
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        x.decoder_ids = many;
        x.n_decoder_ids = 600;
        expect(models[k], x, HL_E_TOO_LONG);
        x = (struct hl_request) { .text = "no tokeniser" };
        expect(models[k], x, HL_E_ARGUMENT);
        x = q;
        atomic_init(&cancel, true);
        x.cancel = &cancel;
        expect(models[k], x, HL_E_CANCELLED);
    }
    struct hl_request x = q;
    hl_request_set(&x, "positions", 2);
    expect(models[1], x, HL_E_ARGUMENT);
}

/* Finite weights whose products are not: a sentence, in each way to decode, and
 * neither a token out of nothing nor a read outside a table. */
static void
overflow_is_told(void **state)
{
    int32_t ids[] = { 5, 6, 0 };
    struct hl_model *huge[] = { tiny_marian_overflowing(), tiny_gru_scaled(7, 1e37) };
    (void)state;
    for (int k = 0; k < N_OF(huge); k++) {
        struct hl_request q = { .source_ids = ids, .n_source_ids = 3 };
        expect(huge[k], q, HL_E_WEIGHTS);
        q.draft = ids;
        q.n_draft = 3;
        expect(huge[k], q, HL_E_WEIGHTS);
        hl_request_set(&q, "beam", 4);
        expect(huge[k], q, HL_E_WEIGHTS);
        q.decoder_ids = ids;
        q.n_decoder_ids = 3;
        expect(huge[k], q, HL_E_WEIGHTS);
        hl_model_close(huge[k]);
    }
}

/* Without positions a Transformer's encoder is blind to order: permuting the source
 * permutes its maps. */
static void
positions_can_be_left_out(void **state)
{
    int32_t a[] = { 7, 30, 200, 12, 0 }, b[] = { 200, 7, 12, 30, 0 };
    const int to[] = { 1, 3, 0, 2, 4 }; /* place in b of the i-th of a */
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct hl_request q = { .source_ids = a, .n_source_ids = 5 };
        hl_request_set(&q, "decode", 0);
        hl_request_set(&q, "positions", off); /* 1: in the decoder alone */
        struct hl_record *x = tiny_run(models[0], &q);
        q.source_ids = b;
        struct hl_record *y = tiny_run(models[0], &q);
        double gap = 0;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                double d = (double)hl_map_row(&x->maps[0], 1, 2, i)[j] -
                           (double)hl_map_row(&y->maps[0], 1, 2, to[i])[to[j]];
                gap = fmax(gap, fabs(d));
            }
        }
        assert_true(off == 1 ? gap < 1e-5 : gap > 1e-2);
        hl_record_destroy(x);
        hl_record_destroy(y);
    }
}

/* Layer 0, head 0 of that map: its numbers follow from tokens and positions alone. */
static bool
same_first_layer(const struct hl_record *a, const struct hl_record *b, const char *map)
{
    const struct hl_map *x = hl_record_find_map(a, map, HL_STAGE_WEIGHTS);
    const struct hl_map *y = hl_record_find_map(b, map, HL_STAGE_WEIGHTS);
    assert_true(x && y && x->n_q == y->n_q && x->n_k == y->n_k);
    for (int q = 0; q < x->n_q; q++) {
        if (memcmp(hl_map_row(x, 0, 0, q), hl_map_row(y, 0, 0, q), (size_t)x->n_k * sizeof(float)))
            return false;
    }
    return true;
}

/* Each side obeys its own switch and not the other's. */
static void
each_side_has_its_switch(void **state)
{
    const int32_t source[] = { 7, 30, 200, 12, 0 }, target[] = { 529, 7, 30, 200, 12 };
    struct hl_record *r[4];
    (void)state;
    for (int off = 0; off < 4; off++) {
        struct hl_request q = {
            .source_ids = source, .n_source_ids = 5, .decoder_ids = target, .n_decoder_ids = 5
        };
        hl_request_set(&q, "positions", off); /* 1: not in the encoder; 2: nor decoder */
        r[off] = tiny_run(models[0], &q);
    }
    for (int off = 1; off < 4; off++) {
        assert_int_equal(same_first_layer(r[0], r[off], "encoder.self"), (off & 1) == 0);
        assert_int_equal(same_first_layer(r[0], r[off], "decoder.self"), (off & 2) == 0);
    }
    for (int off = 0; off < 4; off++)
        hl_record_destroy(r[off]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forced_equals_greedy),
        cmocka_unit_test(draft_changes_nothing),
        cmocka_unit_test(right_draft_takes_few_passes),
        cmocka_unit_test(beam_is_ordered_and_consistent),
        cmocka_unit_test(captured_vectors_give_the_rows),
        cmocka_unit_test(windows_keep_to_their_width),
        cmocka_unit_test(long_sources_are_cut),
        cmocka_unit_test(an_empty_source_runs),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(overflow_is_told),
        cmocka_unit_test(positions_can_be_left_out),
        cmocka_unit_test(each_side_has_its_switch),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}

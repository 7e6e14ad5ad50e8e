/* Entropy, ranking and groups on records made by hand. */
#include "harness/test.h"

#include <math.h>
#include <string.h>

#include "analysis/group.h"
#include "analysis/summary.h"

enum { N = 7 };

/* "The didn't it." : The | didn ' t | it | . | </s> */
static const struct hl_token tokens[N] = {
    { 10, "▁The", "The", 0, 3, 0, false },   { 11, "▁didn", "didn", 4, 8, 1, false },
    { 12, "'", "'", 8, 9, 1, false },        { 13, "t", "t", 9, 10, 1, false },
    { 14, "▁it", "it", 11, 13, 2, false },   { 15, ".", ".", 13, 14, 2, false },
    { 0, "</s>", "</s>", -1, -1, -1, true },
};
static const char text[] = "The didn't it.";

struct world {
    struct hl_record *r;
    struct hl_arena a;
    float *data; /* [1,4,N,N] */
    struct hl_map *m;
};

/* Heads: 0 previous token, 1 itself, 2 even, 3 the end token. */
static int
make_world(void **state)
{
    static struct world w;
    w.r = hl_record_create();
    hl_arena_init(&w.a, 4096, 0);
    struct hl_axis *axis = hl_record_axis(w.r, "source", HL_AXIS_TOKENS, N, NULL);
    axis->tokens = tokens;
    axis->text = text;
    w.data = hl_arena_floats(&w.r->arena, 4 * N * N);
    for (int q = 0; q < N; q++) {
        w.data[q * N + (q > 0 ? q - 1 : 0)] = 1;
        w.data[(N + q) * N + q] = 1;
        for (int k = 0; k < N; k++)
            w.data[(2 * N + q) * N + k] = 1.0f / N;
        w.data[(3 * N + q) * N + N - 1] = 0.75f;
        w.data[(3 * N + q) * N] = 0.25f;
    }
    w.m = hl_record_map(w.r, "encoder.self", HL_STAGE_WEIGHTS);
    *w.m = (struct hl_map) { .name = w.m->name,
                             .stage = HL_STAGE_WEIGHTS,
                             .n_layers = 1,
                             .n_heads = 4,
                             .n_q = N,
                             .n_k = N,
                             .out_axis = -1,
                             .row_sum_one = true,
                             .data = w.data };
    assert_int_equal(hl_record_seal(w.r, NULL), HL_OK);
    *state = &w;
    return 0;
}

static int
free_world(void **state)
{
    struct world *w = *state;
    hl_arena_deinit(&w->a);
    hl_record_destroy(w->r);
    return 0;
}

static void
entropy_is_in_bits(void **state)
{
    const float half[] = { 0.5f, 0.5f, 0 }, one[] = { 0, 1, 0 }, none[] = { 0, 0 };
    const float unnormalised[] = { 2, 2, 2, 2 };
    (void)state;
    assert_true(hl_summary_entropy(half, 3) == 1);
    assert_true(hl_summary_entropy(one, 3) == 0);
    assert_true(hl_summary_entropy(none, 2) == 0);
    assert_true(hl_summary_entropy(NULL, 0) == 0);
    assert_true(fabs(hl_summary_entropy(unnormalised, 4) - 2) < 1e-12);
}

static void
top_keys_are_ordered(void **state)
{
    const float row[] = { 0.1f, 0.3f, 0.1f, 0.4f, 0.1f };
    int out[5];
    (void)state;
    assert_int_equal(hl_summary_top(row, 5, 3, out), 3);
    assert_int_equal(out[0], 3);
    assert_int_equal(out[1], 1);
    assert_int_equal(out[2], 0);
    assert_int_equal(hl_summary_top(row, 2, 5, out), 2);
    assert_int_equal(hl_summary_top(row, 0, 5, out), 0);
}

static void
means_and_ranks(void **state)
{
    struct world *w = *state;
    const int q[] = { 4 }, k[] = { 1, 2, 3 }, end[] = { 6 };

    float *mean = hl_summary_mean(w->m, -1, &w->a);
    assert_true(fabs((double)mean[0] - (1 + 1 + 1.0 / N + 0.25) / 4) < 1e-6);
    /* "it" looks at the token before it, the last piece of "didn't" */
    struct hl_head_rank *rank = hl_summary_rank_heads(w->m, q, 1, k, 3, &w->a);
    assert_int_equal(rank[0].head, 0);
    assert_true(rank[0].weight == 1);
    assert_int_equal(rank[1].head, 2);
    assert_true(fabs(rank[1].weight - 3.0 / N) < 1e-6);
    /* equals keep the order of heads */
    assert_int_equal(rank[2].head, 1);
    assert_int_equal(rank[3].head, 3);
    rank = hl_summary_rank_heads(w->m, q, 1, end, 1, &w->a);
    assert_int_equal(rank[0].head, 3);
    /* several queries are averaged */
    assert_true(hl_summary_weight(w->m, 0, 1, k, 3, k, 1) == 1.0 / 3);
    assert_true(hl_summary_weight(w->m, 0, 1, k, 0, k, 1) == 0);
}

static void
pieces_become_words(void **state)
{
    struct world *w = *state;
    struct hl_group g;

    assert_true(hl_group_axis(&w->r->axes[0], true, HL_SPECIALS_DIM, &w->a, &g));
    assert_int_equal(g.n, 5);
    const char *const labels[] = { "The", "didn't", "it", ".", "</s>" };
    for (int i = 0; i < g.n; i++)
        assert_string_equal(g.items[i].label, labels[i]);
    assert_int_equal(g.items[1].n, 3);
    assert_int_equal(g.of_token[2], 1);
    assert_true(g.items[3].punct && !g.items[1].punct);
    assert_true(g.items[4].dim && g.items[4].special);
    assert_int_equal(hl_group_at(&g, 9), 1);
    assert_int_equal(hl_group_at(&g, 13), 3);
    assert_int_equal(hl_group_at(&g, 3), -1);

    assert_true(hl_group_axis(&w->r->axes[0], false, HL_SPECIALS_HIDE, &w->a, &g));
    assert_int_equal(g.n, N - 1);
    assert_int_equal(g.n_hidden, 1);
    assert_int_equal(g.of_token[N - 1], -1);
}

static void
keys_sum_and_queries_average(void **state)
{
    struct world *w = *state;
    struct hl_group g;
    float out[N * N];

    assert_true(hl_group_axis(&w->r->axes[0], true, HL_SPECIALS_SHOW, &w->a, &g));
    hl_group_weights(w->m, 0, 0, &g, &g, false, out);
    /* "didn't": its three rows look at The, didn, ' */
    assert_true(fabs((double)out[1 * 5 + 0] - 1.0 / 3) < 1e-6);
    assert_true(fabs((double)out[1 * 5 + 1] - 2.0 / 3) < 1e-6);
    assert_true(out[2 * 5 + 1] == 1);
    for (int i = 0; i < 5; i++) {
        double sum = 0;
        for (int j = 0; j < 5; j++)
            sum += (double)out[i * 5 + j];
        assert_true(fabs(sum - 1) < 1e-6);
    }
    /* a hidden key takes its weight away, unless rows are renormalised */
    struct hl_group cols;
    assert_true(hl_group_axis(&w->r->axes[0], true, HL_SPECIALS_HIDE, &w->a, &cols));
    hl_group_weights(w->m, 0, 3, &g, &cols, false, out);
    assert_true(out[0] == 0.25f && out[1] == 0);
    hl_group_weights(w->m, 0, 3, &g, &cols, true, out);
    assert_true(out[0] == 1);
    /* ungrouped, one head: the numbers themselves */
    struct hl_group plain;
    assert_true(hl_group_axis(&w->r->axes[0], false, HL_SPECIALS_SHOW, &w->a, &plain));
    hl_group_weights(w->m, 0, 2, &plain, &plain, false, out);
    assert_memory_equal(out, hl_map_row(w->m, 0, 2, 0), sizeof out);
}

static void
places_leave_out_what_is_no_word(void **state)
{
    struct world *w = *state;
    struct hl_group g;
    const float row[] = { 0.1f, 0.2f, 0.25f, 0.05f, 0.4f };

    assert_true(hl_group_axis(&w->r->axes[0], true, HL_SPECIALS_SHOW, &w->a, &g));
    /* "it" itself and </s> are larger, but do not count */
    assert_int_equal(hl_group_place(&g, row, 1, 2), 0);
    assert_int_equal(hl_group_place(&g, row, 1, -1), 1);
    assert_int_equal(hl_group_place(&g, row, 0, 2), 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropy_is_in_bits),
        cmocka_unit_test(top_keys_are_ordered),
        cmocka_unit_test(means_and_ranks),
        cmocka_unit_test(pieces_become_words),
        cmocka_unit_test(keys_sum_and_queries_average),
        cmocka_unit_test(places_leave_out_what_is_no_word),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}

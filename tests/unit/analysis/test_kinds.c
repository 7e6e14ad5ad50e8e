/* Kinds of heads on maps made by hand, and the words that some of them need. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/kinds.h"

enum { MOST = 24 };

/* One layer, one head over the words of a sentence (blanks between all tokens) and an
 * end token. */
struct world {
    struct hl_record *r;
    struct hl_arena a;
    struct hl_axis *axis;
    struct hl_map *m;
    float *w;
    int n; /* tokens with the end token */
};

static struct hl_axis *
add_axis(struct hl_record *r, const char *name, const char *text, int *n)
{
    struct hl_token *tokens = hl_arena_new(&r->arena, MOST, struct hl_token);
    int at = 0;
    *n = 0;
    for (const char *p = text; *p; p += *p == ' ') {
        size_t len = strcspn(p, " ");
        const char *label = hl_arena_strndup(&r->arena, p, len);
        tokens[*n] = (struct hl_token) { *n + 3, label, label, at, at + (int)len, *n, false };
        ++*n;
        at += (int)len + 1;
        p += len;
    }
    tokens[(*n)++] = (struct hl_token) { 0, "</s>", "</s>", -1, -1, -1, true };
    struct hl_axis *axis = hl_record_axis(r, name, HL_AXIS_TOKENS, *n, NULL);
    axis->tokens = tokens;
    axis->text = text;
    return axis;
}

static struct world
make(const char *text)
{
    struct world w = { .r = hl_record_create() };
    hl_arena_init(&w.a, 4096, 0);
    w.axis = add_axis(w.r, "source", text, &w.n);
    w.w = hl_arena_floats(&w.r->arena, w.n * w.n);
    w.m = hl_record_map(w.r, "encoder.self", HL_STAGE_WEIGHTS);
    *w.m = (struct hl_map) { .name = w.m->name,
                             .stage = HL_STAGE_WEIGHTS,
                             .n_layers = 1,
                             .n_heads = 1,
                             .n_q = w.n,
                             .n_k = w.n,
                             .out_axis = -1,
                             .data = w.w };
    return w;
}

static void
drop(struct world *w)
{
    hl_arena_deinit(&w->a);
    hl_record_destroy(w->r);
}

/* The row of q: `weight` on k, the rest evenly on all others. */
static void
look(struct world *w, int q, int k, double weight)
{
    for (int i = 0; i < w->m->n_k; i++)
        w->w[q * w->m->n_k + i] = (float)((1 - weight) / (w->m->n_k - 1));
    w->w[q * w->m->n_k + k] = (float)weight;
}

static struct hl_head_profile
profile(struct world *w)
{
    struct hl_kinds k;
    assert_true(hl_kinds_prepare(w->r, w->m, &w->a, &k));
    struct hl_head_profile p = hl_kinds_profile(&k, 0, 0);
    for (int i = 0; i < HL_HEAD_COUNT; i++)
        assert_true(p.score[i] >= 0 && p.score[i] <= 1 + 1e-6);
    return p;
}

static void
expect(struct world *w, enum hl_head_kind kind, double score)
{
    struct hl_head_profile p = profile(w);
    if (p.kind != kind || fabs(p.score[kind] - score) > 1e-5)
        fail_msg("%s with %.4f and not %s with %.4f", hl_head_kind_name(p.kind), p.score[kind],
                 hl_head_kind_name(kind), score);
}

static int
clamp(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* ---- token by token ---- */

static const char animal[] = "The old animal did not cross the wide street because it was tired .";

static void
near_tokens(void **state)
{
    static const enum hl_head_kind kinds[] = { HL_HEAD_PREVIOUS, HL_HEAD_SAME, HL_HEAD_NEXT };
    (void)state;
    for (int d = -1; d <= 1; d++) {
        struct world w = make(animal);
        for (int q = 0; q < w.n; q++)
            look(&w, q, clamp(q + d, w.n), 0.7);
        expect(&w, kinds[d + 1], 0.7);
        for (int q = 0; q < w.n; q++)
            look(&w, q, clamp(q + d, w.n), 0.45);
        struct hl_head_profile p = profile(&w);
        assert_true(p.kind != kinds[d + 1]);
        drop(&w);
    }
}

static void
resting_places(void **state)
{
    struct world w = make(animal);
    (void)state;
    for (int q = 0; q < w.n; q++)
        look(&w, q, w.n - 1, 0.8);
    expect(&w, HL_HEAD_END, 0.8);
    for (int q = 0; q < w.n; q++)
        look(&w, q, 0, 0.8);
    expect(&w, HL_HEAD_FIRST, 0.8);
    for (int q = 0; q < w.n; q++)
        look(&w, q, w.n - 2, 0.8);
    expect(&w, HL_HEAD_PUNCT, 0.8);
    drop(&w);
}

static void
spread_and_mixed(void **state)
{
    struct world w = make(animal);
    (void)state;
    for (int q = 0; q < w.n; q++)
        look(&w, q, q, 1.0 / w.n);
    expect(&w, HL_HEAD_BROAD, 1);
    /* two to each side and itself, a fifth each: local, and nothing more */
    memset(w.w, 0, (size_t)(w.n * w.n) * sizeof *w.w);
    for (int q = 0; q < w.n; q++) {
        for (int d = -2; d <= 2; d++)
            w.w[q * w.n + clamp(q + d, w.n)] += 0.2f;
    }
    expect(&w, HL_HEAD_LOCAL, 1);
    /* every row one place, as far away as can be and never the same: nothing to name */
    for (int q = 0; q < w.n; q++)
        look(&w, q, (q * 7 + 5) % w.n, 1);
    assert_int_equal(profile(&w).kind, HL_HEAD_MIXED);
    drop(&w);
}

/* Rows of zeros, as a window may leave them, are no kind and no trouble. */
static void
empty_rows(void **state)
{
    struct world w = make("Yes");
    (void)state;
    assert_int_equal(profile(&w).kind, HL_HEAD_MIXED);
    drop(&w);
    w = make("");
    w.w[0] = 1;
    assert_int_equal(profile(&w).kind, HL_HEAD_MIXED);
    drop(&w);
}

static void
causal_maps(void **state)
{
    struct world w = make(animal);
    (void)state;
    w.m->causal = true;
    for (int q = 0; q < w.n; q++)
        w.w[q * w.n + q] = 1;
    expect(&w, HL_HEAD_SAME, 1);
    assert_true(profile(&w).score[HL_HEAD_NEXT] == 0 && profile(&w).score[HL_HEAD_END] == 0);
    drop(&w);
}

/* ---- word by word ---- */

/* All rest on the end token but for one word. */
static void
rest_but(struct world *w, int from, int to, double weight)
{
    for (int q = 0; q < w->n; q++)
        look(w, q, w->n - 1, 0.9);
    look(w, from, to, weight);
}

static void
linked_words(void **state)
{
    struct world w = make(animal);
    (void)state;
    rest_but(&w, 10, 2, 0.96);  /* it -> animal */
    w.w[10 * w.n + 8] += 0.01f; /* and a little to the other noun */
    w.w[10 * w.n + 0] -= (float)(0.04 / (w.n - 1));
    w.w[10 * w.n + 1] = 0;
    assert_int_equal(profile(&w).kind, HL_HEAD_PRONOUN);
    rest_but(&w, 0, 2, 1);
    look(&w, 6, 8, 0.5);
    expect(&w, HL_HEAD_NOUN, 0.75);
    /* cross -> animal, street; tired -> it: two verbs */
    rest_but(&w, 5, 2, 1);
    look(&w, 12, 10, 0.4);
    expect(&w, HL_HEAD_VERB, 0.7);
    /* a head of its own for neither */
    rest_but(&w, 5, 4, 1);
    expect(&w, HL_HEAD_END, (0.9 * 13 + 0) / 14);
    drop(&w);
}

/* A head on the next token is not one for nouns only because nouns follow "the". */
static void
simple_reasons_first(void **state)
{
    struct world w = make("The cat saw the dog near the tree .");
    (void)state;
    for (int q = 0; q < w.n; q++)
        look(&w, q, clamp(q + 1, w.n), 0.8);
    expect(&w, HL_HEAD_NEXT, 0.8);
    assert_true(profile(&w).score[HL_HEAD_NOUN] > 0.79);
    drop(&w);
    w = make("She saw the dog near a tree .");
    for (int q = 0; q < w.n; q++)
        look(&w, q, 0, 0.9);
    expect(&w, HL_HEAD_FIRST, 0.9);
    drop(&w);
}

static void
aligned(void **state)
{
    struct world w = make("The black cat sleeps here .");
    int n_q;
    (void)state;
    add_axis(w.r, "decoder_input", "Le chat noir dort ici .", &n_q);
    w.m->q_axis = 1;
    w.m->n_q = n_q;
    static const int to[] = { 0, 2, 1, 3, 4, 4, 6 };
    for (int q = 0; q < n_q; q++)
        look(&w, q, to[q], 0.88);
    struct hl_head_profile p = profile(&w);
    assert_int_equal(p.kind, HL_HEAD_ALIGN);
    assert_true(p.score[HL_HEAD_ALIGN] > 0.85 && p.score[HL_HEAD_PREVIOUS] == 0);
    for (int q = 0; q < n_q; q++) /* all on one word */
        look(&w, q, 2, 0.9);
    assert_true(profile(&w).score[HL_HEAD_ALIGN] < 0.45);
    drop(&w);
}

/* ---- English ---- */

static void
check_links(const char *text, const char *want)
{
    static const char *const names[] = { "noun", "verb", "pronoun" };
    struct world w = make(text);
    struct hl_group g;
    struct hl_links l;
    char got[400] = "";
    assert_true(hl_group_axis(w.axis, true, HL_SPECIALS_SHOW, &w.a, &g));
    assert_true(hl_english_links(&g, &w.a, &l));
    for (int i = 0; i < l.n; i++) {
        size_t n = strlen(got);
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%s %s:", i ? "; " : "",
                              names[l.links[i].kind], g.items[l.links[i].from].label);
        for (int k = 0; k < l.links[i].n; k++)
            n += (size_t)snprintf(got + n, sizeof got - n, " %s", g.items[l.links[i].to[k]].label);
    }
    assert_string_equal(got, want);
    drop(&w);
}

static void
english(void **state)
{
    (void)state;
    check_links(animal, "noun The: animal; verb cross: animal street; noun the: street; "
                        "pronoun it: animal street; verb tired: it");
    check_links("My very old sister told us a long story .",
                "noun My: sister; verb told: sister us; noun a: story");
    check_links("The cat on the mat saw Paul , and he opened the door .",
                "noun The: cat; noun the: mat; verb saw: cat Paul; pronoun he: cat mat Paul door; "
                "verb opened: he door; noun the: door");
    check_links("They have never read this book .",
                "pronoun They: book; verb read: They book; noun this: book");
    check_links("The work is hard .", "noun The: work; verb is: work");
    check_links("Le chat noir dort ici .", "");
    check_links("the", "");
}

static void
names(void **state)
{
    (void)state;
    assert_string_equal(hl_head_kind_name(HL_HEAD_PRONOUN), "pronoun to noun");
    for (int k = 0; k < HL_HEAD_COUNT; k++) {
        assert_true(strlen(hl_head_kind_name((enum hl_head_kind)k)) > 0);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(hl_head_kind_name((enum hl_head_kind)k),
                                    hl_head_kind_name((enum hl_head_kind)i));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_tokens),
        cmocka_unit_test(resting_places),
        cmocka_unit_test(spread_and_mixed),
        cmocka_unit_test(empty_rows),
        cmocka_unit_test(causal_maps),
        cmocka_unit_test(linked_words),
        cmocka_unit_test(simple_reasons_first),
        cmocka_unit_test(aligned),
        cmocka_unit_test(english),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

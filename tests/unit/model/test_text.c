/* Texts through a model with its tokeniser: spans, forced targets, what was left out.
 *
 *   test_text FOLDER
 *
 * Exits 77 while the folder is absent. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "unit/model/tiny.h"

static struct hl_model *model;

/* Spans point into the axis' text, in order, and only special tokens have none. */
static void
check_axis(const struct hl_axis *axis)
{
    int32_t end = 0;
    for (int i = 0; i < axis->n; i++) {
        const struct hl_token *t = &axis->tokens[i];
        assert_int_equal(t->special, t->start < 0);
        assert_int_equal(t->special, t->word < 0);
        if (t->special)
            continue;
        assert_true(t->start <= t->end && t->end <= (int32_t)strlen(axis->text));
        assert_true(t->start >= 0 && t->end >= end);
        end = t->end;
    }
}

static struct hl_record *
translate(const char *text, const char *target)
{
    struct hl_request q = { .text = text, .target = target, .keep_vectors = true };
    struct hl_record *r = tiny_run(model, &q);
    const struct hl_axis *in = hl_record_find_axis(r, "decoder_input");
    const struct hl_axis *out = hl_record_find_axis(r, "target");

    check_axis(hl_record_find_axis(r, "source"));
    check_axis(in);
    check_axis(out);
    assert_int_equal(in->n, out->n);
    assert_true(in->tokens[0].special);
    for (int i = 1; i < in->n; i++)
        assert_int_equal(in->tokens[i].id, out->tokens[i - 1].id);
    assert_int_equal(r->n_candidates, out->n);
    assert_true(r->candidates_k == 5 && r->output_text);
    return r;
}

static void
all_kinds_of_text(void **state)
{
    static const char *const texts[] = {
        "",
        " ",
        "Go",
        "The animal didn't cross the street because it was too tired.",
        "caf\xc3\xa9 \xf0\x9f\x90\xb1\xf0\x9f\x90\xb1 \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 and English",
        "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
        "  many   spaces  ",
    };
    (void)state;
    for (int i = 0; i < N_OF(texts); i++) {
        struct hl_record *r = translate(texts[i], NULL);
        assert_string_equal(hl_record_find_axis(r, "source")->text, texts[i]);
        assert_int_equal(r->dropped_at, -1);
        /* greedy: what is predicted is the best candidate */
        const struct hl_axis *out = hl_record_find_axis(r, "target");
        for (int k = 0; k < out->n; k++)
            assert_int_equal(r->candidates[k * 5].id, out->tokens[k].id);
        hl_record_destroy(r);
    }
}

static void
a_trailing_space_changes_nothing(void **state)
{
    (void)state;
    struct hl_record *a = translate("She is reading a book", NULL);
    struct hl_record *b = translate("She is reading a book ", NULL);
    assert_null(tiny_difference(a, b));
    hl_record_destroy(a);
    hl_record_destroy(b);
}

static void
a_forced_target_is_kept_as_typed(void **state)
{
    const char *target = "Elle mange une pomme verte.";
    (void)state;
    struct hl_record *r = translate("She eats a green apple.", target);
    const struct hl_axis *out = hl_record_find_axis(r, "target");
    assert_string_equal(r->output_text, target);
    assert_string_equal(out->text, target);
    assert_int_equal(out->tokens[out->n - 1].id, hl_model_info(model)->eos_id);
    assert_int_equal(out->tokens[out->n - 2].end, strlen(target));
    assert_true(r->output_logprob < 0);
    assert_string_equal(hl_record_setting(r, "decode"), "forced");
    hl_record_destroy(r);

    /* no two candidates of a place look the same */
    r = translate("She eats a green apple.", "xylophone il ils jardin xx");
    for (int i = 0; i < r->n_candidates * 5; i++) {
        for (int j = i + 1; j < (i / 5 + 1) * 5; j++)
            assert_string_not_equal(r->candidates[i].label, r->candidates[j].label);
    }
    hl_record_destroy(r);

    /* an empty target is its end token alone */
    r = translate("She eats a green apple.", "");
    assert_int_equal(hl_record_find_axis(r, "target")->n, 1);
    hl_record_destroy(r);
}

static void
long_texts_say_what_was_left_out(void **state)
{
    enum { N = 10000 };
    static char text[N + 1];
    (void)state;
    for (int i = 0; i < N; i++)
        text[i] = "the red car "[i % 12];
    struct hl_request q = { .text = text };
    hl_request_set(&q, "max", 8);
    struct hl_record *r = tiny_run(model, &q);
    const struct hl_axis *source = hl_record_find_axis(r, "source");
    int limit = hl_model_info(model)->max_source;

    assert_int_equal(source->n, limit);
    assert_true(source->tokens[limit - 1].special);
    assert_true(r->n_dropped_tokens > 1000);
    assert_true(r->dropped_at >= source->tokens[limit - 2].end && r->dropped_at < N);
    check_axis(source);
    hl_record_destroy(r);
}

/* The first token too many, by itself. */
static void
one_token_left_out_is_told(void **state)
{
    enum { WORD = 4 };
    int limit = hl_model_info(model)->max_source, n = limit - 4;
    char *text = calloc((size_t)limit + 2, WORD);
    struct hl_record *r = NULL;
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < limit + 2; i++)
        memcpy(text + (size_t)i * WORD, "the ", WORD);
    do {
        hl_record_destroy(r);
        text[WORD * (size_t)n + WORD - 1] = '\0';
        struct hl_request q = { .text = text };
        hl_request_set(&q, "max", 1);
        r = tiny_run(model, &q);
        text[WORD * (size_t)n + WORD - 1] = ' ';
        n++;
    } while (r->n_dropped_tokens == 0 && n < limit + 2);
    assert_int_equal(r->n_dropped_tokens, 1);
    /* a piece's span may hold the space before it */
    assert_in_range(r->dropped_at, WORD * (n - 1) - 1, WORD * (n - 1));
    assert_int_equal(hl_record_find_axis(r, "source")->n, limit);
    hl_record_destroy(r);
    free(text);
}

static void
embeddings_are_given(void **state)
{
    float *row = calloc((size_t)hl_model_info(model)->d_model, sizeof *row);
    (void)state;
    assert_non_null(row);
    assert_true(hl_model_embedding(model, 300, row));
    assert_true(row[0] != 0);
    assert_false(hl_model_embedding(model, -1, row));
    assert_false(hl_model_embedding(model, 100000000, row));
    free(row);
    assert_non_null(hl_model_tok(model));
    assert_true(hl_model_info(model)->n_params > 1000000);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_text),
        cmocka_unit_test(a_trailing_space_changes_nothing),
        cmocka_unit_test(a_forced_target_is_kept_as_typed),
        cmocka_unit_test(long_texts_say_what_was_left_out),
        cmocka_unit_test(one_token_left_out_is_told),
        cmocka_unit_test(embeddings_are_given),
    };
    char path[512];
    struct hl_map_file f = { 0 };
    struct hl_error err = { 0 };

    snprintf(path, sizeof path, "%s/config.json", argc > 1 ? argv[1] : "");
    if (hl_map_open(path, &f, NULL) != HL_OK) {
        printf("skipped: no model in %s\n", argc > 1 ? argv[1] : "");
        return 77;
    }
    hl_map_close(&f);
    if (hl_model_open(argv[1], &model, &err) != HL_OK) {
        printf("%s: %s\n", err.where, err.detail);
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hl_model_close(model);
    return failed;
}

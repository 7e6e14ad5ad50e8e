/* Self-attention GANs: which classes a text names, what the record holds, options, and
 * folders that are refused. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/fail_alloc.h"
#include "model/network.h"
#include "model/ntm.h"
#include "model/sagan.h"
#include "model/sagan_words.h"
#include "unit/model/tiny.h"
#include "unit/model/tiny_file.h"
#include "unit/model/tiny_sagan.h"

enum { PIXELS = TINY_SAGAN_SIDE * TINY_SAGAN_SIDE, P = TINY_SAGAN_CELLS, C = TINY_SAGAN_WIDTH };

static struct hl_model *model;

static int
open_model(void **state)
{
    (void)state;
    model = tiny_sagan(5);
    return 0;
}

static int
close_model(void **state)
{
    (void)state;
    hl_model_close(model);
    return 0;
}

static struct hl_record *
run(const char *text, const struct hl_sagan_options *o)
{
    struct hl_request q = { .text = text, .keep_vectors = true };
    if (o)
        hl_sagan_request(o, &q);
    return tiny_run(model, &q);
}

static const float *
vectors(const struct hl_record *r, const char *name, int layers, int n, int width)
{
    const struct hl_vectors *v = hl_record_find_vectors(r, name);
    if (!v)
        fail_msg("no vectors %s", name);
    assert_int_equal(v->n_layers, layers);
    assert_int_equal(v->n, n);
    assert_int_equal(v->width, width);
    return v->data;
}

static bool
same(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* ---- what a text names ---- */

static void
classes_are_found(void **state)
{
    /* The classes by their first letters, and the words as they stand in the text. */
    static const struct {
        const char *text, *classes, *words;
    } cases[] = {
        { "dress", "d", "dress" },
        { "Dress and BOOTS", "db", "Dress|BOOTS" },
        { "a t-shirt, t shirts & T\xE2\x80\x90SHIRT", "TTT",
          "t-shirt|t shirts|T\xE2\x80\x90SHIRT" },
        { "shirt", "d", "shirt" }, /* a word of its own, and no part of "t-shirt" */
        { "t-shirt", "T", "t-shirt" },
        { "undressed dressed shirting", NULL, NULL },
        { "evening-gown/ankle   boot", "db", "evening-gown|ankle   boot" },
        { "boot2 \xC3\xA9"
          "boot boot\xC3\xA9",
          NULL, NULL },
        { "(boot)", "b", "boot" },
        { "boots dress tee", "bdT", "boots|dress|tee" },
        { "", NULL, NULL },
        { "   ", NULL, NULL },
        { "sock", NULL, NULL },
    };
    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        struct hl_record *r = NULL;
        struct hl_error err = { 0 };
        const struct hl_request q = { .text = cases[i].text };
        char words[256] = "", classes[8] = "";
        enum hl_status st = hl_model_run(model, &q, &r, &err);
        if (!cases[i].classes) {
            assert_int_equal(st, HL_E_ARGUMENT);
            assert_non_null(strstr(err.detail, "T-shirt, dress, boot"));
            continue;
        }
        assert_int_equal(st, HL_OK);
        const struct hl_axis *a = hl_record_find_axis(r, "source");
        assert_string_equal(a->text, cases[i].text);
        for (int k = 0; k < a->n; k++) {
            const struct hl_token *t = &a->tokens[k];
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", k ? "|" : "",
                     t->label);
            classes[k] = t->text[0];
            assert_int_equal(t->end - t->start, strlen(t->label));
            assert_memory_equal(a->text + t->start, t->label, strlen(t->label));
            assert_string_equal(t->text, hl_sagan_info(hl_model_info(model))->class_names[t->id]);
        }
        assert_string_equal(classes, cases[i].classes);
        assert_string_equal(words, cases[i].words);
        hl_record_destroy(r);
    }
}

static void
more_than_four_are_dropped(void **state)
{
    (void)state;
    struct hl_record *r = run("boot boot dress dress tee boot", NULL);
    assert_int_equal(hl_record_find_axis(r, "source")->n, HL_SAGAN_MAX_PICTURES);
    assert_int_equal(r->n_dropped_tokens, 2);
    assert_int_equal(r->dropped_at, 22);
    vectors(r, "image", HL_SAGAN_MAX_PICTURES, PIXELS, 1);
    hl_record_destroy(r);
}

/* ---- the record ---- */

static void
info_says_what_it_is(void **state)
{
    const struct hl_model_info *i = hl_model_info(model);
    (void)state;
    const struct hl_sagan_info *own = hl_sagan_info(i);
    assert_true(hl_model_can(i, HL_CAN(PICTURES)));
    assert_null(hl_ntm_info(i));
    assert_int_equal(i->picture_side, TINY_SAGAN_SIDE);
    assert_true(hl_model_option(i, "snapshot")->max == 2);
    assert_string_equal(i->title, "Tiny");
    assert_int_equal(own->side, TINY_SAGAN_SIDE);
    assert_int_equal(own->attention_side * own->attention_side, P);
    assert_int_equal(own->latent_size, TINY_SAGAN_LATENT);
    assert_int_equal(own->n_classes, 3);
    assert_int_equal(own->step, 90);
    assert_int_equal(own->n_snapshots, 2);
    assert_int_equal(own->snapshots[1].step, 30);
    assert_true(own->gamma != own->snapshots[0].gamma);
    assert_null(hl_model_tok(model));
}

static void
record_holds_what_is_promised(void **state)
{
    (void)state;
    for (int judged = 0; judged < 2; judged++) {
        const struct hl_sagan_options o = { .discriminator = judged == 1 };
        int l = judged ? 1 : 2;
        struct hl_record *r = run("dress, boot", &o);
        const struct hl_axis *cell = hl_record_find_axis(r, "cell");
        const struct hl_axis *pixel = hl_record_find_axis(r, "pixel");
        const struct hl_axis *class = hl_record_find_axis(r, "class");
        const struct hl_map *scores = hl_record_find_map(r, "self", HL_STAGE_SCORES);
        const struct hl_map *weights = hl_record_find_map(r, "self", HL_STAGE_WEIGHTS);
        assert_true(cell->kind == HL_AXIS_GRID && cell->grid_h == 8 && cell->grid_w == 8);
        assert_true(pixel->kind == HL_AXIS_GRID && pixel->grid_h == TINY_SAGAN_SIDE);
        assert_true(class->kind == HL_AXIS_TOKENS && class->n == 3);
        assert_string_equal(class->tokens[2].label, "boot");
        assert_true(scores->n_layers == l && scores->n_heads == 1 && scores->n_q == P);
        assert_true(weights->n_layers == l && weights->n_k == P && weights->row_sum_one);
        assert_true(weights->scale == 1.0f);
        assert_string_equal(r->axes[weights->q_axis].name, "cell");
        vectors(r, "image", l, PIXELS, 1);
        vectors(r, "score", l, 3, 1);
        vectors(r, "reach", 1, P, 4);
        if (!judged)
            vectors(r, "image.convolution", l, PIXELS, 1);
        else
            assert_null(hl_record_find_vectors(r, "image.convolution"));
        assert_non_null(strstr(tiny_settings(r),
                               judged ? "network=discriminator" : "network=generator step=90"));
        hl_record_destroy(r);

        struct hl_request bare = { .text = "boot" };
        hl_sagan_request(&o, &bare);
        r = tiny_run(model, &bare);
        assert_null(hl_record_find_vectors(r, "self.input"));
        assert_non_null(hl_record_find_map(r, "self", HL_STAGE_WEIGHTS));
        hl_record_destroy(r);
    }
}

static void
output_is_gamma_attended_plus_input(void **state)
{
    (void)state;
    for (int judged = 0; judged < 2; judged++) {
        const struct hl_sagan_options o = { .discriminator = judged == 1 };
        const struct hl_sagan_info *info = hl_sagan_info(hl_model_info(model));
        float gamma = judged ? info->discriminator_gamma : info->gamma;
        int l = judged ? 1 : 2;
        struct hl_record *r = run("tee dress", &o);
        const float *x = vectors(r, "self.input", l, P, C);
        const float *a = vectors(r, "self.attended", l, P, C);
        const float *y = vectors(r, "self.output", l, P, C);
        for (int i = 0; i < l * P * C; i++)
            assert_true(y[i] == gamma * a[i] + x[i]);
        hl_record_destroy(r);
    }
}

/* ---- options ---- */

static void
gamma_zero_is_convolution_alone(void **state)
{
    const struct hl_sagan_options o = { .has_gamma = true, .gamma = 0 };
    (void)state;
    struct hl_record *r = run("dress", &o), *trained = run("dress", NULL);
    const float *image = vectors(r, "image", 1, PIXELS, 1);
    assert_true(same(image, vectors(r, "image.convolution", 1, PIXELS, 1), PIXELS));
    assert_true(same(image, vectors(trained, "image.convolution", 1, PIXELS, 1), PIXELS));
    assert_false(same(image, vectors(trained, "image", 1, PIXELS, 1), PIXELS));
    assert_string_equal(tiny_settings(r), "network=generator step=90 gamma=0");
    hl_record_destroy(r);
    hl_record_destroy(trained);
}

static void
seeds_make_latents(void **state)
{
    struct hl_sagan_options seeded = { .seed = 77 }, given = { .seed = 1, .n_latents = 2 };
    (void)state;
    for (int i = 0; i < 2; i++)
        hl_sagan_latent(77, i, TINY_SAGAN_LATENT, given.latents[i]);
    struct hl_record *a = run("boot boot", &seeded), *b = run("boot boot", &given);
    assert_null(tiny_difference(a, b));
    const float *image = vectors(a, "image", 2, PIXELS, 1);
    assert_false(same(image, image + PIXELS, PIXELS)); /* one class, two latents */
    hl_record_destroy(b);
    given.n_latents = 1; /* the second comes from another seed */
    b = run("boot boot", &given);
    const float *other = vectors(b, "image", 2, PIXELS, 1);
    assert_true(same(image, other, PIXELS));
    assert_false(same(image + PIXELS, other + PIXELS, PIXELS));
    hl_record_destroy(a);
    hl_record_destroy(b);
}

static void
latents_are_normal(void **state)
{
    double sum = 0, squares = 0;
    float z[64];
    (void)state;
    for (int seed = 0; seed < 100; seed++) {
        for (int i = 0; i < 4; i++) {
            hl_sagan_latent((uint64_t)seed, i, 64, z);
            for (int k = 0; k < 64; k++) {
                sum += (double)z[k];
                squares += (double)z[k] * (double)z[k];
            }
        }
    }
    assert_true(fabs(sum / 25600) < 0.02 && fabs(squares / 25600 - 1) < 0.03);
}

static void
a_picture_does_not_depend_on_the_others(void **state)
{
    struct hl_sagan_options o = { .n_latents = 1 };
    (void)state;
    hl_sagan_latent(0, 1, TINY_SAGAN_LATENT, o.latents[0]);
    struct hl_record *both = run("boot dress", NULL), *alone = run("dress", &o);
    const float *image = vectors(both, "image", 2, PIXELS, 1);
    assert_true(same(image + PIXELS, vectors(alone, "image", 1, PIXELS, 1), PIXELS));
    hl_record_destroy(both);
    hl_record_destroy(alone);
}

static void
snapshots_are_other_generators(void **state)
{
    (void)state;
    struct hl_record *r[3];
    for (int i = 0; i < 3; i++) {
        const struct hl_sagan_options o = { .snapshot = i };
        r[i] = run("dress", &o);
    }
    for (int i = 0; i < 3; i++)
        assert_false(same(vectors(r[i], "image", 1, PIXELS, 1),
                          vectors(r[(i + 1) % 3], "image", 1, PIXELS, 1), PIXELS));
    assert_non_null(strstr(tiny_settings(r[1]), "step=0 "));
    assert_non_null(strstr(tiny_settings(r[2]), "step=30 "));
    for (int i = 0; i < 3; i++)
        hl_record_destroy(r[i]);
}

/* The discriminator says of a drawn picture what the generator's record says. */
static void
judgements_agree(void **state)
{
    struct hl_sagan_options o = { .discriminator = true };
    (void)state;
    struct hl_record *drawn = run("dress", NULL);
    memcpy(o.picture, vectors(drawn, "image", 1, PIXELS, 1), PIXELS * sizeof(float));
    struct hl_record *judged = run("", &o);
    assert_true(same(vectors(judged, "score", 1, 3, 1), vectors(drawn, "score", 1, 3, 1), 3));
    assert_true(same(vectors(judged, "image", 1, PIXELS, 1), o.picture, PIXELS));
    assert_int_equal(hl_record_find_axis(judged, "source")->n, 0);
    hl_record_destroy(drawn);
    hl_record_destroy(judged);
}

/* What a cell of the discriminator reads changes with a pixel exactly where the pixel
 * lies in the cell's reach. */
static void
reach_is_what_convolution_sees(void **state)
{
    struct hl_sagan_options o = { .discriminator = true };
    (void)state;
    hl_sagan_latent(3, 0, PIXELS, o.picture);
    struct hl_record *before = run("", &o);
    const float *x = vectors(before, "self.input", 1, P, C);
    const float *reach = vectors(before, "reach", 1, P, 4);
    for (int pixel = 0; pixel < PIXELS; pixel++) {
        float kept = o.picture[pixel];
        int row = pixel / TINY_SAGAN_SIDE, col = pixel % TINY_SAGAN_SIDE;
        o.picture[pixel] = kept + 3;
        struct hl_record *after = run("", &o);
        const float *other = vectors(after, "self.input", 1, P, C);
        for (int cell = 0; cell < P; cell++) {
            const float *at = reach + cell * 4;
            bool inside = (float)row >= at[0] && (float)col >= at[1] && (float)row < at[2] &&
                          (float)col < at[3];
            assert_int_equal(inside, !same(x + cell * C, other + cell * C, C));
        }
        hl_record_destroy(after);
        o.picture[pixel] = kept;
    }
    hl_record_destroy(before);
}

static void
refuse(const struct hl_sagan_options *o, enum hl_status want, const char *where)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    struct hl_request q = { .text = "dress" };
    hl_sagan_request(o, &q);
    assert_int_equal(hl_model_run(model, &q, &r, &err), want);
    assert_null(r);
    assert_string_equal(err.where, where);
}

static void
bad_options_are_refused(void **state)
{
    struct hl_sagan_options o = { .snapshot = 3 };
    (void)state;
    refuse(&o, HL_E_ARGUMENT, "snapshot");
    o.snapshot = -1;
    refuse(&o, HL_E_ARGUMENT, "snapshot");
    o = (struct hl_sagan_options) { .n_latents = HL_SAGAN_MAX_PICTURES + 1 };
    refuse(&o, HL_E_ARGUMENT, "latents");
    o = (struct hl_sagan_options) { .n_latents = 1, .latents[0][2] = NAN };
    refuse(&o, HL_E_ARGUMENT, "latents");
    o = (struct hl_sagan_options) { .has_gamma = true, .gamma = INFINITY };
    refuse(&o, HL_E_ARGUMENT, "gamma");
    o = (struct hl_sagan_options) { .discriminator = true, .picture[9] = NAN };
    refuse(&o, HL_E_ARGUMENT, "picture");
    o = (struct hl_sagan_options) { .has_gamma = true, .gamma = 3e38f };
    refuse(&o, HL_E_ARGUMENT, "gamma");
}

static void
runs_are_cancelled(void **state)
{
    atomic_bool cancel = true;
    struct hl_record *r = NULL;
    const struct hl_request q = { .text = "dress", .cancel = &cancel };
    (void)state;
    assert_int_equal(hl_model_run(model, &q, &r, NULL), HL_E_CANCELLED);
}

/* ---- folders that are refused ---- */

static void
hostile_folders_get_a_sentence(void **state)
{
    static const struct {
        struct tiny_sagan how;
        enum hl_status want;
        const char *says;
    } cases[] = {
        { { .find = "\"side\":16", .put = "\"side\":4096" }, HL_E_CONFIG, "side" },
        { { .find = "\"side\":16", .put = "\"side\":32" }, HL_E_CONFIG, "doubled" },
        { { .find = "\"channels\":1", .put = "\"channels\":3" }, HL_E_CONFIG, "channels" },
        { { .find = "\"latent_size\":6", .put = "\"latent_size\":65" }, HL_E_CONFIG, "latent" },
        { { .find = "[24,16,8]", .put = "[24]" }, HL_E_CONFIG, "generator_widths" },
        { { .find = "[24,16,8]", .put = "[24,16,8,8,8,8]" }, HL_E_CONFIG, "generator_widths" },
        { { .find = "[24,16,8]", .put = "[24,1e9,8]" }, HL_E_CONFIG, "generator_widths" },
        { { .find = "[24,16,8]", .put = "\"wide\"" }, HL_E_CONFIG, "generator_widths" },
        { { .find = "[24,16,8]", .put = "[24,12,8]" }, HL_E_CONFIG, "multiple of 8" },
        { { .find = "[8,16,12]", .put = "[8,16]" }, HL_E_CONFIG, "differ in number" },
        { { .find = "\"attention_side\":8", .put = "\"attention_side\":16" },
          HL_E_CONFIG,
          "attention_side" },
        { { .find = "\"attention_side\":8", .put = "\"attention_side\":5" },
          HL_E_CONFIG,
          "attention_side" },
        { { .find = "\"name\":\"dress\"", .put = "\"name\":\" - \"" }, HL_E_CONFIG, "empty" },
        { { .find = "\"name\":\"dress\"", .put = "\"name\":7" }, HL_E_CONFIG, "no text" },
        { { .find = "\"dresses\"", .put = "null" }, HL_E_CONFIG, "no text" },
        { { .find = "\"classes\"", .put = "\"klasses\"" }, HL_E_CONFIG, "classes" },
        { { .find = "\"step\":30", .put = "\"step\":0" }, HL_E_CONFIG, "snapshots" },
        { { .find = "\"file_prefix\":\"b.\"", .put = "\"file_prefix\":2" },
          HL_E_CONFIG,
          "snapshots" },
        { { .find = "\"b.\"", .put = "\"c.\"" }, HL_E_WEIGHTS, "missing c.generator.start.weight" },
        { { .no_snapshots = true }, HL_E_NOT_FOUND, "" },
        { { .left_out = "generator.up.1.weight" }, HL_E_WEIGHTS, "missing generator.up.1.weight" },
        { { .left_out = "discriminator.embed.weight" }, HL_E_WEIGHTS, "discriminator.embed" },
        { { .left_out = "b.generator.paint.bias" }, HL_E_WEIGHTS, "b.generator.paint.bias" },
        { { .find = "[24,16,8]", .put = "[24,16,9]" },
          HL_E_WEIGHTS,
          "generator.norm.2.gain is [3,8] and should be [3,9]" },
        { { .negative = "generator.norm.2.variance" }, HL_E_WEIGHTS, "norm.2.variance" },
        { { .negative = "a.generator.norm.0.variance" }, HL_E_WEIGHTS, "norm.0.variance" },
    };
    (void)state;
    for (int i = 0; i < N_OF(cases); i++) {
        struct hl_model *m = NULL;
        struct hl_error err = { 0 };
        enum hl_status st = tiny_sagan_open(&cases[i].how, 8, &m, &err);
        if (st != cases[i].want || !strstr(err.detail, cases[i].says))
            fail_msg("case %d: status %d, \"%s\"", i, (int)st, err.detail);
        assert_null(m);
    }
}

static void
overflowing_weights_are_told(void **state)
{
    const struct tiny_sagan how = { .times = 1e30 };
    struct hl_model *m = NULL;
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    (void)state;
    assert_int_equal(tiny_sagan_open(&how, 2, &m, &err), HL_OK);
    const struct hl_request q = { .text = "boot" };
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_E_WEIGHTS);
    hl_model_close(m);
}

/* ---- memory ---- */

static bool
open_once(void *user)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    enum hl_status st = hl_model_open(user, &m, &err);
    assert_true(st == HL_OK || (st == HL_E_NOMEM && err.code == HL_E_NOMEM));
    hl_model_close(m);
    return st == HL_OK;
}

static bool
run_once(void *user)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    enum hl_status st = hl_model_run(model, user, &r, &err);
    assert_true(st == HL_OK || (st == HL_E_NOMEM && err.code == HL_E_NOMEM && !r));
    hl_record_destroy(r);
    return st == HL_OK;
}

static void
allocations_may_fail(void **state)
{
    const struct tiny_sagan how = { .times = 1 };
    struct hl_sagan_options o = { .discriminator = false };
    struct hl_request q = { .text = "dress boot", .keep_vectors = true };
    hl_sagan_request(&o, &q);
    char dir[512];
    (void)state;
    tiny_dir(dir, sizeof dir, "tiny-sagan");
    tiny_sagan_write(&how, 1, dir);
    assert_true(fail_alloc_each(open_once, dir, 20000) > 10);
    tiny_sagan_remove(dir);
    for (int judged = 0; judged < 2; judged++) {
        o.discriminator = judged == 1;
        assert_true(fail_alloc_each(run_once, &q, 2000) >= 3);
    }
}

/* A long run of spaces costs what its length costs, not its square. */
static void
test_spaces(void **state)
{
    enum { N = 60000 };
    static char text[N + 8];
    struct hl_arena a;
    struct hl_sagan_words w;
    struct hl_sagan_found found[4];
    struct timespec from, to;
    int32_t more;
    bool empty;
    (void)state;
    hl_arena_init(&a, 0, 0);
    assert_true(hl_sagan_words_init(&w, 2, &a));
    assert_true(hl_sagan_words_add(&w, "T-shirt", 0, &a, &empty));
    assert_true(hl_sagan_words_add(&w, "bag", 1, &a, &empty));
    memset(text, ' ', N);
    memset(text + N / 2, '\n', N / 4);
    memcpy(text, "t", 1);
    memcpy(text + N, "shirt", 6);
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(hl_sagan_words_find(&w, text, 4, found, &more), 1);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true(found[0].start == 0 && found[0].end == N + 5);
    text[N] = 'x';
    assert_int_equal(hl_sagan_words_find(&w, text, 4, found, &more), 0);
    assert_true(to.tv_sec - from.tv_sec < 2);
    hl_arena_deinit(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_says_what_it_is),
        cmocka_unit_test(classes_are_found),
        cmocka_unit_test(more_than_four_are_dropped),
        cmocka_unit_test(record_holds_what_is_promised),
        cmocka_unit_test(output_is_gamma_attended_plus_input),
        cmocka_unit_test(gamma_zero_is_convolution_alone),
        cmocka_unit_test(seeds_make_latents),
        cmocka_unit_test(latents_are_normal),
        cmocka_unit_test(a_picture_does_not_depend_on_the_others),
        cmocka_unit_test(snapshots_are_other_generators),
        cmocka_unit_test(judgements_agree),
        cmocka_unit_test(reach_is_what_convolution_sees),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(runs_are_cancelled),
        cmocka_unit_test(hostile_folders_get_a_sentence),
        cmocka_unit_test(overflowing_weights_are_told),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(test_spaces),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}

/* Neural Turing Machines: what becomes of a text, what the record holds, parameters in
 * hand, and folders that are refused. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/utf8.h"
#include "model/ntm_text.h"
#include "model/network.h"
#include "model/ntm.h"
#include "unit/model/tiny.h"
#include "unit/model/tiny_file.h"
#include "unit/model/tiny_ntm.h"

enum { N = TINY_NTM_SLOTS, M = TINY_NTM_WIDTH, L = TINY_NTM_ITEM };

static struct hl_model *copier, *recaller, *many;

static int
open_all(void **state)
{
    (void)state;
    copier = tiny_ntm(&(struct tiny_ntm) { .n_read = 1, .n_write = 1, .reach = 1 }, 1);
    recaller =
        tiny_ntm(&(struct tiny_ntm) { .recall = true, .n_read = 1, .n_write = 1, .reach = 1 }, 2);
    many = tiny_ntm(
        &(struct tiny_ntm) { .feedforward = true, .n_read = 2, .n_write = 3, .reach = 2 }, 3);
    return 0;
}

static int
close_all(void **state)
{
    (void)state;
    hl_model_close(copier);
    hl_model_close(recaller);
    hl_model_close(many);
    return 0;
}

static struct hl_record *
run(const struct hl_model *m, const char *text)
{
    return tiny_run(m, &(struct hl_request) { .text = text });
}

static const float *
series(const struct hl_record *r, const char *name)
{
    const struct hl_series *s = hl_record_find_series(r, name);
    if (!s)
        fail_msg("no series %s", name);
    return s->data;
}

/* ---- what becomes of a text ---- */

/* The steps' labels, parted by bars. */
static const char *
labels(const struct hl_record *r, const char *axis)
{
    static char out[1024];
    const struct hl_axis *a = hl_record_find_axis(r, axis);
    out[0] = '\0';
    for (int i = 0; i < a->n; i++) {
        strcat(out, i > 0 ? "|" : "");
        strcat(out, a->tokens[i].label);
    }
    return out;
}

static void
info_says_what_it_is(void **state)
{
    const struct hl_model_info *i = hl_model_info(many);
    (void)state;
    const struct hl_ntm_info *own = hl_ntm_info(i);
    assert_true(hl_model_can(i, HL_CAN(TAPE)));
    assert_non_null(own);
    assert_int_equal(own->n_read, 2);
    assert_int_equal(own->n_write, 3);
    assert_int_equal(own->n_shifts, 5);
    assert_int_equal(own->controller, HL_NTM_FEEDFORWARD);
    assert_int_equal(own->trained_length, 20);
    assert_int_equal(hl_ntm_info(hl_model_info(recaller))->item_length, L);
    assert_null(hl_model_tok(many));
    assert_false(hl_model_embedding(many, 0, NULL));
}

static void
copy_is_bytes_a_mark_and_answers(void **state)
{
    struct hl_record *r = run(copier, "a é");
    const struct hl_axis *source = hl_record_find_axis(r, "source");
    (void)state;
    assert_string_equal(labels(r, "steps"), "a|␣|<0xC3>|<0xA9>|copy||||");
    assert_string_equal(labels(r, "source"), "a|␣|<0xC3>|<0xA9>");
    assert_string_equal(tiny_settings(r), "task=copy steps=9 hands=0");
    assert_string_equal(source->text, "a é");
    assert_int_equal(source->tokens[3].start, 2);
    assert_int_equal(source->tokens[3].end, 4);
    assert_int_equal(source->tokens[0].word, 0);
    assert_int_equal(source->tokens[1].word, -1);
    assert_int_equal(source->tokens[2].word, 1);
    assert_int_equal(hl_record_find_axis(r, "target")->n, 4);

    const float *in = series(r, "input"), *want = series(r, "target");
    const char bits[] = "01100001"; /* 'a', the most significant bit first */
    for (int b = 0; b < 8; b++) {
        assert_true(in[b] == (float)(bits[b] - '0'));
        assert_true(want[b] == -1.0f);
        assert_true(want[5 * 8 + b] == (float)(bits[b] - '0'));
        assert_true(in[4 * 9 + b] == 0.0f && in[5 * 9 + b] == 0.0f);
    }
    assert_true(in[4 * 9 + 8] == 1.0f && in[3 * 9 + 8] == 0.0f && in[5 * 9 + 8] == 0.0f);
    hl_record_destroy(r);
}

static void
an_empty_text_is_allowed(void **state)
{
    struct hl_record *r = run(copier, "");
    (void)state;
    assert_string_equal(labels(r, "steps"), "copy");
    assert_string_equal(r->output_text, "");
    hl_record_destroy(r);
    r = tiny_run(recaller, &(struct hl_request) { 0 });
    assert_string_equal(labels(r, "steps"), "query|␣|␣|␣|query|||");
    assert_string_equal(tiny_settings(r),
                        "task=recall items=0 query=unknown padded=0 cut=0 steps=8 hands=0");
    hl_record_destroy(r);
}

static void
a_long_text_is_cut_between_characters(void **state)
{
    char text[2 * HL_NTM_MAX_BYTES];
    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text + HL_NTM_MAX_BYTES - 1, "é", 2); /* would straddle the limit */
    text[sizeof text - 1] = '\0';
    struct hl_record *r = run(copier, text);
    assert_int_equal(hl_record_find_axis(r, "source")->n, HL_NTM_MAX_BYTES - 1);
    assert_int_equal(r->dropped_at, HL_NTM_MAX_BYTES - 1);
    assert_int_equal(r->n_dropped_tokens, HL_NTM_MAX_BYTES);
    assert_string_equal(hl_record_find_axis(r, "source")->text, text);
    hl_record_destroy(r);
}

struct recall_case {
    const char *text, *steps, *settings, *answer; /* answer NULL: nothing is right */
    int dropped_at, n_dropped;
};

static void
check_recall(const struct recall_case *c)
{
    struct hl_record *r = run(recaller, c->text);
    const struct hl_series *want = hl_record_find_series(r, "target");
    if (c->steps)
        assert_string_equal(labels(r, "steps"), c->steps);
    assert_string_equal(tiny_settings(r), c->settings);
    assert_int_equal(r->dropped_at, c->dropped_at);
    assert_int_equal(r->n_dropped_tokens, c->n_dropped);
    for (int i = 0; i < L * 8; i++) {
        float bit = want->data[(want->n - L) * 8 + i];
        int right = c->answer ? c->answer[i / 8] >> (7 - i % 8) & 1 : -1;
        assert_int_equal((int)bit, right);
    }
    hl_record_destroy(r);
}

static void
recall_reads_items_and_a_query(void **state)
{
#define TWO "item|c|a|t|item|d|o|g|"
    static const struct recall_case cases[] = {
        { "cat dog ? cat", TWO "query|c|a|t|query|||",
          "task=recall items=2 query=1 padded=0 cut=0 steps=16 hands=0", "dog", -1, 0 },
        { "cat dog", TWO "query|c|a|t|query|||",
          "task=recall items=2 query=first padded=0 cut=0 steps=16 hands=0", "dog", -1, 0 },
        { "cat dog ?", TWO "query|c|a|t|query|||",
          "task=recall items=2 query=first padded=0 cut=0 steps=16 hands=0", "dog", -1, 0 },
        { "  cat\tdog?dog", TWO "query|d|o|g|query|||",
          "task=recall items=2 query=last padded=0 cut=0 steps=16 hands=0", NULL, -1, 0 },
        { "cat dog ?do", TWO "query|d|o|␣|query|||",
          "task=recall items=2 query=unknown padded=1 cut=0 steps=16 hands=0", NULL, -1, 0 },
        { "cats do x ? do", NULL, "task=recall items=3 query=2 padded=3 cut=1 steps=20 hands=0",
          "x  ", -1, 0 },
        { "cat dog ? cat and more", NULL,
          "task=recall items=2 query=1 padded=0 cut=0 steps=16 hands=0", "dog", 14, 7 },
        /* cut at a character's border; the same form as "ab " */
        { "abé c ? ab", NULL, "task=recall items=2 query=1 padded=2 cut=1 steps=16 hands=0", "c  ",
          -1, 0 },
        /* a character longer than an item leaves an item of spaces */
        { "🐱 dog ? 🐱", "item|␣|␣|␣|item|d|o|g|query|␣|␣|␣|query|||",
          "task=recall items=2 query=1 padded=0 cut=2 steps=16 hands=0", "dog", -1, 0 },
        /* of equal items the one that another follows */
        { "dog cat dog ? dog", NULL, "task=recall items=3 query=1 padded=0 cut=0 steps=20 hands=0",
          "cat", -1, 0 },
        { "dog", NULL, "task=recall items=1 query=last padded=0 cut=0 steps=12 hands=0", NULL, -1,
          0 },
    };
#undef TWO
    (void)state;
    for (int i = 0; i < N_OF(cases); i++)
        check_recall(&cases[i]);
}

static void
too_many_items_are_left_out(void **state)
{
    char text[4 * (HL_NTM_MAX_ITEMS + 3) + 8] = "";
    (void)state;
    for (int i = 0; i < HL_NTM_MAX_ITEMS + 3; i++)
        snprintf(text + 4 * i, 5, "a%02d ", i);
    strcat(text, "? a01");
    const struct recall_case c = {
        text,
        NULL,
        "task=recall items=32 query=2 padded=0 cut=0 steps=136 hands=0",
        "a02",
        4 * HL_NTM_MAX_ITEMS,
        9,
    };
    check_recall(&c);
}

/* ---- what the record holds ---- */

static double
row_gap(const float *a, const double *b, int n)
{
    double gap = 0;
    for (int i = 0; i < n; i++)
        gap = fmax(gap, fabs((double)a[i] - b[i]));
    return gap;
}

struct head {
    const char *kind;
    int n_heads, head, n_steps, n_shifts;
};

static const float *
of_head(const struct hl_record *r, const struct head *h, const char *what, int t, int width)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%s", h->kind, what);
    return series(r, name) + (t * h->n_heads + h->head) * width;
}

static const float *
stage(const struct hl_record *r, const struct head *h, const char *s, int t)
{
    return hl_map_row(hl_record_find_map(r, h->kind, s), 0, h->head, t);
}

/* Each stage follows from the recorded ones before it, by the formulas in double. */
static void
check_address(const struct hl_record *r, const struct head *h, int t)
{
    const float *memory = hl_record_find_vectors(r, "memory")->data + t * N * M;
    const float *key = of_head(r, h, "key", t, M), *shift = of_head(r, h, "shift", t, h->n_shifts);
    double beta = (double)*of_head(r, h, "strength", t, 1), a[N], b[N], sum = 0;
    double g = (double)*of_head(r, h, "gate", t, 1), gamma = (double)*of_head(r, h, "gamma", t, 1);

    for (int i = 0; i < N; i++) {
        double dot = 0, kk = 0, mm = 0;
        for (int c = 0; c < M; c++) {
            dot += (double)key[c] * (double)memory[i * M + c];
            kk += (double)key[c] * (double)key[c];
            mm += (double)memory[i * M + c] * (double)memory[i * M + c];
        }
        a[i] = dot / (sqrt(kk * mm) + 1e-8);
        sum += b[i] = exp(beta * a[i]);
    }
    assert_true(row_gap(stage(r, h, HL_STAGE_COSINE, t), a, N) < 1e-5);
    for (int i = 0; i < N; i++) {
        double before = t > 0 ? (double)stage(r, h, HL_STAGE_WEIGHTS, t - 1)[i] : i == 0;
        b[i] /= sum;
        a[i] = g * b[i] + (1 - g) * before;
    }
    assert_true(row_gap(stage(r, h, HL_STAGE_CONTENT, t), b, N) < 1e-5);
    assert_true(row_gap(stage(r, h, HL_STAGE_GATED, t), a, N) < 1e-5);
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        for (int k = 0; k < h->n_shifts; k++)
            b[i] += (double)shift[k] * a[(i - (k - h->n_shifts / 2) + N) % N];
    }
    assert_true(row_gap(stage(r, h, HL_STAGE_SHIFTED, t), b, N) < 1e-5);
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] = pow(b[i], gamma);
    for (int i = 0; i < N; i++)
        a[i] /= sum;
    assert_true(row_gap(stage(r, h, HL_STAGE_WEIGHTS, t), a, N) < 1e-5);
}

/* Reads come from the memory before the step's writes, which follow one another. */
static void
check_memory(const struct hl_record *r, const struct hl_ntm_info *info, int t)
{
    const struct hl_vectors *v = hl_record_find_vectors(r, "memory");
    const float *memory = v->data + t * N * M;
    double next[N * M];

    for (int k = 0; k < info->n_read; k++) {
        const struct head h = { "read", info->n_read, k, v->n_layers - 1, info->n_shifts };
        const float *w = stage(r, &h, HL_STAGE_WEIGHTS, t);
        double sum[M] = { 0 };
        for (int i = 0; i < N * M; i++)
            sum[i % M] += (double)w[i / M] * (double)memory[i];
        assert_true(row_gap(of_head(r, &h, "vector", t, M), sum, M) < 1e-5);
    }
    for (int i = 0; i < N * M; i++)
        next[i] = (double)memory[i];
    for (int k = 0; k < info->n_write; k++) {
        const struct head h = { "write", info->n_write, k, v->n_layers - 1, info->n_shifts };
        const float *w = stage(r, &h, HL_STAGE_WEIGHTS, t);
        const float *e = of_head(r, &h, "erase", t, M), *a = of_head(r, &h, "add", t, M);
        for (int i = 0; i < N * M; i++)
            next[i] = next[i] * (1 - (double)w[i / M] * (double)e[i % M]) +
                      (double)w[i / M] * (double)a[i % M];
    }
    assert_true(row_gap(memory + N * M, next, N * M) < 1e-5);
}

static void
check_record(const struct hl_model *m, const char *text)
{
    const struct hl_ntm_info *info = hl_ntm_info(hl_model_info(m));
    struct hl_record *r = run(m, text);
    const struct hl_vectors *v = hl_record_find_vectors(r, "memory");
    int n_steps = hl_record_find_axis(r, "time")->n;

    assert_int_equal(v->n_layers, n_steps + 1);
    assert_int_equal(v->n, N);
    assert_int_equal(r->n_maps, 10);
    for (int i = 0; i < r->n_maps; i++)
        assert_int_equal(r->maps[i].row_sum_one, !hl_map_is(&r->maps[i], HL_STAGE_COSINE));
    for (int t = 0; t < n_steps; t++) {
        for (int k = 0; k < info->n_read; k++)
            check_address(r, &(struct head) { "read", info->n_read, k, n_steps, info->n_shifts },
                          t);
        for (int k = 0; k < info->n_write; k++)
            check_address(r, &(struct head) { "write", info->n_write, k, n_steps, info->n_shifts },
                          t);
        check_memory(r, info, t);
    }
    assert_true(hl_utf8_valid(r->output_text, strlen(r->output_text)));
    hl_record_destroy(r);
}

static void
stages_follow_from_one_another(void **state)
{
    (void)state;
    check_record(copier, "copy me, naïvely");
    check_record(recaller, "cat dog owl ? dog");
    check_record(many, "three heads write");
}

/* The answer is what the outputs say, whatever bytes these are. */
static void
answers_are_the_outputs(void **state)
{
    struct hl_record *r = run(many, "anything at all, 0123456789");
    const struct hl_axis *target = hl_record_find_axis(r, "target");
    const struct hl_series *y = hl_record_find_series(r, "output");
    double logprob = 0;
    (void)state;
    for (int i = 0; i < target->n; i++) {
        const float *row = y->data + (y->n - target->n + i) * 8;
        int byte = 0;
        for (int b = 0; b < 8; b++) {
            byte = 2 * byte + (row[b] > 0.5f);
            logprob += log(fmax((double)row[b], 1 - (double)row[b]));
        }
        assert_int_equal(target->tokens[i].id, byte);
    }
    assert_true(fabs(logprob - r->output_logprob) < 1e-6);
    hl_record_destroy(r);
}

/* ---- the request ---- */

static void
a_guess_and_scratch_change_nothing(void **state)
{
    struct hl_arena a;
    int32_t draft[2] = { 0, 255 };
    struct hl_record *r = run(copier, "same"), *other;
    (void)state;
    hl_arena_init(&a, 1 << 16, 0);
    for (int i = 0; i < 2; i++) {
        other = tiny_run(copier, &(struct hl_request) {
                                     .text = "same", .draft = draft, .n_draft = 2, .scratch = &a });
        for (int k = 0; k < r->n_maps; k++)
            assert_memory_equal(r->maps[k].data, other->maps[k].data,
                                sizeof(float) * (size_t)r->maps[k].n_q * N);
        hl_record_destroy(other);
        hl_arena_reset(&a);
    }
    hl_arena_deinit(&a);
    hl_record_destroy(r);
}

static void
refuses(const struct hl_model *m, const struct hl_request *q, enum hl_status want, const char *part)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    assert_int_equal(hl_model_run(m, q, &r, &err), want);
    assert_null(r);
    if (!strstr(err.detail, part))
        fail_msg("\"%s\" does not say \"%s\"", err.detail, part);
}

static void
what_is_not_a_text_is_refused(void **state)
{
    atomic_bool cancel = true;
    int32_t id = 65;
    (void)state;
    refuses(copier, &(struct hl_request) { .source_ids = &id, .n_source_ids = 1 }, HL_E_ARGUMENT,
            "takes none");
    refuses(copier, &(struct hl_request) { .text = "a", .target = "b" }, HL_E_ARGUMENT,
            "takes none");
    refuses(copier, &(struct hl_request) { .text = "a", .cancel = &cancel }, HL_E_CANCELLED, "");
}

/* ---- in hand ---- */

/* A write head's hand with all that it can hold. */
static struct hl_ntm_options
full_hand(int step)
{
    struct hl_ntm_options o = { .n_hands = 1 };
    struct hl_ntm_hand *h = &o.hands[0];
    h->step = step;
    h->write = true;
    h->fields = HL_NTM_STRENGTH | HL_NTM_GATE | HL_NTM_GAMMA | HL_NTM_SHIFT | HL_NTM_KEY |
                HL_NTM_ERASE | HL_NTM_ADD;
    h->value = (struct hl_ntm_head) { .strength = 3, .gate = 0, .gamma = 1e4f };
    h->value.shift[2] = 1; /* one slot on */
    for (int c = 0; c < M; c++) {
        h->value.key[c] = (float)c;
        h->value.erase[c] = 1;
        h->value.add[c] = (float)c - 2;
    }
    return o;
}

static struct hl_record *
run_held(const struct hl_model *m, const char *text, const struct hl_ntm_options *o)
{
    struct hl_ntm_overrides room;
    struct hl_request q = { .text = text };
    hl_ntm_request(hl_ntm_info(hl_model_info(m)), o, &room, &q);
    return tiny_run(m, &q);
}

static void
a_hand_takes_over_at_its_step(void **state)
{
    struct hl_ntm_options o = full_hand(2);
    struct hl_record *r = run(copier, "hands");
    struct hl_record *held = run_held(copier, "hands", &o);
    const struct head h = { "write", 1, 0, 11, 3 };
    (void)state;

    assert_string_equal(tiny_settings(held), "task=copy steps=11 hands=1");
    for (int t = 0; t < 2; t++)
        assert_memory_equal(stage(r, &h, HL_STAGE_WEIGHTS, t), stage(held, &h, HL_STAGE_WEIGHTS, t),
                            N * sizeof(float));
    const struct hl_ntm_head *v = &o.hands[0].value;
    assert_memory_equal(of_head(held, &h, "key", 2, M), v->key, M * sizeof(float));
    assert_memory_equal(of_head(held, &h, "shift", 2, 3), v->shift, 3 * sizeof(float));
    assert_memory_equal(of_head(held, &h, "add", 2, M), v->add, M * sizeof(float));
    assert_memory_equal(of_head(held, &h, "erase", 2, M), v->erase, M * sizeof(float));
    assert_true(*of_head(held, &h, "strength", 2, 1) == 3 && *of_head(held, &h, "gate", 2, 1) == 0);

    /* the largest weight moved on by one, and its slot holds what was added */
    const float *before = stage(held, &h, HL_STAGE_WEIGHTS, 1);
    const float *after = stage(held, &h, HL_STAGE_WEIGHTS, 2);
    int top = 0;
    for (int i = 0; i < N; i++)
        top = before[i] > before[top] ? i : top;
    assert_true(after[(top + 1) % N] > 0.999f);
    const float *memory =
        hl_record_find_vectors(held, "memory")->data + (3 * N + (top + 1) % N) * M;
    for (int c = 0; c < M; c++)
        assert_true(fabsf(memory[c] - v->add[c]) < 1e-3f);
    check_address(held, &h, 2);
    check_memory(held, hl_ntm_info(hl_model_info(copier)), 2);
    hl_record_destroy(r);
    hl_record_destroy(held);
}

static void
hands_name_one_head_and_the_last_wins(void **state)
{
    struct hl_ntm_options o = { .n_hands = 4 };
    const struct head held = { "read", 2, 1, 9, 5 }, free = { "read", 2, 0, 9, 5 };
    (void)state;
    for (int i = 0; i < o.n_hands; i++)
        o.hands[i] = (struct hl_ntm_hand) { .step = i < 2    ? 0
                                                    : i == 2 ? 99
                                                             : -1,
                                            .head = 1,
                                            .fields = HL_NTM_GATE,
                                            .value.gate = 0.25f * (float)i };
    struct hl_record *r = run_held(many, "abcd", &o);
    struct hl_record *own = run(many, "abcd");
    assert_true(*of_head(r, &held, "gate", 0, 1) == 0.25f);
    assert_true(*of_head(r, &free, "gate", 0, 1) == *of_head(own, &free, "gate", 0, 1));
    assert_string_equal(tiny_settings(r), "task=copy steps=9 hands=1");
    hl_record_destroy(r);
    hl_record_destroy(own);
}

static void
refuses_hand(struct hl_ntm_options o, const char *part)
{
    struct hl_ntm_overrides room;
    struct hl_request q = { .text = "a" };
    hl_ntm_request(hl_ntm_info(hl_model_info(copier)), &o, &room, &q);
    refuses(copier, &q, HL_E_ARGUMENT, part);
}

static void
hands_out_of_range_are_refused(void **state)
{
    const float bad[] = { NAN, INFINITY, -INFINITY, -0.1f };
    struct hl_ntm_options o;
    (void)state;
    for (int i = 0; i < N_OF(bad); i++) {
        o = full_hand(0);
        o.hands[0].value.strength = bad[i];
        refuses_hand(o, "strength");
        o = full_hand(0);
        o.hands[0].value.gate = bad[i];
        refuses_hand(o, "gate");
        o = full_hand(0);
        o.hands[0].value.gamma = bad[i];
        refuses_hand(o, "sharpening");
        o = full_hand(0);
        o.hands[0].value.shift[1] = bad[i];
        refuses_hand(o, "distribution");
        o = full_hand(0);
        o.hands[0].value.erase[M - 1] = bad[i];
        refuses_hand(o, "erase");
        o = full_hand(0);
        o.hands[0].value.key[0] = 1e5f * bad[i];
        refuses_hand(o, "key is not");
        o = full_hand(0);
        o.hands[0].value.add[0] = 1e5f * bad[i];
        refuses_hand(o, "add");
    }
    o = full_hand(0);
    o.hands[0].value.shift[0] = 0.5f;
    refuses_hand(o, "distribution");
    o = full_hand(0);
    o.hands[0].head = 1;
    refuses_hand(o, "no such head");
    o = full_hand(0);
    o.hands[0].write = false;
    refuses_hand(o, "neither erases nor adds");
    static const float gate[2];
    struct hl_override many_steps[HL_NTM_MAX_HANDS + 1];
    for (int i = 0; i < N_OF(many_steps); i++)
        many_steps[i] = (struct hl_override) { "write.gate", i, 0, 1, gate };
    struct hl_request q = { .text = "a", .overrides = many_steps };
    q.n_overrides = N_OF(many_steps);
    refuses(copier, &q, HL_E_ARGUMENT, "room");
    q.n_overrides = 1;
    many_steps[0].n = 2;
    refuses(copier, &q, HL_E_ARGUMENT, "2 numbers, not 1");
    many_steps[0].what = "write.temper";
    refuses(copier, &q, HL_E_ARGUMENT, "no such number");
}

/* ---- folders ---- */

static void
huge_weights_get_a_sentence(void **state)
{
    const struct tiny_ntm how = { .n_read = 1, .n_write = 1, .reach = 1, .times = 1e38 };
    struct hl_model *m = tiny_ntm(&how, 5);
    struct tiny_ntm large = how;
    (void)state;
    refuses(m, &(struct hl_request) { .text = "overflow" }, HL_E_WEIGHTS, "beyond what a float");
    hl_model_close(m);
    /* as large as numbers stay finite: a record, or the same sentence, never a NaN */
    for (large.times = 1e3; large.times < 1e38; large.times *= 1e5) {
        struct hl_record *r = NULL;
        m = tiny_ntm(&large, 6);
        enum hl_status st = hl_model_run(m, &(struct hl_request) { .text = "large" }, &r, NULL);
        assert_true(st == HL_OK || st == HL_E_WEIGHTS);
        hl_record_destroy(r);
        hl_model_close(m);
    }
}

/* Opens a machine whose configuration had `from` replaced. */
static void
refuses_config(const char *from, const char *to, enum hl_status want, const char *part)
{
    const struct tiny_ntm how = { .recall = true, .n_read = 1, .n_write = 1, .reach = 1 };
    char dir[512], path[600], text[2048], sentence[1024];
    struct hl_map_file f;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };

    tiny_dir(dir, sizeof dir, "hostile-ntm");
    tiny_ntm_write(&how, 4, dir);
    snprintf(path, sizeof path, "%s/config.json", dir);
    assert_int_equal(hl_map_open(path, &f, NULL), HL_OK);
    int n = (int)f.n, before = (int)(strstr((const char *)f.p, from) - (const char *)f.p);
    int len = snprintf(text, sizeof text, "%.*s%s%.*s", before, (const char *)f.p, to,
                       n - before - (int)strlen(from), (const char *)f.p + before + strlen(from));
    hl_map_close(&f);
    assert_int_equal(hl_map_write(path, text, (size_t)len, NULL), HL_OK);
    assert_int_equal(hl_model_open(dir, &m, &err), want);
    assert_null(m);
    hl_error_text(&err, sentence, sizeof sentence);
    if (!strstr(sentence, part))
        fail_msg("\"%s\" does not say \"%s\"", sentence, part);
    tiny_dir_remove(dir);
}

static void
hostile_configurations_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *part;
    } cases[] = {
        { "\"recall\"", "\"sort\"", "neither copy nor recall" },
        { "\"lstm\"", "\"gru\"", "neither lstm nor feedforward" },
        { "\"task\":\"recall\",", "", "task" },
        { "\"controller_size\":9", "\"controller_size\":0", "controller_size" },
        { "\"controller_size\":9", "\"controller_size\":1e9", "controller_size" },
        { "\"n_slots\":12", "\"n_slots\":-1", "n_slots" },
        { "\"n_slots\":12", "\"n_slots\":1025", "n_slots" },
        { "\"n_slots\":12", "\"n_slots\":\"12\"", "n_slots" },
        { "\"slot_width\":5", "\"slot_width\":65", "slot_width" },
        { "\"n_read_heads\":1", "\"n_read_heads\":0", "n_read_heads" },
        { "\"n_write_heads\":1", "\"n_write_heads\":9", "n_write_heads" },
        { "\"shift_range\":1", "\"shift_range\":4", "shift_range" },
        { "\"shift_range\":1", "\"shift_range\":0.5", "shift_range" },
        { "\"n_bits\":8", "\"n_bits\":7", "n_bits" },
        { "\"n_inputs\":10", "\"n_inputs\":9", "n_inputs" },
        { "\"item_length\":3", "\"item_length\":17", "item_length" },
        { "\"min_items\":2", "\"min_items\":7", "min_items" },
        { "\"memory_init\":1e-6", "\"memory_init\":2", "memory_init" },
        { "\"memory_init\":1e-6", "\"memory_init\":null,\"memory_init\":0", "memory_init" },
    };
    (void)state;
    for (int i = 0; i < N_OF(cases); i++)
        refuses_config(cases[i].from, cases[i].to,
                       strstr(cases[i].to, "null") ? HL_E_JSON : HL_E_CONFIG, cases[i].part);
    refuses_config("\"n_slots\":12,\"slot_width\":5", "\"n_slots\":12,\"slot_width\":6",
                   HL_E_WEIGHTS, "read.0.weight");
    refuses_config("\"n_write_heads\":1", "\"n_write_heads\":2", HL_E_WEIGHTS, "write.1.weight");
    refuses_config("\"lstm\"", "\"feedforward\"", HL_E_WEIGHTS, "controller");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_says_what_it_is),
        cmocka_unit_test(copy_is_bytes_a_mark_and_answers),
        cmocka_unit_test(an_empty_text_is_allowed),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(recall_reads_items_and_a_query),
        cmocka_unit_test(too_many_items_are_left_out),
        cmocka_unit_test(stages_follow_from_one_another),
        cmocka_unit_test(answers_are_the_outputs),
        cmocka_unit_test(a_guess_and_scratch_change_nothing),
        cmocka_unit_test(what_is_not_a_text_is_refused),
        cmocka_unit_test(a_hand_takes_over_at_its_step),
        cmocka_unit_test(hands_name_one_head_and_the_last_wins),
        cmocka_unit_test(hands_out_of_range_are_refused),
        cmocka_unit_test(huge_weights_get_a_sentence),
        cmocka_unit_test(hostile_configurations_are_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

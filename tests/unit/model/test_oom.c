/* Every allocation of opening and running fails once: nothing leaks, nothing breaks,
 * the error says so. */
#include "harness/test.h"

#include "harness/fail_alloc.h"
#include "mech/mech.h"
#include "unit/model/tiny.h"
#include "unit/model/tiny_file.h"
#include "unit/model/tiny_ntm.h"

#include <stdio.h>
#include <stdlib.h>

static struct hl_model *model;
static struct hl_request request;

/* Success, or a failure that is called by its name. */
static bool
named(enum hl_status st, const struct hl_error *err)
{
    if (st != HL_OK) {
        assert_int_equal(st, HL_E_NOMEM);
        assert_int_equal(err->code, HL_E_NOMEM);
    }
    return st == HL_OK;
}

static bool
open_once(void *user)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    bool ok = named(hl_model_open_ids(user, &m, &err), &err);
    assert_int_equal(ok, m != NULL);
    hl_model_close(m);
    return ok;
}

static bool
run_once(void *user)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    (void)user;
    bool ok = named(hl_model_run(model, &request, &r, &err), &err);
    assert_int_equal(ok, r != NULL);
    hl_record_destroy(r);
    return ok;
}

static void
opening_survives(void **state)
{
    char dir[512];
    const char *root = getenv("HL_SOURCE_ROOT");
    (void)state;
    snprintf(dir, sizeof dir, "%s/tests/data/hf-marian", root ? root : ".");
    assert_true(fail_alloc_each(open_once, dir, 20000) > 10);
}

static void
running_survives(void **state)
{
    int32_t ids[16];
    (void)state;
    for (int k = 0; k < 2; k++) {
        model = k ? tiny_gru(5) : tiny_marian();
        for (int how = 0; how < 3; how++) {
            request = (struct hl_request) { .source_ids = ids,
                                            .keep_scores = true,
                                            .keep_vectors = true,
                                            .keep_logits = true,
                                            .draft = how == 1 ? ids : NULL,
                                            .n_draft = how == 1 ? 3 : 0 };
            hl_request_set(&request, "beam", how == 2 ? 3 : 1);
            request.n_source_ids = tiny_source(model, 6, 1, ids);
            assert_true(fail_alloc_each(run_once, NULL, 2000) >= 3);
        }
        hl_model_close(model);
    }
}

static void
memory_survives(void **state)
{
    const struct tiny_ntm how = { .recall = true, .n_read = 2, .n_write = 1, .reach = 1 };
    static const float gate[1];
    const struct hl_override hand = { "read.gate", 0, 0, 1, gate };
    char dir[512];
    (void)state;
    tiny_dir(dir, sizeof dir, "oom-ntm");
    tiny_ntm_write(&how, 3, dir);
    assert_true(fail_alloc_each(open_once, dir, 20000) > 10);
    assert_int_equal(hl_model_open_ids(dir, &model, NULL), HL_OK);
    request =
        (struct hl_request) { .text = "cat dog owl ? dog", .overrides = &hand, .n_overrides = 1 };
    assert_true(fail_alloc_each(run_once, NULL, 2000) >= 3);
    hl_model_close(model);
    tiny_dir_remove(dir);
}

static bool
mechanism_once(void *user)
{
    struct hl_arena a;
    struct hl_mech_result r;
    struct hl_mech_explanation x;
    struct hl_error err = { 0 };
    static struct hl_mech_problem p;

    assert_true(hl_mech_preset_load(user, 0, &p));
    hl_arena_init(&a, 64, 0); /* a block for nearly each allocation */
    bool ok = named(hl_mech_run(user, &p, &a, &r, &err), &err);
    ok = ok && hl_mech_explain(&r, r.n_steps - 1, 0, 0, &a, &x);
    hl_arena_deinit(&a);
    return ok;
}

static void
mechanisms_survive(void **state)
{
    (void)state;
    for (int i = 0; i < hl_n_mechs; i++)
        assert_true(fail_alloc_each(mechanism_once, (void *)(uintptr_t)hl_mechs[i], 2000) > 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_survives),
        cmocka_unit_test(running_survives),
        cmocka_unit_test(memory_survives),
        cmocka_unit_test(mechanisms_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

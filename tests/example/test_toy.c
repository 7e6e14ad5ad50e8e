/* A network is one file and one line: toy.c stands in the list like any other, and all
 * that knows networks by their declaration runs it. */
#include "harness/test.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "model/network.h"
#include "unit/model/tiny_file.h"

static struct hl_model *
open_toy(void)
{
    static const char config[] = "{\"model_type\":\"toy\",\"title\":\"Letters\"}";
    char dir[512], path[600];
    struct tiny_file f;
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    tiny_dir(dir, sizeof dir, "toy");
    snprintf(path, sizeof path, "%s/config.json", dir);
    assert_int_equal(hl_map_write(path, config, sizeof config - 1, NULL), HL_OK);
    tiny_file_init(&f, 7, 1);
    tiny_tensor(&f, "table", 256, 8, 1.0);
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    tiny_file_write(&f, path);
    if (hl_model_open(dir, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    tiny_dir_remove(dir);
    return m;
}

static void
the_toy_is_in_the_list(void **state)
{
    char keys[256];
    (void)state;
    assert_non_null(hl_network_find("toy"));
    assert_non_null(hl_network_find("marian"));
    hl_network_keys(keys, sizeof keys);
    assert_non_null(strstr(keys, "toy"));
}

static void
the_toy_runs(void **state)
{
    struct hl_model *m = open_toy();
    const struct hl_model_info *info = hl_model_info(m);
    struct hl_request q = { .text = "letter" };
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    (void)state;
    assert_string_equal(info->title, "Letters");
    assert_string_equal(info->facts[0].name, "letters");
    assert_true(hl_model_can(info, HL_CAN(HEADS)));
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_OK);
    const struct hl_map *map = hl_record_find_map(r, "self", HL_STAGE_WEIGHTS);
    /* the second t looks at the first as much as at itself, at nothing more */
    const float *row = hl_map_row(map, 0, 0, 3);
    assert_true(row[2] == row[3] && row[2] > row[0] && row[2] > row[1] && row[4] == 0);
    hl_record_destroy(r);
    /* its option is a row like any other */
    assert_true(hl_request_set(&q, "sharp", 0));
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_OK);
    row = hl_map_row(hl_record_find_map(r, "self", HL_STAGE_WEIGHTS), 0, 0, 3);
    assert_true(row[0] == 0.25f && row[3] == 0.25f);
    hl_record_destroy(r);
    assert_true(hl_request_set(&q, "sharp", 11));
    r = NULL;
    assert_int_equal(hl_model_run(m, &q, &r, &err), HL_E_ARGUMENT);
    assert_string_equal(err.where, "sharp");
    hl_model_close(m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_toy_is_in_the_list),
        cmocka_unit_test(the_toy_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is JSON is read, what is not is refused with its place. */
#include "harness/test.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fail_alloc.h"
#include "io/json.h"

static enum hl_status
parse(const char *text, struct hl_json_doc **out, struct hl_error *err)
{
    *out = NULL;
    return hl_json_parse(text, strlen(text), "file.json", 20, out, err);
}

static void
test_values(void **state)
{
    struct hl_json_doc *doc;
    struct hl_error err = { 0 };
    int64_t whole = 7;
    double number = 0;
    bool flag = false;
    (void)state;
    const char *text = " {\"a\": [1, -2.5e1, true, null, \"é\\u00e9\\n\"], \"B\": {}, \"b\": "
                       "9007199254740992}\n";
    assert_int_equal(parse(text, &doc, &err), HL_OK);
    const struct hl_json *root = hl_json_root(doc), *a = hl_json_get(root, "a");
    assert_int_equal(hl_json_kind(root), HL_JSON_OBJECT);
    assert_int_equal(hl_json_n(root), 3);
    assert_int_equal(hl_json_n(a), 5);
    a = hl_json_first(a);
    assert_true(hl_json_int(a, 0, 1, &whole) && whole == 1);
    assert_false(hl_json_int(a, 2, 3, &whole));
    a = hl_json_next(a);
    assert_true(hl_json_double(a, &number) && number == -25);
    a = hl_json_next(a);
    assert_true(hl_json_bool(a, &flag) && flag);
    assert_false(hl_json_int(a, 0, 9, &whole));
    a = hl_json_next(a);
    assert_int_equal(hl_json_kind(a), HL_JSON_NULL);
    a = hl_json_next(a);
    assert_string_equal(hl_json_string(a), "éé\n");
    assert_null(hl_json_next(a));
    assert_string_equal(hl_json_key(hl_json_get(root, "B")), "B");
    assert_true(hl_json_int(hl_json_get(root, "b"), 0, HL_JSON_INT_MAX, &whole));
    assert_true(whole == HL_JSON_INT_MAX);
    hl_json_close(doc);
}

static void
test_nothing_is_safe(void **state)
{
    int64_t whole;
    bool flag;
    double number;
    (void)state;
    assert_null(hl_json_root(NULL));
    assert_null(hl_json_first(NULL));
    assert_null(hl_json_next(NULL));
    assert_null(hl_json_get(NULL, "a"));
    assert_null(hl_json_string(NULL));
    assert_int_equal(hl_json_n(NULL), 0);
    assert_int_equal(hl_json_kind(NULL), HL_JSON_NULL);
    assert_string_equal(hl_json_key(NULL), "");
    assert_false(hl_json_int(NULL, 0, 1, &whole));
    assert_false(hl_json_bool(NULL, &flag));
    assert_false(hl_json_double(NULL, &number));
    hl_json_close(NULL);
}

static void
test_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        { "", "too early" },
        { "{", "line 1, column 2" },
        { "{\"a\":1}x", "follows" },
        { "{\"a\":1} {}", "follows" },
        { "\xEF\xBB\xBF{}", "byte order mark" },
        { "{\"a\":\n \"\xC3\"}", "line 2, column 3: invalid UTF-8" },
        { "[\"a\nb\"]", "control character" },
        { "[\"a\\u0000b\"]", "NUL" },
        { "[1,]", "not JSON" },
        { "[01]", "not a JSON number" },
        { "[1.]", "not a JSON number" },
        { "[-]", "not a JSON number" },
        { "[1e]", "not a JSON number" },
        { "[+1]", "not JSON" },
        { "[NaN]", "not JSON" },
        { "[Infinity]", "not JSON" },
        { "[1e999]", "too large" },
        { "[-1E+400]", "line 1, column 2: a number is too large" },
        { "[0.00000000000000000000000000000000000000000000000000000000000001]", "many digits" },
        { "// x\n{}", "not JSON" },
        { "{\"a\":1,\"b\":2,\"a\":3}", "'a' occurs twice" },
        { "[{\"a\":1,\"\\u0061\":2}]", "'a' occurs twice" },
        { "[\"\\ud800\"]", "surrogate" },
        { "[\"\\ud83dx\\udc4d\"]", "surrogate" },
        { "[\"\\udc4d\"]", "surrogate" },
        { "[\"a\\uqqqq\"]", "line 1, column 4: not an escape" },
        { "[\"\\u12\"]", "not an escape" },
        { "[\"\\x\"]", "not an escape" },
        { "[tru]", "not JSON" },
        { "{\"a\" 1}", "not JSON" },
        { "{\"a\":}", "not JSON" },
        { "[1 2]", "not JSON" },
        { "[1", "too early" },
        { "[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]", "nested" },
        { "[\"open", "inside a string" },
        { "[1\v]", "control character" },
    };
    (void)state;
    for (int i = 0; i < N_OF(rows); i++) {
        struct hl_json_doc *doc;
        struct hl_error err = { 0 };
        enum hl_status status = parse(rows[i].text, &doc, &err);
        if (status != HL_E_JSON || doc || !strstr(err.detail, rows[i].says))
            fail_msg("%s: status %d, \"%s\"", rows[i].text, (int)status, err.detail);
        assert_string_equal(err.where, "file.json");
    }
    struct hl_json_doc *doc = NULL;
    assert_int_equal(hl_json_parse("[1]\0", 4, "nul", 9, &doc, NULL), HL_E_JSON);
    assert_int_equal(hl_json_parse(NULL, 0, "none", 9, &doc, NULL), HL_E_JSON);
}

/* Enough keys for the table that finds equal ones. */
static void
test_many_keys(void **state)
{
    char text[4096] = "{", *at = text + 1;
    struct hl_json_doc *doc;
    struct hl_error err = { 0 };
    (void)state;
    for (int i = 0; i < 100; i++)
        at += snprintf(at, 40, "\"key%d\":%d,", i, i);
    strcpy(at, "\"last\":0}");
    assert_int_equal(parse(text, &doc, &err), HL_OK);
    assert_int_equal(hl_json_n(hl_json_root(doc)), 101);
    hl_json_close(doc);
    strcpy(at, "\"key42\":0}");
    assert_int_equal(parse(text, &doc, &err), HL_E_JSON);
    assert_non_null(strstr(err.detail, "'key42' occurs twice"));
}

static void
test_members(void **state)
{
    struct hl_json_doc *doc;
    struct hl_error err = { 0 };
    int64_t whole = 5;
    bool flag = true;
    double number = 2;
    const char *s = "default";
    (void)state;
    assert_int_equal(parse("{\"n\":3,\"f\":false,\"s\":\"x\",\"z\":null,\"h\":1.5}", &doc, &err),
                     HL_OK);
    const struct hl_json *r = hl_json_root(doc);
    const enum hl_status code = HL_E_CONFIG;
    assert_int_equal(hl_json_opt_int(r, "absent", 0, 9, code, "w", &whole, &err), HL_OK);
    assert_int_equal(hl_json_opt_int(r, "z", 0, 9, code, "w", &whole, &err), HL_OK);
    assert_true(whole == 5);
    assert_int_equal(hl_json_need_int(r, "n", 0, 9, code, "w", &whole, &err), HL_OK);
    assert_true(whole == 3);
    assert_int_equal(hl_json_need_int(r, "z", 0, 9, code, "w", &whole, &err), code);
    assert_non_null(strstr(err.detail, "'z' is missing"));
    assert_int_equal(hl_json_need_int(r, "h", 0, 9, code, "w", &whole, &err), code);
    assert_non_null(strstr(err.detail, "'h' should be a whole number from 0 to 9"));
    assert_int_equal(hl_json_need_int(r, "n", 4, 9, code, "w", &whole, &err), code);
    assert_int_equal(hl_json_opt_bool(r, "f", code, "w", &flag, &err), HL_OK);
    assert_false(flag);
    assert_int_equal(hl_json_opt_bool(r, "n", code, "w", &flag, &err), code);
    assert_int_equal(hl_json_opt_double(r, "h", code, "w", &number, &err), HL_OK);
    assert_true(number == 1.5);
    assert_int_equal(hl_json_opt_double(r, "s", code, "w", &number, &err), code);
    assert_int_equal(hl_json_opt_string(r, "absent", code, "w", &s, &err), HL_OK);
    assert_string_equal(s, "default");
    assert_int_equal(hl_json_need_string(r, "s", code, "w", &s, &err), HL_OK);
    assert_string_equal(s, "x");
    assert_int_equal(hl_json_need_string(r, "n", code, "w", &s, &err), code);
    assert_int_equal(hl_json_need_string(r, "absent", code, "w", &s, &err), code);
    assert_string_equal(err.where, "w");
    hl_json_close(doc);
}

static bool
parse_once(void *user)
{
    struct hl_json_doc *doc = NULL;
    const char *text = user;
    enum hl_status status = hl_json_parse(text, strlen(text), "x", 5, &doc, NULL);
    bool ok = status == HL_OK;
    assert_true(ok || status == HL_E_NOMEM); /* the text is not to blame */
    hl_json_close(doc);
    return ok;
}

static void
test_without_memory(void **state)
{
    char text[] = "{\"a\":[\"string\",{}],\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
                  "\"i\":1,\"j\":1,"
                  "\"k\":1,\"l\":1,\"m\":1}";
    (void)state;
    assert_true(fail_alloc_each(parse_once, text, 100) > 32); /* each of cJSON's, too */
}

/* What no model's file has is refused before it costs memory. */
static void
test_budget(void **state)
{
    const size_t n = 2 * (size_t)HL_JSON_VALUES_MAX + 3;
    char *text = malloc((size_t)HL_JSON_TEXT_MAX + 1);
    struct hl_json_doc *doc = NULL;
    struct hl_error err = { 0 };
    (void)state;
    assert_non_null(text);
    for (size_t i = 1; i < n; i += 2)
        memcpy(text + i, "1,", 2);
    text[0] = '[';
    text[n - 1] = ']';
    assert_int_equal(hl_json_parse(text, n, "x", 5, &doc, &err), HL_E_JSON);
    assert_non_null(strstr(err.detail, "more than 3145728 values"));
    memset(text, ' ', (size_t)HL_JSON_TEXT_MAX + 1);
    assert_int_equal(hl_json_parse(text, (size_t)HL_JSON_TEXT_MAX + 1, "x", 5, &doc, &err),
                     HL_E_JSON);
    assert_non_null(strstr(err.detail, "64 MB"));
    free(text);
}

/* Escapes of all kinds, and numbers to their last digit. */
static void
test_exact(void **state)
{
    struct hl_json_doc *doc;
    struct hl_error err = { 0 };
    double v[6];
    (void)state;
    assert_int_equal(parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20AC\\ud83d\\uDC4D\"]", &doc, &err),
                     HL_OK);
    assert_string_equal(hl_json_string(hl_json_first(hl_json_root(doc))),
                        "\"\\/\b\f\n\r\t€\xF0\x9F\x91\x8D");
    hl_json_close(doc);
    assert_int_equal(
        parse("[-0, 0.1, 123456789012345, 9007199254740993, 2.5E-3, 1e-320]", &doc, &err), HL_OK);
    const struct hl_json *at = hl_json_first(hl_json_root(doc));
    for (int i = 0; i < 6; i++, at = hl_json_next(at))
        assert_true(hl_json_double(at, &v[i]));
    assert_true(v[0] == 0 && 1 / v[0] < 0 && v[1] == 0.1 && v[2] == 123456789012345.0);
    assert_true(v[3] == 9007199254740992.0 && v[4] == 0.0025 && v[5] == 1e-320);
    hl_json_close(doc);
}

/* The most characters a number may have, and no decimal comma. */
static void
test_numbers(void **state)
{
    static const char *const locales[] = { "C", "de_DE.UTF-8", "fa_IR.UTF-8", "ps_AF.UTF-8" };
    const char *text = "[0.5, -1.25e1, "
                       "0.3333333333333333333333333333333333333333333333333333333333333]";
    (void)state;
    for (int i = 0; i < N_OF(locales); i++) {
        struct hl_json_doc *doc;
        struct hl_error err = { 0 };
        double v[3];
        if (!setlocale(LC_ALL, locales[i]))
            continue; /* the machine has no such locale */
        assert_int_equal(parse(text, &doc, &err), HL_OK);
        const struct hl_json *at = hl_json_first(hl_json_root(doc));
        for (int j = 0; j < 3; j++, at = hl_json_next(at))
            assert_true(hl_json_double(at, &v[j]));
        assert_true(v[0] == 0.5 && v[1] == -12.5 && v[2] == 1.0 / 3);
        assert_string_equal(setlocale(LC_ALL, NULL), locales[i]);
        hl_json_close(doc);
    }
    setlocale(LC_ALL, "C");
}

static void *
parse_often(void *user)
{
    int *good = user;
    for (int i = 0; i < 200; i++) {
        struct hl_json_doc *doc = NULL;
        const char *text = i % 2 ? "{\"a\":[1,2.5,\"x\"]}" : "{\"a\":[1,2.5,\"x]}";
        enum hl_status status = hl_json_parse(text, strlen(text), "x", 5, &doc, NULL);
        *good += status == (i % 2 ? HL_OK : HL_E_JSON);
        hl_json_close(doc);
    }
    return NULL;
}

/* Several threads read at once, and each gets what its own text holds. */
static void
test_threads(void **state)
{
    pthread_t threads[4];
    int good[4] = { 0 };
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, parse_often, &good[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(good[i], 200);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_nothing_is_safe),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_members), cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_budget),  cmocka_unit_test(test_exact),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

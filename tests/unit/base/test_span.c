#include "base/span.h"

#include "harness/fail_alloc.h"
#include "harness/test.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A locale with a decimal comma, where the machine has one. */
static void
use_comma(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "de_DE" };
    for (int i = 0; i < N_OF(names); i++) {
        if (setlocale(LC_ALL, names[i]))
            return;
    }
}

static const char *
num(double v, int digits)
{
    static struct hl_sb sb;
    hl_sb_deinit(&sb);
    hl_sb_num(&sb, v, digits);
    return sb.p;
}

static void
numbers(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_string_equal(num(0.1, 17), "0.1");
        assert_string_equal(num((double)0.1f, 9), "0.100000001");
        assert_string_equal(num(1.0 / 3.0, 4), "0.3333");
        assert_string_equal(num(2.50, 9), "2.5");
        assert_string_equal(num(-0.0, 9), "0");
        assert_string_equal(num(1e300, 9), "1e+300");
        assert_string_equal(num(-1e-7, 3), "-1e-07");
        assert_string_equal(num(123456789.0, 20), "123456789");
        assert_string_equal(num(5.0, 0), "5");
        assert_string_equal(num((double)NAN, 9), "null");
        assert_string_equal(num((double)-INFINITY, 9), "null");
        double awkward = 5e-324, back;
        assert_true(hl_parse_double(num(awkward, 17), &back) && back == awkward);
        char buf[512];
        assert_string_equal(hl_fmt_fixed(buf, sizeof(buf), -3.14159, 2), "-3.14");
        assert_string_equal(hl_fmt_fixed(buf, sizeof(buf), 2.5, 0), "2");
        assert_string_equal(hl_fmt_fixed(buf, sizeof(buf), (double)INFINITY, 2), "inf");
        assert_string_equal(hl_fmt_fixed(buf, sizeof(buf), (double)NAN, 2), "nan");
        assert_string_equal(hl_fmt_fixed(buf, 4, 12.75, 2), "12.");
        assert_int_equal(strlen(hl_fmt_fixed(buf, sizeof(buf), -1.7e308, 100)), 1 + 309 + 1 + 60);
        hl_fmt_fixed(buf, 0, 1.0, 1);
        use_comma();
    }
    num(0, 1);
    setlocale(LC_ALL, "C");
}

static void
reading_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        double v;
    } good[] = { { "1.5", 1.5 }, { "-2", -2 },    { "+.5", 0.5 },
                 { "3.", 3 },    { "1e3", 1000 }, { "1.25E-2", 0.0125 } };
    static const char *const bad[] = { "",   ".",    "e5",  "1e",  "1e+",   "1,5", " 1",
                                       "1 ", "0x10", "inf", "nan", "1e999", "--1", "1.2.3" };
    for (int round = 0; round < 2; round++) {
        double v = 7;
        for (int i = 0; i < N_OF(good); i++) {
            assert_true(hl_parse_double(good[i].s, &v));
            assert_true(v == good[i].v);
        }
        for (int i = 0; i < N_OF(bad); i++) {
            v = 7;
            assert_false(hl_parse_double(bad[i], &v));
            assert_true(v == 7);
        }
        use_comma();
    }
    setlocale(LC_ALL, "C");
    char many[1000];
    memset(many, '1', sizeof(many) - 1);
    many[sizeof(many) - 1] = '\0';
    double v;
    assert_false(hl_parse_double(many, &v));
    long n = 5;
    assert_true(hl_parse_long("-12", &n) && n == -12);
    assert_true(hl_parse_long("+7", &n) && n == 7);
    assert_false(hl_parse_long("", &n) || hl_parse_long("1x", &n) || hl_parse_long(" 1", &n) ||
                 hl_parse_long("-", &n) || hl_parse_long("99999999999999999999", &n));
    assert_int_equal(n, 7);
}

static const char *
json(const char *s, size_t n)
{
    static struct hl_sb sb;
    hl_sb_deinit(&sb);
    hl_sb_json(&sb, s, n);
    return sb.p;
}

static void
json_strings(void **state)
{
    (void)state;
    assert_string_equal(json("a\"b\\c", 5), "\"a\\\"b\\\\c\"");
    assert_string_equal(json("\n\r\t\x01", 4), "\"\\n\\r\\t\\u0001\"");
    assert_string_equal(json("a\0b", 3), "\"a\\u0000b\"");
    assert_string_equal(json("é€😀", 9), "\"é€😀\"");
    assert_string_equal(json("\xff"
                             "a\xe2\x82",
                             4),
                        "\"\xEF\xBF\xBD"
                        "a\xEF\xBF\xBD\xEF\xBF\xBD\"");
    assert_string_equal(json("", 0), "\"\"");
    json("", 0);
}

static bool
build(void *user)
{
    struct hl_sb *sb = user;
    hl_sb_deinit(sb);
    for (int i = 0; i < 40; i++) {
        hl_sb_puts(sb, "word");
        hl_sb_printf(sb, " %d %s", i, "x");
        hl_sb_putc(sb, ';');
        hl_sb_fixed(sb, i, 1);
    }
    bool ok = !sb->failed;
    hl_sb_deinit(sb);
    return ok;
}

static void
builder_remembers_failure(void **state)
{
    (void)state;
    struct hl_sb sb = { 0 };
    assert_true(fail_alloc_each(build, &sb, 30) >= 3);
    hl_sb_put(&sb, NULL, 0);
    assert_string_equal(sb.p, "");
    hl_sb_put(&sb, "x", SIZE_MAX);
    assert_true(sb.failed);
    hl_sb_puts(&sb, "ignored");
    assert_int_equal(sb.n, 0);
    hl_sb_deinit(&sb);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(reading_numbers),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(builder_remembers_failure),
    };
    return cmocka_run_group_tests_name("span", tests, NULL, NULL);
}

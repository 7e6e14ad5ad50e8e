#include "base/error.h"

#include "harness/test.h"

#include <string.h>

#include "base/utf8.h"

static void
says_what_where_and_what_to_do(void **state)
{
    (void)state;
    struct hl_error e;
    char buf[1024];
    assert_int_equal(hl_error_set(&e, HL_E_READ, "a.txt", "short by %d bytes", 3), HL_E_READ);
    hl_error_text(&e, buf, sizeof(buf));
    assert_string_equal(buf, "A file could not be read: a.txt: short by 3 bytes. "
                             "Check the disk and the permissions.");
    hl_error_set(&e, HL_E_READ, "a.txt", "A sentence that somebody else wrote.");
    hl_error_text(&e, buf, sizeof(buf));
    assert_string_equal(buf, "A file could not be read: a.txt: A sentence that somebody else "
                             "wrote. Check the disk and the permissions.");
    hl_error_set(&e, HL_E_NOMEM, NULL, "%s", "");
    hl_error_text(&e, buf, sizeof(buf));
    assert_string_equal(buf, "Out of memory. Close something large or use a shorter text.");
    assert_int_equal(hl_error_set(NULL, HL_E_JSON, "x", "y"), HL_E_JSON);
    struct hl_error none = { 0 };
    hl_error_text(&none, buf, sizeof(buf));
    assert_string_equal(buf, "");
}

static void
every_code_has_its_words(void **state)
{
    (void)state;
    static const struct {
        enum hl_status code;
        const char *name;
    } codes[] = {
#define X(name, number, sentence, remedy) { HL_E_##name, #name },
        HL_ERROR_LIST(X)
#undef X
    };
    for (int i = 0; i < N_OF(codes); i++) {
        assert_int_equal(codes[i].code, i + 1);
        assert_string_equal(hl_status_name(codes[i].code), codes[i].name);
        const char *sentence = hl_status_sentence(codes[i].code);
        const char *remedy = hl_status_remedy(codes[i].code);
        assert_true(strlen(sentence) > 5 && sentence[strlen(sentence) - 1] != '.');
        assert_true(remedy[strlen(remedy) - 1] == '.');
    }
    assert_string_equal(hl_status_name(HL_OK), "OK");
    assert_string_equal(hl_status_sentence(HL_OK), "");
    assert_string_equal(hl_status_remedy((enum hl_status)9999), "");
}

static void
long_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const char *const units[] = { "a", "é", "€", "😀" };
    for (int u = 0; u < 4; u++) {
        for (int shift = 0; shift < 4; shift++) {
            char text[1200] = "";
            memset(text, 'x', (size_t)shift);
            while (strlen(text) + strlen(units[u]) < sizeof(text))
                strcat(text, units[u]);
            struct hl_error e;
            hl_error_set(&e, HL_E_ARGUMENT, text, "%s", text);
            assert_true(hl_utf8_valid(e.where, strlen(e.where)));
            assert_true(hl_utf8_valid(e.detail, strlen(e.detail)));
            assert_true(strlen(e.detail) > sizeof(e.detail) - 5);
            for (size_t sz = 1; sz < 120; sz++) {
                char buf[120];
                hl_error_text(&e, buf, sz);
                assert_true(strlen(buf) < sz && hl_utf8_valid(buf, strlen(buf)));
            }
        }
    }
    hl_error_text(&(struct hl_error) { .code = HL_E_READ }, NULL, 0);
}

static void
controls_become_spaces(void **state)
{
    (void)state;
    struct hl_error e;
    char buf[256];
    hl_error_set(&e, HL_E_JSON, "a\n\x1b[31mb",
                 "\x7f\xc2\x9b"
                 "c");
    hl_error_text(&e, buf, sizeof(buf));
    for (const char *p = buf; *p; p++)
        assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
    assert_null(strstr(buf, "\xc2\x9b"));
}

static void
an_error_may_quote_itself(void **state)
{
    (void)state;
    struct hl_error e;
    hl_error_set(&e, HL_E_JSON, "inner", "bad");
    hl_error_set(&e, HL_E_CONFIG, e.where, "%s, %s", e.where, e.detail);
    assert_string_equal(e.where, "inner");
    assert_string_equal(e.detail, "inner, bad");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_where_and_what_to_do),
        cmocka_unit_test(every_code_has_its_words),
        cmocka_unit_test(long_text_is_cut_between_characters),
        cmocka_unit_test(controls_become_spaces),
        cmocka_unit_test(an_error_may_quote_itself),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}

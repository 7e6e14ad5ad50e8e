/* Each rule of the format is kept: what breaks one is refused with a sensible sentence. */
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/fail_alloc.h"
#include "io/safetensors.h"

enum { FILE_MAX = 8192 };

struct file {
    uint8_t p[FILE_MAX];
    size_t n;
};

/* Length, header, data_sz bytes of data 0, 1, 2 ... */
static void
build(struct file *f, const char *header, size_t data_sz)
{
    size_t len = strlen(header);
    assert_true(8 + len + data_sz <= FILE_MAX);
    for (int i = 0; i < 8; i++)
        f->p[i] = (uint8_t)((uint64_t)len >> (8 * i));
    memcpy(f->p + 8, header, len);
    for (size_t i = 0; i < data_sz; i++)
        f->p[8 + len + i] = (uint8_t)i;
    f->n = 8 + len + data_sz;
}

static void
test_sound_file(void **state)
{
    struct file f;
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    (void)state;
    build(&f,
          "{\"b\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[4,12]},"
          "\"__metadata__\":{\"format\":\"pt\"},"
          "\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]},"
          "\"empty\":{\"dtype\":\"BF16\",\"shape\":[0,9007199254740992,9],\"data_offsets\":[4,4]},"
          "\"scalar\":{\"dtype\":\"I8\",\"shape\":[],\"data_offsets\":[12,13]},"
          "\"packed\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[13,15]}}   ",
          15);
    assert_int_equal(hl_st_parse(f.p, f.n, "good", &st, &err), HL_OK);
    assert_int_equal(hl_st_n(st), 5);
    const struct hl_st_tensor *b = hl_st_find(st, "b");
    assert_non_null(b);
    assert_int_equal(b->dtype, HL_ST_F32);
    assert_int_equal(b->rank, 2);
    assert_true(b->shape[0] == 1 && b->shape[1] == 2 && b->n == 2);
    assert_true(b->data == f.p + f.n - 15 + 4 && b->data_sz == 8);
    assert_string_equal(hl_st_at(st, 0)->name, "a");
    assert_true(hl_st_find(st, "empty")->n == 0);
    assert_true(hl_st_find(st, "scalar")->n == 1 && hl_st_find(st, "scalar")->rank == 0);
    assert_true(hl_st_find(st, "packed")->n == 4);
    assert_null(hl_st_find(st, "__metadata__"));
    assert_null(hl_st_at(st, 5));
    assert_null(hl_st_at(st, -1));
    assert_string_equal(hl_st_where(st), "good");
    assert_true(hl_st_size(st) == f.n);
    uint64_t hash = hl_st_hash(st);
    hl_st_close(st);
    f.p[f.n - 1] ^= 1;
    assert_int_equal(hl_st_parse(f.p, f.n, "good", &st, &err), HL_OK);
    assert_true(hl_st_hash(st) != hash);
    hl_st_close(st);
    hl_st_close(NULL);
    assert_string_equal(hl_st_dtype_name(HL_ST_BF16), "BF16");
    assert_string_equal(hl_st_dtype_name(HL_ST_COUNT), "?");
}

static void
test_no_tensors(void **state)
{
    static const char *const headers[] = { "{}", "{\"__metadata__\":{}}",
                                           "{\"__metadata__\":null}" };
    (void)state;
    for (int i = 0; i < N_OF(headers); i++) {
        struct file f;
        struct hl_st *st = NULL;
        build(&f, headers[i], 0);
        assert_int_equal(hl_st_parse(f.p, f.n, "none", &st, NULL), HL_OK);
        assert_int_equal(hl_st_n(st), 0);
        assert_null(hl_st_find(st, ""));
        hl_st_close(st);
    }
}

static void
refused(const uint8_t *p, size_t n, const char *says, const char *what)
{
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    enum hl_status status = hl_st_parse(p, n, "file", &st, &err);
    if (status != HL_E_SAFETENSORS || st || !strstr(err.detail, says))
        fail_msg("%s: status %d, \"%s\"", what, (int)status, err.detail);
    assert_int_equal(err.code, HL_E_SAFETENSORS);
    assert_string_equal(err.where, "file");
}

#define T(name, dtype, shape, from, to)                                                            \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" from "," to "]" \
    "}"

static void
test_hostile_headers(void **state)
{
    static const struct {
        const char *header;
        size_t data_sz;
        const char *says;
    } rows[] = {
        { "[1]", 0, "does not begin with '{'" },
        { " {}", 0, "does not begin with '{'" },
        { "{\"a\":", 0, "too early" },
        { "{}x", 0, "follows" },
        { "{\"\xFF\":1}", 0, "invalid UTF-8" },
        { "{\"a\":{\"b\":[[1]]}}", 0, "nested" },
        { "{" T("a", "U8", "[1]", "0", "1") "," T("a", "U8", "[1]", "1", "2") "}", 2, "twice" },
        { "{" T("", "U8", "[1]", "0", "1") "}", 1, "name" },
        { "{" T("a\\n", "U8", "[1]", "0", "1") "}", 1, "control" },
        { "{" T("a\\u0000", "U8", "[1]", "0", "1") "}", 1, "NUL" },
        { "{\"a\":1}", 0, "exactly dtype, shape and data_offsets" },
        { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "exactly" },
        { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":1}}", 1, "exactly" },
        { "{" T("a", "F99", "[1]", "0", "1") "}", 1, "unknown" },
        { "{" T("a", "u8", "[1]", "0", "1") "}", 1, "unknown" },
        { "{\"a\":{\"dtype\":8,\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "unknown" },
        { "{" T("a", "U8", "1", "0", "1") "}", 1, "shape" },
        { "{" T("a", "U8", "[-1]", "0", "1") "}", 1, "shape" },
        { "{" T("a", "U8", "[1.5]", "0", "1") "}", 1, "shape" },
        { "{" T("a", "U8", "[\"1\"]", "0", "1") "}", 1, "shape" },
        { "{" T("a", "U8", "[9007199254740994]", "0", "1") "}", 1, "shape" },
        { "{" T("a", "U8", "[1,1,1,1,1,1,1,1,1]", "0", "1") "}", 1, "at most 8" },
        { "{" T("a", "U8", "[1]", "0", "1.5") "}", 2, "pair" },
        { "{" T("a", "U8", "[1]", "-1", "0") "}", 1, "pair" },
        { "{" T("a", "U8", "[1]", "1", "0") "}", 1, "pair" },
        { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]}}", 1, "pair" },
        { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1,2]}}", 1, "pair" },
        { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":{\"a\":0,\"b\":1}}}", 1,
          "pair" },
        { "{" T("a", "U8", "[9]", "0", "9") "}", 8, "download is incomplete" },
        { "{" T("a", "F32", "[2]", "0", "4") "}", 4, "number of bytes" },
        { "{" T("a", "F4", "[3]", "0", "1") "}", 1, "number of bytes" },
        { "{" T("a", "F32", "[4294967296,4294967296]", "0", "4") "}", 4, "shape" },
        { "{" T("a", "F64", "[4503599627370496,1024]", "0", "4") "}", 4, "number of bytes" },
        { "{" T("a", "U8", "[1]", "1", "2") "}", 2, "gap" },
        { "{" T("a", "U8", "[2]", "0", "2") "," T("b", "U8", "[2]", "1", "3") "}", 3, "overlaps" },
        { "{" T("a", "U8", "[2]", "0", "2") "," T("b", "U8", "[2]", "0", "2") "}", 2, "overlaps" },
        { "{" T("a", "U8", "[1]", "0", "1") "," T("b", "U8", "[1]", "2", "3") "}", 3, "gap" },
        { "{" T("a", "U8", "[1]", "0", "1") "}", 5, "4 bytes at its end" },
        { "{\"__metadata__\":{\"a\":1}}", 0, "__metadata__" },
        { "{\"__metadata__\":[]}", 0, "__metadata__" },
    };
    (void)state;
    for (int i = 0; i < N_OF(rows); i++) {
        struct file f;
        build(&f, rows[i].header, rows[i].data_sz);
        refused(f.p, f.n, rows[i].says, rows[i].header);
    }
}

static void
test_hostile_beginnings(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *says;
    } rows[] = {
        { "", 0, "incomplete" },
        { "\x02\0\0\0", 4, "incomplete" },
        { "\x02\0\0\0\0\0\0\0", 8, "incomplete" },
        { "\x01\0\0\0\0\0\0\0{", 9, "does not begin" },
        { "\0\0\0\0\0\0\0\0{}", 10, "does not begin" },
        { "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}", 10, "more than" },
        { "\0\0\0\x10\0\0\0\0{}", 10, "more than" },
        { "\x03\0\0\0\0\0\0\0{}", 10, "incomplete" },
        { "version https://git-lfs.github.com/spec/v1\n", 43, "download pointer" },
        { "PK\x03\x04 archive", 12, "pickle" },
        { "\x80\x02}q", 4, "pickle" },
        { "GGUF\x03\0\0\0", 8, "GGUF" },
        { "<!DOCTYPE html><html>", 21, "web page" },
    };
    (void)state;
    for (int i = 0; i < N_OF(rows); i++)
        refused((const uint8_t *)rows[i].bytes, rows[i].n, rows[i].says, rows[i].says);
}

/* Whatever is cut off a sound file, or changed in its header, ends well. */
static void
test_cut_and_changed(void **state)
{
    struct file f, g;
    struct hl_st *st = NULL;
    (void)state;
    build(&f, "{" T("a", "F16", "[2,2]", "0", "8") "," T("b", "U8", "[3]", "8", "11") "}", 11);
    for (size_t n = 0; n < f.n; n++)
        assert_int_equal(hl_st_parse(f.p, n, "cut", &st, NULL), HL_E_SAFETENSORS);
    for (size_t i = 0; i < f.n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            g = f;
            g.p[i] ^= (uint8_t)(1 << bit);
            enum hl_status status = hl_st_parse(g.p, g.n, "changed", &st, NULL);
            assert_true(status == HL_OK || status == HL_E_SAFETENSORS);
            if (status == HL_OK)
                hl_st_close(st);
        }
    }
}

static void
test_on_disk(void **state)
{
    char path[] = "/tmp/headlight-test-XXXXXX";
    struct file f;
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    (void)state;
    build(&f, "{" T("a", "U8", "[3]", "0", "3") "}", 3);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(write(fd, f.p, f.n) == (ssize_t)f.n);
    close(fd);
    assert_int_equal(hl_st_open(path, &st, &err), HL_OK);
    assert_int_equal(hl_st_find(st, "a")->data[2], 2);
    hl_st_close(st);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(hl_st_open(path, &st, &err), HL_E_SAFETENSORS);
    unlink(path);
    assert_int_equal(hl_st_open(path, &st, &err), HL_E_NOT_FOUND);
    assert_string_equal(err.where, path);
    assert_int_equal(hl_st_open("/", &st, &err), HL_E_READ);
}

static bool
parse_once(void *user)
{
    const struct file *f = user;
    struct hl_st *st = NULL;
    bool ok = hl_st_parse(f->p, f->n, "x", &st, NULL) == HL_OK;
    if (ok)
        hl_st_close(st);
    return ok;
}

static void
test_without_memory(void **state)
{
    struct file f;
    (void)state;
    build(&f, "{" T("a", "U8", "[3]", "0", "3") "}", 3);
    assert_true(fail_alloc_each(parse_once, &f, 100) > 1);
}

/* The size before the header may look like the beginning of another file: 640 as that
 * of a pickle, 19280 as that of a zip. */
static void
test_sizes_that_look_strange(void **state)
{
    static const size_t sizes[] = { 640, 896, 1152, 1408, 640 + 65536, 0x4B50, 0x4B50 + 65536 };
    static const char head[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    (void)state;
    for (int i = 0; i < N_OF(sizes); i++) {
        struct hl_st *st = NULL;
        struct hl_error err = { 0 };
        size_t n = 8 + sizes[i] + 1;
        uint8_t *p = malloc(n);
        assert_non_null(p);
        memset(p, ' ', n);
        for (int k = 0; k < 8; k++)
            p[k] = (uint8_t)((uint64_t)sizes[i] >> (8 * k));
        memcpy(p + 8, head, sizeof head - 1);
        if (hl_st_parse(p, n, "good", &st, &err) != HL_OK)
            fail_msg("%zu: %s", sizes[i], err.detail);
        hl_st_close(st);
        p[8] = 'x'; /* now it is one */
        assert_int_equal(hl_st_parse(p, n, "bad", &st, &err), HL_E_SAFETENSORS);
        assert_non_null(strstr(err.detail, "pickle"));
        free(p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_file),      cmocka_unit_test(test_no_tensors),
        cmocka_unit_test(test_hostile_headers), cmocka_unit_test(test_hostile_beginnings),
        cmocka_unit_test(test_cut_and_changed), cmocka_unit_test(test_on_disk),
        cmocka_unit_test(test_without_memory),  cmocka_unit_test(test_sizes_that_look_strange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

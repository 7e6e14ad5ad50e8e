#include "base/map.h"

#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static int
make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "%s", "hl-map-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
    (void)state;
    return rmdir(dir);
}

static const char *
in_dir(const char *name, char *buf, size_t buf_sz)
{
    snprintf(buf, buf_sz, "%s/%s", dir, name);
    return buf;
}

static void
writes_and_reads_back(void **state)
{
    (void)state;
    char path[128];
    struct hl_map_file m;
    struct hl_error e = { 0 };
    in_dir("a", path, sizeof(path));
    assert_int_equal(hl_map_write(path, "one", 3, &e), HL_OK);
    assert_int_equal(hl_map_write(path, "second", 6, &e), HL_OK); /* replaces */
    assert_int_equal(hl_map_open(path, &m, &e), HL_OK);
    assert_int_equal(m.n, 6);
    assert_memory_equal(m.p, "second", 6);
    hl_map_close(&m);
    hl_map_close(&m);
    hl_map_close(NULL);
    assert_null(m.p);
    assert_int_equal(hl_map_write(path, NULL, 0, &e), HL_OK);
    assert_int_equal(hl_map_open(path, &m, &e), HL_OK);
    assert_int_equal(m.n, 0);
    assert_null(m.p);
    hl_map_close(&m);
    assert_int_equal(unlink(path), 0);
}

static void
says_what_is_wrong(void **state)
{
    (void)state;
    char path[128];
    struct hl_map_file m = { .n = 77 };
    struct hl_error e;
    in_dir("absent", path, sizeof(path));
    assert_int_equal(hl_map_open(path, &m, &e), HL_E_NOT_FOUND);
    assert_string_equal(e.where, path);
    assert_int_equal(m.n, 77); /* untouched */
    assert_int_equal(hl_map_open(dir, &m, &e), HL_E_READ);
    assert_int_equal(hl_map_open("/dev/null", &m, NULL), HL_E_READ);
    assert_int_equal(hl_map_write(dir, "x", 1, &e), HL_E_WRITE);
    in_dir("no/such/folder", path, sizeof(path));
    assert_int_equal(hl_map_write(path, "x", 1, &e), HL_E_WRITE);
    assert_true(strlen(e.detail) > 0);
}

static void
a_pipe_does_not_make_it_wait(void **state)
{
    (void)state;
    char path[128];
    struct hl_map_file m;
    in_dir("pipe", path, sizeof(path));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(hl_map_open(path, &m, NULL), HL_E_READ);
    assert_int_equal(unlink(path), 0);
}

static void
devices_are_written_in_place(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(hl_map_write("/dev/null", "x", 1, NULL), HL_OK);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void
a_link_stays_a_link(void **state)
{
    (void)state;
    char path[128], link[128];
    struct hl_map_file m;
    struct stat st;
    in_dir("file", path, sizeof(path));
    in_dir("link", link, sizeof(link));
    assert_int_equal(hl_map_write(path, "old", 3, NULL), HL_OK);
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(hl_map_write(link, "newer", 5, NULL), HL_OK);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(hl_map_open(path, &m, NULL), HL_OK);
    assert_int_equal(m.n, 5);
    hl_map_close(&m);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(unlink(path), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_reads_back),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(a_pipe_does_not_make_it_wait),
        cmocka_unit_test(devices_are_written_in_place),
        cmocka_unit_test(a_link_stays_a_link),
    };
    return cmocka_run_group_tests_name("map", tests, make_dir, remove_dir);
}

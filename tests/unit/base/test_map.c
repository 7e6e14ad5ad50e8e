#include "base/map.h"

#include "harness/test.h"

#include <signal.h>
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

static void
put(const char *path, const char *text)
{
    struct hl_error e = { 0 };
    if (hl_map_write(path, text, strlen(text), &e) != HL_OK)
        fail_msg("%s: %s", path, e.detail);
}

static mode_t
mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void
modes_and_names_stay(void **state)
{
    (void)state;
    char path[128], other[128], real[400], name[250];
    struct stat st;
    in_dir("kept", path, sizeof(path));
    in_dir("other", other, sizeof(other));
    put(path, "one");
    assert_int_equal(mode_of(path) & 0600, 0600);
    assert_int_equal(chmod(path, 0640), 0);
    put(path, "two");
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(link(path, other), 0);
    put(path, "3");
    assert_int_equal(stat(other, &st), 0);
    assert_true(st.st_nlink == 2 && st.st_size == 1);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(unlink(path), 0);
    memset(name, 'n', 249);
    name[249] = '\0';
    snprintf(real, sizeof(real), "%s/%s", dir, name);
    put(real, "long");
    assert_int_equal(unlink(real), 0);
}

/* What is kept of a person is theirs alone, unless they say otherwise. */
static void
what_is_kept_is_private(void **state)
{
    (void)state;
    char path[128];
    struct hl_error e = { 0 };
    in_dir("state", path, sizeof(path));
    assert_int_equal(hl_map_keep(path, "x", 1, &e), HL_OK);
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(chmod(path, 0660), 0);
    assert_int_equal(hl_map_keep(path, "y", 1, &e), HL_OK);
    assert_int_equal(mode_of(path), 0660);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(hl_map_keep(path, "z", 1, &e), HL_E_WRITE); /* and does not wait */
    assert_non_null(strstr(e.detail, "regular"));
    assert_int_equal(unlink(path), 0);
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (!hl_map_mend(info->si_addr))
        signal(number, SIG_DFL);
}

/* A large file cut short under a reader: the read goes on, and it is told. */
static void
a_file_may_shrink(void **state)
{
    const off_t size = HL_MAP_COPY_MAX + 12345;
    struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO }, old;
    struct hl_map_file m, small;
    char path[128];
    unsigned sum = 0;
    (void)state;
    in_dir("large", path, sizeof(path));
    put(path, "begin");
    assert_int_equal(hl_map_open(path, &small, NULL), HL_OK);
    assert_int_equal(truncate(path, size), 0);
    assert_int_equal(hl_map_open(path, &m, NULL), HL_OK);
    assert_memory_equal(m.p, "begin", 5);
    assert_false(hl_map_changed(&m));
    sigaction(SIGBUS, &act, &old);
    assert_int_equal(truncate(path, 0), 0);
    assert_true(hl_map_changed(&m));
    for (size_t i = 0; i < m.n; i += 1000)
        sum += m.p[i];
    sigaction(SIGBUS, &old, NULL);
    assert_int_equal(sum, 0);
    assert_true(hl_map_changed(&m));
    assert_memory_equal(small.p, "begin", 5); /* a copy */
    assert_false(hl_map_changed(&small));
    assert_false(hl_map_mend(&sum));
    hl_map_close(&m);
    hl_map_close(&small);
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
        cmocka_unit_test(modes_and_names_stay),
        cmocka_unit_test(what_is_kept_is_private),
        cmocka_unit_test(a_file_may_shrink),
    };
    return cmocka_run_group_tests_name("map", tests, make_dir, remove_dir);
}

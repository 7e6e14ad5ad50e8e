#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static enum hl_status
fail(struct hl_error *err, enum hl_status code, const char *path, int number)
{
    char why[128];
    if (strerror_r(number, why, sizeof(why)) != 0)
        snprintf(why, sizeof(why), "error %d", number);
    return hl_error_set(err, code, path, "%s", why);
}

/* For file systems that cannot map. Gives a heap copy, or NULL with errno set. */
static void *
read_whole(int fd, size_t n)
{
    unsigned char *p = hl_alloc(n, 1);
    if (!p) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t at = 0; at < n;) {
        ssize_t got = read(fd, p + at, n - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            int number = got < 0 ? errno : EIO;
            hl_free(p);
            errno = number;
            return NULL;
        }
        at += (size_t)got;
    }
    return p;
}

static enum hl_status
map_fd(int fd, const char *path, struct hl_map_file *out, struct hl_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return fail(err, HL_E_READ, path, errno);
    if (S_ISDIR(st.st_mode))
        return fail(err, HL_E_READ, path, EISDIR);
    if (!S_ISREG(st.st_mode))
        return hl_error_set(err, HL_E_READ, path, "it is not a regular file");
    if (st.st_size < 0 || (uintmax_t)st.st_size > SIZE_MAX)
        return fail(err, HL_E_READ, path, EFBIG);
    struct hl_map_file m = { .n = (size_t)st.st_size };
    if (m.n > 0) {
        void *p = mmap(NULL, m.n, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED)
            p = m.base = read_whole(fd, m.n);
        if (!p)
            return fail(err, errno == ENOMEM ? HL_E_NOMEM : HL_E_READ, path, errno);
        m.p = p;
    }
    *out = m;
    return HL_OK;
}

enum hl_status
hl_map_open(const char *path, struct hl_map_file *out, struct hl_error *err)
{
    /* Without O_NONBLOCK a named pipe would make the program wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        return fail(err, absent ? HL_E_NOT_FOUND : HL_E_READ, path, errno);
    }
    enum hl_status s = map_fd(fd, path, out, err);
    close(fd);
    return s;
}

void
hl_map_close(struct hl_map_file *m)
{
    if (!m)
        return;
    if (m->base)
        hl_free(m->base);
    else if (m->p)
        munmap((void *)(uintptr_t)m->p, m->n);
    *m = (struct hl_map_file) { 0 };
}

static bool
write_all(int fd, const void *p, size_t n)
{
    const char *s = p;
    while (n > 0) {
        ssize_t put = write(fd, s, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        s += put;
        n -= (size_t)put;
    }
    return true;
}

/* A device or pipe cannot be replaced by renaming: it is written in place. */
static enum hl_status
write_special(const char *path, const void *p, size_t n, struct hl_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, HL_E_WRITE, path, errno);
    bool ok = write_all(fd, p, n);
    int number = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        number = errno;
    }
    return ok ? HL_OK : fail(err, HL_E_WRITE, path, number);
}

/* Opened by name and not with mkstemp, so that the umask decides the mode. */
static int
open_temporary(const char *path, char *name, size_t name_sz)
{
    for (int i = 0; i < 100; i++) {
        int n = snprintf(name, name_sz, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (n < 0 || (size_t)n >= name_sz) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

enum hl_status
hl_map_write(const char *path, const void *p, size_t n, struct hl_error *err)
{
    struct stat st;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode))
            return fail(err, HL_E_WRITE, path, EISDIR);
        if (!S_ISREG(st.st_mode))
            return write_special(path, p, n, err);
    }
    /* A link keeps pointing where it points: its file is what is replaced. */
    char name[4096], real[PATH_MAX];
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && realpath(path, real))
        path = real;
    int fd = open_temporary(path, name, sizeof(name));
    if (fd < 0)
        return fail(err, HL_E_WRITE, path, errno);
    bool ok = write_all(fd, p, n) && fsync(fd) == 0;
    int number = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        number = errno;
    }
    if (ok && rename(name, path) != 0) {
        ok = false;
        number = errno;
    }
    if (!ok) {
        unlink(name);
        return fail(err, HL_E_WRITE, path, number);
    }
    return HL_OK;
}

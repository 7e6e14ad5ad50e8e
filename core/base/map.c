#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
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

/* A heap copy, closed by a NUL that does not count, or NULL with errno set; ESTALE when the file
 * became shorter meanwhile. */
static void *
read_whole(int fd, size_t n)
{
    unsigned char *p = n < SIZE_MAX ? hl_realloc(NULL, n + 1, 1) : NULL;
    if (!p) {
        errno = ENOMEM;
        return NULL;
    }
    for (size_t at = 0; at < n;) {
        ssize_t got = read(fd, p + at, n - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            int number = got < 0 ? errno : ESTALE;
            hl_free(p);
            errno = number;
            return NULL;
        }
        at += (size_t)got;
    }
    p[n] = 0;
    return p;
}

/* ---- what is mapped ---- */

enum { MAPS_MAX = 64, MEND_SZ = 2 << 20 };

/* Where a fault may be mended. A signal handler has nothing else to know it by: hence
 * this one table that can be written. A place is taken, then filled, then shown by p. */
static struct {
    atomic_bool taken, lost;
    atomic_size_t n;
    _Atomic(uintptr_t) p;
} maps[MAPS_MAX];

/* The place taken, from 1; 0 when none is free. */
static int
guard(const void *p, size_t n)
{
    for (int i = 0; i < MAPS_MAX; i++) {
        bool no = false;
        if (!atomic_compare_exchange_strong(&maps[i].taken, &no, true))
            continue;
        atomic_store(&maps[i].lost, false);
        atomic_store(&maps[i].n, n);
        atomic_store(&maps[i].p, (uintptr_t)p);
        return i + 1;
    }
    return 0;
}

bool
hl_map_mend(const void *address)
{
    uintptr_t at = (uintptr_t)address, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < MAPS_MAX; i++) {
        uintptr_t p = atomic_load(&maps[i].p), n = atomic_load(&maps[i].n);
        if (p == 0 || at < p || at - p >= n)
            continue;
        uintptr_t from = at - at % page, left = p + n - from;
        void *zeros = mmap((void *)from, left < MEND_SZ ? left : MEND_SZ, PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        atomic_store(&maps[i].lost, true);
        return zeros != MAP_FAILED;
    }
    return false;
}

/* Maps fd into *m, or leaves it as it is: then the file is copied. */
static void
map_large(int fd, const struct stat *st, struct hl_map_file *m)
{
    void *p = mmap(NULL, m->n, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return;
    m->guard = guard(p, m->n);
    m->fd = m->guard ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (m->guard == 0 || m->fd < 0) {
        if (m->guard)
            atomic_store(&maps[m->guard - 1].p, 0), atomic_store(&maps[m->guard - 1].taken, false);
        munmap(p, m->n);
        m->guard = 0;
        return;
    }
    m->p = p;
    m->seconds = st->st_mtim.tv_sec;
    m->nanoseconds = st->st_mtim.tv_nsec;
}

bool
hl_map_changed(const struct hl_map_file *m)
{
    struct stat st;
    if (m->guard == 0)
        return false;
    if (atomic_load(&maps[m->guard - 1].lost) || fstat(m->fd, &st) != 0)
        return true;
    return st.st_size < 0 || (size_t)st.st_size != m->n || st.st_mtim.tv_sec != m->seconds ||
           st.st_mtim.tv_nsec != m->nanoseconds;
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
    if (m.n > HL_MAP_COPY_MAX)
        map_large(fd, &st, &m);
    if (m.n > 0 && !m.p) {
        m.p = m.base = read_whole(fd, m.n);
        if (!m.p && errno == ESTALE)
            return hl_error_set(err, HL_E_READ, path, "it became shorter while it was read");
        if (!m.p)
            return fail(err, errno == ENOMEM ? HL_E_NOMEM : HL_E_READ, path, errno);
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
    if (m->guard) {
        atomic_store(&maps[m->guard - 1].p, 0);
        munmap((void *)(uintptr_t)m->p, m->n);
        close(m->fd);
        atomic_store(&maps[m->guard - 1].taken, false);
    }
    *m = (struct hl_map_file) { 0 };
}

/* ---- writing ---- */

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

/* Closes, and keeps the first failure in errno. */
static bool
close_file(int fd, bool ok)
{
    int number = errno;
    if (close(fd) != 0 && ok)
        return false;
    errno = number;
    return ok;
}

/* What cannot be replaced by renaming: a device or pipe, a file with several names or of
 * another owner, one in a folder that takes no new files. */
static enum hl_status
write_in_place(const char *path, const void *p, size_t n, bool regular, struct hl_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, HL_E_WRITE, path, errno);
    bool ok = write_all(fd, p, n);
    if (regular)
        ok = ok && ftruncate(fd, (off_t)n) == 0 && fsync(fd) == 0;
    return close_file(fd, ok) ? HL_OK : fail(err, HL_E_WRITE, path, errno);
}

/* Beside `path` under a short name, as that of the file may be as long as names can be.
 * Opened by name and not with mkstemp, so that the umask decides the mode. */
static int
open_temporary(const char *path, mode_t mode, char *name, size_t name_sz)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    for (int i = 0; i < 100; i++) {
        int n =
            snprintf(name, name_sz, "%.*s.headlight-%ld-%d.tmp", folder, path, (long)getpid(), i);
        if (n < 0 || (size_t)n >= name_sz) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static enum hl_status
replace(const char *path, const struct stat *old, mode_t mode, const void *p, size_t n,
        struct hl_error *err)
{
    char name[PATH_MAX];
    int fd = open_temporary(path, mode, name, sizeof(name));
    if (fd < 0 && old && (errno == EACCES || errno == EPERM))
        return write_in_place(path, p, n, true, err);
    if (fd < 0)
        return fail(err, HL_E_WRITE, path, errno);
    /* A group that one is not in cannot be kept; then its rights are not given either. */
    bool same = old && (old->st_gid == getegid() || fchown(fd, (uid_t)-1, old->st_gid) == 0);
    bool ok = !old || fchmod(fd, old->st_mode & (same ? 0777 : 0707)) == 0;
    ok = ok && write_all(fd, p, n) && fsync(fd) == 0;
    ok = close_file(fd, ok);
    if (ok && rename(name, path) == 0)
        return HL_OK;
    int number = errno;
    unlink(name);
    return fail(err, HL_E_WRITE, path, number);
}

static enum hl_status
write_file(const char *path, bool own, const void *p, size_t n, struct hl_error *err)
{
    struct stat st, link;
    char real[PATH_MAX];
    bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode))
        return fail(err, HL_E_WRITE, path, EISDIR);
    if (there && !S_ISREG(st.st_mode) && own)
        return hl_error_set(err, HL_E_WRITE, path, "it is not a regular file");
    if (there && (!S_ISREG(st.st_mode) || st.st_nlink > 1 || st.st_uid != geteuid()))
        return write_in_place(path, p, n, S_ISREG(st.st_mode), err);
    /* A link keeps pointing where it points: its file is what is replaced. */
    if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && realpath(path, real))
        path = real;
    return replace(path, there ? &st : NULL, own ? 0600 : 0666, p, n, err);
}

enum hl_status
hl_map_write(const char *path, const void *p, size_t n, struct hl_error *err)
{
    return write_file(path, false, p, n, err);
}

enum hl_status
hl_map_keep(const char *path, const void *p, size_t n, struct hl_error *err)
{
    return write_file(path, true, p, n, err);
}

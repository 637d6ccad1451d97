/* Whole files, directories and locks. No state. Descriptors opened here are close-on-exec;
 * every failure names the path it happened at. Trees are removed in steps that a hostile owner
 * of a part cannot divert. */
#include "libs/uti/file.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_LEAST_BYTES = 1024 };

/* Append FD's bytes, more than MAX_BYTES if there are, so that the caller sees it; 0 or -1 errno. A
 * small file takes little memory, a long one few calls: the room doubles. */
static int read_some(int fd, size_t max_bytes, struct dstr *out)
{
    size_t before = out->len, has;
    while (out->len - before <= max_bytes) {
        char *room = dstr_room(out, READ_LEAST_BYTES, &has);
        ssize_t n = read(fd, room, has);
        if (n < 0 && errno == EINTR)
            continue;
        dstr_grew(out, n > 0 ? (size_t)n : 0);
        if (n <= 0)
            return n == 0 ? 0 : -1;
    }
    return 0;
}

static void dstr_cut(struct dstr *d, size_t len)
{
    d->len = len;
    if (d->s != NULL)
        d->s[len] = '\0';
}

int file_read(const char *path, size_t max_bytes, struct dstr *out, struct answer *ans)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    int rc = file_read_fd(guard_opened(fd), path, max_bytes, out, ans);
    guard_close(fd);
    return rc;
}

int file_read_fd(int fd, const char *path, size_t max_bytes, struct dstr *out, struct answer *ans)
{
    size_t before = out->len;
    int rc = read_some(fd, max_bytes, out);
    int err = errno;
    if (rc == 0 && out->len - before <= max_bytes)
        return 0;
    dstr_cut(out, before);
    if (rc == 0)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_FILE_TOO_BIG_SU, path, max_bytes);
    return ans_sys(ans, err, MSG_FILE_READ_S, path);
}

bool file_dir_is_empty(int dir_fd)
{
    bool is_empty = os_dir_is_empty(dir_fd) == 1;
    close(dir_fd);
    return is_empty;
}

int file_write_all(int fd, const void *data, size_t len)
{
    const char *at = data;
    while (len > 0) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

int file_write(const char *path, const char *data, size_t len, mode_t mode, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    int rc = file_write_all(fd, data, len);
    int err = errno;
    if (close(fd) != 0 && rc == 0) {
        rc = -1;
        err = errno;
    }
    return rc == 0 ? 0 : ans_sys(ans, err, MSG_FILE_WRITE_S, path);
}

/* 0, or -1 errno */
static int write_over(int fd, const char *data, size_t len)
{
    struct stat st;
    if (file_write_all(fd, data, len) != 0 || fstat(fd, &st) != 0)
        return -1;
    return (uint64_t)st.st_size > len ? ftruncate(fd, (off_t)len) : 0;
}

int file_overwrite_at(int dir_fd, const char *path, const char *data, size_t len, mode_t mode,
                      struct answer *ans)
{
    int fd = openat(dir_fd, path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    int rc = write_over(fd, data, len);
    int err = errno;
    if (close(fd) != 0 && rc == 0) {
        rc = -1;
        err = errno;
    }
    return rc == 0 ? 0 : ans_sys(ans, err, MSG_FILE_WRITE_S, path);
}

/* the new contents, on disk, under a name of their own; TEMP is a template for mkostemp */
static int write_beside(char *temp, const char *data, size_t len, mode_t mode)
{
    int fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return -1;
    int rc = fchmod(fd, mode);
    if (rc == 0)
        rc = file_write_all(fd, data, len);
    if (rc == 0)
        rc = fdatasync(fd);
    int err = errno;
    if (close(fd) != 0 && rc == 0) {
        rc = -1;
        err = errno;
    }
    if (rc != 0)
        unlink(temp);
    errno = err;
    return rc;
}

int file_rename_new(const char *from, const char *to)
{
    if (os_rename_new(AT_FDCWD, from, AT_FDCWD, to) == 0)
        return 0;
    if (errno != EINVAL)
        return -1;
    /* this file system cannot do both in one */
    if (faccessat(AT_FDCWD, to, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? rename(from, to) : -1;
    errno = EEXIST;
    return -1;
}

int file_sync_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);
    char *dir = slash == NULL ? uti_strdup(".") : uti_strndup(path, len > 0 ? len : 1);
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    if (fd < 0)
        return -1;
    int rc = fsync(fd);
    int err = errno;
    close(fd);
    errno = err;
    return rc;
}

int file_replace(const char *path, const char *data, size_t len, mode_t mode, struct answer *ans)
{
    struct dstr temp = DSTR_INIT;
    int rc = 0;
    dstr_addf(&temp, "%s.XXXXXX", path);
    if (write_beside(temp.s, data, len, mode) != 0) {
        rc = ans_sys(ans, errno, MSG_FILE_WRITE_S, path);
    } else if (rename(temp.s, path) != 0) {
        rc = ans_sys(ans, errno, MSG_FILE_RENAME_SS, temp.s, path);
        unlink(temp.s);
    } else if (file_sync_parent(path) != 0) {
        rc = ans_sys(ans, errno, MSG_FILE_WRITE_S, path);
    }
    dstr_free(&temp);
    return rc;
}

/* 0 if PATH is a directory now, made or found; else -1 errno */
static int make_dir(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0)
        return 0;
    int err = errno;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return 0; /* whatever mkdir said: EEXIST, or EROFS above what exists */
    errno = err;
    return -1;
}

int file_mkdirs(const char *path, mode_t mode, struct answer *ans)
{
    char *p = uti_strdup(path);
    int rc = 0;
    for (char *at = p; rc == 0 && *at != '\0';) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        char saved = *at;
        *at = '\0';
        if (*p != '\0' && make_dir(p, mode) != 0)
            rc = ans_sys(ans, errno, MSG_FILE_MKDIR_S, p);
        *at = saved;
    }
    free(p);
    return rc;
}

int file_lock(const char *path, struct answer *ans)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    /* a file that an earlier release made may be open to others */
    if (fchmod(fd, 0600) == 0 && os_lock_take(fd) == 0)
        return fd;
    int err = errno;
    close(fd);
    if (err == EAGAIN || err == EACCES)
        return ans_fail(ans, STATUS_EEXIST, MSG_FILE_LOCKED_S, path);
    return ans_sys(ans, err, MSG_FILE_LOCK_S, path);
}

char *path_join(const char *dir, const char *name)
{
    struct dstr path = DSTR_INIT;
    size_t len = strlen(dir);
    dstr_add(&path, dir);
    if (len == 0 || dir[len - 1] != '/')
        dstr_addc(&path, '/');
    dstr_add(&path, name);
    return dstr_take(&path);
}

/* FD stands MOST bytes before its end, or at its begin; true: there is something before that */
static bool seek_tail(int fd, size_t most)
{
    off_t size = lseek(fd, 0, SEEK_END), from = size > (off_t)most ? size - (off_t)most : 0;
    return lseek(fd, from, SEEK_SET) > 0;
}

int file_read_tail(const char *path, size_t most, struct dstr *out, struct answer *ans)
{
    enum { GROWTH_MOST = 1024 * 1024 }; /* while it is read */
    struct dstr text = DSTR_INIT;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, path);
    bool is_cut = seek_tail(guard_opened(fd), most);
    int rc = file_read_fd(fd, path, most + GROWTH_MOST, &text, ans);
    guard_close(fd);
    const char *begin = is_cut ? strchr(dstr_get(&text), '\n') : NULL;
    if (rc == 0)
        dstr_add(out, begin != NULL ? begin + 1 : dstr_get(&text));
    dstr_free(&text);
    return rc;
}

/* ---- removal of trees ----
 *
 * A tree may belong to a hostile user: a job's temporary directory, removed as root
 * while a left-over process still works in it. Every step goes through directory descriptors and
 * never follows a symbolic link; what is mounted inside (bind mounts too) is left alone and
 * reported. A tree nested deeper than DEPTH_MAX is flattened: the deep directory is moved up to the
 * top and removed from there, so that neither descriptors nor stack run out. */

enum { DEPTH_MAX = 40 };

struct removal {
    int top_fd;        /* where directories that are too deep are moved to */
    unsigned moved;    /* how many were; names them */
    uint64_t until_us; /* monotonic: go no further than that */
    struct dstr at;    /* path of the entry in hand, for the message */
    struct answer *ans;
};

static int remove_entry(struct removal *r, int dir_fd, const char *name, int depth);

static bool is_time_over(const struct removal *r)
{
    return r->until_us != UINT64_MAX && uti_mono_us() >= r->until_us;
}

static int removal_failed(struct removal *r)
{
    return ans_sys(r->ans, errno, MSG_FILE_REMOVE_S, dstr_get(&r->at));
}

/* one pass over a directory; returns the number of entries removed or -1 */
static int remove_entries(struct removal *r, DIR *d, int depth)
{
    int n = 0;
    struct dirent *e;
    while (errno = 0, (e = readdir(d)) != NULL) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (is_time_over(r)) {
            errno = ETIME;
            return removal_failed(r);
        }
        size_t len = r->at.len;
        dstr_addf(&r->at, "/%s", e->d_name);
        if (remove_entry(r, dirfd(d), e->d_name, depth) != 0)
            return -1;
        r->at.len = len;
        r->at.s[len] = '\0';
        n++;
    }
    return errno == 0 ? n : removal_failed(r);
}

/* empty the directory FD (closed here), then remove it from its parent. A pass can miss entries
 * that appear or shift while it runs: passes go on as long as they find something. */
static int remove_dir(struct removal *r, int fd, int parent_fd, const char *name, int depth)
{
    DIR *d = fdopendir(fd);
    if (d == NULL) {
        int rc = removal_failed(r);
        close(fd);
        return rc;
    }
    int n, rc = 0;
    do {
        rewinddir(d);
        n = remove_entries(r, d, depth + 1);
        if (n < 0)
            rc = -1;
        else if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
            n = 0;
        else if (n == 0 || (errno != ENOTEMPTY && errno != EEXIST))
            rc = removal_failed(r);
    } while (rc == 0 && n > 0);
    closedir(d);
    return rc;
}

static int move_up(struct removal *r, int dir_fd, const char *name)
{
    char temp[32];
    do
        (void)snprintf(temp, sizeof temp, ".rm%u", r->moved++);
    while (os_rename_new(dir_fd, name, r->top_fd, temp) != 0 && errno == EEXIST &&
           r->moved < UINT32_MAX);
    return faccessat(dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 ? 0 : removal_failed(r);
}

static int remove_entry(struct removal *r, int dir_fd, const char *name, int depth)
{
    if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return removal_failed(r);
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : removal_failed(r);
    if (os_is_mount_root(fd) != 0) {
        close(fd);
        errno = EBUSY;
        return removal_failed(r);
    }
    if (depth < DEPTH_MAX)
        return remove_dir(r, fd, dir_fd, name, depth);
    close(fd);
    return move_up(r, dir_fd, name);
}

int file_rmtree(const char *path, struct answer *ans)
{
    return file_rmtree_until(path, UINT64_MAX, ans);
}

int file_rmtree_until(const char *path, uint64_t until_us, struct answer *ans)
{
    struct removal r = { .ans = ans, .at = DSTR_INIT, .until_us = until_us };
    dstr_add(&r.at, path);
    int rc;
    r.top_fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (r.top_fd >= 0) {
        int again = dup(r.top_fd); /* the pass closes its own */
        rc = again < 0 ? removal_failed(&r) : remove_dir(&r, again, AT_FDCWD, path, 0);
        close(r.top_fd);
    } else if (errno == ENOENT || unlink(path) == 0) {
        rc = 0; /* was missing, or was a file or a link */
    } else {
        rc = removal_failed(&r);
    }
    dstr_free(&r.at);
    return rc;
}

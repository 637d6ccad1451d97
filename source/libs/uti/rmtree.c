/* Removing a tree that may belong to somebody hostile: a job's temporary directory, removed as root
 * while a left-over process still works in it. Every step goes through directory descriptors and
 * never follows a symbolic link; what is mounted inside (bind mounts too) is left alone and
 * reported. A tree nested deeper than DEPTH_MAX is flattened: the deep directory is moved up to the
 * top and removed from there, so that neither descriptors nor stack run out. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

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

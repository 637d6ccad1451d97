/* Appends accounting lines. Invariants: the file always ends with a newline between calls and
 * begins with the header, or is not open; what account_file_append returned 0 for is in the page
 * cache, what account_file_sync returned 0 for is on disk.
 *
 * The kernel reports a write to the disk that failed once, to one sync; then it takes what was lost
 * for written, and the next sync succeeds. So what is not known to be on disk stays in memory, and
 * is written again over itself as soon as a sync has failed.
 * Source: accounting(5). */
#include "daemons/qmaster/io/account_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "daemons/qmaster/io/msg_io.h"
#include "libs/sgeobj/accounting.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct account_file {
    char *path;
    int fd;
    dev_t dev;
    ino_t ino;
    int error; /* errno of what failed last */
    /* so many bytes of the file are known to be on disk, and these follow them */
    off_t synced_bytes;
    struct dstr unsynced;
    bool is_in_doubt; /* a sync has failed, and they could not be written again */
};

/* the system has said no: that becomes words and is remembered; -1 */
#define FAIL(f, ans, text) ((f)->error = errno, ans_sys(ans, (f)->error, text, (f)->path))

/* cut a line that a crash left without its end */
static int cut_torn_line(struct account_file *f, off_t size, struct answer *ans)
{
    char buf[4096];
    off_t end = size;
    while (end > 0) {
        size_t n = end > (off_t)sizeof buf ? sizeof buf : (size_t)end;
        ssize_t got = pread(f->fd, buf, n, end - (off_t)n);
        if (got != (ssize_t)n)
            return FAIL(f, ans, MSG_ACCT_READ_S);
        for (size_t i = n; i > 0; i--) {
            if (buf[i - 1] != '\n')
                continue;
            off_t keep = end - (off_t)(n - i);
            if (keep != size && ftruncate(f->fd, keep) != 0)
                return FAIL(f, ans, MSG_ACCT_WRITE_S);
            return 0;
        }
        end -= (off_t)n;
    }
    if (size > 0 && ftruncate(f->fd, 0) != 0)
        return FAIL(f, ans, MSG_ACCT_WRITE_S);
    return 0;
}

static int write_header(struct account_file *f, struct answer *ans)
{
    struct dstr header = DSTR_INIT;
    accounting_header(&header);
    int rc = file_write_all(f->fd, dstr_get(&header), header.len);
    if (rc != 0)
        FAIL(f, ans, MSG_ACCT_WRITE_S);
    else
        dstr_addn(&f->unsynced, header.s, header.len);
    dstr_free(&header);
    return rc;
}

/* the file that was just opened: is it whole, and what is missing of it? */
static int make_whole(struct account_file *f, struct answer *ans)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return FAIL(f, ans, MSG_FILE_OPEN_S);
    f->dev = st.st_dev;
    f->ino = st.st_ino;
    if (cut_torn_line(f, st.st_size, ans) != 0)
        return -1;
    if (fstat(f->fd, &st) != 0) /* the header may have been the torn line */
        return FAIL(f, ans, MSG_FILE_OPEN_S);
    f->synced_bytes = st.st_size;
    dstr_clear(&f->unsynced);
    f->is_in_doubt = false;
    if (st.st_size > 0)
        return 0;
    if (write_header(f, ans) != 0)
        return -1;
    if (file_sync_parent(f->path) != 0) /* a power cut must not take the new file's name with it */
        return FAIL(f, ans, MSG_ACCT_WRITE_S);
    return 0;
}

/* what cannot be made whole is closed, so that the next attempt begins here again */
static int open_it(struct account_file *f, struct answer *ans)
{
    f->fd = open(f->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (f->fd < 0)
        return FAIL(f, ans, MSG_FILE_OPEN_S);
    if (make_whole(f, ans) == 0)
        return 0;
    close(f->fd);
    f->fd = -1;
    return -1;
}

struct account_file *account_file_open(const char *path, struct answer *ans)
{
    struct account_file *f = uti_calloc(1, sizeof *f);
    f->path = uti_strdup(path);
    if (open_it(f, ans) == 0)
        return f;
    account_file_close(f);
    return NULL;
}

void account_file_close(struct account_file *f)
{
    if (f == NULL)
        return;
    if (f->fd >= 0)
        close(f->fd);
    dstr_free(&f->unsynced);
    free(f->path);
    free(f);
}

const char *account_file_path(const struct account_file *f)
{
    return f->path;
}

int account_file_error(const struct account_file *f)
{
    return f->error;
}

/* write TEXT at byte AT, whose end is where the file ends then; 0, or -1 with errno and the file as
 * it was */
static int write_at(int fd, off_t at, const struct dstr *text)
{
    int flags = fcntl(fd, F_GETFL), rc = -1;
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_APPEND) != 0)
        return -1;
    if (lseek(fd, at, SEEK_SET) == at)
        rc = file_write_all(fd, dstr_get(text), text->len);
    int err = errno;
    if (fcntl(fd, F_SETFL, flags) != 0)
        return -1;
    errno = err;
    return rc;
}

/* In place, so that readers miss no line meanwhile. In a file that somebody else has changed they
 * go to the end: better twice than not at all. */
static int write_again(struct account_file *f, struct answer *ans)
{
    struct stat st;
    f->is_in_doubt = true;
    if (fstat(f->fd, &st) != 0)
        return FAIL(f, ans, MSG_ACCT_WRITE_S);
    if (st.st_size != f->synced_bytes + (off_t)f->unsynced.len)
        f->synced_bytes = st.st_size;
    if (write_at(f->fd, f->synced_bytes, &f->unsynced) != 0) {
        FAIL(f, ans, MSG_ACCT_WRITE_S);
        if (ftruncate(f->fd, st.st_size) != 0)
            FAIL(f, ans, MSG_ACCT_WRITE_S);
        return -1;
    }
    f->is_in_doubt = false;
    return 0;
}

int account_file_sync(struct account_file *f, struct answer *ans)
{
    if (f->fd < 0) /* it was synced before it was closed */
        return 0;
    if (f->is_in_doubt && write_again(f, ans) != 0)
        return -1;
    if (fdatasync(f->fd) != 0) {
        FAIL(f, ans, MSG_ACCT_WRITE_S);
        write_again(
            f,
            NULL); /* at once: a qmaster that ends now leaves nothing that its successor would believe */
        return -1;
    }
    f->synced_bytes += (off_t)f->unsynced.len;
    dstr_clear(&f->unsynced);
    return 0;
}

/* the administrator may move the file away at any time: the next line then starts a new one */
static int follow_rotation(struct account_file *f, struct answer *ans)
{
    struct stat st;
    if (f->fd >= 0 && stat(f->path, &st) == 0 && st.st_ino == f->ino && st.st_dev == f->dev)
        return 0;
    if (account_file_sync(f, ans) != 0) /* what was promised is in the old one */
        return -1;
    if (f->fd >= 0)
        close(f->fd);
    return open_it(f, ans);
}

int account_file_append(struct account_file *f, const char *lines, size_t len, struct answer *ans)
{
    if (len == 0)
        return 0;
    if (follow_rotation(f, ans) != 0)
        return -1;
    if (f->unsynced.len >= ACCOUNT_FILE_UNSYNCED_MOST && account_file_sync(f, ans) != 0)
        return -1;
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return FAIL(f, ans, MSG_ACCT_WRITE_S);
    if (file_write_all(f->fd, lines, len) == 0) {
        dstr_addn(&f->unsynced, lines, len);
        return 0;
    }
    FAIL(f, ans, MSG_ACCT_WRITE_S);
    if (ftruncate(f->fd, st.st_size) != 0)
        FAIL(f, ans, MSG_ACCT_WRITE_S);
    return -1;
}

/* is LINE (with its newline) a whole line of TEXT? What TEXT begins with may be the end of a
 * line. */
static bool has_line(const char *text, size_t len, const char *line, size_t line_len,
                     bool is_from_start)
{
    const char *at = text, *end = text + len;
    while ((at = memmem(at, (size_t)(end - at), line, line_len)) != NULL) {
        if (at == text ? is_from_start : at[-1] == '\n')
            return true;
        at++;
    }
    return false;
}

/* the last LOOK_BACK bytes of a file, new; NULL with ans */
static char *read_tail(int fd, size_t look_back, size_t *len, bool *is_all, const char *path,
                       struct answer *ans)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return ans_sys_null(ans, errno, MSG_ACCT_READ_S, path);
    *len = (size_t)st.st_size < look_back ? (size_t)st.st_size : look_back;
    *is_all = *len == (size_t)st.st_size;
    char *tail = uti_calloc(1, *len + 1);
    if (pread(fd, tail, *len, st.st_size - (off_t)*len) == (ssize_t)*len)
        return tail;
    free(tail);
    return ans_sys_null(ans, errno, MSG_ACCT_READ_S, path);
}

/* take those out of LINES that are among the last bytes of the open file; 0, or -1 with ans */
static int strike_present(int fd, struct dstr *lines, size_t look_back, const char *path,
                          struct answer *ans)
{
    size_t len = 0, at = 0;
    bool is_all = false;
    char *tail = read_tail(fd, look_back, &len, &is_all, path, ans);
    struct dstr missing = DSTR_INIT;
    if (tail == NULL)
        return -1;
    while (at < lines->len) {
        const char *line = lines->s + at, *nl = memchr(line, '\n', lines->len - at);
        size_t n = nl == NULL ? lines->len - at : (size_t)(nl - line) + 1;
        if (!has_line(tail, len, line, n, is_all))
            dstr_addn(&missing, line, n);
        at += n;
    }
    free(tail);
    dstr_free(lines);
    *lines = missing;
    return 0;
}

/* of those that the file was moved to lately, the newest few */
struct moved {
    char *path;
    struct timespec written;
};
enum { MOVED_MOST = 4 };

static bool is_older(const struct moved *a, const struct moved *b)
{
    return a->written.tv_sec != b->written.tv_sec ? a->written.tv_sec < b->written.tv_sec
                                                  : a->written.tv_nsec < b->written.tv_nsec;
}

static void keep_newest(struct moved all[MOVED_MOST], struct moved *one)
{
    struct moved *oldest = &all[0];
    for (int i = 1; i < MOVED_MOST; i++)
        if (is_older(&all[i], oldest))
            oldest = &all[i];
    if (!is_older(oldest, one)) {
        free(one->path);
        return;
    }
    free(oldest->path);
    *oldest = *one;
}

static void find_moved(const struct account_file *f, struct moved all[MOVED_MOST])
{
    const char *slash = strrchr(f->path, '/'), *base = slash != NULL ? slash + 1 : f->path;
    char *dir_path =
        slash != NULL ? uti_strndup(f->path, (size_t)(slash - f->path)) : uti_strdup(".");
    DIR *dir = opendir(dir_path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        struct stat st;
        if (strncmp(entry->d_name, base, strlen(base)) != 0 || entry->d_name[strlen(base)] == '\0')
            continue;
        struct moved one = { .path = path_join(dir_path, entry->d_name) };
        if (stat(one.path, &st) == 0 && S_ISREG(st.st_mode))
            one.written = st.st_mtim;
        keep_newest(all, &one);
    }
    if (dir != NULL)
        closedir(dir);
    free(dir_path);
}

static int strike_moved(const struct account_file *f, struct dstr *lines, size_t look_back,
                        struct answer *ans)
{
    struct moved all[MOVED_MOST] = { 0 };
    int rc = 0;
    find_moved(f, all);
    for (int i = 0; i < MOVED_MOST; i++) {
        int fd = rc == 0 && all[i].path != NULL && lines->len > 0
                     ? open(all[i].path, O_RDONLY | O_CLOEXEC)
                     : -1;
        if (fd >= 0) {
            rc = strike_present(fd, lines, look_back, all[i].path, ans);
            close(fd);
        }
        free(all[i].path);
    }
    return rc;
}

/* the last LOOK_BACK bytes are what a process wrote that ended before it knew that they were on
 * disk */
static int doubt_tail(struct account_file *f, size_t look_back, struct answer *ans)
{
    size_t len = 0;
    bool is_all;
    char *tail = read_tail(f->fd, look_back, &len, &is_all, f->path, ans);
    if (tail == NULL)
        return -1;
    f->synced_bytes += (off_t)f->unsynced.len - (off_t)len;
    dstr_clear(&f->unsynced);
    dstr_addn(&f->unsynced, tail, len);
    free(tail);
    return 0;
}

int account_file_append_missing(struct account_file *f, const char *lines, size_t len,
                                size_t look_back, struct dstr *left, struct answer *ans)
{
    struct dstr missing = DSTR_INIT;
    dstr_addn(&missing, lines, len);
    int rc = doubt_tail(f, look_back, ans);
    if (rc == 0)
        rc = strike_present(f->fd, &missing, look_back, f->path, ans);
    if (rc == 0)
        rc = strike_moved(f, &missing, look_back, ans);
    if (rc == 0) {
        rc = account_file_append(f, dstr_get(&missing), missing.len, ans);
        if (rc != 0)
            dstr_addn(left, dstr_get(&missing), missing.len);
    }
    dstr_free(&missing);
    return rc;
}

/* ---- the reporting file ---- */
/* Appends lines, all or none. Owns no data. */
/* is there room for LEN bytes more? -1 with errno if not */
static int check_room(int fd, size_t len)
{
    struct statvfs disk;
    if (fstatvfs(fd, &disk) != 0)
        return -1;
    if ((uint64_t)disk.f_bavail * disk.f_frsize >= REPORTING_LEAVES_BYTES + len)
        return 0;
    errno = ENOSPC;
    return -1;
}

/* all of LINES or nothing; 0, or -1 with errno */
static int append_all(int fd, const char *lines, size_t len)
{
    off_t before = lseek(fd, 0, SEEK_END);
    if (before < 0 || check_room(fd, len) != 0)
        return -1;
    if (file_write_all(fd, lines, len) == 0)
        return 0;
    int error = errno;
    (void)!ftruncate(fd, before);
    errno = error;
    return -1;
}

int reporting_file_append(const char *path, const char *lines, size_t len, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    int rc = fd >= 0 ? append_all(fd, lines, len) : -1, error = errno;
    if (fd >= 0)
        close(fd);
    return rc == 0 ? 0 : ans_sys(ans, error, MSG_REPORTING_S, path);
}

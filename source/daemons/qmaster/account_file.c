/* Appends accounting lines. Invariants: the file always ends with a newline between calls; what account_file_append returned 0
 * for is in the page cache, what account_file_sync returned 0 for is on disk. Source: accounting(5). */
#include "daemons/qmaster/account_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/qmaster/msg_qmaster.h"
#include "libs/sgeobj/accounting.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct account_file {
    char *path;
    int fd;
    dev_t dev;
    ino_t ino;
};

/* cut a line that a crash left without its end */
static int cut_torn_line(struct account_file *f, off_t size, struct answer *ans)
{
    char buf[4096];
    off_t end = size;
    while (end > 0) {
        size_t n = end > (off_t)sizeof buf ? sizeof buf : (size_t)end;
        ssize_t got = pread(f->fd, buf, n, end - (off_t)n);
        if (got != (ssize_t)n)
            return ans_sys(ans, errno, MSG_ACCT_READ_S, f->path);
        for (size_t i = n; i > 0; i--) {
            if (buf[i - 1] != '\n')
                continue;
            off_t keep = end - (off_t)(n - i);
            if (keep != size && ftruncate(f->fd, keep) != 0)
                return ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
            return 0;
        }
        end -= (off_t)n;
    }
    if (size > 0 && ftruncate(f->fd, 0) != 0)
        return ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    return 0;
}

static int write_header(struct account_file *f, struct answer *ans)
{
    struct dstr header = DSTR_INIT;
    accounting_header(&header);
    int rc = file_write_all(f->fd, dstr_get(&header), header.len);
    if (rc != 0)
        ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    dstr_free(&header);
    return rc;
}

static int open_it(struct account_file *f, struct answer *ans)
{
    struct stat st;
    f->fd = open(f->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (f->fd < 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, f->path);
    if (fstat(f->fd, &st) != 0)
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, f->path);
    f->dev = st.st_dev;
    f->ino = st.st_ino;
    if (cut_torn_line(f, st.st_size, ans) != 0)
        return -1;
    if (fstat(f->fd, &st) != 0) /* the header may have been the torn line */
        return ans_sys(ans, errno, MSG_FILE_OPEN_S, f->path);
    if (st.st_size > 0)
        return 0;
    if (write_header(f, ans) != 0)
        return -1;
    if (file_sync_parent(f->path) != 0) /* a power cut must not take the new file's name with it */
        return ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    return 0;
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
    free(f->path);
    free(f);
}

/* the administrator may move the file away at any time: the next line then starts a new one */
static int follow_rotation(struct account_file *f, struct answer *ans)
{
    struct stat st;
    if (f->fd >= 0 && stat(f->path, &st) == 0 && st.st_ino == f->ino && st.st_dev == f->dev)
        return 0;
    if (f->fd >= 0) {
        fdatasync(f->fd); /* what was promised is in the old one */
        close(f->fd);
    }
    return open_it(f, ans);
}

int account_file_append(struct account_file *f, const char *lines, size_t len, struct answer *ans)
{
    if (len == 0)
        return 0;
    if (follow_rotation(f, ans) != 0)
        return -1;
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    if (file_write_all(f->fd, lines, len) == 0)
        return 0;
    ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    if (ftruncate(f->fd, st.st_size) != 0)
        ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    return -1;
}

int account_file_sync(struct account_file *f, struct answer *ans)
{
    if (fdatasync(f->fd) != 0)
        return ans_sys(ans, errno, MSG_ACCT_WRITE_S, f->path);
    return 0;
}

/* is LINE (with its newline) a whole line of TEXT? What TEXT begins with may be the end of a line. */
static bool has_line(const char *text, size_t len, const char *line, size_t line_len, bool is_from_start)
{
    const char *at = text, *end = text + len;
    while ((at = memmem(at, (size_t)(end - at), line, line_len)) != NULL) {
        if (at == text ? is_from_start : at[-1] == '\n')
            return true;
        at++;
    }
    return false;
}

int account_file_append_missing(struct account_file *f, const char *lines, size_t len, size_t look_back,
                                struct answer *ans)
{
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return ans_sys(ans, errno, MSG_ACCT_READ_S, f->path);
    size_t n = (size_t)st.st_size < look_back ? (size_t)st.st_size : look_back;
    char *tail = uti_calloc(1, n + 1);
    if (pread(f->fd, tail, n, st.st_size - (off_t)n) != (ssize_t)n) {
        free(tail);
        return ans_sys(ans, errno, MSG_ACCT_READ_S, f->path);
    }
    int rc = 0;
    while (len > 0 && rc == 0) {
        const char *nl = memchr(lines, '\n', len);
        size_t line = nl == NULL ? len : (size_t)(nl - lines) + 1;
        if (!has_line(tail, n, lines, line, n == (size_t)st.st_size))
            rc = account_file_append(f, lines, line, ans);
        lines += line;
        len -= line;
    }
    free(tail);
    return rc;
}

/* Reads what a submit consists of beside its command line: job scripts, from files and standard
 * input, within a limit, and request files. The texts are those that users know from qsub. */
#include "libs/cli/submit_files.h"
#include "libs/cli/msg_cli.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_fd(int fd, const char *name, struct dstr *out, struct answer *ans)
{
    char chunk[16384];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EISDIR)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_IS_DIRECTORY_SS, name, name);
        if (n < 0)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_READ_SS, name, strerror(errno));
        if (out->len + (size_t)n > JOB_SCRIPT_MOST)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_BIG_SI, name, JOB_SCRIPT_MOST);
        if (memchr(chunk, '\0', (size_t)n) != NULL)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_NUL_S, name);
        dstr_addn(out, chunk, (size_t)n);
    }
}

static int read_stdin(struct dstr *out, struct answer *ans)
{
    if (read_fd(STDIN_FILENO, "standard input", out, ans) < 0)
        return -1;
    return out->len > 0 ? 0 : ans_fail(ans, STATUS_EINPUT, MSG_STDIN_EMPTY);
}

int script_read(const char *path, struct dstr *out, struct answer *ans)
{
    if (path == NULL)
        return read_stdin(out, ans);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ans_fail(ans, STATUS_ENOFILE, MSG_FILE_OPEN_SS, path, strerror(errno));
    int result = read_fd(guard_opened(fd), path, out, ans);
    guard_close(fd);
    return result;
}

/* ---- request files ----
 *
 * They lie where another user may have put them. Trusted are files of the caller and of root, in
 * directories that no other user can write. Source: sge_request(5). */

static bool is_trusted_owner(const struct stat *st)
{
    return st->st_uid == 0 || st->st_uid == geteuid();
}

static bool may_others_write(const struct stat *st)
{
    return (st->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

/* why what is open as FD does not count; NULL if it does */
static const char *distrust_directory(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!is_trusted_owner(&st))
        return MSG_DIRECTORY_OF_ANOTHER;
    return may_others_write(&st) ? MSG_DIRECTORY_OPEN : NULL;
}

static const char *distrust_file(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return MSG_FILE_NOT_REGULAR;
    if (!is_trusted_owner(&st))
        return MSG_FILE_OF_ANOTHER;
    return may_others_write(&st) ? MSG_FILE_OPEN_TO_OTHERS : NULL;
}

static int pass_over(const char *path, const char *why, struct answer *ans)
{
    ans_add(ans, STATUS_OK, ANSWER_QUALITY_WARNING, MSG_REQUEST_PASSED_SS, path, why);
    return 0;
}

static int take_words(int fd, const char *path, struct words *w, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    int result = file_read_fd(fd, path, WORDS_FILE_MAX, &text, ans);
    if (result == 0)
        result = words_of_text(dstr_get(&text), text.len, path, w, ans);
    dstr_free(&text);
    return result;
}

/* the file NAME of the open directory */
static int read_in(int dir_fd, const char *name, const char *path, struct words *w,
                   struct answer *ans)
{
    struct stat st;
    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
        return 0;
    const char *why = distrust_directory(dir_fd);
    if (why != NULL)
        return pass_over(path, why, ans);
    int fd = openat(dir_fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT
                   ? 0
                   : ans_fail(ans, STATUS_ENOFILE, MSG_FILE_OPEN_SS, path, strerror(errno));
    why = distrust_file(guard_opened(fd));
    int result = why != NULL ? pass_over(path, why, ans) : take_words(fd, path, w, ans);
    guard_close(fd);
    return result;
}

int request_file_words(const char *path, struct words *w, struct answer *ans)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    char *dir = slash == NULL ? uti_strdup(".") : uti_strndup(path, (size_t)(slash + 1 - path));
    int dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    if (dir_fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? 0
                   : ans_fail(ans, STATUS_ENOFILE, MSG_FILE_OPEN_SS, path, strerror(errno));
    int result = read_in(guard_opened(dir_fd), name, path, w, ans);
    guard_close(dir_fd);
    return result;
}

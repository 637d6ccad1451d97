/* The files of Berkeley DB's log, as far as the library leaves them to chance.
 *
 * The log's next file lies there, filled with zeros and synced, before it is needed. So a commit
 * never has to find space for its log, which the library handles badly: it reports success for what
 * is not on the disk and writes pages whose log is missing. And a sync within such a file need not
 * write the file's size, twice as fast on a busy disk. What was laid down and not begun is set
 * aside before the environment is opened: to recovery it would be an unreadable log. Its space is
 * not given back: on a full disk others would take it, and nothing could be committed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/spool/msg_spool.h"
#include "libs/spool/spool_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { ZEROS_BYTES = 64 * 1024, LARGEST_BYTES = 16 * BDB_LOG_FILE_BYTES };

/* the path of the file with the highest number; new: free(); NULL without a file */
static char *log_last(const char *dir_path)
{
    DIR *dir = opendir(dir_path);
    struct dstr last = DSTR_INIT;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strncmp(e->d_name, "log.", 4) == 0 && strcmp(e->d_name, dstr_get(&last)) > 0) {
            dstr_clear(&last);
            dstr_add(&last, e->d_name);
        }
    }
    if (dir != NULL)
        closedir(dir);
    char *path = last.len > 0 ? path_join(dir_path, last.s) : NULL;
    dstr_free(&last);
    return path;
}

/* a file that is laid down, or was set aside: the library does not see it; new: free() */
static char *reserve_path(const char *dir)
{
    return path_join(dir, "reserve");
}

/* no record was ever written to PATH: records begin at its first byte, and none begins with so many
 * zeros */
static bool log_is_blank(const char *path)
{
    static const char blank[64];
    char begin[sizeof blank];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? pread(fd, begin, sizeof begin, 0) : -1;
    if (fd >= 0)
        close(fd);
    return got >= 0 && memcmp(begin, blank, (size_t)got) == 0;
}

int bdb_log_set_aside_blank(const char *dir, struct answer *ans)
{
    char *path, *reserve = reserve_path(dir);
    int err = 0;
    while (err == 0 && (path = log_last(dir)) != NULL && log_is_blank(path)) {
        err = rename(path, reserve) < 0 ? errno : 0;
        free(path);
        path = NULL;
    }
    free(path);
    free(reserve);
    return err == 0 ? 0 : ans_sys(ans, err, MSG_SPOOL_LOG_BLANK_S, dir);
}

int bdb_log_rewrite(const char *dir, struct answer *ans)
{
    struct dstr log = DSTR_INIT;
    struct answer why = ANSWER_INIT;
    char *path = log_last(dir), *reserve = reserve_path(dir);
    int ret = 0;
    (void)unlink(reserve); /* the copy may need its space */
    if (path != NULL && (file_read(path, LARGEST_BYTES, &log, &why) < 0 ||
                         file_replace(path, dstr_get(&log), log.len, 0600, &why) < 0))
        ret = ans_fail(ans, STATUS_EDISK, MSG_SPOOL_LOG_REWRITE_SS, dir, ans_first_error(&why));
    ans_free(&why);
    dstr_free(&log);
    free(reserve);
    free(path);
    return ret;
}

/* fill PATH with zeros that are on the disk; 0 or an error number. One that was set aside is
 * written again where it lies. The zeros are the program's own, so that it takes no memory: it is
 * done by threads that would keep it. */
static int log_fill(const char *path)
{
    static const char zeros[ZEROS_BYTES];
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), err = 0;
    if (fd < 0)
        return errno;
    for (size_t at = 0; err == 0 && at < BDB_LOG_FILE_BYTES; at += ZEROS_BYTES)
        err = file_write_all(fd, zeros, ZEROS_BYTES) < 0 ? errno : 0;
    if (err == 0 && fdatasync(fd) < 0)
        err = errno;
    if (close(fd) < 0 && err == 0)
        err = errno;
    return err;
}

/* give FROM the name TO unless there is such a file, durably; 0 or an error number */
static int log_place(const char *dir, const char *from, const char *to)
{
    if (link(from, to) < 0 && errno != EEXIST)
        return errno;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int err = fd < 0 || fsync(fd) < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return err;
}

int bdb_log_reserve(const char *dir, uint32_t number, struct answer *ans)
{
    struct dstr to = DSTR_INIT;
    char *from = reserve_path(dir);
    dstr_addf(&to, "%s/log.%010u", dir, number);
    int err = log_fill(from);
    if (err == 0)
        err = log_place(dir, from, to.s);
    unlink(from);
    free(from);
    dstr_free(&to);
    return err == 0 ? 0 : ans_fail(ans, STATUS_EDISK, MSG_SPOOL_LOG_RESERVE_SS, dir, strerror(err));
}

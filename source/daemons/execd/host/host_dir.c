/* The host's directory. The process with the lock on execd.lock is the execd of this host; the
 * kernel drops it with the process, so that no stale file can keep a new one out. Others cannot
 * open that file; execd.pid beside it is for everybody to read. */
#include "daemons/execd/host/host_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"

enum { LINK_BYTES_MAX = 4096 };

/* make directory PATH, or the one a symbolic link of that name points to */
static int make_dir(const char *path, struct answer *ans)
{
    char *target = uti_calloc(1, LINK_BYTES_MAX);
    ssize_t n = readlink(path, target, LINK_BYTES_MAX - 1);
    int rc = file_mkdirs(n > 0 && target[0] == '/' ? target : path, 0755, ans);
    free(target);
    return rc;
}

static int take_lock(struct host_dir *d, struct answer *ans)
{
    char *path = path_join(d->path, "execd.lock"), text[24];
    d->lock_fd = file_lock(path, ans);
    free(path);
    if (d->lock_fd < 0)
        return -1;
    d->pid_path = path_join(d->path, "execd.pid");
    int len = snprintf(text, sizeof text, "%d\n", (int)getpid());
    return file_write(d->pid_path, text, (size_t)len, 0644, ans);
}

static char *boot_path(const struct host_dir *d)
{
    return path_join(d->path, "boot_id");
}

/* what cannot be told counts as a new boot: tasks of an earlier time that left no last word are
 * lost either way */
static bool is_new_boot(const struct host_dir *d)
{
    char now[BOOT_ID_BYTES] = "", *path = boot_path(d);
    struct dstr before = DSTR_INIT;
    bool is_same = os_boot_id(now, sizeof now) == 0 &&
                   file_read(path, BOOT_ID_BYTES, &before, NULL) == 0 &&
                   strcmp(dstr_get(&before), now) == 0;
    dstr_free(&before);
    free(path);
    return !is_same;
}

int host_dir_note_boot(const struct host_dir *d, struct answer *ans)
{
    char now[BOOT_ID_BYTES] = "", *path = boot_path(d);
    (void)os_boot_id(now, sizeof now);
    int rc = d->is_new_boot ? file_replace(path, now, strlen(now), 0644, ans) : 0;
    free(path);
    return rc;
}

/* ---- the work directory ---- */
/* The file "spool_dir" has what is configured, "spool_dir.used" the work directory of the last
 * start. A directory with tasks in it is not left: they would be lost, or run twice. */

/* a path from a file below D; new: free(), NULL: there is none */
static char *read_path(const struct host_dir *d, const char *name)
{
    char *file = path_join(d->path, name);
    struct dstr text = DSTR_INIT;
    bool is_there = file_read(file, LINK_BYTES_MAX, &text, NULL) == 0 && text.len > 1;
    free(file);
    char *path = is_there && text.s[0] == '/' ? uti_strndup(text.s, strcspn(text.s, "\n")) : NULL;
    dstr_free(&text);
    return path;
}

/* PATH NULL: the file goes */
static int write_path(const struct host_dir *d, const char *name, const char *path,
                      struct answer *ans)
{
    char *file = path_join(d->path, name);
    struct dstr text = DSTR_INIT;
    int rc = 0;
    if (path != NULL) {
        dstr_addf(&text, "%s\n", path);
        rc = file_replace(file, text.s, text.len, 0644, ans);
    } else if (unlink(file) != 0 && errno != ENOENT) {
        rc = ans_sys(ans, errno, MSG_WRITE_S, file);
    }
    dstr_free(&text);
    free(file);
    return rc;
}

int host_dir_want(struct host_dir *d, const char *dir, struct answer *ans)
{
    bool is_same =
        dir == NULL ? d->wanted == NULL : d->wanted != NULL && strcmp(d->wanted, dir) == 0;
    if (is_same)
        return 0; /* nearly always */
    if (write_path(d, "spool_dir", dir, ans) != 0)
        return -1;
    free(d->wanted);
    d->wanted = dir != NULL ? uti_strdup(dir) : NULL;
    return 1;
}

struct busy_look {
    int dir_fd;
    unsigned depth; /* below active_jobs: petasks stand in the directory of their task */
};

static bool is_idle(void *ctx, const char *name);

/* is nothing of a task in the directory FD that the qmaster does not have? */
static bool is_dir_idle(int fd, unsigned depth)
{
    struct busy_look look = { fd, depth + 1 };
    if (depth > 0 && faccessat(fd, TASK_FILE_REPORTED, F_OK, 0) == 0)
        return true;
    if (depth > 0 && faccessat(fd, TASK_FILE_CONFIG, F_OK, 0) == 0)
        return false;
    return depth > 1 || os_dir_each(fd, is_idle, &look) == 1;
}

static bool is_idle(void *ctx, const char *name)
{
    const struct busy_look *look = ctx;
    bool is_task = name[0] >= '0' && name[0] <= '9';
    int fd =
        is_task ? openat(look->dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return !is_task || errno == ENOTDIR || errno == ENOENT;
    bool is = is_dir_idle(fd, look->depth);
    close(fd);
    return is;
}

/* is there a task in the work directory PATH? What cannot be told counts as one. */
static bool has_tasks(const char *path)
{
    char *active = path_join(path, "active_jobs");
    int fd = open(active, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool has = fd < 0 && errno != ENOENT;
    free(active);
    if (fd >= 0) {
        has = !is_dir_idle(fd, 0);
        close(fd);
    }
    return has;
}

/* users must not be able to put another directory in its place */
static int check_parent(const char *dir, struct answer *ans)
{
    struct stat st;
    if (stat(dir, &st) != 0)
        return ans_sys(ans, errno, MSG_OPEN_S, dir);
    bool is_safe = (st.st_uid == 0 || st.st_uid == geteuid()) && (st.st_mode & 022) == 0;
    if (!S_ISDIR(st.st_mode) || !is_safe)
        return ans_fail(ans, STATUS_DENIED, MSG_SPOOL_DIR_UNSAFE_S, dir);
    return 0;
}

/* the wanted one; new: free() */
static char *wanted_work(const struct host_dir *d)
{
    const char *slash = strrchr(d->path, '/');
    return d->wanted == NULL ? uti_strdup(d->path)
                             : path_join(d->wanted, slash != NULL ? slash + 1 : d->path);
}

static void say_unchanged(struct host_dir *d, const char *why)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_SPOOL_DIR_STAYS_SSS, d->wanted != NULL ? d->wanted : d->path, d->work,
              why);
    d->trouble = dstr_take(&text);
}

/* may NEXT be used, which is there then, and is that noted? */
static int change_work(const struct host_dir *d, const char *next, struct answer *ans)
{
    bool is_other = strcmp(d->work, next) != 0;
    if (is_other && has_tasks(d->work))
        return ans_fail(ans, STATUS_EEXIST, MSG_SPOOL_DIR_TASKS);
    if (d->wanted != NULL &&
        (check_parent(d->wanted, ans) != 0 || file_mkdirs(next, 0755, ans) != 0))
        return -1;
    return is_other ? write_path(d, "spool_dir.used", d->wanted != NULL ? next : NULL, ans) : 0;
}

/* which is the work directory of this start? */
static void choose_work(struct host_dir *d)
{
    struct answer ans = ANSWER_INIT;
    d->wanted = read_path(d, "spool_dir");
    char *used = read_path(d, "spool_dir.used");
    d->work = used != NULL ? used : uti_strdup(d->path);
    if (d->wanted == NULL && used == NULL)
        return; /* nearly always */
    char *next = wanted_work(d);
    if (change_work(d, next, &ans) == 0) {
        free(d->work);
        d->work = next;
    } else {
        say_unchanged(d, ans_first_error(&ans));
        free(next);
    }
    ans_free(&ans);
}

int host_dir_open(struct host_dir *d, const char *path, struct answer *ans)
{
    *d = (struct host_dir){ .active_fd = -1, .lock_fd = -1 };
    d->path = uti_strdup(path);
    if (file_mkdirs(path, 0755, ans) != 0 || take_lock(d, ans) != 0) {
        host_dir_close(d);
        return -1;
    }
    choose_work(d);
    d->active_path = path_join(d->work, "active_jobs");
    d->scripts_path = path_join(d->work, "job_scripts");
    if (make_dir(d->active_path, ans) == 0 && file_mkdirs(d->scripts_path, 0755, ans) == 0) {
        d->is_new_boot = is_new_boot(d);
        d->active_fd = open(d->active_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (d->active_fd >= 0)
            return 0;
        (void)ans_sys(ans, errno, MSG_OPEN_S, d->active_path);
    }
    host_dir_close(d);
    return -1;
}

void host_dir_close(struct host_dir *d)
{
    if (d->active_fd >= 0)
        close(d->active_fd);
    if (d->pid_path != NULL)
        (void)unlink(d->pid_path);
    if (d->lock_fd >= 0)
        close(d->lock_fd);
    free(d->pid_path);
    free(d->path);
    free(d->work);
    free(d->wanted);
    free(d->trouble);
    free(d->active_path);
    free(d->scripts_path);
    *d = (struct host_dir){ .active_fd = -1, .lock_fd = -1 };
}

char *host_dir_script(const struct host_dir *d, uint32_t job_number)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/%u", d->scripts_path, job_number);
    return dstr_take(&path);
}

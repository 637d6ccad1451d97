/* The host's directory. The process with the lock on execd.lock is the execd of this host; the
 * kernel drops it with the process, so that no stale file can keep a new one out. Others cannot
 * open that file; execd.pid beside it is for everybody to read. */
#include "daemons/execd/host/host_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
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

int host_dir_open(struct host_dir *d, const char *path, struct answer *ans)
{
    *d = (struct host_dir){ .active_fd = -1, .lock_fd = -1 };
    d->path = uti_strdup(path);
    d->active_path = path_join(path, "active_jobs");
    d->scripts_path = path_join(path, "job_scripts");
    if (file_mkdirs(path, 0755, ans) == 0 && take_lock(d, ans) == 0 &&
        make_dir(d->active_path, ans) == 0 && file_mkdirs(d->scripts_path, 0755, ans) == 0) {
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

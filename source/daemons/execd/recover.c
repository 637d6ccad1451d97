/* After a restart: which tasks of the execd before us run, which have ended. The lock on "pid"
 * tells (uti/task_dir.h), and the process named in it is the shepherd only if start time, boot,
 * program and user agree: a pid alone may be anybody's by now. */
#include "daemons/execd/recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/msg_execd.h"
#include "daemons/execd/tasks/task.h"
#include "daemons/execd/tasks/task_sample.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

/* what the order said, as far as the files still tell */
static void take_config(struct exec_task *t, const char *config)
{
    char *queue = task_files_value(config, "queue"), *host = task_files_value(config, "host");
    struct dstr full = DSTR_INIT;
    dstr_addf(&full, "%s@%s", queue != NULL ? queue : "", host != NULL ? host : "");
    struct JG_Type *entry = cull_append(&t->record, JAT_granted_destin_identifier_list);
    cull_set(entry, JG_qname, dstr_get(&full));
    t->tmpdir = task_files_value(config, "tmpdir");
    t->additional_gid = (gid_t)task_files_number(config, "add_grp_id", 0);
    t->cgroup = task_files_value(config, "cgroup");
    gid_pool_mark(&t->x->gids, t->additional_gid);
    t->start_s = task_files_number(config, "ordered_at", uti_now_s());
    t->start_us = uti_mono_us();
    free(queue);
    free(host);
    dstr_free(&full);
}

/* a task that was running when the machine went down; the qmaster hears nothing of it and puts
 * it back */
static bool is_lost(const struct execd *x, enum task_life life, int dir_fd)
{
    struct JR_Type report = { 0 };
    if (life != TASK_LIFE_ENDED || !x->dir.is_new_boot)
        return false;
    bool is_whole = task_files_report(dir_fd, &report);
    cull_clear(&cull_JR_Type, &report);
    return !is_whole;
}

/* NAME is known again, or removed; the directory of a task that runs elsewhere alone is there for
 * its petasks */
static void recover_task(struct execd *x, const char *name, int dir_fd, const struct task_key *key,
                         bool has_petasks)
{
    struct dstr config = DSTR_INIT;
    struct process_id shepherd;
    enum task_life life = task_files_life(dir_fd, &shepherd);
    if (life == TASK_LIFE_NONE && has_petasks) {
        return;
    } else if (life == TASK_LIFE_NONE || !task_files_read(dir_fd, TASK_FILE_CONFIG, &config)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_NOT_STARTED_S, name);
        task_files_remove(&x->dirs, name);
    } else if (is_lost(x, life, dir_fd)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_LOST_S, name);
        task_files_remove(&x->dirs, name);
    } else {
        uint32_t attempt = (uint32_t)task_files_number(dstr_get(&config), "attempt", 0);
        struct exec_task *t = task_new(x, key, attempt);
        take_config(t, dstr_get(&config));
        task_take_sample(t, dir_fd);
        task_follow(t);
    }
    dstr_free(&config);
}

static bool is_reported(int dir_fd)
{
    return faccessat(dir_fd, TASK_FILE_REPORTED, F_OK, 0) == 0;
}

static bool recover_petasks(struct execd *x, const char *task);

/* NAME: a path below active_jobs; false if it is no task's directory */
static bool recover_name(struct execd *x, const char *name)
{
    struct task_key key;
    int fd = task_key_parse(name, &key)
                 ? openat(x->dir.active_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
    if (fd < 0)
        return false;
    bool has_petasks = key.petask == NULL && recover_petasks(x, name);
    if (!is_reported(fd))
        recover_task(x, name, fd, &key, has_petasks);
    close(fd);
    return true;
}

/* what stands in the directory of TASK; true if there are any */
static bool recover_petasks(struct execd *x, const char *task)
{
    char *path = path_join(x->dir.active_path, task);
    DIR *dir = opendir(path);
    struct dirent *entry;
    bool has_any = false;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char *name = path_join(task, entry->d_name);
        has_any |= recover_name(x, name);
        free(name);
    }
    if (dir != NULL)
        closedir(dir);
    free(path);
    return has_any;
}

void tasks_recover(struct execd *x)
{
    DIR *dir = opendir(x->dir.active_path);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        (void)recover_name(x, entry->d_name);
    if (dir != NULL)
        closedir(dir);
}

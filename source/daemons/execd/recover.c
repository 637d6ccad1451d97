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
#include "libs/uti/log.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

/* "12.3"; false for anything else */
static bool parse_name(const char *name, uint32_t *job_number, uint32_t *task_number)
{
    size_t dot = strcspn(name, ".");
    char *first = uti_strndup(name, dot);
    bool is_task =
        name[dot] == '.' && parse_u32(first, job_number) && parse_u32(name + dot + 1, task_number);
    free(first);
    return is_task;
}

/* what the order said, as far as the files still tell */
static void take_config(struct task *t, const char *config)
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

static void recover_task(struct execd *x, const char *name, int dir_fd, uint32_t job_number,
                         uint32_t task_number)
{
    struct dstr config = DSTR_INIT;
    struct process_id shepherd;
    enum task_life life = task_files_life(dir_fd, &shepherd);
    if (life == TASK_LIFE_NONE || !task_files_read(dir_fd, TASK_FILE_CONFIG, &config)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_NOT_STARTED_S, name);
        task_files_remove(&x->dirs, name);
    } else if (is_lost(x, life, dir_fd)) {
        log_msg(LOG_LEVEL_WARNING, MSG_TASK_LOST_S, name);
        task_files_remove(&x->dirs, name);
    } else {
        uint32_t attempt = (uint32_t)task_files_number(dstr_get(&config), "attempt", 0);
        struct task *t = task_new(x, job_number, task_number, attempt);
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

void tasks_recover(struct execd *x)
{
    DIR *dir = opendir(x->dir.active_path);
    struct dirent *entry;
    uint32_t job_number, task_number;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (!parse_name(entry->d_name, &job_number, &task_number))
            continue;
        int fd = openat(x->dir.active_fd, entry->d_name,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (!is_reported(fd))
            recover_task(x, entry->d_name, fd, job_number, task_number);
        close(fd);
    }
    if (dir != NULL)
        closedir(dir);
}

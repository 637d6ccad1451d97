/* Checkpoints of tasks, as far as the execd has to do with them: its shepherds make them. What one
 * writes meanwhile (libs/task/task_dir.h) is looked at once a second, for tasks with checkpoints
 * alone. Source: checkpoint(5). */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "daemons/execd/tasks/tasks.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

static int open_dir(const struct exec_task *t)
{
    return openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void checkpoint_take_record(struct exec_task *t)
{
    const struct TC_Type *tc = checkpoint_of(&t->record);
    t->checkpoint = (struct task_checkpoint){ 0 };
    if (tc == NULL)
        return;
    t->checkpoint.is_there = true;
    t->checkpoint.is_at_shutdown = (tc->TC_when & CHECKPOINT_AT_SHUTDOWN) != 0;
}

void checkpoint_take_config(struct exec_task *t, const char *config)
{
    t->checkpoint = (struct task_checkpoint){
        .is_there = task_files_number(config, "ckpt_job", 0) == 1,
        .is_at_shutdown = task_files_number(config, "ckpt_at_shutdown", 0) == 1,
    };
}

/* ---- requests ---- */
int checkpoint_take_request(struct exec_task *t, int sig)
{
    struct dstr nothing = DSTR_INIT;
    int to_job = sig == (int)TASK_REQUEST_END_AGAIN ? SIGKILL : sig;
    bool concerns = to_job == SIGKILL || sig == (int)TASK_REQUEST_MIGRATE;
    int fd = concerns && t->checkpoint.is_there ? open_dir(t) : -1;
    if (fd < 0)
        return to_job;
    if (sig == (int)TASK_REQUEST_END_AGAIN) {
        (void)task_files_write(fd, TASK_FILE_KEEP_CHECKPOINT, &nothing, 0644, NULL);
    } else if (sig == SIGKILL) { /* it is over, after all */
        (void)unlinkat(fd, TASK_FILE_KEEP_CHECKPOINT, 0);
    } else {
        (void)unlinkat(fd, TASK_FILE_MIGRATION_FAILED, 0);
        t->checkpoint.is_migrating = true;
    }
    close(fd);
    return to_job;
}

/* ---- what its shepherd says ---- */
static void report_not_migrated(struct exec_task *t, const char *why)
{
    struct JR_Type report = { 0 };
    log_msg(LOG_LEVEL_WARNING, MSG_NOT_MIGRATED_SS, t->name, why);
    task_fill_key(t, &report);
    cull_set(&report, JR_state, (uint32_t)REPORT_NOT_MIGRATED);
    cull_set(&report, JR_err_str, why);
    report_one(t->x, &report);
}

/* true if it has failed */
static bool look_at_migration(struct exec_task *t, int dir_fd)
{
    struct dstr text = DSTR_INIT;
    bool has_failed = false;
    if (task_files_read(dir_fd, TASK_FILE_MIGRATION_FAILED, &text) && text.len > 0) {
        text.s[strcspn(text.s, "\n")] = '\0';
        (void)unlinkat(dir_fd, TASK_FILE_MIGRATION_FAILED, 0);
        t->checkpoint.is_migrating = false;
        report_not_migrated(t, text.s);
        has_failed = true;
    }
    dstr_free(&text);
    return has_failed;
}

/* true if that is news */
static bool look_for_checkpoint(struct exec_task *t, int dir_fd)
{
    if (t->checkpoint.is_made || faccessat(dir_fd, TASK_FILE_CHECKPOINTED, F_OK, 0) != 0)
        return false;
    t->checkpoint.is_made = true;
    return true;
}

bool checkpoint_look(struct exec_task *t)
{
    int fd = t->checkpoint.is_there ? open_dir(t) : -1;
    bool has_failed = false;
    if (fd < 0)
        return false;
    if (look_for_checkpoint(t, fd))
        report_soon(t);
    if (t->checkpoint.is_migrating)
        has_failed = look_at_migration(t, fd);
    close(fd);
    return has_failed;
}

void checkpoint_fill_end(struct exec_task *t)
{
    int fd = t->checkpoint.is_there ? open_dir(t) : -1;
    if (fd < 0)
        return;
    (void)look_for_checkpoint(t, fd);
    close(fd);
    cull_set(&t->report, JR_is_checkpointed, t->checkpoint.is_made);
}

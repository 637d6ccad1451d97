/* Saving the state of the job. Whatever a command or the job does, a migration ends: with the end
 * of the job, or, when its command fails while the job runs on, with a file that says so. What
 * commands exit with counts for interfaces of the system alone (cpr, hibernator); being ended by a
 * signal, or by the end of its time, is a failure of any. Source: checkpoint(5); captured runs. */
#include "daemons/shepherd/checkpoint.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/hooks.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/notice.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { US_OF_S = 1000 * 1000, KILL_AGAIN_US = 500 * 1000 };

static struct supervised *command_child(struct shepherd *s)
{
    return &s->supervisor.child[SUPERVISE_CHECKPOINT];
}

static void write_file(struct shepherd *s, const char *name, const char *text)
{
    struct answer ans = ANSWER_INIT;
    if (file_overwrite_at(AT_FDCWD, name, text, strlen(text), 0644, &ans) != 0)
        trace_add(&s->trace, "%s", ans_first_error(&ans));
    ans_free(&ans);
}

/* ---- when ---- */
static uint64_t later_us(uint64_t from_us, uint64_t s)
{
    return s > (UINT64_MAX - from_us) / US_OF_S ? UINT64_MAX : from_us + s * US_OF_S;
}

uint64_t checkpoint_first_us(const struct shepherd *s, uint64_t start_us)
{
    uint64_t interval_s = s->conf.checkpoint.interval_s;
    return interval_s > 0 ? later_us(start_us, interval_s) : UINT64_MAX;
}

uint64_t checkpoint_ring(void *shepherd)
{
    struct shepherd *s = shepherd;
    if (!s->is_stopped) /* it would save what it saved last, or only when it goes on */
        checkpoint_make(s);
    return later_us(uti_mono_us(), s->conf.checkpoint.interval_s);
}

static void set_end(struct shepherd *s, uint64_t at_us)
{
    s->checkpointing.until_us = at_us;
    s->supervisor.alarms[ALARM_CHECKPOINT_OVER].at_us = at_us;
}

/* ---- the signal ---- */
static void send_to_job(struct shepherd *s)
{
    const struct supervised *job = &s->supervisor.child[SUPERVISE_JOB];
    int sig = s->conf.checkpoint.sig;
    trace_add(&s->trace, MSG_TRACE_SEND_SIGNAL_I, sig);
    if (sig != 0 && !job->is_done && privilege_signal(-job->pid, sig) != 0)
        (void)privilege_signal(job->pid, sig); /* it has not made its group yet */
}

/* the job saves its state by itself: it has some time for that */
static void migrate_by_signal(struct shepherd *s)
{
    s->checkpointing.is_waiting = true;
    if (s->conf.checkpoint.sig == 0) {
        set_end(s, uti_mono_us());
        return;
    }
    set_end(s, later_us(uti_mono_us(), s->conf.checkpoint.patience_s));
    send_to_job(s);
}

/* ---- the commands ---- */
/* it could not be started, was ended, took too long or, of the system's, says that it failed */
static bool has_failed(struct shepherd *s, const struct plan_row *row, struct dstr *why)
{
    int status = command_child(s)->wait_status;
    if (s->checkpointing.is_timed_out)
        dstr_addf(why, MSG_HOOK_TIMEOUT_S, row->key);
    else if (launch_failure(&s->page->results[SUPERVISE_CHECKPOINT], why) != TASK_FAILED_NOT)
        return true;
    else if (WIFSIGNALED(status))
        dstr_addf(why, MSG_HOOK_SIGNAL_SI, row->key, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 && s->conf.checkpoint.is_of_system)
        dstr_addf(why, MSG_HOOK_STATUS_SI, row->key, WEXITSTATUS(status));
    return why->len > 0;
}

/* the job runs on, where it is */
static void fail_migration(struct shepherd *s, const char *why)
{
    struct dstr text = DSTR_INIT;
    s->is_migrating = false;
    dstr_addf(&text, "%s\n", why);
    write_file(s, TASK_FILE_MIGRATION_FAILED, dstr_get(&text));
    dstr_free(&text);
}

/* its state is saved, or nothing saves it: what is left of the job ends */
static void end_job(struct shepherd *s)
{
    s->checkpointing.is_waiting = true;
    set_end(s, uti_mono_us());
}

/* start COMMAND of ROW, as the owner or as the user in front of it; -1 with ans. The process is a
 * copy of this one: what it was made of need not stay. */
static pid_t launch_command(struct shepherd *s, const struct plan_row *row,
                            const struct exec_command *command, struct answer *ans)
{
    struct launch launch = s->hook_launch, other = { 0 };
    struct job_identity who = { 0 };
    struct environment env = { 0 };
    struct launch_result *result = &s->page->results[SUPERVISE_CHECKPOINT];
    pid_t pid = -1;
    launch.command = command;
    if (row->user == PLAN_AS_OWNER) {
        pid = launch_start(&launch, s->page, result, ans);
    } else if (shepherd_launch_as(s, row->key, LAUNCH_HOOK, &other, &who, &env, ans) == 0) {
        other.command = command;
        pid = launch_start(&other, s->page, result, ans);
    }
    launch_clear(&other);
    identity_free(&who);
    environment_free(&env);
    return pid;
}

static void start_command(struct shepherd *s, enum plan_step step)
{
    const struct plan_row *row = &s->conf.plan.rows[step];
    struct exec_command command;
    struct answer ans = ANSWER_INIT;
    trace_add(&s->trace, MSG_TRACE_METHOD_SS, row->key, row->command);
    hook_command(s, row, &command);
    pid_t pid = launch_command(s, row, &command, &ans);
    command_free(&command);
    if (pid > 0) {
        trace_add(&s->trace, MSG_TRACE_FORKED_SI, row->key, (int)pid);
        *command_child(s) = (struct supervised){ .pid = pid };
        s->checkpointing.is_command = true;
        s->checkpointing.is_migr_command = step == PLAN_MIGRATE;
        s->checkpointing.is_timed_out = false;
        set_end(s, later_us(uti_mono_us(), row->timeout_s));
    } else {
        trace_add(&s->trace, "%s", ans_first_error(&ans));
        if (step == PLAN_MIGRATE)
            fail_migration(s, ans_first_error(&ans));
    }
    ans_free(&ans);
}

static void migrate_by_command(struct shepherd *s)
{
    if (s->checkpointing.is_command)
        s->checkpointing.is_due = true;
    else if (s->conf.plan.rows[PLAN_MIGRATE].command != NULL)
        start_command(s, PLAN_MIGRATE);
    else
        end_job(s);
}

static void kill_command(struct shepherd *s)
{
    const struct supervised *command = command_child(s);
    (void)privilege_signal(-command->pid, SIGKILL);
    (void)privilege_signal(command->pid, SIGKILL); /* it may not have made its group yet */
}

uint64_t checkpoint_ring_over(void *shepherd)
{
    struct shepherd *s = shepherd;
    if (s->checkpointing.is_command) {
        s->checkpointing.is_timed_out = true;
        kill_command(s);
    } else if (s->checkpointing.is_waiting) {
        (void)tree_kill(&s->supervisor, &s->cgroup);
    } else {
        return UINT64_MAX;
    }
    return uti_mono_us() + KILL_AGAIN_US;
}

static void judge_command(struct shepherd *s, const struct plan_row *row)
{
    struct dstr why = DSTR_INIT;
    bool is_migration = s->checkpointing.is_migr_command;
    bool is_over = s->supervisor.child[SUPERVISE_JOB].is_done;
    bool is_failure = has_failed(s, row, &why);
    if (is_failure)
        trace_add(&s->trace, "%s", dstr_get(&why));
    else
        write_file(s, TASK_FILE_CHECKPOINTED, "1\n");
    if (is_migration && s->is_migrating && !is_over) {
        if (is_failure)
            fail_migration(s, dstr_get(&why));
        else
            end_job(s);
    }
    dstr_free(&why);
}

bool checkpoint_look(struct shepherd *s)
{
    struct checkpointing *c = &s->checkpointing;
    if (!c->is_command || !command_child(s)->is_done)
        return false;
    c->is_command = false;
    set_end(s, UINT64_MAX);
    judge_command(s, &s->conf.plan.rows[c->is_migr_command ? PLAN_MIGRATE : PLAN_CHECKPOINT]);
    if (c->is_due && !s->supervisor.child[SUPERVISE_JOB].is_done)
        migrate_by_command(s);
    c->is_due = false;
    return true;
}

/* ---- requests ---- */
void checkpoint_make(struct shepherd *s)
{
    const struct checkpoint_conf *conf = &s->conf.checkpoint;
    if (!conf->is_there || s->is_migrating || s->checkpointing.is_command)
        return;
    if (!conf->has_commands)
        send_to_job(s);
    else if (s->conf.plan.rows[PLAN_CHECKPOINT].command != NULL)
        start_command(s, PLAN_CHECKPOINT);
}

void checkpoint_migrate(struct shepherd *s)
{
    if (!s->conf.checkpoint.is_there || s->is_migrating)
        return;
    s->is_migrating = true;
    if (s->is_stopped) /* what stands still can neither save itself nor end */
        notice_continue(s);
    s->supervisor.alarms[ALARM_STOP].at_us = UINT64_MAX;
    if (s->conf.checkpoint.has_commands)
        migrate_by_command(s);
    else
        migrate_by_signal(s);
}

void checkpoint_give_up(struct shepherd *s)
{
    s->is_migrating = false;
    s->checkpointing.is_due = s->checkpointing.is_waiting = false;
    if (!s->checkpointing.is_command)
        set_end(s, UINT64_MAX);
}

/* ---- the end of the job ---- */
/* true while something is to be waited for */
static bool is_saving(struct shepherd *s)
{
    bool has_children = supervise_reap(&s->supervisor);
    (void)checkpoint_look(s);
    return s->checkpointing.is_command ||
           (s->checkpointing.is_waiting && s->conf.checkpoint.sig != 0 && has_children);
}

void checkpoint_finish(struct shepherd *s)
{
    while (is_saving(s)) {
        int sig = supervise_sleep(&s->supervisor, s->checkpointing.until_us, SUPERVISE_ENDING);
        if (sig == SIGCHLD)
            continue;
        if (sig != 0) /* asked to end */
            checkpoint_give_up(s);
        if (!s->checkpointing.is_command)
            return; /* clean_up ends the rest */
        s->checkpointing.is_timed_out = sig == 0;
        kill_command(s);
        s->checkpointing.until_us = uti_mono_us() + KILL_AGAIN_US;
    }
}

bool checkpoint_is_to_stay(void)
{
    return access(TASK_FILE_KEEP_CHECKPOINT, F_OK) == 0;
}

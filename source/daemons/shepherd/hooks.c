/* Running the commands around the job. A hook is a child like the job and is ended with everything
 * below it when it takes too long. Source: queue_conf(5) prolog, epilog, suspend_method; the
 * default timeout is the captured one. */
#include "daemons/shepherd/hooks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/process.h"
#include "libs/uti/signals.h"
#include "libs/uti/time.h"

enum { KILL_AGAIN_US = 100 * 1000 };

struct lookup_ctx {
    const struct config *conf;
    bool is_of_checkpoint;
    char job_pid[16];
};

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* what a hook may ask for as $NAME: keys of the configuration; what it has not is empty */
static const char *look_up(void *arg, const char *name)
{
    static const char *const names[] = {
        "host",
        "job_owner",
        "job_id",
        "job_name",
        "ja_task_id",
        "queue",
        "processors",
        "pe",
        "pe_slots",
        "pe_hostfile",
        "stdout_path",
        "stderr_path",
        "stdin_path",
        "merge_stderr",
        "fs_stdin_host",
        "fs_stdin_path",
        "fs_stdin_tmp_path",
        "fs_stdout_host",
        "fs_stdout_path",
        "fs_stdout_tmp_path",
        "fs_stderr_host",
        "fs_stderr_path",
        "fs_stderr_tmp_path",
    };
    static const char *const flags[] = { "fs_stdin_file_staging", "fs_stdout_file_staging",
                                         "fs_stderr_file_staging" };
    static const char *const of_checkpoint[] = { "ckpt_dir", "ckpt_signal", "sge_cell",
                                                 "sge_root" };
    struct lookup_ctx *ctx = arg;
    if (strcmp(name, "job_pid") == 0)
        return ctx->job_pid;
    if (is_among(name, names, ARRAY_LEN(names)) ||
        (ctx->is_of_checkpoint && is_among(name, of_checkpoint, ARRAY_LEN(of_checkpoint))))
        return config_get(ctx->conf, name, "");
    return is_among(name, flags, ARRAY_LEN(flags)) ? config_get(ctx->conf, name, "0") : NULL;
}

/* wait for the hook that runs; its time may be over, or the job may be ended meanwhile: then so is
 * the hook, and WORDS say it */
static void wait_for_hook(struct shepherd *s, const struct plan_row *row, struct dstr *words)
{
    struct supervised *hook = &s->supervisor.child[SUPERVISE_HOOK];
    /* to be asked for it again changes nothing */
    bool is_ending = row == &s->conf.plan.rows[PLAN_TERMINATE];
    uint64_t until_us = uti_mono_us() + row->timeout_s * 1000000;
    for ((void)supervise_reap(&s->supervisor); !hook->is_done;
         (void)supervise_reap(&s->supervisor)) {
        int sig = supervise_sleep(&s->supervisor, until_us, SUPERVISE_ENDING);
        if (sig == SIGCHLD || (sig != 0 && is_ending))
            continue;
        if (sig != 0) {
            s->is_terminated = true;
        } else if (words->len == 0) {
            s->is_hook_stopped = process_is_stopped(hook->pid);
            dstr_addf(words, s->is_hook_stopped ? MSG_HOOK_STOPPED_S : MSG_HOOK_TIMEOUT_S,
                      row->key);
        }
        until_us = uti_mono_us() + KILL_AGAIN_US;
        (void)privilege_signal(-hook->pid, SIGKILL);
        (void)privilege_signal(hook->pid, SIGKILL); /* it may not have made its group yet */
    }
    if (s->is_terminated && words->len == 0)
        dstr_addf(words, MSG_HOOK_TERMINATED_S, row->key);
}

void hook_command(const struct shepherd *s, const struct plan_row *row, struct exec_command *out)
{
    struct lookup_ctx ctx = { .conf = &s->conf.lines, .is_of_checkpoint = row->is_of_checkpoint };
    (void)snprintf(ctx.job_pid, sizeof ctx.job_pid, "%d",
                   (int)s->supervisor.child[SUPERVISE_JOB].pid);
    command_of_words(out, row->program, look_up, &ctx, environment_get(&s->hook_env, "PATH"));
}

static bool is_script_fed(const struct shepherd *s, const struct plan_row *row)
{
    const struct plan_row *rows = s->conf.plan.rows;
    return s->conf.mode == SCRIPT_STDIN && (row == &rows[PLAN_PROLOG] || row == &rows[PLAN_EPILOG]);
}

/* start COMMAND of ROW as LAUNCH says and wait for it */
static void run_launch(struct shepherd *s, const struct plan_row *row, struct launch *launch,
                       struct dstr *words)
{
    struct answer ans = ANSWER_INIT;
    struct launch_result *result = &s->page->results[SUPERVISE_HOOK];
    launch->io.script = launch->command->stdin_path;
    launch->io.is_script_open = launch->io.script != NULL && s->conf.are_hooks_roots;
    pid_t pid = shepherd_launch(s, launch, result, &ans);
    if (pid > 0) {
        trace_add(&s->trace, MSG_TRACE_FORKED_SI, row->key, (int)pid);
        s->supervisor.child[SUPERVISE_HOOK] = (struct supervised){ .pid = pid };
        wait_for_hook(s, row, words);
        if (words->len == 0)
            (void)launch_failure(result, words);
    } else {
        dstr_add(words, ans_first_error(&ans));
    }
    ans_free(&ans);
}

/* the same as the user in front of the command */
static void run_as_other(struct shepherd *s, const struct plan_row *row,
                         const struct exec_command *command, struct dstr *words)
{
    struct answer ans = ANSWER_INIT;
    enum launch_kind kind = row->is_of_pe ? LAUNCH_PE_HOOK : LAUNCH_HOOK;
    if (shepherd_launch_as(s, row->key, kind, &s->other_launch, &s->other, &s->other_env, &ans) ==
        0) {
        s->other_launch.command = command;
        run_launch(s, row, &s->other_launch, words);
    } else {
        dstr_add(words, ans_first_error(&ans));
    }
    ans_free(&ans);
}

/* start the command of ROW and wait for it; true if it ran, its wait status is the supervisor's */
static bool run_command(struct shepherd *s, const struct plan_row *row, struct dstr *words)
{
    struct exec_command command;
    hook_command(s, row, &command);
    if (is_script_fed(s, row))
        command_through_shell(&command, s->conf.shell);
    s->page->results[SUPERVISE_HOOK] = (struct launch_result){ 0 };
    if (row->user == PLAN_AS_OWNER) {
        struct launch launch = row->is_of_pe ? s->pe_launch : s->hook_launch;
        launch.command = &command;
        run_launch(s, row, &launch, words);
    } else {
        run_as_other(s, row, &command, words);
    }
    command_free(&command);
    return words->len == 0;
}

/* what failed, where, and who wants to know more reads what it printed */
static void add_where(const struct shepherd *s, const struct plan_row *row, struct dstr *words)
{
    const char *log = s->page->results[SUPERVISE_HOOK].log;
    dstr_addf(words, MSG_WHERE_HOOK_SSS, row->command, s->conf.host,
              log != NULL ? log : "/dev/null");
}

/* what the exit of a hook means */
static unsigned judge_hook(struct shepherd *s, const struct plan_row *row, struct dstr *words)
{
    int wait_status = s->supervisor.child[SUPERVISE_HOOK].wait_status;
    if (WIFSIGNALED(wait_status))
        dstr_addf(words, MSG_HOOK_SIGNAL_SI, row->key, WTERMSIG(wait_status));
    else if (WEXITSTATUS(wait_status) != 0)
        dstr_addf(words, MSG_HOOK_STATUS_SI, row->key, WEXITSTATUS(wait_status));
    return plan_judge(row, wait_status);
}

unsigned hook_run(struct shepherd *s, const struct plan_row *row)
{
    struct dstr words = DSTR_INIT;
    if (row->command == NULL) {
        trace_add(&s->trace, MSG_TRACE_NO_SCRIPT_S, row->key);
        return TASK_FAILED_NOT;
    }
    unsigned result = row->rules.other;
    shepherd_protect(s);
    if (run_command(s, row, &words))
        result = judge_hook(s, row, &words);
    if (s->is_terminated)
        result = TASK_FAILED_AFTER_JOB;
    else if (s->is_hook_stopped || launch_is_owners_fault(&s->page->results[SUPERVISE_HOOK]))
        result = row->rules.signalled;
    if (words.len > 0) {
        add_where(s, row, &words);
        shepherd_say(s, geteuid(), getpid(), dstr_get(&words));
    }
    dstr_free(&words);
    return result;
}

bool hook_method(struct shepherd *s, enum plan_step step)
{
    const struct plan_row *row = &s->conf.plan.rows[step];
    if (row->command == NULL)
        return false;
    struct dstr words = DSTR_INIT;
    trace_add(&s->trace, MSG_TRACE_METHOD_SS, row->key, row->command);
    if (row->sig != 0)
        tree_signal(&s->supervisor, row->sig);
    else if (run_command(s, row, &words))
        (void)judge_hook(s, row, &words);
    if (words.len > 0)
        trace_add(&s->trace, "%s", dstr_get(&words));
    dstr_free(&words);
    return true;
}

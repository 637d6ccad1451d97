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

enum {
    SCRIPT_TIMEOUT_S = 120,
    EXIT_PUT_BACK = 99,
    EXIT_PARK = 100,
    SIGNAL_EXIT_BASE = 128, /* how a shell says that a signal ended what it ran */
    KILL_AGAIN_US = 100 * 1000
};

struct lookup_ctx {
    const struct config *conf;
    char job_pid[16];
};

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
    struct lookup_ctx *ctx = arg;
    if (strcmp(name, "job_pid") == 0)
        return ctx->job_pid;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return config_get(ctx->conf, name, "");
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        if (strcmp(name, flags[i]) == 0)
            return config_get(ctx->conf, name, "0");
    return NULL;
}

static void say_timeout(struct shepherd *s, const char *key, struct dstr *words)
{
    s->is_hook_stopped = process_is_stopped(s->supervisor.child[SUPERVISE_HOOK].pid);
    dstr_addf(words, s->is_hook_stopped ? MSG_HOOK_STOPPED_S : MSG_HOOK_TIMEOUT_S, key);
}

/* wait for the hook that runs; its time may be over, or the job may be ended meanwhile: then so is
 * the hook, and WORDS say it */
static void wait_for_hook(struct shepherd *s, const char *key, struct dstr *words)
{
    struct supervised *hook = &s->supervisor.child[SUPERVISE_HOOK];
    uint64_t timeout_s = SCRIPT_TIMEOUT_S;
    bool is_ending =
        strcmp(key, "terminate_method") == 0; /* to be asked for it again changes nothing */
    (void)config_u64(&s->conf, "script_timeout", &timeout_s);
    uint64_t until_us = uti_mono_us() + timeout_s * 1000000;
    for ((void)supervise_reap(&s->supervisor); !hook->is_done;
         (void)supervise_reap(&s->supervisor)) {
        int sig = supervise_sleep(until_us, SUPERVISE_ENDING);
        if (sig == SIGCHLD || (sig != 0 && is_ending))
            continue;
        if (words->len == 0 && sig == 0)
            say_timeout(s, key, words);
        else if (sig != 0)
            s->is_terminated = true;
        until_us = uti_mono_us() + KILL_AGAIN_US;
        (void)privilege_signal(-hook->pid, SIGKILL);
        (void)privilege_signal(hook->pid, SIGKILL); /* it may not have made its group yet */
    }
    if (s->is_terminated && words->len == 0)
        dstr_addf(words, MSG_HOOK_TERMINATED_S, key);
}

static const struct launch *launch_of(const struct shepherd *s, const char *key)
{
    bool is_of_pe = strcmp(key, "pe_start") == 0 || strcmp(key, "pe_stop") == 0;
    return is_of_pe ? &s->pe_launch : &s->hook_launch;
}

/* start TEXT and wait for it; true if it ran, its wait status is the supervisor's */
static bool run_command(struct shepherd *s, const char *key, const char *text, struct dstr *words)
{
    struct lookup_ctx ctx = { .conf = &s->conf };
    struct exec_command command;
    struct answer ans = ANSWER_INIT;
    struct launch launch = *launch_of(s, key);
    (void)snprintf(ctx.job_pid, sizeof ctx.job_pid, "%d",
                   (int)s->supervisor.child[SUPERVISE_JOB].pid);
    command_of_words(&command, text, look_up, &ctx, environment_get(&s->hook_env, "PATH"));
    launch.command = &command;
    struct launch_result *result = &s->page->results[SUPERVISE_HOOK];
    pid_t pid = shepherd_launch(s, &launch, result, &ans);
    if (pid > 0) {
        trace_add(&s->trace, MSG_TRACE_FORKED_SI, key, (int)pid);
        s->supervisor.child[SUPERVISE_HOOK] = (struct supervised){ .pid = pid };
        wait_for_hook(s, key, words);
        if (words->len == 0)
            (void)launch_failure(result, words);
    } else {
        dstr_add(words, ans_first_error(&ans));
    }
    ans_free(&ans);
    command_free(&command);
    return words->len == 0;
}

/* what failed, where, and who wants to know more reads what it printed */
static void add_where(const struct shepherd *s, const char *text, struct dstr *words)
{
    const char *log = s->page->results[SUPERVISE_HOOK].log;
    dstr_addf(words, MSG_WHERE_HOOK_SSS, text, config_get(&s->conf, "host", "this host"),
              log != NULL ? log : "/dev/null");
}

/* Hooks run as the job's owner, who can signal them: what a signal did to one is the job's failure,
 * and its queue goes on. */
static unsigned owners_failure(unsigned failure)
{
    bool has_job_run = failure == TASK_FAILED_IN_PE_STOP || failure == TASK_FAILED_IN_EPILOG;
    return has_job_run ? TASK_FAILED_AFTER_JOB : TASK_FAILED_BEFORE_JOB;
}

static bool is_by_signal(int exit_status)
{
    return exit_status > SIGNAL_EXIT_BASE && exit_status <= SIGNAL_EXIT_BASE + SIGRTMAX;
}

/* what the exit of a hook means */
static unsigned judge_hook(const char *key, int wait_status, unsigned failure, struct dstr *words)
{
    if (WIFSIGNALED(wait_status)) {
        dstr_addf(words, MSG_HOOK_SIGNAL_SI, key, WTERMSIG(wait_status));
        return owners_failure(failure);
    }
    int status = WEXITSTATUS(wait_status);
    if (status == 0)
        return TASK_FAILED_NOT;
    dstr_addf(words, MSG_HOOK_STATUS_SI, key, status);
    return status == EXIT_PUT_BACK ? TASK_FAILED_RESCHEDULE
           : status == EXIT_PARK   ? TASK_FAILED_APPERROR
           : is_by_signal(status)  ? owners_failure(failure)
                                   : failure;
}

/* "user@command": only root may become somebody else, and then execd would have to name him in
 * numbers */
static bool names_user(const char *text)
{
    return text[strcspn(text, "@ \t/")] == '@';
}

unsigned hook_run(struct shepherd *s, const char *key, unsigned failure)
{
    const char *text = config_command(&s->conf, key);
    struct dstr words = DSTR_INIT;
    if (text == NULL) {
        trace_add(&s->trace, MSG_TRACE_NO_SCRIPT_S, key);
        return TASK_FAILED_NOT;
    }
    unsigned result = failure;
    shepherd_protect(s);
    if (names_user(text))
        dstr_addf(&words, MSG_HOOK_USER_SS, key, text);
    else if (run_command(s, key, text, &words))
        result = judge_hook(key, s->supervisor.child[SUPERVISE_HOOK].wait_status, failure, &words);
    if (s->is_terminated)
        result = TASK_FAILED_AFTER_JOB;
    else if (s->is_hook_stopped || launch_is_owners_fault(&s->page->results[SUPERVISE_HOOK]))
        result = owners_failure(failure);
    if (result != TASK_FAILED_NOT) {
        if (!names_user(text))
            add_where(s, text, &words);
        trace_add(&s->trace, "%s", dstr_get(&words));
        task_error(geteuid(), getpid(), dstr_get(&words));
    }
    dstr_free(&words);
    return result;
}

bool hook_method(struct shepherd *s, const char *key)
{
    const char *text = config_command(&s->conf, key);
    if (text == NULL)
        return false;
    struct dstr words = DSTR_INIT;
    int sig = signal_of_name(text);
    trace_add(&s->trace, MSG_TRACE_METHOD_SS, key, text);
    const struct supervised *job = &s->supervisor.child[SUPERVISE_JOB];
    if (sig != 0)
        (void)(job->is_done ? 0 : privilege_signal(-job->pid, sig));
    else if (names_user(text))
        dstr_addf(&words, MSG_HOOK_USER_SS, key, text);
    else if (run_command(s, key, text, &words))
        (void)judge_hook(key, s->supervisor.child[SUPERVISE_HOOK].wait_status,
                         TASK_FAILED_BEFORE_JOB, &words);
    if (words.len > 0)
        trace_add(&s->trace, "%s", dstr_get(&words));
    dstr_free(&words);
    return true;
}

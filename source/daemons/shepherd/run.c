/* The life of a task: read, prolog, job, clean-up, epilog, write. What goes wrong at any step
 * ends in one number, the failure, and a line in "error"; clean-up and the last files are
 * reached from everywhere. The order of the last writes matters: "usage" ends with its line
 * "failed", and execd takes a file without that line as none; what fails afterwards is the file
 * "failed". A spare
 * shepherd waits between two tasks: nothing of the last one is left when the execd hears that it is
 * free, and what comes while there is no task ends it. Source: "The shepherd", process
 * flow; captures. */
#include "daemons/shepherd/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/shepherd/checkpoint.h"
#include "daemons/shepherd/command.h"
#include "daemons/shepherd/daemon_port.h"
#include "daemons/shepherd/detached.h"
#include "daemons/shepherd/hooks.h"
#include "daemons/shepherd/job_wait.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/task/start_file.h"
#include "libs/task/task_dir.h"
#include "libs/task/task_line.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

enum {
    WRITE_AGAIN_US = 1000 * 1000,
    CLEAN_TMPDIR_US = 2 * 1000 * 1000, /* what is left then is the execd's to remove */
    KILL_AGAIN_US = 100 * 1000,
    LAST_OUTPUT_US = 60 * 1000 * 1000,
    KILL_SLOWLY_US = 1000 * 1000,
    TELL_SURVIVORS_US = 10 * 1000 * 1000 /* what root cannot kill for so long hangs in the kernel */
};

static bool clean_tmpdir(struct shepherd *s)
{
    const char *tmpdir = s->conf.tmpdir;
    struct answer ans = ANSWER_INIT;
    if (tmpdir != NULL &&
        privilege_clean_tmpdir(tmpdir, uti_mono_us() + CLEAN_TMPDIR_US, &ans) != 0)
        trace_add(&s->trace, "%s", ans_first_error(&ans));
    bool is_clean = ans.n == 0;
    ans_free(&ans);
    return is_clean;
}

/* true if it was written, or cannot be: false if the disk is full */
static bool try_to_write(const char *name, const char *text)
{
    struct answer ans = ANSWER_INIT;
    bool is_full = false;
    if (file_overwrite_at(AT_FDCWD, name, text, strlen(text), 0644, &ans) != 0) {
        is_full = ans.v[0].status == STATUS_EDISK;
        if (!is_full)
            task_error(geteuid(), getpid(), ans_first_error(&ans));
    }
    ans_free(&ans);
    return !is_full;
}

/* say in "pid" who we are; the lock on it says that we live. False if another shepherd holds it.
 * A signal that comes while the disk is full stays pending: the job is ended by it, not started
 * as if nothing had been said. */
static bool take_directory(struct shepherd *s, bool has_pid_fd)
{
    struct dstr text = DSTR_INIT;
    int fd = TASK_PID_FD; /* the lock lives as long as we have the task */
    if (!has_pid_fd) {
        fd = open(TASK_FILE_PID, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0 || os_lock_take(fd) != 0 || ftruncate(fd, 0) != 0)
            return false;
    }
    bool is_written = s->self.pid != 0 || process_id_self(&s->self) == 0;
    process_id_text(&s->self, &text);
    while (is_written && pwrite(fd, dstr_get(&text), text.len, 0) <= 0) {
        is_written = errno == ENOSPC || errno == EDQUOT;
        if (is_written)
            (void)supervise_sleep(&s->supervisor, uti_mono_us() + WRITE_AGAIN_US, SUPERVISE_CHILD);
    }
    dstr_free(&text);
    return is_written;
}

/* end what the job left behind, until the shepherd has no child left: before that the task must
 * not start anywhere else */
static void clean_up(struct shepherd *s)
{
    if (!supervise_reap(&s->supervisor))
        return; /* nearly always */
    uint64_t told_us = uti_mono_us() + TELL_SURVIVORS_US, pause_us = KILL_AGAIN_US;
    trace_add(&s->trace, MSG_TRACE_LEFT_OVER);
    do {
        uint32_t left = tree_kill(&s->supervisor, &s->cgroup);
        while (supervise_sleep(&s->supervisor, uti_mono_us() + pause_us, SUPERVISE_CHILD) != 0 &&
               supervise_reap(&s->supervisor))
            ;
        if (uti_mono_us() >= told_us && supervise_reap(&s->supervisor)) {
            char text[80];
            (void)snprintf(text, sizeof text, MSG_SURVIVORS_U, left);
            shepherd_say(s, geteuid(), getpid(), text);
            told_us = UINT64_MAX;
            pause_us = KILL_SLOWLY_US;
        }
    } while (supervise_reap(&s->supervisor));
}

/* is what is executed first the queue's choice, its starter_method or shell, and not the job's? */
static bool is_queues_program(const struct shepherd *s)
{
    const struct strings *paths = &s->launch.command->paths;
    if (s->conf.starter != NULL)
        return true;
    return s->conf.is_shell_of_queue && paths->n == 1 && strcmp(paths->v[0], s->conf.shell) == 0;
}

/* the job's process could not begin */
static unsigned judge_launch(struct shepherd *s, unsigned failed, const char *words)
{
    const struct launch_result *result = &s->page->results[SUPERVISE_JOB];
    if (failed == TASK_FAILED_NO_SHELL && is_queues_program(s) && !launch_is_owners_fault(result))
        failed = TASK_FAILED_SETTING_UP;
    s->usage.start_s = 0;
    s->usage.wait_status = 0;
    shepherd_say(s, result->stage < LAUNCH_CWD ? geteuid() : s->conf.who.uid,
                 s->supervisor.child[SUPERVISE_JOB].pid, words);
    return failed;
}

static void say_parked(struct shepherd *s, int status)
{
    const char *log = s->page->results[SUPERVISE_JOB].log;
    struct dstr words = DSTR_INIT;
    dstr_addf(&words, MSG_JOB_STATUS_I MSG_WHERE_JOB_SS, status, s->conf.host,
              log != NULL ? log : "/dev/null");
    shepherd_say(s, geteuid(), getpid(), dstr_get(&words));
    dstr_free(&words);
}

/* did it end for its migration? Another exit says that it had just ended by itself */
static bool was_ended(int wait_status)
{
    enum { EXIT_PUT_BACK = 99, SIGNAL_EXIT_BASE = 128 };
    return WIFSIGNALED(wait_status) || WEXITSTATUS(wait_status) == EXIT_PUT_BACK ||
           WEXITSTATUS(wait_status) > SIGNAL_EXIT_BASE;
}

/* what the end of the job, which is ROW of the plan, means */
static unsigned judge_job(struct shepherd *s, const struct plan_row *row, int wait_status)
{
    struct dstr words = DSTR_INIT;
    unsigned failed = launch_failure(&s->page->results[SUPERVISE_JOB], &words);
    if (failed != TASK_FAILED_NOT) {
        failed = judge_launch(s, failed, dstr_get(&words));
    } else if (s->is_limit_reached) {
        failed = TASK_FAILED_LIMIT;
    } else {
        failed = plan_judge(row, wait_status);
        if (WIFSIGNALED(wait_status))
            trace_add(&s->trace, MSG_TRACE_SIGNALED_SI, "job", WTERMSIG(wait_status));
        if (s->is_migrating && was_ended(wait_status))
            failed = TASK_FAILED_MIGRATING;
        else if (s->conf.petask != NULL && s->is_client_lost)
            failed = TASK_FAILED_NOT; /* its task gave it up, and goes on */
        else if (failed == TASK_FAILED_APPERROR)
            say_parked(s, WEXITSTATUS(wait_status));
    }
    dstr_free(&words);
    return failed;
}

/* asked to end while we were reading or preparing? */
static bool is_asked_to_end(struct shepherd *s)
{
    int sig = supervise_sleep(&s->supervisor, 0, SUPERVISE_ENDING);
    s->is_terminated = s->is_terminated || (sig != 0 && sig != SIGCHLD);
    return s->is_terminated;
}

/* start it in its cgroup; where that cannot be, without */
static pid_t launch_job(struct shepherd *s, struct answer *ans)
{
    struct launch_result *result = &s->page->results[SUPERVISE_JOB];
    job_cgroup_make(&s->cgroup, s->conf.cgroup, &s->trace);
    job_cgroup_confine(&s->cgroup,
                       s->launch.processors != NULL ? s->launch.processors->text : NULL);
    s->launch.cgroup_fd = s->cgroup.fd;
    shepherd_expose(s); /* job_wait protects it again */
    pid_t pid = shepherd_launch(s, &s->launch, result, ans);
    if (pid > 0 || s->is_terminated || s->cgroup.fd == 0)
        return pid;
    trace_add(&s->trace, "%s", ans_first_error(ans));
    ans_free(ans);
    job_cgroup_remove(&s->cgroup);
    s->launch.cgroup_fd = 0;
    return shepherd_launch(s, &s->launch, result, ans);
}

/* the exit status of a task is that of the command, if a daemon has started one */
static void take_starters_status(struct shepherd *s)
{
    int err = 0, status = -1;
    if (s->conf.io != LAUNCH_IO_DAEMON || s->conf.is_login_session || s->conf.tmpdir == NULL)
        return;
    if (identity_borrow(&s->conf.who, &err) == IDENTITY_DONE)
        status = start_status_read(s->conf.tmpdir);
    identity_return(&s->conf.who);
    if (status >= 0 && WIFEXITED(s->usage.wait_status))
        s->usage.wait_status = status << 8; /* as wait(2) has it */
}

/* the job runs: stay with it until nothing of it is left */
static unsigned see_to_the_end(struct shepherd *s, const struct plan_row *row)
{
    const struct supervised *job = &s->supervisor.child[SUPERVISE_JOB];
    job_wait(s);
    if (s->conf.checkpoint.is_there)
        checkpoint_finish(s);
    s->usage.end_s = uti_now_s();
    s->usage.end_us = uti_mono_us();
    clean_up(s);
    (void)job_cgroup_cpu_us(&s->cgroup, &s->usage.cpu_us);
    s->usage.wait_status = job->wait_status;
    take_starters_status(s);
    trace_add(&s->trace, MSG_TRACE_EXITED_SI, "job", usage_exit_status(s->usage.wait_status));
    return judge_job(s, row, s->usage.wait_status);
}

/* the user in front of what starts the job, if there is one; a daemon's is always said. Returns
 * false with ans */
static bool take_other_user(struct shepherd *s, const struct plan_row *row, struct answer *ans)
{
    if (s->conf.io == LAUNCH_IO_DAEMON)
        return shepherd_launch_as(s, "session_daemon", LAUNCH_JOB, &s->launch, &s->job_other,
                                  &s->job_other_env, ans) == 0;
    bool is_starter = row->command == NULL && s->conf.starter != NULL;
    const char *command = is_starter ? s->conf.starter : row->command;
    if (command == NULL || plan_program(command) == command)
        return true;
    return shepherd_launch_as(s, is_starter ? "starter_method" : row->key, LAUNCH_JOB, &s->launch,
                              &s->job_other, &s->job_other_env, ans) == 0;
}

/* a process for it could not be made */
static unsigned say_unstarted(struct shepherd *s, const char *words)
{
    s->usage.start_s = 0;
    s->usage.end_s = uti_now_s();
    shepherd_say(s, geteuid(), getpid(), s->is_terminated ? MSG_NEVER_STARTED : words);
    return s->is_terminated ? TASK_FAILED_AFTER_JOB : TASK_FAILED_SETTING_UP;
}

static const char *no_variable(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return NULL;
}

/* on which the job runs: those that it is bound to, which are the queue's as well, or the queue's;
 * false: all */
static bool find_processors(struct shepherd *s, struct processors *p)
{
    bool is_bound = s->conf.binding_processors != NULL;
    const char *text = is_bound ? s->conf.binding_processors : s->conf.processors;
    if (!processors_from(p, text))
        return false;
    if (is_bound)
        trace_add(&s->trace, MSG_TRACE_BOUND_S, text);
    return true;
}

/* the job, or its restart from a checkpoint: ROW of the plan */
static unsigned run_job(struct shepherd *s, const struct plan_row *row)
{
    struct exec_command command;
    struct answer ans = ANSWER_INIT;
    unsigned failed;
    if (!take_other_user(s, row, &ans)) {
        failed = say_unstarted(s, ans_first_error(&ans));
        ans_free(&ans);
        return failed;
    }
    if (s->conf.io == LAUNCH_IO_DAEMON)
        command_of_words(&command, s->conf.session_daemon, no_variable, NULL, NULL);
    else if (row->command != NULL)
        hook_command(s, row, &command);
    else
        command_of_job(&command, &s->conf, environment_get(&s->env, "PATH"));
    s->launch.command = &command;
    s->launch.io.script = command.stdin_path;
    s->launch.io.is_script_open = command.stdin_path != NULL;
    s->launch.limits = &s->conf.limits;
    s->launch.nice_value = s->conf.nice_value;
    struct processors processors;
    if (find_processors(s, &processors))
        s->launch.processors = &processors;
    s->usage = (struct job_usage){ .start_s = uti_now_s(), .start_us = uti_mono_us() };
    pid_t pid = is_asked_to_end(s) ? -1 : launch_job(s, &ans);
    if (pid > 0) {
        s->supervisor.child[SUPERVISE_JOB] = (struct supervised){ .pid = pid };
        trace_add(&s->trace, MSG_TRACE_FORKED_SI, "job", (int)pid);
        session_job_started(&s->session);
        failed = see_to_the_end(s, row);
    } else {
        failed = say_unstarted(s, ans_first_error(&ans));
    }
    job_cgroup_remove(&s->cgroup);
    command_free(&command);
    ans_free(&ans);
    return failed;
}

/* What execd must know of the end. Its room was kept when the directory was made; should there
 * be none all the same, what the job has left in its TMPDIR goes first, and then this shepherd
 * stays while the disk is full, and its task counts as running. */
static void write_usage(struct shepherd *s, unsigned failed)
{
    struct dstr text = DSTR_INIT;
    s->is_usage_written = true;
    s->failed_in_usage = failed;
    usage_text(&s->usage, failed, &text);
    while (!try_to_write(TASK_FILE_USAGE, dstr_get(&text)))
        if (clean_tmpdir(s))
            (void)supervise_sleep(&s->supervisor, uti_mono_us() + WRITE_AGAIN_US, SUPERVISE_CHILD);
    dstr_free(&text);
}

static bool write_number(const char *name, int number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%d\n", number);
    return try_to_write(name, text);
}

/* The last word, after "usage", if it is another than there; on a full disk it goes there, where
 * there is room for it. */
static void write_last(struct shepherd *s, unsigned failed)
{
    if (s->usage.start_s != 0)
        (void)write_number(TASK_FILE_EXIT_STATUS, usage_exit_status(s->usage.wait_status));
    if ((s->is_usage_written && s->failed_in_usage == failed) ||
        write_number(TASK_FILE_FAILED, (int)failed))
        return;
    (void)unlink(TASK_FILE_FAILED);
    write_usage(s, failed);
}

/* the steps of the plan, as they apply; the first failure counts */
static unsigned run_plan(struct shepherd *s)
{
    const struct plan *plan = &s->conf.plan;
    struct plan_progress p = { .failed = TASK_FAILED_NOT };
    for (enum plan_step step = 0; step < PLAN_IN_ORDER; step++) {
        if (step == PLAN_JOB + 1 && p.is_begun)
            write_usage(s, p.failed); /* the epilog may read it */
        if (!plan_applies(plan, step, &p) || (step == PLAN_CLEAN && checkpoint_is_to_stay()))
            continue;
        const struct plan_row *row = &plan->rows[step];
        unsigned failed = row->is_job ? run_job(s, row) : hook_run(s, row);
        p.failed = p.failed != TASK_FAILED_NOT ? p.failed : failed;
        p.is_begun = p.is_begun || (step == PLAN_PROLOG && failed == TASK_FAILED_NOT);
        p.has_run = p.has_run || (row->is_job && s->usage.start_s != 0);
    }
    if (plan->is_clean_only)
        write_usage(s, p.failed);
    return p.failed;
}

/* ---- the client of an interactive task ---- */

/* a session through a configured daemon, which will start the command of the job */
static int begin_with_daemon(struct shepherd *s, struct session_place *place, struct answer *ans)
{
    struct exec_command command;
    struct dstr starter = DSTR_INIT;
    const char *bin = environment_get(&s->env, "SGE_BINARY_PATH");
    command_of_job(&command, &s->conf, environment_get(&s->env, "PATH"));
    struct start_file start = { s->conf.cwd, command.paths.v, command.argv.v, command.fallback.v,
                                s->env.v };
    dstr_addf(&starter, "%s/qrsh_starter", bin != NULL ? bin : "");
    struct daemon_place daemon = { dstr_get(&starter), s->conf.tmpdir,
                                   s->conf.is_login_session ? NULL : &start };
    place->daemon = &daemon;
    int rc = session_begin(&s->session, place, ans);
    dstr_free(&starter);
    command_free(&command);
    return rc;
}

static unsigned begin_session(struct shepherd *s)
{
    struct answer ans = ANSWER_INIT;
    if (s->conf.io == LAUNCH_IO_FILES || s->conf.plan.is_clean_only)
        return TASK_FAILED_NOT;
    const struct output *out = &s->launch.io.out, *err = &s->launch.io.err;
    struct detached_files files = { { out->path, out->in_dir }, { err->path, err->in_dir } };
    struct session_place place = { .socket = s->conf.session_socket,
                                   .task = s->conf.session_task,
                                   .digest = s->conf.session_digest,
                                   .who = &s->conf.who,
                                   .is_terminal = s->conf.io == LAUNCH_IO_TERMINAL,
                                   .files = s->conf.is_detachable ? &files : NULL };
    int rc = s->conf.io == LAUNCH_IO_DAEMON ? begin_with_daemon(s, &place, &ans)
                                            : session_begin(&s->session, &place, &ans);
    if (rc != 0)
        shepherd_say(s, geteuid(), getpid(), ans_first_error(&ans));
    s->supervisor.aside = (struct supervised){ .pid = s->session.pump };
    ans_free(&ans);
    return rc == 0 ? TASK_FAILED_NOT : TASK_FAILED_PREPARING;
}

/* until when the client may take to read what is left: a job that was ended waits for no more than
 * a minute, another one for as long as it might have run */
static uint64_t last_moment_us(const struct shepherd *s, unsigned failed)
{
    uint64_t limit_s = s->conf.limits.h_rt_s, at_us = uti_mono_us() + LAST_OUTPUT_US;
    if (failed != TASK_FAILED_NOT)
        return at_us;
    if (limit_s >= UINT64_MAX / 2000000)
        return UINT64_MAX;
    uint64_t limit_us = s->usage.start_us + limit_s * 1000000;
    return limit_us > at_us ? limit_us : at_us;
}

/* The task is there until its client has all of its output; a limit of time and a request to end it
 * hold for that, too. */
static void end_session(struct shepherd *s, unsigned failed)
{
    struct supervisor *v = &s->supervisor;
    bool has_run = s->usage.start_s != 0;
    if (s->session.pump == 0)
        return;
    if (s->conf.petask != NULL) /* what its client starts next may come before our end is seen */
        (void)try_to_write(TASK_FILE_ABOUT_TO_EXIT, "1\n");
    session_end(&s->session, has_run ? usage_exit_status(s->usage.wait_status) : 1,
                has_run                   ? NULL
                : s->last_said[0] != '\0' ? s->last_said
                                          : MSG_NEVER_STARTED);
    uint64_t until_us = last_moment_us(s, failed);
    for ((void)supervise_reap(v); !v->aside.is_done; (void)supervise_reap(v))
        if (supervise_sleep(v, until_us, SUPERVISE_ENDING) != SIGCHLD)
            (void)privilege_signal(v->aside.pid, SIGKILL);
}

unsigned shepherd_run(struct shepherd *s, bool has_pid_fd)
{
    s->supervisor.usage = &s->usage;
    if (!take_directory(s, has_pid_fd))
        return TASK_FAILED_BEFORE_JOB;
    trace_add(&s->trace, MSG_TRACE_START);
    unsigned failed = shepherd_read(s);
    if (failed == TASK_FAILED_NOT)
        failed = begin_session(s);
    if (failed == TASK_FAILED_NOT) {
        failed = run_plan(s);
        clean_up(s); /* of hooks, too */
        end_session(s, failed);
        (void)clean_tmpdir(s);
    }
    const struct plan_row *rows = s->conf.plan.rows;
    bool has_end_hook = rows[PLAN_PE_STOP].command != NULL || rows[PLAN_EPILOG].command != NULL;
    if (failed != TASK_FAILED_NOT || has_end_hook || s->trace.is_on) {
        write_last(s, failed);
        trace_flush(&s->trace);
    }
    return failed;
}

/* ---- between two tasks ---- */

/* readable while any signal is pending but that of a child that has ended */
static int open_signals(void)
{
    sigset_t signals;
    sigfillset(&signals);
    sigdelset(&signals, SIGCHLD);
    return os_signal_fd(&signals);
}

/* false: there will be no next task */
static bool wait_for_line(const struct shepherd *s)
{
    struct pollfd fds[] = { { .fd = TASK_LINE_FD, .events = POLLIN },
                            { .fd = s->signal_fd, .events = POLLIN } };
    return poll(fds, ARRAY_LEN(fds), -1) > 0 && (fds[0].revents & POLLIN) != 0;
}

static bool take_task(void)
{
    int dir_fd, pid_fd;
    if (task_line_take(TASK_LINE_FD, &dir_fd, &pid_fd) != 0)
        return false;
    bool is_there = fchdir(dir_fd) == 0;
    close(dir_fd);
    if (pid_fd != TASK_PID_FD) {
        is_there = is_there && dup3(pid_fd, TASK_PID_FD, O_CLOEXEC) >= 0;
        close(pid_fd);
    }
    return is_there;
}

bool next_task_wait(struct shepherd *s)
{
    shepherd_clear(s);
    if (s->signal_fd == 0) /* while TASK_PID_FD is open: it must not get that number */
        s->signal_fd = open_signals();
    close(TASK_PID_FD);
    (void)chdir("/"); /* the directory of the task is the execd's now */
    return s->signal_fd >= 0 && task_line_say_free(TASK_LINE_FD) == 0 && wait_for_line(s) &&
           take_task();
}

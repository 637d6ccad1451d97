/* The real sge_shepherd in a directory of its own, as whoever runs the tests; as root also as another user. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"
#include "libs/uti/task_dir.h"

enum { WAIT_MS = 20000, POLL_MS = 2 };

struct place {
    char *dir, *task_dir;
    uid_t uid;
    gid_t gid;
};
static const char *shepherd; /* set once by main */

static int setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    char dir[] = "/tmp/shepherd-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chmod(dir, 0777), 0);
    p->dir = strdup(dir);
    p->task_dir = path_join(dir, "task");
    assert_int_equal(mkdir(p->task_dir, 0755), 0);
    p->uid = geteuid();
    p->gid = getegid();
    if (p->uid == 0) { /* any other user will do */
        p->uid = 65534;
        p->gid = 65534;
    }
    (void)os_become_subreaper();
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    struct answer ans = ANSWER_INIT;
    struct process_list left = { 0 };
    process_descendants(getpid(), &left);
    assert_int_equal(left.n, 0); /* no test leaves a process behind */
    process_list_free(&left);
    assert_int_equal(file_rmtree(p->dir, &ans), 0);
    ans_free(&ans);
    free(p->dir);
    free(p->task_dir);
    free(p);
    return 0;
}

static void write_task_file(const struct place *p, const char *name, const struct dstr *text)
{
    char *path = path_join(p->task_dir, name);
    assert_int_equal(file_write(path, dstr_get(text), text->len, 0644, NULL), 0);
    free(path);
}

static char *read_in(const char *dir, const char *name)
{
    struct dstr text = DSTR_INIT;
    char *path = path_join(dir, name);
    (void)file_read(path, 1 << 20, &text, NULL);
    free(path);
    return dstr_take(&text);
}

/* a binary COMMAND with output to dir/out and the lines MORE; lines that come later lose */
static void write_config(const struct place *p, const char *command, const char *more)
{
    struct dstr config = DSTR_INIT, environment = DSTR_INIT;
    dstr_add(&config, more);
    task_text_add(&config, "script_file", command);
    dstr_addf(&config, "stdout_path=%s/out\ncwd=%s\njob_uid=%u\njob_gid=%u\njob_groups=%u\n",
              p->dir, p->dir, (unsigned)p->uid, (unsigned)p->gid, (unsigned)p->gid);
    dstr_add(&config,
             "handle_as_binary=1\nshell_path=/bin/sh\nuse_login_shell=1\njob_id=12\njob_name=name\n"
             "merge_stderr=1\nscript_timeout=10\n");
    dstr_addf(&environment, "PATH=/usr/bin:/bin\nDIR=%s\n", p->dir);
    write_task_file(p, TASK_FILE_CONFIG, &config);
    write_task_file(p, TASK_FILE_ENVIRONMENT, &environment);
    dstr_free(&config);
    dstr_free(&environment);
}

static pid_t start(const struct place *p)
{
    posix_spawn_file_actions_t actions;
    char *argv[] = { (char *)(uintptr_t)shepherd, NULL }, *envp[] = { NULL };
    pid_t pid;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, p->task_dir), 0);
    assert_int_equal(posix_spawn(&pid, shepherd, &actions, NULL, argv, envp), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    return pid;
}

static int finish(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int run(const struct place *p, const char *command, const char *more)
{
    write_config(p, command, more);
    return finish(start(p));
}

static long usage_of(const struct place *p, const char *name)
{
    char *text = read_in(p->task_dir, TASK_FILE_USAGE);
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%s=", name);
    const char *at = strstr(text, dstr_get(&key));
    assert_non_null(at);
    long value = strtol(at + key.len, NULL, 10);
    free(text);
    dstr_free(&key);
    return value;
}

static void expect_text(const char *dir, const char *name, const char *wanted)
{
    char *text = read_in(dir, name);
    assert_string_equal(text, wanted);
    free(text);
}

/* the line in "error" after its date and [uid:pid] */
static void expect_error(const struct place *p, const char *wanted)
{
    char *text = read_in(p->task_dir, TASK_FILE_ERROR);
    char *at = strstr(text, "]: ");
    assert_non_null(at);
    at += 3;
    at[strcspn(at, "\n")] = '\0';
    assert_string_equal(at, wanted);
    free(text);
}

/* wait until dir/NAME holds a number */
static pid_t wait_pid(const struct place *p, const char *name)
{
    for (int i = 0; i < WAIT_MS / POLL_MS; i++) {
        int32_t pid;
        char *text = read_in(p->dir, name);
        size_t len = strcspn(text, "\n");
        bool is_whole = text[len] == '\n';
        text[len] = '\0';
        bool is_pid = is_whole && parse_i32(text, &pid);
        free(text);
        if (is_pid)
            return pid;
        (void)poll(NULL, 0, POLL_MS);
    }
    fail();
    return -1;
}

static char state_of(pid_t pid)
{
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    char state = '-';
    dstr_addf(&path, "/proc/%d/stat", (int)pid);
    if (file_read(dstr_get(&path), 4096, &text, NULL) == 0) {
        const char *at = strrchr(dstr_get(&text), ')');
        state = at != NULL && at[1] == ' ' ? at[2] : '-';
    }
    dstr_free(&path);
    dstr_free(&text);
    return state;
}

static bool wait_state(pid_t pid, const char *states)
{
    for (int i = 0; i < WAIT_MS / POLL_MS; i++) {
        if (strchr(states, state_of(pid)) != NULL)
            return true;
        (void)poll(NULL, 0, POLL_MS);
    }
    return false;
}

/* ---- the job ---- */

static void test_exit_codes(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "echo out; echo err >&2; exit 3", ""), TASK_FAILED_NOT);
    assert_int_equal(usage_of(p, "exit_status"), 3);
    assert_int_equal(usage_of(p, "failed"), 0);
    expect_text(p->dir, "out", "out\nerr\n");
    assert_int_equal(run(p, "exit 99", ""), TASK_FAILED_RESCHEDULE);
    assert_int_equal(usage_of(p, "exit_status"), 99);
    assert_int_equal(run(p, "exit 99", "forbid_reschedule=1\n"), TASK_FAILED_NOT);
    assert_int_equal(run(p, "exit 100", "forbid_apperror=1\n"), TASK_FAILED_NOT);
    assert_int_equal(run(p, "exit 100", ""), TASK_FAILED_APPERROR);
    expect_error(p, "exit_status of job start = 100");
    assert_int_equal(run(p, "exit 137", ""), TASK_FAILED_NOT); /* a number, no signal */
    assert_int_equal(usage_of(p, "signal"), 0);
}

static void test_success_leaves_few_files(void **state)
{
    struct place *p = *state;
    static const char *const not_there[] = { TASK_FILE_ERROR, TASK_FILE_TRACE,
                                             TASK_FILE_EXIT_STATUS };
    assert_int_equal(run(p, "true", ""), TASK_FAILED_NOT);
    for (size_t i = 0; i < ARRAY_LEN(not_there); i++) {
        char *path = path_join(p->task_dir, not_there[i]);
        assert_int_not_equal(access(path, F_OK), 0);
        free(path);
    }
}

static void test_arguments(void **state)
{
    struct place *p = *state;
    assert_int_equal(
        run(p, "printf",
            "njob_args=4\njob_arg1=<%s>\njob_arg2=a b\njob_arg3=$DIR\njob_arg4=x\"`y\\\\z'\n"),
        TASK_FAILED_NOT);
    struct dstr wanted = DSTR_INIT;
    dstr_addf(&wanted, "<a b><%s><x\"`y\\z'>", p->dir);
    expect_text(p->dir, "out", dstr_get(&wanted));
    dstr_free(&wanted);
}

static void write_script(const struct place *p, const char *text)
{
    char *path = path_join(p->dir, "script");
    assert_int_equal(file_write(path, text, strlen(text), 0755, NULL), 0);
    free(path);
}

static void run_script(const struct place *p, const char *text, const char *mode,
                       const char *wanted)
{
    struct dstr more = DSTR_INIT;
    write_script(p, text);
    dstr_addf(&more,
              "handle_as_binary=0\nshell_start_mode=%s\nscript_file=%s/"
              "script\nnjob_args=1\njob_arg1=a b\n",
              mode, p->dir);
    assert_int_equal(run(p, "", dstr_get(&more)), TASK_FAILED_NOT);
    expect_text(p->dir, "out", wanted);
    char *out = path_join(p->dir, "out");
    assert_int_equal(unlink(out), 0);
    free(out);
    dstr_free(&more);
}

static void test_script_modes(void **state)
{
    struct place *p = *state;
    run_script(p, "#!/bin/sh\necho \"$1\"\n", "unix_behavior", "a b\n");
    run_script(p, "echo \"$1\"\n", "unix_behavior", "a b\n"); /* without "#!": the shell */
    run_script(p, "#!/bin/false\necho \"$1\"\n", "posix_compliant", "a b\n");
    run_script(p, "echo \"$1\"\n", "script_from_stdin", "a b\n");
}

static void test_no_shell(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "/bin/echo", "no_shell=1\nnjob_args=1\njob_arg1=$DIR\n"),
                     TASK_FAILED_NOT);
    expect_text(p->dir, "out", "$DIR\n");
    assert_int_equal(run(p, "/nonexistent/cmd", "no_shell=1\n"), TASK_FAILED_NO_SHELL);
    expect_error(
        p, "execvlp(/nonexistent/cmd, \"/nonexistent/cmd\") failed: No such file or directory");
    assert_int_equal(usage_of(p, "start_time"), 0); /* it never ran */
    expect_text(p->task_dir, TASK_FILE_EXIT_STATUS, "27\n");
}

static void test_missing_cwd(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "true", "cwd=/nonexistent/dir\n"), TASK_FAILED_NO_CWD);
    expect_error(p, "error: can't chdir to /nonexistent/dir: No such file or directory");
}

static void test_unwritable_output(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "true", "stdout_path=/nonexistent/dir/x\n"), TASK_FAILED_OPEN_OUTPUT);
    expect_error(p,
                 "error: can't open output file \"/nonexistent/dir/x\": No such file or directory");
}

static void test_output_in_directory(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, wanted = DSTR_INIT;
    dstr_addf(&more, "stdout_path=%s\nstderr_path=%s\nmerge_stderr=0\nja_task_id=3\n", p->dir,
              p->dir);
    assert_int_equal(run(p, "echo $SGE_STDOUT_PATH; echo $SGE_STDERR_PATH >&2", dstr_get(&more)),
                     TASK_FAILED_NOT);
    dstr_addf(&wanted, "%s/name.o12.3\n", p->dir);
    expect_text(p->dir, "name.o12.3", dstr_get(&wanted));
    dstr_clear(&wanted);
    dstr_addf(&wanted, "%s/name.e12.3\n", p->dir);
    expect_text(p->dir, "name.e12.3", dstr_get(&wanted));
    dstr_free(&more);
    dstr_free(&wanted);
}

static void test_environment_is_the_jobs_alone(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "/usr/bin/env", "no_shell=1\nstdin_path=/dev/null\n"), TASK_FAILED_NOT);
    char *out = read_in(p->dir, "out");
    assert_non_null(strstr(out, "SGE_STDIN_PATH=/dev/null\n"));
    assert_non_null(strstr(out, "SGE_CWD_PATH="));
    assert_null(strstr(out, "HOME="));
    free(out);
}

static void test_descriptors_do_not_leak(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "/bin/ls", "no_shell=1\nnjob_args=1\njob_arg1=/proc/self/fd\n"),
                     TASK_FAILED_NOT);
    expect_text(p->dir, "out", "0\n1\n2\n3\n"); /* 3 is the directory that ls itself reads */
}

static void test_limits(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "ulimit -f; ulimit -c", "h_fsize=1048576\ns_core=0\nh_core=0\n"),
                     TASK_FAILED_NOT);
    expect_text(p->dir, "out", "2048\n0\n");
}

static void test_h_rt(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "sleep 1000", "h_rt=0\n"), TASK_FAILED_LIMIT);
    assert_int_equal(usage_of(p, "exit_status"), 137);
    assert_int_equal(usage_of(p, "failed"), 37);
    assert_int_equal(run(p, "trap 'exit 5' USR1; while :; do sleep 0.01; done", "s_rt=1\n"),
                     TASK_FAILED_NOT);
    assert_int_equal(usage_of(p, "exit_status"), 5);
}

static void test_tmpdir(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *tmpdir = path_join(p->dir, "tmp");
    dstr_addf(&more, "tmpdir=%s\n", tmpdir);
    assert_int_equal(mkdir(tmpdir, 0777), 0);
    assert_int_equal(chmod(tmpdir, 0777), 0);
    assert_int_equal(run(p, "true", dstr_get(&more)), TASK_FAILED_NOT);
    assert_int_equal(access(tmpdir, F_OK), 0); /* empty: execd uses it again */
    assert_int_equal(run(p, "mkdir -p tmp/a/b && touch tmp/a/b/c", dstr_get(&more)),
                     TASK_FAILED_NOT);
    assert_int_equal(usage_of(p, "exit_status"), 0);
    assert_int_not_equal(access(tmpdir, F_OK), 0);
    dstr_free(&more);
    free(tmpdir);
}

/* ---- processes and signals ---- */

#define HIDE         "setsid sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; exit 0'; "
#define UNTIL_HIDDEN "while [ ! -s hidden ]; do :; done; "

static void test_double_fork(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, HIDE UNTIL_HIDDEN "exit 0", ""), TASK_FAILED_NOT);
    assert_int_equal(kill(wait_pid(p, "hidden"), 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void test_kill(void **state)
{
    struct place *p = *state;
    write_config(p, HIDE UNTIL_HIDDEN "echo $$ > job; exec sleep 1000", "");
    pid_t pid = start(p);
    (void)wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(usage_of(p, "exit_status"), 137);
    assert_int_equal(usage_of(p, "signal"), 9);
    assert_int_equal(kill(wait_pid(p, "hidden"), 0), -1);
}

static void test_suspend(void **state)
{
    struct place *p = *state;
    write_config(p, HIDE UNTIL_HIDDEN "echo $$ > job; exec sleep 1000", "");
    pid_t pid = start(p), job = wait_pid(p, "job"), hidden = wait_pid(p, "hidden");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    assert_true(wait_state(job, "T"));
    assert_true(wait_state(hidden, "T")); /* the whole tree, not the group alone */
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0);
    assert_true(wait_state(job, "SR"));
    assert_true(wait_state(hidden, "SR"));
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    assert_true(wait_state(job, "T"));
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0); /* a suspended job can be ended */
    assert_int_equal(finish(pid), TASK_FAILED_AFTER_JOB);
}

static void test_passed_on_signals(void **state)
{
    struct place *p = *state;
    struct dstr number = DSTR_INIT;
    write_config(
        p, "trap 'echo usr1' USR1; trap 'echo hup; exit 6' HUP; echo $$ > job; while :; do :; done",
        "");
    pid_t pid = start(p);
    (void)wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGUSR1)), 0);
    bool is_told = false;
    while (!is_told) {
        char *out = read_in(p->dir, "out");
        is_told = *out != '\0';
        free(out);
    }
    dstr_addf(&number, "%d\n", SIGHUP);
    write_task_file(p, TASK_FILE_SIGNAL, &number);
    dstr_free(&number);
    assert_int_equal(kill(pid, task_signal_for(SIGHUP)), 0);
    assert_int_equal(finish(pid), TASK_FAILED_NOT);
    assert_int_equal(usage_of(p, "exit_status"), 6);
    expect_text(p->dir, "out", "usr1\nhup\n");
}

static void test_own_signal(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "kill -11 $$", ""), TASK_FAILED_AFTER_JOB);
    assert_int_equal(usage_of(p, "exit_status"), 139);
}

static void test_shepherd_killed(void **state)
{
    struct place *p = *state;
    int status;
    write_config(p, "echo $$ > job; exec sleep 1000", "");
    pid_t pid = start(p), job = wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(waitpid(job, &status, 0),
                     job); /* the kernel ends the job with it; as subreaper we see it */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_limit_on_core_files_that_was_inherited_stays(void **state)
{
    struct place *p = *state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_CORE, &before), 0);
    none = before;
    none.rlim_cur = none.rlim_max = 0;
    write_config(p, "ulimit -Sc; ulimit -Hc", "s_core=INFINITY\nh_core=INFINITY\n");
    pid_t pid = fork(); /* a limit that was lowered stays low */
    if (pid == 0) {
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)(chdir(p->task_dir) == 0 && execl(shepherd, "sge_shepherd", (char *)NULL));
        _exit(1);
    }
    assert_int_equal(finish(pid), TASK_FAILED_NOT);
    expect_text(p->dir, "out", "0\n0\n");
}

static void limits_hold_for_all_processes_together(void **state)
{
    struct place *p = *state;
    static const struct {
        const char *name, *limit, *command;
    } cases[] = {
        { "h_cpu", "h_cpu=2\n", "for i in 1 2 3 4 5 6; do while :; do :; done & done; wait" },
        { "h_vmem", "h_vmem=60000000\n", "for i in $(seq 60); do sleep 1000 & done; wait" },
        { "h_rss", "h_rss=20000000\n", "for i in $(seq 60); do sleep 1000 & done; wait" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(run(p, cases[i].command, cases[i].limit), TASK_FAILED_LIMIT);
        char *text = read_in(p->task_dir, TASK_FILE_ERROR);
        assert_non_null(strstr(text, cases[i].name));
        assert_non_null(strstr(text, "the processes of the job together may use"));
        free(text);
    }
}

/* ---- hooks ---- */

static void test_hooks(void **state)
{
    struct place *p = *state;
    write_script(p, "#!/bin/sh\necho hook $1 $2\nexit ${3:-0}\n");
    struct dstr more = DSTR_INIT;
    dstr_addf(&more, "prolog=%s/script before $job_id\nepilog=%s/script after $job_name\n", p->dir,
              p->dir);
    assert_int_equal(run(p, "echo job", dstr_get(&more)), TASK_FAILED_NOT);
    expect_text(p->dir, "out", "hook before 12\njob\nhook after name\n");
    expect_text(p->task_dir, TASK_FILE_EXIT_STATUS, "0\n");
    dstr_clear(&more);
    dstr_addf(&more, "prolog=%s/script a b 7\n", p->dir);
    assert_int_equal(run(p, "echo never", dstr_get(&more)), TASK_FAILED_IN_PROLOG);
    expect_error(p, "exit_status of prolog = 7");
    expect_text(p->dir, "out", "hook before 12\njob\nhook after name\nhook a b\n");
    dstr_clear(&more);
    dstr_addf(&more, "epilog=%s/script a b 8\n", p->dir);
    assert_int_equal(run(p, "exit 1", dstr_get(&more)), TASK_FAILED_IN_EPILOG);
    dstr_clear(&more);
    dstr_addf(&more, "prolog=%s/script a b 99\n", p->dir);
    assert_int_equal(run(p, "true", dstr_get(&more)), TASK_FAILED_RESCHEDULE);
    dstr_free(&more);
}

static void test_hook_timeout(void **state)
{
    struct place *p = *state;
    assert_int_equal(run(p, "true", "prolog=/bin/sleep 1000\nscript_timeout=0\n"),
                     TASK_FAILED_IN_PROLOG);
    expect_error(p, "prolog took longer than script_timeout");
}

/* what the job's owner can break does not make a hook fail, which would be the queue's fault */
static void a_hook_runs_whatever_the_job_says(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, environment = DSTR_INIT;
    char *mark = path_join(p->dir, "mark");
    write_script(p, "#!/bin/sh\n{ pwd; echo $PATH; env; } > $1\necho line\n");
    dstr_addf(&more, "prolog=%s/script %s\nstdout_path=/nonexistent/out\ncwd=/nonexistent\n",
              p->dir, mark);
    write_config(p, "true", dstr_get(&more));
    dstr_add(&environment, "PATH=/evil\nLD_PRELOAD=/evil.so\nBASH_ENV=/evil.sh\nENV=/evil.sh\nX=y\n"
                           "JOB_ID=12\nSGE_O_HOME=/home/x\n");
    write_task_file(p, TASK_FILE_ENVIRONMENT, &environment);
    assert_int_equal(finish(start(p)), TASK_FAILED_NO_CWD); /* of the job */
    char *text = read_in(p->dir, "mark");
    assert_non_null(strstr(text, "/\n/usr/local/bin:/usr/bin:/bin\n"));
    assert_non_null(strstr(text, "JOB_ID=12\n"));
    assert_non_null(strstr(text, "SGE_O_HOME=/home/x\n"));
    assert_null(strstr(text, "evil"));
    assert_null(strstr(text, "X=y"));
    free(text);
    free(mark);
    dstr_free(&more);
    dstr_free(&environment);
}

static void a_hook_does_not_wait_for_the_reader_of_a_pipe(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *fifo = path_join(p->dir, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(chmod(fifo, 0666), 0);
    write_script(p, "#!/bin/sh\necho line\n");
    dstr_addf(&more, "prolog=%s/script\nstdout_path=%s\n", p->dir, fifo);
    write_config(p, "echo $$ > started", dstr_get(&more));
    pid_t pid = start(p);
    int reader = open(fifo, O_RDONLY | O_CLOEXEC); /* the job itself waits for one */
    assert_int_equal(finish(pid), TASK_FAILED_NOT);
    close(reader);
    free(fifo);
    dstr_free(&more);
}

static void repeating_the_end_does_not_cut_the_terminate_method_short(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *gate = path_join(p->dir, "gate");
    assert_int_equal(mkfifo(gate, 0666), 0);
    assert_int_equal(chmod(gate, 0666), 0);
    write_script(p,
                 "#!/bin/sh\necho $$ > method; read x < $2; echo whole > after; kill -KILL $1\n");
    dstr_addf(&more, "terminate_method=%s/script $job_pid %s\n", p->dir, gate);
    write_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = start(p);
    (void)wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGTERM), 0);
    (void)wait_pid(p, "method");
    for (int i = 0; i < 3; i++)
        assert_int_equal(kill(pid, SIGTERM), 0);
    int fd = open(gate, O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
    assert_int_equal(finish(pid), TASK_FAILED_AFTER_JOB);
    expect_text(p->dir, "after", "whole\n");
    free(gate);
    dstr_free(&more);
}

static void a_task_that_is_ended_before_its_job_runs_does_not_run_it(void **state)
{
    struct place *p = *state;
    sigset_t all, before;
    sigfillset(&all);
    write_config(p, "echo ran > ran", "");
    assert_int_equal(sigprocmask(SIG_BLOCK, &all, &before), 0); /* the shepherd begins with it */
    pid_t pid = start(p);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    int failed = finish(pid);
    assert_int_equal(failed, TASK_FAILED_AFTER_JOB);
}

static void what_is_removed_for_the_execd_is_gone(void **state)
{
    struct place *p = *state;
    char *dir = path_join(p->dir, "aside"), *sub = path_join(dir, "sub/sub"),
         *file = path_join(sub, "x");
    assert_int_equal(file_mkdirs(sub, 0755, NULL), 0);
    assert_int_equal(file_write(file, "x", 1, 0600, NULL), 0);
    if (geteuid() == 0)
        assert_int_equal(chown(dir, p->uid, p->gid),
                         0); /* only the top is its owner's: root does the rest */
    char *argv[] = { (char *)(uintptr_t) "sge_shepherd", (char *)(uintptr_t) "-remove", dir, NULL },
         *envp[] = { NULL };
    pid_t pid;
    assert_int_equal(posix_spawn(&pid, shepherd, NULL, NULL, argv, envp), 0);
    assert_int_equal(finish(pid), 0);
    assert_int_not_equal(access(dir, F_OK), 0);
    free(dir);
    free(sub);
    free(file);
}

static void test_kill_during_prolog(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    write_script(p, "#!/bin/sh\necho $$ > hook; sleep 1000\n");
    dstr_addf(&more, "prolog=%s/script\n", p->dir);
    write_config(p, "echo never", dstr_get(&more));
    pid_t pid = start(p);
    (void)wait_pid(p, "hook");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(finish(pid), TASK_FAILED_AFTER_JOB);
    expect_error(p, "job was ended during its prolog");
    expect_text(p->dir, "out", "");
    dstr_free(&more);
}

static void test_methods(void **state)
{
    struct place *p = *state;
    write_script(p, "#!/bin/sh\necho $1 $2 >> methods\n");
    struct dstr more = DSTR_INIT;
    dstr_addf(&more,
              "suspend_method=%s/script suspend $job_pid\nterminate_method=SIGQUIT\ntrace=1\n",
              p->dir);
    write_config(p, "trap 'exit 4' QUIT; echo $$ > job; while :; do sleep 0.01; done",
                 dstr_get(&more));
    pid_t pid = start(p), job = wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    char *text = NULL;
    do {
        free(text);
        text = read_in(p->dir, "methods");
    } while (strchr(text, '\n') == NULL);
    dstr_clear(&more);
    dstr_addf(&more, "suspend %d\n", (int)job);
    assert_string_equal(text, dstr_get(&more));
    free(text);
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(finish(pid), TASK_FAILED_NOT);
    assert_int_equal(usage_of(p, "exit_status"), 4);
    dstr_free(&more);
}

/* ---- bad files, other users ---- */

static void test_bad_files(void **state)
{
    struct place *p = *state;
    struct dstr text = DSTR_INIT;
    assert_int_equal(finish(start(p)), TASK_FAILED_READING_CONFIG); /* no config */
    write_config(p, "true", "h_cpu=soon\n");
    assert_int_equal(finish(start(p)), TASK_FAILED_READING_CONFIG);
    dstr_add(&text, "no equals sign\n");
    write_task_file(p, TASK_FILE_CONFIG, &text);
    assert_int_equal(finish(start(p)), TASK_FAILED_READING_CONFIG);
    expect_text(p->task_dir, TASK_FILE_EXIT_STATUS, "5\n");
    dstr_free(&text);
}

static void test_one_shepherd_a_directory(void **state)
{
    struct place *p = *state;
    write_config(p, "echo $$ > job; sleep 1000", "");
    pid_t pid = start(p);
    (void)wait_pid(p, "job");
    assert_int_equal(finish(start(p)), TASK_FAILED_BEFORE_JOB);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(finish(pid), TASK_FAILED_AFTER_JOB);
}

/* an ordinary user runs jobs as itself: the other tests */
static void need_root(void)
{
    if (geteuid() == 0)
        return;
    print_message("impossible here: only root runs jobs of others\n");
    skip();
}

/* the set of signals NAME ("SigBlk", "ShdPnd") of process PID has SIG */
static bool has_signal(pid_t pid, const char *name, int sig)
{
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    dstr_addf(&path, "/proc/%d/status", (int)pid);
    assert_int_equal(file_read(path.s, 1 << 16, &text, NULL), 0);
    const char *at = strstr(text.s, name);
    assert_non_null(at);
    unsigned long long set = strtoull(at + strlen(name) + 1, NULL, 16);
    dstr_free(&path);
    dstr_free(&text);
    return (set >> (sig - 1) & 1) != 0;
}

static void wait_for_signal(pid_t pid, const char *name, int sig)
{
    bool has_it = false;
    for (int i = 0; i < 4000 && !(has_it = has_signal(pid, name, sig)); i++)
        (void)poll(NULL, 0, 5);
    assert_true(has_it);
}

/* it cannot say who it is, and waits; asked to end meanwhile it must end the job, so the signal has to be there when the job starts */
static void test_a_signal_waits_while_the_disk_is_full(void **state)
{
    struct place *p = *state;
    posix_spawn_file_actions_t actions;
    char *argv[] = { (char *)(uintptr_t)shepherd, (char *)(uintptr_t) "-bg", NULL },
         *envp[] = { NULL };
    pid_t pid;
    write_config(p, "true", "");
    int full = open("/dev/full", O_RDWR | O_CLOEXEC), status;
    assert_true(full >= 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, p->task_dir), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, full, TASK_PID_FD), 0);
    assert_int_equal(posix_spawn(&pid, shepherd, &actions, NULL, argv, envp), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    wait_for_signal(pid, "SigBlk", SIGTERM);
    assert_int_equal(kill(pid, SIGTERM), 0);
    wait_for_signal(pid, "ShdPnd", SIGTERM);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(full);
}

static void test_other_user(void **state)
{
    struct place *p = *state;
    struct dstr wanted = DSTR_INIT;
    need_root();
    assert_int_equal(
        run(p, "id -u; id -g; id -G; umask", "job_groups=65534,27\nadd_grp_id=65401\n"),
        TASK_FAILED_NOT);
    dstr_addf(&wanted, "%u\n%u\n65534 27 65401\n0022\n", (unsigned)p->uid, (unsigned)p->gid);
    expect_text(p->dir, "out", dstr_get(&wanted));
    dstr_free(&wanted);
}

static void test_root_needs_an_owner(void **state)
{
    struct place *p = *state;
    need_root();
    assert_int_equal(run(p, "true", "job_uid=nobody\n"), TASK_FAILED_READING_CONFIG);
    expect_error(p, "config: \"job_uid\" has the value \"nobody\"");
}

int main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_exit_codes),
        T(test_success_leaves_few_files),
        T(test_arguments),
        T(test_script_modes),
        T(test_no_shell),
        T(test_missing_cwd),
        T(test_unwritable_output),
        T(test_output_in_directory),
        T(test_environment_is_the_jobs_alone),
        T(test_descriptors_do_not_leak),
        T(test_limits),
        T(test_h_rt),
        T(test_tmpdir),
        T(test_double_fork),
        T(test_kill),
        T(test_suspend),
        T(test_passed_on_signals),
        T(test_own_signal),
        T(test_shepherd_killed),
        T(a_limit_on_core_files_that_was_inherited_stays),
        T(limits_hold_for_all_processes_together),
        T(test_hooks),
        T(test_hook_timeout),
        T(test_kill_during_prolog),
        T(a_hook_runs_whatever_the_job_says),
        T(a_hook_does_not_wait_for_the_reader_of_a_pipe),
        T(repeating_the_end_does_not_cut_the_terminate_method_short),
        T(a_task_that_is_ended_before_its_job_runs_does_not_run_it),
        T(what_is_removed_for_the_execd_is_gone),
        T(test_methods),
        T(test_bad_files),
        T(test_one_shepherd_a_directory),
        T(test_a_signal_waits_while_the_disk_is_full),
        T(test_other_user),
        T(test_root_needs_an_owner),
    };
    if (argc < 2)
        return 2;
    shepherd = argv[1];
    if (argc > 2)
        cmocka_set_test_filter(argv[2]); /* one of them, by hand */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

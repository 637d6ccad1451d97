/* One task from its files to its files: what runs, where, as whom, and what is left of it. */
#include "daemons/shepherd/test/place.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"

static void test_exit_codes(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "echo out; echo err >&2; exit 3", ""), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 3);
    assert_int_equal(place_usage(p, "failed"), 0);
    place_expect_text(p->dir, "out", "out\nerr\n");
    assert_int_equal(place_run(p, "exit 99", ""), TASK_FAILED_RESCHEDULE);
    assert_int_equal(place_usage(p, "exit_status"), 99);
    assert_int_equal(place_run(p, "exit 99", "forbid_reschedule=1\n"), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, "exit 100", "forbid_apperror=1\n"), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, "exit 100", ""), TASK_FAILED_APPERROR);
    struct dstr why = DSTR_INIT;
    dstr_addf(&why,
              "exit_status of job start = 100 (the job itself, on node7; its output: %s/out)\n",
              p->dir);
    assert_int_equal(place_run(p, "exit 100", "host=node7\n"), TASK_FAILED_APPERROR);
    char *error = place_read(p->task_dir, TASK_FILE_ERROR);
    assert_non_null(strstr(error, dstr_get(&why)));
    dstr_free(&why);
    free(error);
    assert_int_equal(place_run(p, "exit 137", ""), TASK_FAILED_NOT); /* a number, no signal */
    assert_int_equal(place_usage(p, "signal"), 0);
}

static void a_job_may_be_started_by_a_plain_fork(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "echo out; exit 3", "plain_fork=1\nh_fsize=1048576\n"),
                     TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 3);
    place_expect_text(p->dir, "out", "out\n");
    assert_int_equal(place_run(p, "sleep 1000", "plain_fork=1\nh_rt=0\n"), TASK_FAILED_LIMIT);
    assert_int_equal(place_run(p, "/nonexistent/cmd", "plain_fork=1\nno_shell=1\n"),
                     TASK_FAILED_NO_SHELL);
}

static void test_success_leaves_few_files(void **state)
{
    struct place *p = *state;
    static const char *const not_there[] = { TASK_FILE_ERROR, TASK_FILE_TRACE,
                                             TASK_FILE_EXIT_STATUS, TASK_FILE_FAILED,
                                             TASK_FILE_OSJOBID };
    assert_int_equal(place_run(p, "true", ""), TASK_FAILED_NOT);
    for (size_t i = 0; i < ARRAY_LEN(not_there); i++) {
        char *path = path_join(p->task_dir, not_there[i]);
        assert_int_not_equal(access(path, F_OK), 0);
        free(path);
    }
}

static void a_job_ignores_no_signal_that_whoever_started_its_shepherd_ignored(void **state)
{
    struct place *p = *state;
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE, SIGUSR1 };
    struct sigaction before[ARRAY_LEN(signals)];
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        (void)sigaction(signals[i], &ignore, &before[i]);
    unsigned failed = (unsigned)place_run(p, "sed -n 's/SigIgn:.//p' /proc/self/status", "");
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        (void)sigaction(signals[i], &before[i], NULL);
    assert_int_equal(failed, TASK_FAILED_NOT);
    char *out = place_read(p->dir, "out");
    assert_int_equal(strtoull(out, NULL, 16) & 0x7fffffff, 0); /* 32 and 33 are the C library's */
    free(out);
}

static void test_arguments(void **state)
{
    struct place *p = *state;
    assert_int_equal(
        place_run(
            p, "printf",
            "njob_args=4\njob_arg1=<%s>\njob_arg2=a b\njob_arg3=$DIR\njob_arg4=x\"`y\\\\z'\n"),
        TASK_FAILED_NOT);
    struct dstr wanted = DSTR_INIT;
    dstr_addf(&wanted, "<a b><%s><x\"`y\\z'>", p->dir);
    place_expect_text(p->dir, "out", dstr_get(&wanted));
    dstr_free(&wanted);
}

static void run_script(const struct place *p, const char *text, const char *mode,
                       const char *wanted)
{
    struct dstr more = DSTR_INIT;
    place_script(p, text);
    dstr_addf(&more,
              "handle_as_binary=0\nshell_start_mode=%s\nscript_file=%s/"
              "script\nnjob_args=1\njob_arg1=a b\n",
              mode, p->dir);
    assert_int_equal(place_run(p, "", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", wanted);
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
    assert_int_equal(place_run(p, "/bin/echo", "no_shell=1\nnjob_args=1\njob_arg1=$DIR\n"),
                     TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "$DIR\n");
    assert_int_equal(place_run(p, "/nonexistent/cmd", "no_shell=1\n"), TASK_FAILED_NO_SHELL);
    place_expect_error(
        p, "execvlp(/nonexistent/cmd, \"/nonexistent/cmd\") failed: No such file or directory");
    assert_int_equal(place_usage(p, "start_time"), 0); /* it never ran */
    char *path = path_join(p->task_dir, TASK_FILE_EXIT_STATUS);
    assert_int_not_equal(access(path, F_OK), 0); /* so that it has no exit status */
    free(path);
}

/* not as "-sh" */
static void a_shell_that_is_not_there_is_named_as_it_was_given(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "true", "shell_path=/nonexistent/sh\n"), TASK_FAILED_NO_SHELL);
    place_expect_error(
        p, "execvlp(/nonexistent/sh, \"/nonexistent/sh\") failed: No such file or directory");
}

static void test_missing_cwd(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "true", "cwd=/nonexistent/dir\n"), TASK_FAILED_NO_CWD);
    place_expect_error(p, "error: can't chdir to /nonexistent/dir: No such file or directory");
}

static void test_unwritable_output(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "true", "stdout_path=/nonexistent/dir/x\n"),
                     TASK_FAILED_OPEN_OUTPUT);
    place_expect_error(
        p, "error: can't open output file \"/nonexistent/dir/x\": No such file or directory");
}

static void test_output_in_directory(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, wanted = DSTR_INIT;
    dstr_addf(&more, "stdout_path=%s\nstderr_path=%s\nmerge_stderr=0\nja_task_id=3\n", p->dir,
              p->dir);
    assert_int_equal(
        place_run(p, "echo $SGE_STDOUT_PATH; echo $SGE_STDERR_PATH >&2", dstr_get(&more)),
        TASK_FAILED_NOT);
    dstr_addf(&wanted, "%s/name.o12.3\n", p->dir);
    place_expect_text(p->dir, "name.o12.3", dstr_get(&wanted));
    dstr_clear(&wanted);
    dstr_addf(&wanted, "%s/name.e12.3\n", p->dir);
    place_expect_text(p->dir, "name.e12.3", dstr_get(&wanted));
    dstr_free(&more);
    dstr_free(&wanted);
}

static void test_environment_is_the_jobs_alone(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "/usr/bin/env", "no_shell=1\nstdin_path=/dev/null\n"),
                     TASK_FAILED_NOT);
    char *out = place_read(p->dir, "out");
    assert_non_null(strstr(out, "SGE_STDIN_PATH=/dev/null\n"));
    assert_non_null(strstr(out, "SGE_CWD_PATH="));
    assert_null(strstr(out, "HOME="));
    free(out);
}

static void test_descriptors_do_not_leak(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "/bin/ls", "no_shell=1\nnjob_args=1\njob_arg1=/proc/self/fd\n"),
                     TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "0\n1\n2\n3\n"); /* 3 is the directory that ls itself reads */
}

static void test_tmpdir(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *tmpdir = path_join(p->dir, "tmp");
    dstr_addf(&more, "tmpdir=%s\n", tmpdir);
    assert_int_equal(mkdir(tmpdir, 0777), 0);
    assert_int_equal(chmod(tmpdir, 0777), 0);
    assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_NOT);
    assert_int_equal(access(tmpdir, F_OK), 0); /* empty: execd uses it again */
    assert_int_equal(place_run(p, "mkdir -p tmp/a/b && touch tmp/a/b/c", dstr_get(&more)),
                     TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 0);
    assert_int_not_equal(access(tmpdir, F_OK), 0);
    dstr_free(&more);
    free(tmpdir);
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
    assert_int_equal(posix_spawn(&pid, place_shepherd, NULL, NULL, argv, envp), 0);
    assert_int_equal(place_finish(pid), 0);
    assert_int_not_equal(access(dir, F_OK), 0);
    free(dir);
    free(sub);
    free(file);
}

static void test_bad_files(void **state)
{
    struct place *p = *state;
    struct dstr text = DSTR_INIT;
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_READING_CONFIG); /* no config */
    place_config(p, "true", "h_cpu=soon\n");
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_READING_CONFIG);
    dstr_add(&text, "no equals sign\n");
    place_write(p, TASK_FILE_CONFIG, &text);
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_READING_CONFIG);
    place_expect_text(p->task_dir, TASK_FILE_FAILED, "5\n");
    dstr_free(&text);
}

/* whose choice is it that cannot be executed: that of the queue, or that of the job? */
static void a_program_of_the_queue_that_is_missing_is_not_the_failure_of_the_job(void **state)
{
    struct place *p = *state;
    static const struct {
        const char *more;
        unsigned failed;
    } cases[] = {
        { "shell_path=/nonexistent/sh\n", TASK_FAILED_NO_SHELL },
        { "shell_path=/nonexistent/sh\nshell_of_queue=1\n", TASK_FAILED_SETTING_UP },
        { "starter_method=/nonexistent/starter\n", TASK_FAILED_SETTING_UP },
        { "starter_method=NONE\nno_shell=1\nshell_of_queue=1\n", TASK_FAILED_NO_SHELL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(place_run(p, "/nonexistent/cmd", cases[i].more), cases[i].failed);
}

static void test_one_shepherd_a_directory(void **state)
{
    struct place *p = *state;
    place_config(p, "echo $$ > job; sleep 1000", "");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_BEFORE_JOB);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
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

/* it cannot say who it is, and waits; asked to end meanwhile it must end the job, so the signal has
 * to be there when the job starts */
static void test_a_signal_waits_while_the_disk_is_full(void **state)
{
    struct place *p = *state;
    posix_spawn_file_actions_t actions;
    char *argv[] = { (char *)(uintptr_t)place_shepherd, (char *)(uintptr_t) "-bg", NULL },
         *envp[] = { NULL };
    pid_t pid;
    place_config(p, "true", "");
    int full = open("/dev/full", O_RDWR | O_CLOEXEC), status;
    assert_true(full >= 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, p->task_dir), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, full, TASK_PID_FD), 0);
    assert_int_equal(posix_spawn(&pid, place_shepherd, &actions, NULL, argv, envp), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    wait_for_signal(pid, "SigBlk", SIGTERM);
    assert_int_equal(kill(pid, SIGTERM), 0);
    wait_for_signal(pid, "ShdPnd", SIGTERM);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(full);
}

static int score_of(pid_t pid)
{
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    dstr_addf(&path, "/proc/%d/oom_score_adj", (int)pid);
    assert_int_equal(file_read(path.s, 16, &text, NULL), 0);
    int score = (int)strtol(dstr_get(&text), NULL, 10);
    dstr_free(&path);
    dstr_free(&text);
    return score;
}

static void a_job_that_is_held_up_before_it_runs_does_not_hold_up_its_shepherd(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *fifo = path_join(p->dir, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0); /* nobody reads it: the job's process waits for ever */
    assert_int_equal(chmod(fifo, 0666), 0);
    dstr_addf(&more, "stdout_path=%s\n", fifo);
    place_config(p, "true", dstr_get(&more));
    pid_t pid = place_start(p), job = place_wait_pid(p, "task/job_pid");
    assert_int_equal(kill(job, SIGSTOP), 0); /* as its owner may */
    assert_true(geteuid() != 0 || score_of(job) == 0);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "signal"), SIGKILL);
    free(fifo);
    dstr_free(&more);
}

static void a_shortage_of_memory_ends_a_long_job_before_its_shepherd(void **state)
{
    struct place *p = *state;
    int own = score_of(getpid());
    if (os_oom_adjust(own - 1) != 0 || os_oom_adjust(own) != 0) {
        print_message("impossible here: only root with all rights protects a process\n");
        skip();
    }
    place_config(p, "echo $$ > job; exec sleep 1000", "");
    pid_t pid = place_start(p), job = place_wait_pid(p, "job");
    for (int i = 0; i < 4000 && score_of(pid) != OS_OOM_DAEMON; i++)
        (void)poll(NULL, 0, 5);
    assert_int_equal(score_of(pid), OS_OOM_DAEMON);
    assert_int_equal(score_of(job), 0);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
}

static void test_other_user(void **state)
{
    struct place *p = *state;
    struct dstr wanted = DSTR_INIT;
    need_root();
    assert_int_equal(
        place_run(p, "id -u; id -g; id -G; umask", "job_groups=65534,27\nadd_grp_id=65401\n"),
        TASK_FAILED_NOT);
    dstr_addf(&wanted, "%u\n%u\n65534 27 65401\n0022\n", (unsigned)p->uid, (unsigned)p->gid);
    place_expect_text(p->dir, "out", dstr_get(&wanted));
    dstr_free(&wanted);
}

static void test_root_needs_an_owner(void **state)
{
    struct place *p = *state;
    need_root();
    assert_int_equal(place_run(p, "true", "job_uid=nobody\n"), TASK_FAILED_READING_CONFIG);
    place_expect_error(p, "config: \"job_uid\" has the value \"nobody\"");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_exit_codes),
        PLACE_TEST(a_job_may_be_started_by_a_plain_fork),
        PLACE_TEST(test_success_leaves_few_files),
        PLACE_TEST(a_job_ignores_no_signal_that_whoever_started_its_shepherd_ignored),
        PLACE_TEST(test_arguments),
        PLACE_TEST(test_script_modes),
        PLACE_TEST(test_no_shell),
        PLACE_TEST(a_shell_that_is_not_there_is_named_as_it_was_given),
        PLACE_TEST(test_missing_cwd),
        PLACE_TEST(test_unwritable_output),
        PLACE_TEST(test_output_in_directory),
        PLACE_TEST(test_environment_is_the_jobs_alone),
        PLACE_TEST(test_descriptors_do_not_leak),
        PLACE_TEST(test_tmpdir),
        PLACE_TEST(what_is_removed_for_the_execd_is_gone),
        PLACE_TEST(test_bad_files),
        PLACE_TEST(a_program_of_the_queue_that_is_missing_is_not_the_failure_of_the_job),
        PLACE_TEST(test_one_shepherd_a_directory),
        PLACE_TEST(test_a_signal_waits_while_the_disk_is_full),
        PLACE_TEST(a_job_that_is_held_up_before_it_runs_does_not_hold_up_its_shepherd),
        PLACE_TEST(a_shortage_of_memory_ends_a_long_job_before_its_shepherd),
        PLACE_TEST(test_other_user),
        PLACE_TEST(test_root_needs_an_owner),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

/* Signals to the processes of a job, however they hide. */
#include "daemons/shepherd/test/place.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

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
    for (int i = 0; i < PLACE_WAIT_MS / PLACE_POLL_MS; i++) {
        if (strchr(states, state_of(pid)) != NULL)
            return true;
        (void)poll(NULL, 0, PLACE_POLL_MS);
    }
    return false;
}

#define HIDE         "setsid sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; exit 0'; "
#define UNTIL_HIDDEN "while [ ! -s hidden ]; do :; done; "

static void test_double_fork(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, HIDE UNTIL_HIDDEN "exit 0", ""), TASK_FAILED_NOT);
    assert_int_equal(kill(place_wait_pid(p, "hidden"), 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void test_kill(void **state)
{
    struct place *p = *state;
    place_config(p, HIDE UNTIL_HIDDEN "echo $$ > job; exec sleep 1000", "");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "exit_status"), 137);
    assert_int_equal(place_usage(p, "signal"), 9);
    assert_int_equal(kill(place_wait_pid(p, "hidden"), 0), -1);
}

static void test_suspend(void **state)
{
    struct place *p = *state;
    place_config(p, HIDE UNTIL_HIDDEN "echo $$ > job; exec sleep 1000", "");
    pid_t pid = place_start(p), job = place_wait_pid(p, "job"),
          hidden = place_wait_pid(p, "hidden");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    assert_true(wait_state(job, "T"));
    assert_true(wait_state(hidden, "T")); /* the whole tree, not the group alone */
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0);
    assert_true(wait_state(job, "SR"));
    assert_true(wait_state(hidden, "SR"));
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    assert_true(wait_state(job, "T"));
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0); /* a suspended job can be ended */
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
}

/* It waits for its command to stop, too. Stopped after it and continued before it, it would take
 * that for its user's, and go on without the command. */
static void a_shell_with_job_control_does_not_see_its_command_stop(void **state)
{
    struct place *p = *state;
    char *go = path_join(p->dir, "go");
    place_config(p,
                 "exec bash -c 'set -m; echo $$ > job; "
                 "sh -c \"echo \\$\\$ > hidden; while [ ! -e go ]; do sleep 0.01; done; exit 5\"; "
                 "echo status $?'",
                 "");
    pid_t pid = place_start(p), job = place_wait_pid(p, "job"),
          hidden = place_wait_pid(p, "hidden");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
        assert_true(wait_state(job, "T"));
        assert_true(wait_state(hidden, "T"));
        assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0);
        assert_true(wait_state(job, "SR"));
        assert_true(wait_state(hidden, "SR"));
    }
    assert_int_equal(file_write(go, "", 0, 0644, NULL), 0);
    free(go);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "status 5\n");
}

static void test_passed_on_signals(void **state)
{
    struct place *p = *state;
    struct dstr number = DSTR_INIT;
    place_config(
        p, "trap 'echo usr1' USR1; trap 'echo hup; exit 6' HUP; echo $$ > job; while :; do :; done",
        "");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGUSR1)), 0);
    bool is_told = false;
    while (!is_told) {
        char *out = place_read(p->dir, "out");
        is_told = *out != '\0';
        free(out);
    }
    dstr_addf(&number, "%d\n", SIGHUP);
    place_write(p, TASK_FILE_SIGNAL, &number);
    dstr_free(&number);
    assert_int_equal(kill(pid, task_signal_for(SIGHUP)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 6);
    place_expect_text(p->dir, "out", "usr1\nhup\n");
}

static void test_own_signal(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "kill -11 $$", ""), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "exit_status"), 139);
}

static void test_shepherd_killed(void **state)
{
    struct place *p = *state;
    int status;
    place_config(p, "echo $$ > job; exec sleep 1000", "");
    pid_t pid = place_start(p), job = place_wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(waitpid(job, &status, 0),
                     job); /* the kernel ends the job with it; as subreaper we see it */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_double_fork),
        PLACE_TEST(test_kill),
        PLACE_TEST(test_suspend),
        PLACE_TEST(a_shell_with_job_control_does_not_see_its_command_stop),
        PLACE_TEST(test_passed_on_signals),
        PLACE_TEST(test_own_signal),
        PLACE_TEST(test_shepherd_killed),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

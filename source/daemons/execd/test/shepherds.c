/* Shepherds that see to one task after the other, and those that do not. */
#include "daemons/execd/test/fake_qmaster.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"

#define SAY_SHEPHERD "echo $PPID > shepherd"

/* run a job of one task to its end, which is good; returns the pid of its shepherd */
static pid_t run_job(struct fake *f, const struct JB_Type *job)
{
    struct JR_Type r;
    char name[40];
    uint32_t number = job->JB_job_number;
    fake_order(f, job, number, 1, 1);
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, number, 1, 1);
    (void)snprintf(name, sizeof name, "spool/active_jobs/%u.1", (unsigned)number);
    fake_wait_gone(f, name);
    char *path = fake_path(f, "shepherd");
    pid_t pid = fake_pid(f, "shepherd");
    assert_int_equal(unlink(path), 0);
    free(path);
    return pid;
}

static pid_t run_task(struct fake *f, uint32_t number)
{
    struct JB_Type job;
    fake_job(f, &job, number, SAY_SHEPHERD);
    pid_t pid = run_job(f, &job);
    cull_clear(&cull_JB_Type, &job);
    return pid;
}

static void wait_process_gone(pid_t pid)
{
    for (int i = 0; i < 4000 && kill(pid, 0) == 0; i++) {
        (void)waitpid(pid, NULL, WNOHANG); /* ours when its execd has gone */
        (void)poll(NULL, 0, 5);
    }
    assert_int_equal(kill(pid, 0), -1);
}

static void tasks_of_a_user_have_one_shepherd_after_the_other(void **state)
{
    struct fake *f = *state;
    pid_t first = run_task(f, 1);
    assert_int_equal(run_task(f, 2), first);
    assert_int_equal(run_task(f, 3), first);
    assert_int_equal(run_task(f, 4), first);
}

static void tasks_at_the_same_time_have_shepherds_of_their_own(void **state)
{
    struct fake *f = *state;
    pid_t first = run_task(f, 1);
    fake_run(f, 2, "echo $PPID > shepherd2; echo $$ > pid2; exec sleep 1000");
    assert_int_equal(fake_pid(f, "shepherd2"), first);
    assert_int_not_equal(run_task(f, 3), first);
    fake_end_task(f, 2);
}

static void a_task_of_another_user_has_another_shepherd(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    if (geteuid() != 0) {
        print_message("impossible here: only root runs jobs of others\n");
        skip();
    }
    assert_int_equal(chmod(f->root, 0777), 0);
    pid_t first = run_task(f, 1);
    fake_job(f, &job, 2, SAY_SHEPHERD);
    cull_set(&job, JB_owner, "nobody");
    cull_set(&job.JB_stdout_path_list.v[0], PN_path, "out of nobody");
    assert_int_not_equal(run_job(f, &job), first);
    cull_clear(&cull_JB_Type, &job);
    assert_int_equal(run_task(f, 3), first);
}

static void nothing_of_a_task_is_there_for_the_next(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    fake_job(f, &job, 1, SAY_SHEPHERD "; umask 077; cd /; ulimit -n 20; trap '' TERM");
    struct VA_Type *va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "SECRET");
    cull_set(va, VA_value, "of job 1");
    pid_t first = run_job(f, &job);
    cull_clear(&cull_JB_Type, &job);
    fake_job(f, &job, 2,
             SAY_SHEPHERD
             "; echo \"${SECRET-none} $(umask) $JOB_ID\"; grep SigIgn /proc/self/status; "
             "exec ls /proc/self/fd"); /* where ls reads it as 3 */
    assert_int_equal(run_job(f, &job), first);
    cull_clear(&cull_JB_Type, &job);
    char *out = fake_text(f, "out");
    assert_string_equal(out, "none 0022 2\nSigIgn:\t0000000000000000\n0\n1\n2\n3\n");
    free(out);
}

/* the name of the file goes into the environment of the job while that stands in the memory of its
 * shepherd */
static void an_output_directory_is_that_of_each_task(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    char *out = fake_path(f, "outputs");
    assert_int_equal(mkdir(out, 0777), 0);
    pid_t first = 0;
    for (uint32_t number = 1; number <= 3; number++) {
        fake_job(f, &job, number, SAY_SHEPHERD "; echo $SGE_STDOUT_PATH");
        cull_set(&job.JB_stdout_path_list.v[0], PN_path, out);
        pid_t shepherd = run_job(f, &job);
        assert_true(first == 0 || shepherd == first);
        first = shepherd;
        cull_clear(&cull_JB_Type, &job);
    }
    free(out);
    char *text = fake_text(f, "outputs/test.o3.1");
    assert_non_null(strstr(text, "/outputs/test.o3.1\n"));
    free(text);
}

static void a_task_that_goes_wrong_takes_its_shepherd_with_it(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    pid_t first = run_task(f, 1);
    fake_run(f, 2, "exit 99");
    fake_wait_report(f, 2, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_RESCHEDULE);
    cull_clear(&cull_JR_Type, &r);
    wait_process_gone(first);
    assert_int_not_equal(run_task(f, 3), first);
}

/* the signal may be on its way when the task ends by itself */
static void a_shepherd_that_was_sent_a_signal_has_no_other_task(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 1,
             SAY_SHEPHERD "; trap 'exit 0' USR1; echo $$ > pid1; while :; do sleep 0.01; done");
    (void)fake_pid(f, "pid1");
    pid_t first = fake_pid(f, "shepherd");
    fake_about(f, EXEC_SIGNAL, SIGUSR1, 1, 1, 1);
    fake_wait_report(f, 1, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    cull_clear(&cull_JR_Type, &r);
    wait_process_gone(first);
}

static void a_spare_that_is_told_anything_ends(void **state)
{
    struct fake *f = *state;
    static const int signals[] = { SIGTERM, SIGUSR1, SIGKILL };
    for (uint32_t i = 0; i < ARRAY_LEN(signals); i++) {
        pid_t pid = run_task(f, i + 1);
        assert_int_equal(kill(pid, signals[i]), 0);
        wait_process_gone(pid);
    }
    (void)run_task(f, 9);
}

/* SPARE gets task NUMBER, which runs COMMAND, and stands still before it has taken it */
static void give_to_stopped(struct fake *f, pid_t spare, uint32_t number, const char *command)
{
    struct JR_Type r;
    assert_int_equal(kill(spare, SIGSTOP), 0);
    fake_run(f, number, command);
    fake_wait_report(f, number, 1, REPORT_STARTED, &r);
    cull_clear(&cull_JR_Type, &r);
}

static void a_task_whose_spare_goes_before_it_takes_it_is_started_by_another(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    pid_t first = run_task(f, 1);
    give_to_stopped(f, first, 2, SAY_SHEPHERD "; echo x >> starts; exit 3");
    assert_int_equal(kill(first, SIGKILL), 0);
    fake_wait_report(f, 2, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 3);
    cull_clear(&cull_JR_Type, &r);
    assert_int_not_equal(fake_pid(f, "shepherd"), first);
    char *starts = fake_text(f, "starts");
    assert_string_equal(starts, "x\n");
    free(starts);
}

/* it has the task, whoever reads its end */
static void a_spare_that_has_been_given_a_task_does_it_without_its_execd(void **state)
{
    struct fake *f = *state;
    pid_t first = run_task(f, 1);
    give_to_stopped(f, first, 2, SAY_SHEPHERD "; exit 4");
    fake_kill_execd(f, SIGKILL);
    assert_int_equal(kill(first, SIGCONT), 0);
    assert_int_equal(fake_pid(f, "shepherd"), first);
    wait_process_gone(first);
    fake_start_execd(f);
    fake_accept_end(f, 4);
}

static void the_next_execd_finds_a_shepherd_with_its_second_task(void **state)
{
    struct fake *f = *state;
    pid_t first = run_task(f, 1);
    fake_run(f, 2, "echo $$ > pid2; exec sleep 1000");
    (void)fake_pid(f, "pid2");
    assert_int_equal(fake_pid(f, "spool/active_jobs/2.1/pid"), first);
    fake_kill_execd(f, SIGKILL);
    fake_bring_up(f);
    fake_end_task(f, 2);
    wait_process_gone(first);
}

static void spares_end_with_their_execd(void **state)
{
    struct fake *f = *state;
    pid_t pid = run_task(f, 1);
    fake_kill_execd(f, SIGKILL);
    wait_process_gone(pid);
    fake_bring_up(f);
}

static void a_spare_that_nobody_needs_ends(void **state)
{
    struct fake *f = *state;
    wait_process_gone(run_task(f, 1));
    (void)run_task(f, 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(tasks_of_a_user_have_one_shepherd_after_the_other),
        FAKE_TEST(tasks_at_the_same_time_have_shepherds_of_their_own),
        FAKE_TEST(a_task_of_another_user_has_another_shepherd),
        FAKE_TEST(nothing_of_a_task_is_there_for_the_next),
        FAKE_TEST(an_output_directory_is_that_of_each_task),
        FAKE_TEST(a_task_that_goes_wrong_takes_its_shepherd_with_it),
        FAKE_TEST(a_shepherd_that_was_sent_a_signal_has_no_other_task),
        FAKE_TEST(a_spare_that_is_told_anything_ends),
        FAKE_TEST(a_task_whose_spare_goes_before_it_takes_it_is_started_by_another),
        FAKE_TEST(a_spare_that_has_been_given_a_task_does_it_without_its_execd),
        FAKE_TEST(the_next_execd_finds_a_shepherd_with_its_second_task),
        FAKE_TEST(spares_end_with_their_execd),
        FAKE_TEST(a_spare_that_nobody_needs_ends),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}

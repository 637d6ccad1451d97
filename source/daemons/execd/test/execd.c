/* Tasks of an execd of its own process, with real shepherds, against a qmaster that the test
 * plays. */
#include "daemons/execd/test/fake_qmaster.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/file.h"

static void test_register(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    bool has_arch = false;
    fake_hang_up(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_hosts.n, 1);
    assert_string_equal(m.XM_hosts.v[0].EH_name, "testhost");
    assert_true(m.XM_hosts.v[0].EH_processors > 0);
    for (uint32_t i = 0; i < m.XM_hosts.v[0].EH_load_list.n; i++)
        has_arch = has_arch || strcmp(m.XM_hosts.v[0].EH_load_list.v[i].VA_variable, "arch") == 0;
    assert_true(has_arch);
    assert_int_equal(m.XM_reports.n, 0);
    cull_clear(&cull_XM_Type, &m);
}

static void test_runs_and_forgets(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 5, "touch $TMPDIR/x && echo $JOB_ID.$SGE_TASK_ID; exit 3");
    fake_wait_report(f, 5, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 3);
    assert_int_equal(r.JR_attempt, 1);
    assert_string_equal(r.JR_queue, "all.q@testhost");
    assert_true(r.JR_start_time > 0 && r.JR_end_time >= r.JR_start_time);
    assert_true(fake_usage(&r, "ru_maxrss") > 0);
    assert_true(fake_usage(&r, "cpu") >= 0);
    /* nobody has looked at it while it ran */
    assert_true(fake_usage(&r, "maxvmem") >= fake_usage(&r, "ru_maxrss") * 1024);
    assert_true(fake_usage(&r, "mem") >= 0 && fake_usage(&r, "io") >= 0);
    cull_clear(&cull_JR_Type, &r);
    char *out = fake_text(f, "out"), *usage = fake_path(f, "spool/active_jobs/5.1/usage");
    assert_string_equal(out, "5.1\n");
    assert_int_equal(access(usage, F_OK), 0);
    fake_about(f, EXEC_END_ACK, 0, 5, 1, 1);
    fake_wait_gone(f, "spool/active_jobs/5.1");
    fake_wait_gone(f, "5.1.all.q");
    free(out);
    free(usage);
}

static void a_job_ignores_no_signal_that_its_execd_ignores(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 5, "grep SigIgn /proc/self/status");
    fake_wait_report(f, 5, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    char *out = fake_text(f, "out");
    assert_string_equal(out, "SigIgn:\t0000000000000000\n");
    free(out);
}

static void skip_if_vfork_copies(void)
{
#ifdef __SANITIZE_THREAD__
    print_message("impossible here: vfork is a fork under the thread sanitizer\n");
    skip();
#endif
}

static void a_shepherd_that_cannot_be_started_is_the_end_of_its_task(void **state)
{
    skip_if_vfork_copies();
    struct fake *f = *state;
    struct JR_Type r;
    fake_kill_execd(f, SIGTERM);
    f->bin_dir = f->root; /* which holds no sge_shepherd */
    fake_bring_up(f);
    fake_run(f, 5, "true");
    fake_wait_report(f, 5, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_PREPARING);
    assert_non_null(strstr(r.JR_err_str, "No such file or directory"));
    cull_clear(&cull_JR_Type, &r);
}

static void a_shepherd_that_ends_at_once_is_the_failure_of_its_host(void **state)
{
    skip_if_vfork_copies();
    struct fake *f = *state;
    struct JR_Type r;
    char *shepherd = path_join(f->root, "sge_shepherd");
    fake_kill_execd(f, SIGTERM);
    assert_int_equal(symlink("/bin/true", shepherd), 0);
    f->bin_dir = f->root;
    fake_bring_up(f);
    fake_run(f, 5, "true");
    fake_wait_report(f, 5, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_PREPARING);
    assert_non_null(strstr(r.JR_err_str, "sge_shepherd ended before"));
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(unlink(shepherd), 0);
    free(shepherd);
}

static void test_order_twice_starts_once(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct JB_Type job;
    fake_job(f, &job, 6, "echo once");
    fake_order(f, &job, 6, 1, 1);
    fake_order(f, &job, 6, 1, 1);
    fake_wait_report(f, 6, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_order(f, NULL, 6, 1, 1); /* it has ended: the answer is its end, not another start */
    fake_wait_report(f, 6, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
    char *out = fake_text(f, "out");
    assert_string_equal(out, "once\n");
    free(out);
}

static void test_next_attempt(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct JB_Type job;
    fake_job(f, &job, 7, "echo $RESTARTED; exit 99");
    fake_order(f, &job, 7, 1, 1);
    fake_wait_report(f, 7, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_RESCHEDULE);
    assert_int_equal(r.JR_exit_status, 99);
    cull_clear(&cull_JR_Type, &r);
    fake_order(f, NULL, 7, 1, 2);
    do {
        fake_wait_report(f, 7, 1, REPORT_ENDED, &r);
        bool is_second = r.JR_attempt == 2;
        cull_clear(&cull_JR_Type, &r);
        if (is_second)
            break;
    } while (true);
    cull_clear(&cull_JB_Type, &job);
}

/* qmod -f -rj: the qmaster counts the older attempt as ended at once, its processes may take their
 * time */
static void a_newer_attempt_begins_when_the_older_has_ended(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 61, "echo $$ > pid61; exec sleep 1000");
    fake_order(f, &job, 61, 1, 1);
    (void)fake_pid(f, "pid61");
    pid_t shepherd = fake_pid(f, "spool/active_jobs/61.1/pid");
    assert_int_equal(kill(shepherd, SIGSTOP), 0);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 61, 1, 1);
    for (int i = 0; i < 3; i++)
        fake_order(f, i == 0 ? &job : NULL, 61, 1, 2);
    fake_wait_report(f, 61, 1, REPORT_PREPARING, &r);
    assert_int_equal(r.JR_attempt, 2);
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(kill(shepherd, SIGCONT), 0);
    uint32_t attempt;
    do {
        fake_wait_report(f, 61, 1, REPORT_STARTED, &r);
        attempt = r.JR_attempt;
        cull_clear(&cull_JR_Type, &r);
    } while (attempt != 2);
    (void)fake_next_pid(f, "spool/active_jobs/61.1/pid", shepherd);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 61, 1, 2);
    fake_wait_report(f, 61, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_attempt, 2); /* nothing was said of the end of the first */
    assert_int_equal(r.JR_failed, TASK_FAILED_AFTER_JOB);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
}

static void a_newer_attempt_that_waits_can_be_deleted(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 62, "echo x >> starts; echo $$ > pid62; exec sleep 1000");
    fake_order(f, &job, 62, 1, 1);
    (void)fake_pid(f, "pid62");
    pid_t shepherd = fake_pid(f, "spool/active_jobs/62.1/pid");
    assert_int_equal(kill(shepherd, SIGSTOP), 0);
    fake_order(f, &job, 62, 1, 2);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 62, 1, 2);
    fake_wait_report(f, 62, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_attempt, 2);
    assert_string_equal(r.JR_err_str, "deleted before it was started");
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(kill(shepherd, SIGCONT), 0);
    fake_wait_report(f, 62, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_attempt, 1);
    cull_clear(&cull_JR_Type, &r);
    char *starts = fake_text(f, "starts");
    assert_string_equal(starts, "x\n");
    free(starts);
    cull_clear(&cull_JB_Type, &job);
}

static void test_kill(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 9, "echo $$ > pid9; sleep 1000");
    (void)fake_pid(f, "pid9");
    fake_about(f, EXEC_SIGNAL, SIGKILL, 9, 1, 1);
    fake_wait_report(f, 9, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_AFTER_JOB);
    assert_int_equal(r.JR_exit_status, 137);
    cull_clear(&cull_JR_Type, &r);
}

static void test_signal_unknown(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_about(f, EXEC_SIGNAL, SIGKILL, 4711, 1, 1);
    fake_wait_report(f, 4711, 1, REPORT_UNKNOWN, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_order(f, NULL, 4712, 1, 1); /* of a job that was never sent */
    fake_wait_report(f, 4712, 1, REPORT_UNKNOWN, &r);
    cull_clear(&cull_JR_Type, &r);
}

static void test_only_one(void **state)
{
    struct fake *f = *state;
    int status;
    pid_t first = f->execd;
    fake_start_execd(f);
    assert_int_equal(waitpid(f->execd, &status, 0), f->execd);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 17);
    f->execd = first;
}

static void test_shutdown_kills(void **state)
{
    struct fake *f = *state;
    struct XM_Type m = { 0 };
    struct JR_Type r;
    int status;
    fake_run(f, 17, "sleep 1000");
    fake_wait_report(f, 17, 1, REPORT_STARTED, &r);
    cull_clear(&cull_JR_Type, &r);
    cull_set(&m, XM_kind, (uint32_t)EXEC_SHUTDOWN);
    cull_set(&m, XM_signal, SIGKILL);
    fake_send(f, &m);
    fake_wait_report(f, 17, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 17, 1, 1);
    assert_int_equal(waitpid(f->execd, &status, 0), f->execd);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    f->execd = 0;
}

static void test_many(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 20, "true");
    for (uint32_t task = 1; task <= 100; task++)
        fake_order(f, task == 1 ? &job : NULL, 20, task, 1);
    for (uint32_t task = 1; task <= 100; task++) {
        fake_wait_report(f, 20, task, REPORT_ENDED, &r);
        assert_int_equal(r.JR_failed, 0);
        cull_clear(&cull_JR_Type, &r);
        fake_about(f, EXEC_END_ACK, 0, 20, task, 1);
    }
    fake_wait_gone(f, "spool/active_jobs/20.100");
    cull_clear(&cull_JB_Type, &job);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_register),
        FAKE_TEST(test_runs_and_forgets),
        FAKE_TEST(a_job_ignores_no_signal_that_its_execd_ignores),
        FAKE_TEST(a_shepherd_that_cannot_be_started_is_the_end_of_its_task),
        FAKE_TEST(a_shepherd_that_ends_at_once_is_the_failure_of_its_host),
        FAKE_TEST(test_order_twice_starts_once),
        FAKE_TEST(test_next_attempt),
        FAKE_TEST(a_newer_attempt_begins_when_the_older_has_ended),
        FAKE_TEST(a_newer_attempt_that_waits_can_be_deleted),
        FAKE_TEST(test_kill),
        FAKE_TEST(test_signal_unknown),
        FAKE_TEST(test_only_one),
        FAKE_TEST(test_shutdown_kills),
        FAKE_TEST(test_many),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}

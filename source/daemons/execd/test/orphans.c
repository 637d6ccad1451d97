/* Processes that hide, and processes without their shepherd. */
#include "daemons/execd/test/fake_qmaster.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"
#include "libs/uti/task_dir.h"

/* a job whose process leaves session, group and parent behind */
#define HIDDEN                                                                                     \
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; exit 0' & "

static void check_hidden_is_gone(const struct fake *f)
{
    pid_t hidden = fake_pid(f, "hidden");
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    assert_int_equal(kill(hidden, 0), -1);
}

static void test_shepherd_killed(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 14, HIDDEN "sleep 1000");
    (void)fake_pid(f, "hidden");
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/14.1/pid"), SIGKILL), 0);
    fake_wait_report(f, 14, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
    fake_wait_gone(f, "14.1.all.q");
}

static void test_shepherd_killed_while_down(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    struct JR_Type r;
    fake_run(f, 15, HIDDEN "sleep 1000");
    (void)fake_pid(f, "hidden");
    fake_kill_execd(f, SIGKILL);
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/15.1/pid"), SIGKILL), 0);
    fake_start_execd(f);
    fake_accept(f, &m);
    if (m.XM_reports.v[0].JR_state != (uint32_t)REPORT_ENDED) {
        fake_wait_report(f, 15, 1, REPORT_ENDED, &r);
        cull_clear(&cull_JR_Type, &r);
    }
    cull_clear(&cull_XM_Type, &m);
    check_hidden_is_gone(f);
}

static void test_hidden_ends_with_job(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 16, HIDDEN "while [ ! -s hidden ]; do :; done; exit 0");
    fake_wait_report(f, 16, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, 0);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
}

/* whoever has the lock and the pid of a shepherd that ended is not that shepherd */
static void a_process_that_has_the_pid_of_a_shepherd_is_left_alone(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    fake_run(f, 42, "echo $$ > pid42; exec sleep 1000");
    (void)fake_pid(f, "pid42");
    fake_kill_execd(f, SIGKILL);
    int status, fd = fake_pid_file(f, "42.1");
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/42.1/pid"), SIGKILL), 0);
    for (int i = 0; i < 4000 && os_lock_take(fd) != 0; i++)
        (void)poll(NULL, 0, 5);
    pid_t innocent = fork();
    if (innocent == 0) {
        (void)os_die_with_parent(SIGKILL);
        for (;;)
            (void)pause();
    }
    struct process_id id;
    struct dstr text = DSTR_INIT;
    assert_int_equal(process_id_self(&id), 0);
    id.pid = innocent;
    process_id_text(&id, &text);
    assert_int_equal(pwrite(fd, dstr_get(&text), text.len, 0), text.len);
    assert_int_equal(ftruncate(fd, (off_t)text.len), 0);
    dstr_free(&text);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    cull_clear(&cull_XM_Type, &m);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 42, 1, 1);
    fake_wait_heard(f);
    struct flock none = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &none),
                     0); /* the execd, forked, has the file open, too */
    close(fd);
    fake_wait_report(f, 42, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(waitpid(innocent, &status, WNOHANG), 0);
    assert_int_equal(kill(innocent, SIGKILL), 0);
    assert_int_equal(waitpid(innocent, &status, 0), innocent);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_shepherd_killed),
        FAKE_TEST(test_shepherd_killed_while_down),
        FAKE_TEST(test_hidden_ends_with_job),
        FAKE_TEST(a_process_that_has_the_pid_of_a_shepherd_is_left_alone),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}

/* An execd that ended and one that starts after it: what was known stays known. */
#include "daemons/execd/test/fake_qmaster.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/file.h"

static void test_restart_finds_running(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    char *fifo = fake_path(f, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    fake_run(f, 11, "echo $$ > pid11; read x < fifo; echo done $x");
    (void)fake_pid(f, "pid11");
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    assert_int_equal(m.XM_reports.v[0].JR_job_number, 11);
    assert_int_equal(m.XM_reports.v[0].JR_attempt, 1);
    assert_int_equal(m.XM_reports.v[0].JR_state, REPORT_STARTED);
    cull_clear(&cull_XM_Type, &m);
    fake_open_gate(fifo);
    fake_wait_report(f, 11, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, 0);
    assert_string_equal(r.JR_queue, "all.q@testhost");
    cull_clear(&cull_JR_Type, &r);
    char *out = fake_text(f, "out");
    assert_string_equal(out, "done x\n");
    free(out);
    free(fifo);
}

/* maxvmem and mem are measured: who restarts an execd must not lose them */
static void a_restart_keeps_what_was_measured(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 63, "echo $$ > pid63; exec sleep 1000");
    (void)fake_pid(f, "pid63");
    assert_true(fake_wait_file(f, "spool/active_jobs/63.1/sample"));
    fake_kill_execd(f, SIGKILL);
    char *path = fake_path(f, "spool/active_jobs/63.1/sample");
    static const char much[] = "cpu=7.500\nmem=2.5\nio=4096\nmaxvmem=4000000000\n";
    assert_int_equal(file_write(path, much, strlen(much), 0600, NULL), 0);
    fake_bring_up(f);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 63, 1, 1);
    fake_wait_report(f, 63, 1, REPORT_ENDED, &r);
    assert_true(fake_usage(&r, "maxvmem") >= 4e9);
    assert_true(fake_usage(&r, "mem") >= 2.5);
    assert_true(fake_usage(&r, "cpu") >= 7.5);
    cull_clear(&cull_JR_Type, &r);
    free(path);
}

/* processes of a task are known by its group: a task found again keeps its own for itself */
static void test_restart_keeps_groups_in_use(void **state)
{
    struct fake *f = *state;
    if (geteuid() != 0) {
        print_message("impossible here: only root gives groups\n");
        skip();
    }
    fake_config(f, "64900-64901", NULL);
    fake_run(f, 21, "echo $$ > pid21; exec sleep 1000");
    char *first = fake_config_value(f, 21, "add_grp_id");
    fake_kill_execd(f, SIGKILL);
    fake_bring_up(f);
    fake_config(f, "64900-64901", NULL);
    fake_run(f, 22, "echo $$ > pid22; exec sleep 1000");
    char *second = fake_config_value(f, 22, "add_grp_id");
    fake_end_task(f, 21);
    fake_end_task(f, 22);
    assert_string_equal(first, "64900");
    assert_string_equal(second, "64901");
    free(first);
    free(second);
}

static void test_end_while_down(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    char *fifo = fake_path(f, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    fake_run(f, 12, "echo $$ > pid12; read x < fifo; exit 7");
    (void)fake_pid(f, "pid12");
    fake_kill_execd(f, SIGTERM);
    fake_open_gate(fifo);
    assert_true(fake_wait_file(f, "spool/active_jobs/12.1/usage"));
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    if (m.XM_reports.v[0].JR_state ==
        (uint32_t)REPORT_ENDED) { /* else its shepherd was still writing */
        assert_int_equal(m.XM_reports.v[0].JR_exit_status, 7);
    }
    cull_clear(&cull_XM_Type, &m);
    free(fifo);
}

static void test_end_is_sent_again(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 13, "exit 4");
    fake_wait_report(f, 13, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    for (int i = 0; i < 2; i++) { /* first the connection is lost, then the execd itself */
        if (i == 0) {
            fake_hang_up(f);
        } else {
            fake_kill_execd(f, SIGKILL);
            fake_start_execd(f);
        }
        fake_accept_end(f, 4);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_restart_finds_running),       FAKE_TEST(a_restart_keeps_what_was_measured),
        FAKE_TEST(test_restart_keeps_groups_in_use), FAKE_TEST(test_end_while_down),
        FAKE_TEST(test_end_is_sent_again),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}

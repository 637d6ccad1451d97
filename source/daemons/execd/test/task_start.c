/* What a start is made of, and when it has to wait. */
#include "daemons/execd/test/fake_qmaster.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/os.h"

static void test_script_and_environment(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 8, "script.sh");
    cull_set(&job, JB_type, 0);
    cull_set(&job, JB_ja_last, 1);
    cull_set(&job, JB_script_ptr,
             "#!/bin/sh\nprintf '%s\\n' \"$FOO|$SGE_O_HOME|$SGE_TASK_ID|$1|$2\"; env | sort > "
             "env.out\n");
    struct VA_Type *va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "FOO");
    cull_set(va, VA_value, "a\nb\\c");
    va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "__SGE_PREFIX__O_HOME");
    cull_set(va, VA_value, "/home/x");
    va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "JOB_ID"); /* the system's own wins */
    cull_set(va, VA_value, "fake");
    struct ST_Type *arg = cull_append(&job, JB_job_args);
    cull_set(arg, ST_name, "one");
    arg = cull_append(&job, JB_job_args);
    cull_set(arg, ST_name, "two words");
    fake_order(f, &job, 8, 1, 1);
    fake_wait_report(f, 8, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_exit_status, 0);
    char *out = fake_text(f, "out"), *env = fake_text(f, "env.out");
    assert_string_equal(out, "a\nb\\c|/home/x|undefined|one|two words\n");
    assert_non_null(strstr(env, "JOB_ID=8\n"));
    assert_non_null(strstr(env, "ENVIRONMENT=BATCH\n"));
    assert_non_null(strstr(env, "JOB_NAME=test\n"));
    assert_non_null(strstr(env, "SGE_STDOUT_PATH="));
    assert_null(strstr(env, "LD_LIBRARY_PATH="));
    free(out);
    free(env);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
}

static void a_parallel_job_finds_its_hosts_in_a_file(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 9, "cat $PE_HOSTFILE; echo $PE $NSLOTS $NHOSTS");
    cull_set(&job, JB_pe, "mpi");
    fake_order(f, &job, 9, 1, 1);
    fake_wait_report(f, 9, 1, REPORT_ENDED, &r);
    char *out = fake_text(f, "out");
    assert_string_equal(out, "testhost 1 all.q@testhost UNDEFINED\n"
                             "elsewhere 3 all.q@elsewhere UNDEFINED\nmpi 4 2\n");
    assert_string_equal(r.JR_queue, "all.q@testhost");
    free(out);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
}

static void submit_script(struct fake *f, uint32_t number, const char *text)
{
    struct JB_Type job;
    fake_job(f, &job, number, "script.sh");
    cull_set(&job, JB_type, 0x80);
    cull_set(&job, JB_script_ptr, text);
    fake_order(f, &job, number, 1, 1);
    cull_clear(&cull_JB_Type, &job);
}

static void test_scripts_go(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m = { 0 };
    char *script = fake_path(f, "spool/job_scripts/30"), *fifo = fake_path(f, "fifo");
    submit_script(f, 30, "#!/bin/sh\nexit 0\n");
    fake_wait_report(f, 30, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(access(script, F_OK), 0);
    fake_about(f, EXEC_END_ACK, 0, 30, 1, 1);
    cull_set(&m, XM_kind, (uint32_t)EXEC_FORGET_JOB);
    struct JB_Type *job = cull_append(&m, XM_jobs);
    cull_set(job, JB_job_number, 30);
    fake_send(f, &m);
    fake_wait_gone(f, "spool/job_scripts/30");
    /* a new connection: the qmaster does not know any more that we have 31, and never says to forget it */
    assert_int_equal(mkfifo(fifo, 0666), 0);
    submit_script(f, 31, "#!/bin/sh\necho x > started; read x < fifo\n");
    assert_true(fake_wait_file(f, "started"));
    fake_hang_up(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
    fake_open_gate(fifo);
    fake_wait_report(f, 31, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 31, 1, 1);
    fake_wait_gone(f, "spool/job_scripts/31");
    free(script);
    free(fifo);
}

static void test_unknown_user(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 10, "true");
    cull_set(&job, JB_owner, "nosuchuser");
    fake_order(f, &job, 10, 1, 1);
    fake_wait_report(f, 10, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_OWNER);
    assert_string_equal(r.JR_err_str, "user \"nosuchuser\" is not known on this host");
    assert_int_equal(r.JR_start_time, 0);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
}

static void test_a_configuration_of_the_host_that_is_removed_counts_no_more(void **state)
{
    struct fake *f = *state;
    fake_config(f, "none", "/bin/true $job_id");
    fake_run(f, 23, "echo $$ > pid23; exec sleep 1000");
    char *epilog = fake_config_value(f, 23, "epilog");
    assert_string_equal(epilog, "/bin/true $job_id");
    free(epilog);
    fake_end_task(f, 23);
    fake_config(f, "none", NULL);
    fake_run(f, 24, "echo $$ > pid24; exec sleep 1000");
    epilog = fake_config_value(f, 24, "epilog");
    fake_end_task(f, 24);
    assert_string_equal(epilog, "none");
    free(epilog);
}

static void a_start_waits_until_a_group_is_free(void **state)
{
    struct fake *f = *state;
    if (geteuid() != 0) {
        print_message("impossible here: only root gives groups\n");
        skip();
    }
    char *waiting = fake_path(f, "spool/active_jobs/51.1");
    fake_config(f, "64900-64900", NULL);
    fake_run(f, 50, "echo $$ > pid50; exec sleep 1000");
    (void)fake_pid(f, "pid50");
    fake_run(f, 51, "echo $$ > pid51; exec sleep 1000");
    fake_run(f, 52, "echo $$ > pid52");
    fake_wait_heard(f);
    assert_int_not_equal(access(waiting, F_OK), 0);
    fake_end_task(f, 52); /* one that waits can be deleted */
    fake_end_task(f, 50);
    fake_about(f, EXEC_END_ACK, 0, 50, 1, 1);
    char *group = fake_config_value(f, 51, "add_grp_id");
    assert_string_equal(group, "64900");
    fake_end_task(f, 51);
    free(group);
    free(waiting);
    char *never = fake_text(f, "pid52"), *messages = fake_text(f, "spool/messages");
    assert_string_equal(never, "");
    assert_non_null(
        strstr(messages, "all additional group ids of gid_range 64900-64900 are in use"));
    free(never);
    free(messages);
}

/* no descriptor may be opened that is not open already */
static struct rlimit take_descriptors(pid_t pid)
{
    struct rlimit before, none;
    assert_int_equal(prlimit(pid, RLIMIT_NOFILE, NULL, &before), 0);
    none = before;
    none.rlim_cur = 3;
    assert_int_equal(prlimit(pid, RLIMIT_NOFILE, &none, NULL), 0);
    return before;
}

static void a_host_that_is_short_of_something_starts_later(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 53, "true"); /* so that the user is known */
    fake_wait_report(f, 53, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    struct rlimit before = take_descriptors(f->execd);
    fake_run(f, 54, "exit 5");
    fake_wait_heard(f);
    assert_int_equal(prlimit(f->execd, RLIMIT_NOFILE, &before, NULL), 0);
    fake_wait_report(f, 54, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 5);
    cull_clear(&cull_JR_Type, &r);
}

static void a_directory_whose_lock_cannot_be_had_is_not_the_fault_of_a_job(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 40, "true");
    fake_wait_report(f, 40, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 40, 1, 1);
    int fd = fake_pid_file(f, "spare.0");
    assert_int_equal(os_lock_take(fd), 0);
    fake_run(f, 41, "exit 6");
    fake_wait_report(f, 41, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 6);
    cull_clear(&cull_JR_Type, &r);
    close(fd);
}

/* ---- descriptors for processes ---- */

static int pidfds_refused; /* so many of the next are, in an execd that is started now */

int __real_os_pidfd_open(pid_t pid);
int __wrap_os_pidfd_open(pid_t pid);
int __wrap_os_pidfd_open(pid_t pid)
{
    if (pidfds_refused == 0)
        return __real_os_pidfd_open(pid);
    pidfds_refused--;
    errno = EMFILE;
    return -1;
}

static void start_without_pidfds(struct fake *f, int n)
{
    fake_kill_execd(f, SIGTERM);
    pidfds_refused = n;
    fake_bring_up(f);
    pidfds_refused = 0;
}

/* its shepherd may have started the job already: it is looked for again, not ended */
static void a_shepherd_that_cannot_be_watched_yet_runs_its_job(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    start_without_pidfds(f, 3);
    fake_run(f, 55, "echo $$ > pid55; exit 7");
    fake_wait_report(f, 55, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 7);
    cull_clear(&cull_JR_Type, &r);
    (void)fake_pid(f, "pid55");
}

static void what_is_asked_before_it_can_be_watched_is_done_then(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    start_without_pidfds(f, 8);
    fake_run(f, 56, "exec sleep 1000");
    fake_about(f, EXEC_SIGNAL, SIGKILL, 56, 1, 1);
    fake_wait_report(f, 56, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_AFTER_JOB);
    cull_clear(&cull_JR_Type, &r);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_script_and_environment),
        FAKE_TEST(a_parallel_job_finds_its_hosts_in_a_file),
        FAKE_TEST(test_scripts_go),
        FAKE_TEST(test_unknown_user),
        FAKE_TEST(test_a_configuration_of_the_host_that_is_removed_counts_no_more),
        FAKE_TEST(a_start_waits_until_a_group_is_free),
        FAKE_TEST(a_host_that_is_short_of_something_starts_later),
        FAKE_TEST(a_directory_whose_lock_cannot_be_had_is_not_the_fault_of_a_job),
        FAKE_TEST(a_shepherd_that_cannot_be_watched_yet_runs_its_job),
        FAKE_TEST(what_is_asked_before_it_can_be_watched_is_done_then),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}

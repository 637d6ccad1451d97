/* Limits of a job: those that the kernel keeps, those of time, and those for all of its processes
 * together. */
#include "daemons/shepherd/test/place.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"

static void test_limits(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "ulimit -f; ulimit -c", "h_fsize=1048576\ns_core=0\nh_core=0\n"),
                     TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "2048\n0\n");
}

/* as captured of `qsub -pe smp 4`; those of files, cores and resident memory are not multiplied */
static void a_limit_is_for_each_slot(void **state)
{
    struct place *p = *state;
    static const char limits[] = "h_vmem=314572800\nh_data=209715200\ns_stack=4194304\n"
                                 "h_stack=8388608\nh_cpu=10\nh_fsize=1048576\nh_core=0\n"
                                 "h_rss=104857600\nh_rt=INFINITY\n";
    struct dstr more = DSTR_INIT;
    dstr_addf(&more, "%shost_slots=4\n", limits);
    assert_int_equal(
        place_run(p, "for i in v d s t f c m; do ulimit -H$i; done; ulimit -Ss", dstr_get(&more)),
        TASK_FAILED_NOT);
    dstr_addf(&more, "h_vmem_is_consumable_job=1\n");
    assert_int_equal(place_run(p, "ulimit -v; ulimit -d", dstr_get(&more)), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, "ulimit -v; ulimit -s", limits), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out",
                      "1228800\n819200\n32768\n40\n2048\n0\n102400\n16384\n" /* appended */
                      "307200\n819200\n"
                      "307200\n4096\n");
    dstr_free(&more);
}

/* queue_conf(5) processors */
static void a_job_runs_on_the_processors_of_its_queue(void **state)
{
    struct place *p = *state;
    const char *command = "grep Cpus_allowed_list /proc/self/status | cut -f2";
    assert_int_equal(place_run(p, command, "processors=0\n"), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "0\n");
    assert_int_equal(place_run(p, "true", "processors=UNDEFINED\n"), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, "echo never", "processors=1020-1023\n"), TASK_FAILED_SETTING_UP);
    place_expect_error(p, "error: can't bind the job to processors 1020-1023: Invalid argument");
    place_expect_text(p->dir, "out", "0\n");
}

/* submit(1) -binding: within those of the queue */
static void a_job_runs_on_the_processors_that_it_is_bound_to(void **state)
{
    struct place *p = *state;
    const char *command = "grep Cpus_allowed_list /proc/self/status | cut -f2";
    assert_int_equal(place_run(p, command, "trace=1\nprocessors=0-1023\nbinding_processors=0\n"),
                     TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "0\n");
    char *trace = place_read(p->task_dir, "trace");
    assert_non_null(strstr(trace, "core binding: processors 0\n"));
    free(trace);
}

/* queue_conf(5) priority: a user may not have one below 0 */
static void a_job_has_the_priority_of_its_queue(void **state)
{
    struct place *p = *state;
    const char *command = "cut -d' ' -f19 /proc/self/stat";
    assert_int_equal(place_run(p, command, "priority=7\n"), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, command, "priority=19\n"), TASK_FAILED_NOT);
    assert_int_equal(place_run(p, command, "priority=-5\n"), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", geteuid() == 0 ? "7\n19\n-5\n" : "7\n19\n0\n");
}

static void test_h_rt(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "sleep 1000", "h_rt=0\n"), TASK_FAILED_LIMIT);
    assert_int_equal(place_usage(p, "exit_status"), 137);
    assert_int_equal(place_usage(p, "failed"), 37);
}

/* it comes early enough that no shell would trap it yet, so that no machine is too slow for this */
static void at_s_rt_the_job_gets_sigusr1(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "exec sleep 1000", "s_rt=0\n"), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "signal"), SIGUSR1);
}

static void a_limit_on_core_files_that_was_inherited_stays(void **state)
{
    struct place *p = *state;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_CORE, &before), 0);
    none = before;
    none.rlim_cur = none.rlim_max = 0;
    place_config(p, "ulimit -Sc; ulimit -Hc", "s_core=INFINITY\nh_core=INFINITY\n");
    pid_t pid = fork(); /* a limit that was lowered stays low */
    if (pid == 0) {
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)(chdir(p->task_dir) == 0 && execl(place_shepherd, "sge_shepherd", (char *)NULL));
        _exit(1);
    }
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "0\n0\n");
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
        assert_int_equal(place_run(p, cases[i].command, cases[i].limit), TASK_FAILED_LIMIT);
        char *text = place_read(p->task_dir, TASK_FILE_ERROR);
        assert_non_null(strstr(text, cases[i].name));
        assert_non_null(strstr(text, "the processes of the job together may use"));
        free(text);
        if (strcmp(cases[i].name, "h_vmem") == 0) /* the sum that it was ended for */
            assert_true(place_usage(p, "maxvmem") > 60000000);
    }
}

/* the method would take a minute */
static void a_limit_is_kept_while_a_method_runs(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $$ > $1\nexec sleep 60\n");
    dstr_addf(&more, "h_rt=3\nscript_timeout=60\nsuspend_method=%s/script %s/method\n", p->dir,
              p->dir);
    place_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    (void)place_wait_pid(p, "method");
    assert_int_equal(place_finish(pid), TASK_FAILED_LIMIT);
    assert_true(place_usage(p, "ru_wallclock") < 30);
    dstr_free(&more);
}

/* a job that writes down its signals, in an order that does not depend on the load */
#define NOTE_SIGNALS                                                                               \
    "for i in USR1 USR2 TERM; do trap \"echo $i >> noted\" $i; done; echo $$ > job; "              \
    "while :; do sleep 0.05; done"

static void after_s_rt_the_job_has_the_time_of_notify(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, NOTE_SIGNALS, "s_rt=1\nnotify=1\nnotify_job=1\n"),
                     TASK_FAILED_LIMIT);
    place_expect_text(p->dir, "noted", "USR1\n"); /* one signal, and not one of each kind */
    place_expect_error(p, "limit s_rt: the job may run for 1 s, and for 1 s after its signal");
    assert_int_equal(place_usage(p, "exit_status"), 137);
    assert_true(place_usage(p, "ru_wallclock") >= 2);
    /* it may use the time */
    assert_int_equal(place_run(p, "trap 'exit 3' USR1; while :; do sleep 0.05; done", "s_rt=1\n"),
                     TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 3);
}

static void at_h_rt_the_job_gets_its_notice_if_it_asked_for_it(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, NOTE_SIGNALS, "h_rt=1\nnotify=1\nnotify_job=1\n"),
                     TASK_FAILED_LIMIT);
    place_expect_text(p->dir, "noted", "USR2\n");
    place_expect_error(p, "limit h_rt: the job may run for 1 s");
    assert_int_equal(place_run(p, NOTE_SIGNALS, "h_rt=1\nnotify=1000\n"), TASK_FAILED_LIMIT);
    place_expect_text(p->dir, "noted", "USR2\n"); /* the second one got none, and did not wait */
}

static void a_limit_goes_through_the_method_and_then_kills(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, NOTE_SIGNALS, "h_rt=1\nnotify=1\nterminate_method=SIGTERM\n"),
                     TASK_FAILED_LIMIT);
    place_expect_text(p->dir, "noted", "TERM\n"); /* once: it is not called again */
    assert_int_equal(place_usage(p, "exit_status"), 137);
    /* for memory it gets a second, whatever notify says */
    assert_int_equal(place_run(p,
                               "trap 'echo T >> noted' TERM; for i in $(seq 60); do sleep 1000 & "
                               "done; while :; do wait; done",
                               "h_vmem=60000000\nnotify=1000\nnotify_job=1\n"
                               "terminate_method=15\n"),
                     TASK_FAILED_LIMIT);
    place_expect_text(p->dir, "noted", "TERM\nT\n");
}

/* the job ends while its method is waited for, and nothing else happens afterwards */
static void a_method_that_ends_the_job_at_its_limit_ends_the_wait(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\nkill -9 $1\nwhile kill -0 $1; do sleep 0.01; done\n");
    dstr_addf(&more, "h_rt=1\nterminate_method=%s/script $job_pid\n", p->dir);
    assert_int_equal(place_run(p, "exec sleep 1000", dstr_get(&more)), TASK_FAILED_LIMIT);
    dstr_free(&more);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_limits),
        PLACE_TEST(a_limit_is_for_each_slot),
        PLACE_TEST(a_job_runs_on_the_processors_that_it_is_bound_to),
        PLACE_TEST(a_job_has_the_priority_of_its_queue),
        PLACE_TEST(a_job_runs_on_the_processors_of_its_queue),
        PLACE_TEST(test_h_rt),
        PLACE_TEST(at_s_rt_the_job_gets_sigusr1),
        PLACE_TEST(a_limit_on_core_files_that_was_inherited_stays),
        PLACE_TEST(after_s_rt_the_job_has_the_time_of_notify),
        PLACE_TEST(at_h_rt_the_job_gets_its_notice_if_it_asked_for_it),
        PLACE_TEST(a_limit_goes_through_the_method_and_then_kills),
        PLACE_TEST(a_method_that_ends_the_job_at_its_limit_ends_the_wait),
        PLACE_TEST(limits_hold_for_all_processes_together),
        PLACE_TEST(a_limit_is_kept_while_a_method_runs),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

/* Jobs in cgroups of their own, where this machine has them to give. */
#include "daemons/shepherd/test/place.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { TENTH_OF_A_SECOND_US = 100 * 1000 };

static struct dstr group; /* the job's, made in its test's setup */

static int set_up(void **state)
{
    group = (struct dstr)DSTR_INIT;
    if (cgroup_find(&group) == 0)
        dstr_addf(&group, "/sge-test-%d", (int)getpid());
    return place_setup(state);
}

static int tear_down(void **state)
{
    int rc = place_teardown(state);
    dstr_free(&group);
    return rc;
}

static void need_cgroup(void)
{
    if (group.len > 0 && cgroup_try(group.s) == 0)
        return;
    print_message("impossible here: no cgroup of version 2 can be made\n");
    skip();
}

static void config_in_group(const struct place *p, const char *command, const char *more)
{
    struct dstr lines = DSTR_INIT;
    dstr_addf(&lines, "cgroup=%s\n%s", group.s, more);
    place_config(p, command, dstr_get(&lines));
    dstr_free(&lines);
}

static void expect_no_group(void)
{
    assert_int_not_equal(access(group.s, F_OK), 0);
}

static void a_job_is_in_its_cgroup_and_takes_it_along(void **state)
{
    struct place *p = *state;
    need_cgroup();
    config_in_group(p, "grep -c /sge-test- /proc/self/cgroup", "");
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "1\n");
    expect_no_group();
}

static void a_file_says_which_cgroup_it_is(void **state)
{
    struct place *p = *state;
    need_cgroup();
    struct dstr command = DSTR_INIT;
    dstr_addf(&command, "until [ -s task/osjobid ]; do sleep 0.01; done; stat -c %%i %s", group.s);
    config_in_group(p, dstr_get(&command), "trace=1\n");
    dstr_free(&command);
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NOT);
    char *number = place_read(p->task_dir, TASK_FILE_OSJOBID);
    place_expect_text(p->dir, "out", number);
    free(number);
}

/* where the cgroup has the cpuset controller; else there is no set, and no file */
static void a_file_says_which_processor_set_it_is(void **state)
{
    struct place *p = *state;
    need_cgroup();
    struct dstr command = DSTR_INIT;
    dstr_addf(&command,
              "until [ -s task/osjobid ]; do sleep 0.01; done; cat %s/cpuset.cpus || echo none",
              group.s);
    config_in_group(p, dstr_get(&command), "trace=1\nprocessors=0\n");
    dstr_free(&command);
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NOT);
    char *out = place_read(p->dir, "out"), *number = place_read(p->task_dir, TASK_FILE_OSJOBID);
    bool has_set = strstr(out, "none") == NULL;
    place_expect_text(p->task_dir, TASK_FILE_PROCESSOR_SET, has_set ? number : "");
    assert_true(!has_set || strcmp(out, "0\n") == 0);
    free(number);
    free(out);
}

static void hooks_and_the_shepherd_are_not_in_it(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    need_cgroup();
    place_script(p, "#!/bin/sh\ngrep -c /sge-test- /proc/self/cgroup /proc/$PPID/cgroup\nexit 0\n");
    dstr_addf(&more, "prolog=%s/script\nepilog=%s/script\n", p->dir, p->dir);
    config_in_group(p, "true", dstr_get(&more));
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NOT);
    char *out = place_read(p->dir, "out");
    assert_non_null(strstr(out, ":0\n"));
    assert_null(strstr(out, ":1\n"));
    free(out);
    dstr_free(&more);
}

/* each child begins two others before it goes: no look at a tree finds them all */
static const char crowd[] = "cat > more <<'END'\n"
                            "[ $1 -gt 0 ] || exec sleep 1000\n"
                            "setsid sh more $(($1 - 1)) & setsid sh more $(($1 - 1)) & exit 0\n"
                            "END\n"
                            "sh more 5; echo $$ > job; exec sleep 1000";

static void a_job_that_forks_on_and_on_is_ended(void **state)
{
    struct place *p = *state;
    need_cgroup();
    config_in_group(p, crowd, "");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "signal"), SIGKILL);
    expect_no_group();
}

/* a program whose children's time the kernel forgets: /proc shows nothing of them afterwards */
static int run_forgetful(void)
{
    struct sigaction forget = { .sa_handler = SIG_IGN };
    (void)sigaction(SIGCHLD, &forget, NULL);
    for (int i = 0; i < 15; i++) {
        if (fork() == 0) {
            while (clock() < (clock_t)TENTH_OF_A_SECOND_US * (CLOCKS_PER_SEC / 1000000))
                ;
            _exit(0);
        }
        (void)waitpid(-1, NULL, 0);
    }
    for (;;)
        pause();
}

static void time_that_nobody_waited_for_counts_for_h_cpu(void **state)
{
    struct place *p = *state;
    struct dstr command = DSTR_INIT;
    char *self = realpath("/proc/self/exe", NULL);
    need_cgroup();
    dstr_addf(&command, "exec %s -forgetful", self);
    config_in_group(p, dstr_get(&command), "h_cpu=1\n");
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_LIMIT);
    char *text = place_read(p->task_dir, TASK_FILE_ERROR);
    assert_non_null(strstr(text, "limit h_cpu: the processes of the job together may use 1"));
    free(text);
    assert_true(place_usage(p, "cpu") >= 1);
    dstr_free(&command);
    free(self);
}

static void limits_of_memory_hold_in_a_cgroup_too(void **state)
{
    struct place *p = *state;
    static const char *const limits[] = { "h_vmem=60000000\n", "h_rss=20000000\n" };
    need_cgroup();
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        config_in_group(p, "for i in $(seq 60); do sleep 1000 & done; wait", limits[i]);
        assert_int_equal(place_finish(place_start(p)), TASK_FAILED_LIMIT);
    }
}

static void a_job_whose_cgroup_cannot_be_made_runs_without(void **state)
{
    struct place *p = *state;
    static const char *const places[] = { "/proc/no/such", "/sys/fs/cgroup-of-nobody/x" };
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct dstr more = DSTR_INIT;
        dstr_addf(&more, "cgroup=%s\ntrace=1\n", places[i]);
        assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_NOT);
        char *trace = place_read(p->task_dir, TASK_FILE_TRACE);
        assert_non_null(strstr(trace, "the job has no cgroup: "));
        free(trace);
        dstr_free(&more);
    }
}

static void a_directory_that_is_no_cgroup_does_not_keep_a_job_from_running(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    dstr_addf(&more, "cgroup=%s/plain\n", p->dir);
    assert_int_equal(place_run(p, "echo ran", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "ran\n");
    dstr_free(&more);
}

int main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_job_is_in_its_cgroup_and_takes_it_along),
        T(a_file_says_which_cgroup_it_is),
        T(a_file_says_which_processor_set_it_is),
        T(hooks_and_the_shepherd_are_not_in_it),
        T(a_job_that_forks_on_and_on_is_ended),
        T(time_that_nobody_waited_for_counts_for_h_cpu),
        T(limits_of_memory_hold_in_a_cgroup_too),
        T(a_job_whose_cgroup_cannot_be_made_runs_without),
        T(a_directory_that_is_no_cgroup_does_not_keep_a_job_from_running),
    };
    if (argc > 1 && strcmp(argv[1], "-forgetful") == 0)
        return run_forgetful();
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

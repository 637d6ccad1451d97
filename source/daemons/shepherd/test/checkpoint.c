/* The commands of a checkpointing interface: restart, checkpoint and migration on request,
 * clean. */
#include "daemons/shepherd/test/place.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

static void send_request(const struct place *p, pid_t shepherd, enum task_request what)
{
    struct dstr number = DSTR_INIT;
    dstr_addf(&number, "%d\n", (int)what);
    place_write(p, TASK_FILE_SIGNAL, &number);
    dstr_free(&number);
    assert_int_equal(kill(shepherd, SIGTTIN), 0);
}

static void a_restart_takes_the_place_of_the_job(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho \"$@\"\nulimit -f\nexit 3\n");
    dstr_addf(&more,
              "restart_command=%s/script again $job_id $ckpt_dir $ckpt_signal $sge_root $sge_cell\n"
              "ckpt_dir=/ckpt\nckpt_signal=USR2\nsge_root=/sge\nsge_cell=c1\nh_fsize=1048576\n",
              p->dir);
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)),
                     TASK_FAILED_NOT); /* no checkpoint */
    dstr_add(&more, "ckpt_restarted=1\n");
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 3);
    place_expect_text(p->dir, "out", "job\nagain 12 /ckpt USR2 /sge c1\n2048\n");
    dstr_free(&more);
}

static void a_restart_as_a_user_without_ids_is_refused_and_the_job_does_not_run(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "echo job", "restart_command=root@/bin/true\nckpt_restarted=1\n"),
                     TASK_FAILED_SETTING_UP);
    place_expect_error(p, "config has no \"restart_command_as\"");
    place_expect_text(p->dir, "out", "");
    assert_int_equal(place_usage(p, "start_time"), 0);
}

static void a_checkpoint_is_made_on_request_and_the_job_runs_on(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $2 > $1\nexit 7\n"); /* its exit means nothing */
    dstr_addf(&more, "ckpt_command=%s/script %s/saved $job_pid\n", p->dir, p->dir);
    place_config(p, "echo $$ > job; until [ -s saved ]; do sleep 0.01; done; exit 5",
                 dstr_get(&more));
    pid_t pid = place_start(p), job = place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_CHECKPOINT);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_wait_pid(p, "saved"), job);
    assert_int_equal(place_usage(p, "exit_status"), 5);
    dstr_free(&more);
}

static void a_request_without_a_command_changes_nothing(void **state)
{
    struct place *p = *state;
    place_config(p, "trap 'exit 4' USR1; echo $$ > job; while :; do sleep 0.01; done", "");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    while (access(p->task_dir, F_OK) == 0) { /* until the request has been read */
        char *path = path_join(p->task_dir, TASK_FILE_SIGNAL);
        bool is_read = access(path, F_OK) != 0;
        free(path);
        if (is_read)
            break;
    }
    assert_int_equal(kill(pid, SIGUSR1), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 4);
}

static void a_job_that_its_migration_ended_is_to_start_again(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\ntouch $1\n");
    dstr_addf(&more, "migr_command=/bin/kill -9 -- -$job_pid\nclean_command=%s/script %s/clean\n",
              p->dir, p->dir);
    place_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    assert_int_equal(place_finish(pid), TASK_FAILED_MIGRATING);
    assert_int_equal(place_usage(p, "failed"), TASK_FAILED_MIGRATING);
    char *clean = path_join(p->dir, "clean");
    assert_int_not_equal(access(clean, F_OK), 0); /* its checkpoint is still needed */
    free(clean);
    dstr_free(&more);
}

static void what_checkpoints_have_left_is_removed_once_at_the_end(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $1\nexit 5\n");
    dstr_addf(&more, "clean_command=%s/script clean\nepilog=/bin/echo epilog\n", p->dir);
    assert_int_equal(place_run(p, "echo job; exit 1", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "job\nclean\nepilog\n");
    assert_int_equal(place_run(p, "exit 99", dstr_get(&more)), TASK_FAILED_RESCHEDULE);
    place_expect_text(p->dir, "out", "job\nclean\nepilog\nepilog\n");
    assert_int_equal(place_run(p, "true", "clean_command=/bin/true\ncwd=/nonexistent\n"),
                     TASK_FAILED_NO_CWD);
    dstr_free(&more);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(a_restart_takes_the_place_of_the_job),
        PLACE_TEST(a_restart_as_a_user_without_ids_is_refused_and_the_job_does_not_run),
        PLACE_TEST(a_checkpoint_is_made_on_request_and_the_job_runs_on),
        PLACE_TEST(a_request_without_a_command_changes_nothing),
        PLACE_TEST(a_job_that_its_migration_ended_is_to_start_again),
        PLACE_TEST(what_checkpoints_have_left_is_removed_once_at_the_end),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

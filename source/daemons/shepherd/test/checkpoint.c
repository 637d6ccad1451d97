/* The commands of a checkpointing interface: restart, checkpoint and migration on request,
 * clean. */
#include "daemons/shepherd/test/place.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

#define COMMANDS "ckpt_interface=APPLICATION-LEVEL\n"
#define SYSTEM   "ckpt_interface=CPR\n"
#define SIGNAL   "ckpt_interface=USERDEFINED\nckpt_signal=USR2\nckpt_patience=60\n"

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
    dstr_addf(
        &more,
        "ckpt_rest_command=%s/script again $job_id $ckpt_dir $ckpt_signal $sge_root $sge_cell\n"
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
    assert_int_equal(
        place_run(p, "echo job", "ckpt_rest_command=root@/bin/true\nckpt_restarted=1\n"),
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
    dstr_addf(&more, "ckpt_interface=APPLICATION-LEVEL\nckpt_command=%s/script %s/saved $job_pid\n",
              p->dir, p->dir);
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
    dstr_addf(&more,
              COMMANDS "ckpt_migr_command=/bin/kill -9 -- -$job_pid\n"
                       "ckpt_clean_command=%s/script %s/clean\n",
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
    dstr_addf(&more, "ckpt_clean_command=%s/script clean\nepilog=/bin/echo epilog\n", p->dir);
    assert_int_equal(place_run(p, "echo job; exit 1", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "job\nclean\nepilog\n");
    assert_int_equal(place_run(p, "exit 99", dstr_get(&more)), TASK_FAILED_RESCHEDULE);
    place_expect_text(p->dir, "out", "job\nclean\nepilog\nepilog\n");
    assert_int_equal(place_run(p, "true", "ckpt_clean_command=/bin/true\ncwd=/nonexistent\n"),
                     TASK_FAILED_NO_CWD);
    dstr_free(&more);
}

static void after_a_job_that_was_deleted_elsewhere_nothing_else_runs(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $1 $2\n");
    dstr_addf(&more,
              COMMANDS "ckpt_clean_only=1\nckpt_clean_command=%s/script clean $job_id\n"
                       "prolog=/bin/echo prolog\nepilog=/bin/echo epilog\n",
              p->dir);
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "clean 12\n");
    assert_int_equal(place_usage(p, "failed"), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "start_time"), 0);
    dstr_free(&more);
}

/* ---- migration ---- */
/* the job JOB, with the lines MORE, is to migrate once it runs; returns how the task ended */
static int run_migration(const struct place *p, const char *job, const char *more)
{
    place_config(p, job, more);
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    return place_finish(pid);
}

static bool is_there(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    bool is = access(path, F_OK) == 0;
    free(path);
    return is;
}

static void wait_for(const char *dir, const char *name)
{
    for (int ms = 0; !is_there(dir, name); ms += PLACE_POLL_MS) {
        assert_true(ms < PLACE_WAIT_MS);
        usleep(PLACE_POLL_MS * 1000);
    }
}

/* until NAME has been written to, not only made */
static void wait_for_text(const char *dir, const char *name)
{
    for (int ms = 0;; ms += PLACE_POLL_MS) {
        char *text = place_read(dir, name);
        bool is_written = *text != '\0';
        free(text);
        if (is_written)
            return;
        assert_true(ms < PLACE_WAIT_MS);
        usleep(PLACE_POLL_MS * 1000);
    }
}

static void a_job_saves_itself_on_its_signal_before_it_is_ended(void **state)
{
    struct place *p = *state;
    assert_int_equal(run_migration(p,
                                   "trap 'echo saved >state; trap - USR2; kill -USR2 $$' USR2; "
                                   "echo $$ > job; while :; do sleep 0.01; done",
                                   SIGNAL),
                     TASK_FAILED_MIGRATING);
    place_expect_text(p->dir, "state", "saved\n");
}

static void a_shell_that_the_signal_ends_does_not_end_what_saves_itself(void **state)
{
    struct place *p = *state;
    place_script(p, "#!/bin/sh\ntrap 'sleep 0.3; echo saved >state; exit' USR2\n"
                    "echo $$ > job; while :; do sleep 0.01; done\n");
    struct dstr job = DSTR_INIT;
    dstr_addf(&job, "%s/script; true", p->dir);
    assert_int_equal(run_migration(p, dstr_get(&job), SIGNAL), TASK_FAILED_MIGRATING);
    place_expect_text(p->dir, "state", "saved\n");
    dstr_free(&job);
}

static void a_job_that_does_not_end_has_its_patience(void **state)
{
    struct place *p = *state;
    assert_int_equal(
        run_migration(p, "trap '' USR2; echo $$ > job; while :; do sleep 0.01; done",
                      "ckpt_interface=USERDEFINED\nckpt_signal=USR2\nckpt_patience=1\n"),
        TASK_FAILED_MIGRATING);
    assert_int_equal(place_usage(p, "exit_status"), 128 + SIGKILL);
}

static void without_a_signal_a_job_is_ended_at_once(void **state)
{
    struct place *p = *state;
    assert_int_equal(
        run_migration(p, "echo $$ > job; exec sleep 1000", "ckpt_interface=USERDEFINED\n"),
        TASK_FAILED_MIGRATING);
    assert_int_equal(place_usage(p, "exit_status"), 128 + SIGKILL);
}

static void a_job_that_ended_by_itself_meanwhile_has_ended(void **state)
{
    struct place *p = *state;
    assert_int_equal(
        run_migration(p, "trap 'exit 3' USR2; echo $$ > job; while :; do sleep 0.01; done", SIGNAL),
        TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 3);
}

static void what_a_successful_command_leaves_of_the_job_is_ended(void **state)
{
    struct place *p = *state;
    assert_int_equal(run_migration(p, "echo $$ > job; exec sleep 1000",
                                   COMMANDS
                                   "ckpt_migr_command=/bin/false\n"), /* its exit is nothing */
                     TASK_FAILED_MIGRATING);
    place_expect_text(p->task_dir, TASK_FILE_CHECKPOINTED, "1\n");
}

static void a_command_may_save_the_job_after_it_has_ended_it(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\nkill -9 -$1; sleep 0.3; echo saved >state\n");
    dstr_addf(&more, SYSTEM "ckpt_migr_command=%s/script $job_pid\n", p->dir);
    assert_int_equal(run_migration(p, "echo $$ > job; exec sleep 1000", dstr_get(&more)),
                     TASK_FAILED_MIGRATING);
    place_expect_text(p->dir, "state", "saved\n");
    dstr_free(&more);
}

/* the migration fails, as the file says in WORDS; the job runs on */
static void expect_failure(struct place *p, const char *more, const char *words)
{
    place_config(p, "echo $$ > job; until [ -e go ]; do sleep 0.01; done; exit 5", more);
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    wait_for_text(p->task_dir, TASK_FILE_MIGRATION_FAILED);
    place_expect_text(p->task_dir, TASK_FILE_MIGRATION_FAILED, words);
    char *go = path_join(p->dir, "go");
    assert_int_equal(file_write(go, "", 0, 0644, NULL), 0);
    free(go);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 5);
    assert_false(is_there(p->task_dir, TASK_FILE_CHECKPOINTED));
}

static void a_command_that_fails_leaves_the_job_where_it_is(void **state)
{
    expect_failure(*state, SYSTEM "ckpt_migr_command=/bin/false\n",
                   "exit_status of migr_command = 1\n");
}

static void a_command_that_hangs_is_ended_and_the_job_runs_on(void **state)
{
    expect_failure(*state, COMMANDS "ckpt_migr_command=/bin/sleep 1000\nscript_timeout=1\n",
                   "migr_command took longer than script_timeout\n");
}

static void a_command_that_is_killed_leaves_the_job_where_it_is(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\nkill -9 $$\n");
    dstr_addf(&more, COMMANDS "ckpt_migr_command=%s/script\n", p->dir);
    expect_failure(p, dstr_get(&more), "migr_command was ended by signal 9\n");
    dstr_free(&more);
}

static void a_job_that_is_ended_while_it_migrates_is_over(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho >$1\n");
    dstr_addf(&more,
              COMMANDS "ckpt_migr_command=/bin/sleep 1000\n"
                       "ckpt_clean_command=%s/script %s/clean\n",
              p->dir, p->dir);
    place_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    for (int ms = 0; is_there(p->task_dir, TASK_FILE_SIGNAL); ms += PLACE_POLL_MS) {
        assert_true(ms < PLACE_WAIT_MS); /* until the request has been read */
        usleep(PLACE_POLL_MS * 1000);
    }
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_true(is_there(p->dir, "clean"));
    dstr_free(&more);
}

static void a_checkpoint_that_is_needed_again_is_not_removed(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, nothing = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho >$1\n");
    dstr_addf(&more, COMMANDS "ckpt_clean_command=%s/script %s/clean\n", p->dir, p->dir);
    place_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    place_write(p, TASK_FILE_KEEP_CHECKPOINT, &nothing);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_false(is_there(p->dir, "clean"));
    dstr_free(&more);
}

static void a_job_that_is_suspended_is_resumed_to_save_itself(void **state)
{
    struct place *p = *state;
    place_config(p,
                 "trap 'echo saved >state; trap - USR2; kill -USR2 $$' USR2; "
                 "echo $$ > job; while :; do sleep 0.01; done",
                 SIGNAL "suspend_method=/usr/bin/touch stopped\n"
                        "resume_method=/usr/bin/touch resumed\n");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGTTOU), 0);
    wait_for(p->dir, "stopped");
    send_request(p, pid, TASK_REQUEST_MIGRATE);
    assert_int_equal(place_finish(pid), TASK_FAILED_MIGRATING);
    assert_true(is_there(p->dir, "resumed"));
    place_expect_text(p->dir, "state", "saved\n");
}

/* ---- periodic checkpoints ---- */
static void signals_come_at_intervals(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p,
                               "n=0; trap 'n=$((n+1))' USR2; "
                               "until [ $n = 2 ]; do sleep 0.01; done; exit 7",
                               "ckpt_interface=TRANSPARENT\nckpt_signal=USR2\nckpt_interval=1\n"),
                     TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 7);
}

static void commands_run_at_intervals_and_limits_hold_meanwhile(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $1 >began\nexec sleep 1000\n");
    dstr_addf(&more,
              COMMANDS "ckpt_command=%s/script $job_pid\nckpt_interval=1\nh_rt=2\n"
                       "suspend_method=%s/script\n",
              p->dir, p->dir);
    assert_int_equal(place_run(p, "exec sleep 1000", dstr_get(&more)), TASK_FAILED_LIMIT);
    assert_true(is_there(p->dir, "began"));
    assert_false(is_there(p->task_dir, TASK_FILE_CHECKPOINTED));
    dstr_free(&more);
}

static void a_method_runs_beside_a_checkpoint(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho >$1; until [ -e $2 ]; do sleep 0.01; done\n");
    dstr_addf(&more,
              COMMANDS "ckpt_command=%s/script saving resumed\n"
                       "suspend_method=/usr/bin/touch stopped\n"
                       "resume_method=%s/script resumed saving\n",
              p->dir, p->dir); /* each waits for the other */
    place_config(p, "echo $$ > job; until [ -e resumed ]; do sleep 0.01; done; exit 4",
                 dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGTTOU), 0);
    wait_for(p->dir, "stopped");
    send_request(p, pid, TASK_REQUEST_CHECKPOINT);
    wait_for(p->dir, "saving");
    assert_int_equal(kill(pid, SIGCONT), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 4);
    dstr_free(&more);
}

static void a_stop_waits_for_the_checkpoint_that_is_made(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho >saving; until [ -e go ]; do sleep 0.01; done; echo >saved\n");
    dstr_addf(&more, COMMANDS "ckpt_command=%s/script\nsuspend_method=/usr/bin/touch stopped\n",
              p->dir);
    place_config(p, "echo $$ > job; until [ -e stopped ]; do sleep 0.01; done; test -e saved",
                 dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    send_request(p, pid, TASK_REQUEST_CHECKPOINT);
    wait_for(p->dir, "saving");
    assert_int_equal(kill(pid, SIGTTOU), 0);
    char *go = path_join(p->dir, "go");
    assert_int_equal(file_write(go, "", 0, 0644, NULL), 0);
    free(go);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 0);
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
        PLACE_TEST(after_a_job_that_was_deleted_elsewhere_nothing_else_runs),
        PLACE_TEST(a_job_saves_itself_on_its_signal_before_it_is_ended),
        PLACE_TEST(a_shell_that_the_signal_ends_does_not_end_what_saves_itself),
        PLACE_TEST(a_job_that_does_not_end_has_its_patience),
        PLACE_TEST(without_a_signal_a_job_is_ended_at_once),
        PLACE_TEST(a_job_that_ended_by_itself_meanwhile_has_ended),
        PLACE_TEST(what_a_successful_command_leaves_of_the_job_is_ended),
        PLACE_TEST(a_command_may_save_the_job_after_it_has_ended_it),
        PLACE_TEST(a_command_that_fails_leaves_the_job_where_it_is),
        PLACE_TEST(a_command_that_hangs_is_ended_and_the_job_runs_on),
        PLACE_TEST(a_command_that_is_killed_leaves_the_job_where_it_is),
        PLACE_TEST(a_job_that_is_ended_while_it_migrates_is_over),
        PLACE_TEST(a_checkpoint_that_is_needed_again_is_not_removed),
        PLACE_TEST(a_job_that_is_suspended_is_resumed_to_save_itself),
        PLACE_TEST(signals_come_at_intervals),
        PLACE_TEST(commands_run_at_intervals_and_limits_hold_meanwhile),
        PLACE_TEST(a_method_runs_beside_a_checkpoint),
        PLACE_TEST(a_stop_waits_for_the_checkpoint_that_is_made),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

/* Commands around the job. */
#include "daemons/shepherd/test/place.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/process.h"

static void test_hooks(void **state)
{
    struct place *p = *state;
    place_script(p, "#!/bin/sh\necho hook $1 $2\nexit ${3:-0}\n");
    struct dstr more = DSTR_INIT;
    dstr_addf(&more, "prolog=%s/script before $job_id\nepilog=%s/script after $job_name\n", p->dir,
              p->dir);
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "hook before 12\njob\nhook after name\n");
    place_expect_text(p->task_dir, TASK_FILE_EXIT_STATUS, "0\n");
    dstr_clear(&more);
    dstr_addf(&more, "prolog=%s/script a b 7\n", p->dir);
    assert_int_equal(place_run(p, "echo never", dstr_get(&more)), TASK_FAILED_IN_PROLOG);
    place_expect_error(p, "exit_status of prolog = 7 (");
    place_expect_text(p->dir, "out", "hook before 12\njob\nhook after name\nhook a b\n");
    dstr_clear(&more);
    dstr_addf(&more, "epilog=%s/script a b 8\n", p->dir);
    assert_int_equal(place_run(p, "exit 1", dstr_get(&more)), TASK_FAILED_IN_EPILOG);
    place_expect_text(p->task_dir, TASK_FILE_EXIT_STATUS, "1\n"); /* the job's */
    place_expect_text(p->task_dir, TASK_FILE_FAILED, "15\n");
    assert_int_equal(place_usage(p, "failed"), 0);
    dstr_clear(&more);
    dstr_addf(&more, "prolog=%s/script a b 99\n", p->dir);
    assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_RESCHEDULE);
    dstr_free(&more);
}

static void what_a_parallel_environment_runs_around_the_job(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho \"$@\" $SGE_STDOUT_PATH\n");
    dstr_addf(&more,
              "pe_start=%s/script start $pe_hostfile $host $job_owner $job_id $job_name $pe "
              "$pe_slots $processors $queue\n",
              p->dir);
    dstr_addf(&more, "pe_stop=%s/script stop $pe_hostfile\nstdout_path=%s\n", p->dir, p->dir);
    dstr_add(&more, "pe_hostfile=/spool/pe_hostfile\nhost=node1\njob_owner=anna\npe=mpi\n"
                    "pe_slots=12\nprocessors=UNDEFINED\nqueue=all.q\n");
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "name.o12", "job\n");
    dstr_clear(&more);
    dstr_addf(&more,
              "start /spool/pe_hostfile node1 anna 12 name mpi 12 UNDEFINED all.q %s/name.po12\n"
              "stop /spool/pe_hostfile %s/name.po12\n",
              p->dir, p->dir);
    place_expect_text(p->dir, "name.po12", dstr_get(&more));
    dstr_free(&more);
}

static void what_they_say_of_errors_goes_to_a_file_of_its_own(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho said; echo wrong >&2; exit 3\n");
    dstr_addf(&more, "pe_start=%s/script\nstdout_path=%s\nstderr_path=%s\nmerge_stderr=0\n", p->dir,
              p->dir, p->dir);
    dstr_add(&more, "ja_task_id=7\n");
    assert_int_equal(place_run(p, "echo never", dstr_get(&more)), TASK_FAILED_IN_PE_START);
    place_expect_error(p, "exit_status of pe_start = 3");
    place_expect_text(p->dir, "name.po12.7", "said\n");
    place_expect_text(p->dir, "name.pe12.7", "wrong\n");
    place_expect_text(p->dir, "name.o12.7", "");
    dstr_free(&more);
}

static void the_environment_is_stopped_however_the_job_ended(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $1\nexit $2\n");
    dstr_addf(&more, "pe_start=%s/script start 0\npe_stop=%s/script stop 4\n", p->dir, p->dir);
    assert_int_equal(place_run(p, "kill -9 $$", dstr_get(&more)), TASK_FAILED_AFTER_JOB);
    place_expect_text(p->dir, "out", "start\nstop\n");
    assert_int_equal(place_run(p, "exit 1", dstr_get(&more)), TASK_FAILED_IN_PE_STOP);
    dstr_free(&more);
}

static void hooks_get_what_they_need_to_stage_files(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\nprintf '<%s>' \"$@\"\n");
    dstr_addf(&more,
              "prolog=%s/script $fs_stdin_host $fs_stdin_path $fs_stdin_tmp_path "
              "$fs_stdin_file_staging $fs_stderr_file_staging $fs_stderr_host:$fs_stderr_path end\n"
              "fs_stdin_host=store\nfs_stdin_path=/in put\nfs_stdin_tmp_path=/tmp/x/stdin\n"
              "fs_stdin_file_staging=1\n",
              p->dir);
    assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "<store></in put></tmp/x/stdin><1><0><:><end>");
    dstr_free(&more);
}

static void test_hook_timeout(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "true", "prolog=/bin/sleep 1000\nscript_timeout=0\n"),
                     TASK_FAILED_IN_PROLOG);
    place_expect_error(p, "prolog took longer than script_timeout");
}

/* the owner can send signals to a hook: that must not put the queue into error */
static void a_hook_that_a_signal_ended_is_the_failure_of_its_job(void **state)
{
    struct place *p = *state;
    static const struct {
        const char *hook, *script, *error;
        unsigned failed;
    } cases[] = {
        { "prolog", "kill -9 $$", "prolog was ended by signal 9", TASK_FAILED_BEFORE_JOB },
        { "pe_start", "kill -15 $$", "pe_start was ended by signal 15", TASK_FAILED_BEFORE_JOB },
        { "pe_stop", "kill -6 $$", "pe_stop was ended by signal 6", TASK_FAILED_AFTER_JOB },
        { "epilog", "kill -9 $$", "epilog was ended by signal 9", TASK_FAILED_AFTER_JOB },
        { "prolog", "sh -c 'kill -9 $$'", "exit_status of prolog = 137", TASK_FAILED_BEFORE_JOB },
        { "prolog", "exit 128", "exit_status of prolog = 128", TASK_FAILED_IN_PROLOG },
        { "prolog", "exit 255", "exit_status of prolog = 255", TASK_FAILED_IN_PROLOG },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dstr text = DSTR_INIT;
        char *error = path_join(p->task_dir, TASK_FILE_ERROR);
        (void)unlink(error);
        dstr_addf(&text, "#!/bin/sh\n%s\n", cases[i].script);
        place_script(p, dstr_get(&text));
        dstr_clear(&text);
        dstr_addf(&text, "%s=%s/script\n", cases[i].hook, p->dir);
        assert_int_equal(place_run(p, "true", dstr_get(&text)), cases[i].failed);
        place_expect_error(p, cases[i].error);
        dstr_free(&text);
        free(error);
    }
}

static void a_hook_that_was_stopped_is_the_failure_of_its_job(void **state)
{
    struct place *p = *state;
    static const char *const scripts[] = { "kill -STOP $$", "sh -c 'kill -STOP $$'" };
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        struct dstr text = DSTR_INIT;
        char *error = path_join(p->task_dir, TASK_FILE_ERROR);
        (void)unlink(error);
        dstr_addf(&text, "#!/bin/sh\n%s\n", scripts[i]);
        place_script(p, dstr_get(&text));
        dstr_clear(&text);
        dstr_addf(&text, "prolog=%s/script\nscript_timeout=1\n", p->dir);
        assert_int_equal(place_run(p, "true", dstr_get(&text)), TASK_FAILED_BEFORE_JOB);
        place_expect_error(p, "prolog was stopped and took longer than script_timeout");
        dstr_free(&text);
        free(error);
    }
}

/* what the job's owner can break does not make a hook fail, which would be the queue's fault */
static void a_hook_runs_whatever_the_job_says(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, environment = DSTR_INIT;
    char *mark = path_join(p->dir, "mark");
    place_script(p, "#!/bin/sh\n{ pwd; echo $PATH; env; } > $1\necho line\n");
    dstr_addf(&more, "prolog=%s/script %s\nstdout_path=/nonexistent/out\ncwd=/nonexistent\n",
              p->dir, mark);
    place_config(p, "true", dstr_get(&more));
    dstr_add(&environment, "PATH=/evil\nLD_PRELOAD=/evil.so\nBASH_ENV=/evil.sh\nENV=/evil.sh\nX=y\n"
                           "JOB_ID=12\nSGE_O_HOME=/home/x\n");
    place_write(p, TASK_FILE_ENVIRONMENT, &environment);
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NO_CWD); /* of the job */
    char *text = place_read(p->dir, "mark");
    assert_non_null(strstr(text, "/\n/usr/local/bin:/usr/bin:/bin\n"));
    assert_non_null(strstr(text, "JOB_ID=12\n"));
    assert_non_null(strstr(text, "SGE_O_HOME=/home/x\n"));
    assert_null(strstr(text, "evil"));
    assert_non_null(strstr(text, "\nX=y\n")); /* all else of the job's */
    free(text);
    free(mark);
    dstr_free(&more);
    dstr_free(&environment);
}

/* two processes in sessions of their own, which write down what reaches them */
#define FAMILY                                                                                     \
    "trap : TSTP 12; for n in a b; do setsid sh -c 'for i in TSTP TERM 12; do trap \"echo $i >> "  \
    "'$n'\" $i; done; echo x > '$n'.up; while :; do sleep 0.02; done' & done; "                    \
    "until [ -s a.up ] && [ -s b.up ]; do sleep 0.01; done; echo $$ > job; while :; do wait; done"

static void wait_text(const struct place *p, const char *name, const char *wanted)
{
    for (int ms = 0;; ms += PLACE_POLL_MS) {
        char *text = place_read(p->dir, name);
        bool is_there = strcmp(text, wanted) == 0;
        free(text);
        if (is_there)
            return;
        assert_true(ms < PLACE_WAIT_MS);
        (void)usleep(PLACE_POLL_MS * 1000);
    }
}

static void methods_reach_all_processes_of_the_job(void **state)
{
    struct place *p = *state;
    place_config(p, FAMILY, "suspend_method=SIGTSTP\nresume_method=12\nterminate_method=TERM\n");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0); /* repeated: nothing to resume */
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    wait_text(p, "a", "TSTP\n");
    wait_text(p, "b", "TSTP\n");
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0);
    wait_text(p, "a", "TSTP\n12\n");
    wait_text(p, "b", "TSTP\n12\n");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0); /* their parent ends by it */
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "signal"), SIGTERM);
}

static void a_method_that_does_not_end_the_job_is_called_again(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho x >> $1/calls\n");
    dstr_addf(&more, "terminate_method=%s/script %s\n", p->dir, p->dir);
    place_config(p, "echo $$ > job; until [ \"$(grep -c x calls)\" = 2 ]; do sleep 0.05; done",
                 dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    place_expect_text(p->dir, "calls", "x\nx\n");
    dstr_free(&more);
}

static void a_job_that_wants_notice_gets_it_before_it_is_suspended_or_ended(void **state)
{
    struct place *p = *state;
    place_config(p,
                 "trap 'echo 1 >> noted' USR1; trap 'echo 2 >> noted' USR2; "
                 "trap 'echo c >> noted' CONT; echo $$ > job; while :; do sleep 0.02; done",
                 "notify=1\nnotify_job=1\n");
    pid_t pid = place_start(p);
    pid_t job = place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    wait_text(p, "noted", "1\n");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0); /* said twice: no second notice */
    for (int ms = 0; !process_is_stopped(job); ms += PLACE_POLL_MS) {
        assert_true(ms < PLACE_WAIT_MS);
        (void)usleep(PLACE_POLL_MS * 1000);
    }
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)), 0);
    wait_text(p, "noted", "1\nc\n");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    wait_text(p, "noted", "1\nc\n2\n");
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    assert_int_equal(place_usage(p, "signal"), SIGKILL);
}

static void a_notice_is_withdrawn_and_its_signals_are_those_of_the_site(void **state)
{
    struct place *p = *state;
    place_config(p,
                 "trap 'echo i >> noted' INT; trap 'echo c >> noted; exit 7' CONT; echo $$ > job; "
                 "while :; do sleep 0.02; done",
                 "notify=1000\nnotify_job=1\nnotify_susp=2\nnotify_kill=0\n");
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    wait_text(p, "noted", "i\n");
    assert_int_equal(kill(pid, task_signal_for(SIGCONT)),
                     0); /* within the time: it never stopped */
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    place_expect_text(p->dir, "noted", "i\nc\n");
    place_config(p, "echo $$ > job; exec sleep 1000",
                 "notify=1000\nnotify_job=1\nnotify_susp=2\nnotify_kill=0\n");
    char *job = path_join(p->dir, "job");
    assert_int_equal(unlink(job), 0);
    free(job);
    pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0); /* no notice: killed at once */
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
}

/* as root: another user than the job's, whose ids are 65534 */
enum { OTHER_UID = 65533 };

static void a_hook_runs_as_the_user_in_front_of_it(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, wanted = DSTR_INIT, environment = DSTR_INIT;
    bool is_root = geteuid() == 0;
    unsigned uid = is_root ? OTHER_UID : (unsigned)geteuid();
    unsigned gid = is_root ? OTHER_UID : (unsigned)getegid();
    struct stat st;
    place_script(p, "#!/bin/sh\necho $1 $(id -u):$(id -g) $JOB_ID${X-}\n");
    dstr_addf(&more, "prolog=other@%s/script $job_id\nprolog_as=%u:%u:%u,7\nadd_grp_id=60001\n",
              p->dir, uid, gid, gid);
    place_config(p, "echo job $(id -u)", dstr_get(&more));
    dstr_add(&environment, "PATH=/bin:/usr/bin\nLD_PRELOAD=\nJOB_ID=12\nX=theirs\n");
    place_write(p, TASK_FILE_ENVIRONMENT, &environment);
    assert_int_equal(place_finish(place_start(p)), TASK_FAILED_NOT);
    /* a user's own cell has one user, whose hooks see what the job sees */
    dstr_addf(&wanted, "12 %u:%u 12%s\njob %u\n", uid, gid, is_root ? "" : "theirs",
              (unsigned)p->uid);
    place_expect_text(p->dir, "out", dstr_get(&wanted));
    char *out = path_join(p->dir, "out");
    assert_int_equal(stat(out, &st), 0);
    assert_int_equal(st.st_uid, p->uid); /* the hook's output is in a file of the job's owner */
    free(out);
    dstr_free(&environment);
    dstr_free(&wanted);
    dstr_free(&more);
}

/* whatever the hook's user may do: what is opened for it, the job's owner could open */
static void a_hook_of_another_user_opens_what_the_owner_may_open(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *secret = path_join(p->dir, "secret");
    if (geteuid() != 0)
        place_script(p, "#!/bin/sh\n"); /* a user's own cell has one user */
    else
        place_script(p, "#!/bin/sh\necho overwritten\nid -u >&2\n");
    assert_int_equal(file_write(secret, "kept\n", 5, 0600, NULL), 0);
    dstr_addf(&more, "epilog=root@%s/script\nepilog_as=0:0:0\nstdout_path=%s\n", p->dir, secret);
    (void)place_run(p, "true", dstr_get(&more)); /* as root's, the job cannot open it either */
    place_expect_text(p->dir, "secret", "kept\n");
    free(secret);
    dstr_free(&more);
}

static void a_hook_whose_user_has_no_ids_does_not_run(void **state)
{
    struct place *p = *state;
    assert_int_equal(place_run(p, "echo job", "prolog=root@/bin/true\n"), TASK_FAILED_IN_PROLOG);
    place_expect_error(p, "config has no \"prolog_as\" (root@/bin/true on ");
    if (geteuid() == 0) { /* an ordinary user is no other, whatever the ids */
        assert_int_equal(place_run(p, "echo job", "prolog=root@/bin/true\nprolog_as=0:x:\n"),
                         TASK_FAILED_IN_PROLOG);
        assert_int_equal(place_run(p, "echo job", "prolog=root@/bin/true\nprolog_as=0:0:1,z\n"),
                         TASK_FAILED_IN_PROLOG);
    }
    place_expect_text(p->dir, "out", "");
}

static void a_job_starts_as_the_user_of_its_starter(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, wanted = DSTR_INIT;
    bool is_root = geteuid() == 0;
    unsigned uid = is_root ? OTHER_UID : (unsigned)geteuid();
    place_script(p, "#!/bin/sh\necho $(id -u) \"$@\"\n");
    dstr_addf(&more,
              "starter_method=other@%s/script -x one\nstarter_method_as=%u:%u:%u\n"
              "njob_args=1\njob_arg1=a b\n",
              p->dir, uid, uid, uid);
    assert_int_equal(place_run(p, "job", dstr_get(&more)), TASK_FAILED_NOT);
    dstr_addf(&wanted, "%u -x one job a b\n", uid);
    place_expect_text(p->dir, "out", dstr_get(&wanted));
    assert_int_equal(place_run(p, "job", "starter_method=other@/bin/true\n"),
                     TASK_FAILED_SETTING_UP);
    place_expect_error(p, "config has no \"starter_method_as\"");
    dstr_free(&more);
    dstr_free(&wanted);
}

static void a_starter_is_told_how_the_job_would_have_been_started(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $SGE_STARTER_SHELL_PATH $SGE_STARTER_SHELL_START_MODE "
                    "$SGE_STARTER_USE_LOGIN_SHELL $#\nexec \"$@\"\n");
    dstr_addf(&more, "starter_method=%s/script\nshell_start_mode=unix_behavior\n", p->dir);
    assert_int_equal(place_run(p, "/bin/true", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "/bin/sh unix_behavior true 1\n");
    dstr_free(&more);
}

/* as queue_conf(5) shell_start_mode has it */
static void a_shell_reads_job_and_hooks_from_its_standard_input(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "echo $0 hook $1 $2\nexit 3\n");
    dstr_addf(&more, "prolog=%s/script $job_id x\nshell_start_mode=script_from_stdin\n", p->dir);
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_IN_PROLOG);
    place_expect_text(p->dir, "out", "/bin/sh hook 12 x\n");
    dstr_clear(&more);
    /* neither can be read: without "hooks_as_root" it is opened as its user */
    char *script = path_join(p->dir, "script");
    assert_int_equal(chmod(script, 0), 0);
    dstr_addf(&more, "epilog=%s/script x\nshell_start_mode=script_from_stdin\n", p->dir);
    assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_IN_EPILOG);
    place_expect_error(p, "exit_status of prolog = 3");
    dstr_add(&more, "hooks_as_root=1\n");
    bool is_root = geteuid() == 0;
    assert_int_equal(chmod(script, 0600), 0); /* to be written */
    place_script(p, "echo as $(id -u); exit 0\n");
    assert_int_equal(chmod(script, is_root ? 0 : 0600), 0);
    assert_int_equal(place_run(p, "true", dstr_get(&more)), TASK_FAILED_NOT);
    char *out = place_read(p->dir, "out");
    struct dstr as = DSTR_INIT;
    dstr_addf(&as, "as %u\n", (unsigned)p->uid); /* the owner runs what root has opened */
    assert_non_null(strstr(out, dstr_get(&as)));
    dstr_free(&as);
    free(out);
    free(script);
    dstr_free(&more);
}

static void a_script_that_its_owner_cannot_reach_is_opened_for_its_shell(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "echo read $1\n");
    char *script = path_join(p->dir, "script");
    assert_int_equal(chmod(script, geteuid() == 0 ? 0 : 0600), 0);
    dstr_addf(&more,
              "script_file=%s\nhandle_as_binary=0\nshell_start_mode=script_from_stdin\n"
              "njob_args=1\njob_arg1=one\n",
              script);
    assert_int_equal(place_run(p, "unused", dstr_get(&more)), TASK_FAILED_NOT);
    place_expect_text(p->dir, "out", "read one\n");
    free(script);
    dstr_free(&more);
}

/* a command of the site in place of that of AFS, which writes down as whom it ran */
static void tokens_are_set_before_all_else_and_again_while_the_job_runs(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT, wanted = DSTR_INIT;
    unsigned uid = geteuid() == 0 ? OTHER_UID : (unsigned)geteuid();
    place_script(p, "#!/bin/sh\necho $1 $(id -u) ${2-} ${3-} >> $0.log\n");
    char *log = path_join(p->dir, "script.log");
    assert_int_equal(file_write(log, "", 0, 0666, NULL), 0);
    assert_int_equal(chmod(log, 0666), 0);
    dstr_addf(&more,
              "set_token_cmd=other@%s/script token $job_owner 2\nset_token_cmd_as=%u:%u:\n"
              "job_owner=anna\ntoken_extend_time=2\nprolog=%s/script prolog\n",
              p->dir, uid, uid, p->dir);
    assert_int_equal(place_run(p, "until [ $(grep -c token script.log) = 3 ]; do sleep 0.05; done",
                               dstr_get(&more)),
                     TASK_FAILED_NOT);
    dstr_addf(&wanted, "token %u anna 2\nprolog %u\ntoken %u anna 2\ntoken %u anna 2\n", uid,
              (unsigned)p->uid, uid, uid);
    place_expect_text(p->dir, "script.log", dstr_get(&wanted));
    assert_true(place_usage(p, "ru_wallclock") >=
                2); /* one each second, which is half of the time */
    place_script(p, "#!/bin/sh\nexit 1\n");
    assert_int_equal(place_run(p, "echo job", dstr_get(&more)), TASK_FAILED_SETTING_UP);
    place_expect_error(p, "exit_status of set_token_cmd = 1");
    free(log);
    dstr_free(&wanted);
    dstr_free(&more);
}

static void a_hook_does_not_wait_for_the_reader_of_a_pipe(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *fifo = path_join(p->dir, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    assert_int_equal(chmod(fifo, 0666), 0);
    place_script(p, "#!/bin/sh\necho line\n");
    dstr_addf(&more, "prolog=%s/script\nstdout_path=%s\n", p->dir, fifo);
    place_config(p, "echo $$ > started", dstr_get(&more));
    pid_t pid = place_start(p);
    int reader = open(fifo, O_RDONLY | O_CLOEXEC); /* the job itself waits for one */
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    close(reader);
    free(fifo);
    dstr_free(&more);
}

static void repeating_the_end_does_not_cut_the_terminate_method_short(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    char *gate = path_join(p->dir, "gate");
    assert_int_equal(mkfifo(gate, 0666), 0);
    assert_int_equal(chmod(gate, 0666), 0);
    place_script(p,
                 "#!/bin/sh\necho $$ > method; read x < $2; echo whole > after; kill -KILL $1\n");
    dstr_addf(&more, "terminate_method=%s/script $job_pid %s\n", p->dir, gate);
    place_config(p, "echo $$ > job; exec sleep 1000", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "job");
    assert_int_equal(kill(pid, SIGTERM), 0);
    (void)place_wait_pid(p, "method");
    for (int i = 0; i < 3; i++)
        assert_int_equal(kill(pid, SIGTERM), 0);
    int fd = open(gate, O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    place_expect_text(p->dir, "after", "whole\n");
    free(gate);
    dstr_free(&more);
}

static void a_task_that_is_ended_before_its_job_runs_does_not_run_it(void **state)
{
    struct place *p = *state;
    sigset_t all, before;
    sigfillset(&all);
    place_config(p, "echo ran > ran", "");
    assert_int_equal(sigprocmask(SIG_BLOCK, &all, &before), 0); /* the shepherd begins with it */
    pid_t pid = place_start(p);
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    int failed = place_finish(pid);
    assert_int_equal(failed, TASK_FAILED_AFTER_JOB);
}

static void test_kill_during_prolog(void **state)
{
    struct place *p = *state;
    struct dstr more = DSTR_INIT;
    place_script(p, "#!/bin/sh\necho $$ > hook; sleep 1000\n");
    dstr_addf(&more, "prolog=%s/script\n", p->dir);
    place_config(p, "echo never", dstr_get(&more));
    pid_t pid = place_start(p);
    (void)place_wait_pid(p, "hook");
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_AFTER_JOB);
    place_expect_error(p, "job was ended during its prolog");
    place_expect_text(p->dir, "out", "");
    dstr_free(&more);
}

static void test_methods(void **state)
{
    struct place *p = *state;
    place_script(p, "#!/bin/sh\necho $1 $2 >> methods\n");
    struct dstr more = DSTR_INIT;
    dstr_addf(&more,
              "suspend_method=%s/script suspend $job_pid\nterminate_method=SIGQUIT\ntrace=1\n",
              p->dir);
    place_config(p, "trap 'exit 4' QUIT; echo $$ > job; while :; do sleep 0.01; done",
                 dstr_get(&more));
    pid_t pid = place_start(p), job = place_wait_pid(p, "job");
    assert_int_equal(kill(pid, task_signal_for(SIGSTOP)), 0);
    char *text = NULL;
    do {
        free(text);
        text = place_read(p->dir, "methods");
    } while (strchr(text, '\n') == NULL);
    dstr_clear(&more);
    dstr_addf(&more, "suspend %d\n", (int)job);
    assert_string_equal(text, dstr_get(&more));
    free(text);
    assert_int_equal(kill(pid, task_signal_for(SIGKILL)), 0);
    assert_int_equal(place_finish(pid), TASK_FAILED_NOT);
    assert_int_equal(place_usage(p, "exit_status"), 4);
    dstr_free(&more);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_hooks),
        PLACE_TEST(what_a_parallel_environment_runs_around_the_job),
        PLACE_TEST(what_they_say_of_errors_goes_to_a_file_of_its_own),
        PLACE_TEST(the_environment_is_stopped_however_the_job_ended),
        PLACE_TEST(hooks_get_what_they_need_to_stage_files),
        PLACE_TEST(test_hook_timeout),
        PLACE_TEST(a_hook_that_a_signal_ended_is_the_failure_of_its_job),
        PLACE_TEST(a_hook_that_was_stopped_is_the_failure_of_its_job),
        PLACE_TEST(methods_reach_all_processes_of_the_job),
        PLACE_TEST(a_method_that_does_not_end_the_job_is_called_again),
        PLACE_TEST(a_job_that_wants_notice_gets_it_before_it_is_suspended_or_ended),
        PLACE_TEST(a_notice_is_withdrawn_and_its_signals_are_those_of_the_site),
        PLACE_TEST(a_hook_runs_as_the_user_in_front_of_it),
        PLACE_TEST(a_hook_of_another_user_opens_what_the_owner_may_open),
        PLACE_TEST(a_hook_whose_user_has_no_ids_does_not_run),
        PLACE_TEST(a_shell_reads_job_and_hooks_from_its_standard_input),
        PLACE_TEST(a_script_that_its_owner_cannot_reach_is_opened_for_its_shell),
        PLACE_TEST(tokens_are_set_before_all_else_and_again_while_the_job_runs),
        PLACE_TEST(a_starter_is_told_how_the_job_would_have_been_started),
        PLACE_TEST(a_job_starts_as_the_user_of_its_starter),
        PLACE_TEST(a_hook_runs_whatever_the_job_says),
        PLACE_TEST(a_hook_does_not_wait_for_the_reader_of_a_pipe),
        PLACE_TEST(repeating_the_end_does_not_cut_the_terminate_method_short),
        PLACE_TEST(a_task_that_is_ended_before_its_job_runs_does_not_run_it),
        PLACE_TEST(test_kill_during_prolog),
        PLACE_TEST(test_methods),
    };
    return place_main(argc, argv, tests, ARRAY_LEN(tests));
}

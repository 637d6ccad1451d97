/* An execd of its own process, with real shepherds, against a qmaster that the test plays. */
#include "daemons/execd/test/fake_qmaster.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/task_files.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/task_dir.h"

static const char *bin_dir; /* set once by main */

static int setup(void **state)
{
    struct fake *f = malloc(sizeof *f);
    struct XM_Type m;
    fake_open(f, bin_dir);
    fake_start_execd(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fake_close(*state);
    free(*state);
    return 0;
}

static void run_command(struct fake *f, uint32_t number, const char *command)
{
    struct JB_Type job;
    fake_job(f, &job, number, command);
    fake_order(f, &job, number, 1, 1);
    cull_clear(&cull_JB_Type, &job);
}

static double usage_of(const struct JR_Type *r, const char *name)
{
    for (uint32_t i = 0; i < r->JR_usage.n; i++)
        if (strcmp(r->JR_usage.v[i].UA_name, name) == 0)
            return r->JR_usage.v[i].UA_value;
    return -1;
}

static void wait_gone(const struct fake *f, const char *name)
{
    char *path = fake_path(f, name);
    for (int i = 0; i < 4000 && access(path, F_OK) == 0; i++)
        (void)poll(NULL, 0, 5);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

/* the pid in a file whose line is whole; a file that is used again has that of BEFORE until the next process has written its own */
static pid_t next_pid_in(const struct fake *f, const char *name, pid_t before)
{
    int32_t pid = before;
    for (int i = 0; i < 4000 && pid == before; i++) {
        char *text = fake_text(f, name);
        bool is_whole = strchr(text, '\n') != NULL;
        text[strcspn(text, " \n")] = '\0';
        if (!is_whole || !parse_i32(text, &pid))
            pid = before;
        free(text);
        if (pid == before)
            (void)poll(NULL, 0, 5);
    }
    assert_int_not_equal(pid, before);
    return pid;
}

static pid_t pid_in(const struct fake *f, const char *name)
{
    return next_pid_in(f, name, 0);
}

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
    run_command(f, 5, "touch $TMPDIR/x && echo $JOB_ID.$SGE_TASK_ID; exit 3");
    fake_wait_report(f, 5, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 3);
    assert_int_equal(r.JR_attempt, 1);
    assert_string_equal(r.JR_queue, "all.q@testhost");
    assert_true(r.JR_start_time > 0 && r.JR_end_time >= r.JR_start_time);
    assert_true(usage_of(&r, "ru_maxrss") > 0);
    assert_true(usage_of(&r, "cpu") >= 0);
    cull_clear(&cull_JR_Type, &r);
    char *out = fake_text(f, "out"), *usage = fake_path(f, "spool/active_jobs/5.1/usage");
    assert_string_equal(out, "5.1\n");
    assert_int_equal(access(usage, F_OK), 0);
    fake_about(f, EXEC_END_ACK, 0, 5, 1, 1);
    wait_gone(f, "spool/active_jobs/5.1");
    wait_gone(f, "5.1.all.q");
    free(out);
    free(usage);
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

/* qmod -f -rj: the qmaster counts the older attempt as ended at once, its processes may take their time */
static void a_newer_attempt_begins_when_the_older_has_ended(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 61, "echo $$ > pid61; exec sleep 1000");
    fake_order(f, &job, 61, 1, 1);
    (void)pid_in(f, "pid61");
    pid_t shepherd = pid_in(f, "spool/active_jobs/61.1/pid");
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
    (void)next_pid_in(f, "spool/active_jobs/61.1/pid", shepherd);
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
    (void)pid_in(f, "pid62");
    pid_t shepherd = pid_in(f, "spool/active_jobs/62.1/pid");
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
    wait_gone(f, "spool/job_scripts/30");
    /* a new connection: the qmaster does not know any more that we have 31, and never says to forget it */
    assert_int_equal(mkfifo(fifo, 0666), 0);
    submit_script(f, 31, "#!/bin/sh\necho x > started; read x < fifo\n");
    assert_true(fake_wait_file(f, "started"));
    fake_hang_up(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
    int fd = open(fifo, O_WRONLY);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
    fake_wait_report(f, 31, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 31, 1, 1);
    wait_gone(f, "spool/job_scripts/31");
    free(script);
    free(fifo);
}

static void test_kill(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    run_command(f, 9, "echo $$ > pid9; sleep 1000");
    (void)pid_in(f, "pid9");
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

static void test_unknown_user(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct JR_Type r;
    fake_job(f, &job, 10, "true");
    cull_set(&job, JB_owner, "nosuchuser");
    fake_order(f, &job, 10, 1, 1);
    fake_wait_report(f, 10, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_BEFORE_JOB);
    assert_string_equal(r.JR_err_str, "user \"nosuchuser\" is not known on this host");
    assert_int_equal(r.JR_start_time, 0);
    cull_clear(&cull_JR_Type, &r);
    cull_clear(&cull_JB_Type, &job);
}

static void test_restart_finds_running(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    char *fifo = fake_path(f, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    run_command(f, 11, "echo $$ > pid11; read x < fifo; echo done $x");
    (void)pid_in(f, "pid11");
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    assert_int_equal(m.XM_reports.v[0].JR_job_number, 11);
    assert_int_equal(m.XM_reports.v[0].JR_attempt, 1);
    assert_int_equal(m.XM_reports.v[0].JR_state, REPORT_STARTED);
    cull_clear(&cull_XM_Type, &m);
    int fd = open(fifo, O_WRONLY);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
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
    struct XM_Type m;
    run_command(f, 63, "echo $$ > pid63; exec sleep 1000");
    (void)pid_in(f, "pid63");
    assert_true(fake_wait_file(f, "spool/active_jobs/63.1/sample"));
    fake_kill_execd(f, SIGKILL);
    char *path = fake_path(f, "spool/active_jobs/63.1/sample");
    static const char much[] = "cpu=7.500\nmem=2.5\nio=4096\nmaxvmem=4000000000\n";
    assert_int_equal(file_write(path, much, strlen(much), 0600, NULL), 0);
    fake_start_execd(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 63, 1, 1);
    fake_wait_report(f, 63, 1, REPORT_ENDED, &r);
    assert_true(usage_of(&r, "maxvmem") >= 4e9);
    assert_true(usage_of(&r, "mem") >= 2.5);
    assert_true(usage_of(&r, "cpu") >= 7.5);
    cull_clear(&cull_JR_Type, &r);
    free(path);
}

static void add_conf(struct XM_Type *m, const char *whose, const char *name, const char *value)
{
    struct CONF_Type *conf = cull_append(m, XM_confs);
    cull_set(conf, CONF_name, whose);
    struct VA_Type *va = cull_append(conf, CONF_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

/* GROUPS is gid_range for all hosts, EPILOG the setting of this host alone (NULL: it has none) */
static void send_config(struct fake *f, const char *groups, const char *epilog)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_CONFIG);
    add_conf(&m, "global", "gid_range", groups);
    if (epilog != NULL)
        add_conf(&m, "testhost", "epilog", epilog);
    fake_send(f, &m);
}

/* the value of KEY in the config file of task NUMBER.1, which is written before the task runs */
static char *config_value(struct fake *f, uint32_t number, const char *key)
{
    char name[60];
    (void)snprintf(name, sizeof name, "pid%u", number);
    (void)pid_in(f, name);
    (void)snprintf(name, sizeof name, "spool/active_jobs/%u.1/config", number);
    char *text = fake_text(f, name), *value = task_files_value(text, key);
    free(text);
    assert_non_null(value);
    return value;
}

static void end_task(struct fake *f, uint32_t number)
{
    struct JR_Type r;
    fake_about(f, EXEC_SIGNAL, SIGKILL, number, 1, 1);
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
}

/* processes of a task are known by its group: a task found again keeps its own for itself */
static void test_restart_keeps_groups_in_use(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    if (geteuid() != 0) {
        print_message("impossible here: only root gives groups\n");
        skip();
    }
    send_config(f, "64900-64901", NULL);
    run_command(f, 21, "echo $$ > pid21; exec sleep 1000");
    char *first = config_value(f, 21, "add_grp_id");
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    cull_clear(&cull_XM_Type, &m);
    send_config(f, "64900-64901", NULL);
    run_command(f, 22, "echo $$ > pid22; exec sleep 1000");
    char *second = config_value(f, 22, "add_grp_id");
    end_task(f, 21);
    end_task(f, 22);
    assert_string_equal(first, "64900");
    assert_string_equal(second, "64901");
    free(first);
    free(second);
}

static void test_a_configuration_of_the_host_that_is_removed_counts_no_more(void **state)
{
    struct fake *f = *state;
    send_config(f, "none", "/bin/true $job_id");
    run_command(f, 23, "echo $$ > pid23; exec sleep 1000");
    char *epilog = config_value(f, 23, "epilog");
    assert_string_equal(epilog, "/bin/true $job_id");
    free(epilog);
    end_task(f, 23);
    send_config(f, "none", NULL);
    run_command(f, 24, "echo $$ > pid24; exec sleep 1000");
    epilog = config_value(f, 24, "epilog");
    end_task(f, 24);
    assert_string_equal(epilog, "none");
    free(epilog);
}

static void test_end_while_down(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    char *fifo = fake_path(f, "fifo");
    assert_int_equal(mkfifo(fifo, 0666), 0);
    run_command(f, 12, "echo $$ > pid12; read x < fifo; exit 7");
    (void)pid_in(f, "pid12");
    fake_kill_execd(f, SIGTERM);
    int fd = open(fifo, O_WRONLY);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
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
    struct XM_Type m;
    run_command(f, 13, "exit 4");
    fake_wait_report(f, 13, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    for (int i = 0; i < 2; i++) { /* first the connection is lost, then the execd itself */
        if (i == 0) {
            fake_hang_up(f);
        } else {
            fake_kill_execd(f, SIGKILL);
            fake_start_execd(f);
        }
        fake_accept(f, &m);
        assert_int_equal(m.XM_reports.n, 1);
        assert_int_equal(m.XM_reports.v[0].JR_state, REPORT_ENDED);
        assert_int_equal(m.XM_reports.v[0].JR_exit_status, 4);
        cull_clear(&cull_XM_Type, &m);
    }
}

/* a job whose process leaves session, group and parent behind */
#define HIDDEN                                                                                     \
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; exit 0' & "

static void check_hidden_is_gone(const struct fake *f)
{
    pid_t hidden = pid_in(f, "hidden");
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    assert_int_equal(kill(hidden, 0), -1);
}

static void test_shepherd_killed(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    run_command(f, 14, HIDDEN "sleep 1000");
    (void)pid_in(f, "hidden");
    assert_int_equal(kill(pid_in(f, "spool/active_jobs/14.1/pid"), SIGKILL), 0);
    fake_wait_report(f, 14, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
    wait_gone(f, "14.1.all.q");
}

static void test_shepherd_killed_while_down(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    struct JR_Type r;
    run_command(f, 15, HIDDEN "sleep 1000");
    (void)pid_in(f, "hidden");
    fake_kill_execd(f, SIGKILL);
    assert_int_equal(kill(pid_in(f, "spool/active_jobs/15.1/pid"), SIGKILL), 0);
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
    run_command(f, 16, HIDDEN "while [ ! -s hidden ]; do :; done; exit 0");
    fake_wait_report(f, 16, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, 0);
    check_hidden_is_gone(f);
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
    run_command(f, 17, "sleep 1000");
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

/* the execd has taken what was sent before: its answer to something it does not know comes after that */
static void wait_heard(struct fake *f)
{
    struct JR_Type r;
    fake_about(f, EXEC_SIGNAL, SIGKILL, 4711, 1, 1);
    fake_wait_report(f, 4711, 1, REPORT_UNKNOWN, &r);
    cull_clear(&cull_JR_Type, &r);
}

static void a_start_waits_until_a_group_is_free(void **state)
{
    struct fake *f = *state;
    if (geteuid() != 0) {
        print_message("impossible here: only root gives groups\n");
        skip();
    }
    char *waiting = fake_path(f, "spool/active_jobs/51.1");
    send_config(f, "64900-64900", NULL);
    run_command(f, 50, "echo $$ > pid50; exec sleep 1000");
    (void)pid_in(f, "pid50");
    run_command(f, 51, "echo $$ > pid51; exec sleep 1000");
    run_command(f, 52, "echo $$ > pid52");
    wait_heard(f);
    assert_int_not_equal(access(waiting, F_OK), 0);
    end_task(f, 52); /* one that waits can be deleted */
    end_task(f, 50);
    fake_about(f, EXEC_END_ACK, 0, 50, 1, 1);
    char *group = config_value(f, 51, "add_grp_id");
    assert_string_equal(group, "64900");
    end_task(f, 51);
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
    run_command(f, 53, "true"); /* so that the user is known */
    fake_wait_report(f, 53, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    struct rlimit before = take_descriptors(f->execd);
    run_command(f, 54, "exit 5");
    wait_heard(f);
    assert_int_equal(prlimit(f->execd, RLIMIT_NOFILE, &before, NULL), 0);
    fake_wait_report(f, 54, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 5);
    cull_clear(&cull_JR_Type, &r);
}

/* the file of task directory NAME that says who its shepherd is, opened to write */
static int open_pid_file(const struct fake *f, const char *name)
{
    struct dstr file = DSTR_INIT;
    dstr_addf(&file, "spool/active_jobs/%s/pid", name);
    char *path = fake_path(f, dstr_get(&file));
    for (int i = 0; i < 4000 && access(path, F_OK) != 0; i++)
        (void)poll(NULL, 0, 5);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    free(path);
    dstr_free(&file);
    return fd;
}

static void a_directory_whose_lock_cannot_be_had_is_not_the_fault_of_a_job(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    run_command(f, 40, "true");
    fake_wait_report(f, 40, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 40, 1, 1);
    int fd = open_pid_file(f, "spare.0");
    assert_int_equal(os_lock_take(fd), 0);
    run_command(f, 41, "exit 6");
    fake_wait_report(f, 41, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NOT);
    assert_int_equal(r.JR_exit_status, 6);
    cull_clear(&cull_JR_Type, &r);
    close(fd);
}

/* whoever has the lock and the pid of a shepherd that ended is not that shepherd */
static void a_process_that_has_the_pid_of_a_shepherd_is_left_alone(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    run_command(f, 42, "echo $$ > pid42; exec sleep 1000");
    (void)pid_in(f, "pid42");
    fake_kill_execd(f, SIGKILL);
    int status, fd = open_pid_file(f, "42.1");
    assert_int_equal(kill(pid_in(f, "spool/active_jobs/42.1/pid"), SIGKILL), 0);
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
    wait_heard(f);
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
    wait_gone(f, "spool/active_jobs/20.100");
    cull_clear(&cull_JB_Type, &job);
}

int main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_register),
        T(test_runs_and_forgets),
        T(test_order_twice_starts_once),
        T(test_next_attempt),
        T(a_newer_attempt_begins_when_the_older_has_ended),
        T(a_newer_attempt_that_waits_can_be_deleted),
        T(test_script_and_environment),
        T(test_scripts_go),
        T(test_kill),
        T(test_signal_unknown),
        T(test_unknown_user),
        T(test_restart_finds_running),
        T(a_restart_keeps_what_was_measured),
        T(test_restart_keeps_groups_in_use),
        T(test_a_configuration_of_the_host_that_is_removed_counts_no_more),
        T(test_end_while_down),
        T(test_end_is_sent_again),
        T(test_shepherd_killed),
        T(test_shepherd_killed_while_down),
        T(test_hidden_ends_with_job),
        T(test_only_one),
        T(test_shutdown_kills),
        T(test_many),
        T(a_start_waits_until_a_group_is_free),
        T(a_host_that_is_short_of_something_starts_later),
        T(a_directory_whose_lock_cannot_be_had_is_not_the_fault_of_a_job),
        T(a_process_that_has_the_pid_of_a_shepherd_is_left_alone),
    };
    if (argc < 2)
        return 2;
    bin_dir = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}

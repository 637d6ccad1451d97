/* Config and environment of a task, as the shepherd reads them: qsub(1) ENVIRONMENTAL VARIABLES,
 * -l, -o, -S, -cwd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/files/task_text.h"
#include "daemons/execd/host/user.h"
#include "daemons/execd/test/text_input.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void set_env(struct input *i, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(&i->job, JB_env_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

static void add_request(struct input *i, const char *name, const char *value)
{
    struct CE_Type *ce = cull_append(&i->job, JB_hard_resource_list);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_stringval, value);
}

static int set_up(void **state)
{
    struct input *i = input_new();
    cull_set(&i->job, JB_job_number, 12);
    cull_set(&i->job, JB_job_name, "render");
    cull_set(&i->job, JB_script_file, "render.sh");
    cull_set(&i->job, JB_ja_first, 2);
    cull_set(&i->job, JB_ja_last, 8);
    cull_set(&i->job, JB_ja_step, 2);
    cull_set(&i->job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(&i->task, JAT_job_number, 12);
    cull_set(&i->task, JAT_task_number, 4);
    cull_set(&i->task, JAT_attempt, 3);
    cull_set(&i->queue, QU_full_name, "all.q@h");
    cull_set(&i->queue, QU_qname, "all.q");
    i->user = (struct user){ .name = "alice",
                             .home = "/home/alice",
                             .shell = "/bin/zsh",
                             .uid = 1001,
                             .gid = 1002,
                             .groups = "1002,27" };
    i->place = (struct task_place){ .host = "h",
                                    .sge_root = "/sge",
                                    .sge_cell = "default",
                                    .cluster_name = "p6444",
                                    .bin_dir = "/sge/bin/lx",
                                    .global_conf = &i->global,
                                    .host_conf = &i->host };
    i->in.user = &i->user;
    i->in.script_path = "/spool/job_scripts/12";
    i->in.task_dir = "/spool/active_jobs/12.4";
    i->in.tmpdir = "/tmp/12.4.all.q";
    *state = i;
    return 0;
}

static void expect_line(const char *text, const char *key, const char *wanted)
{
    char *value = task_files_value(text, key);
    if (wanted == NULL)
        assert_null(value);
    else
        assert_string_equal(value != NULL ? value : "(missing)", wanted);
    free(value);
}

static char *environment_of(const struct input *i)
{
    struct dstr out = DSTR_INIT;
    task_environment_common(&i->in, &out);
    task_environment_own(&i->in, &out);
    return dstr_take(&out);
}

static char *config_of(const struct input *i)
{
    struct dstr out = DSTR_INIT;
    assert_int_equal(task_config_common(&i->in, &out, NULL), 0);
    task_config_own(&i->in, &out);
    return dstr_take(&out);
}

static void test_environment(void **state)
{
    struct input *i = *state;
    set_env(i, "FOO", "x=y");
    set_env(i, "FOO", "last");
    set_env(i, "HOME", "/forged");
    set_env(i, "__SGE_PREFIX__O_WORKDIR", "/w");
    set_env(i, "BAD=NAME", "x");
    char *text = environment_of(i);
    expect_line(text, "FOO", "last");
    expect_line(text, "HOME", "/home/alice"); /* the system's own win */
    expect_line(text, "SGE_O_WORKDIR", "/w");
    expect_line(text, "PATH", "/tmp/12.4.all.q:/usr/local/bin:/bin:/usr/bin");
    expect_line(text, "TMPDIR", "/tmp/12.4.all.q");
    expect_line(text, "SGE_TASK_ID", "4");
    expect_line(text, "SGE_TASK_FIRST", "2");
    expect_line(text, "SGE_TASK_LAST", "8");
    expect_line(text, "SGE_TASK_STEPSIZE", "2");
    expect_line(text, "JOB_SCRIPT", "/spool/job_scripts/12");
    expect_line(text, "SGE_JOB_SPOOL_DIR", "/spool/active_jobs/12.4");
    expect_line(text, "PWD", NULL);
    free(text);
}

/* commands of the job refuse any other port, so a submitter's own does not count */
static void test_ports_are_those_of_the_cell(void **state)
{
    struct input *i = *state;
    set_env(i, "SGE_QMASTER_PORT", "7777");
    char *text = environment_of(i);
    expect_line(text, "SGE_QMASTER_PORT", NULL);
    expect_line(text, "SGE_EXECD_PORT", NULL);
    free(text);
    i->place.port = 6444;
    text = environment_of(i);
    expect_line(text, "SGE_QMASTER_PORT", "6444");
    expect_line(text, "SGE_EXECD_PORT", "6445");
    free(text);
}

static void test_limits_of_the_site(void **state)
{
    struct input *i = *state;
    i->place.soft_descriptors = 1024;
    i->place.hard_descriptors = 4096;
    char *text = config_of(i);
    expect_line(text, "s_descriptors", "1024");
    expect_line(text, "h_memorylocked", NULL);
    free(text);
    set_conf(i, "execd_params",
             "S_DESCRIPTORS=100,H_DESCRIPTORS=200,H_MAXPROC=400,H_MEMORYLOCKED=infinity,"
             "S_MEMORYLOCKED=1M,S_LOCKS=many");
    text = config_of(i);
    expect_line(text, "s_descriptors", "100");
    expect_line(text, "h_descriptors", "200");
    expect_line(text, "h_maxproc", "400");
    expect_line(text, "s_memorylocked", "1048576");
    expect_line(text, "h_memorylocked", "INFINITY");
    expect_line(text, "s_locks", NULL); /* as the execd was started */
    free(text);
}

static void test_environment_of_a_single_job(void **state)
{
    struct input *i = *state;
    cull_set(&i->job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    cull_set(&i->job, JB_ja_first, 1);
    cull_set(&i->job, JB_ja_last, 1);
    cull_set(&i->job, JB_ja_step, 1);
    cull_set(&i->job, JB_cwd, "/w");
    set_env(i, "PATH", "/own");
    char *text = environment_of(i);
    expect_line(text, "SGE_TASK_ID", "undefined");
    expect_line(text, "SGE_TASK_LAST", "undefined");
    expect_line(text, "JOB_SCRIPT", "render.sh");
    expect_line(text, "PATH", "/own"); /* -V and -v PATH */
    expect_line(text, "PWD", "/w");
    free(text);
}

static void test_limits_are_the_lesser(void **state)
{
    struct input *i = *state;
    set_queue(i, "h_rt", "1:0:0");
    set_queue(i, "h_vmem", "1G");
    set_queue(i, "s_cpu", "INFINITY");
    add_request(i, "h_rt", "600");
    add_request(i, "h_vmem", "2G");
    char *text = config_of(i);
    expect_line(text, "h_rt", "600");
    expect_line(text, "h_vmem", "1073741824");
    expect_line(text, "s_cpu", "INFINITY");
    expect_line(text, "h_core", "INFINITY");
    free(text);
}

static void test_bad_limit(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    add_request(i, "h_rt", "soon");
    assert_int_equal(task_config_common(&i->in, &out, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "limit h_rt: \"soon\" is not a valid value");
    ans_free(&ans);
    dstr_free(&out);
}

static void test_paths(void **state)
{
    struct input *i = *state;
    struct PN_Type *out = cull_append(&i->job, JB_stdout_path_list);
    cull_set(out, PN_path, "log/$JOB_NAME.$TASK_ID");
    cull_set(&i->job, JB_cwd, "/w");
    char *text = config_of(i);
    expect_line(text, "cwd", "/w");
    expect_line(text, "stdout_path", "/w/log/render.4");
    expect_line(text, "stderr_path", "/w"); /* a directory: the shepherd adds the default name */
    expect_line(text, "stdin_path", "/dev/null");
    expect_line(text, "ja_task_id", "4");
    expect_line(text, "attempt", "3");
    expect_line(text, "add_grp_id", NULL);
    free(text);
    cull_clear_field(&cull_JB_Type, &i->job, JB_cwd);
    i->in.additional_gid = 65400;
    text = config_of(i);
    expect_line(text, "cwd", "/home/alice");
    expect_line(text, "stdout_path", "/home/alice/log/render.4");
    expect_line(text, "add_grp_id", "65400");
    free(text);
}

static void test_command(void **state)
{
    struct input *i = *state;
    struct ST_Type *arg = cull_append(&i->job, JB_job_args);
    cull_set(arg, ST_name, "a b\nc");
    char *text = config_of(i);
    expect_line(text, "handle_as_binary", "0");
    expect_line(text, "script_file", "/spool/job_scripts/12");
    expect_line(text, "njob_args", "1");
    expect_line(text, "job_arg1", "a b\nc");
    expect_line(text, "job_uid", "1001");
    expect_line(text, "job_groups", "1002,27");
    free(text);
    cull_set(&i->job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_NO_SHELL));
    text = config_of(i);
    expect_line(text, "script_file", "render.sh");
    expect_line(text, "no_shell", "1");
    free(text);
}

static void an_interactive_job_has_its_users_shell_and_a_client(void **state)
{
    struct input *i = *state;
    i->place.session_socket = "/spool/session.sock";
    set_queue(i, "shell", "/bin/csh");
    set_conf(i, "login_shells", "zsh");
    cull_set(&i->job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_QRSH));
    cull_set(&i->job, JB_session_digest, "abc");
    char *text = config_of(i);
    expect_line(text, "launch_io", "relay");
    expect_line(text, "session_task", "12.4");
    expect_line(text, "session_socket", "/spool/session.sock");
    expect_line(text, "session_digest", "abc");
    expect_line(text, "login_session", "0");
    expect_line(text, "shell_path", "/bin/zsh");
    expect_line(text, "use_login_shell", "0"); /* it has a command */
    expect_line(text, "forbid_reschedule", "1");
    expect_line(text, "forbid_apperror", "1");
    free(text);
    cull_set(&i->job, JB_pty, true);
    set_queue(i, "shell_start_mode", "script_from_stdin");
    text = config_of(i);
    expect_line(text, "shell_start_mode", "posix_compliant"); /* its input is the client's */
    expect_line(text, "launch_io", "pty");
    free(text);
    text = environment_of(i);
    expect_line(text, "ENVIRONMENT", "INTERACTIVE");
    expect_line(text, "JOB_SCRIPT", "QRSH");
    expect_line(text, "SHELL", "/bin/zsh");
    free(text);
    cull_set(&i->job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_QLOGIN));
    cull_set(&i->job, JB_pty, false);
    text = config_of(i);
    expect_line(text, "launch_io", "pty");
    expect_line(text, "login_session", "1");
    expect_line(text, "use_login_shell", "1");
    free(text);
    cull_set(&i->job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    text = config_of(i);
    expect_line(text, "launch_io", NULL);
    expect_line(text, "session_socket", NULL);
    free(text);
}

static void test_shell(void **state)
{
    struct input *i = *state;
    set_queue(i, "shell", "/bin/csh");
    set_queue(i, "shell_start_mode", "unix_behavior");
    set_conf(i, "login_shells", "bash,sh,csh");
    char *text = config_of(i);
    expect_line(text, "shell_path", "/bin/csh");
    expect_line(text, "use_login_shell", "1");
    expect_line(text, "shell_start_mode", "unix_behavior");
    free(text);
    struct PN_Type *shell = cull_append(&i->job, JB_shell_list);
    cull_set(shell, PN_path, "/usr/bin/python3");
    text = config_of(i);
    expect_line(text, "shell_path", "/usr/bin/python3");
    expect_line(text, "use_login_shell", "0");
    expect_line(text, "shell_start_mode", "posix_compliant"); /* -S is to read the script */
    free(text);
}

static void test_the_path_of_a_shell_has_variables(void **state)
{
    struct input *i = *state;
    set_conf(i, "login_shells", "sh.4");
    struct PN_Type *shell = cull_append(&i->job, JB_shell_list);
    cull_set(shell, PN_path, "$HOME/$JOB_NAME.$JOB_ID/sh.$TASK_ID");
    char *text = config_of(i);
    expect_line(text, "shell_path", "/home/alice/render.12/sh.4");
    expect_line(text, "use_login_shell", "1");
    free(text);
    text = environment_of(i);
    expect_line(text, "SHELL", "/home/alice/render.12/sh.4");
    free(text);
}

static void test_hooks_and_parameters(void **state)
{
    struct input *i = *state;
    set_conf(i, "prolog", "/site/prolog");
    set_conf(i, "epilog", "/site/epilog");
    set_conf(i, "qmaster_params", "FORBID_RESCHEDULE=true");
    set_conf(i, "execd_params", "KEEP_ACTIVE=true,SCRIPT_TIMEOUT=7,PLAIN_FORK=true");
    cull_set(&i->task, JAT_start_time, 1234567890);
    set_queue(i, "prolog", "NONE");
    set_queue(i, "epilog", "/queue/epilog");
    char *text = config_of(i);
    expect_line(text, "prolog", "/site/prolog");
    expect_line(text, "epilog", "/queue/epilog"); /* the queue's own wins */
    expect_line(text, "forbid_reschedule", "1");
    expect_line(text, "forbid_apperror", "0");
    expect_line(text, "trace", "1");
    expect_line(text, "script_timeout", "7");
    expect_line(text, "plain_fork", "1");
    expect_line(text, "ordered_at",
                "1234567890"); /* an execd after this one says so when the shepherd has died */
    free(text);
}

/* 32 MiB of a job may be millions of variables: all tasks of a host wait for these texts */
static void many_variables_take_no_more_time_than_their_number(void **state)
{
    struct input *i = *state;
    enum { MANY = 300000 };
    for (unsigned n = 0; n < MANY; n++) {
        char name[24];
        (void)snprintf(name, sizeof name, "V%u",
                       n % (MANY - 1)); /* the last has the first one's name */
        struct VA_Type *va = cull_append(&i->job, JB_env_list);
        cull_set(va, VA_variable, name);
        cull_set(va, VA_value, n + 1 < MANY ? "before" : "after");
    }
    char *text = environment_of(i);
    assert_non_null(strstr(text, "\nV0=after\n"));
    assert_null(strstr(text, "V0=before\n"));
    assert_non_null(strstr(text, "\nV2=before\n"));
    free(text);
}

static void check_group(struct input *i, uint32_t of_submit, const char *line)
{
    struct dstr out = DSTR_INIT;
    cull_set(&i->job, JB_gid, of_submit);
    assert_int_equal(task_config_common(&i->in, &out, NULL), 0);
    assert_non_null(strstr(dstr_get(&out), line));
    dstr_free(&out);
}

static void the_group_of_the_submit_counts_where_the_owner_is_a_member(void **state)
{
    struct input *i = *state; /* groups 1002, the first, and 27 */
    check_group(i, 27, "\njob_gid=1002\n");
    set_conf(i, "execd_params", "USE_QSUB_GID=true");
    check_group(i, 27, "\njob_gid=27\n");
    check_group(i, 2, "\njob_gid=1002\n");
    check_group(i, 100, "\njob_gid=1002\n");
    check_group(i, 0, "\njob_gid=1002\n");
}

static void the_time_of_a_notice_is_there_when_there_may_be_one(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    assert_int_equal(task_config_common(&i->in, &out, NULL), 0);
    assert_null(strstr(dstr_get(&out), "notify"));
    set_queue(i, "notify", "00:01:30");
    set_queue(i, "s_rt", "10");
    dstr_clear(&out);
    assert_int_equal(task_config_common(&i->in, &out, NULL), 0);
    assert_non_null(strstr(dstr_get(&out), "\nnotify=90\n"));
    assert_null(strstr(dstr_get(&out), "notify_job"));
    cull_set(&i->job, JB_notify, true);
    set_conf(i, "execd_params", "NOTIFY_KILL=SIGTERM,NOTIFY_SUSP=none");
    dstr_clear(&out);
    assert_int_equal(task_config_common(&i->in, &out, NULL), 0);
    assert_non_null(
        strstr(dstr_get(&out), "\nnotify=90\nnotify_job=1\nnotify_kill=15\nnotify_susp=0\n"));
    dstr_free(&out);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, input_tear_down)
    const struct CMUnitTest tests[] = {
        T(test_environment),
        T(many_variables_take_no_more_time_than_their_number),
        T(test_ports_are_those_of_the_cell),
        T(test_limits_of_the_site),
        T(test_environment_of_a_single_job),
        T(test_limits_are_the_lesser),
        T(test_bad_limit),
        T(test_paths),
        T(test_command),
        T(an_interactive_job_has_its_users_shell_and_a_client),
        T(test_shell),
        T(test_the_path_of_a_shell_has_variables),
        T(test_hooks_and_parameters),
        T(the_group_of_the_submit_counts_where_the_owner_is_a_member),
        T(the_time_of_a_notice_is_there_when_there_may_be_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

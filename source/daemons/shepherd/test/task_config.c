/* The configuration and the plan: which steps a text gives, when each applies, what its end
 * means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "daemons/shepherd/task_config.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void read_from(struct task_config *c, const char *text)
{
    struct dstr whole = DSTR_INIT;
    struct config lines;
    dstr_addf(&whole, "job_uid=1\njob_gid=1\n%s", text);
    assert_int_equal(config_parse(&lines, dstr_take(&whole), "test", NULL), 0);
    assert_int_equal(task_config_from(c, &lines, NULL), 0);
    assert_null(lines.v); /* taken */
}

static void what_is_missing_has_a_default(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "");
    assert_string_equal(c.shell, "/bin/sh");
    assert_string_equal(c.stdin_path, "/dev/null");
    assert_string_equal(c.stdout_path, "/dev/null");
    assert_string_equal(c.stderr_path, "/dev/null");
    assert_string_equal(c.task_id, "0");
    assert_null(c.cwd);
    assert_null(c.starter);
    assert_int_equal(c.mode, SCRIPT_POSIX);
    assert_int_equal(c.n_args, 0);
    assert_int_equal(c.plan.rows[PLAN_PROLOG].timeout_s, 120);
    task_config_free(&c);
}

static void every_key_fills_its_member(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(
        &c,
        "cgroup=/c\ncwd=/w\nhost=n1\nja_task_id=3\njob_id=7\njob_name=j\nscript_file=/s\n"
        "shell_path=/bin/zsh\nstderr_path=/e\nstdin_path=/i\nstdout_path=/o\ntmpdir=/t\n"
        "starter_method=/st\nshell_start_mode=script_from_stdin\npriority=-5\n"
        "handle_as_binary=1\nmerge_stderr=1\nno_shell=1\nshell_of_queue=1\ntrace=1\n"
        "use_login_shell=1\nplain_fork=1\nscript_timeout=9\nnjob_args=2\njob_arg1=x\njob_arg2=y\n");
    const char *const texts[] = { c.cgroup,      c.cwd,    c.host,   c.task_id,     c.job_id,
                                  c.job_name,    c.script, c.shell,  c.stderr_path, c.stdin_path,
                                  c.stdout_path, c.tmpdir, c.starter };
    const char *const wanted[] = { "/c",       "/w", "n1", "3",  "7",  "j",  "/s",
                                   "/bin/zsh", "/e", "/i", "/o", "/t", "/st" };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        assert_string_equal(texts[i], wanted[i]);
    assert_int_equal(c.mode, SCRIPT_STDIN);
    assert_int_equal(c.nice_value, -5);
    assert_true(c.is_binary && c.is_merged && c.has_no_shell && c.is_shell_of_queue);
    assert_true(c.is_traced && c.is_login_shell && c.is_plain_fork);
    assert_int_equal(c.n_args, 2);
    assert_string_equal(c.args[1].value, "y");
    for (enum plan_step step = 0; step < PLAN_STEPS; step++) {
        bool is_job = c.plan.rows[step].is_job;
        assert_true(c.plan.rows[step].timeout_s == (is_job ? UINT64_MAX : 9));
    }
    task_config_free(&c);
}

static void of_two_lines_the_first_counts(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "cwd=/a\nmerge_stderr=0\ncwd=/b\nmerge_stderr=1\nprolog=/p\nprolog=/q\n");
    assert_string_equal(c.cwd, "/a");
    assert_false(c.is_merged);
    assert_string_equal(c.plan.rows[PLAN_PROLOG].command, "/p");
    task_config_free(&c);
}

static void a_value_that_cannot_be_is_named(void **state SGE_UNUSED)
{
    struct config lines;
    struct task_config c;
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    dstr_add(&text, "job_uid=1\njob_gid=1\nh_vmem=lots\n");
    assert_int_equal(config_parse(&lines, dstr_take(&text), "test", NULL), 0);
    assert_int_equal(task_config_from(&c, &lines, &ans), -1);
    assert_string_equal(ans_first_error(&ans), "config: \"h_vmem\" has the value \"lots\"");
    task_config_free(&c);
    ans_free(&ans);
}

/* ---- the plan ---- */

static void every_step_has_a_row_for_its_key(void **state SGE_UNUSED)
{
    for (enum plan_step step = 0; step < PLAN_STEPS; step++) {
        struct dstr text = DSTR_INIT;
        struct task_config c;
        dstr_addf(&text, "%s=/bin/x\n", plan_key(step));
        read_from(&c, dstr_get(&text));
        for (enum plan_step other = 0; other < PLAN_STEPS; other++) {
            bool is_set = other == step && step != PLAN_JOB; /* the job is no command of a line */
            assert_true((c.plan.rows[other].command != NULL) == is_set);
        }
        task_config_free(&c);
        dstr_free(&text);
    }
}

static void checkpoints_are_as_their_interface_says(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "ckpt_signal=USR2\n");
    assert_false(c.checkpoint.is_there);
    task_config_free(&c);
    read_from(&c, "ckpt_interface=TRANSPARENT\nckpt_signal=USR2\nckpt_interval=4\n"
                  "ckpt_patience=60\n");
    assert_true(c.checkpoint.is_there && !c.checkpoint.has_commands && !c.checkpoint.is_of_system);
    assert_int_equal(c.checkpoint.sig, SIGUSR2);
    assert_int_equal(c.checkpoint.interval_s, 4);
    assert_int_equal(c.checkpoint.patience_s, 60);
    task_config_free(&c);
    read_from(&c, "ckpt_interface=APPLICATION-LEVEL\nckpt_signal=10\n");
    assert_true(c.checkpoint.has_commands && !c.checkpoint.is_of_system);
    assert_int_equal(c.checkpoint.sig, SIGUSR1);
    task_config_free(&c);
    read_from(&c, "ckpt_interface=CPR\nckpt_signal=nosuch\n");
    assert_true(c.checkpoint.has_commands && c.checkpoint.is_of_system);
    assert_int_equal(c.checkpoint.sig, 0);
    task_config_free(&c);
}

static void none_is_no_command(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "prolog=NONE\nepilog=\nsuspend_method=none\n");
    assert_null(c.plan.rows[PLAN_PROLOG].command);
    assert_null(c.plan.rows[PLAN_EPILOG].command);
    assert_null(c.plan.rows[PLAN_SUSPEND].command);
    task_config_free(&c);
}

static void a_method_may_be_the_name_of_a_signal_and_a_hook_may_not(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "suspend_method=SIGTSTP\nterminate_method=/bin/end\nprolog=SIGTERM\n");
    assert_int_equal(c.plan.rows[PLAN_SUSPEND].sig, SIGTSTP);
    assert_int_equal(c.plan.rows[PLAN_TERMINATE].sig, 0);
    assert_int_equal(c.plan.rows[PLAN_PROLOG].sig, 0);
    task_config_free(&c);
}

static void a_command_for_another_user_is_seen(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "prolog=root@/bin/x\nepilog=/bin/x a@b\n");
    assert_int_equal(c.plan.rows[PLAN_PROLOG].user, PLAN_AS_OTHER);
    assert_int_equal(c.plan.rows[PLAN_EPILOG].user, PLAN_AS_OWNER);
    task_config_free(&c);
}

/* the steps that apply, by their first letters, when ones of KEYS fail with FAILED */
static void walk_plan(const char *text, enum plan_step failing, unsigned failed, const char *wanted)
{
    struct task_config c;
    struct plan_progress p = { 0 };
    struct dstr out = DSTR_INIT;
    read_from(&c, text);
    for (enum plan_step step = 0; step < PLAN_IN_ORDER; step++) {
        if (!plan_applies(&c.plan, step, &p))
            continue;
        unsigned one = step == failing ? failed : TASK_FAILED_NOT;
        dstr_addf(&out, "%s ", plan_key(step));
        p.failed = p.failed != TASK_FAILED_NOT ? p.failed : one;
        p.is_begun |= step == PLAN_PROLOG && one == TASK_FAILED_NOT;
        p.has_run |= c.plan.rows[step].is_job;
    }
    for (enum plan_step step = PLAN_IN_ORDER; step < PLAN_STEPS; step++)
        assert_false(plan_applies(&c.plan, step, &p));
    assert_string_equal(dstr_get(&out), wanted);
    dstr_free(&out);
    task_config_free(&c);
}

static void steps_apply_as_the_ones_before_them_ended(void **state SGE_UNUSED)
{
    static const char clean[] = "ckpt_clean_command=/c\n";
    walk_plan("", PLAN_STEPS, 0, "prolog pe_start job pe_stop epilog ");
    walk_plan("", PLAN_PROLOG, TASK_FAILED_IN_PROLOG, "prolog ");
    walk_plan("set_token_cmd=root@/t\n", PLAN_TOKEN, TASK_FAILED_SETTING_UP, "set_token_cmd ");
    walk_plan("", PLAN_PE_START, TASK_FAILED_IN_PE_START, "prolog pe_start pe_stop epilog ");
    walk_plan(clean, PLAN_STEPS, 0, "prolog pe_start job ckpt_clean_command pe_stop epilog ");
    walk_plan(clean, PLAN_JOB, TASK_FAILED_LIMIT,
              "prolog pe_start job ckpt_clean_command pe_stop epilog ");
    walk_plan(clean, PLAN_JOB, TASK_FAILED_RESCHEDULE, "prolog pe_start job pe_stop epilog ");
    walk_plan(clean, PLAN_JOB, TASK_FAILED_MIGRATING, "prolog pe_start job pe_stop epilog ");
    walk_plan(clean, PLAN_JOB, TASK_FAILED_APPERROR, "prolog pe_start job pe_stop epilog ");
    walk_plan(clean, PLAN_PE_START, TASK_FAILED_IN_PE_START, "prolog pe_start pe_stop epilog ");
    walk_plan("ckpt_rest_command=/r\n", PLAN_STEPS, 0, "prolog pe_start job pe_stop epilog ");
    walk_plan("ckpt_restarted=1\n", PLAN_STEPS, 0, "prolog pe_start job pe_stop epilog ");
    walk_plan("ckpt_rest_command=/r\nckpt_restarted=1\n", PLAN_STEPS, 0,
              "prolog pe_start ckpt_rest_command pe_stop epilog ");
}

static int exit_of(int status)
{
    return status << 8; /* as wait(2) has it */
}

static void an_exit_means_what_its_row_says(void **state SGE_UNUSED)
{
    static const struct {
        enum plan_step step;
        unsigned of_1, of_99, of_100, of_137, of_signal;
    } cases[] = {
        { PLAN_TOKEN, TASK_FAILED_SETTING_UP, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_BEFORE_JOB, TASK_FAILED_BEFORE_JOB },
        { PLAN_PROLOG, TASK_FAILED_IN_PROLOG, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_BEFORE_JOB, TASK_FAILED_BEFORE_JOB },
        { PLAN_PE_START, TASK_FAILED_IN_PE_START, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_BEFORE_JOB, TASK_FAILED_BEFORE_JOB },
        { PLAN_RESTART, TASK_FAILED_NOT, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_NOT, TASK_FAILED_AFTER_JOB },
        { PLAN_JOB, TASK_FAILED_NOT, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR, TASK_FAILED_NOT,
          TASK_FAILED_AFTER_JOB },
        { PLAN_CLEAN, 0, 0, 0, 0, 0 },
        { PLAN_PE_STOP, TASK_FAILED_IN_PE_STOP, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_AFTER_JOB, TASK_FAILED_AFTER_JOB },
        { PLAN_EPILOG, TASK_FAILED_IN_EPILOG, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
          TASK_FAILED_AFTER_JOB, TASK_FAILED_AFTER_JOB },
        { PLAN_CHECKPOINT, 0, 0, 0, 0, 0 },
        { PLAN_MIGRATE, 0, 0, 0, 0, 0 },
        { PLAN_SUSPEND, 0, 0, 0, 0, 0 },
        { PLAN_RESUME, 0, 0, 0, 0, 0 },
        { PLAN_TERMINATE, 0, 0, 0, 0, 0 },
    };
    struct task_config c;
    assert_int_equal(ARRAY_LEN(cases), PLAN_STEPS);
    read_from(&c, "");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct plan_row *row = &c.plan.rows[cases[i].step];
        assert_int_equal(plan_judge(row, exit_of(0)), TASK_FAILED_NOT);
        assert_int_equal(plan_judge(row, exit_of(1)), cases[i].of_1);
        assert_int_equal(plan_judge(row, exit_of(99)), cases[i].of_99);
        assert_int_equal(plan_judge(row, exit_of(100)), cases[i].of_100);
        assert_int_equal(plan_judge(row, exit_of(137)), cases[i].of_137);
        assert_int_equal(plan_judge(row, SIGKILL), cases[i].of_signal);
    }
    task_config_free(&c);
}

static void a_site_may_forbid_what_a_job_asks_for_by_its_exit(void **state SGE_UNUSED)
{
    struct task_config c;
    read_from(&c, "forbid_reschedule=1\nforbid_apperror=1\n");
    assert_int_equal(plan_judge(&c.plan.rows[PLAN_JOB], exit_of(99)), TASK_FAILED_NOT);
    assert_int_equal(plan_judge(&c.plan.rows[PLAN_JOB], exit_of(100)), TASK_FAILED_NOT);
    assert_int_equal(plan_judge(&c.plan.rows[PLAN_PROLOG], exit_of(99)), TASK_FAILED_RESCHEDULE);
    task_config_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_has_a_default),
        cmocka_unit_test(every_key_fills_its_member),
        cmocka_unit_test(of_two_lines_the_first_counts),
        cmocka_unit_test(a_value_that_cannot_be_is_named),
        cmocka_unit_test(every_step_has_a_row_for_its_key),
        cmocka_unit_test(checkpoints_are_as_their_interface_says),
        cmocka_unit_test(none_is_no_command),
        cmocka_unit_test(a_method_may_be_the_name_of_a_signal_and_a_hook_may_not),
        cmocka_unit_test(a_command_for_another_user_is_seen),
        cmocka_unit_test(steps_apply_as_the_ones_before_them_ended),
        cmocka_unit_test(an_exit_means_what_its_row_says),
        cmocka_unit_test(a_site_may_forbid_what_a_job_asks_for_by_its_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

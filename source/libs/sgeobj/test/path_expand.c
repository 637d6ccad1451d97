/* Output paths as users write them and find them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/path_expand.h"
#include "libs/uti/dstr.h"

static const struct path_vars task = { "/home/alice", "alice", "HOST", "outp", 407, 3 };
static const struct path_vars single = { "/home/alice", "alice", "HOST", "outp", 407, 0 };

static void expect_path(const struct path_vars *vars, const char *dir, const char *path,
                        const char *expanded)
{
    struct dstr out = DSTR_INIT;

    path_expand(path, vars, dir, &out);
    assert_string_equal(dstr_get(&out), expanded);
    dstr_free(&out);
}

static void variables_are_replaced(void **state)
{
    (void)state;
    expect_path(&single, NULL, "x.$JOB_NAME.$TASK_ID.$USER.$HOSTNAME", "x.outp.0.alice.HOST");
    expect_path(&task, NULL, "$HOME/$JOB_ID.$TASK_ID", "/home/alice/407.3");
    expect_path(&task, NULL, "$SGE_TASK_ID", "3");
    expect_path(&task, NULL, "$JOB_NAME_$JOB_ID", "outp_407");
    expect_path(&task, NULL, "${JOB_ID}x${TASK_ID}", "407x3");
    expect_path(&task, NULL, "$HOSTNAME$HOME", "HOST/home/alice");
}

static void other_text_stays(void **state)
{
    (void)state;
    expect_path(&task, NULL, "a$b$$JOB_ID$", "a$b$407$");
    expect_path(&task, NULL, "${JOB_ID", "${JOB_ID");
    expect_path(&task, NULL, "${OTHER}", "${OTHER}");
    expect_path(&task, NULL, "", "");
}

static void relative_paths_begin_in_the_working_directory(void **state)
{
    (void)state;
    expect_path(&task, "/home/sub", "out.$TASK_ID", "/home/sub/out.3");
    expect_path(&task, "/home/sub", "/abs", "/abs");
    expect_path(&task, "/home/sub", "$HOME/x", "/home/alice/x");
    expect_path(&task, "/home/sub", "~/logs/", "/home/alice/logs/");
    expect_path(&task, "/home/sub", "~", "/home/alice");
    expect_path(&task, "/home/sub", "~bob/x", "/home/sub/~bob/x");
    expect_path(&task, "/home/sub", "a/~/x", "/home/sub/a/~/x");
    expect_path(&task, "/home/sub", "a~/x", "/home/sub/a~/x");
}

static void default_names_tell_job_and_task(void **state)
{
    struct dstr out = DSTR_INIT;

    (void)state;
    path_default_name(&single, "o", &out);
    dstr_addc(&out, ' ');
    path_default_name(&task, "e", &out);
    dstr_addc(&out, ' ');
    path_default_name(&task, "pe", &out);
    assert_string_equal(dstr_get(&out), "outp.o407 outp.e407.3 outp.pe407.3");
    dstr_free(&out);
}

static void the_hosts_own_entry_wins(void **state)
{
    struct JB_Type job = { 0 };
    static const char *const rows[][2] = {
        { "other", "/o" }, { NULL, "/any" }, { NULL, "/second" }, { "Host", "/h" }, { "x", NULL }
    };

    (void)state;
    assert_null(path_for_host(&job.JB_stdout_path_list, "host"));
    for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
        struct PN_Type *p = cull_append(&job, JB_stdout_path_list);
        cull_set(p, PN_host, rows[i][0]);
        cull_set(p, PN_path, rows[i][1]);
    }
    assert_string_equal(path_for_host(&job.JB_stdout_path_list, "hOST")->PN_path, "/h");
    assert_string_equal(path_for_host(&job.JB_stdout_path_list, "third")->PN_path, "/any");
    assert_string_equal(path_for_host(&job.JB_stdout_path_list, "x")->PN_path, "/any");
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_replaced),
        cmocka_unit_test(other_text_stays),
        cmocka_unit_test(relative_paths_begin_in_the_working_directory),
        cmocka_unit_test(default_names_tell_job_and_task),
        cmocka_unit_test(the_hosts_own_entry_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Texts of jobs hold no control characters, but for those that are the job's own business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/job_strings.h"
#include "libs/uti/answer.h"

#define EVIL "x\033[2J"

static void refused(struct JB_Type *job, const char *text)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(job_strings_check(job, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_ESEMANTIC);
    assert_string_equal(ans.v[0].text, text);
    ans_free(&ans);
    cull_clear(&cull_JB_Type, job);
}

static void names_and_paths_have_no_control_characters(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_project, EVIL);
    refused(&job, "Control character (code 27) not allowed in the project");
    cull_set(&job, JB_cwd, "/tmp/a\nb");
    refused(&job, "Control character (code 10) not allowed in the working directory");
    struct MR_Type *mr = cull_append(&job, JB_mail_list);
    cull_set(mr, MR_user, "a");
    cull_set(mr, MR_host, "b\177");
    refused(&job, "Control character (code 127) not allowed in the mail list");
    struct PN_Type *pn = cull_append(&job, JB_stdout_path_list);
    cull_set(pn, PN_path, "/dev/null\t");
    refused(&job, "Control character (code 9) not allowed in the stdout path list");
    struct VA_Type *va = cull_append(&job, JB_context);
    cull_set(va, VA_variable, EVIL);
    refused(&job, "Control character (code 27) not allowed in the name of a context variable");
    cull_set(&job, JB_department, EVIL); /* what no option sets today */
    refused(&job, "Control character (code 27) not allowed in JB_department");
}

static void control_characters_of_utf8_are_refused_and_other_letters_are_not(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_project, "a\302\2332J"); /* U+009B: CSI in one character */
    refused(&job, "Control character (code 155) not allowed in the project");
    cull_set(&job, JB_project, "f\303\274r \302\240\350\252\236");
    assert_int_equal(job_strings_check(&job, NULL), 0);
    cull_set(&job, JB_project, "\302"); /* cut off */
    assert_int_equal(job_strings_check(&job, NULL), 0);
    cull_clear(&cull_JB_Type, &job);
}

static void what_is_the_jobs_own_business_may_have_newlines(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_script_file, "echo a\necho b");
    cull_set(&job, JB_script_ptr, "#!/bin/sh\ntrue\n");
    struct ST_Type *arg = cull_append(&job, JB_job_args);
    cull_set(arg, ST_name, "a\nb");
    struct VA_Type *va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "A");
    cull_set(va, VA_value, "a\nb");
    struct VA_Type *note = cull_append(&job, JB_context);
    cull_set(note, VA_variable, "note");
    cull_set(note, VA_value, "a\nb");
    assert_int_equal(job_strings_check(&job, NULL), 0);
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_paths_have_no_control_characters),
        cmocka_unit_test(control_characters_of_utf8_are_refused_and_other_letters_are_not),
        cmocka_unit_test(what_is_the_jobs_own_business_may_have_newlines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What users say of a job stays within the limits of its rows, and its texts hold no control
 * characters, except those that are the job's own business. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "libs/sgeobj/job_attribute.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

#define EVIL "x\033[2J"

static void expect_refused(struct JB_Type *job, const char *text)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(job_attributes_check(job, &ans), -1);
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
    expect_refused(&job, "Control character (code 27) not allowed in the project");
    cull_set(&job, JB_cwd, "/tmp/a\nb");
    expect_refused(&job, "Control character (code 10) not allowed in the working directory");
    struct MR_Type *mr = cull_append(&job, JB_mail_list);
    cull_set(mr, MR_user, "a");
    cull_set(mr, MR_host, "b\177");
    expect_refused(&job, "Control character (code 127) not allowed in the mail list");
    struct PN_Type *pn = cull_append(&job, JB_stdout_path_list);
    cull_set(pn, PN_path, "/dev/null\t");
    expect_refused(&job, "Control character (code 9) not allowed in the stdout path list");
    struct VA_Type *va = cull_append(&job, JB_context);
    cull_set(va, VA_variable, EVIL);
    expect_refused(&job, "Control character (code 27) not allowed in the context");
}

static void control_characters_of_utf8_are_refused_and_other_letters_are_not(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_project, "a\302\2332J"); /* U+009B: CSI in one character */
    expect_refused(&job, "Control character (code 155) not allowed in the project");
    cull_set(&job, JB_project, "f\303\274r \302\240\350\252\236");
    assert_int_equal(job_attributes_check(&job, NULL), 0);
    cull_set(&job, JB_project, "\302"); /* cut off */
    assert_int_equal(job_attributes_check(&job, NULL), 0);
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
    assert_int_equal(job_attributes_check(&job, NULL), 0);
    cull_clear(&cull_JB_Type, &job);
}

/* N times x, as the last element of a list or a text */
static char *long_text(size_t n)
{
    char *text = uti_calloc(1, n + 1);
    memset(text, 'x', n);
    return text;
}

static void texts_are_as_long_as_their_rows_say(void **state)
{
    struct JB_Type job = { 0 };
    char *text = long_text(4096), *longer = long_text(4097);
    (void)state;
    cull_set(&job, JB_cwd, text);
    struct PN_Type *pn = cull_append(&job, JB_stdout_path_list);
    cull_set(pn, PN_path, text);
    assert_int_equal(job_attributes_check(&job, NULL), 0);
    cull_set(pn, PN_path, longer);
    expect_refused(
        &job, "job rejected: an entry of its stdout path list has 4097 bytes; the limit is 4096");
    cull_set(&job, JB_cwd, longer);
    expect_refused(&job, "job rejected: its working directory has 4097 bytes; the limit is 4096");
    cull_set(&job, JB_project, text);
    expect_refused(&job, "job rejected: its project has 4096 bytes; the limit is 512");
    free(text);
    free(longer);
}

static void numbers_are_as_great_as_their_rows_say(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_mail_options, 15u);
    cull_set(&job, JB_priority, 2048u);
    cull_set(&job, JB_execution_time, UINT64_C(253402300799));
    assert_int_equal(job_attributes_check(&job, NULL), 0);
    cull_set(&job, JB_mail_options, 16u);
    expect_refused(&job, "job rejected: its mail options is 16; the limit is 15");
    cull_set(&job, JB_priority, 2049u);
    expect_refused(&job, "job rejected: its priority is 2049; the limit is 2048");
    cull_set(&job, JB_execution_time, UINT64_MAX);
    expect_refused(
        &job, "job rejected: its start time is 18446744073709551615; the limit is 253402300799");
    cull_set(&job, JB_restart, 3u);
    expect_refused(&job, "job rejected: its restart behaviour is 3; the limit is 2");
}

static void each_attribute_has_one_row_and_its_limit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < job_attributes_n; i++) {
        const struct job_attribute *a = &job_attributes[i];
        bool is_list = cull_JB_Type.fields[a->field].kind == CULL_LIST;
        assert_true(a->noun[0] != '\0' && a->most > 0);
        assert_true(is_list == (a->entries > 0) && is_list == (a->entry != NULL));
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(a->field, job_attributes[j].field);
    }
}

static void what_has_no_row_is_taken_from_a_job(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    cull_set(&job, JB_job_name, "J");
    cull_set(&job, JB_department, EVIL);
    cull_set(&job, JB_owner, "root");
    range_set_add(cull_ranges(&job, JB_ja_a_h_ids), 1, 2);
    job_attributes_keep(&job);
    assert_string_equal(job.JB_job_name, "J");
    assert_false(cull_has(&job, JB_department) || cull_has(&job, JB_owner));
    assert_false(cull_has(&job, JB_ja_a_h_ids));
    assert_null(job.JB_department);
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_paths_have_no_control_characters),
        cmocka_unit_test(control_characters_of_utf8_are_refused_and_other_letters_are_not),
        cmocka_unit_test(what_is_the_jobs_own_business_may_have_newlines),
        cmocka_unit_test(texts_are_as_long_as_their_rows_say),
        cmocka_unit_test(numbers_are_as_great_as_their_rows_say),
        cmocka_unit_test(each_attribute_has_one_row_and_its_limit),
        cmocka_unit_test(what_has_no_row_is_taken_from_a_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a job template means as a job: drmaa_attributes(3). */
#include "libs/drmaa/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cli/submitter.h"
#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/template.h"
#include "libs/gdi/cell.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static char *no_env[] = { NULL };
static char common[] = "/nonexistent", home[] = "/home/alice", cwd[] = "/w", user[] = "alice",
            host[] = "here";

static const struct submitter alice = {
    .env = no_env, .cwd = cwd, .home = home, .user = user, .host = host, .now_s = 1000
};
static const struct cell cell = { .common_dir = common };
static const struct job_tasks one = { 0, 0, 0 };

struct setting {
    enum attribute_id id;
    const char *value;
};

/* the job of a template with a command and the N attributes ALL; its number of the error */
static int make_job(const struct setting *all, size_t n, const struct job_tasks *tasks,
                    struct JB_Type *out)
{
    struct template *t = template_new();
    const char *command = "/bin/true";
    template_set(t, ATTRIBUTE_REMOTE_COMMAND, &command, 1);
    for (size_t i = 0; i < n; i++)
        template_set(t, all[i].id, &all[i].value, 1);
    int number = job_of_template(t, tasks, &cell, &alice, out, NULL);
    template_free(t);
    return number;
}
#define JOB_OF(job, ...)                                                                           \
    do {                                                                                           \
        const struct setting all[] = { __VA_ARGS__ };                                              \
        assert_int_equal(make_job(all, ARRAY_LEN(all), &one, job), DRMAA_ERRNO_SUCCESS);           \
    } while (false)

static void expect_path(const struct PN_Type_list *list, const char *path, const char *file_host,
                        bool is_staged)
{
    assert_int_equal(list->n, 1);
    assert_string_equal(list->v[0].PN_path, path);
    if (file_host == NULL)
        assert_null(list->v[0].PN_file_host);
    else
        assert_string_equal(list->v[0].PN_file_host, file_host);
    assert_int_equal(list->v[0].PN_file_staging, is_staged);
}

static void a_command_is_started_directly_and_never_parked(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    assert_int_equal(make_job(NULL, 0, &one, &job), DRMAA_ERRNO_SUCCESS);
    assert_int_equal(job.JB_type & (JOB_TYPE_BINARY | JOB_TYPE_NO_SHELL | JOB_TYPE_NO_ERROR),
                     JOB_TYPE_BINARY | JOB_TYPE_NO_SHELL | JOB_TYPE_NO_ERROR);
    assert_false(job_is_array(&job));
    cull_clear(&cull_JB_Type, &job);
}

static void without_a_command_there_is_no_job(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    struct answer ans = ANSWER_INIT;
    struct template *t = template_new();
    assert_int_equal(job_of_template(t, &one, &cell, &alice, &job, &ans),
                     DRMAA_ERRNO_CONFLICTING_ATTRIBUTE_VALUES);
    assert_string_equal(ans_first_error(&ans), "attribute \"drmaa_remote_command\" is not set");
    ans_free(&ans);
    template_free(t);
    cull_clear(&cull_JB_Type, &job);
}

static void attributes_rank_above_the_native_specification(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    JOB_OF(&job, { ATTRIBUTE_NATIVE, "-N low -o /low -e /kept -j n -p -5" },
           { ATTRIBUTE_JOB_NAME, "high" }, { ATTRIBUTE_OUTPUT_PATH, ":/high" },
           { ATTRIBUTE_JOIN_FILES, "y" });
    assert_string_equal(job.JB_job_name, "high");
    expect_path(&job.JB_stdout_path_list, "/high", NULL, false);
    assert_string_equal(job.JB_stderr_path_list.v[0].PN_path, "/kept");
    assert_true(job.JB_merge_stderr);
    cull_clear(&cull_JB_Type, &job);
}

static void placeholders_become_variables_of_paths(void **state)
{
    static const struct {
        const char *path, *wanted;
    } cases[] = {
        { "/a/$drmaa_incr_ph$.$drmaa_incr_ph$", "/a/$TASK_ID.$TASK_ID" },
        { "$drmaa_hd_ph$/x", "$HOME/x" },
        { "$drmaa_hd_ph$x", "$HOME/x" },
        { "$drmaa_hd_ph$", "$HOME" },
        { "$drmaa_wd_ph$/x", "x" },
        { "$drmaa_wd_ph$", "." },
        { "/plain", "/plain" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct dstr out = DSTR_INIT;
        job_path(cases[i].path, "$HOME", &out);
        assert_string_equal(dstr_get(&out), cases[i].wanted);
        dstr_free(&out);
    }
}

static void a_relative_directory_is_below_the_home_directory(void **state)
{
    static const char *const cases[][2] = { { "x", "/home/alice/x" },
                                            { "/x", "/x" },
                                            { "$drmaa_hd_ph$/y", "/home/alice/y" } };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct JB_Type job = { 0 };
        JOB_OF(&job, { ATTRIBUTE_WD, cases[i][0] });
        assert_string_equal(job.JB_cwd, cases[i][1]);
        cull_clear(&cull_JB_Type, &job);
    }
}

static void files_are_transferred_from_the_host_of_their_path_or_the_submit_host(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    JOB_OF(&job, { ATTRIBUTE_INPUT_PATH, ":/in" }, { ATTRIBUTE_OUTPUT_PATH, "store:/out" },
           { ATTRIBUTE_ERROR_PATH, "store:/err" }, { ATTRIBUTE_TRANSFER_FILES, "oi" });
    expect_path(&job.JB_stdin_path_list, "/in", "here", true);
    expect_path(&job.JB_stdout_path_list, "/out", "store", true);
    expect_path(&job.JB_stderr_path_list, "/err", "store", false);
    cull_clear(&cull_JB_Type, &job);
}

static void a_standard_error_that_joins_is_not_transferred(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    JOB_OF(&job, { ATTRIBUTE_ERROR_PATH, "store:/err" }, { ATTRIBUTE_TRANSFER_FILES, "eo" },
           { ATTRIBUTE_JOIN_FILES, "y" });
    expect_path(&job.JB_stderr_path_list, "/err", "store", false);
    assert_int_equal(job.JB_stdout_path_list.n, 0); /* a letter without a path means nothing */
    cull_clear(&cull_JB_Type, &job);
}

static void the_tasks_are_those_of_the_call(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    struct job_tasks tasks = { 2, 11, 4 };
    assert_int_equal(make_job(NULL, 0, &tasks, &job), DRMAA_ERRNO_SUCCESS);
    assert_true(job_is_array(&job));
    assert_int_equal(job_task_count(&job), 3);
    assert_int_equal(job.JB_ja_last, 11);
    cull_clear(&cull_JB_Type, &job);
    const struct setting native = { ATTRIBUTE_NATIVE, "-t 1-3" };
    assert_int_equal(make_job(&native, 1, &tasks, &job), DRMAA_ERRNO_DENIED_BY_DRM);
    cull_clear(&cull_JB_Type, &job);
}

static void a_job_on_hold_has_all_its_tasks_held(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    JOB_OF(&job, { ATTRIBUTE_JS_STATE, DRMAA_SUBMISSION_STATE_HOLD });
    assert_true(range_set_has(&job.JB_ja_u_h_ids, 0));
    cull_clear(&cull_JB_Type, &job);
    JOB_OF(&job, { ATTRIBUTE_NATIVE, "-h" }, { ATTRIBUTE_JS_STATE, DRMAA_SUBMISSION_STATE_ACTIVE });
    assert_false(range_set_has(&job.JB_ja_u_h_ids, 0));
    cull_clear(&cull_JB_Type, &job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_started_directly_and_never_parked),
        cmocka_unit_test(without_a_command_there_is_no_job),
        cmocka_unit_test(attributes_rank_above_the_native_specification),
        cmocka_unit_test(placeholders_become_variables_of_paths),
        cmocka_unit_test(a_relative_directory_is_below_the_home_directory),
        cmocka_unit_test(files_are_transferred_from_the_host_of_their_path_or_the_submit_host),
        cmocka_unit_test(a_standard_error_that_joins_is_not_transferred),
        cmocka_unit_test(the_tasks_are_those_of_the_call),
        cmocka_unit_test(a_job_on_hold_has_all_its_tasks_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

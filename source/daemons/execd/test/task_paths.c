/* The standard files of a task where the site's hooks stage them: sge_conf(5)
 * delegated_file_staging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_input.h"
#include "daemons/execd/files/task_paths.h"
#include "daemons/execd/host/user.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

struct input {
    struct JB_Type job;
    struct JAT_Type task;
    struct CONF_Type global;
    struct user user;
    struct task_place place;
    struct task_text_input in;
};

static int set_up(void **state)
{
    struct input *i = calloc(1, sizeof *i);
    cull_set(&i->job, JB_job_number, 12);
    cull_set(&i->job, JB_job_name, "render");
    cull_set(&i->job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(&i->job, JB_cwd, "/w");
    cull_set(&i->task, JAT_task_number, 4);
    i->user = (struct user){ .name = "alice", .home = "/home/alice" };
    i->place = (struct task_place){ .host = "node", .global_conf = &i->global };
    i->in = (struct task_text_input){ .place = &i->place,
                                      .job = &i->job,
                                      .task = &i->task,
                                      .user = &i->user,
                                      .tmpdir = "/tmp/12.4.all.q" };
    *state = i;
    return 0;
}

static int tear_down(void **state)
{
    struct input *i = *state;
    cull_clear(&cull_JB_Type, &i->job);
    cull_clear(&cull_JAT_Type, &i->task);
    cull_clear(&cull_CONF_Type, &i->global);
    free(i);
    return 0;
}

static void switch_on_staging(struct input *i)
{
    struct VA_Type *va = cull_append(&i->global, CONF_entries);
    cull_set(va, VA_variable, "delegated_file_staging");
    cull_set(va, VA_value, "true");
}

static void stage_path(struct PN_Type *pn, const char *host, const char *path)
{
    cull_set(pn, PN_file_host, host);
    cull_set(pn, PN_path, path);
    cull_set(pn, PN_file_staging, true);
}

static void expect_config(const struct input *i, const char *wanted)
{
    struct dstr out = DSTR_INIT;
    task_paths_config(&i->in, &out);
    assert_string_equal(dstr_get(&out), wanted);
    dstr_free(&out);
}

static void a_staged_file_is_in_tmpdir_and_hooks_get_its_own_host_and_path(void **state)
{
    struct input *i = *state;
    switch_on_staging(i);
    stage_path(cull_append(&i->job, JB_stdin_path_list), "store", "/data/in.$TASK_ID");
    stage_path(cull_append(&i->job, JB_stdout_path_list), "store", "$HOME/in.$TASK_ID");
    expect_config(i, "stdin_path=/tmp/12.4.all.q/stdin\n"
                     "fs_stdin_host=store\n"
                     "fs_stdin_path=/data/in.4\n"
                     "fs_stdin_tmp_path=/tmp/12.4.all.q/stdin\n"
                     "fs_stdin_file_staging=1\n"
                     "stdout_path=/tmp/12.4.all.q/stdout\n"
                     "fs_stdout_host=store\n"
                     "fs_stdout_path=/home/alice/in.4\n"
                     "fs_stdout_tmp_path=/tmp/12.4.all.q/stdout\n"
                     "fs_stdout_file_staging=1\n"
                     "stderr_path=/w\n"
                     "fs_stderr_host=\n"
                     "fs_stderr_path=\n"
                     "fs_stderr_tmp_path=/tmp/12.4.all.q/\n"
                     "fs_stderr_file_staging=0\n");
}

/* hooks cannot ask the other host whether it is one, so the submitter says so with a "/" */
static void the_path_of_a_directory_gets_the_usual_name(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    switch_on_staging(i);
    stage_path(cull_append(&i->job, JB_stderr_path_list), "store", "logs/");
    task_paths_config(&i->in, &out);
    assert_non_null(strstr(dstr_get(&out), "fs_stderr_path=/w/logs/render.e12.4\n"));
    dstr_free(&out);
}

static void without_delegated_file_staging_all_files_are_where_the_job_runs(void **state)
{
    struct input *i = *state;
    stage_path(cull_append(&i->job, JB_stdout_path_list), "store", "out");
    expect_config(i, "stdin_path=/dev/null\nstdout_path=/w/out\nstderr_path=/w\n");
}

static void a_newline_in_a_path_begins_no_line(void **state)
{
    struct input *i = *state;
    struct dstr out = DSTR_INIT;
    switch_on_staging(i);
    stage_path(cull_append(&i->job, JB_stdout_path_list), "store\njob_uid=0", "/a\njob_gid=0");
    task_paths_config(&i->in, &out);
    assert_null(strstr(dstr_get(&out), "\njob_"));
    dstr_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_staged_file_is_in_tmpdir_and_hooks_get_its_own_host_and_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_path_of_a_directory_gets_the_usual_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            without_delegated_file_staging_all_files_are_where_the_job_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_newline_in_a_path_begins_no_line, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

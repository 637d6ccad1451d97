/* What a job names and is not there is warned of when it is submitted. */
#include "libs/cli/submit_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "libs/cli/submitter.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

static char dir[] = "/tmp/submit_checks.XXXXXX";
static struct submitter alice = { .home = dir, .host = (char *)"node1" };

static int make_dir(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    char *logs = path_join(dir, "logs");
    int result = file_mkdirs(logs, 0755, NULL);
    free(logs);
    return result;
}

static int remove_dir(void **state)
{
    (void)state;
    return file_rmtree(dir, NULL);
}

/* what is said of JOB, which is emptied: nothing, or "KIND PLACE" with the home directory in front
 * of PLACE */
static void expect_place(struct JB_Type *job, const char *before, const char *place)
{
    struct answer ans = ANSWER_INIT;
    struct dstr wanted = DSTR_INIT;
    submit_check_paths(job, &alice, &ans);
    assert_int_equal(ans.n, before != NULL);
    if (before != NULL) {
        dstr_addf(&wanted, "warning: %s \"%s%s\" on this host", before, dir, place);
        assert_string_equal(ans.v[0].text, dstr_get(&wanted));
        assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_WARNING);
    }
    dstr_free(&wanted);
    ans_free(&ans);
    cull_clear(&cull_JB_Type, job);
}

static void set_output(struct JB_Type *job, const char *path, const char *host)
{
    struct PN_Type *pn = cull_append(job, JB_stdout_path_list);
    cull_set(pn, PN_path, path);
    if (host != NULL)
        cull_set(pn, PN_host, host);
}

static void a_missing_directory_of_output_is_named(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    set_output(&job, "nolog/$JOB_NAME.$TASK_ID", NULL);
    expect_place(&job, "-o: there is no directory", "/nolog");
    set_output(&job, "nolog/x", "NODE1");
    expect_place(&job, "-o: there is no directory", "/nolog");
    set_output(&job, "logs/x", NULL);
    expect_place(&job, NULL, NULL);
    set_output(&job, "logs", NULL); /* itself a directory */
    expect_place(&job, NULL, NULL);
    set_output(&job, "/x", NULL);
    expect_place(&job, NULL, NULL);
}

static void the_home_directory_is_looked_at_as_the_start_will(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    set_output(&job, "~/logs/x", NULL);
    expect_place(&job, NULL, NULL);
    set_output(&job, "~", NULL);
    expect_place(&job, NULL, NULL);
    set_output(&job, "~/nolog/x", NULL);
    expect_place(&job, "-o: there is no directory", "/nolog");
    set_output(&job, "~nobody.of.that.name/x", NULL); /* a name like others */
    expect_place(&job, "-o: there is no directory", "/~nobody.of.that.name");
}

static void what_cannot_be_known_here_is_passed_over(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    set_output(&job, "nolog/x", "node2");
    expect_place(&job, NULL, NULL);
    set_output(&job, "$HOME/nolog/x", NULL);
    expect_place(&job, NULL, NULL);
    struct PN_Type *pn = cull_append(&job, JB_stderr_path_list);
    cull_set(pn, PN_path, "nolog/err");
    cull_set(&job, JB_merge_stderr, true); /* -e has no effect then */
    expect_place(&job, NULL, NULL);
}

static void a_missing_working_directory_or_file_is_named(void **state)
{
    struct JB_Type job = { 0 };
    struct dstr cwd = DSTR_INIT;
    (void)state;
    dstr_addf(&cwd, "%s/nowhere", dir);
    cull_set(&job, JB_cwd, dstr_get(&cwd));
    set_output(&job, "out/x", NULL);
    expect_place(&job, "-wd: there is no directory", "/nowhere");
    struct PN_Type *in = cull_append(&job, JB_stdin_path_list);
    cull_set(in, PN_path, "noinput");
    expect_place(&job, "-i: there is no file", "/noinput");
    dstr_free(&cwd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_directory_of_output_is_named),
        cmocka_unit_test(the_home_directory_is_looked_at_as_the_start_will),
        cmocka_unit_test(what_cannot_be_known_here_is_passed_over),
        cmocka_unit_test(a_missing_working_directory_or_file_is_named),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

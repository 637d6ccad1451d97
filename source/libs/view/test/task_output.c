/* A task's output is found where the execd puts it. */
#include "libs/view/task_output.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"

static const struct task_output_at home = { "/home/alice", NULL };
static const struct task_output_at on_a = { "/home/alice", "a" };
static const struct task_output_at nowhere = { NULL, NULL };

/* job 1, ribs 1-8:2 of alice, with the paths PATHS and those of a host, in CWD */
static struct board *ribs_with(const char *path, const char *path_on_a, const char *cwd)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 8, 2, 0);
    struct JB_Type *rec = &board_job(b, 1)->rec;
    if (path != NULL)
        cull_set(cull_append(rec, JB_stdout_path_list), PN_path, path);
    if (path_on_a != NULL) {
        struct PN_Type *entry = cull_append(rec, JB_stdout_path_list);
        cull_set(entry, PN_path, path_on_a);
        cull_set(entry, PN_host, "a");
    }
    if (cwd != NULL)
        cull_set(rec, JB_cwd, cwd);
    return b;
}

/* WANT NULL: not known. B is taken. */
static void assert_path(struct board *b, const struct task_output_at *at, const char *want)
{
    struct dstr path = DSTR_INIT;
    assert_int_equal(task_output_path(board_job(b, 1), 1, at, &path), want != NULL);
    assert_string_equal(dstr_get(&path), want != NULL ? want : "");
    dstr_free(&path);
    board_free(b);
}

static void without_a_path_it_is_where_the_job_was_submitted(void **state SGE_UNUSED)
{
    struct dstr name = DSTR_INIT;
    struct board *b = ribs_with(NULL, NULL, NULL);
    task_output_name(board_job(b, 1), 1, &name);
    assert_string_equal(dstr_get(&name), "ribs.o1.3");
    dstr_free(&name);
    assert_path(b, &home, "/home/alice/ribs.o1.3");
    assert_path(ribs_with(NULL, NULL, NULL), &nowhere, NULL);
    assert_path(ribs_with(NULL, NULL, "/shots/7"), &nowhere, "/shots/7/ribs.o1.3");
}

static void a_path_is_expanded(void **state SGE_UNUSED)
{
    assert_path(ribs_with("/log/$JOB_NAME.$TASK_ID", NULL, NULL), &nowhere, "/log/ribs.3");
    assert_path(ribs_with("log", NULL, "/shots/7"), &nowhere, "/shots/7/log");
    assert_path(ribs_with("log", NULL, NULL), &nowhere, NULL);
    assert_path(ribs_with("$JOB_NAME.log", NULL, NULL), &nowhere, NULL);
    assert_path(ribs_with("$JOB_NAME.log", NULL, "/shots/7"), &nowhere, "/shots/7/ribs.log");
    assert_path(ribs_with("$HOME/log", NULL, NULL), &home, "/home/alice/log");
    assert_path(ribs_with("$HOME/log", NULL, "/shots/7"), &nowhere, NULL);
    assert_path(ribs_with("~/log", NULL, "/shots/7"), &nowhere, NULL);
}

static void a_path_of_a_host_needs_the_host(void **state SGE_UNUSED)
{
    assert_path(ribs_with("/log/all", "/log/a", NULL), &home, NULL);
    assert_path(ribs_with("/log/all", "/log/a", NULL), &on_a, "/log/a");
    assert_path(ribs_with("/log/$HOSTNAME", NULL, NULL), &home, NULL);
    assert_path(ribs_with("/log/$HOSTNAME", NULL, NULL), &on_a, "/log/a");
}

static void assert_end(const char *record, const char *want)
{
    struct dstr text = DSTR_INIT;
    task_end_told(record, &text);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
}

static void a_record_tells_how_the_last_start_ended(void **state SGE_UNUSED)
{
    assert_end("", "");
    assert_end("hostname     a\nfailed       0    \nexit_status  0                   \n", "");
    assert_end("failed       0    \nexit_status  1                   \n", ", exit status 1");
    assert_end("failed       100  : assumedly after job\nexit_status  137     (Killed)\n",
               ", killed by signal 9");
    assert_end("failed       37   : enforced limit  \nexit_status  137     (Killed)\n",
               ", killed by signal 9, failed 37: enforced limit");
    assert_end("exit_status  1  \n=====\nexit_status  0  \n", "");
    assert_end("exit_status_x 1  \nexit_statu", "");
    assert_end("exit_status  200 \n", ", exit status 200");
}

static void a_record_tells_where_it_ran(void **state SGE_UNUSED)
{
    size_t len;
    const char *record = "hostname     a\nx\nhostname     node7.x   \n";
    const char *host = task_end_host(record, &len);
    assert_int_equal(len, 7);
    assert_memory_equal(host, "node7.x", 7);
    assert_null(task_end_host("no record\n", &len));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_path_it_is_where_the_job_was_submitted),
        cmocka_unit_test(a_path_is_expanded),
        cmocka_unit_test(a_path_of_a_host_needs_the_host),
        cmocka_unit_test(a_record_tells_how_the_last_start_ended),
        cmocka_unit_test(a_record_tells_where_it_ran),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A start of a job's process: in the shepherd's memory, or by a plain fork; and its files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/shepherd/command.h"
#include "daemons/shepherd/launch.h"
#include "daemons/shepherd/task_config.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[32];
    struct task_config conf;
    struct environment env;
    struct exec_command command;
    struct launch launch;
    struct launch_page *page;
    struct job_identity who; /* who runs this test */
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    (void)snprintf(f->dir, sizeof f->dir, "/tmp/launch-test-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    f->page = launch_page_new(NULL);
    f->who = (struct job_identity){ .uid = geteuid(), .gid = getegid() };
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    launch_clear(&f->launch);
    command_free(&f->command);
    environment_free(&f->env);
    task_config_free(&f->conf);
    assert_int_equal(file_rmtree(f->dir, NULL), 0);
    free(f);
    return 0;
}

/* run "echo out; echo err >&2; exit 3" as MORE says; returns its exit status */
static int run_job(struct fixture *f, const char *more)
{
    struct dstr text = DSTR_INIT;
    struct config lines, variables;
    struct answer ans = ANSWER_INIT;
    int status = -1;
    dstr_addf(&text, "job_uid=1\njob_gid=1\njob_id=7\njob_name=n\nhandle_as_binary=1\n");
    dstr_addf(&text, "script_file=echo out $SGE_STDOUT_PATH; echo err >&2; exit 3\n%s", more);
    assert_int_equal(config_parse(&lines, dstr_take(&text), "test", NULL), 0);
    assert_int_equal(task_config_from(&f->conf, &lines, NULL), 0);
    dstr_add(&text, "PATH=/usr/bin:/bin\n");
    assert_int_equal(config_parse(&variables, dstr_take(&text), "test", NULL), 0);
    environment_from(&f->env, &variables);
    config_free(&variables);
    launch_prepare(&f->launch, LAUNCH_JOB, &f->conf, &f->env);
    command_of_job(&f->command, &f->conf, NULL);
    f->launch.command = &f->command;
    f->launch.who = &f->who;
    pid_t pid = launch_start(&f->launch, f->page, &f->page->results[0], &ans);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    ans_free(&ans);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_stack_used(const struct fixture *f)
{
    for (size_t i = 0; i < sizeof f->page->apart.stack; i++)
        if (f->page->apart.stack[i] != 0)
            return true;
    return false;
}

static void expect_file(const struct fixture *f, const char *name, const char *wanted)
{
    struct dstr text = DSTR_INIT;
    char *path = path_join(f->dir, name);
    assert_int_equal(file_read(path, 1000, &text, NULL), 0);
    assert_string_equal(dstr_get(&text), wanted);
    dstr_free(&text);
    free(path);
}

/* the same job with the line MORE, whatever starts it */
static void run_and_compare(struct fixture *f, const char *more)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%sstdout_path=%s\nstderr_path=%s/err\ncwd=%s\n", more, f->dir, f->dir,
              f->dir);
    assert_int_equal(run_job(f, dstr_get(&text)), 3);
    dstr_clear(&text);
    dstr_addf(&text, "out %s/n.o7\n", f->dir); /* the directory has become a file */
    expect_file(f, "n.o7", dstr_get(&text));
    expect_file(f, "err", "err\n");
    assert_int_equal(f->page->results[0].stage, LAUNCH_DONE);
    dstr_free(&text);
}

static void a_job_starts_in_the_memory_of_its_shepherd(void **state)
{
    struct fixture *f = *state;
    run_and_compare(f, "");
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    assert_true(is_stack_used(f));
#endif
}

static void the_switch_starts_it_by_a_plain_fork(void **state)
{
    struct fixture *f = *state;
    run_and_compare(f, "plain_fork=1\n");
    assert_false(is_stack_used(f)); /* it had a memory of its own */
}

static void a_file_that_cannot_be_opened_is_named_either_way(void **state)
{
    struct fixture *f = *state;
    struct dstr words = DSTR_INIT;
    assert_int_equal(run_job(f, "stdout_path=/nonexistent/out\nplain_fork=1\n"), 1);
    assert_int_equal(launch_failure(&f->page->results[0], &words), TASK_FAILED_OPEN_OUTPUT);
    assert_non_null(strstr(dstr_get(&words), "/nonexistent/out"));
    dstr_free(&words);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_job_starts_in_the_memory_of_its_shepherd),
        TEST(the_switch_starts_it_by_a_plain_fork),
        TEST(a_file_that_cannot_be_opened_is_named_either_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

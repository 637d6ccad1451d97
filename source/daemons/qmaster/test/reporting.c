/* What goes into the reporting file, and that nobody forges a line of it. */
#include "daemons/qmaster/change/reporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/file.h"

static void begin_reporting(struct fixture *f, const char *variables)
{
    f->q.settings.has_reporting = true;
    cull_set(&hosts_find(&f->q.hosts, "node1")->rec, EH_text_report_variables, variables);
}

/* all lines behind their times; borrowed until the next call; "" without a file */
static const char *lines_written(struct fixture *f)
{
    static struct dstr all;
    struct dstr text = DSTR_INIT;
    char *path = path_join(f->dir, "reporting");
    fixture_commit(f);
    dstr_clear(&all);
    if (access(path, F_OK) == 0)
        assert_int_equal(file_read(path, 1 << 20, &text, NULL), 0);
    for (const char *at = dstr_get(&text); *at != '\0'; at += strcspn(at, "\n") + 1) {
        const char *kind = strchr(at, ':');
        assert_non_null(kind);
        dstr_addn(&all, kind, strcspn(kind, "\n") + 1);
    }
    dstr_free(&text);
    free(path);
    return dstr_get(&all);
}

static void expect_host_line(struct fixture *f, const char *values)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, ":host:node1:%llu:X:%s\n", (unsigned long long)f->q.now_s, values);
    assert_string_equal(lines_written(f), dstr_get(&line));
    dstr_free(&line);
}

static void nothing_is_written_unless_somebody_wants_it(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "cpu");
    f->q.settings.has_reporting = false;
    say_load(f, "cpu", "1");
    assert_string_equal(lines_written(f), "");
}

static void a_host_reports_what_it_and_the_cell_name(void **state)
{
    struct fixture *f = *state;
    struct host *cell = hosts_add(&f->q.hosts, "global");
    begin_reporting(f, "cpu,nothing,np_load_avg");
    cull_set(&cell->rec, EH_text_report_variables, "np_load_avg");
    say_load(f, "other", "7");
    assert_string_equal(lines_written(f), "");
    f->q.settings.has_reporting = false;
    say_load(f, "np_load_avg", "0.30");
    f->q.settings.has_reporting = true;
    f->q.now_s++;
    say_load(f, "cpu", "1.5");
    expect_host_line(f, "np_load_avg=0.30,cpu=1.5");
}

/* who reports a thousand times a second fills no disk with it */
static void a_host_has_one_line_a_second(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "cpu");
    say_load(f, "cpu", "1");
    say_load(f, "cpu", "2");
    expect_host_line(f, "cpu=1");
}

static void a_value_stays_one(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "arch");
    say_load(f, "arch", "a:b,c d\n1:acct:all.q");
    expect_host_line(f, "arch=a_b_c_d_1_acct_all.q");
}

static void an_end_is_reported_as_it_is_accounted(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "NONE");
    uint32_t job = submit(f);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    const char *lines = lines_written(f);
    assert_memory_equal(lines, ":acct:all.q:node1:", 18);
    assert_int_equal(strcspn(lines, "\n") + 1, strlen(lines));
}

static void a_file_that_cannot_be_written_holds_nothing_up(void **state)
{
    struct fixture *f = *state;
    char *path = path_join(f->dir, "reporting");
    begin_reporting(f, "cpu");
    assert_int_equal(mkdir(path, 0755), 0);
    say_load(f, "cpu", "1");
    fixture_commit(f);
    assert_int_equal(rmdir(path), 0);
    assert_true(submit(f) != 0);
    f->q.now_s++;
    say_load(f, "cpu", "2");
    expect_host_line(f, "cpu=2");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(nothing_is_written_unless_somebody_wants_it),
        TEST(a_host_reports_what_it_and_the_cell_name),
        TEST(a_host_has_one_line_a_second),
        TEST(a_value_stays_one),
        TEST(an_end_is_reported_as_it_is_accounted),
        TEST(a_file_that_cannot_be_written_holds_nothing_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

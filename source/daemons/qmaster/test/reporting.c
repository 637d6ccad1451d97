/* What goes into the reporting file, and that nobody forges a line of it. */
#include "daemons/qmaster/change/reporting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
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

/* the kinds of lines, and of events, with their states and users: "new_job pending::alice ..." */
static const char *events_of(struct fixture *f)
{
    static struct dstr out;
    char *lines = uti_strdup(lines_written(f)), *saved = NULL;
    char *path = path_join(f->dir, "reporting");
    (void)!unlink(path);
    free(path);
    dstr_clear(&out);
    for (char *line = strtok_r(lines, "\n", &saved); line != NULL;
         line = strtok_r(NULL, "\n", &saved)) {
        char kind[20] = "", event[20] = "";
        unsigned job;
        int task, at = 0;
        if (sscanf(line, ":%19[^:]:%*u:%19[^:]:%u:%d:NONE:%n", kind, event, &job, &task, &at) < 4 ||
            strcmp(kind, "job_log") != 0)
            continue;
        dstr_addf(&out, "%s %d ", event, task);
        for (int colons = 0; line[at] != '\0' && colons < 2; at++) {
            colons += line[at] == ':';
            if (colons < 2)
                dstr_addc(&out, line[at] == ' ' ? '_' : line[at]);
        }
        dstr_addf(&out, "%s\n", strrchr(line, ':'));
    }
    free(lines);
    return dstr_get(&out);
}

static void begin_joblog(struct fixture *f)
{
    begin_reporting(f, "NONE");
    f->q.settings.has_joblog = true;
}

/* reporting(5); the events as readers know them */
static void a_job_has_its_events_from_submit_to_end(void **state)
{
    struct fixture *f = *state;
    begin_joblog(f);
    uint32_t job = submit(f, .name = "a b");
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, ":new_job:%llu:%u:-1:NONE:a b:alice:", (unsigned long long)f->q.now_s, job);
    const char *lines = lines_written(f);
    assert_memory_equal(lines, dstr_get(&line), line.len);
    assert_non_null(strstr(lines, "::defaultdepartment:sge:1024\n"));
    dstr_free(&line);
    fixture_run(f, job, 1, 0);
    assert_string_equal(events_of(f), "pending -1 :alice:new job\n"
                                      "sent 0 t:master:sent to execd\n"
                                      "delivered 0 r:master:job received by execd\n"
                                      "finished 0 r:execution_daemon:job exited\n"
                                      "finished 0 r:master:job waits for scheduler's deletion\n"
                                      "deleted 0 T:scheduler:job deleted by scheduler\n");
}

static void starts_that_fail_have_theirs(void **state)
{
    struct fixture *f = *state;
    begin_joblog(f);
    uint32_t job = submit(f);
    fixture_start(f, job, 1);
    (void)events_of(f);
    fixture_report(f, job, 1, REPORT_ENDED, TASK_FAILED_OPEN_OUTPUT);
    char want[200];
    snprintf(want, sizeof want,
             "error 0 t:execution_daemon:job set in error state \n"
             "restart 0 t:master:rescheduling job %u.1\n",
             job);
    assert_string_equal(events_of(f), want);
    char id[16];
    snprintf(id, sizeof id, "%u", job);
    fixture_delete(f, "boss", id);
    assert_string_equal(events_of(f), "deleted 0 :boss:job deleted\n"
                                      "finished 0 :master:job waits for scheduler's deletion\n"
                                      "deleted 0 T:scheduler:job deleted by scheduler\n");
}

/* an array of millions is deleted with one line, not with millions */
static void a_delete_has_a_line_for_each_task_or_one_for_the_job(void **state)
{
    struct fixture *f = *state;
    begin_joblog(f);
    char id[16];
    snprintf(id, sizeof id, "%u", submit(f, .tasks = "1-2"));
    (void)events_of(f);
    fixture_delete(f, "alice", id);
    assert_string_equal(events_of(f),
                        "deleted 1 :alice:job deleted\nfinished 1 :master:job exited\n"
                        "deleted 2 :alice:job deleted\nfinished 2 :master:job exited\n");
    snprintf(id, sizeof id, "%u", submit(f, .tasks = "1-1001"));
    (void)events_of(f);
    fixture_delete(f, "alice", id);
    assert_string_equal(events_of(f),
                        "deleted -1 :alice:job deleted\nfinished -1 :master:job exited\n");
}

static void names_are_fields(void **state)
{
    struct fixture *f = *state;
    begin_joblog(f);
    uint32_t job = submit(f);
    cull_set(&fixture_job(f, job)->rec, JB_job_name, "a:b\nc");
    fixture_start(f, job, 1);
    assert_non_null(strstr(lines_written(f), ":a_b_c:alice:"));
}

static void without_joblog_a_job_has_its_end_alone(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "NONE");
    fixture_run(f, submit(f), 1, 0);
    assert_string_equal(events_of(f), "");
}

static void a_queue_has_a_line_for_each_state(void **state)
{
    struct fixture *f = *state;
    struct qinstance *qi = fixture_queue(f);
    struct dstr want = DSTR_INIT;
    begin_reporting(f, "NONE");
    for (int i = 0; i < 3; i++) {
        cull_set(&qi->rec, QU_state, i == 1 ? 0u : (unsigned)QI_DISABLED);
        events_queue_mod(&f->q, qi);
        events_queue_mod(&f->q, qi); /* has not changed */
        dstr_addf(&want, ":queue:all.q:node1:%llu:%s\n", (unsigned long long)f->q.now_s,
                  i == 1 ? "" : "d");
    }
    assert_string_equal(lines_written(f), dstr_get(&want));
    dstr_free(&want);
    qi->host->conn = 0; /* as when its execd has gone */
    events_queue_mod(&f->q, qi);
    assert_non_null(strstr(lines_written(f), ":du\n"));
}

static void what_runs_out_is_logged_as_it_is_taken_and_given_back(void **state)
{
    struct fixture *f = *state;
    begin_reporting(f, "slots");
    supply_offer(&fixture_queue(f)->supply, RESOURCE_SLOTS,
                 100); /* as the check of an order does */
    uint32_t job = submit(f);
    fixture_start(f, job, 1);
    const char *taken = strstr(lines_written(f), ":queue_consumable:all.q:node1:");
    assert_non_null(taken);
    assert_non_null(strstr(taken, "::slots=1.000000=100.000000\n"));
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    assert_non_null(strstr(lines_written(f), "::slots=0.000000=100.000000\n"));
    begin_reporting(f, "NONE");
    (void)events_of(f);
    fixture_run(f, submit(f), 1, 0);
    assert_null(strstr(lines_written(f), "consumable"));
    f->q.settings.logs_consumables = true;
    fixture_run(f, submit(f), 1, 0);
    assert_non_null(strstr(lines_written(f), ":queue_consumable:"));
}

static void without_accounting_no_end_is_accounted(void **state)
{
    struct fixture *f = *state;
    f->q.settings.has_accounting = false;
    begin_reporting(f, "NONE");
    fixture_run(f, submit(f), 1, 0);
    assert_non_null(strstr(lines_written(f), ":acct:"));
    char *text = fixture_accounting(f);
    assert_string_equal(text, "");
    free(text);
    change_accounting_left(&f->q, "left:by:a:full:disk\n"); /* of an end that was accounted for */
    (void)submit(f);
    fixture_commit(f);
    text = fixture_accounting(f);
    assert_string_equal(text, "left:by:a:full:disk\n");
    free(text);
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
        TEST(a_job_has_its_events_from_submit_to_end),
        TEST(starts_that_fail_have_theirs),
        TEST(a_delete_has_a_line_for_each_task_or_one_for_the_job),
        TEST(names_are_fields),
        TEST(without_joblog_a_job_has_its_end_alone),
        TEST(a_queue_has_a_line_for_each_state),
        TEST(what_runs_out_is_logged_as_it_is_taken_and_given_back),
        TEST(without_accounting_no_end_is_accounted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

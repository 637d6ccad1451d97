/* Which mails there are about a job, what they say, and that no user causes more than he may. */
#include "daemons/qmaster/jobs/mail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/io/mailer.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"

enum { ALL_MAIL = MAIL_OPTIONS_MOST };

/* the subjects of the mails that were collected since the last look, each with a newline; borrowed
 * until the next call */
static const char *subjects_of(struct fixture *f)
{
    static struct dstr text;
    const struct mail *m;
    dstr_clear(&text);
    STAILQ_FOREACH(m, change_mails(&f->q), next) {
        dstr_addf(&text, "%s\n", m->subject);
    }
    fixture_commit(f);
    return dstr_get(&text);
}

/* the last mail that was collected */
static const struct mail *last_mail(struct fixture *f)
{
    const struct mail *m, *last = NULL;
    STAILQ_FOREACH(m, change_mails(&f->q), next) {
        last = m;
    }
    assert_non_null(last);
    return last;
}

static uint32_t submit_mailed(struct fixture *f, uint32_t options, const char *tasks)
{
    uint32_t number = submit(f, .name = "x", .tasks = tasks);
    struct job *job = fixture_job(f, number);
    cull_set(&job->rec, JB_mail_options, options);
    cull_clear_field(&cull_JB_Type, &job->rec, JB_mail_list);
    struct MR_Type *to = cull_append(&job->rec, JB_mail_list);
    cull_set(to, MR_user, "alice");
    cull_set(to, MR_host, "node1");
    fixture_commit(f);
    return number;
}

static void configure_cell(struct fixture *f, const char *param, const char *value)
{
    struct CONF_Type *conf = conf_template(CONF_GLOBAL);
    assert_int_equal(conf_set(conf, param, value, NULL), 0);
    settings_put_conf(&f->q.settings, conf);
    cull_delete(&cull_CONF_Type, conf);
}

static void a_job_sends_what_m_names_and_no_more(void **state)
{
    static const struct {
        uint32_t options, failed;
        const char *subjects;
    } cases[] = {
        { 0, TASK_FAILED_NOT, "" },
        { MAIL_AT_BEGIN, TASK_FAILED_NOT, "Job %u (x) Started\n" },
        { MAIL_AT_EXIT, TASK_FAILED_NOT, "Job %u (x) Complete\n" },
        { MAIL_AT_ABORT, TASK_FAILED_NOT, "" },
        { MAIL_AT_SUSPENSION, TASK_FAILED_NOT, "" },
        { ALL_MAIL, TASK_FAILED_NOT, "Job %u (x) Started\nJob %u (x) Complete\n" },
        { MAIL_AT_EXIT, TASK_FAILED_AFTER_JOB, "Job %u (x) Aborted\n" },
        { MAIL_AT_ABORT, TASK_FAILED_LIMIT, "Job %u (x) Aborted\n" },
        { MAIL_AT_BEGIN, TASK_FAILED_AFTER_JOB, "Job %u (x) Started\n" },
        { MAIL_AT_ABORT, TASK_FAILED_RESCHEDULE, "Job %u (x) Rescheduled\n" },
        { MAIL_AT_ABORT, TASK_FAILED_MIGRATING, "Job %u (x) Migrates\n" },
        { MAIL_AT_ABORT, TASK_FAILED_OPEN_OUTPUT, "Job %u (x) Set in error state\n" },
        { MAIL_AT_ABORT, TASK_FAILED_APPERROR,
          "Job %u (x) Rescheduled due to application error\n" },
        { MAIL_AT_EXIT, TASK_FAILED_RESCHEDULE, "" },
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t job = submit_mailed(f, cases[i].options, NULL);
        struct dstr want = DSTR_INIT;
        for (const char *at = cases[i].subjects; *at != '\0'; at++) {
            if (at[0] == '%' && at[1] == 'u') {
                dstr_addf(&want, "%u", job);
                at++;
            } else {
                dstr_addc(&want, *at);
            }
        }
        fixture_run(f, job, 1, cases[i].failed);
        assert_string_equal(subjects_of(f), dstr_get(&want));
        dstr_free(&want);
    }
}

/* where the first report is that of the end */
static void a_start_that_was_not_reported_is_announced_with_its_end(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_BEGIN | MAIL_AT_EXIT, NULL);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_ENDED, TASK_FAILED_NOT);
    assert_non_null(strstr(subjects_of(f), "Started\nJob"));
}

static void the_addresses_are_those_of_the_job_that_a_mailer_may_have(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_EXIT, NULL);
    static const char *const users[] = { "-f", "bob", "|sh" };
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct MR_Type *to = cull_append(&fixture_job(f, job)->rec, JB_mail_list);
        cull_set(to, MR_user, users[i]);
    }
    fixture_run(f, job, 1, TASK_FAILED_NOT);
    const struct mail *m = last_mail(f);
    assert_int_equal(m->n_to, 2);
    assert_string_equal(m->to[0], "alice@node1");
    assert_string_equal(m->to[1], "bob");
    assert_string_equal(m->program, "/usr/bin/mail");
    assert_string_equal(m->user, "alice");
}

static void with_a_limit_of_none_there_is_no_mail(void **state)
{
    struct fixture *f = *state;
    configure_cell(f, "qmaster_params", "MAIL_RATE=0");
    uint32_t job = submit_mailed(f, ALL_MAIL, NULL);
    fixture_run(f, job, 1, TASK_FAILED_NOT);
    assert_string_equal(subjects_of(f), "");
}

/* the captured system sends an empty text */
static void a_suspension_says_why_and_by_what(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_SUSPENSION, NULL);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_QUEUE_SUSPENDED, true);
    assert_non_null(strstr(last_mail(f)->body, " Reason           = its queue is suspended"));
    assert_non_null(strstr(last_mail(f)->body, " Queue            = all.q@node1\n"));
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_SUSPENDED, true); /* stays stopped */
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_QUEUE_SUSPENDED, false);
    task_suspend(&f->q, fixture_task(f, job, 1), TASK_IS_SUSPENDED, false);
    const char *all = subjects_of(f);
    assert_non_null(strstr(all, "Suspended\n"));
    assert_non_null(strstr(all, "Continued\n"));
    assert_null(strstr(strstr(all, "Suspended\n") + 1, "Suspended\n"));
}

/* the captured system sends none */
static void a_pending_job_that_is_deleted_sends_who_did_it(void **state)
{
    struct fixture *f = *state;
    char id[16];
    uint32_t job = submit_mailed(f, MAIL_AT_ABORT, NULL);
    snprintf(id, sizeof id, "%u", job);
    fixture_delete(f, "boss", id);
    const struct mail *m = last_mail(f);
    assert_non_null(strstr(m->subject, " (x) Killed"));
    assert_non_null(strstr(m->body, " (x)  was killed by boss@node1\n"));
    assert_non_null(strstr(m->body, "pending: it has not run"));
}

static void a_running_one_sends_that_and_its_end(void **state)
{
    struct fixture *f = *state;
    char id[16];
    uint32_t job = submit_mailed(f, MAIL_AT_ABORT, NULL);
    snprintf(id, sizeof id, "%u", job);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    fixture_delete(f, "alice", id);
    fixture_delete(f, "alice", id); /* is being deleted: nothing new */
    fixture_report(f, job, 1, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
    const char *all = subjects_of(f), *killed = strstr(all, "Killed\n");
    assert_non_null(killed);
    assert_null(strstr(killed + 1, "Killed\n"));
    assert_non_null(strstr(killed, "Aborted\n"));
}

static void one_lost_with_its_host_says_so(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_ABORT, NULL);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    task_lost(&f->q, fixture_task(f, job, 1));
    const struct mail *m = last_mail(f);
    assert_non_null(strstr(m->subject, "Aborted"));
    assert_non_null(strstr(m->body,
                           "failed in recognizing job because:\n"
                           "host node1 has lost the task, as after a reboot: it has ended, "
                           "because -r or rerun does not permit another start\n"));
    fixture_commit(f);
}

static void an_array_sends_one_mail_with_the_sums(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, ALL_MAIL, "1-40");
    for (uint32_t task = 1; task <= 40; task++)
        fixture_run(f, job, task, task <= 15 ? TASK_FAILED_AFTER_JOB : TASK_FAILED_NOT);
    const char *body = last_mail(f)->body;
    assert_non_null(strstr(body, " Tasks            = 40\n Complete         = 25\n"
                                 " Failed           = 15\n Killed           = 0\n"));
    assert_null(strstr(body, "Not counted"));
    assert_non_null(strstr(body, "task 10 failed assumedly after job: "));
    assert_null(strstr(body, "task 11 failed"));
    assert_non_null(strstr(body, "5 more tasks failed.\n"));
    const char *all = subjects_of(f);
    assert_non_null(strstr(all, "Job-array "));
    unsigned n = 0;
    for (const char *at = all; *at != '\0'; at++)
        n += *at == '\n';
    assert_int_equal(n, 2); /* Started, Aborted */
}

static void what_happens_to_its_tasks_is_sent_together(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_SUSPENSION, "1-40");
    for (uint32_t task = 1; task <= 20; task++) {
        fixture_start(f, job, task);
        fixture_report(f, job, task, REPORT_STARTED, 0);
        task_suspend(&f->q, fixture_task(f, job, task), TASK_IS_SUSPENDED, true);
    }
    mails_step(&f->q);
    assert_string_equal(subjects_of(f), "");
    f->q.now_s += ARRAY_MAIL_S;
    mails_step(&f->q);
    assert_non_null(strstr(last_mail(f)->body, " Suspended          = 20\n"));
    assert_non_null(strstr(subjects_of(f), "(x) Suspended\n"));
    f->q.now_s += ARRAY_MAIL_S;
    mails_step(&f->q);
    assert_string_equal(subjects_of(f), "");
}

static void a_parameter_enables_one_for_each_task_of_small_arrays(void **state)
{
    struct fixture *f = *state;
    configure_cell(f, "qmaster_params", "MAIL_TASKS=2");
    uint32_t small = submit_mailed(f, MAIL_AT_EXIT, "1-2"),
             large = submit_mailed(f, MAIL_AT_EXIT, "1-3");
    for (uint32_t task = 1; task <= 2; task++) {
        fixture_run(f, small, task, TASK_FAILED_NOT);
        fixture_run(f, large, task, TASK_FAILED_NOT);
    }
    const char *all = subjects_of(f);
    assert_non_null(strstr(all, ".1 (x) Complete\nJob-array task "));
    assert_non_null(strstr(all, ".2 (x) Complete\n"));
    fixture_run(f, large, 3, TASK_FAILED_NOT);
    assert_non_null(strstr(subjects_of(f), "Job-array "));
}

static void an_array_of_a_qmaster_that_starts_again_says_what_it_has_not_counted(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, ALL_MAIL, "1-3");
    cull_set(&fixture_job(f, job)->rec, JB_version, 1u);
    change_job(&f->q, fixture_job(f, job));
    fixture_run(f, job, 1, TASK_FAILED_NOT);
    assert_non_null(strstr(subjects_of(f), "Started\n"));
    fixture_restart(f);
    fixture_run(f, job, 2, TASK_FAILED_NOT);
    fixture_run(f, job, 3, TASK_FAILED_NOT);
    assert_non_null(strstr(last_mail(f)->body, " Complete         = 2\n"));
    assert_non_null(strstr(last_mail(f)->body, " Not counted      = 1\n"));
    assert_null(strstr(subjects_of(f), "Started\n"));
}

static void a_user_causes_so_many_an_hour_and_reads_how_many_were_dropped(void **state)
{
    struct fixture *f = *state;
    configure_cell(f, "qmaster_params", "MAIL_RATE=3");
    for (int i = 0; i < 5; i++)
        fixture_run(f, submit_mailed(f, MAIL_AT_EXIT, NULL), 1, TASK_FAILED_NOT);
    assert_string_equal(subjects_of(f), ""); /* of the last: the first three left before */
    f->q.now_s += 3600;
    fixture_run(f, submit_mailed(f, MAIL_AT_EXIT, NULL), 1, TASK_FAILED_NOT);
    assert_non_null(strstr(last_mail(f)->body, "2 mails before this one were not sent: the limit "
                                               "is 3 an hour (MAIL_RATE).\n"));
}

static void the_administrator_gets_what_puts_jobs_and_queues_into_error(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, 0, NULL);
    fixture_run(f, job, 1, TASK_FAILED_IN_PROLOG);
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    assert_string_equal(subjects_of(f), "");
    configure_cell(f, "administrator_mail", "root,ops@example.org");
    fixture_run(f, job, 1, TASK_FAILED_IN_PROLOG);
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    const struct mail *m = last_mail(f);
    assert_int_equal(m->n_to, 2);
    assert_string_equal(m->to[1], "ops@example.org");
    assert_non_null(strstr(m->body, "caused action: queue all.q@node1 set in error state\n"));
    assert_non_null(strstr(subjects_of(f), " failed\n"));
    fixture_run(f, job, 1, TASK_FAILED_AFTER_JOB); /* is the job's affair */
    assert_string_equal(subjects_of(f), "");
}

static void a_job_name_is_no_header(void **state)
{
    struct fixture *f = *state;
    uint32_t job = submit_mailed(f, MAIL_AT_EXIT, NULL);
    cull_set(&fixture_job(f, job)->rec, JB_job_name, "=?utf-8?Q?x?=\r\nBcc: b");
    fixture_run(f, job, 1, TASK_FAILED_NOT);
    const char *subject = last_mail(f)->subject;
    assert_null(strstr(subject, "=?u"));
    assert_null(strpbrk(subject, "\r\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_job_sends_what_m_names_and_no_more),
        TEST(a_start_that_was_not_reported_is_announced_with_its_end),
        TEST(the_addresses_are_those_of_the_job_that_a_mailer_may_have),
        TEST(with_a_limit_of_none_there_is_no_mail),
        TEST(a_suspension_says_why_and_by_what),
        TEST(a_pending_job_that_is_deleted_sends_who_did_it),
        TEST(a_running_one_sends_that_and_its_end),
        TEST(one_lost_with_its_host_says_so),
        TEST(an_array_sends_one_mail_with_the_sums),
        TEST(what_happens_to_its_tasks_is_sent_together),
        TEST(a_parameter_enables_one_for_each_task_of_small_arrays),
        TEST(an_array_of_a_qmaster_that_starts_again_says_what_it_has_not_counted),
        TEST(a_user_causes_so_many_an_hour_and_reads_how_many_were_dropped),
        TEST(the_administrator_gets_what_puts_jobs_and_queues_into_error),
        TEST(a_job_name_is_no_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

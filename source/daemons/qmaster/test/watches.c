/* Clients that wait for the ends of tasks: what they are told, when, and who is forgotten. qsub(1)
 * -sync. */
#include "daemons/qmaster/jobs/watches.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"

/* a request as it comes from the network */
static void request_as(struct fixture *f, const char *user, uint32_t serial, struct GR_Type *gr)
{
    struct packer p = { 0 };
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    cull_pack(&p, &cull_GR_Type, gr, NULL);
    cull_clear(&cull_GR_Type, gr);
    struct frame frame = {
        .kind = GDI_FRAME_REQUEST, .serial = serial, .body = p.data, .len = p.len
    };
    requests_handle(&f->q, fixture_session(f, user), &frame);
    packer_free(&p);
}

static void ask_watch(struct fixture *f, const char *user, uint32_t serial, uint32_t job)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_WATCH);
    cull_set(&gr, GR_job_number, job);
    request_as(f, user, serial, &gr);
}

/* qsub -sync y -t 1-LAST */
static void ask_submit(struct fixture *f, const char *user, uint32_t serial, uint32_t last,
                       const char *id)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(&gr, GR_options, (uint32_t)GDI_WATCH_TOO);
    cull_set(&gr, GR_request_id, id);
    struct JB_Type *job = cull_append(&gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY));
    cull_set(job, JB_ja_first, 1u);
    cull_set(job, JB_ja_last, last);
    cull_set(job, JB_ja_step, 1u);
    request_as(f, user, serial, &gr);
}

static void add_part(struct fixture *f, const struct sent *s)
{
    struct GA_Type ga = { 0 };
    struct unpacker u = unpacker_over(s->body, s->len);
    assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &ga, NULL), 0);
    dstr_addf(&f->said, "%s%u:", f->said.len > 0 ? " " : "", s->serial);
    if (cull_has(&ga, GA_job_number))
        dstr_addf(&f->said, "job%u", ga.GA_job_number);
    for (uint32_t i = 0; i < ga.GA_reports.n; i++)
        dstr_addf(&f->said, "%s%u/%u",
                  ga.GA_reports.v[i].JR_state == REPORT_PARKED ? "error" : "end",
                  ga.GA_reports.v[i].JR_task_number, ga.GA_reports.v[i].JR_failed);
    for (uint32_t i = 0; i < ga.GA_answers.n; i++)
        dstr_add(&f->said, ga.GA_answers.v[i].AN_text);
    dstr_add(&f->said, ga.GA_is_last ? "." : "");
    cull_clear(&cull_GA_Type, &ga);
}

/* the parts of answers that have left for USER since the last look: "SERIAL:what", with a full stop
 * behind the last part */
static const char *text_told(struct fixture *f, const char *user)
{
    uint64_t conn = fixture_session(f, user)->conn;
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].conn == conn && f->sent[i].kind == GDI_FRAME_ANSWER)
            add_part(f, &f->sent[i]);
    fixture_forget_sent(f);
    return dstr_get(&f->said);
}

static const char *told_after_sync(struct fixture *f, const char *user)
{
    fixture_commit(f);
    return text_told(f, user);
}

static void a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 7, 2, "id");
    assert_string_equal(told_after_sync(f, "alice"), "7:job1");
    fixture_run(f, 1, 2, 0);
    assert_string_equal(told_after_sync(f, "alice"), "7:end2/0");
    fixture_run(f, 1, 1, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "7:end1/100 7:.");
}

static void an_end_is_told_after_the_disk(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 7, 2, "id");
    assert_string_equal(text_told(f, "alice"), "");
    told_after_sync(f, "alice");
    fixture_run(f, 1, 1, 0);
    core_commit(&f->q);
    assert_string_equal(text_told(f, "alice"), "");
    assert_string_equal(told_after_sync(f, "alice"), "7:end1/0");
}

static void everybody_who_watches_is_told(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    ask_watch(f, "alice", 1, a);
    ask_watch(f, "alice", 2, a);
    ask_watch(f, "bob", 3, a);
    fixture_run(f, a, 1, 0);
    fixture_commit(f);
    uint32_t n = f->n_sent;
    assert_true(n >= 3);
    assert_string_equal(text_told(f, "alice"), "1:end1/0 2:end1/0");
    fixture_run(f, a, 2, 0);
    assert_string_equal(told_after_sync(f, "bob"), "3:end2/0 3:.");
}

static void ends_of_other_jobs_are_nobodys_business(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f), b = submit(f);
    ask_watch(f, "alice", 1, a);
    fixture_run(f, b, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "");
}

static void a_job_that_is_not_there_cannot_be_watched(void **state)
{
    struct fixture *f = *state;
    ask_watch(f, "alice", 1, 4711);
    assert_string_equal(told_after_sync(f, "alice"), "1:job \"4711\" does not exist.");
}

static void a_task_that_is_put_back_or_parked_has_not_ended(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    ask_watch(f, "alice", 1, a);
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, a, 2, TASK_FAILED_APPERROR);
    assert_string_equal(told_after_sync(f, "alice"), "1:error2/30");
    fixture_run(f, a, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "1:end1/0");
}

static void a_watch_begins_with_the_tasks_that_are_in_error(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-3");
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, a, 2, TASK_FAILED_APPERROR);
    ask_watch(f, "alice", 1, a);
    assert_string_equal(told_after_sync(f, "alice"), "1:error2/0");
}

static void a_watch_of_very_many_tasks_in_error_begins_with_a_hundred(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-101"), n = 0;
    for (uint32_t task = 1; task <= 101; task++)
        fixture_run(f, a, task, TASK_FAILED_APPERROR);
    ask_watch(f, "alice", 1, a);
    for (const char *at = told_after_sync(f, "alice"); (at = strstr(at, "error")) != NULL; at++)
        n++;
    assert_int_equal(n, 100);
}

static void deleted_tasks_have_no_end_to_tell(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-3");
    ask_watch(f, "alice", 1, a);
    fixture_start(f, a, 1);
    fixture_delete(f, "alice", "1.2");
    assert_string_equal(told_after_sync(f, "alice"), "");
    fixture_delete(f, "alice", "1"); /* one runs */
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
    assert_string_equal(told_after_sync(f, "alice"), "1:.");
}

static void who_has_gone_is_told_nothing_more(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2"), b = submit(f);
    ask_watch(f, "alice", 1, a);
    ask_watch(f, "bob", 2, a);
    ask_watch(f, "alice", 3, b);
    watches_on_closed(&f->q, fixture_session(f, "alice"));
    fixture_run(f, a, 1, 0);
    fixture_run(f, b, 1, 0);
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, fixture_session(f, "alice")->conn, GDI_FRAME_ANSWER), 0);
    assert_string_equal(text_told(f, "bob"), "2:end1/0");
    watches_on_closed(&f->q, fixture_session(f, "bob"));
    watches_on_closed(&f->q, fixture_session(f, "bob"));   /* again */
    watches_on_closed(&f->q, fixture_session(f, "carol")); /* who never watched */
    fixture_run(f, a, 2, 0);
    assert_string_equal(told_after_sync(f, "bob"), "");
}

static void a_submit_asked_again_watches_the_job_that_it_made(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 1, "id");
    told_after_sync(f, "alice");
    watches_on_closed(&f->q, fixture_session(f, "alice")); /* the connection broke */
    ask_submit(f, "alice", 2, 1, "id");
    assert_string_equal(told_after_sync(f, "alice"), "2:job1");
    fixture_run(f, 1, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "2:end1/0 2:.");
    ask_submit(f, "alice", 3, 1, "id"); /* and once more, when all is over */
    assert_string_equal(told_after_sync(f, "alice"), "3:job1.");
}

static void a_refused_submit_watches_nothing(void **state)
{
    struct fixture *f = *state;
    ask_submit(f, "alice", 1, 0, "id");
    assert_string_equal(told_after_sync(f, "alice"),
                        "1:job rejected: 1-0:1 is not a range of task ids.");
    assert_int_equal(fixture_session(f, "alice")->n_watches, 0);
}

static void a_qmaster_that_ends_forgets_its_watches(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f), b = submit(f);
    ask_watch(f, "alice", 1, a);
    ask_watch(f, "alice", 2, a);
    ask_watch(f, "bob", 3, b);
    fixture_commit(f);
    fixture_restart(f); /* the sanitizers look for what is left */
    fixture_run(f, a, 1, 0);
    assert_string_equal(told_after_sync(f, "alice"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_submit_that_watches_is_told_its_number_each_end_and_that_it_is_over),
        TEST(an_end_is_told_after_the_disk),
        TEST(everybody_who_watches_is_told),
        TEST(ends_of_other_jobs_are_nobodys_business),
        TEST(a_job_that_is_not_there_cannot_be_watched),
        TEST(a_task_that_is_put_back_or_parked_has_not_ended),
        TEST(a_watch_begins_with_the_tasks_that_are_in_error),
        TEST(a_watch_of_very_many_tasks_in_error_begins_with_a_hundred),
        TEST(deleted_tasks_have_no_end_to_tell),
        TEST(who_has_gone_is_told_nothing_more),
        TEST(a_submit_asked_again_watches_the_job_that_it_made),
        TEST(a_refused_submit_watches_nothing),
        TEST(a_qmaster_that_ends_forgets_its_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

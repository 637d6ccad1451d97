/* Reads of jobs: parts that are bounded, pauses for slow clients, and scripts that have to be
 * fetched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/reasons.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

enum { SERIAL = 77, LOTS = 100 * 1024 * 1024 };

static void ask_as(struct fixture *f, const char *user, uint32_t options, const char *job,
                   const char *field)
{
    struct GR_Type gr = { 0 };
    struct packer p = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, options);
    if (job != NULL) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, job);
    }
    if (field != NULL) {
        struct ST_Type *st = cull_append(&gr, GR_fields);
        cull_set(st, ST_name, field);
    }
    cull_pack(&p, &cull_GR_Type, &gr, NULL);
    cull_clear(&cull_GR_Type, &gr);
    struct frame frame = {
        .kind = GDI_FRAME_REQUEST, .serial = SERIAL, .body = p.data, .len = p.len
    };
    requests_handle(&f->q, fixture_session(f, user), &frame);
    packer_free(&p);
}

static void ask_about_user(struct fixture *f, const char *user)
{
    struct request r = { .from = fixture_session(f, "alice"), .serial = SERIAL };
    cull_set(cull_append(&r.gr, GR_users), ST_name, user);
    get_jobs_request(&f->q, &r);
    assert_true(r.is_taken);
    request_clear(&r);
}

static void ask_for_job(struct fixture *f, uint32_t options, const char *job, const char *field)
{
    ask_as(f, "alice", options, job, field);
}

/* all parts that have arrived, put together; free with cull_clear */
struct heard {
    struct GA_Type all;
    uint32_t parts;
    bool is_complete;
};

static void hear_answers(struct fixture *f, struct heard *h)
{
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type part = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].kind != GDI_FRAME_ANSWER || f->sent[i].serial != SERIAL)
            continue;
        assert_false(h->is_complete);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
        for (uint32_t k = 0; k < part.GA_jobs.n; k++)
            cull_copy(&cull_JB_Type, cull_append(&h->all, GA_jobs), &part.GA_jobs.v[k]);
        for (uint32_t k = 0; k < part.GA_tasks.n; k++)
            cull_copy(&cull_JAT_Type, cull_append(&h->all, GA_tasks), &part.GA_tasks.v[k]);
        if (cull_has(&part, GA_reasons))
            cull_mark(&h->all, GA_reasons);
        h->parts++;
        h->is_complete = part.GA_is_last;
        cull_clear(&cull_GA_Type, &part);
    }
    fixture_forget_sent(f);
}

static void hear_all(struct fixture *f, struct heard *h)
{
    while (work_step(&f->q))
        ;
    fixture_commit(f);
    while (work_step(&f->q))
        ;
    hear_answers(f, h);
}

static void forget_heard(struct heard *h)
{
    cull_clear(&cull_GA_Type, &h->all);
    *h = (struct heard){ 0 };
}

static void many_jobs_come_in_parts(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    assert_true(work_step(&f->q)); /* one part a turn, and there is more */
    hear_answers(f, &h);
    assert_int_equal(h.parts, 1);
    assert_in_range(h.all.GA_jobs.n, 1, 500);
    assert_false(h.is_complete);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 1000);
    for (uint32_t i = 1; i < h.all.GA_jobs.n; i++)
        assert_true(h.all.GA_jobs.v[i - 1].JB_job_number < h.all.GA_jobs.v[i].JB_job_number);
    forget_heard(&h);
}

static void who_has_few_jobs_need_not_wait_for_a_look_at_all(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    uint32_t first = submit(f, .owner = "bob", .name = "b");
    for (int i = 0; i < 100; i++)
        submit(f, .name = "J");
    uint32_t gone = submit(f, .owner = "bob", .name = "a");
    uint32_t last = submit(f, .owner = "bob", .name = "a");
    fixture_commit(f);
    f->q.slice_until_us = 1; /* each slice is over at once: it looks at one job */
    ask_about_user(f, "bob");
    work_step(&f->q);
    f->q.slice_until_us = 0;
    char number[16];
    snprintf(number, sizeof number, "%u", gone);
    fixture_delete(f, "bob", number);
    fixture_commit(f);
    f->q.slice_until_us = 1;
    for (int i = 0; i < 2; i++)
        work_step(&f->q);
    hear_answers(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 2);
    assert_int_equal(h.all.GA_jobs.v[0].JB_job_number, first);
    assert_int_equal(h.all.GA_jobs.v[1].JB_job_number, last);
    forget_heard(&h);
    ask_about_user(f, "nobody_here");
    work_step(&f->q);
    hear_answers(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void a_cell_without_jobs_answers_too(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void only_what_was_asked_for_is_sent(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J");
    ask_for_job(f, 0, NULL, "JB_owner");
    hear_all(f, &h);
    const struct JB_Type *job = &h.all.GA_jobs.v[0];
    assert_string_equal(job->JB_owner, "alice");
    assert_true(cull_has(job, JB_job_number));
    assert_false(cull_has(job, JB_job_name));
    forget_heard(&h);
}

/* N tasks of a new job become records */
static uint32_t with_records(struct fixture *f, uint32_t n)
{
    uint32_t job = submit(f, .name = "R", .tasks = "1-9000");
    for (uint32_t i = 1; i <= n; i++)
        fixture_run(f, job, i, TASK_FAILED_APPERROR);
    return job;
}

static void many_tasks_of_a_job_come_in_parts(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    uint32_t a = with_records(f, 9000), b = submit(f, .name = "B");
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete && h.parts > 2);
    assert_int_equal(h.all.GA_tasks.n, 9000);
    for (uint32_t i = 0; i < 9000; i++)
        assert_int_equal(h.all.GA_tasks.v[i].JAT_task_number, i + 1);
    assert_string_equal(h.all.GA_jobs.v[0].JB_job_name, "R"); /* whole the first time */
    assert_int_equal(h.all.GA_jobs.v[0].JB_job_number, a);
    assert_string_equal(h.all.GA_jobs.v[h.all.GA_jobs.n - 1].JB_job_name, "B");
    assert_int_equal(h.all.GA_jobs.v[h.all.GA_jobs.n - 1].JB_job_number, b);
    forget_heard(&h);
}

/* what DRMAA asks about one task costs as much as that task */
static void of_tasks_that_are_named_there_are_no_other_records(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    struct request r = { .from = fixture_session(f, "alice"), .serial = SERIAL };
    with_records(f, 20);
    cull_set(&r.gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    fixture_name(&r.gr, "1.7-9000:4"); /* 7 11 15 19, and those that have no record */
    fixture_name(&r.gr, "1.9500");     /* is not there */
    get_jobs_request(&f->q, &r);
    request_clear(&r);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_tasks.n, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(h.all.GA_tasks.v[i].JAT_task_number, 7 + 4 * i);
    forget_heard(&h);
}

static void a_job_that_ends_between_its_parts_does_not_hide_the_next(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    with_records(f, 5000);
    submit(f, .name = "B", .owner = "bob");
    ask_for_job(f, GDI_WITH_TASKS, NULL, NULL);
    assert_true(work_step(&f->q));
    fixture_delete(f, "alice", "R");
    hear_all(f, &h);
    assert_true(h.is_complete);
    const struct JB_Type *last = &h.all.GA_jobs.v[h.all.GA_jobs.n - 1];
    assert_true(cull_has(last, JB_job_name));
    assert_string_equal(last->JB_job_name, "B");
    forget_heard(&h);
}

static void a_client_that_does_not_read_is_not_written_to(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    f->queued = LOTS;
    while (work_step(&f->q))
        ;
    hear_answers(f, &h);
    assert_int_equal(h.parts, 0); /* no part is made until it has read */
    f->queued = 0;
    lane_drained(fixture_session(f, "alice")->lane);
    hear_all(f, &h);
    assert_true(h.is_complete);
    forget_heard(&h);
}

static void a_client_that_goes_ends_its_read(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    for (int i = 0; i < 1000; i++)
        submit(f, .name = "J");
    ask_for_job(f, 0, NULL, NULL);
    assert_true(work_step(&f->q));
    fixture_hang_up(f, "alice");
    assert_false(work_is_due(&f->q));
    forget_heard(&h);
}

static void the_script_is_fetched_when_it_is_not_in_memory(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J", .script = "echo hello\n");
    fixture_commit(f);
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    hear_all(f, &h);
    assert_string_equal(h.all.GA_jobs.v[0].JB_script_ptr, "echo hello\n");
    forget_heard(&h);
    fixture_restart(f); /* nothing is in memory now */
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    assert_true(work_step(&f->q));
    assert_false(work_is_due(&f->q)); /* its script is being read */
    hear_answers(f, &h);
    assert_int_equal(h.parts, 0);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(h.all.GA_jobs.v[0].JB_script_ptr, "echo hello\n");
    forget_heard(&h);
}

static void expect_script(struct fixture *f, const char *user, bool is_shown)
{
    struct heard h = { 0 };
    ask_as(f, user, GDI_WITH_ENV, "1", NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 1);
    assert_string_equal(h.all.GA_jobs.v[0].JB_job_name, "J");
    assert_int_equal(h.all.GA_jobs.v[0].JB_script_ptr != NULL, is_shown);
    forget_heard(&h);
}

static void script_and_environment_are_for_those_who_may_change_the_job(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J", .script = "token=secret\n");
    fixture_commit(f);
    for (int round = 0; round < 2; round++) { /* from memory, and from the spool */
        expect_script(f, "mallory", false);
        expect_script(f, "alice", true);
        expect_script(f, "boss", true);
        expect_script(f, "root", true);
        fixture_restart(f);
    }
}

static void a_read_does_not_wait_for_the_script_of_a_job_that_has_gone(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    submit(f, .name = "J", .script = "echo hello\n");
    fixture_commit(f);
    fixture_restart(f);
    ask_for_job(f, GDI_WITH_ENV, "1", NULL);
    assert_true(work_step(&f->q));
    assert_false(work_is_due(&f->q)); /* its script is being read */
    fixture_delete(f, "alice", "1");
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 0);
    forget_heard(&h);
}

static void set_job_info(struct fixture *f, const char *value)
{
    struct CONF_Type rec = { 0 };
    cull_copy(&cull_CONF_Type, &rec, &settings_conf(&f->q.settings, CONF_SCHEDULER)->rec);
    assert_int_equal(conf_set(&rec, "schedd_job_info", value, NULL), 0);
    settings_put_conf(&f->q.settings, &rec);
}

/* the reasons of a job, parted by '|' */
static void expect_reasons(struct fixture *f, uint32_t number, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    struct dstr text = DSTR_INIT;
    assert_true(reasons_of_job(&f->q, fixture_job(f, number), &search, &reasons));
    for (uint32_t i = 0; i < reasons.n; i++) {
        dstr_addf(&text, "%s%s", i > 0 ? "|" : "", reasons.v[i].ST_name);
        cull_clear(&cull_ST_Type, &reasons.v[i]);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    free(reasons.v);
}

/* scheduling info: found out when it is asked for */
static void a_job_says_why_it_waits(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2"), b = submit(f, .tasks = "1-2", .ad = "A"),
             c = submit(f);
    expect_reasons(f, a, "");
    expect_reasons(f, b,
                   "job dropped because of hold state or job dependencies|"
                   "qstat -j 2.1 -why shows what that task waits for");
    cull_set(&fixture_job(f, c)->rec, JB_execution_time, f->q.now_s + 60);
    expect_reasons(f, c, "job dropped because its start time (-a) has not come");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 1u);
    fixture_start(f, a, 1);
    expect_reasons(f, a,
                   "job dropped because it has reached its limit of 1 concurrent tasks (-tc)");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 0u);
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_DISABLED);
    expect_reasons(f, a,
                   "queue instance \"all.q@node1\" dropped because it is disabled|All queues "
                   "dropped because of overload or full");
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    fixture_start(f, a, 2);
    expect_reasons(f, a, ""); /* all of it runs */
}

/* what -why says of a task, but for the tasks it waits for */
static void expect_why(struct fixture *f, uint32_t number, uint32_t ordinal, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    struct dstr text = DSTR_INIT;
    assert_true(reasons_of_task(&f->q, fixture_job(f, number), ordinal, &search, &reasons));
    for (uint32_t i = 0; i < reasons.n; i++) {
        dstr_addf(&text, "%s%s", i > 0 ? "|" : "", reasons.v[i].ST_name);
        cull_clear(&cull_ST_Type, &reasons.v[i]);
    }
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
    free(reasons.v);
}

static void hold_tasks(struct fixture *f, uint32_t number, unsigned kinds, bool is_on)
{
    struct range_set all = { 0 };
    range_set_add(&all, 0, 0);
    (void)job_set_hold(&f->q, fixture_job(f, number), kinds, is_on, &all, NULL);
    range_set_free(&all);
}

static void why_of_a_task_knows_every_kind_of_cause(void **state)
{
    struct fixture *f = *state;
    static const char disabled[] =
        "queue instance \"all.q@node1\" dropped because it is disabled|All "
        "queues dropped because of overload or full";
    uint32_t a = submit(f, .name = "A", .tasks = "1-3"), s = submit(f);
    uint32_t b = submit(f, .tasks = "1-3", .ad = "A");
    expect_why(f, a, 0, "no scheduler is connected; the messages file of the qmaster says why");
    fixture_register_scheduler(f);
    expect_why(f, a, 0, "nothing keeps it from starting");
    expect_why(f, b, 0, ""); /* but the tasks of A */
    hold_tasks(f, a, MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM, true);
    expect_why(f, a, 0,
               "it has a user hold, which qrls 1.1 lifts|it has an operator hold, which qrls -h o "
               "1.1 lifts|it has a system hold, which qrls -h s 1.1 lifts");
    hold_tasks(f, a, MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR | MINUS_H_TGT_SYSTEM, false);
    hold_tasks(f, s, MINUS_H_TGT_USER, true);
    expect_why(f, s, 0, "it has a user hold, which qrls 2 lifts");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 1u);
    fixture_start(f, a, 1);
    expect_why(f, a, 0, "it is being started in queue instance \"all.q@node1\"");
    fixture_report(f, a, 1, REPORT_STARTED, 0);
    expect_why(f, a, 0, "it runs in queue instance \"all.q@node1\"");
    expect_why(f, a, 1, "job dropped because it has reached its limit of 1 concurrent tasks (-tc)");
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 0u);
    f->q.settings.max_aj_instances = 1;
    expect_why(f, a, 1,
               "job dropped because it has reached its limit of 1 concurrent tasks "
               "(max_aj_instances of the configuration)");
    f->q.settings.max_aj_instances = 0;
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_DISABLED);
    expect_why(f, a, 1, disabled);
    expect_why(f, b, 1, disabled);
    cull_set(&fixture_queue(f)->rec, QU_state, (uint32_t)QI_ERROR);
    expect_why(f, a, 1,
               "queue instance \"all.q@node1\" dropped because it is in error state|All queues "
               "dropped because of overload or full");
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    uint64_t conn = fixture_queue(f)->host->conn;
    fixture_queue(f)->host->conn = 0; /* its execd is away */
    expect_why(f, a, 1,
               "queue instance \"all.q@node1\" dropped because it is temporarily not available|All "
               "queues dropped because of overload or full");
    fixture_queue(f)->host->conn = conn;
}

/* three jobs to wait for, of which the first fills the answer */
static void why_of_a_task_says_once_that_it_waits_for_more(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "A", .tasks = "1-10001");
    submit(f, .name = "B", .tasks = "1-10001");
    submit(f, .name = "C");
    uint32_t d = submit(f, .name = "D", .jid = "A,B,C");
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_job_number, d);
    assert_true(fixture_ask(f, "alice", why_request, &gr));
    assert_string_equal(dstr_get(&f->said),
                        "it waits for more than the 10000 tasks that are shown");
}

static void why_of_a_task_in_error_says_the_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-3");
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_OPEN_OUTPUT);
    cull_set(&fixture_task(f, a, 1)->rec, JAT_error_reason, "cannot open /gone/out");
    expect_reasons(f, a, "1 of its tasks are in error state: qmod -cj 1 clears it");
    expect_why(f, a, 0, "it is in error state, which qmod -cj 1.1 clears: cannot open /gone/out");
}

static void a_task_that_waits_before_it_starts_again_is_a_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    struct range_set *delayed = &fixture_job(f, a)->delayed;
    if (range_set_is_empty(delayed)) /* the first put-back may start again at once */
        range_set_add(delayed, 0, 0);
    expect_reasons(f, a, "1 of its tasks were put back and wait before they start again");
}

static void reasons_are_told_when_the_scheduler_configuration_says_so(void **state)
{
    struct fixture *f = *state;
    submit(f);
    for (int is_on = 0; is_on < 2; is_on++) {
        struct heard h = { 0 };
        set_job_info(f, is_on ? "true" : "false");
        ask_for_job(f, GDI_WITH_ENV | GDI_WITH_REASONS, "1", NULL);
        hear_all(f, &h);
        assert_true(h.is_complete);
        assert_int_equal(h.all.GA_jobs.n, 1);
        assert_int_equal(cull_has(&h.all, GA_reasons), is_on);
        forget_heard(&h);
    }
}

static void files_that_are_not_on_disk_yet_stay_in_memory(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "first", .script = "echo first\n");
    f->q.kept_bytes += LOTS; /* as if many large scripts had come */
    submit(f, .name = "second", .script = "echo second\n");
    assert_non_null(fixture_job(f, 1)->files);
    fixture_commit(f);
    submit(f, .name = "third", .script = "echo third\n");
    assert_null(fixture_job(f, 1)->files); /* now it can be read again when it is wanted */
    f->q.kept_bytes -= LOTS;
}

static void a_part_ends_when_its_jobs_are_large(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    char *text = uti_calloc(1, (3 << 20) + 1);
    memset(text, 'x', 3 << 20);
    for (int i = 0; i < 7; i++) {
        struct job *job = fixture_job(f, submit(f));
        struct ST_Type *arg = cull_append(&job->rec, JB_job_args);
        cull_set(arg, ST_name, text);
    }
    free(text);
    fixture_commit(f);
    ask_for_job(f, 0, NULL, NULL);
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, 7);
    assert_int_equal(h.parts, 3); /* of 3, 3 and 1: 8 MiB, or a job more */
    cull_clear(&cull_GA_Type, &h.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(many_jobs_come_in_parts),
        TEST(who_has_few_jobs_need_not_wait_for_a_look_at_all),
        TEST(a_cell_without_jobs_answers_too),
        TEST(only_what_was_asked_for_is_sent),
        TEST(many_tasks_of_a_job_come_in_parts),
        TEST(of_tasks_that_are_named_there_are_no_other_records),
        TEST(a_job_that_ends_between_its_parts_does_not_hide_the_next),
        TEST(a_client_that_does_not_read_is_not_written_to),
        TEST(a_client_that_goes_ends_its_read),
        TEST(the_script_is_fetched_when_it_is_not_in_memory),
        TEST(script_and_environment_are_for_those_who_may_change_the_job),
        TEST(a_read_does_not_wait_for_the_script_of_a_job_that_has_gone),
        TEST(files_that_are_not_on_disk_yet_stay_in_memory),
        TEST(a_job_says_why_it_waits),
        TEST(why_of_a_task_knows_every_kind_of_cause),
        TEST(why_of_a_task_in_error_says_the_reason),
        TEST(why_of_a_task_says_once_that_it_waits_for_more),
        TEST(a_task_that_waits_before_it_starts_again_is_a_reason),
        TEST(reasons_are_told_when_the_scheduler_configuration_says_so),
        TEST(a_part_ends_when_its_jobs_are_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

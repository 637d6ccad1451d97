/* The life of a task: what every end does to it, to its slots, to those who wait, to the accounting
 * file. */
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/jobs/holds.h"
#include "daemons/qmaster/jobs/task_actions.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/task/task_dir.h"
#include "libs/uti/time.h"

enum fate { ENDED, PUT_BACK, IN_ERROR, QUEUE_IN_ERROR, ENDED_QUEUE_IN_ERROR };

static const struct {
    uint32_t failed;
    enum fate fate;
} fates[] = {
    { TASK_FAILED_NOT, ENDED },
    { TASK_FAILED_BEFORE_JOB, IN_ERROR },
    { TASK_FAILED_PREPARING, QUEUE_IN_ERROR },
    { TASK_FAILED_READING_CONFIG, QUEUE_IN_ERROR },
    { TASK_FAILED_NO_OWNER, QUEUE_IN_ERROR },
    { TASK_FAILED_IN_PROLOG, QUEUE_IN_ERROR },
    { TASK_FAILED_IN_PE_START, QUEUE_IN_ERROR },
    { TASK_FAILED_SETTING_UP, QUEUE_IN_ERROR },
    { TASK_FAILED_IN_PE_STOP, ENDED_QUEUE_IN_ERROR },
    { TASK_FAILED_IN_EPILOG, ENDED_QUEUE_IN_ERROR },
    { TASK_FAILED_NO_EXIT_STATUS, ENDED },
    { TASK_FAILED_RECOGNIZING, ENDED },
    { TASK_FAILED_MIGRATING, PUT_BACK },
    { TASK_FAILED_RESCHEDULE, PUT_BACK },
    { TASK_FAILED_OPEN_OUTPUT, IN_ERROR },
    { TASK_FAILED_NO_SHELL, IN_ERROR },
    { TASK_FAILED_NO_CWD, IN_ERROR },
    { TASK_FAILED_APPERROR, IN_ERROR },
    { TASK_FAILED_LIMIT, ENDED },
    { TASK_FAILED_ADD_GROUP, QUEUE_IN_ERROR },
    { TASK_FAILED_AFTER_JOB, ENDED },
    { 4711, ENDED }, /* a word of a newer execd */
};

static bool is_over(enum fate fate)
{
    return fate == ENDED || fate == ENDED_QUEUE_IN_ERROR;
}

static bool is_queue_in_error(enum fate fate)
{
    return fate == QUEUE_IN_ERROR || fate == ENDED_QUEUE_IN_ERROR;
}

static void assert_fate(struct fixture *f, uint32_t job, uint32_t id, enum fate fate)
{
    struct job *j = fixture_job(f, job);
    uint32_t ordinal = 0;
    assert_true(job_task_ordinal(&j->rec, id, &ordinal));
    struct task *t = job_task(j, ordinal);
    assert_int_equal(range_set_has(&j->unfinished, ordinal), !is_over(fate));
    assert_int_equal(t != NULL, !is_over(fate));
    assert_int_equal(range_set_has(&j->rare->waiting, ordinal),
                     fate == PUT_BACK || fate == QUEUE_IN_ERROR);
    assert_int_equal(job_is_startable(j, ordinal), fate == PUT_BACK || fate == QUEUE_IN_ERROR);
    if (fate == IN_ERROR)
        assert_int_equal(t->rec.JAT_status, TASK_ERROR);
}

static uint32_t count_lines(struct fixture *f)
{
    uint32_t n = 0;
    fixture_commit(f);
    char *text = fixture_accounting(f);
    for (const char *p = text; *p != '\0'; p++)
        n += *p == '\n';
    free(text);
    return n;
}

/* queue_conf(5), submit(1): which failure parks the task, which its queue, and what just ends */
static void every_failure_has_its_fate(void **state)
{
    struct fixture *f = *state;
    uint32_t n_lines = 0;
    for (size_t i = 0; i < ARRAY_LEN(fates); i++) {
        uint32_t a = submit(f, .tasks = "1-2"), b;
        char id[16];
        snprintf(id, sizeof id, "%u", a);
        b = submit(f, .tasks = "1-2", .ad = id);
        fixture_start(f, a, 1);
        assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
        fixture_report(f, a, 1, REPORT_STARTED, 0);
        fixture_report(f, a, 1, REPORT_ENDED, fates[i].failed);
        assert_fate(f, a, 1, fates[i].fate);
        assert_string_equal(fixture_held(f, b), is_over(fates[i].fate) ? "2" : "1,2");
        assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
        assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
        assert_int_equal((fixture_queue(f)->rec.QU_state & QI_ERROR) != 0,
                         is_queue_in_error(fates[i].fate));
        assert_int_equal(count_lines(f), ++n_lines); /* one line for each start that ended */
        cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    }
}

/* the text of the queue as programs match it, then the reason; the task has lost nothing */
static void a_failure_of_the_host_is_said_of_the_queue_and_does_not_harm_the_task(void **state)
{
    struct fixture *f = *state;
    struct JR_Type report = { 0 };
    uint32_t a = submit(f);
    fixture_start(f, a, 1);
    cull_set(&report, JR_state, (uint32_t)REPORT_ENDED);
    cull_set(&report, JR_failed, (uint32_t)TASK_FAILED_PREPARING);
    cull_set(&report, JR_err_str, "the disk is gone");
    struct task *t = fixture_task(f, a, 1);
    task_report(&f->q, t, &report);
    cull_clear(&cull_JR_Type, &report);
    char text[120];
    snprintf(text, sizeof text,
             "queue all.q marked QERROR as result of job %u's failure at host node1: "
             "the disk is gone",
             a);
    assert_string_equal(fixture_queue(f)->rec.QU_message, text);
    assert_int_equal(t->rec.JAT_job_restarted, 0);
    assert_int_equal(t->rec.JAT_state & TASK_IS_RESTARTED, 0);
    assert_string_equal(t->rec.JAT_error_reason, "the disk is gone"); /* for people */
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    fixture_start(f, a, 1);
    assert_null(t->rec.JAT_error_reason);
}

static void a_put_back_task_starts_again_with_a_new_attempt(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_start(f, a, 1);
    struct task *t = fixture_task(f, a, 1);
    assert_int_equal(t->rec.JAT_attempt, 2);
    assert_int_equal(t->rec.JAT_job_restarted, 1);
    assert_true(t->rec.JAT_state & TASK_IS_RESTARTED);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_fate(f, a, 1, ENDED);
}

static void a_task_in_error_starts_again_when_it_is_cleared(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_run(f, a, 1, TASK_FAILED_APPERROR);
    assert_string_equal(fixture_ready(f, a), "2");
    task_clear_error(&f->q, fixture_task(f, a, 1));
    assert_string_equal(fixture_ready(f, a), "1,2");
    assert_null(fixture_task(f, a, 1)->rec.JAT_error_reason);
    fixture_run(f, a, 1, 0);
    assert_string_equal(fixture_ready(f, a), "2");
}

static void an_event_that_does_not_fit_its_state_changes_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A");
    fixture_start(f, a, 1);
    struct task *t = fixture_task(f, a, 1);
    uint32_t status = t->rec.JAT_status, bits = t->rec.JAT_state;
    task_clear_error(&f->q, t); /* it is not in error */
    assert_int_equal(t->rec.JAT_status, status);
    assert_int_equal(t->rec.JAT_state, bits);
    assert_true(task_holds_slots(t));
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_APPERROR);
    t = fixture_task(f, a, 1);
    task_suspend(&f->q, t, TASK_IS_SUSPENDED, true); /* it does not run */
    task_reschedule(&f->q, t, false);
    assert_int_equal(t->rec.JAT_status, TASK_ERROR);
    assert_int_equal(t->rec.JAT_state, 0);
}

static void reports_count_only_while_the_task_is_out(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_run(f, a, 1, TASK_FAILED_APPERROR);
    uint32_t n = count_lines(f);
    fixture_report(f, a, 1, REPORT_ENDED, 0); /* of nothing */
    assert_fate(f, a, 1, IN_ERROR);
    assert_int_equal(count_lines(f), n);
}

static void a_start_that_its_host_does_not_know_is_put_back(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    f->q.settings.reschedule_delay_s = 0;
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_UNKNOWN, 0);
    assert_fate(f, a, 1, PUT_BACK);
    fixture_start(f, a, 1);
    task_lost(&f->q, fixture_task(f, a, 1));
    assert_fate(f, a, 1, PUT_BACK);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
}

static void a_lost_start_of_what_must_not_run_again_is_its_end(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    cull_set(&fixture_job(f, a)->rec, JB_restart, (uint32_t)RESTART_NO);
    fixture_start(f, a, 1);
    task_lost(&f->q, fixture_task(f, a, 1)); /* it never began */
    assert_fate(f, a, 1, PUT_BACK);
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_STARTED, 0);
    task_lost(&f->q, fixture_task(f, a, 1));
    assert_fate(f, a, 1, ENDED);
}

/* not worth a sync, but of those that come it takes the first */
static void that_a_task_runs_is_written_with_the_next_change(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    for (uint32_t task = 1; task <= 2; task++) {
        fixture_start(f, a, task);
        fixture_commit(f);
        fixture_report(f, a, task, REPORT_STARTED, 0);
        assert_true(change_is_settled(&f->q));
        if (task == 1)
            submit(f, .name = "other");
        else
            change_all_later(&f->q);
        fixture_commit(f);
        fixture_restart(f);
        assert_int_equal(fixture_task(f, a, task)->rec.JAT_status, TASK_RUNNING);
    }
    fixture_report(f, a, 1, REPORT_RUNNING,
                   0); /* what was written later does not come back after the end */
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    fixture_report(f, a, 2, REPORT_ENDED, 0);
    fixture_commit(f);
    change_all_later(&f->q);
    fixture_commit(f);
    fixture_restart(f);
    assert_null(jobs_find(&f->q.jobs, a));
}

static void a_deleted_task_ends_whatever_it_exits_with(void **state)
{
    struct fixture *f = *state;
    static const uint32_t last_words[] = { 0, TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
                                           TASK_FAILED_IN_PROLOG };
    for (size_t i = 0; i < ARRAY_LEN(last_words); i++) {
        uint32_t a = submit(f, .tasks = "1-2");
        fixture_start(f, a, 1);
        fixture_report(f, a, 1, REPORT_STARTED, 0);
        task_kill(&f->q, fixture_task(f, a, 1));
        assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1); /* until its end is reported */
        fixture_report(f, a, 1, REPORT_ENDED, last_words[i]);
        assert_fate(f, a, 1, ENDED);
    }
    assert_int_equal(fixture_queue(f)->rec.QU_state, 0);
}

static void a_rescheduled_task_is_put_back_whatever_it_exits_with(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2"), n = 0;
    for (int is_forced = 0; is_forced < 2; is_forced++) {
        fixture_start(f, a, 1);
        fixture_report(f, a, 1, REPORT_STARTED, 0);
        task_reschedule(&f->q, fixture_task(f, a, 1), is_forced);
        if (!is_forced)
            fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
        assert_fate(f, a, 1, PUT_BACK);
        assert_int_equal(count_lines(f), ++n);
    }
    char *text = fixture_accounting(f),
         *line = text; /* failed, exit_status: of no use is that it was killed */
    for (; n > 0; n--, line = strchr(line, '\n') + 1) {
        const char *at = line;
        for (int field = 0; field < 11; field++)
            at = strchr(at, ':') + 1;
        assert_int_equal(strncmp(at, "25:0:", 5), 0);
    }
    free(text);
}

static void deleted_after_rescheduled_means_deleted(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_start(f, a, 1);
    task_reschedule(&f->q, fixture_task(f, a, 1), false);
    task_kill(&f->q, fixture_task(f, a, 1));
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_AFTER_JOB);
    assert_fate(f, a, 1, ENDED);
}

static void a_forced_delete_does_not_wait_for_the_host(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    fixture_start(f, a, 1);
    char what[16];
    snprintf(what, sizeof what, "%u.1", a);
    fixture_delete_forced(f, "alice", what);
    assert_fate(f, a, 1, ENDED);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
    assert_int_equal(count_lines(f), 1);
}

static void the_last_end_takes_the_job_along(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-3"), b = submit(f, .jid = "A");
    fixture_run(f, a, 1, 0);
    fixture_run(f, a, 2, TASK_FAILED_APPERROR);
    fixture_run(f, a, 3, 0);
    assert_string_equal(fixture_ready(f, b), "");
    char what[16];
    snprintf(what, sizeof what, "%u.2", a);
    fixture_delete(f, "alice", what);
    assert_null(jobs_find(&f->q.jobs, a));
    assert_string_equal(fixture_ready(f, b), "1");
    fixture_commit(f);
    fixture_restart(f);
    assert_null(jobs_find(&f->q.jobs, a));
    assert_int_equal(f->q.jobs.n, 1);
}

static void slots_and_attempts_survive_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-5");
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_start(f, a, 1);
    fixture_start(f, a, 2);
    fixture_run(f, a, 3, TASK_FAILED_APPERROR);
    fixture_run(f, a, 4, 0);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 2);
    assert_int_equal(fixture_job(f, a)->rare->n_running, 2);
    assert_int_equal(fixture_task(f, a, 1)->rec.JAT_attempt, 2);
    assert_string_equal(fixture_ready(f, a), "5");
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    fixture_report(f, a, 2, REPORT_ENDED, 0);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
}

static void an_end_is_recorded_once_however_often_the_qmaster_restarts(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-3");
    fixture_run(f, a, 1, 0);
    assert_int_equal(count_lines(f), 1);
    fixture_restart(f);
    fixture_restart(f);
    assert_int_equal(count_lines(f), 1);
    fixture_run(f, a, 2, 0);
    assert_int_equal(count_lines(f), 2);
}

static void holds_say_which_tasks_changed(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    struct job *job = fixture_job(f, a);
    struct range_set some = { 0 }, changed = { 0 };
    range_set_add(&some, 2, 5);
    assert_int_equal(job_set_hold(&f->q, job, MINUS_H_TGT_USER, true, &some, NULL), 4);
    range_set_add(&some, 6, 20); /* those that the job does not have do not count */
    assert_int_equal(
        job_set_hold(&f->q, job, MINUS_H_TGT_USER | MINUS_H_TGT_SYSTEM, true, &some, &changed), 8);
    assert_string_equal(fixture_ready(f, a), "1,2");
    assert_int_equal(job_set_hold(&f->q, job, MINUS_H_TGT_USER, false, &some, NULL), 8);
    assert_string_equal(fixture_ready(f, a), "1,2"); /* the other kind still holds them */
    assert_int_equal(job_set_hold(&f->q, job, MINUS_H_TGT_SYSTEM, false, &some, NULL), 8);
    assert_string_equal(fixture_ready(f, a), "1-10:1");
    assert_int_equal(job_set_hold(&f->q, job, MINUS_H_TGT_SYSTEM, false, &some, NULL), 0);
    range_set_free(&some);
    range_set_free(&changed);
}

static void nobody_lifts_an_array_hold_by_hand(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    uint32_t b = submit(f, .tasks = "1-3", .ad = "A");
    struct job *job = fixture_job(f, b);
    assert_int_equal(job_set_hold(&f->q, job, ~0u, false, &job->unfinished, NULL), 0);
    assert_string_equal(fixture_held(f, b), "1-3:1");
    assert_int_equal(job_set_hold(&f->q, job, MINUS_H_TGT_JA_AD, true, &job->unfinished, NULL), 0);
}

static void deleting_pending_tasks_goes_by_ranges(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10000000");
    char what[48];
    snprintf(what, sizeof what, "%u.2-9999999", a);
    fixture_delete(f, "alice", what);
    assert_string_equal(fixture_ready(f, a), "1,10000000");
    snprintf(what, sizeof what, "%u", a);
    fixture_delete(f, "bob", what);
    assert_non_null(strstr(dstr_get(&f->said),
                           "bob - you do not have the necessary privileges to delete the job"));
    fixture_delete(f, "alice", what);
    assert_int_equal(f->q.jobs.n, 0);
    assert_int_equal(count_lines(f), 0); /* what never ran has no line */
}

/* ... nor copied: what is pending and what is unfinished are one set until a task runs */
static void deleting_every_third_task_makes_one_set(void **state)
{
    struct fixture *f = *state;
    struct range_walk pending, unfinished;
    uint32_t a = submit(f, .tasks = "1-10000000");
    fixture_delete(f, "alice", "1.1-10000000:3");
    fixture_delete(f, "alice", "1.1-10000000:6");
    const struct job *job = fixture_job(f, a);
    range_walk_begin(&pending, &job->rec.JB_ja_pending_ids);
    range_walk_begin(&unfinished, &job->unfinished);
    assert_int_equal(range_set_count(&job->unfinished), 6666666);
    assert_non_null(pending.words);
    assert_ptr_equal(pending.words, unfinished.words);
    fixture_run(f, a, 2, 0);
    assert_int_equal(range_set_count(&fixture_job(f, a)->unfinished), 6666665);
}

/* ... and where every other task is left, no set has a bit for each */
static void deleting_every_other_task_takes_no_memory(void **state)
{
    enum { FEW_BYTES = 200 };
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-10000000");
    uint32_t b = submit(f, .tasks = "1-10000000", .ad = "A");
    fixture_delete(f, "alice", "1.1-10000000:2");
    const struct job *first = fixture_job(f, a), *second = fixture_job(f, b);
    assert_int_equal(range_set_count(&first->unfinished), 5000000);
    assert_int_equal(range_set_count(&second->rec.JB_ja_a_h_ids), 5000000);
    assert_true(range_set_bytes(&first->unfinished) < FEW_BYTES);
    assert_true(range_set_bytes(&first->rec.JB_ja_pending_ids) < FEW_BYTES);
    assert_true(range_set_bytes(&second->rec.JB_ja_a_h_ids) < FEW_BYTES);
}

/* every other task of many, over the borders of the spool's records, with a successor in chunks;
 * twice, so that records change */
static void fragments_survive_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-30000"),
             b = submit(f, .name = "B", .tasks = "1-30000:3", .ad = "A");
    static const char *const doomed[] = { "1.2-30000:2", "1.8100-8300", "1.1-29999:8",
                                          "1.16300-30000:3" };
    for (size_t i = 0; i < ARRAY_LEN(doomed); i++) {
        fixture_delete(f, "alice", doomed[i]);
        fixture_commit(f);
        char *before = fixture_picture(f);
        fixture_restart(f);
        fixture_assert_picture(f, before);
    }
    for (uint32_t i = 0; i < 10000; i++) { /* B.i is free when the three it waits for are gone */
        bool is_waiting = range_set_any_in(&fixture_job(f, a)->unfinished, 3 * i, 3 * i + 2);
        assert_int_equal(range_set_has(&fixture_job(f, b)->rec.JB_ja_a_h_ids, i), is_waiting);
    }
}

static void set_delays(struct fixture *f)
{
    f->q.settings.reschedule_delay_s = 1;
    f->q.settings.reschedule_delay_most_s = 60;
}

/* exit status 99 without end must not be a start without end */
static void a_task_that_is_put_back_again_and_again_waits_longer_each_time(void **state)
{
    struct fixture *f = *state;
    static const uint64_t waits_s[] = { 0, 1, 2, 4, 8, 16, 32, 60, 60 };
    uint32_t a = submit(f, .name = "A");
    set_delays(f);
    for (size_t i = 0; i < ARRAY_LEN(waits_s); i++) {
        fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
        struct job *job = fixture_job(f, a);
        if (waits_s[i] > 0) {
            assert_false(job_is_startable(job, 0));
            assert_int_equal(job_task(job, 0)->rec.JAT_not_before, f->q.now_s + waits_s[i]);
            f->q.now_s += waits_s[i] - 1;
            tasks_end_delays(&f->q);
            assert_false(job_is_startable(job, 0));
            f->q.now_s++;
            tasks_end_delays(&f->q);
        }
        assert_true(job_is_startable(job, 0));
    }
}

static void what_was_asked_for_is_not_delayed(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A");
    set_delays(f);
    for (int i = 0; i < 4; i++) {
        fixture_start(f, a, 1);
        task_reschedule(&f->q, fixture_task(f, a, 1), true);
        assert_true(job_is_startable(fixture_job(f, a), 0));
    }
}

static void a_delay_survives_a_restart(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A");
    f->q.now_s = uti_now_s(); /* that is when the other qmaster starts */
    f->q.settings.reschedule_delay_s = f->q.settings.reschedule_delay_most_s = 1000;
    for (int i = 0; i < 2; i++)
        fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    uint64_t until_s = fixture_task(f, a, 1)->rec.JAT_not_before;
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_task(f, a, 1)->rec.JAT_not_before, until_s);
    assert_false(job_is_startable(fixture_job(f, a), 0));
    f->q.now_s = until_s;
    tasks_end_delays(&f->q);
    assert_true(job_is_startable(fixture_job(f, a), 0));
}

static void a_delayed_task_can_be_deleted(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-2");
    set_delays(f);
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    fixture_run(f, a, 1, TASK_FAILED_RESCHEDULE);
    assert_false(job_is_startable(fixture_job(f, a), 0));
    task_kill(&f->q, fixture_task(f, a, 1));
    f->q.now_s += 100;
    tasks_end_delays(&f->q);
    assert_null(job_task(fixture_job(f, a), 0));
    assert_true(job_is_startable(fixture_job(f, a), 1));
}

static void a_start_that_waits_on_its_host_is_no_news(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A");
    fixture_start(f, a, 1);
    fixture_report(f, a, 1, REPORT_PREPARING, 0);
    assert_int_equal(fixture_task(f, a, 1)->rec.JAT_status, TASK_TRANSFERRING);
    assert_int_equal(count_lines(f), 0);
}

/* a host may report what it likes, as often as it likes */
static void of_the_usage_of_a_running_task_what_is_shown_is_kept_once(void **state)
{
    static const char *const names[] = { "cpu", "nonsense", "cpu", "maxvmem", "ru_utime", "io" };
    struct fixture *f = *state;
    struct JR_Type report = { 0 };
    uint32_t job = submit(f);
    fixture_start(f, job, 1);
    struct task *t = fixture_task(f, job, 1);
    for (int round = 1; round <= 2; round++) {
        cull_set(&report, JR_state, (uint32_t)REPORT_RUNNING);
        cull_clear_field(&cull_JR_Type, &report, JR_usage);
        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            struct UA_Type *ua = cull_append(&report, JR_usage);
            cull_set(ua, UA_name, names[i]);
            cull_set(ua, UA_value, (double)round * (i == 5 ? -1 : 1));
        }
        task_report(&f->q, t, &report);
        const struct UA_Type_list *kept = &t->rec.JAT_scaled_usage_list;
        assert_int_equal(kept->n, 3);
        assert_string_equal(kept->v[1].UA_name, "maxvmem");
        assert_true(kept->v[0].UA_value > round - 0.5 && kept->v[0].UA_value < round + 0.5);
        assert_true(kept->v[2].UA_value >= 0 && kept->v[2].UA_value <= 0); /* no task uses less */
    }
    cull_clear(&cull_JR_Type, &report);
    fixture_report(f, job, 1, REPORT_ENDED, TASK_FAILED_RESCHEDULE);
    assert_int_equal(fixture_task(f, job, 1)->rec.JAT_scaled_usage_list.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(every_failure_has_its_fate),
        TEST(a_failure_of_the_host_is_said_of_the_queue_and_does_not_harm_the_task),
        TEST(a_put_back_task_starts_again_with_a_new_attempt),
        TEST(a_task_that_is_put_back_again_and_again_waits_longer_each_time),
        TEST(what_was_asked_for_is_not_delayed),
        TEST(a_delay_survives_a_restart),
        TEST(a_delayed_task_can_be_deleted),
        TEST(a_start_that_waits_on_its_host_is_no_news),
        TEST(a_task_in_error_starts_again_when_it_is_cleared),
        TEST(an_event_that_does_not_fit_its_state_changes_nothing),
        TEST(reports_count_only_while_the_task_is_out),
        TEST(of_the_usage_of_a_running_task_what_is_shown_is_kept_once),
        TEST(a_start_that_its_host_does_not_know_is_put_back),
        TEST(a_lost_start_of_what_must_not_run_again_is_its_end),
        TEST(that_a_task_runs_is_written_with_the_next_change),
        TEST(a_deleted_task_ends_whatever_it_exits_with),
        TEST(a_rescheduled_task_is_put_back_whatever_it_exits_with),
        TEST(deleted_after_rescheduled_means_deleted),
        TEST(a_forced_delete_does_not_wait_for_the_host),
        TEST(the_last_end_takes_the_job_along),
        TEST(slots_and_attempts_survive_a_restart),
        TEST(an_end_is_recorded_once_however_often_the_qmaster_restarts),
        TEST(holds_say_which_tasks_changed),
        TEST(nobody_lifts_an_array_hold_by_hand),
        TEST(deleting_pending_tasks_goes_by_ranges),
        TEST(deleting_every_third_task_makes_one_set),
        TEST(deleting_every_other_task_takes_no_memory),
        TEST(fragments_survive_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

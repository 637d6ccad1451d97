/* A scheduler that hangs or crashes at a job: the job is set aside, and nothing else happens to it.
 * The scheduler is a shell script, which writes the number of a job where the real one does.
 * Source: sge_schedd(8). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sched/schedd.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

enum { PATIENCE_US = 20 * 1000000 };

/* CTX: NULL, or how many have been started */
static void on_adopt(void *ctx, int fd)
{
    _Atomic uint32_t *n_started = ctx;
    close(fd);
    if (n_started != NULL)
        atomic_fetch_add(n_started, 1);
}

/* a scheduler that shows JOB from now on; its number has three octal digits */
static void keep_one_at(struct fixture *f, uint32_t job)
{
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    uint64_t until_us = uti_mono_us() + PATIENCE_US;
    dstr_addf(&path, "%s/schedd", f->dir);
    dstr_addf(&text, "#!/bin/sh\nprintf '\\%03o\\000\\000\\000' >&4\nexec sleep 1000\n", job);
    assert_int_equal(file_write(dstr_get(&path), text.s, text.len, 0755, NULL), 0);
    f->q.schedd = schedd_keep(dstr_get(&path), on_adopt, NULL);
    assert_non_null(f->q.schedd);
    while (schedd_shown_job(f->q.schedd) != job && uti_mono_us() < until_us)
        (void)poll(NULL, 0, 1);
    assert_int_equal(schedd_shown_job(f->q.schedd), job);
    dstr_free(&text);
    dstr_free(&path);
}

static void pass_seconds(struct fixture *f, uint64_t s)
{
    f->q.now_us += s * 1000000;
    events_check(&f->q);
}

/* the scheduler hangs at JOB for so long after it has been sent events, and then it is ended */
static void hang_at(struct fixture *f, uint32_t job, unsigned before_s, unsigned at_it_s)
{
    fixture_register_scheduler(f);
    while (events_step(&f->q))
        ;
    events_flush(&f->q);
    pass_seconds(f, before_s);
    keep_one_at(f, job);
    pass_seconds(f, 0);
    pass_seconds(f, at_it_s);
    assert_false(events_has_scheduler(&f->q));
    schedd_stop(f->q.schedd);
    f->q.schedd = NULL;
}

static bool has_reason(struct fixture *f, uint32_t number, const char *reason)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    assert_true(reasons_of_job(&f->q, fixture_job(f, number), &search, &reasons));
    bool has = reasons.n > 0 && strcmp(reasons.v[0].ST_name, reason) == 0;
    cull_list_clear(&cull_ST_Type, &reasons);
    return has;
}

static bool alter_priority(struct fixture *f, const char *user, const char *what)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_priority, (uint32_t)(JOB_PRIORITY_BASE - 7));
    return fixture_ask(f, user, alter_request, &gr);
}

static void the_job_at_which_a_scheduler_hung_waits_until_it_is_altered(void **state)
{
    struct fixture *f = *state;
    uint32_t ill = submit(f, .tasks = "1-3"), other = submit(f, .owner = "bob");
    hang_at(f, ill, 0, 60);
    assert_string_equal(fixture_ready(f, ill), "");
    assert_string_equal(fixture_ready(f, other), "1");
    assert_true(has_reason(f, ill, MSG_WHY_SET_ASIDE));
    assert_false(has_reason(f, other, MSG_WHY_SET_ASIDE));
    assert_false(alter_priority(f, "bob", "1"));
    assert_string_equal(fixture_ready(f, ill), "");
    assert_true(alter_priority(f, "alice", "1"));
    assert_string_equal(fixture_ready(f, ill), "1-3:1");
    assert_false(has_reason(f, ill, MSG_WHY_SET_ASIDE));
    hang_at(f, ill, 0, 60); /* and once more */
    assert_string_equal(fixture_ready(f, ill), "");
}

static void a_release_makes_it_eligible_and_a_hold_does_not(void **state)
{
    struct fixture *f = *state;
    uint32_t ill = submit(f);
    hang_at(f, ill, 0, 60);
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_true(has_reason(f, ill, MSG_WHY_SET_ASIDE));
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_REMOVE));
    assert_string_equal(fixture_ready(f, ill), "1");
    hang_at(f, ill, 0, 60);
    assert_string_equal(fixture_ready(f, ill), "");
    assert_true(fixture_hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_REMOVE)); /* of no hold */
    assert_string_equal(fixture_ready(f, ill), "1");
}

static void a_restart_makes_it_eligible(void **state)
{
    struct fixture *f = *state;
    uint32_t ill = submit(f);
    hang_at(f, ill, 0, 60);
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(fixture_ready(f, ill), "1");
}

/* neither those that run, nor those that wait for them */
static void tasks_that_run_and_successors_are_not_concerned(void **state)
{
    struct fixture *f = *state;
    uint32_t ill = submit(f, .name = "A", .tasks = "1-3"), b = submit(f, .tasks = "1-3", .ad = "A");
    fixture_start(f, ill, 1);
    hang_at(f, ill, 0, 60);
    fixture_report(f, ill, 1, REPORT_STARTED, 0);
    fixture_report(f, ill, 1, REPORT_ENDED, 0);
    assert_string_equal(fixture_ready(f, ill), "");
    assert_string_equal(fixture_held(f, b), "2,3");
    assert_string_equal(fixture_ready(f, b), "1");
    fixture_delete(f, "alice", "A");
    assert_string_equal(fixture_ready(f, b), "1-3:1");
}

static void a_scheduler_that_is_slow_is_no_job_s_fault(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    hang_at(f, a, 31, 29);
    assert_string_equal(fixture_ready(f, a), "1");
    hang_at(f, a, 30, 30);
    assert_string_equal(fixture_ready(f, a), "");
}

static void a_scheduler_shows_what_it_likes(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    hang_at(f, 77, 0, 60); /* no such job exists */
    assert_string_equal(fixture_ready(f, a), "1");
}

static void how_long_it_may_be_silent_is_configured(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    f->q.settings.scheduler_silence_s = 4;
    hang_at(f, a, 0, 4);
    assert_string_equal(fixture_ready(f, a), "");
}

/* the first scheduler shows JOB and gets a signal, the second one registers */
static void end_by_signal(struct fixture *f, uint32_t job, const char *sig)
{
    struct dstr path = DSTR_INIT, text = DSTR_INIT;
    _Atomic uint32_t n_started = 0;
    uint64_t until_us = uti_mono_us() + PATIENCE_US;
    dstr_addf(&path, "%s/schedd", f->dir);
    dstr_addf(&text,
              "#!/bin/sh\ntest -e %s/first && exec sleep 1000\n: >%s/first\n"
              "printf '\\%03o\\000\\000\\000' >&4\nkill -%s $$\n",
              f->dir, f->dir, job, sig);
    assert_int_equal(file_write(dstr_get(&path), text.s, text.len, 0755, NULL), 0);
    f->q.schedd = schedd_keep(dstr_get(&path), on_adopt, &n_started);
    while (atomic_load(&n_started) < 2 && uti_mono_us() < until_us)
        (void)poll(NULL, 0, 1);
    assert_int_equal(atomic_load(&n_started), 2);
    fixture_register_scheduler(f);
    schedd_stop(f->q.schedd);
    f->q.schedd = NULL;
    dstr_free(&text);
    dstr_free(&path);
}

static void the_job_at_which_a_scheduler_crashed_is_set_aside(void **state)
{
    struct fixture *f = *state;
    uint32_t ill = submit(f), other = submit(f);
    end_by_signal(f, ill, "SEGV");
    assert_string_equal(fixture_ready(f, ill), "");
    assert_true(has_reason(f, ill, MSG_WHY_SET_ASIDE));
    assert_string_equal(fixture_ready(f, other), "1");
    fixture_register_scheduler(f); /* the next one shows no crash */
    assert_true(alter_priority(f, "alice", "1"));
    assert_string_equal(fixture_ready(f, ill), "1");
}

static void a_scheduler_that_somebody_kills_has_not_crashed(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    end_by_signal(f, a, "KILL");
    assert_string_equal(fixture_ready(f, a), "1");
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_job_at_which_a_scheduler_hung_waits_until_it_is_altered),
        TEST(a_release_makes_it_eligible_and_a_hold_does_not),
        TEST(a_restart_makes_it_eligible),
        TEST(tasks_that_run_and_successors_are_not_concerned),
        TEST(a_scheduler_that_is_slow_is_no_job_s_fault),
        TEST(a_scheduler_shows_what_it_likes),
        TEST(the_job_at_which_a_scheduler_crashed_is_set_aside),
        TEST(a_scheduler_that_somebody_kills_has_not_crashed),
        TEST(how_long_it_may_be_silent_is_configured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

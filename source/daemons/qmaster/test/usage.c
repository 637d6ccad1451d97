/* Tests of tables/usage.c, jobs/usage_count.c, and what is stored of them: usage counts once,
 * decays as configured, and survives the death of the qmaster. */
#include "daemons/qmaster/tables/usage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_state.h"
#include "libs/task/task_dir.h"

enum { CPU, MEM, IO, HOUR_S = 3600 };

/* ---- a cell with a share tree ---- */
static void put_tree(struct fixture *f)
{
    struct TX_Type tx = { 0 };
    cull_set(&tx, TX_kind, (uint32_t)OBJECT_SHARETREE);
    cull_set(&tx, TX_name, "sharetree");
    struct VA_Type *va = cull_append(&tx, TX_entries);
    cull_set(va, VA_variable, "node");
    cull_set(va, VA_value, "id=0 name=Root type=0 shares=1 childnodes=NONE");
    config_stage_text(&f->q, &settings_put_text(&f->q.settings, &tx)->rec);
}

static void set_param(struct fixture *f, const char *param, const char *value)
{
    struct CONF_Type conf = { 0 };
    cull_copy(&cull_CONF_Type, &conf, &settings_conf(&f->q.settings, CONF_SCHEDULER)->rec);
    assert_int_equal(conf_set(&conf, param, value, NULL), 0);
    struct conf *c = settings_put_conf(&f->q.settings, &conf);
    change_record(&f->q, SPOOL_CONFIG, CONF_SCHEDULER, &cull_CONF_Type, &c->rec);
    cull_clear(&cull_CONF_Type, &conf);
    usage_configured(&f->q);
}

static void fill_report(struct fixture *f, struct JR_Type *r, uint32_t state, uint64_t run_s,
                        double cpu)
{
    cull_set(r, JR_state, state);
    cull_set(r, JR_start_time, f->q.now_s - run_s);
    cull_set(r, JR_end_time, f->q.now_s);
    struct UA_Type *figure = cull_append(r, JR_usage);
    cull_set(figure, UA_name, "cpu");
    cull_set(figure, UA_value, cpu);
}

/* job N runs, or has ended, after RUN_S with so much CPU */
static void report_cpu(struct fixture *f, uint32_t job, uint32_t state, uint64_t run_s, double cpu)
{
    struct JR_Type r = { 0 };
    fill_report(f, &r, state, run_s, cpu);
    struct task *t = fixture_task(f, job, 1);
    cull_set(&t->rec, JAT_start_time, f->q.now_s - run_s);
    task_report(&f->q, t, &r);
    cull_clear(&cull_JR_Type, &r);
}

static uint32_t a_run(struct fixture *f, const char *user)
{
    uint32_t job = submit(f, .owner = user);
    fixture_start(f, job, 1);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    return job;
}

static double used_by(struct fixture *f, const char *user, uint32_t kind)
{
    struct usage_pair *p = usage_pair(&f->q.usage, user, NULL);
    return usage_worth(&f->q.usage, p, kind, f->q.now_s);
}

static double in_all(struct fixture *f, const char *user)
{
    return usage_total(usage_pair(&f->q.usage, user, NULL), CPU);
}

static bool is_about(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* ---- what counts ---- */
static void without_a_share_tree_nothing_is_counted(void **state)
{
    struct fixture *f = *state;
    uint32_t job = a_run(f, "alice");
    report_cpu(f, job, REPORT_RUNNING, 10, 5);
    report_cpu(f, job, REPORT_ENDED, 20, 10);
    assert_null(f->q.usage.pairs);
    assert_true(TAILQ_EMPTY(&f->q.usage.marked));
}

static void what_runs_counts_as_reported_last_and_its_end_once(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "0");
    uint32_t a = a_run(f, "alice"), b = a_run(f, "alice");
    report_cpu(f, a, REPORT_RUNNING, 10, 5);
    report_cpu(f, b, REPORT_RUNNING, 10, 7);
    assert_true(used_by(f, "alice", CPU) == 12 && in_all(f, "alice") == 0);
    report_cpu(f, a, REPORT_RUNNING, 20, 9);
    assert_true(used_by(f, "alice", CPU) == 16);
    report_cpu(f, a, REPORT_ENDED, 30, 11);
    assert_true(used_by(f, "alice", CPU) == 18 && in_all(f, "alice") == 11);
    report_cpu(f, b, REPORT_ENDED, 30, 8);
    assert_true(used_by(f, "alice", CPU) == 19 && in_all(f, "alice") == 19);
    assert_true(used_by(f, "bob", CPU) == 0);
}

static void each_start_of_a_task_counts(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "0");
    uint32_t job = a_run(f, "alice");
    struct JR_Type r = { 0 };
    fill_report(f, &r, REPORT_ENDED, 10, 4);
    cull_set(&r, JR_failed, (uint32_t)TASK_FAILED_RESCHEDULE);
    task_report(&f->q, fixture_task(f, job, 1), &r);
    cull_clear(&cull_JR_Type, &r);
    assert_true(used_by(f, "alice", CPU) == 4);
}

/* half of it is worth half an hour later; what was used evenly decays from when it was used */
static void usage_decays_from_when_it_was_used(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "1");
    report_cpu(f, a_run(f, "alice"), REPORT_ENDED, 2 * HOUR_S, 100);
    double worth = used_by(f, "alice", CPU);
    assert_true(is_about(worth, usage_spread(100, HOUR_S, 2 * HOUR_S)));
    f->q.now_s += HOUR_S;
    assert_true(is_about(used_by(f, "alice", CPU), worth / 2));
    assert_true(in_all(f, "alice") == 100);
    set_param(f, "halflife_decay_list", "cpu=30"); /* as before until now, and faster from now on */
    assert_true(is_about(used_by(f, "alice", CPU), worth / 2));
    f->q.now_s += HOUR_S;
    assert_true(is_about(used_by(f, "alice", CPU), worth / 8));
    set_param(f, "halflife_decay_list", "cpu=-1");
    assert_true(used_by(f, "alice", CPU) == 0);
    report_cpu(f, a_run(f, "alice"), REPORT_RUNNING, 10, 3);
    assert_true(used_by(f, "alice", CPU) == 3);
}

static void run_time_and_slots_count_if_they_have_a_weight(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "0");
    set_param(f, "usage_weight_list", "cpu=1,wallclock=1,slots=1");
    struct host *h = hosts_find(&f->q.hosts, "node1");
    cull_set(&h->rec, EH_text_usage_scaling, "cpu=1.5,slots=2");
    report_cpu(f, a_run(f, "alice"), REPORT_ENDED, 100, 10);
    assert_true(used_by(f, "alice", CPU) == 15);
    assert_true(used_by(f, "alice", IO + 1) == 100);
    assert_true(used_by(f, "alice", IO + 2) == 200);
}

/* ---- what survives ---- */
static void a_restart_changes_nothing(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "1");
    report_cpu(f, a_run(f, "alice"), REPORT_ENDED, HOUR_S, 100);
    f->q.now_s += 1000;
    set_param(f, "halftime", "2");
    report_cpu(f, a_run(f, "alice"), REPORT_ENDED, HOUR_S, 50);
    usage_add(&f->q.usage, usage_pair(&f->q.usage, "+odd", NULL), CPU, 3, 3, f->q.now_s);
    fixture_commit(f); /* that record comes before the one of the kinds */
    uint64_t now_s = f->q.now_s + 500;
    f->q.now_s = now_s;
    double before = used_by(f, "alice", CPU);
    for (int i = 0; i < 2; i++) {
        fixture_restart(f);
        f->q.now_s = now_s;
        assert_true(used_by(f, "alice", CPU) == before);
        assert_true(in_all(f, "alice") == 150 && in_all(f, "+odd") == 3);
        fixture_commit(f);
    }
}

/* the end and what it counts are in one transaction: lost together, and counted once in the end */
static void what_is_lost_with_the_qmaster_counts_when_it_is_reported_again(void **state)
{
    struct fixture *f = *state;
    put_tree(f);
    set_param(f, "halftime", "0");
    uint32_t a = a_run(f, "alice"), b = a_run(f, "alice");
    fixture_commit(f);
    report_cpu(f, a, REPORT_ENDED, 10, 6);
    fixture_commit(f);
    report_cpu(f, b, REPORT_ENDED, 10, 7);
    assert_true(in_all(f, "alice") == 13);
    fixture_restart(f);
    assert_true(in_all(f, "alice") == 6);
    assert_null(jobs_find(&f->q.jobs, a));
    report_cpu(f, b, REPORT_ENDED, 10, 7);
    fixture_commit(f);
    fixture_restart(f);
    assert_true(in_all(f, "alice") == 13 && used_by(f, "alice", CPU) == 13);
}

/* ---- limits ---- */
static void a_user_has_so_many_projects_and_the_cell_so_many_pairs(void **state SGE_UNUSED)
{
    struct usage u;
    char name[16];
    usage_init(&u);
    for (int i = 0; i < USAGE_PAIRS_OF_USER; i++) {
        snprintf(name, sizeof name, "P%d", i);
        assert_string_equal(usage_pair(&u, "mallory", name)->project, name);
    }
    assert_string_equal(usage_pair(&u, "mallory", "more")->project, "");
    assert_string_equal(usage_pair(&u, "mallory", "P7")->project, "P7");
    for (int i = (int)HASH_COUNT(u.pairs); i < USAGE_PAIRS_MOST; i++) {
        snprintf(name, sizeof name, "u%d", i);
        assert_non_null(usage_pair(&u, name, NULL));
    }
    assert_null(usage_pair(&u, "late", NULL));
    assert_non_null(usage_pair(&u, "mallory", NULL));
    usage_clear(&u);
}

static void kinds_have_a_limit_too(void **state SGE_UNUSED)
{
    struct usage u;
    char list[200];
    bool have_place = true;
    usage_init(&u);
    for (int i = 0; i < 4; i++) {
        snprintf(list, sizeof list, "a%d=1,b%d=1,c%d=1,d%d=1,e%d=1,f%d=1,g%d=1,h%d=1", i, i, i, i,
                 i, i, i, i);
        have_place = usage_configure(&u, &(struct usage_params){ list, "none", 168 }, 10);
        assert_int_equal(have_place, i < 3);
    }
    assert_int_equal(u.n_kinds, USAGE_KINDS_MOST);
    usage_clear(&u);
}

static void what_means_nothing_any_more_is_forgotten(void **state)
{
    struct fixture *f = *state;
    struct usage *u = &f->q.usage;
    put_tree(f);
    set_param(f, "halftime", "1");
    struct usage_pair *gone = usage_pair(u, "alice", "gone");
    usage_add(u, gone, CPU, 1000, 1000, f->q.now_s);
    usage_add(u, usage_pair(u, "alice", NULL), CPU, 1000, 1000, f->q.now_s);
    fixture_commit(f);
    for (int i = 0; i < 3; i++)
        usage_expire(&f->q);
    assert_int_equal(HASH_COUNT(u->pairs), 1); /* its project is not there */
    f->q.now_s += 24 * HOUR_S;
    for (int i = 0; i < 3; i++)
        usage_expire(&f->q);
    assert_int_equal(HASH_COUNT(u->pairs), 0); /* alice has no object, and that is less than 1 s */
    assert_null(u->users);
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(HASH_COUNT(f->q.usage.pairs), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_a_share_tree_nothing_is_counted),
        TEST(what_runs_counts_as_reported_last_and_its_end_once),
        TEST(each_start_of_a_task_counts),
        TEST(usage_decays_from_when_it_was_used),
        TEST(run_time_and_slots_count_if_they_have_a_weight),
        TEST(a_restart_changes_nothing),
        TEST(what_is_lost_with_the_qmaster_counts_when_it_is_reported_again),
        cmocka_unit_test(a_user_has_so_many_projects_and_the_cell_so_many_pairs),
        cmocka_unit_test(kinds_have_a_limit_too),
        TEST(what_means_nothing_any_more_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

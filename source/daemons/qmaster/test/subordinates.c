/* Queues that suspend others: subordinate_list of queue_conf(5). */
#include "daemons/qmaster/config/subordinates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/reports.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_state.h"

enum { START_S = 1795694400 };

/* queue NAME on HOSTS with 4 slots; LIST: its subordinate_list. The answer */
static const char *put_list_on(struct fixture *f, const char *name, const char *hosts,
                               const char *list)
{
    bool is_new = queues_cqueue(&f->q.queues, name) == NULL;
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cqueue_template(name);
    assert_int_equal(cqueue_set(cq, "hostlist", hosts, NULL), 0);
    assert_int_equal(cqueue_set(cq, "slots", "4", NULL), 0);
    assert_int_equal(cqueue_set(cq, "load_thresholds", "NONE", NULL), 0);
    assert_int_equal(cqueue_set(cq, "subordinate_list", list, NULL), 0);
    cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
    cull_delete(&cull_CQ_Type, cq);
    return ask_as(f, "boss", is_new ? add_config_request : mod_config_request, GDI_CQUEUE, &gr);
}

static void put_list(struct fixture *f, const char *name, const char *list)
{
    assert_null(strstr(put_list_on(f, name, "node1", list), "exist"));
}

static int set_up_queues(void **state)
{
    int result = fixture_setup(state);
    struct fixture *f = *state;
    f->q.now_s = START_S;
    put_list(f, "low.q", "NONE");
    put_list(f, "mid.q", "NONE");
    put_list(f, "high.q", "NONE");
    return result;
}

static struct qinstance *the_instance(struct fixture *f, const char *name)
{
    struct qinstance *qi = queues_instance(&f->q.queues, name);
    assert_non_null(qi);
    return qi;
}

static void settle_all(struct fixture *f)
{
    while (queue_suspend_is_due(&f->q))
        (void)queue_suspend_step(&f->q);
}

/* a new job runs with SLOTS in the queue instance NAME, and OTHERS in OTHER (may be NULL) */
static uint32_t run_on(struct fixture *f, const char *name, uint32_t slots, const char *other,
                       uint32_t others)
{
    uint32_t job = submit(f, .name = NULL);
    struct place v[2] = { { .qi = the_instance(f, name), .slots = slots } };
    struct places places = { .v = v, .n = other != NULL ? 2 : 1 };
    if (other != NULL)
        v[1] = (struct place){ .qi = the_instance(f, other), .slots = others };
    f->q.now_s += 10;
    task_start(&f->q, fixture_job(f, job), 0, &places, 0);
    fixture_report(f, job, 1, REPORT_STARTED, 0);
    settle_all(f);
    return job;
}

static uint32_t run_in(struct fixture *f, const char *name)
{
    return run_on(f, name, 1, NULL, 0);
}

static void end_job(struct fixture *f, uint32_t job)
{
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    settle_all(f);
}

/* the states of jobs, one after the other: "rSr" */
static const char *letters_of(struct fixture *f, const uint32_t *jobs, size_t n)
{
    dstr_clear(&f->said);
    for (size_t i = 0; i < n; i++)
        task_state_text(&fixture_task(f, jobs[i], 1)->rec, 0, &f->said);
    return dstr_get(&f->said);
}
#define letters(f, ...)                                                                            \
    letters_of(f, (uint32_t[]){ __VA_ARGS__ },                                                     \
               sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* the states of low.q and mid.q */
static const char *queue_letters(struct fixture *f)
{
    dstr_clear(&f->said);
    qinstance_state_text(qinstance_state(the_instance(f, "low.q@node1")), &f->said);
    dstr_addc(&f->said, '/');
    qinstance_state_text(qinstance_state(the_instance(f, "mid.q@node1")), &f->said);
    return dstr_get(&f->said);
}

/* ---- queue-wise ---- */
static void a_queue_is_suspended_from_so_many_slots_on(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "low.q=2");
    uint32_t low = run_in(f, "low.q@node1"), first = run_in(f, "high.q@node1");
    assert_string_equal(queue_letters(f), "/");
    uint32_t second = run_in(f, "high.q@node1");
    assert_string_equal(queue_letters(f), "S/");
    assert_string_equal(letters(f, low, first, second), "Srr");
    assert_false(qinstance_may_start(the_instance(f, "low.q@node1")));
    struct dstr why = DSTR_INIT;
    subordinates_explain(the_instance(f, "low.q@node1"), &why);
    assert_string_equal(dstr_get(&why), "suspended by \"high.q@node1\": 2 slots used, limit 2");
    dstr_free(&why);
    end_job(f, first);
    assert_string_equal(queue_letters(f), "/");
    assert_string_equal(letters(f, low, second), "rr");
}

static void without_a_number_it_is_all_slots(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "low.q");
    uint32_t low = run_in(f, "low.q@node1"), three = run_on(f, "high.q@node1", 3, NULL, 0);
    assert_string_equal(letters(f, low, three), "rr");
    uint32_t one = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, three, one), "Srr");
    end_job(f, three);
    assert_string_equal(letters(f, low, one), "rr");
}

static void a_chain_stays_when_its_head_is_suspended(void **state)
{
    struct fixture *f = *state;
    put_list(f, "mid.q", "low.q=1");
    put_list(f, "high.q", "mid.q=1");
    uint32_t low = run_in(f, "low.q@node1"), mid = run_in(f, "mid.q@node1");
    assert_string_equal(letters(f, low, mid), "Sr");
    uint32_t high = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, high), "SSr");
    end_job(f, high);
    assert_string_equal(letters(f, low, mid), "Sr");
    end_job(f, mid);
    assert_string_equal(letters(f, low), "r");
}

static void a_task_continues_when_both_of_its_reasons_are_gone(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "low.q=1");
    put_list(f, "mid.q", "low.q=1");
    uint32_t low = run_in(f, "low.q@node1"), high = run_in(f, "high.q@node1");
    uint32_t mid = run_in(f, "mid.q@node1");
    task_suspend(&f->q, fixture_task(f, low, 1), TASK_IS_SUSPENDED, true);
    assert_string_equal(letters(f, low), "Ss");
    end_job(f, high);
    assert_string_equal(letters(f, low), "Ss"); /* mid.q is there */
    end_job(f, mid);
    assert_string_equal(letters(f, low), "s");
    task_suspend(&f->q, fixture_task(f, low, 1), TASK_IS_SUSPENDED, false);
    assert_string_equal(letters(f, low), "r");
}

static void a_changed_list_acts_at_once(void **state)
{
    struct fixture *f = *state;
    uint32_t low = run_in(f, "low.q@node1"), high = run_in(f, "high.q@node1");
    put_list(f, "high.q", "low.q=1");
    settle_all(f);
    assert_string_equal(letters(f, low, high), "Sr");
    put_list(f, "high.q", "mid.q=1");
    settle_all(f);
    assert_string_equal(letters(f, low, high), "rr");
    assert_string_equal(queue_letters(f), "/S");
    put_list(f, "high.q", "NONE");
    settle_all(f);
    assert_string_equal(queue_letters(f), "/");
    assert_int_equal(the_instance(f, "low.q@node1")->host->n_superiors, 0);
}

static void it_is_found_again_after_a_restart_and_ends_after_it(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "low.q=1");
    uint32_t low = run_in(f, "low.q@node1"), high = run_in(f, "high.q@node1");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(queue_letters(f), "S/");
    assert_string_equal(letters(f, low, high), "Sr");
    struct connection *execd = fixture_connection(f, "root");
    (void)told_after_sync(f, execd);
    end_job(f, high);
    assert_string_equal(letters(f, low), "r");
    assert_non_null(strstr(told_after_sync(f, execd), "signal 18"));
}

/* The qmaster is killed after the start in high.q is durable, before low.q has followed. */
static void a_start_whose_consequence_was_lost_has_it_after_the_restart(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "low.q=1");
    uint32_t low = run_in(f, "low.q@node1");
    uint32_t high = submit(f, .name = NULL);
    struct place one = { .qi = the_instance(f, "high.q@node1"), .slots = 1 };
    task_start(&f->q, fixture_job(f, high), 0, &(struct places){ .v = &one, .n = 1 }, 0);
    fixture_commit(f);
    assert_string_equal(letters(f, low), "r");
    fixture_restart(f);
    assert_string_equal(letters(f, low), "S");
}

static void no_queue_is_subordinate_to_itself(void **state)
{
    struct fixture *f = *state;
    static const char want[] = "Cluster queue \"high.q\" can't get subordinated by itself";
    assert_string_equal(put_list_on(f, "high.q", "node1", "high.q=1"), want);
    assert_string_equal(put_list_on(f, "high.q", "node1", "slots=2(low.q:1:sr, high.q:1:sr)"),
                        want);
    assert_string_equal(
        put_list_on(f, "high.q", "node1", "slots=2(nosuch.q:1:sr)"),
        "Subordinated cluster queue \"nosuch.q\" referenced in \"high.q\" does not exist");
}

/* ---- slot-wise ---- */
static void the_shortest_run_stops_first_and_continues_last(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "slots=3(low.q:1:sr)");
    uint32_t a = run_in(f, "low.q@node1"), b = run_in(f, "low.q@node1");
    uint32_t c = run_in(f, "low.q@node1"), one = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, a, b, c), "rrS");
    assert_string_equal(queue_letters(f), "/");
    uint32_t two = run_on(f, "high.q@node1", 2, NULL, 0);
    assert_string_equal(letters(f, a, b, c), "SSS");
    end_job(f, two);
    assert_string_equal(letters(f, a, b, c), "rrS");
    uint32_t d = run_in(f, "low.q@node1");
    assert_string_equal(letters(f, a, b, c, d), "rrSS");
    end_job(f, a);
    assert_string_equal(letters(f, b, c, d), "rrS");
    end_job(f, one);
    assert_string_equal(letters(f, b, c, d), "rrr");
}

static void with_lr_the_longest_run_stops_first(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "slots=3(low.q:1:lr)");
    uint32_t a = run_in(f, "low.q@node1"), b = run_in(f, "low.q@node1");
    uint32_t c = run_in(f, "low.q@node1"), one = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, a, b, c, one), "Srrr");
    end_job(f, one);
    assert_string_equal(letters(f, a, b, c), "rrr");
}

static void the_queue_with_the_highest_number_gives_way_first(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "slots=2(mid.q:2:sr, low.q:1:sr)");
    uint32_t low = run_in(f, "low.q@node1"), mid = run_in(f, "mid.q@node1");
    uint32_t first = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, first), "rSr");
    uint32_t second = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, first, second), "SSrr");
    end_job(f, first);
    end_job(f, second);
    assert_string_equal(letters(f, low, mid), "rr");
}

static void in_a_chain_the_lowest_gives_way_first(void **state)
{
    struct fixture *f = *state;
    put_list(f, "mid.q", "slots=3(low.q:1:sr)");
    put_list(f, "high.q", "slots=3(mid.q:1:sr)");
    uint32_t low = run_in(f, "low.q@node1"), mid = run_in(f, "mid.q@node1");
    uint32_t first = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, first), "rrr");
    uint32_t second = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, first, second), "Srrr");
    uint32_t third = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, mid, first, second, third), "SSrrr");
}

/* A circle of queues costs a look at each, and ends. */
static void a_circle_is_counted_once(void **state)
{
    struct fixture *f = *state;
    put_list(f, "low.q", "slots=2(high.q:1:sr)");
    put_list(f, "high.q", "slots=2(low.q:1:sr)");
    uint32_t low = run_in(f, "low.q@node1"), high = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low, high), "rr");
    uint32_t more = run_in(f, "low.q@node1");
    const char *said = letters(f, low, high, more);
    assert_true(strlen(said) == 3 && strchr(said, 'r') != NULL && strchr(said, 'S') != NULL);
}

/* A task that stands still for a reason of its own leaves its slots to others. */
static void what_stands_still_anyway_does_not_count(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "slots=2(low.q:1:sr)");
    uint32_t a = run_in(f, "low.q@node1"), b = run_in(f, "low.q@node1");
    uint32_t high = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, a, b, high), "rSr");
    task_suspend(&f->q, fixture_task(f, a, 1), TASK_IS_SUSPENDED, true);
    settle_all(f);
    assert_string_equal(letters(f, a, b, high), "srr");
    task_suspend(&f->q, fixture_task(f, a, 1), TASK_IS_SUSPENDED, false);
    settle_all(f);
    assert_string_equal(letters(f, a, b, high), "rSr");
}

static void slot_wise_states_outlive_a_restart(void **state)
{
    struct fixture *f = *state;
    put_list(f, "high.q", "slots=2(low.q:1:lr)");
    uint32_t a = run_in(f, "low.q@node1"), b = run_in(f, "low.q@node1");
    uint32_t high = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, a, b, high), "Srr");
    fixture_commit(f);
    fixture_restart(f);
    settle_all(f);
    assert_string_equal(letters(f, a, b, high), "Srr");
    end_job(f, high);
    assert_string_equal(letters(f, a, b), "rr");
    put_list(f, "high.q", "NONE");
    settle_all(f);
    assert_int_equal(f->q.hosts.n_slotwise, 0);
}

/* ---- parallel tasks ---- */
static void put_node2(struct fixture *f)
{
    hosts_add(&f->q.hosts, "node2");
    (void)put_list_on(f, "low.q", "node1 node2", "NONE");
    (void)put_list_on(f, "high.q", "node1 node2", "low.q=1");
}

static void a_parallel_task_stops_with_one_of_its_queues_and_survives_it(void **state)
{
    struct fixture *f = *state;
    put_node2(f);
    uint32_t low = run_on(f, "low.q@node1", 2, "low.q@node2", 2);
    uint32_t far = run_in(f, "high.q@node2"), near = run_in(f, "high.q@node1");
    assert_string_equal(letters(f, low), "S");
    end_job(f, near);
    assert_string_equal(letters(f, low), "S"); /* that on node2 is there */
    end_job(f, far);
    assert_string_equal(letters(f, low), "r");
    end_job(f, low);
    assert_int_equal(the_instance(f, "low.q@node1")->rec.QU_slots_used, 0);
}

static void a_parallel_task_gives_way_slot_wise_on_a_host_where_it_does_not_run(void **state)
{
    struct fixture *f = *state;
    put_node2(f);
    (void)put_list_on(f, "high.q", "node1 node2", "slots=2(low.q:1:sr)");
    uint32_t low = run_on(f, "low.q@node1", 1, "low.q@node2", 2);
    assert_string_equal(letters(f, low), "r");
    uint32_t high = run_in(f, "high.q@node2");
    assert_string_equal(letters(f, low, high), "Sr");
    end_job(f, high);
    assert_string_equal(letters(f, low), "r");
}

/* ---- what it costs ---- */
static void hosts_without_lists_are_not_looked_at(void **state)
{
    struct fixture *f = *state;
    uint32_t job = run_in(f, "low.q@node1");
    assert_false(queue_suspend_is_due(&f->q));
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    assert_false(queue_suspend_is_due(&f->q));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up_queues, fixture_teardown)
        TEST(a_queue_is_suspended_from_so_many_slots_on),
        TEST(without_a_number_it_is_all_slots),
        TEST(a_chain_stays_when_its_head_is_suspended),
        TEST(a_task_continues_when_both_of_its_reasons_are_gone),
        TEST(a_changed_list_acts_at_once),
        TEST(it_is_found_again_after_a_restart_and_ends_after_it),
        TEST(a_start_whose_consequence_was_lost_has_it_after_the_restart),
        TEST(no_queue_is_subordinate_to_itself),
        TEST(the_shortest_run_stops_first_and_continues_last),
        TEST(with_lr_the_longest_run_stops_first),
        TEST(the_queue_with_the_highest_number_gives_way_first),
        TEST(in_a_chain_the_lowest_gives_way_first),
        TEST(a_circle_is_counted_once),
        TEST(what_stands_still_anyway_does_not_count),
        TEST(slot_wise_states_outlive_a_restart),
        TEST(a_parallel_task_stops_with_one_of_its_queues_and_survives_it),
        TEST(a_parallel_task_gives_way_slot_wise_on_a_host_where_it_does_not_run),
        TEST(hosts_without_lists_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

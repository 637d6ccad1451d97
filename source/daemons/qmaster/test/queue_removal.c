/* A queue with many instances is removed: for everybody it has gone at once, and its instances
 * follow in slices. Between any two slices somebody dies, looks, works, or adds another queue of
 * its name. qconf(1) -dq. */
#include "daemons/qmaster/config/renewal.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/core.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/event.h"

enum { HOSTS = 6 };

/* ---- gone.q on h0 to h5, beside the all.q of the fixture ---- */

static void add_host(struct fixture *f, const char *name)
{
    struct host *h = hosts_add(&f->q.hosts, name);
    change_record(&f->q, SPOOL_HOST, name, &cull_EH_Type, &h->rec);
    queue_resolve_host(&f->q, h);
}

static void add_queue(struct fixture *f)
{
    struct GR_Type gr = { 0 };
    struct CQ_Type *cq = cqueue_template("gone.q");
    assert_int_equal(cqueue_set(cq, "hostlist", "h0 h1 h2 h3 h4 h5", NULL), 0);
    cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
    cull_delete(&cull_CQ_Type, cq);
    ask_as(f, "boss", add_config_request, GDI_CQUEUE, &gr);
}

static uint32_t count_named(struct fixture *f)
{
    return count_objects(f, GDI_QINSTANCE, "gone.q@*");
}

/* how many have not been freed */
static uint32_t count_left(struct fixture *f)
{
    return HASH_COUNT(f->q.queues.instances) - 1;
}

static int set_up(void **state)
{
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    for (int i = 0; i < HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i);
        add_host(f, name);
    }
    add_queue(f);
    fixture_commit(f);
    fixture_forget_sent(f);
    assert_int_equal(count_named(f), HOSTS);
    return rc;
}

/* ---- steps ---- */

/* each slice is over at once, so that the first instance has had its turn */
static void begin_removal(struct fixture *f)
{
    f->q.slice_until_us = 1;
    delete_as(f, "boss", GDI_CQUEUE, "gone.q");
    f->q.slice_until_us = 0;
    assert_int_equal(count_left(f), HOSTS - 1);
}

static void do_slice(struct fixture *f)
{
    f->q.slice_until_us = 1;
    assert_true(work_step(&f->q));
    f->q.slice_until_us = 0;
}

/* what was staged so far is on disk; no further slice */
static void make_durable(struct fixture *f)
{
    core_hand_over(&f->q);
    committer_run(f->q.committer);
}

static void disable_instance(struct fixture *f, const char *name)
{
    struct qinstance *qi = queues_instance(&f->q.queues, name);
    cull_set(&qi->rec, QU_state, (uint32_t)QI_DISABLED);
    change_record(&f->q, SPOOL_QINSTANCE, name, &cull_QU_Type, &qi->rec);
    fixture_commit(f);
}

/* ---- sentences ---- */

static void a_queue_of_many_instances_goes_in_slices(void **state)
{
    struct fixture *f = *state;
    begin_removal(f);
    for (uint32_t left = HOSTS - 1; left > 0; left = count_left(f))
        do_slice(f);
    fixture_commit(f);
    assert_int_equal(count_left(f), 0);
    assert_null(LIST_FIRST(&f->q.queues.leaving));
}

static void who_asked_is_answered_when_all_have_gone(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "boss")->conn;
    begin_removal(f);
    do_slice(f);
    make_durable(f);
    assert_true(count_left(f) > 0);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 0);
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 1);
}

static void nobody_finds_what_is_left_of_it(void **state)
{
    struct fixture *f = *state;
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    begin_removal(f);
    assert_int_equal(count_named(f), 0);
    assert_int_equal(count_objects(f, GDI_CQUEUE, "gone.q"), 0);
    assert_int_equal(count_objects(f, GDI_QINSTANCE, NULL), 1);
    assert_null(queues_instance(&f->q.queues, "gone.q@h0"));
    assert_null(queues_next(queues_first(&f->q.queues)));
    assert_true(reasons_of_queues(&f->q, &search, &reasons));
    assert_int_equal(reasons.n, 0);
    assert_string_equal(delete_as(f, "boss", GDI_CQUEUE, "gone.q"),
                        "denied: cluster queue \"gone.q\" does not exist");
}

static void qmod_does_not_mean_what_is_left_of_it(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    begin_removal(f);
    fixture_name(&gr, "gone.q");
    cull_set(&gr, GR_action, (uint32_t)GDI_ACT_DISABLE);
    assert_string_equal(ask_as(f, "boss", act_request, GDI_JOB, &gr), "invalid queue \"gone.q\"");
}

static void a_death_before_the_disk_has_it_leaves_all_of_it(void **state)
{
    struct fixture *f = *state;
    begin_removal(f);
    do_slice(f);
    fixture_restart(f);
    assert_int_equal(count_named(f), HOSTS);
}

static void a_death_in_the_middle_leaves_nothing_of_it(void **state)
{
    struct fixture *f = *state;
    disable_instance(f, "gone.q@h3");
    begin_removal(f);
    do_slice(f);
    make_durable(f);
    fixture_restart(f);
    assert_int_equal(count_left(f), 0);
    assert_null(queues_cqueue(&f->q.queues, "gone.q"));
}

/* what people did to it, too: the next queue of the name begins anew */
static void a_queue_of_its_name_begins_anew_after_a_death_in_the_middle(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < HOSTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "gone.q@h%d", i);
        disable_instance(f, name);
    }
    begin_removal(f);
    f->q.slice_until_us = 1;
    add_queue(f); /* one instance is new, others are left of the first */
    f->q.slice_until_us = 0;
    make_durable(f);
    fixture_restart(f);
    assert_int_equal(count_named(f), HOSTS);
    for (const struct qinstance *qi = queues_first(&f->q.queues); qi != NULL; qi = queues_next(qi))
        assert_int_equal(qi->rec.QU_state, 0);
}

static void a_queue_of_its_name_may_come_meanwhile(void **state)
{
    struct fixture *f = *state;
    disable_instance(f, "gone.q@h3");
    begin_removal(f);
    add_queue(f);
    assert_int_equal(count_named(f), HOSTS);
    fixture_commit(f);
    assert_int_equal(count_named(f), HOSTS);
    assert_int_equal(count_left(f), HOSTS);
    assert_int_equal(queues_instance(&f->q.queues, "gone.q@h3")->rec.QU_state, 0);
    assert_null(LIST_FIRST(&f->q.queues.leaving));
}

static void a_host_may_go_meanwhile(void **state)
{
    struct fixture *f = *state;
    begin_removal(f);
    for (int i = 0; i < HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i);
        assert_non_null(strstr(delete_as(f, "boss", GDI_EXECHOST, name), "removed"));
    }
    assert_int_equal(count_left(f), 0);
    fixture_commit(f);
    assert_null(LIST_FIRST(&f->q.queues.leaving));
}

/* ---- the scheduler ---- */

/* which instances it has heard of without having heard that they are gone */
static int count_heard(const struct fixture *f, uint64_t conn)
{
    int n = 0;
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct EP_Type package = { 0 };
        struct unpacker u = unpacker_over_own(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != conn || f->sent[i].kind != GDI_FRAME_EVENTS)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
        for (uint32_t e = 0; e < package.EP_events.n; e++)
            n += (package.EP_events.v[e].EV_kind == EV_QUEUE_ADD) -
                 (package.EP_events.v[e].EV_kind == EV_QUEUE_DEL);
        cull_clear(&cull_EP_Type, &package);
    }
    return n;
}

static void the_scheduler_hears_of_each_that_goes(void **state)
{
    struct fixture *f = *state;
    fixture_register_scheduler(f);
    uint64_t conn = fixture_connection(f, "root")->conn;
    while (events_step(&f->q))
        ;
    begin_removal(f);
    add_queue(f);
    fixture_commit(f);
    assert_int_equal(count_heard(f, conn), HOSTS + 1);
    assert_non_null(strstr(delete_as(f, "boss", GDI_CQUEUE, "gone.q"), "removed"));
    fixture_commit(f);
    assert_int_equal(count_heard(f, conn), 1);
}

static void a_scheduler_that_comes_meanwhile_hears_of_none_of_them(void **state)
{
    struct fixture *f = *state;
    begin_removal(f);
    fixture_register_scheduler(f);
    uint64_t conn = fixture_connection(f, "root")->conn;
    f->q.slice_until_us = 0;
    while (events_step(&f->q))
        ;
    core_hand_over(&f->q);
    assert_int_equal(count_heard(f, conn), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(a_queue_of_many_instances_goes_in_slices),
        TEST(who_asked_is_answered_when_all_have_gone),
        TEST(nobody_finds_what_is_left_of_it),
        TEST(qmod_does_not_mean_what_is_left_of_it),
        TEST(a_death_before_the_disk_has_it_leaves_all_of_it),
        TEST(a_death_in_the_middle_leaves_nothing_of_it),
        TEST(a_queue_of_its_name_begins_anew_after_a_death_in_the_middle),
        TEST(a_queue_of_its_name_may_come_meanwhile),
        TEST(a_host_may_go_meanwhile),
        TEST(the_scheduler_hears_of_each_that_goes),
        TEST(a_scheduler_that_comes_meanwhile_hears_of_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

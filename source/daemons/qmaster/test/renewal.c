/* Changes that concern many hosts: in slices, and whole for whoever asked. Between any two slices
 * somebody dies, hosts and queues go, and others change the same. qconf(1). */
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
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/config/cqueue.h"
#include "libs/gdi/client.h"

enum { HOSTS = 6, SLOTS_BEFORE = 1, SLOTS_AFTER = 7 };

static void add_host(struct fixture *f, const char *name)
{
    struct host *h = hosts_add(&f->q.hosts, name);
    change_record(&f->q, SPOOL_HOST, name, &cull_EH_Type, &h->rec);
    queue_resolve_host(&f->q, h);
}

/* all.q on HOSTS hosts, of a group */
static int set_up(void **state)
{
    struct dstr hosts = DSTR_INIT;
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    for (int i = 0; i < HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", i);
        add_host(f, name);
        dstr_addf(&hosts, "%s ", name);
    }
    fixture_set_group(f, "@h", dstr_get(&hosts));
    assert_true(fixture_set_queue(f, "hostlist", "@h"));
    assert_true(fixture_set_queue(f, "slots", "1"));
    fixture_commit(f);
    fixture_forget_sent(f);
    dstr_free(&hosts);
    return rc;
}

static uint32_t count_slots(struct fixture *f, uint32_t slots)
{
    uint32_t n = 0;
    for (const struct qinstance *qi = f->q.queues.instances; qi != NULL; qi = qi->hh.next)
        n += qi->rec.QU_job_slots == slots;
    return n;
}

/* each slice is over at once, so that the first host has had its turn */
static void begin_change(struct fixture *f, const char *slots)
{
    f->q.slice_until_us = 1;
    assert_true(fixture_set_queue(f, "slots", slots));
}

static void do_slices(struct fixture *f, int n)
{
    while (n-- > 0) {
        f->q.slice_until_us = 1;
        assert_true(work_step(&f->q));
    }
    f->q.slice_until_us = 0;
}

static uint32_t count_answers(struct fixture *f)
{
    return fixture_count_sent(f, fixture_connection(f, "boss")->conn, GDI_FRAME_ANSWER);
}

/* what was staged so far is on disk; no further slice */
static void make_durable(struct fixture *f)
{
    core_hand_over(&f->q);
    committer_run(f->q.committer);
}

static void a_change_of_many_instances_takes_slices(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    assert_int_equal(count_slots(f, SLOTS_AFTER), 1);
    do_slices(f, 2);
    assert_in_range(count_slots(f, SLOTS_AFTER), 1, HOSTS - 1);
    fixture_commit(f);
    assert_int_equal(count_slots(f, SLOTS_AFTER), HOSTS);
}

static void who_asked_is_answered_when_it_is_whole(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    do_slices(f, 3);
    make_durable(f);
    assert_int_equal(count_answers(f), 0);
    assert_true(count_slots(f, SLOTS_BEFORE) > 0);
    fixture_commit(f);
    assert_int_equal(count_answers(f), 1);
    assert_int_equal(count_slots(f, SLOTS_BEFORE), 0);
}

static void a_death_before_the_disk_has_it_leaves_what_was(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    do_slices(f, 3);
    fixture_restart(f);
    assert_int_equal(count_slots(f, SLOTS_BEFORE), HOSTS);
}

static void a_death_in_the_middle_leaves_the_whole_change(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    do_slices(f, 3);
    make_durable(f);
    assert_true(count_slots(f, SLOTS_BEFORE) > 0);
    fixture_restart(f);
    assert_int_equal(count_slots(f, SLOTS_AFTER), HOSTS);
}

static void it_goes_on_without_who_asked(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    f->q.slice_until_us = 0;
    fixture_hang_up(f, "boss");
    fixture_commit(f);
    assert_int_equal(count_slots(f, SLOTS_AFTER), HOSTS);
}

static void the_later_of_two_changes_counts(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    do_slices(f, 2);
    begin_change(f, "9");
    fixture_commit(f);
    assert_int_equal(count_slots(f, 9), HOSTS);
}

static void a_host_that_goes_meanwhile_is_passed_over(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    f->q.slice_until_us = 0;
    fixture_set_group(f, "@h", "h0 h1 h2 h4");
    hosts_remove(&f->q.hosts, hosts_find(&f->q.hosts, "h5"));
    fixture_commit(f);
    assert_int_equal(count_slots(f, SLOTS_AFTER), 4);
    assert_int_equal(HASH_COUNT(f->q.queues.instances), 4);
}

static void a_queue_that_goes_meanwhile_stays_gone(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "7");
    f->q.slice_until_us = 0;
    assert_true(remove_queue(&f->q, 0, queues_cqueue(&f->q.queues, "all.q")));
    fixture_commit(f);
    assert_int_equal(HASH_COUNT(f->q.queues.instances), 0);
}

/* the walk does not know it; it came with the change */
static void a_host_that_comes_meanwhile_has_the_change(void **state)
{
    struct fixture *f = *state;
    fixture_set_group(f, "@h", "h0 h1 h2 h3 h4 h5 h6");
    begin_change(f, "7");
    f->q.slice_until_us = 0;
    add_host(f, "h6");
    assert_int_equal(queues_instance(&f->q.queues, "all.q@h6")->rec.QU_job_slots, SLOTS_AFTER);
    fixture_commit(f);
    assert_int_equal(count_slots(f, SLOTS_AFTER), HOSTS + 1);
}

static void a_group_that_loses_many_takes_slices(void **state)
{
    struct fixture *f = *state;
    f->q.slice_until_us = 1;
    assert_true(fixture_put_group(f, "@h", "h3"));
    f->q.slice_until_us = 0;
    assert_int_equal(HASH_COUNT(f->q.queues.instances), HOSTS - 1);
    fixture_commit(f);
    assert_int_equal(HASH_COUNT(f->q.queues.instances), 1);
    fixture_restart(f);
    assert_int_equal(HASH_COUNT(f->q.queues.instances), 1);
}

/* ---- requests of many objects ---- */

enum { QUEUES = 4 };

static void ask_queues(struct fixture *f, fixture_handler_fn handler)
{
    struct GR_Type gr = { 0 };
    char name[16];
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    for (int i = 0; i < QUEUES; i++) {
        snprintf(name, sizeof name, "q%d", i);
        if (handler == del_config_request) {
            fixture_name(&gr, name);
            continue;
        }
        struct CQ_Type *cq = cqueue_template(name);
        cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
        cull_delete(&cull_CQ_Type, cq);
    }
    f->q.slice_until_us = 1;
    fixture_ask(f, "boss", handler, &gr);
    f->q.slice_until_us = 0;
}

static uint32_t count_queues(const struct fixture *f)
{
    return HASH_COUNT(f->q.queues.cqueues) - 1; /* but for all.q */
}

static void many_objects_of_a_request_come_and_go_in_slices(void **state)
{
    struct fixture *f = *state;
    ask_queues(f, add_config_request);
    assert_int_equal(count_queues(f), 1);
    do_slices(f, 1);
    assert_int_equal(count_queues(f), 2);
    fixture_commit(f);
    assert_int_equal(count_queues(f), QUEUES);
    assert_int_equal(count_answers(f), 1);
    ask_queues(f, del_config_request);
    assert_int_equal(count_queues(f), QUEUES - 1);
    fixture_commit(f);
    assert_int_equal(count_queues(f), 0);
    assert_int_equal(count_answers(f), 2);
}

static void the_rest_is_refused_to_whoever_is_no_manager_any_more(void **state)
{
    struct fixture *f = *state;
    ask_queues(f, add_config_request);
    assert_true(settings_drop_name(&f->q.settings, NAMES_MANAGER, "boss"));
    fixture_commit(f);
    assert_int_equal(count_queues(f), 1);
    assert_int_equal(count_answers(f), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(a_change_of_many_instances_takes_slices),
        TEST(who_asked_is_answered_when_it_is_whole),
        TEST(a_death_before_the_disk_has_it_leaves_what_was),
        TEST(a_death_in_the_middle_leaves_the_whole_change),
        TEST(it_goes_on_without_who_asked),
        TEST(the_later_of_two_changes_counts),
        TEST(a_host_that_goes_meanwhile_is_passed_over),
        TEST(a_queue_that_goes_meanwhile_stays_gone),
        TEST(a_host_that_comes_meanwhile_has_the_change),
        TEST(a_group_that_loses_many_takes_slices),
        TEST(many_objects_of_a_request_come_and_go_in_slices),
        TEST(the_rest_is_refused_to_whoever_is_no_manager_any_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

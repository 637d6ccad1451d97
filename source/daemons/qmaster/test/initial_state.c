/* initial_state: at the beginning of an instance and of its execd, and at no other time. */
#include "daemons/qmaster/config/queue_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"

static bool is_disabled(struct fixture *f, const char *name)
{
    const struct qinstance *qi = queues_instance(&f->q.queues, name);
    assert_non_null(qi);
    return (qi->rec.QU_state & QI_DISABLED) != 0;
}

/* as qmod -d and -e do */
static void set_disabled(struct fixture *f, bool is_on)
{
    struct qinstance *qi = fixture_queue(f);
    uint32_t others = qi->rec.QU_state & ~(uint32_t)QI_DISABLED;
    cull_set(&qi->rec, QU_state, is_on ? others | QI_DISABLED : others);
    change_record(&f->q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
}

static void register_host(struct fixture *f, bool is_first)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REGISTER);
    cull_set(&m, XM_is_first, is_first);
    struct EH_Type *host = cull_append(&m, XM_hosts);
    cull_set(host, EH_name, "node1");
    hear_message(f, connect_as(f, "root"), &m);
}

static void a_new_instance_begins_as_its_queue_says(void **state)
{
    struct fixture *f = *state;
    assert_true(fixture_set_queue(f, "initial_state", "default,[node2=disabled],[node3=enabled]"));
    assert_false(is_disabled(f, "all.q@node1"));
    hosts_add(&f->q.hosts, "node2");
    hosts_add(&f->q.hosts, "node3");
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2 node3"));
    assert_true(is_disabled(f, "all.q@node2"));
    assert_false(is_disabled(f, "all.q@node3"));
}

static void an_execd_that_starts_sets_it_anew(void **state)
{
    struct fixture *f = *state;
    assert_true(fixture_set_queue(f, "initial_state", "disabled"));
    assert_false(is_disabled(f, "all.q@node1"));
    register_host(f, true);
    assert_true(is_disabled(f, "all.q@node1"));
    assert_true(fixture_set_queue(f, "initial_state", "enabled"));
    assert_true(is_disabled(f, "all.q@node1"));
    register_host(f, true);
    assert_false(is_disabled(f, "all.q@node1"));
}

static void what_people_say_holds_until_then(void **state)
{
    struct fixture *f = *state;
    assert_true(fixture_set_queue(f, "initial_state", "disabled"));
    register_host(f, true);
    set_disabled(f, false);
    register_host(f, false);
    assert_false(is_disabled(f, "all.q@node1"));
    assert_true(fixture_set_queue(f, "initial_state", "default"));
    set_disabled(f, true);
    register_host(f, true);
    assert_true(is_disabled(f, "all.q@node1"));
}

static void a_qmaster_that_starts_again_changes_nothing(void **state)
{
    struct fixture *f = *state;
    assert_true(fixture_set_queue(f, "initial_state", "disabled"));
    fixture_commit(f);
    fixture_restart(f);
    assert_false(is_disabled(f, "all.q@node1"));
    register_host(f, true);
    fixture_commit(f);
    fixture_restart(f);
    assert_true(is_disabled(f, "all.q@node1"));
    set_disabled(f, false);
    fixture_commit(f);
    fixture_restart(f);
    assert_false(is_disabled(f, "all.q@node1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_new_instance_begins_as_its_queue_says),
        TEST(an_execd_that_starts_sets_it_anew),
        TEST(what_people_say_holds_until_then),
        TEST(a_qmaster_that_starts_again_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A change of a configuration reaches the hosts that it concerns, in slices, and each of them as
 * the last change left it. sge_conf(5). */
#include "daemons/qmaster/hosts/notifications.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "libs/config/conf.h"
#include "libs/gdi/message.h"

enum { HOSTS = 6, FIRST_CONN = 5000 };

/* h0 to h5, connected, as far as the qmaster knows */
static int set_up(void **state)
{
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    for (unsigned i = 0; i < HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%u", i);
        hosts_add(&f->q.hosts, name)->conn = FIRST_CONN + i;
    }
    fixture_forget_sent(f);
    return rc;
}

static uint32_t count_told(const struct fixture *f)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < HOSTS; i++)
        n += fixture_count_sent(f, FIRST_CONN + i, GDI_FRAME_EXEC);
    return n;
}

/* the max_aj_tasks that the I-th host has heard of last */
static const char *heard_last(const struct fixture *f, unsigned i)
{
    static char value[32];
    *value = '\0';
    for (uint32_t n = 0; n < f->n_sent; n++) {
        struct XM_Type m = { 0 };
        struct unpacker u = unpacker_over_own(f->sent[n].body, f->sent[n].len);
        if (f->sent[n].conn != FIRST_CONN + i)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL), 0);
        snprintf(value, sizeof value, "%s", conf_get(NULL, &m.XM_confs.v[0], "max_aj_tasks"));
        cull_clear(&cull_XM_Type, &m);
    }
    return value;
}

static void change_global(struct fixture *f, const char *tasks)
{
    const char *answer =
        put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "max_aj_tasks", tasks);
    assert_non_null(strstr(answer, "modified"));
}

/* each slice is over at once */
static void begin_change(struct fixture *f, const char *tasks)
{
    f->q.slice_until_us = 1;
    change_global(f, tasks);
    f->q.slice_until_us = 0;
}

static void do_slice(struct fixture *f)
{
    f->q.slice_until_us = 1;
    assert_true(work_step(&f->q));
    f->q.slice_until_us = 0;
}

static void few_hosts_hear_of_a_change_at_once(void **state)
{
    struct fixture *f = *state;
    change_global(f, "17");
    assert_int_equal(count_told(f), HOSTS);
    assert_null(f->q.conf_round);
}

static void many_hosts_hear_of_a_change_in_slices(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "17");
    uint32_t told = count_told(f);
    assert_in_range(told, 0, 1);
    do_slice(f);
    assert_int_equal(count_told(f), told + 1);
    fixture_commit(f);
    for (unsigned i = 0; i < HOSTS; i++) {
        assert_int_equal(fixture_count_sent(f, FIRST_CONN + i, GDI_FRAME_EXEC), 1);
        assert_string_equal(heard_last(f, i), "17");
    }
    assert_null(f->q.conf_round);
}

static void a_change_meanwhile_reaches_all_of_them(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "17");
    do_slice(f);
    do_slice(f);
    begin_change(f, "18");
    fixture_commit(f);
    for (unsigned i = 0; i < HOSTS; i++)
        assert_string_equal(heard_last(f, i), "18");
}

static void a_host_that_goes_meanwhile_is_passed_over(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "17");
    for (unsigned i = 0; i < HOSTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "h%u", i);
        hosts_remove(&f->q.hosts, hosts_find(&f->q.hosts, name));
    }
    fixture_commit(f);
    assert_in_range(count_told(f), 0, 1);
}

static void a_stop_in_the_middle_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    begin_change(f, "17");
    do_slice(f);
    fixture_restart(f);
    assert_null(f->q.conf_round);
}

static void a_change_for_one_host_is_told_to_that_one(void **state)
{
    struct fixture *f = *state;
    const char *answer =
        put_conf(f, add_config_request, GDI_CONFIG, "h3", "mailer", "/usr/bin/mail");
    assert_non_null(strstr(answer, "added"));
    assert_int_equal(count_told(f), 1);
    assert_int_equal(fixture_count_sent(f, FIRST_CONN + 3, GDI_FRAME_EXEC), 1);
    assert_non_null(strstr(delete_as(f, "boss", GDI_CONFIG, "h3"), "removed"));
    assert_int_equal(fixture_count_sent(f, FIRST_CONN + 3, GDI_FRAME_EXEC), 2);
    assert_int_equal(count_told(f), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(few_hosts_hear_of_a_change_at_once),
        TEST(many_hosts_hear_of_a_change_in_slices),
        TEST(a_change_meanwhile_reaches_all_of_them),
        TEST(a_host_that_goes_meanwhile_is_passed_over),
        TEST(a_stop_in_the_middle_leaves_nothing),
        TEST(a_change_for_one_host_is_told_to_that_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

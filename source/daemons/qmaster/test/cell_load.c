/* What hosts say of the cell: who may, what counts, and when it ends. */
#include "daemons/qmaster/heard/cell_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/tables/session.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/comm/server.h"
#include "libs/config/host.h"

/* the execd of a host, on this host or, with a certificate, on its own */
struct speaker {
    struct session session;
    struct host *host;
};

static struct speaker speaker_of(struct fixture *f, const char *name, bool is_remote)
{
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = name };
    struct comm_peer local = { .uid = 0, .is_local = true };
    return (struct speaker){ .session.who = identity_new(is_remote ? &peer : &local, f->q.host),
                             .host = hosts_add(&f->q.hosts, name) };
}

static void say_value(struct fixture *f, struct speaker *from, const char *name, const char *value)
{
    struct EH_Type said = { 0 };
    struct VA_Type *va = cull_append(&said, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    cell_load_hear(&f->q, &from->session, from->host, &said);
    cull_clear(&cull_EH_Type, &said);
}

static const char *cell_value(struct fixture *f, const char *name)
{
    const struct host *cell = hosts_find(&f->q.hosts, HOST_OF_CELL);
    return cell != NULL ? host_load_value(&cell->rec, name) : NULL;
}

static void cell_has(struct fixture *f, const char *name, const char *value)
{
    const char *found = cell_value(f, name);
    if (value == NULL)
        assert_null(found);
    else
        assert_string_equal(found != NULL ? found : "nothing", value);
}

static void the_one_counts_that_began_last(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false), b = speaker_of(f, "b", false);
    say_value(f, &a, "licenses", "5");
    say_value(f, &a, "seats", "1");
    say_value(f, &b, "licenses", "7");
    cell_has(f, "licenses", "7");
    cell_has(f, "seats", "1");
    say_value(f, &b, "licenses", NULL);
    cell_has(f, "licenses", "5");
    cell_load_end(&f->q, a.host);
    cell_has(f, "licenses", NULL);
    cell_has(f, "seats", NULL);
    identity_clear(&a.session.who);
    identity_clear(&b.session.who);
}

static void a_host_that_may_not_speak_is_heard_once_it_may(void **state)
{
    struct fixture *f = *state;
    struct speaker node = speaker_of(f, "node7", true);
    say_value(f, &node, "licenses", "5");
    cell_has(f, "licenses", NULL);
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    cell_load_hear(&f->q, &node.session, node.host, NULL);
    cell_has(f, "licenses", "5");
    (void)settings_drop_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    cell_load_hear(&f->q, &node.session, node.host, NULL);
    cell_has(f, "licenses", NULL);
    cell_load_end(&f->q, node.host);
    identity_clear(&node.session.who);
}

static void a_host_says_so_many_values(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false);
    char name[16];
    for (int i = 0; i < CELL_VALUES_MOST + 1; i++) {
        (void)snprintf(name, sizeof name, "v%d", i);
        say_value(f, &a, name, "1");
    }
    cell_has(f, "v255", "1");
    cell_has(f, "v256", NULL);
    say_value(f, &a, "v0", NULL);
    say_value(f, &a, "v256", "1");
    cell_has(f, "v256", "1");
    cell_load_end(&f->q, a.host);
    identity_clear(&a.session.who);
}

static void a_host_that_is_removed_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false), b = speaker_of(f, "b", false);
    say_value(f, &a, "licenses", "5");
    hosts_remove(&f->q.hosts, a.host);
    say_value(f, &b, "seats", "2");
    cell_has(f, "licenses", NULL);
    identity_clear(&a.session.who);
    identity_clear(&b.session.who);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(the_one_counts_that_began_last),
        TEST(a_host_that_may_not_speak_is_heard_once_it_may),
        TEST(a_host_says_so_many_values),
        TEST(a_host_that_is_removed_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

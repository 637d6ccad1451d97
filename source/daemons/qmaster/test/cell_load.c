/* What hosts say of the cell: who may, what counts, when it ends, and what it may cost. */
#include "daemons/qmaster/config/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "libs/comm/server.h"
#include "libs/config/host.h"
#include "libs/uti/alloc.h"

/* the execd of a host, on this host or, with a certificate, on its own */
struct speaker {
    struct identity who;
    struct host *host;
};

static struct speaker speaker_of(struct fixture *f, const char *name, bool is_remote)
{
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = name };
    struct comm_peer local = { .uid = 0, .is_local = true };
    return (struct speaker){ .who = identity_new(is_remote ? &peer : &local, f->q.host),
                             .host = hosts_add(&f->q.hosts, name) };
}

static void say_value(struct fixture *f, struct speaker *from, const char *name, const char *value)
{
    struct EH_Type said = { 0 };
    struct VA_Type *va = cull_append(&said, EH_load_list);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    cell_load_update(&f->q, &from->who, from->host, &said);
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

static void end_speaker(struct speaker *s)
{
    identity_clear(&s->who);
}

static void the_one_counts_that_was_said_last(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false), b = speaker_of(f, "b", false);
    say_value(f, &a, "licenses", "5");
    say_value(f, &a, "seats", "1");
    say_value(f, &b, "licenses", "7");
    cell_has(f, "licenses", "7");
    cell_has(f, "seats", "1");
    say_value(f, &a, "licenses", "4");
    cell_has(f, "licenses", "4");
    say_value(f, &a, "licenses", NULL);
    cell_has(f, "licenses", "7");
    cell_load_end(&f->q, b.host);
    cell_has(f, "licenses", NULL);
    cell_has(f, "seats", "1");
    cell_load_end(&f->q, a.host);
    cell_has(f, "seats", NULL);
    end_speaker(&a);
    end_speaker(&b);
}

static void a_host_that_may_not_speak_is_heard_once_it_may(void **state)
{
    struct fixture *f = *state;
    struct speaker node = speaker_of(f, "node7", true);
    say_value(f, &node, "licenses", "5");
    cell_has(f, "licenses", NULL);
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    cell_load_update(&f->q, &node.who, node.host, NULL);
    cell_has(f, "licenses", "5");
    (void)settings_drop_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    cell_load_update(&f->q, &node.who, node.host, NULL);
    cell_has(f, "licenses", NULL);
    cell_load_end(&f->q, node.host);
    end_speaker(&node);
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
    assert_true(a.host->is_load_cut);
    say_value(f, &a, "v0", NULL);
    say_value(f, &a, "v256", "1");
    cell_has(f, "v256", "1");
    cell_load_end(&f->q, a.host);
    end_speaker(&a);
}

/* whether they count or not: an attacker's host keeps that much, and no more */
static void what_a_host_says_is_so_long(void **state)
{
    struct fixture *f = *state;
    struct speaker node = speaker_of(f, "node7", true);
    char *text = uti_calloc(1, LOAD_VALUE_MOST + 2), name[16];
    memset(text, 'x', LOAD_VALUE_MOST + 1);
    say_value(f, &node, "long", text);
    say_value(f, &node, text, "1");
    assert_int_equal(node.host->reports.n, 0);
    text[LOAD_VALUE_MOST] = '\0';
    for (int i = 0; i < CELL_VALUES_MOST; i++) {
        (void)snprintf(name, sizeof name, "v%d", i);
        say_value(f, &node, name, text);
    }
    assert_in_range(node.host->reports.bytes, CELL_BYTES_MOST - 2 * LOAD_VALUE_MOST,
                    CELL_BYTES_MOST);
    for (int i = 0; i < 1000; i++)
        say_value(f, &node, "v0", i % 2 == 0 ? text : "1");
    assert_in_range(node.host->reports.bytes, 1, CELL_BYTES_MOST);
    cell_load_end(&f->q, node.host);
    assert_int_equal(node.host->reports.bytes, 0);
    free(text);
    end_speaker(&node);
}

static void a_message_says_so_much(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false);
    struct EH_Type said = { 0 };
    char name[16];
    for (int i = 0; i < CELL_SAID_MOST + 1; i++) {
        struct VA_Type *va = cull_append(&said, EH_load_list);
        (void)snprintf(name, sizeof name, "v%d", i);
        cull_set(va, VA_variable, name);
        if (i == CELL_SAID_MOST)
            cull_set(va, VA_value, "1");
    }
    cell_load_update(&f->q, &a.who, a.host, &said);
    assert_int_equal(a.host->reports.n, 0);
    assert_true(a.host->is_load_cut);
    cull_clear(&cull_EH_Type, &said);
    end_speaker(&a);
}

/* one sensor that all hosts have: what a host says costs the same however many say it, too */
static void all_hosts_may_say_the_same(void **state)
{
    enum { HOSTS = 10000 };
    struct fixture *f = *state;
    struct speaker first = speaker_of(f, "first", false);
    char name[16];
    say_value(f, &first, "licenses", "0");
    for (int i = 0; i < HOSTS; i++) {
        (void)snprintf(name, sizeof name, "h%d", i);
        struct speaker s = { first.who, hosts_add(&f->q.hosts, name) };
        say_value(f, &s, "licenses", name + 1);
    }
    cell_has(f, "licenses", "9999");
    for (int i = HOSTS - 1; i > 0; i--) {
        (void)snprintf(name, sizeof name, "h%d", i);
        cell_load_end(&f->q, hosts_find(&f->q.hosts, name));
    }
    cell_has(f, "licenses", "0");
    end_speaker(&first);
}

static void a_host_that_is_removed_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct speaker a = speaker_of(f, "a", false);
    struct GR_Type gr = { 0 };
    say_value(f, &a, "licenses", "5");
    cull_set(&gr, GR_target, (uint32_t)GDI_EXECHOST);
    fixture_name(&gr, "a");
    assert_true(fixture_ask(f, "boss", del_config_request, &gr));
    cell_has(f, "licenses", NULL);
    end_speaker(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(the_one_counts_that_was_said_last),
        TEST(a_host_that_may_not_speak_is_heard_once_it_may),
        TEST(a_host_says_so_many_values),
        TEST(what_a_host_says_is_so_long),
        TEST(a_message_says_so_much),
        TEST(all_hosts_may_say_the_same),
        TEST(a_host_that_is_removed_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

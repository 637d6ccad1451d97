/* What a host may say of its load. */
#include "daemons/qmaster/config/load.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/test/fixture.h"
#include "libs/config/host.h"
#include "libs/uti/alloc.h"

static void say_value(struct fixture *f, struct host *h, const char *name, const char *value)
{
    struct EH_Type said = { 0 };
    struct VA_Type *va = cull_append(&said, EH_load_list);
    if (name != NULL)
        cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
    host_load_update(&f->q, h, &said);
    cull_clear(&cull_EH_Type, &said);
}

static void a_value_comes_changes_and_goes(void **state)
{
    struct fixture *f = *state;
    struct host *h = hosts_add(&f->q.hosts, "h");
    say_value(f, h, "scratch", "12G");
    say_value(f, h, "gpu", "2");
    say_value(f, h, "scratch", "9G");
    assert_string_equal(host_load_value(&h->rec, "scratch"), "9G");
    assert_int_equal(h->load_bytes, strlen("scratch9Ggpu2"));
    say_value(f, h, "scratch", NULL);
    assert_null(host_load_value(&h->rec, "scratch"));
    assert_string_equal(host_load_value(&h->rec, "gpu"), "2");
    say_value(f, h, "scratch", NULL); /* again */
    say_value(f, h, NULL, "nothing's");
    assert_int_equal(h->load_bytes, strlen("gpu2"));
}

static void an_execd_that_registers_says_all_there_is(void **state)
{
    struct fixture *f = *state;
    struct host *h = hosts_add(&f->q.hosts, "h");
    say_value(f, h, "gone", "1");
    host_load_anew(h);
    assert_int_equal(h->rec.EH_load_list.n, 0);
    assert_int_equal(h->load_bytes, 0);
}

static void a_host_has_so_many_values(void **state)
{
    struct fixture *f = *state;
    struct host *h = hosts_add(&f->q.hosts, "h");
    char name[16];
    for (uint32_t i = 0; i < LOAD_VALUES_MOST + 2; i++) {
        (void)snprintf(name, sizeof name, "v%u", i);
        say_value(f, h, name, "1");
    }
    assert_int_equal(h->rec.EH_load_list.n, LOAD_VALUES_MOST);
    assert_true(h->is_load_cut);
    say_value(f, h, "v0", "2"); /* what it has may change */
    assert_string_equal(host_load_value(&h->rec, "v0"), "2");
}

static void names_and_values_have_so_many_bytes(void **state)
{
    struct fixture *f = *state;
    struct host *h = hosts_add(&f->q.hosts, "h");
    char *text = uti_calloc(1, LOAD_VALUE_MOST + 2), name[16];
    memset(text, 'x', LOAD_VALUE_MOST + 1);
    say_value(f, h, "long", text);
    assert_int_equal(h->rec.EH_load_list.n, 0);
    text[LOAD_VALUE_MOST] = '\0';
    for (uint32_t i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "v%u", i);
        say_value(f, h, name, text);
    }
    assert_in_range(h->load_bytes, LOAD_BYTES_MOST - LOAD_VALUE_MOST - sizeof name,
                    LOAD_BYTES_MOST);
    say_value(f, h, "v0", "1"); /* smaller ones may come */
    assert_string_equal(host_load_value(&h->rec, "v0"), "1");
    text[LOAD_NAME_MOST + 1] = '\0';
    say_value(f, h, text, "1");
    assert_null(host_load_value(&h->rec, text));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_value_comes_changes_and_goes),
        TEST(an_execd_that_registers_says_all_there_is),
        TEST(a_host_has_so_many_values),
        TEST(names_and_values_have_so_many_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

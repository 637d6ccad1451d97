/* Load values from the texts of /proc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/execd/host/load.h"
#include "libs/config/host.h"

static void test_cpu_times(void **state)
{
    (void)state;
    uint64_t busy, all;
    assert_true(load_cpu_times("cpu  10 0 5 80 5 0 0 0 0 0\ncpu0 1 1 1 1\n", &busy, &all));
    assert_int_equal(all, 100);
    assert_int_equal(busy, 15);
    assert_false(load_cpu_times("nothing of the kind", &busy, &all));
}

static void test_memory(void **state)
{
    (void)state;
    assert_int_equal(
        load_mem_kib("MemTotal:       100 kB\nMemAvailable:    40 kB\n", "MemAvailable:"), 40);
    assert_int_equal(load_mem_kib("MemTotal:       100 kB\n", "SwapTotal:"), 0);
}

static const struct load_sensors none; /* no list, no sensors */

static void test_only_what_changed(void **state)
{
    (void)state;
    struct load l;
    struct EH_Type host = { 0 }, again = { 0 };
    cull_set(&host, EH_name, "h");
    cull_set(&again, EH_name, "h");
    load_init(&l);
    uint32_t all = load_report(&l, &none, &host, true);
    assert_true(all > 10);
    assert_true(load_report(&l, &none, &again, false) <
                all); /* num_proc, arch and the topology stay */
    cull_clear(&cull_EH_Type, &host);
    cull_clear(&cull_EH_Type, &again);
    load_free(&l);
}

static const char *shortage_of(struct load *l, struct EH_Type *host)
{
    cull_clear(&cull_EH_Type, host);
    cull_set(host, EH_name, "h");
    (void)load_report(l, &none, host, false);
    return host_load_value(host, "shortage");
}

static void a_shortage_is_reported_when_it_begins_and_when_it_ends(void **state)
{
    (void)state;
    struct load l;
    struct EH_Type host = { 0 };
    load_init(&l);
    assert_null(shortage_of(&l, &host));
    load_set_shortage(&l, "no group");
    assert_string_equal(shortage_of(&l, &host), "no group");
    assert_null(shortage_of(&l, &host)); /* known */
    load_set_shortage(&l, NULL);
    assert_string_equal(shortage_of(&l, &host), "none");
    cull_clear(&cull_EH_Type, &host);
    load_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_times),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_only_what_changed),
        cmocka_unit_test(a_shortage_is_reported_when_it_begins_and_when_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

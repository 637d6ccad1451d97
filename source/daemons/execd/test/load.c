/* Load values from the texts of /proc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/execd/host/load.h"
#include "libs/config/host.h"
#include "libs/uti/dstr.h"

static void check_topology(const char *cpuinfo, const char *letters, unsigned n, unsigned sockets,
                           unsigned cores)
{
    struct dstr out = DSTR_INIT;
    unsigned got_sockets, got_cores;
    assert_int_equal(load_topology(cpuinfo, &out, &got_sockets, &got_cores), n);
    assert_string_equal(dstr_get(&out), letters);
    assert_int_equal(got_sockets, sockets);
    assert_int_equal(got_cores, cores);
    dstr_free(&out);
}

#define PROCESSOR(n, socket, core)                                                                 \
    "processor\t: " #n "\nphysical id\t: " #socket "\nsiblings\t: 4\ncore id\t\t: " #core          \
    "\nflags\t: x\n\n"

static void test_topology(void **state)
{
    (void)state;
    check_topology("", "", 0, 0, 0);
    check_topology(PROCESSOR(0, 0, 0) PROCESSOR(1, 0, 1), "SCC", 2, 1, 2);
    check_topology(PROCESSOR(0, 0, 0) PROCESSOR(1, 1, 0) PROCESSOR(2, 0, 0) PROCESSOR(3, 1, 0),
                   "SCTTSCTT", 4, 2, 2);
    check_topology("processor\t: 0\nBogoMIPS\t: 1\n\nprocessor\t: 1\nBogoMIPS\t: 1\n\n", "SCC", 2,
                   1, 2); /* arm */
}

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
        cmocka_unit_test(test_topology),
        cmocka_unit_test(test_cpu_times),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_only_what_changed),
        cmocka_unit_test(a_shortage_is_reported_when_it_begins_and_when_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

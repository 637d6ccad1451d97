/* The topology of machines that hwloc makes from a description, and of this one. */
#include "daemons/execd/host/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void check_machine(const char *description, const char *letters, unsigned sockets,
                          unsigned cores, unsigned threads)
{
    struct topology t;
    topology_read(&t, description);
    assert_string_equal(t.letters, letters);
    assert_int_equal(t.sockets, sockets);
    assert_int_equal(t.cores, cores);
    assert_int_equal(t.threads, threads);
    topology_free(&t);
}

static void each_socket_has_its_cores_behind_it(void **state)
{
    (void)state;
    check_machine("pack:1 core:2 pu:1", "SCC", 1, 2, 2);
    check_machine("pack:2 core:3 pu:1", "SCCCSCCC", 2, 6, 6);
}

static void threads_show_where_a_core_has_more_than_one(void **state)
{
    (void)state;
    check_machine("pack:2 core:1 pu:2", "SCTTSCTT", 2, 2, 4);
    check_machine("pack:1 core:2 pu:4", "SCTTTTCTTTT", 1, 2, 8);
}

static void caches_and_memory_between_do_not_matter(void **state)
{
    (void)state;
    check_machine("pack:2 [numa] l3:2 core:2 pu:1", "SCCCCSCCCC", 2, 8, 8);
}

static void a_machine_that_knows_no_cores_has_one_socket_of_processors(void **state)
{
    (void)state;
    check_machine("pu:4", "SCCCC", 1, 4, 4);
}

static void what_hwloc_cannot_say_is_none(void **state)
{
    (void)state;
    check_machine("no machine", "NONE", 0, 0, 0);
}

static void this_machine_has_a_socket_a_core_and_a_thread(void **state)
{
    (void)state;
    struct topology t;
    topology_read(&t, NULL);
    assert_true(t.sockets >= 1 && t.cores >= t.sockets && t.threads >= t.cores);
    assert_int_equal(strncmp(t.letters, "SC", 2), 0);
    topology_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_socket_has_its_cores_behind_it),
        cmocka_unit_test(threads_show_where_a_core_has_more_than_one),
        cmocka_unit_test(caches_and_memory_between_do_not_matter),
        cmocka_unit_test(a_machine_that_knows_no_cores_has_one_socket_of_processors),
        cmocka_unit_test(what_hwloc_cannot_say_is_none),
        cmocka_unit_test(this_machine_has_a_socket_a_core_and_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which cores a task gets, on machines that hwloc makes from a description. */
#include "daemons/execd/host/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "libs/sgeobj/binding.h"
#include "libs/task/processors.h"
#include "libs/uti/dstr.h"

#define LARGE "pack:2 core:8 pu:2"

struct host {
    struct topology t;
    struct core_set last; /* of the last choice */
    struct dstr text;
};

static int set_up(void **state)
{
    static struct host h;
    h = (struct host){ .text = DSTR_INIT };
    topology_read(&h.t, LARGE);
    *state = &h;
    return 0;
}

static int tear_down(void **state)
{
    struct host *h = *state;
    core_set_free(&h->last);
    topology_free(&h->t);
    dstr_free(&h->text);
    return 0;
}

/* the pairs of what WISH gets; "" if it gets none */
static const char *pairs_chosen(struct host *h, const char *wish, uint32_t slots, const char *queue)
{
    struct BN_Type bn = { 0 };
    struct processors allowed;
    assert_null(binding_read(&bn, wish));
    bool is_limited = processors_from(&allowed, queue);
    bool is_chosen = cores_choose(&h->t, &bn, slots, is_limited ? &allowed : NULL, &h->last);
    assert_int_equal(is_chosen, h->last.n > 0);
    cull_clear(&cull_BN_Type, &bn);
    dstr_clear(&h->text);
    cores_pairs_text(&h->t, &h->last, &h->text);
    return dstr_get(&h->text);
}

/* and it uses them */
static const char *pairs_taken(struct host *h, const char *wish)
{
    const char *pairs = pairs_chosen(h, wish, 1, NULL);
    cores_hold(&h->t, &h->last);
    return pairs;
}

static void linear_begins_on_the_first_socket_without_users(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_taken(h, "linear:2"), "0,0:0,1");
    assert_string_equal(pairs_taken(h, "linear:2"), "1,0:1,1");
}

static void linear_goes_on_where_most_cores_are_free(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_taken(h, "linear:1"), "0,0");
    assert_string_equal(pairs_taken(h, "linear:3"), "1,0:1,1:1,2");
    assert_string_equal(pairs_taken(h, "linear:2"), "0,1:0,2");
    assert_string_equal(pairs_taken(h, "linear:10"), "0,3:0,4:0,5:0,6:0,7:1,3:1,4:1,5:1,6:1,7");
    assert_string_equal(pairs_taken(h, "linear:1"), "");
}

static void linear_across_sockets_or_not_at_all(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_chosen(h, "linear:17", 1, NULL), "");
    assert_string_equal(pairs_chosen(h, "linear:4294967295", 1, NULL), "");
    (void)pairs_chosen(h, "linear:16", 1, NULL);
    assert_int_equal(h->last.n, 16);
}

static void without_an_amount_there_is_a_core_for_each_slot(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_chosen(h, "linear", 3, NULL), "0,0:0,1:0,2");
    assert_string_equal(pairs_chosen(h, "linear", 0, NULL), "");
}

static void a_place_to_begin_is_kept_to(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_taken(h, "linear:3:0,6"), "0,6:0,7:1,0");
    assert_string_equal(pairs_taken(h, "linear:1:1,0"), "");
    assert_string_equal(pairs_taken(h, "linear:2:1,7"), "");
    assert_string_equal(pairs_taken(h, "linear:1:5,5"), "");
    assert_string_equal(pairs_taken(h, "striding:2:4:1,1"), "1,1:1,5");
}

static void striding_begins_where_all_cores_are_free(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_taken(h, "striding:2:4"), "0,0:0,4");
    assert_string_equal(pairs_taken(h, "striding:2:4"), "0,1:0,5");
    assert_string_equal(pairs_taken(h, "striding:3:8"), "");
    assert_string_equal(pairs_taken(h, "striding:2:8"), "0,2:1,2");
    assert_string_equal(pairs_taken(h, "striding:2:0"), "");
    assert_string_equal(pairs_taken(h, "striding:2:4294967295"), "");
}

static void explicit_cores_are_those_or_none(void **state)
{
    struct host *h = *state;
    assert_string_equal(pairs_taken(h, "explicit:1,7:0,0"), "1,7:0,0");
    assert_string_equal(pairs_taken(h, "explicit:0,1:0,0"), "");
    assert_string_equal(pairs_taken(h, "explicit:0,8"), "");
    assert_string_equal(pairs_taken(h, "explicit:2,0"), "");
}

static void a_core_without_a_processor_of_the_queue_is_not_chosen(void **state)
{
    struct host *h = *state;
    struct processors queue;
    /* hwloc numbers the processors of this machine in order: core 0,1 has 2 and 3 */
    assert_string_equal(pairs_chosen(h, "linear:2", 1, "3,4-5"), "0,1:0,2");
    assert_true(processors_from(&queue, "3,4-5"));
    dstr_clear(&h->text);
    cores_processors_text(&h->t, &h->last, &queue, ',', &h->text);
    assert_string_equal(dstr_get(&h->text), "3,4,5");
    assert_string_equal(pairs_chosen(h, "linear:3", 1, "3,4-5"), "");
    assert_string_equal(pairs_chosen(h, "explicit:0,0", 1, "3,4-5"), "");
}

static void what_is_in_use_is_shown_until_its_last_user_has_gone(void **state)
{
    struct host *h = *state;
    struct core_set first = { 0 };
    topology_free(&h->t);
    topology_read(&h->t, "pack:1 core:2 pu:2");
    assert_string_equal(pairs_taken(h, "linear:1"), "0,0");
    core_set_copy(&first, &h->last);
    cores_hold(&h->t, &first); /* a part of the task */
    assert_string_equal(h->t.in_use, "ScttCTT");
    assert_string_equal(h->t.letters, "SCTTCTT");
    assert_string_equal(pairs_taken(h, "linear:1"), "0,1");
    assert_string_equal(h->t.in_use, "Scttctt");
    dstr_clear(&h->text);
    cores_letters_text(&h->t, &h->last, &h->text);
    assert_string_equal(dstr_get(&h->text), "SCTTctt");
    cores_release(&h->t, &first);
    assert_string_equal(h->t.in_use, "Scttctt");
    cores_release(&h->t, &first);
    assert_string_equal(h->t.in_use, "SCTTctt");
    core_set_free(&first);
}

static void a_set_is_read_from_its_text(void **state)
{
    struct host *h = *state;
    assert_true(cores_of_pairs(&h->t, "0,1:1,7:SCC", &h->last));
    dstr_clear(&h->text);
    cores_pairs_text(&h->t, &h->last, &h->text);
    assert_string_equal(dstr_get(&h->text), "0,1:1,7");
    assert_false(cores_of_pairs(&h->t, "0,1:2,0:SCC", &h->last)); /* another machine by now */
    assert_false(cores_of_pairs(&h->t, "0,1:0,1", &h->last));
    assert_false(cores_of_pairs(&h->t, "0:SCC", &h->last));
    assert_false(cores_of_pairs(&h->t, "", &h->last));
    assert_int_equal(h->last.n, 0);
}

static void a_machine_of_which_nothing_is_known_binds_nothing(void **state)
{
    struct host *h = *state;
    topology_free(&h->t);
    topology_read(&h->t, "no machine");
    assert_string_equal(pairs_taken(h, "linear:1"), "");
    assert_string_equal(pairs_taken(h, "striding:1:1"), "");
    assert_string_equal(h->t.in_use, "NONE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(linear_begins_on_the_first_socket_without_users, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(linear_goes_on_where_most_cores_are_free, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(linear_across_sockets_or_not_at_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_an_amount_there_is_a_core_for_each_slot, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_place_to_begin_is_kept_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(striding_begins_where_all_cores_are_free, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(explicit_cores_are_those_or_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_core_without_a_processor_of_the_queue_is_not_chosen,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_in_use_is_shown_until_its_last_user_has_gone,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_set_is_read_from_its_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_machine_of_which_nothing_is_known_binds_nothing, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

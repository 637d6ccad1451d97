/* Tests of libs/view/queue_list.c: queue instances as rows */
#include "libs/view/queue_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/config/qinstance.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/dstr.h"

struct cell_of_queues {
    struct GA_Type all;
    struct queue_list *list;
};

static struct QU_Type *put_queue(struct GA_Type *all, const char *queue, const char *host,
                                 uint32_t used, uint32_t slots, uint32_t states)
{
    char name[64];
    struct QU_Type *qu = cull_append(all, GA_queues);
    snprintf(name, sizeof name, "%s@%s", queue, host);
    cull_set(qu, QU_full_name, name);
    cull_set(qu, QU_qname, queue);
    cull_set(qu, QU_qhostname, host);
    cull_set(qu, QU_slots_used, used);
    cull_set(qu, QU_job_slots, slots);
    cull_set(qu, QU_state, states);
    cull_set(qu, QU_qtype, (uint32_t)QTYPE_BATCH);
    return qu;
}

static void put_host(struct GA_Type *all, const char *name, const char *load)
{
    struct EH_Type *host = cull_append(all, GA_hosts);
    cull_set(host, EH_name, name);
    if (load == NULL)
        return;
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, "load_avg");
    cull_set(va, VA_value, load);
}

static void apply_event(struct mir *m, struct EV_Type *event, uint32_t kind)
{
    cull_set(event, EV_kind, kind);
    assert_int_equal(mir_apply(m, event, NULL), 0);
    cull_clear(&cull_EV_Type, event);
}

/* the list is that of a mirror of ALL */
static void take_all(struct queue_list *l, const struct GA_Type *all)
{
    struct mir *m = mir_new();
    struct EV_Type event = { 0 };
    for (uint32_t i = 0; i < all->GA_hosts.n; i++) {
        cull_copy(&cull_EH_Type, cull_append(&event, EV_hosts), &all->GA_hosts.v[i]);
        apply_event(m, &event, EV_HOST);
    }
    for (uint32_t i = 0; i < all->GA_queues.n; i++) {
        cull_copy(&cull_QU_Type, cull_append(&event, EV_queues), &all->GA_queues.v[i]);
        apply_event(m, &event, EV_QUEUE_ADD);
    }
    queue_list_take(l, m);
    mir_free(m);
}

static int set_up(void **state)
{
    struct cell_of_queues *c = uti_calloc(1, sizeof *c);
    put_queue(&c->all, "all.q", "node2", 1, 4, 0);
    put_queue(&c->all, "low.q", "node1", 0, 2, QI_DISABLED);
    struct QU_Type *bad = put_queue(&c->all, "all.q", "node1", 3, 4, QI_ERROR | QI_UNKNOWN);
    cull_set(bad, QU_message, "job 7 could not start\nits directory has gone");
    put_host(&c->all, "node2", "0.25");
    put_host(&c->all, "node1", NULL);
    c->list = queue_list_new();
    take_all(c->list, &c->all);
    *state = c;
    return 0;
}

static int tear_down(void **state)
{
    struct cell_of_queues *c = *state;
    queue_list_free(c->list);
    cull_clear(&cull_GA_Type, &c->all);
    free(c);
    return 0;
}

static void expect_cell(const struct queue_list *l, uint32_t row, enum queue_column column,
                        const char *expected)
{
    struct dstr text = DSTR_INIT;
    queue_list_cell(l, row, column, &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void expect_names(const struct queue_list *l, const char *const *names, uint32_t n)
{
    assert_int_equal(queue_list_count(l), n);
    for (uint32_t row = 0; row < n; row++)
        expect_cell(l, row, QUEUE_NAME, names[row]);
}

static void test_instances_stand_below_each_other_by_name(void **state)
{
    const struct cell_of_queues *c = *state;
    static const char *const names[] = { "all.q@node1", "all.q@node2", "low.q@node1" };
    expect_names(c->list, names, 3);
    expect_cell(c->list, 1, QUEUE_TYPE, "B");
    expect_cell(c->list, 1, QUEUE_USED, "1");
    expect_cell(c->list, 1, QUEUE_SLOTS, "4");
    expect_cell(c->list, 1, QUEUE_LOAD, "0.25");
    expect_cell(c->list, 0, QUEUE_LOAD, "");
    expect_cell(c->list, 2, QUEUE_STATES, "d");
}

static void test_a_row_says_why_its_queue_is_out_in_one_line(void **state)
{
    const struct cell_of_queues *c = *state;
    expect_cell(c->list, 0, QUEUE_STATES, "uE");
    expect_cell(c->list, 0, QUEUE_WHY,
                "job 7 could not start its directory has gone; no contact with its host");
    assert_int_equal(queue_list_look(c->list, 0), LOOK_ERROR);
    assert_int_equal(queue_list_look(c->list, 1), LOOK_RUNNING);
    assert_int_equal(queue_list_look(c->list, 2), LOOK_HELD);
}

static void test_queues_and_hosts_are_rows_that_sum_up(void **state)
{
    const struct cell_of_queues *c = *state;
    static const char *const by_queue[] = { "- all.q", "     all.q@node1", "     all.q@node2",
                                            "- low.q", "     low.q@node1" };
    static const char *const by_host[] = { "- node1", "     all.q@node1", "     low.q@node1",
                                           "- node2", "     all.q@node2" };
    queue_list_order(c->list, QUEUES_BY_QUEUE);
    expect_names(c->list, by_queue, 5);
    expect_cell(c->list, 0, QUEUE_USED, "4");
    expect_cell(c->list, 0, QUEUE_SLOTS, "8");
    assert_string_equal(queue_list_name(c->list, queue_list_key(c->list, 0)), "all.q");
    queue_list_order(c->list, QUEUES_BY_HOST);
    expect_names(c->list, by_host, 5);
    expect_cell(c->list, 0, QUEUE_SLOTS, "6");
    assert_string_equal(queue_list_name(c->list, queue_list_key(c->list, 0)), "*@node1");
    assert_string_equal(queue_list_name(c->list, queue_list_key(c->list, 1)), "all.q@node1");
}

static void test_a_closed_row_hides_what_is_below_it_and_stays_closed(void **state)
{
    const struct cell_of_queues *c = *state;
    static const char *const closed[] = { "+ all.q", "- low.q", "     low.q@node1" };
    queue_list_order(c->list, QUEUES_BY_QUEUE);
    queue_list_turn(c->list, 0);
    expect_names(c->list, closed, 3);
    expect_cell(c->list, 0, QUEUE_USED, "4");
    take_all(c->list, &c->all);
    expect_names(c->list, closed, 3);
    queue_list_turn(c->list, 2); /* no group */
    expect_names(c->list, closed, 3);
    queue_list_turn(c->list, 0);
    assert_int_equal(queue_list_count(c->list), 5);
}

static void test_rows_keep_their_numbers_when_they_are_read_anew(void **state)
{
    const struct cell_of_queues *c = *state;
    uint32_t first = queue_list_key(c->list, 0), last = queue_list_key(c->list, 2);
    struct GA_Type now = { 0 };
    put_queue(&now, "aaa.q", "node1", 0, 1, 0);
    put_queue(&now, "low.q", "node1", 0, 2, 0);
    take_all(c->list, &now);
    assert_int_equal(queue_list_count(c->list), 2);
    assert_int_equal(queue_list_key(c->list, 1), last);
    assert_null(queue_list_name(c->list, first));
    cull_clear(&cull_GA_Type, &now);
}

static void test_columns_sort_and_words_choose(void **state)
{
    const struct cell_of_queues *c = *state;
    static const char *const by_used[] = { "low.q@node1", "all.q@node2", "all.q@node1" };
    static const char *const on_node1[] = { "all.q@node1", "low.q@node1" };
    queue_list_sort(c->list, QUEUE_USED);
    expect_names(c->list, by_used, 3);
    queue_list_sort(c->list, QUEUE_USED);
    queue_list_words(c->list, "@NODE1");
    expect_names(c->list, on_node1, 2);
    assert_int_equal(queue_list_instances(c->list), 3);
}

static void test_the_list_goes_to_a_file_as_text(void **state)
{
    const struct cell_of_queues *c = *state;
    struct dstr text = DSTR_INIT;
    queue_list_words(c->list, "low.q");
    queue_list_text(c->list, &text);
    assert_string_equal(dstr_get(&text), "queue\ttype\tused\tslots\tload\tarch\tstates\twhy\n"
                                         "low.q@node1\tB\t0\t2\t\t\td\t\n");
    dstr_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_instances_stand_below_each_other_by_name, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_row_says_why_its_queue_is_out_in_one_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_queues_and_hosts_are_rows_that_sum_up, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_closed_row_hides_what_is_below_it_and_stays_closed,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rows_keep_their_numbers_when_they_are_read_anew,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns_sort_and_words_choose, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_list_goes_to_a_file_as_text, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

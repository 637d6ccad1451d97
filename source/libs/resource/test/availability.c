/* What there is of a resource, and who says so (complex(5)). */
#include "libs/resource/availability.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/resource/consumption.h"

/* one queue instance, its host and the cell */
struct fixture {
    struct CE_Type_list complex;
    struct QU_Type *queue;
    struct EH_Type *host, *cell;
};

static int set_up(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .queue = cull_new(&cull_QU_Type),
                          .host = host_template("node1"),
                          .cell = host_template(HOST_OF_CELL) };
    complex_template(&t.complex);
    cull_set(t.queue, QU_qname, "all.q");
    cull_mark(t.queue, QU_consumable_config_list);
    cull_mark(t.queue, QU_taken);
    cull_mark(t.host, EH_taken);
    cull_mark(t.cell, EH_taken);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    complex_list_clear(&t->complex);
    cull_delete(&cull_QU_Type, t->queue);
    cull_delete(&cull_EH_Type, t->host);
    cull_delete(&cull_EH_Type, t->cell);
    return 0;
}

static struct CE_Type *find_resource(struct fixture *t, const char *name)
{
    struct CE_Type *ce = cull_find(&cull_CE_Type, &t->complex, name);
    assert_non_null(ce);
    return ce;
}

static void make_consumable(struct fixture *t, const char *name)
{
    cull_set(find_resource(t, name), CE_consumable, (uint32_t)COMPLEX_CONSUMABLE_YES);
}

static void add_offer(struct CE_Type_list *offers, const char *name, const char *value)
{
    struct CE_Type *ce = cull_push(offers);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_stringval, value);
}

static void add_taken(struct TK_Type_list *taken, const char *name, uint64_t amount)
{
    struct TK_Type *tk = cull_push(taken);
    cull_set(tk, TK_name, name);
    cull_set(tk, TK_amount, amount);
}

static void add_load(struct EH_Type *host, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(host, EH_load_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

/* "hc:4": the host, of what runs out, has 4; "": nobody says anything */
static const char *said_of(struct fixture *t, const char *name)
{
    static char text[64];
    struct offering offering = { t->queue, t->host, t->cell, &t->complex };
    struct available a;
    if (!available_find(&offering, find_resource(t, name), &a))
        return "";
    (void)snprintf(text, sizeof text, "%c%c:%s", a.place, a.kind, available_text(&a));
    return text;
}

static void what_nobody_speaks_of_is_not_there(void **state)
{
    assert_string_equal(said_of(*state, "mem_free"), "");
    make_consumable(*state, "mem_free");
    assert_string_equal(said_of(*state, "mem_free"), "");
}

static void of_what_runs_out_the_least_that_is_left_counts(void **state)
{
    struct fixture *t = *state;
    make_consumable(t, "swap_free");
    add_offer(&t->cell->EH_consumable_config_list, "swap_free", "100");
    assert_string_equal(said_of(t, "swap_free"), "gc:100");
    add_offer(&t->host->EH_consumable_config_list, "swap_free", "60");
    assert_string_equal(said_of(t, "swap_free"), "hc:60");
    add_offer(&t->queue->QU_consumable_config_list, "swap_free", "50");
    add_taken(&t->queue->QU_taken, "swap_free", 10);
    assert_string_equal(said_of(t, "swap_free"), "qc:40");
    add_taken(&t->host->EH_taken, "swap_free", 30);
    assert_string_equal(said_of(t, "swap_free"), "hc:30");
    add_taken(&t->cell->EH_taken, "swap_free", 110);
    assert_string_equal(said_of(t, "swap_free"), "gc:-10");
}

static void what_has_no_limit_is_infinite(void **state)
{
    struct fixture *t = *state;
    make_consumable(t, "swap_free");
    add_offer(&t->cell->EH_consumable_config_list, "swap_free", "INFINITY");
    assert_string_equal(said_of(t, "swap_free"), "gc:infinity");
    add_offer(&t->host->EH_consumable_config_list, "swap_free", "5");
    assert_string_equal(said_of(t, "swap_free"), "hc:5");
}

static void a_load_value_counts_if_it_is_less_than_what_is_left(void **state)
{
    struct fixture *t = *state;
    make_consumable(t, "mem_free");
    add_load(t->host, "mem_free", "2K");
    assert_string_equal(said_of(t, "mem_free"), "hl:2K");
    add_offer(&t->host->EH_consumable_config_list, "mem_free", "4K");
    assert_string_equal(said_of(t, "mem_free"), "hl:2K");
    add_taken(&t->host->EH_taken, "mem_free", 3 * 1024);
    assert_string_equal(said_of(t, "mem_free"), "hc:1024");
    assert_int_equal(host_set(t->host, "load_scaling", "mem_free=0.25", NULL), 0);
    assert_string_equal(said_of(t, "mem_free"), "hL:512");
}

static void parts_of_a_double_are_kept(void **state)
{
    struct fixture *t = *state;
    make_consumable(t, "load_avg");
    add_offer(&t->host->EH_consumable_config_list, "load_avg", "1.5");
    add_taken(&t->host->EH_taken, "load_avg", amount_asked(COMPLEX_DOUBLE, "1.75"));
    assert_string_equal(said_of(t, "load_avg"), "hc:-0.250000");
}

static void slots_are_those_of_the_queue_and_what_its_host_says(void **state)
{
    struct fixture *t = *state;
    cull_set(t->queue, QU_job_slots, 8u);
    cull_set(t->queue, QU_slots_used, 3u);
    assert_string_equal(said_of(t, "slots"), "qc:5");
    add_offer(&t->host->EH_consumable_config_list, "slots", "6");
    add_taken(&t->host->EH_taken, "slots", 3);
    assert_string_equal(said_of(t, "slots"), "hc:3");
}

static void of_all_else_the_queue_counts_before_its_host_and_that_before_the_cell(void **state)
{
    struct fixture *t = *state;
    add_offer(&t->cell->EH_consumable_config_list, "arch", "any");
    assert_string_equal(said_of(t, "arch"), "gf:any");
    add_load(t->host, "arch", "lx-amd64");
    assert_string_equal(said_of(t, "arch"), "hl:lx-amd64");
    add_offer(&t->host->EH_consumable_config_list, "arch", "special");
    assert_string_equal(said_of(t, "arch"), "hf:special");
    add_offer(&t->queue->QU_consumable_config_list, "arch", "mine");
    assert_string_equal(said_of(t, "arch"), "qf:mine");
    assert_string_equal(said_of(t, "qname"), "qf:all.q");
}

static void a_host_alone_has_its_name(void **state)
{
    struct fixture *t = *state;
    struct QU_Type *queue = t->queue;
    t->queue = NULL;
    assert_string_equal(said_of(t, "hostname"), "hf:node1");
    assert_string_equal(said_of(t, "qname"), "");
    t->queue = queue;
}

/* "yes", or "no " and what there is at most, with what bounds it */
static const char *could_meet(struct fixture *t, const char *name, const char *wanted)
{
    static char text[64];
    struct offering offering = { t->queue, t->host, t->cell, &t->complex };
    struct available a;
    if (available_could_meet(&offering, find_resource(t, name), wanted, &a))
        return "yes";
    if (a.place == '\0')
        return "no";
    (void)snprintf(text, sizeof text, "no %c%c:%s=%s", a.place, a.kind,
                   a.bound != NULL ? a.bound : name, available_text(&a));
    return text;
}

static void numbers_of_hosts_are_bounded_by_those_that_do_not_change(void **state)
{
    struct fixture *t = *state;
    assert_string_equal(could_meet(t, "mem_free", "1G"), "no"); /* nothing is known */
    add_load(t->host, "mem_free", "1G");
    assert_string_equal(could_meet(t, "mem_free", "9000G"), "yes");
    add_load(t->host, "mem_total", "16G");
    assert_string_equal(could_meet(t, "mem_free", "9000G"), "no hl:mem_total=16G");
    assert_string_equal(could_meet(t, "mem_free", "15G"), "yes");
    assert_string_equal(could_meet(t, "mem_total", "17G"), "no hl:mem_total=16G");
    add_load(t->host, "num_proc", "4");
    assert_string_equal(could_meet(t, "num_proc", "8"), "no hl:num_proc=4");
    add_load(t->host, "load_avg", "3");
    assert_string_equal(could_meet(t, "load_avg", "0"), "yes");
    add_load(t->host, "arch", "lx-amd64");
    assert_string_equal(could_meet(t, "arch", "sol*"), "no hl:arch=lx-amd64");
    make_consumable(t, "mem_free");
    add_offer(&t->host->EH_consumable_config_list, "mem_free", "32G");
    assert_string_equal(could_meet(t, "mem_free", "20G"), "no hl:mem_total=16G");
}

static void what_runs_out_counts_as_if_nothing_were_taken(void **state)
{
    struct fixture *t = *state;
    make_consumable(t, "swap_free");
    assert_string_equal(could_meet(t, "swap_free", "1"), "no");
    add_offer(&t->host->EH_consumable_config_list, "swap_free", "60");
    add_taken(&t->host->EH_taken, "swap_free", 60);
    assert_string_equal(could_meet(t, "swap_free", "60"), "yes");
    assert_string_equal(could_meet(t, "swap_free", "61"), "no hc:swap_free=60");
}

#define OFFERED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        OFFERED(what_nobody_speaks_of_is_not_there),
        OFFERED(of_what_runs_out_the_least_that_is_left_counts),
        OFFERED(what_has_no_limit_is_infinite),
        OFFERED(a_load_value_counts_if_it_is_less_than_what_is_left),
        OFFERED(parts_of_a_double_are_kept),
        OFFERED(slots_are_those_of_the_queue_and_what_its_host_says),
        OFFERED(of_all_else_the_queue_counts_before_its_host_and_that_before_the_cell),
        OFFERED(a_host_alone_has_its_name),
        OFFERED(numbers_of_hosts_are_bounded_by_those_that_do_not_change),
        OFFERED(what_runs_out_counts_as_if_nothing_were_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Requests name hosts in many ways; behind spell_hosts each has one spelling. */
#include "daemons/qmaster/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/test/fixture.h"
#include "libs/config/cqueue.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"

/* what TARGET calls SAID once it is spelled, of the selection; borrowed until the next call */
static const char *selected_as(struct fixture *f, enum gdi_target target, const char *said)
{
    static struct GR_Type gr;
    cull_clear(&cull_GR_Type, &gr);
    cull_set(&gr, GR_target, (uint32_t)target);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, said);
    spell_hosts(&f->q, &gr);
    return gr.GR_select.v[0].ID_str;
}

static void use_aliases(const char *text)
{
    assert_int_equal(host_aliases_use(text, "host_aliases", NULL), 0);
}

static void a_host_is_called_by_its_unique_name(void **state)
{
    struct fixture *f = *state;
    use_aliases("node1 node1-ib\n");
    static const enum gdi_target targets[] = { GDI_EXECHOST, GDI_ADMINHOST, GDI_SUBMITHOST,
                                               GDI_CONFIG };
    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        assert_string_equal(selected_as(f, targets[i], "NODE1.example.org"), "node1");
        assert_string_equal(selected_as(f, targets[i], "Node1-IB"), "node1");
        assert_string_equal(selected_as(f, targets[i], "10.0.0.7"), "10.0.0.7");
    }
    assert_string_equal(selected_as(f, GDI_QINSTANCE, "All.q@Node1-IB"), "All.q@node1");
    use_aliases("");
}

static void what_is_no_host_stays(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(selected_as(f, GDI_EXECHOST, "NODE*"), "NODE*");
    assert_string_equal(selected_as(f, GDI_QINSTANCE, "*@@Big"), "*@@Big");
    assert_string_equal(selected_as(f, GDI_QINSTANCE, "Long.q"), "Long.q");
    assert_string_equal(selected_as(f, GDI_MANAGER, "Boss"), "Boss");
    assert_string_equal(selected_as(f, GDI_PE, "Make"), "Make");
    assert_string_equal(selected_as(f, GDI_JOB, "Node1"), "Node1");
}

static void a_host_that_is_stored_otherwise_keeps_its_name(void **state)
{
    struct fixture *f = *state;
    hosts_add(&f->q.hosts, "Old.example.org");
    assert_string_equal(selected_as(f, GDI_EXECHOST, "Old.example.org"), "Old.example.org");
    assert_string_equal(selected_as(f, GDI_EXECHOST, "Old.example.com"), "old");
}

static void objects_that_come_name_hosts_so(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    struct CQ_Type *cq = cqueue_template("a.q");
    assert_int_equal(cqueue_set(cq, "hostlist", "NODE1.a @Big", NULL), 0);
    assert_int_equal(cqueue_set(cq, "slots", "1,[NODE1.a=2],[@Big=3]", NULL), 0);
    cull_copy(&cull_CQ_Type, cull_append(&gr, GR_cqueues), cq);
    spell_hosts(&f->q, &gr);
    struct dstr text = DSTR_INIT;
    assert_true(cqueue_value(&gr.GR_cqueues.v[0], "slots", &text));
    assert_string_equal(dstr_get(&text), "1,[node1=2],[@Big=3]");
    dstr_clear(&text);
    assert_true(cqueue_value(&gr.GR_cqueues.v[0], "hostlist", &text));
    assert_string_equal(dstr_get(&text), "node1 @Big");
    dstr_free(&text);
    cull_delete(&cull_CQ_Type, cq);
    cull_clear(&cull_GR_Type, &gr);
}

static void a_group_that_comes_names_hosts_so(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_HOSTGROUP);
    struct TX_Type *group = cull_append(&gr, GR_texts);
    struct VA_Type *list = cull_append(group, TX_entries);
    cull_set(list, VA_variable, "hostlist");
    cull_set(list, VA_value, "NODE1.a,Node2  @Big");
    spell_hosts(&f->q, &gr);
    assert_string_equal(gr.GR_texts.v[0].TX_entries.v[0].VA_value, "node1 node2 @Big");
    cull_clear(&cull_GR_Type, &gr);
}

/* whatever a foreign sender leaves out */
static void what_is_missing_is_passed_by(void **state)
{
    struct fixture *f = *state;
    static const enum gdi_target targets[] = { GDI_EXECHOST,  GDI_ADMINHOST, GDI_CONFIG,
                                               GDI_QINSTANCE, GDI_CQUEUE,    GDI_HOSTGROUP };
    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        struct GR_Type gr = { 0 };
        cull_set(&gr, GR_target, (uint32_t)targets[i]);
        (void)cull_append(&gr, GR_select);
        (void)cull_append(&gr, GR_hosts);
        (void)cull_append(&gr, GR_names);
        (void)cull_append(&gr, GR_confs);
        struct CQ_Type *cq = cull_append(&gr, GR_cqueues);
        (void)cull_append(cq, CQ_hostlist);
        (void)cull_append(cq, CQ_slots);
        struct TX_Type *group = cull_append(&gr, GR_texts);
        (void)cull_append(group, TX_entries);
        spell_hosts(&f->q, &gr);
        assert_null(gr.GR_cqueues.v[0].CQ_hostlist.v[0].ST_name);
        cull_clear(&cull_GR_Type, &gr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_host_is_called_by_its_unique_name),
        TEST(what_is_no_host_stays),
        TEST(a_host_that_is_stored_otherwise_keeps_its_name),
        TEST(objects_that_come_name_hosts_so),
        TEST(a_group_that_comes_names_hosts_so),
        TEST(what_is_missing_is_passed_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

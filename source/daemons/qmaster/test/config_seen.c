/* Who changes what he read, and says so, does not write over what somebody else did to it
 * meanwhile: of all kinds alike. qconf(1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"

static int change_queue(void *record, const char *value)
{
    return cqueue_set(record, "slots", value, NULL);
}

static int change_host(void *record, const char *value)
{
    char text[32];
    host_complete(record);
    snprintf(text, sizeof text, "slots=%s", value);
    return host_set(record, "complex_values", text, NULL);
}

static int change_conf(void *record, const char *value)
{
    return conf_set(record, "max_u_jobs", value, NULL);
}

static int change_sched(void *record, const char *value)
{
    return conf_set(record, "max_reservation", value, NULL);
}

static int change_pe(void *record, const char *value)
{
    return object_set(object_rules_of(OBJECT_PE), record, "slots", value, NULL);
}

struct sort {
    enum gdi_target target;
    const char *name, *noun;
    unsigned answer, request, seen; /* fields of GA_Type and GR_Type */
    int (*change)(void *record, const char *value);
};
static const struct sort sorts[] = {
    { GDI_CQUEUE, "all.q", "cluster queue", GA_cqueues, GR_cqueues, GR_seen_cqueues, change_queue },
    { GDI_EXECHOST, "node1", "exechost", GA_hosts, GR_hosts, GR_seen_hosts, change_host },
    { GDI_CONFIG, CONF_GLOBAL, "configuration", GA_confs, GR_confs, GR_seen_confs, change_conf },
    { GDI_SCHEDCONF, CONF_SCHEDULER, "scheduler configuration", GA_confs, GR_confs, GR_seen_confs,
      change_sched },
    { GDI_PE, "omp", "parallel environment", GA_texts, GR_texts, GR_seen, change_pe },
};

static const struct cull_type *type_of(const struct sort *s)
{
    return cull_GR_Type.fields[s->request].element;
}

static const void *first_of(const struct sort *s, const struct GA_Type *ga)
{
    const struct cull_list *l = cull_member(&cull_GA_Type, ga, s->answer);
    assert_int_equal(l->n, 1);
    return l->v;
}

static void append_copy(struct GR_Type *gr, unsigned field, const void *record)
{
    const struct cull_field *list = &cull_GR_Type.fields[field];
    cull_copy(list->element, cull_append_element(gr, list->offset, field, list->element->bytes),
              record);
}

/* what the answer says when SEEN becomes what CHANGE makes of it and VALUE */
static const char *change_seen(struct fixture *f, const struct sort *s, const void *seen,
                               const char *value)
{
    struct GR_Type gr = { 0 };
    append_copy(&gr, s->seen, seen);
    append_copy(&gr, s->request, seen);
    const struct cull_list *l = cull_member(&cull_GR_Type, &gr, s->request);
    assert_int_equal(s->change(l->v, value), 0);
    return ask_as(f, "boss", mod_config_request, s->target, &gr);
}

static void refusal_of(const struct sort *s, char *out, size_t len)
{
    snprintf(out, len, "denied: %s \"%s\" has changed since it was read", s->noun, s->name);
}

/* two read it, and both change what they read: the second is refused, and hears why */
static void a_change_of_what_has_changed_meanwhile_is_refused(void **state)
{
    struct fixture *f = *state;
    (void)put_object(f, add_config_request, GDI_PE, "omp", "slots", "9");
    for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
        const struct sort *s = &sorts[i];
        char refusal[128];
        refusal_of(s, refusal, sizeof refusal);
        struct GA_Type before = get_objects(f, s->target, s->name, NULL);
        assert_null(strstr(change_seen(f, s, first_of(s, &before), "10"), "denied"));
        struct GA_Type changed = get_objects(f, s->target, s->name, NULL);
        assert_false(cull_equal(type_of(s), first_of(s, &before), first_of(s, &changed)));
        assert_string_equal(change_seen(f, s, first_of(s, &before), "11"), refusal);
        struct GA_Type after = get_objects(f, s->target, s->name, NULL);
        assert_true(cull_equal(type_of(s), first_of(s, &changed), first_of(s, &after)));
        assert_null(strstr(change_seen(f, s, first_of(s, &after), "12"), "denied"));
        cull_clear(&cull_GA_Type, &before);
        cull_clear(&cull_GA_Type, &changed);
        cull_clear(&cull_GA_Type, &after);
    }
}

static void the_spool_brings_back_what_was_seen(void **state)
{
    struct fixture *f = *state;
    (void)put_object(f, add_config_request, GDI_PE, "omp", "slots", "9");
    for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
        struct GA_Type before = get_objects(f, sorts[i].target, sorts[i].name, NULL);
        restart_qmaster(f);
        assert_null(
            strstr(change_seen(f, &sorts[i], first_of(&sorts[i], &before), "10"), "denied"));
        cull_clear(&cull_GA_Type, &before);
    }
}

static void a_report_of_load_is_no_change_of_a_host(void **state)
{
    struct fixture *f = *state;
    const struct sort *host = &sorts[1];
    struct GA_Type before = get_objects(f, GDI_EXECHOST, "node1", NULL);
    struct host *h = hosts_find(&f->q.hosts, "node1");
    struct VA_Type *load = cull_append(&h->rec, EH_load_list);
    cull_set(load, VA_variable, "np_load_avg");
    cull_set(load, VA_value, "0.75");
    cull_set(&h->rec, EH_lt_heard_from, h->rec.EH_lt_heard_from + 40);
    assert_null(strstr(change_seen(f, host, first_of(host, &before), "10"), "denied"));
    cull_clear(&cull_GA_Type, &before);
}

static void what_has_gone_meanwhile_is_not_made_again(void **state)
{
    struct fixture *f = *state;
    const struct sort *pe = &sorts[4];
    (void)put_object(f, add_config_request, GDI_PE, "omp", "slots", "9");
    struct GA_Type before = get_objects(f, GDI_PE, "omp", NULL);
    (void)delete_as(f, "boss", GDI_PE, "omp");
    assert_string_equal(change_seen(f, pe, first_of(pe, &before), "10"),
                        "denied: parallel environment \"omp\" has changed since it was read");
    assert_int_equal(count_objects(f, GDI_PE, "omp"), 0);
    cull_clear(&cull_GA_Type, &before);
}

static void what_has_changed_meanwhile_is_not_removed(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    (void)put_object(f, add_config_request, GDI_PE, "omp", "slots", "9");
    struct GA_Type before = get_objects(f, GDI_PE, "omp", NULL);
    (void)put_object(f, mod_config_request, GDI_PE, "omp", "slots", "10");
    append_copy(&gr, GR_seen, &before.GA_texts.v[0]);
    cull_set((struct ID_Type *)cull_append(&gr, GR_select), ID_str, "omp");
    assert_string_equal(ask_as(f, "boss", del_config_request, GDI_PE, &gr),
                        "denied: parallel environment \"omp\" has changed since it was read");
    assert_int_equal(count_objects(f, GDI_PE, "omp"), 1);
    cull_clear(&cull_GA_Type, &before);
}

/* who may not change anything learns nothing of what it is by now */
static void users_hear_first_that_they_may_not(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    append_copy(&gr, GR_seen_cqueues, &(struct CQ_Type){ 0 });
    cull_set(&gr.GR_seen_cqueues.v[0], CQ_name, "all.q");
    append_copy(&gr, GR_cqueues, &gr.GR_seen_cqueues.v[0]);
    assert_string_equal(ask_as(f, "alice", mod_config_request, GDI_CQUEUE, &gr),
                        "denied: \"alice\" must be manager for this operation");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_change_of_what_has_changed_meanwhile_is_refused),
        TEST(the_spool_brings_back_what_was_seen),
        TEST(a_report_of_load_is_no_change_of_a_host),
        TEST(what_has_gone_meanwhile_is_not_made_again),
        TEST(what_has_changed_meanwhile_is_not_removed),
        TEST(users_hear_first_that_they_may_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/sgeobj/event.c: an event without what its kind needs is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/event.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"

static void expect_refused(const struct EV_Type *event)
{
    struct answer ans = ANSWER_INIT;

    assert_int_equal(event_check(event, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EPROTO);
    ans_free(&ans);
    assert_int_equal(event_check(event, NULL), -1);
}

static void an_empty_event_is_refused_but_for_marks(void **state SGE_UNUSED)
{
    for (uint32_t kind = 0; kind <= EV_KINDS + 1; kind++) {
        struct EV_Type event = { 0 };
        cull_set(&event, EV_kind, kind);
        if (kind == EV_SYNCED || kind == EV_TRIGGER || kind == EV_ANEW)
            assert_int_equal(event_check(&event, NULL), 0);
        else
            expect_refused(&event);
    }
}

static void empty_records_do_not_help(void **state SGE_UNUSED)
{
    static const uint32_t kinds[] = { EV_JOB_ADD,  EV_JOB_MOD, EV_QUEUE_ADD,  EV_QUEUE_MOD,
                                      EV_CONF,     EV_OBJECT,  EV_OBJECT_DEL, EV_HOST,
                                      EV_HOST_DEL, EV_AR,      EV_AR_DEL };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct EV_Type event = { 0 };
        cull_set(&event, EV_kind, kinds[i]);
        (void)cull_append(&event, EV_jobs);
        (void)cull_append(&event, EV_queues);
        (void)cull_append(&event, EV_confs);
        (void)cull_append(&event, EV_texts);
        (void)cull_append(&event, EV_hosts);
        (void)cull_append(&event, EV_ars);
        expect_refused(&event);
        cull_clear(&cull_EV_Type, &event);
    }
}

static void whole_events_pass(void **state SGE_UNUSED)
{
    struct EV_Type event = { 0 };
    struct JB_Type *job = cull_append(&event, EV_jobs);
    struct QU_Type *queue = cull_append(&event, EV_queues);
    struct CONF_Type *conf = cull_append(&event, EV_confs);
    cull_set((struct AR_Type *)cull_append(&event, EV_ars), AR_id, 1u);

    cull_set(job, JB_job_number, 1);
    cull_set(queue, QU_full_name, "all.q@a");
    cull_set(conf, CONF_name, "@scheduler");
    cull_set((struct TX_Type *)cull_append(&event, EV_texts), TX_name, "smp");
    cull_set((struct EH_Type *)cull_append(&event, EV_hosts), EH_name, "a");
    cull_set(&event, EV_job_number, 1);
    cull_set(&event, EV_queue, "all.q@a");
    cull_set(&event, EV_owner, "alice");
    struct JG_Type *entry = cull_append(&event, EV_granted);
    cull_set(entry, JG_qname, "all.q@a");
    for (uint32_t kind = 1; kind < EV_KINDS; kind++) {
        cull_set(&event, EV_kind, kind);
        assert_int_equal(event_check(&event, NULL), 0);
    }
    cull_clear(&cull_EV_Type, &event);
}

static void each_kind_has_a_name_and_is_found_by_it(void **state SGE_UNUSED)
{
    for (uint32_t kind = 1; kind < EV_KINDS; kind++)
        assert_int_equal(event_kind_find(event_kind_name(kind)), kind);
    assert_int_equal(event_kind_find("Job_Add"), EV_JOB_ADD);
    assert_int_equal(event_kind_find("job_flown"), 0);
    assert_null(event_kind_name(0));
    assert_null(event_kind_name(EV_KINDS));
}

static void an_allocation_names_each_queue_instance_once(void **state SGE_UNUSED)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)EV_TASKS_STARTED);
    cull_set(&event, EV_job_number, 1);
    expect_refused(&event);
    struct JG_Type *entry = cull_append(&event, EV_granted);
    expect_refused(&event);
    cull_set(entry, JG_qname, "all.q@a");
    assert_int_equal(event_check(&event, NULL), 0);
    entry = cull_append(&event, EV_granted);
    cull_set(entry, JG_qname, "all.q@a");
    expect_refused(&event);
    cull_set(entry, JG_qname, "all.q@b");
    assert_int_equal(event_check(&event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_event_is_refused_but_for_marks),
        cmocka_unit_test(empty_records_do_not_help),
        cmocka_unit_test(whole_events_pass),
        cmocka_unit_test(each_kind_has_a_name_and_is_found_by_it),
        cmocka_unit_test(an_allocation_names_each_queue_instance_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

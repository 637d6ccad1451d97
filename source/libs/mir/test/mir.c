/* A mirror knows what it was told, and no more. */
#include "libs/mir/mir.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/sgeobj/object_kind.h"
#include "libs/sgeobj/test/event_lines.h"
#include "libs/uti/answer.h"

static void feed_line(struct mir *m, const char *line)
{
    struct EV_Type *event = feed_event(line);
    assert_int_equal(mir_apply(m, event, NULL), 0);
    cull_delete(&cull_EV_Type, event);
}

static void feed_mark(struct mir *m, uint32_t kind)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, kind);
    assert_int_equal(mir_apply(m, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static void objects_come_change_and_go(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    feed_line(m, "queue all.q@a 4");
    feed_line(m, "job 7 0-9 owner alice");
    assert_string_equal(mir_job(m, 7)->JB_owner, "alice");
    assert_int_equal(mir_queue(m, "all.q@a")->QU_job_slots, 4);
    feed_line(m, "queue+ all.q@a 8");
    assert_int_equal(mir_queue(m, "all.q@a")->QU_job_slots, 8);
    feed_line(m, "del 7");
    feed_line(m, "delq all.q@a");
    assert_null(mir_job(m, 7));
    assert_null(mir_queue(m, "all.q@a"));
    feed_line(m, "del 7"); /* of what is not known */
    feed_line(m, "object 12 night");
    feed_line(m, "object 14 night");
    assert_string_equal(mir_object(m, OBJECT_CALENDAR, "night")->TX_name, "night");
    feed_line(m, "delo 14 night");
    assert_null(mir_object(m, OBJECT_CALENDAR, "night"));
    assert_non_null(mir_object(m, OBJECT_PE, "night"));
    mir_free(m);
    mir_free(NULL);
}

static void a_change_keeps_what_it_does_not_name_and_a_new_object_does_not(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    struct EV_Type change = { 0 };
    feed_line(m, "job 7 0-9 owner alice");
    cull_set(&change, EV_kind, (uint32_t)EV_JOB_MOD);
    struct JB_Type *job = cull_append(&change, EV_jobs);
    cull_set(job, JB_job_number, 7u);
    cull_set(job, JB_priority, 1030u);
    assert_int_equal(mir_apply(m, &change, NULL), 0);
    assert_string_equal(mir_job(m, 7)->JB_owner, "alice");
    assert_int_equal(mir_job(m, 7)->JB_priority, 1030);
    cull_set(&change, EV_kind, (uint32_t)EV_JOB_ADD);
    assert_int_equal(mir_apply(m, &change, NULL), 0);
    assert_null(mir_job(m, 7)->JB_owner);
    cull_clear(&cull_EV_Type, &change);
    mir_free(m);
}

static void tasks_are_on_the_board_and_anew_forgets_all(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    feed_line(m, "job 7 0-9");
    feed_line(m, "conf weight_priority 1");
    feed_line(m, "started 7 0-1 all.q@a");
    feed_line(m, "ended 7 0-1 all.q@a");
    feed_line(m, "ready 8 0-1");
    feed_mark(m, EV_SYNCED);
    assert_non_null(mir_job(m, 7));
    feed_mark(m, EV_ANEW);
    assert_null(mir_job(m, 7));
    assert_null(mir_conf(m, "weight_priority"));
    assert_non_null(board_job(mir_board(m), 7)); /* until it comes again, or EV_SYNCED */
    feed_mark(m, EV_SYNCED);
    assert_null(mir_job(m, 7));
    mir_free(m);
}

static void apply_host(struct mir *m, uint32_t kind, const char *name, const char *load)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, kind);
    struct EH_Type *host = cull_append(&event, EV_hosts);
    cull_set(host, EH_name, name);
    if (load != NULL) {
        struct VA_Type *value = cull_append(host, EH_load_list);
        cull_set(value, VA_variable, "load_avg");
        cull_set(value, VA_value, load);
    }
    assert_int_equal(mir_apply(m, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static void hosts_have_their_latest_load(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    apply_host(m, EV_HOST, "node1", "0.5");
    apply_host(m, EV_HOST, "node2", "1.0");
    apply_host(m, EV_HOST, "node1", "0.7");
    assert_int_equal(mir_host(m, "node1")->EH_load_list.n, 1);
    assert_string_equal(mir_host(m, "node1")->EH_load_list.v[0].VA_value, "0.7");
    apply_host(m, EV_HOST, "node1", NULL); /* says nothing of its load */
    assert_string_equal(mir_host(m, "node1")->EH_load_list.v[0].VA_value, "0.7");
    apply_host(m, EV_HOST_DEL, "node1", NULL);
    apply_host(m, EV_HOST_DEL, "node3", NULL);
    assert_null(mir_host(m, "node1"));
    assert_non_null(mir_host(m, "node2"));
    mir_free(m);
}

static void add_slots(void *ctx, const struct QU_Type *queue)
{
    *(uint32_t *)ctx += queue->QU_job_slots;
}

static void queues_are_walked_and_known_again_after_anew(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    uint32_t slots = 0;
    feed_line(m, "queue+ all.q@b 2"); /* a change before its object: out of order */
    feed_line(m, "queue all.q@a 4");
    mir_each_queue(m, add_slots, &slots);
    assert_int_equal(slots, 6);
    assert_int_equal(mir_queues(m), 2);
    feed_mark(m, EV_ANEW);
    assert_int_equal(mir_queues(m), 0);
    feed_line(m, "queue all.q@a 8");
    feed_mark(m, EV_SYNCED);
    assert_int_equal(mir_queue(m, "all.q@a")->QU_job_slots, 8);
    assert_null(mir_queue(m, "all.q@b"));
    mir_free(m);
}

static void a_malformed_event_changes_nothing(void **state SGE_UNUSED)
{
    struct mir *m = mir_new();
    feed_line(m, "job 7 0-9");
    for (uint32_t kind = 0; kind <= EV_KINDS; kind++) {
        struct EV_Type event = { 0 };
        struct answer ans = ANSWER_INIT;
        cull_set(&event, EV_kind, kind);
        if (kind == EV_SYNCED || kind == EV_TRIGGER || kind == EV_ANEW)
            continue;
        assert_int_equal(mir_apply(m, &event, &ans), -1);
        assert_true(ans_has_error(&ans));
        ans_free(&ans);
        cull_clear(&cull_EV_Type, &event);
    }
    assert_non_null(mir_job(m, 7));
    mir_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_come_change_and_go),
        cmocka_unit_test(a_change_keeps_what_it_does_not_name_and_a_new_object_does_not),
        cmocka_unit_test(tasks_are_on_the_board_and_anew_forgets_all),
        cmocka_unit_test(hosts_have_their_latest_load),
        cmocka_unit_test(queues_are_walked_and_known_again_after_anew),
        cmocka_unit_test(a_malformed_event_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

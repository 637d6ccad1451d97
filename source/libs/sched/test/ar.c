/* Tests of libs/sched/supply/ar.c: advance reservations that are to come, that have begun, and
 * their jobs. */
#include "libs/sgeobj/ar.h"

#include "libs/sched/test/feed.h"
#include "libs/sgeobj/event.h"

static void apply_event(struct sched *s, struct EV_Type *e)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(sched_apply(s, e, &ans), 0);
    ans_free(&ans);
    cull_clear(&cull_EV_Type, e);
}

/* reservation ID of SLOTS of all.q@h, from START until END */
static void put_ar(struct sched *s, uint32_t id, enum ar_state state, uint64_t start_s,
                   uint64_t end_s, uint32_t slots)
{
    struct EV_Type e = { 0 };
    cull_set(&e, EV_kind, (uint32_t)EV_AR);
    struct AR_Type *ar = cull_append(&e, EV_ars);
    cull_set(ar, AR_id, id);
    cull_set(ar, AR_state, (uint32_t)state);
    cull_set(ar, AR_start_time, start_s);
    cull_set(ar, AR_end_time, end_s);
    struct JG_Type *granted = cull_append(ar, AR_granted);
    cull_set(granted, JG_qname, "all.q@h");
    cull_set(granted, JG_slots, slots);
    apply_event(s, &e);
}

static void block_ar(struct sched *s, uint32_t id, bool is_blocked)
{
    struct EV_Type e = { 0 };
    cull_set(&e, EV_kind, (uint32_t)EV_AR);
    struct AR_Type *ar = cull_append(&e, EV_ars);
    cull_set(ar, AR_id, id);
    cull_set(ar, AR_state, (uint32_t)AR_RUNNING);
    cull_set(ar, AR_start_time, UINT64_C(1000));
    cull_set(ar, AR_end_time, UINT64_C(2000));
    cull_set(ar, AR_is_blocked, is_blocked);
    apply_event(s, &e);
}

static void drop_ar(struct sched *s, uint32_t id)
{
    struct EV_Type e = { 0 };
    cull_set(&e, EV_kind, (uint32_t)EV_AR_DEL);
    cull_set((struct AR_Type *)cull_append(&e, EV_ars), AR_id, id);
    apply_event(s, &e);
}

/* JOB, with TASKS tasks, in the reservation AR */
static void put_job(struct sched *s, uint32_t job, uint32_t tasks, uint32_t ar, const char *pe,
                    uint32_t slots)
{
    struct EV_Type e = { 0 };
    cull_set(&e, EV_kind, (uint32_t)EV_JOB_ADD);
    range_set_add(cull_ranges(&e, EV_ids), 0, tasks - 1);
    struct JB_Type *rec = cull_append(&e, EV_jobs);
    cull_set(rec, JB_job_number, job);
    cull_set(rec, JB_owner, "u");
    cull_set(rec, JB_ar, ar);
    if (pe != NULL) {
        cull_set(rec, JB_pe, pe);
        range_set_add(cull_ranges(rec, JB_pe_range), slots, slots);
    }
    apply_event(s, &e);
}

static struct sched *four_slots(void)
{
    struct sched *s = sched_new();
    feed(s, "object 12 smp slots 999 allocation_rule $pe_slots");
    feed(s, "queue all.q@h 4 pes smp");
    return s;
}

static void what_ends_before_it_begins_starts_and_nothing_else(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_ar(s, 1, AR_WAITING, 2000, 2100, 3);
    feed(s, "job 1 0-5");
    expect_orders(s, 1000, 9, "1:0>all.q@h"); /* without an end; one slot is not reserved */
    feed(s, "job 2 0-9 l h_rt=1001");
    expect_orders(s, 1000, 9, "");
    feed(s, "job 3 0-9 l h_rt=1000");
    expect_orders(s, 1000, 9, "3:0-2>all.q@h");
    drop_ar(s, 1);
    feed(s, "ended 3 0-2 all.q@h");
    expect_orders(s, 1001, 2, "1:1-2>all.q@h");
    sched_free(s);
}

static void its_jobs_start_in_it_and_others_do_not(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_job(s, 1, 9, 7, NULL, 0);
    expect_orders(s, 1000, 9, "");
    put_ar(s, 7, AR_WAITING, 1010, 2000, 3);
    expect_orders(s, 1000, 9, "");
    put_ar(s, 7, AR_RUNNING, 1010, 2000, 3);
    expect_orders(s, 1010, 9, "1:0-2>all.q@h");
    feed(s, "job 2 0-5");
    expect_orders(s, 1010, 9, "2:0>all.q@h");
    feed(s, "started 1 0-2 all.q@h 1");
    feed(s, "ended 1 1 all.q@h");
    expect_orders(s, 1011, 9, "1:3>all.q@h");
    feed(s, "del 1");
    drop_ar(s, 7);
    expect_orders(s, 1012, 9, "2:1-3>all.q@h");
    sched_free(s);
}

static void a_parallel_job_has_what_is_reserved(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_ar(s, 7, AR_RUNNING, 1000, 2000, 4);
    put_job(s, 1, 1, 7, "smp", 5);
    put_job(s, 2, 1, 7, "smp", 4);
    expect_orders(s, 1000, 9, "2:0>smp:all.q@h=4");
    feed(s, "job 3 0");
    expect_orders(s, 1001, 9, "");
    sched_free(s);
}

static void a_part_follows_its_queue_instance(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_ar(s, 7, AR_RUNNING, 1000, 2000, 4);
    feed(s, "queue all.q@h 4 state 4 pes smp");
    put_job(s, 1, 1, 7, NULL, 0);
    expect_orders(s, 1000, 9, "");
    feed(s, "queue all.q@h 4 state 0 pes smp");
    expect_orders(s, 1001, 9, "1:0>all.q@h");
    sched_free(s);
}

/* a scheduler that is new hears of running tasks after their reservation, or of one that goes while
 * they end */
static void its_tasks_may_outlast_it(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_ar(s, 7, AR_ENDING, 1000, 1100, 2);
    put_job(s, 1, 1, 7, NULL, 0);
    feed(s, "started 1 0 all.q@h 1");
    drop_ar(s, 7);
    feed(s, "ended 1 0 all.q@h");
    feed(s, "job 2 0-9");
    expect_orders(s, 1101, 9, "2:0-3>all.q@h");
    sched_free(s);
}

/* -he y: nothing starts in any of its parts while something is wrong with one */
static void nothing_starts_while_it_is_blocked(void **state SGE_UNUSED)
{
    struct sched *s = four_slots();
    put_ar(s, 7, AR_RUNNING, 1000, 2000, 2);
    block_ar(s, 7, true);
    put_job(s, 1, 2, 7, NULL, 0);
    expect_orders(s, 1000, 9, "");
    feed(s, "queue all.q@h 4 state 0 pes smp");
    expect_orders(s, 1001, 9, "");
    block_ar(s, 7, false);
    expect_orders(s, 1002, 9, "1:0-1>all.q@h");
    sched_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ends_before_it_begins_starts_and_nothing_else),
        cmocka_unit_test(its_jobs_start_in_it_and_others_do_not),
        cmocka_unit_test(a_parallel_job_has_what_is_reserved),
        cmocka_unit_test(a_part_follows_its_queue_instance),
        cmocka_unit_test(its_tasks_may_outlast_it),
        cmocka_unit_test(nothing_starts_while_it_is_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

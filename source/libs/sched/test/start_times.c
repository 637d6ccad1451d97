/* Tests of libs/sched/run/start_times.c, against a start time for each task. */
#include "libs/sched/run/start_times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/alloc.h"

enum { IDS = 40, STEPS = 20000 };

static uint64_t dice = 88172645463325252u;

static uint32_t roll_dice(uint32_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (uint32_t)(dice % sides);
}

static void add_run(struct start_times *t, uint32_t first, uint32_t last, uint64_t at_s)
{
    struct range_set ids = { 0 };
    range_set_add(&ids, first, last);
    start_times_add(t, &ids, at_s);
    range_set_free(&ids);
}

static void tasks_that_start_together_are_one_run(void **state SGE_UNUSED)
{
    struct start_times t = { 0 };
    add_run(&t, 0, 3, 100);
    add_run(&t, 4, 4, 100);
    add_run(&t, 6, 6, 100);
    add_run(&t, 5, 5, 100);
    assert_int_equal(t.n, 1);
    assert_int_equal(start_times_runs(&t)[0].last, 6);
    add_run(&t, 7, 7, 101);
    assert_int_equal(t.n, 2);
    start_times_free(&t);
    assert_int_equal(t.n, 0);
    add_run(&t, 0, 0, 100);
    add_run(&t, 2, 2, 100);
    assert_int_equal(t.n, 2);
    start_times_free(&t);
}

static void one_run_takes_no_memory_of_its_own(void **state SGE_UNUSED)
{
    struct start_times t = { 0 };
    add_run(&t, UINT32_MAX - 2, UINT32_MAX - 1, 100);
    assert_int_equal(t.n, 1);
    assert_int_equal(t.cap, 0);
    struct range_set ids = { 0 };
    range_set_add(&ids, UINT32_MAX - 1, UINT32_MAX - 1);
    start_times_remove(&t, &ids);
    assert_int_equal(t.n, 1);
    assert_int_equal(start_times_runs(&t)[0].last, UINT32_MAX - 2);
    range_set_free(&ids);
    start_times_free(&t);
}

static void expect_times(const struct start_times *t, const uint64_t *times)
{
    uint64_t found[IDS] = { 0 };
    const struct start_run *v = start_times_runs(t);
    for (uint32_t i = 0; i < t->n; i++) {
        assert_true(v[i].first <= v[i].last && v[i].last < IDS);
        assert_true(i == 0 || v[i - 1].last < v[i].first);
        assert_true(i == 0 || v[i - 1].last + 1 < v[i].first || v[i - 1].at_s != v[i].at_s);
        for (uint32_t id = v[i].first; id <= v[i].last; id++)
            found[id] = v[i].at_s;
    }
    assert_memory_equal(found, times, sizeof found);
}

/* some ids, of which TIMES has all, or none, as IS_THERE says */
static void some_ids(struct range_set *ids, const uint64_t *times, bool is_there)
{
    uint32_t n = 1 + roll_dice(6), first = roll_dice(IDS);
    for (uint32_t id = first; id < IDS && n > 0; id += 1 + roll_dice(2), n--)
        if ((times[id] != 0) == is_there)
            range_set_add(ids, id, id);
}

static void start_times_equal_one_for_each_task(void **state SGE_UNUSED)
{
    struct start_times t = { 0 };
    uint64_t times[IDS] = { 0 };
    for (unsigned step = 0; step < STEPS; step++) {
        struct range_set ids = { 0 };
        bool is_end = roll_dice(2) == 0;
        uint64_t at_s = is_end ? 0 : 1 + roll_dice(3);
        some_ids(&ids, times, is_end);
        if (is_end && roll_dice(3) == 0)
            range_set_add(&ids, 0, roll_dice(IDS)); /* with some that did not run */
        if (is_end)
            start_times_remove(&t, &ids);
        else
            start_times_add(&t, &ids, at_s);
        for (uint32_t id = 0; id < IDS; id++)
            if (range_set_has(&ids, id))
                times[id] = at_s;
        expect_times(&t, times);
        range_set_free(&ids);
    }
    start_times_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_that_start_together_are_one_run),
        cmocka_unit_test(one_run_takes_no_memory_of_its_own),
        cmocka_unit_test(start_times_equal_one_for_each_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

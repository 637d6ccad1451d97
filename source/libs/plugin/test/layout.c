/* The layout of sge_scheduler.h on 64-bit systems, as shared objects have it that were built
 * before: a row that must be changed here is a new SGE_SCHEDULER_VERSION. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/plugin/sge_scheduler.h"

#define API(field, at)    assert_int_equal(offsetof(struct sge_scheduler_api, field), at)
#define PLUGIN(field, at) assert_int_equal(offsetof(struct sge_scheduler, field), at)

static void the_tables_keep_their_layout(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        return;
    API(version, 0), API(size, 4), API(now, 8), API(tasks_most, 16), API(job_next, 24);
    API(job_find, 32), API(queue_next, 40), API(queue_find, 48), API(host_next, 56);
    API(host_find, 64), API(job_number, 72), API(job_text, 80), API(queue_number, 88);
    API(queue_text, 96), API(host_number, 104), API(host_text, 112), API(job_tasks, 120);
    API(rank, 128), API(place, 136), API(reserve, 144), API(log, 152);
    assert_true(sizeof(struct sge_scheduler_api) >= 160);
    PLUGIN(version, 0), PLUGIN(size, 4), PLUGIN(does, 8), PLUGIN(begin, 16);
    PLUGIN(job_changed, 24), PLUGIN(queue_changed, 32), PLUGIN(run, 40);
    assert_true(sizeof(struct sge_scheduler) >= 48);
}

static void the_numbers_keep_their_meaning(void **state)
{
    (void)state;
    assert_int_equal(SGE_SCHEDULER_VERSION, 1);
    assert_int_equal(SGE_SCHEDULER_RANKS, 1);
    assert_int_equal(SGE_SCHEDULER_PLACES, 2);
    assert_int_equal(SGE_JOB_RESERVES, 10);
    assert_int_equal(SGE_JOB_DEPARTMENT, 1002);
    assert_int_equal(SGE_QUEUE_LOAD, 5);
    assert_int_equal(SGE_QUEUE_HOST, 1001);
    assert_int_equal(SGE_HOST_LOAD, 4);
    assert_int_equal(SGE_HOST_NAME, 1000);
    assert_int_equal(SGE_CHANGE_GONE, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_keep_their_layout),
        cmocka_unit_test(the_numbers_keep_their_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

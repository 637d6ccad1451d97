/* Ranges of task ids against their definition: an id is meant if the range names it and the array
 * has it. sge_types(1). */
#include "libs/sgeobj/job_select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct JB_Type array_of(uint32_t first, uint32_t last, uint32_t step)
{
    return (struct JB_Type){ .JB_ja_first = first, .JB_ja_last = last, .JB_ja_step = step };
}

static struct range_set tasks_meant(const struct JB_Type *job, uint32_t min, uint32_t max,
                                    uint32_t step)
{
    struct TR_Type ids = { .TR_min = min, .TR_max = max, .TR_step = step };
    struct range_set out = { 0 };
    task_ids_add(job, &ids, &out);
    return out;
}

/* one ordinal after the other; ids are small here */
static void check_ids(const struct JB_Type *job, uint32_t min, uint32_t max, uint32_t step)
{
    struct range_set out = tasks_meant(job, min, max, step);
    uint32_t ordinal = 0, n = 0;
    for (uint32_t id = job->JB_ja_first; id <= job->JB_ja_last; id += job->JB_ja_step, ordinal++) {
        bool is_meant = id >= min && id <= max && (id - min) % step == 0;
        assert_int_equal(range_set_has(&out, ordinal), is_meant);
        n += is_meant;
    }
    assert_int_equal(range_set_count(&out), n); /* and nothing beside the array */
    range_set_free(&out);
}

static void an_id_is_meant_if_the_range_names_it_and_the_array_has_it(void **state)
{
    (void)state;
    for (uint32_t step = 1; step <= 12; step++)
        for (uint32_t by = 1; by <= 13; by++)
            for (uint32_t first = 1; first <= 7; first++)
                for (uint32_t min = 1; min <= 15; min++) {
                    struct JB_Type job = array_of(first, 60, step);
                    check_ids(&job, min, 47, by);
                    check_ids(&job, min, 200, by);
                }
}

static void a_range_behind_or_before_the_array_means_nothing(void **state)
{
    struct JB_Type job = array_of(10, 20, 1);
    (void)state;
    check_ids(&job, 1, 9, 1);
    check_ids(&job, 21, 100, 1);
    check_ids(&job, 9, 30, 12); /* 9, 21 */
}

static void a_range_that_ends_before_it_begins_means_nothing(void **state)
{
    struct JB_Type job = array_of(1, 10, 1);
    struct range_set out = tasks_meant(&job, 7, 3, 1);
    (void)state;
    assert_true(range_set_is_empty(&out));
}

static void steps_without_a_common_id_mean_nothing(void **state)
{
    struct JB_Type job = array_of(1, 99, 2);
    (void)state;
    check_ids(&job, 2, 99, 4);
}

static void no_step_is_a_step_of_one(void **state)
{
    struct JB_Type job = array_of(1, 10, 3);
    struct range_set out = tasks_meant(&job, 2, 9, 0);
    (void)state;
    assert_int_equal(range_set_count(&out), 2); /* 4 and 7 */
    assert_true(range_set_has(&out, 1) && range_set_has(&out, 2));
    range_set_free(&out);
}

static void what_is_meant_already_stays(void **state)
{
    struct JB_Type job = array_of(1, 10, 1);
    struct TR_Type ids = { .TR_min = 3, .TR_max = 4, .TR_step = 1 };
    struct range_set out = { 0 };
    (void)state;
    range_set_add(&out, 8, 8);
    task_ids_add(&job, &ids, &out);
    assert_int_equal(range_set_count(&out), 3);
    assert_true(range_set_has(&out, 8));
    range_set_free(&out);
}

/* no sum or product overflows, whatever a request says */
static void the_largest_numbers_are_numbers(void **state)
{
    static const uint32_t large[] = { 1, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX - 1,
                                      UINT32_MAX };
    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(large); s++)
        for (size_t b = 0; b < ARRAY_LEN(large); b++) {
            struct JB_Type job = array_of(1, INT32_MAX, large[s]);
            struct range_set out = tasks_meant(&job, 1, UINT32_MAX, large[b]);
            uint64_t expected = large[s] == 1 && large[b] == 1 ? INT32_MAX : 1;
            assert_int_equal(range_set_count(&out), expected);
            assert_true(range_set_has(&out, 0)); /* id 1 */
            range_set_free(&out);
            out = tasks_meant(&job, UINT32_MAX - 1, UINT32_MAX, large[b]);
            assert_true(range_set_is_empty(&out));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_is_meant_if_the_range_names_it_and_the_array_has_it),
        cmocka_unit_test(a_range_behind_or_before_the_array_means_nothing),
        cmocka_unit_test(a_range_that_ends_before_it_begins_means_nothing),
        cmocka_unit_test(steps_without_a_common_id_mean_nothing),
        cmocka_unit_test(no_step_is_a_step_of_one),
        cmocka_unit_test(what_is_meant_already_stays),
        cmocka_unit_test(the_largest_numbers_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

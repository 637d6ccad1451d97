/* Tasks of a job: ids as qstat prints them, and holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

static struct JB_Type array_job(uint32_t first, uint32_t last, uint32_t step)
{
    struct JB_Type job = { 0 };

    cull_set(&job, JB_type, JOB_TYPE_ARRAY);
    cull_set(&job, JB_ja_first, first);
    cull_set(&job, JB_ja_last, last);
    cull_set(&job, JB_ja_step, step);
    return job;
}

static void task_ids_and_ordinals_map_both_ways(void **state)
{
    struct JB_Type job = array_job(1, 10, 4), single = { 0 },
                   huge = array_job(1, UINT32_MAX - 1, 1);
    uint32_t ordinal;

    (void)state;
    assert_int_equal(job_task_count(&job), 3);
    assert_int_equal(job_task_id(&job, 2), 9);
    assert_true(job_task_ordinal(&job, 5, &ordinal) && ordinal == 1);
    assert_false(job_task_ordinal(&job, 0, &ordinal));
    assert_false(job_task_ordinal(&job, 4, &ordinal));
    assert_false(job_task_ordinal(&job, 13, &ordinal)); /* beyond the end */
    assert_int_equal(job_task_count(&single), 1);
    assert_int_equal(job_task_id(&single, 0), 1);
    assert_true(job_task_ordinal(&single, 1, &ordinal) && ordinal == 0);
    assert_false(job_is_array(&single));
    assert_true(job_is_array(&job));
    assert_int_equal(job_task_id(&huge, UINT32_MAX - 2), UINT32_MAX - 1);
}

static void a_hold_of_any_kind_keeps_a_task_from_starting(void **state)
{
    struct JB_Type job = array_job(1, 10, 1);
    struct range_set ready = { 0 };

    (void)state;
    range_set_add(cull_ranges(&job, JB_ja_pending_ids), 0, 9);
    range_set_add(cull_ranges(&job, JB_ja_u_h_ids), 0, 0);
    range_set_add(cull_ranges(&job, JB_ja_o_h_ids), 2, 2);
    range_set_add(cull_ranges(&job, JB_ja_s_h_ids), 4, 4);
    range_set_add(cull_ranges(&job, JB_ja_a_h_ids), 4, 9);
    job_ready_ids(&job, &ready);
    assert_int_equal(range_set_count(&ready), 2);
    assert_true(range_set_has(&ready, 1) && range_set_has(&ready, 3));
    assert_int_equal(job_task_holds(&job, 0), MINUS_H_TGT_USER);
    assert_int_equal(job_task_holds(&job, 4), MINUS_H_TGT_SYSTEM | MINUS_H_TGT_JA_AD);
    assert_int_equal(job_task_holds(&job, 1), 0);
    cull_append(&job, JB_jid_predecessor_list)->JRE_job_number = 7;
    job_ready_ids(&job, &ready);
    assert_true(range_set_is_empty(&ready));
    assert_int_equal(job_task_holds(&job, 2), MINUS_H_TGT_OPERATOR | HOLD_JID);
    cull_clear(&cull_JB_Type, &job);
}

static void expect_ids(uint32_t first, uint32_t last, uint32_t step, const uint32_t *ids,
                       unsigned n, const char *text)
{
    struct JB_Type job = array_job(first, last, step);
    struct range_set set = { 0 };
    struct dstr out = DSTR_INIT;
    uint32_t ordinal;

    for (unsigned i = 0; i < n; i++) {
        assert_true(job_task_ordinal(&job, ids[i], &ordinal));
        range_set_add(&set, ordinal, ordinal);
    }
    dstr_add(&out, "ids: ");
    job_ids_text(&job, &set, &out);
    assert_string_equal(dstr_get(&out) + 5, text);
    dstr_free(&out);
    range_set_free(&set);
}
#define EXPECT_IDS(first, last, step, text, ...)                                                   \
    do {                                                                                           \
        static const uint32_t ids[] = { __VA_ARGS__ };                                             \
        expect_ids(first, last, step, ids, ARRAY_LEN(ids), text);                                  \
    } while (0)

static void ids_are_written_as_qstat_does(void **state)
{
    (void)state;
    EXPECT_IDS(1, 3, 1, "1-3:1", 1, 2, 3);
    EXPECT_IDS(1, 9, 2, "1-9:2", 1, 3, 5, 7, 9);
    EXPECT_IDS(1, 9, 3, "1-7:3", 1, 4, 7);
    EXPECT_IDS(1, 3, 2, "1,3", 1, 3);
    EXPECT_IDS(1, 3, 1, "2,3", 2, 3);
    EXPECT_IDS(3, 3, 1, "3", 3);
    EXPECT_IDS(1, 9, 1, "1,3-9:1", 1, 3, 4, 5, 6, 7, 8, 9);
    EXPECT_IDS(1, 9, 1, "1,5-9:1", 1, 5, 6, 7, 8, 9);
    EXPECT_IDS(1, 9, 1, "1,6,8", 1, 6, 8);
    EXPECT_IDS(1, 9, 1, "5-9:2", 5, 7, 9);
    EXPECT_IDS(1, 9, 1, "2,3,7-9:1", 2, 3, 7, 8, 9);
    EXPECT_IDS(1, 6, 1, "1,5,6", 1, 5, 6);
    EXPECT_IDS(1, 12, 1, "1,6-10:2,11", 1, 6, 8, 10, 11);
    EXPECT_IDS(1, 12, 1, "1,6,8,10-12:1", 1, 6, 8, 10, 11, 12);
    EXPECT_IDS(1, 12, 1, "1-3:1,5-7:1,9", 1, 2, 3, 5, 6, 7, 9);
    EXPECT_IDS(1, 40, 1, "1,2,4,5,7,8", 1, 2, 4, 5, 7, 8);
    EXPECT_IDS(1, 19, 1, "1-10:1,11-19:4", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 19);
    EXPECT_IDS(1, 19, 1, "1-4:1,8,19", 1, 2, 3, 4, 8, 19);
    EXPECT_IDS(1, 19, 1, "1-4:1,8-14:3", 1, 2, 3, 4, 8, 11, 14);
    EXPECT_IDS(1, 19, 1, "1-3:1,4-12:4,13", 1, 2, 3, 4, 8, 12, 13);
    EXPECT_IDS(1, 19, 1, "1-3:1,5,7", 1, 2, 3, 5, 7); /* two are no run */
    EXPECT_IDS(1, 19, 1, "1-4:1,7,10-12:1", 1, 2, 3, 4, 7, 10, 11, 12);
    EXPECT_IDS(1, 19, 2, "1-7:2,13", 1, 3, 5, 7, 13);
    expect_ids(1, 3, 1, NULL, 0, "");
}

/* every other task of a large array is one range, not half a million numbers */
static void long_progressions_are_short(void **state)
{
    struct JB_Type job = array_job(1, 100000, 1);
    struct range_set set = { 0 };
    struct dstr out = DSTR_INIT;

    (void)state;
    for (uint32_t i = 0; i < 100000; i += 2)
        range_set_add(&set, i, i);
    job_ids_text(&job, &set, &out);
    assert_string_equal(dstr_get(&out), "1-99999:2");
    dstr_free(&out);
    range_set_free(&set);
}

/* the first and the fourth of twelve: no progression, and nobody reads them all */
static void endless_lists_are_cut(void **state)
{
    struct JB_Type job = array_job(1, 120000, 1);
    struct range_set set = { 0 };
    struct dstr out = DSTR_INIT;

    (void)state;
    for (uint32_t i = 0; i < 120000; i += 12) {
        range_set_add(&set, i, i);
        range_set_add(&set, i + 3, i + 3);
    }
    assert_true(job_ids_text_cut(&job, &set, 10, &out));
    assert_string_equal(dstr_get(&out), "1,4,13,16,25,...");
    dstr_clear(&out);
    range_set_remove(&set, 24, 119999);
    assert_false(job_ids_text_cut(&job, &set, 10, &out));
    assert_string_equal(dstr_get(&out), "1,4,13,16");
    dstr_free(&out);
    range_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(task_ids_and_ordinals_map_both_ways),
        cmocka_unit_test(a_hold_of_any_kind_keeps_a_task_from_starting),
        cmocka_unit_test(ids_are_written_as_qstat_does),
        cmocka_unit_test(long_progressions_are_short),
        cmocka_unit_test(endless_lists_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

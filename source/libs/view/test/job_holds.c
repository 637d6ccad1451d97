/* Kinds of hold, as letters and as a list of tasks. */
#include "libs/view/job_list.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"

static struct JB_Type *held_array(void)
{
    struct JB_Type *job = cull_new(&cull_JB_Type);
    cull_set(job, JB_job_number, 12u);
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(job, JB_ja_first, 1u);
    cull_set(job, JB_ja_last, 10u);
    cull_set(job, JB_ja_step, 1u);
    range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, 3);
    range_set_add(cull_ranges(job, JB_ja_a_h_ids), 4, 9);
    return job;
}

static void assert_text(const struct JB_Type *job, const char *want)
{
    struct dstr out = DSTR_INIT;
    job_holds_text(job, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void each_kind_says_its_tasks(void **state SGE_UNUSED)
{
    struct JB_Type *job = held_array();
    assert_text(job, "u  user hold: tasks 1-4:1\na  -hold_jid_ad: tasks 5-10:1\n");
    cull_set(cull_append(job, JB_jid_predecessor_list), JRE_job_number, 7u);
    cull_set(cull_append(job, JB_jid_predecessor_list), JRE_job_number, 9u);
    range_set_free(cull_ranges(job, JB_ja_a_h_ids));
    assert_text(job, "u  user hold: tasks 1-4:1\nj  -hold_jid: waits for 7, 9\n");
    cull_delete(&cull_JB_Type, job);
}

static void a_job_without_tasks_is_held_as_a_whole(void **state SGE_UNUSED)
{
    struct JB_Type *job = held_array();
    cull_set(job, JB_type, 0u);
    range_set_free(cull_ranges(job, JB_ja_a_h_ids));
    assert_text(job, "u  user hold: the job\n");
    range_set_free(cull_ranges(job, JB_ja_u_h_ids));
    assert_text(job, "no holds\n");
    cull_delete(&cull_JB_Type, job);
}

static void assert_cell(const struct board *b, const char *want)
{
    struct dstr out = DSTR_INIT;
    job_cell(board_job(b, 12), COLUMN_HOLDS, &out);
    assert_string_equal(dstr_get(&out), want);
    dstr_free(&out);
}

static void the_board_knows_until_the_job_changes(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct JB_Type *job = held_array();
    struct range_set unknown = { 0 };
    tell_event(b, array_event(12, 10, 8, 9));
    tell_event(b, array_event(13, 10, 0, 9));
    job_holds_ask(b, 10, &unknown);
    assert_int_equal(range_set_count(&unknown), 1);
    assert_true(range_set_has(&unknown, 12));
    job_holds_take(b, job);
    assert_cell(b, "ua");
    board_settle(b);
    job_holds_take(b, job);
    job_holds_ask(b, 10, &unknown);
    assert_true(range_set_is_empty(&unknown));
    tell_line(b, "ready 12 0-6");
    job_holds_ask(b, 10, &unknown);
    assert_true(range_set_has(&unknown, 12));
    assert_cell(b, "ua");
    tell_line(b, "ready 12 7-7");
    assert_cell(b, "");
    job_holds_ask(b, 10, &unknown);
    assert_true(range_set_is_empty(&unknown));
    cull_delete(&cull_JB_Type, job);
    range_set_free(&unknown);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_says_its_tasks),
        cmocka_unit_test(a_job_without_tasks_is_held_as_a_whole),
        cmocka_unit_test(the_board_knows_until_the_job_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

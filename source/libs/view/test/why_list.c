/* The reasons for which a job waits can be followed from job to job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/view/why_list.h"

static void assert_leads(const struct why_list *l, uint32_t row, uint32_t job, uint32_t task)
{
    struct why_place to = { 0 };
    assert_int_equal(why_list_leads(l, row, &to), job != 0);
    assert_int_equal(to.job, job);
    assert_int_equal(to.task, task);
}

static void add_wait(struct why_list *l, uint32_t job, uint32_t task, const char *name)
{
    struct WT_Type wait = { 0 };
    cull_set(&wait, WT_job_number, job);
    cull_set(&wait, WT_task_number, task);
    cull_set(&wait, WT_job_name, name);
    cull_set(&wait, WT_state, "hqw");
    cull_set(&wait, WT_kind, "hold_jid_ad");
    why_list_add_wait(l, &wait);
    cull_clear(&cull_WT_Type, &wait);
}

static void a_line_leads_to_the_task_that_it_waits_for(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    add_wait(l, 31, 3, "A b");
    add_wait(l, 7, 0, "single");
    why_list_add(l, "40.4 user hold; release with qrls 40.4");
    assert_int_equal(why_list_count(l), 3);
    assert_string_equal(why_list_text(l, 0), "31.3   A b   hqw   hold_jid_ad");
    assert_string_equal(why_list_text(l, 1), "7   single   hqw   hold_jid_ad");
    assert_leads(l, 0, 31, 3);
    assert_leads(l, 1, 7, 0);
    assert_leads(l, 2, 0, 0);
    assert_leads(l, 3, 0, 0);
    why_list_clear(l);
    assert_int_equal(why_list_count(l), 0);
    why_list_free(l);
}

static void a_heading_leads_to_its_task(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    why_list_add_heading(l, (struct why_place){ 40, 1 }, "tasks 1-3:1 of job 40 (r):");
    why_list_add(l, "running in queue instance \"all.q@node1\"");
    why_list_add_heading(l, (struct why_place){ 41, 0 }, "job 41 (qw):");
    assert_leads(l, 0, 40, 1);
    assert_leads(l, 1, 0, 0);
    assert_leads(l, 2, 41, 0);
    why_list_free(l);
}

static void the_way_leads_back(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    assert_false(why_list_back(l));
    why_list_begin(l, (struct why_place){ 1, 0 });
    assert_false(why_list_back(l));
    for (uint32_t i = 2; i <= WHY_STEPS_MOST + 2; i++)
        why_list_go(l, (struct why_place){ i, 1 });
    for (uint32_t i = WHY_STEPS_MOST + 1; i >= 3; i--) {
        assert_true(why_list_back(l));
        assert_int_equal(why_list_place(l).job, i);
    }
    assert_false(why_list_back(l));
    why_list_free(l);
}

static void what_would_move_a_cursor_is_left_out(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    why_list_add(l, "a\033[2Jb\n");
    add_wait(l, 4, 1, "x\ty");
    assert_string_equal(why_list_text(l, 0), "a?[2Jb?");
    assert_string_equal(why_list_text(l, 1), "4.1   x?y   hqw   hold_jid_ad");
    for (uint32_t i = 0; i < WHY_LINES_MOST; i++)
        why_list_add(l, "more");
    assert_int_equal(why_list_count(l), WHY_LINES_MOST);
    why_list_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_leads_to_the_task_that_it_waits_for),
        cmocka_unit_test(a_heading_leads_to_its_task),
        cmocka_unit_test(the_way_leads_back),
        cmocka_unit_test(what_would_move_a_cursor_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

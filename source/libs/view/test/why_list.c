/* What qstat -why says can be followed from job to job. The texts are those of qstat(1). */
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

static void a_line_leads_to_the_task_that_it_waits_for(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    why_list_take(l, "waits for            name                 state  because of\n"
                     "-----------------------------------------------------------\n"
                     "31.3                 A b                  hqw    hold_jid_ad\n"
                     "7                    single               r      hold_jid\n"
                     "user hold; release with qrls 40.4\n");
    assert_int_equal(why_list_count(l), 3);
    assert_string_equal(why_list_text(l, 0), "31.3   A b   hqw   hold_jid_ad");
    assert_leads(l, 0, 31, 3);
    assert_leads(l, 1, 7, 0);
    assert_leads(l, 2, 0, 0);
    assert_leads(l, 3, 0, 0);
    why_list_free(l);
}

static void a_heading_leads_to_its_task(void **state SGE_UNUSED)
{
    struct why_list *l = why_list_new();
    why_list_take(l, "tasks 1-3:1 of job 40 (r), such as 40.1:\n"
                     "running in queue instance \"all.q@node1\"\n\n"
                     "task 40.4 (hqw):\njob 41 (qw):\nerror: job 12 does not exist:");
    assert_int_equal(why_list_count(l), 6);
    assert_leads(l, 0, 40, 1);
    assert_leads(l, 1, 0, 0);
    assert_leads(l, 2, 0, 0);
    assert_leads(l, 3, 40, 4);
    assert_leads(l, 4, 41, 0);
    assert_leads(l, 5, 0, 0);
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
    why_list_take(l, "a\033[2Jb  \n4294967296 x hold_jid\n99999999999 x hold_jid");
    assert_string_equal(why_list_text(l, 0), "a?[2Jb");
    assert_int_equal(why_list_count(l), 3);
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

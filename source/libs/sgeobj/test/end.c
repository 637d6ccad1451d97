/* Kept ends: whose they are. */
#include "libs/sgeobj/job_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "libs/sgeobj/rows.h"

static void ordinals_count_the_tasks_of_an_array(void **state)
{
    struct EN_Type end = { .EN_ja_first = 5, .EN_ja_step = 3 };
    (void)state;
    assert_int_equal(end_task_id(&end, 0), 5);
    assert_int_equal(end_task_id(&end, 2), 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ordinals_count_the_tasks_of_an_array) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

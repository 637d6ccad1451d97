/* Tests of libs/gdi/exec_message.c: names that would leave the directory of a task do not get
 * in. */
#include "libs/gdi/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/uti/answer.h"

static const char *const bad[] = { "../../etc", "config", "1/2", "1 2", "1\n2", "-1", ".1" };

static void check_refused(const struct XM_Type *m)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(exec_message_check(m, &ans), -1);
    assert_int_equal(ans.v[0].status, STATUS_EPROTO);
    assert_string_equal(ans_first_error(&ans),
                        "task 12.3: malformed name of a petask: at most 224 of the characters "
                        "A-Z a-z 0-9 . _ - are expected, a digit first");
    ans_free(&ans);
}

static struct JR_Type *add_report(struct XM_Type *m, const char *petask)
{
    struct JR_Type *report = cull_append(m, XM_reports);
    cull_set(report, JR_job_number, 12);
    cull_set(report, JR_task_number, 3);
    cull_set(report, JR_pe_task_id, petask);
    return report;
}

static void a_report_of_a_malformed_petask_is_refused(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct XM_Type m = { 0 };
        (void)add_report(&m, "1.node7");
        (void)add_report(&m, bad[i]);
        check_refused(&m);
        cull_clear(&cull_XM_Type, &m);
    }
}

static void an_order_of_a_malformed_petask_is_refused(void **state SGE_UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct XM_Type m = { 0 };
        struct JAT_Type *task = cull_append(&m, XM_tasks);
        cull_set(task, JAT_job_number, 12);
        cull_set(task, JAT_task_number, 3);
        cull_set(task, JAT_pe_task_id, bad[i]);
        check_refused(&m);
        cull_clear(&cull_XM_Type, &m);
    }
}

static void tasks_and_petasks_pass(void **state SGE_UNUSED)
{
    struct XM_Type m = { 0 };
    (void)add_report(&m, NULL);
    (void)add_report(&m, "");
    (void)add_report(&m, "1.node7");
    (void)cull_append(&m, XM_tasks);
    assert_int_equal(exec_message_check(&m, NULL), 0);
    cull_clear(&cull_XM_Type, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_of_a_malformed_petask_is_refused),
        cmocka_unit_test(an_order_of_a_malformed_petask_is_refused),
        cmocka_unit_test(tasks_and_petasks_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

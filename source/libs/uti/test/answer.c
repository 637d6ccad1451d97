/* Answers: failures as values. */
#include "libs/uti/answer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>

static void a_failure_is_one_line_at_its_place(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(ans_fail(&ans, STATUS_ESEMANTIC, "no job %d", 7), -1);
    assert_null(ans_null(&ans, STATUS_DENIED, "denied"));
    assert_int_equal(ans.n, 2);
    assert_int_equal(ans.v[0].status, STATUS_ESEMANTIC);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_ERROR);
    assert_string_equal(ans_first_error(&ans), "no job 7");
    ans_free(&ans);
    assert_int_equal(ans.n, 0);
}

static void system_errors_get_their_reason(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(ans_sys(&ans, ENOENT, "cannot open %s", "/x"), -1);
    assert_null(ans_sys_null(&ans, EACCES, "cannot write"));
    assert_string_equal(ans.v[0].text, "cannot open /x: No such file or directory");
    assert_string_equal(ans.v[1].text, "cannot write: Permission denied");
    assert_int_equal(ans.v[1].status, STATUS_ESYSTEM);
    ans_sys(&ans, ENOSPC, "cannot write");
    assert_int_equal(ans.v[2].status, STATUS_EDISK); /* that can be waited out */
    ans_free(&ans);
}

static void nobody_need_listen(void **state)
{
    (void)state;
    assert_int_equal(ans_fail(NULL, STATUS_DENIED, "x"), -1);
    assert_null(ans_sys_null(NULL, ENOENT, "x"));
    ans_add(NULL, STATUS_OK, ANSWER_QUALITY_INFO, "x");
    assert_false(ans_has_error(NULL));
    assert_string_equal(ans_first_error(NULL), "");
    ans_free(NULL);
}

static void warnings_are_no_errors(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    ans_add(&ans, STATUS_OK, ANSWER_QUALITY_WARNING, "w");
    ans_add(&ans, STATUS_OK, ANSWER_QUALITY_INFO, "i");
    assert_false(ans_has_error(&ans));
    assert_string_equal(ans_first_error(&ans), "");
    ans_add(&ans, STATUS_OK, ANSWER_QUALITY_CRITICAL, "c");
    assert_true(ans_has_error(&ans));
    assert_string_equal(ans_first_error(&ans), "c");
    ans_free(&ans);
}

static void move_appends_and_empties(void **state)
{
    (void)state;
    struct answer a = ANSWER_INIT, b = ANSWER_INIT;
    ans_fail(&a, STATUS_DENIED, "1");
    for (int i = 2; i < 20; i++)
        ans_fail(&b, STATUS_DENIED, "%d", i);
    ans_move(&a, &b);
    assert_int_equal(a.n, 19);
    assert_string_equal(a.v[18].text, "19");
    assert_int_equal(b.n, 0);
    ans_move(&a, &a);
    assert_int_equal(a.n, 19);
    ans_move(NULL, &a);
    assert_int_equal(a.n, 0);
    ans_move(&a, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_one_line_at_its_place),
        cmocka_unit_test(system_errors_get_their_reason),
        cmocka_unit_test(nobody_need_listen),
        cmocka_unit_test(warnings_are_no_errors),
        cmocka_unit_test(move_appends_and_empties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Operands that name jobs and tasks, and ranges of tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "libs/cli/selection.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static void check_range(const char *text, uint32_t first, uint32_t last, uint32_t step)
{
    struct task_range r = { 0, 0, 0 };
    assert_int_equal(task_range_parse(text, "qsub", &r, NULL), 0);
    assert_int_equal(r.first, first);
    assert_int_equal(r.last, last);
    assert_int_equal(r.step, step);
}

static void refuse_range(const char *text, const char *why)
{
    struct task_range r = { 7, 7, 7 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(task_range_parse(text, "qsub", &r, &ans), -1);
    assert_string_equal(ans_first_error(&ans), why);
    assert_int_equal(ans.v[0].status, STATUS_ESYNTAX);
    assert_int_equal(r.first, 7);
    ans_free(&ans);
}

static void ranges_are_kept_as_submitted(void **state)
{
    (void)state;
    check_range("1-10:4", 1, 10, 4);
    check_range("3", 3, 3, 1);
    check_range("2-2", 2, 2, 1);
    check_range("5-1", 1, 5, 1);
    check_range("1,3", 1, 3, 2);
    check_range("2,4,6", 2, 6, 2);
    check_range("0-3", 0, 3, 1);
    check_range("1-20000000", 1, 20000000, 1);
    check_range("2147483647", 2147483647, 2147483647, 1);
}

#define NO_NUMBER(s)                                                                               \
    "qsub: Numerical value invalid!\nThe initial portion of string \"" s                           \
    "\" contains no decimal number"

static void wrong_ranges_are_named(void **state)
{
    (void)state;
    refuse_range("abc", NO_NUMBER("abc"));
    refuse_range("-b", NO_NUMBER("b"));
    refuse_range("", NO_NUMBER(""));
    refuse_range("-5", NO_NUMBER("-5"));
    refuse_range("1-", NO_NUMBER(""));
    refuse_range("1-3:", NO_NUMBER(""));
    refuse_range("1-3:x", NO_NUMBER("x"));
    refuse_range("1-3:0", "qsub: Negative or zero step in range is not allowed");
    refuse_range("1-3:-1", "qsub: Negative or zero step in range is not allowed");
    refuse_range("1-3x", "qsub: \"1-3x\" is not a range of task ids: \"x\" left over");
    refuse_range("1 3", "qsub: \"1 3\" is not a range of task ids: \" 3\" left over");
    refuse_range("1,2,4", "qsub: task ids 1,2,4 do not have equal distances");
    refuse_range("3,1", "qsub: task ids 3,1 do not have equal distances");
    refuse_range("2147483648", "qsub: task id 2147483648 is greater than the limit of 2147483647");
    refuse_range("99999999999999999999",
                 "qsub: task id 99999999999999999999 is greater than the limit of 2147483647");
}

/* EXPECTED: name[min-max:step ...]; for each entry */
static void check_selection(const char *text, const char *tasks, const char *expected)
{
    struct ID_Type_list l = { 0 };
    struct dstr all = DSTR_INIT;
    assert_int_equal(selection_add(&l, text, tasks, "qdel", NULL), 0);
    for (uint32_t i = 0; i < l.n; i++) {
        dstr_add(&all, l.v[i].ID_str);
        for (uint32_t j = 0; j < l.v[i].ID_tasks.n; j++)
            dstr_addf(&all, "[%u-%u:%u]", l.v[i].ID_tasks.v[j].TR_min, l.v[i].ID_tasks.v[j].TR_max,
                      l.v[i].ID_tasks.v[j].TR_step);
        dstr_addc(&all, ';');
    }
    assert_string_equal(dstr_get(&all), expected);
    dstr_free(&all);
    cull_list_clear(&cull_ID_Type, &l);
}

static void operands_name_jobs_and_tasks(void **state)
{
    (void)state;
    check_selection("12", NULL, "12;");
    check_selection("12,13", NULL, "12;13;");
    check_selection("12.3", NULL, "12[3-3:1];");
    check_selection("12.5-9:2", NULL, "12[5-9:2];");
    check_selection("12.1-3,name", NULL, "12[1-3:1];name;");
    check_selection("name", "2-4", "name[2-4:1];");
    check_selection("12,13", "3", "12;13[3-3:1];");
    check_selection("with.dots", NULL, "with.dots;");
    check_selection("12.x", NULL, "12.x;");
    check_selection("fo?1", NULL, "fo?1;");
    check_selection(",a,,b,", NULL, "a;b;");
    check_selection("", NULL, "");
}

static void a_wrong_operand_adds_nothing(void **state)
{
    struct ID_Type_list l = { 0 };
    struct answer ans = ANSWER_INIT;
    (void)state;
    assert_int_equal(selection_add(&l, "1,2.1-3:0", NULL, "qdel", &ans), -1);
    assert_int_equal(l.n, 0);
    assert_string_equal(ans_first_error(&ans),
                        "qdel: Negative or zero step in range is not allowed");
    ans_free(&ans);
    assert_int_equal(selection_add(&l, "1", "x", "qdel", &ans), -1);
    assert_int_equal(l.n, 0);
    ans_free(&ans);
    cull_list_clear(&cull_ID_Type, &l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_kept_as_submitted),
        cmocka_unit_test(wrong_ranges_are_named),
        cmocka_unit_test(operands_name_jobs_and_tasks),
        cmocka_unit_test(a_wrong_operand_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

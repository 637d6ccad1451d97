/* Operands that name jobs and tasks, and ranges of tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/cli/selection.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/test/random_text.h"

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

static void a_colon_joins_first_and_last(void **state)
{
    (void)state;
    check_range("1:10", 1, 10, 1);
    check_range("1:10:2", 1, 10, 2);
    check_range("10:1", 1, 10, 1);
}

static void blanks_and_a_comma_at_the_end_do_not_count(void **state)
{
    (void)state;
    check_range("  1 - 10 : 2 ", 1, 10, 2);
    check_range("1-      10", 1, 10, 1);
    check_range(" 7 ,", 7, 7, 1);
    check_range("1-10,", 1, 10, 1);
    check_range("1 , 3,5, ,", 1, 5, 2);
}

static void add_blanks(uint64_t *seed, struct dstr *out)
{
    for (uint32_t n = random_below(seed, 3); n > 0; n--)
        dstr_addc(out, random_below(seed, 2) == 0 ? ' ' : '\t');
}

static void add_number(uint64_t *seed, uint32_t n, struct dstr *out)
{
    add_blanks(seed, out);
    dstr_addf(out, "%s%u", random_below(seed, 5) == 0 ? "+" : "", n);
    add_blanks(seed, out);
}

/* any range, written in any way, is read as the range that it is */
static void written_ranges_are_read_as_they_are(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint32_t first = random_below(&seed, 1000), last = first + random_below(&seed, 1000);
        uint32_t step = 1 + random_below(&seed, 20);
        bool is_swapped = random_below(&seed, 2) == 0, has_step = random_below(&seed, 2) == 0;
        struct dstr text = DSTR_INIT;
        add_number(&seed, is_swapped ? last : first, &text);
        dstr_addc(&text, "-:"[random_below(&seed, 2)]);
        add_number(&seed, is_swapped ? first : last, &text);
        if (has_step) {
            dstr_addc(&text, ':');
            add_number(&seed, step, &text);
        }
        if (random_below(&seed, 3) == 0)
            dstr_add(&text, ", ");
        check_range(dstr_get(&text), first, last, has_step ? step : 1);
        dstr_free(&text);
    }
}

/* whatever is accepted of random texts is what it says when it is written again */
static void random_texts_are_refused_or_ranges(void **state)
{
    uint64_t seed = 2;
    char text[13], again[40];
    unsigned accepted = 0;
    (void)state;
    for (int i = 0; i < 300000; i++) {
        struct task_range r = { 7, 7, 7 };
        random_text_of(&seed, "0123459-:, +x", sizeof text - 1, text);
        if (task_range_parse(text, "qsub", &r, NULL) < 0) {
            assert_true(r.first == 7 && r.last == 7 && r.step == 7);
            continue;
        }
        assert_true(r.first <= r.last && r.step > 0 && strchr(text, 'x') == NULL);
        (void)snprintf(again, sizeof again, "%u-%u:%u", r.first, r.last, r.step);
        check_range(again, r.first, r.last, r.step);
        accepted++;
    }
    assert_true(accepted > 1000);
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
    refuse_range("1 3", "qsub: \"1 3\" is not a range of task ids: \"3\" left over");
    refuse_range("1-3:2:4", "qsub: \"1-3:2:4\" is not a range of task ids: \":4\" left over");
    refuse_range("1-3,5-7", "qsub: \"1-3,5-7\" is not a range of task ids: \",5-7\" left over");
    refuse_range("1,3-5", "qsub: \"1,3-5\" is not a range of task ids: \"-5\" left over");
    refuse_range("1:", NO_NUMBER(""));
    refuse_range(" ", NO_NUMBER(""));
    refuse_range(",", NO_NUMBER(","));
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
    check_selection("12.1:4, 13.2:8:3 ,", NULL, "12[1-4:1];13[2-8:3];");
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
        cmocka_unit_test(a_colon_joins_first_and_last),
        cmocka_unit_test(blanks_and_a_comma_at_the_end_do_not_count),
        cmocka_unit_test(written_ranges_are_read_as_they_are),
        cmocka_unit_test(random_texts_are_refused_or_ranges),
        cmocka_unit_test(wrong_ranges_are_named),
        cmocka_unit_test(operands_name_jobs_and_tasks),
        cmocka_unit_test(a_wrong_operand_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/sgeobj/task_key.c: one key from order to accounting. */
#include "libs/sgeobj/task_key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"

static void text_is_read_as_the_key_that_wrote_it(void **state SGE_UNUSED)
{
    static const char *const texts[] = { "1.1", "0.0", "4294967295.4294967295", "12.3/1.node7",
                                         "12.3/10.node-7.example_net" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct dstr text = DSTR_INIT;
        struct task_key key;
        assert_true(task_key_parse(texts[i], &key));
        assert_true(task_key_is_valid(&key));
        task_key_text(&key, &text);
        assert_string_equal(dstr_get(&text), texts[i]);
        dstr_free(&text);
    }
}

static void other_names_are_no_keys(void **state SGE_UNUSED)
{
    static const char *const texts[] = { "",
                                         ".",
                                         "..",
                                         "1",
                                         "1.",
                                         ".1",
                                         "spare.7",
                                         "1.x",
                                         "1.1.1",
                                         "01.1",
                                         "1.01",
                                         "1.-1",
                                         " 1.1",
                                         "1.1 ",
                                         "1.1/",
                                         "1.1/config",
                                         "1.1/.1",
                                         "1.1/..",
                                         "1.1/1/2",
                                         "1.1/1 2",
                                         "1.1//1",
                                         "1.1/1\xc3",
                                         "4294967296.1",
                                         "1.4294967296",
                                         "1.1/1\n2",
                                         "00000000001.1" };
    struct task_key key;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (task_key_parse(texts[i], &key))
            fail_msg("\"%s\" was read as a key", texts[i]);
}

static void a_petask_has_at_most_so_many_characters(void **state SGE_UNUSED)
{
    char name[TASK_PETASK_MOST + 2];
    struct task_key key = { 1, 1, name };
    memset(name, '1', sizeof name);
    name[TASK_PETASK_MOST + 1] = '\0';
    assert_false(task_key_is_valid(&key));
    name[TASK_PETASK_MOST] = '\0';
    assert_true(task_key_is_valid(&key));
}

static void keys_are_ordered_by_job_task_and_petask(void **state SGE_UNUSED)
{
    static const struct task_key keys[] = { { 1, 9, "9.z" }, { 2, 1, NULL },  { 2, 1, "1.a" },
                                            { 2, 1, "1.b" }, { 2, 2, NULL },  { 2, 10, NULL },
                                            { 10, 1, NULL }, { 10, 1, "1.a" } };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
            int order = task_key_compare(&keys[i], &keys[k]);
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

static void an_empty_name_means_the_task_itself(void **state SGE_UNUSED)
{
    struct task_key key = { 7, 1, "" }, itself = { 7, 1, NULL };
    struct dstr text = DSTR_INIT;
    assert_int_equal(task_key_compare(&key, &itself), 0);
    assert_true(task_key_is_valid(&key));
    task_key_text(&key, &text);
    assert_string_equal(dstr_get(&text), "7.1");
    dstr_free(&text);
}

static void a_report_says_whose_it_is(void **state SGE_UNUSED)
{
    struct task_key petask = { 7, 2, "1.node7" }, itself = { 8, 3, NULL };
    struct JR_Type report = { 0 };
    task_key_report(&petask, 4, &report);
    struct task_key said = task_key_of_report(&report);
    assert_int_equal(task_key_compare(&said, &petask), 0);
    assert_int_equal(report.JR_attempt, 4);
    task_key_report(&itself, 1, &report);
    said = task_key_of_report(&report);
    assert_int_equal(task_key_compare(&said, &itself), 0);
    assert_false(cull_has(&report, JR_pe_task_id));
    cull_clear(&cull_JR_Type, &report);
}

static void a_petask_has_a_number_and_a_host(void **state SGE_UNUSED)
{
    static const char *const others[] = {
        "",       "1", "1.", ".node7", "0.node7", "07.node7", "1000001.node7", "4294967297.node7",
        "x.node7"
    };
    const char *host = NULL;
    assert_int_equal(task_petask_number("12.node7.site", &host), 12);
    assert_string_equal(host, "node7.site");
    assert_int_equal(task_petask_number("1000000.n", &host), TASK_PETASK_NUMBER_MOST);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_int_equal(task_petask_number(others[i], &host), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_as_the_key_that_wrote_it),
        cmocka_unit_test(other_names_are_no_keys),
        cmocka_unit_test(a_petask_has_at_most_so_many_characters),
        cmocka_unit_test(keys_are_ordered_by_job_task_and_petask),
        cmocka_unit_test(an_empty_name_means_the_task_itself),
        cmocka_unit_test(a_report_says_whose_it_is),
        cmocka_unit_test(a_petask_has_a_number_and_a_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lists of jobs to wait for, and names that jobs may have: what is refused says so in the words
 * users know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "libs/sgeobj/job_select.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

/* the entries of a list, joined by blanks, must be TEXT */
static void expect_entries(const struct JRE_Type_list *l, const char *text)
{
    struct dstr got = DSTR_INIT;

    for (uint32_t i = 0; i < l->n; i++) {
        assert_int_equal(l->v[i].JRE_job_number, 0);
        dstr_addf(&got, "%s%s", i > 0 ? " " : "", l->v[i].JRE_job_name);
    }
    assert_string_equal(dstr_get(&got), text);
    dstr_free(&got);
}

static void ids_names_and_patterns_are_kept_as_written(void **state)
{
    struct JB_Type job = { 0 };

    (void)state;
    assert_int_equal(job_select_dependencies("38,foo*,fo[12]|bar,a b,38.1", &job, false, NULL), 0);
    expect_entries(&job.JB_jid_request_list, "38 foo* fo[12]|bar a b 38.1");
    assert_false(cull_has(&job, JB_ja_ad_request_list));
    cull_clear(&cull_JB_Type, &job);
}

static void repeated_options_accumulate_without_duplicates(void **state)
{
    struct JB_Type job = { 0 };

    (void)state;
    assert_int_equal(job_select_dependencies("a,b,a", &job, true, NULL), 0);
    assert_int_equal(job_select_dependencies("c,b", &job, true, NULL), 0);
    expect_entries(&job.JB_ja_ad_request_list, "a b c");
    assert_false(cull_has(&job, JB_jid_request_list));
    cull_clear(&cull_JB_Type, &job);
}

static void blanks_around_entries_do_not_count(void **state)
{
    struct JB_Type job = { 0 };

    (void)state;
    assert_int_equal(job_select_dependencies("A, B\t,a b ,17 ", &job, true, NULL), 0);
    assert_int_equal(job_select_dependencies(" A", &job, true, NULL), 0);
    expect_entries(&job.JB_ja_ad_request_list, "A B a b 17");
    cull_clear(&cull_JB_Type, &job);
}

static void empty_entries_do_not_count(void **state)
{
    struct JB_Type job = { 0 };

    (void)state;
    assert_int_equal(job_select_dependencies("12,", &job, true, NULL), 0);
    assert_int_equal(job_select_dependencies(",a,, b, ,", &job, true, NULL), 0);
    expect_entries(&job.JB_ja_ad_request_list, "12 a b");
    cull_clear(&cull_JB_Type, &job);
}

static void the_empty_list_is_a_list(void **state)
{
    struct JB_Type job = { 0 };

    (void)state;
    assert_int_equal(job_select_dependencies("", &job, true, NULL), 0);
    assert_true(cull_has(&job, JB_ja_ad_request_list));
    assert_int_equal(job.JB_ja_ad_request_list.n, 0);
    cull_clear(&cull_JB_Type, &job);
}

static void malformed_lists_change_nothing(void **state)
{
    static const char *const bad[] = { ",", " ", " , ,", "\t" };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
        struct JB_Type job = { 0 };
        struct answer ans = ANSWER_INIT;
        struct dstr text = DSTR_INIT;
        assert_int_equal(job_select_dependencies(bad[i], &job, true, &ans), -1);
        dstr_addf(&text, "Wrong jid_hold_ad list format \"%s\" specified to -hold_jid_ad option",
                  bad[i]);
        assert_string_equal(ans_first_error(&ans), dstr_get(&text));
        assert_int_equal(ans.v[0].status, STATUS_ESYNTAX);
        assert_false(cull_has(&job, JB_ja_ad_request_list));
        ans_free(&ans);
        dstr_free(&text);
    }
}

static void what_cannot_mean_a_job_is_refused_with_the_id_that_may_be_meant(void **state)
{
    static const struct {
        const char *entry, *write;
    } bad[] = {
        { "12[3]", "; to wait for job 12 write 12" },
        { "12_3", "; to wait for job 12 write 12" },
        { "12*", "; to wait for job 12 write 12" },
        { "12.1-10:1", "; to wait for job 12 write 12" },
        { "afterok:12", "; to wait for job 12 write 12" },
        { "Your job 12 (\"x\") has been submitted", "; to wait for job 12 write 12" },
        { "/a", "" },
        { "a:b", "" },
        { "x@99999999999", "" },
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(bad); i++) {
        struct JB_Type job = { 0 };
        struct answer ans = ANSWER_INIT;
        struct dstr list = DSTR_INIT, text = DSTR_INIT;
        dstr_addf(&list, "a,%s,b", bad[i].entry);
        assert_int_equal(job_select_dependencies(dstr_get(&list), &job, false, &ans), -1);
        dstr_addf(&text, "-hold_jid: \"%s\" is neither a job id nor a job name%s", bad[i].entry,
                  bad[i].write);
        assert_string_equal(ans_first_error(&ans), dstr_get(&text));
        assert_int_equal(ans.v[0].status, STATUS_ESYNTAX);
        assert_false(cull_has(&job, JB_jid_request_list));
        ans_free(&ans);
        dstr_free(&list);
        dstr_free(&text);
    }
}

/* a hundred thousand entries do not take minutes */
static void long_lists_are_read_at_once(void **state)
{
    struct JB_Type job = { 0 };
    struct dstr list = DSTR_INIT;

    (void)state;
    for (uint32_t i = 0; i < 100000; i++)
        dstr_addf(&list, "%s%u", i > 0 ? "," : "", i / 2);
    assert_int_equal(job_select_dependencies(dstr_get(&list), &job, false, NULL), 0);
    assert_int_equal(job.JB_jid_request_list.n, 50000);
    dstr_free(&list);
    cull_clear(&cull_JB_Type, &job);
}

static void names_are_refused_in_known_words(void **state)
{
    static const struct {
        const char *name, *text;
    } rows[] = {
        { "with.dots_and-dash", NULL },
        { "a b", NULL },
        { "x", NULL },
        { "J\xc3\xb6rg", NULL },
        { NULL, "job rejected cause there is no job_name in the request" },
        { "", "job rejected cause there is no job_name in the request" },
        { "none", "denied: \"none\" is not a valid object name (reserved word)" },
        { "NONE", "denied: \"NONE\" is not a valid object name (reserved word)" },
        { "1abc", "denied: \"1abc\" is not a valid object name (cannot start with a digit)" },
        { "a/b", "Slash ('/') not allowed in objectname" },
        { "a:b", "Colon (':') not allowed in objectname" },
        { "a@b", "At ('@') not allowed in objectname" },
        { "a*", "Asterisk ('*') not allowed in objectname" },
        { "a\\b", "Backslash ('\\') not allowed in objectname" },
        { "a\nb", "Newline ('\\n') not allowed in objectname" },
        { "a\x01", "Control character (code 1) not allowed in objectname" },
    };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
        struct answer ans = ANSWER_INIT;
        assert_int_equal(job_name_check(rows[i].name, &ans), rows[i].text == NULL ? 0 : -1);
        assert_string_equal(ans_first_error(&ans), rows[i].text == NULL ? "" : rows[i].text);
        ans_free(&ans);
    }
}

static void names_have_a_length(void **state)
{
    char name[514];
    struct answer ans = ANSWER_INIT;

    (void)state;
    memset(name, 'x', sizeof name);
    name[513] = '\0';
    assert_int_equal(job_name_check(name, &ans), -1);
    assert_string_equal(
        ans_first_error(&ans),
        "denied: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is not a valid object name "
        "(longer than 512 bytes)");
    name[512] = '\0';
    assert_int_equal(job_name_check(name, NULL), 0);
    ans_free(&ans);
}

/* -A: digits may come first there */
static void accounts_keep_the_rules_for_characters(void **state)
{
    (void)state;
    assert_int_equal(object_name_check("4711", NULL), 0);
    assert_int_equal(object_name_check("a/b", NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_names_and_patterns_are_kept_as_written),
        cmocka_unit_test(repeated_options_accumulate_without_duplicates),
        cmocka_unit_test(blanks_around_entries_do_not_count),
        cmocka_unit_test(empty_entries_do_not_count),
        cmocka_unit_test(the_empty_list_is_a_list),
        cmocka_unit_test(malformed_lists_change_nothing),
        cmocka_unit_test(what_cannot_mean_a_job_is_refused_with_the_id_that_may_be_meant),
        cmocka_unit_test(long_lists_are_read_at_once),
        cmocka_unit_test(names_are_refused_in_known_words),
        cmocka_unit_test(names_have_a_length),
        cmocka_unit_test(accounts_keep_the_rules_for_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

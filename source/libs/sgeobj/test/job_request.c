/* A job's context after the operations of a change; letters of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"

static void add_request(struct JB_Type *job, const char *name, const char *value)
{
    struct VA_Type *va = cull_append(job, JB_context);
    cull_set(va, VA_variable, name);
    if (value != NULL)
        cull_set(va, VA_value, value);
}

/* names and values of the job's context */
static void check_requests(const struct JB_Type *job, const char *expected)
{
    struct dstr text = DSTR_INIT;
    for (uint32_t i = 0; i < job->JB_context.n; i++)
        dstr_addf(&text, "%s=%s;", job->JB_context.v[i].VA_variable, job->JB_context.v[i].VA_value);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void operations_add_delete_and_replace(void **state)
{
    struct JB_Type job = { 0 }, change = { 0 };
    (void)state;
    add_request(&change, CONTEXT_ADD, NULL);
    add_request(&change, "a", "1");
    add_request(&change, "b", "2");
    job_context_apply(&job, &change.JB_context);
    check_requests(&job, "a=1;b=2;");
    add_request(&change, CONTEXT_DELETE, NULL);
    add_request(&change, "a", NULL);
    add_request(&change, "nosuch", NULL);
    add_request(&change, CONTEXT_ADD, NULL);
    add_request(&change, "b", "3");
    job_context_apply(&job, &change.JB_context);
    check_requests(&job, "b=3;");
    cull_clear(&cull_JB_Type, &change);
    add_request(&change, CONTEXT_SET, NULL);
    add_request(&change, "x", "y");
    job_context_apply(&job, &change.JB_context);
    check_requests(&job, "x=y;");
    cull_clear(&cull_JB_Type, &change);
    add_request(&change, CONTEXT_SET, NULL);
    job_context_apply(&job, &change.JB_context);
    check_requests(&job, "");
    assert_true(cull_has(&job, JB_context));
    cull_clear(&cull_JB_Type, &change);
    cull_clear(&cull_JB_Type, &job);
}

/* qalter -v, qresub -v: the old variables go, what says where the job came from stays */
static void a_new_environment_keeps_the_submitter(void **state)
{
    struct JB_Type job = { 0 }, old = { 0 };
    (void)state;
    struct VA_Type *va = cull_append(&old, JB_env_list);
    cull_set(va, VA_variable, "A");
    va = cull_append(&old, JB_env_list);
    cull_set(va, VA_variable, ENV_SUBMIT_PREFIX "O_HOME");
    cull_set(va, VA_value, "/home/alice");
    va = cull_append(&job, JB_env_list);
    cull_set(va, VA_variable, "B");
    job_env_keep_submitter(&job, &old.JB_env_list);
    assert_int_equal(job.JB_env_list.n, 2);
    assert_string_equal(job.JB_env_list.v[0].VA_variable, "B");
    assert_string_equal(job.JB_env_list.v[1].VA_variable, ENV_SUBMIT_PREFIX "O_HOME");
    assert_string_equal(job.JB_env_list.v[1].VA_value, "/home/alice");
    cull_clear(&cull_JB_Type, &job);
    cull_clear(&cull_JB_Type, &old);
}

/* 60,000 names come, every second one goes again, and all in between keep their order: nobody looks
 * for each among all */
static void many_names_are_no_matter(void **state)
{
    enum { NAMES = 60000 };
    struct JB_Type job = { 0 }, change = { 0 };
    struct dstr name = DSTR_INIT;
    (void)state;
    for (int round = 0; round < 2; round++) {
        add_request(&change, round == 0 ? CONTEXT_ADD : CONTEXT_DELETE, NULL);
        for (unsigned i = 0; i < NAMES; i += round == 0 ? 1 : 2) {
            dstr_clear(&name);
            dstr_addf(&name, "n%u", i);
            add_request(&change, dstr_get(&name), round == 0 ? "v" : NULL);
        }
    }
    job_context_apply(&job, &change.JB_context);
    assert_int_equal(job.JB_context.n, NAMES / 2);
    assert_string_equal(job.JB_context.v[0].VA_variable, "n1");
    assert_string_equal(job.JB_context.v[NAMES / 2 - 1].VA_variable, "n59999");
    dstr_free(&name);
    cull_clear(&cull_JB_Type, &job);
    cull_clear(&cull_JB_Type, &change);
}

/* each table, forwards */
static void letters_are_shown_as_they_are_read(void **state)
{
    static const struct {
        const struct job_letter *table;
        const char *said, *shown;
    } all[] = {
        { job_mail_letters, "seba", "abes" },  { job_mail_letters, "bn", "b" },
        { job_mail_letters, "n", "" },         { job_checkpoint_letters, "rxmsn", "nmsxr" },
        { job_checkpoint_letters, "mm", "m" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct dstr text = DSTR_INIT;
        uint32_t bits;
        assert_true(job_letters_parse(all[i].said, all[i].table, &bits));
        job_letters_text(bits, all[i].table, &text);
        assert_string_equal(dstr_get(&text), all[i].shown);
        dstr_free(&text);
    }
}

static void other_letters_are_refused(void **state)
{
    static const char *const others[] = { "", "q", "ab?", "a b", "A" };
    uint32_t bits;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_false(job_letters_parse(others[i], job_mail_letters, &bits));
}

static void add_queue(struct JB_Type *job, const char *name)
{
    cull_set(cull_append(job, JB_hard_queue_list), QR_name, name);
}

static void lists_of_a_request_name_each_thing_once(void **state)
{
    struct JB_Type job = { 0 };
    (void)state;
    add_queue(&job, "a.q");
    add_queue(&job, "b.q");
    for (int i = 0; i < 500; i++)
        add_queue(&job, "a.q");
    add_request(&job, "x", "1");
    add_request(&job, "y", "2");
    add_request(&job, "x", "3");
    job_lists_merge(&job, true);
    assert_int_equal(job.JB_hard_queue_list.n, 2);
    assert_string_equal(job.JB_hard_queue_list.v[0].QR_name, "a.q");
    assert_string_equal(job.JB_hard_queue_list.v[1].QR_name, "b.q");
    check_requests(&job, "x=3;y=2;");
    cull_clear(&cull_JB_Type, &job);
}

static void operations_of_a_change_stay_in_their_order(void **state)
{
    struct JB_Type change = { 0 };
    (void)state;
    add_request(&change, CONTEXT_ADD, "");
    add_request(&change, "x", "1");
    add_request(&change, CONTEXT_DELETE, "");
    add_request(&change, "x", "");
    job_lists_merge(&change, false);
    check_requests(&change, "+=;x=1;-=;x=;");
    cull_clear(&cull_JB_Type, &change);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_names_are_no_matter),
        cmocka_unit_test(operations_add_delete_and_replace),
        cmocka_unit_test(lists_of_a_request_name_each_thing_once),
        cmocka_unit_test(operations_of_a_change_stay_in_their_order),
        cmocka_unit_test(a_new_environment_keeps_the_submitter),
        cmocka_unit_test(letters_are_shown_as_they_are_read),
        cmocka_unit_test(other_letters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

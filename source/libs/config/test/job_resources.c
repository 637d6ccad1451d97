/* Requests for resources against the resources that every cluster starts with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/config/complex.h"
#include "libs/config/job_resources.h"
#include "libs/uti/answer.h"

static struct CE_Type_list complex;

static int make_complex(void **state)
{
    (void)state;
    complex_template(&complex);
    return 0;
}

static int free_complex(void **state)
{
    (void)state;
    complex_list_clear(&complex);
    return 0;
}

static int check_resource(struct JB_Type *job, const char *name, const char *value,
                          struct answer *ans)
{
    struct CE_Type *ce = cull_append(job, JB_hard_resource_list);
    cull_set(ce, CE_name, name);
    if (value != NULL)
        cull_set(ce, CE_stringval, value);
    return job_resources_check(&complex, &job->JB_hard_resource_list, ans);
}

static void expect_good(const char *name, const char *value, const char *name_after)
{
    struct JB_Type job = { 0 };
    assert_int_equal(check_resource(&job, name, value, NULL), 0);
    assert_string_equal(job.JB_hard_resource_list.v[0].CE_name, name_after);
    cull_clear(&cull_JB_Type, &job);
}

static void expect_refused(const char *name, const char *value, const char *text)
{
    struct JB_Type job = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(check_resource(&job, name, value, &ans), -1);
    assert_string_equal(ans_first_error(&ans), text);
    assert_string_equal(job.JB_hard_resource_list.v[0].CE_name, name);
    cull_clear(&cull_JB_Type, &job);
    ans_free(&ans);
}

static void expect_kept(const char *name, const char *value, const char *text, double number,
                        uint32_t type)
{
    struct JB_Type job = { 0 };
    assert_int_equal(check_resource(&job, name, value, NULL), 0);
    const struct CE_Type *ce = &job.JB_hard_resource_list.v[0];
    assert_string_equal(ce->CE_stringval, text);
    assert_true(ce->CE_doubleval >= number && ce->CE_doubleval <= number);
    assert_int_equal(ce->CE_valtype, type);
    cull_clear(&cull_JB_Type, &job);
}

static void times_are_kept_in_seconds_and_numbers_beside_their_texts(void **state)
{
    (void)state;
    expect_kept("h_rt", "1:0:0", "3600", 3600, COMPLEX_TIME);
    expect_kept("h_rt", "90", "90", 90, COMPLEX_TIME);
    expect_kept("mem_free", "9000G", "9000G", 9663676416000, COMPLEX_MEMORY);
    expect_kept("arch", "lx-amd64", "lx-amd64", 0, COMPLEX_STRING);
    expect_kept("cpu", "0.5", "0.5", 0.5, COMPLEX_DOUBLE);
}

static void of_equal_requests_the_last_one_stays(void **state)
{
    (void)state;
    struct JB_Type job = { 0 };
    static const char *const asked[][2] = {
        { "mem_free", "1G" }, { "h_rt", "10" }, { "mf", "2G" }, { "mem_free", "3G" }
    };
    for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
        struct CE_Type *ce = cull_append(&job, JB_soft_resource_list);
        cull_set(ce, CE_name, asked[i][0]);
        cull_set(ce, CE_stringval, asked[i][1]);
    }
    assert_int_equal(job_resources_check(&complex, &job.JB_soft_resource_list, NULL), 0);
    assert_int_equal(job.JB_soft_resource_list.n, 2);
    assert_string_equal(job.JB_soft_resource_list.v[0].CE_name, "mem_free");
    assert_string_equal(job.JB_soft_resource_list.v[0].CE_stringval, "3G");
    assert_string_equal(job.JB_soft_resource_list.v[1].CE_name, "h_rt");
    cull_clear(&cull_JB_Type, &job);
}

static void values_are_of_the_resources_type(void **state)
{
    (void)state;
    expect_good("h_rt", "1:0:0", "h_rt");
    expect_good("h_rt", NULL, "h_rt");
    expect_good("mem_free", "1.5G", "mem_free");
    expect_good("vf", "100K", "virtual_free");
    expect_good("hostname", "a*", "hostname");
    expect_refused("h_rt", "abc", "attribute \"h_rt\" is not a time value");
    expect_refused("mem_free", "abc", "attribute \"mem_free\" is not a memory value");
    expect_refused("vf", "abc", "attribute \"virtual_free\" is not a memory value");
    expect_refused("num_proc", "two", "attribute \"num_proc\" is not an integer value");
}

static void only_known_resources_may_be_requested(void **state)
{
    (void)state;
    expect_refused("nosuch", "1", "unknown resource \"nosuch\"");
    expect_refused(
        "slots", "1",
        "\"job\" denied: use parallel environments instead of requesting slots explicitly");
}

static void limits_are_told_from_other_resources(void **state)
{
    static const char *const yes[] = { "h_rt", "s_rt", "h_vmem", "h_core" };
    static const char *const no[] = { "", "mem_free", "h_rtt", "h_r", "h_rt=10" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        assert_true(job_limit_is_one(yes[i]));
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        assert_false(job_limit_is_one(no[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_kept_in_seconds_and_numbers_beside_their_texts),
        cmocka_unit_test(of_equal_requests_the_last_one_stays),
        cmocka_unit_test(values_are_of_the_resources_type),
        cmocka_unit_test(only_known_resources_may_be_requested),
        cmocka_unit_test(limits_are_told_from_other_resources),
    };
    return cmocka_run_group_tests(tests, make_complex, free_complex);
}

/* Tests of libs/config/rqs.c: the rules of resource_quota(5). */
#include "libs/config/rqs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static struct RQS_Type *a_set(const char *limit, struct answer *ans, int want)
{
    struct RQS_Type *rqs = cull_new(&cull_RQS_Type);
    cull_set(rqs, RQS_name, "max2");
    assert_int_equal(rqs_read_limit(rqs, limit, ans), want);
    return rqs;
}

static void a_limit_has_filters_and_amounts(void **state SGE_UNUSED)
{
    struct RQS_Type *rqs =
        a_set("name big users {*, !@staff} hosts {@rack} to slots=2,mem=$num_proc*2", NULL, 0);
    const struct RQR_Type *rule = &rqs->RQS_rule.v[0];
    assert_string_equal(rule->RQR_name, "big");
    assert_string_equal(rule->RQR_users, "{*,!@staff}");
    assert_string_equal(rule->RQR_hosts, "{@rack}");
    assert_null(rule->RQR_queues);
    assert_int_equal(rule->RQR_limit.n, 2);
    assert_string_equal(rule->RQR_limit.v[1].VA_variable, "mem");
    assert_string_equal(rule->RQR_limit.v[1].VA_value, "$num_proc*2");
    cull_delete(&cull_RQS_Type, rqs);
}

static void the_first_mistake_is_named(void **state SGE_UNUSED)
{
    static const char once[] = "one of name users projects pes queues hosts, once, or to";
    static const struct {
        const char *limit, *part, *wanted;
    } rows[] = {
        { "foo", "foo", "followed by a list" },
        { "foo x to slots=1", "foo", once },
        { "users a users b to slots=1", "users", once },
        { "users {} to slots=1", "{}", "a list" },
        { "users a;b to slots=1", "a;b", "a name, a pattern, or @list" },
        { "name a@b to slots=1", "a@b", "a name" },
        { "users a", "", "resource=amount" },
        { "users a to", "", "resource=amount" },
        { "to slots", "slots", "resource=amount" },
        { "to slots=many", "slots=many", "resource=amount" },
        { "to a@b=1", "a@b", "the name of a resource" },
        { "to slots=$", "slots=$", "resource=amount" },
        { "to slots=$num_proc*", "slots=$num_proc*", "resource=amount" },
        { "to slots=$num_proc$m_core", "slots=$num_proc$m_core", "resource=amount" },
        { "to slots=..$num_proc", "slots=..$num_proc", "resource=amount" },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct answer ans = ANSWER_INIT;
        struct dstr want = DSTR_INIT;
        struct RQS_Type *rqs = a_set(rows[i].limit, &ans, -1);
        dstr_addf(&want, "error in limit of resource quota set \"max2\": \"%s\" is not %s",
                  rows[i].part, rows[i].wanted);
        assert_string_equal(ans_first_error(&ans), dstr_get(&want));
        cull_delete(&cull_RQS_Type, rqs);
        dstr_free(&want);
        ans_free(&ans);
    }
}

static void dynamic_limits_are_per_host(void **state SGE_UNUSED)
{
    static const char *const limits[] = { "hosts * to slots=$num_proc", "to slots=$num_proc",
                                          "users {*} to lic=1,slots=$num_proc" };
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct answer ans = ANSWER_INIT;
        struct RQS_Type *rqs = a_set(limits[i], &ans, -1);
        assert_string_equal(ans_first_error(&ans),
                            "dynamic limits are only supported for per host rules");
        ans_free(&ans);
        cull_delete(&cull_RQS_Type, rqs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_has_filters_and_amounts),
        cmocka_unit_test(the_first_mistake_is_named),
        cmocka_unit_test(dynamic_limits_are_per_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

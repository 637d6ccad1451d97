/* Whom a change of a queue or host group concerns. queue_conf(5), hostgroup(5). */
#include "daemons/qmaster/config/renewal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/config/cqueue.h"
#include "libs/uti/dstr.h"

/* whom it concerns that ATTR was BEFORE and is AFTER; "all" first if all instances */
static const char *names_concerned(const char *attr, const char *before, const char *after)
{
    static struct dstr said;
    struct CQ_Type *old = cqueue_template("q"), *new = cqueue_template("q");
    struct ST_Type_list whom = { 0 };
    dstr_clear(&said);
    assert_int_equal(cqueue_set(old, attr, before, NULL), 0);
    assert_int_equal(cqueue_set(new, attr, after, NULL), 0);
    if (concerned_by_queue(old, new, &whom))
        dstr_add(&said, "all");
    for (uint32_t i = 0; i < whom.n; i++)
        dstr_addf(&said, "%s%s", said.len > 0 ? " " : "", whom.v[i].ST_name);
    cull_list_clear(&cull_ST_Type, &whom);
    cull_delete(&cull_CQ_Type, old);
    cull_delete(&cull_CQ_Type, new);
    return dstr_get(&said);
}

static void a_default_concerns_all_instances(void **state SGE_UNUSED)
{
    assert_string_equal(names_concerned("slots", "1", "2"), "all");
    assert_string_equal(names_concerned("slots", "1,[a=2]", "2,[a=2]"), "all");
    assert_string_equal(names_concerned("slots", "1", "1"), "");
}

static void a_setting_concerns_its_host(void **state SGE_UNUSED)
{
    assert_string_equal(names_concerned("slots", "1,[a=2]", "1,[a=2],[b=3]"), "b");
    assert_string_equal(names_concerned("slots", "1,[a=2],[b=3]", "1,[b=3]"), "a");
    assert_string_equal(names_concerned("slots", "1,[a=2],[b=3]", "1,[b=3],[a=2]"), "");
    assert_string_equal(names_concerned("slots", "1,[a=2],[c=1]", "1,[a=3],[c=1]"), "a a");
}

/* what both begin and end with is passed over, and no more than that */
static void of_a_long_list_what_differs_is_concerned(void **state SGE_UNUSED)
{
    assert_string_equal(names_concerned("hostlist", "a b c d e", "a b x d e"), "c x");
    assert_string_equal(names_concerned("hostlist", "a a b", "a b"), "");
    assert_string_equal(names_concerned("hostlist", "a b c", "a b c d"), "d");
    assert_string_equal(names_concerned("hostlist", "a b c", "b c"), "a");
    assert_string_equal(names_concerned("hostlist", "a b c d", "a c b d"), "");
    assert_string_equal(
        names_concerned("slots", "1,[a=1],[b=2],[c=3],[d=4]", "1,[a=1],[c=3],[b=5],[d=4]"), "b b");
}

/* the first of two that have a host wins */
static void groups_in_another_order_are_concerned(void **state SGE_UNUSED)
{
    assert_string_equal(names_concerned("slots", "1,[@x=2],[a=1],[@y=3]", "1,[@x=2],[@y=3],[a=1]"),
                        "");
    assert_string_equal(names_concerned("slots", "1,[@x=2],[@y=3]", "1,[@y=3],[@x=2]"),
                        "@x @y @y @x");
    assert_string_equal(names_concerned("slots", "1,[@x=2]", "1,[@x=3]"), "@x @x");
    assert_string_equal(names_concerned("slots", "1", "1,[@x=3],[b=1]"), "b @x");
}

static void hosts_that_come_and_go_are_concerned(void **state SGE_UNUSED)
{
    assert_string_equal(names_concerned("hostlist", "a b @x", "@y b c @x"), "@y a c");
    assert_string_equal(names_concerned("hostlist", "NONE", "a"), "a");
    assert_string_equal(names_concerned("hostlist", "a b", "b a"), "");
}

static void a_new_queue_concerns_its_hosts(void **state SGE_UNUSED)
{
    struct CQ_Type *new = cqueue_template("q"), nothing = { 0 };
    struct ST_Type_list whom = { 0 };
    assert_int_equal(cqueue_set(new, "hostlist", "@x", NULL), 0);
    assert_true(concerned_by_queue(&nothing, new, &whom));
    assert_int_equal(whom.n, 1);
    assert_string_equal(whom.v[0].ST_name, "@x");
    cull_list_clear(&cull_ST_Type, &whom);
    cull_delete(&cull_CQ_Type, new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_default_concerns_all_instances),
        cmocka_unit_test(a_setting_concerns_its_host),
        cmocka_unit_test(of_a_long_list_what_differs_is_concerned),
        cmocka_unit_test(groups_in_another_order_are_concerned),
        cmocka_unit_test(hosts_that_come_and_go_are_concerned),
        cmocka_unit_test(a_new_queue_concerns_its_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

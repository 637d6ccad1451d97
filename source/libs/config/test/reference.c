/* Tests of libs/config/reference.c: the names in values. */
#include "libs/config/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

static bool add_name(void *ctx, const struct reference *to)
{
    dstr_addf(ctx, "%s;", to->name);
    return strstr(to->name, "last") == NULL;
}

static void the_names_are(const char *attr, const char *value, const char *want)
{
    struct dstr names = DSTR_INIT;
    assert_int_equal(attr_references(attr, value, add_name, &names), strstr(want, "last") == NULL);
    assert_string_equal(dstr_get(&names), want);
    dstr_free(&names);
}

static void a_value_has_the_names_that_stand_in_it(void **state SGE_UNUSED)
{
    the_names_are("pe_list", "make smp,mpi", "make;smp;mpi;");
    the_names_are("subordinate_list", "a.q=1,low.q=2,b.q", "a.q;low.q;b.q;");
    the_names_are("subordinate_list", "slots=2(mid.q:2:sr, low.q:1:lr)", "mid.q;low.q;");
    the_names_are("subordinate_list", "NONE", "");
    the_names_are("pe_list", "NONE", "");
    the_names_are("pe_list", "", "");
    the_names_are("pe_list", NULL, "");
    the_names_are("slots", "make", "");
}

static void a_formula_names_resources_among_numbers(void **state SGE_UNUSED)
{
    the_names_are("load_formula", "np_load_avg*2+load_short-1", "np_load_avg;load_short;");
    the_names_are("job_load_adjustments", "np_load_avg=0.50,lic=1", "np_load_avg;lic;");
}

static void groups_stand_among_hosts(void **state SGE_UNUSED)
{
    the_names_are("hostlist", "one @rack two @last", "@rack;@last;");
}

static void a_walk_ends_where_its_caller_says_so(void **state SGE_UNUSED)
{
    the_names_are("pe_list", "make last mpi", "make;last;");
}

static void an_attribute_names_objects_of_one_kind(void **state SGE_UNUSED)
{
    assert_int_equal(attr_reference_find("calendar")->kind, OBJECT_CALENDAR);
    assert_null(attr_reference_find("slots"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_has_the_names_that_stand_in_it),
        cmocka_unit_test(a_formula_names_resources_among_numbers),
        cmocka_unit_test(groups_stand_among_hosts),
        cmocka_unit_test(a_walk_ends_where_its_caller_says_so),
        cmocka_unit_test(an_attribute_names_objects_of_one_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which fields of an object an answer has. gdi/message.h, GDI_GET. */
#include "daemons/qmaster/requests/reads/wanted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"

/* all.q@node1 as far as NAMES want it; new: cull_delete */
static struct QU_Type *copy_wanted(const char *const *names)
{
    struct CQ_Type *cq = cqueue_template("all.q");
    struct QU_Type *whole = cull_new(&cull_QU_Type), *copy = cull_new(&cull_QU_Type);
    struct ST_Type_list list = { 0 };
    struct wanted w;
    for (; *names != NULL; names++) {
        struct ST_Type *st = cull_push(&list);
        cull_set(st, ST_name, *names);
    }
    qinstance_resolve(whole, cq, "node1", NULL, NULL);
    cull_set(whole, QU_state, QI_DISABLED);
    wanted_read(&w, &cull_QU_Type, &list);
    wanted_copy(&w, copy, whole);
    cull_list_clear(&cull_ST_Type, &list);
    cull_delete(&cull_QU_Type, whole);
    cull_delete(&cull_CQ_Type, cq);
    return copy;
}

static void the_fields_that_are_named_come_and_the_key(void **state SGE_UNUSED)
{
    struct QU_Type *qu = copy_wanted((const char *const[]){ "QU_state", "QU_flown", NULL });
    assert_int_equal(qu->QU_state, QI_DISABLED);
    assert_string_equal(qu->QU_full_name, "all.q@node1");
    assert_false(cull_has(qu, QU_qname));
    assert_false(cull_has(qu, QU_settings));
    cull_delete(&cull_QU_Type, qu);
}

static void single_attributes_of_a_queue_may_be_named(void **state SGE_UNUSED)
{
    struct QU_Type *qu = copy_wanted((const char *const[]){ "shell", "pe_list", NULL });
    assert_int_equal(qu->QU_settings.n, 2);
    assert_string_equal(qinstance_setting(qu, "shell"), "/bin/sh");
    assert_string_equal(qinstance_setting(qu, "pe_list"), "NONE");
    cull_delete(&cull_QU_Type, qu);
}

static void all_attributes_come_if_the_whole_list_is_named(void **state SGE_UNUSED)
{
    struct QU_Type *qu = copy_wanted((const char *const[]){ "shell", "QU_settings", NULL });
    assert_int_equal(qu->QU_settings.n, cqueue_attrs_n);
    cull_delete(&cull_QU_Type, qu);
}

static void everything_comes_if_nothing_is_named_that_we_know(void **state SGE_UNUSED)
{
    struct QU_Type *qu = copy_wanted((const char *const[]){ NULL });
    assert_int_equal(qu->QU_settings.n, cqueue_attrs_n);
    cull_delete(&cull_QU_Type, qu);
    qu = copy_wanted((const char *const[]){ "QU_flown", NULL });
    assert_int_equal(qu->QU_settings.n, cqueue_attrs_n);
    assert_string_equal(qu->QU_qhostname, "node1");
    cull_delete(&cull_QU_Type, qu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fields_that_are_named_come_and_the_key),
        cmocka_unit_test(single_attributes_of_a_queue_may_be_named),
        cmocka_unit_test(all_attributes_come_if_the_whole_list_is_named),
        cmocka_unit_test(everything_comes_if_nothing_is_named_that_we_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

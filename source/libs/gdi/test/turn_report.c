/* What daemons report of their turns, and what is kept of it. */
#include "libs/gdi/turn_report.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void what_was_reported_is_kept(void **state)
{
    struct turn_counts counts = { 0 };
    struct EP_Type m = { 0 };
    struct turn_reports *kept = NULL;
    (void)state;
    turn_count(&counts, 3, NULL, 1);
    turn_count(&counts, 3000000000, NULL, 1);
    turn_report_fill(&counts, "schedd", cull_append(&m, EP_turns));
    turn_reports_take(&kept, &m.EP_turns);
    assert_int_equal(kept->n, 1);
    assert_string_equal(kept->v[0].thread, "schedd");
    assert_int_equal(kept->v[0].n, 2);
    assert_int_equal(kept->v[0].longest_us, 3000000000);
    assert_int_equal(kept->v[0].bucket[2], 1);
    assert_int_equal(kept->v[0].bucket[TURN_BUCKETS - 1], 1);
    cull_clear(&cull_EP_Type, &m);
    turn_reports_take(&kept, &m.EP_turns);
    assert_int_equal(kept->n, 1);
    free(kept);
}

static void what_breaks_a_rule_is_passed_over(void **state)
{
    static const char *const names[] = { "", "seventeen_letters", "two words", "a\nline", "good" };
    struct EP_Type m = { 0 };
    struct turn_reports *kept = NULL;
    (void)state;
    cull_append(&m, EP_turns);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        cull_set(cull_append(&m, EP_turns), TN_thread, names[i]);
    turn_reports_take(&kept, &m.EP_turns);
    assert_int_equal(kept->n, 0); /* the good one comes behind as many as there may be */
    cull_clear(&cull_EP_Type, &m);
    struct TN_Type *rec = cull_append(&m, EP_turns);
    cull_set(rec, TN_thread, "good");
    struct TU_Type *length = cull_append(rec, TN_lengths);
    cull_set(length, TU_bucket, (uint32_t)TURN_BUCKETS);
    cull_set(length, TU_n, UINT64_C(1));
    turn_reports_take(&kept, &m.EP_turns);
    assert_int_equal(kept->n, 1);
    for (unsigned i = 0; i < TURN_BUCKETS; i++)
        assert_int_equal(kept->v[0].bucket[i], 0);
    cull_clear(&cull_EP_Type, &m);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_reported_is_kept),
        cmocka_unit_test(what_breaks_a_rule_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

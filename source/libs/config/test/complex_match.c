/* Requests beside what a place has: every relation, every type. */
#include "libs/config/offers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka last: it needs the three above */
#include <cmocka.h>

#include "libs/config/complex.h"

struct row {
    uint32_t type, relop;
    const char *wanted, *offered;
    bool is_met;
};

static void assert_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        struct CE_Type ce = { .CE_name = "x", .CE_valtype = r->type, .CE_relop = r->relop };
        if (complex_meets(&ce, r->wanted, r->offered) != r->is_met)
            fail_msg("row %zu: %s beside %s", i, r->wanted, r->offered);
    }
}
#define ASSERT_ROWS(rows) assert_rows(rows, ARRAY_LEN(rows))

static void the_relation_stands_between_wanted_and_offered(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { COMPLEX_INT, COMPLEX_LE, "2", "2", true },   { COMPLEX_INT, COMPLEX_LE, "3", "2", false },
        { COMPLEX_INT, COMPLEX_LT, "1", "2", true },   { COMPLEX_INT, COMPLEX_LT, "2", "2", false },
        { COMPLEX_INT, COMPLEX_GE, "2", "2", true },   { COMPLEX_INT, COMPLEX_GE, "1", "2", false },
        { COMPLEX_INT, COMPLEX_GT, "3", "2", true },   { COMPLEX_INT, COMPLEX_GT, "2", "2", false },
        { COMPLEX_INT, COMPLEX_EQ, "2", "2", true },   { COMPLEX_INT, COMPLEX_EQ, "1", "2", false },
        { COMPLEX_INT, COMPLEX_NE, "1", "2", true },   { COMPLEX_INT, COMPLEX_NE, "2", "2", false },
        { COMPLEX_INT, COMPLEX_EXCL, "1", "0", true },
    };
    ASSERT_ROWS(rows);
}

static void numbers_are_compared_as_what_they_are(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { COMPLEX_MEMORY, COMPLEX_LE, "1G", "1024M", true },
        { COMPLEX_MEMORY, COMPLEX_LE, "1025M", "1G", false },
        { COMPLEX_MEMORY, COMPLEX_LE, "500G", "INFINITY", true },
        { COMPLEX_TIME, COMPLEX_LE, "1:00:00", "3600", true },
        { COMPLEX_TIME, COMPLEX_LE, "1:00:01", "3600", false },
        { COMPLEX_DOUBLE, COMPLEX_GE, "0.5", "0.25", true },
        { COMPLEX_BOOL, COMPLEX_EQ, "TRUE", "1", true },
        { COMPLEX_BOOL, COMPLEX_EQ, "true", "false", false },
    };
    ASSERT_ROWS(rows);
}

static void texts_are_equal_in_the_way_of_their_type(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { COMPLEX_STRING, COMPLEX_EQ, "blue", "blue", true },
        { COMPLEX_STRING, COMPLEX_EQ, "Blue", "blue", false },
        { COMPLEX_STRING, COMPLEX_EQ, "b*", "blue", true },
        { COMPLEX_STRING, COMPLEX_EQ, "B*", "blue", false },
        { COMPLEX_STRING, COMPLEX_NE, "red", "blue", true },
        { COMPLEX_CSTRING, COMPLEX_EQ, "Blue", "bLUE", true },
        { COMPLEX_CSTRING, COMPLEX_NE, "Blue", "bLUE", false },
        { COMPLEX_HOST, COMPLEX_EQ, "node7", "Node7.example.org", true },
        { COMPLEX_HOST, COMPLEX_EQ, "node7", "node8", false },
        { COMPLEX_HOST, COMPLEX_EQ, "NODE*", "node8", true },
        { COMPLEX_CSTRING, COMPLEX_EQ, "b?UE", "Blue", true },
        { COMPLEX_RESTRING, COMPLEX_EQ, "lx-*", "lx-amd64", true },
        { COMPLEX_RESTRING, COMPLEX_EQ, "lx-arm*|sol-*", "lx-amd64", false },
    };
    ASSERT_ROWS(rows);
}

static void what_is_not_of_the_type_is_never_met(void **state SGE_UNUSED)
{
    static const struct row rows[] = {
        { COMPLEX_INT, COMPLEX_NE, "two", "2", false },
        { COMPLEX_INT, COMPLEX_LE, "2", "", false },
        { COMPLEX_MEMORY, COMPLEX_LE, "1X", "1G", false },
        { COMPLEX_TIME, COMPLEX_LE, "1:2:3:4", "1", false },
        { COMPLEX_BOOL, COMPLEX_EQ, "perhaps", "1", false },
    };
    ASSERT_ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_relation_stands_between_wanted_and_offered),
        cmocka_unit_test(numbers_are_compared_as_what_they_are),
        cmocka_unit_test(texts_are_equal_in_the_way_of_their_type),
        cmocka_unit_test(what_is_not_of_the_type_is_never_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

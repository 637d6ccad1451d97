/* Memory that is there. */
#include "libs/uti/alloc.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* the sanitizers' allocator shall refuse as the system's does, not end the test */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void nothing_is_something(void **state)
{
    (void)state;
    void *p = uti_alloc(0), *q = uti_calloc(0, 8);
    assert_non_null(p);
    assert_non_null(q);
    p = uti_realloc(p, 0);
    assert_non_null(p);
    free(p);
    free(q);
}

static void copies_end_with_zero(void **state)
{
    (void)state;
    char *a = uti_strdup("abc"), *b = uti_strndup("abc", 2), *c = uti_strndup("abc", 9);
    assert_string_equal(a, "abc");
    assert_string_equal(b, "ab");
    assert_string_equal(c, "abc");
    free(a);
    free(b);
    free(c);
}

static void arrays_double(void **state)
{
    (void)state;
    uint64_t *v = NULL;
    uint32_t cap = 0, grown = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t before = cap;
        v = uti_vec_grow(v, &cap, i + 1, sizeof *v);
        grown += cap != before;
        v[i] = i;
    }
    assert_in_range(grown, 1, 10);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(v[i], i);
    free(v);
}

static void what_was_asked_of_outside_is_refused_by_null(void **state)
{
    (void)state;
    volatile size_t huge = (size_t)PTRDIFF_MAX;
    assert_null(uti_try_alloc(huge));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_something),
        cmocka_unit_test(copies_end_with_zero),
        cmocka_unit_test(arrays_double),
        cmocka_unit_test(what_was_asked_of_outside_is_refused_by_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Load values as the qmaster has them. */
#include "daemons/execd/host/load.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "libs/uti/dstr.h"

/* a report with A and B (NULL: not put): "name=value " of what goes out, "name- " if it is gone */
static void check_report(struct load_sent *s, bool is_all, const char *a, const char *b,
                         const char *wanted)
{
    struct EH_Type host = { 0 };
    struct dstr said = DSTR_INIT;
    load_sent_begin(s, is_all);
    if (a != NULL)
        load_sent_put(s, &host, "a", a);
    if (b != NULL)
        load_sent_put(s, &host, "b", b);
    if (b != NULL)
        load_sent_put(s, &host, "b", "too late");
    uint32_t n = load_sent_end(s, &host);
    assert_int_equal(n, host.EH_load_list.n);
    for (uint32_t i = 0; i < host.EH_load_list.n; i++) {
        const struct VA_Type *va = &host.EH_load_list.v[i];
        dstr_addf(&said, "%s%s%s ", va->VA_variable, cull_has(va, VA_value) ? "=" : "-",
                  cull_has(va, VA_value) ? va->VA_value : "");
    }
    assert_string_equal(dstr_get(&said), wanted);
    dstr_free(&said);
    cull_clear(&cull_EH_Type, &host);
}

static void only_what_changed_goes_out_unless_all_is_wanted(void **state)
{
    (void)state;
    struct load_sent s = { 0 };
    check_report(&s, false, "1", "2", "a=1 b=2 ");
    check_report(&s, false, "1", "3", "b=3 ");
    check_report(&s, true, "1", "3", "a=1 b=3 ");
    check_report(&s, false, "1", "3", "");
    load_sent_free(&s);
}

static void what_is_no_more_goes_out_once_without_a_value(void **state)
{
    (void)state;
    struct load_sent s = { 0 };
    check_report(&s, false, "1", "2", "a=1 b=2 ");
    check_report(&s, false, NULL, "2", "a- ");
    check_report(&s, false, NULL, "2", "");
    check_report(&s, false, "1", "2", "a=1 ");
    load_sent_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_changed_goes_out_unless_all_is_wanted),
        cmocka_unit_test(what_is_no_more_goes_out_once_without_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

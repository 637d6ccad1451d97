/* What a load sensor prints. */
#include "daemons/execd/host/sensor_text.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

/* the values of the last whole report, "host:name=value " each; free with dstr_free */
static struct dstr list_values(const struct sensor_text *t)
{
    struct dstr out = DSTR_INIT;
    for (uint32_t i = 0; i < t->whole.n; i++)
        dstr_addf(&out, "%s:%s=%s ", t->whole.v[i].host, t->whole.v[i].name, t->whole.v[i].value);
    return out;
}

static void check_values(const char *text, uint32_t n_reports, const char *values, uint32_t n_bad)
{
    struct sensor_text t = { 0 };
    assert_int_equal(sensor_text_add(&t, text, strlen(text)), n_reports);
    struct dstr got = list_values(&t);
    assert_string_equal(dstr_get(&got), values);
    assert_int_equal(t.n_bad, n_bad);
    dstr_free(&got);
    sensor_text_free(&t);
}

static void a_report_has_values_between_begin_and_end(void **state)
{
    (void)state;
    check_values("begin\nh:scratch:12G\nh:gpu:2\nend\n", 1, "h:scratch=12G h:gpu=2 ", 0);
    check_values(" begin \r\n h:url:http://x:80/ \r\n\nend\t\n", 1, "h:url=http://x:80/ ", 0);
    check_values("begin\nh:empty:\nend\n", 1, "h:empty= ", 0);
    check_values("begin\nend\n", 1, "", 0);
}

static void the_last_whole_report_counts(void **state)
{
    (void)state;
    check_values("begin\nh:a:1\nend\nbegin\nh:b:2\nend\nbegin\nh:c:3\n", 2, "h:b=2 ", 0);
    check_values("begin\nh:a:1\nbegin\nh:b:2\nend\n", 1, "h:b=2 ", 0);
}

static void what_is_malformed_is_skipped_and_counted(void **state)
{
    (void)state;
    check_values("hello\nend\nh:a:1\n", 0, "", 3);
    check_values("begin\nh:a\n:a:1\nh::1\nh:a b:1\nh:a:\x01\nh:good:1\nend\n", 1, "h:good=1 ", 5);
}

static void a_line_may_come_in_any_pieces(void **state)
{
    (void)state;
    static const char text[] = "begin\nh:a:1\nend\n";
    struct sensor_text t = { 0 };
    uint32_t n = 0;
    for (size_t i = 0; i < strlen(text); i++)
        n += sensor_text_add(&t, &text[i], 1);
    assert_int_equal(n, 1);
    assert_int_equal(t.whole.n, 1);
    sensor_text_free(&t);
}

static void a_line_without_end_costs_no_more_than_a_line(void **state)
{
    (void)state;
    struct sensor_text t = { 0 };
    char many[1000];
    memset(many, 'x', sizeof many);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(sensor_text_add(&t, many, sizeof many), 0);
    assert_true(t.line.cap < 4 * SENSOR_LINE_MOST);
    (void)sensor_text_add(&t, "\nbegin\n", 7);
    assert_int_equal(t.n_bad, 1);
    assert_true(t.is_begun);
    sensor_text_free(&t);
}

static void a_report_has_so_many_values(void **state)
{
    (void)state;
    struct sensor_text t = { 0 };
    (void)sensor_text_add(&t, "begin\n", 6);
    for (uint32_t i = 0; i <= SENSOR_VALUES_MOST; i++)
        (void)sensor_text_add(&t, "h:a:1\n", 6);
    (void)sensor_text_add(&t, "end\n", 4);
    assert_int_equal(t.whole.n, SENSOR_VALUES_MOST);
    assert_int_equal(t.n_bad, 1);
    sensor_text_free(&t);
}

static void a_byte_of_zero_makes_a_line_malformed(void **state)
{
    (void)state;
    struct sensor_text t = { 0 };
    (void)sensor_text_add(&t, "begin\0\n", 7);
    assert_false(t.is_begun);
    assert_int_equal(t.n_bad, 1);
    sensor_text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_has_values_between_begin_and_end),
        cmocka_unit_test(the_last_whole_report_counts),
        cmocka_unit_test(what_is_malformed_is_skipped_and_counted),
        cmocka_unit_test(a_line_may_come_in_any_pieces),
        cmocka_unit_test(a_line_without_end_costs_no_more_than_a_line),
        cmocka_unit_test(a_report_has_so_many_values),
        cmocka_unit_test(a_byte_of_zero_makes_a_line_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

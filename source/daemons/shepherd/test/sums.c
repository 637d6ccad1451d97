/* Limits for all processes of a task together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/limits.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int read_from(struct sums *s, const char *text, struct answer *ans)
{
    struct config conf;
    assert_int_equal(config_parse(&conf, uti_strdup(text), "test", NULL), 0);
    int rc = sums_from(s, &conf, ans);
    config_free(&conf);
    s->processors = 4;
    return rc;
}

static void nothing_is_measured_without_a_limit(void **state SGE_UNUSED)
{
    struct sums s;
    assert_int_equal(read_from(&s, "h_cpu=INFINITY\nh_rt=5\n", NULL), 0);
    assert_false(sums_are_any(&s));
    assert_int_equal(read_from(&s, "h_rss=1000\n", NULL), 0);
    assert_true(sums_are_any(&s));
}

static void a_value_that_is_no_limit_is_named(void **state SGE_UNUSED)
{
    struct sums s;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(read_from(&s, "s_vmem=much\n", &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "\"s_vmem\""));
    ans_free(&ans);
}

static void a_hard_limit_is_reached_when_all_together_use_more(void **state SGE_UNUSED)
{
    struct sums s;
    struct dstr words = DSTR_INIT;
    bool soft;
    assert_int_equal(read_from(&s, "h_cpu=2\n", NULL), 0);
    assert_false(sums_judge(&s, &(struct sums_used){ { 2000, 1, 1 } }, &soft, &words));
    assert_true(sums_judge(&s, &(struct sums_used){ { 3100, 1, 1 } }, &soft, &words));
    assert_string_equal(dstr_get(&words),
                        "limit h_cpu: the processes of the job together may use 2 and have used 3");
    dstr_free(&words);
}

static void a_limit_is_for_each_slot_that_the_task_has_here(void **state SGE_UNUSED)
{
    struct sums s;
    assert_int_equal(read_from(&s,
                               "host_slots=4\npe_slots=9\nh_cpu=2\ns_vmem=100\nh_vmem=INFINITY\n"
                               "h_rss=18446744073709551614\n",
                               NULL),
                     0);
    assert_int_equal(s.hard[SUM_CPU], 8000);
    assert_int_equal(s.soft[SUM_VMEM], 400);
    assert_true(s.hard[SUM_VMEM] == UINT64_MAX);
    assert_true(s.hard[SUM_RSS] == UINT64_MAX); /* not a small number again */
    assert_int_equal(read_from(&s, "host_slots=4\nh_vmem=100\nh_vmem_is_consumable_job=1\n", NULL),
                     0);
    assert_int_equal(s.hard[SUM_VMEM], 100);
}

static void memory_counts_when_it_is_found_twice(void **state SGE_UNUSED)
{
    struct sums s;
    struct dstr words = DSTR_INIT;
    bool soft;
    struct sums_used much = { { 0, 200, 0 } }, little = { { 0, 100, 0 } };
    assert_int_equal(read_from(&s, "h_vmem=100\n", NULL), 0);
    assert_false(sums_judge(&s, &much, &soft, &words));
    assert_false(
        sums_judge(&s, &little, &soft, &words)); /* was a fork that became another program */
    assert_false(sums_judge(&s, &much, &soft, &words));
    assert_int_equal(sums_pause_us(&s, &much, 0), 100000);
    assert_true(sums_judge(&s, &much, &soft, &words));
    dstr_free(&words);
}

static void a_soft_limit_is_told_once(void **state SGE_UNUSED)
{
    struct sums s;
    struct dstr words = DSTR_INIT;
    bool soft;
    struct sums_used used = { { 1500, 0, 0 } };
    assert_int_equal(read_from(&s, "s_cpu=1\nh_cpu=9\n", NULL), 0);
    assert_false(sums_judge(&s, &used, &soft, &words));
    assert_true(soft);
    assert_false(sums_judge(&s, &used, &soft, &words));
    assert_false(soft);
    dstr_free(&words);
}

static void looks_are_as_rare_as_they_may_be(void **state SGE_UNUSED)
{
    struct sums s;
    struct sums_used nothing = { 0 };
    assert_int_equal(read_from(&s, "h_cpu=40\n", NULL), 0);
    assert_int_equal(sums_pause_us(&s, &nothing, 0), 10000000); /* 4 processors */
    assert_int_equal(read_from(&s, "h_cpu=36000\n", NULL), 0);
    assert_int_equal(sums_pause_us(&s, &nothing, 0), 60000000);
    assert_int_equal(read_from(&s, "h_cpu=36000\nh_vmem=100\n", NULL), 0);
    assert_int_equal(sums_pause_us(&s, &nothing, 0), 1000000);
    assert_int_equal(sums_pause_us(&s, &nothing, 100000), 5000000); /* the look itself took long */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_measured_without_a_limit),
        cmocka_unit_test(a_value_that_is_no_limit_is_named),
        cmocka_unit_test(a_hard_limit_is_reached_when_all_together_use_more),
        cmocka_unit_test(a_limit_is_for_each_slot_that_the_task_has_here),
        cmocka_unit_test(memory_counts_when_it_is_found_twice),
        cmocka_unit_test(a_soft_limit_is_told_once),
        cmocka_unit_test(looks_are_as_rare_as_they_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tests of libs/view/event_log.c: records and events as they are */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libs/sgeobj/event.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"
#include "libs/view/event_log.h"

static void fill_event(struct EV_Type *event, uint32_t job, const char *name)
{
    cull_set(event, EV_kind, (uint32_t)EV_JOB_ADD);
    cull_set(event, EV_job_number, job);
    struct JB_Type *rec = cull_append(event, EV_jobs);
    cull_set(rec, JB_job_number, job);
    cull_set(rec, JB_job_name, name);
}

static void test_each_field_has_a_line_and_lists_stand_below_their_names(void **state)
{
    struct EV_Type event = { 0 };
    struct dstr text = DSTR_INIT;
    (void)state;
    fill_event(&event, 7, "two\nlines\033[m");
    record_lines(&cull_EV_Type, &event, 0, &text);
    assert_string_equal(dstr_get(&text), "EV_kind 2\n"
                                         "EV_job_number 7\n"
                                         "EV_jobs \n"
                                         "    JB_job_number 7\n"
                                         "    JB_job_name two lines [m\n");
    dstr_free(&text);
    cull_clear(&cull_EV_Type, &event);
}

static void test_sets_of_tasks_are_ranges_and_many_are_cut(void **state)
{
    struct EV_Type event = { 0 };
    struct dstr text = DSTR_INIT;
    (void)state;
    range_set_add(cull_ranges(&event, EV_ids), 0, 4);
    range_set_add(cull_ranges(&event, EV_ids), 9, 9);
    record_line(&cull_EV_Type, &event, 1000, &text);
    assert_string_equal(dstr_get(&text), "EV_ids=0-4,9");
    dstr_clear(&text);
    range_set_add_stride(cull_ranges(&event, EV_ids), 100, 10000, 2);
    record_line(&cull_EV_Type, &event, 100000, &text);
    assert_non_null(strstr(dstr_get(&text), ",..."));
    assert_in_range(text.len, 100, 1000);
    dstr_free(&text);
    cull_clear(&cull_EV_Type, &event);
}

static void test_a_line_is_no_longer_than_it_may_be(void **state)
{
    char name[2000];
    struct EV_Type event = { 0 };
    struct dstr text = DSTR_INIT;
    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    fill_event(&event, 7, name);
    record_line(&cull_EV_Type, &event, 100, &text);
    assert_int_equal(text.len, 100 + strlen(" ..."));
    dstr_free(&text);
    cull_clear(&cull_EV_Type, &event);
}

static void test_the_log_keeps_the_last_events(void **state)
{
    struct event_log *l = event_log_new();
    struct dstr text = DSTR_INIT;
    (void)state;
    for (uint32_t i = 1; i <= EVENT_LINES + 1; i++) {
        struct EV_Type event = { 0 };
        fill_event(&event, i, "a");
        event_log_add(l, &event);
        cull_clear(&cull_EV_Type, &event);
    }
    event_log_text(l, &text);
    assert_int_equal(event_log_count(l), EVENT_LINES + 1);
    assert_ptr_equal(strstr(dstr_get(&text), "job_add"), dstr_get(&text));
    assert_null(strstr(dstr_get(&text), "JB_job_number=1 "));
    assert_non_null(strstr(dstr_get(&text), "JB_job_number=2 "));
    assert_non_null(strstr(dstr_get(&text), "JB_job_number=501 "));
    dstr_free(&text);
    event_log_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_field_has_a_line_and_lists_stand_below_their_names),
        cmocka_unit_test(test_sets_of_tasks_are_ranges_and_many_are_cut),
        cmocka_unit_test(test_a_line_is_no_longer_than_it_may_be),
        cmocka_unit_test(test_the_log_keeps_the_last_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

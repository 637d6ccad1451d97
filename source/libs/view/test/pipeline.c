/* A pipeline is all jobs that wait for each other, over any number of steps. */
#include "libs/view/pipeline.h"

#include "libs/mir/test/board_lines.h"

static void assert_pipeline(const struct board *b, uint32_t start, const char *want)
{
    struct pipeline p = { 0 };
    struct range_set jobs = { 0 };
    char text[160] = "";
    range_set_add(&jobs, start, start);
    pipeline_find(b, &jobs, &p);
    for (uint32_t i = 0; i < p.n; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%u", i > 0 ? " " : "",
                 p.stages[i]->rec.JB_job_number);
    }
    assert_string_equal(text, want);
    pipeline_free(&p);
    range_set_free(&jobs);
}

static void jobs_before_and_behind_belong_to_it(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 10, 1, 0);
    tell_array(b, 2, "shadow", 10, 2, 1);
    tell_array(b, 3, "render", 10, 1, 2);
    tell_array(b, 4, "other", 10, 1, 0);
    assert_pipeline(b, 1, "1 2 3");
    assert_pipeline(b, 2, "1 2 3");
    assert_pipeline(b, 3, "1 2 3");
    assert_pipeline(b, 4, "4");
    assert_pipeline(b, 9, "");
    board_free(b);
}

static void those_that_others_wait_for_come_first(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 10, 1, 0);
    tell_array(b, 2, "render", 10, 1, 1);
    tell_array(b, 3, "textures", 10, 1, 0);
    struct EV_Type *event = array_event(4, 10, 0, 9);
    cull_set(cull_append(event->EV_jobs.v, JB_jid_predecessor_list), JRE_job_number, 2u);
    cull_set(cull_append(event->EV_jobs.v, JB_jid_predecessor_list), JRE_job_number, 3u);
    tell_event(b, event);
    assert_pipeline(b, 1, "1 3 2 4");
    board_free(b);
}

static void a_pipeline_without_end_is_cut(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct pipeline p = { 0 };
    struct range_set jobs = { 0 };
    for (uint32_t i = 1; i <= PIPELINE_MOST + 20; i++)
        tell_array(b, i, "link", 2, 1, i - 1);
    range_set_add(&jobs, 1, 1);
    pipeline_find(b, &jobs, &p);
    assert_int_equal(p.n, PIPELINE_MOST);
    pipeline_free(&p);
    range_set_free(&jobs);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_before_and_behind_belong_to_it),
        cmocka_unit_test(those_that_others_wait_for_come_first),
        cmocka_unit_test(a_pipeline_without_end_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

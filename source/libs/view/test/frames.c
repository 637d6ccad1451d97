/* The frame matrix shows what each task of a pipeline does, however many there are. */
#include "libs/view/frames.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static struct frames *frames_of(struct board *b, uint32_t job)
{
    struct range_set start = { 0 };
    range_set_add(&start, job, job);
    struct frames *f = frames_new(b, &start);
    range_set_free(&start);
    assert_true(frames_refresh(f, 1000));
    return f;
}

/* ribs 1-8, and render 1-8:4, of which each task waits for four of them */
static struct board *two_stages(void)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 8, 1, 0);
    tell_array(b, 2, "render", 8, 4, 1);
    tell_line(b, "started 1 0-3 all.q@a");
    tell_line(b, "ended 1 0-1 all.q@a");
    tell_line(b, "done 1 0-1");
    return b;
}

static void assert_text(struct frames *f, int columns, const char *want)
{
    struct dstr text = DSTR_INIT;
    frames_text(f, columns, &text);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
}

static void assert_told(struct frames *f, const char *want)
{
    struct dstr text = DSTR_INIT;
    frames_told(f, &text);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
}

static void chunks_are_as_wide_as_their_frames(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 2);
    struct frame_run runs[80];
    assert_int_equal(frames_runs(f, 0, 80, runs), 8);
    assert_int_equal(frames_runs(f, 1, 80, runs), 2);
    assert_true(runs[0].is_task);
    assert_int_equal(runs[0].first, 0);
    assert_int_equal(runs[0].last, 39);
    assert_int_equal(runs[1].last, 79);
    assert_int_equal(runs[1].look, LOOK_HELD);
    frames_free(f);
    board_free(b);
}

static void the_matrix_is_there_as_text(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    assert_text(f, 8,
                "1\tribs\t..rrpppp\t2 of 8 done, 2 running, 4 pending\n"
                "2\trender\thhhhhhhh\t0 of 2 done, 2 held\n");
    frames_free(f);
    board_free(b);
}

static void a_column_of_many_tasks_shows_the_most_urgent(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 100000, 1, 0);
    tell_line(b, "done 1 0-49999");
    tell_line(b, "started 1 777-777 all.q@a");
    struct frames *f = frames_of(b, 1);
    struct frame_run runs[1000];
    assert_int_equal(frames_runs(f, 0, 1000, runs), 4);
    assert_int_equal(runs[1].first, 7);
    assert_int_equal(runs[1].last, 7);
    assert_int_equal(runs[1].look, LOOK_RUNNING);
    assert_int_equal(runs[3].first, 500);
    assert_int_equal(runs[3].look, LOOK_READY);
    frames_free(f);
    board_free(b);
}

static void zooming_keeps_the_frame_in_its_place(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_array(b, 1, "ribs", 1000, 1, 0);
    struct frames *f = frames_of(b, 1);
    frames_zoom(f, 0.5, 500);
    assert_int_equal(frames_seen(f).last - frames_seen(f).first, 499);
    assert_true(frames_seen(f).first >= 250 && frames_seen(f).first <= 251);
    frames_move(f, 100);
    assert_int_equal(frames_seen(f).last, 1000);
    for (int i = 0; i < 20; i++)
        frames_zoom(f, 0.5, 1000);
    assert_int_equal(frames_seen(f).first, frames_seen(f).last);
    for (int i = 0; i < 40; i++)
        frames_zoom(f, 2, 1000);
    assert_int_equal(frames_seen(f).first, 1);
    assert_int_equal(frames_seen(f).last, 1000);
    frames_free(f);
    board_free(b);
}

static void a_task_says_what_it_waits_for_and_lights_it(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct ja_window w;
    assert_told(f, "");
    assert_true(frames_point(f, 1, 6));
    assert_told(f, "render 2, task 5: held; waits for ribs 5-8");
    assert_true(frames_lit(f, 0, &w));
    assert_int_equal(w.first, 4);
    assert_int_equal(w.last, 7);
    assert_true(frames_point(f, 0, 3));
    assert_told(f, "ribs 1, task 3: running");
    assert_true(frames_lit(f, 1, &w));
    assert_int_equal(w.first, 0);
    assert_int_equal(w.last, 0);
    assert_false(frames_point(f, 7, 3));
    assert_told(f, "");
    frames_free(f);
    board_free(b);
}

static void a_job_that_waits_for_a_whole_job_says_so(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct EV_Type *event = array_event(3, 2, 0, 0);
    range_set_free(cull_ranges(event, EV_ids));
    cull_set(event->EV_jobs.v, JB_job_name, "comp");
    cull_set(cull_append(event->EV_jobs.v, JB_jid_predecessor_list), JRE_job_number, 2u);
    tell_event(b, event);
    struct frames *f = frames_of(b, 1);
    assert_true(frames_point(f, 2, 1));
    assert_told(f, "comp 3, task 1: held; waits for all of render 2");
    tell_line(b, "del 2");
    assert_told(f, "comp 3, task 1: held");
    frames_free(f);
    board_free(b);
}

static void a_stage_that_comes_later_is_seen(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    tell_array(b, 3, "comp", 12, 1, 2);
    tell_array(b, 4, "other", 100, 1, 0);
    assert_true(frames_refresh(f, 1001));
    assert_int_equal(frames_count(f), 3);
    assert_int_equal(frames_seen(f).last, 12);
    assert_false(frames_refresh(f, 1002));
    frames_free(f);
    board_free(b);
}

static void the_end_is_estimated_from_what_has_ended(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct dstr line = DSTR_INIT, when = DSTR_INIT;
    tell_line(b, "done 1 2-3");
    (void)frames_refresh(f, 1000 + 120);
    frames_line(f, 0, &line);
    uti_time_iso(1000 + 120 + 240, &when);
    assert_non_null(strstr(dstr_get(&line), "4 of 8 done, 4 pending, end about "));
    assert_memory_equal(line.s + line.len - 5, when.s + 11, 5);
    dstr_free(&line);
    dstr_free(&when);
    frames_free(f);
    board_free(b);
}

/* a time that has passed is no estimate: the line is to be drawn anew when the minute is over */
static void an_estimate_is_drawn_anew_each_minute(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    (void)frames_refresh(f, 1200);
    assert_false(frames_refresh(f, 1259));
    assert_true(frames_refresh(f, 1260));
    assert_false(frames_refresh(f, 1261));
    frames_free(f);
    board_free(b);
}

/* neither of the stage that has it nor of those that wait for it */
static void what_waits_for_an_error_has_no_estimate(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct dstr line = DSTR_INIT;
    tell_line(b, "done 1 2-2");
    tell_line(b, "done 2 0-0");
    tell_line(b, "ended 1 3-3 all.q@a");
    tell_line(b, "state 1 3-3 2 0"); /* TASK_ERROR */
    (void)frames_refresh(f, 1000 + 120);
    for (uint32_t stage = 0; stage < 2; stage++) {
        frames_line(f, stage, &line);
        assert_null(strstr(dstr_get(&line), "end about"));
        dstr_clear(&line);
    }
    dstr_free(&line);
    frames_free(f);
    board_free(b);
}

static void a_pipeline_that_is_forgotten_leaves_nothing_behind(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    char line[32];
    assert_int_equal(frames_mark(f, (struct frame_place){ 0, 1 }, (struct frame_place){ 1, 8 }),
                     10);
    tell_line(b, "del 1");
    tell_line(b, "del 2");
    for (uint32_t i = 10; i < 10 + BOARD_KEPT; i++) {
        tell_event(b, array_event(i, 1, 0, 0));
        snprintf(line, sizeof line, "del %u", i);
        tell_line(b, line);
    }
    assert_int_equal(frames_count(f), 0);
    assert_int_equal(frames_marked_count(f), 0);
    assert_true(frames_refresh(f, 1001));
    assert_text(f, 10, "");
    frames_free(f);
    board_free(b);
}

static void where_a_task_runs_is_told_while_it_runs(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct dstr want = DSTR_INIT, when = DSTR_INIT;
    assert_false(frames_wants_where(f));
    assert_true(frames_point(f, 0, 3));
    assert_true(frames_wants_where(f));
    frames_know_where(f, frames_pointed(f), "all.q@a", 900);
    assert_false(frames_wants_where(f));
    uti_time_iso(900, &when);
    dstr_addf(&want, "ribs 1, task 3: running in all.q@a since %s", when.s + 11);
    assert_told(f, want.s);
    assert_true(frames_point(f, 0, 4));
    assert_told(f, "ribs 1, task 4: running");
    frames_know_where(f, frames_pointed(f), NULL, 0);
    assert_false(frames_wants_where(f));
    assert_told(f, "ribs 1, task 4: running");
    tell_line(b, "ready 1 3-3");
    (void)frames_refresh(f, 1001);
    assert_false(frames_wants_where(f));
    tell_line(b, "started 1 3-3 all.q@b");
    assert_true(frames_wants_where(f));
    dstr_clear(&want);
    task_where_told("all.q@a", 900, 900 + 24 * 60 * 60, &want);
    assert_non_null(strstr(want.s, when.s));
    dstr_free(&want);
    dstr_free(&when);
    frames_free(f);
    board_free(b);
}

static void assert_marked(struct frames *f, const char *want)
{
    struct dstr text = DSTR_INIT;
    frames_marks_told(f, 2, &text);
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
}

static void a_mark_is_on_the_tasks_between_two_places(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct ja_window w;
    struct frame_place low = { 1, 6 }, high = { 0, 3 };
    assert_marked(f, "");
    assert_false(frames_marked(f, 0, &w));
    assert_int_equal(frames_mark(f, low, high), 6);
    assert_marked(f, "tasks 3-6 of ribs 1, tasks 1-5:4 of render 2");
    assert_true(frames_marked(f, 1, &w));
    assert_int_equal(w.first, 0);
    assert_int_equal(w.last, 1);
    assert_int_equal(frames_mark(f, low, low), 1);
    assert_marked(f, "task 5 of render 2");
    assert_false(frames_marked(f, 0, &w));
    assert_int_equal(frames_mark(f, (struct frame_place){ 0, 9 }, (struct frame_place){ 9, 90 }),
                     0);
    frames_unmark(f);
    assert_int_equal(frames_marked_count(f), 0);
    frames_free(f);
    board_free(b);
}

static void a_mark_stays_on_its_tasks(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    struct ja_window w;
    (void)frames_mark(f, (struct frame_place){ 0, 1 }, (struct frame_place){ 1, 2 });
    frames_zoom(f, 0.25, 8);
    tell_array(b, 3, "shadow", 8, 2, 1);
    tell_line(b, "done 1 2-7");
    assert_true(frames_refresh(f, 1001));
    assert_int_equal(frames_count(f), 3);
    assert_marked(f, "tasks 1-2 of ribs 1, task 1 of render 2");
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(frames_marked(f, i, &w), frames_job(f, i)->rec.JB_job_number != 3);
    frames_free(f);
    board_free(b);
}

static void a_mark_of_many_jobs_is_cut(void **state SGE_UNUSED)
{
    struct board *b = two_stages();
    struct frames *f = frames_of(b, 1);
    tell_array(b, 3, "shadow", 8, 2, 1);
    (void)frames_refresh(f, 1001);
    assert_int_equal(frames_mark(f, (struct frame_place){ 0, 1 }, (struct frame_place){ 2, 1 }), 3);
    assert_marked(f, "task 1 of ribs 1, task 1 of render 2 and of 1 more");
    frames_free(f);
    board_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_as_wide_as_their_frames),
        cmocka_unit_test(the_matrix_is_there_as_text),
        cmocka_unit_test(a_column_of_many_tasks_shows_the_most_urgent),
        cmocka_unit_test(zooming_keeps_the_frame_in_its_place),
        cmocka_unit_test(a_task_says_what_it_waits_for_and_lights_it),
        cmocka_unit_test(a_job_that_waits_for_a_whole_job_says_so),
        cmocka_unit_test(a_stage_that_comes_later_is_seen),
        cmocka_unit_test(the_end_is_estimated_from_what_has_ended),
        cmocka_unit_test(an_estimate_is_drawn_anew_each_minute),
        cmocka_unit_test(what_waits_for_an_error_has_no_estimate),
        cmocka_unit_test(where_a_task_runs_is_told_while_it_runs),
        cmocka_unit_test(a_mark_is_on_the_tasks_between_two_places),
        cmocka_unit_test(a_mark_stays_on_its_tasks),
        cmocka_unit_test(a_mark_of_many_jobs_is_cut),
        cmocka_unit_test(a_pipeline_that_is_forgotten_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The board knows of each task what the events have said last. */
#include "libs/mir/test/board_lines.h"

static void assert_looks(const struct board_job *job, const char *want)
{
    char text[160] = "";
    for (enum task_look look = 0; look < LOOKS; look++) {
        size_t at = strlen(text);
        if (board_look(job, look) > 0)
            snprintf(text + at, sizeof text - at, "%s%llu %s", at > 0 ? ", " : "",
                     (unsigned long long)board_look(job, look), look_name(look));
    }
    assert_string_equal(text, want);
}

static void a_task_is_what_its_last_event_says(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_event(b, array_event(7, 10, 0, 5));
    const struct board_job *job = board_job(b, 7);
    assert_looks(job, "6 pending, 4 held");
    tell_line(b, "started 7 0-1 all.q@a");
    assert_looks(job, "2 running, 4 pending, 4 held");
    tell_line(b, "ended 7 0-0 all.q@a");
    tell_line(b, "done 7 0-0");
    tell_line(b, "ready 7 6-7");
    tell_line(b, "unready 7 2-2");
    assert_looks(job, "1 running, 5 pending, 3 held, 1 done");
    assert_int_equal(board_task_look(job, 0), LOOK_DONE);
    assert_int_equal(board_task_look(job, 1), LOOK_RUNNING);
    assert_int_equal(board_task_look(job, 2), LOOK_HELD);
    assert_int_equal(board_job_look(job), LOOK_RUNNING);
    board_free(b);
}

static void what_had_ended_before_we_listened_is_done(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct EV_Type *event = array_event(7, 10, 5, 9);
    range_set_remove(cull_ranges(event->EV_jobs.v, JB_ja_pending_ids), 0, 4);
    cull_mark(event, EV_failed_ids);
    cull_mark(event, EV_unknown_ids);
    tell_event(b, event);
    tell_line(b, "started 7 4-4 all.q@a");
    assert_looks(board_job(b, 7), "1 running, 5 pending, 4 done");
    board_free(b);
}

static void a_task_that_did_not_end_with_0_has_failed(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_event(b, array_event(7, 6, 0, 5));
    const struct board_job *job = board_job(b, 7);
    tell_line(b, "started 7 0-3 all.q@a");
    tell_line(b, "done 7 0-0");
    tell_line(b, "done 7 1-1 0 1");
    tell_line(b, "done 7 2-2 100 137");
    tell_line(b, "done 7 3-3 37 0"); /* ended for a limit */
    tell_line(b, "unrun 7 4-4");     /* deleted before it started */
    assert_looks(job, "1 pending, 4 failed, 1 done");
    assert_int_equal(board_task_look(job, 0), LOOK_DONE);
    for (uint32_t task = 1; task <= 4; task++)
        assert_int_equal(board_task_look(job, task), LOOK_FAILED);
    assert_int_equal(board_ended(job), 5);
    assert_int_equal(board_job_look(job), LOOK_READY);
    tell_line(b, "done 7 5-5");
    tell_line(b, "del 7");
    assert_looks(job, "4 failed, 2 done");
    assert_int_equal(board_job_look(job), LOOK_FAILED);
    board_free(b);
}

static void which_tasks_had_failed_comes_with_the_job(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct EV_Type *event = array_event(7, 10, 6, 9);
    range_set_remove(cull_ranges(event->EV_jobs.v, JB_ja_pending_ids), 0, 5);
    range_set_add(cull_ranges(event, EV_failed_ids), 1, 2);
    range_set_add(cull_ranges(event, EV_failed_ids), 9, 9); /* has not ended: of no effect */
    range_set_add(cull_ranges(event, EV_unknown_ids), 3, 4);
    tell_event(b, event);
    assert_looks(board_job(b, 7), "4 pending, 2 failed, 2 ended, 2 done");
    assert_int_equal(board_task_look(board_job(b, 7), 3), LOOK_UNKNOWN);
    board_free(b);
}

static void how_tasks_ended_is_unknown_if_nobody_says_so(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct EV_Type *event = array_event(7, 10, 6, 9);
    range_set_remove(cull_ranges(event->EV_jobs.v, JB_ja_pending_ids), 0, 5);
    tell_event(b, event);
    tell_line(b, "started 7 5-5 all.q@a");
    assert_looks(board_job(b, 7), "1 running, 4 pending, 5 ended");
    tell_line(b, "done 7 5-5");
    assert_looks(board_job(b, 7), "4 pending, 5 ended, 1 done");
    tell_mark(b, EV_ANEW); /* and ended while we were away */
    tell_mark(b, EV_SYNCED);
    assert_looks(board_job(b, 7), "9 ended, 1 done");
    board_free(b);
}

static void errors_and_suspensions_are_seen_and_pass(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_event(b, array_event(7, 4, 0, 3));
    const struct board_job *job = board_job(b, 7);
    tell_line(b, "started 7 0-2 all.q@a");
    tell_line(b, "state 7 0-0 4 2"); /* TASK_RUNNING, TASK_IS_SUSPENDED */
    assert_looks(job, "1 suspended, 2 running, 1 pending");
    assert_int_equal(board_job_look(job), LOOK_SUSPENDED);
    tell_line(b, "state 7 0-0 4 0");
    tell_line(b, "ended 7 1-1 all.q@a");
    tell_line(b, "state 7 1-1 2 0"); /* TASK_ERROR */
    assert_looks(job, "1 error, 2 running, 1 pending");
    tell_line(b, "state 7 1-1 1 0"); /* TASK_WAITING */
    assert_looks(job, "2 running, 1 pending, 1 held");
    tell_line(b, "ready 7 1-1");
    assert_looks(job, "2 running, 2 pending");
    tell_line(b, "state 9 1-1 2 0");
    board_free(b);
}

static void a_task_that_was_put_back_before_we_listened_is_not_done(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct EV_Type *event = array_event(7, 4, 0, 2);
    range_set_remove(cull_ranges(event->EV_jobs.v, JB_ja_pending_ids), 2, 3);
    tell_event(b, event);
    tell_line(b, "state 7 2-3 1 8"); /* TASK_WAITING, TASK_IS_RESTARTED: one is ready */
    assert_looks(board_job(b, 7), "3 pending, 1 held");
    board_free(b);
}

static void a_job_that_ended_stays_with_all_its_tasks_ended(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_event(b, array_event(7, 3, 0, 2));
    tell_line(b, "done 7 0-2");
    tell_line(b, "del 7");
    tell_line(b, "ready 7 0-1");
    assert_true(board_job(b, 7)->is_over);
    assert_looks(board_job(b, 7), "3 done");
    tell_event(b, array_event(7, 2, 0, 1)); /* the number is used again */
    assert_false(board_job(b, 7)->is_over);
    assert_looks(board_job(b, 7), "2 pending");
    board_free(b);
}

static void no_more_than_a_thousand_of_them_are_kept(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    char line[32];
    for (uint32_t i = 1; i <= BOARD_KEPT + 5; i++) {
        tell_event(b, array_event(i, 1, 0, 0));
        snprintf(line, sizeof line, "del %u", i);
        tell_line(b, line);
    }
    assert_int_equal(board_count(b), BOARD_KEPT);
    assert_null(board_job(b, 5));
    assert_non_null(board_job(b, 6));
    board_free(b);
}

static void jobs_that_do_not_come_again_have_ended(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_event(b, array_event(7, 3, 0, 2));
    tell_event(b, array_event(8, 3, 0, 2));
    tell_mark(b, EV_ANEW);
    assert_false(board_job(b, 7)->is_over);
    tell_event(b, array_event(8, 3, 0, 2));
    tell_mark(b, EV_SYNCED);
    assert_true(board_job(b, 7)->is_over);
    assert_false(board_job(b, 8)->is_over);
    board_free(b);
}

/* the oldest of those that are over is the next in the table */
static void a_job_that_does_not_come_again_replaces_the_oldest(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    char line[32];
    for (uint32_t i = 1; i <= BOARD_KEPT + 1; i++) {
        tell_event(b, array_event(i, 1, 0, 0));
        snprintf(line, sizeof line, "del %u", i);
        if (i > 1)
            tell_line(b, line);
    }
    tell_mark(b, EV_ANEW);
    tell_mark(b, EV_SYNCED);
    assert_int_equal(board_count(b), BOARD_KEPT);
    assert_true(board_job(b, 1)->is_over);
    assert_null(board_job(b, 2));
    assert_non_null(board_job(b, 3));
    board_free(b);
}

static void events_of_jobs_that_are_not_known_change_nothing(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    tell_line(b, "ready 9 0-1");
    tell_line(b, "del 9");
    tell_line(b, "mod 9 p 3");
    assert_int_equal(board_count(b), 0);
    board_free(b);
}

struct notes {
    unsigned changed, left;
};

static void note_change(void *ctx, struct board_job *job SGE_UNUSED)
{
    ((struct notes *)ctx)->changed++;
}

static void note_leaving(void *ctx, struct board_job *job SGE_UNUSED)
{
    ((struct notes *)ctx)->left++;
}

static void a_watcher_hears_once_of_a_job_that_changed_often(void **state SGE_UNUSED)
{
    struct board *b = board_new();
    struct notes notes = { 0 };
    struct board_watcher w = { .changed = note_change, .leaves = note_leaving, .ctx = &notes };
    board_watch(b, &w);
    tell_event(b, array_event(7, 10, 0, 5));
    tell_line(b, "started 7 0-1 all.q@a");
    tell_line(b, "unready 7 2-2");
    assert_int_equal(notes.changed, 0);
    board_settle(b);
    board_settle(b);
    assert_int_equal(notes.changed, 1);
    board_free(b);
    assert_int_equal(notes.left, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_what_its_last_event_says),
        cmocka_unit_test(what_had_ended_before_we_listened_is_done),
        cmocka_unit_test(errors_and_suspensions_are_seen_and_pass),
        cmocka_unit_test(a_task_that_was_put_back_before_we_listened_is_not_done),
        cmocka_unit_test(a_task_that_did_not_end_with_0_has_failed),
        cmocka_unit_test(which_tasks_had_failed_comes_with_the_job),
        cmocka_unit_test(how_tasks_ended_is_unknown_if_nobody_says_so),
        cmocka_unit_test(a_job_that_ended_stays_with_all_its_tasks_ended),
        cmocka_unit_test(no_more_than_a_thousand_of_them_are_kept),
        cmocka_unit_test(jobs_that_do_not_come_again_have_ended),
        cmocka_unit_test(a_job_that_does_not_come_again_replaces_the_oldest),
        cmocka_unit_test(events_of_jobs_that_are_not_known_change_nothing),
        cmocka_unit_test(a_watcher_hears_once_of_a_job_that_changed_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

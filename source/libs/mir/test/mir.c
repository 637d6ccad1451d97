/* Tests of libs/mir: tables follow events, each change is told before and after. Events are lines (event_lines.h). */
#include "libs/sgeobj/test/event_lines.h"

#include "libs/mir/mir.h"
#include "libs/uti/dstr.h"

struct fixture {
    struct mir *mir;
    struct dstr told;
};

static const char *const changes[] = { "add", "mod", "del" };

static void tell(struct fixture *t, const char *when, const struct mir_note *note)
{
    dstr_addf(&t->told, "%s %s ", when, changes[note->change]);
    if (note->table == MIR_JOB)
        dstr_addf(&t->told, "%u:%llu.", note->job->rec.JB_job_number,
                  (unsigned long long)range_set_count(&note->job->ready));
    else if (note->table == MIR_QUEUE)
        dstr_addf(&t->told, "%s=%u.", note->queue->rec.QU_full_name,
                  note->queue->rec.QU_slots_used);
    else
        dstr_addf(&t->told, "%s.", note->conf->CONF_name);
}

static void on_before(void *ctx, const struct mir_note *note)
{
    tell(ctx, "before", note);
}

static void on_after(void *ctx, const struct mir_note *note)
{
    tell(ctx, "after", note);
}

static const struct mir_ops ops = { on_before, on_after };

static int setup(void **state)
{
    struct fixture *t = uti_calloc(1, sizeof *t);

    t->mir = mir_new(&ops, t);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *t = *state;

    mir_free(t->mir);
    dstr_free(&t->told);
    free(t);
    return 0;
}

/* the event of LINE makes the mirror tell EXPECTED */
static void expect(struct fixture *t, const char *line, const char *expected)
{
    struct EV_Type *e = feed_event(line);

    dstr_clear(&t->told);
    assert_int_equal(mir_apply(t->mir, e, NULL), 0);
    assert_string_equal(dstr_get(&t->told), expected);
    cull_delete(&cull_EV_Type, e);
}

static void jobs_come_change_and_go(void **state)
{
    struct fixture *t = *state;

    expect(t, "job 7 0-9 p 3", "after add 7:10.");
    expect(t, "mod 7 tc 2", "before mod 7:10.after mod 7:10.");
    assert_int_equal(mir_job(t->mir, 7)->rec.JB_priority, JOB_PRIORITY_BASE + 3);
    assert_int_equal(mir_job(t->mir, 7)->rec.JB_ja_task_concurrency, 2);
    expect(t, "unready 7 0-3", "before mod 7:10.after mod 7:6.");
    expect(t, "ready 7 0-1", "before mod 7:6.after mod 7:8.");
    assert_int_equal(mir_count(t->mir, MIR_JOB), 1);
    expect(t, "del 7", "before del 7:8.");
    assert_null(mir_job(t->mir, 7));
    assert_int_equal(mir_count(t->mir, MIR_JOB), 0);
}

static void slots_in_use_follow_the_tasks(void **state)
{
    struct fixture *t = *state;

    expect(t, "queue all.q@a 4", "after add all.q@a=0.");
    expect(t, "job 7 0-3", "after add 7:4.");
    expect(t, "started 7 0-1 all.q@a",
           "before mod 7:4.after mod 7:2.before mod all.q@a=0.after mod all.q@a=2.");
    expect(t, "started 7 0-1 all.q@a", "before mod 7:2.after mod 7:2.");
    expect(t, "queue+ all.q@a seq 5", "before mod all.q@a=2.after mod all.q@a=2.");
    expect(t, "ended 7 1 all.q@a",
           "before mod 7:2.after mod 7:2.before mod all.q@a=2.after mod all.q@a=1.");
    expect(t, "ended 7 1 all.q@a", "before mod 7:2.after mod 7:2.");
    expect(t, "delq all.q@a", "before del all.q@a=1.");
    assert_null(mir_queue(t->mir, "all.q@a"));
}

static void a_configuration_is_replaced_whole(void **state)
{
    struct fixture *t = *state;

    expect(t, "conf algorithm default", "after add @scheduler.");
    expect(t, "conf maxujobs 3", "before mod @scheduler.after mod @scheduler.");
    const struct CONF_Type *conf = mir_conf(t->mir, "@scheduler");
    assert_int_equal(conf->CONF_entries.n, 1);
    assert_string_equal(conf->CONF_entries.v[0].VA_variable, "maxujobs");
}

static void unknown_objects_are_passed_over(void **state)
{
    struct fixture *t = *state;
    static const char *const lines[] = { "mod 9 p 1",    "del 9",           "ready 9 1",
                                         "unready 9 1",  "started 9 1 x@y", "ended 9 1 x@y",
                                         "queue+ x@y 5", "delq x@y" };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        expect(t, lines[i], "");
}

static void malformed_events_change_and_tell_nothing(void **state)
{
    struct fixture *t = *state;
    struct EV_Type e = { 0 };

    cull_set(&e, EV_kind, EV_JOB_ADD);
    assert_int_equal(mir_apply(t->mir, &e, NULL), -1);
    (void)cull_append(&e, EV_jobs);
    assert_int_equal(mir_apply(t->mir, &e, NULL), -1);
    assert_int_equal(mir_count(t->mir, MIR_JOB), 0);
    assert_string_equal(dstr_get(&t->told), "");
    cull_clear(&cull_EV_Type, &e);
}

static void tables_are_walked_and_cleared(void **state)
{
    struct fixture *t = *state;
    const struct mir_job *job = NULL;
    uint32_t expected = 5;
    struct EV_Type synced = { 0 };

    expect(t, "job 5", "after add 5:0.");
    expect(t, "job 6", "after add 6:0.");
    expect(t, "queue all.q@a 1", "after add all.q@a=0.");
    while ((job = mir_job_next(t->mir, job)) != NULL)
        assert_int_equal(job->rec.JB_job_number, expected++);
    assert_int_equal(expected, 7);
    assert_non_null(mir_queue_next(t->mir, NULL));
    cull_set(&synced, EV_kind, EV_SYNCED);
    assert_int_equal(mir_apply(t->mir, &synced, NULL), 0);
    assert_true(mir_is_synced(t->mir));
    dstr_clear(&t->told);
    mir_clear(t->mir);
    assert_string_equal(dstr_get(&t->told), "before del 5:0.before del 6:0.before del all.q@a=0.");
    assert_false(mir_is_synced(t->mir));
    assert_null(mir_job_next(t->mir, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jobs_come_change_and_go, setup, teardown),
        cmocka_unit_test_setup_teardown(slots_in_use_follow_the_tasks, setup, teardown),
        cmocka_unit_test_setup_teardown(a_configuration_is_replaced_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_objects_are_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_events_change_and_tell_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_walked_and_cleared, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

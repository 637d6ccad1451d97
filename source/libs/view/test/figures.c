/* The figures of a cell are those of a count of all there is. */
#include "libs/view/figures.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"

struct counted {
    struct board *board;
    struct figures *figures;
};

static int counted_setup(void **state)
{
    struct counted *c = uti_calloc(1, sizeof *c);
    c->board = board_new();
    c->figures = figures_new(c->board, "alice");
    *state = c;
    return 0;
}

static int counted_teardown(void **state)
{
    struct counted *c = *state;
    figures_free(c->figures);
    board_free(c->board);
    free(c);
    return 0;
}

static void take_event(struct counted *c, struct EV_Type *event)
{
    figures_event(c->figures, event);
    tell_event(c->board, event);
}

static void take_line(struct counted *c, const char *text)
{
    take_event(c, feed_event(text));
}

static void take_mark(struct counted *c, uint32_t kind)
{
    struct EV_Type *event = cull_new(&cull_EV_Type);
    cull_set(event, EV_kind, kind);
    take_event(c, event);
}

static void array_of(struct counted *c, uint32_t number, uint32_t n, const char *owner)
{
    struct EV_Type *event = array_event(number, n, 0, n - 1);
    cull_set(event->EV_jobs.v, JB_owner, owner);
    take_event(c, event);
}

static void assert_figures(struct counted *c, const char *want)
{
    struct cell_figures f = figures_get(c->figures);
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%llu of %llu slots, %u/%u hosts ill, %u jobs (%u own)",
              (unsigned long long)f.slots_used, (unsigned long long)f.slots, f.ill_hosts, f.hosts,
              f.jobs, f.own_jobs);
    for (enum task_look look = 0; look < LOOKS; look++)
        if (f.tasks[look] > 0)
            dstr_addf(&text, ", %llu %s", (unsigned long long)f.tasks[look], look_name(look));
    assert_string_equal(dstr_get(&text), want);
    dstr_free(&text);
}

static void nothing_is_shown_before_the_state_has_come(void **state)
{
    struct counted *c = *state;
    take_line(c, "queue all.q@a 4");
    assert_figures(c, "0 of 0 slots, 0/0 hosts ill, 0 jobs (0 own)");
    take_mark(c, EV_SYNCED);
    assert_figures(c, "0 of 4 slots, 0/1 hosts ill, 0 jobs (0 own)");
}

static void jobs_and_slots_are_counted_as_they_change(void **state)
{
    struct counted *c = *state;
    take_mark(c, EV_SYNCED);
    take_line(c, "queue all.q@a 4");
    take_line(c, "queue all.q@b 8");
    array_of(c, 1, 10, "alice");
    array_of(c, 2, 5, "bob");
    take_line(c, "started 1 0-1 all.q@a");
    take_line(c, "started 2 0-0 pe smp all.q@a 2 all.q@b 3");
    assert_figures(c, "7 of 12 slots, 0/2 hosts ill, 2 jobs (1 own), 3 running, 12 pending");
    take_line(c, "ended 1 0-0 all.q@a");
    take_line(c, "done 1 0-0 0 1");
    take_line(c, "ended 2 0-0 pe smp all.q@a 2 all.q@b 3");
    take_line(c, "done 2 0-0");
    take_line(c, "unready 2 1-2");
    assert_figures(c, "1 of 12 slots, 0/2 hosts ill, 2 jobs (1 own), 1 running, 10 pending, 2 "
                      "held, 1 failed, 1 done");
    take_line(c, "unrun 2 1-4");
    take_line(c, "del 2");
    assert_figures(c, "1 of 12 slots, 0/2 hosts ill, 1 jobs (1 own), 1 running, 8 pending, 5 "
                      "failed, 1 done");
}

static void a_host_is_ill_while_one_of_its_queues_is(void **state)
{
    struct counted *c = *state;
    struct dstr ill = DSTR_INIT;
    take_mark(c, EV_SYNCED);
    take_line(c, "queue all.q@a 4");
    take_line(c, "queue big.q@a 2");
    take_line(c, "queue all.q@b 4 state 4"); /* disabled: not ill */
    take_line(c, "queue+ all.q@a state 256");
    take_line(c, "queue+ big.q@a state 128");
    assert_figures(c, "0 of 10 slots, 1/2 hosts ill, 0 jobs (0 own)");
    figures_ill(c->figures, 1, &ill);
    assert_string_equal(dstr_get(&ill), "all.q@a (E)");
    take_line(c, "queue+ all.q@a state 0");
    assert_figures(c, "0 of 10 slots, 1/2 hosts ill, 0 jobs (0 own)");
    take_line(c, "delq big.q@a");
    assert_figures(c, "0 of 8 slots, 0/2 hosts ill, 0 jobs (0 own)");
    take_line(c, "delq all.q@a");
    take_line(c, "delq all.q@nowhere");
    assert_figures(c, "0 of 4 slots, 0/1 hosts ill, 0 jobs (0 own)");
    dstr_free(&ill);
}

static void a_state_that_comes_anew_replaces_all(void **state)
{
    struct counted *c = *state;
    take_mark(c, EV_SYNCED);
    take_line(c, "queue all.q@a 4");
    array_of(c, 1, 4, "alice");
    array_of(c, 2, 4, "alice");
    take_line(c, "started 1 0-1 all.q@a");
    const char *before = "2 of 4 slots, 0/1 hosts ill, 2 jobs (2 own), 2 running, 6 pending";
    assert_figures(c, before);
    take_mark(c, EV_ANEW);
    take_line(c, "queue all.q@a 8 state 128");
    array_of(c, 1, 4, "alice");
    take_line(c, "started 1 0-0 all.q@a");
    assert_figures(c, before);
    take_mark(c, EV_SYNCED);
    assert_figures(c, "1 of 8 slots, 1/1 hosts ill, 1 jobs (1 own), 1 running, 3 pending, 4 ended");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, counted_setup, counted_teardown)
        TEST(nothing_is_shown_before_the_state_has_come),
        TEST(jobs_and_slots_are_counted_as_they_change),
        TEST(a_host_is_ill_while_one_of_its_queues_is),
        TEST(a_state_that_comes_anew_replaces_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

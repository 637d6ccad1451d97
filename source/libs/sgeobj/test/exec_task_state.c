/* The life of a task on its host: every cell of the table, for every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/exec_task_state.h"

enum { JOB = 1, PETASK = 2, INTERACTIVE = 4, SLAVE = 8, PROCESSES = 7, ALL = 15 };

/* what is to happen, cell by cell; an event that has no row here must be refused */
static const struct row {
    unsigned kinds;
    enum exec_task_state state;
    enum exec_task_event event;
    enum exec_task_state next;
    enum exec_task_action action;
} rows[] = {
/* clang-format off */
#define ROW(kinds, state, event, next, action) { kinds, EXEC_TASK_##state, EXEC_TASK_##event, EXEC_TASK_##next, EXEC_TASK_DO_##action }
    ROW(PROCESSES, PREPARING, WATCHED, RUNNING, WATCH),
    ROW(PROCESSES, PREPARING, SOUGHT, RUNNING, NOTHING),
    ROW(ALL, PREPARING, UNSTARTED, ENDED, END),
    ROW(ALL, PREPARING, KILLED, ENDED, WITHDRAW),
    ROW(ALL, PREPARING, SIGNALLED, PREPARING, NOTHING),
    ROW(PROCESSES, RUNNING, WATCHED, RUNNING, WATCH),
    ROW(PROCESSES, RUNNING, SOUGHT, RUNNING, NOTHING),
    ROW(ALL, RUNNING, KILLED, RUNNING, KILL),
    ROW(ALL, RUNNING, SIGNALLED, RUNNING, SIGNAL),
    ROW(PROCESSES, RUNNING, FINISHED, ENDED, END),
    ROW(PROCESSES, RUNNING, UNTAKEN, PREPARING, START_AGAIN),
    ROW(PROCESSES, RUNNING, DIED, CLEANING, CLEAN),
    ROW(PROCESSES, CLEANING, LEFT_OVER, CLEANING, CLEAN_LATER),
    ROW(PROCESSES, CLEANING, CLEANED, ENDED, END),
    ROW(ALL, CLEANING, KILLED, CLEANING, NOTHING),
    ROW(ALL, CLEANING, SIGNALLED, CLEANING, NOTHING),
    ROW(ALL, ENDED, KILLED, ENDED, REPORT),
    ROW(ALL, ENDED, SIGNALLED, ENDED, REPORT),
    ROW(ALL, ENDED, ACKNOWLEDGED, GONE, REMOVE),
    ROW(PETASK, PREPARING, MASTER_ENDED, ENDED, WITHDRAW),
    ROW(PETASK, RUNNING, MASTER_ENDED, RUNNING, KILL),
    ROW(PETASK, CLEANING, MASTER_ENDED, CLEANING, NOTHING),
    ROW(PETASK, ENDED, MASTER_ENDED, ENDED, NOTHING),
    ROW(INTERACTIVE, PREPARING, CLIENT_LOST, ENDED, WITHDRAW),
    ROW(INTERACTIVE, RUNNING, CLIENT_LOST, RUNNING, KILL),
    ROW(INTERACTIVE, CLEANING, CLIENT_LOST, CLEANING, NOTHING),
    ROW(INTERACTIVE, ENDED, CLIENT_LOST, ENDED, NOTHING),
    ROW(SLAVE, PREPARING, ANNOUNCED, RUNNING, NOTHING),
    ROW(SLAVE, RUNNING, EMPTIED, ENDED, END),
    /* clang-format on */
};

static const struct row *row_of(enum exec_task_kind kind, enum exec_task_state state,
                                enum exec_task_event event)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if ((rows[i].kinds & 1u << kind) != 0 && rows[i].state == state && rows[i].event == event)
            return &rows[i];
    return NULL;
}

static void compare_cell(enum exec_task_kind kind, enum exec_task_state state,
                         enum exec_task_event event)
{
    const struct exec_task_cell *cell = exec_task_cell(kind, state, event);
    const struct row *row = row_of(kind, state, event);
    if ((cell != NULL) != (row != NULL))
        fail_msg("kind %u, %s: the table %s a cell for %s", kind, exec_task_state_name(state),
                 cell != NULL ? "has" : "lacks", exec_task_event_name(event));
    if (cell == NULL)
        return;
    assert_int_equal(cell->next, row->next);
    assert_int_equal(cell->action, row->action);
}

static void every_cell_is_visited_and_every_other_event_refused(void **state)
{
    (void)state;
    for (enum exec_task_kind k = 0; k < EXEC_TASK_KINDS; k++)
        for (enum exec_task_state s = 0; s < EXEC_TASK_STATES; s++)
            for (enum exec_task_event e = 0; e < EXEC_TASK_EVENTS; e++)
                compare_cell(k, s, e);
}

static void every_state_event_and_action_is_in_use(void **state)
{
    bool states[EXEC_TASK_STATES] = { false }, events[EXEC_TASK_EVENTS] = { false },
         actions[EXEC_TASK_ACTIONS] = { false };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        states[rows[i].next] = events[rows[i].event] = actions[rows[i].action] = true;
    for (unsigned i = 0; i < EXEC_TASK_STATES; i++)
        assert_true(states[i] && exec_task_state_name(i) != NULL);
    for (unsigned i = 0; i < EXEC_TASK_EVENTS; i++)
        assert_true(events[i] && exec_task_event_name(i) != NULL);
    for (unsigned i = 0; i < EXEC_TASK_ACTIONS; i++)
        assert_true(actions[i]);
}

/* no task of any kind stays for ever: from each state the end can be reached */
static void from_every_state_a_request_to_end_leads_to_an_end(void **state)
{
    (void)state;
    for (enum exec_task_kind k = 0; k < EXEC_TASK_KINDS; k++)
        for (enum exec_task_state s = 0; s < EXEC_TASK_GONE; s++)
            assert_non_null(exec_task_cell(k, s, EXEC_TASK_KILLED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_visited_and_every_other_event_refused),
        cmocka_unit_test(every_state_event_and_action_is_in_use),
        cmocka_unit_test(from_every_state_a_request_to_end_leads_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
